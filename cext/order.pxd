# cython: language_level=3
"""Move ordering: which card to follow a lead with first (leads: lead_net.pxd). It never changes a value, only the work.

A card's score is a sum of weighted features of the relation between mover, leader and lone player. Weights live in
an array (one set without trump, one with, one for mizerka), so that `benchmarks/fit_order.py` can fit them on
generated positions; the defaults are in `order_weights.h`, written by that script. r = cards in play below the card
in its suit; "top" = highest card of the suit in play.
"""

from cards cimport (above_mask, below_mask, count_lane, ctz, int32_t, lane_mask, lane_start, rank_of, same_suit,
                    suit_of, uint32_t, uint64_t)
from position cimport (KIND_MIZERKA, KIND_TRUMP, LONE, TRUMP_LANE, Trick, beats, count_of, hand_at, length, next_hand,
                       suit_counts, trumps_of)

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
    MZ_LONE_DISCARD_R, MZ_LONE_DISCARD_ABOVE, MZ_LONE_DISCARD_LENGTH, MZ_LONE_DISCARD_UNSAFE, MZ_LONE_DISCARD_UNSAFE_R
    MZ_LONE_DISCARD_LAST
    MZ_PAIR_DISCARD_LENGTH, MZ_PAIR_DISCARD_LONE, MZ_PAIR_DISCARD_ABOVE, MZ_PAIR_DISCARD_R, MZ_PAIR_DISCARD_LONE_VOID
    MZ_PAIR_DISCARD_UNSAFE, MZ_PAIR_DISCARD_UNSAFE_R, MZ_PAIR_DISCARD_PARTNER
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
    return rank_of(card) - 13 + count_of(counts, suit_of(card))


cdef inline bint can_beat(const Trick* t, int hand, int card, int kind) noexcept nogil:
    """Could `hand` still overtake `card`, now winning, given the suit led? Follows suit if it can."""
    cdef uint64_t h = t.hand[hand], led = h & lane_mask(t.card[0])
    if led:
        return same_suit(card, t.card[0]) and (led & above_mask(card)) != 0
    if kind != KIND_TRUMP:
        return False
    if suit_of(card) == TRUMP_LANE:
        return (h & above_mask(card)) != 0
    return trumps_of(h) != 0


cdef struct Turn:                 # what is the same for all cards of one that follows
    const Order* order
    uint32_t counts               # `suit_counts`
    int kind
    int place
    int mover
    int best                      # the winning card so far
    int winner                    # and whose it is
    int relation                  # mizerka: `mizerka_relation`


cdef inline int32_t score_second(const Turn* turn, const Trick* t, int card) noexcept nogil:
    cdef const int32_t* w = &turn.order.w[0]
    cdef int kind = turn.kind, mover = turn.mover, best = turn.best
    cdef int r = cards_below(turn.counts, card), suit = suit_of(card), third = next_hand(mover)
    cdef bint follows = same_suit(card, t.card[0])
    cdef bint wins = beats(card, best, kind)
    cdef int32_t v
    if mover == LONE:
        if wins:
            v = w[LONE2_UNSAFE] if can_beat(t, third, card, kind) else w[LONE2_SAFE]
            return v + w[LONE2_WIN_R] * r + (0 if follows else w[LONE2_RUFF])
        if follows:
            return w[LONE2_LOW_R] * r
        return w[LONE2_DISCARD_R] * r + w[LONE2_DISCARD_LENGTH] * length(t, LONE, suit)
    if t.leader == LONE:
        if wins:
            return w[PAIR2_WIN] + w[PAIR2_WIN_R] * r + (0 if follows else w[PAIR2_RUFF])
        v = w[PAIR2_LOW_IF_PARTNER] if can_beat(t, third, best, kind) else 0
        if follows:
            return v + w[PAIR2_LOW_R] * r
        return v + w[PAIR2_DISCARD_R] * r + w[PAIR2_DISCARD_LENGTH] * length(t, mover, suit)
    if wins:
        v = w[BACK2_UNSAFE] if can_beat(t, third, card, kind) else w[BACK2_SAFE]
        return v + w[BACK2_WIN_R] * r + (0 if follows else w[BACK2_RUFF])
    v = 0 if can_beat(t, third, best, kind) else w[BACK2_LOW_IF_HOLDS]
    return v + (w[BACK2_LOW_R] if follows else w[BACK2_DISCARD_R]) * r


cdef inline int32_t score_third(const Turn* turn, const Trick* t, int card) noexcept nogil:
    cdef const int32_t* w = &turn.order.w[0]
    cdef int r = cards_below(turn.counts, card), suit = suit_of(card)
    cdef bint follows = same_suit(card, t.card[0])
    cdef bint wins = beats(card, turn.best, turn.kind)
    cdef int32_t v = 0
    if turn.mover == LONE:
        if wins:
            return w[LONE3_WIN] + w[LONE3_WIN_R] * r
        if follows:
            return w[LONE3_LOW_R] * r
        return w[LONE3_DISCARD_R] * r + w[LONE3_DISCARD_LENGTH] * length(t, LONE, suit)
    if t.leader == LONE:
        if wins:
            return w[PAIR3_WIN] + w[PAIR3_WIN_R] * r
        if turn.winner != LONE:
            v = w[PAIR3_LET_STAND]
        if follows:
            return v + w[PAIR3_LOW_R] * r
        return v + w[PAIR3_DISCARD_R] * r + w[PAIR3_DISCARD_LONE_LENGTH] * length(t, LONE, suit)
    if wins:
        v = w[BACK3_WIN] if turn.winner == LONE else w[BACK3_OVERTAKE]
        return v + w[BACK3_WIN_R] * r
    return (w[BACK3_LOW_R] if follows else w[BACK3_DISCARD_R]) * r


cdef inline int mizerka_relation(const Trick* t, int place, int mover, int winner) noexcept nogil:
    """Which three weights a card that follows suit is scored by."""
    if mover == LONE:
        return MZ_LONE2_LOSE if place == 1 else MZ_LONE3_LOSE
    if place == 1:
        return MZ_PAIR2_LOSE if t.leader == LONE else MZ_BACK2_LOSE
    if t.leader == LONE:
        return MZ_PAIR3_BEHIND_LOSE if winner == LONE else MZ_PAIR3_AHEAD_LOSE
    return MZ_BACK3_BEHIND_LOSE if winner == LONE else MZ_BACK3_AHEAD_LOSE


cdef inline void set_turn(Turn* turn, const Order* order, const Trick* t, int kind, int place, int best) noexcept nogil:
    turn.order = order
    turn.counts = suit_counts(t)
    turn.kind = kind
    turn.place = place
    turn.mover = hand_at(t, place)
    turn.best = best
    turn.winner = t.leader if best == t.card[0] else next_hand(t.leader)
    turn.relation = mizerka_relation(t, place, turn.mover, turn.winner) if kind == KIND_MIZERKA else 0


cdef inline int32_t score_in_suit(const Turn* turn, const Trick* t, int card) noexcept nogil:
    """Mizerka, following suit."""
    cdef const int32_t* w = &turn.order.w[0]
    cdef int r = cards_below(turn.counts, card), relation = turn.relation
    cdef int32_t v = w[relation] + w[relation + 1] * r if card < turn.best else w[relation + 2] * r
    cdef uint64_t led
    if relation == MZ_BACK2_LOSE:
        led = t.hand[LONE] & lane_mask(card)
        if led and ctz(led) > (card if card > turn.best else turn.best):
            v += w[MZ_FORCES]
    if (t.forced.raises if turn.mover == LONE else t.forced.lowers) >> card & 1:
        v += w[MZ_LONE2_RAISES + (relation - MZ_LONE2_LOSE) // 3]
    return v


cdef inline bint has_exit_over(const Trick* t, int hand, int card) noexcept nogil:
    """Are all cards of the suit that the hand holds, and it holds some, above the card?"""
    return t.hand[hand] & lane_mask(card) and t.hand[hand] & below_mask(card) == 0


cdef inline int32_t score_lone_discard(const Turn* turn, const Trick* t, int card) noexcept nogil:
    """Mizerka, the lone player is void in the suit led."""
    cdef const int32_t* w = &turn.order.w[0]
    cdef int suit = suit_of(card), r = cards_below(turn.counts, card), n_lone = length(t, LONE, suit)
    cdef int32_t v = (w[MZ_LONE_DISCARD_R] * r + w[MZ_LONE_DISCARD_ABOVE] * (12 - rank_of(card))
                      + w[MZ_LONE_DISCARD_LENGTH] * n_lone)
    if t.forced.unsafe >> suit & 1:
        v += w[MZ_LONE_DISCARD_UNSAFE] + w[MZ_LONE_DISCARD_UNSAFE_R] * r
    if t.forced.raises >> card & 1:
        v += w[MZ_LONE_DISCARD_RAISES]
    if (t.hand[1] | t.hand[2]) & lane_mask(card) == 0:
        v += w[MZ_LONE_DISCARD_DEAD]
    elif has_exit_over(t, 1, card) or has_exit_over(t, 2, card):
        v += w[MZ_LONE_DISCARD_EXIT]
    return v + (w[MZ_LONE_DISCARD_LAST] if n_lone == 1 else 0)


cdef inline int32_t score_pair_discard(const Turn* turn, const Trick* t, int card) noexcept nogil:
    """Mizerka, one of the pair is void in the suit led."""
    cdef const int32_t* w = &turn.order.w[0]
    cdef int suit = suit_of(card), r = cards_below(turn.counts, card), n_lone = length(t, LONE, suit)
    cdef int32_t v = w[MZ_PAIR_DISCARD_LENGTH] * length(t, turn.mover, suit) + w[MZ_PAIR_DISCARD_R] * r
    if n_lone == 0:
        return v + w[MZ_PAIR_DISCARD_LONE_VOID]
    if t.forced.unsafe >> suit & 1:
        v += w[MZ_PAIR_DISCARD_UNSAFE] + w[MZ_PAIR_DISCARD_UNSAFE_R] * r
    if t.forced.lowers >> card & 1:
        v += w[MZ_PAIR_DISCARD_LOWERS]
    return (v + w[MZ_PAIR_DISCARD_LONE] * n_lone
            + w[MZ_PAIR_DISCARD_ABOVE] * count_lane(t.hand[LONE] & above_mask(card), lane_start(card))
            + w[MZ_PAIR_DISCARD_PARTNER] * length(t, 3 - turn.mover, suit))


cdef inline int32_t score_follow(const Turn* turn, const Trick* t, int card) noexcept nogil:
    """The score of a card of the second or third player."""
    if turn.kind != KIND_MIZERKA:
        return score_second(turn, t, card) if turn.place == 1 else score_third(turn, t, card)
    if same_suit(card, t.card[0]):
        return score_in_suit(turn, t, card)
    return score_lone_discard(turn, t, card) if turn.mover == LONE else score_pair_discard(turn, t, card)
