"""Hands the others may hold, drawn at random from what a seat knows.

Certain: cards seen, how many cards everybody holds, suits that somebody did not follow. Likely: of the cards laid down
in the exchange most are of the kind nobody wants in this contract, so unseen aces tend to be held. Nothing is inferred
from the cards somebody chose to play, nor from the contract named.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from random import Random

from mizerka_solver.game.cards import LANE_BITS, N_RANKS, SUIT_LETTERS
from mizerka_solver.game.rules import MIZERKA, Contract, Seat
from mizerka_solver.hidden.view import CONTRACT, EXCHANGE, View

# How readily a card of each rank, 2 to ace, is laid down, against 1 for the most unwanted.
SIDE = (1, 1, 1, 1, 1, 1, 1, 0.9, 0.8, 0.6, 0.35, 0.12, 0.03)
TRUMP = (0.06,) * 8 + (0.03,) * 5
LOW_WANTED = (0.02, 0.03, 0.05, 0.08, 0.12, 0.2, 0.35, 0.5, 0.65, 0.8, 0.9, 1, 1)
MAX_TRIES = 20  # draws until the shown voids fit; then hands are filled from the top

N_SUITS = len(SUIT_LETTERS)


def discard_weight(contract: Contract, card: int) -> float:
    """Return how readily a card (a bit) is laid down in a contract."""
    if contract.is_mizerka:
        return LOW_WANTED[card & 15]
    return (TRUMP if card >> 4 == contract else SIDE)[card & 15]


def bits(mask: int) -> list[int]:
    """Return the cards of a mask, low to high."""
    return [bit for bit in range(LANE_BITS * N_SUITS) if mask >> bit & 1]


def shuffle(cards: list[int], random: Random) -> None:
    """Shuffle in place with random() alone, which no version of Python changes."""
    for i in range(len(cards) - 1, 0, -1):
        j = int(random.random() * (i + 1))
        cards[i], cards[j] = cards[j], cards[i]


@dataclass(frozen=True, slots=True)
class World:
    """One way the hidden cards may lie: hand masks F, M, R (the viewer's own as it is) and the talon in draw order."""

    hands: tuple[int, int, int]
    talon: tuple[int, ...]


class Worlds:
    """Draws worlds that agree with a view of the phase "exchange" or "play"; in "contract" also the viewer's own rest.

    >>> from mizerka_solver.hidden.view import Table
    >>> from mizerka_solver import Deal
    >>> view = Table(Deal.random(1), remaining=(Contract.N,)).view()
    >>> world = Worlds(view).draw(Random(1))
    >>> [mask.bit_count() for mask in world.hands], len(world.talon), world.hands[0] == view.hand.mask
    ([13, 13, 13], 13, True)
    """

    def __init__(self, view: View) -> None:
        self.seat = view.seat
        self.own = view.hand.mask
        self.unseen = bits(view.unseen_mask)
        self.others = [seat for seat in Seat if seat is not view.seat]
        size = MIZERKA.hand_size if view.phase == CONTRACT else len(view.hand)
        self.missing = size - len(view.hand)  # of the viewer's own hand
        to_come = {Seat((view.leader + place) % 3) for place in range(len(view.trick), 3)}
        played = view.trick and view.phase not in (CONTRACT, EXCHANGE)
        self.sizes = [size - (bool(played) and seat not in to_come) for seat in self.others]
        voids = view.voids()
        self.voids = [voids[seat] for seat in self.others]
        done = zip(Seat, view.exchanged, strict=False)
        laid_down = sum(n for seat, n in done if seat is not view.seat)
        # A deal without a full talon has fewer cards out of play than one of 52.
        self.laid_down = min(laid_down, len(self.unseen) - sum(self.sizes) - self.missing)
        self.weights = (
            [] if view.contract is None else [1.0 / discard_weight(view.contract, card) for card in self.unseen]
        )

    def draw(self, random: Random) -> World:
        """Return one world."""
        for _ in range(MAX_TRIES):
            rest = self._without_discards(random)
            shuffle(rest, random)
            hands = self._deal(rest, random)
            if hands is not None:
                break
        else:
            rest = list(self.unseen)
            shuffle(rest, random)
            hands = self._fill(rest)
        return self._world(hands, rest)

    def _world(self, hands: Sequence[int], rest: Sequence[int]) -> World:
        masks = [0, 0, 0]
        for seat, mask in zip(self.others, hands, strict=True):
            masks[seat] = mask
        left = [card for card in rest if not (hands[0] | hands[1]) >> card & 1]
        own = self.own
        for card in left[: self.missing]:
            own |= 1 << card
        masks[self.seat] = own
        return World((masks[0], masks[1], masks[2]), tuple(left[self.missing :]))

    def _without_discards(self, random: Random) -> list[int]:
        """Return the unseen cards but for those laid down by others, drawn by weight."""
        if not self.laid_down:
            return list(self.unseen)
        # The smallest of random() ** (1 / weight) are a weighted draw without putting back.
        keys = [
            (1.0 - random.random() ** inverse, card) for inverse, card in zip(self.weights, self.unseen, strict=True)
        ]
        keys.sort()
        return [card for _, card in keys[self.laid_down :]]

    def _deal(self, cards: list[int], random: Random) -> list[int] | None:
        """Deal shuffled cards to the two others and the talon in fair shares; None when the voids leave too few."""
        room_a, room_b = self.sizes
        out = len(cards) - room_a - room_b
        void_a, void_b = self.voids
        hand_a = hand_b = 0
        free: list[int] = []
        for card in cards:
            bit = 1 << card
            if not (void_a | void_b) & bit:
                free.append(card)
            elif void_a & bit and void_b & bit:
                out -= 1
            elif void_b & bit:
                if random.random() * (room_a + out) < room_a:
                    hand_a |= bit
                    room_a -= 1
                else:
                    out -= 1
            elif random.random() * (room_b + out) < room_b:
                hand_b |= bit
                room_b -= 1
            else:
                out -= 1
        if out < 0 or room_a + room_b > len(free):
            return None
        for card in free[:room_a]:
            hand_a |= 1 << card
        for card in free[room_a : room_a + room_b]:
            hand_b |= 1 << card
        return [hand_a, hand_b]

    def _fill(self, cards: list[int]) -> list[int]:
        """Fill each hand with what only it may hold, then with the rest: this works whenever anything does."""
        hands = [0, 0]
        taken = 0
        for i, other in ((0, 1), (1, 0)):
            alone = [c for c in cards if self.voids[other] >> c & 1 and not self.voids[i] >> c & 1]
            both = [c for c in cards if not (self.voids[0] | self.voids[1]) >> c & 1]
            for card in [c for c in (*alone, *both) if not taken >> c & 1][: self.sizes[i]]:
                hands[i] |= 1 << card
                taken |= 1 << card
        return hands


assert len(SIDE) == len(TRUMP) == len(LOW_WANTED) == N_RANKS
