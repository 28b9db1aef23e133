# Talon exchange with open cards: is a seat sure of so many tricks after a discard, whatever the later seats exchange?
#
# Included at the end of _engine.pyx; it asks `trick_start` and shares an Engine's table, limits and cancellation. Which
# discards to ask about, and in which order, is left to mizerka_solver/discards.py.
#
# A *reply* is what the later seats (hand 1, then hand 2) throw; what they draw follows from how many cards. Once the
# numbers are fixed, each suit's owners depend on what is thrown in that suit alone, so with the number of cards thrown
# per suit and hand fixed too (a *split*: all its replies give the same suit lengths) the replies are a product of four
# lists, one a suit, of relatively different choices. An answer of the search rests on suit lengths and a few facts about
# each suit (the owners of its top cards; in mizerka which card is above which): it covers a box of the product, and boxes
# are skipped, not searched.
#
#   ask -> ask_discard -> known_replies, random_replies, all_replies -> splits -> cover -> ask_position
#
# Hands here are absolute masks with trump turned into lane 3; hand 0 is the exchanger, as in the search.

from libc.stdint cimport uint16_t as lane_t     # one suit: bit 12 = A ... bit 0 = 2
from libc.stdlib cimport malloc
from math import comb

from cards cimport longer, msb, shorter

cdef enum:
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
    uint64_t drawn_by[53]       # the first n talon cards
    lane_t suit_talon[4][14]    # the first n talon cards of the suit
    uint8_t suit_drawn[4][53]   # how many of the first n talon cards are of the suit
    int n_talon
    int n_later                 # seats that may reply: 0, 1, 2
    int leader
    bint is_mizerka
    int need                    # the question put to trick_start, and the answer that is good for the exchanger
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


cdef inline uint32_t lane_of(uint64_t mask, int suit) noexcept nogil:
    return <uint32_t>(mask >> (16 * suit)) & 0x1FFF


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


cdef int ask_position(Exchange* x, Relations* used) noexcept nogil:
    """Is the position laid out in trick 0 as good as wished? Stopped searches answer 0; the caller looks at s.stop. used:
    bits of the facts of each suit that the answer rests on."""
    cdef Search* s = x.s
    cdef Trick* t = &s.tricks[0]
    cdef bint answer
    cdef uint64_t mask, lane
    cdef int suit
    t.leader = x.leader
    t.lens = compute_lens(t)
    t.tricks_left = popcount(t.hand[0])
    t.cut_card = -1
    x.to_tick += 1
    if x.to_tick >= QUESTIONS_A_TICK:      # answers from the table play no cards, and the search would never look
        x.to_tick = 0
        tick(s)
        if s.stop:
            return 0
    if x.is_mizerka:
        compute_above(t)
        t.ask_any = False
        answer = mizerka_start(s, t, x.need, used)
    else:
        answer = trick_start(s, t, x.need, &mask)
        for suit in range(4):
            lane = lane_of(mask, suit)
            used.suit[suit] = lane | lane << 16
    return not s.stop and answer == x.wish


cdef int ask_reply(Exchange* x, uint64_t first_thrown, uint64_t second_thrown) noexcept nogil:
    """The discard against one reply; the reply must be possible."""
    cdef int a = x.n_own + popcount(first_thrown)
    cdef int b = a + popcount(second_thrown), suit, i
    cdef uint64_t first = (x.hand[1] & ~first_thrown) | (x.drawn_by[a] & ~x.drawn_by[x.n_own])
    cdef uint64_t second = (x.hand[2] & ~second_thrown) | (x.drawn_by[b] & ~x.drawn_by[a])
    cdef Relations used
    cdef lane_t lane[3]
    for i in range(3):
        x.s.tricks[0].hand[i] = 0
    for suit in range(4):
        close_lane(lane_of(x.own, suit), lane_of(first, suit), lane_of(second, suit), lane)
        for i in range(3):
            x.s.tricks[0].hand[i] |= <uint64_t>lane[i] << (16 * suit)
    return ask_position(x, &used)


include "exchange_replies.pxi"


cdef class ExchangeSearch:
    """Questions about the discards of one seat, put to an Engine.

    hands: three masks (bit = 16*suit + rank) after the exchanges of earlier seats; talon: bits of the cards left, next
    to be drawn first; contract as in Engine.solve, forehand leads; seat: the exchanger; reply: may later seats answer?
    One search at a time on an Engine; about 8 MB of its own.
    """

    cdef Engine engine
    cdef Exchange x
    cdef int trump
    cdef int contract
    cdef uint64_t first_node

    def __cinit__(self, Engine engine, hands, talon, int contract, int seat, bint reply):
        cdef Exchange* x = &self.x
        cdef int i, suit
        memset(x, 0, sizeof(Exchange))
        self.engine = engine
        self.contract = contract
        self.trump = contract if contract < 4 else -1
        x.s = &engine.s
        for i in range(3):
            x.hand[i] = turn_suits(hands[(seat + i) % 3], self.trump)
        x.leader = (3 - seat) % 3
        x.is_mizerka = contract == 5
        x.n_later = 2 - seat if reply else 0
        x.n_talon = len(talon)
        for i in range(x.n_talon):
            x.drawn_by[i + 1] = x.drawn_by[i] | turn_suits(bit_mask(talon[i]), self.trump)
            for suit in range(4):
                x.suit_drawn[suit][i + 1] = popcount(x.drawn_by[i + 1] >> (16 * suit) & 0x1FFF)
                x.suit_talon[suit][x.suit_drawn[suit][i + 1]] = <lane_t>lane_of(x.drawn_by[i + 1], suit)
        x.arena = <Choice*>malloc(ARENA * sizeof(Choice))
        x.lists = <SuitList*>calloc(LISTS, sizeof(SuitList))
        x.seen = <uint64_t*>malloc(SCRATCH * sizeof(uint64_t))
        x.stamp = <uint32_t*>calloc(SCRATCH, sizeof(uint32_t))
        x.scratch = <Choice*>malloc(MAX_CHOICES * sizeof(Choice))
        for i in range(4):
            x.match[i] = <uint64_t*>malloc(MAX_CHOICES * sizeof(uint64_t))
        if (x.arena == NULL or x.lists == NULL or x.seen == NULL or x.stamp == NULL or x.scratch == NULL
                or x.match[0] == NULL or x.match[1] == NULL or x.match[2] == NULL or x.match[3] == NULL):
            raise MemoryError("no memory for the exchange search")
        self.start()

    def __dealloc__(self):
        cdef int i
        free(self.x.arena)
        free(self.x.lists)
        free(self.x.seen)
        free(self.x.stamp)
        free(self.x.scratch)
        for i in range(4):
            free(self.x.match[i])

    def start(self, node_limit=0, seconds=0.0):
        """Set limits for all questions from now on, together."""
        cdef Search* s = &self.engine.s
        self.first_node = s.nodes
        s.node_limit = s.nodes + node_limit if node_limit else 0
        s.deadline = time.monotonic() + seconds if seconds else 0.0
        s.stop = RUNNING

    @property
    def nodes(self):
        """Cards played since `start`."""
        return self.engine.s.nodes - self.first_node

    @property
    def done(self):
        """Splits proven by the last question before it was answered or stopped: see `ask`."""
        return self.x.n_done

    @property
    def stopped(self):
        """Was a limit hit that `start` set?"""
        return self.engine.s.stop != RUNNING

    @property
    def refuter(self):
        """The reply that answered the last question with False: masks of the cards the later seats throw, in turn."""
        return (turn_suits(self.x.refuter.thrown[0], self.trump), turn_suits(self.x.refuter.thrown[1], self.trump))

    def candidates(self):
        """[(mask of a discard, number of discards with the same effect)]: all different ones, fewest cards first.

        Touching cards of the exchanger are one; if later seats reply, only if no card they may draw lies between.
        """
        cdef Exchange* x = &self.x
        cdef uint64_t in_play, hand = x.hand[0], drawn, rest, own_run, bit
        cdef int k, suit, n, n_run
        found = []
        for k in range(shorter(x.n_talon, popcount(hand)) + 1):
            drawn = x.drawn_by[k]
            in_play = x.hand[0] | x.hand[1] | x.hand[2] | drawn
            if x.n_later:
                in_play |= x.drawn_by[x.n_talon]
            runs = []
            own_run = 0
            for suit in range(4):
                rest = in_play & lane_mask(16 * suit)
                while rest:
                    bit = rest & (0 - rest)
                    rest ^= bit
                    if bit & hand:
                        own_run |= bit
                    elif not bit & drawn and own_run:
                        runs.append(own_run)
                        own_run = 0
                if own_run:
                    runs.append(own_run)
                    own_run = 0
            add_counts(found, runs, 0, k, 0, 1)
        return [(turn_suits(discard, self.trump), twins) for discard, twins in found]

    def effect(self, uint64_t discard):
        """The relative position after a discard if the later seats stand pat: equal values, equal positions."""
        cdef int suit
        cdef lane_t lane[3]
        cdef uint64_t a = 0, b = 0, c = 0
        self.lay_out(discard)
        for suit in range(4):
            close_lane(lane_of(self.x.own, suit), lane_of(self.x.hand[1], suit), lane_of(self.x.hand[2], suit), lane)
            a |= <uint64_t>lane[0] << (16 * suit)
            b |= <uint64_t>lane[1] << (16 * suit)
            c |= <uint64_t>lane[2] << (16 * suit)
        return a, b, c

    cdef int lay_out(self, uint64_t discard) except -1:
        cdef Exchange* x = &self.x
        discard = turn_suits(discard, self.trump)
        x.n_own = popcount(discard)
        if discard & ~x.hand[0] or x.n_own > x.n_talon:
            raise ValueError("a discard is of cards held, and no more than the talon has")
        x.own = (x.hand[0] & ~discard) | x.drawn_by[x.n_own]
        return 0

    def ask(self, uint64_t discard, int tricks, only=None, hint=(0, 0), uint64_t nodes=0, uint32_t done=0, int tries=0):
        """Is the seat sure of `tricks` (mizerka: of no more than `tricks`) after this discard?

        only: a reply, masks of what the later seats throw in turn, to which the question is limited; hint: one to try
        first. nodes: for this question, 0 = no limit of its own; done: splits proven when it was put before;
        tries: replies drawn at random before all are gone through. Returns True or False, both proven (`refuter` then
        says against which reply), or None when a limit was hit. Raises SearchStopped if cancelled, KeyboardInterrupt on
        Ctrl-C.
        """
        cdef Exchange* x = &self.x
        cdef Search* s = &self.engine.s
        cdef Reply given
        cdef bint single = only is not None
        cdef int answer = 0
        cdef bint own_limit = False
        cdef uint64_t node_limit = s.node_limit
        if self.engine.busy:
            raise RuntimeError("this Engine is already searching in another thread")
        self.lay_out(discard)
        x.n_done = 0
        x.n_before = done
        x.n_tries = tries
        x.draw = (discard + 1) * <uint64_t>0x9E3779B97F4A7C15 + done
        given.thrown[0] = turn_suits((only if single else hint)[0], self.trump)
        given.thrown[1] = turn_suits((only if single else hint)[1], self.trump)
        if (given.thrown[0] & ~x.hand[1]) | (given.thrown[1] & ~x.hand[2]) or single and not possible(x, &given):
            raise ValueError("a reply is of cards held, and no more than the talon has left")
        self.engine.set_kind(self.contract)
        x.wish = not x.is_mizerka
        x.need = tricks if x.wish else tricks + 1
        if s.stop == RUNNING:       # what stopped one question stops the next
            own_limit = nodes > 0 and (node_limit == 0 or s.nodes + nodes < node_limit)
            if own_limit:
                s.node_limit = s.nodes + nodes
            s.next_tick = s.nodes
            self.engine.busy = True
            try:
                with nogil:
                    tick(s)
                    if s.stop:
                        answer = 0
                    elif single:
                        x.refuter = given
                        answer = ask_reply(x, given.thrown[0], given.thrown[1])
                    else:
                        answer = ask_discard(x, &given)
            finally:
                self.engine.busy = False
                s.node_limit = node_limit
        if s.stop == INTERRUPTED:
            interruption, self.engine.interruption = self.engine.interruption, None
            raise interruption
        if s.stop == CANCELLED:
            s.cancel = 0
            raise SearchStopped("cancelled")
        if s.stop == NODE_LIMIT and own_limit:
            s.stop = RUNNING
            return None
        return None if s.stop else bool(answer)


def add_counts(list found, list runs, int at, int left, uint64_t discard, twins):
    """Append (discard, twins) for every way to take `left` cards from the runs, the lowest of each."""
    cdef uint64_t run, taken = 0
    cdef int n, size
    if at == len(runs):
        if left == 0:
            found.append((discard, twins))
        return
    run = runs[at]
    size = popcount(run)
    for n in range(shorter(left, size) + 1):
        add_counts(found, runs, at + 1, left - n, discard | taken, twins * comb(size, n))
        taken |= (run & ~taken) & (0 - (run & ~taken))
