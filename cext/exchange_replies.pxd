# cython: language_level=3
"""Is a discard good against every reply of the later seats (exchange.pxd)? Likely refutations first, then all."""

from cards cimport bit_mask, ctz, lane_of, msb, popcount, shorter, suit_start, uint32_t, uint64_t
from exchange cimport FEW_LEFT, MAX_KNOWN, Exchange, Reply, ask_reply
from exchange_cover cimport all_replies
from position cimport KIND_MIZERKA


cdef inline bint possible(Exchange* x, Reply* reply) noexcept nogil:
    return x.n_own + popcount(reply.thrown[0]) + popcount(reply.thrown[1]) <= x.n_talon


cdef inline void put_first(Exchange* x, int i) noexcept nogil:
    """The refuter becomes the first of the known replies, in the place of number i."""
    while i:
        x.known[i] = x.known[i - 1]
        i -= 1
    x.known[0] = x.refuter


cdef inline int known_replies(Exchange* x) noexcept nogil:
    """The replies that refuted other discards."""
    cdef int i
    for i in range(x.n_known):
        if possible(x, &x.known[i]) and not ask_reply(x, x.known[i].thrown[0], x.known[i].thrown[1]):
            if not x.s.stop:
                x.refuter = x.known[i]
                put_first(x, i)
            return 0
    return 1


cdef inline int try_reply(Exchange* x, uint64_t first, uint64_t second) noexcept nogil:
    """An impossible reply refutes nothing."""
    cdef Reply reply
    reply.thrown[0] = first
    reply.thrown[1] = second
    if not possible(x, &reply) or ask_reply(x, first, second):
        return 1
    x.refuter = reply
    return 0


cdef inline int draw_below(Exchange* x, int n) noexcept nogil:
    """A random number from 0 to n - 1 (xorshift64*): the same ones for the same question."""
    x.draw ^= x.draw >> 12
    x.draw ^= x.draw << 25
    x.draw ^= x.draw >> 27
    return <int>(((x.draw * <uint64_t>0x2545F4914F6CDD1D) >> 33) % <uint64_t>n)


cdef inline uint64_t draw_throw(Exchange* x, uint64_t hand, int n) noexcept nogil:
    """n cards of a hand: any numbers per suit, of each suit the lowest, in mizerka the highest."""
    cdef int number[4]
    cdef int suit, left
    cdef uint32_t lane
    cdef uint64_t out = 0
    while True:
        left = n
        for suit in range(4):
            number[suit] = draw_below(x, popcount(lane_of(hand, suit)) + 1)
            left -= number[suit]
        if left == 0:
            break
    for suit in range(4):
        lane = lane_of(hand, suit)
        while number[suit]:
            left = msb(lane) if x.s.kind == KIND_MIZERKA else ctz(lane)
            out |= bit_mask(suit_start(suit) + left)
            lane ^= <uint32_t>1 << left
            number[suit] -= 1
    return out


cdef inline int random_replies(Exchange* x) noexcept nogil:
    """Replies of all sizes and shapes: where some refute, they are often one in a hundred, but a
    fixed order comes to them late."""
    cdef int rest = x.n_talon - x.n_own, i, a, b
    for i in range(x.n_tries):
        while True:
            a = draw_below(x, shorter(rest, popcount(x.hand[1])) + 1)
            b = draw_below(x, shorter(rest, popcount(x.hand[2])) + 1) if x.n_later > 1 else 0
            if a + b <= rest:
                break
        if not try_reply(x, draw_throw(x, x.hand[1], a), draw_throw(x, x.hand[2], b)) or x.s.stop:
            return 0
    return 1


cdef inline int ask_discard(Exchange* x, Reply* hint) noexcept nogil:
    """Likely refutations first: the hint, what refuted other discards, some at random. Standing pat is
    one of the known replies: where it refutes, others often do for a fraction of the nodes."""
    if hint.thrown[0] | hint.thrown[1] and possible(x, hint):
        if not ask_reply(x, hint.thrown[0], hint.thrown[1]):
            x.refuter = hint[0]
            return 0
    x.refuter.thrown[0] = x.refuter.thrown[1] = 0
    if x.n_later == 0:
        return ask_reply(x, 0, 0)
    if x.n_known == 0:
        x.n_known = 1
        x.known[0] = x.refuter
    if not known_replies(x):
        return 0
    if (x.n_talon - x.n_own > FEW_LEFT and not random_replies(x)) or not all_replies(x):
        if not x.s.stop:
            x.n_known = shorter(x.n_known + 1, MAX_KNOWN)       # the last gives way
            put_first(x, x.n_known - 1)
        return 0
    return 1
