# cython: language_level=3
"""What each suit string can contribute to a trick, worked out once per deal so that the search only combines numbers.

*Classes*: for a string and a seat, the seat's runs of touching cards. Playing any card of a run leaves the same string.
*Plays*: for a string and the seat that leads it, every way those who hold the suit can follow, the leader's class
first, then the second player's, then the third's; who has no card of it is left out (it discards another suit). In
both, the string left is given as `change`: string XOR string left, so that changes of different suits combine by XOR.

A play is also told in 32 bits, the way leaves of a trick keep it (trick_tree.pxd):

    31      24 23      16 15       8 7        0
    [ first  ][ second  ][  third  ][ winner  ]     class sizes; first and second only where the group of ways
                                                    that share that card ends, else 0
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from cards cimport clz32, ctz
from suit_strings cimport SuitStrings, LANE_CARDS

cdef struct CardClass:
    uint16_t change
    uint8_t rank                # highest card
    uint8_t size

cdef struct Play:
    uint32_t told
    uint16_t change
    uint16_t unused

cdef struct SuitPlays:
    uint32_t* class_start       # [3*string + seat], one more at the end
    uint32_t* play_start        # [3*string + seat that leads], one more at the end
    CardClass* classes
    Play* plays
    size_t bytes


cdef inline void plays_free(SuitPlays* p) noexcept nogil:
    free(p.class_start)
    free(p.play_start)
    free(p.classes)
    free(p.plays)
    memset(p, 0, sizeof(SuitPlays))


cdef inline uint32_t told_as(int winner, int third, int second, int first) noexcept nogil:
    return <uint32_t>winner | (<uint32_t>third << 8) | (<uint32_t>second << 16) | (<uint32_t>first << 24)


cdef inline uint32_t class_tops(uint32_t hand, bint merge) noexcept nogil:
    """The highest card of each run of touching cards."""
    return hand & ~(hand >> 1) if merge else hand


cdef inline uint32_t count_classes(const SuitStrings* t, int string, int seat, bint merge) noexcept nogil:
    cdef uint32_t tops = class_tops((t.lanes[string] >> (16 * seat)) & 0xFFFF, merge), n = 0
    while tops:
        tops &= tops - 1
        n += 1
    return n


cdef inline void fill_classes(const SuitStrings* t, int string, int seat, bint merge, CardClass* out) noexcept nogil:
    cdef uint32_t hand = (t.lanes[string] >> (16 * seat)) & 0xFFFF, tops = class_tops(hand, merge)
    cdef int top
    while tops:
        top = ctz(tops)
        tops &= tops - 1
        out.change = <uint16_t>string ^ t.removed[LANE_CARDS * string + top]
        out.rank = <uint8_t>top
        out.size = <uint8_t>clz32(~(hand << (31 - top))) if merge else 1
        out += 1


cdef inline void fill_plays(const SuitStrings* t, const SuitPlays* p, int string, int leader, Play* out) noexcept nogil:
    """Ways to play a string led by `leader`, who holds some of it."""
    cdef int middle = (leader + 1) % 3, last = (leader + 2) % 3
    cdef const CardClass* a = p.classes + p.class_start[3 * string + leader]
    cdef const CardClass* b
    cdef const CardClass* c
    cdef const CardClass* a_end = p.classes + p.class_start[3 * string + leader + 1]
    cdef const CardClass* b_start = p.classes + p.class_start[3 * string + middle]
    cdef const CardClass* b_end = p.classes + p.class_start[3 * string + middle + 1]
    cdef const CardClass* c_start = p.classes + p.class_start[3 * string + last]
    cdef const CardClass* c_end = p.classes + p.class_start[3 * string + last + 1]
    cdef int without_a, without_b, left, best, winner, ahead
    while a < a_end:
        without_a = t.removed[LANE_CARDS * string + a.rank]
        b = b_start
        while True:
            without_b, best, ahead = without_a, a.rank, leader
            if b_start < b_end:
                without_b = t.removed[LANE_CARDS * without_a + b.rank + (a.rank > b.rank)]
                if b.rank > best:
                    best, ahead = b.rank, middle
            c = c_start
            while True:
                left, winner = without_b, ahead
                if c_start < c_end:
                    left = c.rank + (a.rank > c.rank) + (b_start < b_end and b.rank > c.rank)
                    left = t.removed[LANE_CARDS * without_b + left]
                    if c.rank > best:
                        winner = last
                out.change = <uint16_t>(string ^ left)
                out.told = told_as(winner, c.size if c_start < c_end else 0, 0, 0)
                out += 1
                c += 1
                if c >= c_end:
                    break
            (out - 1).told |= told_as(0, 0, b.size if b_start < b_end else 0, 0)
            b += 1
            if b >= b_end:
                break
        (out - 1).told |= told_as(0, 0, 0, a.size)
        a += 1


cdef inline int plays_build(SuitPlays* p, const SuitStrings* t, bint merge) noexcept nogil:
    """Classes and plays of all strings. 0, or -1 when out of memory."""
    cdef int string, seat, n_keys = 3 * t.n_strings
    cdef uint32_t total = 0
    cdef uint32_t n[3]
    plays_free(p)
    p.class_start = <uint32_t*>calloc(n_keys + 1, sizeof(uint32_t))
    p.play_start = <uint32_t*>calloc(n_keys + 1, sizeof(uint32_t))
    if p.class_start == NULL or p.play_start == NULL:
        return -1
    for string in range(t.n_strings):
        for seat in range(3):
            n[seat] = count_classes(t, string, seat, merge)
            p.class_start[3 * string + seat + 1] = p.class_start[3 * string + seat] + n[seat]
        for seat in range(3):
            p.play_start[3 * string + seat] = total
            total += n[seat] * (n[(seat + 1) % 3] or 1) * (n[(seat + 2) % 3] or 1)
    p.play_start[n_keys] = total
    p.classes = <CardClass*>calloc(p.class_start[n_keys] + 1, sizeof(CardClass))
    p.plays = <Play*>calloc(total + 1, sizeof(Play))
    if p.classes == NULL or p.plays == NULL:
        return -1
    for string in range(t.n_strings):
        for seat in range(3):
            fill_classes(t, string, seat, merge, p.classes + p.class_start[3 * string + seat])
        for seat in range(3):
            fill_plays(t, p, string, seat, p.plays + p.play_start[3 * string + seat])
    p.bytes = (2 * (n_keys + 1) * sizeof(uint32_t) + p.class_start[n_keys] * sizeof(CardClass) + total * sizeof(Play))
    return 0
