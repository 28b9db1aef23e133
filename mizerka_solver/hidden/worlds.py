"""Deals that agree with what one player knows: the sampled worlds of sampling.py. Nothing is solved here.

A world is drawn by the seed of the whole question and its own number, so that it does not depend on threads or on what
was asked of other worlds. Unseen cards are shuffled evenly; who exchanges before or after the player does as the quick
policy says.
"""

from __future__ import annotations

from collections.abc import Collection, Sequence
from dataclasses import dataclass
from random import Random

from mizerka_solver.game.cards import ALL, Card, Hand
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Variant, exchange
from mizerka_solver.policy.quick import choose_contract, choose_discards, exchange_all
from mizerka_solver.support.errors import IllegalExchangeError, InvalidHandError, MizerkaError

MAX_TRIES = 200  # shuffles until forehand would have named the contract; then the last is taken


def world_generator(seed: int, number: int) -> Random:
    """Return the generator of sample `number` of a question's seed; both are 0 or more."""
    return Random(seed << 32 | number)


def unseen_cards(hand: Hand, generator: Random) -> list[Card]:
    """Return the cards that are not in `hand`, shuffled as `rules.shuffled` shuffles."""
    cards = [card for card in ALL if card not in hand]
    for i in range(len(cards) - 1, 0, -1):
        j = int(generator.random() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]
    return cards


@dataclass(frozen=True, slots=True)
class Situation:
    """What a player knows who is to exchange.

    hand: the player's cards before the exchange. exchanged: how many cards each earlier seat exchanged, nothing for F,
    one number for M, two for R. named_from: the contracts forehand could have named; if given, only worlds count in
    which the quick policy names `contract` from forehand's first cards, else naming tells nothing. Raises
    InvalidHandError, IllegalExchangeError, MizerkaError.

    >>> Situation(Hand("AKT973.A4.52.Q63"), Contract.S, Seat.M, (5,)).n_available
    8
    """

    hand: Hand
    contract: Contract
    seat: Seat = Seat.F
    exchanged: tuple[int, ...] = ()
    named_from: tuple[Contract, ...] = ()
    variant: Variant = MIZERKA

    def __post_init__(self) -> None:
        size = self.variant.hand_size
        if len(self.hand) != size:
            raise InvalidHandError(f"a hand has {size} cards, here {len(self.hand)}", token=str(self.hand))
        if len(self.exchanged) != self.seat:
            given = ",".join(map(str, self.exchanged)) or "nothing"
            rule = (
                f"{self.seat} knows how many cards were exchanged before: numbers for {'F M'[: 2 * self.seat - 1]}"
                if self.seat
                else "nobody exchanges before F"
            )
            raise IllegalExchangeError(rule, token=given)
        left = self.variant.talon_size
        for seat, n in zip(Seat, self.exchanged, strict=False):
            if not 0 <= n <= min(left, size):
                raise IllegalExchangeError(f"{seat} could exchange 0 to {min(left, size)} cards", token=str(n))
            left -= n
        if self.named_from and self.contract not in self.named_from:
            raise MizerkaError("forehand named it, so it was left to name", token=str(self.contract))

    @property
    def n_available(self) -> int:
        """Cards left in the talon for the player."""
        return self.variant.talon_size - sum(self.exchanged)

    @property
    def conditioned(self) -> bool:
        """Do only worlds count in which forehand would have named the contract?"""
        return self.seat is not Seat.F and bool(self.named_from)


class World:
    """One way the unseen cards of a Situation may lie, earlier exchanges done; asked about any number of discards.

    The player draws from the front of the talon. Later seats draw from its far end, first M, then R: unseen cards
    are as likely there, and what they get depends as little as possible on how many the player takes, which makes
    differences between discards less noisy.
    """

    __slots__ = ("_later", "_situation", "hands", "talon")

    def __init__(self, situation: Situation, seed: int, number: int) -> None:
        """Draw sample `number` of `seed`."""
        self._situation = situation
        generator = world_generator(seed, number)
        size = situation.variant.hand_size
        for _ in range(MAX_TRIES):
            unseen = unseen_cards(situation.hand, generator)
            preview = Hand.from_cards(unseen[: situation.variant.preview_size])
            if not self._is_ruled_out(preview):
                break
        others = iter((Hand.from_cards(unseen[:size]), Hand.from_cards(unseen[size : 2 * size])))
        self.hands = [situation.hand if seat == situation.seat else next(others) for seat in Seat]
        self.talon: tuple[Card, ...] = tuple(unseen[2 * size :])
        for seat, n in zip(Seat, situation.exchanged, strict=False):
            discards = choose_discards(self.hands[seat], situation.contract, seat, len(self.talon), n)
            self.hands[seat], self.talon = exchange(self.hands[seat], self.talon, discards)
        self._later: dict[int, list[Hand]] = {}

    def _is_ruled_out(self, preview: Hand) -> bool:
        asked = self._situation
        if not asked.conditioned:
            return False
        return choose_contract(preview, asked.named_from) is not asked.contract

    def position(self, discards: Sequence[Card]) -> Position:
        """Return the start of play after the player's `discards` and the later exchanges."""
        asked = self._situation
        hand, left = exchange(self.hands[asked.seat], self.talon, discards)
        if len(discards) not in self._later:
            self._later[len(discards)] = self._later_hands(left)
        hands = [*self.hands[: asked.seat], hand, *self._later[len(discards)]]
        return Deal.from_hands(hands).position(asked.contract)

    def _later_hands(self, left: tuple[Card, ...]) -> list[Hand]:
        asked = self._situation
        far_end = left[::-1]
        hands = []
        for seat in Seat:
            if seat > asked.seat:
                discards = choose_discards(self.hands[seat], asked.contract, seat, len(far_end))
                hand, far_end = exchange(self.hands[seat], far_end, discards)
                hands.append(hand)
        return hands


def rest_of_deal(preview: Hand, seed: int, number: int, variant: Variant = MIZERKA) -> Deal:
    """Return sample `number` of the deals whose forehand has the cards of `preview`."""
    unseen = unseen_cards(preview, world_generator(seed, number))
    size = variant.hand_size
    rest = size - len(preview)
    hands = (
        Hand.from_cards([*preview, *unseen[:rest]]),
        Hand.from_cards(unseen[rest : rest + size]),
        Hand.from_cards(unseen[rest + size : rest + 2 * size]),
    )
    return Deal.from_hands(hands, unseen[rest + 2 * size :])


def forehand_position(preview: Hand, contract: Contract, seed: int, number: int, variant: Variant) -> Position:
    """Return the start of play of a sampled deal after all three exchanged by the policy."""
    return exchange_all(rest_of_deal(preview, seed, number, variant), contract).position(contract)


def check_contracts(contracts: Collection[Contract]) -> tuple[Contract, ...]:
    """Return the contracts in order, each once; raises MizerkaError when there is none."""
    if not contracts:
        raise MizerkaError("no contract is left to name", field="remaining")
    return tuple(contract for contract in Contract if contract in contracts)
