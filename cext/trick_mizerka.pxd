# cython: language_level=3
"""A trick of mizerka in terms of relations: what falls in it, which cards fail for the same
reason, and the last one."""

from cards cimport bit_mask, cards_under, count_lane, lane_mask, lane_start, lowest, same_suit, suit_of, uint64_t
from position cimport LONE, Trick, card_of, next_hand
from relations cimport Relations, Shape, bits_of, clear_relations, columns, moved, number_of, rows, shape_of

cdef struct Fallen:         # the cards of a trick
    uint64_t gone[4]        # of each suit: the cards
    uint64_t out[4]         # and their relations
    uint64_t winners        # in the suit led: relations of the winning card,
    uint64_t others         # of the others,
    uint64_t lone           # of the lone player's,
    uint64_t over           # of the first of the pair's above it: then what the other plays matters less


cdef inline void note_followers(const Trick* t, int led, int winner, Fallen* f) noexcept nogil:
    """The cards of the suit led."""
    cdef int place, hand = t.leader, card, lone = card_of(t, LONE)
    cdef uint64_t bits
    cdef Shape shape = shape_of(t, led)
    f.gone[0] = f.gone[1] = f.gone[2] = f.gone[3] = 0
    f.out[0] = f.out[1] = f.out[2] = f.out[3] = 0
    f.winners = f.others = f.lone = f.over = 0
    for place in range(3):
        card = t.card[place]
        if suit_of(card) == led:
            bits = bits_of(&shape, hand, number_of(t, hand, card))
            f.out[led] |= bits
            f.gone[led] |= bit_mask(card)
            if hand == LONE:
                f.lone = bits
            elif f.over == 0 and card > lone:
                f.over = bits
            if hand == winner:
                f.winners = bits
            else:
                f.others |= bits
        hand = next_hand(hand)


cdef inline void note_discards(const Trick* t, int led, Fallen* f) noexcept nogil:
    cdef int place, hand = t.leader, card, suit
    cdef Shape shape
    for place in range(3):
        card = t.card[place]
        suit = suit_of(card)
        if suit != led:
            shape = shape_of(t, suit)
            f.out[suit] |= bits_of(&shape, hand, number_of(t, hand, card))
            f.gone[suit] |= bit_mask(card)
        hand = next_hand(hand)


cdef inline uint64_t also_fail(const Trick* t, int mover, int card, uint64_t rest, uint64_t mask,
                               uint64_t* failed) noexcept nogil:
    """`card` has failed by a proof that looked at `mask` of its suit. Which cards of `rest` (the mover's, same suit)
    fail for the same reason? Own cards are never compared with each other, so the proof holds for another card with
    the two and those between renumbered, if its relations are true of the cards it is then about. Touching cards always
    do. Adds the proofs for these cards, and returns the set of them."""
    cdef int suit = suit_of(card), i, k
    cdef uint64_t above = t.above[suit], own, low, moved_mask, covered = 0, held
    cdef Shape shape = shape_of(t, suit)
    own = mask & (rows(&shape, mover, 0, shape.n[mover]) | columns(&shape, mover, 0, shape.n[mover]))
    if own == 0:
        return rest
    i = number_of(t, mover, card)
    held = t.hand[mover] & lane_mask(card)
    while rest:
        low = lowest(rest)
        rest ^= low
        k = count_lane(held & cards_under(low), lane_start(card))
        moved_mask = moved(&shape, own, mover, i, k)
        if moved_mask & above == moved(&shape, own & above, mover, i, k):
            covered |= low
            failed[0] |= moved_mask
    return covered


cdef inline bint last_trick_mizerka(const Trick* t, const int* card, Relations* used) noexcept nogil:
    """One card each: does the lone player's win?"""
    cdef int lone = card[LONE], led = suit_of(card[t.leader]), suit = suit_of(lone)
    cdef bint a_follows = same_suit(card[1], lone), b_follows = same_suit(card[2], lone)
    # With one card each a suit word is: lone above a, a above b, b above lone; less where one is missing.
    clear_relations(used)
    used.either_leads = t.leader != LONE
    if a_follows and card[1] > lone:
        used.suit[suit] = 1
        return False
    if b_follows and card[2] > lone:
        used.suit[suit] = 4 if a_follows else 1
        return False
    if suit != led:
        used.either_leads &= not a_follows and not b_follows
        return False
    used.either_leads = False
    used.suit[suit] = 5 if a_follows and b_follows else a_follows or b_follows
    return True
