# cython: language_level=3
"""Which card to try next: the moves of a node, their scores, and how far they have been gone through.

Stages: a lone move needs no score; in suits and no trump the bucket's last cut leads first, and the other leads are
scored only if it fails; everything else is scored at once, and the best that is left is next.
"""

from cards cimport bit_mask, ctz, int32_t, uint64_t, without_lowest
from lead_net cimport Lead, score_leads, set_lead
from order cimport Order, Turn, score_follow, set_turn
from position cimport KIND_MIZERKA, MAX_TRICKS, NO_CARD_YET, Trick

cdef enum:      # stages
    LAST_CUT
    SCORED

cdef struct MovePicker:
    uint64_t moves                  # still to be tried: of touching cards one
    int stage
    int n                           # cards scored
    int32_t score[MAX_TRICKS]
    int card[MAX_TRICKS]


cdef inline int best_of_all(const MovePicker* p) noexcept nogil:
    cdef int i, best = 0
    for i in range(1, p.n):
        if p.score[i] > p.score[best]:
            best = i
    return p.card[best]


cdef inline int best_left(const MovePicker* p) noexcept nogil:
    """The best of the cards that are still among the moves, of which there is one."""
    cdef int i, best = -1
    for i in range(p.n):
        if p.moves & bit_mask(p.card[i]) and (best < 0 or p.score[i] > p.score[best]):
            best = i
    return p.card[best]


cdef inline void score_all_leads(MovePicker* p, const Trick* t, int kind, int need, int cut_card) noexcept nogil:
    cdef Lead lead
    set_lead(&lead, t, kind, need, cut_card)
    p.n = score_leads(&lead, t, p.moves, p.score, p.card)
    p.stage = SCORED


cdef inline int first_lead(MovePicker* p, const Trick* t, int kind, int need, int cut_card) noexcept nogil:
    """In mizerka the last cut is one of the things that leads are scored by."""
    if kind != KIND_MIZERKA and cut_card >= 0 and p.moves & bit_mask(cut_card):
        p.stage = LAST_CUT
        return cut_card
    score_all_leads(p, t, kind, need, cut_card)
    return best_of_all(p)


cdef inline int next_lead(MovePicker* p, const Trick* t, int kind, int need) noexcept nogil:
    if p.stage == LAST_CUT:
        score_all_leads(p, t, kind, need, NO_CARD_YET)
        return best_of_all(p)
    return best_left(p)


cdef inline int first_of_followers(MovePicker* p, const Order* order, const Trick* t, int kind, int place,
                                   int best) noexcept nogil:
    """The second or third player's; `best` is the winning card so far."""
    cdef Turn turn
    cdef uint64_t moves = p.moves
    set_turn(&turn, order, t, kind, place, best)
    p.n = 0
    while moves:
        p.card[p.n] = ctz(moves)
        moves = without_lowest(moves)
        p.score[p.n] = score_follow(&turn, t, p.card[p.n])
        p.n += 1
    p.stage = SCORED
    return best_of_all(p)
