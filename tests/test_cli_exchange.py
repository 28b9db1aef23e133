"""`mizerka exchange` with open cards: table, JSON, CSV, what is refused."""

from __future__ import annotations

import csv
import io
import re
from pathlib import Path

import pytest

from mizerka_solver import Card, Deal, Seat, Solver
from mizerka_solver.cli.exchange import Watch
from mizerka_solver.double_dummy.exchange_phase import exchange_line, read_exchanges
from tests.cli import POSITION, objects, run

DEAL = "F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2"
FULL = str(Deal.random(7))


def test_json_has_the_fields_that_were_promised() -> None:
    (data,) = objects(run("exchange", FULL, "-c", "S", "--seat", "R", "--top", "3", "--json").stdout)
    assert {"seat", "contract", "others", "stand", "best", "exact", "alternatives"} <= set(data)
    assert (data["seat"], data["contract"], data["others"], data["exact"]) == ("R", "S", "stand", True)
    assert len(data["alternatives"]) == 3 < data["n_alternatives"]
    for option in data["alternatives"]:
        assert {"discard", "guaranteed", "twins"} <= set(option)
        assert option["guaranteed"] == data["best"]["guaranteed"] >= data["stand"]["guaranteed"]
        assert option["draw"] == [str(card) for card in Deal(FULL).talon[: len(option["discard"])]]
    assert data["best"] == data["alternatives"][0]


def test_json_agrees_with_the_library() -> None:
    arguments = ("-c", "h", "--seat", "m", "--others", "reply", "--made", "F:S2 M:S3", "--top", "4", "--json")
    (data,) = objects(run("exchange", DEAL, *arguments).stdout)
    earlier, made = {Seat.F: [Card("S2")]}, [Card("S3")]
    found = Solver().exchange(Deal(DEAL), "H", Seat.M, "reply", earlier, made=made)
    ours = found.as_dict(4)
    assert data.pop("nodes") > 0 < ours.pop("nodes")
    assert data == ours
    assert data["made"]["cost"] == found.cost


def test_json_of_a_line() -> None:
    (data,) = objects(run("exchange", DEAL, "-c", "N", "--line", "--others", "reply", "--json").stdout)
    line = exchange_line(Solver(), Deal(DEAL), "N", "reply")
    assert data["after"] == str(line.after)
    assert [step["seat"] for step in data["line"]] == ["F", "M", "R"]
    assert data["value"]["guaranteed"] == dict(zip("FMR", line.value.guaranteed, strict=True))
    assert data["exact"] is True


def test_csv_has_a_row_for_each_alternative() -> None:
    rows = list(csv.DictReader(io.StringIO(run("exchange", DEAL, "-c", "M", "--seat", "R", "--csv").stdout)))
    found = Solver().exchange(Deal(DEAL), "M", Seat.R)
    assert len(rows) == len(found.alternatives)
    assert [row["discard"] for row in rows] == ["".join(map(str, o.discard)) for o in found.alternatives]
    assert {row["guaranteed"] for row in rows} == {str(found.best.guaranteed)}


def test_tables() -> None:
    table = run("exchange", FULL, "-c", "S", "--top", "2").stdout
    assert "M and R standing pat" in table
    assert "and 5 more" in table
    assert "stand pat" in table
    made = run("exchange", FULL, "-c", "N", "--made", "F:S3,H3", "--one").stdout
    assert "The exchange made costs" in made
    assert "There may be others as good." in made
    line = run("exchange", DEAL, "-c", "M", "--line").stdout
    assert "After the exchange" in line
    short = run("exchange", FULL, "-c", "M", "--others", "reply", "--node-limit", "50000").stdout
    assert "A limit was reached" in short


def test_files_keep_their_order_and_faults_their_place(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{DEAL}\nF:AK.-.-.-\n{POSITION}\n{DEAL}\n")
    result = run("exchange", str(path), "-c", "N", "--json", "-t", "2", code=3)
    data = objects(result.stdout)
    assert ["error" in record for record in data] == [False, True, True, False]
    assert "a position has no exchange" in data[2]["error"]
    assert [record.get("line") for record in data] == [None, 2, 3, None]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((), "give a deal"),
        ((POSITION,), "a position has no exchange"),
        ((DEAL, "--made", "M:SQ"), "later than --seat F"),
        ((DEAL, "--made", "F:S9"), "can't be discarded"),
        ((DEAL, "--made", "S9"), "a seat, a colon"),
        ((DEAL, "--made", "F:S2,"), "F:S2,: a comma without a card"),
        ((DEAL, "--made", "F:,S2"), "F:,S2: a comma without a card"),
        ((DEAL, "--made", "F:S2", "--line"), "--line and --made exclude each other"),
        ((DEAL, "--hand", "AKQJT98765432.-.-.-"), "--hand excludes a deal"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], message: str) -> None:
    assert message in run("exchange", *arguments, "-c", "S", code=2).stderr


def test_progress_of_one_deal() -> None:
    watch = Watch()
    assert str(watch) == ""
    exchange_line(Solver(), Deal(FULL), "N", "stand", ties=False, progress=watch)
    assert re.fullmatch(r"(\d+/\d+ discards, best \d+ to \d+)?", str(watch))
    watch(7, 20, 3, 5)
    assert str(watch) == "7/20 discards, best 3 to 5"


def test_limits_give_proven_bounds() -> None:
    (data,) = objects(run("exchange", FULL, "-c", "S", "--others", "reply", "--node-limit", "1500000", "--json").stdout)
    assert data["exact"] is False
    low, high = data["bounds"]
    exact = Solver().exchange(Deal(FULL), "S", others="reply", ties=False, top=0)
    assert 0 < low <= exact.lower <= high < 13  # big discards are cheap, and so is what replies can't improve on
    assert data["best"]["guaranteed"] == low


def test_exchanges_as_text() -> None:
    assert read_exchanges("F:S2,H4 m:D5 R:-") == {
        Seat.F: (Card("S2"), Card("H4")),
        Seat.M: (Card("D5"),),
        Seat.R: (),
    }
