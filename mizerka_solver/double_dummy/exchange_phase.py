"""The exchange phase as a whole, with open cards: one line of play, and what the exchanges of a record cost.

The best exchange of one seat is `Solver.exchange`. What is found here is what a seer would do: hidden cards are the
business of sampling.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mizerka_solver.double_dummy.exchange_search import Progress
from mizerka_solver.double_dummy.exchange_values import ExchangeSolution
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.double_dummy.values import Value
from mizerka_solver.game.cards import Card, parse_cards
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Variant
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import Limits

__all__ = ["ExchangeLine", "exchange_costs", "exchange_line", "read_exchanges"]


@dataclass(frozen=True, slots=True)
class ExchangeLine:
    """Each seat's best exchange after those of the seats before it; `value` is that of the deal they lead to."""

    steps: tuple[ExchangeSolution, ExchangeSolution, ExchangeSolution]
    value: Value

    @property
    def deal(self) -> Deal:
        """The deal before the exchange."""
        return self.steps[0].deal

    @property
    def after(self) -> Deal:
        """The deal after all three exchanges."""
        return self.steps[2].after

    @property
    def exact(self) -> bool:
        """Whether every step is a proven best exchange, and the value exact."""
        return self.value.exact and all(step.exact for step in self.steps)

    def as_dict(self, top: int | None = None) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        return {
            "deal": str(self.deal),
            "contract": self.steps[0].contract.name,
            "others": self.steps[0].others,
            "line": [step.as_dict(top) for step in self.steps],
            "after": str(self.after),
            "value": self.value.as_dict(),
            "exact": self.exact,
        }


def exchange_line(
    solver: Solver,
    deal: Deal,
    contract: Contract | str,
    others: str = "stand",
    *,
    ties: bool = True,
    node_limit: int | None = None,
    seconds: float | None = None,
    progress: Progress | None = None,
    variant: Variant = MIZERKA,
) -> ExchangeLine:
    """Return the line in which F, M, R in turn make the best exchange, as `Solver.exchange` finds it.

    others: what each assumes of the seats after it. ties: all best exchanges are found, and par chooses among them;
    else the first one found is taken. node_limit: for each exchange; seconds: for the whole call;
    progress: as there. Raises MizerkaError.
    """
    limits = Limits.of(node_limit, seconds)
    steps: list[ExchangeSolution] = []
    for seat in Seat:
        left = limits.seconds_left or None
        step = solver.exchange(
            deal,
            contract,
            seat,
            others,
            ties=ties,
            node_limit=node_limit,
            seconds=left,
            progress=progress,
            variant=variant,
        )
        steps.append(step)
        deal = deal.after_exchange({seat: step.best.discard})
    value = solver.value(deal, contract, node_limit=node_limit, seconds=limits.seconds_left or None, variant=variant)
    f, m, r = steps
    return ExchangeLine((f, m, r), value)


def exchange_costs(
    solver: Solver, record: GameRecord, others: str = "stand", *, variant: Variant = MIZERKA
) -> Mapping[Seat, ExchangeSolution]:
    """Return, for each seat of a record, its best exchange after the earlier ones; `cost` is that of the one made."""
    return {
        step.seat: solver.exchange(
            step.before, record.contract, step.seat, others, made=step.discards, ties=False, variant=variant
        )
        for step in record.exchange_steps()
    }


def read_exchanges(text: str) -> dict[Seat, Sequence[Card]]:
    """Return the exchanges of 'F:S2,H4 M:D5': cards thrown by seat; raises MizerkaError."""
    found: dict[Seat, Sequence[Card]] = {}
    for field in text.split():
        name, colon, cards = field.partition(":")
        if not colon:
            raise MizerkaError("an exchange is a seat, a colon and the cards thrown, as in F:S2,H4", token=field)
        seat = Seat.parse(name)
        if seat in found:
            raise MizerkaError("seat given twice", token=field)
        found[seat] = parse_cards(cards.replace(",", "")) if cards not in ("", "-") else ()
    return found
