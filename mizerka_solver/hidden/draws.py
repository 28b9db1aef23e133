"""Worlds: ways the hidden cards may lie, drawn at random from what a seat knows. All drawing is here.

Certain: cards seen, how many cards everybody holds and exchanged, suits that somebody did not follow. Two models say
how likely the worlds that agree with it are; each world is drawn with exactly the odds of its model:

    Worlds            from a View; the bots' model. Every placement of the unseen cards (placements.py) counts, by the
                      product of `discard_weight` of the cards the others laid down: low cards are laid down readily,
                      aces hardly ever. With weights of 1 all placements would be equally likely.
    ExchangeWorlds    from a Situation. Every deal is as likely as any other, or, where forehand's choice is to count,
                      every deal in which the quick policy names that contract. Earlier seats exchange by the quick
                      policy, held to the numbers of cards that were seen.

Nothing is inferred from the cards somebody chose to play.
"""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from mizerka_solver.game.cards import LANE_BITS, N_RANKS, SUIT_LETTERS, Card, Hand
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import Contract, Seat, Triple, shuffle
from mizerka_solver.hidden.named import FittingPreviews
from mizerka_solver.hidden.placements import Placements
from mizerka_solver.hidden.situation import Situation
from mizerka_solver.hidden.view import CONTRACT, PLAY, View
from mizerka_solver.policy.quick import choose_discards
from mizerka_solver.support.errors import InvalidViewError

# How readily a card of each rank, 2 to ace, is laid down, against 100 for the most unwanted.
SIDE = (100, 100, 100, 100, 100, 100, 100, 90, 80, 60, 35, 12, 3)
TRUMP = (6,) * 8 + (3,) * 5
LOW_WANTED = (2, 3, 5, 8, 12, 20, 35, 50, 65, 80, 90, 100, 100)

N_SUITS = len(SUIT_LETTERS)


def discard_weight(contract: Contract, card: int) -> int:
    """Return how readily a card (a bit) is laid down in a contract: the odds against a card of weight 100."""
    if contract.is_mizerka:
        return LOW_WANTED[card & 15]
    return (TRUMP if card >> 4 == contract else SIDE)[card & 15]


def bits(mask: int) -> list[int]:
    """Return the cards of a mask, low to high."""
    return [bit for bit in range(LANE_BITS * N_SUITS) if mask >> bit & 1]


def world_generator(seed: int, number: int) -> Random:
    """Return the generator of sample `number` of a question's seed, both 0 or more.

    So a world depends neither on threads nor on what was asked of other worlds.
    """
    return Random(seed << 32 | number)


@dataclass(frozen=True, slots=True)
class World:
    """One way the hidden cards may lie: hand masks F, M, R and the talon's rest in draw order, as bits.

    The viewer's own hand is as it is; before a contract is named it is filled up.
    """

    hands: Triple
    talon: tuple[int, ...]

    def deal(self) -> Deal:
        """Return hands and talon as a deal."""
        return Deal.from_hands([Hand.from_mask(mask) for mask in self.hands], map(Card.from_bit, self.talon))


class Worlds:
    """Draws the worlds of a View, by the bots' model; raises InvalidViewError when there is none.

    >>> from mizerka_solver.hidden.table import Table
    >>> view = Table(Deal.random(1), remaining=(Contract.N,)).view()
    >>> world = Worlds(view).draw(Random(1))
    >>> [mask.bit_count() for mask in world.hands], len(world.talon), world.hands[0] == view.hand.mask
    ([13, 13, 13], 13, True)
    """

    def __init__(self, view: View) -> None:
        self._view = view
        self._others = tuple(seat for seat in Seat if seat is not view.seat)
        size = view.variant.hand_size if view.phase == CONTRACT else len(view.hand)
        self._missing = size - len(view.hand)  # of the viewer's own hand
        unseen = bits(view.unseen_mask)
        have_played = [Seat((view.leader + place) % 3) for place in range(len(view.trick))]
        a, b = (size - (seat in have_played) for seat in self._others)
        voids = view.voids()
        exchanged = zip(Seat, view.exchanged, strict=False)
        laid_down = sum(n for seat, n in exchanged if seat is not view.seat)
        # A deal without a full talon has fewer cards out of play than one of 52.
        laid_down = min(laid_down, len(unseen) - a - b - self._missing)
        contract = view.contract
        self.placements = Placements(
            unseen,
            (a, b),
            (voids[self._others[0]], voids[self._others[1]]),
            laid_down,
            lambda card: 1 if contract is None else discard_weight(contract, card),
        )
        if not self.placements.total:
            raise InvalidViewError("the others can't hold so many cards of suits they followed", field="play")

    def draw(self, random: Random) -> World:
        """Return one world."""
        hand_a, hand_b, rest = self.placements.draw(random)
        own, view = self._view.hand.mask, self._view
        for card in rest[: self._missing]:
            own |= 1 << card
        hands = [hand_a, hand_b]
        hands.insert(view.seat, own)
        talon = rest[self._missing :]
        if view.phase != PLAY:
            del talon[view.talon :]
        return World((hands[0], hands[1], hands[2]), tuple(talon))


class ExchangeWorlds:
    """Draws the worlds of a Situation, the exchanges of earlier seats done; raises MizerkaError when none fits."""

    def __init__(self, situation: Situation) -> None:
        self._situation = situation
        self._unseen = [bit for bit in range(LANE_BITS * N_SUITS) if bit & 15 < N_RANKS]
        self._unseen = [bit for bit in self._unseen if not situation.hand.mask >> bit & 1]
        self.previews = FittingPreviews.of(situation) if situation.conditioned else None

    def draw(self, random: Random) -> World:
        """Return one world."""
        asked = self._situation
        unseen, first = self._unseen.copy(), 0
        if self.previews is not None:
            first = self.previews.draw(random)
            unseen = [bit for bit in unseen if not first >> bit & 1]
        shuffle(unseen, random)
        size = asked.variant.hand_size
        hands = []
        for seat in Seat:
            if seat is asked.seat:
                hands.append(asked.hand)
                continue
            given = first if seat is Seat.F else 0
            n = size - given.bit_count()
            hands.append(Hand.from_mask(given | sum(1 << bit for bit in unseen[:n])))
            del unseen[:n]
        for seat, n in zip(Seat, asked.exchanged, strict=False):
            discards = choose_discards(hands[seat], asked.contract, seat, len(unseen), n)
            mask = hands[seat].mask & ~Hand.from_cards(discards).mask
            hands[seat] = Hand.from_mask(mask | sum(1 << bit for bit in unseen[:n]))
            del unseen[:n]
        f, m, r = hands
        return World((f.mask, m.mask, r.mask), tuple(unseen))


assert len(SIDE) == len(TRUMP) == len(LOW_WANTED) == N_RANKS
