# cython: language_level=3
"""An exchange search before its first question (exchange.pxd): its memory, its cards, and which discards differ."""

from libc.stdlib cimport calloc, free, malloc

from arguments cimport checked_card, checked_mask
from cards cimport bit_mask, in_lane, lane_of, lowest, popcount, shorter, suit_mask, uint32_t, uint64_t
from exchange cimport (ARENA, LISTS, MAX_CHOICES, MAX_TALON, SCRATCH, Choice, Exchange, Reply, SuitList, close_lane,
                       lane_t)
from root cimport turn_suits


cdef inline int reserve(Exchange* x) noexcept nogil:
    """0, or -1 when the system has no memory left."""
    cdef int suit
    x.arena = <Choice*>malloc(ARENA * sizeof(Choice))
    x.lists = <SuitList*>calloc(LISTS, sizeof(SuitList))
    x.seen = <uint64_t*>malloc(SCRATCH * sizeof(uint64_t))
    x.stamp = <uint32_t*>calloc(SCRATCH, sizeof(uint32_t))
    x.scratch = <Choice*>malloc(MAX_CHOICES * sizeof(Choice))
    for suit in range(4):
        x.match[suit] = <uint64_t*>malloc(MAX_CHOICES * sizeof(uint64_t))
        if x.match[suit] == NULL:
            return -1
    if x.arena == NULL or x.lists == NULL or x.seen == NULL or x.stamp == NULL or x.scratch == NULL:
        return -1
    return 0


cdef inline void release(Exchange* x) noexcept nogil:
    cdef int suit
    free(x.arena)
    free(x.lists)
    free(x.seen)
    free(x.stamp)
    free(x.scratch)
    for suit in range(4):
        free(x.match[suit])


cdef inline int set_talon(Exchange* x, talon, int trump) except -1:
    """The hands are set."""
    cdef uint64_t in_play = turn_suits(x.hand[0] | x.hand[1] | x.hand[2], trump)
    cdef int i, suit, card
    if len(talon) > MAX_TALON:
        raise ValueError(f"a talon has at most {MAX_TALON} cards, not {len(talon)}")
    x.n_talon = len(talon)
    for i in range(x.n_talon):
        card = checked_card(talon[i], "talon", i)
        if in_play & bit_mask(card):
            raise ValueError(f"talon[{i}] = {card} is in a hand, or twice in the talon")
        in_play |= bit_mask(card)
        x.drawn_by[i + 1] = x.drawn_by[i] | turn_suits(bit_mask(card), trump)
        for suit in range(4):
            x.suit_drawn[suit][i + 1] = popcount(lane_of(x.drawn_by[i + 1], suit))
            x.suit_talon[suit][x.suit_drawn[suit][i + 1]] = <lane_t>lane_of(x.drawn_by[i + 1], suit)
    return 0


cdef inline void add_talon(Exchange* x, int trump, uint64_t* hands) noexcept nogil:
    """To hands as Python gives them: all that anybody may draw."""
    cdef uint64_t drawn = turn_suits(x.drawn_by[x.n_talon], trump)      # turned twice is turned back
    cdef int i
    for i in range(3):
        hands[i] |= drawn


cdef inline int throw(Exchange* x, discard, int trump) except -1:
    """The exchanger throws these cards and draws as many."""
    cdef uint64_t thrown
    checked_mask(discard, "discard", 0, &thrown)
    thrown = turn_suits(thrown, trump)
    if thrown & ~x.hand[0] or popcount(thrown) > x.n_talon:
        raise ValueError("a discard is of cards held, and no more than the talon has")
    x.n_own = popcount(thrown)
    x.own = (x.hand[0] & ~thrown) | x.drawn_by[x.n_own]
    return 0


cdef inline int read_reply(const Exchange* x, reply, int trump, Reply* out) except -1:
    cdef uint64_t thrown
    cdef int i
    if len(reply) != 2:
        raise ValueError(f"a reply is two masks of cards, not {len(reply)}")
    for i in range(2):
        checked_mask(reply[i], "reply", i, &thrown)
        out.thrown[i] = turn_suits(thrown, trump)
        if out.thrown[i] & ~x.hand[i + 1]:
            raise ValueError("a reply is of cards held, and no more than the talon has left")
    return 0


cdef inline tuple position_after(const Exchange* x):
    """The three hands on relative ranks if the later seats stand pat."""
    cdef int suit, hand
    cdef lane_t lane[3]
    cdef uint64_t out[3]
    out[0] = out[1] = out[2] = 0
    for suit in range(4):
        close_lane(lane_of(x.own, suit), lane_of(x.hand[1], suit), lane_of(x.hand[2], suit), lane)
        for hand in range(3):
            out[hand] |= in_lane(lane[hand], suit)
    return out[0], out[1], out[2]


cdef inline list runs_of(uint64_t hand, uint64_t in_play, uint64_t drawn):
    """The hand's runs, as masks: no card in play lies between, but for those it draws itself."""
    cdef uint64_t rest, run, bit
    cdef int suit
    runs = []
    for suit in range(4):
        rest = in_play & suit_mask(suit)
        run = 0
        while rest:
            bit = lowest(rest)
            rest ^= bit
            if bit & hand:
                run |= bit
            elif not bit & drawn and run:
                runs.append(run)
                run = 0
        if run:
            runs.append(run)
    return runs


cdef inline int add_discards(list found, list runs, int at, int left, uint64_t discard,
                             uint64_t twins) except -1:
    """Append (discard, twins) for every way to take `left` cards from the runs, the lowest of each."""
    cdef uint64_t run, taken = 0, ways = 1      # to take n of the run
    cdef int n, size
    if at == len(runs):
        if left == 0:
            found.append((discard, twins))
        return 0
    run = runs[at]
    size = popcount(run)
    for n in range(shorter(left, size) + 1):
        add_discards(found, runs, at + 1, left - n, discard | taken, twins * ways)
        ways = ways * (size - n) // (n + 1)
        taken |= lowest(run & ~taken)
    return 0


cdef inline list different_discards(const Exchange* x):
    """[(discard, number of discards with the same effect)], fewest cards first."""
    cdef uint64_t in_play
    cdef int k
    found = []
    for k in range(shorter(x.n_talon, popcount(x.hand[0])) + 1):
        in_play = x.hand[0] | x.hand[1] | x.hand[2] | x.drawn_by[k]
        if x.n_later:
            in_play |= x.drawn_by[x.n_talon]
        add_discards(found, runs_of(x.hand[0], in_play, x.drawn_by[k]), 0, k, 0, 1)
    return found
