"""Best exchanges with open cards: against brute force over all exchanges, against exact answers, and what must hold."""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from random import Random
from threading import Timer
from time import monotonic

import pytest

from mizerka_solver import Card, Contract, Deal, Hand, MizerkaError, SearchStopped, Seat, Solver
from mizerka_solver.exchange_values import Discard, Exchange
from mizerka_solver.rules import shuffled
from tests import reference
from tests.helpers import lines

Masks = tuple[int, int, int]
Guaranteed = Callable[[Masks, int, int], int]

# Brute force: every subset of every hand, no reduction of any kind.


@cache
def plain(hands: Masks, contract: int, seat: int) -> int:
    """What the reference solver says, forehand leading."""
    return reference.guaranteed(hands, contract, 0, seat)


def throws(hand: int, talon: tuple[int, ...]) -> Iterator[tuple[int, int, tuple[int, ...]]]:
    """(cards thrown, hand after drawing, talon after it) for every exchange of one hand."""
    cards = reference.cards_of(hand)
    for n in range(min(len(cards), len(talon)) + 1):
        drawn = sum(1 << bit for bit in talon[:n])
        for thrown in combinations(cards, n):
            mask = sum(1 << bit for bit in thrown)
            yield mask, hand & ~mask | drawn, talon[n:]


def replace_hand(hands: Masks, seat: int, hand: int) -> Masks:
    """The hands with one changed."""
    f, m, r = (hand if i == seat else hands[i] for i in range(3))
    return f, m, r


def worst(hands: Masks, talon: tuple[int, ...], contract: int, seat: int, mover: int, value: Guaranteed) -> int:
    """What `seat` is sure of if the seats from `mover` on exchange against it."""
    if mover > 2:
        return value(hands, contract, seat)
    values = [
        worst(replace_hand(hands, mover, hand), rest, contract, seat, mover + 1, value)
        for _, hand, rest in throws(hands[mover], talon)
    ]
    return max(values) if contract == reference.MIZERKA else min(values)


def brute(deal: Deal, contract: int, seat: int, reply: bool, value: Guaranteed = plain) -> dict[int, int]:
    """Discard → what it leaves the seat sure of."""
    talon = tuple(card.bit for card in deal.talon)
    first = seat + 1 if reply else 3
    return {
        thrown: worst(replace_hand(deal.masks, seat, hand), rest, contract, seat, first, value)
        for thrown, hand, rest in throws(deal.masks[seat], talon)
    }


def small_deal(seed: int, n_cards: int, n_talon: int) -> Deal:
    """A deal of few cards; odd seeds take them from the top of two suits, so that suits are long and talons matter."""
    pack = list(shuffled(seed))
    if seed % 2:
        pack = [card for card in pack if card.suit < 2 and card.rank > 4][:16] + [c for c in pack if c.suit >= 2]
    hands = [Hand.from_cards(pack[n_cards * i : n_cards * i + n_cards]) for i in range(3)]
    return Deal.from_hands(hands, pack[3 * n_cards : 3 * n_cards + n_talon])


def mask_of(option: Discard) -> int:
    """The discard as a mask."""
    return sum(card.mask for card in option.discard)


def check(exchange: Exchange, values: dict[int, int]) -> None:
    """The answer against the value of every discard."""
    best = (min if exchange.contract.is_mizerka else max)(values.values())
    assert exchange.exact
    assert exchange.complete
    assert exchange.best.guaranteed == exchange.lower == exchange.upper == best
    assert exchange.stand.exact
    assert exchange.stand.guaranteed == values[0]
    found = [mask_of(option) for option in exchange.alternatives]
    assert {values[mask] for mask in found} == {best}
    assert len(set(found)) == len(found)
    # Every best discard is listed or a twin of one that is.
    assert sum(option.twins for option in exchange.alternatives) == list(values.values()).count(best)
    for option in exchange.alternatives:
        assert option.draw == exchange.deal.talon[: len(option.discard)]


@pytest.fixture(scope="module")
def solver() -> Solver:
    """One table for all tests."""
    return Solver(memory="64M")


@pytest.mark.parametrize(("n_cards", "n_talon"), [(1, 3), (2, 3), (3, 1)])
@pytest.mark.parametrize("others", ["stand", "reply"])
def test_small_deals_against_brute_force(n_cards: int, n_talon: int, others: str, solver: Solver) -> None:
    for seed in range(6):
        deal = small_deal(seed, n_cards, n_talon)
        for contract in Contract:
            for seat in Seat:
                exchange = solver.exchange(deal, contract, seat, others)
                check(exchange, brute(deal, int(contract), int(seat), others == "reply"))


@pytest.mark.parametrize("seed", range(4))
def test_three_cards_against_brute_force(seed: int, solver: Solver) -> None:
    deal = small_deal(seed, 3, 3 + seed % 2)
    contract = [Contract.S, Contract.N, Contract.M, Contract.H][seed]
    for seat in Seat:
        for others in ("stand", "reply"):
            exchange = solver.exchange(deal, contract, seat, others)
            check(exchange, brute(deal, int(contract), int(seat), others == "reply"))


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(40))
def test_more_deals_against_brute_force(seed: int, solver: Solver) -> None:
    """3 and 4 cards; values of 4 cards by the engine, which is compared with the reference elsewhere."""

    @cache
    def engine(hands: Masks, contract: int, seat: int) -> int:
        deal = Deal.from_hands([Hand.from_mask(hand) for hand in hands])
        return oracle.value(deal, Contract(contract)).guaranteed[seat]

    oracle = Solver(memory="64M")
    n_cards = 3 + seed % 2
    deal = small_deal(seed, n_cards, 3 + seed // 2 % 2)
    for contract in Contract if n_cards == 3 else [Contract(seed // 4 % 6)]:
        for seat in Seat:
            for others in ("stand", "reply"):
                exchange = solver.exchange(deal, contract, seat, others)
                value = plain if n_cards == 3 else engine
                check(exchange, brute(deal, int(contract), int(seat), others == "reply", value))
