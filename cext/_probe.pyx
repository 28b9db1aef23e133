# cython: language_level=3
"""Thin wrappers over the inline kernels, for tests only: bit tricks, bounds and the pattern match, as Python calls."""

from bounds cimport USE_ALL, later_answer, quick_answer
from bounds_later cimport bound_later_lone, bound_later_pair, bound_later_trumps
from bounds_quick cimport bound_more_trumps, bound_quick_lone, bound_quick_pair, bound_sure_trumps
from bounds_mizerka cimport bound_exits, bound_one_loser, bound_safe_suits, forced_tricks, quick_answer_mizerka
from cards cimport (closed_mask as closed_mask_, count_lane as count_lane_, insert_bit as insert_bit_,
                    match4 as match4_, msb as msb_, popcount as popcount_, remove_bit as remove_bit_,
                    run_bottom as run_bottom_, to_relative as to_relative_, top_run as top_run_, uint64_t)
from relations cimport Relations, closed_of, compute_above, squeeze as squeeze_, stretch as stretch_
from position cimport KIND_MIZERKA, LONE, Trick, compute_lens, length, next_trick, position_is_ok


def popcount(x):
    return popcount_(x)


def count_lane(x, int start):
    return count_lane_(x, start)


def msb(x):
    return msb_(x)


def closed_mask(int bit):
    return closed_mask_(bit)


def remove_bit(mask, int bit):
    return remove_bit_(mask, bit)


def insert_bit(closed, int bit):
    return insert_bit_(closed, bit)


def run_bottom(hand, int bit):
    return run_bottom_(hand, bit)


def top_run(mask, int suit):
    return top_run_(mask, suit)


def to_relative(mask, in_play):
    return to_relative_(mask, in_play)


def match4(masks, lone, second, a, b):
    """Bit i set if pattern i (of four) matches the owners a and b."""
    cdef uint64_t words[12]
    cdef int i
    for i in range(4):
        words[i], words[4 + i], words[8 + i] = masks[i], lone[i], second[i]
    return match4_(words, a, b)


cdef int lay_out(Trick* t, hands, int leader) except -1:
    cdef int i
    cdef uint64_t in_play = hands[0] | hands[1] | hands[2]
    for i in range(3):
        t.hand[i] = to_relative_(hands[i], in_play)
    t.leader = leader
    t.tricks_left = popcount_(t.hand[0])
    t.lens = compute_lens(t)
    compute_above(t)
    if not position_is_ok(t):
        raise ValueError("hands must be disjoint and equal")
    return 0


def after_trick(hands, int leader, cards, int winner):
    """Relative hands after the three (relative) cards in order of play, and whether the position is sound."""
    cdef Trick t, after
    cdef int i
    lay_out(&t, hands, leader)
    for i in range(3):
        t.card[i] = cards[i]
    next_trick(&t, winner, &after)
    return (after.hand[0], after.hand[1], after.hand[2]), after.tricks_left == 0 or position_is_ok(&after)


def bounds(hands, int leader, int kind, int need):
    """{name: (answer, closed mask)} of every bound that applies and knows the answer; hand 0 is the lone player."""
    cdef Trick t
    cdef uint64_t mask = 0
    cdef int answer
    cdef bint lone_trumps, pair_trumps
    lay_out(&t, hands, leader)
    found = {}
    if kind == KIND_MIZERKA:
        return {name: (0, mask) for name, (_, mask) in mizerka_bounds(hands, leader, need).items()}
    lone_trumps = kind == 1 and length(&t, 0, 3) > 0
    pair_trumps = kind == 1 and length(&t, 1, 3) + length(&t, 2, 3) > 0
    if lone_trumps or pair_trumps:
        answer = bound_sure_trumps(&t, need, &mask)
        if answer >= 0:
            found["sure_trumps"] = (answer, mask)
        answer = bound_more_trumps(&t, need, &mask)
        if answer >= 0:
            found["more_trumps"] = (answer, mask)
    if leader == 0 and bound_quick_lone(&t, kind, need, &mask) >= 0:
        found["quick_lone"] = (1, mask)
    if leader == 0 and not lone_trumps and bound_later_pair(&t, kind, need, &mask) >= 0:
        found["later_pair"] = (0, mask)
    if leader and not lone_trumps and bound_quick_pair(&t, need, &mask) >= 0:
        found["quick_pair"] = (0, mask)
    if leader and not pair_trumps and bound_later_lone(&t, kind, need, &mask) >= 0:
        found["later_lone"] = (1, mask)
    if pair_trumps and bound_later_trumps(&t, need, &mask) >= 0:
        found["later_trumps"] = (1, mask)
    answer = quick_answer(&t, kind, need, USE_ALL, &mask)
    if answer < 0:
        answer = later_answer(&t, kind, need, USE_ALL, &mask)
    if answer >= 0:
        found["any"] = (answer, mask)
    return found


def squeeze(word, out):
    return squeeze_(word, out)


def stretch(word, out):
    return stretch_(word, out)


def above(hands):
    """The four words that tell which card is above which (relations.pxd)."""
    cdef Trick t
    lay_out(&t, hands, 0)
    return [t.above[suit] for suit in range(4)]


cdef void clear(Relations* used) noexcept:
    cdef int suit
    for suit in range(4):
        used.suit[suit] = 0


def mizerka_bounds(hands, int leader, int need):
    """{name: (four words of relations, closed mask)} of every mizerka bound that knows; all say "fewer than `need`".

    "any" is what the search asks, "either_leads" the same where it says it holds whichever of the pair leads.
    """
    cdef Trick t
    cdef Relations used
    cdef int losers
    lay_out(&t, hands, leader)
    losers = t.tricks_left - need + 1
    forced_tricks(&t)
    found = {}
    clear(&used)
    if bound_safe_suits(&t, losers, &used) >= 0:
        found["safe_suits"] = ([used.suit[i] for i in range(4)], closed_of(&t, &used))
    clear(&used)
    if losers == 1 and bound_one_loser(&t, &used) >= 0:
        found["one_loser"] = ([used.suit[i] for i in range(4)], closed_of(&t, &used))
    clear(&used)
    if 2 <= losers <= 3 and bound_exits(&t, losers, &used) >= 0:
        found["exits"] = ([used.suit[i] for i in range(4)], closed_of(&t, &used))
    t.ask_any = leader != LONE
    t.any_of_pair = False
    if quick_answer_mizerka(&t, need, USE_ALL, &used) >= 0:
        found["any"] = ([used.suit[i] for i in range(4)], closed_of(&t, &used))
        if t.any_of_pair:
            found["either_leads"] = found["any"]
    return found
