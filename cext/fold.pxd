# cython: language_level=3
"""How a player's cards combine into the value of its node: the three notions side by side, and nothing else.

With mover m and children c (a child is a card class, played with its size):
- payoffs     the union of the children's sets, cut to the vectors that give m at least max over c of (least value of m
              in S_c). theory.md's rule compares with the *other* children only; a child that reaches the maximum alone
              passes either way, since its own least value is the maximum.
- expected    the mean, by physical cards, over the children whose expected value for m is the highest, within TIE.
- guaranteed  to m the best child, to each other seat the worst.

A *triple* packs one small number a seat, seat s at bits 6s..6s+5, the sixth bit of each field free: it takes the carry when
two triples are compared in one subtraction.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from payoff_sets cimport PayoffTables, or_won, least_value, set_words
from layers cimport EXPECTED_BITS, TRIPLE_BITS, TRIPLE_MASK

cdef enum:
    TRIPLE_CARRY = 0x20820              # bit 5 of each field

# Two expected values closer than this are a tie: 2^-31 tricks, or 5e-10. Rounding is below 51 * 2^-42 = 1.2e-11; two
# values really different are further apart unless their denominators multiply to more than 2^31.
cdef enum:
    TIE = 1 << 10

cdef struct NodeValue:
    uint64_t payoffs[3]
    int64_t expected[2]                 # seats 0 and 1, fixed point; seat 2 takes the rest
    uint32_t guaranteed                 # triple of values

cdef struct Fold:
    uint64_t payoffs[3]
    int64_t best                        # highest expected value of the mover so far
    int64_t total[2]                    # sums over the tied best children, by physical card
    int64_t only[2]                     # the first of them
    int cards
    bint several
    int least
    uint32_t guaranteed

cdef struct FoldRules:                  # what is the same for all nodes of one solve
    bint want_payoffs
    bint want_expected
    bint mizerka
    uint32_t won[3]                     # triple to add for a trick won by a seat
    PayoffTables tables


cdef inline uint32_t triple_get(uint32_t triple, int seat) noexcept nogil:
    return (triple >> (6 * seat)) & 63


cdef inline uint32_t triple_fold(uint32_t a, uint32_t b, int mover) noexcept nogil:
    """The greater of a and b in the mover's field, the smaller in the others."""
    cdef uint32_t a_wins = ((((a | TRIPLE_CARRY) - b) & TRIPLE_CARRY) >> 5) * 63
    cdef uint32_t take_a = ~(a_wins ^ (<uint32_t>63 << (6 * mover)))
    return (a & take_a) | (b & ~take_a)


cdef inline void fold_start(Fold* f, int mover) noexcept nogil:
    f.payoffs[0] = f.payoffs[1] = f.payoffs[2] = 0
    f.best = -(<int64_t>1 << 62)
    f.total[0] = f.total[1] = 0
    f.only[0] = f.only[1] = 0
    f.cards = 0
    f.several = False
    f.least = 0
    f.guaranteed = (31 | (31 << 6) | (31 << 12)) & ~(<uint32_t>31 << (6 * mover))


cdef inline void fold_expected(Fold* f, const FoldRules* r, int n, int mover, int64_t e0, int64_t e1,
                               int cards) noexcept nogil:
    cdef int64_t own
    if mover == 0:
        own = e0
    elif mover == 1:
        own = e1
    else:
        own = (<int64_t>n << EXPECTED_BITS) - e0 - e1
    if r.mizerka:
        own = -own
    if own > f.best + TIE:
        f.best = own
        f.only[0] = e0
        f.only[1] = e1
        f.total[0] = cards * e0
        f.total[1] = cards * e1
        f.cards = cards
        f.several = False
    elif own >= f.best - TIE:
        if e0 != f.only[0] or e1 != f.only[1]:
            f.several = True
        f.total[0] += cards * e0
        f.total[1] += cards * e1
        f.cards += cards


cdef inline void fold_child(Fold* f, const FoldRules* r, int n, int mover, const NodeValue* child,
                            int cards) noexcept nogil:
    """Add a child inside the trick."""
    cdef int word, least
    f.guaranteed = triple_fold(f.guaranteed, child.guaranteed, mover)
    if r.want_payoffs:
        for word in range(set_words(n)):
            f.payoffs[word] |= child.payoffs[word]
        least = least_value(&r.tables, child.payoffs, n, mover, <int>triple_get(child.guaranteed, mover))
        if least > f.least:
            f.least = least
    if r.want_expected:
        fold_expected(f, r, n, mover, child.expected[0], child.expected[1], cards)


cdef inline void fold_state(Fold* f, const FoldRules* r, int n, int mover, const uint64_t* words, int winner,
                            int cards) noexcept nogil:
    """Add a child that ends the trick: a stored state of n - 1 tricks (layers.pxd) and the trick's winner."""
    cdef int64_t e0, e1
    cdef int least
    f.guaranteed = triple_fold(f.guaranteed, <uint32_t>(words[1] & TRIPLE_MASK) + r.won[winner], mover)
    if r.want_payoffs:
        or_won(&r.tables, f.payoffs, words + 3, n, winner)
        least = <int>triple_get(<uint32_t>(words[2] & TRIPLE_MASK) + r.won[winner], mover)
        if least > f.least:
            f.least = least
    if r.want_expected:
        e0 = <int64_t>(words[1] >> TRIPLE_BITS)
        e1 = <int64_t>(words[2] >> TRIPLE_BITS)
        if winner == 0:
            e0 += <int64_t>1 << EXPECTED_BITS
        elif winner == 1:
            e1 += <int64_t>1 << EXPECTED_BITS
        fold_expected(f, r, n, mover, e0, e1, cards)


cdef inline void fold_end(const Fold* f, const FoldRules* r, int n, int mover, NodeValue* out) noexcept nogil:
    cdef int word
    out.guaranteed = f.guaranteed
    if r.want_payoffs:
        for word in range(set_words(n)):
            out.payoffs[word] = f.payoffs[word] & r.tables.at_least[n][mover][f.least][word]
    if f.several:
        out.expected[0] = (f.total[0] + f.cards // 2) // f.cards
        out.expected[1] = (f.total[1] + f.cards // 2) // f.cards
    else:
        out.expected[0] = f.only[0]
        out.expected[1] = f.only[1]
