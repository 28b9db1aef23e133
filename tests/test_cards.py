"""Cards and hands: encoding, text both ways, tolerated spellings, refusals."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mizerka_solver.game.cards import ALL, ALL_CARDS, RANK_LETTERS, Card, Hand, Suit, parse_cards
from mizerka_solver.support.errors import InvalidCardError, InvalidHandError, MizerkaError, quoted
from tests.strategies import cards, hands, suits


def test_encoding_is_the_drawn_one() -> None:
    assert [Card(text).bit for text in ("S2", "SA", "H2", "D2", "C2", "CA")] == [0, 12, 16, 32, 48, 60]
    assert ALL_CARDS == 0x1FFF_1FFF_1FFF_1FFF
    assert [str(card) for card in ALL[:3]] == ["SA", "SK", "SQ"]
    assert len(set(ALL)) == 52
    assert [(suit.name, suit.value) for suit in Suit] == [("S", 0), ("H", 1), ("D", 2), ("C", 3)]


@given(cards())
def test_card_round_trips(card: Card) -> None:
    assert Card(str(card)) is card
    assert eval(repr(card)) is card
    assert Card.from_bit(card.bit) is card
    assert pickle.loads(pickle.dumps(card)) is card
    assert card.bit == 16 * card.suit + card.rank
    assert card.mask == 1 << card.bit


@given(cards())
def test_card_spellings(card: Card) -> None:
    suit, rank = list(str(card))
    ten = "10" if rank == "T" else rank
    spellings = [rank + suit, suit + ten, ten + suit, suit.lower() + rank.lower(), rank.lower() + suit]
    spellings += [card.pretty, ten + card.suit.symbol, card.suit.symbol + "\ufe0f" + rank]
    assert {Card(text) for text in spellings} == {card}


@given(cards(), cards())
def test_cards_are_ordered_by_bit(a: Card, b: Card) -> None:
    assert (a < b, a == b, a > b) == (a.bit < b.bit, a.bit == b.bit, a.bit > b.bit)
    assert (hash(a) == hash(b)) or a != b


@pytest.mark.parametrize(
    "text", ["", "S", "A", "S1", "S11", "SAA", "XA", "AA", "SS", " SA", "S A", "SA\n", "ſA", "Aſ", "٢S"]
)
def test_no_card(text: str) -> None:
    with pytest.raises(InvalidCardError) as info:
        Card(text)
    assert str(info.value) == f"{quoted(text)}: not a card, write a suit S H D C and a rank 2-9 T J Q K A"


@pytest.mark.parametrize("bit", [-1, 13, 15, 29, 61, 64])
def test_no_card_of_bit(bit: int) -> None:
    with pytest.raises(InvalidCardError, match=f"^{bit}: no card has this bit"):
        Card.from_bit(bit)


def test_values_are_immutable() -> None:
    for value in (Card("SA"), Hand("A.-.-.-")):
        with pytest.raises(AttributeError, match="immutable"):
            value.suit = None  # type: ignore[misc]


@given(st.lists(cards(), unique=True))
def test_rows_of_cards_round_trip(row: list[Card]) -> None:
    expected = tuple(row)
    assert parse_cards("".join(map(str, row))) == expected
    assert parse_cards(",".join(map(str, row))) == expected
    assert parse_cards("".join(str(card)[::-1].replace("T", "10") for card in row).lower()) == expected


def test_rows_of_cards_refused() -> None:
    rule = "not a card, write a suit S H D C and a rank 2-9 T J Q K A"
    for text, message in {
        "SASX": f"SX: {rule}",
        "SA.HK": f".H: {rule}",
        "SAH1": f"H1: {rule}",
        "S": f"S: {rule}",
        "SAHKSA": "SA: card given twice",
        "SA,": "SA,: a comma must be between two cards",
    }.items():
        with pytest.raises(InvalidCardError) as info:
            parse_cards(text)
        assert str(info.value) == message
    assert parse_cards("") == parse_cards("-") == ()


@given(hands())
def test_hand_round_trips(hand: Hand) -> None:
    text = str(hand)
    assert Hand(text) == hand
    assert eval(repr(hand)) == hand
    assert hash(Hand(text)) == hash(hand)
    assert pickle.loads(pickle.dumps(hand)) == hand
    assert Hand.from_mask(hand.mask) == Hand.from_cards(hand) == hand
    assert Hand(text.lower().replace("-", "").replace("t", "10")) == hand


@given(hands(), suits(), cards())
def test_hand_agrees_with_its_cards(hand: Hand, suit: Suit, card: Card) -> None:
    held = list(hand)
    assert held == sorted(held, key=lambda c: (c.suit, -c.rank))
    assert len(hand) == len(set(held)) == hand.mask.bit_count()
    assert sum(c.mask for c in held) == hand.mask
    assert hand.suit_length(suit) == len([c for c in held if c.suit is suit]) == len(hand.ranks(suit))
    assert (card in hand) == (card in held)


def test_hand_text_is_pbn_order() -> None:
    hand = Hand("9TKA.QJ.-.98753")
    assert str(hand) == "AKT9.QJ.-.98753"
    assert hand.pretty == "♠AKT9 ♥QJ ♦- ♣98753"
    assert str(Hand("...")) == "-.-.-.-"
    assert "SA" not in hand  # a text is no card
    assert [hand.ranks(suit) for suit in Suit] == ["AKT9", "QJ", "", "98753"]


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("AK.Q.J", "AK.Q.J: a hand has 4 suits S.H.D.C separated by dots, here 3"),
        ("", "'': a hand has 4 suits S.H.D.C separated by dots, here 1"),
        ("A.K.Q.J.T", "A.K.Q.J.T: a hand has 4 suits S.H.D.C separated by dots, here 5"),
        ("AK.QX.-.-", "X: not a rank (hearts), ranks are 2-9 T J Q K A"),
        ("-A.-.-.-", "-: not a rank (spades), ranks are 2-9 T J Q K A"),
        ("-.-.1.-", "1: not a rank (diamonds), ranks are 2-9 T J Q K A"),
        ("AKA.-.-.-", "SA: card given twice"),
        ("-.-.-.T10", "CT: card given twice"),
    ],
)
def test_no_hand(text: str, message: str) -> None:
    with pytest.raises(InvalidHandError) as info:
        Hand(text)
    assert str(info.value) == message


@pytest.mark.parametrize("mask", [-1, 1 << 13, 1 << 64])
def test_no_hand_of_mask(mask: int) -> None:
    with pytest.raises(InvalidHandError, match="mask has bits that are no cards"):
        Hand.from_mask(mask)


def test_no_hand_of_equal_cards() -> None:
    with pytest.raises(InvalidHandError, match=r"^SA: card given twice$"):
        Hand.from_cards([Card("SA"), Card("SA")])


@given(st.text(max_size=12) | st.text(alphabet="SHDC.-,10 " + RANK_LETTERS, max_size=12))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    for read in (Card, Hand, parse_cards):
        try:
            told = str(read(text))
        except MizerkaError as error:
            told = str(error)
        assert told.isprintable()


def test_errors_are_cut_and_keep_their_parts() -> None:
    error = InvalidCardError("rule", token="x" * 100, field="F").at(field="deal", where="a:1")
    assert str(error) == f"a:1: deal.F {'x' * 39}…: rule"
    assert isinstance(error, InvalidCardError)
    again = pickle.loads(pickle.dumps(error))
    assert (str(again), again.field, again.where) == (str(error), "deal.F", "a:1")
    assert isinstance(error, ValueError)
