# cython: language_level=3
"""The policy's exchange, compiled: which cards to lay down, and how far an exchange falls short of the policy's.

The weights are those of `policy/quick.py`, handed over at the start as values of every holding of a suit in thousandths
of a point, so that sums are exact. A suit is one of four KINDS: 0 trump, 1 side suit, 2 no trump, 3 mizerka; numbers of
cards drawn have three sets of weights: suit contracts, no trump, mizerka.
"""

from libc.stdint cimport int16_t
from cards cimport clz32, popcount, uint16_t, uint32_t, uint64_t
from playing_rule cimport MAX_CARDS, MIZERKA, NO_TRUMP, lane_of

cdef enum:
    N_LANES = 8192        # holdings of a suit
    N_SUIT = 14           # numbers of cards of a suit, 0 to 13
    N_HAND = 18           # numbers of cards of a hand, 0 to 17
    IMPOSSIBLE = -(1 << 24)
    MAX_EXCHANGES = 64

cdef struct Weights:
    const int16_t* kept   # [kind][seat][lane]
    const int16_t* drawn  # [suit, no trump, mizerka][seat][n]

cdef struct SuitBest:
    # For each number of cards kept of a suit: the greatest value, and the cards that have it.
    uint32_t lane
    int n
    int value[N_SUIT]
    uint16_t kept[N_SUIT]


cdef inline const int16_t* holding_values(const Weights* weights, int contract, int seat, int suit) noexcept nogil:
    cdef int kind
    if contract < NO_TRUMP:
        kind = 0 if suit == contract else 1
    else:
        kind = contract - NO_TRUMP + 2
    return weights.kept + (kind * 3 + seat) * N_LANES


cdef inline const int16_t* drawn_values(const Weights* weights, int contract, int seat) noexcept nogil:
    return weights.drawn + ((0 if contract < NO_TRUMP else contract - NO_TRUMP + 1) * 3 + seat) * N_HAND


cdef inline void suit_best(const int16_t* values, uint32_t lane, SuitBest* out) noexcept nogil:
    cdef uint32_t part = lane
    cdef int n
    out.lane = lane
    out.n = popcount(lane)
    for n in range(out.n + 1):
        out.value[n] = IMPOSSIBLE
    while True:  # over all parts of the lane, downwards, so that of equals the highest cards stay
        n = popcount(part)
        if values[part] > out.value[n]:
            out.value[n] = values[part]
            out.kept[n] = <uint16_t>part
        if not part:
            return
        part = (part - 1) & lane


cdef inline int best_values(const SuitBest* suits, int* values) noexcept nogil:
    """Greatest value of each number of cards kept, 0 to the size of the hand, which is returned."""
    cdef int size = 0, suit, n, more, total
    cdef int new[N_HAND]
    values[0] = 0
    for suit in range(4):
        for n in range(size + suits[suit].n + 1):
            new[n] = IMPOSSIBLE
        for n in range(size + 1):
            for more in range(suits[suit].n + 1):
                total = values[n] + suits[suit].value[more]
                if total > new[n + more]:
                    new[n + more] = total
        size += suits[suit].n
        for n in range(size + 1):
            values[n] = new[n]
    return size


cdef inline uint64_t best_kept(const SuitBest* suits, int n_kept) noexcept nogil:
    """The cards of the greatest value among so many; of equals those that `policy/quick.py` finds."""
    cdef int value[N_HAND]
    cdef int new[N_HAND]
    cdef uint64_t kept[N_HAND]
    cdef uint64_t new_kept[N_HAND]
    cdef int size = 0, suit, n, more, total
    value[0], kept[0] = 0, 0
    for suit in range(4):
        for n in range(size + suits[suit].n + 1):
            new[n] = IMPOSSIBLE
            new_kept[n] = 0
        for n in range(size + 1):
            for more in range(suits[suit].n + 1):
                total = value[n] + suits[suit].value[more]
                if total > new[n + more]:
                    new[n + more] = total
                    new_kept[n + more] = kept[n] | <uint64_t>suits[suit].kept[more] << (16 * suit)
        size += suits[suit].n
        for n in range(size + 1):
            value[n], kept[n] = new[n], new_kept[n]
    return kept[n_kept]


cdef inline int best_number(const int* values, int size, const int16_t* drawn, int most) noexcept nogil:
    """How many cards to lay down, `most` at most; fewer of equals, as they leave less to the others."""
    cdef int n, best = 0
    for n in range(1, (most if most < size else size) + 1):
        if values[size - n] + drawn[n] > values[size - best] + drawn[best]:
            best = n
    return best


cdef inline uint64_t policy_discards(
    const Weights* weights, uint64_t hand, int contract, int seat, int most, int exactly
) noexcept nogil:
    """What the policy lays down of a hand: `most` cards at most, or `exactly` so many if that is not negative."""
    cdef SuitBest suits[4]
    cdef int values[N_HAND]
    cdef int suit, size, n
    for suit in range(4):
        suit_best(holding_values(weights, contract, seat, suit), lane_of(hand, suit), &suits[suit])
    size = best_values(suits, values)
    n = best_number(values, size, drawn_values(weights, contract, seat), most) if exactly < 0 else exactly
    return hand & ~best_kept(suits, size - n)


cdef inline int suit_options(const int16_t* values, uint32_t lane, bint low_wanted, uint16_t* kept) noexcept nogil:
    """Ways to keep some cards of a suit that are worth a look, at most two for each number of cards.

    Those are the policy's own, and the highest cards (in mizerka the lowest), which no other way dominates.
    """
    cdef SuitBest best
    cdef uint32_t part = lane
    cdef int n, n_options = 0
    suit_best(values, lane, &best)
    for n in range(best.n, -1, -1):
        kept[n_options] = best.kept[n]
        n_options += 1
        if part != best.kept[n]:
            kept[n_options] = <uint16_t>part
            n_options += 1
        if n:
            part = part & ~(<uint32_t>1 << (31 - clz32(part))) if low_wanted else part & (part - 1)
    return n_options


cdef inline int best_exchanges(
    const Weights* weights, uint64_t hand, int contract, int seat, int most, uint64_t* discards
) noexcept nogil:
    """Fill in the MAX_EXCHANGES most valuable exchanges that nothing dominates, the best first; return their number."""
    cdef uint16_t kept[4][2 * N_SUIT]
    cdef int n_options[4]
    cdef int worth[MAX_EXCHANGES]
    cdef int suit, value, n_found = 0, at, code, rest, n
    cdef const int16_t* drawn = drawn_values(weights, contract, seat)
    cdef const int16_t* holding[4]
    cdef uint64_t cards
    for suit in range(4):
        holding[suit] = holding_values(weights, contract, seat, suit)
        n_options[suit] = suit_options(holding[suit], lane_of(hand, suit), contract == MIZERKA, kept[suit])
    for code in range(n_options[0] * n_options[1] * n_options[2] * n_options[3]):
        rest, cards, value = code, 0, 0
        for suit in range(4):
            at = rest % n_options[suit]
            rest //= n_options[suit]
            cards |= <uint64_t>kept[suit][at] << (16 * suit)
            value += holding[suit][kept[suit][at]]
        n = popcount(hand) - popcount(cards)
        if n > most:
            continue
        value += drawn[n]
        at = n_found
        if at == MAX_EXCHANGES:
            at -= 1
            if value <= worth[at]:
                continue
        else:
            n_found += 1
        while at and worth[at - 1] < value:
            worth[at], discards[at] = worth[at - 1], discards[at - 1]
            at -= 1
        worth[at], discards[at] = value, hand & ~cards
    return n_found
