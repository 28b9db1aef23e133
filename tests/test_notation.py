"""Lines and files: what a line is, comments and encodings, and where a fault sits."""

from __future__ import annotations

import io

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mizerka_solver.game.deal import Deal
from mizerka_solver.game.notation import MAX_LINE, bounded_lines, parse_line, read_lines, url_text
from mizerka_solver.game.position import Position
from mizerka_solver.support.errors import MizerkaError
from tests.strategies import deals, positions


@given(deals() | positions())
def test_a_line_is_told_apart_and_read_back(value: Deal | Position) -> None:
    for text in (str(value), url_text(value), f"  {value}\r\n", str(value).lower()):
        assert parse_line(text) == value
        assert type(parse_line(text)) is type(value)
    assert " " not in url_text(value)


@given(st.lists(deals() | positions(), max_size=5))
def test_files_round_trip(values: list[Deal | Position]) -> None:
    text = "".join(f"{value}\n" for value in values)
    assert [value for _, value in read_lines(text.splitlines())] == values
    assert [value for _, value in read_lines(io.BytesIO(text.encode()))] == values


def test_faults_are_told_in_place_and_reading_goes_on() -> None:
    lines: list[str | bytes] = [
        "# deals of an evening",
        "",
        "F:A... M:K... R:Q...   # the first",
        "F:A... M:AK... R:Q...",
        "   ",
        "F:A... M:K... R:Q... N F - 0-0",
        b"\xff\xfe",
        b"F:A... M:K... R:Q... T:\xe2\x99\xa02\r\n",
        "F:A... M:K... R:Q... N F H3 0-0-0",
    ]
    found = [(number, str(value)) for number, value in read_lines(lines, "deals.txt")]
    assert found == [
        (3, "F:A.-.-.- M:K.-.-.- R:Q.-.-.-"),
        (4, "deals.txt:4: SA: card held by both F and M"),
        (6, "deals.txt:6: tricks won 0-0: tricks won are three counts F-M-R such as 3-0-2"),
        (7, "deals.txt:7: not UTF-8 text: byte 0xff at 0"),
        (8, "F:A.-.-.- M:K.-.-.- R:Q.-.-.- T:S2"),
        (
            9,
            "deals.txt:9: trick H3: the trick does not fit leader F: F must hold one card fewer (F 1, M 1, R 1 cards)",
        ),
    ]


def test_a_byte_order_mark_is_no_card() -> None:
    assert [str(value) for _, value in read_lines([b"\xef\xbb\xbfF:A... M:K... R:Q...\n"])] == [
        "F:A.-.-.- M:K.-.-.- R:Q.-.-.-"
    ]


def test_huge_lines_are_refused_without_being_kept() -> None:
    good = b"F:A... M:K... R:Q...\n"
    stream = io.BytesIO(b"F:" + b"A" * (3 * MAX_LINE) + b"\n" + good + b"A" * 2000 + b"\n" + b"A" * (MAX_LINE + 5))
    lines = list(bounded_lines(stream))
    assert [len(line) for line in lines] == [MAX_LINE + 1, len(good), 2001, MAX_LINE + 1]
    assert [str(value) for _, value in read_lines(lines, "x")] == [
        f"x:1: a line has at most {MAX_LINE} bytes",
        "F:A.-.-.- M:K.-.-.- R:Q.-.-.-",
        "x:3: a deal or position has at most 1000 characters, here 2000",
        f"x:4: a line has at most {MAX_LINE} bytes",
    ]


@given(st.lists(st.binary(max_size=30) | st.text(max_size=30), max_size=5))
def test_any_file_is_read_or_refused_in_one_line(lines: list[bytes | str]) -> None:
    for number, value in read_lines(lines, "x"):
        if isinstance(value, MizerkaError):
            assert str(value).isprintable()
            assert str(value).startswith(f"x:{number}: ")


@pytest.mark.parametrize("text", ["F:A... M:K... R:Q... T:", "F:A... M:K... R:Q... t:S2", "F:A... M:K... R:Q..."])
def test_what_is_a_deal(text: str) -> None:
    assert isinstance(parse_line(text), Deal)


def test_what_is_neither() -> None:
    with pytest.raises(MizerkaError, match="after the hands come contract, leader, current trick and tricks won"):
        parse_line("F:A... M:K... R:Q... S2")
