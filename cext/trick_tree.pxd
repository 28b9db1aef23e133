# cython: language_level=3
"""State keys, and all ways one trick can go from a state.

    key    63        48 47        32 31        16 15         0
          [1|  clubs   ][0| diamonds ][l| hearts   ][l| spades   ]    four string numbers of 15 bits (suit_strings.pxd);
                                                                   the two l are the leader, high bit in hearts' lane

The key is exact: owners of all relative ranks, and who leads. Playing a card changes one lane.

Touching cards of a hand are one class, played once and counted with its size. The ways a trick can go are written
down as *leaves*, left to right: a tree of the leader's classes, the second player's, the third's, each leaf with the
key of the state after the trick. Those who follow suit come ready-made from suit_plays.pxd; discards are combined here.
"""

from libc.stdint cimport uint8_t, uint16_t, uint32_t, uint64_t
from suit_strings cimport SuitStrings, LANE_CARDS
from suit_plays cimport CardClass, Play, SuitPlays, told_as
from layers cimport Layer, key_hash, slot_of
from cards cimport prefetch
from flags cimport FLAG_PREFETCH

cdef enum:
    MAX_LEAVES = 17 * 17 * 17

cdef struct Leaf:
    uint64_t key
    uint64_t* entry             # of the key in the layer below, once found
    uint32_t hashed
    uint32_t told               # winner and class sizes, see suit_plays.pxd

cdef struct Discard:            # a class of a player without the suit led
    uint64_t change             # of the key
    uint8_t suit
    uint8_t rank
    uint8_t size
    bint ruffs

cdef struct TrickRules:
    const SuitStrings* strings
    const SuitPlays* plays
    const Layer* below
    int trump
    int flags
    uint64_t led_by[3]          # leader's bits of the key, mark included


cdef inline int told_winner(uint32_t told) noexcept nogil:
    return told & 0xFF

cdef inline int told_third(uint32_t told) noexcept nogil:
    return (told >> 8) & 0xFF

cdef inline int told_second(uint32_t told) noexcept nogil:
    return (told >> 16) & 0xFF

cdef inline int told_first(uint32_t told) noexcept nogil:
    return told >> 24


cdef inline uint64_t leader_bits(int leader) noexcept nogil:
    return (<uint64_t>1 << 63) | (<uint64_t>(leader >> 1) << 31) | (<uint64_t>(leader & 1) << 15)


cdef inline int key_leader(uint64_t key) noexcept nogil:
    return <int>(((key >> 15) & 1) | ((key >> 30) & 2))


cdef inline uint64_t key_strings(uint64_t key) noexcept nogil:
    return key & <uint64_t>0x7FFF7FFF7FFF7FFF


cdef inline void put_leaf(const TrickRules* r, Leaf* leaf, uint64_t strings, uint32_t told) noexcept nogil:
    cdef uint64_t key = strings | r.led_by[told_winner(told)]
    leaf.key = key
    leaf.hashed = key_hash(key)
    leaf.told = told
    if r.flags & FLAG_PREFETCH:
        prefetch(r.below.index + slot_of(r.below, leaf.hashed))


cdef inline int hand_discards(const TrickRules* r, uint64_t strings, int seat, Discard* out) noexcept nogil:
    """All classes of a hand, suit by suit; returns how many. The player is known to have none in the suit led."""
    cdef int suit, n = 0
    cdef uint64_t string
    cdef const CardClass* c
    cdef const CardClass* end
    for suit in range(4):
        string = 3 * ((strings >> (16 * suit)) & 0x7FFF) + seat
        c = r.plays.classes + r.plays.class_start[string]
        end = r.plays.classes + r.plays.class_start[string + 1]
        while c < end:
            out[n].change = <uint64_t>c.change << (16 * suit)
            out[n].suit = <uint8_t>suit
            out[n].rank = c.rank
            out[n].size = c.size
            out[n].ruffs = suit == r.trump
            n += 1
            c += 1
    return n


cdef inline int leaves_all_follow(const TrickRules* r, uint64_t strings, int shift, const Play* play, const Play* end,
                                  Leaf* out) noexcept nogil:
    cdef int n = 0
    while play < end:
        put_leaf(r, out + n, strings ^ (<uint64_t>play.change << shift), play.told)
        n += 1
        play += 1
    return n


cdef inline int leaves_last_discards(const TrickRules* r, uint64_t strings, int shift, const Play* play,
                                     const Play* end, int last, Leaf* out) noexcept nogil:
    cdef Discard discards[17]
    cdef int i, n = 0, n_discards = hand_discards(r, strings, last, discards)
    cdef uint64_t after
    while play < end:
        after = strings ^ (<uint64_t>play.change << shift)
        for i in range(n_discards):
            put_leaf(r, out + n, after ^ discards[i].change,
                     told_as(last if discards[i].ruffs else told_winner(play.told), discards[i].size, 0, 0))
            n += 1
        out[n - 1].told |= play.told & <uint32_t>0xFFFF0000
        play += 1
    return n


cdef inline int leaves_middle_discards(const TrickRules* r, uint64_t strings, int shift, const Play* play,
                                       const Play* end, int middle, Leaf* out) noexcept nogil:
    cdef Discard discards[17]
    cdef int i, n = 0, n_discards = hand_discards(r, strings, middle, discards)
    cdef uint64_t after
    cdef uint32_t told
    cdef const Play* group                  # ways that share the card led
    while play < end:
        group = play
        for i in range(n_discards):
            after = strings ^ discards[i].change
            play = group
            while True:
                told = play.told & 0xFF00
                told |= <uint32_t>(middle if discards[i].ruffs else told_winner(play.told))
                put_leaf(r, out + n, after ^ (<uint64_t>play.change << shift), told)
                n += 1
                play += 1
                if told_first((play - 1).told):
                    break
            out[n - 1].told |= told_as(0, 0, discards[i].size, 0)
        out[n - 1].told |= (play - 1).told & <uint32_t>0xFF000000
    return n


cdef inline int leaves_both_discard(const TrickRules* r, uint64_t strings, int shift, const Play* play, int leader,
                                    Leaf* out) noexcept nogil:
    """Only the leader holds the suit: its cards are one class, unless classes are not merged."""
    cdef int middle = (leader + 1) % 3, last = (leader + 2) % 3
    cdef Discard seconds[17]
    cdef Discard thirds[17]
    cdef Discard* b
    cdef Discard* c
    cdef int i, j, n = 0, winner, n_seconds = hand_discards(r, strings, middle, seconds)
    cdef int n_thirds = hand_discards(r, strings, last, thirds)
    cdef uint64_t led = strings ^ (<uint64_t>play.change << shift), after, string
    for i in range(n_seconds):
        b = &seconds[i]
        for j in range(n_thirds):
            c = &thirds[j]
            after = led ^ b.change
            if c.suit == b.suit:            # the second discard meets a string the first has changed
                string = (after >> (16 * c.suit)) & 0x7FFF
                after ^= (string ^ r.strings.removed[LANE_CARDS * string + c.rank + (b.rank > c.rank)]) << (16 * c.suit)
            else:
                after ^= c.change
            winner = middle if b.ruffs else leader
            if c.ruffs and not (b.ruffs and b.rank > c.rank):
                winner = last
            put_leaf(r, out + n, after, told_as(winner, c.size, 0, 0))
            n += 1
        out[n - 1].told |= told_as(0, 0, b.size, 0)
    out[n - 1].told |= play.told & <uint32_t>0xFF000000
    return n


cdef inline int trick_leaves(const TrickRules* r, uint64_t strings, int leader, Leaf* out) noexcept nogil:
    """Write all leaves; returns how many (1 to MAX_LEAVES). `strings`: a key's lanes without the leader."""
    cdef int middle = (leader + 1) % 3, last = (leader + 2) % 3, shift, n = 0
    cdef uint64_t string
    cdef const Play* play
    cdef const Play* end
    cdef const uint32_t* classes
    cdef bint middle_follows, last_follows
    for shift in range(0, 64, 16):
        string = 3 * ((strings >> shift) & 0x7FFF)
        play = r.plays.plays + r.plays.play_start[string + leader]
        end = r.plays.plays + r.plays.play_start[string + leader + 1]
        if play == end:
            continue
        classes = r.plays.class_start + string
        middle_follows = classes[middle] < classes[middle + 1]
        last_follows = classes[last] < classes[last + 1]
        if middle_follows and last_follows:
            n += leaves_all_follow(r, strings, shift, play, end, out + n)
        elif middle_follows:
            n += leaves_last_discards(r, strings, shift, play, end, last, out + n)
        elif last_follows:
            n += leaves_middle_discards(r, strings, shift, play, end, middle, out + n)
        else:
            while play < end:
                n += leaves_both_discard(r, strings, shift, play, leader, out + n)
                play += 1
    return n


cdef inline int keep_first(Leaf* leaves, int n, int place) noexcept nogil:
    """Keep only the leaves under the leader's class number `place`; returns how many. They stay in order."""
    cdef int i, kept = 0
    for i in range(n):
        if place == 0:
            leaves[kept] = leaves[i]
            kept += 1
        if told_first(leaves[i].told):
            place -= 1
    return kept


cdef inline int keep_second(Leaf* leaves, int n, int place) noexcept nogil:
    """The same for the second player's class, once the leader's is chosen."""
    cdef int i, kept = 0
    for i in range(n):
        if place == 0:
            leaves[kept] = leaves[i]
            kept += 1
        if told_second(leaves[i].told):
            place -= 1
    return kept
