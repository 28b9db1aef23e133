"""`mizerka contract`: table, JSON, what is refused, and what Ctrl-C and the time limit leave."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any

import pytest

from mizerka_solver import Hand, Position, Seat, Solver
from mizerka_solver.batches import Backend, contract_many
from mizerka_solver.cli.progress import Bar
from mizerka_solver.double_dummy.solver import SearchStopped
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.hidden.contracts import forecast_contracts
from mizerka_solver.hidden.samples import Sampling
from mizerka_solver.hidden.view import CONTRACT, View
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


def test_many_previews(tmp_path: Path) -> None:
    """Every shape of a line, in the order of the input; the marked deal is that of its six cards."""
    deal = deal_seeded(5)
    lines = [
        "SASKSQS9HAC4  # AKQ9.A.-.4 too",
        '{"type":"contract","seat":"F","hand":"AKQ9.A.-.4","remaining":"SN"}',
        f"{deal.deal} P:{deal.previews[Seat.F]}",
        f"{deal.deal}",
        "F:A.-.-.- M:K.-.-.- R:Q.-.-.- N F - 0-0-0",
    ]
    path = tmp_path / "six.txt"
    path.write_text("\n".join(lines))
    asked = ("--remaining", "SN", "--samples", "2", "--seed", "1")
    result = run("contract", str(path), *asked, "--json", "-t", "2", code=3)
    answers = objects(result.stdout)
    assert answers[0] == answers[1] == objects(run("contract", "AKQ9.A.-.4", *asked, "--json").stdout)[0]
    assert answers[2]["hand"] == str(deal.previews[Seat.F])
    assert "does not mark the cards that forehand saw" in answers[3]["error"]
    assert "a position is past the naming" in answers[4]["error"]
    text = run("contract", str(path), *asked, code=3).stdout
    assert text.count("forehand has seen") == 3
    assert text.count("par, guaranteed: mean") == 1
    rows = list(csv.DictReader(run("contract", "AKQ9.A.-.4", *asked, "--csv").stdout.splitlines()))
    assert [float(row["total"]) for row in rows] == [answers[0]["contracts"][c]["total"] for c in "SN"]


def test_many_in_python(tmp_path: Path) -> None:
    """Values, text, views and files give what the command gives."""
    path = tmp_path / "six.txt"
    path.write_text("AKQ9.A.-.4\nAK.32.4.5\n")
    view = View(CONTRACT, Seat.F, Hand("AK.32.4.5"), "SN")
    found = list(contract_many([Hand("AKQ9.A.-.4"), view], Sampling(2, seed=1), Backend(threads=2), remaining="SN"))
    assert [report.as_dict() for report in found] == [
        report.as_dict() for report in contract_many(path, Sampling(2, seed=1), remaining="SN")
    ]
    assert found[0].as_dict() == forecast_contracts("AKQ9.A.-.4", "SN", Sampling(2, seed=1)).as_dict()


def test_a_cancelled_solver_ends_it(monkeypatch: pytest.MonkeyPatch) -> None:
    """No report is made of what a cancelled worker had."""
    worlds: list[int] = []

    def value(self: Solver, position: Position, **rest: Any) -> Any:
        if worlds:
            raise SearchStopped("cancelled")
        return solve(self, position, **rest)

    solve = Solver.value
    monkeypatch.setattr(Solver, "value", value)
    with pytest.raises(SearchStopped, match="cancelled"):
        forecast_contracts("AKQ9.A.-.4", "S", Sampling(9, progress=worlds.append), solver=Solver(memory="1M"))
    assert worlds == [1]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give six cards, a file, - for standard input, or --hand"),
        (("AKQ9.A.-.4", *SIX), "--hand excludes other cards and files"),
        (("nofile",), "nofile: no such file, and not a hand"),
        (("AKQ9.A.-.",), "hand AKQ9.A.-.-: forehand sees 6 cards before naming, here 5"),
    ],
)
def test_previews_refused(arguments: tuple[str, ...], message: str) -> None:
    assert message in run("contract", *arguments, "--seed", "1", code=2).stderr


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
