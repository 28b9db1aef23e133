"""The inline kernels of the core, one by one, in every build: bit tricks, and each bound with the cards it rests on."""

from __future__ import annotations

import random
from importlib.util import find_spec

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests import reference
from tests.helpers import builds

if not find_spec("mizerka_solver.core._portable._probe"):
    pytest.skip("_probe is built in editable installations only", allow_module_level=True)
CORES = builds("_probe")
ENGINE = builds("_engine")[-1]
PLAIN = ENGINE.Engine(1 << 20, 0)
LANES = 0x1FFF1FFF1FFF1FFF
words = st.integers(0, 2**64 - 1)
hand_masks = words.map(lambda word: word & LANES)
bits = st.builds(lambda suit, rank: 16 * suit + rank, st.integers(0, 3), st.integers(0, 12))
each_core = pytest.mark.parametrize("core", CORES, ids=[core.__name__.split(".")[1] for core in CORES])


def lane_of(mask: int, suit: int) -> list[int]:
    """Places held in a suit, highest first."""
    return [rank for rank in range(12, -1, -1) if mask >> 16 * suit + rank & 1]


@each_core
@given(word=words, mask=hand_masks, bit=bits)
def test_counting_and_masks(core, word, mask, bit):
    assert core.popcount(word) == word.bit_count()
    assert core.msb(word | 1) == (word | 1).bit_length() - 1
    suit, rank = divmod(bit, 16)
    assert lane_of(core.closed_mask(bit), suit) == list(range(12, rank - 1, -1))
    run = next((i for i, place in enumerate(lane_of(mask, suit)) if place != 12 - i), len(lane_of(mask, suit)))
    assert core.top_run(mask, suit) == run
    held = mask | 1 << bit
    lowest = rank
    while lowest and held >> 16 * suit + lowest - 1 & 1:
        lowest -= 1
    assert core.run_bottom(held, bit) == 16 * suit + lowest


@each_core
def test_cards_of_a_lane_are_counted(core):
    for lane in range(1 << 13):
        for start in (0, 16, 32, 48):
            assert core.count_lane(lane << start, start) == lane.bit_count()


@each_core
@given(in_play=hand_masks, chosen=words, bit=bits, k=st.integers(0, 12))
def test_removing_and_inserting_a_place(core, in_play, chosen, bit, k):
    """Relative ranks: removing a card re-ranks the rest as if it had never been there."""
    mask = in_play & chosen
    suit, rank = divmod(bit, 16)
    relative = core.to_relative(mask, in_play)
    for s in range(4):
        places = lane_of(in_play, s)
        assert lane_of(relative, s) == [12 - places.index(place) for place in lane_of(mask, s)]
    if in_play >> bit & 1:
        at = 16 * suit + 12 - lane_of(in_play, suit).index(rank)
        rest = in_play & ~(1 << bit)
        assert core.remove_bit(relative, at) == core.to_relative(mask & rest, rest)
        # A closed mask of the top k cards below, seen from above: k of the others, and the card if it lies among them.
        n_rest = len(lane_of(rest, suit))
        closed = sum(1 << 16 * suit + 12 - i for i in range(min(k, n_rest)))
        wanted = min(k, n_rest) + (lane_of(in_play, suit).index(rank) < min(k, n_rest))
        assert lane_of(core.insert_bit(closed, at), suit) == [12 - i for i in range(wanted)]


@each_core
@given(masks=st.lists(hand_masks, min_size=4, max_size=4), a=hand_masks, b=hand_masks, like=st.integers(0, 15))
def test_four_patterns_are_matched_at_once(core, masks, a, b, like):
    lone = [a & m if like >> i & 1 else ~a & m for i, m in enumerate(masks)]
    second = [b & m for m in masks]
    want = sum(1 << i for i, m in enumerate(masks) if (lone[i] ^ a) & m == 0)
    assert core.match4(masks, lone, second, a, b) == want


def some_hands(rng: random.Random, n: int) -> list[int]:
    """Three hands of n cards, at times of few suits or long ones."""
    suits = rng.sample(range(4), rng.choice((2, 3, 4, 4)))
    pack = [16 * suit + rank for suit in suits for rank in range(13)]
    rng.shuffle(pack)
    if rng.random() < 0.4:
        pack.sort(key=lambda bit: bit // 16 + 2 * rng.random())
    return [sum(1 << bit for bit in pack[i * n : i * n + n]) for i in range(3)]


def relative_hands(rng: random.Random, core, n: int) -> list[int]:
    """Random hands on relative ranks, as the search keeps them."""
    hands = some_hands(rng, n)
    return [core.to_relative(hand, hands[0] | hands[1] | hands[2]) for hand in hands]


@each_core
@given(seed=st.integers(0, 2**32), n=st.integers(1, 6))
@settings(max_examples=100)
def test_the_next_trick_is_sound(core, seed, n):
    rng = random.Random(seed)
    relative = relative_hands(rng, core, n)
    leader = rng.randrange(3)
    cards = [rng.choice(reference.cards_of(relative[(leader + place) % 3])) for place in range(3)]
    after, is_ok = core.after_trick(relative, leader, cards, rng.randrange(3))
    assert is_ok
    left = [hand & ~sum(1 << card for card in cards) for hand in relative]
    assert list(after) == [core.to_relative(hand, left[0] | left[1] | left[2]) for hand in left]


def shuffled_below(rng: random.Random, hands: list[int], mask: int) -> list[int]:
    """Another position of the same suit lengths with the same owners under the mask: the rest of each suit is dealt
    again."""
    new = [hand & mask for hand in hands]
    for suit in range(4):
        lane = 0x1FFF << 16 * suit & ~mask
        owners = [i for i in range(3) for _ in range((hands[i] & lane).bit_count())]
        places = reference.cards_of((hands[0] | hands[1] | hands[2]) & lane)
        rng.shuffle(owners)
        for place, owner in zip(places, owners, strict=True):
            new[owner] |= 1 << place
    return new


def takes(hands: list[int], leader: int, kind: int, need: int) -> bool:
    """By plain search: does hand 0 take at least `need`? Trump is clubs, the lane the core keeps it in."""
    return PLAIN.solve(hands, (), leader, {0: 4, 1: 3, 2: 5}[kind], 0)[0] >= need


@pytest.mark.parametrize("kind", [0, 1, 2], ids=["no trump", "trump", "mizerka"])
@given(seed=st.integers(0, 2**32), n=st.integers(2, 6))
@settings(max_examples=400, deadline=None)
def test_each_bound_is_true_of_every_position_its_cards_describe(kind, seed, n):
    core = CORES[-1]
    rng = random.Random(seed)
    relative = relative_hands(rng, core, n)
    leader, need = rng.randrange(3), rng.randint(1, n)
    for name, (answer, mask) in core.bounds(relative, leader, kind, need).items():
        assert takes(relative, leader, kind, need) == answer, (name, relative, leader, kind, need)
        for _ in range(3):
            other = shuffled_below(rng, relative, mask)
            assert takes(other, leader, kind, need) == answer, (name, relative, other, leader, kind, need)


suit_words = st.integers(0, 2**56 - 1)  # 13 cards of a suit make 56 relations at most


@each_core
@given(word=suit_words, out=suit_words)
def test_bits_taken_out_and_put_back(core, word, out):
    kept = [word >> i & 1 for i in range(56) if not out >> i & 1]
    squeezed = core.squeeze(word, out)
    assert squeezed == sum(bit << i for i, bit in enumerate(kept))
    assert core.stretch(squeezed, out) == word & ~out


def pairs_of_suit(hands: list[int], suit: int) -> list[bool]:
    """Each card of a hand against each of the next hand, hands 0, 1, 2: is it above? The order of relations.pxd."""
    held = [lane_of(hand, suit)[::-1] for hand in hands]
    return [x > y for i in range(3) for x in held[i] for y in held[(i + 1) % 3]]


@each_core
@given(seed=st.integers(0, 2**32), n=st.integers(1, 13))
def test_which_card_is_above_which(core, seed, n):
    hands = some_hands(random.Random(seed), n) if n < 7 else [0x1FFF, 0x1FFF << 16, 0x1FFF << 32]
    words = [sum(bit << i for i, bit in enumerate(pairs_of_suit(hands, suit))) for suit in range(4)]
    assert core.above(hands) == words


def agreeing(rng: random.Random, core, hands: list[int], relations: list[int]) -> list[int]:
    """Another position of the same suit lengths in which the same cards, as far as asked, are above the same cards."""
    held, now = list(hands), core.above(hands)
    for _ in range(8):
        new = shuffled_below(rng, held, 0x1FFF1FFF1FFF1FFF & ~(0x1FFF << 16 * rng.randrange(4)))
        if all((a ^ b) & mask == 0 for a, b, mask in zip(core.above(new), now, relations, strict=True)):
            held = new
    return held


@given(seed=st.integers(0, 2**32), n=st.integers(2, 6))
@settings(max_examples=400, deadline=None)
def test_each_mizerka_bound_is_true_wherever_its_relations_are(seed, n):
    core = CORES[-1]
    rng = random.Random(seed)
    relative = relative_hands(rng, core, n)
    leader, need = rng.randrange(3), rng.randint(1, n)
    for name, (relations, _) in core.mizerka_bounds(relative, leader, need).items():
        assert not takes(relative, leader, 2, need), (name, relative, leader, need)
        for _ in range(3):
            other = agreeing(rng, core, relative, relations)
            assert not takes(other, leader, 2, need), (name, relative, other, leader, need)
            if name == "either_leads":
                assert not takes(other, 3 - leader, 2, need), (name, relative, other, leader, need)


@pytest.mark.parametrize("kind", [0, 1, 2], ids=["no trump", "trump", "mizerka"])
def test_every_bound_answers_now_and_then(kind):
    """The test above would pass if a bound never spoke."""
    rng, spoken = random.Random(1), set()
    for _ in range(4000):
        n = rng.randint(2, 5)
        relative = relative_hands(rng, CORES[-1], n)
        spoken |= set(CORES[-1].bounds(relative, rng.randrange(3), kind, rng.randint(1, n)))
    mizerka = {"safe_suits", "one_loser", "exits", "any", "either_leads"}
    plain = {"quick_lone", "later_pair", "quick_pair", "later_lone", "any"}
    assert spoken == {0: plain, 1: plain | {"sure_trumps", "more_trumps", "later_trumps"}, 2: mizerka}[kind]
