# cython: language_level=3
"""State keys, and all ways one trick can go from a state.

    key   63  62  61 60  59    45 44    30 29    15 14     0
         [ 1 ][0][leader][ clubs ][diamonds][ hearts ][ spades ]     four string numbers (suit_strings.pxd)

Before a key is made two things that cannot matter are taken out, each exact for sets, guaranteed values and
expected values alike (the uniform rule counts physical cards, and these rename cards without dropping any):
- Plain suits have no names: their strings are sorted. (SORT_SUITS)
- Plain suits all of whose cards one seat holds are one suit: nobody else can follow, its owner never has to
  follow in one but when it led it. Their cards are poured together, 13 to a lane. (POUR_SUITS)

A trick is three cards; touching cards of a hand are one class, played once and counted with its size. The ways are written
down as *leaves*, left to right, each with the key of the state after the trick.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from cards cimport bit_mask, lane_mask, msb, ctz, popcount, run_bottom
from suit_strings cimport SuitStrings, LANE_CARDS
from layers cimport Layer, layer_prefetch

cdef enum:
    FLAG_SORT_SUITS = 1
    FLAG_POUR_SUITS = 2
    FLAG_MERGE_TOUCHING = 4
    FLAG_PREFETCH = 8
    ALL_FLAGS = 15
    MAX_LEAVES = 17 * 17 * 17

cdef struct Leaf:
    uint64_t key
    uint32_t slot               # where the child layer keeps it, once found
    uint8_t winner
    uint8_t size                # cards in the third player's class
    uint8_t second_size         # of the second player's class, at its last leaf, else 0
    uint8_t first_size          # of the leader's class, at its last leaf, else 0

cdef struct Trick:              # a position at the start of a trick, or with one or two cards played
    uint16_t strings[4]         # of all cards in play, those of this trick included
    uint64_t hands[3]           # relative ranks, cards of this trick included
    int leader
    int first                   # bit of the card led, -1 if the leader is to choose
    int second                  # bit of the second card, -1 if to be chosen


cdef inline uint64_t state_key(const uint16_t* strings, int leader) noexcept nogil:
    return ((<uint64_t>1 << 63) | (<uint64_t>leader << 60) | (<uint64_t>strings[3] << 45) | (<uint64_t>strings[2] << 30)
            | (<uint64_t>strings[1] << 15) | strings[0])


cdef inline void trick_of_key(const SuitStrings* t, uint64_t key, Trick* trick) noexcept nogil:
    cdef int suit, seat
    cdef uint64_t lanes
    trick.leader = <int>((key >> 60) & 3)
    trick.first = -1
    trick.second = -1
    for seat in range(3):
        trick.hands[seat] = 0
    for suit in range(4):
        trick.strings[suit] = (key >> (15 * suit)) & 0x7FFF
        lanes = t.lanes[trick.strings[suit]]
        for seat in range(3):
            trick.hands[seat] |= ((lanes >> (16 * seat)) & 0xFFFF) << (16 * suit)


cdef inline void order_pair(uint16_t* a, uint16_t* b) noexcept nogil:
    cdef uint16_t high = a[0] if a[0] > b[0] else b[0]
    b[0] = a[0] ^ b[0] ^ high
    a[0] = high


cdef inline void pour(const SuitStrings* t, uint16_t* plain, int n_plain) noexcept nogil:
    cdef int seat, i, cards
    for seat in range(3):
        cards = 0
        for i in range(n_plain):
            if t.sole_owner[plain[i]] == 1 << seat:
                cards += t.length[plain[i]]
        for i in range(n_plain):
            if t.sole_owner[plain[i]] == 1 << seat:
                plain[i] = t.sole[seat][cards if cards < LANE_CARDS else LANE_CARDS]
                cards -= t.length[plain[i]]


cdef inline uint64_t canonical_key(const SuitStrings* t, const uint16_t* strings, int leader, int trump,
                                   int flags) noexcept nogil:
    cdef uint16_t s[4]
    cdef int n_plain = 4, a, b, c, d
    s[0] = strings[0]
    s[1] = strings[1]
    s[2] = strings[2]
    s[3] = strings[3]
    if trump >= 0:              # out of the way of the plain suits: in lane 3 while they are sorted
        s[3] = strings[trump]
        s[trump] = strings[3]
        n_plain = 3
    if flags & FLAG_POUR_SUITS:
        a = t.sole_owner[s[0]]
        b = t.sole_owner[s[1]]
        c = t.sole_owner[s[2]]
        d = t.sole_owner[s[3]] if n_plain == 4 else 0
        if (a & b) | (c & (a | b)) | (d & (a | b | c)):
            pour(t, s, n_plain)
    if flags & FLAG_SORT_SUITS:
        order_pair(&s[0], &s[1])
        if n_plain == 4:
            order_pair(&s[2], &s[3])
            order_pair(&s[0], &s[2])
            order_pair(&s[1], &s[3])
        else:
            order_pair(&s[0], &s[2])
        order_pair(&s[1], &s[2])
    if trump >= 0:
        a = s[3]
        s[3] = s[trump]
        s[trump] = <uint16_t>a
    return state_key(s, leader)


cdef inline bint beats(int card, int best, int trump) noexcept nogil:
    """Does `card`, played later, beat the best card so far?"""
    if (card ^ best) & 48:
        return card >> 4 == trump
    return card > best


cdef inline uint64_t legal_cards(uint64_t hand, int led) noexcept nogil:
    cdef uint64_t follow = hand & lane_mask(led)
    return follow if follow else hand


cdef inline uint64_t class_tops(uint64_t cards, int flags) noexcept nogil:
    """The highest card of each run of touching cards."""
    return cards & ~(cards >> 1) if flags & FLAG_MERGE_TOUCHING else cards


cdef inline int class_size(uint64_t cards, int top, int flags) noexcept nogil:
    return top - run_bottom(cards, top) + 1 if flags & FLAG_MERGE_TOUCHING else 1


cdef inline void take_out(const SuitStrings* t, uint16_t* strings, int card, int gone_a, int gone_b) noexcept nogil:
    """Take a card out of its string; cards gone before it and above it have moved it up."""
    cdef int rank = card & 15
    if gone_a >= 0 and gone_a >> 4 == card >> 4 and gone_a > card:
        rank += 1
    if gone_b >= 0 and gone_b >> 4 == card >> 4 and gone_b > card:
        rank += 1
    strings[card >> 4] = t.removed[LANE_CARDS * strings[card >> 4] + rank]


cdef inline int third_leaves(const SuitStrings* t, const Trick* trick, const uint16_t* strings, int first, int second,
                             int trump, int flags, const Layer* below, Leaf* out) noexcept nogil:
    """The third player's cards after `first` and `second`, which `strings` no longer hold."""
    cdef int mover = (trick.leader + 2) % 3, n = 0, third, suit
    cdef int ahead = trick.leader, best = first
    cdef uint64_t legal = legal_cards(trick.hands[mover], first), tops = class_tops(legal, flags)
    cdef uint16_t after[4]
    if beats(second, first, trump):
        ahead = (trick.leader + 1) % 3
        best = second
    for suit in range(4):
        after[suit] = strings[suit]
    while tops:
        third = ctz(tops)
        tops &= tops - 1
        out[n].size = <uint8_t>class_size(legal, third, flags)
        out[n].winner = <uint8_t>(mover if beats(third, best, trump) else ahead)
        out[n].second_size = 0
        out[n].first_size = 0
        take_out(t, after, third, first, second)
        out[n].key = canonical_key(t, after, out[n].winner, trump, flags)
        after[third >> 4] = strings[third >> 4]
        if flags & FLAG_PREFETCH:
            layer_prefetch(below, out[n].key)
        n += 1
    return n


cdef inline int trick_leaves(const SuitStrings* t, const Trick* trick, int trump, int flags, const Layer* below,
                             Leaf* out) noexcept nogil:
    """Write all leaves; returns how many (at least 1, at most MAX_LEAVES)."""
    cdef int mover = (trick.leader + 1) % 3, n = 0, first, second, suit
    cdef uint64_t firsts, seconds, legal
    cdef uint64_t lead = trick.hands[trick.leader]
    cdef uint16_t without_first[4]
    cdef uint16_t without_both[4]
    firsts = class_tops(lead, flags) if trick.first < 0 else bit_mask(trick.first)
    while firsts:
        first = ctz(firsts)
        firsts &= firsts - 1
        for suit in range(4):
            without_first[suit] = trick.strings[suit]
        take_out(t, without_first, first, -1, -1)
        legal = legal_cards(trick.hands[mover], first)
        seconds = class_tops(legal, flags) if trick.second < 0 else bit_mask(trick.second)
        while seconds:
            second = ctz(seconds)
            seconds &= seconds - 1
            for suit in range(4):
                without_both[suit] = without_first[suit]
            take_out(t, without_both, second, first, -1)
            n += third_leaves(t, trick, without_both, first, second, trump, flags, below, out + n)
            out[n - 1].second_size = <uint8_t>class_size(legal, second, flags)
        out[n - 1].first_size = <uint8_t>class_size(lead, first, flags)
    return n
