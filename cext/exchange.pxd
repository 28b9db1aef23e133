# cython: language_level=3
"""Talon exchange with open cards: is a seat sure of so many tricks after a discard, whatever the later seats exchange?

Which discards to ask about, and in which order, is left to the package.

A *reply* is what the later seats (hand 1, then hand 2) throw; what they draw follows from how many cards. Once the
numbers are fixed, each suit's owners depend on what is thrown in that suit alone, so with the number of cards thrown
per suit and hand fixed too (a *split*: all its replies give the same suit lengths) the replies are a product of four
lists, one a suit, of relatively different choices. An answer of the search rests on suit lengths and a few facts about
each suit (the owners of its top cards; in mizerka which card is above which): it covers a box of the product, and boxes
are skipped, not searched.

    exchange           the question, and one reply to it
    exchange_choices   the choices of a suit
    exchange_cover     all replies of a split, all splits
    exchange_replies   ask_discard: likely refutations, then all replies

Hands here are absolute masks with trump turned into lane 3; hand 0 is the exchanger, as in the search. What tries
replies answers 1 when the discard is good against all of them, 0 when one refutes it (`refuter`) or when the search was
stopped; the caller looks at `s.stop`.
"""

from libc.stdint cimport uint16_t as lane_t     # one suit: bit 12 = A ... bit 0 = 2

from cards cimport (in_lane, lane_of, msb, popcount, suit_mask, uint8_t, uint32_t, uint64_t)
from position cimport Trick
from relations cimport Shape, above_of, set_starts
from root cimport complete
from search cimport Grounds, Search, answer_from, tick

cdef enum:
    MAX_TALON = 52
    MAX_CHOICES = 8192          # 2^13: a suit's cards, thrown or not
    ARENA = 1 << 18             # choices remembered, 24 bytes each
    LISTS = 1 << 13             # slots of the list cache; half are used
    SCRATCH = 2 * MAX_CHOICES
    MAX_BUCKETS = 64            # (1 + length)(1 + length) of two hands sharing 13 cards: 56 at most
    PATTERNS_A_SPLIT = 64       # bits of a word
    MAX_KNOWN = 256             # replies that refuted something
    QUESTIONS_A_TICK = 1024
    FEW_LEFT = 3                # with no more cards to draw from, all replies are few

cdef struct Choice:
    uint64_t facts              # what a proof may rest on: `facts_of`
    lane_t lane[3]              # owners after the exchange, on relative ranks
    lane_t thrown[2]            # by hands 1 and 2, absolute

cdef struct SuitList:
    uint64_t key                # 0 = free
    uint32_t first              # in the arena
    uint8_t length[2]           # cards hands 1 and 2 may throw
    lane_t start[MAX_BUCKETS + 1]   # bucket (m, r) = thrown by hand 1, 2: choices start[i] .. start[i + 1] - 1

cdef struct Reply:
    uint64_t thrown[2]

cdef struct Exchange:
    Search* s
    uint64_t hand[3]
    uint64_t drawn_by[MAX_TALON + 1]       # the first n talon cards
    lane_t suit_talon[4][14]    # the first n talon cards of the suit
    uint8_t suit_drawn[4][MAX_TALON + 1]   # how many of the first n talon cards are of the suit
    int n_talon
    int n_later                 # seats that may reply: 0, 1, 2
    int leader
    bint is_mizerka
    int need                    # the question put to the search, and the answer that is good for the exchanger
    bint wish
    # The discard and the draws being looked at.
    uint64_t own
    int n_own
    SuitList* suits[4]
    int bucket[4]
    int longest[2][5]           # cards hands 1, 2 may throw from this suit on
    # Memory of this search.
    Choice* arena
    uint32_t n_arena
    SuitList* lists
    uint32_t n_lists
    uint64_t* match[4]          # per choice of a suit's bucket: patterns of the split that agree with it
    uint64_t* seen
    uint32_t* stamp
    uint32_t now
    Choice* scratch
    Reply known[MAX_KNOWN]      # standing pat, and what refuted other discards; the last that did so first
    int n_known
    Reply refuter
    uint32_t n_done             # splits of this question whose replies are all good, in order
    uint32_t n_before           # of them known when it was put
    int n_tries                 # replies to draw before going through all
    uint64_t draw               # state of the generator they are drawn with
    uint32_t to_tick


cdef inline void close_lane(uint32_t a, uint32_t b, uint32_t c, lane_t* out) noexcept nogil:
    """Relative ranks of one suit: the n-th highest card in play goes to place n from the top."""
    cdef uint32_t in_play = a | b | c, bit, place = 1 << 12
    out[0] = out[1] = out[2] = 0
    while in_play:
        bit = (<uint32_t>1) << msb(in_play)
        in_play ^= bit
        if a & bit:
            out[0] |= place
        elif b & bit:
            out[1] |= place
        else:
            out[2] |= place
        place >>= 1


cdef inline uint64_t facts_of(Exchange* x, const lane_t* lane) noexcept nogil:
    """What an answer of the search may rest on in one suit: its relations in mizerka, else the cards of hands 0, 1."""
    cdef uint64_t hands[3]
    cdef Shape shape
    cdef int i
    if not x.is_mizerka:
        return lane[0] | <uint64_t>lane[1] << 16
    for i in range(3):
        hands[i] = lane[i]
        shape.n[i] = popcount(lane[i])
    return above_of(hands, set_starts(&shape))


cdef inline void put_lane(Exchange* x, const lane_t* lane, int suit) noexcept nogil:
    """A suit of the position to be asked about."""
    cdef Trick* t = &x.s.tricks[0]
    cdef int i
    for i in range(3):
        t.hand[i] = (t.hand[i] & ~suit_mask(suit)) | in_lane(lane[i], suit)


cdef inline int ask_position(Exchange* x, uint64_t* used) noexcept nogil:
    """Is the position laid out in trick 0 as good as wished? used: the bits of each suit's facts that the answer rests
    on."""
    cdef Search* s = x.s
    cdef Trick* t = &s.tricks[0]
    cdef Grounds grounds
    cdef bint answer
    cdef uint64_t lane
    cdef int suit
    t.leader = x.leader
    x.to_tick += 1
    if x.to_tick >= QUESTIONS_A_TICK:      # answers from the table play no cards, and the search would never look
        x.to_tick = 0
        tick(s)
        if s.stop:
            return 0
    complete(t, s.kind)
    answer = answer_from(s, t, 0, x.need, &grounds)
    for suit in range(4):
        if x.is_mizerka:
            used[suit] = grounds.relations.suit[suit]
        else:
            lane = lane_of(grounds.closed, suit)
            used[suit] = lane | lane << 16
    return not s.stop and answer == x.wish


cdef inline int ask_reply(Exchange* x, uint64_t first_thrown, uint64_t second_thrown) noexcept nogil:
    """The discard against one reply; the reply must be possible."""
    cdef int a = x.n_own + popcount(first_thrown)
    cdef int b = a + popcount(second_thrown), suit
    cdef uint64_t first = (x.hand[1] & ~first_thrown) | (x.drawn_by[a] & ~x.drawn_by[x.n_own])
    cdef uint64_t second = (x.hand[2] & ~second_thrown) | (x.drawn_by[b] & ~x.drawn_by[a])
    cdef uint64_t used[4]
    cdef lane_t lane[3]
    for suit in range(4):
        close_lane(lane_of(x.own, suit), lane_of(first, suit), lane_of(second, suit), lane)
        put_lane(x, lane, suit)
    return ask_position(x, used)
