"""Where points come from: the account of each record adds up exactly, and so do the balances of players."""

from __future__ import annotations

import json
import statistics
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mizerka_solver import Contract, Deal, GameRecord, Hand, Seat, Solver
from mizerka_solver.arena.match import SEATINGS
from mizerka_solver.double_dummy.solver import SearchStopped
from mizerka_solver.game.rules import Variant
from mizerka_solver.hidden.contracts import forecast_contracts
from mizerka_solver.hidden.samples import Sampling
from mizerka_solver.policy.quick import contract_values, price_after
from mizerka_solver.review import RecordReview, ReviewQuery, Summary, review
from mizerka_solver.review.account import TERMS, Account
from mizerka_solver.review.balance import TOTAL, Estimate
from mizerka_solver.review.known import known_contract
from mizerka_solver.review.steps import thirds
from mizerka_solver.support.errors import MizerkaError
from tests.strategies import records
from tests.test_analysis import NAMES, random_record

SOLVER = Solver(memory="16M")
JUDGED = st.sampled_from([True, False, None])


@given(record=records(1, 5), contracts=JUDGED, exchanges=JUDGED)
@settings(max_examples=80)
def test_accounts_add_up(record: GameRecord, contracts: bool | None, exchanges: bool | None) -> None:
    reviewed = review(SOLVER, record, ReviewQuery(contracts, exchanges))
    assert reviewed.problems() == []
    last = SOLVER.value(record.final_position)
    end = thirds(last) if reviewed.final is None else tuple(3 * points for points in reviewed.final)
    assert tuple(map(sum, reviewed.accounts)) == end
    # Nobody else's step is to a seat's own account, and every step but the contract hands on what it takes.
    for kind in ("exchange", "play"):
        own = [getattr(account, kind) for account in reviewed.accounts]
        others = [getattr(account, f"others_{kind}") for account in reviewed.accounts]
        assert sum(own) + sum(others) == 0
    assert all(account.play <= 0 and account.contract <= 0 for account in reviewed.accounts)
    assert [account.contract for account in reviewed.accounts[1:]] == [0, 0]


@given(record=records(1, 5))
@settings(max_examples=60)
def test_the_terms_are_what_they_are_called(record: GameRecord) -> None:
    """Each term once more, from values alone."""
    reviewed = review(SOLVER, record, ReviewQuery(contracts=True, exchanges=True))
    par = {contract: thirds(SOLVER.value(record.deal, contract)) for contract in Contract}
    best = max(par, key=lambda contract: (par[contract][0], contract is record.contract))
    start = thirds(SOLVER.value(record.deal_after_exchange, record.contract))
    end = thirds(SOLVER.value(record.final_position))
    for seat, account in zip(Seat, reviewed.accounts, strict=True):
        if reviewed.contract is not None:
            assert account.contract + account.others_contract <= 3 * 2 * record.deal.hand_size
            if par[best][0] > max(value[0] for contract, value in par.items() if contract is not best):
                assert account.cards == par[best][seat]
        assert account.cards + account.contract + account.others_contract == par[record.contract][seat]
        assert account.exchange + account.others_exchange == start[seat] - par[record.contract][seat]
        assert account.play + account.others_play == end[seat] - start[seat]
        rest = account.claim + account.forfeit + account.others_forfeit
        assert rest == (0 if reviewed.final is None else 3 * reviewed.final[seat] - end[seat])


@given(record=records(1, 5))
@settings(max_examples=40)
def test_a_card_never_gains_par_for_its_player(record: GameRecord) -> None:
    for card in review(SOLVER, record).cards:
        others = [card.transfer[seat] for seat in Seat if seat is not card.seat]
        assert -card.thirds[card.seat] == 2 * card.cost + sum(others) >= 0
        assert card.par_cost >= 0


def test_a_forfeit_is_not_a_claim() -> None:
    deal = Deal("F:A.2.-.- M:K.3.-.- R:-.54.-.-")
    claimed = GameRecord(NAMES, deal, Contract.N, claimed=(0, 1, 1))
    lost = replace(claimed, extra=(("forfeit", '{"seat":"F","reason":"crashed"}'),))
    plain, forfeited = review(SOLVER, claimed), review(SOLVER, lost)
    assert plain.forfeiter is None
    assert forfeited.forfeiter is Seat.F
    for seat, (one, other) in enumerate(zip(plain.accounts, forfeited.accounts, strict=True)):
        assert one.claim == other.forfeit + other.others_forfeit
        assert (other.claim, one.forfeit, one.others_forfeit) == (0, 0, 0)
        assert (other.others_forfeit if seat == 0 else other.forfeit) == 0
    assert forfeited.accounts[0].forfeit < 0
    strange = replace(claimed, extra=(("forfeit", "[1]"),))
    assert review(SOLVER, strange).forfeiter is None


# Balances


def duplicate(n_boards: int) -> list[GameRecord]:
    """Boards in all six seatings; the players differ by how they play at random."""
    found = []
    for board in range(n_boards):
        for number, seating in enumerate(SEATINGS):
            record = random_record(100 * board + number, Contract(board % 5))
            deal, position, play = Deal.random(board), None, []
            position = deal.position(record.contract)
            while not position.is_over:
                legal = sorted(position.legal_cards())
                play.append(legal[(7 * number + len(play)) % len(legal)])
                position = position.play(play[-1])
            f, m, r = (NAMES[i] for i in seating)
            found.append(GameRecord((f, m, r), deal, record.contract, play=tuple(play)))
    return found


def test_balances_add_up_and_differences_too() -> None:
    played = duplicate(2)
    summary = Summary()
    won = dict.fromkeys(NAMES, 0)
    for record in played:
        summary.add(review(SOLVER, record))
        for seat in Seat:
            won[record.players[seat]] += record.points()[seat]  # type: ignore[index]
    balance = summary.balance
    for name in NAMES:
        n, total = balance.total(name)
        assert (n, sum(total)) == (12, 3 * won[name])
        assert balance.per_deal(name)[TOTAL].mean == pytest.approx(won[name] / 12)
    assert len(list(balance.pairs())) == 3
    for first, second in balance.pairs():
        parts = balance.difference(first, second)
        assert sum(parts[term].mean for term in TERMS) == pytest.approx(parts[TOTAL].mean)
        assert parts[TOTAL].mean == pytest.approx((won[first] - won[second]) / 12)
        assert parts["cards"] == Estimate(0.0, 0.0)  # everybody held everything equally often
        assert parts[TOTAL].standard_error > 0
    json.dumps(summary.as_dict(), allow_nan=False)


def test_only_players_with_the_same_boards_are_compared() -> None:
    summary = Summary(seats=[Seat.F])
    for seed in range(3):
        record = replace(random_record(seed, Contract.N), players=NAMES[seed:] + NAMES[:seed])  # type: ignore[arg-type]
        summary.add(review(SOLVER, record))
    assert list(summary.balance.pairs()) == []
    assert all(advice.against is None for name in NAMES for advice in summary.advice(name))
    assert summary.advice("a")[0].term == "play"
    assert summary.advice("a")[0].where[0] == "N"


@given(st.lists(st.integers(-40, 40), min_size=2, max_size=9))
def test_an_estimate_is_the_usual_one_for_single_deals(thirds: list[int]) -> None:
    found = Estimate.of((1, n) for n in thirds)
    points = [n / 3 for n in thirds]
    assert found.mean == pytest.approx(statistics.fmean(points), abs=1e-9)
    assert found.standard_error == pytest.approx(statistics.stdev(points) / len(points) ** 0.5, abs=1e-9)


def test_seatings_of_a_board_count_as_one_number() -> None:
    boards = [(6, 12), (6, -30), (6, 3)]
    usual = Estimate.of((1, n) for n in (2, -5, 0.5))  # type: ignore[misc]
    assert Estimate.of(boards).standard_error == pytest.approx(usual.standard_error)
    assert Estimate.of([(6, 12)]).as_dict() == {"mean": 0.6667, "se": None}
    assert sum(Account()) == 0


# The question


def same(first: RecordReview, second: RecordReview) -> bool:
    """Whether two reviews say the same, however many nodes it took."""
    return first.as_dict() == second.as_dict()


def test_a_query_asks_what_the_keywords_do() -> None:
    record = GameRecord(NAMES, Deal("F:A.2.-.- M:K.3.-.- R:-.54.-.- T:SQHA"), Contract.N)
    both = tuple(Contract(i) for i in (3, 4))
    query = ReviewQuery(both, exchanges=True, best_exchanges=True)
    keywords = {"contracts": both, "exchanges": True, "best_exchanges": True}
    assert same(review(SOLVER, record, query), review(SOLVER, record, **keywords))  # type: ignore[arg-type]
    assert same(review(SOLVER, record, ReviewQuery()), review(SOLVER, record))
    automatic = review(SOLVER, record, ReviewQuery(None, None))
    assert automatic.contract is not None
    assert len(automatic.exchanges) == 3
    bare = replace(record, deal=Deal("F:A.2.-.- M:K.3.-.- R:-.54.-.-"))
    assert same(review(SOLVER, bare, ReviewQuery(None, None)), review(SOLVER, bare))
    with pytest.raises(TypeError, match="a query or keywords"):
        review(SOLVER, record, query, exchanges=True)
    with pytest.raises(MizerkaError, match="contract_samples -1"):
        ReviewQuery(contract_samples=-1)


def test_expected_points_by_the_solver() -> None:
    record = random_record(1, Contract.N)
    tail = list(record.positions())[30]
    short = GameRecord(NAMES, Deal.from_hands(tail.hands), Contract.N)
    asked = review(SOLVER, short, ReviewQuery(expected=True))
    assert asked.cards == ()
    played = replace(short, play=(sorted(short.final_position.legal_cards())[0],))
    (card,) = review(SOLVER, played, ReviewQuery(expected=True)).cards
    assert card.expected is not None
    assert card.expected[0] == SOLVER.equilibria(short.deal, Contract.N).expected_points


def test_a_variant_is_honoured() -> None:
    record = replace(random_record(2, Contract.N))
    other = Variant(13, 6, (8, 4, 1), (1, 4, 8))
    query = ReviewQuery(contracts=[Contract.N, Contract.S], exchanges=True, variant=other)
    ours, theirs = review(SOLVER, record, replace(query, variant=ReviewQuery().variant)), review(SOLVER, record, query)
    assert theirs.problems() == []
    assert theirs.final == record.points(other) != ours.final
    assert [b - a for a, b in zip(ours.start.points, theirs.start.points, strict=True)] == [-1, 1, 0]
    assert theirs.costs == ours.costs


def test_limits_stop_a_review() -> None:
    record = random_record(3, Contract.N)
    with pytest.raises(SearchStopped):
        review(Solver(memory="1M"), record, ReviewQuery(node_limit=1))
    with pytest.raises(SearchStopped):
        review(Solver(memory="1M"), record, ReviewQuery(seconds=1e-9))
    assert same(review(SOLVER, record, ReviewQuery(seconds=1e6, node_limit=10**12)), review(SOLVER, record))


# What forehand could know


def seen(record: GameRecord) -> tuple[GameRecord, Hand]:
    """A record that tells the first six cards of forehand."""
    preview = Hand.from_cards(list(record.deal.hands[0])[:6])
    record.__dict__["preview"] = preview
    return record, preview


def test_the_contract_by_the_cards_seen() -> None:
    record, preview = seen(GameRecord(NAMES, Deal.random(5), Contract.C))
    allowed = (Contract.S, Contract.C, Contract.M)
    known = known_contract(record, allowed)
    assert known is not None
    worth = {contract: contract_values(preview)[contract] + price_after(contract, allowed) for contract in allowed}
    assert known.totals == worth
    assert known.cost == pytest.approx(max(worth.values()) - worth[Contract.C], abs=1e-3)
    assert known.best is max(allowed, key=worth.__getitem__)
    assert known.as_dict()["totals"].keys() == {"S", "C", "M"}
    assert known_contract(GameRecord(NAMES, Deal.random(5), Contract.C), allowed) is None
    assert known_contract(record, allowed, variant=Variant(13, 6, (8, 4, 1), (1, 4, 8))) is None


def test_the_contract_by_sampled_worlds() -> None:
    record, preview = seen(GameRecord(NAMES, Deal.random(5), Contract.C))
    allowed = (Contract.S, Contract.C)
    known = known_contract(record, allowed, samples=2)
    assert known is not None
    report = forecast_contracts(preview, allowed, Sampling(2))
    assert known.totals == {each.contract: each.total for each in report.forecasts}
    assert known.samples == 2


def test_what_could_be_known_is_summed_up() -> None:
    record, _ = seen(GameRecord(NAMES, Deal.random(5), Contract.C))
    reviewed = review(SOLVER, record, ReviewQuery([Contract.S, Contract.C]))
    assert reviewed.contract is not None
    assert reviewed.contract.known is not None
    summary = Summary()
    summary.add(reviewed)
    assert summary.choices["a"].contract_known_cost.mean == reviewed.contract.known.cost
    assert "contract_known_cost" in summary.as_dict()["choices"]["a"]
    assert reviewed.as_dict()["contract_choice"]["known"]["samples"] == 0
