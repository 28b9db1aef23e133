"""The operations under /api: what each takes, does and answers. OPERATIONS is the one list of them: the routes are made
from it (app.py) and so is the document that describes them (openapi.py).

An operation turns a request into `Work` for a solver, or, where no solver is needed, into the answer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from random import Random, SystemRandom
from typing import Any

from mizerka_solver.core import build_name
from mizerka_solver.double_dummy import SolveQuery
from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.convert import as_cards, as_contract, as_contracts, as_discards
from mizerka_solver.game.deal import Deal, deal_seeded
from mizerka_solver.game.notation import parse_line
from mizerka_solver.game.position import Position
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import Seat
from mizerka_solver.review import ReviewQuery, review
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import Limits
from mizerka_solver.support.version import version
from mizerka_solver.web import asked, told
from mizerka_solver.web.advice import Hindsight, advised, table_at, with_hindsight
from mizerka_solver.web.games import MAX_SEED, PROGRAM, Seal, Session
from mizerka_solver.web.pool import Work
from mizerka_solver.web.settings import Settings

Read = Callable[[Iterable[str], str], Iterator[tuple[int, Deal | Position | GameRecord | MizerkaError]]]
"""What reads lines of text: `mizerka_solver.cli.rows.read_any`, which stands above this wing and is handed in."""

Reply = dict[str, Any] | Work
BOTS = ("search", "learned", "sampling", "rule", "random")  # the strongest first
LONG_FROM = 9  # tricks left with which an exhaustive search begins to take seconds


@dataclass(frozen=True)
class ServerContext:
    """What operations need to know of the server."""

    settings: Settings
    read: Read
    seal: Callable[[], Seal]


@dataclass(frozen=True)
class Operation:
    """A path under /api, its method, what its body is and its answer, and the function for it."""

    path: str
    method: str
    takes: type[asked.Asked] | None
    gives: type[told.Told]
    run: Callable[[ServerContext, Any], Reply]

    @property
    def name(self) -> str:
        """The function's name, which the document calls the operation by."""
        return self.run.__name__

    @property
    def summary(self) -> str:
        """The first line of the function's docstring."""
        return (self.run.__doc__ or "").partition("\n")[0]


# Without a solver


def about(desk: ServerContext, query: Mapping[str, str]) -> Reply:
    """Return what the server is and allows."""
    settings = desk.settings
    return {
        "version": version(),
        "build": build_name(),
        "solvers": settings.solvers,
        "memory": settings.memory,
        "seconds": settings.seconds,
        "max_body": settings.max_body,
        "bots": [*BOTS, *(PROGRAM + name for name in settings.programs)],
    }


def deal(desk: ServerContext, query: Mapping[str, str]) -> Reply:
    """Deal at random: the deal of `seed`, or one drawn."""
    text = query.get("seed", "")
    if text and not (text.isascii() and text.isdigit() and len(text) <= 15):
        raise MizerkaError("a seed must be a number of up to 15 digits", field="seed", token=text)
    seed = int(text) if text else SystemRandom().randrange(1 << 32)
    assert seed < MAX_SEED
    dealt = deal_seeded(Random(seed))
    return {"deal": str(dealt.deal), "seed": seed, "preview": str(dealt.previews[Seat.F])}


def read(desk: ServerContext, text: asked.Text) -> Reply:
    """Read deals, positions and records, one a line, in any form the command reads."""
    lines = text.text.splitlines()
    if len(lines) > desk.settings.max_lines:
        raise MizerkaError(f"at most {desk.settings.max_lines} lines at once, here {len(lines)}")
    kinds = {Deal: "deal", Position: "position", GameRecord: "record"}
    items = []
    for number, thing in desk.read(lines, "line"):
        name = "error" if isinstance(thing, MizerkaError) else kinds[type(thing)]
        items.append({"line": number, name: thing.to_json() if isinstance(thing, GameRecord) else str(thing)})
    return {"items": items}


# With a solver


def solve(desk: ServerContext, question: asked.Solve) -> Reply:
    """Solve a deal or position."""
    subject = parse_line(question.subject)
    contracts = as_contracts(question.contracts or None)
    query = SolveQuery(
        contracts,
        Seat[question.leader],
        question.cards,
        lines=tuple(Seat[name] for name in question.lines),
        equilibria=question.equilibria,
        payoff=question.payoff,
        limits=Limits(seconds=desk.settings.seconds),
    )
    n_left = subject.tricks_left if isinstance(subject, Position) else subject.hand_size
    is_long = query.equilibria and n_left > LONG_FROM
    searching: list[Solver] = []

    def run(solver: Solver) -> dict[str, Any]:
        searching.append(solver)
        return query.ask(solver, subject).as_dict()

    def progress() -> dict[str, int]:
        return {"states": sum(solver.equilibrium_states for solver in searching)}

    return Work(run, subject, is_long, progress=progress if query.equilibria else None)


def exchange(desk: ServerContext, question: asked.Exchange) -> Reply:
    """Find a seat's best exchange with open cards, and value one that was made."""
    subject, contract = Deal(question.deal), as_contract(question.contract)
    exchanges = as_discards(question.exchanges)
    made = None if question.made is None else as_cards(question.made)
    seen: dict[str, int] = {}

    def watch(done: int, total: int, lower: int, upper: int) -> None:
        seen.update(done=done, total=total, lower=lower, upper=upper)

    def run(solver: Solver) -> dict[str, Any]:
        found = solver.exchange(
            subject,
            contract,
            Seat[question.seat],
            question.others,
            exchanges,
            made=made,
            top=question.top,
            ties=question.ties,
            seconds=desk.settings.seconds,
            progress=watch,
        )
        return found.as_dict(question.top)

    return Work(run, subject, is_long=True, progress=lambda: dict(seen))


def review_record(desk: ServerContext, question: asked.Review) -> Reply:
    """Judge every card of a record, and on request its contract and exchanges."""
    record = GameRecord.from_json(question.record)
    seen: dict[str, int] = {}
    searching: list[Solver] = []

    def watch(done: int, total: int) -> None:
        seen.update(done=done, total=total)

    query = ReviewQuery(
        question.contracts,
        question.exchanges,
        question.best_exchanges,
        expected=question.equilibria,
        seconds=desk.settings.seconds,
        progress=watch,
    )
    hindsight = Hindsight(question.worlds, watch)

    def run(solver: Solver) -> dict[str, Any]:
        searching.append(solver)
        reviewed = review(solver, record, query)
        return reviewed.as_dict() if not question.known else with_hindsight(reviewed, hindsight)

    def progress() -> dict[str, int]:
        return seen | {"states": sum(solver.equilibrium_states for solver in searching)}

    is_long = question.best_exchanges or question.equilibria
    return Work(run, record.deal_after_exchange, is_long, cancel=hindsight.stop, progress=progress)


def advise_record(desk: ServerContext, question: asked.Advise) -> Reply:
    """Tell what a bot would do at a card of a record, from what its player could see."""
    table = table_at(GameRecord.from_json(question.record), question.at)
    return advised(table.view(), question.bot, question.samples, desk.settings.seconds / 2)


# Games


def new_game(desk: ServerContext, question: asked.NewGame) -> Reply:
    """Begin a game against bots."""
    return _bots_act(desk, Session.start(question, desk.settings.programs))


def move(desk: ServerContext, question: asked.Move) -> Reply:
    """Take a decision in a game, and let the bots take theirs."""
    session = Session(desk.seal().open(question.token), desk.settings.programs)
    if question.next_deal:
        session = session.next_deal()
    else:
        session.move(question)
    return _bots_act(desk, session)


def _bots_act(desk: ServerContext, session: Session) -> Work:
    def run(solver: Solver) -> dict[str, Any]:
        session.let_bots_act(solver)
        return session.as_dict(desk.seal())

    return Work(run, cancel=session.stop)


def hint(desk: ServerContext, question: asked.Hint) -> Reply:
    """Tell what a bot would do in your place, from what you can see."""
    session = Session(desk.seal().open(question.token), desk.settings.programs)
    if session.table.is_over:
        raise MizerkaError("the deal is over, there is nothing to decide")
    view, seconds = session.table.view(session.seat), desk.settings.seconds / 2
    return advised(view, question.bot, question.samples, seconds, session.state.seed)


_post = partial(Operation, method="POST")
OPERATIONS = (
    Operation("/api/about", "GET", None, told.About, about),
    Operation("/api/deal", "GET", None, told.RandomDeal, deal),
    _post("/api/read", takes=asked.Text, gives=told.Items, run=read),
    _post("/api/solve", takes=asked.Solve, gives=told.Solved, run=solve),
    _post("/api/exchange", takes=asked.Exchange, gives=told.Exchanged, run=exchange),
    _post("/api/review", takes=asked.Review, gives=told.Reviewed, run=review_record),
    _post("/api/advise", takes=asked.Advise, gives=told.Advice, run=advise_record),
    _post("/api/game", takes=asked.NewGame, gives=told.InPlay, run=new_game),
    _post("/api/game/move", takes=asked.Move, gives=told.InPlay, run=move),
    _post("/api/game/hint", takes=asked.Hint, gives=told.Advice, run=hint),
)
