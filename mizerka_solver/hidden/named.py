"""Which first cards forehand may have had when it named the contract: all of them, looked at one by one.

The quick policy chooses by a sum over suits, so that the millions of previews are added up suit by suit.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import combinations
from math import comb
from random import Random
from typing import TYPE_CHECKING

from mizerka_solver.game.cards import ALL_CARDS, LANE_BITS, LANE_MASK
from mizerka_solver.game.rules import Contract
from mizerka_solver.hidden.situation import Situation
from mizerka_solver.policy.quick import contract_constant, contract_suit_value, price_after
from mizerka_solver.support.errors import MizerkaError

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Part = tuple[NDArray[np.uint64], list[NDArray[np.float64]]]
    """Masks of cards of some suits, and for each contract what they are worth in it."""

MAX_PREVIEWS = 5_000_000


@dataclass(frozen=True, eq=False)
class FittingPreviews:
    """The previews, as masks, in which the policy names a contract, out of `n_all` that forehand may have had."""

    masks: NDArray[np.uint64]
    n_all: int

    @classmethod
    def of(cls, asked: Situation) -> FittingPreviews:
        """Return those that agree with what the player knows; raises MizerkaError when none does."""
        import numpy as np

        unseen, size = ALL_CARDS & ~asked.hand.mask, asked.variant.preview_size
        n_all = comb(unseen.bit_count(), size)
        if n_all > MAX_PREVIEWS:
            rule = f"naming can be taken into account where forehand saw few cards, here {size}"
            raise MizerkaError(rule, field="named_from", token="".join(map(str, asked.named_from)))
        masks = np.concatenate(list(_fitting(unseen, size, asked.contract, sorted(asked.named_from))))
        if not len(masks):
            rule = f"the policy names it with none of the {n_all:,} previews that your hand leaves possible"
            raise MizerkaError(rule, field="named_from", token=str(asked.contract))
        return cls(masks, n_all)

    @property
    def counts(self) -> tuple[int, int]:
        """How many fit, of how many."""
        return len(self.masks), self.n_all

    @property
    def share(self) -> float:
        """The share of previews that fit."""
        return len(self.masks) / self.n_all

    def draw(self, random: Random) -> int:
        """Return the mask of one of them, all alike."""
        return int(self.masks[int(random.random() * len(self.masks))])


def _fitting(unseen: int, size: int, wanted: Contract, choice: Sequence[Contract]) -> Iterator[NDArray[np.uint64]]:
    """Yield the masks of the previews in which `wanted` is chosen."""
    import numpy as np

    suits = [_parts(unseen, suit, size, choice) for suit in range(4)]
    sums = suits[0]
    for suit in suits[1:3]:
        sums = [_joined([_sum(sums[i], suit[n - i]) for i in range(n + 1)]) for n in range(size + 1)]
    extra = [price_after(contract, choice) for contract in choice]
    for n in range(size + 1):
        masks, values = _sum(sums[size - n], suits[3][n])
        best, named = np.full(len(masks), -np.inf), np.zeros(len(masks), dtype=np.int8)
        for i, contract in enumerate(choice):  # rising: of equals the first stays, as the policy has it
            worth = (contract_constant(contract) + values[i]) + extra[i]
            better = worth > best
            best[better], named[better] = worth[better], contract
        yield masks[named == wanted]


def _parts(unseen: int, suit: int, size: int, choice: Sequence[Contract]) -> list[Part]:
    """Return, for each number of cards up to `size`, the ways to hold so many of a suit."""
    import numpy as np

    lane = unseen >> LANE_BITS * suit & LANE_MASK
    ranks = [1 << rank for rank in range(LANE_BITS) if lane >> rank & 1]
    parts = []
    for n in range(size + 1):
        held = [sum(cards) for cards in combinations(ranks, n)]
        values = [[contract_suit_value(contract, suit, part) for part in held] for contract in choice]
        masks = np.array(held, dtype=np.uint64) << np.uint64(LANE_BITS * suit)
        parts.append((masks, [np.array(worth, dtype=np.float64) for worth in values]))
    return parts


def _sum(a: Part, b: Part) -> Part:
    return (a[0][:, None] | b[0]).ravel(), [(x[:, None] + y).ravel() for x, y in zip(a[1], b[1], strict=True)]


def _joined(parts: Sequence[Part]) -> Part:
    import numpy as np

    return np.concatenate([masks for masks, _ in parts]), [
        np.concatenate([values[i] for _, values in parts]) for i in range(len(parts[0][1]))
    ]
