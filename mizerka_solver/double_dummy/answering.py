"""How a Solver answers a SolveQuery: which searches, on which of its engines, made into which values."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field

from mizerka_solver.core import Engine, SearchStopped
from mizerka_solver.double_dummy.call import Call
from mizerka_solver.double_dummy.equilibria import KeptTable, TableMaker
from mizerka_solver.double_dummy.guarantees import guaranteed_line, guaranteed_value
from mizerka_solver.double_dummy.query import SolveQuery, Subject
from mizerka_solver.double_dummy.solution import Answer, Lines, Solution
from mizerka_solver.double_dummy.values import CardEquilibria, CardValue, Equilibria, Value
from mizerka_solver.game.cards import Card
from mizerka_solver.game.position import Position, equivalent_cards
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import MIN_MEMORY
from mizerka_solver.support.pool import run_jobs


@dataclass(frozen=True, slots=True)
class Tools:
    """What a Solver searches with: an engine and a maker of tables for each thread, and the table it keeps."""

    engines: Sequence[Engine]
    makers: Sequence[TableMaker]
    table_memory: int
    kept: KeptTable = field(default_factory=KeptTable)


class Answering:
    """One question in one call."""

    def __init__(self, tools: Tools, query: SolveQuery, call: Call) -> None:
        self._tools, self._query, self._call = tools, query, call

    def answer(self, subject: Subject) -> Answer:
        """Return everything that was asked about a deal or position."""
        query = self._query
        positions = query.positions(subject)
        leader = subject.leader if isinstance(subject, Position) else query.leader
        solve = self._with_equilibria if query.equilibria else self._guarantees
        solution = solve(subject, leader, positions)
        lines = {position.contract: self._lines(position, solution) for position in positions if query.lines}
        return Answer(solution, lines, query.payoff, self._payoff_lines(solution))

    # Guarantees

    def _guarantees(self, subject: Subject, leader: Seat, positions: Sequence[Position]) -> Solution:
        values = self._values(positions)
        worth = None
        if self._query.cards:
            pairs = zip(positions, values, strict=True)
            worth = {position.contract: self._cards(position, value) for position, value in pairs}
        return Solution(subject, leader, {value.contract: value for value in values}, worth)

    def _values(self, positions: Sequence[Position]) -> list[Value]:
        jobs = [(guaranteed_value, (position, self._call, self._query.variant)) for position in positions]
        return run_jobs(jobs, self._tools.engines, self._call.check)

    def _cards(self, position: Position, before: Value) -> tuple[CardValue, ...]:
        seat = position.to_move
        groups = equivalent_cards(position)
        afters = self._values([position.play_unchecked(group[0]) for group in groups])
        worth: list[CardValue] = []
        for group, after in zip(groups, afters, strict=True):
            worth += [CardValue.between(card, seat, before, after) for card in group]
        return tuple(worth)

    def _lines(self, position: Position, solution: Solution) -> Lines:
        """The lines of one position; where its value is not exact, or a limit is hit, there is none."""
        lines: dict[Seat, tuple[Card, ...]] = {}
        if not solution.values[position.contract].exact:
            return lines
        for seat in self._query.lines:
            try:
                lines[seat] = guaranteed_line(self._tools.engines[0], position, seat, self._call)
            except SearchStopped as stopped:
                if stopped.reason == "cancelled":
                    raise
        return lines

    # Equilibria

    def _with_equilibria(self, subject: Subject, leader: Seat, positions: Sequence[Position]) -> Solution:
        """One table a contract, which knows what is guaranteed as well."""
        tools, call, query = self._tools, self._call, self._query
        share = max(tools.table_memory // min(len(tools.makers), len(positions)), MIN_MEMORY)
        if len(positions) > 1:
            tools.kept.forget()

        def job(maker: TableMaker, position: Position) -> tuple[Equilibria, tuple[CardEquilibria, ...]]:
            if len(positions) == 1:
                table = tools.kept.table(maker, position, share, call)
            else:
                table = maker.make(position, share, call)
            cards = table.cards(position, query.variant) if query.cards else ()
            return table.at(position, query.variant), cards

        answers = run_jobs([(job, (position,)) for position in positions], tools.makers, call.check)
        found = {answer.position.contract: answer for answer, _ in answers}
        values = {contract: answer.value for contract, answer in found.items()}
        if not query.cards:
            return Solution(subject, leader, values, None, found)
        worth = {answer.position.contract: worth for answer, worth in answers}
        plain = {contract: tuple(card.value for card in cards) for contract, cards in worth.items()}
        return Solution(subject, leader, values, plain, found, worth)

    def _payoff_lines(self, solution: Solution) -> dict[Contract, tuple[Card, ...]]:
        payoff, tools = self._query.payoff, self._tools
        if payoff is None or solution.equilibria is None:
            return {}
        lines = {}
        for contract, found in solution.equilibria.items():
            if payoff in found.vectors:
                # Of one contract the table is still kept; of several they are made again.
                table = tools.kept.table(tools.makers[0], found.position, tools.table_memory, self._call)
                lines[contract] = table.line(found.position, payoff)
        if not lines:
            raise MizerkaError("not the tricks of an equilibrium here", token="-".join(map(str, payoff)))
        return lines
