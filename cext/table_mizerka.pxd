# cython: language_level=3
"""Patterns of relations in the transposition table: how answers in mizerka are kept. A hit is exact.

A bucket (key with `need`) holds patterns: a mask of relations (relations.pxd), their truth, and the answer, yes or no.
A pattern covers every position of the bucket in which those relations have that truth. The four suit words of a
position are packed end to end into one to four words first (`width`); up to eight tricks or so one is enough.

    Block 128 bytes   | mask[7] | next 32 | n 8 | answers 8 | .. | value[7] | .. |
                      7, 3, 2, 1 patterns of width 1, 2, 3, 4

Slots, generations and ageing are table.pxd's: the kind is in the key, so blocks of both sorts share the memory.
"""

from cards cimport ctz, uint8_t, uint32_t, uint64_t
from position cimport NEED_SHIFT, Trick
from relations cimport Relations, ones
from table cimport NO_CARD, Block, Generation, Slot, Table, check, in_use, open_slot, slot_for

cdef extern from "bits.h" nogil:
    int match8 "mz_match8"(const uint64_t* mask, const uint64_t* value, const uint64_t* position) noexcept

cdef struct RelationBlock:
    uint64_t mask[7]
    uint32_t next
    uint8_t n
    uint8_t answers         # a bit a pattern
    uint8_t pad[2]
    uint64_t value[7]
    uint64_t spare

cdef struct Packed:
    uint64_t word[8]        # the position's words, over and over: one place for each word of a block
    int width
    int per_block


cdef inline int pack(const uint64_t* suits, const int* n_bits, uint64_t* word) noexcept nogil:
    """End to end; returns how many words that takes (at least one)."""
    cdef int suit, at = n_bits[0] + n_bits[1], end
    if at + n_bits[2] + n_bits[3] <= 64:
        word[0] = suits[0] | suits[1] << n_bits[0] | suits[2] << (at & 63) | suits[3] << ((at + n_bits[2]) & 63)
        return 1
    at = n_bits[0]
    word[0] = suits[0]
    word[1] = word[2] = word[3] = 0
    for suit in range(1, 4):
        word[at >> 6] |= suits[suit] << (at & 63)
        end = (at & 63) + n_bits[suit]
        if end > 64:
            word[(at >> 6) + 1] = suits[suit] >> (64 - (at & 63))
        at += n_bits[suit]
    return ((at + 63) >> 6) or 1


cdef inline void unpack(const uint64_t* word, const int* n_bits, uint64_t* suits) noexcept nogil:
    cdef int suit, at = n_bits[0] + n_bits[1], end
    if at + n_bits[2] + n_bits[3] <= 64:
        suits[0] = word[0] & ones(n_bits[0])
        suits[1] = word[0] >> n_bits[0] & ones(n_bits[1])
        suits[2] = word[0] >> (at & 63) & ones(n_bits[2])
        suits[3] = word[0] >> ((at + n_bits[2]) & 63) & ones(n_bits[3])
        return
    at = 0
    for suit in range(4):
        suits[suit] = word[at >> 6] >> (at & 63) if n_bits[suit] else 0
        end = (at & 63) + n_bits[suit]
        if end > 64:
            suits[suit] |= word[(at >> 6) + 1] << (64 - (at & 63))
        suits[suit] &= ones(n_bits[suit])
        at += n_bits[suit]


cdef inline void pack_position(const Trick* t, Packed* p) noexcept nogil:
    cdef int i
    check(sizeof(RelationBlock) == sizeof(Block))       # they share the memory
    p.width = pack(t.above, t.n_bits, p.word)
    p.per_block = 7 if p.width == 1 else 3 if p.width == 2 else 2 if p.width == 3 else 1
    if p.width == 1:
        for i in range(1, 8):
            p.word[i] = p.word[0]
    elif p.width == 2:
        for i in range(2, 8):
            p.word[i] = p.word[i - 2]
    else:
        for i in range(p.width, 8):
            p.word[i] = p.word[i - p.width]


cdef inline int matches(const RelationBlock* b, const Packed* p) noexcept nogil:
    """Number of the block's first pattern that holds, or -1."""
    cdef int found = match8(b.mask, b.value, p.word)
    if p.width == 1:
        found &= 0x7F
        return ctz(found) if found else -1
    if p.width == 2:
        found &= found >> 1 & 0x15
        return ctz(found) >> 1 if found else -1
    if p.width == 3:
        found &= found >> 1 & found >> 2 & 0x9
        return ctz(found) // 3 if found else -1
    return 0 if found & 15 == 15 else -1


cdef inline void store_packed(Table* t, uint64_t key, const uint64_t* mask, const Packed* p, bint answer,
                              int cut_card) noexcept nogil:
    cdef Slot* slot = open_slot(t, key)
    cdef Generation* g = &t.gen[t.young]
    cdef RelationBlock* b = NULL
    cdef int i, k
    if cut_card >= 0:
        slot.cut_card = <uint8_t>cut_card
    if slot.first:
        b = <RelationBlock*>(g.blocks + slot.first)
    if b == NULL or b.n == p.per_block:
        b = <RelationBlock*>(g.blocks + g.n_blocks)
        b.next = slot.first
        b.n = 0
        b.answers = 0
        for i in range(7):              # an empty place matches nothing: what is masked out is 0
            b.mask[i] = 0
            b.value[i] = 1
        slot.first = g.n_blocks
        g.n_blocks += 1
    i = b.n * p.width
    for k in range(p.width):
        b.mask[i + k] = mask[k]
        b.value[i + k] = p.word[k] & mask[k]
    b.answers |= answer << b.n
    b.n += 1


cdef inline void store_relations(Table* t, uint64_t key, const Trick* position, const Packed* p, const Relations* used,
                                 bint answer, int cut_card) noexcept nogil:
    cdef uint64_t mask[4]
    pack(used.suit, position.n_bits, mask)
    store_packed(t, key, mask, p, answer, cut_card)


cdef inline int find(Generation* g, Slot* slot, const Packed* p, RelationBlock** block, uint64_t* seen) noexcept nogil:
    cdef uint32_t at = slot.first
    cdef RelationBlock* b
    cdef int i
    while at:
        b = <RelationBlock*>(g.blocks + at)
        seen[0] += p.per_block
        i = matches(b, p)
        if i >= 0:
            block[0] = b
            return i
        at = b.next
    return -1


cdef inline int find_answer(Table* t, uint64_t key, const Packed* p, bint answer, uint64_t* mask) noexcept nogil:
    """As `find`, in the young bucket of another `need`: only patterns with this answer are good here."""
    cdef Generation* g = &t.gen[t.young]
    cdef Slot* slot = slot_for(g, key)
    cdef RelationBlock* b
    cdef int i = find(g, slot, p, &b, &t.n_patterns_seen) if in_use(g, slot) else -1, k
    # If the same relations give the other answer there, no other pattern can say more.
    if i < 0 or b.answers >> i & 1 != answer:
        return 0
    for k in range(p.width):
        mask[k] = b.mask[i * p.width + k]
    return 1


cdef inline int probe_relations(Table* t, uint64_t key, const Trick* position, const Packed* p, Relations* used,
                                int* cut_card) noexcept nogil:
    """1 or 0 and the relations it rests on, or -1; and the bucket's last cut."""
    cdef Generation* g = &t.gen[t.young]
    cdef Slot* slot = slot_for(g, key)
    cdef RelationBlock* b
    cdef int i, answer
    cdef uint64_t mask[4]
    cdef uint64_t one_more = <uint64_t>1 << NEED_SHIFT
    t.n_probes += 1
    cut_card[0] = -1
    used.either_leads = False
    if in_use(g, slot):
        if slot.cut_card != NO_CARD:
            cut_card[0] = slot.cut_card
        i = find(g, slot, p, &b, &t.n_patterns_seen)
        if i >= 0:
            t.n_hits += 1
            unpack(b.mask + i * p.width, position.n_bits, used.suit)
            return b.answers >> i & 1
    # Fewer than need - 1 is fewer than need; at least need + 1 is at least need.
    for answer in range(2):
        if find_answer(t, key + one_more if answer else key - one_more, p, answer, mask):
            t.n_hits += 1
            unpack(mask, position.n_bits, used.suit)
            return answer
    if t.has_old:
        g = &t.gen[t.young ^ 1]
        slot = slot_for(g, key)
        if in_use(g, slot):
            if cut_card[0] < 0 and slot.cut_card != NO_CARD:
                cut_card[0] = slot.cut_card
            i = find(g, slot, p, &b, &t.n_patterns_seen)
            if i >= 0:
                t.n_hits += 1
                answer = b.answers >> i & 1
                unpack(b.mask + i * p.width, position.n_bits, used.suit)
                store_relations(t, key, position, p, used, answer, cut_card[0])
                return answer
    return -1
