"""`mizerka sheet`: the worked example of the rules, whole games, and what is no game."""

from __future__ import annotations

import csv
import json
from pathlib import Path
from random import Random

import pytest

from mizerka_solver import Contract, Deal, Game, GameRecord
from mizerka_solver.game.rules import Triple
from tests.cli import objects, run

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
    assert second.startswith(f"{path}:2: not JSON")
