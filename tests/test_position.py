"""Positions: text both ways, play and undo, every refusal, invariants of legal play."""

from __future__ import annotations

import pickle

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mizerka_solver.game.cards import ALL, Card, Hand
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.support.errors import IllegalCardError, InvalidPositionError, MizerkaError
from tests.strategies import cards, positions

START = "F:A.2.-.- M:K3.-.-.- R:-.54.-.- N F - 0-0-0"


@given(positions())
def test_position_round_trips(position: Position) -> None:
    assert Position(str(position)) == Position.parse(str(position)) == position
    assert eval(repr(position)) == position
    assert hash(Position(str(position))) == hash(position)
    assert pickle.loads(pickle.dumps(position)) == position
    again = Position.from_hands(position.hands, position.contract, position.leader, position.trick, position.tricks_won)
    assert again == position
    assert position.masks == tuple(hand.mask for hand in position.hands)


@given(positions())
def test_play_and_undo(position: Position) -> None:
    assert position.status() == []
    assert position.is_over == (not position.legal_cards())
    for card in position.legal_cards():
        after = position.play(card)
        assert after == position.play_unchecked(card)
        assert after.status() == []
        assert after.undo() is position
        assert after.hand_size == position.hand_size
        if len(position.trick) == 2:
            assert after.trick == ()
            assert sum(after.tricks_won) == sum(position.tricks_won) + 1
            assert after.tricks_won[after.leader] == position.tricks_won[after.leader] + 1
        else:
            assert after.trick == (*position.trick, card)
            assert after.to_move is position.to_move.next


@given(positions(), cards())
def test_play_refuses_what_is_not_legal(position: Position, card: Card) -> None:
    if card in position.legal_cards():
        return
    with pytest.raises(IllegalCardError) as info:
        position.play(card)
    if position.is_over:
        assert str(info.value) == f"{card}: all cards are played"
    elif card not in position.hands[position.to_move]:
        assert str(info.value) == f"{card}: {position.to_move} does not hold it"
    else:
        led = position.trick[0].suit.long_name
        assert str(info.value) == f"{card}: revoke, {position.to_move} must follow {led}"


@given(positions(min_left=1), st.sampled_from(ALL))
def test_status_tells_unchecked_nonsense(position: Position, card: Card) -> None:
    if card in position.legal_cards() or len(position.trick) == 2:
        return
    after = position.play_unchecked(card)
    revoke = card in position.hands[position.to_move]
    assert any("revoke" in line if revoke else "does not fit leader" in line for line in after.status())
    with pytest.raises(MizerkaError):  # a card twice in the trick is found by the parser already
        Position(str(after))


def test_undo_needs_a_past() -> None:
    with pytest.raises(MizerkaError, match="nothing to undo"):
        Position(START).undo()


def test_undo_survives_pickling_and_whole_deals() -> None:
    position = start = Position("F:AKQ... M:.AKQ.. R:..AKQ. S F - 0-0-0")
    while not position.is_over:
        position = position.play(position.legal_cards()[0])
    assert str(position) == "F:-.-.-.- M:-.-.-.- R:-.-.-.- S F - 3-0-0"
    position = pickle.loads(pickle.dumps(position))
    for _ in range(9):
        position = position.undo()
    assert position == start


def test_a_trick_passes_the_lead() -> None:
    position = Position(START)
    for text, to_move in (("H2", "M"), ("S3", "R"), ("H5", "R")):
        position = position.play(Card(text))
        assert position.to_move.name == to_move
    assert str(position) == "F:A.-.-.- M:K.-.-.- R:-.4.-.- N R - 0-0-1"


def test_spellings_of_one_position() -> None:
    position = Position("F:T.2.-.- M:K3.-.-.- R:-.4.-.- N R H5 0-0-1")
    for text in (
        "f:t.2.. m:k3... r:.4.. n r h5 0-0-1",
        "F:10.2.-.-_M:K3.-.-.-_R:-.4.-.-_N_R_♥5_0-0-1",
        " F:T.2.-.- M:3K.-.-.-  R:-.4.-.- NT R 5H 00-0-1",
    ):
        assert Position(text) == position
    mid = Position("F:-.2.-.- M:K.-.-.- R:-.54.-.- N F SA,S3 0-0-0")
    assert Position("F:-.2.-.- M:K.-.-.- R:-.54.-.- N F SAS3 0-0-0") == mid
    assert "NT, F leads ♠A ♠3, won 0-0-0" in mid._repr_html_()


def test_mizerka_and_middlehand_share_a_letter() -> None:
    position = Position("F:A... M:K... R:Q... M M - 0-0-0")
    assert (position.contract, position.leader) == (Contract.M, Seat.M)


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("F:A... M:K... R:Q...", "'': after the hands come contract, leader, current trick and tricks won"),
        ("F:A... M:K... R:Q... N F -", "'N F -': after the hands come contract, leader, current trick and tricks won"),
        ("F:A... M:K... R:Q... X F - 0-0-0", "contract X: not a contract, contracts are S H D C N M"),
        ("F:A... M:K... R:Q... N T - 0-0-0", "leader T: not a seat, seats are F M R"),
        ("F:A... M:K... R:Q... N F S 0-0-0", "trick S: not a card, write a suit S H D C and a rank 2-9 T J Q K A"),
        ("F:A... M:K... R:Q... N F - 0-0", "tricks won 0-0: tricks won are three counts F-M-R such as 3-0-2"),
        ("F:A... M:K... R:Q... N F - 1--1-0", "tricks won 1--1-0: tricks won are three counts F-M-R such as 3-0-2"),
        ("F:A... M:K... R:Q... N F - ٣-0-0", "tricks won ٣-0-0: tricks won are three counts F-M-R such as 3-0-2"),
        ("F:A... M:K... R:Q... N F - 9-7-1", "tricks won 9-7-1: 17 tricks won and 1 left are more than 17"),
        (
            "F:A... M:K... R:Q... N F - 0-2-1",
            "tricks won 0-2-1: F leads, so it has won the last trick, but it has won none",
        ),
        ("F:A... M:A... R:Q... N F - 0-0-0", "SA: card held by both F and M"),
        ("F:A... M:K... R:QJ... N F - 0-0-0", "unequal hands: F 1, M 1, R 2 cards"),
        (
            "F:A2... M:K... R:QJ... N F SJ 0-0-0",
            "trick SJ: card is also held by R",
        ),
        (
            "F:A... M:K4... R:QJ... N M H3 0-0-0",
            "trick H3: the trick does not fit leader M: M must hold one card fewer (F 1, M 2, R 2 cards)",
        ),
        (
            "F:A... M:KQ... R:JT... N F H3,H4 0-0-0",
            "trick H3,H4: the trick does not fit leader F: F and M must hold one card fewer (F 1, M 2, R 2 cards)",
        ),
        (
            "F:A... M:K... R:Q... N F H3 0-0-0",
            "trick H3: the trick does not fit leader F: F must hold one card fewer (F 1, M 1, R 1 cards)",
        ),
        (
            "F:... M:... R:... N F H3,H4 0-0-0",
            "trick H3,H4: the trick does not fit leader F: F and M must hold one card fewer (F 0, M 0, R 0 cards)",
        ),
        ("F:A... M:K... R:QJ... N F H3,H3 0-0-0", "trick H3: card given twice"),
        (
            "F:A... M:K... R:Q... N F S2,S3,S4 0-0-0",
            "trick S2,S3,S4: a current trick has 0 to 2 cards, a third completes it",
        ),
        ("F:A... M:K... R:QJ... N F S2,H4 0-0-0", "trick H4: revoke, M must follow spades"),
    ],
)
def test_no_position(text: str, message: str) -> None:
    with pytest.raises(MizerkaError) as info:
        Position(text)
    assert str(info.value) == message


def test_status_names_every_problem() -> None:
    hands = [Hand("A..."), Hand("AK..."), Hand("Q...")]
    position = Position.from_hands(hands, Contract.N, Seat.F, (), (0, 17, 1), check=False)
    assert position.status() == [
        "SA: card held by both F and M",
        "unequal hands: F 1, M 2, R 1 cards",
        "tricks won 0-17-1: 18 tricks won and 1 left are more than 17",
        "tricks won 0-17-1: F leads, so it has won the last trick, but it has won none",
    ]
    with pytest.raises(InvalidPositionError, match=r"^SA: card held by both F and M$"):
        Position.from_hands(hands, Contract.N)


def test_the_end_is_a_position() -> None:
    over = Position("F:... M:... R:... N F - 5-4-4")
    assert over.is_over
    assert (over.tricks_left, over.hand_size, over.legal_cards()) == (0, 13, ())
    with pytest.raises(IllegalCardError, match=r"^SA: all cards are played$"):
        over.play(Card("SA"))


def test_a_position_is_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        Position(START).leader = Seat.M  # type: ignore[misc]
