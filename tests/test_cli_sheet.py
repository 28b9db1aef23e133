"""`mizerka sheet`: the worked example of the rules, whole games, and what is no game."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random

import pytest

from mizerka_solver import Contract, Deal, Game, GameRecord
from mizerka_solver.game.rules import Triple
from tests.cli import objects, process, run

DEAL = Deal.random(1)
EXAMPLE = [("ABG", "H", (5, 4, 4)), ("BGA", "M", (2, 6, 5)), ("GAB", "S", (11, 0, 2))]


def claimed(players: str, contract: str, tricks: Triple, game: str | None = None) -> str:
    """A record whose play is not told, only its tricks."""
    extra = () if game is None else (("game", json.dumps(game)),)
    return GameRecord(
        (players[0], players[1], players[2]), DEAL, Contract[contract], claimed=tricks, extra=extra
    ).to_json()


def whole_game(players: str, seed: int, game: str | None = None) -> list[str]:
    """The records of a game to its end."""
    rng, sheet, lines = Random(seed), Game(tuple(players)), []
    while not sheet.is_over:
        f, m, r = sheet.seats
        contract = rng.choice(sheet.remaining(f))
        won = rng.randrange(14)
        lines.append(claimed(f + m + r, contract.name, (won, 13 - won, 0), game))
        sheet = sheet.record(contract, (won, 13 - won, 0))
    return lines


def test_the_worked_example_of_the_rules() -> None:
    text = "\n".join(claimed(*deal) for deal in EXAMPLE)
    lines = run("sheet", "-", stdin=text).stdout.splitlines()
    assert lines[0] == "game 1: A, B, G; 3 of 18 deals"
    assert lines[4].split() == ["1", "G", "A", "hearts", "5-4-4", "-2", "-1", "+3", "-2", "-1", "+3"]
    assert lines[5].split()[5:] == ["+2", "-1", "-1", "0", "-2", "+2"]
    assert lines[6].split()[5:] == ["-5", "+1", "+4", "-5", "-1", "+6"]
    assert [line.split() for line in lines[9:12]] == [
        ["A", ".", "-2", ".", ".", ".", "."],
        ["B", ".", ".", ".", ".", ".", "-1"],
        ["G", "+4", ".", ".", ".", ".", "."],
    ]
    assert lines[13] == "next: G deals, A names one of S D C N M; then B, then G"
    (game,) = objects(run("sheet", "-", "--json", stdin=text).stdout)
    assert game["totals"] == {"A": -5, "B": -1, "G": 6}
    assert game["remaining"] == {"A": "SDCNM", "B": "SHDCN", "G": "HDCNM"}
    assert game["next"] == {"dealer": "G", "F": "A", "M": "B", "R": "G"}
    rows = list(csv.DictReader(run("sheet", "-", "--csv", stdin=text).stdout.splitlines()))
    assert [row["total_3"] for row in rows] == ["3", "2", "6"]


@pytest.mark.parametrize("players", ["ABG", "ABGH"])
def test_games_one_after_another(players: str) -> None:
    text = "\n".join(whole_game(players, 1) + whole_game(players, 2)[:-1])
    first, second = objects(run("sheet", "-", "--json", stdin=text).stdout)
    assert (first["game"], second["game"]) == ("1", "2")
    assert (first["over"], second["over"]) == (True, False)
    assert sum(first["totals"].values()) == 0
    assert not any(first["remaining"].values())
    assert sum(map(len, second["remaining"].values())) == 1
    assert f"{6 * len(players)} of {6 * len(players)} deals" in run("sheet", "-", stdin=text).stdout


def test_games_by_name() -> None:
    mixed = [line for pair in zip(whole_game("ABG", 1, "x"), whole_game("ABG", 2, "y"), strict=True) for line in pair]
    games = objects(run("sheet", "-", "--json", stdin="\n".join(mixed)).stdout)
    assert [(game["game"], game["over"]) for game in games] == [("x", True), ("y", True)]


@pytest.mark.parametrize(
    ("second", "error"),
    [
        (("ABG", "S", (5, 4, 4)), "players A,B,G: the deal passes to the left, so B, G, A sit at F, M, R"),
        (("BXG", "S", (5, 4, 4)), "players B,X,G: the deal passes to the left, so B, G, X sit at F, M, R"),
    ],
)
def test_what_is_no_game(second: tuple[str, str, Triple], error: str) -> None:
    stdin = f"{claimed(*EXAMPLE[0])}\n\n{claimed(*second)}\n"
    result = run("sheet", "-", "--json", stdin=stdin, code=3)
    (row,) = objects(result.stdout)
    assert row["line"] == 3
    assert result.stderr.startswith("<stdin>:3: ")
    assert row["error"] == f"<stdin>:3: {error}"


def test_a_contract_twice_and_faulty_records() -> None:
    lines = whole_game("ABG", 3)
    again = json.loads(lines[3]) | {"contract": json.loads(lines[0])["contract"]}
    del again["points"]
    result = run("sheet", "-", stdin="\n".join([*lines[:3], json.dumps(again)]), code=3)
    assert "<stdin>:4: " in result.stderr
    assert "each contract is named once" in result.stderr
    assert (
        run("sheet", "-", stdin=f"{lines[0]}\n[1]\n", code=3).stderr
        == "<stdin>:2: a record is an object, here a list\n"
    )
    unfinished = GameRecord(("a", "b", "c"), DEAL, Contract.N).to_json()
    assert "unfinished" in run("sheet", unfinished, code=2).stderr
    run("sheet", "nowhere", code=2)


def test_every_faulty_record_of_a_game_is_reported(tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    path.write_text('{"x":1}\ngarbage\n')
    result = run("sheet", str(path), code=3)
    first, second = result.stderr.splitlines()
    assert first.startswith(f"{path}:1: format: expected")
    assert second == f"{path}:2: garbage: a deal is its contract and the tricks of F-M-R, as in H 5-4-4"


EXAMPLE_TEXT = "players: A, B, G\nH 5-4-4  # the first deal\nmizerka 2-6-5\n\n♠ 11-0-2\n"
FORMS = {
    "text": EXAMPLE_TEXT,
    "other signs": "Players: A B G\nhearts: 5 4 4\nM 2/6/5\nspades, 11–0–2\n",
    "csv": "contract,tricks,F,M,R\nH,5-4-4,A,B,G\nmizerka,2-6-5,B,G,A\nS,11-0-2,G,A,B\n",
    "csv with semicolons": "contract;tricks;F;M;R\nH;5-4-4;A;B;G\nM;2-6-5;;;\nS;11-0-2;;;\n",
    "json": """{"contract":"H","tricks":[5,4,4],"players":["A","B","G"]}
{"contract":"M","tricks":{"F":2,"M":6,"R":5}}
{"contract":"spades","tricks":"11-0-2"}
""",
    "json by player": """{"contract":"H","players":{"F":"A","M":"B","R":"G"},"tricks":{"A":5,"B":4,"G":4}}
{"contract":"M","players":["B","G","A"],"tricks":{"A":5,"B":2,"G":6}}
{"contract":"S","players":["G","A","B"],"tricks":{"A":0,"B":2,"G":11}}
""",
    "records": "\n".join(claimed(*deal) for deal in EXAMPLE),
    "mixed": "players: A, B, G\nH 5-4-4\n" + claimed(*EXAMPLE[1]) + "\nS 11-0-2\n",
}


@pytest.mark.parametrize("form", FORMS)
def test_every_form_of_the_same_game(form: str) -> None:
    wanted = run("sheet", "-", stdin=FORMS["records"]).stdout
    assert run("sheet", "-", stdin=FORMS[form]).stdout == wanted
    # What the command writes as CSV it reads.
    assert run("sheet", "-", stdin=run("sheet", "-", "--csv", stdin=FORMS[form]).stdout).stdout == wanted


def test_players_by_option_and_without_names() -> None:
    deals = ("H 5-4-4", "M 2-6-5", "S 11-0-2")
    wanted = run("sheet", "-", stdin=FORMS["records"]).stdout
    assert run("sheet", *deals, "--players", "A,B,G").stdout == wanted
    assert run("sheet", *deals).stdout.startswith("game 1: A, B, C; 3 of 18 deals\n")
    four = run("sheet", *deals, "--players", "A,B,C,D").stdout
    assert four.startswith("game 1: A, B, C, D; 3 of 24 deals\n")
    assert four.splitlines()[4].split()[:3] == ["1", "D", "A"]
    both = run("sheet", "-", stdin="players: A,B,C\nH 5-4-4\nplayers: X,Y,Z\nH 5-4-4\n").stdout
    assert [line for line in both.splitlines() if line.startswith("game")] == [
        "game 1: A, B, C; 1 of 18 deals",
        "game 2: X, Y, Z; 1 of 18 deals",
    ]


@pytest.mark.parametrize(
    ("text", "error"),
    [
        ("H 5-4", "H 5-4': a deal is its contract and the tricks of F-M-R, as in H 5-4-4"),
        ("X 5-4-4", "X: not a contract"),
        ("H 5-4-5", "5-4-5"),
        ("H 5-4-4\nS 13-0-0\nD 0-0-13\nH 13-0-0", "A has named hearts before, each contract is named once"),
        ("players: A, B", "give three different names"),
        ("players: A, A, B", "give three different names"),
        ("contract,tricks\nH", "the header has 2 columns, the row 1"),
        ('{"contract":"H","tricks":[5,4]}', "give three, of F, M and R"),
        ('{"contract":"H","tricks":[5,4,true]}', "give three, of F, M and R"),
        ('{"contract":7,"tricks":[5,4,4]}', "a contract is text"),
        ('{"contract":"H"}', "give three, of F, M and R"),
    ],
)
def test_entries_that_are_none(text: str, error: str) -> None:
    result = run("sheet", "-", stdin=text, code=3)
    assert error in result.stderr
    assert result.stderr.startswith("<stdin>:")
    assert len(result.stderr.splitlines()) == 1
    assert "give three" in run("sheet", "H 5-4-4", "--players", "A,B", code=2).stderr


@pytest.mark.parametrize(
    "players",
    ["Annegret,Maximilian,Maximiliane", "Hans-Jürgen,Karl-Heinz,Annemarie,Wilhelmine", "Johannes,Johannes2,Johannes3"],
)
def test_long_names_fit_the_screen(players: str) -> None:
    lines = run("sheet", "H 5-4-4", "M 2-6-5", "S 11-0-2", "--players", players).stdout.splitlines()
    assert max(map(len, lines)) <= 80
    heads = lines[3].split()[1:]
    assert len(set(heads)) == len(players.split(","))
    assert process("sheet", "H 5-4-4", "--players", players, PYTHONIOENCODING="ascii").stdout.isascii()
