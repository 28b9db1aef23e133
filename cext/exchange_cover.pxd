# cython: language_level=3
"""Every reply to a discard (exchange.pxd), by as few searches as possible: an answer is true of all replies that agree
with it in the facts it rests on, and those are skipped."""

from libc.string cimport memset

from cards cimport bit_mask, in_lane, longer, popcount, shorter, uint64_t
from exchange cimport (ARENA, LISTS, MAX_CHOICES, PATTERNS_A_SPLIT, Choice, Exchange, SuitList, ask_position, put_lane)
from exchange_choices cimport forget_lists, suit_list

cdef struct Cover:              # of one split; its four suits from the shortest list to the longest
    int suit[4]
    int n[4]                    # choices of each
    Choice* choices[4]
    int at[4]                   # the reply looked at: the number of its choice in each
    uint64_t agree[5]           # patterns that agree with the first k of them
    uint64_t ends[4]            # patterns that ask nothing of the suits from number k on
    int n_patterns


cdef inline void start_cover(Exchange* x, Cover* c) noexcept nogil:
    cdef SuitList* l
    cdef int suit, k, n
    for suit in range(4):
        l = x.suits[suit]
        n = l.start[x.bucket[suit] + 1] - l.start[x.bucket[suit]]
        k = suit
        while k and c.n[k - 1] > n:
            c.n[k] = c.n[k - 1]
            c.choices[k] = c.choices[k - 1]
            c.suit[k] = c.suit[k - 1]
            k -= 1
        c.n[k] = n
        c.suit[k] = suit
        c.choices[k] = x.arena + l.first + l.start[x.bucket[suit]]
    for k in range(4):
        memset(x.match[k], 0, c.n[k] * sizeof(uint64_t))
        c.ends[k] = 0
    c.agree[0] = ~<uint64_t>0
    c.n_patterns = 0


cdef inline void add_pattern(Exchange* x, Cover* c, const uint64_t* used) noexcept nogil:
    """Mark every choice of the split whose facts are those of the reply wherever its answer rests on them."""
    cdef uint64_t bit = bit_mask(c.n_patterns % PATTERNS_A_SPLIT), mask, facts     # the oldest gives way
    cdef int k, j
    c.n_patterns += 1
    for k in range(4):
        mask = used[c.suit[k]]
        facts = c.choices[k][c.at[k]].facts
        for j in range(c.n[k]):
            if (c.choices[k][j].facts ^ facts) & mask:
                x.match[k][j] &= ~bit
            else:
                x.match[k][j] |= bit
    for k in range(1, 4):
        c.ends[k] &= ~bit
        c.agree[k] |= bit
    for k in range(3, 0, -1):
        if used[c.suit[k]]:
            break
        c.ends[k] |= bit


cdef inline void set_refuter(Exchange* x, const Cover* c) noexcept nogil:
    cdef int i, k
    for i in range(2):
        x.refuter.thrown[i] = 0
        for k in range(4):
            x.refuter.thrown[i] |= in_lane(c.choices[k][c.at[k]].thrown[i], c.suit[k])


cdef inline int cover(Exchange* x) noexcept nogil:
    """Every reply of a split.

    A reply is four choices, one a suit. It is skipped if one of the split's patterns agrees with all four (their words
    have a common bit); where a pattern asks nothing of the suits still to be chosen, they are skipped together."""
    cdef Cover c
    cdef uint64_t used[4]
    cdef int i, k = 0
    start_cover(x, &c)
    c.at[0] = -1
    while k >= 0:
        c.at[k] += 1
        if c.at[k] == c.n[k]:
            k -= 1
            continue
        c.agree[k + 1] = c.agree[k] & x.match[k][c.at[k]]
        if k < 3:
            if not c.agree[k + 1] & c.ends[k + 1]:
                k += 1
                c.at[k] = -1
            continue
        if c.agree[4]:
            continue
        for i in range(4):
            put_lane(x, c.choices[i][c.at[i]].lane, c.suit[i])
        if not ask_position(x, used):
            if not x.s.stop:
                set_refuter(x, &c)
            return 0
        add_pattern(x, &c, used)
        while k and c.agree[k] & c.ends[k]:       # nothing left to do below this prefix
            k -= 1
    return 1


cdef inline int splits(Exchange* x, int suit, int a, int b) noexcept nogil:
    """Every way to throw a and b cards from this suit on."""
    cdef SuitList* l = x.suits[suit]
    cdef int m, r
    if suit == 3:
        if x.n_done >= x.n_before:
            x.bucket[3] = a * (l.length[1] + 1) + b
            if not cover(x):
                return 0
        x.n_done += 1
        return 1
    for m in range(longer(0, a - x.longest[0][suit + 1]), shorter(a, l.length[0]) + 1):
        for r in range(longer(0, b - x.longest[1][suit + 1]), shorter(b, l.length[1]) + 1):
            x.bucket[suit] = m * (l.length[1] + 1) + r
            if not splits(x, suit + 1, a - m, b - r):
                return 0
    return 1


cdef inline int all_replies(Exchange* x) noexcept nogil:
    """The discard against every reply.

    By cards drawn in all: the most, the fewest, the second most, the second fewest ... What refutes where little else
    does is mostly at one of the ends."""
    cdef int rest = x.n_talon - x.n_own, size = popcount(x.own)
    cdef int a, b, i, k, suit, most_a, most_b, total
    most_a = shorter(rest, size) if x.n_later > 0 else 0
    most_b = shorter(rest, size) if x.n_later > 1 else 0
    for i in range(rest + 1):
        total = rest - (i >> 1) if i & 1 == 0 else i >> 1
        for a in range(shorter(total, most_a), longer(0, total - most_b) - 1, -1):
            b = total - a
            if x.n_arena + 4 * MAX_CHOICES > ARENA or 2 * x.n_lists > LISTS - 8:
                forget_lists(x)
            for suit in range(4):
                x.suits[suit] = suit_list(x, suit, x.n_own + a, x.n_own + a + b)
            for k in range(2):
                x.longest[k][4] = 0
                for suit in range(3, -1, -1):
                    x.longest[k][suit] = x.longest[k][suit + 1] + x.suits[suit].length[k]
            if not splits(x, 0, a, b):
                return 0
    return 1
