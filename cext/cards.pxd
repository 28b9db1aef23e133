# cython: language_level=3
"""Cards as bits: the encoding, lanes and bit tricks everything compiled builds on.

    bit = 16*suit + rank        suit S H D C = 0..3, rank 2..A = 0..12; a hand is a 64-bit mask of four 16-bit lanes

    63      48 47      32 31      16 15       0
    [  clubs  ][diamonds ][ hearts  ][ spades  ]     in each lane: bit 12 = A ... bit 0 = 2, bits 13-15 unused

Only the order of the cards still in play matters, so the searches keep hands on *relative ranks*: in each lane the
n-th highest card in play sits at bit 13-n, whatever it is called. Taking a card out of play moves the lower cards of
its suit up by one (`remove_bit`); a set of ranks found relevant below is moved back down by `insert_bit`.

A *closed* mask holds, in each lane, the top k cards in play for some k: it is how a proof says which ranks it used.
Closed masks are closed under `|`, which is their union.
"""

from libc.stdint cimport int8_t, int16_t, int32_t, int64_t, uint8_t, uint16_t, uint32_t, uint64_t

cdef extern from "bits.h" nogil:
    int popcount "mz_popcount64"(uint64_t x) noexcept
    int count_lane "mz_count_lane"(uint64_t x, int start) noexcept
    int up_to_3 "mz_up_to_3"(uint64_t x) noexcept
    int ctz "mz_ctz64"(uint64_t x) noexcept
    int msb "mz_msb64"(uint64_t x) noexcept
    int clz32 "mz_clz32"(uint32_t x) noexcept
    int cpu_is_v3 "mz_cpu_is_v3"() noexcept
    int match4 "mz_match4"(const uint64_t* mask, uint64_t a, uint64_t b) noexcept
    const char* BUILD "MZ_BUILD"
    const bint DEBUG_CHECKS "MZ_DEBUG"
    void prefetch "MZ_PREFETCH"(const void* p) noexcept


cdef enum:
    LANE = 0x1FFF           # the 13 cards of a suit, in the lowest lane

cdef extern from *:
    """
    #define MZ_ALL_CARDS ((uint64_t)0x1FFF1FFF1FFF1FFF)
    """
    const uint64_t ALL_CARDS "MZ_ALL_CARDS"


cdef inline int longer(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline int shorter(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline uint64_t bit_mask(int bit) noexcept nogil:
    return (<uint64_t>1) << bit


cdef inline int suit_of(int card) noexcept nogil:
    return card >> 4


cdef inline int rank_of(int card) noexcept nogil:
    return card & 15


cdef inline bint same_suit(int card, int other) noexcept nogil:
    return (card ^ other) >> 4 == 0


cdef inline int suit_start(int suit) noexcept nogil:
    """The lowest bit of a suit's lane."""
    return 16 * suit


cdef inline int lane_start(int card) noexcept nogil:
    """The lowest bit of the lane that the card lies in."""
    return card & 48


cdef inline uint64_t suit_mask(int suit) noexcept nogil:
    """All 13 cards of a suit."""
    return (<uint64_t>LANE) << suit_start(suit)


cdef inline uint64_t lane_mask(int card) noexcept nogil:
    """All 13 cards of the suit of `card`."""
    return (<uint64_t>LANE) << lane_start(card)


cdef inline uint32_t lane_of(uint64_t mask, int suit) noexcept nogil:
    """The cards of a suit, shifted down to bit 0."""
    return <uint32_t>(mask >> suit_start(suit)) & LANE


cdef inline uint64_t in_lane(uint32_t lane, int suit) noexcept nogil:
    """Undo `lane_of`."""
    return <uint64_t>lane << suit_start(suit)


cdef inline uint64_t lowest(uint64_t mask) noexcept nogil:
    """The lowest card of a set, 0 of none."""
    return mask & (0 - mask)


cdef inline uint64_t without_lowest(uint64_t mask) noexcept nogil:
    return mask & (mask - 1)


cdef inline uint64_t cards_under(uint64_t card) noexcept nogil:
    """All bits below a card that is given as a mask of one bit."""
    return card - 1


cdef inline uint64_t closed_mask(int bit) noexcept nogil:
    """`bit` and every higher card of its suit."""
    return ((<uint64_t>0x2000) << lane_start(bit)) - ((<uint64_t>1) << bit)


cdef inline uint64_t below_mask(int bit) noexcept nogil:
    """Every lower card of the suit."""
    return ((<uint64_t>1) << bit) - ((<uint64_t>1) << lane_start(bit))


cdef inline uint64_t above_mask(int bit) noexcept nogil:
    """Every higher card of the suit."""
    return ((<uint64_t>0x2000) << lane_start(bit)) - ((<uint64_t>2) << bit)


cdef inline uint64_t remove_bit(uint64_t mask, int bit) noexcept nogil:
    """Take `bit` out of the order: lower cards of its suit move up one place."""
    cdef uint64_t below = below_mask(bit)
    return (mask & ~(below | bit_mask(bit))) | ((mask & below) << 1)


cdef inline uint64_t insert_bit(uint64_t closed, int bit) noexcept nogil:
    """Undo `remove_bit` for a closed mask: from the lane below `bit` on it reaches one card further down."""
    return closed | ((closed & (below_mask(bit) | bit_mask(bit))) >> 1)


cdef inline int lane_length(uint64_t mask, int suit) noexcept nogil:
    return popcount(lane_of(mask, suit))


cdef inline int top_run(uint64_t mask, int suit) noexcept nogil:
    """How many of the suit's highest cards in play, without a gap, the hand holds."""
    return clz32(~(lane_of(mask, suit) << 19))


cdef inline int run_bottom(uint64_t hand, int bit) noexcept nogil:
    """Lowest card of the touching run of `hand` that `bit` belongs to."""
    cdef uint64_t gaps = ~hand & below_mask(bit)
    if gaps == 0:
        return lane_start(bit)
    return msb(gaps) + 1


cdef inline uint64_t to_relative(uint64_t mask, uint64_t in_play) noexcept nogil:
    """Absolute cards to relative ranks, where `in_play` is the union of the hands (for the root, not the search)."""
    cdef uint64_t out = 0, lane
    cdef int suit, bit, place
    for suit in range(4):
        lane = in_play & suit_mask(suit)
        place = 12
        while lane:
            bit = msb(lane)
            lane &= ~bit_mask(bit)
            if mask & bit_mask(bit):
                out |= bit_mask(suit_start(suit) + place)
            place -= 1
    return out


cdef inline int bit_to_relative(int bit, uint64_t in_play) noexcept nogil:
    return lane_start(bit) + 12 - popcount(in_play & above_mask(bit))
