# cython: language_level=3
"""The bounds at the start of a trick in suit and no-trump contracts, in the order that pays.

The question is always whether the lone player (hand 0) takes at least `need` of the tricks left. Each bound answers 1
(proven: it does), 0 (proven: it does not) or -1 (not known, or this is no position for it: each says itself where it
applies). With an answer comes the mask of top cards of each suit that it rests on (a closed mask), so that the answer
can be stored as a pattern. Every bound has a flag, and tests switch each one off. They are in bounds_quick.pxd and
bounds_later.pxd; those of mizerka in bounds_mizerka.pxd.
"""

from bounds_later cimport bound_later_lone, bound_later_pair, bound_later_trumps
from bounds_quick cimport bound_more_trumps, bound_quick_lone, bound_quick_pair, bound_sure_trumps
from cards cimport uint32_t, uint64_t
from flags cimport (USE_LATER_LONE, USE_LATER_PAIR, USE_LATER_TRUMPS, USE_QUICK_LONE, USE_QUICK_PAIR,
                    USE_SURE_TRUMPS)
from position cimport Trick


cdef inline int quick_answer(const Trick* t, int kind, int need, uint32_t flags, uint64_t* mask) noexcept nogil:
    """Before the table is asked: what is cheap and often decisive."""
    cdef int answer = -1
    if flags & USE_SURE_TRUMPS:
        answer = bound_sure_trumps(t, kind, need, mask)
        if answer < 0:
            answer = bound_more_trumps(t, kind, need, mask)
    if answer < 0 and flags & USE_QUICK_LONE:
        answer = bound_quick_lone(t, kind, need, mask)
    if answer < 0 and flags & USE_QUICK_PAIR:
        answer = bound_quick_pair(t, kind, need, mask)
    return answer


cdef inline int later_answer(const Trick* t, int kind, int need, uint32_t flags, uint64_t* mask) noexcept nogil:
    """After the table had no answer. (Asked before it, they cost a tenth of the time.)"""
    cdef int answer = -1
    if flags & USE_LATER_PAIR:
        answer = bound_later_pair(t, kind, need, mask)
    if answer < 0 and flags & USE_LATER_LONE:
        answer = bound_later_lone(t, kind, need, mask)
    if answer < 0 and flags & USE_LATER_TRUMPS:
        answer = bound_later_trumps(t, kind, need, mask)
    return answer
