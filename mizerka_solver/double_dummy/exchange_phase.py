"""The exchange phase as a whole, with open cards: one line of play, and what the exchanges of a record cost.

The best exchange of one seat is `Solver.exchange`. What is found here is what a seer would do: hidden cards are the
business of sampling.py.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution
from mizerka_solver.double_dummy.query import ExchangeQuery, Progress
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.cards import Card, parse_cards
from mizerka_solver.game.convert import ContractLike, as_contract
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Seat, Variant
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import Limits

__all__ = ["exchange_costs", "exchange_line", "read_exchanges"]


def exchange_line(
    solver: Solver,
    deal: Deal | str,
    contract: ContractLike,
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
    limits = Limits(node_limit, seconds)
    query = ExchangeQuery(
        as_contract(contract), others=others, ties=ties, limits=limits, variant=variant, progress=progress
    )
    return query.ask_line(solver, deal)


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
            raise MizerkaError("an exchange is a seat, a colon and the cards discarded, as in F:S2,H4", token=field)
        seat = Seat.parse(name)
        if seat in found:
            raise MizerkaError("seat given twice", token=field)
        if cards and "" in cards.split(","):
            raise MizerkaError("a comma without a card", token=field)
        found[seat] = parse_cards(cards.replace(",", "")) if cards not in ("", "-") else ()
    return found
