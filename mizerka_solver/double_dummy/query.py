"""Questions with all cards open, each one object: checked when it is made, and handed down whole to what answers it.

The command line and the methods of a Solver build the same objects. What a question is asked about, a deal or a
position, is not part of it: one question can be put to many.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Protocol

from mizerka_solver.game.cards import Card
from mizerka_solver.game.convert import as_cards, as_contract, as_contracts, as_discards, as_seat
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.notation import parse_line
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Triple, Variant
from mizerka_solver.support.arguments import flag, whole_number
from mizerka_solver.support.errors import InvalidPositionError, MizerkaError
from mizerka_solver.support.limits import Limits

if TYPE_CHECKING:
    from mizerka_solver.double_dummy.exchange_values import ExchangeLine, ExchangeSolution
    from mizerka_solver.double_dummy.solution import Answer

Subject = Deal | Position
SubjectLike = Subject | str
Progress = Callable[[int, int, int, int], object]
OTHERS = ("stand", "reply")


def as_subject(subject: SubjectLike) -> Subject:
    """Return a deal or position given as one or as text; raises MizerkaError, TypeError.

    >>> as_subject("F:A... M:K... R:Q...")
    Deal('F:A.-.-.- M:K.-.-.- R:Q.-.-.-')
    """
    if isinstance(subject, str):
        return parse_line(subject)
    if isinstance(subject, Deal):
        return subject
    if not isinstance(subject, Position):
        raise TypeError(f"expected a Deal, a Position or text of one, not {type(subject).__name__}")
    # It may have been made without its checks. What the engine can't hold is refused here.
    f, m, r = subject.masks
    if len(subject.trick) > 2 or f & m | f & r | m & r or len({len(hand) for hand in subject.hands}) > 2:
        raise InvalidPositionError(subject.status()[0])
    return subject


def as_deal(deal: SubjectLike) -> Deal:
    """Return a deal given as one or as text; raises MizerkaError, TypeError."""
    found = as_subject(deal)
    if isinstance(found, Position):
        raise MizerkaError("a position has no exchange, give a deal")
    return found


def as_position(position: SubjectLike) -> Position:
    """Return a position given as one or as text; raises MizerkaError, TypeError."""
    found = as_subject(position)
    if isinstance(found, Deal):
        raise MizerkaError("a deal has no contract, give a position", token=found)
    return found


def as_variant(variant: Any) -> Variant:
    """Return a Variant; raises TypeError for anything else."""
    if not isinstance(variant, Variant):
        raise TypeError(f"variant must be a Variant, not {type(variant).__name__}")
    return variant


def as_limits(limits: Any) -> Limits:
    """Return Limits; raises TypeError for anything else."""
    if not isinstance(limits, Limits):
        raise TypeError(f"limits must be Limits, not {type(limits).__name__}")
    return limits


class Answerer(Protocol):
    """What answers questions: a Solver."""

    def answer(self, query: SolveQuery, subject: SubjectLike) -> Answer:
        """Return the answer to a question about a deal or position."""

    def answer_exchange(self, query: ExchangeQuery, deal: Deal | str) -> ExchangeSolution:
        """Return the best exchanges of the question's seat."""

    def answer_exchange_line(self, query: ExchangeQuery, deal: Deal | str) -> ExchangeLine:
        """Return the whole exchange, each seat in turn making its best."""


@dataclass(frozen=True, slots=True)
class SolveQuery:
    """What is asked of a deal or position. Every argument may be given as text, as the readers know it.

    contracts (None: all six), leader: for deals only, a position has its own. cards: also what each legal card costs.
    lines: seats whose principal variation is wanted; where a limit is hit there is none. equilibria: also all
    equilibria and expected tricks, which take no node_limit. payoff: tricks of one equilibrium for which a line of play
    is wanted; implies equilibria. Raises MizerkaError, TypeError.

    >>> from mizerka_solver import Solver
    >>> answer = SolveQuery("N", lines="F").ask(Solver(memory="1M"), "F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
    >>> answer.solution["N"].guaranteed, answer.lines[Contract.N][Seat.F][0]
    ((2, 0, 0), Card('SK'))
    """

    contracts: tuple[Contract, ...] | None = None
    leader: Seat = Seat.F
    cards: bool = False
    lines: tuple[Seat, ...] = ()
    equilibria: bool = False
    payoff: Triple | None = None
    limits: Limits = field(default_factory=Limits)
    variant: Variant = MIZERKA

    def __post_init__(self) -> None:
        seats = [as_seat(seat) for seat in self.lines]
        _set(self, "contracts", as_contracts(self.contracts))
        _set(self, "leader", as_seat(self.leader))
        _set(self, "cards", flag(self.cards, "cards"))
        _set(self, "lines", tuple(seat for seat in Seat if seat in seats))
        _set(self, "payoff", None if self.payoff is None else as_payoff(self.payoff))
        _set(self, "equilibria", flag(self.equilibria, "equilibria") or self.payoff is not None)
        as_limits(self.limits)
        as_variant(self.variant)
        if self.equilibria and self.limits.node_limit:
            raise MizerkaError("a search for equilibria has no bounds to give when it ends early", field="node_limit")

    def positions(self, subject: Subject) -> list[Position]:
        """Return the positions the question is about: of a deal one for each contract."""
        if isinstance(subject, Position):
            return [subject]
        return [subject.position(contract, self.leader) for contract in self.contracts or ()]

    def ask(self, solver: Answerer, subject: SubjectLike) -> Answer:
        """Return the answer for one deal or position; raises what `Solver.solve` raises, and MizerkaError where
        `payoff` is no equilibrium in any contract."""
        return solver.answer(self, subject)


@dataclass(frozen=True, slots=True)
class ExchangeQuery:
    """Whose exchange in which contract; arguments as in `Solver.exchange`, which has the defaults. Raises MizerkaError.

    >>> from mizerka_solver import Solver
    >>> query = ExchangeQuery("no trump", "F")
    >>> query.ask(Solver(memory="1M"), "F:A2.-.-.- M:K3.-.-.- R:Q4.-.-.- T:HA").best.discard
    (Card('S2'),)
    """

    contract: Contract
    seat: Seat = Seat.F
    others: str = "stand"
    exchanges: Mapping[Seat, tuple[Card, ...]] = field(default_factory=dict)
    made: tuple[Card, ...] | None = None
    top: int = 16
    ties: bool = True
    limits: Limits = field(default_factory=Limits)
    variant: Variant = MIZERKA
    progress: Progress | None = None

    def __post_init__(self) -> None:
        _set(self, "contract", as_contract(self.contract))
        _set(self, "seat", as_seat(self.seat))
        _set(self, "exchanges", as_discards(self.exchanges))
        _set(self, "made", None if self.made is None else as_cards(self.made))
        _set(self, "top", whole_number(self.top, "top", 0))
        _set(self, "ties", flag(self.ties, "ties"))
        as_limits(self.limits)
        as_variant(self.variant)
        if not isinstance(self.others, str) or self.others not in OTHERS:
            raise MizerkaError('others must be "stand" or "reply"', token=self.others)
        if late := [other for other in self.exchanges if other >= self.seat]:
            raise MizerkaError(f"exchanges must be of seats before {self.seat}", token=late[0])
        if self.progress is not None and not callable(self.progress):
            raise TypeError(f"progress must be a function, not {type(self.progress).__name__}")

    @property
    def reply(self) -> bool:
        """Are there later seats, and may they reply?"""
        return self.others == "reply" and self.seat is not Seat.R

    def before(self, deal: Deal) -> Deal:
        """Return the deal when it is the seat's turn; raises IllegalExchangeError for what can't be thrown."""
        deal = deal.after_exchange(self.exchanges)
        if self.made is not None:
            deal.after_exchange({self.seat: self.made})
        return deal

    def ask(self, solver: Answerer, deal: Deal | str) -> ExchangeSolution:
        """Return the best exchanges of the seat; raises what `Solver.exchange` raises."""
        return solver.answer_exchange(self, deal)

    def ask_line(self, solver: Answerer, deal: Deal | str) -> ExchangeLine:
        """Return the line in which F, M, R in turn make the best exchange; `seat`, `exchanges`, `made` have no part."""
        return solver.answer_exchange_line(self, deal)


def as_payoff(payoff: Any) -> Triple:
    """Return the tricks of F, M, R; raises MizerkaError, TypeError."""
    if isinstance(payoff, (str, bytes)) or not hasattr(payoff, "__iter__"):
        raise TypeError(f"payoff must be three numbers of tricks, not {type(payoff).__name__}")
    numbers = [whole_number(number, "payoff", 0) for number in payoff]
    if len(numbers) != 3:
        raise MizerkaError("a payoff is the tricks of F, M and R", token="-".join(map(str, numbers)))
    f, m, r = numbers
    return f, m, r


def _set(query: object, name: str, value: object) -> None:
    """Write a field of a frozen dataclass while it is made."""
    object.__setattr__(query, name, value)
