"""The exhaustive engine against the cases of the study, a recursion that is dumb on purpose, and its own promises."""

from __future__ import annotations

import doctest
import json
import random
import threading
import time
from functools import lru_cache
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import reference
from tests.helpers import builds

SEATS, CONTRACTS, SUITS, RANKS = "FMR", "SHDCNM", "SHDC", "23456789TJQKA"
CASES = Path(__file__).parent / "cases"
DECK = [16 * suit + rank for suit in range(4) for rank in range(13)]


BUILDS = builds("_equilibrium")


@pytest.fixture(scope="module", params=BUILDS, ids=lambda module: module.__name__.split(".")[1])
def module(request):
    return request.param


def read_hand(text: str) -> int:
    suits = enumerate(text.split("."))
    return sum(1 << (16 * suit + RANKS.index(rank)) for suit, field in suits for rank in field.replace("-", ""))


def count(hand: int) -> int:
    return hand.bit_count()


def read_cases(name: str):
    for line in (CASES / name).read_text().splitlines():
        case = json.loads(line)
        hands = [read_hand(case["hands"][seat]) for seat in SEATS]
        for contract, value in case["values"].items():
            yield hands, SEATS.index(case["leader"]), CONTRACTS.index(contract), value


def random_deal(rng: random.Random, size: int, n_suits: int = 4, n_ranks: int = 13):
    """Three hands of `size` cards from a short pack: few suits make long ones, many suits and few cards make voids."""
    pack = [card for card in DECK if card // 16 < n_suits and card % 16 < n_ranks]
    cards = rng.sample(pack, 3 * size)
    return [sum(1 << card for card in cards[i::3]) for i in range(3)]


def play_some(rng: random.Random, hands, leader: int, contract: int, n_cards: int):
    """Play random legal cards: (hands, trick, leader)."""
    hands, trick = tuple(hands), ()
    for _ in range(n_cards):
        hands, leader, trick, _ = rng.choice(reference.children(hands, contract, leader, trick))
    return list(hands), list(trick), leader


def check_against_reference(answer, hands, trick, leader, contract):
    hands, trick = tuple(hands), tuple(trick)
    assert set(answer.payoffs) == reference.payoff_set(hands, contract, leader, trick)
    assert answer.payoffs == tuple(sorted(answer.payoffs))
    mean = reference.expected(hands, contract, leader, trick)
    assert answer.expected == pytest.approx([float(v) for v in mean], abs=1e-9)
    assert answer.guaranteed == tuple(reference.guaranteed(hands, contract, leader, s, trick) for s in range(3))


def check_properties(answer, n: int, contract: int):
    """Promises that hold for every position, in points: more is better for everyone."""
    sign = -1 if contract == reference.MIZERKA else 1
    low = [sign * g for g in answer.guaranteed]
    high = [sign * n - sum(low) + g for g in low]  # ceiling: what is left if the others get what is theirs
    assert answer.payoffs
    for payoff in (*answer.payoffs, answer.expected):
        assert sum(payoff) == pytest.approx(n, abs=1e-9)
        for seat in range(3):
            assert low[seat] - 1e-9 <= sign * payoff[seat] <= high[seat] + 1e-9
    if sum(low) == sign * n:  # slack 0: nothing left to decide
        assert answer.payoffs == (answer.guaranteed,)


def test_doctests(module):
    assert doctest.testmod(module).failed == 0


def test_small_cases(module):
    engine = module.Equilibrium(1 << 28)
    n_equal = 0
    for hands, leader, contract, value in read_cases("small.jsonl"):
        if len({count(hand) for hand in hands}) > 1:  # twenty lines have surplus cards in one hand: no position
            with pytest.raises(ValueError, match="equal size"):
                engine.solve(hands, [], leader, contract)
            continue
        answer = engine.solve(hands, [], leader, contract)
        assert [list(payoff) for payoff in answer.payoffs] == value["payoffs"]
        assert list(answer.guaranteed) == value["guaranteed"]
        check_properties(answer, count(hands[0]), contract)
        n_equal += 1
    assert n_equal == 1440


@pytest.mark.slow
def test_full_cases(module):
    engine = module.Equilibrium(1 << 30)
    for hands, leader, contract, value in read_cases("full.jsonl"):
        answer = engine.solve(hands, [], leader, contract)
        assert [list(payoff) for payoff in answer.payoffs] == value["payoffs"]
        assert list(answer.guaranteed) == value["guaranteed"]
        check_properties(answer, 13, contract)


@pytest.mark.parametrize("contract", range(6))
@pytest.mark.parametrize(("n_suits", "n_ranks"), [(4, 13), (4, 4), (2, 13), (3, 6), (1, 13)])
def test_against_reference(module, contract, n_suits, n_ranks):
    rng = random.Random(f"{contract} {n_suits} {n_ranks}")
    engine = module.Equilibrium(1 << 28)
    for size in (1, 2, 3, 3, 3, 3, 3, 4):
        hands, leader = random_deal(rng, size, n_suits, n_ranks), rng.randrange(3)
        answer = engine.solve(hands, [], leader, contract)
        check_against_reference(answer, hands, [], leader, contract)
        for n_cards in (1, 2, 3, 4, 5):  # later positions come from the table
            if n_cards < 3 * size:
                later = play_some(rng, hands, leader, contract, n_cards)
                answer = engine.lookup(*later)
                check_against_reference(answer, *later, contract)


@given(st.randoms(use_true_random=False), st.integers(1, 3), st.integers(0, 5), st.integers(0, 2), st.integers(0, 8))
@settings(max_examples=150, deadline=None)
def test_hypothesis_mid_trick_roots(rng, size, contract, leader, n_cards):
    module = BUILDS[0]
    hands = random_deal(rng, size, rng.choice([1, 2, 3, 4]))
    position = play_some(rng, hands, leader, contract, min(n_cards, 3 * size - 1))
    answer = module.Equilibrium(1 << 26).solve(*position, contract)
    check_against_reference(answer, *position, contract)


def test_flags_change_nothing(module):
    rng = random.Random(5)
    engine = module.Equilibrium(1 << 28)
    for _ in range(40):
        hands = random_deal(rng, rng.choice([4, 5, 6]), rng.choice([2, 3, 4]))
        contract, leader = rng.randrange(6), rng.randrange(3)
        position = play_some(rng, hands, leader, contract, rng.randrange(3))
        full = engine.solve(*position, contract)
        for flags in (0, *module.FLAGS.values(), module.ALL_FLAGS):  # none, each on its own, all: the default
            other = engine.solve(*position, contract, flags=flags)
            assert (other.payoffs, other.guaranteed) == (full.payoffs, full.guaranteed)
            assert other.expected == pytest.approx(full.expected, abs=1e-9)


def test_parts_left_out(module):
    rng = random.Random(6)
    engine = module.Equilibrium(1 << 28)
    for contract in range(6):
        hands = random_deal(rng, 6)
        full = engine.solve(hands, [], 0, contract)
        assert engine.solve(hands, [], 0, contract, want_expected=False) == full._replace(expected=None)
        assert engine.solve(hands, [], 0, contract, want_set=False) == full._replace(payoffs=None)


def relabel(hand: int, suits: list[int]) -> int:
    return sum(((hand >> (16 * suit)) & 0x1FFF) << (16 * suits[suit]) for suit in range(4))


def test_plain_suits_have_no_names(module):
    rng = random.Random(7)
    engine = module.Equilibrium(1 << 28)
    for _ in range(30):
        hands, leader, contract = random_deal(rng, 7), rng.randrange(3), rng.randrange(6)
        suits = rng.sample(range(4), 4)
        moved = suits[contract] if contract < 4 else contract
        answer = engine.solve(hands, [], leader, contract)
        check_properties(answer, 7, contract)
        assert engine.solve([relabel(hand, suits) for hand in hands], [], leader, moved) == answer


def test_turning_the_table(module):
    rng = random.Random(8)
    engine = module.Equilibrium(1 << 28)
    for _ in range(20):
        hands, leader, contract = random_deal(rng, 6), rng.randrange(3), rng.randrange(6)
        answer = engine.solve(hands, [], leader, contract)
        turned = engine.solve(hands[2:] + hands[:2], [], (leader + 1) % 3, contract)
        assert turned.payoffs == tuple(sorted((c, a, b) for a, b, c in answer.payoffs))
        assert turned.guaranteed == answer.guaranteed[2:] + answer.guaranteed[:2]
        assert turned.expected == pytest.approx(answer.expected[2:] + answer.expected[:2], abs=1e-9)


def test_long_hands(module):
    """Hands of 14 to 17 cards need two and three words for a set; suits split between few hands keep them small."""
    engine = module.Equilibrium(1 << 29)
    hands = [0x1FFF | (15 << 24), 0x1FFF << 32 | (15 << 20), 0x1FFF << 48 | (15 << 16)]
    assert engine.solve(hands, [], 0, 4).payoffs == ((17, 0, 0),)
    blocks = [DECK[i : i + 17] for i in (0, 17, 34)]
    for size in (14, 15, 16, 17):
        for swap in range(3):
            owners = [list(block[:size]) for block in blocks]
            owners[0][swap], owners[1][-1 - swap] = owners[1][-1 - swap], owners[0][swap]
            hands = [sum(1 << card for card in cards) for cards in owners]
            for contract in range(6):
                answer = engine.solve(hands, [], swap, contract)
                check_properties(answer, size, contract)
                mover_best = [a for _, a in engine.children(hands, [], swap)]
                assert set(answer.payoffs) <= {p for a in mover_best for p in a.payoffs}


def node_rule(children, mover: int, contract: int):
    """The set of a node from the sets of its cards, as theory states it: against every *other* card."""
    sign = -1 if contract == reference.MIZERKA else 1
    worst = [min(sign * v[mover] for v in a.payoffs) for _, a in children]
    return {
        v
        for i, (_, a) in enumerate(children)
        for v in a.payoffs
        if all(sign * v[mover] >= w for j, w in enumerate(worst) if j != i)
    }


def test_children_and_lookup(module):
    """Every position of a played-out deal is consistent with its cards, and the table is not searched again."""
    rng = random.Random(9)
    engine = module.Equilibrium(1 << 28)
    for contract in range(6):
        hands, leader = random_deal(rng, 8), rng.randrange(3)
        engine.solve(hands, [], leader, contract)
        nodes, states = engine.nodes, engine.states
        trick: list[int] = []
        for _ in range(24):
            n, mover = max(map(count, hands)), (leader + len(trick)) % 3
            answer = engine.lookup(hands, trick, leader)
            children = engine.children(hands, trick, leader)
            assert [bit for bit, _ in children] == reference.legal(hands[mover], tuple(trick))
            check_properties(answer, n, contract)
            assert set(answer.payoffs) == node_rule(children, mover, contract)
            sign = -1 if contract == reference.MIZERKA else 1
            best = max(sign * a.expected[mover] for _, a in children)
            tied = [a.expected for _, a in children if sign * a.expected[mover] > best - 1e-9]
            assert answer.expected == pytest.approx([sum(e) / len(tied) for e in zip(*tied, strict=True)], abs=1e-9)
            for seat in range(3):
                values = [sign * a.guaranteed[seat] for _, a in children]
                assert sign * answer.guaranteed[seat] == (max if seat == mover else min)(values)
            hands, trick, leader = play_some_from(rng, hands, trick, leader, contract)
        assert engine.states <= 1.01 * states  # under settled states there is now and then one to add
        assert engine.nodes < nodes + 100_000


def play_some_from(rng, hands, trick, leader, contract):
    after, leader, cards, _ = rng.choice(reference.children(tuple(hands), contract, leader, tuple(trick)))
    return list(after), list(cards), leader


def test_line_supports_its_payoff(module):
    rng = random.Random(10)
    engine = module.Equilibrium(1 << 28)
    for _ in range(12):
        hands, leader, contract = random_deal(rng, 6), rng.randrange(3), rng.randrange(6)
        answer = engine.solve(hands, [], leader, contract)
        for payoff in answer.payoffs:
            line = engine.line(hands, [], leader, payoff)
            at, leads, trick, tricks = tuple(hands), leader, (), [0, 0, 0]
            sign = -1 if contract == reference.MIZERKA else 1
            for bit in line:
                mover = (leads + len(trick)) % 3
                rest = tuple(p - t for p, t in zip(payoff, tricks, strict=True))
                children = engine.children(list(at), list(trick), leads)
                chosen = dict(children)[bit]
                assert rest in chosen.payoffs
                for other, a in children:
                    assert other == bit or sign * rest[mover] >= min(sign * v[mover] for v in a.payoffs)
                bits = reference.legal(at[mover], trick)
                at, leads, trick, taker = reference.children(at, contract, leads, trick)[bits.index(bit)]
                if taker is not None:
                    tricks[taker] += 1
            assert tuple(tricks) == payoff
        with pytest.raises(ValueError, match="no equilibrium"):
            engine.line(hands, [], leader, (7, 0, 0))


@pytest.mark.skipif(len(BUILDS) < 2, reason="no x86-64-v3 build here")
def test_builds_agree_to_the_last_bit():
    engine, other = (module.Equilibrium(1 << 28) for module in BUILDS)
    rng = random.Random(11)
    for _ in range(12):
        hands, leader, contract = random_deal(rng, 8), rng.randrange(3), rng.randrange(6)
        assert engine.solve(hands, [], leader, contract) == other.solve(hands, [], leader, contract)
        assert (engine.states, engine.nodes) == (other.states, other.nodes)


def test_memory_limit(module):
    rng = random.Random(12)
    engine = module.Equilibrium(1 << 20)
    with pytest.raises(module.EquilibriumMemoryError, match="states"):
        engine.solve(random_deal(rng, 13), [], 0, 4)
    assert engine.bytes_used <= 1 << 20
    hands = random_deal(rng, 4)
    with pytest.raises(KeyError):
        engine.lookup(hands, [], 0)
    check_against_reference(engine.solve(hands, [], 0, 4), hands, [], 0, 4)
    with pytest.raises(module.EquilibriumMemoryError):
        module.Equilibrium(1000).solve(hands, [], 0, 4)
    with pytest.raises(ValueError, match="memory_bytes must be between 1"):
        module.Equilibrium(0)


def test_cancel_from_a_thread(module):
    rng = random.Random(13)
    hands = random_deal(rng, 13)
    engine = module.Equilibrium(1 << 30)
    seen: list[int] = []

    def stop():
        while engine.progress < 1000:
            time.sleep(0.001)
        seen.append(engine.progress)
        with pytest.raises(RuntimeError, match="at work"):
            engine.lookup(hands, [], 0)
        engine.cancel()

    thread = threading.Thread(target=stop)
    thread.start()
    with pytest.raises(module.EquilibriumCancelledError):
        engine.solve(hands, [], 0, 4)
    thread.join()
    assert seen
    assert seen[0] >= 1000
    small = random_deal(rng, 3)
    check_against_reference(engine.solve(small, [], 1, 5), small, [], 1, 5)


def test_several_instances_at_once(module):
    rng = random.Random(14)
    deals = [(random_deal(rng, 8), rng.randrange(6)) for _ in range(4)]
    alone = [module.Equilibrium(1 << 28).solve(hands, [], 0, contract) for hands, contract in deals]
    together: dict[int, object] = {}

    def work(i):
        together[i] = module.Equilibrium(1 << 28).solve(deals[i][0], [], 0, deals[i][1])

    threads = [threading.Thread(target=work, args=(i,)) for i in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [together[i] for i in range(4)] == alone


@lru_cache
def solved(module):
    engine = module.Equilibrium(1 << 26)
    hands = random_deal(random.Random(15), 4)
    engine.solve(hands, [], 0, 0)
    return engine, hands


@pytest.mark.parametrize(
    ("change", "message"),
    [
        (lambda h: ([h[0], h[1]], [], 0, 0), "three hands"),
        (lambda h: (h, [1, 2, 3], 0, 0), "at most two"),
        (lambda h: (h, [], 3, 0), "leader"),
        (lambda h: (h, [], 0, 6), "contract"),
        (lambda h: (h, [64], 0, 0), "between 0 and 63"),
        (lambda h: (h, [29], 0, 0), "no card"),
        (lambda h: ([h[0] | 1 << 13, h[1], h[2]], [], 0, 0), "no cards"),
        (lambda h: ([h[0], h[0], h[2]], [], 0, 0), "twice"),
        (lambda h: ([h[0] & (h[0] - 1), h[1], h[2]], [], 0, 0), "equal size"),
        (lambda h: ([0, 0, 0], [], 0, 0), "1 to 17"),
    ],
)
def test_bad_input(module, change, message):
    engine, hands = solved(module)
    with pytest.raises(ValueError, match=message):
        engine.solve(*change(hands))


def test_strange_positions_are_key_errors(module):
    engine, hands = solved(module)
    other = random_deal(random.Random(16), 10)
    with pytest.raises(KeyError):
        engine.lookup(other, [], 0)
    engine.clear()
    with pytest.raises(KeyError):
        engine.lookup(hands, [], 0)
    solved.cache_clear()
