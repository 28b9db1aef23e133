# cython: language_level=3
"""Transposition table of partition entries. A hit is exact: what is stored was proven from the cards under its mask.

A bucket is everything known about one distribution: suit lengths of each hand, leader, kind (`key` in position.pxd).
It holds patterns: (mask, owners under the mask, a question and its answer). A pattern
covers every position of the bucket whose owners agree under the mask, in this deal or any other: keys know no deal,
so nothing has to be emptied between deals, seats or contracts. (An Engine empties it between deals all the same: two
deals share next to nothing, and a small table is faster.)

    Slot   24 bytes   | key 64 | first block of "yes" 32 | of "no" 32 | epoch 32 | last lead that cut 8 | .. |
    Block 128 bytes   | next 32 | n 8 | need 8 | .. | mask[4] | lone[4] | second[4] |

The two lists of a bucket are kept in order, so that those that can answer a question stand in front: of "yes, at least
so many" the high ones, of "no" the low ones.

Memory: two generations, each half of the limit. When the young one is full the old one is forgotten, they change
places, and what is still asked for is copied back as it is hit. Nothing ever fails for want of room.

The index of a generation starts small and doubles, each size in its own stretch of one reserved array (so there is
no allocation during a search, and a short search touches little memory). A slot is in use if its *epoch* is that of the
generation; so the next epoch empties it, and nothing is wiped.
"""

from libc.stdlib cimport calloc, free
from libc.string cimport memset

from cards cimport ctz, match4, uint8_t, uint32_t, uint64_t

cdef extern from "layout.h" nogil:
    void check "MZ_CHECK"(bint condition) noexcept

cdef enum:
    PATTERNS = 4            # a block
    FIRST_INDEX_BITS = 10
    NO_CARD = 255
    LEAST_MEMORY = 1 << 20
    MAX_INDEX_BITS = 30     # places of slots, and numbers of blocks, are 32 bits

cdef struct Slot:
    uint64_t key
    uint32_t first          # block of "yes", most tricks first; 0 = none
    uint32_t first_no       # block of "no", fewest tricks first (mizerka has all in one list)
    uint32_t epoch          # the slot is free if it is not the generation's
    uint8_t cut_card        # relative bit, or NO_CARD
    uint8_t pad[3]

cdef struct Block:
    uint32_t next
    uint8_t n
    uint8_t need            # all patterns of a block answer this question
    uint8_t pad[2]
    uint64_t spare[3]
    uint64_t mask[4]        # these three are matched together: match4 in bits.h
    uint64_t lone[4]
    uint64_t second[4]

cdef struct Pattern:        # a question, and what is known of the positions like it
    uint64_t key
    uint64_t lone           # owners of the cards, `second` the hand after the lone player's
    uint64_t second
    uint64_t mask           # under which cards they matter
    int need

cdef struct Generation:
    Slot* slots             # sizes 2^10, 2^11, ... one after the other: size 2^b starts at slot 2^b
    Block* blocks           # block 0 is not used
    uint32_t epoch          # never 0, which is that of slots never used
    int index_bits
    uint32_t n_slots
    uint32_t n_blocks

cdef struct Table:
    Generation gen[2]
    int young
    bint has_old
    int max_index_bits
    uint32_t max_blocks
    uint64_t n_probes       # statistics
    uint64_t n_hits
    uint64_t n_patterns_seen
    uint64_t n_stores
    uint64_t n_agings


cdef inline Slot* slot_for(Generation* g, uint64_t key) noexcept nogil:
    """The bucket's slot, or the free slot where it would go."""
    cdef uint64_t h = (key ^ (key >> 29)) * <uint64_t>0x9E3779B97F4A7C15
    cdef uint32_t top = (<uint32_t>1) << g.index_bits
    cdef uint32_t i = <uint32_t>(h >> (64 - g.index_bits))
    cdef Slot* base = g.slots + top
    while base[i].epoch == g.epoch and base[i].key != key:
        i = (i + 1) & (top - 1)
    return base + i


cdef inline bint in_use(const Generation* g, const Slot* slot) noexcept nogil:
    return slot.epoch == g.epoch


cdef inline void clear_generation(Generation* g, int max_index_bits) noexcept nogil:
    """All slots become free at once; they are wiped when the epochs have all been used."""
    g.epoch += 1
    if g.epoch == 0:
        memset(g.slots, 0, (<size_t>2 << max_index_bits) * sizeof(Slot))
        g.epoch = 1
    g.index_bits = FIRST_INDEX_BITS
    g.n_slots = 0
    g.n_blocks = 1


cdef inline size_t table_bytes(const Table* t) noexcept nogil:
    """Of the young generation, as far as it has been used."""
    cdef const Generation* g = &t.gen[t.young]
    return g.n_blocks * sizeof(Block) + (<size_t>2 << g.index_bits) * sizeof(Slot)


cdef inline void clear_table(Table* t) noexcept nogil:
    check(sizeof(Slot) == 24 and sizeof(Block) == 128)      # as drawn above
    clear_generation(&t.gen[0], t.max_index_bits)
    clear_generation(&t.gen[1], t.max_index_bits)
    t.has_old = False


cdef inline void set_sizes(Table* t, size_t memory) noexcept nogil:
    """A third of a generation at most is for its index (all sizes together take twice the last one)."""
    cdef size_t half = (memory if memory > LEAST_MEMORY else LEAST_MEMORY) // 2, index_bits = FIRST_INDEX_BITS, n
    while index_bits < MAX_INDEX_BITS and (<size_t>4 << index_bits) * sizeof(Slot) <= half // 3:
        index_bits += 1
    n = (half - (<size_t>2 << index_bits) * sizeof(Slot)) // sizeof(Block)
    t.max_index_bits = <int>index_bits
    t.max_blocks = <uint32_t>n if n >> 32 == 0 else ~<uint32_t>0


cdef inline int reserve_table(Table* t, size_t memory) noexcept nogil:
    """0, or -1 when the system has not so much. (calloc: the system hands out zeroed pages as they are touched, so an
    unused table costs nothing.)"""
    cdef int g
    set_sizes(t, memory)
    for g in range(2):
        t.gen[g].slots = <Slot*>calloc(<size_t>2 << t.max_index_bits, sizeof(Slot))
        t.gen[g].blocks = <Block*>calloc(t.max_blocks, sizeof(Block))
        if t.gen[g].slots == NULL or t.gen[g].blocks == NULL:
            return -1
    clear_table(t)
    return 0


cdef inline void release_table(Table* t) noexcept nogil:
    cdef int g
    for g in range(2):
        free(t.gen[g].slots)
        free(t.gen[g].blocks)


cdef inline void grow_index(Generation* g) noexcept nogil:
    cdef uint32_t i, size = (<uint32_t>1) << g.index_bits
    cdef Slot* old = g.slots + size
    g.index_bits += 1
    for i in range(size):
        if in_use(g, old + i):
            slot_for(g, old[i].key)[0] = old[i]


cdef inline void age(Table* t) noexcept nogil:
    t.young ^= 1
    t.has_old = True
    clear_generation(&t.gen[t.young], t.max_index_bits)
    t.n_agings += 1


cdef inline Block* match(Generation* g, uint32_t at, bint answer, Pattern* p, uint64_t* seen) noexcept nogil:
    """The block with a pattern that answers "at least `p.need`?" with `answer`, and its mask in `p`; or NULL."""
    cdef Block* b
    cdef int found
    while at:
        b = g.blocks + at
        if b.need < p.need if answer else b.need > p.need:
            break
        seen[0] += PATTERNS
        found = match4(b.mask, p.lone, p.second)
        if found:
            p.mask = b.mask[ctz(found)]
            return b
        at = b.next
    return NULL


cdef inline int match_both(Generation* g, const Slot* slot, Pattern* p, Block** block, uint64_t* seen) noexcept nogil:
    """1 or 0 if a pattern of the bucket answers the question, -1 if none does."""
    block[0] = match(g, slot.first, True, p, seen)
    if block[0] != NULL:
        return 1
    block[0] = match(g, slot.first_no, False, p, seen)
    return -1 if block[0] == NULL else 0


cdef inline Slot* open_slot(Table* t, uint64_t key) noexcept nogil:
    """The bucket's slot in the young generation, made if there is none; afterwards there is room for one block more."""
    cdef Generation* g = &t.gen[t.young]
    cdef Slot* slot
    cdef bint half_full = g.n_slots * 2 >= (<uint32_t>1 << g.index_bits)
    if g.n_blocks >= t.max_blocks or (half_full and g.index_bits == t.max_index_bits):
        age(t)
        g = &t.gen[t.young]
    elif half_full:
        grow_index(g)
    t.n_stores += 1
    slot = slot_for(g, key)
    if not in_use(g, slot):
        slot.key = key
        slot.epoch = g.epoch
        slot.first = slot.first_no = 0
        slot.cut_card = NO_CARD
        g.n_slots += 1
    return slot


cdef inline void store(Table* t, const Pattern* p, bint answer, int cut_card) noexcept nogil:
    cdef Slot* slot = open_slot(t, p.key)
    cdef Generation* g = &t.gen[t.young]
    cdef Block* b
    cdef uint32_t* link = &slot.first if answer else &slot.first_no
    cdef int i
    if cut_card >= 0:
        slot.cut_card = <uint8_t>cut_card
    while link[0] and (g.blocks[link[0]].need > p.need if answer else g.blocks[link[0]].need < p.need):
        link = &g.blocks[link[0]].next
    b = g.blocks + link[0]
    if link[0] == 0 or b.need != p.need or b.n == PATTERNS:
        b = g.blocks + g.n_blocks
        b.next = link[0]
        b.n = 0
        b.need = <uint8_t>p.need
        for i in range(PATTERNS):       # an empty place matches nothing: no position has all bits
            b.mask[i] = b.lone[i] = ~<uint64_t>0
        link[0] = g.n_blocks
        g.n_blocks += 1
    i = b.n
    b.mask[i] = p.mask
    b.lone[i] = p.lone & p.mask
    b.second[i] = p.second & p.mask
    b.n += 1


cdef inline int probe(Table* t, Pattern* p, uint64_t* used, int* cut_card) noexcept nogil:
    """1 or 0 and the cards it rests on, or -1; and the bucket's last cut."""
    cdef Generation* g = &t.gen[t.young]
    cdef Slot* slot = slot_for(g, p.key)
    cdef Block* b
    cdef int answer
    t.n_probes += 1
    cut_card[0] = -1
    if in_use(g, slot):
        if slot.cut_card != NO_CARD:
            cut_card[0] = slot.cut_card
        answer = match_both(g, slot, p, &b, &t.n_patterns_seen)
        if answer >= 0:
            t.n_hits += 1
            used[0] = p.mask
            return answer
    if t.has_old:
        g = &t.gen[t.young ^ 1]
        slot = slot_for(g, p.key)
        if in_use(g, slot):
            if cut_card[0] < 0 and slot.cut_card != NO_CARD:
                cut_card[0] = slot.cut_card
            answer = match_both(g, slot, p, &b, &t.n_patterns_seen)
            if answer >= 0:
                t.n_hits += 1
                used[0] = p.mask
                p.need = b.need
                store(t, p, answer, cut_card[0])
                return answer
    return -1
