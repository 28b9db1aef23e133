"""Whatever is put into the core is answered or refused with TypeError or ValueError: no crash, no wrong value."""

from __future__ import annotations

import random
from contextlib import suppress

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.helpers import builds

CORES, EXHAUSTIVE = builds("_engine"), builds("_equilibrium")
CORE, EQUILIBRIUM = CORES[-1], EXHAUSTIVE[-1]
REFUSED = (TypeError, ValueError)
HANDS, TALON = (0b0111, 0b0111 << 16, 0b0111 << 32), (48, 49, 50, 51)
ENGINE = CORE.Engine(1 << 20)
NEVER = [None, 1.0, "1", -1, 3, 17, 64, 2**31, 2**32, 2**63, 2**64, -(2**63), 2**4000, (), object()]
GOOD = {"hands": HANDS, "trick": (), "leader": 0, "contract": 4, "seat": 0}


class Number:
    """As numpy's scalars: an integer by __index__ alone."""

    def __init__(self, value: int) -> None:
        self.value = value

    def __index__(self) -> int:
        return self.value


def searched(**changed):
    return CORE.Engine(1 << 20).solve(**(GOOD | changed))


@pytest.mark.parametrize("value", NEVER, ids=lambda value: repr(value)[:20])
@pytest.mark.parametrize("name", ["leader", "contract", "seat"])
def test_seats_and_contracts_are_in_range(name, value):
    if name == "contract" and value == 3:
        return
    with pytest.raises(REFUSED):
        searched(**{name: value})


@pytest.mark.parametrize(
    "changed",
    [
        {"hands": None},
        {"hands": HANDS[:2]},
        {"hands": (*HANDS, 0)},
        {"hands": (1, 1, 2)},
        {"hands": (3, 4, 8)},
        {"hands": (-1, 2, 4)},
        {"hands": (2**64, 2, 4)},
        {"hands": (2**70_000, 2, 4)},
        {"hands": (1 << 13, 2, 4)},
        {"hands": (1.0, 2, 4)},
        {"trick": None},
        {"trick": (3, 19, 35)},
        {"trick": (-1,)},
        {"trick": (13,)},
        {"trick": (64,)},
        {"trick": (0,)},  # still held
        {"trick": (3,)},  # then forehand has one more
        {"hands": (1, 2 | 1 << 16, 4 | 8), "trick": (16 + 3, 4)},  # a revoke
        {"window": (-1, None, None)},
        {"window": (4, None, None)},
        {"window": (0, 4, None)},
        {"window": (2, 1, None)},
        {"window": (0, -1, None)},
        {"window": (0, None, -1)},
        {"window": (0, None, 2**64)},
        {"limits": (-1, 0.0)},
        {"limits": (2**64, 0.0)},
        {"limits": (1.5, 0.0)},
        {"limits": (0, -1)},
        {"limits": (0, float("nan"))},
        {"limits": (0, None)},
        {"limits": ()},
        {"limits": 5},
        {"window": (0, None)},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_positions_and_limits_are_refused(changed):
    with pytest.raises(REFUSED) as refused:
        searched(**changed)
    assert len(str(refused.value)) < 200
    assert "\n" not in str(refused.value)


def test_what_is_in_range_is_answered():
    assert searched()[:2] == (3, 3)
    assert searched(seat=Number(1), leader=Number(0), contract=True)[:2] == searched(seat=1, contract=1)[:2]
    assert searched(limits=(2**64 - 1, float("inf")), window=(0, None, 17))[:2] == (3, 3)
    engine = CORE.Engine(1 << 20)
    for _ in range(3):  # the limit is counted on from the nodes so far, and must not wrap
        assert engine.solve(**GOOD, limits=(2**64 - 1, 0.0))[:2] == (3, 3)
    assert CORE.Engine(1 << 20).solve((0, 0, 0), (), 0, 5, 2) == (0, 0, 0)
    assert CORE.Engine(Number(1 << 20)).memory == 1 << 20


def test_engines_check_what_they_are_made_with():
    for memory in (None, -1, 1.5, 2**64, 2**63):
        with pytest.raises((*REFUSED, MemoryError)):
            CORE.Engine(memory)
    with pytest.raises(MemoryError, match="cannot reserve"):
        CORE.Engine(2**62)
    for flags in (-1, CORE.ALL_FLAGS + 1, 2**64, None):
        with pytest.raises(REFUSED):
            CORE.Engine(1 << 20, flags)
        with pytest.raises(REFUSED):
            ENGINE.flags = flags
    weights = ENGINE.weights(2)
    for kind, given_weights in (
        (3, weights),
        (-1, weights),
        (2, weights[:-1]),
        (2, [*weights, 1]),
        (0, weights),
        (2, None),
    ):
        with pytest.raises(REFUSED):
            ENGINE.set_weights(kind, given_weights)
    with pytest.raises(REFUSED):
        ENGINE.set_weights(2, [*weights[:-1], 2**40])
    assert ENGINE.weights(2) == weights


def exchange(**changed):
    good = {"engine": ENGINE, "hands": HANDS, "talon": TALON, "contract": 4, "seat": 0, "reply": True}
    return CORE.ExchangeSearch(**(good | changed))


@pytest.mark.parametrize(
    "changed",
    [
        {"engine": None},
        {"engine": 1},
        {"hands": (0, 0, 0)},
        {"hands": (1, 2, 12)},
        {"hands": (1, 1, 1)},
        {"hands": None},
        {"talon": (0,)},
        {"talon": (48, 48)},
        {"talon": (-1,)},
        {"talon": (61,)},
        {"talon": (2**40,)},
        {"talon": tuple(range(60))},
        {"talon": None},
        {"contract": 6},
        {"contract": -1},
        {"seat": 3},
        {"seat": -1},
        {"seat": None},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_exchanges_are_refused(changed):
    with pytest.raises(REFUSED):
        exchange(**changed)


@pytest.mark.parametrize(
    "arguments",
    [
        {"discard": 1 << 48},
        {"discard": -1},
        {"discard": 2**64},
        {"discard": None},
        {"discard": 0b111 | 1 << 13},
        {"tricks": -1},
        {"tricks": 2**40},
        {"tricks": None},
        {"only": (1, 0)},
        {"only": (0, 0, 0)},
        {"only": 3},
        {"only": (0b111 << 16, 0b111 << 32)},  # more than the talon has
        {"hint": (1, 0)},
        {"hint": None},
        {"nodes": -1},
        {"nodes": 2**64},
        {"done": -1},
        {"done": 2**32},
        {"tries": -1},
        {"tries": 2**31},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_questions_about_discards_are_refused(arguments):
    search = exchange()
    with pytest.raises(REFUSED):
        search.ask(**({"discard": 1, "tricks": 1} | arguments))
    assert search.ask(0, 0) is True
    for bad in (-1, 2**64, float("nan")):
        with pytest.raises(REFUSED):
            search.start(bad)
    with pytest.raises(REFUSED):
        search.start(seconds=float("nan"))
    with pytest.raises(REFUSED):
        search.effect(1 << 60)


@pytest.mark.parametrize("core", CORES, ids=lambda core: core.build())
def test_nets_that_are_no_bytes_are_refused(core):
    for data in (None, 1, "x", [1, 2], b"", bytearray(3)):
        with pytest.raises(REFUSED):
            core.load_leads(data)


@pytest.mark.parametrize(
    "changed",
    [
        {"hands": None},
        {"hands": (2**64, 1, 2)},
        {"hands": (-1, 1, 2)},
        {"leader": None},
        {"leader": -1},
        {"leader": 2**40},
        {"contract": -1},
        {"contract": 6},
        {"contract": 1.0},
        {"trick": (13,)},
        {"trick": (-1,)},
        {"trick": None},
        {"flags": -1},
        {"flags": EQUILIBRIUM.ALL_FLAGS + 1},
        {"hands": (1, 2 | 1 << 16, 4 | 8), "trick": (16 + 3, 4)},
    ],
    ids=lambda changed: next(iter(changed)),
)
def test_the_exhaustive_search_refuses_them_too(changed):
    engine = EQUILIBRIUM.Equilibrium(1 << 26)
    with pytest.raises(REFUSED):
        engine.solve(**({"hands": HANDS, "trick": (), "leader": 0, "contract": 4} | changed))
    engine.solve(HANDS, (), 0, 4)
    asked = {"hands": HANDS, "trick": (), "leader": 0} | changed
    if not {"contract", "flags"} & set(changed):
        for question in (engine.lookup, engine.children):
            with pytest.raises(REFUSED):
                question(**asked)
        with pytest.raises(REFUSED):
            engine.line(**asked, payoff=(3, 0, 0))
    for payoff in (None, (), (1, 2), ("a", "b", "c"), (-1, 2, 2)):
        with pytest.raises(REFUSED):
            engine.line(HANDS, (), 0, payoff)
    for memory in (None, 0, -5, 1.5, 2**70):
        with pytest.raises(REFUSED):
            EQUILIBRIUM.Equilibrium(memory)


ANYTHING = st.one_of(
    st.none(), st.floats(), st.text(max_size=3), st.integers(-(2**70), 2**70), st.integers(-3, 70), st.booleans()
)
SEVERAL = st.one_of(ANYTHING, st.lists(st.one_of(st.integers(0, 2**52), ANYTHING), max_size=5))


@given(
    hands=SEVERAL,
    trick=SEVERAL,
    leader=ANYTHING,
    contract=ANYTHING,
    seat=ANYTHING,
    rest=st.lists(
        st.one_of(SEVERAL, st.tuples(ANYTHING, ANYTHING), st.tuples(ANYTHING, ANYTHING, ANYTHING)), max_size=2
    ),
)
@settings(max_examples=300, deadline=None)
def test_anything_is_answered_or_refused(hands, trick, leader, contract, seat, rest):
    with suppress(*REFUSED):
        ENGINE.solve(hands, trick, leader, contract, seat, *rest)
    with suppress(*REFUSED):
        EQUILIBRIUM.Equilibrium(1 << 24).solve(hands, trick, leader, contract)
    with suppress(*REFUSED):
        search = CORE.ExchangeSearch(ENGINE, hands, trick, contract, seat, True)
        search.ask(*rest[:2])


@given(seed=st.integers(0, 2**32), which=st.integers(0, 4), value=ANYTHING)
@settings(max_examples=300, deadline=None)
def test_one_wrong_argument_among_good_ones(seed, which, value):
    """A wrong one is refused, and one that is right by chance is answered as it would be in its own type."""
    rng = random.Random(seed)
    bits = rng.sample([16 * suit + rank for suit in range(4) for rank in range(13)], 9)
    arguments = [[sum(1 << bit for bit in bits[i::3]) for i in range(3)], [], 0, rng.randrange(6), rng.randrange(3)]
    arguments[which] = value
    try:
        lower, upper, _ = ENGINE.solve(*arguments)
    except REFUSED:
        return
    assert 0 <= lower == upper <= 3
    assert which > 1 or value == ""  # as good as an empty trick
    arguments[which] = int(value or 0) if which > 1 else []
    assert CORE.Engine(1 << 20).solve(*arguments)[:2] == (lower, upper)
