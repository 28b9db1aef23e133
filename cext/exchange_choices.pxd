# cython: language_level=3
"""The choices of a suit in an exchange (exchange.pxd): all relatively different ways in which the later seats may throw
cards of it, in buckets by how many. Lists are made once, and kept as long as there is room."""

from libc.string cimport memset

from cards cimport lane_of, lowest, popcount, uint8_t, uint32_t, uint64_t
from exchange cimport LISTS, MAX_BUCKETS, SCRATCH, Choice, Exchange, SuitList, close_lane, facts_of, lane_t


cdef inline int run_order(uint32_t own, uint32_t* hands, uint32_t may_throw, uint32_t* upper,
                          uint32_t* lower) noexcept nogil:
    """Of touching cards of one hand it does not matter which are thrown, so only the lowest ones are: pairs (upper,
    lower), where upper is thrown only if lower is. Returns their number."""
    cdef uint32_t left = own | hands[0] | hands[1], bit, before = 0
    cdef int owner, owner_before = -1, n = 0
    while left:
        bit = <uint32_t>lowest(left)
        left ^= bit
        owner = 0 if own & bit else 1 if hands[0] & bit else 2
        if owner != owner_before:
            before = 0
        if bit & may_throw:
            if before:
                upper[n] = bit
                lower[n] = before
                n += 1
            before = bit
        owner_before = owner
    return n


cdef inline bint is_new(Exchange* x, Choice* c) noexcept nogil:
    """Not yet among the choices of the list being made? Remembers it."""
    cdef uint64_t key = (<uint64_t>1 << 63) | c.lane[0] | (<uint64_t>c.lane[1] << 13) | (<uint64_t>c.lane[2] << 26)
    cdef uint32_t i = <uint32_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 48) & (SCRATCH - 1)
    while x.stamp[i] == x.now:
        if x.seen[i] == key:
            return False
        i = (i + 1) & (SCRATCH - 1)
    x.stamp[i] = x.now
    x.seen[i] = key
    return True


cdef inline void make_list(Exchange* x, SuitList* made, uint32_t own, uint32_t* may_throw,
                           uint32_t* draws) noexcept nogil:
    """All relatively different choices of a suit, in buckets by cards thrown."""
    cdef uint32_t hands[2]
    cdef uint32_t upper[13]
    cdef uint32_t lower[13]
    cdef uint32_t both = may_throw[0] | may_throw[1], out = 0
    cdef int i, n = 0, n_buckets, bucket, n_pairs, width = popcount(may_throw[1]) + 1
    cdef lane_t at[MAX_BUCKETS + 1]
    cdef Choice* c
    hands[0] = draws[0]
    hands[1] = draws[1]
    made.length[0] = <uint8_t>popcount(may_throw[0])
    made.length[1] = <uint8_t>popcount(may_throw[1])
    n_buckets = (made.length[0] + 1) * width
    memset(at, 0, sizeof(at))
    x.now += 1
    n_pairs = run_order(own, hands, both, upper, lower)
    while True:
        for i in range(n_pairs):
            if out & upper[i] and not out & lower[i]:
                break
        else:
            c = x.scratch + n
            close_lane(own, hands[0] & ~out, hands[1] & ~out, c.lane)
            if is_new(x, c):
                c.thrown[0] = <lane_t>(out & may_throw[0])
                c.thrown[1] = <lane_t>(out & may_throw[1])
                c.facts = facts_of(x, c.lane)
                at[popcount(c.thrown[0]) * width + popcount(c.thrown[1]) + 1] += 1
                n += 1
        out = (out - both) & both
        if out == 0:
            break
    made.first = x.n_arena
    for i in range(n_buckets):
        at[i + 1] += at[i]
    for i in range(n_buckets + 1):
        made.start[i] = at[i]
    for i in range(n):
        c = x.scratch + i
        bucket = popcount(c.thrown[0]) * width + popcount(c.thrown[1])
        x.arena[made.first + at[bucket]] = c[0]
        at[bucket] += 1
    x.n_arena += n


cdef inline SuitList* suit_list(Exchange* x, int suit, int a, int b) noexcept nogil:
    """The choices of a suit where hands 1 and 2 draw the next a - n_own and b - a talon cards; made once."""
    cdef int i = x.suit_drawn[suit][x.n_own], j = x.suit_drawn[suit][a], l = x.suit_drawn[suit][b]
    cdef uint32_t own = lane_of(x.own, suit)
    cdef uint64_t key = (<uint64_t>1 << 63) | own | (<uint64_t>suit << 13) | (i << 15) | (j << 19) | (l << 23)
    cdef uint32_t slot = <uint32_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 40) & (LISTS - 1)
    cdef uint32_t hands[2]
    cdef uint32_t may_throw[2]
    while x.lists[slot].key != key:
        if x.lists[slot].key == 0:
            may_throw[0] = lane_of(x.hand[1], suit) if x.n_later > 0 else 0
            may_throw[1] = lane_of(x.hand[2], suit) if x.n_later > 1 else 0
            hands[0] = lane_of(x.hand[1], suit) | (x.suit_talon[suit][j] & ~x.suit_talon[suit][i])
            hands[1] = lane_of(x.hand[2], suit) | (x.suit_talon[suit][l] & ~x.suit_talon[suit][j])
            make_list(x, x.lists + slot, own, may_throw, hands)
            x.lists[slot].key = key
            x.n_lists += 1
            break
        slot = (slot + 1) & (LISTS - 1)
    return x.lists + slot


cdef inline void forget_lists(Exchange* x) noexcept nogil:
    memset(x.lists, 0, LISTS * sizeof(SuitList))
    x.n_lists = 0
    x.n_arena = 0
