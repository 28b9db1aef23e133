"""`mizerka contract`: table, JSON, what is refused, and what Ctrl-C and the time limit leave."""

from __future__ import annotations

import pytest

from mizerka_solver.cli.progress import Bar
from tests.cli import objects, run

SIX = ("--hand", "AKQ9.A.-.4")
QUICK = (*SIX, "--remaining", "SN", "--samples", "3", "--seed", "1")


def test_table() -> None:
    result = run("contract", *QUICK)
    assert "♠ AKQ9   ♥ A   ♦ -   ♣ 4" in result.output
    assert "3 worlds, seed 1, the others exchange by policy" in result.output
    rows = [line for line in result.output.splitlines() if line[2:4] in ("S ", "N ")]
    assert len(rows) == 2
    assert sum(row.startswith(">") for row in rows) == 1
    assert "\nName " in result.output


def test_json() -> None:
    (answer,) = objects(run("contract", *QUICK, "--json").stdout)
    assert answer["hand"] == "AKQ9.A.-.4"
    assert answer["remaining"] == "SN"
    assert (answer["samples"], answer["seed"], answer["stopped"]) == (3, 1, None)
    spades = answer["contracts"]["S"]
    assert set(spades) == {"par", "guaranteed", "target_chance", "later", "total", "cost_later", "behind"}
    assert set(spades["par"]) == {"mean", "se", "samples"}
    assert spades["total"] == pytest.approx(spades["par"]["mean"] + spades["later"], abs=0.002)
    assert min(contract["cost_later"] for contract in answer["contracts"].values()) == 0
    best = max(answer["contracts"], key=lambda name: answer["contracts"][name]["total"])
    assert answer["best"] == best


def test_threads_and_spelling_change_nothing() -> None:
    first = run("contract", *QUICK, "--json").stdout
    spelled = ("--hand", "SA SK SQ S9 HA C4", "--remaining", "n,s", "--samples", "3", "--seed", "1", "-t", "2")
    assert run("contract", *spelled, "--json").stdout == first


def test_a_drawn_seed_is_told() -> None:
    result = run("contract", *SIX, "--remaining", "N", "--samples", "1", "--json")
    assert result.stderr.startswith("seed ")
    assert objects(result.stdout)[0]["seed"] == int(result.stderr.split()[1])


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        (("--hand", "AKQ.A.-.4"), "AKQ.A.-.4: forehand sees 6 cards before naming, here 5"),
        (("--hand", "AKQ1.A.-.4"), "--hand 1: not a rank (spades), ranks are 2-9 T J Q K A"),
        (("--hand", "SASKSAS9HAC4"), "--hand SA: card given twice"),
        ((*SIX, "--remaining", "SX"), "--remaining SX: not a contract, contracts are S H D C N M"),
        ((*SIX, "--remaining", ""), "--remaining '': no contract in it"),
    ],
)
def test_refused(arguments: tuple[str, ...], message: str) -> None:
    result = run("contract", *arguments, "--seed", "1", code=2)
    assert result.stderr == f"Error: {message}\n"
    assert result.stdout == ""


def test_the_time_limit_is_told() -> None:
    result = run("contract", *SIX, "--samples", "100000", "--seed", "1", "--time-limit", "1")
    assert "worlds (stopped by the time limit), seed 1" in result.stdout


@pytest.mark.parametrize("threads", ["1", "2"])
def test_ctrl_c_shows_what_is_done(threads: str, monkeypatch: pytest.MonkeyPatch) -> None:
    """The interrupt comes with the fourth world, however fast the machine is."""
    worlds: list[Bar] = []

    def interrupted(bar: Bar) -> None:
        worlds.append(bar)
        if len(worlds) == 4:
            raise KeyboardInterrupt

    monkeypatch.setattr(Bar, "advance", interrupted)
    result = run("contract", *SIX, "--samples", "1000", "--seed", "1", "--json", "-t", threads, code=130)
    (answer,) = objects(result.stdout)
    assert answer["stopped"] == "interrupted"
    assert 0 < answer["samples"] < 1000
    assert result.stderr == "Interrupted.\n"
