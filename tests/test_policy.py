"""The quick policy: legal discards and contracts for any hand, alike for like suits; strength: test_sampling.py."""

from __future__ import annotations

import itertools

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mizerka_solver import Card, Contract, Deal, Hand, MizerkaError, Seat
from mizerka_solver.game.cards import ALL, LANE_BITS
from mizerka_solver.policy import quick
from mizerka_solver.policy.compiled import holding_amounts
from mizerka_solver.policy.quick import (
    HOLDING_FEATURES,
    KINDS,
    PREVIEW_FEATURES,
    choose_contract,
    choose_discards,
    contract_set_value,
    contract_values,
    data,
    estimated_exchange,
    holding_features,
    preview_features,
    price_after,
    version,
)

hands = st.lists(st.sampled_from(ALL), min_size=1, max_size=17, unique=True).map(Hand.from_cards)
previews = st.lists(st.sampled_from(ALL), min_size=6, max_size=6, unique=True).map(Hand.from_cards)
contracts = st.sampled_from(Contract)
seats = st.sampled_from(Seat)


def swapped(hand: Hand, a: int, b: int) -> Hand:
    """The hand with two suits exchanged."""
    order = list(range(4))
    order[a], order[b] = b, a
    lanes = [hand.mask >> LANE_BITS * suit & 0xFFFF for suit in order]
    return Hand.from_mask(sum(lane << LANE_BITS * suit for suit, lane in enumerate(lanes)))


@given(hands, contracts, seats, st.integers(0, 17))
def test_discards_are_legal(hand: Hand, contract: Contract, seat: Seat, n_available: int) -> None:
    discards = choose_discards(hand, contract, seat, n_available)
    assert len(set(discards)) == len(discards) <= n_available
    assert all(card in hand for card in discards)


@given(hands, contracts, seats, st.data())
def test_a_given_number_is_kept_to(hand: Hand, contract: Contract, seat: Seat, draw: st.DataObject) -> None:
    n = draw.draw(st.integers(0, len(hand)))
    assert len(choose_discards(hand, contract, seat, 17, n)) == n


@given(st.lists(st.sampled_from(ALL), min_size=1, max_size=6, unique=True).map(Hand.from_cards), contracts, seats)
def test_discards_are_the_best_by_value(hand: Hand, contract: Contract, seat: Seat) -> None:
    everything = [cards for n in range(len(hand) + 1) for cards in itertools.combinations(hand, n)]
    best = max(estimated_exchange(hand, contract, seat, cards) for cards in everything)
    chosen = choose_discards(hand, contract, seat, 13)
    assert estimated_exchange(hand, contract, seat, chosen) == pytest.approx(best)


@given(hands, seats, st.integers(0, 13))
def test_suits_are_alike(hand: Hand, seat: Seat, n_available: int) -> None:
    for contract, other in ((Contract.S, Contract.H), (Contract.N, Contract.N), (Contract.M, Contract.M)):
        chosen = choose_discards(hand, contract, seat, n_available)
        after = choose_discards(swapped(hand, 0, 1), other, seat, n_available)
        values = (
            estimated_exchange(hand, contract, seat, chosen),
            estimated_exchange(swapped(hand, 0, 1), other, seat, after),
        )
        assert values[0] == pytest.approx(values[1])


@pytest.mark.parametrize(("available", "n"), [(-1, None), (3, 4), (13, -1), (13, 14)])
def test_impossible_numbers_are_refused(available: int, n: int | None) -> None:
    with pytest.raises(MizerkaError, match="may discard"):
        choose_discards(Deal.random(1).hands[0], Contract.N, Seat.F, available, n)


def test_what_any_player_would_do() -> None:
    hand = Hand("AK973.A42.52.Q63")
    assert not {Card("SA"), Card("SK"), Card("S3"), Card("HA")} & set(choose_discards(hand, Contract.S, Seat.F, 13))
    assert {Card("SA"), Card("SK"), Card("HA")} <= set(choose_discards(hand, Contract.M, Seat.M, 13))
    assert not {Card("SA"), Card("SK"), Card("HA")} & set(choose_discards(hand, Contract.N, Seat.R, 13))


@given(previews, st.sets(contracts, min_size=1))
def test_a_contract_that_is_left_is_chosen(preview: Hand, remaining: set[Contract]) -> None:
    chosen = choose_contract(preview, remaining)
    worth = contract_values(preview)
    assert chosen in remaining
    assert all(
        worth[chosen] + price_after(chosen, remaining) >= worth[other] + price_after(other, remaining)
        for other in remaining
    )


def test_no_contract_left() -> None:
    with pytest.raises(MizerkaError, match="no contract"):
        choose_contract(Deal.random(1).hands[0], ())


def test_values_of_sets_know_only_the_number_of_suits() -> None:
    assert contract_set_value([Contract.S, Contract.N]) == contract_set_value([Contract.C, Contract.N])
    assert contract_set_value([Contract.S]) != contract_set_value([Contract.M])


def test_the_data_has_every_weight_and_its_origin() -> None:
    assert version() >= 1
    assert data()["provenance"]
    for kind in KINDS:
        for seat in Seat:
            assert set(data()["kept"][kind][seat.name]) == set(HOLDING_FEATURES[kind])
        names = {name for lane in range(1 << 13) for name, _ in holding_features(kind, lane)}
        assert names == set(HOLDING_FEATURES[kind])
    assert set(data()["prices"]) == set(data()["play_prices"])
    for key in ("trump", "no trump", "mizerka"):
        assert set(data()["contract"][key]) == set(PREVIEW_FEATURES)
        assert all(len(numbers) == 18 for numbers in data()["drawn"][key].values())
    names = {name for seed in range(50) for name, _ in preview_features(Deal.random(seed).hands[0], Contract.S)}
    assert names <= set(PREVIEW_FEATURES)


@pytest.mark.parametrize("kind", quick.KINDS)
def test_the_amounts_of_all_holdings_at_once(kind: str) -> None:
    names = list(quick.HOLDING_FEATURES[kind])
    amounts = holding_amounts(kind)
    for lane in [*range(0, 1 << 13, 37), (1 << 13) - 1]:
        want = dict.fromkeys(names, 0)
        for name, amount in quick.holding_features(kind, lane):
            want[name] += int(amount)
        assert dict(zip(names, amounts[lane].tolist(), strict=True)) == want, lane
