# cython: language_level=3
"""How a player's cards combine into the value of its node: the three notions side by side, and nothing else.

With mover m and children c (a child is a card class, played with its size):
- payoffs     the union of the children's sets, cut to the vectors that give m at least max over c of (least value of m
              in S_c). theory.md's rule compares with the *other* children only; a child that reaches the maximum alone
              passes either way, since its own least value is the maximum.
- expected    the mean, by physical cards, over the children whose expected value for m is the highest, within TIE.
- guaranteed  to m the best child, to each other seat the worst.

A *triple* packs one small number a seat, seat s at bits 6s..6s+5, the sixth bit of each field free: it takes the carry
when two triples are compared in one subtraction.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from payoff_sets cimport PayoffTables, least_value, or_won, payoff_tables_init, set_words
from layers cimport EXPECTED_BITS, TRIPLE_BITS, TRIPLE_MASK
from trick_tree cimport Leaf, told_second, told_third, told_winner

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
    uint32_t least                      # triple: no payoff gives a seat less (not always exact)

cdef struct Mean:                       # of the children that are best for the mover, by physical card
    int64_t best                        # the mover's expected value: highest so far, up to a constant
    int64_t total[2]                    # sums over the tied best children
    int64_t only[2]                     # the first of them
    int64_t cards
    int64_t several                     # not 0: they differ

cdef struct Fold:
    uint64_t payoffs[3]
    Mean mean
    int least
    uint32_t guaranteed

cdef struct FoldRules:                  # what is the same for all nodes of one solve
    bint want_payoffs
    bint want_expected
    bint mizerka
    uint32_t won[3]                     # triple to add for a trick won by a seat
    int64_t won_tricks[3][2]            # [winner] expected tricks of seats 0 and 1 to add
    int64_t own[3][2]                   # [mover] factors of those two that give the mover's value, up to a constant
    PayoffTables tables


cdef inline void fold_rules_init(FoldRules* r, bint mizerka) noexcept nogil:
    cdef int seat, k, sign = -1 if mizerka else 1
    r.mizerka = mizerka
    for seat in range(3):
        r.won[seat] = (1 << (6 * seat)) ^ (0x1041 if mizerka else 0)
        for k in range(2):
            r.won_tricks[seat][k] = (<int64_t>1 << EXPECTED_BITS) if seat == k else 0
            r.own[seat][k] = -sign if seat == 2 else (sign if seat == k else 0)
    payoff_tables_init(&r.tables, mizerka)


cdef inline uint32_t triple_get(uint32_t triple, int seat) noexcept nogil:
    return (triple >> (6 * seat)) & 63


cdef inline uint32_t triple_fold(uint32_t a, uint32_t b, uint32_t mover_field) noexcept nogil:
    """The greater of a and b in the mover's field, the smaller in the others."""
    cdef uint32_t a_wins = ((((a | TRIPLE_CARRY) - b) & TRIPLE_CARRY) >> 5) * 63
    return b ^ ((a ^ b) & ~(a_wins ^ mover_field))


cdef inline uint32_t triple_worst(uint32_t mover_field) noexcept nogil:
    """Start of a triple_fold: lowest for the mover, highest for the others."""
    return (31 | (31 << 6) | (31 << 12)) & ~mover_field


cdef inline void mean_start(Mean* m) noexcept nogil:
    m.best = -(<int64_t>1 << 62)
    m.total[0] = m.total[1] = m.only[0] = m.only[1] = 0
    m.cards = 0
    m.several = 0


cdef inline void mean_add(Mean* m, const int64_t* own, int64_t e0, int64_t e1, int64_t cards) noexcept nogil:
    cdef int64_t value = own[0] * e0 + own[1] * e1
    if value > m.best + TIE:
        m.best = value
        m.only[0] = e0
        m.only[1] = e1
        m.total[0] = cards * e0
        m.total[1] = cards * e1
        m.cards = cards
        m.several = 0
    elif value >= m.best - TIE:
        m.several |= (e0 ^ m.only[0]) | (e1 ^ m.only[1])
        m.total[0] += cards * e0
        m.total[1] += cards * e1
        m.cards += cards


cdef inline void mean_end(const Mean* m, int64_t* out) noexcept nogil:
    if m.several:
        out[0] = (m.total[0] + m.cards // 2) // m.cards
        out[1] = (m.total[1] + m.cards // 2) // m.cards
    else:
        out[0] = m.only[0]
        out[1] = m.only[1]


cdef inline void fold_lone_state(const FoldRules* r, int n, int words, const Leaf* leaf, NodeValue* out) noexcept nogil:
    """A node with one child, half of all nodes: nothing to choose, so the trick is counted in and that is all."""
    cdef int winner = told_winner(leaf.told), word
    cdef const uint64_t* entry = leaf.entry
    out.guaranteed = <uint32_t>(entry[1] & TRIPLE_MASK) + r.won[winner]
    out.least = <uint32_t>(entry[2] & TRIPLE_MASK) + r.won[winner]
    out.expected[0] = <int64_t>(entry[1] >> TRIPLE_BITS) + r.won_tricks[winner][0]
    out.expected[1] = <int64_t>(entry[2] >> TRIPLE_BITS) + r.won_tricks[winner][1]
    if r.want_payoffs:
        for word in range(words):
            out.payoffs[word] = 0
        or_won(&r.tables, out.payoffs, entry + 3, n, winner)


cdef inline const Leaf* fold_states(const FoldRules* r, int n, int words, int mover, const Leaf* leaf,
                                    NodeValue* out) noexcept nogil:
    """The third player's node: from `leaf` on, to and with the leaf that ends it, which is returned.

    A leaf is a stored state of n - 1 tricks (layers.pxd) and the winner of the trick; sets are gathered winner by
    winner and the trick counted in once.
    """
    cdef uint64_t won[3][3]
    cdef uint32_t mover_field = <uint32_t>63 << (6 * mover), guaranteed = triple_worst(mover_field), least = 0, child
    cdef const uint64_t* entry
    cdef int winner, word, below_words = 1 if words == 1 else set_words(n - 1)
    cdef Mean mean
    if told_second(leaf.told):
        fold_lone_state(r, n, words, leaf, out)
        return leaf
    mean_start(&mean)
    for winner in range(3):
        for word in range(words):
            won[winner][word] = 0
    while True:
        entry = leaf.entry
        winner = told_winner(leaf.told)
        child = <uint32_t>(entry[1] & TRIPLE_MASK) + r.won[winner]
        guaranteed = triple_fold(guaranteed, child, mover_field)
        child = (<uint32_t>(entry[2] & TRIPLE_MASK) + r.won[winner]) & mover_field
        if child > least:
            least = child
        for word in range(below_words):
            won[winner][word] |= entry[3 + word]
        if r.want_expected:
            mean_add(&mean, r.own[mover], <int64_t>(entry[1] >> TRIPLE_BITS) + r.won_tricks[winner][0],
                     <int64_t>(entry[2] >> TRIPLE_BITS) + r.won_tricks[winner][1], told_third(leaf.told))
        if told_second(leaf.told):
            break
        leaf += 1
    out.guaranteed = out.least = guaranteed
    if r.want_payoffs:
        for word in range(words):
            out.payoffs[word] = 0
        for winner in range(3):
            or_won(&r.tables, out.payoffs, won[winner], n, winner)
        for word in range(words):
            out.payoffs[word] &= r.tables.at_least[n][mover][least >> (6 * mover)][word]
    mean_end(&mean, out.expected)
    return leaf


cdef inline void fold_start(Fold* f, int mover) noexcept nogil:
    f.payoffs[0] = f.payoffs[1] = f.payoffs[2] = 0
    f.least = 0
    f.guaranteed = triple_worst(<uint32_t>63 << (6 * mover))
    mean_start(&f.mean)


cdef inline void fold_child(Fold* f, const FoldRules* r, int n, int words, int mover, const NodeValue* child,
                            int cards) noexcept nogil:
    """Add a child inside the trick."""
    cdef int word, least
    f.guaranteed = triple_fold(f.guaranteed, child.guaranteed, <uint32_t>63 << (6 * mover))
    if r.want_payoffs:
        for word in range(words):
            f.payoffs[word] |= child.payoffs[word]
        least = least_value(&r.tables, child.payoffs, n, words, mover, <int>triple_get(child.least, mover))
        if least > f.least:
            f.least = least
    if r.want_expected:
        mean_add(&f.mean, r.own[mover], child.expected[0], child.expected[1], cards)


cdef inline void fold_end(const Fold* f, const FoldRules* r, int n, int words, int mover,
                          NodeValue* out) noexcept nogil:
    cdef int word
    out.guaranteed = out.least = f.guaranteed
    if r.want_payoffs:
        for word in range(words):
            out.payoffs[word] = f.payoffs[word] & r.tables.at_least[n][mover][f.least][word]
    mean_end(&f.mean, out.expected)
