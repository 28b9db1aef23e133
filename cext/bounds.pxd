# cython: language_level=3
"""What a search may use, and the bounds at the start of a trick in suit and no-trump contracts in the order that pays.

The question is always whether the lone player (hand 0) takes at least `need` of the tricks left. Each bound answers 1
(proven: it does), 0 (proven: it does not) or -1 (not known). With an answer comes the mask of top cards of each suit
that it rests on (a closed mask), so that the answer can be stored as a pattern. Every bound has a flag, and tests switch
each one off. They are in bounds_quick.pxd and bounds_later.pxd; those of mizerka in bounds_mizerka.pxd.
"""

from bounds_later cimport bound_later_lone, bound_later_pair, bound_later_trumps
from bounds_quick cimport bound_more_trumps, bound_quick_lone, bound_quick_pair, bound_sure_trumps
from cards cimport uint32_t, uint64_t
from position cimport KIND_TRUMP, LONE, TRUMP_LANE, Trick, length

cdef enum:
    # What a Search may use; an Engine's `flags`. All on by default.
    USE_TABLE = 1
    USE_MERGE = 2            # equivalent (touching) cards are one move
    USE_SKIP = 4             # a failed card whose rank did not matter fails for the suit
    USE_SURE_TRUMPS = 8
    USE_QUICK_LONE = 16
    USE_QUICK_PAIR = 32
    USE_LATER_LONE = 64
    USE_LATER_PAIR = 128
    USE_SAFE_SUITS = 256     # mizerka
    USE_ONE_LOSER = 512      # mizerka
    USE_EXITS = 1024         # mizerka
    USE_CUT_CARD = 2048      # order: the bucket's last cut
    USE_EITHER_LEADS = 4096  # mizerka: answers that hold whichever of the pair leads
    USE_LATER_TRUMPS = 8192
    USE_ALL = 16383


cdef inline int quick_answer(const Trick* t, int kind, int need, uint32_t flags, uint64_t* mask) noexcept nogil:
    """Before the table is asked: what is cheap and often decisive."""
    cdef int answer = -1
    cdef bint lone_has_trumps = kind == KIND_TRUMP and length(t, 0, TRUMP_LANE) > 0
    cdef bint pair_has_trumps = kind == KIND_TRUMP and length(t, 1, TRUMP_LANE) + length(t, 2, TRUMP_LANE) > 0
    if kind == KIND_TRUMP and flags & USE_SURE_TRUMPS and (lone_has_trumps or pair_has_trumps):
        answer = bound_sure_trumps(t, need, mask)
        if answer < 0:
            answer = bound_more_trumps(t, need, mask)
        if answer >= 0:
            return answer
    if t.leader == LONE:
        if flags & USE_QUICK_LONE:
            answer = bound_quick_lone(t, kind, need, mask)
    elif flags & USE_QUICK_PAIR and not lone_has_trumps:
        answer = bound_quick_pair(t, need, mask)
    return answer


cdef inline int later_answer(const Trick* t, int kind, int need, uint32_t flags, uint64_t* mask) noexcept nogil:
    """After the table had no answer. (Asked before it, they cost a tenth of the time.)"""
    cdef bint lone_has_trumps = kind == KIND_TRUMP and length(t, 0, TRUMP_LANE) > 0
    cdef bint pair_has_trumps = kind == KIND_TRUMP and length(t, 1, TRUMP_LANE) + length(t, 2, TRUMP_LANE) > 0
    cdef int answer = -1
    if t.leader == LONE and flags & USE_LATER_PAIR and not lone_has_trumps:
        answer = bound_later_pair(t, kind, need, mask)
    elif t.leader != LONE and flags & USE_LATER_LONE and not pair_has_trumps:
        answer = bound_later_lone(t, kind, need, mask)
    if answer < 0 and flags & USE_LATER_TRUMPS and pair_has_trumps:
        answer = bound_later_trumps(t, need, mask)
    return answer
