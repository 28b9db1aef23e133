"""The playing core against the Python policy card by card, its draws against enumeration, its races against sums."""

from __future__ import annotations

import math
import os
import subprocess
import sys
from collections import Counter
from itertools import combinations
from random import Random

import numpy as np
import pytest

from mizerka_solver.bots import RandomBot, RuleBot, Searcher, Table, View
from mizerka_solver.bots.search import trust_tables
from mizerka_solver.core import Policies, Question, Race, RaceKind
from mizerka_solver.game.cards import ALL_CARDS, Card, Hand
from mizerka_solver.game.deal import Deal, deal_seeded
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.policy import play, quick
from mizerka_solver.policy.compiled import policies

BITS = [16 * suit + rank for suit in range(4) for rank in range(13)]
TARGETS = [7, 7, 7, 7, 7, 1]
EVEN = (0, 0, 0)


def shuffled_bits(random: Random) -> list[int]:
    return sorted(BITS, key=lambda _: random.random())


def mask_of(bits: list[int]) -> int:
    return sum(1 << bit for bit in bits)


def bits_of(mask: int) -> list[int]:
    return [bit for bit in BITS if mask >> bit & 1]


def question(view: View) -> Question:
    """What a view knows; playouts by rule, so that nothing here changes with the nets."""
    return Searcher(1, playouts="rule").question(view)


def played_until(seed: int, contract: Contract, n_cards: int, bot: RuleBot | RandomBot | None = None) -> Table:
    """A deal exchanged by the policy and played on by a bot until so many cards lie."""
    table, rule = Table(Deal.random(seed), remaining=(contract,)), RuleBot()
    while len(table.cards) < n_cards or table.phase == "exchange":
        view = table.view()
        if table.phase == "exchange":
            table.exchange(rule.exchange(view))
        else:
            table.play((bot or rule).play(view))
    return table


# The policy


def test_cards_by_rule_are_those_of_python() -> None:
    random = Random(5)
    for _ in range(4000):
        bits = shuffled_bits(random)
        n, in_trick = 1 + int(random.random() * 13), int(random.random() * 3)
        hand, trick = mask_of(bits[:n]), bits[n : n + in_trick]
        unseen = mask_of(bits[n + in_trick : n + in_trick + int(random.random() * (53 - n - in_trick))])
        for contract in Contract:
            expected = play.choose(hand, contract, trick, unseen)
            assert policies().card(hand, contract, trick, unseen) == expected, (Hand.from_mask(hand), contract, trick)


def test_exchanges_are_those_of_python_but_for_ties() -> None:
    """Python adds floats, so that of exact ties its rounding picks one; the core picks as documented."""
    random = Random(6)
    n_ties = 0
    for _ in range(400):
        hand = Hand.from_mask(mask_of(shuffled_bits(random)[: 1 + int(random.random() * 13)]))
        for contract in Contract:
            seat, most = Seat(int(random.random() * 3)), int(random.random() * 14)
            exactly = int(random.random() * (min(most, len(hand)) + 1)) if random.random() < 0.5 else None
            expected = quick.choose_discards(hand, contract, seat, most, exactly)
            mask = policies().discards(hand.mask, contract, seat, most, -1 if exactly is None else exactly)
            if mask != mask_of([card.bit for card in expected]):
                n_ties += 1
                found = quick.estimated_exchange(hand, contract, seat, tuple(Hand.from_mask(mask)))
                assert found == pytest.approx(quick.estimated_exchange(hand, contract, seat, expected), abs=1e-9)
    assert n_ties < 24


def test_deals_end_as_three_rule_bots_play_them() -> None:
    for seed in range(40):
        for contract in Contract:
            deal = Deal.random(seed)
            hands, talon = [hand.mask for hand in deal.hands], [card.bit for card in deal.talon]
            table, bot = Table(deal, remaining=(contract,)), RuleBot()
            while not table.is_over:
                view = table.view()
                if table.phase == "exchange":  # by the core, as ties may be told apart (see above)
                    table.exchange(
                        tuple(Hand.from_mask(policies().discards(view.hand.mask, contract, view.seat, view.talon)))
                    )
                else:
                    table.play(bot.play(view))
            assert policies().play_deal(hands, talon, contract) == table.tricks_won
            end = play.playout(list(hands), contract, 0, [])
            assert policies().play_out(hands, (0, 0, 0), contract, 0, [], 0) == tuple(end)


def test_exchanges_to_race_hold_the_best_and_come_in_order() -> None:
    for seed in range(20):
        deal = Deal.random(seed)
        for contract in Contract:
            for seat in Seat:
                hand = deal.hands[seat]
                found = policies().exchanges(hand.mask, contract, seat, 9)
                values = [
                    round(quick.estimated_exchange(hand, contract, seat, tuple(Hand.from_mask(mask))), 6)
                    for mask in found
                ]
                best = quick.estimated_exchange(hand, contract, seat, quick.choose_discards(hand, contract, seat, 9))
                assert values[0] == pytest.approx(best)
                assert values == sorted(values, reverse=True)
                assert len(set(found)) == len(found) == 64
                assert all(mask.bit_count() <= 9 for mask in found)


# Draws


def late_table() -> Table:
    """A position with few ways: at the last trick but one, with suits that were not followed."""
    for seed in range(200):
        table = played_until(seed, Contract.S, 33)
        view = table.view()
        if 20 < question(view).ways < 400 and any(view.voids()):
            return table
    raise AssertionError


def all_ways(view: View) -> Counter[tuple[int, int]]:
    """Every pair of hands of the next seat and the one after."""
    unseen, voids, n = bits_of(view.unseen_mask), view.voids(), len(view.hand)
    after, last = view.seat.next, view.seat.next.next
    found: Counter[tuple[int, int]] = Counter()
    for first in combinations([bit for bit in unseen if not voids[after] >> bit & 1], n):
        rest = [bit for bit in unseen if bit not in first and not voids[last] >> bit & 1]
        for second in combinations(rest, n):
            found[mask_of(list(first)), mask_of(list(second))] = 0
    return found


def test_even_draws_are_even_among_all_ways() -> None:
    view = late_table().view()
    ways, asked = all_ways(view), question(view)
    assert asked.ways == len(ways)
    asked.infer(0)
    race = Race(asked, RaceKind.CARDS, [view.legal[0].bit], ([0], TARGETS), EVEN, 1, 1)
    n = 60 * len(ways)
    for _ in range(n):
        hands, discards, _, talon = race.draw()
        ways[hands[view.seat.next], hands[view.seat.next.next]] += 1
        assert sum(hands) + sum(discards) + talon + sum(card.mask for card in view.play) == ALL_CARDS
    assert len(ways) == asked.ways, "a draw that does not agree with the voids"
    chi_square = sum((count - 60) ** 2 / 60 for count in ways.values())
    freedom = len(ways) - 1
    assert abs(chi_square - freedom) < 5 * math.sqrt(2 * freedom)


def test_chain_without_evidence_draws_evenly() -> None:
    view = late_table().view()
    asked = question(view)
    asked.infer(0)
    counts = []
    for chain in (EVEN, (200, 20, 50)):
        race = Race(asked, RaceKind.CARDS, [view.legal[0].bit], ([0], TARGETS), chain, 2, 20_000)
        race.run(20_000)
        counts.append(np.array(race.held()))
    assert np.abs(counts[0] - counts[1]).max() / 20_000 < 0.025


def exchange_weight(view: View, seat: Seat, had: int, kept: int, available: int) -> float:
    """What playing_draw.pxd says of an exchange, with the Python policy; the floor is 1000 millinats."""
    assert view.contract is not None
    hand, contract = Hand.from_mask(had), view.contract
    n = (had & ~kept).bit_count()
    done = quick.estimated_exchange(hand, contract, seat, tuple(Hand.from_mask(had & ~kept)))
    same = quick.estimated_exchange(hand, contract, seat, quick.choose_discards(hand, contract, seat, available, n))
    best = quick.estimated_exchange(hand, contract, seat, quick.choose_discards(hand, contract, seat, available))
    return max(10 * (done - same) + 5 * (same - best), -1.0)


def test_chain_draws_as_the_exchanges_weigh() -> None:
    """Against even draws weighted one by one, with the weights computed in Python."""
    table = Table(Deal.random(3), remaining=(Contract.H,))
    for _ in range(2):
        table.exchange(RuleBot().exchange(table.view()))
    view, n = table.view(), 4000
    asked = question(view)
    asked.infer(-1000)
    even = Race(asked, RaceKind.EXCHANGES, [0], ([0], TARGETS), EVEN, 3, 1)
    share, total = np.zeros((2, 64)), 0.0
    for _ in range(n):
        hands, discards, drawn, _ = even.draw()
        weight, available = 0.0, 13
        for seat in (Seat.F, Seat.M):
            kept = hands[seat] & ~drawn[seat]
            weight += exchange_weight(view, seat, kept | discards[seat], kept, available)
            available -= view.exchanged[seat]
        total += math.exp(weight)
        for seat in (Seat.F, Seat.M):
            share[seat, bits_of(hands[seat])] += math.exp(weight)
    chain = Race(asked, RaceKind.EXCHANGES, [0], ([0], TARGETS), (500, 30, 500), 4, n)
    chain.run(n)
    difference = np.abs(share / total - np.array(chain.held())[:2] / n)
    assert difference.max() < 0.05
    assert np.abs(share / total - 13 / 39).max() > 0.1, "weights that change nothing test nothing"


@pytest.mark.parametrize(("bot", "is_by_rule"), [(RuleBot(), True), (RandomBot(), False)])
def test_trust_goes_to_those_who_play_by_rule(bot: RuleBot | RandomBot, is_by_rule: bool) -> None:
    trusts = []
    for seed in range(12):
        view = played_until(seed, Contract.N, 18, bot).view()
        race = Searcher(40).race(view, RaceKind.CARDS, [view.legal[0].bit], [0], seed)
        for _ in range(40):
            race.draw()
            trusts += race.trusts()
    mean = sum(trusts) / len(trusts)
    assert mean < 1.5 if is_by_rule else mean > 2.5


def test_the_certain_holds_in_every_draw() -> None:
    for seed in range(20):
        for n_cards in (0, 5, 16, 31):
            table = played_until(seed, list(Contract)[seed % 6], n_cards, RandomBot())
            view = table.view()
            race = Searcher(30).race(view, RaceKind.CARDS, [view.legal[0].bit], [0], seed)
            for _ in range(30):
                hands, discards, _, _ = race.draw()
                assert hands[view.seat] == view.hand.mask
                for seat in Seat:
                    assert hands[seat].bit_count() == len(table.hands[seat])
                    assert not hands[seat] & view.voids()[seat]
                    assert discards[seat].bit_count() == view.exchanged[seat]


# Races


def test_race_adds_up_playouts() -> None:
    view = played_until(4, Contract.N, 9).view()
    bits = [card.bit for card in view.legal]
    race = Race(question(view), RaceKind.CARDS, bits, ([0] * len(bits), TARGETS), EVEN, 7, 50)
    assert [race.run(20), race.run(100)] == [20, 50], "no more than max_worlds"
    assert race.n_played == 50 * len(bits)
    columns = [race.values(i) for i in range(len(bits))]
    sums = [sum(column) for column in columns]
    assert race.leader == sums.index(max(sums))
    n, total, squares = race.difference(0, 1)
    gaps = [a - b for a, b in zip(columns[0], columns[1], strict=True)]
    assert (n, total, squares) == (50, sum(gaps), sum(gap * gap for gap in gaps))
    race.keep(2)
    assert race.n_active == 2
    assert race.is_active(race.leader)


def test_each_value_is_that_of_the_playout_of_its_world() -> None:
    view = played_until(4, Contract.N, 9).view()
    bit = view.legal[0].bit
    drawn = Race(question(view), RaceKind.CARDS, [bit], ([0], TARGETS), EVEN, 7, 30)
    raced = Race(question(view), RaceKind.CARDS, [bit], ([0], TARGETS), EVEN, 7, 30)
    raced.run(30)
    for value in raced.values(0):
        hands, discards, _, _ = drawn.draw()
        left = [hand & ~(1 << bit) if seat == view.seat else hand for seat, hand in enumerate(hands)]
        seen = sum(card.mask for card in view.play) | 1 << bit
        tricks = policies().play_out(left, discards, Contract.N, view.leader, [bit], seen)
        assert value == tricks[view.seat] + view.tricks_won[view.seat] - 7


def test_points_of_later_deals_decide_between_equals() -> None:
    view = Table(Deal.random(1), Hand("AK.A2.3.4")).view()
    for later in ([0, 5000], [5000, 0]):
        race = Race(question(view), RaceKind.CONTRACTS, [0, 0], (later, TARGETS), EVEN, 1, 64)
        race.run(64)
        assert race.leader == later.index(5000)
        assert race.drop_behind(30) == 1


def test_contracts_are_raced_with_the_whole_talon() -> None:
    """Before a contract is named nobody has exchanged: a world of it is a deal that all three then exchange."""
    dealt = deal_seeded(3)
    view = Table(dealt.deal, dealt.previews[0]).view()
    assert question(view).talon == 13
    race = Race(question(view), RaceKind.CONTRACTS, range(6), ([0] * 6, TARGETS), EVEN, 5, 300)
    race.run(300)
    means = [sum(race.values(i)) / 300 for i in range(6)]
    random, totals = Random(1), [0.0] * 6
    for _ in range(300):
        rest = [bit for bit in shuffled_bits(random) if not view.hand.mask >> bit & 1]
        hands = (view.hand.mask | mask_of(rest[:7]), mask_of(rest[7:20]), mask_of(rest[20:33]))
        for contract in Contract:
            tricks = policies().play_deal(hands, rest[33:], contract)[0]
            totals[contract] += 1 - tricks if contract.is_mizerka else tricks - 7
    assert means == pytest.approx([total / 300 for total in totals], abs=0.5)


DIGEST = """
from tests.test_playing_core import *
for contract in Contract:
    view = played_until(11, contract, 10).view()
    bits = [card.bit for card in view.legal]
    race = Race(question(view), RaceKind.CARDS, bits, ([0] * len(bits), TARGETS), (100, 20, 50), 5, 200)
    race.run(200)
    held = race.held()[view.seat.next]
    print(*(sum(race.values(i)) for i in range(len(bits))), sum(bit * n for bit, n in enumerate(held)), end=";")
"""


@pytest.mark.parametrize("build", ["portable", ""])
def test_same_answers_in_every_build(build: str) -> None:
    environment = os.environ | {"MIZERKA_BUILD": build}
    done = subprocess.run(
        [sys.executable, "-c", DIGEST], env=environment, capture_output=True, text=True, check=True, timeout=100
    )
    assert done.stdout == GOLDEN


GOLDEN = (
    "-403 -469 45221;-672 -642 -732 -729 49104;-328 -242 -237 -237 70226;"
    "-890 -926 -920 -976 -852 -963 -963 -840 -862 -862 58789;-759 -671 44742;-63 4 58863;"
)


# The nets


def test_nets_are_computed_as_described() -> None:
    """Against numpy, with nets drawn at random so that every path through them is taken."""
    draw = np.random.default_rng(8)
    whole = draw.integers(-900, 900, (9, 32 * 33)).astype(np.int16)
    kept, drawn = np.zeros(4 * 3 * 8192, np.int16), np.zeros(3 * 3 * 18, np.int16)
    core = Policies(kept, drawn, whole.reshape(-1))
    asked_nets = set()
    for seed in range(60):
        view = played_until(seed, list(Contract)[seed % 6], 7 * seed % 31, RandomBot()).view()
        own = view.hand.mask, sum(card.mask for card in view.discarded)
        played = [card.bit for card in view.play]
        asked = Question(core, int(view.seat), int(view.contract or 0), own, view.exchanged, view.talon, played)
        net, described = asked.features()
        asked_nets.add(net)
        between = view.unseen_mask | sum(card.mask for card in view.trick)
        first, last = whole[net, :1024].reshape(32, 32).astype(int), whole[net, 1024:].astype(int)
        best, best_value = -1, 0
        for bit, features in described:
            lower = [other for other, _ in described if other < bit and other >> 4 == bit >> 4]
            if lower and not between & ((1 << bit) - (1 << max(lower))):
                continue  # nobody can tell it from the next lower
            hidden = np.minimum(np.maximum(first @ features, 0) >> 4, 4095)
            value = int(last @ hidden)
            if best < 0 or value > best_value:
                best, best_value = bit, value
        assert asked.net_card() == (best if len(described) > 1 else described[0][0])
    assert len(asked_nets) == 9


def test_features_say_what_their_names_say() -> None:
    table = played_until(2, Contract.H, 13)
    view = table.view()
    net, described = question(view).features()
    assert net == (0 if not view.trick else 1 if view.hand.mask & view.trick[0].suit.mask else 2)
    assert [bit for bit, _ in described] == sorted(card.bit for card in view.legal)
    unseen = view.unseen_mask
    trick = [card.bit for card in view.trick]
    rule = play.choose(view.hand.mask, Contract.H, trick, unseen)
    for bit, f in described:
        suit, lane = bit >> 4, 0x1FFF << (bit & 48)
        above = (unseen & lane & -(2 << bit)).bit_count()
        below = (unseen & lane & ((1 << bit) - 1)).bit_count()
        assert f[:4] == [above, above == 0, above == 1, below]
        assert f[4:6] == [(view.hand.mask & lane).bit_count(), (unseen & lane).bit_count()]
        assert f[8:11] == [
            suit == 1,
            (view.hand.mask >> 16 & 0x1FFF).bit_count(),
            (unseen >> 16 & 0x1FFF).bit_count(),
        ]
        assert f[13] == bit & 15
        assert f[18] == (bit == rule)
        assert f[23] == len(view.hand)
        assert f[31] == 1
        assert f[11] == (play.winner(Contract.H, [*trick, bit]) == bit)


# What is refused


def test_what_makes_no_sense_is_refused() -> None:
    with pytest.raises(ValueError, match="4 x 3 x 8192"):
        Policies(np.zeros(3, np.int16), np.zeros(3, np.int16))
    view = played_until(4, Contract.N, 9).view()
    asked, bit = question(view), view.legal[0].bit
    own = (view.hand.mask, 0)
    played = [card.bit for card in view.play]
    for arguments, rule in (
        ((3, 4, own, (0, 0, 0), 0, played), "a seat 0 to 2"),
        ((int(view.seat), 7, own, (0, 0, 0), 0, played), "a contract -1 to 5"),
        ((int(view.seat.next), 4, own, (0, 0, 0), 0, played), "not this seat's turn"),
        ((int(view.seat), 4, own, (0, 0, 0), 0, [*played, played[0]]), "was played before"),
        ((int(view.seat), 4, own, (0, 0, 99), 0, played), "can't be exchanged"),
    ):
        with pytest.raises(ValueError, match=rule):
            Question(policies(), *arguments)
    for choices, later, rule in (
        ([], [], "1 to 64 choices"),
        ([bit], [], "as many later points"),
        ([0] * 65, [0] * 65, "1 to 64 choices"),
        ([bits_of(view.unseen_mask)[0]], [0], "is not held"),
    ):
        with pytest.raises(ValueError, match=rule):
            Race(asked, RaceKind.CARDS, choices, (later, TARGETS), EVEN, 1, 10)
    with pytest.raises(ValueError, match="can't be laid down"):
        Race(asked, RaceKind.EXCHANGES, [view.unseen_mask], ([0], TARGETS), EVEN, 1, 10)
    with pytest.raises(ValueError, match="is no card"):
        policies().card(1, 0, [13], 0)
    with pytest.raises(ValueError, match="do not fit"):
        policies().play_out((1, 0, 0), (0, 0, 0), 0, 0, [], 0)
    assert Card.from_bit(bit) in view.hand
    assert len(trust_tables()[0]) == 5
