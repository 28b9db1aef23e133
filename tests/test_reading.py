"""Hands and deals as people write them: a page of them, what can't be told apart, and any text at all."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import NamedTuple

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mizerka_solver.game.cards import Card, Hand, Suit, parse_cards
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.notation import parse_line, read_lines, read_things
from mizerka_solver.game.position import Position
from mizerka_solver.reading.explain import explain
from mizerka_solver.support.errors import InvalidCardError, InvalidDealError, InvalidHandError, MizerkaError
from tests.cli import run
from tests.strategies import deals, hands, positions

CASES = Path(__file__).parent / "cases" / "handwriting.txt"


class Case(NamedTuple):
    title: str
    text: str
    mark: str
    expected: str


def cases() -> list[Case]:
    found = []
    for block in CASES.read_text(encoding="utf-8").split("\n== ")[1:]:
        title, *lines = block.strip().splitlines()
        mark, _, expected = lines[-1].partition(" ")
        found.append(Case(title, "\n".join(lines[:-1]), mark, expected))
    return found


PAGE = cases()


def read(case: Case) -> Hand | Deal | Position:
    """A deal or position if one is expected, or was refused as one; else a hand."""
    is_deal = "F:" in case.expected or any(mark in case.text for mark in ("F:", "M:", "leads"))
    return parse_line(case.text) if is_deal else Hand(case.text)


@pytest.mark.parametrize("case", PAGE, ids=[case.title for case in PAGE])
def test_handwriting(case: Case) -> None:
    if case.mark == "=>":
        assert str(read(case)) == case.expected
        return
    assert case.mark == "=!"
    with pytest.raises(MizerkaError) as info:
        read(case)
    assert case.expected in str(info.value)
    assert str(info.value).isprintable()


@pytest.mark.parametrize("case", [case for case in PAGE if "F:" in case.expected and case.mark == "=>"])
def test_handwriting_in_a_file(case: Case) -> None:
    """Two of them, one after the other, and a usual deal before and after: four values, each at its first line."""
    usual = "F:A... M:K... R:Q..."
    lines = [usual, *case.text.splitlines(), "", *case.text.splitlines(), "", usual]
    n = len(case.text.splitlines())
    found = [(number, str(value)) for number, value in read_lines(lines, "x")]
    short = "F:A.-.-.- M:K.-.-.- R:Q.-.-.-"
    assert found == [(1, short), (2, case.expected), (n + 3, case.expected), (2 * n + 4, short)]


def test_the_page_is_long_enough() -> None:
    assert len(PAGE) >= 40
    assert sum(case.mark == "=!" for case in PAGE) >= 12


# Whatever is written in another shape is read back

LETTERS = {"German": "23456789TBDKA", "Polish": "23456789TWDKA", "Russian": "23456789TВДКТ", "English": "23456789TJQKA"}
WORDS = {"German": ("Pik", "Herz", "Karo", "Kreuz"), "Polish": ("pik", "kier", "karo", "trefl")}


def ranks(hand: Hand, suit: Suit, language: str, blank: str) -> str:
    own = dict(zip("23456789TJQKA", LETTERS[language], strict=True))
    cards = ["10" if rank == "T" else own[rank] for rank in hand.ranks(suit)]
    return blank.join(cards) or "-"


@st.composite
def shapes(draw: st.DrawFn) -> tuple[str, str]:
    """A language and a way to write a hand: which signs, what stands behind them, what between the cards."""
    language = draw(st.sampled_from(sorted(LETTERS)))
    marks = draw(st.sampled_from(["♠♥♦♣", "SHDC:", "words"]))
    return language, marks


def written(hand: Hand, language: str, marks: str, order: list[Suit], blank: str) -> str:
    if marks == "words":
        names = WORDS.get(language, ("spades", "hearts", "diamonds", "clubs"))
        return " ".join(f"{names[suit]} {ranks(hand, suit, language, blank)}" for suit in order)
    colon = ":" if marks.endswith(":") else ""
    return " ".join(f"{marks[suit]}{colon}{ranks(hand, suit, language, blank)}" for suit in order)


ORDERS = st.permutations(list(Suit))
BLANKS = st.sampled_from(["", " ", ",", ", "])


@given(hands(), shapes(), ORDERS, BLANKS)
def test_hands_of_every_shape_are_read_back(hand: Hand, shape: tuple[str, str], order: list[Suit], blank: str) -> None:
    assert Hand(written(hand, *shape, order, blank)) == hand


@given(deals(), shapes(), ORDERS, BLANKS, st.sampled_from([" ", "\n", ", "]))
def test_deals_of_every_shape_are_read_back(
    deal: Deal, shape: tuple[str, str], order: list[Suit], blank: str, between: str
) -> None:
    texts = [f"{seat}: {written(hand, *shape, order, blank)}" for seat, hand in zip("FMR", deal.hands, strict=True)]
    assert Deal(between.join(texts)) == Deal.from_hands(deal.hands)
    assert explain(between.join(texts)).text == str(Deal.from_hands(deal.hands))


@given(deals() | positions())
def test_the_usual_spelling_is_explained_as_itself(value: Deal | Position) -> None:
    assert explain(str(value)).text == str(value)


@given(deals())
def test_a_printed_deal_is_read_back(deal: Deal) -> None:
    names = ("F forehand ", "M middlehand", "R rearhand ")
    rows = [f"  {name}  {hand.pretty}" for name, hand in zip(names, deal.hands, strict=True)]
    rows += [f"  T talon       {' '.join(card.pretty for card in deal.talon)}"] if deal.talon else []
    table = [
        "Deal, F leads",
        *rows,
        "",
        "       F    M    R",
        "  N   no trump ≥3 ≥4 ≥3",
        "",
        "tricks: what it is",
        str(deal),
    ]
    assert Deal("\n".join(table)) == deal
    assert list(read_lines([*table, "F:A... M:K... R:Q..."])) == [
        (1, deal),
        (len(table) + 1, Deal("F:A... M:K... R:Q...")),
    ]


def test_a_ten_before_the_talon_is_a_card() -> None:
    deal = Deal("F:2.-.-.- M:3.-.-.- R:-.-.-.T T:S4")
    assert explain(str(deal)).text == str(deal)


def test_the_cards_seen_first_are_printed_and_read_back() -> None:
    deal = Deal.random(7).with_preview(list(Deal.random(7).hands[0])[:6])
    printed = run("solve", str(deal), "-c", "N").stdout
    assert "P preview" in printed
    assert Deal(printed[: printed.index("tricks")]) == deal


# What is never read otherwise than before


def test_rows_of_cards_keep_their_meaning() -> None:
    assert Hand("SAH3D9") == Hand("A.3.9.-")
    assert Hand("SAKH") == Hand("A.K.-.-")
    assert parse_cards("4SKH2D") == parse_cards("S4HKD2")
    with pytest.raises(InvalidHandError):
        Hand("♠ A K ♥")  # not the ace of spades and the king of hearts


def test_cards_of_other_languages() -> None:
    assert [Card("♠Д"), Card("SB"), Card("SD"), Card("DD"), Card("W♥")] == [
        Card("SQ"),
        Card("SJ"),
        Card("SQ"),
        Card("DQ"),
        Card("HJ"),
    ]
    assert Card(Card("SA")) is Card("SA")
    for text in ("S A", " SA", "D", "B", "SX", "♠♥", "SТК"):
        with pytest.raises(InvalidCardError):
            Card(text)


def test_explaining_names_the_odd_cards() -> None:
    full = str(Deal.random(7))
    assert explain(full).missing == explain(full).twice == ()
    odd = full.replace("M:QT52", "M:JT52")
    assert explain(odd).twice == ("SJ (F, M)",)
    assert explain(odd).missing == ("SQ",)
    assert explain(odd).counts == (13, 13, 13, 13)
    with pytest.raises(InvalidDealError, match=r"twice: SJ .F, M.; missing: SQ"):
        Deal(odd.replace("F:", "F: "))


# Any text at all

READERS: tuple[Callable[[str], object], ...] = (Card, Hand, parse_cards, Deal, Position, parse_line, explain)

JUNK = st.text(alphabet="FMRTSHDCAKQJBWPТКДВПЧБ♠♥♦♣10923.,;:/|-–_ \n\t\0\x1b“٣", max_size=60) | st.text(max_size=40)


def refusal(reader: Callable[[str], object], text: str) -> str:
    """The error a text is refused with; '' for one that is read. Any other exception is a failure."""
    try:
        reader(text)
    except MizerkaError as error:
        return str(error)
    return ""


def check_any_text(text: str) -> None:
    for reader in READERS:
        told = refusal(reader, text)
        assert told.isprintable()
        assert len(told) < 700


@given(JUNK)
def test_any_text_is_read_or_refused_in_one_line(text: str) -> None:
    check_any_text(text)


@given(st.lists(JUNK, max_size=8))
def test_any_lines_are_read_or_refused_in_order(lines: list[str]) -> None:
    split = [part for line in lines for part in line.splitlines() or [""]]
    numbers = []
    for number, value in read_things(split, "x"):
        numbers.append(number)
        assert not isinstance(value, MizerkaError) or str(value).startswith(f"x:{number}: ")
    assert numbers == sorted(set(numbers))


@pytest.mark.slow
@settings(max_examples=20_000, deadline=None)
@given(
    JUNK
    | st.lists(
        st.sampled_from(["F:", "M:", "R:", "T:", "♠", "S", "D", "AK", "D9", "-", "...", " ", "\n", "N F - 0-0-0"])
    ).map("".join)
)
def test_any_text_for_long(text: str) -> None:
    check_any_text(text)


def test_long_texts_are_refused_quickly_and_not_echoed() -> None:
    for text in ("♠" * 60_000, "F:" * 30_000, "♠A " * 20_000, "S" + "AD" * 450, "F: " + "D " * 480):
        with pytest.raises(MizerkaError) as info:
            parse_line(text)
        assert len(str(info.value)) < 400
