"""What a Solver and its questions take: text and numbers of any kind, and nothing silently wrong, lost or crashing."""

from __future__ import annotations

import os
import pickle
import threading
from collections.abc import Iterator
from dataclasses import replace
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mizerka_solver import (
    MIZERKA,
    Card,
    Contract,
    Deal,
    EquilibriumTable,
    ExchangeQuery,
    Hand,
    Limits,
    MizerkaError,
    Position,
    SearchStopped,
    Seat,
    SolveQuery,
    Solver,
    Variant,
    exchange_line,
    solve_many,
    to_frame,
)
from mizerka_solver.double_dummy.call import Call
from mizerka_solver.support.errors import InvalidPositionError

TEXT = "F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.- T:H2H3"
DEAL = Deal(TEXT)
POSITION = DEAL.position(Contract.N)
SOLVER = Solver(memory="1M", table_memory="4M")


# Text wherever a value is taken


def test_deals_positions_seats_and_contracts_may_be_text() -> None:
    assert SOLVER.solve(TEXT, "spades")["S"] == SOLVER.solve(DEAL, [Contract.S])[Contract.S]
    assert SOLVER.solve(TEXT, "SN", "middlehand").leader is Seat.M
    assert SOLVER.solve(str(POSITION)).subject == POSITION
    assert SOLVER.value(TEXT, "no trump") == SOLVER.value(DEAL, Contract.N) == SOLVER.value(str(POSITION))
    assert SOLVER.cards(str(POSITION)) == SOLVER.cards(POSITION)
    assert SOLVER.line(str(POSITION), "R") == SOLVER.line(POSITION, Seat.R)
    assert SOLVER.guaranteed(str(POSITION), "f", 1) == SOLVER.guaranteed(POSITION, 0) == 2
    assert SOLVER.equilibria(TEXT, "N").vectors == SOLVER.equilibria(POSITION).vectors
    assert SOLVER.equilibrium_table(str(POSITION)).at(str(POSITION)).position == POSITION
    found = SOLVER.exchange(TEXT, "S", "M", exchanges={"F": "SK"}, made="S2")
    same = SOLVER.exchange(DEAL, Contract.S, Seat.M, exchanges={Seat.F: [Card("SK")]}, made=[Card("S2")])
    assert replace(found, nodes=0) == replace(same, nodes=0)
    assert exchange_line(SOLVER, TEXT, "spades").after == exchange_line(SOLVER, DEAL, Contract.S).after
    assert solve_many([TEXT], "spades").tolist() == solve_many(iter([DEAL]), "S", threads=2).tolist()
    assert EquilibriumTable(str(POSITION), "1M").covers(str(POSITION))


def test_numpy_numbers_are_taken_where_python_numbers_are() -> None:
    five = np.int8(5)
    assert SOLVER.solve(DEAL, five, np.uint8(1), cards=np.True_, node_limit=np.int64(9999), seconds=np.float32(9)).exact
    assert SOLVER.guaranteed(POSITION, np.int64(0), np.int64(2)) == 2
    assert SOLVER.exchange(DEAL, np.int16(4), np.int64(2), top=np.uint8(1)).seat is Seat.R
    assert Solver(np.int64(2), np.int64(1 << 22)).threads == 2
    assert SOLVER.answer(SolveQuery("N", payoff=np.array([2, 0, 0])), DEAL).payoff == (2, 0, 0)


# One object for a question


def test_a_question_is_checked_and_converted_where_it_is_made() -> None:
    query = SolveQuery("NT,S", "m", lines=["R", 0], payoff=(1, 1, 0))
    assert (query.contracts, query.leader, query.lines) == ((Contract.N, Contract.S), Seat.M, (Seat.F, Seat.R))
    assert query.equilibria  # implied
    exchange = ExchangeQuery("hearts", "r", exchanges={"f": "S2"}, made=["H2"], limits=Limits(5, 1))
    assert (exchange.contract, exchange.seat) == (Contract.H, Seat.R)
    assert (exchange.exchanges, exchange.made) == ({Seat.F: (Card("S2"),)}, (Card("H2"),))
    assert SolveQuery("N").ask(SOLVER, TEXT).solution == SOLVER.solve(DEAL, "N")
    assert ExchangeQuery("N").ask(SOLVER, TEXT).best.discard == SOLVER.exchange(DEAL, "N").best.discard


SHORT = Variant(2, 1, (1, 1, 0), (0, 1, 1), "two")


def test_the_variant_is_honoured_everywhere() -> None:
    points = [(1, -1, 0)]
    values = [
        SOLVER.solve(DEAL, "N", variant=SHORT)["N"],
        SOLVER.value(DEAL, "N", variant=SHORT),
        SOLVER.solve(DEAL, "N", equilibria=True, variant=SHORT)["N"],
        SOLVER.equilibria(DEAL, "N", variant=SHORT).value,
        SolveQuery("N", cards=True, variant=SHORT).ask(SOLVER, DEAL).solution["N"],
        exchange_line(SOLVER, Deal(TEXT[: TEXT.index(" T")]), "N", variant=SHORT).value,
    ]
    assert [value.points for value in values] == points * len(values)
    assert all(card.after.variant is SHORT for card in SOLVER.cards(POSITION, variant=SHORT))
    found = SOLVER.exchange(DEAL, "N", variant=SHORT)
    assert {found.best.variant, found.stand.variant} == {SHORT}
    assert found.best.after is not None
    assert found.best.after.variant is SHORT
    assert SOLVER.solve_many([DEAL], "N", variant=SHORT).tolist() == [[[2, 0, 0]]]


# Refusals

HUGE = 1 << 64
REFUSED: list[tuple[Any, str]] = [
    (lambda: SOLVER.guaranteed(POSITION, -1), "-1: not a seat"),
    (lambda: SOLVER.line(POSITION, -1), "-1: not a seat"),
    (lambda: SOLVER.exchange(DEAL, "N", -1), "-1: not a seat"),
    (lambda: SOLVER.solve(DEAL, "N", -5), "-5: not a seat"),
    (lambda: SOLVER.solve(DEAL, "N", True), "True: not a seat"),
    (lambda: SOLVER.solve_many([DEAL], "N", 3), "3: not a seat"),
    (lambda: SOLVER.solve(DEAL, 6), "6: not a contract"),
    (lambda: SOLVER.guaranteed(POSITION, "F", -1), "guess -1: must be at least 0"),
    (lambda: SOLVER.exchange(DEAL, "N", top=-1), "top -1: must be at least 0"),
    (lambda: SOLVER.exchange(DEAL, "N", others=1), '1: others must be "stand" or "reply"'),
    (lambda: SOLVER.exchange(DEAL, "N", exchanges={"F": "S2"}), "F: exchanges must be of seats before F"),
    (lambda: SOLVER.exchange(str(POSITION), "N"), "a position has no exchange, give a deal"),
    (lambda: SOLVER.cards(TEXT), "a deal has no contract, give a position"),
    (lambda: SOLVER.solve(DEAL, node_limit=HUGE), "node_limit 18446744073709551616: must be between 1 and"),
    (lambda: SOLVER.solve(DEAL, node_limit=1 << 40000), "node_limit 'a number of 40001 bits': must be between"),
    (lambda: SOLVER.solve(DEAL, node_limit=0), "node_limit 0: must be between"),
    (
        lambda: SOLVER.solve(DEAL, "N", equilibria=True, node_limit=5),
        "node_limit: a search for equilibria has no bounds",
    ),
    *[
        (lambda seconds=seconds: SOLVER.solve(DEAL, seconds=seconds), "seconds .*: a time limit must be a positive")
        for seconds in (0, -1, float("nan"), float("inf"), float("-inf"), np.float64("nan"), 10**400, Fraction(-1, 3))
    ],
    (lambda: Solver(0), "threads 0: must be between 1 and 1024"),
    (lambda: Solver(memory=-(10**400)), "memory 'a number of 1329 bits'"),
    (lambda: Solver(memory="1_0M"), "1_0M: memory must be a number of bytes"),
    (lambda: SOLVER.answer(SolveQuery(payoff=(1, 2)), DEAL), "1-2: a payoff is the tricks of F, M and R"),
    (lambda: SOLVER.answer(SolveQuery(payoff=(9, 9, 9)), DEAL), "9-9-9: not the tricks of an equilibrium"),
]


@pytest.mark.parametrize(("call", "message"), REFUSED)
def test_values_out_of_range_are_refused_in_one_line(call: Any, message: str) -> None:
    with pytest.raises(MizerkaError, match=message) as refused:
        call()
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


@pytest.mark.parametrize(
    "call",
    [
        lambda: SOLVER.solve(None),
        lambda: SOLVER.solve(5),
        lambda: SOLVER.solve(DEAL, b"SN"),
        lambda: SOLVER.solve(DEAL, "N", 1.0),
        lambda: SOLVER.solve(DEAL, "N", cards=1),
        lambda: SOLVER.solve(DEAL, "N", seconds="2"),
        lambda: SOLVER.solve(DEAL, "N", seconds=True),
        lambda: SOLVER.solve(DEAL, "N", seconds=Decimal(2)),
        lambda: SOLVER.solve(DEAL, "N", node_limit=5.0),
        lambda: SOLVER.solve(DEAL, "N", node_limit=True),
        lambda: SOLVER.solve(DEAL, "N", variant="mizerka"),
        lambda: SOLVER.guaranteed(POSITION, None),
        lambda: SOLVER.guaranteed(POSITION, "F", 1.5),
        lambda: SOLVER.exchange(DEAL, None),
        lambda: SOLVER.exchange(DEAL, "N", progress=3),
        lambda: SOLVER.exchange(DEAL, "N", "R", exchanges=[("F", "S2")]),
        lambda: SOLVER.solve_many(DEAL),
        lambda: SOLVER.solve_many(TEXT),
        lambda: SOLVER.solve_many([DEAL, 3]),
        lambda: SOLVER.answer("N", DEAL),
        lambda: SolveQuery(limits=5),
        lambda: ExchangeQuery("N", variant=None),
        lambda: Solver(1.0),
        lambda: Solver(memory=1e6),
        lambda: Solver(memory=None),
        lambda: EquilibriumTable(POSITION, expected=1),
    ],
)
def test_values_of_types_never_meant_are_type_errors(call: Any) -> None:
    with pytest.raises(TypeError):
        call()


def test_positions_made_without_their_checks_do_not_reach_the_engine() -> None:
    a, k, q = (Hand(f"{rank}.-.-.-") for rank in "AKQ")
    for position in (
        Position.from_hands([a, a, q], Contract.N, check=False),
        Position.from_hands([a, k, q], Contract.N, trick=[Card(f"H{rank}") for rank in "23456789"], check=False),
    ):
        for ask in (SOLVER.solve, SOLVER.value, SOLVER.cards, SOLVER.line, SOLVER.equilibria):
            with pytest.raises(InvalidPositionError):
                ask(position)


# Cancelling: exactly between two searches, by a call that counts them


class CancelsBefore(Call):
    """A call that is cancelled, from outside, when its nth search is about to begin."""

    solver: Solver
    searches = 0
    at = 0

    @property
    def seconds_left(self) -> float:
        """Asked for a search just before the engine begins."""
        self.count()
        return super().seconds_left

    @property
    def time_is_up(self) -> bool:
        """Asked for a search too, after `check`."""
        self.count()
        return super().time_is_up

    def count(self) -> None:
        """Cancel, if it is time."""
        type(self).searches += 1
        if self.searches == self.at:
            self.solver.cancel()


FULL = Deal.random(3)
CALLS: dict[str, Any] = {
    "solve": lambda solver: solver.solve(FULL, "N"),
    "value": lambda solver: solver.value(FULL, "N"),
    "cards": lambda solver: solver.cards(Deal("F:AK2.-.-.- M:Q3.4.-.- R:-.AKQ.-.-").position("N")),
    "line": lambda solver: solver.line(POSITION),
    "exchange": lambda solver: solver.exchange(DEAL, "N"),
    "solve_many": lambda solver: solver.solve_many([DEAL, DEAL], "NS"),
    "equilibria": lambda solver: solver.solve(DEAL, "NS", equilibria=True),
    "lines of a query": lambda solver: SolveQuery("N", lines="FMR").ask(solver, DEAL),
}


@pytest.mark.parametrize("name", CALLS)
def test_a_cancellation_between_two_searches_is_never_lost(name: str, monkeypatch: pytest.MonkeyPatch) -> None:
    solver = Solver(memory="8M")
    counting = type("Counting", (CancelsBefore,), {"solver": solver})
    monkeypatch.setattr("mizerka_solver.double_dummy.solver.Call", counting)
    ask = CALLS[name]
    ask(solver)  # counts the searches
    total, counting.searches = counting.searches, 0
    assert total
    for at in range(1, min(total, 16) + 1):
        counting.searches, counting.at = 0, at
        with pytest.raises(SearchStopped, match="cancelled"):
            ask(solver)
        assert counting.searches <= at + 2  # it stopped there
    counting.at = 0
    ask(solver)


def test_a_cancellation_while_solve_many_still_reads_its_deals_is_not_lost() -> None:
    def deals() -> Iterator[Deal]:
        yield DEAL
        SOLVER.cancel()
        yield DEAL

    with pytest.raises(SearchStopped, match="cancelled"):
        SOLVER.solve_many(deals())


def test_cancelling_a_solver_at_rest_does_not_stop_its_next_call() -> None:
    SOLVER.cancel()
    assert SOLVER.value(POSITION).guaranteed == (2, 0, 0)


def test_no_search_starts_after_the_deadline() -> None:
    class Late(Call):
        time_is_up = True  # type: ignore[assignment]

    solver = Solver(memory="1M")
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("mizerka_solver.double_dummy.solver.Call", Late)
        solution = solver.solve(FULL, cards=True)
        assert not solution.exact
        assert solution["N"].lower == (0, 0, 0)
        assert solution["N"].upper == (13, 13, 13)
        for ask in (solver.line, lambda position: solver.guaranteed(position, "F"), solver.equilibria):
            with pytest.raises(SearchStopped):
                ask(FULL.position("N"))
    assert solver.stats["nodes"] == 0


# Callbacks, forks, pickles


@pytest.mark.parametrize("threads", [1, 2])
def test_a_callback_that_asks_the_same_solver_is_refused(threads: int) -> None:
    solver = Solver(threads, memory="2M")
    with pytest.raises(MizerkaError, match="use another Solver"):
        solver.solve_many([DEAL, DEAL], progress=lambda done: solver.value(POSITION))
    with pytest.raises(MizerkaError, match="use another Solver"):
        solver.solve_many([DEAL, DEAL], progress=lambda done: solver.clear())
    assert solver.solve_many([DEAL, DEAL], "N", progress=lambda done: SOLVER.value(POSITION)).shape == (2, 1, 3)


@pytest.mark.skipif(not hasattr(os, "fork"), reason="has no fork")
@pytest.mark.filterwarnings("ignore:.*fork.*:DeprecationWarning")
def test_a_fork_while_another_thread_holds_the_solver_does_not_hang_the_child() -> None:
    solver, held, release = Solver(memory="1M"), threading.Event(), threading.Event()

    def hold(done: int) -> None:
        held.set()
        release.wait(60)

    thread = threading.Thread(target=lambda: solver.solve_many([DEAL], progress=hold))
    thread.start()
    held.wait(60)
    child = os.fork()
    if child == 0:
        status = 1
        try:
            status = 0 if solver.value(POSITION).guaranteed == (2, 0, 0) else 1
        finally:
            os._exit(status)
    release.set()
    thread.join()
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0
    assert solver.value(POSITION).guaranteed == (2, 0, 0)


def test_errors_survive_pickling_with_the_same_text() -> None:
    for error in (SearchStopped("time"), MizerkaError("rule", token=1, field="f", where="w"), Limits):
        assert str(pickle.loads(pickle.dumps(error))) == str(error)
    assert pickle.loads(pickle.dumps(SearchStopped("time"))).reason == "time"


def test_errors_print_whatever_they_are_given_on_one_line() -> None:
    class Silent:
        def __str__(self) -> str:
            raise RuntimeError

    assert str(MizerkaError("rule", token=Silent())) == "<Silent>: rule"
    assert str(MizerkaError("a\x1b[31m\nrule", token="\x07", where="x\ny")) == "x\\ny: '\\x07': a\\x1b[31m\\nrule"


# Solutions


def test_a_solution_shows_its_values() -> None:
    assert repr(SOLVER.solve(DEAL, "SN")) == f"<Solution of {DEAL}, F leads: S 2-0-0, N 2-0-0>"
    assert "0..13" in repr(Solver(memory="1M").solve(FULL, "M", node_limit=1))


def test_frames_are_rows_of_the_library_that_is_there(monkeypatch: pytest.MonkeyPatch) -> None:
    class Library:
        @staticmethod
        def DataFrame(rows: list[dict[str, Any]]) -> list[dict[str, Any]]:
            return rows

    solution = SOLVER.solve(DEAL, "SN")
    frames = "mizerka_solver.support.frames"
    monkeypatch.setattr(f"{frames}.find_spec", lambda name: name == "polars")
    monkeypatch.setattr(f"{frames}.import_module", lambda name: Library)
    assert solution.to_frame() == list(solution.rows())
    assert [row["contract"] for row in to_frame([solution, solution])] == ["S", "N", "S", "N"]
    with pytest.raises(MizerkaError, match="pandas, which is not installed"):
        solution.to_frame("pandas")
    with pytest.raises(MizerkaError, match="numpy: a data frame must be of"):
        solution.to_frame("numpy")


# Anything at all

ODD = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(-3, 7),
    st.integers(-(1 << 70), 1 << 70),
    st.floats(),
    st.text(max_size=4),
    st.sampled_from(["F", "m", "N", "spades", "S2", "SN", "stand", "reply", b"S", (), [], {}, {"F": "SK"}, object()]),
    st.sampled_from([np.int8(-1), np.int64(2), np.float64("nan"), np.array([1, 2]), np.array(3), np.True_]),
    st.sampled_from([DEAL, POSITION, Seat.M, Contract.M, Hand("AK.-.-.-"), Card("SA"), MIZERKA, Limits(), TEXT]),
)
LOW = st.one_of(ODD, st.integers(0, 3))


def check_anything(data: st.DataObject) -> None:
    """One public function with whatever: an error of ours, a TypeError, or what it does with proper arguments."""
    name = data.draw(
        st.sampled_from(
            ["solve", "value", "cards", "guaranteed", "line", "exchange", "solve_many", "equilibria", "query"]
        )
    )
    subject = data.draw(st.one_of(st.sampled_from([DEAL, TEXT, POSITION, str(POSITION)]), ODD))
    names = {
        "solve": ["contracts", "leader", "cards", "equilibria", "node_limit", "seconds", "variant"],
        "value": ["contract", "node_limit", "seconds", "variant"],
        "cards": ["node_limit", "seconds", "variant"],
        "guaranteed": ["seat", "guess"],
        "line": ["seat", "node_limit", "seconds"],
        "exchange": ["contract", "seat", "others", "exchanges", "made", "top", "ties", "node_limit", "seconds"],
        "solve_many": ["contracts", "leader", "variant"],
        "equilibria": ["contract", "seconds", "memory", "variant"],
        "query": ["contracts", "leader", "cards", "lines", "equilibria", "payoff", "limits", "variant"],
    }[name]
    arguments = {key: data.draw(LOW) for key in names if data.draw(st.booleans())}
    message = "none"
    try:
        if name == "query":
            SolveQuery(**arguments).ask(SOLVER, subject)
        elif name == "solve_many":
            SOLVER.solve_many([subject], **arguments)
        else:
            getattr(SOLVER, name)(subject, **arguments)
    except (MizerkaError, TypeError, SearchStopped) as error:
        message = str(error)
    assert message
    assert SOLVER.guaranteed(POSITION, Seat.F) == 2


@given(data=st.data())
@settings(max_examples=150, deadline=None)
def test_whatever_is_passed_never_crashes(data: st.DataObject) -> None:
    check_anything(data)


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=10_000, deadline=None)
def test_whatever_is_passed_never_crashes_at_length(data: st.DataObject) -> None:
    check_anything(data)
