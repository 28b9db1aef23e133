"""The compiled core under threads, and over and over: the same answers, and no memory that is not given back."""

from __future__ import annotations

import gc
import sys
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextlib import suppress
from pathlib import Path
from random import Random
from threading import Barrier

import pytest

from mizerka_solver import Contract, Deal, Hand, Position, Solver
from mizerka_solver.core import Equilibrium, SearchStopped
from mizerka_solver.double_dummy.equilibria import EquilibriumTable
from mizerka_solver.policy.compiled import policies
from tests.helpers import builds

N_THREADS = 4
CARDS = 4  # a hand; so that every question is quick


def position(seed: int) -> Position:
    """A small deal in one of the contracts."""
    random = Random(seed)
    bits = random.sample([16 * suit + rank for suit in range(4) for rank in range(13)], 3 * CARDS)
    masks = [sum(1 << bit for bit in bits[CARDS * seat : CARDS * (seat + 1)]) for seat in range(3)]
    hands = [Hand.from_mask(mask) for mask in masks]
    return Position.from_hands(hands, random.choice(list(Contract)))


def answers(solver: Solver, seeds: range) -> list[object]:
    """What a solver and the exhaustive search say of some positions."""
    found: list[object] = []
    for seed in seeds:
        asked = position(seed)
        found.append(solver.value(asked).guaranteed)
        found.append(EquilibriumTable(asked, "1M").at(asked).vectors)
    return found


def together(work: Callable[[int], object]) -> list[object]:
    """Start threads at once; their results."""
    barrier = Barrier(N_THREADS)

    def started(number: int) -> object:
        barrier.wait()
        return work(number)

    with ThreadPoolExecutor(N_THREADS) as pool:
        return list(pool.map(started, range(N_THREADS)))


def test_one_solver_and_many_threads() -> None:
    right, shared = answers(Solver(memory="1M"), range(12)), Solver(memory="1M")
    assert together(lambda _: answers(shared, range(12))) == [right] * N_THREADS


def test_solvers_side_by_side() -> None:
    def own(number: int) -> object:
        return answers(Solver(memory="1M"), range(number, number + 8))

    alone = Solver(memory="1M")
    assert together(own) == [answers(alone, range(n, n + 8)) for n in range(N_THREADS)]


def test_cancelling_from_many_threads_at_any_time() -> None:
    """A search is cancelled or answers rightly, and the next one is not touched."""
    deal, solver = Deal.random(1).position(Contract.N), Solver(memory="1M")

    def work(number: int) -> None:
        for _ in range(200 if number % 2 else 10):
            if number % 2:
                solver.cancel()
                continue
            with suppress(SearchStopped):
                solver.value(deal, node_limit=3000)

    together(work)
    assert solver.value(position(3)).guaranteed == Solver(memory="1M").value(position(3)).guaranteed


def test_the_playing_core_beside_itself() -> None:
    deal = Deal.random(5)
    talon = [card.bit for card in deal.talon]

    def work(_: int) -> object:
        return [policies().play_deal(list(deal.masks), talon, contract) for contract in range(6) for _ in range(30)]

    results = together(work)
    assert results == results[:1] * N_THREADS


def resident() -> int:
    """Bytes of memory this process holds."""
    return int(Path("/proc/self/statm").read_text().split()[1]) * 4096


def searches(module: object) -> None:
    hands = position(1).masks
    engine = module.Engine(1 << 20)  # type: ignore[attr-defined]
    for contract in range(6):
        engine.solve(hands, [], 0, contract, 0)
    search = module.ExchangeSearch(engine, hands, [40], 4, 0, True)  # type: ignore[attr-defined]
    search.start(0, 0.0)
    dict(search.candidates())
    with pytest.raises(ValueError, match="contract"):
        engine.solve(hands, [], 0, 9, 0)


def exhaustive() -> None:
    asked = position(2)
    table = Equilibrium(1 << 24)
    table.solve(asked.masks, [], 0, 4)
    table.children(asked.masks, [], 0)
    with pytest.raises(ValueError, match="contract"):
        table.solve(asked.masks, [], 0, 9)


WORK = [*(lambda module=module: searches(module) for module in builds("_engine")), exhaustive]


@pytest.mark.skipif(not sys.platform.startswith("linux"), reason="memory is read from /proc")
@pytest.mark.parametrize("number", range(len(WORK)))
def test_nothing_is_kept_of_what_is_done_with(number: int) -> None:
    work = WORK[number]

    def many() -> int:
        for _ in range(60):
            work()
        gc.collect()
        return resident()

    many()
    before = many()
    # An engine that was not freed would be a megabyte each time.
    assert many() - before < 16 << 20
