"""Batches in Python: any number of things, answered in order as they come."""

from __future__ import annotations

import gzip
from collections.abc import Iterator
from itertools import islice
from pathlib import Path

import pytest

from mizerka_solver import (
    Backend,
    Deal,
    ExchangeQuery,
    GameRecord,
    SolveQuery,
    Solver,
    exchange_many,
    read_deals,
    review_many,
    solve_each,
    solve_many,
)
from mizerka_solver.support.errors import MizerkaError
from tests.cli import BAD, SMALL

OTHER = "F:A2.-.-.- M:K3.-.-.- R:Q4.-.-.- T:HA"


def test_answers_come_in_order_and_unordered() -> None:
    subjects = [SMALL, OTHER] * 6
    want = [Solver(memory="1M").solve(text, "N")["N"].guaranteed for text in subjects]
    got = [answer.solution["N"].guaranteed for answer in solve_each(subjects, SolveQuery("N"), Backend(threads=2))]
    assert got == want
    loose = solve_each(subjects, SolveQuery("N"), Backend(threads=2), ordered=False)
    assert sorted(answer.solution["N"].guaranteed for answer in loose) == sorted(want)


def test_an_endless_stream_is_read_as_it_goes() -> None:
    seen = 0

    def endless() -> Iterator[str]:
        nonlocal seen
        while True:
            seen += 1
            yield SMALL

    answers = list(islice(solve_each(endless(), SolveQuery("N")), 5))
    assert len(answers) == 5
    assert seen < 5_000


def test_a_compressed_file_is_a_source(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt.gz"
    path.write_bytes(gzip.compress(f"{SMALL}\n{OTHER}\n".encode()))
    assert list(read_deals(path)) == [Deal(SMALL), Deal(OTHER)]
    assert [answer.solution.subject for answer in solve_each(path, SolveQuery("N"))] == [Deal(SMALL), Deal(OTHER)]


def test_what_is_faulty_raises_in_its_place(tmp_path: Path) -> None:
    answers = solve_each([SMALL, BAD], SolveQuery("N"))
    assert next(answers).solution["N"].guaranteed == (2, 0, 0)
    with pytest.raises(MizerkaError, match="SA"):
        next(answers)
    path = tmp_path / "deals.txt"
    path.write_text(f"{BAD}\n")
    with pytest.raises(MizerkaError, match=r"deals\.txt:1: SA"):
        list(read_deals(path))


def test_exchanges_and_reviews() -> None:
    (found,) = exchange_many([OTHER], ExchangeQuery("N"))
    assert found.best.discard == Solver(memory="1M").exchange(OTHER, "N").best.discard
    record = GameRecord(("a", "b", "c"), Deal("F:A... M:K... R:Q..."), "N", play=("SA",))
    (review,) = review_many([record])
    assert review.costs == (0, 0, 0)


def test_solve_many_reads_generators_and_counts_on(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("mizerka_solver.double_dummy.solver.BLOCK", 3)
    told: list[int] = []
    solver = Solver(memory="1M")
    tricks = solver.solve_many((text for text in [SMALL, OTHER] * 4), "N", progress=told.append)
    assert tricks.shape == (8, 1, 3)
    assert told == list(range(1, 9))
    assert (tricks == solve_many([SMALL, OTHER] * 4, "N")).all()
    assert solver.solve_many(iter(()), "N").shape == (0, 1, 3)
