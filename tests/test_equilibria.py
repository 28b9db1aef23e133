"""Equilibria through the public API: against plain recursion, against known cases, and what theory demands of them."""

from __future__ import annotations

import re
import subprocess
import sys
import threading
import time
from collections.abc import Iterable
from random import Random
from typing import Any

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from mizerka_solver import (
    Contract,
    Deal,
    EquilibriumTable,
    MemoryLimitError,
    MizerkaError,
    Position,
    SearchStopped,
    Seat,
    Solver,
    Variant,
)
from mizerka_solver.double_dummy.solver import equivalent_cards
from mizerka_solver.double_dummy.values import Equilibria
from tests import reference
from tests.helpers import question, solved_positions
from tests.strategies import positions

SOLVER = Solver(memory="16M")
FULL = Deal.random(7)


def signed(contract: Contract) -> int:
    """More tricks are better, or in mizerka worse."""
    return -1 if contract.is_mizerka else 1


def check_properties(found: Equilibria) -> None:
    """Theory, in points: guaranteed <= payoff <= ceiling; constant sums; never empty."""
    value = found.value
    total = sum(value.points) + value.slack
    assert found.vectors == tuple(sorted(set(found.vectors)))
    assert found.vectors
    for tricks, points in [
        *zip(found.vectors, found.payoff_points, strict=True),
        (found.expected_tricks, found.expected_points),
    ]:
        assert sum(tricks) == pytest.approx(found.position.hand_size, abs=1e-9)
        assert sum(points) == pytest.approx(total, abs=1e-9)
        for seat in Seat:
            assert value.points[seat] - 1e-9 <= points[seat] <= value.points[seat] + value.slack + 1e-9
    if value.slack == 0:
        assert found.vectors == (found.guaranteed,)


def with_won(position: Position, rest: Iterable[Any]) -> tuple[Any, ...]:
    """Tricks to come and tricks won."""
    return tuple(won + more for won, more in zip(position.tricks_won, rest, strict=True))


@given(position=positions(1, 4, min_left=1))
@settings(max_examples=60, deadline=None)
def test_against_reference_with_tricks_won(position: Position) -> None:
    note(str(position))
    masks, trick, leader, contract = question(position)
    found = EquilibriumTable(position, "4M").at(position)
    vectors = reference.payoff_set(masks, contract, leader, trick)
    assert set(found.vectors) == {with_won(position, vector) for vector in vectors}
    mean = with_won(position, reference.expected(masks, contract, leader, trick))
    assert found.expected_tricks == pytest.approx([float(tricks) for tricks in mean], abs=1e-9)
    check_properties(found)
    assert found.guaranteed == SOLVER.value(position).guaranteed


@given(position=positions(2, 4, min_left=1))
@settings(max_examples=60, deadline=None)
def test_cards_against_the_positions_they_lead_to(position: Position) -> None:
    note(str(position))
    table = EquilibriumTable(position, "4M")
    before, cards, seat = table.at(position), table.cards(position), position.to_move
    assert tuple(card.card for card in cards) == position.legal_cards()
    for old, card in zip(SOLVER.cards(position), cards, strict=True):
        new = card.value
        assert (old.cost, old.par_cost, old.transfer) == (new.cost, new.par_cost, new.transfer)
    for card in cards:
        after = card.after
        assert card.before == before
        assert after.position == position.play(card.card)
        assert after == table.at(after.position)
        assert sum(card.expected_transfer) == pytest.approx(0, abs=1e-8)
        assert card.expected_cost == -card.expected_transfer[seat] >= 0
    best = [card for card in cards if card.expected_cost == 0]
    assert best
    mean = np.mean([card.after.expected for card in best], axis=0)
    assert before.expected == pytest.approx(mean, abs=1e-8)
    for group in equivalent_cards(position):
        same = [card for card in cards if card.card in group]
        assert len({(card.after.vectors, card.after.guaranteed) for card in same}) == 1
    # The rule for a set: no other card's worst equilibrium is better for the mover.
    sign = signed(position.contract)
    worst = [min(sign * v[seat] for v in card.after.vectors) for card in cards]
    allowed = {
        v
        for i, card in enumerate(cards)
        for v in card.after.vectors
        if all(sign * v[seat] >= w for j, w in enumerate(worst) if j != i)
    }
    assert set(before.vectors) == allowed


@given(position=positions(2, 5, min_left=1), data=st.data())
@settings(max_examples=40, deadline=None)
def test_a_line_supports_its_payoff(position: Position, data: st.DataObject) -> None:
    note(str(position))
    table = EquilibriumTable(position, "4M")
    payoff = data.draw(st.sampled_from(table.at(position).vectors))
    sign = signed(position.contract)
    for card in table.line(position, payoff):
        seat, cards = position.to_move, table.cards(position)
        assert payoff in table.at(position).vectors
        for other in cards:
            if other.card != card:
                assert sign * payoff[seat] >= min(sign * v[seat] for v in other.after.vectors)
        position = position.play(card)
    assert position.is_over
    assert position.tricks_won == payoff


def check_case(position: Position, answers: dict[str, list[list[int]]], found: Equilibria) -> None:
    assert found.payoffs.tolist() == answers["payoffs"]
    assert list(found.guaranteed) == answers["guaranteed"]
    check_properties(found)


def test_small_cases() -> None:
    cases = list(solved_positions("small.jsonl"))
    assert len(cases) == 1440
    for position, answers in cases[::4]:  # the engine's own test has them all
        check_case(position, answers, SOLVER.equilibria(position))


@pytest.mark.slow
def test_full_cases() -> None:
    for position, answers in list(solved_positions("full.jsonl"))[::5]:  # the engine's own test has them all
        check_case(position, answers, SOLVER.equilibria(position))


@pytest.fixture(scope="module")
def full_table() -> EquilibriumTable:
    """One whole deal."""
    return EquilibriumTable(FULL.position(Contract.D))


def test_a_record_is_valued_from_one_search(full_table: EquilibriumTable) -> None:
    rng = Random(1)
    position = full_table.root
    states, nodes = full_table.states, full_table.nodes
    assert states > 100_000
    assert 0 < full_table.bytes_used < 1 << 30
    spread = full_table.at(position).expected_points
    while not position.is_over:
        found = full_table.at(position)
        check_properties(found)
        assert found.expected_points == pytest.approx(spread, abs=1e-6)
        card = rng.choice(full_table.cards(position))
        spread = tuple(a + b for a, b in zip(spread, card.expected_transfer, strict=True))
        position = position.play(card.card)
        assert full_table.states == states
    assert full_table.nodes == nodes
    found = full_table.at(position)
    assert found.vectors == (found.guaranteed,) == (position.tricks_won,)
    assert found.expected_tricks == position.tricks_won
    assert full_table.cards(position) == full_table.line(position, position.tricks_won) == ()


def test_a_full_deal_agrees_with_the_alpha_beta_search(full_table: EquilibriumTable) -> None:
    position = full_table.root
    value = SOLVER.value(position)
    found = full_table.at(position)
    assert (found.guaranteed, found.value.slack, found.value.par) == (value.guaranteed, value.slack, value.par)
    for card, other in zip(full_table.cards(position), SOLVER.cards(position), strict=True):
        assert card.value.transfer == other.transfer


def test_arrays_and_dicts() -> None:
    position = Position("F:A3.2.-.- M:Q2.3.-.- R:-.AKQ.-.- N F - 0-0-0")
    found = SOLVER.equilibria(position)
    assert (found.payoffs.dtype, found.payoffs.shape) == (np.int8, (3, 3))
    assert (found.expected.dtype, found.expected.shape) == (np.float64, (3,))
    assert found.as_dict() == {
        "equilibria": [[1, 0, 2], [1, 1, 1], [2, 0, 1]],
        "expected": {"F": 1.0, "M": 0.5, "R": 1.5},
    }
    assert (found.least, found.most) == ((1, 0, 1), (2, 1, 2))
    assert found.expected_points == (-6.0, -4.5, 0.5)
    small = Variant(3, 1, (1, 1, 1), (1, 1, 1), "tiny")
    assert SOLVER.equilibria(position, variant=small).expected_points == (0.0, -0.5, 0.5)


def test_parts_left_out() -> None:
    position = FULL.position(Contract.N)
    for _ in range(24):
        position = position.play(position.legal_cards()[-1])
    whole = EquilibriumTable(position, "4M").at(position)
    some = EquilibriumTable(position, "4M", expected=False).at(position)
    assert (some.vectors, some.guaranteed, some.as_dict().keys()) == (whole.vectors, whole.guaranteed, {"equilibria"})
    with pytest.raises(MizerkaError, match="expected=False"):
        some.expected  # noqa: B018
    rest = EquilibriumTable(position, "4M", payoffs=False)
    assert (rest.at(position).expected_tricks, rest.at(position).payoffs.shape) == (whole.expected_tricks, (0, 3))
    with pytest.raises(MizerkaError, match="payoffs=False"):
        rest.line(position, whole.vectors[0])


def test_the_solver_keeps_its_last_table() -> None:
    solver = Solver(memory="1M")
    position = Deal.random(Random(3), Variant(6, 3, (3, 2, 1), (1, 2, 3))).position(Contract.H)
    solver.equilibria(position)
    table = solver.equilibrium_table(position)
    states = table.states
    later = position
    while not later.is_over:
        found = solver.equilibria(later)
        assert solver.equilibrium_table(later) is table
        assert found == table.at(later)
        later = later.play(later.legal_cards()[0])
    assert table.states == states
    assert solver.equilibria(position, "N") != solver.equilibria(position, "H")
    assert solver.equilibrium_table(position) is not table
    assert table.at(position).position == position  # who holds a table may go on asking it
    with pytest.raises(MizerkaError, match="not a position of the deal and contract of this table"):
        table.at(FULL.position(Contract.H))
    with pytest.raises(MizerkaError, match="3-3-3: not the tricks of an equilibrium here"):
        table.line(position, (3, 3, 3))
    with pytest.raises(MizerkaError, match="needs a contract"):
        solver.equilibria(FULL)


def test_solve_with_equilibria_is_the_same_on_any_number_of_threads() -> None:
    deal = Deal.random(Random(4), Variant(6, 3, (3, 2, 1), (1, 2, 3)))
    plain = Solver(memory="1M").solve(deal, cards=True)
    for threads in (1, 3):
        solution = Solver(threads, memory="3M", table_memory="30M").solve(deal, cards=True, equilibria=True)
        assert [value.guaranteed for value in solution.values.values()] == [v.guaranteed for v in plain.values.values()]
        for contract, found in solution.equilibria.items():
            assert found.vectors == SOLVER.equilibria(deal, contract).vectors
            pairs = zip(solution.cards[contract], plain.cards[contract], strict=True)
            assert all(
                (a.card, a.cost, a.par_cost, a.transfer) == (b.card, b.cost, b.par_cost, b.transfer) for a, b in pairs
            )
    assert Solver().solve(deal, "N").equilibria is None


def test_limits_are_one_clear_line() -> None:
    with pytest.raises(MemoryLimitError) as caught:
        EquilibriumTable(FULL.position(Contract.S), "2M")
    assert str(caught.value).startswith("2M: too little memory for all equilibria: ")
    assert re.search(r"no room for more than the [\d,]+ states found so far$", str(caught.value))
    solver = Solver(memory="1M", table_memory="2M")
    with pytest.raises(MemoryLimitError):
        solver.equilibria(FULL, "S")
    with pytest.raises(SearchStopped, match="time"):
        solver.equilibria(FULL, "S", seconds=0.01, memory="1G")
    with pytest.raises(SearchStopped, match="time"):
        solver.solve(FULL, "S", equilibria=True, seconds=1e-6)
    with pytest.raises(MizerkaError, match="no bounds"):
        solver.solve(FULL, "S", equilibria=True, node_limit=5)
    with pytest.raises(MizerkaError, match="memory must be between"):
        solver.equilibria(FULL, "S", memory=5)
    small = Position("F:A.-.-.- M:K.-.-.- R:Q.-.-.- N R - 5-4-3")
    assert solver.equilibria(small).vectors == ((6, 4, 3),)  # none of this broke it


def test_cancel_from_another_thread() -> None:
    solver = Solver(memory="1M")

    def stop() -> None:
        while solver.equilibrium_states < 1000:
            time.sleep(0.001)
        solver.cancel()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(SearchStopped, match="cancelled"):
        solver.equilibria(FULL, "N")
    thread.join()
    assert solver.equilibrium_states == 0


@pytest.mark.skipif(sys.platform != "linux", reason="reads /proc")
def test_memory_goes_back_to_the_system_with_the_table() -> None:
    """What a batch holds on one thread after another is what its solvers hold, not what their threads once took."""
    code = """
import threading
from mizerka_solver import Deal, Variant
from mizerka_solver.double_dummy.equilibria import EquilibriumTable

def resident() -> int:
    return int(open("/proc/self/statm").read().split()[1]) * 4096 >> 20

position = Deal.random(5, Variant(11, 6, (11, 0, 0), (0, 0, 11))).position("N")
sizes = []

def work() -> None:
    table = EquilibriumTable(position, "1G")
    sizes.append(table.bytes_used >> 20)

before = resident()
for _ in range(3):
    thread = threading.Thread(target=work)
    thread.start()
    thread.join()
print(max(sizes), resident() - before)
"""
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    size, kept = map(int, done.stdout.split())
    assert size >= 8
    assert kept <= 8
