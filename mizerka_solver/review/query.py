"""What is asked of a review: one question, built by command line and API alike and handed down whole."""

from __future__ import annotations

import json
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from mizerka_solver.core import SearchStopped
from mizerka_solver.double_dummy.values import Points
from mizerka_solver.game.position import Position
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Contract, Variant
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import Limits

Expected = Callable[[Position], Points]
"""Expected points of F, M, R in a position: what `ReviewQuery.expected` may be."""


@dataclass(frozen=True, slots=True)
class ReviewQuery:
    """What a review judges besides the cards.

    contracts: judge the contract named against those forehand could name (True), against these (a sequence), or not
    (False); None: where the record has a talon. exchanges: judge what each seat exchanged; None as before.
    best_exchanges: also search for the best exchange there was, which takes far longer. expected: what cards cost in
    expected points, by the solver's equilibria (True) or by a function. contract_samples: worlds drawn for what each
    contract promised by the cards forehand saw, where the record has them; 0: the fitted weights' estimate, which
    takes no time. variant: targets. node_limit: cards played per search; seconds: for one review. A review needs exact
    values, so where a limit is hit it ends in SearchStopped. progress: called with positions valued so far, and all.
    """

    contracts: bool | Sequence[Contract] | None = False
    exchanges: bool | None = False
    best_exchanges: bool = False
    expected: bool | Expected = False
    contract_samples: int = 0
    variant: Variant = MIZERKA
    node_limit: int | None = None
    seconds: float | None = None
    progress: Callable[[int, int], object] | None = None

    def __post_init__(self) -> None:
        Limits(self.node_limit, self.seconds)
        if self.contract_samples < 0:
            raise MizerkaError("0 or more", field="contract_samples", token=str(self.contract_samples))

    def contracts_of(self, record: GameRecord) -> tuple[Contract, ...]:
        """Return the contracts that the one named is judged against; none when it is not judged.

        Naming the only one left is no choice, and is not judged unless it was asked for in so many words.
        """
        if isinstance(self.contracts, Sequence):
            return tuple(self.contracts)
        if self.contracts or (self.contracts is None and record.deal.talon):
            allowed = nameable(record)
            return allowed if len(allowed) > 1 else ()
        return ()

    def judges_exchanges(self, record: GameRecord) -> bool:
        """Whether exchanges are judged."""
        return bool(self.best_exchanges or self.exchanges or (self.exchanges is None and record.deal.talon))

    def clock(self) -> Clock:
        """Return the limits of one review, counted from now."""
        return Clock(self.node_limit, None if self.seconds is None else time.monotonic() + self.seconds)


@dataclass(frozen=True, slots=True)
class Clock:
    """The limits of one review while it runs."""

    node_limit: int | None
    deadline: float | None

    @property
    def seconds(self) -> float | None:
        """Seconds left; raises SearchStopped when there are none."""
        if self.deadline is None:
            return None
        left = self.deadline - time.monotonic()
        if left <= 0:
            raise SearchStopped("time")
        return left


def nameable(record: GameRecord) -> tuple[Contract, ...]:
    """Return what forehand could name: the record's extra field "remaining" ("SHN"), else all six contracts."""
    left = json.loads(dict(record.extra).get("remaining", "null"))
    is_letters = isinstance(left, str) and record.contract.name in left and set(left) <= set(Contract.__members__)
    return tuple(Contract[letter] for letter in left) if is_letters else tuple(Contract)
