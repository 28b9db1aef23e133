"""Texts wherever a value is taken: constructors, class methods, the rules; and what can't be meant is refused."""

from __future__ import annotations

from typing import Any

import pytest

from mizerka_solver.game import (
    Card,
    Contract,
    Deal,
    Game,
    GameRecord,
    Hand,
    Position,
    Seat,
    points,
    score_sheet,
    seat_points,
)
from mizerka_solver.support.errors import InvalidCardError, InvalidContractError, MizerkaError, RecordError

TEXT = "F:A2.-.-.- M:K3.-.-.- R:Q4.-.-.- T:H2"
DEAL = Deal(TEXT)
HUGE = 10**5000  # more digits than Python writes


def test_hands_and_cards_of_anything_that_names_them() -> None:
    assert Hand(["SA", Card("SK")]) == Hand(Hand("AK...")) == Hand(iter(["SK", "SA"])) == Hand("AK...")
    assert Card(Card("HT")) == Card("H10")
    assert Hand([]) == Hand("...")


def test_deals_and_positions_of_texts() -> None:
    assert Deal.from_hands(["A2...", ["SK", "S3"], Hand("Q4...")], "H2") == DEAL
    assert Deal.from_hands(["A2...", "K3...", "Q4..."], [Card("H2")]) == DEAL
    position = Position.from_hands(["A2...", "K...", "Q..."], "no trump", "middlehand", "S3,S4", [0, 1, 0])
    assert position == Position("F:A2... M:K... R:Q... N M S3,S4 0-1-0")
    assert (type(position.tricks_won), type(position.contract), type(position.leader)) == (tuple, Contract, Seat)
    assert DEAL.position("spades", "R") == Position("F:A2... M:K3... R:Q4... S R - 0-0-0")
    assert DEAL.after_exchange({"forehand": "S2"}) == Deal("F:A.2.-.- M:K3.-.-.- R:Q4.-.-.-")


def test_records_of_texts_are_the_records_of_values() -> None:
    values = GameRecord(
        ("a", "b", "c"), DEAL, Contract.N, ((Card("S2"),), (), ()), (Card("SA"), Card("S3")), (1, 1, 0), 7, (), None
    )
    assert GameRecord(["a", "b", "c"], TEXT, "no trump", ["S2", "", "-"], "SAS3", [1, 1, 0], 7) == values
    assert GameRecord({"R": "c", "M": "b", "F": "a"}, TEXT, 4, {"F": "S2"}, ["SA", "S3"], (1, 1, 0), 7) == values
    assert type(values.contract) is Contract
    assert eval(repr(values)) == values


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"contract": "x"}, "contract x: not a contract, contracts are S H D C N M"),
        ({"deal": "F:A... M:A... R:Q..."}, "deal SA: card held by both F and M"),
        ({"play": "SAX3"}, "play X3: not a card, write a suit S H D C and a rank 2-9 T J Q K A"),
        ({"exchange": {"Q": "S2"}}, "exchange Q: not a seat, seats are F M R"),
        ({"exchange": ["S9", "", ""]}, "exchange.F S9: discarded, but not held"),
        ({"preview": "K2..."}, "preview SK: seen before naming, but not dealt to F"),
        ({"preview": "A..."}, "preview A.-.-.-: forehand sees 2 cards before naming a contract, here 1"),
        ({"claimed": (HUGE, 0, 0)}, "tricks <int>-0-0: three trick counts sum to 2"),
    ],
)
def test_records_are_refused_with_the_field(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(RecordError) as info:
        GameRecord(**{"players": ("a", "b", "c"), "deal": TEXT, "contract": "N", **changes})
    assert str(info.value) == message


def test_rules_of_texts() -> None:
    assert seat_points("N", "F", 9) == seat_points(Contract.N, Seat.F, 9) == 2
    assert seat_points("mizerka", 2, 2.5) == 4.5
    assert points("hearts", [5, 4, 4]) == (-2, -1, 3)
    game = Game(["A", "B", "G"], 2).record("♥", [5, 4, 4])  # type: ignore[arg-type]
    assert game == Game(("A", "B", "G"), 2).record(Contract.H, (5, 4, 4))
    assert game.sheet[0].contract is Contract.H


WRONG: list[tuple[Any, tuple[Any, ...]]] = [
    (Card, (5,)),
    (Card, (None,)),
    (Hand, (5,)),
    (Hand, (None,)),
    (Hand, (b"AK...",)),
    (Hand, ([5],)),
    (Hand, ({"SA": 1},)),
    (Deal, (None,)),
    (Deal, (b"F:A...",)),
    (Position, (5,)),
    (Deal.from_hands, ("A2...",)),
    (Deal.from_hands, ([1, 2, 3],)),
    (Deal.from_hands, (5,)),
    (Deal.from_hands, (DEAL.hands, 5)),
    (DEAL.with_preview, (5,)),
    (DEAL.position, (None,)),
    (DEAL.position, ("N", 1.0)),
    (Position.from_hands, (DEAL.hands, "N", "F", (), "1-0-0")),
    (Position.from_hands, (DEAL.hands, "N", "F", (), (True, 0, 0))),
    (Position.from_hands, (DEAL.hands, "N", "F", (), (1.0, 0, 0))),
    (seat_points, (None, "F", 3)),
    (seat_points, ("N", None, 3)),
    (seat_points, ("N", "F", "3")),
    (points, ("N", "544")),
    (points, ("N", 13)),
    (Game, ("ABG",)),
    (Game, ((1, 2, 3),)),
    (Game(("A", "B", "G")).record, ("H", "5-4-4")),
    (Game(("A", "B", "G")).record, (None, (5, 4, 4))),
    (score_sheet, ("{}",)),
    (score_sheet, (["{}"],)),
    (GameRecord, ("abc", DEAL, "N")),
    (GameRecord, (("a", "b", 3), DEAL, "N")),
    (GameRecord, (("a", "b", "c"), 5, "N")),
    (GameRecord, (("a", "b", "c"), DEAL, None)),
    (GameRecord, (("a", "b", "c"), DEAL, "N", "S2")),
    (GameRecord, (("a", "b", "c"), DEAL, "N", ((), (), ()), 5)),
    (GameRecord, (("a", "b", "c"), DEAL, "N", ((), (), ()), (), "1-1-0")),
    (GameRecord, (("a", "b", "c"), DEAL, "N", ((), (), ()), (), None, 1.5)),
]


@pytest.mark.parametrize(("call", "arguments"), WRONG, ids=range(len(WRONG)))
def test_wrong_types_are_type_errors_in_a_sentence(call: Any, arguments: tuple[Any, ...]) -> None:
    with pytest.raises(TypeError) as info:
        call(*arguments)
    text = str(info.value)
    assert " not " in text or " are " in text or " is " in text or " must be " in text
    assert "object" not in text.split("'")
    assert "attribute" not in text


@pytest.mark.parametrize(
    ("call", "arguments", "kind"),
    [
        (DEAL.position, ("xyz",), InvalidContractError),
        (DEAL.position, ("N", "Q"), MizerkaError),
        (DEAL.position, (HUGE,), InvalidContractError),
        (DEAL.position, ("N", HUGE), MizerkaError),
        (DEAL.after_exchange, ({"Q": ["S2"]},), MizerkaError),
        (DEAL.after_exchange, ({"F": ["XX"]},), InvalidCardError),
        (Deal.random, (-HUGE,), MizerkaError),
        (points, ("N", (HUGE, 0, 0)), MizerkaError),
        (points, ("N", (13, 0)), MizerkaError),
        (Card.from_bit, (HUGE,), InvalidCardError),
        (Deal.from_hands, (["A...", "K..."],), MizerkaError),
        (Position.from_hands, (DEAL.hands, "N", "F", (), (HUGE, 0, 0)), MizerkaError),
    ],
    ids=range(12),
)
def test_wrong_values_are_errors_of_ours(call: Any, arguments: tuple[Any, ...], kind: type[MizerkaError]) -> None:
    with pytest.raises(kind) as info:
        call(*arguments)
    assert str(info.value).isprintable()


# What forehand saw first

SEEN = "F:J63.A7653.AJ4.53 M:QT52.KQ84.Q8.J86 R:A87.T9.T752.AKT4"
SIX = "3.63.AJ.3"


def test_a_preview_round_trips_in_deals_and_records() -> None:
    marked = Deal(f"{SEEN} P:{SIX}")
    assert marked.preview == Hand(SIX)
    assert str(marked) == f"{SEEN} P:{SIX}"
    assert eval(repr(marked)) == marked
    assert marked != Deal(SEEN) == marked.with_preview(None)
    assert hash(marked) == hash(Deal(SEEN).with_preview(SIX))
    assert Deal(f"{SEEN} P: ♠3 ♥63 ♦AJ ♣3") == marked
    assert Deal.random(7).preview is None
    record = GameRecord(("a", "b", "c"), marked, "N")
    assert (record.preview, record.deal, record.marked_deal) == (Hand(SIX), Deal(SEEN), marked)
    assert record == GameRecord(("a", "b", "c"), SEEN, "N", preview=SIX)
    assert f'"deal":"{SEEN}","preview":"{SIX}"' in record.to_json()
    assert GameRecord.from_json(record.to_json()) == record
    as_list = record.to_json().replace(f'"{SIX}"', '["S3","H6","H3","DA","DJ","C3"]')
    assert GameRecord.from_json(as_list) == record
    at_table = GameRecord.of_table(("a", "b", "c"), marked, Contract.N, ((), (), ()), (), (0, 0, 0))
    assert at_table == record
    assert "preview" not in GameRecord(("a", "b", "c"), SEEN, "N").to_json()


@pytest.mark.parametrize(
    ("preview", "rule"),
    [
        ("3.63.AJ.2", "P C2: seen before naming, but not dealt to F"),
        ("3.63.AJ.-", "P 3.63.AJ.-: forehand sees 6 cards before naming a contract, here 5"),
        ("J3.63.AJ.3", "P J3.63.AJ.3: forehand sees 6 cards before naming a contract, here 7"),
    ],
)
def test_a_preview_is_six_cards_of_forehand(preview: str, rule: str) -> None:
    with pytest.raises(MizerkaError) as info:
        Deal(f"{SEEN} P:{preview}")
    assert str(info.value) == rule
    with pytest.raises(RecordError, match=r"^preview "):
        GameRecord(("a", "b", "c"), SEEN, "N", preview=preview)


def test_a_preview_may_not_differ_from_the_deals() -> None:
    with pytest.raises(RecordError, match=r"preview J\.63\.AJ\.3: the deal says P:3\.63\.AJ\.3"):
        GameRecord(("a", "b", "c"), f"{SEEN} P:{SIX}", "N", preview="J.63.AJ.3")
    # After the exchange nobody asks what was seen first.
    assert Deal("F:A... M:K... R:Q... T:S2 P:A...").after_exchange({"F": "SA"}).preview is None
