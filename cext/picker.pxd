# cython: language_level=3
"""Which card to try next: the moves of a node, their scores, and how far they have been gone through.

Stages: nothing is scored yet; in suits and no trump the bucket's last cut leads first, and the other leads are scored only
if it fails; then the best that is left is next. The last move left needs no score.
"""

from cards cimport bit_mask, ctz, int32_t, uint64_t, without_lowest
from lead_net cimport Lead, score_leads, set_lead
from order cimport Order, Turn, score_follow, set_turn
from position cimport KIND_MIZERKA, MAX_TRICKS, Trick

cdef enum:      # stages
    FRESH
    LAST_CUT
    SCORED

cdef struct MovePicker:
    uint64_t moves                  # still to be tried: of touching cards one
    int stage
    int n                           # cards scored
    int32_t score[MAX_TRICKS]
    int card[MAX_TRICKS]


cdef inline void start_picking(MovePicker* p, uint64_t moves) noexcept nogil:
    p.moves = moves
    p.stage = FRESH
    p.n = 0


cdef inline int best_of_all(const MovePicker* p) noexcept nogil:
    """Just scored: all are among the moves."""
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


cdef inline int next_lead(MovePicker* p, const Trick* t, int kind, int need, int cut_card) noexcept nogil:
    """In mizerka the last cut is one of the things that leads are scored by."""
    cdef Lead lead
    if p.stage == SCORED:
        return best_left(p)
    if p.stage == FRESH and kind != KIND_MIZERKA and cut_card >= 0 and p.moves & bit_mask(cut_card):
        p.stage = LAST_CUT
        return cut_card
    p.stage = SCORED
    set_lead(&lead, t, kind, need, cut_card)
    p.n = score_leads(&lead, t, p.moves, p.score, p.card)
    return best_of_all(p)


cdef inline int next_follow(MovePicker* p, const Order* order, const Trick* t, int kind, int place,
                            int best) noexcept nogil:
    """The second or third player's; `best` is the winning card so far."""
    cdef Turn turn
    cdef uint64_t moves = p.moves
    if p.stage == SCORED:
        return best_left(p)
    p.stage = SCORED
    set_turn(&turn, order, t, kind, place, best)
    while moves:
        p.card[p.n] = ctz(moves)
        moves = without_lowest(moves)
        p.score[p.n] = score_follow(&turn, t, p.card[p.n])
        p.n += 1
    return best_of_all(p)
