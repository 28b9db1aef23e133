# cython: language_level=3
"""Numbers at random for the playing core: xoshiro256**, seeded by splitmix64, whole numbers only.

The generators are those of Blackman and Vigna; written from their description. The same seed gives the same numbers on
every platform. `below` throws away the few draws that would make some answers likelier than others.
"""

from cards cimport ctz, uint32_t, uint64_t

cdef struct Random:
    uint64_t state[4]


cdef inline uint64_t splitmix(uint64_t* counter) noexcept nogil:
    cdef uint64_t z
    counter[0] = counter[0] + <uint64_t>0x9E3779B97F4A7C15
    z = counter[0]
    z = (z ^ (z >> 30)) * <uint64_t>0xBF58476D1CE4E5B9
    z = (z ^ (z >> 27)) * <uint64_t>0x94D049BB133111EB
    return z ^ (z >> 31)


cdef inline void random_seed(Random* random, uint64_t seed) noexcept nogil:
    cdef int i
    for i in range(4):
        random.state[i] = splitmix(&seed)


cdef inline uint64_t turned(uint64_t x, int n) noexcept nogil:
    return (x << n) | (x >> (64 - n))


cdef inline uint64_t next_word(Random* random) noexcept nogil:
    cdef uint64_t* s = random.state
    cdef uint64_t result = turned(s[1] * 5, 7) * 9, t = s[1] << 17
    s[2] ^= s[0]
    s[3] ^= s[1]
    s[1] ^= s[2]
    s[0] ^= s[3]
    s[2] ^= t
    s[3] = turned(s[3], 45)
    return result


cdef inline uint32_t below(Random* random, uint32_t n) noexcept nogil:
    """0 to n - 1, all equally likely; n > 0."""
    cdef uint64_t product = (next_word(random) >> 32) * n
    cdef uint32_t least
    if <uint32_t>product < n:
        least = (<uint32_t>0 - n) % n
        while <uint32_t>product < least:
            product = (next_word(random) >> 32) * n
    return <uint32_t>(product >> 32)


cdef inline uint64_t below_word(Random* random, uint64_t n) noexcept nogil:
    """0 to n - 1 for large n: draws of as many bits as n - 1 has until one fits."""
    cdef uint64_t mask = n - 1, word
    mask |= mask >> 1
    mask |= mask >> 2
    mask |= mask >> 4
    mask |= mask >> 8
    mask |= mask >> 16
    mask |= mask >> 32
    while True:
        word = next_word(random) & mask
        if word < n:
            return word


cdef inline uint64_t any_of(Random* random, uint64_t cards, int n) noexcept nogil:
    """A mask of n of the cards, every choice equally likely; n is at most their number."""
    cdef int bits[64]
    cdef int n_cards = 0, i, j
    cdef uint64_t chosen = 0, rest = cards
    while rest:
        bits[n_cards] = ctz(rest)
        rest &= rest - 1
        n_cards += 1
    for i in range(n):
        j = i + <int>below(random, n_cards - i)
        chosen |= <uint64_t>1 << bits[j]
        bits[j] = bits[i]
    return chosen

