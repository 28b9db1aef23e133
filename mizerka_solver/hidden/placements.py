"""How many ways the unseen cards can lie, counted exactly, and one of them drawn: no tries, no giving up.

Each unseen card is in the hand of one of the two others (A and B), among the cards they laid down, or in what is left
of the talon. Sizes are known; a hand holds no card of a suit its seat did not follow, cards laid down may be of any.

    weight of a placement = product of the weights of the cards laid down        1 for each card: all alike

What a hand may hold splits the unseen cards into four groups: free, for A alone, for B alone, for neither. Cards of a
group differ only in how readily they are laid down. So the total weight is a sum over (cards of each group laid down):

    product over groups of e(group, n laid down)  *  sum over i of C(for A, i) C(free, a - i) C(for B + free - a + i, b)

where e is the elementary symmetric polynomial of the group's weights, and i is how many of A's hand come from the cards
for A alone. All numbers are integers. A draw goes the same way down: numbers first, then cards.
"""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Callable, Iterator, Sequence
from itertools import accumulate
from math import comb, prod
from random import Random

from mizerka_solver.game.rules import shuffle
from mizerka_solver.reading.letters import mask_of

FREE, FOR_A, FOR_B, NEITHER = range(4)


class Placements:
    """All ways to place `unseen` cards (bits). sizes, voids: cards held, and masks not held, by A and B.

    laid_down: how many of the cards A and B laid down; weight: how readily one is, a positive integer.

    >>> cards = Placements([0, 1, 16], (1, 1), (0xffff, 0), 0, lambda card: 1)
    >>> cards.total, cards.draw(Random(1))[0] == 1 << 16
    (2, True)
    """

    def __init__(
        self,
        unseen: Sequence[int],
        sizes: tuple[int, int],
        voids: tuple[int, int],
        laid_down: int,
        weight: Callable[[int], int],
    ) -> None:
        void_a, void_b = voids
        groups: list[list[int]] = [[], [], [], []]
        for card in unseen:
            groups[2 * (void_a >> card & 1) + (void_b >> card & 1)].append(card)
        self._sizes = sizes
        self._groups = [_Group(cards, laid_down, weight) for cards in groups]
        self._splits = [split for split in self._all_splits(laid_down) if self._hands(split)]
        self._running = list(accumulate(self._thrown(split) * sum(self._hands(split)) for split in self._splits))
        self._by_split: dict[int, list[int]] = {}

    @property
    def total(self) -> int:
        """The weight of all placements together: their number, if each card has weight 1; 0 if there is none."""
        return self._running[-1] if self._running else 0

    def draw(self, random: Random) -> tuple[int, int, list[int]]:
        """Return hand A, hand B, and the talon's cards in random order, with the odds of their weight."""
        number = _pick(self._running, random)
        split = self._splits[number]
        if number not in self._by_split:
            self._by_split[number] = list(accumulate(self._hands(split)))
        n_alone = _pick(self._by_split[number], random)
        free, for_a, for_b, neither = (group.left(n, random) for group, n in zip(self._groups, split, strict=True))
        a, b = self._sizes
        shuffle(free, random)
        hand_a, rest = free[: a - n_alone], free[a - n_alone :]
        if for_a:
            shuffle(for_a, random)
            hand_a += for_a[:n_alone]
        if for_b:
            rest += for_b
            shuffle(rest, random)
        hand_b, out = rest[:b], rest[b:]
        if for_a or for_b or neither:
            out += for_a[n_alone:]
            out += neither
            shuffle(out, random)
        return mask_of(hand_a), mask_of(hand_b), out

    def _all_splits(self, laid_down: int) -> Iterator[tuple[int, int, int, int]]:
        """Yield how many cards of each group may have been laid down."""
        free, for_a, for_b, neither = (len(group.cards) for group in self._groups)
        for n in range(min(for_a, laid_down) + 1):
            for m in range(min(for_b, laid_down - n) + 1):
                for k in range(min(neither, laid_down - n - m) + 1):
                    if laid_down - n - m - k <= free:
                        yield laid_down - n - m - k, n, m, k

    def _thrown(self, split: tuple[int, ...]) -> int:
        return prod(group.sums[n] for group, n in zip(self._groups, split, strict=True))

    def _hands(self, split: tuple[int, ...]) -> list[int]:
        """Return the ways to fill both hands, by the number of cards of A that are for A alone; [] if there is none."""
        a, b = self._sizes
        free, for_a, for_b = (len(self._groups[g].cards) - split[g] for g in (FREE, FOR_A, FOR_B))
        ways = []
        for alone in range(min(for_a, a) + 1):
            more = a - alone
            ways.append(comb(for_a, alone) * comb(free, more) * comb(for_b + free - more, b) if more <= free else 0)
        return ways if any(ways) else []


class _Group:
    """Cards that may lie in the same places, and the sums over all ways to lay some of them down."""

    def __init__(self, cards: Sequence[int], laid_down: int, weight: Callable[[int], int]) -> None:
        n = min(len(cards), laid_down)
        weights = {card: weight(card) for card in cards} if n else {}
        self.cards = sorted(cards, key=lambda card: -weights[card]) if n else list(cards)
        # sums[i][k]: e_k of the cards from i on. Those likely to go first, so that a draw is soon done.
        sums = [[1] + [0] * n]
        for card in reversed(self.cards if n else ()):
            after, w = sums[-1], weights[card]
            sums.append([1, *(after[k] + w * after[k - 1] for k in range(1, n + 1))])
        sums.reverse()
        self.sums = sums[0]
        # The chance that card i is laid down, when k of the cards from i on are.
        self._chances = [
            [weights[card] * after[k - 1] / own[k] if k and own[k] else 0.0 for k in range(n + 1)]
            for card, own, after in zip(self.cards, sums, sums[1:], strict=False)
        ]

    def left(self, laid_down: int, random: Random) -> list[int]:
        """Draw the cards laid down, and return the others."""
        if not laid_down:
            return self.cards.copy()
        left: list[int] = []
        for i, card in enumerate(self.cards):
            if random.random() < self._chances[i][laid_down]:
                laid_down -= 1
                if not laid_down:
                    return left + self.cards[i + 1 :]
            else:
                left.append(card)
        raise AssertionError("fewer cards than were to be laid down")


def _pick(running: Sequence[int], random: Random) -> int:
    """Return an index with the odds of its step in the running sums."""
    if len(running) == 1:
        return 0
    return min(bisect_right(running, random.random() * running[-1]), len(running) - 1)
