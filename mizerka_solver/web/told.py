"""What is answered: the shape of every answer, for the OpenAPI document. Tests check real answers against it.

The fields are those of the command's `--json`; the library makes them (`as_dict`), nothing here does.
"""

from __future__ import annotations

from typing import Literal

import msgspec

from mizerka_solver.web.asked import ContractName, SeatName


class Told(msgspec.Struct, forbid_unknown_fields=True):
    """An answer, or a part of one."""


class Error(Told):
    """What is wrong, in one line."""

    error: str


class Tricks(Told):
    """A whole number a seat."""

    F: int
    M: int
    R: int


class Numbers(Told):
    """A number a seat."""

    F: float
    M: float
    R: float


class Names(Told):
    """A text a seat."""

    F: str
    M: str
    R: str


class Pairs(Told):
    """Proven bounds a seat, where a limit ended the search."""

    F: tuple[int, int]
    M: tuple[int, int]
    R: tuple[int, int]


class About(Told):
    """The server: version, limits, and bots one may play against."""

    version: str
    build: str
    solvers: int
    memory: int
    seconds: float
    max_body: int
    bots: list[str]


class RandomDeal(Told):
    """A deal and the seed that deals it again; `preview` are the cards forehand sees before naming."""

    deal: str
    seed: int
    preview: str


class Item(Told):
    """One line that was read, in the standard spelling, or what is wrong with it."""

    line: int
    deal: str | None = None
    position: str | None = None
    record: str | None = None
    error: str | None = None


class Items(Told):
    """All lines that were read."""

    items: list[Item]


class Points(Told):
    """Points a seat; null for deals with other than 13 tricks, par also where a limit ended the search."""

    guaranteed: Tricks | None
    par: Numbers | None


class Card(Told, omit_defaults=True):
    """What one legal card is worth; the last four fields only with equilibria."""

    card: str
    guaranteed: Tricks
    cost: int | None
    par_cost: float | None
    transfer: Tricks | None
    exact: bool = True
    equilibria: list[tuple[int, int, int]] = []
    expected: Numbers | None = None
    expected_cost: float | None = None
    expected_transfer: Numbers | None = None


class Value(Told):
    """What a contract is worth."""

    guaranteed: Tricks
    points: Points
    slack: int | None
    nodes: int
    exact: bool = True
    bounds: Pairs | None = None
    equilibria: list[tuple[int, int, int]] = []
    expected: Numbers | None = None
    cards: list[Card] = []
    lines: dict[SeatName, list[str]] = {}
    payoff_line: list[str] = []


class Solved(Told):
    """As `mizerka solve --json`."""

    leader: SeatName
    contracts: dict[ContractName, Value]
    deal: str | None = None
    position: str | None = None


class ExchangeOption(Told):
    """One exchange; par is that after it if the later seats stand pat."""

    discard: list[str]
    draw: list[str]
    guaranteed: int
    points: int | None
    par: float | None
    twins: int
    bounds: tuple[int, int] | None = None
    cost: int | None = None


class Exchanged(Told):
    """As `mizerka exchange --json`."""

    deal: str
    seat: SeatName
    contract: ContractName
    others: Literal["stand", "reply"]
    stand: ExchangeOption
    best: ExchangeOption
    exact: bool
    complete: bool
    n_alternatives: int
    alternatives: list[ExchangeOption]
    nodes: int
    bounds: tuple[int, int] | None = None
    made: ExchangeOption | None = None


class Around(Told):
    """A number a seat before and after a step."""

    before: Numbers
    after: Numbers


class AroundPar(Told):
    """Par a seat before and after a step; null for deals with other than 13 tricks."""

    before: Numbers | None
    after: Numbers | None


class Better(Told):
    """A card that costs less than the one played."""

    card: str
    cost: int


class Tally(Told):
    """A mean over draws of the hidden cards, and its standard error."""

    mean: float
    se: float | None


class ReviewedCard(Told):
    """What one card of a record did; expected only with equilibria, known only of decisions, where asked for."""

    seat: SeatName
    card: str
    trick: int
    place: int
    kind: Literal["forced", "equivalent", "decision"]
    cost: int
    par_cost: float
    better: list[Better]
    guaranteed: Around
    par: AroundPar
    transfer: Tricks
    position: str
    expected: Around | None = None
    expected_cost: float | None = None
    known: Tally | None = None


class BestExchange(Told):
    """The best exchange there was."""

    guaranteed: int
    discard: list[str]


class ReviewedExchange(Told):
    """What one seat's exchange did; cost and best only where searched for, known where asked for."""

    seat: SeatName
    cost: int | None
    discard: list[str]
    draw: list[str]
    guaranteed: Around
    par: AroundPar
    transfer: Tricks
    best: BestExchange | None = None
    known: Tally | None = None


class ContractWorth(Told):
    """What a contract was worth to forehand, in points."""

    guaranteed: int
    par: float


class KnownContract(Told):
    """What each contract promised by the cards forehand saw before naming; samples: 0 by the fitted weights."""

    preview: str
    best: ContractName
    cost: float
    samples: int
    totals: dict[ContractName, float]


class ContractChoice(Told):
    """The contract named against the others."""

    named: ContractName
    best: ContractName
    cost: int
    par_cost: float
    points_of_F: dict[ContractName, ContractWorth]
    known: KnownContract | None = None


class Start(Told):
    """Values at the start of play, in points."""

    points: Tricks
    par: Numbers


class Account(Told):
    """How each seat's points came about, term by term, in thirds of a point."""

    begins: Literal["dealt", "played"]
    thirds: dict[SeatName, dict[str, int]]


class Reviewed(Told):
    """As `mizerka analyse --json` has it for one record; start, final, account null for other than 13 tricks."""

    players: Names
    contract: ContractName
    start: Start | None
    costs: Tricks
    gifts: Tricks
    claim: Tricks
    final: Tricks | None
    account: Account | None
    adds_up: bool
    cards: list[ReviewedCard]
    id: str | int | None = None
    contract_choice: ContractChoice | None = None
    exchange: list[ReviewedExchange] = []


class Seen(Told):
    """What you can see; as bots get it (docs/bots.md)."""

    type: Literal["contract", "exchange", "play"]
    seat: SeatName
    hand: str
    remaining: str
    contract: ContractName | None = None
    exchanged: dict[SeatName, int] = {}
    available: int | None = None
    discarded: list[str] = []
    play: list[str] = []
    leader: SeatName = "F"
    trick: list[str] = []
    tricks: Tricks | None = None
    legal: list[str] = []


class SheetRow(Told):
    """A line of the score sheet; points and totals in the order of `players`."""

    deal: int
    dealer: str
    seats: Names
    contract: ContractName
    tricks: Tricks
    points: list[int]
    totals: list[int]


class InPlay(Told):
    """A game in play. view: what you see when it is your turn, else null. record: the deal, when it is over."""

    token: str
    mode: Literal["deal", "game"]
    you: SeatName
    players: Names
    number: int
    view: Seen | None
    record: str | None
    sheet: list[SheetRow]
    order: list[str]
    is_over: bool


class Choice(Told):
    """One choice; behind: how much less it brings than the best; later: what a contract leaves to name is worth."""

    points: Tally
    behind: Tally
    contract: ContractName | None = None
    discard: list[str] | None = None
    card: list[str] | None = None
    later: float = 0.0
    best: float | None = None


class Others(Told):
    """What a hidden hand probably holds: mean suit lengths S H D C, and the chance of each honour."""

    lengths: list[float]
    honours: dict[str, float]


class Advice(Told):
    """As `mizerka advise --json`."""

    seat: SeatName
    type: Literal["contract", "exchange", "play"]
    choices: list[Choice]
    others: dict[SeatName, Others] | None = None
