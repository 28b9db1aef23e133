# cython: language_level=3
"""Thin wrappers over the inline kernels, for tests only: bit tricks, bounds and the pattern match, as Python calls."""

from bounds cimport later_answer, quick_answer
from bounds_later cimport bound_later_lone, bound_later_pair, bound_later_trumps
from bounds_mizerka cimport bound_exits, bound_one_loser, bound_safe_suits, count_forced, quick_answer_mizerka
from bounds_quick cimport bound_more_trumps, bound_quick_lone, bound_quick_pair, bound_sure_trumps
from cards cimport (closed_mask as closed_mask_, count_lane as count_lane_, ctz, insert_bit as insert_bit_, lowest,
                    match4 as match4_, msb as msb_, popcount as popcount_, remove_bit as remove_bit_,
                    run_bottom as run_bottom_, suit_mask, to_relative as to_relative_, top_run as top_run_, uint64_t)
from flags cimport USE_ALL
from position cimport KIND_MIZERKA, LONE, Trick, next_trick, position_is_ok
from relations cimport (Relations, Shape, after, clear_relations, shape_of, squeeze as squeeze_,
                        stretch as stretch_)
from root cimport complete

ctypedef int (*Bound)(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil
ctypedef int (*MizerkaBound)(const Trick* t, int losers, Relations* used) noexcept nogil


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
    complete(t, KIND_MIZERKA)
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


cdef int ask(dict found, str name, Bound bound, const Trick* t, int kind, int need) except -1:
    cdef uint64_t mask = 0
    cdef int answer = bound(t, kind, need, &mask)
    if answer >= 0:
        found[name] = (answer, mask)
    return 0


def bounds(hands, int leader, int kind, int need):
    """{name: (answer, closed mask)} of every bound that knows the answer; hand 0 is the lone player."""
    cdef Trick t
    cdef uint64_t mask = 0
    cdef int answer
    if kind == KIND_MIZERKA:
        return {name: (0, mask) for name, (_, mask) in mizerka_bounds(hands, leader, need).items()}
    lay_out(&t, hands, leader)
    found = {}
    ask(found, "sure_trumps", bound_sure_trumps, &t, kind, need)
    ask(found, "more_trumps", bound_more_trumps, &t, kind, need)
    ask(found, "quick_lone", bound_quick_lone, &t, kind, need)
    ask(found, "quick_pair", bound_quick_pair, &t, kind, need)
    ask(found, "later_lone", bound_later_lone, &t, kind, need)
    ask(found, "later_pair", bound_later_pair, &t, kind, need)
    ask(found, "later_trumps", bound_later_trumps, &t, kind, need)
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


cdef uint64_t closed_of(const Trick* t, const Relations* used) noexcept:
    """A closed mask that says at least as much: the top cards down to the lowest that has to be above another."""
    cdef int suit, hand, i, j
    cdef uint64_t lane, own, other, mask = 0, x, y
    cdef Shape shape
    for suit in range(4):
        if used.suit[suit] == 0:
            continue
        shape = shape_of(t, suit)
        lane = suit_mask(suit)
        for hand in range(3):
            own = t.hand[hand] & lane
            for i in range(shape.n[hand]):
                x = lowest(own)
                own ^= x
                other = t.hand[after(hand)] & lane
                for j in range(shape.n[after(hand)]):
                    y = lowest(other)
                    other ^= y
                    if used.suit[suit] >> (shape.start[hand] + i * shape.n[after(hand)] + j) & 1:
                        mask |= closed_mask_(ctz(x if x > y else y))
    return mask


cdef object told(const Trick* t, const Relations* used):
    return [used.suit[suit] for suit in range(4)], closed_of(t, used)


cdef int ask_mizerka(dict found, str name, MizerkaBound bound, const Trick* t, int losers) except -1:
    cdef Relations used
    clear_relations(&used)
    if bound(t, losers, &used) >= 0:
        found[name] = told(t, &used)
    return 0


def mizerka_bounds(hands, int leader, int need):
    """{name: (four words of relations, closed mask)} of every mizerka bound that knows; all say "fewer than `need`".

    "any" is what the search asks, "either_leads" the same where it says it holds whichever of the pair leads.
    """
    cdef Trick t
    cdef Relations used
    cdef int losers
    lay_out(&t, hands, leader)
    losers = t.tricks_left - need + 1
    count_forced(&t, &t.forced)
    found = {}
    ask_mizerka(found, "safe_suits", bound_safe_suits, &t, losers)
    ask_mizerka(found, "one_loser", bound_one_loser, &t, losers)
    ask_mizerka(found, "exits", bound_exits, &t, losers)
    t.ask_either = leader != LONE
    if quick_answer_mizerka(&t, need, USE_ALL, &used) >= 0:
        found["any"] = told(&t, &used)
        if used.either_leads:
            found["either_leads"] = found["any"]
    return found
