# cython: language_level=3
"""Cards by a small fitted net, in whole numbers: what a search would find, as far as one look at the cards tells.

Each legal card is described by N_FEATURES small numbers and judged by one of nine nets: suit contract, no trump, mizerka,
times leading, following, playing anything to a suit not held. A net has one hidden layer:

    hidden[j] = min(max(sum of first[j][i] * feature[i], 0) >> 4, 4095)        the last feature is always 1
    value     = sum of second[j] * hidden[j]

and the card with the greatest value is played, of equals the lowest. Weights come from tools/learn_policy.py.
"""

from libc.stdint cimport int16_t, int32_t, int64_t
from cards cimport above_mask, below_mask, bit_mask, clz32, ctz, lane_mask, popcount, uint32_t, uint64_t
from playing_rule cimport (MIZERKA, NO_TRUMP, beats, highest, lane_of, legal_cards, lowest, rule_card, winning_place)

cdef enum:
    N_FEATURES = 32
    N_HIDDEN = 32
    N_NETS = 9
    HIDDEN_SHIFT = 4
    MOST_HIDDEN = 4095
    NET_SIZE = N_HIDDEN * (N_FEATURES + 1)   # `first` row by row, then `second`

cdef struct Sight:
    # What a player looks at to choose a card.
    uint64_t hand
    uint64_t unseen
    int contract
    const int* trick
    int n                 # cards of the trick so far
    int void_next         # suits, as bits 0 to 3, that the next seat did not follow, and the one after
    int void_last

cdef struct Glance:
    # The same for all cards of a decision.
    int top               # card that wins so far, -1 before a lead
    int rule
    int n_tricks
    int own_trumps
    int trumps_out
    int n_sure            # cards nobody can beat in their suit
    int n_legal


cdef inline void look(const Sight* sight, uint64_t legal, Glance* out) noexcept nogil:
    cdef int suit
    cdef uint32_t own, others
    out.top = sight.trick[winning_place(sight.trick, sight.n, sight.contract)] if sight.n else -1
    out.rule = rule_card(sight.hand, sight.contract, sight.trick, sight.n, sight.unseen)
    out.n_tricks = popcount(sight.hand)
    out.own_trumps = out.trumps_out = out.n_sure = 0
    out.n_legal = popcount(legal)
    if sight.contract < NO_TRUMP:
        out.own_trumps = popcount(lane_of(sight.hand, sight.contract))
        out.trumps_out = popcount(lane_of(sight.unseen, sight.contract))
    for suit in range(4):
        own, others = lane_of(sight.hand, suit), lane_of(sight.unseen, suit)
        if sight.contract == MIZERKA:
            out.n_sure += popcount(own & ((<uint32_t>1 << lowest(others)) - 1) if others else own)
        else:
            out.n_sure += popcount(own >> highest(others) if others else own)


cdef inline void describe(const Sight* sight, const Glance* glance, int card, int16_t* f) noexcept nogil:
    """The features of a card; see FEATURES in tools/learn_policy.py for their names."""
    cdef int suit = card >> 4, rank = card & 15, later = 0, void_here, ruffers
    cdef uint32_t own = lane_of(sight.hand, suit), others = lane_of(sight.unseen, suit)
    cdef uint32_t own_below = own & ((<uint32_t>1 << rank) - 1)
    cdef uint32_t others_below = others & ((<uint32_t>1 << rank) - 1)
    cdef int n_above = popcount(others >> rank), n_below = popcount(others_below)
    cdef bint wins = sight.n == 0 or beats(card, glance.top, sight.contract)
    void_here = (sight.void_next >> suit & 1) + (sight.void_last >> suit & 1)
    if sight.n == 0:
        later = void_here
    elif sight.n == 1:
        later = sight.void_next >> (sight.trick[0] >> 4) & 1
    f[0] = <int16_t>n_above
    f[1] = n_above == 0
    f[2] = n_above == 1
    f[3] = <int16_t>n_below
    f[4] = <int16_t>popcount(own)
    f[5] = <int16_t>popcount(others)
    f[6] = <int16_t>popcount(own >> rank >> 1)
    f[7] = <int16_t>popcount(own_below)
    f[8] = suit == sight.contract
    f[9] = <int16_t>glance.own_trumps
    f[10] = <int16_t>glance.trumps_out
    f[11] = wins
    f[12] = wins and sight.n == 2
    f[13] = <int16_t>rank
    f[14] = own == <uint32_t>1 << rank and glance.own_trumps > 0
    # Others' cards between this one and the next lower of one's own: what playing this rather than that gives away.
    f[15] = <int16_t>(popcount(others_below >> highest(own_below)) if own_below else n_below)
    f[16] = <int16_t>(popcount(sight.unseen & below_mask(card) & above_mask(glance.top))
                      if wins and sight.n and glance.top >> 4 == suit else 0)
    f[17] = others == 0
    f[18] = card == glance.rule
    f[19] = <int16_t>later
    f[20] = <int16_t>(void_here if glance.trumps_out and suit != sight.contract else 0)
    f[21] = n_above > 0 and own >> rank == 1 and popcount(own_below) >= n_above
    f[22] = sight.n == 1
    f[23] = <int16_t>glance.n_tricks
    f[24] = n_below == 0
    f[25] = <int16_t>(popcount(sight.unseen & above_mask(glance.top)) if sight.n else 0)
    f[26] = sight.n > 0 and glance.top >> 4 != sight.trick[0] >> 4
    f[27] = <int16_t>glance.n_sure
    f[28] = <int16_t>(popcount(own & ((<uint32_t>1 << lowest(others)) - 1)) if others else 0)
    f[29] = <int16_t>(popcount(others & ((<uint32_t>1 << lowest(own)) - 1)))
    f[30] = <int16_t>glance.n_legal
    f[31] = 1


cdef inline int which_net(const Sight* sight) noexcept nogil:
    cdef int kind = 0 if sight.contract < NO_TRUMP else sight.contract - NO_TRUMP + 1
    if sight.n == 0:
        return 3 * kind
    return 3 * kind + (1 if sight.hand & lane_mask(sight.trick[0]) else 2)


cdef inline int64_t net_value(const int16_t* net, const int16_t* f) noexcept nogil:
    cdef int32_t total
    cdef int64_t value = 0
    cdef int i, j
    for j in range(N_HIDDEN):
        total = 0
        for i in range(N_FEATURES):
            total += <int32_t>net[N_FEATURES * j + i] * f[i]
        if total > 0:
            total >>= HIDDEN_SHIFT
            value += <int64_t>net[N_HIDDEN * N_FEATURES + j] * (total if total < MOST_HIDDEN else MOST_HIDDEN)
    return value


cdef inline int learned_card(const int16_t* nets, const Sight* sight) noexcept nogil:
    """The legal card that its net thinks most of; of cards that nobody can tell apart only the lowest is asked about."""
    cdef uint64_t legal = legal_cards(sight.hand, sight.trick, sight.n), left = legal
    cdef uint64_t between = sight.unseen
    cdef int16_t f[N_FEATURES]
    cdef Glance glance
    cdef int card, i, previous = -1, best = -1
    cdef int64_t value, best_value = 0
    cdef const int16_t* net
    if not legal & (legal - 1):
        return ctz(legal)
    net = nets + which_net(sight) * NET_SIZE
    for i in range(sight.n):
        between |= bit_mask(sight.trick[i])
    look(sight, legal, &glance)
    while left:
        card = ctz(left)
        left &= left - 1
        if previous >> 4 == card >> 4 and previous >= 0 and not between & below_mask(card) & ~below_mask(previous):
            previous = card
            continue
        previous = card
        describe(sight, &glance, card, f)
        value = net_value(net, f)
        if best < 0 or value > best_value:
            best, best_value = card, value
    return best
