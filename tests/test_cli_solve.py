"""`mizerka solve`: what it prints, as table, JSON and CSV, for deals and positions."""

from __future__ import annotations

import csv
import io

import pytest

from mizerka_solver import Contract, Deal, Position, Seat, Solver
from tests.cli import BAD, POSITION, SMALL, objects, run

SEEDED = ("--random", "--seed", "7")


def test_json_of_a_deal_has_exactly_its_fields() -> None:
    (data,) = objects(run("solve", *SEEDED, "-c", "SN", "--json").stdout)
    assert set(data) == {"deal", "leader", "contracts"}
    assert Deal(data["deal"]) == Deal.random(7)
    assert data["leader"] == "F"
    assert list(data["contracts"]) == ["S", "N"]
    for value in data["contracts"].values():
        assert set(value) == {"guaranteed", "points", "slack", "nodes"}
        assert set(value["points"]) == {"guaranteed", "par"}
        assert (
            [*value["guaranteed"]] == [*value["points"]["guaranteed"]] == [*value["points"]["par"]] == ["F", "M", "R"]
        )
        assert value["slack"] == 13 - sum(value["guaranteed"].values())
        assert sum(value["points"]["par"].values()) == pytest.approx(0, abs=0.002)


def test_json_of_a_position_has_its_own_contract_only() -> None:
    (data,) = objects(run("solve", POSITION, "--json", "-c", "S", "--leader", "m").stdout)
    assert set(data) == {"position", "leader", "contracts"}
    assert data["position"] == POSITION
    assert data["leader"] == "R"
    assert data["contracts"]["N"]["guaranteed"] == {"F": 6, "M": 4, "R": 3}


def test_json_agrees_with_the_library() -> None:
    deal = Deal.random(3)
    (data,) = objects(run("solve", str(deal), "-c", "n", "--leader", "R", "--json", "--cards").stdout)
    solution = Solver(memory="16M").solve(deal, "N", Seat.R, cards=True)
    for of in (data, ours := solution.as_dict()):
        of["contracts"]["N"].pop("nodes")
    assert data == ours


def test_json_of_cards() -> None:
    (data,) = objects(run("solve", SMALL, "-c", "S", "--json", "--cards").stdout)
    cards = data["contracts"]["S"]["cards"]
    assert [card["card"] for card in cards] == ["SA", "SK"]
    assert {"card", "guaranteed", "cost", "par_cost"} <= set(cards[0])
    assert min(card["cost"] for card in cards) == 0


def test_json_of_lines_is_legal_play_that_keeps_the_value() -> None:
    (data,) = objects(run("solve", *SEEDED, "-c", "S", "--json", "--line", "all").stdout)
    value = data["contracts"]["S"]
    assert list(value["lines"]) == ["F", "M", "R"]
    for seat in Seat:
        position = Deal(data["deal"]).position(Contract.S)
        for card in value["lines"][seat.name]:
            position = position.play(next(c for c in position.legal_cards() if str(c) == card))
        assert position.is_over
        assert position.tricks_won[seat] == value["guaranteed"][seat.name]


def test_a_limit_gives_proven_bounds_that_are_marked() -> None:
    (data,) = objects(run("solve", *SEEDED, "-c", "M", "--node-limit", "50000", "--json", "--line", "F").stdout)
    value = data["contracts"]["M"]
    assert value["exact"] is False
    assert value["lines"] == {}
    (exact,) = objects(run("solve", "F:AK.2.-.- M:Q2.3.-.- R:-.AK4.-.-", "-c", "M", "--json").stdout)
    assert "exact" not in exact["contracts"]["M"]
    table = run("solve", *SEEDED, "-c", "M", "-c", "N", "--node-limit", "50000").stdout
    assert "a limit was reached" in table
    assert "Best for forehand" not in table
    assert run("solve", *SEEDED, "-c", "M", "--time-limit", "0.001", "--json").exit_code == 0


@pytest.mark.parametrize(
    ("arguments", "contracts"),
    [
        (["-c", "SN"], "SN"),
        (["-c", "N,spades"], "NS"),
        (["-c", "no trump", "-c", "♥", "-c", "n"], "NH"),
        (["-c", "miz"], "M"),
        (["-c", "M"], "M"),
        ([], "SHDCNM"),
    ],
)
def test_contracts_may_be_spelled_in_many_ways(arguments: list[str], contracts: str) -> None:
    (data,) = objects(run("solve", SMALL, "--json", *arguments).stdout)
    assert "".join(data["contracts"]) == contracts


def test_order_is_that_of_the_input_with_any_number_of_threads(tmp_path) -> None:
    deals = run("deal", "-n", "12", "--seed", "5", "--hand-size", "6").stdout
    (tmp_path / "deals.txt").write_text(deals)
    answers = [objects(run("solve", "-", "--json", "-t", threads, stdin=deals).stdout) for threads in ("1", "3", "0")]
    for data in answers:
        assert [row["deal"] for row in data] == deals.splitlines()
        for row in data:
            for value in row["contracts"].values():
                value.pop("nodes")
    assert answers[0] == answers[1] == answers[2]
    assert run("solve", str(tmp_path / "deals.txt"), "--csv").stdout.count("\n") == 1 + 12 * 6


def test_csv() -> None:
    rows = list(csv.DictReader(io.StringIO(run("solve", SMALL, POSITION, "--csv").stdout)))
    assert [row["contract"] for row in rows] == [*"SHDCNM", "N"]
    assert rows[-1]["deal"] == POSITION
    assert (rows[-1]["guaranteed_F"], rows[-1]["par_R"], rows[-1]["exact"]) == ("6", "2.0", "1")
    cards = list(csv.DictReader(io.StringIO(run("solve", SMALL, "-c", "SN", "--cards", "--csv").stdout)))
    assert [(row["contract"], row["card"]) for row in cards] == [("S", "SA"), ("S", "SK"), ("N", "SA"), ("N", "SK")]


def test_table_of_a_deal() -> None:
    text = run("solve", *SEEDED, "-c", "SHN").stdout
    assert "  F forehand    ♠ J63   ♥ A7653  ♦ AJ4   ♣ 53\n" in text
    assert "  S ♠ spades        ≥2   ≥4   ≥3     -5   -1   +2    -3.67  +0.33  +3.33      4\n" in text
    assert text.count("\n> ") == 1
    assert "Best for forehand: " in text
    deal = str(Deal.random(7))
    assert max(len(line) for line in text.splitlines() if line != deal) <= 80
    assert text.count(f"\n\n{deal}\n\n") == 1  # one line to paste
    assert run("solve", deal, "-c", "SHN").stdout == text
    assert "\x1b" not in text


def test_tables_of_cards_and_lines() -> None:
    one = run("solve", *SEEDED, "-c", "S", "--cards", "--line", "M").stdout
    assert "Cards of F" in one
    assert "  ♦J          1   0.67    ≥1    ≥4    ≥3       -1    0    0\n" in one
    assert "Line in spades, M alone against F and R: 4 for M" in one
    several = run("solve", SMALL, "--cards").stdout
    assert "What each card of F costs" in several
    assert "No points: targets are for 13 tricks, here are 2." in several


def test_short_deals_have_no_points_in_any_form() -> None:
    (solved,) = objects(run("solve", SMALL, "-c", "NM", "--json").stdout)
    assert [value["points"] for value in solved["contracts"].values()] == [{"guaranteed": None, "par": None}] * 2
    (row, _) = csv.DictReader(run("solve", SMALL, "-c", "NM", "--csv").stdout.splitlines())
    assert [row[f"{name}_{seat}"] for name in ("points", "par") for seat in "FMR"] == [""] * 6
    # The tricks won count: the rest of a whole deal has points.
    (late,) = objects(run("solve", "F:A.-.-.- M:K3.-.-.- R:-.54.-.- S F S2 4-4-3", "--json").stdout)
    assert late["contracts"]["S"]["points"]["guaranteed"] == {"F": -2, "M": 0, "R": 2}
    (found,) = objects(run("exchange", SMALL, "-c", "N", "--made", "F:-", "--json").stdout)
    exchanges = [found["stand"], found["best"], *found["alternatives"], found["made"]]
    assert {(option["points"], option["par"]) for option in exchanges} == {(None, None)}
    (row,) = csv.DictReader(run("exchange", SMALL, "-c", "N", "--csv").stdout.splitlines())
    assert (row["points"], row["par"]) == ("", "")


def test_table_of_a_position_in_the_middle_of_a_trick() -> None:
    text = run("solve", "F:A.-.-.- M:K3.-.-.- R:-.54.-.- S F S2 4-4-3").stdout
    assert "Position in spades, tricks won 4-4-3, M to play" in text
    assert "  trick, F led  ♠2" in text
    assert str(Position("F:A.-.-.- M:K3.-.-.- R:-.54.-.- S F S2 4-4-3").to_move) == "M"


def test_several_deals_say_where_they_are_from() -> None:
    result = run("solve", "-", "-c", "N", stdin=f"# two and a bad one\n{SMALL}\n\n{BAD}\n{POSITION}\n", code=3)
    assert "<stdin>:2: Deal, F leads" in result.stdout
    assert "<stdin>:5: Position in no trump" in result.stdout
    assert result.stderr == "<stdin>:4: SA: card held by both F and M\n"


def test_errors_stand_in_their_place_in_json() -> None:
    result = run("solve", "-", "--json", "-c", "N", stdin=f"{SMALL}\n{BAD}\n{SMALL}\n", code=3)
    data = objects(result.stdout)
    assert [set(row) == {"error", "line"} for row in data] == [False, True, False]
    assert data[1] == {"error": "<stdin>:2: SA: card held by both F and M", "line": 2}


def test_random_deals_are_those_of_mizerka_deal() -> None:
    deals = run("deal", "-n", "3", "--seed", "11").stdout.splitlines()
    data = objects(run("solve", "--random", "-n", "3", "--seed", "11", "-c", "N", "--json").stdout)
    assert [row["deal"] for row in data] == deals
    result = run("solve", "--random", "-c", "N", "--json")
    seed = result.stderr.split()[1]
    assert objects(result.stdout)[0]["deal"] == run("deal", "--seed", seed).stdout.strip()
