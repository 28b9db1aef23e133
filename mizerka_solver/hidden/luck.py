"""The luck of the draw: how much better or worse than average the cards are that a player draws for its discards.

The quick policy's weights (policy.py) give every hand a value in points, and the cards drawn are any of those the
player has not seen, all equally likely. So the mean value of the hand after an exchange is known exactly. What a
sampled world's hand is worth above that mean is luck of the draw: taken off the world's result it leaves the
expectation what it was, whatever the weights are, and most of the scatter goes (a control variate with a known mean;
the coefficient is 1, near which it was best in all kinds: the weights are in points).
"""

from __future__ import annotations

from collections.abc import Collection
from functools import lru_cache
from math import comb

from mizerka_solver.game.cards import ALL, LANE_BITS, LANE_MASK, Card, Hand
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.policy.quick import hand_value, holding_value, suit_role


class Draw:
    """The draws of one player from the cards it has not seen, for any discards from its hand.

    >>> draw = Draw(Hand("A2.-.-.-"), Contract.N, Seat.F)
    >>> draw.luck([], Hand("A2.-.-.-").mask)
    0.0
    >>> low = [Card("S2")]
    >>> bad, good = draw.luck(low, Hand("A3.-.-.-").mask), draw.luck(low, Hand("AK.-.-.-").mask)
    >>> bad < 0 < good
    True
    """

    def __init__(self, hand: Hand, contract: Contract, seat: Seat) -> None:
        self._hand, self._contract, self._seat = hand.mask, contract, seat
        self._unseen = sum(card.mask for card in ALL) & ~hand.mask
        self._means: dict[int, float] = {}

    def luck(self, discards: Collection[Card], after: int) -> float:
        """Return how far the value of the hand after an exchange, a mask, is above the mean of those discards."""
        kept = self._hand
        for card in discards:
            kept &= ~card.mask
        if kept == self._hand:
            return 0.0
        return hand_value(after, self._contract, self._seat) - self.mean(kept)

    def mean(self, kept: int) -> float:
        """Return the mean value of the hand over all draws beside the cards kept, a mask."""
        if kept not in self._means:
            n_drawn, n_unseen = (self._hand & ~kept).bit_count(), self._unseen.bit_count()
            total = 0.0
            for suit in range(4):
                shift = LANE_BITS * suit
                unseen, lane = self._unseen >> shift & LANE_MASK, kept >> shift & LANE_MASK
                sums = _sums(suit_role(self._contract, suit), self._seat.name, unseen, lane)
                others = n_unseen - len(sums) + 1
                for n, value in enumerate(sums[: n_drawn + 1]):
                    total += value * comb(others, n_drawn - n)
            self._means[kept] = total / comb(n_unseen, n_drawn)
        return self._means[kept]


@lru_cache(maxsize=256)
def _sums(kind: str, seat: str, unseen: int, kept: int) -> tuple[float, ...]:
    """For each number of cards drawn in a suit: the sum of the values of what is held then, over all ways to draw."""
    sums = [0.0] * (unseen.bit_count() + 1)
    part = unseen
    while True:
        sums[part.bit_count()] += holding_value(kind, seat, kept | part)
        if not part:
            return tuple(sums)
        part = (part - 1) & unseen
