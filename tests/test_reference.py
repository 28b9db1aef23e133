"""The reference solver against hand-worked positions, the theory's inequalities, the package's rules and the cases."""

from __future__ import annotations

import json
from collections.abc import Iterator
from fractions import Fraction
from itertools import islice
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mizerka_solver.game.cards import Card, Hand
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Contract, Seat
from tests import reference
from tests.strategies import positions

CASES = Path(__file__).parent / "cases"
SMALL = 3  # cards a hand that cost next to nothing


def solved(position: Position, seat: Seat) -> int:
    trick = tuple(card.bit for card in position.trick)
    return reference.guaranteed(position.masks, position.contract, position.leader, seat, trick)


def small_cases(n_cards: int) -> Iterator[tuple[reference.Hands, Contract, Seat, dict[str, Any]]]:
    for line in (CASES / "small.jsonl").read_text(encoding="utf-8").splitlines():
        case = json.loads(line)
        hands = [Hand(case["hands"][seat.name]) for seat in Seat]
        if len(hands[0]) == n_cards:
            f, m, r = (hand.mask for hand in hands)
            for contract, values in case["values"].items():
                yield (f, m, r), Contract[contract], Seat[case["leader"]], values


@pytest.mark.parametrize(
    ("text", "tricks"),
    [
        # The ace is led or kept; either way forehand takes one trick of the two, and the king falls or wins.
        ("F:A2.-.-.- M:K3.-.-.- R:54.-.-.- N F - 0-0-0", [1, 1, 0]),
        # Rearhand ruffs the first trick, and nobody can beat the club it then leads.
        ("F:A.A.-.- M:K.K.-.- R:-.-.2.2 D F - 0-0-0", [0, 0, 2]),
        # Mizerka: forehand stays under both; each of the others can duck once and must win once.
        ("F:32.-.-.- M:K5.-.-.- R:A6.-.-.- M F - 0-0-0", [0, 1, 1]),
        # The middle of a trick: the ace wins it, then rearhand's hearts beat forehand's two.
        ("F:-.2.-.- M:K3.-.-.- R:-.54.-.- N F SA 0-0-0", [1, 0, 1]),
    ],
)
def test_positions_worked_by_hand(text: str, tricks: list[int]) -> None:
    assert [solved(Position(text), seat) for seat in Seat] == tricks


def test_an_indifferent_player_splits_evenly() -> None:
    # Forehand wins nothing. After a spade rearhand keeps its heart for the second trick, after a heart it wins both.
    f, m, r = (Hand(text).mask for text in ("2.3.-.-", "A.4.-.-", "-.5.-.2"))
    assert reference.payoff_set((f, m, r), Contract.N, Seat.F) == {(0, 1, 1), (0, 0, 2)}
    assert reference.expected((f, m, r), Contract.N, Seat.F) == (0, Fraction(1, 2), Fraction(3, 2))
    # Forehand cannot win and does not care: with the spade middlehand takes both, with the club rearhand does.
    f, m, r = (Hand(text).mask for text in ("2.-.-.2", "A.A.-.-", "-.-.A.A"))
    assert reference.payoff_set((f, m, r), Contract.N, Seat.F) == {(0, 2, 0), (0, 0, 2)}
    assert reference.expected((f, m, r), Contract.N, Seat.F) == (0, 1, 1)
    # A third, equal way to the same end counts by its cards: two spades against one club.
    f, m, r = (Hand(text).mask for text in ("32.-.-.2", "A.AK.-.-", "-.-.AK.A"))
    assert reference.expected((f, m, r), Contract.N, Seat.F) == (0, 2, 1)
    assert isinstance(reference.expected((f, m, r), Contract.N, Seat.F)[1], Fraction)


@pytest.mark.parametrize("n_cards", [SMALL, 4])
def test_cases_of_the_study(n_cards: int) -> None:
    n = 0
    for hands, contract, leader, values in small_cases(n_cards):
        if n_cards > SMALL and n >= 40:  # enough of the dear ones
            break
        n += 1
        assert [reference.guaranteed(hands, contract, leader, seat) for seat in Seat] == values["guaranteed"]
        assert sorted(map(list, reference.payoff_set(hands, contract, leader))) == sorted(values["payoffs"])
    assert n >= 40


@pytest.mark.slow
def test_cases_of_the_study_with_five_cards() -> None:
    n = 0
    for hands, contract, leader, values in islice(small_cases(5), 0, None, 11):  # 11 has no factor of the 6 contracts
        n += 1
        assert [reference.guaranteed(hands, contract, leader, seat) for seat in Seat] == values["guaranteed"]
    assert n == 23


@settings(max_examples=60, deadline=None)
@given(positions(1, 3))
def test_inequalities_of_the_theory(position: Position) -> None:
    contract, leader = position.contract, position.leader
    trick = tuple(card.bit for card in position.trick)
    sign = -1 if contract is Contract.M else 1
    own = [solved(position, seat) for seat in Seat]
    slack = sign * (position.tricks_left - sum(own))
    assert slack >= 0
    payoffs = reference.payoff_set(position.masks, contract, leader, trick)
    mean = reference.expected(position.masks, contract, leader, trick)
    assert payoffs
    for vector in [*payoffs, mean]:
        assert sum(vector) == position.tricks_left
        for seat in Seat:
            assert sign * own[seat] <= sign * vector[seat] <= sign * own[seat] + slack
    if slack == 0:
        assert payoffs == {tuple(own)}


@settings(max_examples=60, deadline=None)
@given(positions(1, 3, min_left=1))
def test_no_card_helps_its_player_and_one_keeps_the_value(position: Position) -> None:
    sign = -1 if position.contract is Contract.M else 1
    before = {seat: position.tricks_won[seat] + solved(position, seat) for seat in Seat}
    costs = []
    for card in position.legal_cards():
        after = position.play(card)
        change = {seat: sign * (after.tricks_won[seat] + solved(after, seat) - before[seat]) for seat in Seat}
        costs.append(-change.pop(position.to_move))
        assert min(change.values()) >= 0
    assert min(costs) == 0


@given(positions())
def test_reference_and_package_state_the_same_rules(position: Position) -> None:
    trick = tuple(card.bit for card in position.trick)
    if position.is_over:
        assert reference.children(position.masks, position.contract, position.leader, trick) == []
        return
    bits = reference.legal(position.masks[position.to_move], trick)
    assert {Card.from_bit(bit) for bit in bits} == set(position.legal_cards())
    children = reference.children(position.masks, position.contract, position.leader, trick)
    for bit, (hands, leader, cards, taker) in zip(bits, children, strict=True):
        after = position.play(Card.from_bit(bit))
        assert (after.masks, after.leader) == (hands, leader)
        assert tuple(card.bit for card in after.trick) == cards
        gained = [after.tricks_won[seat] - position.tricks_won[seat] for seat in Seat]
        assert gained == [int(taker == seat) for seat in Seat]


@settings(max_examples=40, deadline=None)
@given(positions(2, 3), st.permutations(range(4)))
def test_names_of_suits_do_not_matter(position: Position, order: list[int]) -> None:
    def moved(mask: int) -> int:
        return sum((mask >> 16 * suit & 0xFFFF) << 16 * order[suit] for suit in range(4))

    f, m, r = map(moved, position.masks)
    contract = order[position.contract] if position.contract < 4 else int(position.contract)
    trick = tuple(16 * order[card.suit] + card.rank for card in position.trick)
    same = [reference.guaranteed((f, m, r), contract, position.leader, seat, trick) for seat in Seat]
    assert same == [solved(position, seat) for seat in Seat]
