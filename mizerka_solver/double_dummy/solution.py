"""A Solution, the values of one deal or position, and an Answer, which has what else was asked; as JSON fields, as rows
for CSV files and data frames. No searching is done here.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from typing import Any

from mizerka_solver.double_dummy.values import (
    EXPECTED_DECIMALS,
    CardEquilibria,
    CardValue,
    Equilibria,
    Value,
    rounded,
)
from mizerka_solver.game.cards import Card
from mizerka_solver.game.convert import ContractLike, as_contract
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Contract, Seat, Triple, by_column
from mizerka_solver.support import frames, markup
from mizerka_solver.support.statistics import signed

Lines = Mapping[Seat, tuple[Card, ...]]


@dataclass(frozen=True, slots=True, repr=False)
class Solution(frames.Framed):
    """The values of a deal in several contracts, or of a position in its own; shows its guaranteed tricks as F-M-R.

    subject: the Deal or Position. values: Contract → Value. Where asked: cards, Contract → what each legal card costs;
    equilibria, Contract → Equilibria; card_equilibria, Contract → the equilibria that each legal card leads to.
    """

    subject: Deal | Position
    leader: Seat
    values: Mapping[Contract, Value]
    cards: Mapping[Contract, tuple[CardValue, ...]] | None = None
    equilibria: Mapping[Contract, Equilibria] | None = None
    card_equilibria: Mapping[Contract, tuple[CardEquilibria, ...]] | None = None

    def __getitem__(self, contract: ContractLike) -> Value:
        return self.values[as_contract(contract)]

    def __repr__(self) -> str:
        values = ", ".join(f"{contract.name} {tricks_text(value)}" for contract, value in self.values.items())
        return f"<Solution of {self.subject}, {self.leader} leads: {values}>"

    @property
    def best_contract(self) -> Contract | None:
        """The contract with the most par points for forehand, who names it (then guaranteed points, then order).

        None if a limit left a value inexact: the best is not known then.
        """
        if not self.exact:
            return None
        return max(self.values, key=lambda c: (self.values[c].par[0], self.values[c].points[0], -c))

    @property
    def nodes(self) -> int:
        """Cards played by all searches together."""
        return sum(value.nodes for value in self.values.values())

    @property
    def exact(self) -> bool:
        """Whether every value is exact."""
        return all(value.exact for value in self.values.values())

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of `mizerka solve`."""
        name = "deal" if isinstance(self.subject, Deal) else "position"
        contracts = {contract.name: value.as_dict() for contract, value in self.values.items()}
        for contract, found in (self.equilibria or {}).items():
            contracts[contract.name] |= found.as_dict()
        for contract, cards in (self.card_equilibria or self.cards or {}).items():
            contracts[contract.name]["cards"] = [card.as_dict() for card in cards]
        return {name: str(self.subject), "leader": self.leader.name, "contracts": contracts}

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows of `mizerka solve --csv`: one a contract; where cards were asked, one a contract and card."""
        for contract, value in self.values.items():
            start = {"deal": str(self.subject), "leader": self.leader.name, "contract": contract.name}
            if self.cards is None:
                shown = (value.points, value.par) if value.has_points else ((None,) * 3, (None,) * 3)
                points = by_column("points", shown[0]) | by_column("par", shown[1])
                end = {"slack": value.slack, "nodes": value.nodes, "exact": int(value.exact)}
                found = equilibria_columns(self.equilibria[contract]) if self.equilibria else {}
                yield {**start, **by_column("guaranteed", value.guaranteed), **points, **end, **found}
                continue
            for i, worth in enumerate(self.cards[contract]):
                costs = {"cost": worth.cost, "par_cost": worth.par_cost, **by_column("transfer", worth.transfer)}
                guaranteed = by_column("guaranteed", worth.after.guaranteed)
                found = card_columns(self.card_equilibria[contract][i]) if self.card_equilibria else {}
                exact = {"exact": int(worth.after.exact)}
                yield {**start, "card": str(worth.card), **guaranteed, **costs, **exact, **found}

    def _repr_html_(self) -> str:
        head = ("", *(f"{seat} {what}" for what in ("tricks", "points", "par") for seat in Seat))
        rows = [(contract.symbol, *value_cells(value)) for contract, value in self.values.items()]
        parts = [self.subject._repr_html_(), markup.table(rows, head, f"{self.leader} leads")]
        parts += [cards_html(contract, cards) for contract, cards in (self.cards or {}).items()]
        parts += [found._repr_html_() for found in (self.equilibria or {}).values()]
        return markup.together(*parts)


def to_frame(solutions: Iterable[Solution | Answer], library: str | None = None) -> Any:
    """Return the rows of many solutions as one DataFrame, as `Solution.to_frame` does."""
    found = (solution.solution if isinstance(solution, Answer) else solution for solution in solutions)
    return frames.to_frame((row for solution in found for row in solution.rows()), library)


def value_cells(value: Value) -> list[str]:
    """Return guaranteed tricks, guaranteed points and par of the three seats as a notebook shows them."""
    sign = "≤" if value.contract.is_mizerka else "≥"
    tricks = [f"{sign} {n}" for n in value.guaranteed]
    if not value.has_points:
        return [*tricks, *([""] * 6)]
    par = [signed(points) if value.exact else "?" for points in value.par]
    return [*tricks, *(signed(points, 0) for points in value.points), *par]


def cards_html(contract: Contract, cards: Iterable[CardValue]) -> str:
    """Return a table of what each legal card is worth and costs."""
    rows = [
        (card.card.pretty, *card.after.guaranteed, *((card.cost, f"{card.par_cost:.2f}") if card.exact else ("?", "?")))
        for card in cards
    ]
    head = ("", *(f"{seat} tricks" for seat in Seat), "cost", "par cost")
    return markup.table(rows, head, f"{contract.symbol}: after each card")


def tricks_text(value: Value) -> str:
    """Return guaranteed tricks as '5-3-1', each as '2..4' where only bounds are proven."""
    pairs = zip(value.lower, value.upper, strict=True)
    return "-".join(str(low) if low == high else f"{low}..{high}" for low, high in pairs)


def equilibria_columns(found: Equilibria) -> dict[str, Any]:
    """Return the columns of equilibria: '3-0-10 3-1-9' and so on, and expected tricks."""
    vectors = " ".join("-".join(map(str, vector)) for vector in found.vectors)
    return {"equilibria": vectors, **by_column("expected", rounded(found.expected_tricks or (0, 0, 0)))}


def card_columns(worth: CardEquilibria) -> dict[str, Any]:
    """Return the columns of equilibria for a card."""
    cost = {"expected_cost": round(worth.expected_cost, EXPECTED_DECIMALS)}
    transfer = by_column("expected_transfer", rounded(worth.expected_transfer))
    return {**equilibria_columns(worth.after), **cost, **transfer}


@dataclass(frozen=True, slots=True)
class Answer:
    """A Solution and what else was asked for: for each contract, the lines of play by seat, and, where `payoff` is an
    equilibrium of the contract, play that ends in it."""

    solution: Solution
    lines: Mapping[Contract, Lines] = field(default_factory=dict)
    payoff: Triple | None = None
    payoff_lines: Mapping[Contract, tuple[Card, ...]] = field(default_factory=dict)

    def _repr_html_(self) -> str:
        lines = [
            (f"{contract.symbol}, {seat}", " ".join(card.pretty for card in cards))
            for contract, by_seat in self.lines.items()
            for seat, cards in by_seat.items()
        ]
        lines += [
            (f"{contract.symbol}, to {'-'.join(map(str, self.payoff or ()))}", " ".join(card.pretty for card in cards))
            for contract, cards in self.payoff_lines.items()
        ]
        table = markup.table(lines, caption="play") if lines else ""
        return markup.together(self.solution._repr_html_(), table)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of `mizerka solve`: the fields of the Solution, and the lines where asked."""
        data = self.solution.as_dict()
        for contract, lines in self.lines.items():
            data["contracts"][contract.name]["lines"] = {
                seat.name: [str(card) for card in cards] for seat, cards in lines.items()
            }
        for contract, played in self.payoff_lines.items():
            data["contracts"][contract.name]["payoff_line"] = [str(card) for card in played]
        return data
