"""What hurt new users, line by line as they reported it, each on the way they went: silence, nonsense, dead ends."""

from __future__ import annotations

import csv
import json
import re
from pathlib import Path
from typing import Any

import pytest

import mizerka_solver as mz
from mizerka_solver import Card, Contract, Deal, Hand, MizerkaError, Seat, Solver
from mizerka_solver.hidden.contracts import forecast_contracts
from mizerka_solver.hidden.samples import Sampling
from mizerka_solver.policy.quick import choose_contract, choose_discards
from tests.cli import POSITION, SMALL, objects, run

DEAL = Deal.random(7)
SOLVER = Solver(memory="16M")
EXCHANGE = "F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2"


# 1. Silent wrong answers


def test_an_exchange_is_for_a_seat_or_its_letter() -> None:
    card = next(iter(DEAL.hands[Seat.F]))
    assert DEAL.after_exchange({"F": [card]}) == DEAL.after_exchange({Seat.F: [card]}) != DEAL
    with pytest.raises(MizerkaError, match="Q: not a seat"):
        DEAL.after_exchange({"Q": [card]})


# 2. Text wherever a value is taken

TEXTS: dict[str, tuple[Any, Any]] = {
    "solve": (lambda: repr(SOLVER.solve(SMALL, "N")), repr(SOLVER.solve(Deal(SMALL), Contract.N))),
    "a contract's name": (lambda: repr(SOLVER.solve(SMALL, "spades")), repr(SOLVER.solve(SMALL, Contract.S))),
    "cards of a hand": (lambda: Hand(["SA", "SK"]), Hand("AK.-.-.-")),
    "exchange": (
        lambda: SOLVER.exchange(EXCHANGE, "S", "M").best,
        SOLVER.exchange(Deal(EXCHANGE), Contract.S, Seat.M).best,
    ),
    "choose_contract": (lambda: choose_contract("AKQ9.A.-.4"), choose_contract(Hand("AKQ9.A.-.4"))),
    "choose_discards": (
        lambda: choose_discards(str(DEAL.hands[1]), "spades", "M", 9),
        choose_discards(DEAL.hands[1], Contract.S, Seat.M, 9),
    ),
    "forecast_contracts": (
        lambda: forecast_contracts("AKQ9.A.-.4", "S", Sampling(1)).as_dict(),
        forecast_contracts(Hand("AKQ9.A.-.4"), [Contract.S], Sampling(1)).as_dict(),
    ),
    "play": (
        lambda: str(Deal(SMALL).position("N").play("SA")),
        str(Deal(SMALL).position(Contract.N).play(Card("SA"))),
    ),
}


@pytest.mark.parametrize("name", TEXTS)
def test_text_is_as_good_as_a_value(name: str) -> None:
    call, expected = TEXTS[name]
    assert call() == expected


@pytest.mark.parametrize(
    ("call", "message"),
    [
        (lambda: DEAL.position("xyz"), "xyz: not a contract"),
        (lambda: DEAL.position("p"), "p: not a contract"),
        (lambda: Deal(SMALL).position("N").play("XX"), "XX: not a card"),
        (lambda: Deal(SMALL).position("N").play("HA"), "HA: F does not hold it"),
        (lambda: SOLVER.exchange(EXCHANGE, "S", "Q"), "Q: not a seat"),
        (lambda: choose_contract("AKQ9.A.-"), "AKQ9.A.-: "),
    ],
)
def test_nonsense_is_named(call: Any, message: str) -> None:
    with pytest.raises(MizerkaError) as caught:
        call()
    assert str(caught.value).startswith(message)


@pytest.mark.parametrize(
    ("arguments", "same"),
    [
        (("solve", SMALL, "-c", "spades", "--csv"), ("solve", SMALL, "-c", "S", "--csv")),
        (("solve", SMALL, "-c", "SN", "--csv"), ("solve", SMALL, "-c", "S", "-c", "no trump", "--csv")),
        (("solve", SMALL, "--leader", "middlehand", "--csv"), ("solve", SMALL, "--leader", "M", "--csv")),
        (
            ("contract", "--hand", "AKQ9.A.-.4", "--remaining", "NT", "--samples", "1", "--seed", "1"),
            ("contract", "--hand", "SA SK SQ S9 HA C4", "--remaining", "N", "--samples", "1", "--seed", "1"),
        ),
        (
            ("advise", "--hand", "AKQ9.A.-.4", "--remaining", "no trump, spades", "--samples", "4"),
            ("advise", "--hand", "AKQ9.A.-.4", "--remaining", "SN", "--samples", "4"),
        ),
    ],
)
def test_options_read_what_people_call_things(arguments: tuple[str, ...], same: tuple[str, ...]) -> None:
    assert run(*arguments).stdout == run(*same).stdout


# 3. What one command writes every other reads


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_an_answer_read_again_has_its_leader(form: str, tmp_path: Path) -> None:
    path = tmp_path / "answers"
    path.write_text(run("solve", SMALL, EXCHANGE, "-c", "SN", "--leader", "M", form).stdout)
    assert run("solve", str(path), "-c", "SN", form).stdout == path.read_text()
    led = run("solve", str(path), "-c", "SN", "--leader", "R", form).stdout
    assert led == run("solve", SMALL, EXCHANGE, "-c", "SN", "--leader", "R", form).stdout
    assert run("exchange", str(path), "-c", "N", "--json").stdout.count('"seat":"F"') == 2


def test_two_leaders_of_a_deal_are_two_questions(tmp_path: Path) -> None:
    rows = [run("solve", SMALL, "-c", "N", "--leader", seat, "--csv").stdout.splitlines() for seat in "MR"]
    path = tmp_path / "answers.csv"
    path.write_text("\n".join([*rows[0], rows[1][1]]))
    answers = list(csv.DictReader(run("solve", str(path), "-c", "N", "--csv").stdout.splitlines()))
    assert [answer["leader"] for answer in answers] == ["M", "R"]


@pytest.mark.parametrize("leader", ["X", 7])
def test_a_leader_that_is_none(leader: object) -> None:
    line = json.dumps({"deal": SMALL, "leader": leader})
    assert run("solve", "-", stdin=line, code=3).stderr == f"<stdin>:1: leader {leader}: not a seat, seats are F M R\n"


@pytest.mark.parametrize(
    ("line", "message"),
    [
        (SMALL, "a deal, not a game that was played (a record, in JSON): solve says what it is worth"),
        (POSITION, "a position, not a game that was played (a record, in JSON): solve says what it is worth"),
        (json.dumps({"deal": SMALL, "leader": "M"}), "a deal, not a game that was played (a record, in JSON): solve"),
        (f"deal\n{SMALL}", "a deal, not a game that was played (a record, in JSON): solve says what it is worth"),
        ("garbage", "garbage: not a game that was played (a record, in JSON)"),
    ],
)
def test_analyse_says_what_a_deal_is_good_for(line: str, message: str) -> None:
    result = run("analyse", "-", stdin=line, code=3)
    assert message in result.stderr


@pytest.mark.parametrize("form", ["--csv", "--json"])
def test_dealt_is_solved(form: str) -> None:
    dealt = run("deal", "-n", "2", "--seed", "1", form).stdout
    assert len(objects(run("solve", "-", "-c", "N", "--json", stdin=dealt).stdout)) == 2
    semicolons = dealt.replace(",", ";") if form == "--csv" else dealt
    assert len(objects(run("solve", "-", "-c", "N", "--json", stdin=semicolons).stdout)) == 2


@pytest.mark.parametrize("command", [("solve", "-c", "N"), ("exchange", "-c", "N"), ("equilibria",)])
def test_the_text_ends_with_a_line_to_paste(command: tuple[str, ...]) -> None:
    asked = ("solve", "-c", "N", "--equilibria") if command == ("equilibria",) else command
    assert f"\n{EXCHANGE}\n" in run(*asked, EXCHANGE).stdout


# 5. The same in every command


def test_a_typo_has_a_suggestion() -> None:
    assert run("slove", code=2).stderr == "Error: slove: no such command; did you mean solve?\n"


def test_a_toss_up_is_called_one() -> None:
    text = run("contract", "--hand", "AKQ9.A.-.4", "--remaining", "SHDCN", "--samples", "4", "--seed", "1").stdout
    assert re.search(r"Name no trump, 0\.\d\d (±|\+-) 0\.\d\d ahead of spades: a toss-up\.", text)


@pytest.mark.parametrize(
    "arguments",
    [
        ("deal", "-n", "abc"),
        ("serve", "--port", "abc"),
        ("serve", "--queue", "abc"),
        ("solve", SMALL, "-t", "abc"),
        ("arena", "--deals", "abc"),
        ("contract", "AKQ9.A.-.4", "--samples", "abc"),
        ("check-rules", "x", "--examples", "abc"),
        ("bench", "--deals", "abc"),
        ("perft", SMALL, "--depth", "abc"),
    ],
)
def test_numbers_are_refused_in_the_same_words(arguments: tuple[str, ...]) -> None:
    error = run(*arguments, code=2).stderr.splitlines()[-1]
    assert "abc: must be a whole number" in error


@pytest.mark.parametrize(
    "command",
    [
        ("solve", str(DEAL)),
        ("solve", str(DEAL), "-c", "S", "--cards"),
        ("exchange", "--hand", "AKT973.A4.52.Q63", "-c", "M", "--samples", "1", "--seed", "1"),
        ("exchange", str(DEAL), "-c", "N"),
        ("contract", "--hand", "AKQ9.A.-.4", "--samples", "1", "--seed", "1"),
        ("sheet", "H 5-4-4", "M 2-6-5", "S 11-0-2", "--players", "Annemarie-Luise,Bartholomäus,Gela Zimmermann"),
        ("advise", "--hand", "AK2.AQ43.9.QJ982", "-c", "N", "--samples", "4"),
    ],
)
def test_tables_fit_a_terminal(command: tuple[str, ...]) -> None:
    lines = [line for line in run(*command).stdout.splitlines() if not line.startswith("F:")]
    assert max(map(len, lines)) <= 80


# 6. `sheet` from what people have


@pytest.mark.parametrize(
    "lines",
    ["H 5-4-4\nS 6-3-4", "contract,tricks\nH,5-4-4\nS,6-3-4", '{"contract":"H","tricks":[5,4,4]}\nS 6-3-4'],
)
def test_contract_and_tricks_are_enough(lines: str) -> None:
    assert "1 deal" not in (text := run("sheet", "-", stdin=lines).stdout)
    assert "2 of 18 deals" in text


# 10. In Python


def test_a_solution_shows_its_values() -> None:
    assert "N 2-0-0" in repr(SOLVER.solve(SMALL, "N"))


def test_many_deals_come_from_a_generator() -> None:
    deals = [Deal.random(seed) for seed in range(3)]
    found = mz.solve_many((deal for deal in deals), "N", threads=2)
    assert found[:, 0].tolist() == [list(SOLVER.solve(deal, "N")["N"].guaranteed) for deal in deals]


@pytest.mark.parametrize("library", ["pandas", "polars"])
def test_frames(library: str) -> None:
    pytest.importorskip(library)
    frame = SOLVER.solve(SMALL, "SN").to_frame(library)
    assert type(frame).__module__.startswith(library)
    assert list(frame["contract"]) == ["S", "N"]
    assert list(frame["guaranteed_F"]) == [2, 2]
