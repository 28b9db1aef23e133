"""Best exchanges with open cards against brute force over all exchanges, and the compiled search behind them."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from types import ModuleType

import pytest

from mizerka_solver import Contract, Deal, Hand, Seat, Solver
from mizerka_solver.double_dummy.exchange_values import ExchangeSolution, ExchangeValue
from tests import reference
from tests.helpers import builds, small_deal

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


def mask_of(option: ExchangeValue) -> int:
    """The discard as a mask."""
    return sum(card.mask for card in option.discard)


def check(exchange: ExchangeSolution, values: dict[int, int]) -> None:
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


@pytest.mark.parametrize(("n_cards", "n_talon"), [(1, 3), (2, 3), (3, 1), (2, 6)])
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


# The core: questions about one discard.


@pytest.mark.parametrize("core", builds("_engine"), ids=lambda core: core.build())
def test_questions_to_the_core(core: ModuleType) -> None:
    deal = small_deal(10, 3, 3)
    talon = [card.bit for card in deal.talon]
    engine = core.Engine(1 << 20)
    search = core.ExchangeSearch(engine, deal.masks, talon, 4, 0, True)
    values = brute(deal, 4, 0, True)
    for mask, twins in search.candidates():
        assert twins >= 1
        for tricks in range(4):
            assert search.ask(mask, tricks) == (values[mask] >= tricks)
            if values[mask] < tricks:  # the reply that refutes is one
                assert search.ask(mask, tricks, only=search.refuter) is False
    # A question with too few nodes goes on from where it was.
    fresh = core.ExchangeSearch(core.Engine(1 << 20), deal.masks, talon, 4, 0, True)
    for mask, _ in fresh.candidates():
        for tricks in range(4):
            answer, done, n_asked = None, 0, 0
            while answer is None and n_asked < 1000:
                answer = fresh.ask(mask, tricks, nodes=1 + n_asked, done=done, tries=n_asked)
                assert answer is not None or fresh.done >= done
                done, n_asked = fresh.done, n_asked + 1
            assert answer is (values[mask] >= tricks)
            assert not fresh.stopped
    # A limit for all questions stops this one and the next; answers from the table alone never reach the clock.
    stopped = core.ExchangeSearch(core.Engine(1 << 20), deal.masks, talon, 4, 0, True)
    stopped.start(1)
    mask = next(mask for mask, _ in stopped.candidates() if values[mask] == 1)
    assert [stopped.ask(mask, 2), stopped.ask(mask, 2)] == [None, None]
    assert stopped.stopped
    with pytest.raises(ValueError, match="cards held"):
        search.ask(1 << talon[0], 1)
    with pytest.raises(ValueError, match="no more than the talon"):
        core.ExchangeSearch(engine, deal.masks, talon[:1], 4, 0, True).ask(deal.masks[0], 1)
    with pytest.raises(ValueError, match="the talon has left"):
        search.ask(0, 1, only=(deal.masks[1], deal.masks[2]))
    with pytest.raises(ValueError, match="cards held"):
        search.ask(0, 1, only=(1 << talon[0], 0))


@pytest.mark.parametrize("core", builds("_engine"), ids=lambda core: core.build())
@pytest.mark.parametrize("contract", [4, 5])
def test_more_lists_of_choices_than_are_kept(core: ModuleType, contract: int) -> None:
    """Lists are forgotten when there are too many, here some five thousand; the answers stay what they are."""
    deal = Deal.parse("F:AQT864.AQT864.-.- M:2.-.AKQJT9.AKQJT R:-.2.876543.98765 T:SKHKSJHJS9H9S7H7S5H5S3H3")
    talon = [card.bit for card in deal.talon]
    engine = core.Engine(1 << 24)
    search = core.ExchangeSearch(engine, deal.masks, talon, contract, 0, True)
    trivial = 12 if contract == 5 else 0  # sure without playing, but every split is gone through
    sizes = [combinations(deal.hands[0], n) for n in range(2, 10)]
    masks = [sum(card.mask for card in cards) for size in sizes for cards in size]
    for mask in masks:
        assert search.ask(mask, trivial)
        assert search.done > 30
    for mask in masks[:2] + masks[-2:]:
        fresh = core.ExchangeSearch(engine, deal.masks, talon, contract, 0, True)
        for tricks in (1, 4, 11):
            assert search.ask(mask, tricks, nodes=10_000) == fresh.ask(mask, tricks, nodes=10_000)
