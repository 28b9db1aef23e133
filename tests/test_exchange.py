"""Best exchanges with open cards: against brute force over all exchanges, against exact answers, and what must hold."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache
from itertools import combinations
from threading import Timer
from time import monotonic
from types import ModuleType

import pytest

from mizerka_solver import Card, Contract, Deal, GameRecord, Hand, MizerkaError, SearchStopped, Seat, Solver, discards
from mizerka_solver.exchange import exchange_costs, exchange_line
from mizerka_solver.exchange_values import Discard, Exchange
from mizerka_solver.rules import shuffled
from tests import reference
from tests.helpers import builds, lines

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


@pytest.mark.parametrize("ties", [True, False])
def test_questions_that_are_interrupted_and_put_again(ties: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With hardly any nodes for a question most are put several times; the answers stay what they are."""
    for seed, contract in enumerate(Contract):
        deal = small_deal(2 * seed, 5, 8)
        patient = Solver(memory="16M").exchange(deal, contract, Seat.F, "reply", ties=ties, top=0)
        with monkeypatch.context() as patch:
            patch.setattr(discards, "FIRST_NODES", 200)
            patch.setattr(discards, "NODES_A_TRY", 40)
            hasty = Solver(memory="16M").exchange(deal, contract, Seat.F, "reply", ties=ties, top=0)
        assert (hasty.lower, hasty.upper) == (patient.lower, patient.upper)
        assert (hasty.exact, hasty.complete, hasty.stand) == (True, ties, patient.stand)
        if ties:
            assert hasty.alternatives == patient.alternatives


def test_standing_pat_has_bounds_where_it_is_dear(monkeypatch: pytest.MonkeyPatch) -> None:
    inexact = 0
    for seed in range(4):
        deal = medium_deal(seed)
        exact = Solver(memory="16M").exchange(deal, "M", Seat.F, "reply", top=0)
        assert exact.stand.exact
        with monkeypatch.context() as patch:
            patch.setattr(discards, "STAND_NODES", 1)
            found = Solver(memory="16M").exchange(deal, "M", Seat.F, "reply", top=0)
            made = Solver(memory="16M").exchange(deal, "M", Seat.F, "reply", made=(), top=0)
        assert found.exact
        assert found.complete
        assert found.stand.lower <= exact.stand.lower <= found.stand.upper
        assert made.stand == made.made == exact.stand
        inexact += not found.stand.exact
    assert inexact


# Exact answers of an independent study on full deals.


def study_cases() -> Iterator[tuple[int, str, int]]:
    """(line, key, answer): key = contract, seat, mode."""
    for number, record in enumerate(lines("exchange.jsonl")):
        for key, answer in record["answers"].items():
            yield number, key, answer


def study_deal(number: int) -> Deal:
    """The deal of a line."""
    text = list(lines("exchange.jsonl"))[number]["cards"]
    cards = [Card(text[i : i + 2]) for i in range(0, 104, 2)]
    return Deal.from_hands([Hand.from_cards(cards[13 * i : 13 * i + 13]) for i in range(3)], cards[39:])


def is_quick(number: int, key: str) -> bool:
    """Fit for the plain suite: the first deal, without mizerka and replies to forehand."""
    return number == 0 and key[0] != "M" and key[1:] != "Freply"


@pytest.mark.parametrize(
    ("number", "key", "answer"),
    [pytest.param(*case, marks=[] if is_quick(*case[:2]) else pytest.mark.slow) for case in study_cases()],
)
def test_full_deals_against_the_study(number: int, key: str, answer: int, solver: Solver) -> None:
    exchange = solver.exchange(study_deal(number), key[0], Seat[key[1]], key[2:], ties=False, top=0)
    assert exchange.exact
    assert exchange.best.guaranteed == exchange.best.lower == exchange.best.upper == answer


# What must hold for any deal.


def shown(exchange: Exchange) -> list[object]:
    """What an exchange says, but for the work it took."""
    return [option.as_dict() for option in (exchange.stand, *exchange.alternatives)]


def medium_deal(seed: int) -> Deal:
    """Six cards a hand and six in the talon."""
    return small_deal(2 * seed, 6, 6)


@pytest.mark.parametrize("seed", range(6))
def test_replies_only_hurt_and_standing_pat_is_a_candidate(seed: int, solver: Solver) -> None:
    deal = medium_deal(seed)
    for contract in Contract:
        for seat in Seat:
            stand, reply = (solver.exchange(deal, contract, seat, others, top=2) for others in ("stand", "reply"))
            assert reply.best.points <= stand.best.points
            assert reply.stand.points <= stand.stand.points
            assert stand.best.points >= stand.stand.points == solver.value(deal, contract).points[seat]
            assert reply.best.points >= reply.stand.points
            if seat is Seat.R:
                assert shown(reply) == shown(stand)
            # The value is that of the deal after the exchange.
            after = deal.after_exchange({seat: stand.best.discard})
            assert stand.after == after
            assert solver.value(after, contract).points[seat] == stand.best.points
            assert stand.best.after is not None
            assert stand.best.par == stand.best.after.par[seat]


@pytest.mark.parametrize("seed", range(4))
def test_the_order_of_cards_nobody_draws_changes_nothing(seed: int, solver: Solver) -> None:
    deal = medium_deal(seed)
    drawn, rest = deal.talon[:2], deal.talon[2:]
    moved = Deal.from_hands(deal.hands, drawn + rest[::-1])
    small = Deal.from_hands(deal.hands, drawn)
    for contract in (Contract.H, Contract.N, Contract.M):
        for seat in Seat:
            made = tuple(deal.hands[seat])[:2]
            first, second = (solver.exchange(d, contract, seat, made=made).made for d in (deal, moved))
            assert first is not None
            assert second is not None
            assert (first.guaranteed, first.draw) == (second.guaranteed, second.draw)
            best = solver.exchange(small, contract, seat, "reply")
            assert len(best.best.discard) <= 2


def test_ties_are_ordered_by_par_then_by_fewest_cards(solver: Solver) -> None:
    exchange = solver.exchange(Deal.random(7), "S", top=4)
    known = [option.par for option in exchange.alternatives[:4]]
    assert None not in known
    assert known == sorted(known, key=lambda par: -(par or 0))
    assert all(option.par is None for option in exchange.alternatives[4:])
    sizes = [len(option.discard) for option in exchange.alternatives[4:]]
    assert sizes == sorted(sizes)
    assert len(exchange.alternatives) == 7


def test_one_best_exchange_has_the_same_value(solver: Solver) -> None:
    for seed in range(3):
        for contract in Contract:
            for others in ("stand", "reply"):
                every = solver.exchange(medium_deal(seed), contract, Seat.F, others, top=0)
                one = solver.exchange(medium_deal(seed), contract, Seat.F, others, top=0, ties=False)
                assert one.best.guaranteed == every.best.guaranteed
                assert one.stand.guaranteed == every.stand.guaranteed
                assert not one.complete
                again = solver.exchange(medium_deal(seed), contract, Seat.F, others, made=one.best.discard).made
                assert again is not None
                assert again.lower == again.upper == one.best.guaranteed


@pytest.mark.parametrize("others", ["stand", "reply"])
@pytest.mark.parametrize("contract", ["S", "M"])
def test_limits_leave_proven_bounds(contract: str, others: str) -> None:
    deal = small_deal(4, 7, 6)
    exact = Solver(memory="16M").exchange(deal, contract, Seat.F, others)
    assert exact.exact
    assert exact.complete
    inexact = 0
    for limit in (1, 1000, 30_000, 100_000, 300_000):
        solver = Solver(memory="16M")
        found = solver.exchange(deal, contract, Seat.F, others, node_limit=limit)
        assert found.lower <= exact.lower <= found.upper
        assert found.stand.lower <= exact.stand.lower <= found.stand.upper
        assert found.exact == (found.lower == found.upper)
        assert found.best.guaranteed == (found.upper if contract == "M" else found.lower)
        assert found.nodes < 2 * limit + 20_000
        # What is called best is worth what it says.
        made = solver.exchange(deal, contract, Seat.F, others, made=found.best.discard).made
        assert made is not None
        assert found.best.lower <= made.lower == made.upper <= found.best.upper
        inexact += not found.exact
    assert inexact >= 2
    start = monotonic()
    found = Solver().exchange(Deal.random(1), "M", Seat.F, "reply", seconds=0.3)
    assert monotonic() - start < 1.5
    assert not found.complete


@pytest.mark.parametrize(("contract", "seed"), [("S", 107), ("M", 1)])
def test_cancel_stops_at_once_and_the_solver_goes_on(contract: str, seed: int) -> None:
    solver = Solver(memory="16M")
    deal = Deal.random(seed)  # a long one
    timer = Timer(0.3, solver.cancel)
    timer.start()
    start = monotonic()
    with pytest.raises(SearchStopped):
        solver.exchange(deal, contract, Seat.F, "reply")
    assert monotonic() - start < 1.5
    assert solver.exchange(medium_deal(1), "N").exact


def test_progress_tells_proven_bounds() -> None:
    seen: list[tuple[int, int, int, int]] = []
    found = Solver(memory="16M").exchange(Deal.random(2), "N", progress=lambda *numbers: seen.append(numbers))
    for done, total, lower, upper in seen:
        assert 0 <= done < total
        assert 0 <= lower <= found.lower <= upper <= 13


def test_a_small_table_gives_the_same_answers() -> None:
    deal = small_deal(8, 8, 6)
    large, small = (Solver(memory=memory).exchange(deal, "M", Seat.M, "reply") for memory in ("64M", "1M"))
    assert shown(large) == shown(small)


def test_exchanges_of_earlier_seats_come_first(solver: Solver) -> None:
    deal = medium_deal(3)
    first = {Seat.F: tuple(deal.hands[0])[:2]}
    after = solver.exchange(deal, "N", Seat.M, "reply", first)
    assert after.deal == deal.after_exchange(first)
    assert shown(after) == shown(solver.exchange(deal.after_exchange(first), "N", Seat.M, "reply"))
    with pytest.raises(MizerkaError, match="seats before F"):
        solver.exchange(deal, "N", Seat.F, exchanges=first)
    with pytest.raises(MizerkaError, match="stand"):
        solver.exchange(deal, "N", Seat.F, "both")
    with pytest.raises(MizerkaError, match="can't be discarded"):
        solver.exchange(deal, "N", Seat.F, made=deal.talon[:1])


# The exchange as a whole.


def test_a_line_makes_the_best_exchange_of_each_seat(solver: Solver) -> None:
    deal = medium_deal(2)
    for others in ("stand", "reply"):
        line = exchange_line(solver, deal, "H", others)
        assert line.exact
        assert line.deal == deal
        discards = {step.seat: step.best.discard for step in line.steps}
        assert line.after == deal.after_exchange(discards)
        assert line.value.guaranteed == solver.value(line.after, "H").guaranteed
        for step in line.steps:
            earlier = {seat: cards for seat, cards in discards.items() if seat < step.seat}
            assert shown(solver.exchange(deal, "H", step.seat, others, earlier)) == shown(step)
        # Replies were reckoned with: nobody gets less than its exchange promised.
        for step in line.steps if others == "reply" else line.steps[2:]:
            assert line.value.points[step.seat] >= step.best.points


def test_what_the_exchanges_of_a_record_cost(solver: Solver) -> None:
    deal = small_deal(6, 13, 13)
    best = solver.exchange(deal, "N", top=0).best
    bad = tuple(deal.hands[0])[:1]
    for thrown in (best.discard, bad, ()):
        record = GameRecord(("a", "b", "c"), deal, Contract.N, exchange=(thrown, (), ()))
        costs = exchange_costs(solver, record)
        made = costs[Seat.F].made
        assert made is not None
        assert costs[Seat.F].cost == best.guaranteed - made.guaranteed
        assert made.guaranteed == solver.value(deal.after_exchange({Seat.F: thrown}), "N").guaranteed[0]
        assert all((exchange.cost or 0) >= 0 for exchange in costs.values())


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
