# cython: language_level=3
"""Which card is above which: what a proof in mizerka rests on.

The answer of a mizerka position depends on suit lengths, leader and, in each suit, the order of cards of *different*
hands. Cards are known by hand and number (i-th lowest of the hand in the suit), and each pair of them is one bit:

    suit word    | hand 2 x hand 0 | hand 1 x hand 2 | hand 0 x hand 1 |      bit = start[X] + i * n[Y] + j:
                                                           bit 0       is the i-th lowest of X above the j-th lowest of Y?

Y is the hand that plays after X, n[h] the number of cards of hand h in the suit. At most 13 cards of a suit make at
most 56 bits (5-4-4), so a suit is a word. What is true of a position is its `above` words; a proof is a mask of the
bits it looked at. Unlike a set of top cards, a proof that ends with "the lone player's lowest is below their lowest"
holds one bit.

Playing cards takes their rows and columns out (`squeeze`); a mask found below gets them back, empty (`stretch`).
"""

from cards cimport (below_mask, cards_under, count_lane, lane_start, lowest, popcount, suit_mask,
                    uint64_t, up_to_3)
from position cimport Trick, length, lens_place

cdef extern from "bits.h" nogil:
    uint64_t squeeze "mz_squeeze"(uint64_t word, uint64_t out) noexcept
    uint64_t stretch "mz_stretch"(uint64_t word, uint64_t out) noexcept
    const uint64_t EVERY[14]      # EVERY[k]: bits 0, k, 2k, ...

cdef struct Relations:
    uint64_t suit[4]
    bint either_leads             # what is proven holds whichever of the pair leads

cdef inline void clear_relations(Relations* used) noexcept nogil:
    used.suit[0] = used.suit[1] = used.suit[2] = used.suit[3] = 0
    used.either_leads = False


cdef struct Shape:
    int n[3]
    int start[3]


cdef inline uint64_t ones(int n) noexcept nogil:
    """The n lowest bits, n < 64."""
    return ((<uint64_t>1) << n) - 1


cdef inline const Shape* set_starts(Shape* shape) noexcept nogil:
    """Complete a shape of known lengths."""
    shape.start[0] = 0
    shape.start[1] = shape.n[0] * shape.n[1]
    shape.start[2] = shape.start[1] + shape.n[1] * shape.n[2]
    return shape


cdef inline Shape shape_of(const Trick* t, int suit) noexcept nogil:
    cdef Shape shape
    shape.n[0] = length(t, 0, suit)
    shape.n[1] = length(t, 1, suit)
    shape.n[2] = length(t, 2, suit)
    set_starts(&shape)
    return shape


cdef inline int after(int hand) noexcept nogil:
    return hand + 1 if hand < 2 else 0


cdef inline int before(int hand) noexcept nogil:
    return hand - 1 if hand else 2


cdef inline int number_of(const Trick* t, int hand, int card) noexcept nogil:
    return count_lane(t.hand[hand] & below_mask(card), lane_start(card))


cdef inline uint64_t rows(const Shape* shape, int hand, int first, int count) noexcept nogil:
    """The bits in which cards first .. first + count - 1 of a hand stand before the hand after it."""
    cdef int width = shape.n[after(hand)]
    return ones(count * width) << (shape.start[hand] + first * width)


cdef inline uint64_t columns(const Shape* shape, int hand, int first, int count) noexcept nogil:
    """The bits in which cards first .. first + count - 1 of a hand stand behind the hand before it."""
    cdef int step = shape.n[hand], z = before(hand)
    return ((EVERY[step] & ones(step * shape.n[z])) * ones(count)) << (shape.start[z] + first)


cdef inline uint64_t bits_of(const Shape* shape, int hand, int number) noexcept nogil:
    """All bits of a card."""
    return rows(shape, hand, number, 1) | columns(shape, hand, number, 1)


cdef inline uint64_t lone_pair(const Shape* shape, int i, int hand, int j) noexcept nogil:
    """The bit of the lone player's i-th lowest and the j-th lowest of `hand`."""
    return (<uint64_t>1) << (i * shape.n[1] + j if hand == 1 else shape.start[2] + j * shape.n[0] + i)


cdef inline uint64_t moved(const Shape* shape, uint64_t word, int hand, int i, int k) noexcept nogil:
    """A word in which card i of the hand has become card k, and the cards between have each moved one place."""
    cdef int width = shape.n[after(hand)]
    cdef uint64_t row, column, between_rows, between_columns, out
    row = word & rows(shape, hand, i, 1)
    column = word & columns(shape, hand, i, 1)
    if k < i:
        between_rows = word & rows(shape, hand, k, i - k)
        between_columns = word & columns(shape, hand, k, i - k)
        out = word & ~(row | column | between_rows | between_columns)
        return (out | between_rows << width | between_columns << 1
                | row >> ((i - k) * width) | column >> (i - k))
    between_rows = word & rows(shape, hand, i + 1, k - i)
    between_columns = word & columns(shape, hand, i + 1, k - i)
    out = word & ~(row | column | between_rows | between_columns)
    return (out | between_rows >> width | between_columns >> 1
            | row << ((k - i) * width) | column << (k - i))


cdef inline uint64_t above_of(const uint64_t* hands, const Shape* shape) noexcept nogil:
    """The suit word of three hands' cards of one suit."""
    cdef int hand, i
    cdef uint64_t own, other, low, word = 0
    for hand in range(3):
        own = hands[hand]
        other = hands[after(hand)]
        i = 0
        while own:
            low = lowest(own)
            own ^= low
            word |= ones(popcount(other & cards_under(low))) << (shape.start[hand] + i * shape.n[after(hand)])
            i += 1
    return word


cdef inline void compute_above(Trick* t) noexcept nogil:
    """`above` and `n_bits` from the hands; the search itself keeps them up by squeezing."""
    cdef int suit, hand
    cdef uint64_t hands[3]
    cdef Shape shape
    for suit in range(4):
        shape = shape_of(t, suit)
        for hand in range(3):
            hands[hand] = t.hand[hand] & suit_mask(suit)
        t.above[suit] = above_of(hands, &shape)
        t.n_bits[suit] = shape.start[2] + shape.n[2] * shape.n[0]


cdef inline void take_out(const Trick* t, const uint64_t* gone, const uint64_t* out, Trick* child) noexcept nogil:
    """The hands (on relative ranks), lengths and relations of `t` without the cards `gone`, whose bits are `out`."""
    cdef int suit, hand, n
    cdef uint64_t lane, held
    child.lens = t.lens
    for hand in range(3):
        child.hand[hand] = t.hand[hand]
    for suit in range(4):
        if gone[suit] == 0:
            child.above[suit] = t.above[suit]
            child.n_bits[suit] = t.n_bits[suit]
            continue
        lane = suit_mask(suit)
        n = up_to_3(gone[suit])
        for hand in range(3):       # the cards above those stay where they are, lower ones move up
            held = t.hand[hand] & lane
            child.hand[hand] ^= held ^ squeeze(held, gone[suit]) << n
            child.lens -= <uint64_t>((held & gone[suit]) != 0) << lens_place(hand, suit)
        child.above[suit] = squeeze(t.above[suit], out[suit])
        child.n_bits[suit] = t.n_bits[suit] - popcount(out[suit])


cdef inline bint relations_are_ok(const Trick* t) noexcept nogil:
    """Debug check: what the search kept up is what the hands say."""
    cdef Trick fresh = t[0]
    cdef int suit
    compute_above(&fresh)
    for suit in range(4):
        if fresh.above[suit] != t.above[suit] or fresh.n_bits[suit] != t.n_bits[suit]:
            return False
    return True
