"""The public strategies: what they shrink to, what their options promise, and that bad arguments fail loudly."""

from __future__ import annotations

import tomllib
from collections.abc import Callable
from importlib import import_module
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mizerka_solver import Card, Deal, Game, GameRecord, Hand, MizerkaError, Position, Seat, Suit
from mizerka_solver.game.records import score_sheet
from mizerka_solver.testing import (
    cards,
    contracts,
    deals,
    exchanges,
    game_records,
    games,
    hands,
    plays,
    positions,
    records,
    seats,
    smallest,
    suits,
    tricks,
)
from mizerka_solver.testing.plugin import register
from mizerka_solver.testing.shapes import Lengths, Shape, seat_shapes
from tests.cli import ROOT

LOW_DEAL = Deal("F:2.-.-.- M:3.-.-.- R:4.-.-.-")


@pytest.mark.parametrize(
    ("strategy", "text"),
    [
        (cards(), "S2"),
        (suits(), "S"),
        (seats(), "F"),
        (contracts(), "S"),
        (hands(), "-.-.-.-"),
        (hands(2), "32.-.-.-"),
        (hands(5, shape="x.3.-.x"), "32.432.-.-"),
        (deals(), str(LOW_DEAL)),
        (deals(2, talon=1), "F:52.-.-.- M:63.-.-.- R:74.-.-.- T:S8"),
        (positions(), f"{LOW_DEAL} S F - 0-0-0"),
        (tricks(4), "(0, 0, 4)"),
        (exchanges(LOW_DEAL), "((), (), ())"),
        (plays(LOW_DEAL.position(smallest(contracts()))), "()"),
    ],
)
def test_simplest_values(strategy: st.SearchStrategy[Any], text: str) -> None:
    assert str(smallest(strategy)) == text


@pytest.mark.parametrize(
    ("strategy", "condition", "text"),
    [
        (hands(), lambda hand: hand.suit_length(Suit.D) > 2, "-.-.432.-"),
        (deals(), lambda deal: Card("HA") in deal.hands[Seat.M], "F:2.-.-.- M:-.A.-.- R:3.-.-.-"),
        (deals(max_size=5), lambda deal: len(deal.talon) > 1, "F:2.-.-.- M:3.-.-.- R:4.-.-.- T:S5S6"),
        (positions(max_size=4), lambda p: len(p.trick) == 2, "F:-.-.-.- M:-.-.-.- R:4.-.-.- S F S2,S3 0-0-0"),
        (positions(max_size=4), lambda p: p.leader is Seat.M, "F:2.-.-.- M:3.-.-.- R:4.-.-.- S M - 0-0-0"),
    ],
)
def test_failing_values_shrink_to_short_texts(
    strategy: st.SearchStrategy[Any], condition: Callable[[Any], object], text: str
) -> None:
    assert str(smallest(strategy, condition)) == text


def test_records_shrink_to_one_card_a_hand() -> None:
    record = smallest(records(max_size=2), lambda record: record.exchange[Seat.M])
    assert str(record.deal) == "F:2.-.-.- M:3.-.-.- R:4.-.-.- T:S5"
    assert (record.exchange, record.play) == (((), (Card("S3"),), ()), ())


@given(st.data())
@settings(max_examples=60)
def test_shapes_hold_whatever_is_asked_for(data: st.DataObject) -> None:
    field = st.sampled_from(["x", "0", "-", "1", "3", "2+", "1-4", "5+"])
    texts = {seat: ".".join(data.draw(st.tuples(*[field] * 4))) for seat in data.draw(st.sets(seats(), min_size=1))}
    size = data.draw(st.integers(1, 17))
    lengths = seat_shapes(texts)
    possible = Lengths(lengths, size).is_possible()
    if not all(shape.fits(size) for shape in lengths):
        assert not possible
    if not possible:
        with pytest.raises(MizerkaError, match="no deal of"):
            deals(size, size, shapes=texts)
        return
    deal = data.draw(deals(size, size, shapes=texts))
    assert deal.hand_size == size
    for hand, shape in zip(deal.hands, lengths, strict=True):
        assert all(low <= hand.suit_length(suit) <= high for suit, (low, high) in zip(Suit, shape.ranges, strict=True))


@given(hands(4, 9, shape="5+.0.x.1-2"))
def test_a_hand_has_its_shape(hand: Hand) -> None:
    assert 4 <= len(hand) <= 9
    assert hand.suit_length(Suit.S) >= 5
    assert hand.suit_length(Suit.H) == 0
    assert 1 <= hand.suit_length(Suit.C) <= 2


def test_all_shapes_of_a_size_come_up() -> None:
    for n in range(3):
        assert smallest(hands(2, 2), lambda hand, n=n: hand.suit_length(Suit.C) == n)
    assert Shape.parse("x.x.x.x").fits(52)


@given(positions(1, 5, min_left=1, mid_trick=True))
@settings(max_examples=30)
def test_mid_trick_positions(position: Position) -> None:
    assert position.trick
    assert position.tricks_left >= 1


@given(positions(1, 5, mid_trick=False))
@settings(max_examples=30)
def test_positions_between_tricks(position: Position) -> None:
    assert not position.trick


@given(records(1, 4, finished=True), records(1, 4, finished=False, exchange=False))
@settings(max_examples=25)
def test_finished_and_partial_records(whole: GameRecord, part: GameRecord) -> None:
    assert whole.tricks is not None
    assert part.tricks is None
    assert part.exchange == ((), (), ())


@given(game_records())
@settings(max_examples=5)
def test_eighteen_records_make_a_game(played: list[GameRecord]) -> None:
    assert len(played) == 18
    game = score_sheet(played)
    assert game.is_over
    assert sum(game.totals) == 0


@given(games(players=4, n_deals=24))
@settings(max_examples=10)
def test_whole_games_of_four(game: Game) -> None:
    assert game.is_over


@pytest.mark.parametrize(
    ("make", "message"),
    [
        (lambda: hands(-1), "-1 to 17"),
        (lambda: hands(5, 3), "5 to 3"),
        (lambda: hands(shape="5.x.x"), "a shape has 4 suits"),
        (lambda: hands(shape="14.x.x.x"), "14"),
        (lambda: hands(shape="4-2.x.x.x"), "4-2"),
        (lambda: hands(shape="spades.x.x.x"), "not a suit length"),
        (lambda: hands(1, 3, shape="4.x.x.x"), "no hand of 1 to 3 cards"),
        (lambda: deals(0), "0 to 17"),
        (lambda: deals(1, 18), "1 to 18"),
        (lambda: deals(17, talon=2), "talon 2"),
        (lambda: deals(talon=-1), "talon -1"),
        (lambda: deals(shapes={"X": "x.x.x.x"}), "not a seat"),
        (lambda: deals(5, 5, shapes={"F": "5.0.0.0", "M": "5.0.0.0", "R": "4+.x.x.x"}), "no deal of 5 to 5 cards"),
        (lambda: positions(1, 3, min_left=4), "min_left 4"),
        (lambda: positions(min_left=-1), "min_left -1"),
        (lambda: records(3, 2), "3 to 2"),
        (lambda: tricks(-1), "-1"),
        (lambda: games(players=5), "players 5"),
        (lambda: games(players=3, n_deals=19), "n_deals 19"),
        (lambda: game_records(n_deals=0), "n_deals 0"),
        (lambda: game_records(players=2), "players"),
        # The wrong type is as loud, and as early, as a number out of range.
        (lambda: hands("3"), "3 to 17"),
        (lambda: hands(True), "True to 17"),
        (lambda: hands(shape=5), "a shape must be text"),
        (lambda: deals(2, 4.5), "2 to 4.5"),
        (lambda: deals(talon=2.5), "talon 2.5"),
        (lambda: deals(talon="3"), "talon 3"),
        (lambda: deals(shapes=["F"]), "a mapping of seats"),
        (lambda: deals(shapes={3: "x.x.x.x"}), "not a seat"),
        (lambda: deals(shapes={"F": "0.x.x.x", Seat.F: "3.x.x.x"}), "a seat has one shape"),
        (lambda: exchanges(None), "deal None"),
        (lambda: plays(LOW_DEAL), "of type Position"),
        (lambda: plays(LOW_DEAL.position("S"), -1), "max_cards -1"),
        (lambda: positions(min_left="1"), "min_left 1"),
        (lambda: positions(mid_trick="yes"), "mid_trick yes"),
        (lambda: tricks(1.5), "tricks 1.5"),
        (lambda: records(finished="yes"), "finished yes"),
        (lambda: records(exchange=None), "exchange None"),
        (lambda: games("whist"), "variant whist"),
        (lambda: games(n_deals=1.5), "n_deals 1.5"),
        (lambda: game_records(players=-1), "players -1"),
        (lambda: game_records(players=5), "players 5"),
    ],
)
def test_bad_arguments_fail_when_the_strategy_is_made(make: Callable[[], object], message: str) -> None:
    with pytest.raises(MizerkaError) as caught:
        make()
    assert message in str(caught.value)
    assert "\n" not in str(caught.value)


@pytest.mark.parametrize("kind", [Card, Hand, Deal, Position, GameRecord, Game, Seat])
def test_types_resolve_once_the_plugin_is_registered(kind: type) -> None:
    register()
    assert isinstance(smallest(st.from_type(kind)), kind)


def test_hypothesis_is_told_of_the_plugin() -> None:
    project = tomllib.loads((ROOT / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    (target,) = project["entry-points"]["hypothesis"].values()
    module, _, name = target.partition(":")
    assert getattr(import_module(module), name) is register
