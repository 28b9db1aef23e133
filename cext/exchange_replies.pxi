# The replies of the later seats to one discard: all of them, covered by as few searches as possible, and the likely
# refutations before. Included by exchange.pxi, which has the structs and says what a reply, a choice and a split are.
#
# What tries replies returns 1 when the discard is good against all of them, 0 when one refutes it (x.refuter) or when
# the search was stopped; the caller looks at s.stop.

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
                c.facts = facts_of(x, c.lane)
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


cdef void add_pattern(Exchange* x, int i, Relations* used, Choice** from_, int* n, int* order, int* c) noexcept nogil:
    """Mark every choice of the split whose facts are those of choices c wherever the answer rests on them."""
    cdef uint64_t bit = (<uint64_t>1) << i, mask, facts
    cdef int k, j
    for k in range(4):
        mask = used.suit[order[k]]
        facts = from_[k][c[k]].facts
        for j in range(n[k]):
            if (from_[k][j].facts ^ facts) & mask:
                x.match[k][j] &= ~bit
            else:
                x.match[k][j] |= bit


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
    cdef uint64_t bit
    cdef Relations used
    cdef SuitList* l
    cdef int suit, k, i, n_patterns = 0
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
        add_pattern(x, i, &used, from_, n, order, c)
        for k in range(1, 4):
            ends[k] &= ~bit
            agree[k] = agree[k] | bit
        for k in range(3, 0, -1):
            if used.suit[order[k]]:
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


cdef int all_replies(Exchange* x) noexcept nogil:
    """The discard against every reply: 1 good against all, 0 refuted (x.refuter) or stopped.

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


cdef inline bint possible(Exchange* x, Reply* reply) noexcept nogil:
    return x.n_own + popcount(reply.thrown[0]) + popcount(reply.thrown[1]) <= x.n_talon


cdef inline void put_first(Exchange* x, int i) noexcept nogil:
    """The refuter becomes the first of the known replies, in the place of number i."""
    while i:
        x.known[i] = x.known[i - 1]
        i -= 1
    x.known[0] = x.refuter


cdef int known_replies(Exchange* x) noexcept nogil:
    """The replies that refuted other discards: as `all_replies`."""
    cdef int i
    for i in range(x.n_known):
        if possible(x, &x.known[i]) and not ask_reply(x, x.known[i].thrown[0], x.known[i].thrown[1]):
            if not x.s.stop:
                x.refuter = x.known[i]
                put_first(x, i)
            return 0
    return 1


cdef int try_reply(Exchange* x, uint64_t first, uint64_t second) noexcept nogil:
    """As `all_replies`, for one reply; an impossible one refutes nothing."""
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


cdef uint64_t draw_throw(Exchange* x, uint64_t hand, int n) noexcept nogil:
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
            out |= <uint64_t>1 << (16 * suit + left)
            lane ^= <uint32_t>1 << left
            number[suit] -= 1
    return out


cdef int random_replies(Exchange* x) noexcept nogil:
    """Replies of all sizes and shapes, as `all_replies`: where some refute, they are often one in a hundred, but a
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


cdef int ask_discard(Exchange* x, Reply* hint) noexcept nogil:
    """As `all_replies`. Likely refutations first: the hint, what refuted other discards, some at random. Standing pat is
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
