"""`mizerka advise`: records and views, what it refuses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from mizerka_solver import Contract, Deal, GameRecord, Seat
from mizerka_solver.bots import RuleBot, Table
from tests.cli import objects, process, run
from tests.test_bots import play_deal

TABLE = play_deal([RuleBot() for _ in range(3)], 4, (Contract.S,), stop=3 + 24)
RECORD = TABLE.record(("a", "b", "c")).to_json()
FEW = ("--samples", "6")


def test_the_next_card_of_a_record(tmp_path: Path) -> None:
    text = run("advise", RECORD, *FEW).stdout
    assert text.startswith(f"{TABLE.to_act.long_name} to play, holds ♠")
    assert "over 6 draws" in text
    (answer,) = objects(run("advise", RECORD, *FEW, "--json").stdout)
    cards = [card for choice in answer["choices"] for card in choice["card"]]
    assert sorted(cards) == sorted(map(str, TABLE.view().legal))
    assert answer["choices"][0]["behind"] == {"mean": 0.0, "se": 0.0}
    path = tmp_path / "one.jsonl"
    path.write_text(RECORD)
    assert run("advise", str(path), *FEW).stdout == text
    # What a bot gets is the same question.
    (other,) = objects(run("advise", json.dumps(TABLE.view().as_dict()), *FEW, "--json").stdout)
    assert other == answer


def test_advice_does_not_look_at_hidden_cards() -> None:
    """The deal with two hidden cards changed for each other gets the same answer."""
    seat = TABLE.to_act
    a, b = (next(iter(TABLE.hands[other])) for other in Seat if other is not seat)
    if a.suit is not b.suit:  # then somebody may not have followed; any two of a suit will do
        a, b = next((x, y) for x in TABLE.hands[seat.next] for y in TABLE.hands[seat.next.next] if x.suit is y.suit)
    # Unplayed cards of one suit: the play stays legal.
    deal = TABLE.deal
    swap = {a: b, b: a}
    hands = [type(hand).from_cards([swap.get(card, card) for card in hand]) for hand in deal.hands]
    twin = Table(type(deal).from_hands(hands, [swap.get(card, card) for card in deal.talon]), remaining=(Contract.S,))
    for discards in TABLE.discards:
        twin.exchange(discards)
    for card in TABLE.cards:
        twin.play(card)
    record = twin.record(("a", "b", "c")).to_json()
    assert record != RECORD
    assert run("advise", record, *FEW, "--json").stdout == run("advise", RECORD, *FEW, "--json").stdout


def test_other_decisions_of_a_record() -> None:
    assert "forehand to exchange" in run("advise", RECORD, *FEW, "--exchange", "F").stdout
    assert "rearhand to exchange" in run("advise", RECORD, *FEW, "--exchange", "r").stdout
    assert "forehand to play" in run("advise", RECORD, *FEW, "--at", "0").stdout
    text = run("advise", '{"type":"contract","seat":"F","hand":"AKQ9.A.-.4","remaining":"SH"}', *FEW).stdout
    assert "forehand to name a contract" in text
    assert text.splitlines()[2].split()[0] == "spades"
    assert b"+-" in process("advise", RECORD, *FEW, PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout


def test_what_the_search_bot_explains() -> None:
    (answer,) = objects(run("advise", "--hand", "AKQ9.A.-.4", "--samples", "200", "--json").stdout)
    assert sum(choice["best"] for choice in answer["choices"]) == pytest.approx(1, abs=1e-3)
    assert set(answer["others"]) == {"M", "R"}
    for other in answer["others"].values():
        assert sum(other["lengths"]) == pytest.approx(13, abs=0.05)
        assert not set(other["honours"]) & {"SA", "SK", "SQ", "HA"}, "forehand holds these"
    text = run("advise", "--hand", "AKQ9.A.-.4", "--samples", "200").stdout
    assert text.splitlines()[-2].startswith("middlehand about ♠ ")
    assert max(map(len, text.splitlines())) <= 80
    assert "and 52 more" in run("advise", "--hand", "AK2.AQ43.9.QJ982", "-c", "N", "--samples", "64").stdout


def test_the_sampling_bot_may_be_asked() -> None:
    (answer,) = objects(run("advise", RECORD, *FEW, "--json", "--bot", "sampling").stdout)
    assert "others" not in answer
    assert answer["choices"][0].keys() == {"card", "points", "behind"}
    assert "'rule'" in run("advise", RECORD, "--bot", "rule", code=2).stderr


def test_any_seed_will_do() -> None:
    assert "behind the best" in run("advise", RECORD, *FEW, "--seed", str(1 << 64)).stdout


def test_seeds_and_limits() -> None:
    first = run("advise", RECORD, *FEW, "--at", "3", "--json").stdout
    assert run("advise", RECORD, *FEW, "--at", "3", "--json", "--seed", "0").stdout == first
    assert run("advise", RECORD, *FEW, "--at", "3", "--json", "--seed", "1").stdout != first
    run("advise", RECORD, "--samples", "1000000", "--time-limit", "0.05")


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("nowhere",), "no such file"),
        (("{",), "not JSON"),
        (('{"type":"x"}',), "a view's type is one of"),
        (('{"type":"play","seat":"F","hand":"A..","contract":"N"}',), "a hand has 4 suits"),
        ((RECORD, "--at", "39"), "the record has 24 cards"),
        (('{"type":"contract","seat":"F","hand":"AKQJT9..."}', "--at", "1"), "are for records"),
    ],
)
def test_what_is_refused(arguments: tuple[str, ...], error: str) -> None:
    assert error in run("advise", *arguments, code=2).stderr


def test_a_finished_deal_has_no_decision() -> None:
    whole = play_deal([RuleBot() for _ in range(3)], 4).record(("a", "b", "c")).to_json()
    assert "the deal is over" in run("advise", whole, code=2).stderr


def test_many_decisions_a_faulty_one_in_its_place(tmp_path: Path) -> None:
    view = json.dumps(TABLE.view().as_dict())
    path = tmp_path / "many.jsonl"
    path.write_text(f'{RECORD}\n{{"type":"contract","seat":"F","hand":"AKQ.A.-.4"}}\n\nnonsense\n{view}\n')
    found = run("advise", str(path), *FEW, "--json", code=3)
    first, bad, nonsense, last = objects(found.stdout)
    assert first == last == objects(run("advise", RECORD, *FEW, "--json").stdout)[0]
    assert bad == {"error": f"{path}:2: hand AKQ.A.-.4: forehand sees 6 cards before naming, here 5", "line": 2}
    assert nonsense["line"] == 4
    assert nonsense["error"].startswith(f"{path}:4: not JSON")
    assert found.stderr.splitlines() == [bad["error"], nonsense["error"]]
    text = run("advise", str(path), *FEW, code=3).stdout
    titles = [line for line in text.splitlines() if "to play, holds" in line]
    assert [title.split(": ")[0] for title in titles] == [f"{path}:1", f"{path}:5"]
    # Records and views mixed: what is asked of records alone is an error of the view's line.
    at = run("advise", "-", *FEW, "--json", "--at", "3", stdin=f"{RECORD}\n{view}\n", code=3)
    assert [set(line) for line in objects(at.stdout)] == [{"seat", "type", "choices", "others"}, {"error", "line"}]


def test_short_deals_have_no_points_to_advise_by() -> None:
    deal = "F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-"
    record = GameRecord(("a", "b", "c"), Deal(deal), Contract.N).to_json()
    error = "deal: advice is for deals of 13 cards a hand, here 2"
    assert error in run("advise", record, *FEW, code=2).stderr
