# Talon exchange with open cards: is a seat sure of so many tricks after a discard, whatever the later seats exchange?
#
# Included at the end of _engine.pyx; it asks `trick_start` and shares an Engine's table, limits and cancellation. Which
# discards to ask about, and in which order, is left to mizerka_solver/discards.py.
#
# A *reply* is what the later seats (hand 1, then hand 2) throw; what they draw follows from how many cards. Once the
# numbers are fixed, each suit's owners depend on what is thrown in that suit alone, so with the number of cards
# thrown per suit and hand fixed too (a *split*: all its replies give the same suit lengths) the replies are a product of
# four lists, one a suit, of relatively different choices. An answer of `trick_start` rests on suit lengths and the
# owners of the top cards under its mask: it covers a box of the product, and boxes are skipped, not searched.
#
#   ask -> known replies -> all_replies -> splits -> cover -> ask_position
#
# Hands here are absolute masks with trump turned into lane 3; hand 0 is the exchanger, as in the search.

from libc.stdint cimport uint16_t as lane_t     # one suit: bit 12 = A ... bit 0 = 2
from libc.stdlib cimport malloc
from math import comb

from bounds cimport longer, shorter
from cards cimport msb

cdef enum:
    MAX_CHOICES = 8192          # 2^13: a suit's cards, thrown or not
    ARENA = 1 << 18             # choices remembered, 10 bytes each
    LISTS = 1 << 13             # slots of the list cache; half are used
    SCRATCH = 2 * MAX_CHOICES
    MAX_BUCKETS = 64            # (1 + length)(1 + length) of two hands sharing 13 cards: 56 at most
    PATTERNS_A_SPLIT = 64       # bits of a word
    MAX_KNOWN = 256             # replies that refuted something
    QUESTIONS_A_TICK = 1024
    NEAR_KNOWN = 2              # known replies whose neighbours are tried
    FEW_LEFT = 3                # with no more cards to draw from, all replies are few
    NODES_A_QUESTION = 200      # what a question costs that the table answers

cdef double KEEP = 0.95         # of what is known of a reply, when it is tried again

cdef struct Choice:
    lane_t lane[3]              # owners after the exchange, on relative ranks
    lane_t thrown[2]            # by hands 1 and 2, absolute

cdef struct SuitList:
    uint64_t key                # 0 = free
    uint32_t first              # in the arena
    uint8_t length[2]           # cards hands 1 and 2 may throw
    lane_t start[MAX_BUCKETS + 1]   # bucket (m, r) = thrown by hand 1, 2: choices start[i] .. start[i + 1] - 1

cdef struct Reply:
    uint64_t thrown[2]

cdef struct Known:
    Reply reply
    double nodes                # spent on it and questions it refuted, older ones count less
    double wins

cdef struct Exchange:
    Search* s
    uint64_t hand[3]
    uint64_t drawn_by[53]       # the first n talon cards
    lane_t suit_talon[4][14]    # the first n talon cards of the suit
    uint8_t suit_drawn[4][53]   # how many of the first n talon cards are of the suit
    int n_talon
    int n_later                 # seats that may reply: 0, 1, 2
    int leader
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
    Known known[MAX_KNOWN]      # the cheapest way to refute first
    int n_known
    Reply refuter
    uint64_t n_questions
    uint64_t n_splits
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


cdef int ask_position(Exchange* x, uint64_t* used) noexcept nogil:
    """Is the position laid out in trick 0 as good as wished? Stopped searches answer 0; the caller looks at s.stop."""
    cdef Search* s = x.s
    cdef Trick* t = &s.tricks[0]
    t.leader = x.leader
    t.lens = compute_lens(t)
    t.tricks_left = popcount(t.hand[0])
    t.cut_card = -1
    x.n_questions += 1
    x.to_tick += 1
    if x.to_tick >= QUESTIONS_A_TICK:      # answers from the table play no cards, and the search would never look
        x.to_tick = 0
        tick(s)
        if s.stop:
            return 0
    return trick_start(s, t, x.need, used) == x.wish


cdef int ask_reply(Exchange* x, uint64_t first_thrown, uint64_t second_thrown) noexcept nogil:
    """The discard against one reply; the reply must be possible."""
    cdef int a = x.n_own + popcount(first_thrown)
    cdef int b = a + popcount(second_thrown), suit, i
    cdef uint64_t first = (x.hand[1] & ~first_thrown) | (x.drawn_by[a] & ~x.drawn_by[x.n_own])
    cdef uint64_t second = (x.hand[2] & ~second_thrown) | (x.drawn_by[b] & ~x.drawn_by[a])
    cdef uint64_t used
    cdef lane_t lane[3]
    for i in range(3):
        x.s.tricks[0].hand[i] = 0
    for suit in range(4):
        close_lane(lane_of(x.own, suit), lane_of(first, suit), lane_of(second, suit), lane)
        for i in range(3):
            x.s.tricks[0].hand[i] |= <uint64_t>lane[i] << (16 * suit)
    return ask_position(x, &used)


# The choices of a suit


cdef int run_order(uint32_t own, uint32_t* hands, uint32_t may_throw, uint32_t* upper, uint32_t* lower) noexcept nogil:
    """Of touching cards of one hand it does not matter which are thrown, so only the lowest ones are: pairs (upper,
    lower), where upper is thrown only if lower is. Returns their number."""
    cdef uint32_t left = own | hands[0] | hands[1], bit, before = 0
    cdef int owner, owner_before = -1, n = 0
    while left:
        bit = left & (0 - left)
        left ^= bit
        owner = 0 if own & bit else 1 if hands[0] & bit else 2
        if owner != owner_before:
            before = 0
        if bit & may_throw:
            if before:
                upper[n] = bit
                lower[n] = before
                n += 1
            before = bit
        owner_before = owner
    return n


cdef inline bint is_new(Exchange* x, Choice* c) noexcept nogil:
    """Not yet among the choices of the list being made? Remembers it."""
    cdef uint64_t key = (<uint64_t>1 << 63) | c.lane[0] | (<uint64_t>c.lane[1] << 13) | (<uint64_t>c.lane[2] << 26)
    cdef uint32_t i = <uint32_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 48) & (SCRATCH - 1)
    while x.stamp[i] == x.now:
        if x.seen[i] == key:
            return False
        i = (i + 1) & (SCRATCH - 1)
    x.stamp[i] = x.now
    x.seen[i] = key
    return True


cdef void make_list(Exchange* x, SuitList* made, uint32_t own, uint32_t* may_throw, uint32_t* draws) noexcept nogil:
    """All relatively different choices of a suit, in buckets by cards thrown."""
    cdef uint32_t hands[2]
    cdef uint32_t upper[13]
    cdef uint32_t lower[13]
    cdef uint32_t both = may_throw[0] | may_throw[1], out = 0
    cdef int i, n = 0, n_buckets, bucket, n_pairs, width = popcount(may_throw[1]) + 1
    cdef lane_t at[MAX_BUCKETS + 1]
    cdef Choice* c
    hands[0] = draws[0]
    hands[1] = draws[1]
    made.length[0] = <uint8_t>popcount(may_throw[0])
    made.length[1] = <uint8_t>popcount(may_throw[1])
    n_buckets = (made.length[0] + 1) * width
    memset(at, 0, sizeof(at))
    x.now += 1
    n_pairs = run_order(own, hands, both, upper, lower)
    while True:
        for i in range(n_pairs):
            if out & upper[i] and not out & lower[i]:
                break
        else:
            c = x.scratch + n
            close_lane(own, hands[0] & ~out, hands[1] & ~out, c.lane)
            if is_new(x, c):
                c.thrown[0] = <lane_t>(out & may_throw[0])
                c.thrown[1] = <lane_t>(out & may_throw[1])
                at[popcount(c.thrown[0]) * width + popcount(c.thrown[1]) + 1] += 1
                n += 1
        out = (out - both) & both
        if out == 0:
            break
    made.first = x.n_arena
    for i in range(n_buckets):
        at[i + 1] += at[i]
    for i in range(n_buckets + 1):
        made.start[i] = at[i]
    for i in range(n):
        c = x.scratch + i
        bucket = popcount(c.thrown[0]) * width + popcount(c.thrown[1])
        x.arena[made.first + at[bucket]] = c[0]
        at[bucket] += 1
    x.n_arena += n


cdef SuitList* suit_list(Exchange* x, int suit, int a, int b) noexcept nogil:
    """The choices of a suit where hands 1 and 2 draw the next a - n_own and b - a talon cards; made once."""
    cdef int i = x.suit_drawn[suit][x.n_own], j = x.suit_drawn[suit][a], l = x.suit_drawn[suit][b]
    cdef uint32_t own = lane_of(x.own, suit)
    cdef uint64_t key = (<uint64_t>1 << 63) | own | (<uint64_t>suit << 13) | (i << 15) | (j << 19) | (l << 23)
    cdef uint32_t slot = <uint32_t>((key * <uint64_t>0x9E3779B97F4A7C15) >> 40) & (LISTS - 1)
    cdef uint32_t hands[2]
    cdef uint32_t may_throw[2]
    while x.lists[slot].key != key:
        if x.lists[slot].key == 0:
            may_throw[0] = lane_of(x.hand[1], suit) if x.n_later > 0 else 0
            may_throw[1] = lane_of(x.hand[2], suit) if x.n_later > 1 else 0
            hands[0] = lane_of(x.hand[1], suit) | (x.suit_talon[suit][j] & ~x.suit_talon[suit][i])
            hands[1] = lane_of(x.hand[2], suit) | (x.suit_talon[suit][l] & ~x.suit_talon[suit][j])
            make_list(x, x.lists + slot, own, may_throw, hands)
            x.lists[slot].key = key
            x.n_lists += 1
            break
        slot = (slot + 1) & (LISTS - 1)
    return x.lists + slot


cdef void forget_lists(Exchange* x) noexcept nogil:
    memset(x.lists, 0, LISTS * sizeof(SuitList))
    x.n_lists = 0
    x.n_arena = 0


# All replies


cdef void add_pattern(Exchange* x, int i, uint64_t used, Choice** from_, int* n, int* order) noexcept nogil:
    """Mark every choice of the split that agrees with the position in trick 0 under the mask `used`."""
    cdef uint64_t bit = (<uint64_t>1) << i
    cdef uint32_t mask, lone, first
    cdef int k, c, suit
    for k in range(4):
        suit = order[k]
        mask = lane_of(used, suit)
        lone = lane_of(x.s.tricks[0].hand[0], suit)
        first = lane_of(x.s.tricks[0].hand[1], suit)
        for c in range(n[k]):
            if ((from_[k][c].lane[0] ^ lone) | (from_[k][c].lane[1] ^ first)) & mask:
                x.match[k][c] &= ~bit
            else:
                x.match[k][c] |= bit


cdef inline void put_lane(Exchange* x, Choice* c, int suit) noexcept nogil:
    cdef Trick* t = &x.s.tricks[0]
    cdef int i
    cdef uint64_t keep = ~(<uint64_t>0xFFFF << (16 * suit))
    for i in range(3):
        t.hand[i] = (t.hand[i] & keep) | (<uint64_t>c.lane[i] << (16 * suit))


cdef int cover(Exchange* x) noexcept nogil:
    """Every reply of a split: 1 all are good, 0 one is not (x.refuter) or the search was stopped.

    A reply is four choices, one a suit. It is skipped if one of the split's patterns agrees with all four (their words
    have a common bit); where a pattern asks nothing of the suits still to be chosen, they are skipped together."""
    cdef Choice* from_[4]
    cdef int n[4]
    cdef int order[4]
    cdef int c[4]
    cdef uint64_t agree[5]
    cdef uint64_t ends[4]         # patterns that ask nothing of the suits from number k on
    cdef uint64_t used, bit
    cdef SuitList* l
    cdef int suit, k, i, n_patterns = 0
    x.n_splits += 1
    for suit in range(4):         # the longest list goes last
        l = x.suits[suit]
        i = l.start[x.bucket[suit] + 1] - l.start[x.bucket[suit]]
        k = suit
        while k and n[k - 1] > i:
            n[k] = n[k - 1]; from_[k] = from_[k - 1]; order[k] = order[k - 1]
            k -= 1
        n[k] = i; order[k] = suit
        from_[k] = x.arena + l.first + l.start[x.bucket[suit]]
    for k in range(4):
        memset(x.match[k], 0, n[k] * sizeof(uint64_t))
        ends[k] = 0
    agree[0] = ~(<uint64_t>0)
    k = 0
    c[0] = -1
    while k >= 0:
        c[k] += 1
        if c[k] == n[k]:
            k -= 1
            continue
        agree[k + 1] = agree[k] & x.match[k][c[k]]
        if k < 3:
            if agree[k + 1] & ends[k + 1]:
                continue
            k += 1
            c[k] = -1
            continue
        if agree[4]:
            continue
        for i in range(4):
            put_lane(x, from_[i] + c[i], order[i])
        if not ask_position(x, &used):
            if not x.s.stop:
                for i in range(2):
                    x.refuter.thrown[i] = 0
                    for k in range(4):
                        x.refuter.thrown[i] |= <uint64_t>from_[k][c[k]].thrown[i] << (16 * order[k])
            return 0
        i = n_patterns % PATTERNS_A_SPLIT     # the oldest gives way
        n_patterns += 1
        bit = (<uint64_t>1) << i
        add_pattern(x, i, used, from_, n, order)
        for k in range(1, 4):
            ends[k] &= ~bit
            agree[k] = agree[k] | bit
        for k in range(3, 0, -1):
            if lane_of(used, order[k]):
                break
            ends[k] |= bit
        k = 3
        while k and agree[k] & ends[k]:       # nothing left to do below this prefix
            k -= 1
    return 1


cdef int splits(Exchange* x, int suit, int a, int b) noexcept nogil:
    """Every way to throw a and b cards from this suit on. As `cover`."""
    cdef SuitList* l = x.suits[suit]
    cdef int m, r
    if suit == 3:
        x.bucket[3] = a * (l.length[1] + 1) + b
        return cover(x)
    for m in range(longer(0, a - x.longest[0][suit + 1]), shorter(a, l.length[0]) + 1):
        for r in range(longer(0, b - x.longest[1][suit + 1]), shorter(b, l.length[1]) + 1):
            x.bucket[suit] = m * (l.length[1] + 1) + r
            if not splits(x, suit + 1, a - m, b - r):
                return 0
    return 1


cdef int all_replies(Exchange* x) noexcept nogil:
    """The discard against every reply: 1 good against all, 0 refuted (x.refuter) or stopped."""
    cdef int rest = x.n_talon - x.n_own, size = popcount(x.own)
    cdef int a, b, i, suit, most_a, most_b
    most_a = shorter(rest, size) if x.n_later > 0 else 0
    for a in range(most_a, -1, -1):
        most_b = shorter(rest - a, size) if x.n_later > 1 else 0
        for b in range(most_b, -1, -1):
            if x.n_arena + 4 * MAX_CHOICES > ARENA or 2 * x.n_lists > LISTS - 8:
                forget_lists(x)
            for suit in range(4):
                x.suits[suit] = suit_list(x, suit, x.n_own + a, x.n_own + a + b)
            for i in range(2):
                x.longest[i][4] = 0
                for suit in range(3, -1, -1):
                    x.longest[i][suit] = x.longest[i][suit + 1] + x.suits[suit].length[i]
            if not splits(x, 0, a, b):
                return 0
    return 1


cdef inline bint possible(Exchange* x, Reply* reply) noexcept nogil:
    return x.n_own + popcount(reply.thrown[0]) + popcount(reply.thrown[1]) <= x.n_talon


cdef inline double price(Known* known) noexcept nogil:
    """Nodes spent for each discard refuted."""
    return known.nodes / (known.wins + 0.01)


cdef void sort_known(Exchange* x) noexcept nogil:
    """Nearly sorted as it is."""
    cdef int i, k
    cdef Known moved
    for i in range(1, x.n_known):
        if price(&x.known[i]) < price(&x.known[i - 1]):
            moved = x.known[i]
            k = i
            while k and price(&moved) < price(&x.known[k - 1]):
                x.known[k] = x.known[k - 1]
                k -= 1
            x.known[k] = moved


cdef int known_replies(Exchange* x) noexcept nogil:
    """The replies that refuted other discards: as `all_replies`."""
    cdef int i, answer = 1
    cdef uint64_t before
    cdef Known* known
    for i in range(x.n_known):
        known = &x.known[i]
        if not possible(x, &known.reply):
            continue
        before = x.s.nodes
        answer = ask_reply(x, known.reply.thrown[0], known.reply.thrown[1])
        if x.s.stop:
            return 0
        known.nodes = KEEP * known.nodes + (x.s.nodes - before) + NODES_A_QUESTION
        known.wins = KEEP * known.wins + (not answer)
        if not answer:
            x.refuter = known.reply
            break
    sort_known(x)
    return answer


cdef int try_reply(Exchange* x, uint64_t first, uint64_t second) noexcept nogil:
    """As `all_replies`, for one reply; an impossible one refutes nothing."""
    cdef Reply reply
    reply.thrown[0] = first
    reply.thrown[1] = second
    if not possible(x, &reply) or ask_reply(x, first, second):
        return 1
    x.refuter = reply
    return 0


cdef int near_replies(Exchange* x, Reply* base) noexcept nogil:
    """The replies in which one card less or more is thrown, or one instead of another: as `all_replies`. What is
    searched in vain here is part of the proof that every reply fails."""
    cdef int hand
    cdef uint64_t cards, one, other, out, back
    cdef uint64_t flip[2]
    for hand in range(x.n_later):
        flip[0] = flip[1] = 0
        cards = x.hand[hand + 1]
        while cards:
            one = cards & (0 - cards)
            cards ^= one
            flip[hand] = one
            if not try_reply(x, base.thrown[0] ^ flip[0], base.thrown[1] ^ flip[1]) or x.s.stop:
                return 0
        out = base.thrown[hand]
        while out:
            one = out & (0 - out)
            out ^= one
            back = x.hand[hand + 1] & ~base.thrown[hand]
            while back:
                other = back & (0 - back)
                back ^= other
                flip[hand] = one | other
                if not try_reply(x, base.thrown[0] ^ flip[0], base.thrown[1] ^ flip[1]) or x.s.stop:
                    return 0
    return 1


cdef int likely_replies(Exchange* x, Reply* hint) noexcept nogil:
    """Neighbours of replies that refute much: as `all_replies`."""
    cdef Reply bases[1 + NEAR_KNOWN]
    cdef int i, n = 1
    bases[0] = hint[0]
    for i in range(shorter(NEAR_KNOWN, x.n_known)):
        bases[n] = x.known[i].reply
        n += 1
    for i in range(n):
        if not near_replies(x, &bases[i]):
            return 0
    return 1


cdef void remember(Exchange* x) noexcept nogil:
    """A new refuter goes first; the worst gives way."""
    cdef int k
    if x.n_known < MAX_KNOWN:
        x.n_known += 1
    for k in range(x.n_known - 1, 0, -1):
        x.known[k] = x.known[k - 1]
    x.known[0].reply = x.refuter
    x.known[0].nodes = NODES_A_QUESTION
    x.known[0].wins = 1


cdef int ask_discard(Exchange* x, Reply* hint) noexcept nogil:
    """As `all_replies`. Likely refutations first: the hint, then standing pat, then what refuted other discards."""
    if hint.thrown[0] | hint.thrown[1] and possible(x, hint):
        if not ask_reply(x, hint.thrown[0], hint.thrown[1]):
            x.refuter = hint[0]
            return 0
    x.refuter.thrown[0] = x.refuter.thrown[1] = 0
    if not ask_reply(x, 0, 0):
        return 0
    if x.n_later == 0:
        return 1
    if not known_replies(x):
        return 0
    if (x.n_talon - x.n_own > FEW_LEFT and not likely_replies(x, hint)) or not all_replies(x):
        if not x.s.stop:
            remember(x)
        return 0
    return 1


cdef class ExchangeSearch:
    """Questions about the discards of one seat, put to an Engine.

    hands: three masks (bit = 16*suit + rank) after the exchanges of earlier seats; talon: bits of the cards left, next
    to be drawn first; contract as in Engine.solve, forehand leads; seat: the exchanger; reply: may later seats answer?
    One search at a time on an Engine; about 5 MB of its own.
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
        """Set limits for all questions from now on, together; forget that the Engine was cancelled."""
        cdef Search* s = &self.engine.s
        self.first_node = s.nodes
        s.node_limit = s.nodes + node_limit if node_limit else 0
        s.deadline = time.monotonic() + seconds if seconds else 0.0
        s.stop = RUNNING
        s.cancel = 0

    @property
    def nodes(self):
        """Cards played since `start`."""
        return self.engine.s.nodes - self.first_node

    @property
    def questions(self):
        """Positions asked about, those that the table answered included."""
        return self.x.n_questions

    @property
    def splits(self):
        """Ways to throw numbers of cards per suit and hand that were gone through."""
        return self.x.n_splits

    @property
    def refuter(self):
        """The reply that answered the last question with False: masks of the cards the later seats throw, in turn."""
        return (turn_suits(self.x.refuter.thrown[0], self.trump), turn_suits(self.x.refuter.thrown[1], self.trump))

    def candidates(self):
        """[(mask of a discard, number of discards with the same effect)]: all relatively different ones, fewest cards first.

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

    def ask(self, uint64_t discard, int tricks, only=None, hint=(0, 0)):
        """Is the seat sure of `tricks` (mizerka: of no more than `tricks`) after this discard?

        only: a reply, masks of what the later seats throw in turn, to which the question is limited; hint: one to try
        first. Returns True or False, both proven (`refuter` then says against which reply), or None when a limit was
        hit. Raises SearchStopped if cancelled, KeyboardInterrupt on Ctrl-C.
        """
        cdef Exchange* x = &self.x
        cdef Search* s = &self.engine.s
        cdef Reply given
        cdef bint single = only is not None
        cdef int answer
        if self.engine.busy:
            raise RuntimeError("this Engine is already searching in another thread")
        self.lay_out(discard)
        given.thrown[0] = turn_suits((only if single else hint)[0], self.trump)
        given.thrown[1] = turn_suits((only if single else hint)[1], self.trump)
        if (given.thrown[0] & ~x.hand[1]) | (given.thrown[1] & ~x.hand[2]) or single and not possible(x, &given):
            raise ValueError("a reply is of cards held, and no more than the talon has left")
        s.kind = KIND_MIZERKA if self.contract == 5 else KIND_NO_TRUMP if self.contract == 4 else KIND_TRUMP
        s.order = &s.orders[s.kind]
        x.wish = s.kind != KIND_MIZERKA
        x.need = tricks if x.wish else tricks + 1
        if s.stop == RUNNING:       # what stopped one question stops the next
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
        if s.stop == INTERRUPTED:
            interruption, self.engine.interruption = self.engine.interruption, None
            raise interruption
        if s.stop == CANCELLED:
            raise SearchStopped("cancelled")
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
