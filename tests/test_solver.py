"""Solver: what the engine's answers become: values, cards, lines, batches; and how it is stopped."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import threading
import time
from itertools import pairwise

import numpy as np
import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

import mizerka_solver
from mizerka_solver import Card, Contract, Deal, MizerkaError, Position, SearchStopped, Seat, Solver, Value, Variant
from mizerka_solver.double_dummy.solver import equivalent_cards, parse_memory
from tests import reference
from tests.helpers import builds, question
from tests.strategies import deals, positions

SOLVER = Solver(memory="16M")


@given(position=positions(1, 4))
@settings(max_examples=80, deadline=None)
def test_value_counts_tricks_already_won(position):
    note(str(position))
    masks, trick, leader, contract = question(position)
    value = SOLVER.value(position)
    rest = [reference.guaranteed(masks, contract, leader, seat, trick) for seat in range(3)]
    assert value.guaranteed == tuple(won + more for won, more in zip(position.tricks_won, rest, strict=True))
    assert value.exact
    assert value.n_tricks == position.hand_size
    assert tuple(SOLVER.guaranteed(position, seat, guess=3) for seat in Seat) == value.guaranteed


@given(position=positions(1, 6, min_left=1))
@settings(max_examples=100, deadline=None)
def test_slack_par_and_the_worth_of_cards(position):
    """Theory: slack >= 0; par sums to what points sum to; a mover's cost is >= 0, and 0 for some card; the guarantees
    of a seat that does not move never fall."""
    note(str(position))
    value = SOLVER.value(position)
    assert value.slack >= 0
    target_sum = sum(Value(position.contract, (0, 0, 0), (0, 0, 0), 0).points)
    n = -position.hand_size if position.contract.is_mizerka else position.hand_size
    assert sum(value.par) == pytest.approx(target_sum + n, abs=0.01)
    worth = SOLVER.cards(position)
    assert [card.card for card in worth] == list(position.legal_cards())
    assert min(card.cost for card in worth) == 0
    for card in worth:
        assert card.after.guaranteed == SOLVER.value(position.play(card.card)).guaranteed
        for seat in Seat:
            if seat is not position.to_move:
                assert card.transfer[seat] >= 0
        assert card.cost == -card.transfer[position.to_move]
        assert card.par_cost == pytest.approx(value.par[position.to_move] - card.after.par[position.to_move], abs=0.002)


@given(position=positions(1, 6, min_left=1), seat=st.sampled_from(Seat))
@settings(max_examples=60, deadline=None)
def test_line_is_legal_and_keeps_the_value(position, seat):
    note(f"{position} {seat}")
    value = SOLVER.value(position).guaranteed[seat]
    end = position
    for card in SOLVER.line(position, seat):
        end = end.play(card)
        assert SOLVER.value(end).guaranteed[seat] == value
    assert end.is_over
    assert end.tricks_won[seat] == value


@given(position=positions(1, 8, min_left=1))
@settings(max_examples=150, deadline=None)
def test_equivalent_cards_are_those_with_nothing_in_play_between(position):
    in_play = [bit for mask in position.masks for bit in reference.cards_of(mask)] + [c.bit for c in position.trick]
    own = set(reference.cards_of(position.masks[position.to_move]))
    groups = equivalent_cards(position)
    assert [card for group in groups for card in group] == list(position.legal_cards())
    for group in groups:
        between = [bit for bit in in_play if group[-1].bit < bit < group[0].bit]
        assert set(between) <= own
    for one, other in pairwise(groups):
        if one[0].suit == other[0].suit:
            assert any(other[0].bit < bit < one[-1].bit and bit not in own for bit in in_play)


def test_solution_of_a_deal_and_of_a_position():
    deal = Deal.random(3)
    solution = SOLVER.solve(deal, "SNM")
    assert list(solution.values) == [Contract.S, Contract.N, Contract.M]
    assert solution["N"] == solution[Contract.N]
    best = max(solution.values.values(), key=lambda value: value.par[0])
    assert solution[solution.best_contract].par[0] == best.par[0]
    position = deal.position(Contract.N, Seat.M)
    assert SOLVER.solve(position)["N"].guaranteed == SOLVER.solve(deal, "N", Seat.M)["N"].guaranteed
    data = solution.as_dict()
    assert set(data) == {"deal", "leader", "contracts"}
    assert set(data["contracts"]["N"]) == {"guaranteed", "points", "slack", "nodes"}
    assert set(data["contracts"]["N"]["points"]) == {"guaranteed", "par"}
    assert set(SOLVER.solve(position).as_dict()) == {"position", "leader", "contracts"}


def test_the_worked_points_of_the_formats_page():
    """The example of the JSON format: 3, 0 and 0 tricks in no trump."""
    value = Value(Contract.N, (3, 0, 0), (3, 0, 0), 13)
    assert value.points == (-4, -5, -1)
    assert value.slack == 10
    assert value.par == (-0.667, -1.667, 2.333)


def test_value_of_a_deal_needs_a_contract():
    deal = Deal.random(1)
    with pytest.raises(MizerkaError, match="needs a contract"):
        SOLVER.value(deal)
    position = deal.position(Contract.S)
    assert SOLVER.value(position, "N").contract is Contract.N


def test_solve_many_shape_and_values():
    many = [Deal.random(seed) for seed in range(4)]
    seen: list[int] = []
    tricks = Solver(threads=2, memory="32M").solve_many(many, "SHN", progress=seen.append)
    assert tricks.shape == (4, 3, 3)
    assert tricks.dtype == np.int8
    assert seen[-1] == 4
    for deal, row in zip(many, tricks, strict=True):
        assert [tuple(cell) for cell in row] == [SOLVER.value(deal, letter).guaranteed for letter in "SHN"]


@given(deal=deals(1, 5, talon=False))
@settings(max_examples=20, deadline=None)
def test_threads_give_the_same_values(deal):
    two = TWO.solve(deal)
    one = SOLVER.solve(deal)
    assert {c: v.guaranteed for c, v in two.values.items()} == {c: v.guaranteed for c, v in one.values.items()}


TWO = Solver(threads=2, memory="8M")


def test_limits_leave_bounds_and_say_so():
    deal = Deal.random(11)
    solution = Solver(memory="16M").solve(deal, "M", node_limit=300, cards=True)
    value = solution["M"]
    truth = SOLVER.value(deal, "M")
    assert not value.exact
    assert not solution.exact
    assert solution.best_contract is None
    for low, exact, high in zip(value.lower, truth.guaranteed, value.upper, strict=True):
        assert low <= exact <= high
    fields = value.as_dict()
    assert fields["exact"] is False
    assert fields["slack"] is None
    assert fields["points"]["par"] is None
    assert fields["bounds"]["F"] == [value.lower[0], value.upper[0]]
    with pytest.raises(SearchStopped) as stopped:
        Solver(memory="16M").line(deal.position(Contract.M), node_limit=300)
    assert stopped.value.reason == "nodes"
    start = time.monotonic()
    Solver(memory="16M").solve(deal, seconds=0.05)
    assert time.monotonic() - start < 5


@pytest.mark.parametrize("threads", [1, 3])
def test_cancel_stops_a_running_call_and_the_solver_lives_on(threads):
    solver = Solver(threads=threads, memory="16M")
    many = [Deal.random(seed) for seed in range(2000)]
    timer = threading.Timer(0.2, solver.cancel)
    timer.start()
    start = time.monotonic()
    with pytest.raises(SearchStopped):
        solver.solve_many(many)
    assert time.monotonic() - start < 5
    assert solver.value(many[0], "N").guaranteed == SOLVER.value(many[0], "N").guaranteed


@pytest.mark.skipif(sys.platform == "win32", reason="sends SIGINT")
@pytest.mark.parametrize("threads", [1, 2])
def test_ctrl_c_is_a_keyboard_interrupt_within_half_a_second(threads):
    """A search that would run for hours, in the main thread and in worker threads."""
    code = f"""
import time
from mizerka_solver import Deal, Solver
solver = Solver(threads={threads}, memory="16M")
for engine in solver._engines:
    engine.flags = 2
print("ready", flush=True)
try:
    solver.solve(Deal.random(1), "MN")
except KeyboardInterrupt:
    print("interrupted", time.time(), flush=True)
print(solver.value(Deal("F:A... M:K... R:Q..."), "N").guaranteed)
"""
    process = subprocess.Popen([sys.executable, "-c", code], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)
    assert process.stdout is not None
    assert process.stdout.readline() == "ready\n"
    time.sleep(0.5)
    sent = time.time()
    process.send_signal(signal.SIGINT)
    out, err = process.communicate(timeout=60)
    words = out.split()
    assert words[0] == "interrupted", err
    assert float(words[1]) - sent < 2  # half a second on a quiet machine
    assert "(1, 0, 0)" in out
    assert err == ""


@pytest.mark.parametrize(
    ("text", "n_bytes"),
    [("1M", 1 << 20), ("256MiB", 256 << 20), ("1.5g", 3 << 29), (1 << 22, 1 << 22), ("2048K", 1 << 21)],
)
def test_memory_texts(text, n_bytes):
    assert parse_memory(text) == n_bytes


@pytest.mark.parametrize("text", ["", "M", "much", "-1M", "1K", "9999G", "nan", "1e999", 0])
def test_bad_memory_is_refused(text):
    with pytest.raises(MizerkaError, match="memory"):
        Solver(memory=text)


@pytest.mark.parametrize("threads", [0, -1, 5000])
def test_bad_threads_are_refused(threads):
    with pytest.raises(MizerkaError, match="threads"):
        Solver(threads=threads)


def test_negative_limits_are_refused():
    with pytest.raises(MizerkaError, match="limit"):
        SOLVER.solve(Deal.random(1), node_limit=-1)
    with pytest.raises(MizerkaError, match="limit"):
        SOLVER.solve(Deal.random(1), seconds=-1)


def test_other_variants_have_their_own_points():
    variant = Variant(16, 6, (8, 5, 3), (3, 5, 8), "3-5-8")
    value = Solver(memory="64M").solve(Deal.random(4, variant), "S", variant=variant)["S"]
    assert value.points == tuple(n - target for n, target in zip(value.guaranteed, (8, 5, 3), strict=True))
    assert sum(value.par) == pytest.approx(0, abs=0.002)


def test_module_level_helpers_share_a_solver():
    deal = Deal("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-")
    assert mizerka_solver.solve(deal, "N")["N"].guaranteed == (2, 0, 0)
    assert mizerka_solver.value(deal, "N").points == (-5, -5, -1)
    position = Position("F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.- N F - 0-0-0")
    assert {card.card for card in mizerka_solver.cards(position)} == {Card("SA"), Card("SK")}
    assert mizerka_solver.solve_many([deal], "NM").tolist()[0][0] == [2, 0, 0]


def run_python(code: str, **environment: str) -> subprocess.CompletedProcess[str]:
    full = {**os.environ, **environment}
    return subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, env=full, check=False)


def test_the_build_is_chosen_at_import_and_can_be_forced():
    code = "import mizerka_solver.double_dummy.solver as s; print(s.build_name())"
    assert run_python(code, MIZERKA_BUILD="portable").stdout == "portable\n"
    assert run_python(code, MIZERKA_BUILD="").stdout == f"{builds('_engine')[-1].build()}\n"
    bad = run_python(code, MIZERKA_BUILD="fast")
    assert bad.returncode == 1
    assert "MIZERKA_BUILD='fast': the builds are portable and v3" in bad.stderr


def test_import_pulls_in_nothing_heavy():
    heavy = "numpy rich click concurrent.futures.process importlib.metadata hypothesis"
    code = f"import sys, mizerka_solver; print([m for m in {heavy.split()!r} if m in sys.modules])"
    assert run_python(code).stdout == "[]\n"


def test_calls_end_by_a_time_that_was_set() -> None:
    """Within the block every call has a deadline, which its own limit may only bring forward; behind it none."""
    solver, position = Solver(memory="1M"), Deal.random(3).position("M")
    with solver.ending_by(time.monotonic() - 1):
        with pytest.raises(SearchStopped, match="time"):
            solver.guaranteed(position, "F")
        assert not solver.value(position).exact
        assert not solver.solve(Deal.random(3), "M", seconds=1000).exact
    assert solver.value(Deal("F:A... M:K... R:Q...").position("M")).exact
