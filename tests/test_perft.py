"""Counts of legal play sequences: the golden file against the reference, which shares no code with the package."""

from __future__ import annotations

import subprocess
import sys
from importlib.resources import files
from pathlib import Path

import pytest

from mizerka_solver import MizerkaError, Position
from mizerka_solver.game.perft import PerftCase, golden_cases, perft, read_cases
from tests import reference
from tests.cli import ROOT, SMALL, objects, run

QUICK = "F:A.2.-.- M:K3.-.-.- R:-.54.-.- N F - 0-0-0"
MOST_QUICK = 20_000
CASES = golden_cases()


def counts(hands: reference.Hands, contract: int, leader: int, trick: reference.Trick, depth: int) -> list[int]:
    """Count by the reference's own statement of the rules."""
    found = [0] * depth
    nodes = [(hands, leader, trick)]
    for played in range(depth):
        nodes = [
            (after, first, cards)
            for hands, leader, trick in nodes
            for after, first, cards, _ in reference.children(hands, contract, leader, trick)
        ]
        found[played] = len(nodes)
    return found


@pytest.mark.parametrize("case", CASES, ids=[str(case.position) for case in CASES])
def test_golden_counts_are_the_references(case: PerftCase) -> None:
    position = case.position
    depth = sum(1 for n in case.counts if n <= MOST_QUICK)
    trick = tuple(card.bit for card in position.trick)
    found = counts(position.masks, position.contract, position.leader, trick, depth)
    assert tuple(found) == case.counts[:depth]
    assert perft(position, depth) == case.counts[:depth]


@pytest.mark.slow
@pytest.mark.parametrize("case", CASES, ids=[str(case.position) for case in CASES])
def test_golden_counts_to_full_depth(case: PerftCase) -> None:
    position = case.position
    trick = tuple(card.bit for card in position.trick)
    found = counts(position.masks, position.contract, position.leader, trick, len(case.counts))
    assert tuple(found) == case.counts == perft(position, len(case.counts))


def test_the_golden_file_is_broad() -> None:
    assert len(CASES) >= 12
    assert {str(case.position.contract) for case in CASES} >= set("SHDCNM")
    assert {len(case.position.trick) for case in CASES} == {0, 1, 2}
    assert {str(case.position.leader) for case in CASES} == set("FMR")
    text = (files("mizerka_solver.game") / "perft.txt").read_text(encoding="utf-8")
    assert "Origin:" in text
    lines = [line for line in text.splitlines() if line and not line.startswith("#")]
    assert [str(case) for case in CASES] == lines


def test_the_golden_file_is_fresh() -> None:
    code = "import sys; sys.path.insert(0, 'tools'); from make_perft import POSITIONS as all_; "
    code += "print(*[text for _, _, text in all_], sep='\\n')"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=True, text=True).stdout
    assert [str(Position(text)) for text in shown.splitlines()] == [str(case.position) for case in CASES]


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (f"{QUICK} ;D2 3", "line 1: 'D2 3': expected D1 and a count"),
        (f"{QUICK} ;D1 x", "line 1: 'D1 x': expected D1 and a count"),
        ("F:A... ;D1 1", "line 1"),
    ],
)
def test_faulty_lines_are_named(line: str, message: str) -> None:
    with pytest.raises(MizerkaError) as caught:
        list(read_cases([line]))
    assert message in str(caught.value)


def test_depth_ends_with_the_cards() -> None:
    assert perft(Position("F:-.-.-.- M:-.-.-.- R:-.-.-.- S R - 0-0-1"), 3) == ()
    assert len(perft(Position(QUICK), 99)) == 6
    with pytest.raises(MizerkaError, match="depth 0"):
        perft(Position(QUICK), 0)


def test_the_command() -> None:
    assert run("perft", QUICK, "--depth", "2").stdout == f"{QUICK} ;D1 2 ;D2 4\n"
    (data,) = objects(run("perft", QUICK, "--json").stdout)
    assert data == {"position": QUICK, "counts": [2, 4, 8]}
    assert "a deal has no contract" in run("perft", SMALL, code=2).stderr
    result = run("perft", "-", "--depth", "1", stdin=f"{QUICK}\n{SMALL}\n", code=3)
    assert result.stdout == f"{QUICK} ;D1 2\n"
    assert result.stderr.startswith("<stdin>:2: a deal has no contract")


def test_counts_of_another_program_are_checked(tmp_path: Path) -> None:
    golden = tmp_path / "golden.txt"
    run("perft", "--golden", "-o", str(golden))
    assert list(read_cases(golden.read_text().splitlines())) == CASES
    theirs = tmp_path / "theirs.txt"
    theirs.write_text(f"# mine\n{QUICK} ;D1 2 ;D2 4 ;D3 8 ;D4 8\n{QUICK} ;D1 2 ;D2 5\n{QUICK} ;D2 2\n")
    result = run("perft", str(theirs), code=3)
    assert result.stdout == f"{QUICK} ;D1 2 ;D2 4 ;D3 8 ;D4 8\n"
    assert [line.removeprefix(f"{theirs}:") for line in result.stderr.splitlines()] == [
        "3: D2 5: 2 cards can be played in 4 ways",
        "4: 'D2 2': expected D1 and a count",
    ]
    assert run("perft", f"{QUICK} ;D1 3", code=2).stderr == "Error: D1 3: 1 card can be played in 2 ways\n"
    assert "excludes positions" in run("perft", QUICK, "--golden", code=2).stderr
    assert "Missing argument" in run("perft", code=2).stderr
