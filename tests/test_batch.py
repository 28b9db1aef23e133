"""Batches: order, laziness, stopping, and errors that come from the middle."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator

import pytest

from mizerka_solver import Contract, Deal, MizerkaError, Seat, SolveQuery, Solver
from mizerka_solver.double_dummy.batch import READ_AHEAD, run_in_order


@pytest.mark.parametrize("threads", [1, 2, 5])
def test_results_come_in_order(threads: int) -> None:
    def slow_first(solver: Solver, n: int) -> int:
        time.sleep(0.05 if n == 0 else 0)
        return n * n

    assert list(run_in_order(slow_first, range(30), threads=threads, memory="8M")) == [n * n for n in range(30)]
    assert list(run_in_order(slow_first, [], threads=threads)) == []


def test_one_thread_reads_an_item_when_its_turn_comes() -> None:
    read: list[int] = []

    def items() -> Iterator[int]:
        for n in range(10):
            read.append(n)
            yield n

    results = run_in_order(lambda solver, n: n, items())
    for n in range(3):
        assert next(results) == n
        assert read == list(range(n + 1))
    results.close()


def test_reading_ahead_has_an_end() -> None:
    release = threading.Event()
    read: list[int] = []

    def items() -> Iterator[int]:
        for n in range(1000):
            read.append(n)
            yield n

    results = run_in_order(lambda solver, n: release.wait(30), items(), threads=2, memory="2M")
    threading.Timer(0.2, release.set).start()
    assert next(results)
    assert len(read) <= 2 * READ_AHEAD + 2
    results.close()


def test_solvers_share_threads_and_memory() -> None:
    one = list(run_in_order(lambda solver, n: (solver.threads, repr(solver)), [0], threads=4, memory="8M"))
    assert one[0] == (4, repr(Solver(4, "8M")))
    many = list(run_in_order(lambda solver, n: (solver.threads, repr(solver)), range(9), threads=4, memory="8M"))
    assert set(many) == {(1, repr(Solver(1, "2M")))}


def test_an_error_stops_the_rest() -> None:
    def fail(solver: Solver, n: int) -> int:
        if n == 3:
            raise MizerkaError("three")
        return n

    results = run_in_order(fail, range(100), threads=2, memory="2M")
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(MizerkaError, match="three"):
        next(results)


@pytest.mark.parametrize("threads", [1, 3])
def test_closing_stops_running_searches(threads: int) -> None:
    question = SolveQuery((Contract.M,), cards=True)
    deals = (Deal.random(seed) for seed in range(1000))
    results = run_in_order(
        lambda solver, n: question.ask(solver, next(deals)) if n else None, range(1000), threads=threads
    )
    assert next(results) is None
    begun = time.monotonic()
    results.close()
    assert time.monotonic() - begun < 5
    assert not [thread for thread in threading.enumerate() if "ThreadPool" in thread.name]


@pytest.mark.parametrize(("threads", "memory"), [(0, "1M"), (1025, "1M"), (1, "x"), (1, "1K")])
def test_bad_arguments_are_refused_before_any_work(threads: int, memory: str) -> None:
    with pytest.raises(MizerkaError):
        run_in_order(lambda solver, n: n, [1], threads=threads, memory=memory)


def test_a_question_about_deals_and_positions() -> None:
    solver = Solver(memory="8M")
    deal = Deal("F:A2.K.-.- M:K3.A.-.- R:Q4.-.A.-")
    question = SolveQuery((Contract.S, Contract.N), Seat.M, cards=True, lines=(Seat.F, Seat.R))
    data = question.ask(solver, deal).as_dict()
    assert data["leader"] == "M"
    assert {name: sorted(value["lines"]) for name, value in data["contracts"].items()} == {
        "S": ["F", "R"],
        "N": ["F", "R"],
    }
    position = deal.position(Contract.M, Seat.R)
    data = question.ask(solver, position).as_dict()
    assert (data["leader"], list(data["contracts"])) == ("R", ["M"])
    assert len(data["contracts"]["M"]["lines"]["F"]) == 9
