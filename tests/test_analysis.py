"""Analysis of game records: costs are what they should be, and everything adds up."""

from __future__ import annotations

import json
import statistics
from collections.abc import Callable
from dataclasses import replace
from random import Random

import pytest
from hypothesis import given, note, settings
from hypothesis import strategies as st

from mizerka_solver import Card, Contract, Deal, GameRecord, Position, Seat, Solver, Value
from mizerka_solver.double_dummy.solver import equivalent_cards
from mizerka_solver.double_dummy.values import CardValue
from mizerka_solver.review.analysis import DECISION, EQUIVALENT, FORCED, nameable, review
from mizerka_solver.review.summary import Summary
from mizerka_solver.support.statistics import Tally
from tests.strategies import contracts, deals, records

SOLVER = Solver(memory="16M")
NAMES = ("a", "b", "c")
Choice = Callable[[tuple[CardValue, ...]], CardValue]


def played(deal: Deal, contract: Contract, choose: Choice) -> GameRecord:
    """A record in which each card is chosen by its worth."""
    position, cards = deal.position(contract), []
    while not position.is_over:
        cards.append(choose(SOLVER.cards(position)).card)
        position = position.play(cards[-1])
    return GameRecord(NAMES, deal, contract, play=tuple(cards))


def random_record(seed: int, contract: Contract) -> GameRecord:
    """A full deal played at random."""
    rng, deal = Random(seed), Deal.random(seed)
    position, cards = deal.position(contract), []
    while not position.is_over:
        cards.append(rng.choice(position.legal_cards()))
        position = position.play(cards[-1])
    return GameRecord(NAMES, deal, contract, play=tuple(cards))


def short_record(seed: int, contract: Contract, n_cards: int = 7) -> GameRecord:
    """A deal of so many cards a hand, the end of a full one, played at random: all there is, for little work."""
    position = list(random_record(seed, contract).positions())[3 * (13 - n_cards)]
    hands, rng, cards = Deal.from_hands(position.hands), Random(seed), []
    position = hands.position(contract)
    while not position.is_over:
        cards.append(rng.choice(position.legal_cards()))
        position = position.play(cards[-1])
    return GameRecord(NAMES, hands, contract, play=tuple(cards))


@given(deal=deals(1, 5), contract=contracts(), seed=st.integers(0, 2**32))
@settings(max_examples=40)
def test_best_cards_cost_nothing(deal: Deal, contract: Contract, seed: int) -> None:
    rng = Random(seed)
    record = played(deal, contract, lambda worth: rng.choice([card for card in worth if card.cost == 0]))
    reviewed = review(SOLVER, record)
    assert reviewed.costs == (0, 0, 0)
    assert all(card.cost == 0 and card.better == () for card in reviewed.cards)
    assert reviewed.problems() == []


@given(deal=deals(2, 5), contract=contracts(), seed=st.integers(0, 2**32))
@settings(max_examples=60)
def test_one_blunder_costs_just_what_it_costs(deal: Deal, contract: Contract, seed: int) -> None:
    rng = Random(seed)
    planted: list[CardValue] = []

    def choose(worth: tuple[CardValue, ...]) -> CardValue:
        worst = max(worth, key=lambda card: card.cost)
        if not planted and worst.cost and rng.random() < 0.5:
            planted.append(worst)
            return worst
        return rng.choice([card for card in worth if card.cost == 0])

    record = played(deal, contract, choose)
    note(record.to_json())
    reviewed = review(SOLVER, record)
    assert sum(reviewed.costs) == sum(card.cost for card in planted)
    guilty = [card for card in reviewed.cards if card.cost]
    assert [card.card for card in guilty] == [card.card for card in planted]
    for card, worth in zip(guilty, planted, strict=True):
        assert (card.cost, card.par_cost, card.transfer) == (worth.cost, worth.par_cost, worth.transfer)
        costs = {other.card: other.cost for other in SOLVER.cards(card.position)}
        assert dict(card.better) == {other: cost for other, cost in costs.items() if cost < card.cost}
        assert [cost for _, cost in card.better] == sorted(cost for _, cost in card.better)
    assert reviewed.problems() == []


@given(record=records(1, 6))
@settings(max_examples=60)
def test_every_record_adds_up(record: GameRecord) -> None:
    check_sums(record)


@pytest.mark.slow
def test_thousands_of_records_add_up() -> None:
    for seed in range(3000):
        contract = Contract(seed % 5)
        if seed % 3:  # the end of a deal alone costs little to analyse, mizerka too
            contract = Contract.M if seed % 5 == 0 else contract
            check_sums(short_record(seed, contract, 6 - seed % 6 or 1))
        else:
            check_sums(random_record(seed, contract))


def check_sums(record: GameRecord) -> None:
    """Stated once more, plainly: values at the start plus all changes are the points at the end."""
    reviewed = review(SOLVER, record)
    assert reviewed.problems() == []
    after = record.deal_after_exchange.position(record.contract)
    for seat in Seat:
        total = SOLVER.value(after).points[seat] + sum(card.transfer[seat] for card in reviewed.cards)
        assert total == SOLVER.value(record.final_position).points[seat]
        assert total + reviewed.claim[seat] == (reviewed.final or reviewed.end.points)[seat]
    if record.tricks is not None and record.deal.hand_size == 13:
        assert reviewed.final == record.points()
    assert [card.kind for card in reviewed.cards] == [kind_of(position) for position in record.positions()]
    assert json.loads(json.dumps(reviewed.as_dict()))["adds_up"]


def kind_of(position: Position) -> str:
    if len(position.legal_cards()) == 1:
        return FORCED
    return EQUIVALENT if len(equivalent_cards(position)) == 1 else DECISION


def test_what_does_not_add_up_is_said() -> None:
    reviewed = review(SOLVER, played(Deal("F:K2.-.-.- M:A3.-.-.- R:-.54.-.-"), Contract.N, lambda worth: worth[-1]))
    assert reviewed.problems() == []
    wrong = replace(reviewed, start=Value(Contract.N, (9, 0, 0), (9, 0, 0), 2))
    assert any(problem.startswith("F: start, costs and gifts add up to") for problem in wrong.problems())
    assert any(problem.startswith("par: ") for problem in wrong.problems())
    lying = replace(reviewed, cards=(replace(reviewed.cards[0], kind=FORCED, after=wrong.start), *reviewed.cards[1:]))
    assert lying.problems()


def test_the_contract_is_judged_as_dealt() -> None:
    deal = Deal.random(3)
    solution = SOLVER.solve(deal, "SHDCN")
    exchange = (tuple(deal.hands[Seat.F])[:2], (), ())
    record = GameRecord(NAMES, deal, Contract.C, exchange)
    judged = review(SOLVER, record, contracts=[Contract(i) for i in range(5)]).contract
    assert judged is not None
    assert judged.best is solution.best_contract
    assert judged.par_cost == pytest.approx(
        max(v.par[0] for v in solution.values.values()) - solution["C"].par[0], abs=2e-3
    )
    assert judged.cost == max(v.points[0] for v in solution.values.values()) - solution["C"].points[0]
    assert review(SOLVER, record).contract is None


@given(record=records(1, 5))
@settings(max_examples=40)
def test_exchanges_lead_from_the_deal_to_the_start_of_play(record: GameRecord) -> None:
    reviewed = review(SOLVER, record, exchanges=True)
    assert reviewed.problems() == []
    dealt = SOLVER.value(record.deal, record.contract)
    for seat in Seat:
        change = sum(exchange.transfer[seat] for exchange in reviewed.exchanges)
        assert dealt.points[seat] + change == reviewed.start.points[seat]
    for exchange, discards in zip(reviewed.exchanges, record.exchange, strict=True):
        assert (exchange.discards, len(exchange.drawn), exchange.cost) == (discards, len(discards), None)
        assert discards or exchange.transfer == (0, 0, 0)
    drawn = [card for exchange in reviewed.exchanges for card in exchange.drawn]
    assert tuple(drawn) == record.deal.talon[: len(drawn)]


def test_an_exchange_has_a_cost_when_the_best_is_known() -> None:
    record = GameRecord(NAMES, Deal("F:A.2.-.- M:K.3.-.- R:-.54.-.- T:SQHA"), Contract.N)

    forehand, *others = review(SOLVER, record, best_exchanges=True).exchanges
    assert forehand.cost == 2 - SOLVER.value(record.deal, Contract.N).guaranteed[0] == 1
    for exchange in others:
        best = SOLVER.exchange(record.deal, Contract.N, exchange.seat).best
        assert exchange.cost == best.guaranteed - exchange.after.guaranteed[exchange.seat] >= 0
    assert forehand.as_dict()["best"] == {"guaranteed": 2, "discard": ["H2"]}


@pytest.mark.parametrize(
    ("extra", "letters"),
    [
        ((), "SHDCNM"),
        ((("remaining", '"CN"'),), "CN"),
        ((("remaining", '"SX"'),), "SHDCNM"),
        ((("remaining", "3"),), "SHDCNM"),
    ],
)
def test_what_forehand_could_name(extra: tuple[tuple[str, str], ...], letters: str) -> None:
    record = GameRecord(NAMES, Deal("F:A... M:K... R:Q..."), Contract.N, extra=extra)
    assert "".join(contract.name for contract in nameable(record)) == letters


def test_expected_values_have_their_place() -> None:
    record = played(Deal("F:K2.-.-.- M:A3.-.-.- R:-.54.-.-"), Contract.N, lambda worth: worth[0])
    reviewed = review(SOLVER, record, expected=lambda position: (float(position.tricks_left), 0.0, 0.0))
    assert [card.expected for card in reviewed.cards][2] == ((2.0, 0.0, 0.0), (1.0, 0.0, 0.0))
    assert reviewed.as_dict()["cards"][0]["expected"]["before"] == {"F": 2.0, "M": 0.0, "R": 0.0}


# Summary


def test_summary_counts_decisions_only() -> None:
    reviews = [review(SOLVER, random_record(seed, Contract.N)) for seed in range(3)]
    summary = Summary(n_worst=4)
    for number, reviewed in enumerate(reviews):
        summary.add(reviewed, f"x:{number}")
    cards = [card for reviewed in reviews for card in reviewed.cards if card.is_decision]
    for group, key_of in {
        "seat": lambda c: c.seat.name,
        "trick": lambda c: c.trick,
        "place": lambda c: c.place + 1,
    }.items():
        assert set(summary.lines[group]) == {key_of(card) for card in cards}
        for key, line in summary.lines[group].items():
            mine = [card.cost for card in cards if key_of(card) == key]
            assert (line.decisions, line.errors) == (len(mine), sum(cost > 0 for cost in mine))
            assert line.cost.mean == pytest.approx(statistics.fmean(mine))
            if len(mine) > 1:
                assert line.cost.standard_error == pytest.approx(statistics.stdev(mine) / len(mine) ** 0.5)
    for seat in Seat:
        line = summary.lines["player"][NAMES[seat]]
        assert line.deal_cost.total == sum(reviewed.costs[seat] for reviewed in reviews)
        assert line.deal_points.mean == pytest.approx(statistics.fmean(reviewed.final[seat] for reviewed in reviews))
    assert summary.lines["contract"]["N"].deal_cost.n == 9
    assert [worst.cost for worst in summary.worst] == sorted((card.cost for card in cards), reverse=True)[:4]
    for worst in summary.worst:
        costs = {worth.card: worth.cost for worth in SOLVER.cards(Position(str(worst.card.position)))}
        assert costs[worst.card.card] == worst.cost
    assert summary.over(0) == [(player, line.deal_cost.mean) for player, line in summary.lines["player"].items()]
    assert summary.over(100) == []
    json.dumps(summary.as_dict(), allow_nan=False)


def test_summary_of_some() -> None:
    reviewed = review(SOLVER, random_record(1, Contract.S))
    summary = Summary(players=["b", "c"], seats=[Seat.R])
    summary.add(reviewed)
    assert list(summary.lines["player"]) == ["c"]
    assert list(summary.lines["seat"]) == ["R"]


def test_tally() -> None:
    assert Tally().as_dict() == {"mean": 0.0, "se": None}
    assert Tally.of([2.0]).as_dict() == {"mean": 2.0, "se": None}


def test_cards_compare_by_value() -> None:
    record = played(Deal("F:K2.-.-.- M:A3.-.-.- R:-.54.-.-"), Contract.N, lambda worth: worth[0])
    assert review(SOLVER, record).cards[0].card == Card("SK")
