# cython: language_level=3
"""A position at the start of a trick, seen by the alpha-beta search.

The search always asks about one *lone* player against the *pair* of the two others, so the hands are turned until
the lone player is hand 0; trump, if any, is turned into lane 3. What is left of seats and contracts is: who leads
(0 the lone player, 1 or 2 counted clockwise from it), is there a trump, is it mizerka.

    lens: 12 nibbles, nibble 4*hand + suit = number of cards     bits 0..47; the key of a table bucket adds
    key = lens | leader << 48 | kind << 50 [| need << 53]         kind 0 no trump, 1 trump in lane 3, 2 mizerka

`Trick` is copied, not undone: hands are re-ranked from one trick to the next, and the parent keeps its own.
"""

from cards cimport lane_length, lane_mask, remove_bit, same_suit, suit_of, top_run, uint32_t, uint64_t

cdef enum:
    LONE = 0
    TRUMP_LANE = 3
    NO_CARD_YET = -1
    KIND_NO_TRUMP = 0
    KIND_TRUMP = 1
    KIND_MIZERKA = 2
    MAX_TRICKS = 17
    N_TRICKS = MAX_TRICKS + 1     # places of a stack of tricks: the last one is for no cards left
    LEADER_SHIFT = 48
    KIND_SHIFT = 50
    NEED_SHIFT = 53

cdef struct Forced:       # mizerka: the tricks that can be forced on the lone player (count_forced in bounds_mizerka.pxd)
    int ducks[4]          # tricks of a suit the lone player loses before it can be forced to win one, if the pair leads
    int unsafe            # a bit a suit in which one can be forced
    uint64_t lowers       # cards of the pair without which one fewer can be forced
    uint64_t raises       # cards of the lone player without which one more can be

cdef struct Trick:
    uint64_t hand[3]      # on relative ranks, before the first card of the trick
    uint64_t lens
    int leader
    int tricks_left       # this one included
    int card[3]           # bits, in order of play; valid up to the place being played
    int cut_card          # the lead that decided this node, for the table; -1 none
    bint ask_either       # mizerka: would it help if the answer held whichever of the pair leads?
    uint64_t above[4]     # mizerka: which card is above which, a word a suit, and bits in use (relations.pxd)
    int n_bits[4]
    Forced forced         # mizerka: bounds and order look at it


cdef inline int next_hand(int hand) noexcept nogil:
    return hand + 1 if hand < 2 else 0


cdef inline int lens_place(int hand, int suit) noexcept nogil:
    """The lowest bit of a nibble of `lens`."""
    return 16 * hand + 4 * suit


cdef inline int length(const Trick* t, int hand, int suit) noexcept nogil:
    return <int>(t.lens >> lens_place(hand, suit)) & 15


cdef inline uint32_t suit_counts(const Trick* t) noexcept nogil:
    """Cards in play of each suit, a nibble each (never above 13): `count_of` reads one."""
    return <uint32_t>((t.lens + (t.lens >> 16) + (t.lens >> 32)) & 0xFFFF)


cdef inline int count_of(uint32_t counts, int suit) noexcept nogil:
    return <int>((counts >> (4 * suit)) & 15)


cdef inline uint32_t trumps_of(uint64_t hand) noexcept nogil:
    """The cards of the trump lane, shifted down to bit 0."""
    return <uint32_t>(hand >> (16 * TRUMP_LANE))


cdef inline uint64_t length_unit(int hand, int bit) noexcept nogil:
    return (<uint64_t>1) << lens_place(hand, suit_of(bit))


cdef inline uint64_t compute_lens(const Trick* t) noexcept nogil:
    cdef uint64_t lens = 0
    cdef int hand, suit
    for hand in range(3):
        for suit in range(4):
            lens |= (<uint64_t>lane_length(t.hand[hand], suit)) << lens_place(hand, suit)
    return lens


cdef inline bint beats(int card, int best, int kind) noexcept nogil:
    """Does `card` take over from `best`, the winning card so far?"""
    if same_suit(card, best):
        return card > best
    return kind == KIND_TRUMP and suit_of(card) == TRUMP_LANE


cdef inline uint64_t legal_mask(uint64_t hand, int led_bit) noexcept nogil:
    cdef uint64_t follow = hand & lane_mask(led_bit)
    return follow if follow else hand


cdef inline int hand_at(const Trick* t, int place) noexcept nogil:
    """Whose turn it is after so many cards."""
    cdef int hand = t.leader + place
    return hand if hand < 3 else hand - 3


cdef inline int card_of(const Trick* t, int hand) noexcept nogil:
    """What a hand plays to the trick."""
    cdef int place = hand - t.leader
    return t.card[place if place >= 0 else place + 3]


cdef inline uint64_t bucket_key(const Trick* t, int kind) noexcept nogil:
    return t.lens | (<uint64_t>t.leader << LEADER_SHIFT) | (<uint64_t>kind << KIND_SHIFT)


cdef inline void sort_three(int* c) noexcept nogil:
    cdef int swap
    if c[0] > c[1]:
        swap = c[0]; c[0] = c[1]; c[1] = swap
    if c[1] > c[2]:
        swap = c[1]; c[1] = c[2]; c[2] = swap
    if c[0] > c[1]:
        swap = c[0]; c[0] = c[1]; c[1] = swap


cdef inline void next_trick(const Trick* t, int winner, Trick* out) noexcept nogil:
    """The position after the three cards of `t`, led by `winner` (a hand). Lowest card first, so that a removal never
    moves a card still to be removed; `insert_bit` has to go the other way round."""
    cdef int c[3]
    cdef int hand, second = next_hand(t.leader)
    cdef int third = next_hand(second)
    c[0] = t.card[0]; c[1] = t.card[1]; c[2] = t.card[2]
    out.lens = t.lens - length_unit(t.leader, c[0]) - length_unit(second, c[1]) - length_unit(third, c[2])
    sort_three(c)
    for hand in range(3):
        out.hand[hand] = remove_bit(remove_bit(remove_bit(t.hand[hand], c[0]), c[1]), c[2])
    out.leader = winner
    out.tricks_left = t.tricks_left - 1


cdef inline bint position_is_ok(const Trick* t) noexcept nogil:
    """Debug check: equal hands, no card twice, lanes dense from the top, lens true."""
    cdef uint64_t union_ = t.hand[0] | t.hand[1] | t.hand[2]
    cdef int hand, suit, n
    if (t.hand[0] & t.hand[1]) | (t.hand[1] & t.hand[2]) | (t.hand[0] & t.hand[2]):
        return False
    for suit in range(4):
        n = lane_length(union_, suit)
        if top_run(union_, suit) != n:
            return False
    for hand in range(3):
        n = 0
        for suit in range(4):
            n += lane_length(t.hand[hand], suit)
        if n != t.tricks_left:
            return False
    return compute_lens(t) == t.lens
