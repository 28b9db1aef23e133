# cython: language_level=3
"""Sets of trick vectors as bits of a triangle, and the three things the search does to them.

n tricks are left; a vector (a, b, c) says how many each seat takes, a + b + c = n. Its bit, with k = b + c:

    bit = k*(k+1)/2 + c           row k = 0:            0
                                  row k = 1:          1   2
                                  row k = 2:        3   4   5          (n+1)(n+2)/2 bits in all

The row does not name a, so a vector keeps its bit when seat 0 wins a trick (n grows, k stays). When seat 1 wins, row k
becomes row k + 1, and when seat 2 wins it also moves one bit on. Words: 1 up to 9 tricks (55 bits), 2 up to 14 (120), 3
up to 17 (171).

`value` of a seat is what it wants much of: its tricks, or in mizerka the tricks it does not take. `at_least` holds
the vectors that give a seat at least so much.
"""

from libc.stdint cimport uint64_t
from libc.string cimport memset

cdef enum:
    MAX_TRICKS = 17
    SET_WORDS = 3

cdef struct PayoffTables:
    uint64_t at_least[18][3][19][3]     # [tricks left][seat][value][word]
    uint64_t step[4]                    # see shift_row_word


cdef inline int set_words(int n) noexcept nogil:
    return 1 if n <= 9 else (2 if n <= 14 else 3)


cdef inline int row_start(int k) noexcept nogil:
    return k * (k + 1) // 2


cdef inline void payoff_tables_init(PayoffTables* t, bint mizerka) noexcept nogil:
    cdef int n, a, b, c, seat, value, least, bit, k, j
    cdef int tricks[3]
    memset(t, 0, sizeof(PayoffTables))
    for n in range(MAX_TRICKS + 1):
        for a in range(n + 1):
            for b in range(n + 1 - a):
                c = n - a - b
                tricks[0] = a
                tricks[1] = b
                tricks[2] = c
                bit = row_start(b + c) + c
                for seat in range(3):
                    value = n - tricks[seat] if mizerka else tricks[seat]
                    for least in range(value + 1):
                        t.at_least[n][seat][least][bit >> 6] |= (<uint64_t>1) << (bit & 63)
    for j in range(4):                  # row k has k + 1 places to go; the steps of 8, 4, 2, 1 are made in this order
        for k in range(9):
            if ((k + 1) >> j) & 1:
                bit = row_start(k) + ((k + 1) >> (j + 1) << (j + 1))
                t.step[j] |= (((<uint64_t>1) << (k + 1)) - 1) << bit


cdef inline uint64_t shift_rows_word(const PayoffTables* t, uint64_t s) noexcept nogil:
    """Row k to row k + 1, for sets of at most 8 tricks. Rows never meet on the way: later ones move as far."""
    cdef uint64_t moved = s & t.step[3]
    s = (s ^ moved) | (moved << 8)
    moved = s & t.step[2]
    s = (s ^ moved) | (moved << 4)
    moved = s & t.step[1]
    s = (s ^ moved) | (moved << 2)
    moved = s & t.step[0]
    return (s ^ moved) | (moved << 1)


cdef inline void or_won(const PayoffTables* t, uint64_t* out, const uint64_t* s, int n, int winner) noexcept nogil:
    """out |= the set s of n - 1 tricks after one more trick won by `winner`; out has n tricks."""
    cdef int k, word, bit, offset
    cdef uint64_t row, moved
    if winner == 0:
        for word in range(set_words(n - 1)):
            out[word] |= s[word]
    elif n <= 9:
        out[0] |= shift_rows_word(t, s[0]) << (winner - 1)
    else:
        for k in range(n):
            bit = row_start(k)
            row = s[bit >> 6] >> (bit & 63)
            if (bit & 63) + k >= 64:
                row |= s[(bit >> 6) + 1] << (64 - (bit & 63))
            row &= ((<uint64_t>1) << (k + 1)) - 1
            bit = row_start(k + 1) + winner - 1
            out[bit >> 6] |= row << (bit & 63)
            if (bit & 63) + k >= 64:
                out[(bit >> 6) + 1] |= row >> (64 - (bit & 63))


cdef inline int least_value(const PayoffTables* t, const uint64_t* s, int n, int words, int seat,
                            int known) noexcept nogil:
    """The least any vector of the (non-empty) set gives `seat`, which is at least `known`."""
    cdef int value = known, word
    cdef uint64_t outside
    while value < n:
        outside = 0
        for word in range(words):
            outside |= s[word] & ~t.at_least[n][seat][value + 1][word]
        if outside:
            break
        value += 1
    return value


cdef inline int payoff_bit(int b, int c) noexcept nogil:
    return row_start(b + c) + c
