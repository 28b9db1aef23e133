"""Errors and rare answers a user can meet and no other test comes by: what `make coverage` showed never to run."""

from __future__ import annotations

import os
import shlex
import subprocess
import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from mizerka_solver import (
    Contract,
    Deal,
    Hand,
    MizerkaError,
    Position,
    Sampling,
    Seat,
    Situation,
    Solver,
    forecast_exchange,
)
from mizerka_solver.bots import Table
from mizerka_solver.double_dummy.exchange_phase import read_exchanges
from mizerka_solver.game.rules import Variant
from mizerka_solver.review.analysis import RecordReview
from mizerka_solver.testing import Difference, ProgramAdapter, check_rules
from mizerka_solver.testing.adapter import OFFERED, ONE_LINE, STAYS
from tests.cli import SMALL, environment, objects, run
from tests.helpers import builds

DEAL = Deal(SMALL)
FULL = str(Deal.random(7))
GAME = (
    '{"format":"mizerka-game/1","players":{"F":"a","M":"b","R":"c"},"deal":"F:A.2.-.- M:K.3.-.- R:-.54.-.-",'
    '"contract":"N","exchange":{"F":[],"M":[],"R":[]},"play":["H2","H3","H5"]}\n'
)


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: read_exchanges("F:S2 F:S3"), "F:S3: seat given twice"),
        (lambda: Solver().exchange(DEAL, "N", "F", top=-1), "top -1: must be at least 0"),
        (lambda: Position("F:-.-.-.- M:-.-.-.- R:2.-.-.- S F S3,S3 0-0-0"), "trick S3: card given twice"),
        (lambda: Position.from_hands(DEAL.hands, Contract.S, Seat.F, (), (1, 2)), "tricks won are three counts"),  # type: ignore[arg-type]
        (lambda: Table(Deal.random(1)).record(("a", "b", "c")), "none is named yet"),
        (
            lambda: forecast_exchange(Situation(Hand("AKT973.A4.52.Q63"), Contract.S), Sampling(2), value="points"),
            "value points: guaranteed or par",
        ),
    ],
)
def test_bad_arguments(make: Callable[[], object], message: str) -> None:
    with pytest.raises(MizerkaError) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize(
    ("arguments", "stdin", "message"),
    [
        (["exchange", SMALL, "-c", "X"], None, "Invalid value"),
        (["exchange", "--hand", "AKT973.A4.52.Q63", "-c", "S", "--csv"], None, "--csv does not go with --hand"),
        (["advise", "-"], b"\xff\xfe\n", "not UTF-8"),
        (["advise", "-"], b'{"type":"play"}\n', "Error: "),
    ],
)
def test_bad_usage(arguments: list[str], stdin: bytes | None, message: str) -> None:
    result = run(*arguments, stdin=stdin, code=2)
    assert message in result.stderr
    assert result.stdout == ""


def test_files_that_may_not_be_read_or_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Without real permissions, which do not bind a superuser."""
    deals = tmp_path / "deals.txt"
    deals.write_text(f"{SMALL}\n")
    monkeypatch.setattr(os, "access", lambda path, mode: False)
    assert "may not be read" in run("solve", str(deals), code=2).stderr
    assert "may not be written" in run("solve", SMALL, "-o", str(tmp_path / "out.txt"), code=2).stderr


def test_a_file_that_fails_while_it_is_read(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    deals = tmp_path / "deals.txt"
    deals.write_text(f"{SMALL}\n")

    def broken(stream: object) -> object:
        raise OSError(5, "Input/output error")

    monkeypatch.setattr("mizerka_solver.cli.sources.bounded_lines", broken)
    assert "deals.txt: can't be read: Input/output error" in run("solve", str(deals), code=3).stderr


def test_costs_that_a_limit_left_open_are_question_marks() -> None:
    one = run("solve", FULL, "-c", "S", "--cards", "--node-limit", "300").stdout
    assert any(line.split()[1:3] == ["?", "?"] for line in one.splitlines() if line.startswith("  ♠"))
    several = run("solve", FULL, "-c", "S", "-c", "N", "--cards", "--node-limit", "300").stdout
    assert any(line.split()[1:] == ["?", "?"] for line in several.splitlines() if line.startswith("  ♠"))
    (data,) = objects(run("solve", FULL, "-c", "S", "--cards", "--node-limit", "300", "--json").stdout)
    assert any(card["cost"] is None and not card["exact"] for card in data["contracts"]["S"]["cards"])


def test_exchanges_that_a_limit_left_open_have_bounds() -> None:
    (data,) = objects(run("exchange", FULL, "-c", "S", "--seat", "F", "--node-limit", "100", "--json").stdout)
    assert not data["exact"]
    assert data["bounds"][0] < data["bounds"][1]
    assert any("bounds" in option for option in data["alternatives"])


def test_a_review_that_does_not_add_up_says_so(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """It never should; then the numbers must not be believed."""
    monkeypatch.setattr(RecordReview, "problems", lambda self: ["F: 3 points, the deal gave 4"])
    games = tmp_path / "games.jsonl"
    games.write_text(GAME)
    assert "does not add up: F: 3 points, the deal gave 4" in run("analyse", str(games)).stdout
    games.write_text(GAME * 2)
    result = run("analyse", str(games))
    assert "records that do not add up: 2" in result.stdout
    assert "please report it" in result.stderr


def test_numbers_that_sum_up_what_is_there() -> None:
    position = Position("F:A.2.-.- M:K3.-.-.- R:-.54.-.- N F - 11-0-0")
    assert position.legal_mask() == Hand.from_cards(position.legal_cards()).mask
    solution = Solver().solve(Deal(FULL), "SN")
    assert solution.nodes == solution["S"].nodes + solution["N"].nodes > 0
    told: list[int] = []
    Solver().solve_many([DEAL, DEAL], "N", progress=told.append)
    assert told == [1, 2]


# The core


def python(code: str, **changes: str) -> subprocess.CompletedProcess[str]:
    """Run a line of Python as a process."""
    return subprocess.run(
        [sys.executable, "-c", code], capture_output=True, text=True, env=environment(**changes), check=False
    )


def test_a_build_that_is_not_there() -> None:
    hide = "import importlib.util as u; f = u.find_spec; u.find_spec = lambda n, *a: None if '_v3' in n else f(n, *a)"
    wanted = python(f"{hide}; import mizerka_solver.core", MIZERKA_BUILD="v3")
    assert "MIZERKA_BUILD=v3: it is not part of this installation" in wanted.stderr
    chosen = python(f"{hide}; from mizerka_solver.core import build_name; print(build_name())", MIZERKA_BUILD="")
    assert chosen.stdout == "portable\n"
    assert "the builds are portable and v3" in python("import mizerka_solver.core", MIZERKA_BUILD="v4").stderr


@pytest.mark.parametrize("module", builds("_equilibrium"), ids=lambda module: module.__name__.split(".")[1])
def test_a_line_needs_the_payoff_sets(module: object) -> None:
    engine = module.Equilibrium()  # type: ignore[attr-defined]
    hands = [hand.mask for hand in DEAL.hands]
    engine.solve(hands, (), 0, 4, want_set=False)
    with pytest.raises(ValueError, match="want_set=True"):
        engine.line(hands, (), 0, (2, 0, 0))


# The testing kit


@pytest.mark.parametrize(
    ("answer", "rule", "detail"),
    [
        ("{}", ONE_LINE, "the answer to deal has no players"),
        ('{"players": 3}', ONE_LINE, "players in the answer to deal is no list"),
        ("[]", ONE_LINE, "answered []"),
        ('{"unknown":true}', OFFERED, 'answered {"unknown":true} to game, which is not optional'),
    ],
)
def test_programs_that_answer_in_another_form(answer: str, rule: str, detail: str) -> None:
    serve = "import sys\nfor line in sys.stdin: print(sys.argv[1], flush=True)"
    with ProgramAdapter(f"cmd:{shlex.join([sys.executable, '-c', serve, answer])}") as program:
        found = check_rules(program, examples=1, shrink=False).difference
    assert found is not None
    assert (found.rule, found.got) == (rule, detail)


def test_a_program_is_told_of_another_variant(monkeypatch: pytest.MonkeyPatch) -> None:
    with ProgramAdapter("cmd:cat", variant=Variant(4, 2, (3, 1, 0), (0, 1, 3))) as program:
        asked: list[dict[str, object]] = []
        monkeypatch.setattr(program, "ask", lambda **question: asked.append(question))
        program.new_game(1)
    (question,) = asked
    assert (question["hand_size"], question["targets"], question["mizerka_targets"]) == (4, (3, 1, 0), (0, 1, 3))


def test_a_program_that_closes_its_output_and_stays() -> None:
    code = "import os, time; os.close(1); time.sleep(60)"
    with ProgramAdapter(f'cmd:{sys.executable} -c "{code}"', timeout=5) as program:
        found = check_rules(program, examples=1, shrink=False).difference
    assert found is not None
    assert found.rule == STAYS
    assert "it closed its output" in found.got


def test_a_difference_before_any_contract_shows_the_deal() -> None:
    found = Difference("A rule.", "who sits where", "0,1,2", "1,2,0", deal=DEAL)
    assert f"  deal      {DEAL}" in str(found).splitlines()
    assert "did not do the same" in str(replace(found, is_steady=False)).splitlines()[-1]
