"""Deals: text both ways, refusals, seeded dealing, the exchange in order."""

from __future__ import annotations

import pickle
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mizerka_solver.game.cards import ALL, Card, Hand, parse_cards
from mizerka_solver.game.deal import Deal, deal_seeded
from mizerka_solver.game.rules import Contract, Seat, Variant, deal_out, shuffled
from mizerka_solver.support.errors import IllegalExchangeError, InvalidDealError, MizerkaError
from tests.strategies import contracts, deals, exchanges, seats

RANDOM_0 = "F:AJ7652.AQ9.5.Q72 M:K4.64.AK943.AK53 R:QT8.K852.QJT62.6 T:D7HTHJCJS9C4C9C8D8S3H7H3CT"
SMALL = "F:A2.-.-.- M:K.3.-.- R:-.4.5.- T:S4HKD2"


@given(deals())
def test_deal_round_trips(deal: Deal) -> None:
    assert Deal(str(deal)) == Deal.parse(str(deal)) == deal
    assert eval(repr(deal)) == deal
    assert hash(Deal(str(deal))) == hash(deal)
    assert pickle.loads(pickle.dumps(deal)) == deal
    assert Deal.from_hands(deal.hands, deal.talon) == deal
    assert deal.masks == tuple(hand.mask for hand in deal.hands)
    assert {len(hand) for hand in deal.hands} == {deal.hand_size}


def test_spellings_of_one_deal() -> None:
    deal = Deal(SMALL)
    for text in (
        "F:A2... M:K.3.. R:.4.5. T:S4HKD2",
        "f:a2.-.-.-_m:k.3.-.-_r:-.4.5.-_t:s4hkd2",
        "  F:2A.-.-.-   M:K.3.-.- R:-.4.5.- \t T:4SKH2D\n",
        "F:A2.-.-.- M:K.3.-.- R:-.4.5.- T:♠4,♥K,2♦",
    ):
        assert Deal(text) == deal
    assert str(Deal("F:A2... M:K.3.. R:.4.5.")) == "F:A2.-.-.- M:K.3.-.- R:-.4.5.-"
    assert Deal("F:A2... M:K.3.. R:.4.5. T:-") == Deal("F:A2... M:K.3.. R:.4.5. T:") == Deal("F:A2... M:K.3.. R:.4.5.")
    assert "♠A2" in deal._repr_html_()
    assert "♠4 ♥K ♦2" in deal._repr_html_()


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "F '': expected F:<hand>"),
        ("F:A...", "M '': expected M:<hand>"),
        ("M:A... F:K... R:Q...", "F M:A...: expected F:<hand>"),
        ("F:A... M:K... R:Q... X:S2", "T X:S2: expected T:<cards in draw order>"),
        ("F:A... M:K... R:Q... T:S2 N", "N: nothing comes after the talon"),
        ("F:A... M:AK... R:Q...", "SA: card held by both F and M"),
        ("F:A2... M:KQ... R:J2...", "S2: card held by both F and R"),
        ("F:A... M:K... R:QJ...", "unequal hands: F 1, M 1, R 2 cards"),
        ("F:... M:... R:...", "0: a hand has 1 to 17 cards"),
        ("F:A... M:K... R:Q... T:HASQ", "T SQ: talon card is also held by R"),
        ("F:A... M:K... R:Q... T:H2H2", "T H2: card given twice"),
        ("F:A... M:K... R:Q... T:S1", "T S1: not a card, write a suit S H D C and a rank 2-9 T J Q K A"),
        ("F:A... M:K.Z.. R:Q...", "M Z: not a rank (hearts), ranks are 2-9 T J Q K A"),
        ("F:A.. M:K... R:Q...", "F A..: a hand has 4 suits S.H.D.C separated by dots, here 3"),
        ("F:AA... M:K... R:Q...", "F SA: card given twice"),
        ("F:" + "A" * 1000, "a deal or position has at most 1000 characters, here 1002"),
    ],
)
def test_no_deal(text: str, message: str) -> None:
    with pytest.raises(MizerkaError) as info:
        Deal(text)
    assert str(info.value) == message


def test_a_deal_has_three_hands() -> None:
    with pytest.raises(InvalidDealError, match="a deal has 3 hands, here 2"):
        Deal.from_hands([Hand("A..."), Hand("K...")])


def test_a_talon_has_different_cards() -> None:
    with pytest.raises(InvalidDealError, match=r"^T H2: card given twice$"):
        Deal.from_hands([Hand("A..."), Hand("K..."), Hand("Q...")], [Card("H2"), Card("H2")])


@given(st.text(max_size=30) | st.text(alphabet="FMRT:.AKQ2SH_- ", max_size=40))
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    try:
        told = str(Deal(text))
    except MizerkaError as error:
        told = str(error)
    assert told.isprintable()


@given(st.integers(0, 2**64))
def test_seeded_deals_are_the_dealt_pack(seed: int) -> None:
    deal, previews = deal_seeded(seed)
    assert deal == Deal.random(seed) == Deal.random(Random(seed))
    hands, talon = deal_out(shuffled(seed))
    assert deal.talon == talon
    assert set(deal.talon).union(*deal.hands) == set(ALL)
    for seat in Seat:
        assert list(deal.hands[seat]) == list(Hand.from_cards(hands[seat]))
        assert previews[seat] == Hand.from_cards(hands[seat][:6])


def test_seeded_deals_stay_the_same() -> None:
    assert str(Deal.random(0)) == RANDOM_0
    small = Deal.random(0, Variant(2, 1, (1, 1, 0), (0, 1, 1)))
    assert small.hand_size == 2
    assert len(small.talon) == 46


@given(deals(), st.data())
def test_exchange_is_in_order(deal: Deal, data: st.DataObject) -> None:
    discards = dict(zip(Seat, data.draw(exchanges(deal), label="discards"), strict=True))
    after = deal.after_exchange(discards)
    n = sum(map(len, discards.values()))
    assert after.talon == deal.talon[n:]
    top = 0
    for seat in Seat:
        drawn = deal.talon[top : top + len(discards[seat])]
        top += len(drawn)
        assert set(after.hands[seat]) == (set(deal.hands[seat]) - set(discards[seat])) | set(drawn)


def test_exchange_without_entries_changes_nothing() -> None:
    deal = Deal(SMALL)
    assert deal.after_exchange({}) == deal
    assert deal.after_exchange({Seat.R: parse_cards("H4")}) == Deal("F:A2... M:K.3.. R:4..5. T:HKD2")


@pytest.mark.parametrize(
    ("discards", "message"),
    [
        ({Seat.M: "S2"}, "M S2: discarded, but not held"),
        ({Seat.F: "SA", Seat.M: "HK"}, "M HK: drawn in this exchange, it can't be discarded"),
        ({Seat.F: "SAS2", Seat.M: "SKH3"}, "M H3: 2 discards, but the talon has 1 cards left"),
    ],
)
def test_exchange_refusals(discards: dict[Seat, str], message: str) -> None:
    with pytest.raises(IllegalExchangeError) as info:
        Deal(SMALL).after_exchange({seat: parse_cards(text) for seat, text in discards.items()})
    assert str(info.value) == message


@given(deals(), contracts(), seats())
def test_position_of_a_deal(deal: Deal, contract: Contract, leader: Seat) -> None:
    position = deal.position(contract, leader)
    assert (position.hands, position.contract, position.leader) == (deal.hands, contract, leader)
    assert (position.trick, position.tricks_won, position.to_move) == ((), (0, 0, 0), leader)
    assert position.tricks_left == position.hand_size == deal.hand_size


def test_a_deal_is_immutable() -> None:
    with pytest.raises(AttributeError, match="immutable"):
        Deal(SMALL).talon = (Card("SA"),)  # type: ignore[misc]
