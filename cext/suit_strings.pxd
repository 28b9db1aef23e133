# cython: language_level=3
"""Every owner string a suit of one deal can still show, as small numbers: the alphabet of the exhaustive search.

What matters of a suit is who owns its highest card in play, its second highest, and so on: a *string* over the seats
0 1 2. Playing a card deletes one letter, so a deal's suit only ever shows subsequences of the string it starts with: a
few hundred for a suit of ten cards, at most 4,096 + 3*8,192 for four suits of a 17-card deal. Numbered, a string takes
15 bits and a whole deal state four of them: an exact 62-bit key (trick_tree.pxd), with no bit-extract in the search.

Strings are shared by all suits. Sorting the plain suits' numbers would merge states that differ only by the names of
suits: measured, 6 to 8 % of the states of a full deal, which the sorting costs again.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset

cdef enum:
    LANE_CARDS = 13
    STRING_EMPTY = 0            # number of the empty string
    MAX_STRINGS = 32768         # 15 bits

cdef struct SuitStrings:
    int n_strings
    int capacity
    uint32_t hash_mask
    uint32_t* code              # [string] a 1, then two bits a card from high to low: 1 00 01 = seat 0 above seat 1
    uint64_t* lanes             # [string] seat s holds relative ranks (lanes >> 16*s) & 0xFFFF, top card at bit 12
    uint16_t* removed           # [13*string + relative rank] the string without that card
    uint8_t* length             # [string]
    uint16_t* slots             # open-addressing hash, string + 1 or 0


cdef inline size_t strings_bytes(int capacity) noexcept nogil:
    cdef size_t n_slots = 4
    while n_slots < <size_t>(2 * capacity):
        n_slots *= 2
    n_slots *= sizeof(uint16_t)
    return capacity * (sizeof(uint32_t) + sizeof(uint64_t) + LANE_CARDS * sizeof(uint16_t) + 1) + n_slots


cdef inline void strings_free(SuitStrings* t) noexcept nogil:
    free(t.code)
    free(t.lanes)
    free(t.removed)
    free(t.length)
    free(t.slots)
    memset(t, 0, sizeof(SuitStrings))


cdef inline int strings_alloc(SuitStrings* t, int capacity) noexcept nogil:
    """0, or -1 when the system has no memory left (what was taken is freed)."""
    cdef size_t n_slots = 4
    strings_free(t)
    while n_slots < <size_t>(2 * capacity):
        n_slots *= 2
    t.code = <uint32_t*>calloc(capacity, sizeof(uint32_t))
    t.lanes = <uint64_t*>calloc(capacity, sizeof(uint64_t))
    t.removed = <uint16_t*>calloc(capacity * LANE_CARDS, sizeof(uint16_t))
    t.length = <uint8_t*>calloc(capacity, 1)
    t.slots = <uint16_t*>calloc(n_slots, sizeof(uint16_t))
    if not (t.code and t.lanes and t.removed and t.length and t.slots):
        strings_free(t)
        return -1
    t.capacity = capacity
    t.hash_mask = <uint32_t>(n_slots - 1)
    return 0


cdef inline int code_length(uint32_t code) noexcept nogil:
    cdef int length = 0
    while code > 1:
        code >>= 2
        length += 1
    return length


cdef inline int strings_find(const SuitStrings* t, uint32_t code) noexcept nogil:
    """Number of the string, or -1."""
    cdef uint32_t slot = (code * <uint32_t>2654435769) >> 7
    while True:
        slot &= t.hash_mask
        if t.slots[slot] == 0:
            return -1
        if t.code[t.slots[slot] - 1] == code:
            return t.slots[slot] - 1
        slot += 1


cdef inline int strings_add(SuitStrings* t, uint32_t code) noexcept nogil:
    """Number of the string, new or old, or -1 when the arrays are full. Its `removed` is filled by strings_close."""
    cdef int string = strings_find(t, code), place, seat
    cdef uint32_t slot = (code * <uint32_t>2654435769) >> 7
    if string >= 0:
        return string
    if t.n_strings == t.capacity:
        return -1
    while t.slots[slot & t.hash_mask]:
        slot += 1
    string = t.n_strings
    t.n_strings += 1
    t.slots[slot & t.hash_mask] = <uint16_t>(string + 1)
    t.code[string] = code
    t.length[string] = <uint8_t>code_length(code)
    for place in range(t.length[string]):
        seat = (code >> (2 * (t.length[string] - 1 - place))) & 3
        t.lanes[string] |= (<uint64_t>1) << (16 * seat + 12 - place)
    return string


cdef inline int strings_close(SuitStrings* t, int first) noexcept nogil:
    """Add everything that can be left of the strings from number `first` on; fills `removed`. 0, or -1 when full."""
    cdef int string = first, place, shift, after
    cdef uint32_t code
    while string < t.n_strings:         # grows as the loop adds
        code = t.code[string]
        for place in range(t.length[string]):
            shift = 2 * (t.length[string] - 1 - place)
            after = strings_add(t, ((code >> (shift + 2)) << shift) | (code & ((<uint32_t>1 << shift) - 1)))
            if after < 0:
                return -1
            t.removed[LANE_CARDS * string + 12 - place] = <uint16_t>after
        string += 1
    return 0


cdef inline uint32_t lane_code(const uint64_t* hands, int suit) noexcept nogil:
    """String code of a suit of three disjoint hands (any ranks, relative or not)."""
    cdef uint32_t code = 1
    cdef int rank, seat
    for rank in range(12, -1, -1):
        for seat in range(3):
            if (hands[seat] >> (16 * suit + rank)) & 1:
                code = (code << 2) | seat
    return code


cdef inline int strings_build(SuitStrings* t, const uint64_t* hands) noexcept nogil:
    """Number every string that play from these hands can reach. 0, or -1 when out of memory."""
    cdef int suit, capacity = 1
    for suit in range(4):
        capacity += 1 << code_length(lane_code(hands, suit))
    if capacity > MAX_STRINGS or strings_alloc(t, capacity) < 0:
        return -1
    strings_add(t, 1)
    for suit in range(4):
        strings_add(t, lane_code(hands, suit))
    return strings_close(t, 0)
