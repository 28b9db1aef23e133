"""`mizerka solve --equilibria` and `--plot`: tables, JSON, CSV, limits, pictures."""

from __future__ import annotations

import csv
import io
import json
import re
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest

from mizerka_solver import Card, Contract, Deal, GameRecord, MizerkaError, Position, Seat, Solver
from mizerka_solver.cli.common import EngineOptions, engine_arguments
from mizerka_solver.double_dummy import plot as drawing
from mizerka_solver.game.rules import seat_points
from tests.cli import BAD, POSITION, ROOT, at_work, interrupted, objects, run, start

THREE = "F:A3.2.-.- M:Q2.3.-.- R:-.AKQ.-.-"
SIX = str(Deal("F:KJ4.Q3.8.- M:A65.K2.9.- R:QT9.A4.7.-"))


def test_json_has_the_fields_of_the_format() -> None:
    (data,) = objects(run("solve", THREE, "-c", "NS", "--equilibria", "--json").stdout)
    assert list(data["contracts"]) == ["N", "S"]
    value = data["contracts"]["N"]
    assert set(value) == {"guaranteed", "points", "slack", "nodes", "equilibria", "expected"}
    assert set(value["points"]) == {"guaranteed", "par"}
    assert value["equilibria"] == [[1, 0, 2], [1, 1, 1], [2, 0, 1]]
    assert value["expected"] == {"F": 1.0, "M": 0.5, "R": 1.5}
    (plain,) = objects(run("solve", THREE, "-c", "NS", "--json").stdout)
    for contract, fields in plain["contracts"].items():
        assert {**fields, "nodes": 0} == {
            key: 0 if key == "nodes" else data["contracts"][contract][key] for key in fields
        }


def test_json_of_cards_and_of_positions() -> None:
    (data,) = objects(run("solve", THREE, "-c", "N", "--equilibria", "--cards", "--json").stdout)
    cards = {card["card"]: card for card in data["contracts"]["N"]["cards"]}
    assert list(cards) == ["SA", "S3", "H2"]
    (old,) = objects(run("solve", THREE, "-c", "N", "--cards", "--json").stdout)
    for card in old["contracts"]["N"]["cards"]:
        assert card.items() <= cards[card["card"]].items()
    assert cards["S3"]["equilibria"] == [[0, 1, 2], [1, 1, 1]]
    assert cards["S3"]["expected"] == {"F": 0.5, "M": 1.0, "R": 1.5}
    assert cards["S3"]["expected_cost"] == 0.5
    assert cards["S3"]["expected_transfer"] == {"F": -0.5, "M": 0.5, "R": 0.0}
    (data,) = objects(run("solve", POSITION, "--equilibria", "--json").stdout)
    assert data["contracts"]["N"]["equilibria"] == [[6, 4, 3]]
    over = "F:-.-.-.- M:-.-.-.- R:-.-.-.- N R - 5-4-4"
    (data,) = objects(run("solve", over, "--equilibria", "--cards", "--json").stdout)
    assert (data["contracts"]["N"]["equilibria"], data["contracts"]["N"]["cards"]) == ([[5, 4, 4]], [])
    assert "Equilibria in no trump, F-M-R: 5-4-4" in run("solve", over, "--equilibria", "--cards").stdout


def test_table_of_one_contract() -> None:
    text = run("solve", THREE, "-c", "N", "--equilibria", "--cards").stdout
    assert "  N   no trump       3   1–2   0–1   1–2  1.00  0.50  1.50\n" in text
    assert "Equilibria in no trump, F-M-R: 1-0-2  1-1-1  2-0-1\n" in text
    assert "  ♠3            0.50       2   0–1     1   1–2     -0.50  +0.50   0.00\n" in text
    assert "expected: the mean when a player" in " ".join(text.split())
    assert max(map(len, text.splitlines())) <= 80
    assert "equilibria" not in run("solve", THREE, "-c", "N").stdout


def test_table_of_several_contracts() -> None:
    text = run("solve", SIX, "--equilibria", "--cards", "--line", "F").stdout
    assert "What each card of F costs, in expected points" in text
    for contract in Contract:
        assert f"Line in {contract.long_name}, F alone against M and R" in text
    won = Position.from_hands(Deal(SIX).hands, Contract.M, Seat.F, (), (4, 3, 0))
    points = run("solve", str(won), "--equilibria").stdout
    assert "expected points" in points
    assert max(map(len, (text + points).splitlines())) <= 80


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(run("solve", THREE, "-c", "NM", "--equilibria", "--csv").stdout)))
    assert [row["contract"] for row in rows] == ["N", "M"]
    assert (rows[0]["equilibria"], rows[0]["expected_R"]) == ("1-0-2 1-1-1 2-0-1", "1.5")
    cards = list(csv.DictReader(io.StringIO(run("solve", THREE, "-c", "N", "--equilibria", "--cards", "--csv").stdout)))
    assert [row["card"] for row in cards] == ["SA", "S3", "H2"]
    assert (cards[1]["expected_cost"], cards[1]["expected_transfer_M"]) == ("0.5", "0.5")


def test_batches_keep_their_order_on_any_number_of_threads() -> None:
    deals = run("deal", "-n", "6", "--seed", "5", "--hand-size", "6").stdout
    lines = f"{deals}{BAD}\n"
    answers = [
        run("solve", "-", "--equilibria", "--json", "-t", threads, stdin=lines, code=3).stdout for threads in "13"
    ]
    assert answers[0] == answers[1]
    assert [row.get("deal") for row in objects(answers[0])] == [*deals.splitlines(), None]


def test_too_little_memory_is_one_line() -> None:
    result = run("solve", "--random", "--seed", "7", "-c", "N", "--equilibria", "-t", "1", "--memory", "2M", code=2)
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: 2M: too little memory for all equilibria: ")
    assert line.endswith(" states found so far")
    assert result.stdout == ""
    deals = f"{THREE}\n{Deal.random(7)}\n{THREE}\n"
    result = run("solve", "-", "-c", "N", "--equilibria", "-t", "1", "--memory", "2M", "--json", stdin=deals, code=3)
    assert [set(row) == {"error", "line"} for row in objects(result.stdout)] == [False, True, False]
    assert result.stderr.startswith("<stdin>:2: 2M: too little memory")


def test_other_limits() -> None:
    seeded = ("solve", "--random", "--seed", "7", "-c", "N", "--equilibria")
    assert "before all equilibria" in run(*seeded, "--time-limit", "0.01", code=2).stderr
    assert "node_limit: a search for equilibria has no bounds" in run(*seeded, "--node-limit", "5", code=2).stderr


def test_the_split_of_memory(monkeypatch: pytest.MonkeyPatch) -> None:
    seen: list[tuple[int, int, int]] = []
    original = Solver.__init__

    def watch(self: Solver, threads: int = 1, memory: int = 0, table_memory: int = 0) -> None:
        seen.append((threads, memory >> 20, table_memory >> 20))
        original(self, threads, memory, table_memory)

    monkeypatch.setattr(Solver, "__init__", watch)
    run("solve", THREE, THREE, "--equilibria", "-t", "2")
    run("solve", THREE, THREE, "--equilibria", "-t", "2", "--memory", "100M")
    run("solve", THREE, THREE, "--equilibria", "-t", "2", "--memory", "100M", "--line", "F")
    run("solve", THREE, "--equilibria", "-t", "2", "--memory", "100M")
    assert seen == [(1, 1, 1024), (1, 1, 1024), (1, 1, 50), (1, 1, 50), (1, 12, 37), (1, 12, 37), (2, 2, 100)]
    assert engine_arguments(EngineOptions(2, 5 << 20)) == {"threads": 2, "memory": 5 << 20}


def test_plot_writes_the_picture(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = tmp_path / "six.svg"
    table = run("solve", SIX, "-c", "NM", "--plot", str(path)).stdout
    assert "Equilibria in mizerka, F-M-R" in table
    (data,) = objects(run("solve", SIX, "-c", "NM", "--equilibria", "--json").stdout)
    root = ElementTree.fromstring(path.read_text(encoding="utf-8"))
    (description,) = [element.text for element in root.iter() if element.tag.endswith("}description")]
    drawn = json.loads(description or "")
    for name, fields in drawn["contracts"].items():
        assert fields == {key: data["contracts"][name][key] for key in ("guaranteed", "equilibria", "expected")}
    again = tmp_path / "again.svg"
    run("solve", SIX, "-c", "NM", "--plot", str(again))
    assert path.read_bytes() == again.read_bytes()
    png = tmp_path / "one.PNG"
    run("solve", POSITION, "--plot", str(png), "--json")
    assert png.read_bytes().startswith(b"\x89PNG")


def test_what_plot_refuses(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip("matplotlib")
    for name, message in (
        ("x.gif", "end in .svg, .png or .pdf"),
        ("none/x.svg", "there is no directory"),
        (".", "is a directory"),
    ):
        assert message in run("solve", THREE, "--plot", str(tmp_path / name), code=2).stderr
    path = str(tmp_path / "x.svg")
    assert "not several" in run("solve", THREE, THREE, "--plot", path, code=2).stderr
    assert "not several" in run("solve", "-", "--plot", path, stdin=f"{THREE}\n{THREE}\n", code=2).stderr
    monkeypatch.setattr(drawing, "find_spec", lambda name: None)
    assert "pip install 'mizerka-solver[plot]'" in run("solve", THREE, "--plot", path, code=2).stderr
    monkeypatch.undo()
    with pytest.raises(MizerkaError, match="no equilibria to draw"):
        drawing.save(Solver(memory="1M").solve(Deal(THREE)), path)


@pytest.mark.parametrize("contract", list(Contract))
def test_the_region_is_what_is_guaranteed(contract: Contract) -> None:
    found = Solver(memory="1M").equilibria(Deal(SIX), contract)
    sign, n = (-1 if contract.is_mizerka else 1), found.position.hand_size
    region = drawing.guaranteed_region(found)
    assert region
    for corner in region:
        assert sum(corner) == pytest.approx(n)
        assert min(corner) >= -1e-9
        assert all(sign * (tricks - sure) >= -1e-9 for tricks, sure in zip(corner, found.guaranteed, strict=True))
    par = [seat_points(contract, seat, drawing.par_tricks(found)[seat]) for seat in Seat]
    assert par == pytest.approx(found.value.par, abs=0.001)


def test_analyse_with_equilibria() -> None:
    """Expected points go from card to card: after one is before the next, and the last are those of the result."""
    position, play = Deal(SIX).position(Contract.N), []
    while not position.is_over:
        play.append(position.legal_cards()[-1])
        position = position.play(play[-1])
    record = GameRecord(("a", "b", "c"), Deal(SIX), Contract.N, play=tuple(play)).to_json()
    plain, data = (objects(run("analyse", record, "--json", *more).stdout)[0] for more in ([], ["--equilibria"]))
    expected = Solver(memory="1M").equilibria(Deal(SIX), "N").expected_points
    for old, card in zip(plain["cards"], data["cards"], strict=True):
        assert old.items() <= card.items()
        assert list(card["expected"]["before"].values()) == pytest.approx(expected, abs=1e-6)
        expected = list(card["expected"]["after"].values())
        lost = card["expected"]["before"][card["seat"]] - card["expected"]["after"][card["seat"]]
        assert card["expected_cost"] == pytest.approx(lost, abs=2e-6)
        assert card["expected_cost"] >= 0
    assert expected == [seat_points(Contract.N, seat, position.tricks_won[seat]) for seat in Seat]
    assert " expected\n" in run("analyse", record, "--equilibria").stdout
    assert ",expected_cost," in run("analyse", record, "--equilibria", "--csv").stdout.splitlines()[0]
    whole = GameRecord(("a", "b", "c"), Deal.random(7), Contract.N, play=(Card("D4"),)).to_json()
    assert "too little memory" in run("analyse", whole, "--equilibria", "--memory", "2M", code=3).stderr


def test_nothing_optional_is_imported_without_need() -> None:
    code = (
        "import sys; from mizerka_solver import Deal, Solver; from mizerka_solver.double_dummy import plot; "
        f"e = Solver(memory='1M').equilibria(Deal('{THREE}'), 'N'); e.as_dict(), e.expected_points; "
        "print(*sorted({'numpy', 'matplotlib', 'rich'} & set(sys.modules)))"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_ctrl_c_ends_an_exhaustive_search(tmp_path: Path) -> None:
    child = at_work(tmp_path, [str(Deal.random(7))], ["--equilibria"])
    _, stderr = interrupted(child)
    assert child.returncode == 130
    assert stderr.decode().strip() == "Interrupted."


def test_the_picture_of_the_docs_shows_the_numbers_of_today() -> None:
    root = ElementTree.parse(ROOT / "docs" / "equilibria.svg").getroot()
    (description,) = [element.text for element in root.iter() if element.tag.endswith("}description")]
    drawn = json.loads(description or "")
    solution = Solver().solve(Deal(drawn["deal"]), "".join(drawn["contracts"]), equilibria=True)
    assert drawn == drawing.described(solution), "run: python tools/draw_equilibria.py"


def test_play_that_ends_in_one_of_the_equilibria() -> None:
    table = run("solve", THREE, "-c", "N", "--payoff", "1-1-1").stdout
    assert "Line in no trump, everyone for himself: 1-1-1" in table
    for payoff in ((1, 0, 2), (1, 1, 1), (2, 0, 1)):
        text = "-".join(map(str, payoff))
        (data,) = objects(run("solve", THREE, "-c", "NM", "--payoff", text, "--json").stdout)
        assert "payoff_line" not in data["contracts"]["M"]
        position = Deal(THREE).position(Contract.N)
        for card in data["contracts"]["N"]["payoff_line"]:
            position = position.play(Card(card))
        assert (position.is_over, position.tricks_won) == (True, payoff)


@pytest.mark.parametrize(
    ("payoff", "message"),
    [("3-0-0", "3-0-0: not the tricks of an equilibrium here"), ("1-1", "as in 3-5-5"), ("a-b-c", "as in 3-5-5")],
)
def test_payoffs_that_cannot_be(payoff: str, message: str) -> None:
    assert message in run("solve", THREE, "-c", "N", "--payoff", payoff, code=2).stderr


def test_a_payoff_that_fits_one_deal_of_several(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(f"{THREE}\n{SIX}\n")
    data = objects(run("solve", str(path), "-c", "N", "--payoff", "1-1-1", "--json", code=3).stdout)
    assert "payoff_line" in data[0]["contracts"]["N"]
    assert "not the tricks of an equilibrium" in data[1]["error"]


def status_of(pid: int) -> str:
    """What Linux tells of a process; nothing of one that has ended."""
    try:
        return Path(f"/proc/{pid}/status").read_text()
    except OSError:
        return ""


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="peaks are in kilobytes on Linux")
@pytest.mark.parametrize("threads", [1, 2])
def test_a_batch_keeps_to_its_memory(threads: int, tmp_path: Path) -> None:
    """Tables are given back before the next is filled: the peak is the limit and the interpreter with its libraries."""
    path = tmp_path / "deals.txt"
    path.write_text("".join(f"{Deal.random(seed)}\n" for seed in range(12)))
    limit = 64 * threads
    arguments = ("--equilibria", "-c", "S", "--memory", f"{limit}M", "-t", str(threads), "--json")
    with start("solve", str(path), *arguments) as work:
        assert work.stdout is not None
        answers, peak = [], 0
        for line in work.stdout:
            answers += objects(line.decode())
            # Not the usage that `wait4` tells: it counts the peak of the process that started this one, too.
            peak = max([peak, *map(int, re.findall(r"VmHWM:\s+(\d+) kB", status_of(work.pid)))])
    assert work.returncode in (0, 3)  # some deals need more than there is
    assert len(answers) == 12
    assert sum("error" not in answer for answer in answers) >= 2
    assert 0 < peak < (limit + 48) * 1024
