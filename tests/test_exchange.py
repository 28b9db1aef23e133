"""Best exchanges with open cards: against exact answers, under limits, and what must hold for any deal."""

from __future__ import annotations

from collections.abc import Iterator
from threading import Timer
from time import monotonic

import pytest

from mizerka_solver import Card, Contract, Deal, GameRecord, Hand, MizerkaError, SearchStopped, Seat, Solver
from mizerka_solver.double_dummy import exchange_search
from mizerka_solver.double_dummy.exchange_phase import exchange_costs, exchange_line
from mizerka_solver.double_dummy.exchange_values import ExchangeSolution
from tests.helpers import lines, small_deal


@pytest.fixture(scope="module")
def solver() -> Solver:
    """One table for all tests."""
    return Solver(memory="64M")


@pytest.mark.parametrize("ties", [True, False])
def test_questions_that_are_interrupted_and_put_again(ties: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    """With hardly any nodes for a question most are put several times; the answers stay what they are."""
    for seed, contract in enumerate(Contract):
        deal = small_deal(2 * seed, 5, 8)
        patient = Solver(memory="16M").exchange(deal, contract, Seat.F, "reply", ties=ties, top=0)
        with monkeypatch.context() as patch:
            patch.setattr(exchange_search, "FIRST_NODES", 200)
            patch.setattr(exchange_search, "NODES_A_TRY", 40)
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
            patch.setattr(exchange_search, "STAND_NODES", 1)
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


def shown(exchange: ExchangeSolution) -> list[object]:
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
