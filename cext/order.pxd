# cython: language_level=3
"""Move ordering: which card to follow a lead with first (leads: lead_net.pxd). It never changes a value, only the work.

A card's score is a sum of weighted features of the relation between mover, leader and lone player. Weights live in
an array (one set without trump, one with, one for mizerka), so that `benchmarks/fit_order.py` can fit them on
generated positions; the defaults are in `order_weights.h`, written by that script. r = cards in play below the card
in its suit; "top" = highest card of the suit in play.
"""

from cards cimport above_mask, below_mask, count_lane, ctz, int32_t, lane_mask, uint32_t, uint64_t
from position cimport KIND_TRUMP, LONE, TRUMP_LANE, Trick, beats, length, next_hand

cdef enum:
    # Weights of suit and no-trump contracts.
    # lone player second
    LONE2_SAFE, LONE2_UNSAFE, LONE2_RUFF, LONE2_WIN_R, LONE2_LOW_R, LONE2_DISCARD_R, LONE2_DISCARD_LENGTH
    # pair second after the lone player's lead
    PAIR2_LOW_IF_PARTNER, PAIR2_WIN, PAIR2_WIN_R, PAIR2_LOW_R, PAIR2_DISCARD_R, PAIR2_RUFF, PAIR2_DISCARD_LENGTH
    # pair second after the partner's lead
    BACK2_LOW_IF_HOLDS, BACK2_SAFE, BACK2_UNSAFE, BACK2_WIN_R, BACK2_LOW_R, BACK2_DISCARD_R, BACK2_RUFF
    # lone player third
    LONE3_WIN, LONE3_WIN_R, LONE3_LOW_R, LONE3_DISCARD_R, LONE3_DISCARD_LENGTH
    # pair third after the lone player's lead
    PAIR3_WIN, PAIR3_WIN_R, PAIR3_LET_STAND, PAIR3_LOW_R, PAIR3_DISCARD_R, PAIR3_DISCARD_LONE_LENGTH
    # pair third after the partner's lead
    BACK3_WIN, BACK3_WIN_R, BACK3_OVERTAKE, BACK3_LOW_R, BACK3_DISCARD_R
    N_WEIGHTS

cdef enum:
    # Weights of mizerka.
    # following suit: LOSE for a card under the winning one, then per r; by who plays, after whose lead, who is winning
    MZ_LONE2_LOSE, MZ_LONE2_LOSE_R, MZ_LONE2_WIN_R
    MZ_LONE3_LOSE, MZ_LONE3_LOSE_R, MZ_LONE3_WIN_R
    MZ_PAIR2_LOSE, MZ_PAIR2_LOSE_R, MZ_PAIR2_WIN_R
    MZ_BACK2_LOSE, MZ_BACK2_LOSE_R, MZ_BACK2_WIN_R
    MZ_PAIR3_BEHIND_LOSE, MZ_PAIR3_BEHIND_LOSE_R, MZ_PAIR3_BEHIND_WIN_R
    MZ_PAIR3_AHEAD_LOSE, MZ_PAIR3_AHEAD_LOSE_R, MZ_PAIR3_AHEAD_WIN_R
    MZ_BACK3_BEHIND_LOSE, MZ_BACK3_BEHIND_LOSE_R, MZ_BACK3_BEHIND_WIN_R
    MZ_BACK3_AHEAD_LOSE, MZ_BACK3_AHEAD_LOSE_R, MZ_BACK3_AHEAD_WIN_R
    MZ_FORCES                # the lone player, still to play, has no card under what is winning then
    MZ_LONE_DISCARD_R, MZ_LONE_DISCARD_ABOVE, MZ_LONE_DISCARD_LENGTH, MZ_LONE_DISCARD_UNSAFE, MZ_LONE_DISCARD_UNSAFE_R, MZ_LONE_DISCARD_LAST
    MZ_PAIR_DISCARD_LENGTH, MZ_PAIR_DISCARD_LONE, MZ_PAIR_DISCARD_ABOVE, MZ_PAIR_DISCARD_R, MZ_PAIR_DISCARD_LONE_VOID, MZ_PAIR_DISCARD_UNSAFE, MZ_PAIR_DISCARD_UNSAFE_R, MZ_PAIR_DISCARD_PARTNER
    # the card's part in W, the tricks that can be forced (bounds_mizerka.pxd): taking it away raises or lowers W
    MZ_LONE2_RAISES, MZ_LONE3_RAISES, MZ_PAIR2_LOWERS, MZ_BACK2_LOWERS, MZ_PAIR3_BEHIND_LOWERS, MZ_PAIR3_AHEAD_LOWERS
    MZ_BACK3_BEHIND_LOWERS, MZ_BACK3_AHEAD_LOWERS, MZ_LONE_DISCARD_RAISES, MZ_PAIR_DISCARD_LOWERS,
    MZ_LONE_DISCARD_DEAD, MZ_LONE_DISCARD_EXIT
    N_MZ_WEIGHTS

cdef extern from "order_weights.h" nogil:
    const int32_t ORDER_WEIGHTS[2][80]
    const int32_t ORDER_WEIGHTS_MIZERKA[96]

cdef struct Order:
    int32_t w[96]


cdef inline int cards_below(uint32_t counts, int card) noexcept nogil:
    """r: the lanes are dense from the top, so it follows from the number of cards (`suit_counts`)."""
    return (card & 15) - 13 + <int>((counts >> (4 * (card >> 4))) & 15)


cdef inline bint can_beat(const Trick* t, int hand, int card, int kind) noexcept nogil:
    """Could `hand` still overtake `card`, now winning, given the suit led? Follows suit if it can."""
    cdef uint64_t h = t.hand[hand], led = h & lane_mask(t.card[0])
    if led:
        return (card ^ t.card[0]) >> 4 == 0 and (led & above_mask(card)) != 0
    if kind != KIND_TRUMP:
        return False
    if card >> 4 == TRUMP_LANE:
        return (h & above_mask(card)) != 0
    return (h >> 48) != 0


cdef inline int32_t score_second(const Order* o, const Trick* t, uint32_t counts, int kind, int card, int mover, int best) noexcept nogil:
    cdef int r = cards_below(counts, card), suit = card >> 4, third = next_hand(mover)
    cdef bint follows = (card ^ t.card[0]) >> 4 == 0
    cdef bint wins = beats(card, best, kind)
    cdef int32_t v
    if mover == LONE:
        if wins:
            v = o.w[LONE2_UNSAFE] if can_beat(t, third, card, kind) else o.w[LONE2_SAFE]
            return v + o.w[LONE2_WIN_R] * r + (0 if follows else o.w[LONE2_RUFF])
        if follows:
            return o.w[LONE2_LOW_R] * r
        return o.w[LONE2_DISCARD_R] * r + o.w[LONE2_DISCARD_LENGTH] * length(t, 0, suit)
    if t.leader == LONE:
        if wins:
            return o.w[PAIR2_WIN] + o.w[PAIR2_WIN_R] * r + (0 if follows else o.w[PAIR2_RUFF])
        v = o.w[PAIR2_LOW_IF_PARTNER] if can_beat(t, third, best, kind) else 0
        if follows:
            return v + o.w[PAIR2_LOW_R] * r
        return v + o.w[PAIR2_DISCARD_R] * r + o.w[PAIR2_DISCARD_LENGTH] * length(t, mover, suit)
    if wins:
        v = o.w[BACK2_UNSAFE] if can_beat(t, third, card, kind) else o.w[BACK2_SAFE]
        return v + o.w[BACK2_WIN_R] * r + (0 if follows else o.w[BACK2_RUFF])
    v = 0 if can_beat(t, third, best, kind) else o.w[BACK2_LOW_IF_HOLDS]
    return v + (o.w[BACK2_LOW_R] if follows else o.w[BACK2_DISCARD_R]) * r


cdef inline int32_t score_third(const Order* o, const Trick* t, uint32_t counts, int kind, int card, int mover, int best,
                                int winner) noexcept nogil:
    cdef int r = cards_below(counts, card), suit = card >> 4
    cdef bint follows = (card ^ t.card[0]) >> 4 == 0
    cdef bint wins = beats(card, best, kind)
    cdef int32_t v = 0
    if mover == LONE:
        if wins:
            return o.w[LONE3_WIN] + o.w[LONE3_WIN_R] * r
        if follows:
            return o.w[LONE3_LOW_R] * r
        return o.w[LONE3_DISCARD_R] * r + o.w[LONE3_DISCARD_LENGTH] * length(t, 0, suit)
    if t.leader == LONE:
        if wins:
            return o.w[PAIR3_WIN] + o.w[PAIR3_WIN_R] * r
        if winner != LONE:
            v = o.w[PAIR3_LET_STAND]
        if follows:
            return v + o.w[PAIR3_LOW_R] * r
        return v + o.w[PAIR3_DISCARD_R] * r + o.w[PAIR3_DISCARD_LONE_LENGTH] * length(t, 0, suit)
    if wins:
        v = o.w[BACK3_WIN] if winner == LONE else o.w[BACK3_OVERTAKE]
        return v + o.w[BACK3_WIN_R] * r
    return (o.w[BACK3_LOW_R] if follows else o.w[BACK3_DISCARD_R]) * r


cdef inline int mizerka_relation(const Trick* t, int place, int mover, int winner) noexcept nogil:
    """Which three weights a card that follows suit is scored by."""
    if mover == LONE:
        return MZ_LONE2_LOSE if place == 1 else MZ_LONE3_LOSE
    if place == 1:
        return MZ_PAIR2_LOSE if t.leader == LONE else MZ_BACK2_LOSE
    if t.leader == LONE:
        return MZ_PAIR3_BEHIND_LOSE if winner == LONE else MZ_PAIR3_AHEAD_LOSE
    return MZ_BACK3_BEHIND_LOSE if winner == LONE else MZ_BACK3_AHEAD_LOSE


cdef inline int32_t score_mizerka_follow(const Order* o, const Trick* t, uint32_t counts, int card, int place, int mover,
                                         int best, int relation) noexcept nogil:
    cdef int suit = card >> 4, r = cards_below(counts, card), n_lone
    cdef int32_t v
    cdef uint64_t led
    if card ^ t.card[0] < 16:
        v = o.w[relation] + o.w[relation + 1] * r if card < best else o.w[relation + 2] * r
        if relation == MZ_BACK2_LOSE:
            led = t.hand[0] & lane_mask(card)
            if led and ctz(led) > (card if card > best else best):
                v += o.w[MZ_FORCES]
        if (t.raises if mover == LONE else t.lowers) >> card & 1:
            v += o.w[MZ_LONE2_RAISES + (relation - MZ_LONE2_LOSE) // 3]
        return v
    n_lone = length(t, 0, suit)
    if mover == LONE:
        v = (o.w[MZ_LONE_DISCARD_R] * r + o.w[MZ_LONE_DISCARD_ABOVE] * (12 - (card & 15))
             + o.w[MZ_LONE_DISCARD_LENGTH] * n_lone)
        if t.unsafe >> suit & 1:
            v += o.w[MZ_LONE_DISCARD_UNSAFE] + o.w[MZ_LONE_DISCARD_UNSAFE_R] * r
        if t.raises >> card & 1:
            v += o.w[MZ_LONE_DISCARD_RAISES]
        led = lane_mask(card)
        if (t.hand[1] | t.hand[2]) & led == 0:
            v += o.w[MZ_LONE_DISCARD_DEAD]
        elif (t.hand[1] & led and t.hand[1] & below_mask(card) == 0) or (t.hand[2] & led and t.hand[2] & below_mask(card) == 0):
            v += o.w[MZ_LONE_DISCARD_EXIT]
        return v + (o.w[MZ_LONE_DISCARD_LAST] if n_lone == 1 else 0)
    v = o.w[MZ_PAIR_DISCARD_LENGTH] * length(t, mover, suit) + o.w[MZ_PAIR_DISCARD_R] * r
    if n_lone == 0:
        return v + o.w[MZ_PAIR_DISCARD_LONE_VOID]
    if t.unsafe >> suit & 1:
        v += o.w[MZ_PAIR_DISCARD_UNSAFE] + o.w[MZ_PAIR_DISCARD_UNSAFE_R] * r
    if t.lowers >> card & 1:
        v += o.w[MZ_PAIR_DISCARD_LOWERS]
    return (v + o.w[MZ_PAIR_DISCARD_LONE] * n_lone + o.w[MZ_PAIR_DISCARD_ABOVE] * count_lane(t.hand[0] & above_mask(card), card & 48)
            + o.w[MZ_PAIR_DISCARD_PARTNER] * length(t, 3 - mover, suit))


cdef inline int32_t score_card(const Order* o, const Trick* t, uint32_t counts, int kind, int place, int mover, int card, int best,
                               int winner) noexcept nogil:
    if place == 1:
        return score_second(o, t, counts, kind, card, mover, best)
    return score_third(o, t, counts, kind, card, mover, best, winner)
