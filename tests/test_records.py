"""Game records: JSON both ways, every check of the format and the rules with its message, garbage."""

from __future__ import annotations

import json
import pickle
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mizerka_solver.game.cards import Card, parse_cards
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.records import FIELDS, FORMAT, GameRecord, read_records, score_sheet
from mizerka_solver.game.rules import Contract, Variant, points
from mizerka_solver.support.errors import MizerkaError, RecordError
from tests.strategies import json_values, records

DEAL = "F:A2.3.-.- M:K3.4.-.- R:Q.5.6.- T:S9H9D9"


def data(**changes: object) -> dict[str, Any]:
    """A sound record of three tricks as JSON data, with `changes`; a change to None takes the field out."""
    base: dict[str, object] = {
        "format": FORMAT,
        "players": {"F": "bot-a", "M": "bot-b", "R": "bot-c"},
        "deal": DEAL,
        "contract": "N",
        "exchange": {"F": ["S2"], "M": [], "R": ["HQ"][:0]},
        "play": ["SA", "S3", "SQ", "S9", "SK"],
    }
    return {name: value for name, value in (base | changes).items() if value is not None}


def read(**changes: object) -> GameRecord:
    return GameRecord.from_json(json.dumps(data(**changes)))


def message(text: str) -> str:
    """The one error that reading one line gives."""
    ((number, error),) = read_records([text], "games.jsonl")
    assert number == 1
    assert isinstance(error, RecordError), error
    assert str(error).isprintable()
    return str(error).removeprefix("games.jsonl:1: ")


@given(records())
def test_record_round_trips(record: GameRecord) -> None:
    text = record.to_json()
    assert "\n" not in text
    assert GameRecord.from_json(text) == record
    assert GameRecord.from_json(text).to_json() == text
    assert hash(GameRecord.from_json(text)) == hash(record)
    names = {cls.__name__: cls for cls in (Card, Contract, Deal, GameRecord)}
    assert eval(repr(record), names) == record
    assert pickle.loads(pickle.dumps(record)) == record
    ((number, again),) = read_records([text.encode() + b"\n"])
    assert (number, again) == (1, record)


@given(records())
def test_record_agrees_with_its_play(record: GameRecord) -> None:
    positions = list(record.positions())
    assert len(positions) == len(record.play)
    for position, card in zip(positions, record.play, strict=True):
        assert card in position.legal_cards()
    last = record.final_position
    if positions:
        assert positions[0] == record.deal_after_exchange.position(record.contract)
        assert positions[-1].play(record.play[-1]) == last
    if last.is_over:
        assert record.claimed is None
        assert record.tricks == last.tricks_won
    else:
        assert record.tricks == record.claimed
    if record.tricks is not None and record.deal.hand_size == 13:
        assert record.points() == points(record.contract, record.tricks)
    else:
        assert record.points() is None


@given(st.dictionaries(st.text(st.characters(exclude_categories=["Cs"]), max_size=4), json_values(), max_size=3))
def test_further_fields_are_kept(extra: dict[str, Any]) -> None:
    extra = {name: value for name, value in extra.items() if name not in FIELDS}
    record = read(note=[1, "x"], **{k: v for k, v in extra.items() if v is not None and k != "note"})
    written = json.loads(record.to_json())
    assert written["note"] == [1, "x"]
    assert all(written[name] == value for name, value in extra.items() if value is not None and name != "note")
    assert GameRecord.from_json(record.to_json()) == record


def test_what_a_record_holds() -> None:
    record = read(id="evening-7")
    assert record.players == ("bot-a", "bot-b", "bot-c")
    assert record.exchange == (parse_cards("S2"), (), ())
    assert record.deal_after_exchange == Deal("F:A9.3.-.- M:K3.4.-.- R:Q.5.6.- T:H9D9")
    assert str(record.final_position) == "F:-.3.-.- M:-.4.-.- R:-.5.6.- N F S9,SK 1-0-0"
    assert record.tricks is None
    assert record.id == "evening-7"
    assert read(exchange=None, play=[]).exchange == ((), (), ())
    assert read(tricks={"F": 1, "M": 1, "R": 1}).tricks == read(tricks=[1, 1, 1]).tricks == (1, 1, 1)


def test_spellings_in_a_record() -> None:
    record = read(deal=DEAL.lower().replace(" ", "_"), contract="no trump", play=["as", "♠3"], exchange=None)
    assert (record.contract, record.play) == (Contract.N, parse_cards("SAS3"))


def test_points_are_checked() -> None:
    deal = str(Deal.random(3))
    record = GameRecord(("a", "b", "c"), Deal(deal), Contract.M, claimed=(2, 6, 5))
    written = json.loads(record.to_json())
    assert written["points"] == {"F": -1, "M": -1, "R": 2}
    assert GameRecord.from_json(json.dumps(written | {"points": [-1, -1, 2]})) == record
    assert message(json.dumps(written | {"points": [-1, -2, 3]})) == "points -1/-2/3: the tricks give -1/-1/2"
    del written["tricks"]
    assert message(json.dumps(written)) == "points -1/-1/2: the deal is unfinished: no points without tricks"
    small = Variant(3, 1, (1, 1, 1), (1, 1, 1))
    claimed = json.dumps(data(tricks=[2, 1, 0], points=[1, 0, -1]))
    assert message(claimed) == "points 1/0/-1: targets are for 13 cards a hand, here 3"
    ((_, again),) = read_records([claimed], variant=small)
    assert isinstance(again, GameRecord)
    assert again.points(small) == (1, 0, -1)


@pytest.mark.parametrize(
    ("changes", "expected"),
    [
        ({"format": "mizerka-game/2"}, 'format mizerka-game/2: expected "mizerka-game/1", here text'),
        ({"format": None}, 'format: expected "mizerka-game/1", here nothing'),
        ({"players": None}, "players: expected an object with F, M and R, here nothing"),
        ({"players": {"F": "a", "M": "b"}}, "players.R: missing"),
        ({"players": {"F": "a", "M": "b", "R": "c", "T": "d"}}, "players T: not a seat, seats are F M R"),
        ({"players": {"F": "a", "M": "", "R": "c"}}, "players.M '': a name is printable text, not empty"),
        ({"players": {"F": "a", "M": "b\n", "R": "c"}}, "players.M 'b\\n': a name is printable text, not empty"),
        ({"players": {"F": "a", "M": 1, "R": "c"}}, "players.M 1: expected text, here a number"),
        ({"deal": ["F"]}, "deal: expected text, here a list"),
        ({"deal": "F:A... M:A... R:K..."}, "deal SA: card held by both F and M"),
        ({"deal": "F:A... M:Z... R:K..."}, "deal.M Z: not a rank (spades), ranks are 2-9 T J Q K A"),
        ({"contract": "X"}, "contract X: not a contract, contracts are S H D C N M"),
        ({"contract": 4}, "contract 4: expected text, here a number"),
        ({"exchange": []}, "exchange: expected an object with F, M and R, here a list"),
        ({"exchange": {"F": [], "M": []}}, "exchange.R: missing"),
        ({"exchange": {"F": "S2", "M": [], "R": []}}, "exchange.F S2: expected a list of cards, here text"),
        ({"exchange": {"F": ["S2"], "M": ["X2"], "R": []}}, "exchange.M[0] X2: not a card, write a suit S H D C"),
        ({"exchange": {"F": ["S2"], "M": ["S2"], "R": []}}, "exchange.M S2: discarded, but not held"),
        ({"exchange": {"F": ["S2", "S2"], "M": [], "R": []}}, "exchange.F S2: discarded twice"),
        ({"exchange": {"F": ["S9"], "M": [], "R": []}}, "exchange.F S9: drawn in this exchange, it can't be discarded"),
        (
            {"exchange": {"F": ["S2", "H3"], "M": ["SK", "H4"], "R": []}},
            "exchange.M H4: 2 discards, but the talon has 1 cards left",
        ),
        ({"play": None}, "play: expected a list of cards, here nothing"),
        ({"play": "SA"}, "play SA: expected a list of cards, here text"),
        ({"play": ["SA", 3]}, "play[1] 3: expected text, here a number"),
        ({"play": ["SA", "SX"]}, "play[1] SX: not a card, write a suit S H D C"),
        ({"play": ["SA", "S3", "SQ", "S9", "H4"]}, "play[4] H4: revoke, M must follow spades"),
        ({"play": ["SA", "S3", "SQ", "S9", "S3"]}, "play[4] S3: M does not hold it"),
        ({"play": ["S2"]}, "play[0] S2: F does not hold it"),
        ({"play": ["SA", "S3", "SQ", "S9", "SK", "H5", "H4", "D6", "H3", "D9"]}, "play[9] D9: all cards are played"),
        ({"tricks": [1, 1, 2]}, "tricks 1-1-2: three trick counts sum to 3"),
        ({"tricks": [4, -1, 0]}, "tricks 4--1-0: three trick counts sum to 3"),
        ({"tricks": [0, 2, 1]}, "tricks 0-2-1: fewer than the 1-0-0 already won"),
        ({"tricks": [1, True, 1]}, "tricks.M: expected a whole number, here true or false"),
        ({"tricks": [1, 1.0, 1]}, "tricks.M 1.0: expected a whole number, here a number"),
        ({"tricks": [3, 0]}, "tricks: expected an object with F, M and R, here a list"),
        ({"tricks": "3-0-0"}, "tricks 3-0-0: expected an object with F, M and R, here text"),
        (
            {"play": ["SA", "S3", "SQ", "S9", "SK", "H5", "H4", "D6", "H3"], "tricks": [2, 1, 0]},
            "tricks 2-1-0: the play gives 1-2-0",
        ),
        ({"id": [1]}, "id: expected text or a whole number, here a list"),
        ({"id": True}, "id: expected text or a whole number, here true or false"),
    ],
)
def test_no_record(changes: dict[str, object], expected: str) -> None:
    told = message(json.dumps(data(**changes)))
    assert told == expected or (expected.endswith("S H D C") and told.startswith(expected))


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("{", "not JSON: Expecting property name enclosed in double quotes at column 2"),
        ("F:A... M:K... R:Q...", "not JSON: Expecting value at column 1"),
        ("[]", "a record is an object, here a list"),
        ("null", "a record is an object, here nothing"),
        ('"x"', "a record is an object, here text"),
        ("7", "a record is an object, here a number"),
        ("[" * 100_000, "nested deeper than 20"),
        ('{"a":' * 100_000, "nested deeper than 20"),
        ('{"a":' + "[" * 25 + "]" * 25 + "}", "nested deeper than 20"),
        ('{"a":NaN}', "NaN: not JSON: numbers are finite"),
        ('{"a":-Infinity}', "-Infinity: not JSON: numbers are finite"),
        ('{"a":1e999}', "1e999: not JSON: numbers are finite"),
        ('{"a":' + "9" * 5000 + "}", "not JSON: a number has too many digits"),
        ('{"a":1,"a":2}', "a: given twice"),
        (r'{"a":"\ud800"}', r"'\ud800': half a surrogate pair, which can't be written"),
    ],
)
def test_garbage(text: str, expected: str) -> None:
    assert message(text) == expected


def test_reading_goes_on_past_faults() -> None:
    good = read()
    bad = json.dumps(data(contract="Q"))
    lines: list[str | bytes] = [good.to_json(), "", "{", b"\xff", bad, good.to_json() + "\r\n"]
    found = [(n, value if isinstance(value, GameRecord) else str(value)) for n, value in read_records(lines, "g")]
    assert found == [
        (1, good),
        (3, "g:3: not JSON: Expecting property name enclosed in double quotes at column 2"),
        (4, "g:4: not UTF-8 text: byte 0xff at 0"),
        (5, "g:5: contract Q: not a contract, contracts are S H D C N M"),
        (6, good),
    ]


@given(st.recursive(st.none() | st.booleans() | st.floats() | st.text(max_size=3) | st.integers(), st.lists))
def test_any_field_value_is_read_or_refused_in_one_line(value: object) -> None:
    for name in FIELDS:
        ((_, result),) = read_records([json.dumps({**data(), name: value})])
        if isinstance(result, MizerkaError):
            assert str(result).isprintable()


def test_extra_fields_may_not_hide_known_ones() -> None:
    for extra, told in (((("play", "[]"),), "play: given twice"), ((("a", "1"), ("a", "2")), "a: given twice")):
        with pytest.raises(RecordError, match=f"^{told}$"):
            GameRecord(("a", "b", "c"), Deal(DEAL), Contract.N, extra=extra)
    one = GameRecord(("a", "b", "c"), Deal(DEAL), Contract.N, extra=(("b", "1"), ("a", "[1, 2]")))
    two = GameRecord(("a", "b", "c"), Deal(DEAL), Contract.N, extra=(("a", "[1,2]"), ("b", "1")))
    assert one == two


# The sheet of a game


def claimed(players: str, contract: str, tricks: tuple[int, int, int]) -> GameRecord:
    f, m, r = list(players)
    return GameRecord((f, m, r), Deal.random(1), Contract[contract], claimed=tricks)


def test_sheet_of_the_worked_example() -> None:
    played = [claimed("ABG", "H", (5, 4, 4)), claimed("BGA", "M", (2, 6, 5)), claimed("GAB", "S", (11, 0, 2))]
    game = score_sheet(played)
    assert game.players == ("A", "B", "G")
    assert [row.totals for row in game.sheet] == [(-2, -1, 3), (0, -2, 2), (-5, -1, 6)]
    assert game.next_dealer == "G"


def test_sheet_of_four_players() -> None:
    game = score_sheet([claimed("ABG", "H", (5, 4, 4)), claimed("BGH", "H", (5, 4, 4))])
    assert game.players == ("A", "B", "G", "H")
    assert [row.dealer for row in game.sheet] == ["H", "A"]


@pytest.mark.parametrize(
    ("second", "expected"),
    [
        (("GAB", "S", (5, 4, 4)), "deal 2: players G,A,B: the deal passes to the left, so B, G, A sit at F, M, R"),
        (("XYA", "S", (5, 4, 4)), "players A,B,G,X,Y: a game has 3 or 4 players"),
    ],
)
def test_no_sheet(second: tuple[str, str, tuple[int, int, int]], expected: str) -> None:
    with pytest.raises(RecordError) as info:
        score_sheet([claimed("ABG", "H", (5, 4, 4)), claimed(*second)])
    assert str(info.value) == expected


def test_no_sheet_of_unfinished_deals_or_contracts_named_twice() -> None:
    with pytest.raises(RecordError, match=r"^deal 1: the deal is unfinished, it has no result$"):
        score_sheet([GameRecord(("a", "b", "c"), Deal(DEAL), Contract.N)])
    with pytest.raises(RecordError, match="a score sheet needs at least one record"):
        score_sheet([])
    played = [claimed(seats, "H", (5, 4, 4)) for seats in ("ABG", "BGA", "GAB", "ABG")]
    with pytest.raises(RecordError, match=r"^deal 4: H: A has named hearts before"):
        score_sheet(played)
