# cython: language_level=3
"""The table of solved states, one layer for each number of tricks left. Every hit is exact: whole keys are compared.

A layer is an *index*, an open-addressing hash of 4 bytes a slot, and the *entries*, in the order they were solved:
states solved one after the other are asked for one after the other. Nothing is ever replaced or moved; only the
index doubles.

    index slot   31    26 25              0
                 [  tag  ][ entry number  ]    0 = free, so numbers start at 1; the tag is six more bits of the hash

    entry word 0   key (trick_tree.pxd)
          word 1   63 ................. 18 17 12 11  6 5   0
                   [ expected seat 0     ][ g2 ][ g1 ][ g0 ]    g = value guaranteed to the seat
          word 2   [ expected seat 1     ][ m2 ][ m1 ][ m0 ]    m = least value the seat has in any payoff of the set
          word 3.. payoff set (payoff_sets.pxd): 1 word up to 9 tricks, 2 up to 14, 3 up to 17

An entry takes 32, 40 or 48 bytes, and the index, 1/4 to 1/2 full, 8 to 16 more. Entries lie in chunks, each as big as
all before it together. Expected tricks are fixed-point numbers with 41 fraction bits: integers give the same answer on
every CPU.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.string cimport memset
from cards cimport prefetch, msb
from payoff_sets cimport MAX_TRICKS, set_words

cdef extern from "pages.h" nogil:
    void* pages "mz_pages"(size_t n_bytes) noexcept
    void* zeroed "mz_zeroed"(size_t n_bytes) noexcept
    void release "mz_release"(void* p, size_t n_bytes) noexcept

cdef enum:
    FIRST_LAYER_BITS = 8
    NUMBER_BITS = 26
    NUMBER_MASK = (1 << 26) - 1
    EXPECTED_BITS = 41
    TRIPLE_BITS = 18
    TRIPLE_MASK = (1 << 18) - 1

cdef struct Layer:
    uint32_t* index
    uint64_t* chunk[27]         # [c] as allocated, entries 2^c to 2^(c+1) - 1; the first, c = 7, holds 0 to 255
    uint64_t* origin[27]        # [c] where entry 0 would be if the chunk reached down to it
    size_t n_slots
    size_t used
    size_t room                 # entries the chunks have room for
    int stride                  # words of an entry
    int shift                   # 32 - log2(n_slots)

cdef struct Layers:
    Layer layer[18]             # [tricks left]
    size_t bytes
    size_t bytes_limit


cdef inline uint32_t key_hash(uint64_t key) noexcept nogil:
    """32 bits: the highest ones choose the slot, the lowest six are the tag."""
    return <uint32_t>(((key ^ (key >> 32)) * <uint64_t>0x9E3779B97F4A7C15) >> 32)


cdef inline uint32_t slot_of(const Layer* layer, uint32_t hashed) noexcept nogil:
    return hashed >> layer.shift


cdef inline uint32_t tag_of(uint32_t hashed) noexcept nogil:
    return hashed << NUMBER_BITS


cdef inline uint64_t* entry_at(const Layer* layer, uint32_t number) noexcept nogil:
    return layer.origin[msb(number | 255)] + <size_t>number * layer.stride


cdef inline uint64_t* likely_entry(const Layer* layer, uint32_t hashed) noexcept nogil:
    """First entry from its slot on that has the hash's tag, else entry 0: right for a stored key 98 times in 100."""
    cdef uint32_t tag = tag_of(hashed), slot = slot_of(layer, hashed), found
    while True:
        found = layer.index[slot]
        if found == 0 or (found & ~<uint32_t>NUMBER_MASK) == tag:
            return entry_at(layer, found & NUMBER_MASK)
        slot = (slot + 1) & <uint32_t>(layer.n_slots - 1)


cdef inline uint64_t* layer_find(const Layer* layer, uint64_t key) noexcept nogil:
    """The key's entry, or NULL."""
    cdef uint32_t tag = tag_of(key_hash(key)), slot = slot_of(layer, key_hash(key)), found
    cdef uint64_t* entry
    while True:
        found = layer.index[slot]
        if found == 0:
            return NULL
        if (found & ~<uint32_t>NUMBER_MASK) == tag:
            entry = entry_at(layer, found & NUMBER_MASK)
            if entry[0] == key:
                return entry
        slot = (slot + 1) & <uint32_t>(layer.n_slots - 1)


cdef inline void put_index(Layer* layer, uint64_t key, uint32_t number) noexcept nogil:
    cdef uint32_t slot = slot_of(layer, key_hash(key))
    while layer.index[slot]:
        slot = (slot + 1) & <uint32_t>(layer.n_slots - 1)
    layer.index[slot] = tag_of(key_hash(key)) | number


cdef inline uint64_t* layer_add(Layer* layer, uint64_t key) noexcept nogil:
    """Entry for a new key, to be filled; layer_reserve has made room."""
    cdef uint64_t* entry
    layer.used += 1
    put_index(layer, key, <uint32_t>layer.used)
    entry = entry_at(layer, <uint32_t>layer.used)
    entry[0] = key
    return entry


cdef inline size_t chunk_bytes(const Layer* layer, int c) noexcept nogil:
    """Chunk c as grow_entries asks for it; the first one has as many entries as all below it would."""
    cdef size_t entries = <size_t>1 << (c if c >= FIRST_LAYER_BITS else FIRST_LAYER_BITS)
    return entries * layer.stride * sizeof(uint64_t)


cdef inline void layers_free(Layers* t) noexcept nogil:
    cdef int n, c
    for n in range(MAX_TRICKS + 1):
        release(t.layer[n].index, t.layer[n].n_slots * sizeof(uint32_t))
        for c in range(27):
            release(t.layer[n].chunk[c], chunk_bytes(&t.layer[n], c))
        memset(&t.layer[n], 0, sizeof(Layer))
    t.bytes = 0


cdef inline int grow_entries(Layers* t, Layer* layer) noexcept nogil:
    """One chunk more. 0, -1 at the memory limit, -2 out of memory."""
    cdef int c = FIRST_LAYER_BITS - 1 if layer.room == 0 else msb(layer.room)
    cdef size_t first = layer.room, count = layer.room if layer.room else (<size_t>1 << FIRST_LAYER_BITS)
    cdef size_t size = chunk_bytes(layer, c)
    if t.bytes + size > t.bytes_limit or c >= NUMBER_BITS:
        return -1
    layer.chunk[c] = <uint64_t*>pages(size)
    if layer.chunk[c] == NULL:
        return -2
    layer.origin[c] = layer.chunk[c] - first * layer.stride
    layer.room += count
    t.bytes += size
    if c == FIRST_LAYER_BITS - 1:
        layer.chunk[c][0] = 0           # entry 0 is nobody's
    return 0


cdef inline int grow_index(Layers* t, Layer* layer, int bits) noexcept nogil:
    """Make the index `1 << bits` slots big. 0, -1 at the memory limit, -2 out of memory."""
    cdef size_t size = sizeof(uint32_t) << bits, number
    cdef uint32_t* to
    if t.bytes + size > t.bytes_limit:
        return -1
    to = <uint32_t*>zeroed(size)
    if to == NULL:
        return -2
    release(layer.index, layer.n_slots * sizeof(uint32_t))
    t.bytes += size - layer.n_slots * sizeof(uint32_t)
    layer.index = to
    layer.n_slots = (<size_t>1) << bits
    layer.shift = 32 - bits
    for number in range(1, layer.used + 1):
        put_index(layer, entry_at(layer, <uint32_t>number)[0], <uint32_t>number)
    return 0


cdef inline int layer_reserve(Layers* t, int n) noexcept nogil:
    """Room for one more state in layer n. 0, or what the grow functions say."""
    cdef Layer* layer = &t.layer[n]
    cdef int status = 0
    if layer.used + 1 >= layer.room:
        status = grow_entries(t, layer)
    if status == 0 and 2 * (layer.used + 1) > layer.n_slots:
        status = grow_index(t, layer, 32 - layer.shift + 1)
    return status


cdef inline int layers_reset(Layers* t, size_t bytes_limit) noexcept nogil:
    """Forget everything. 0, or what the grow functions say."""
    cdef int n, status
    layers_free(t)
    t.bytes_limit = bytes_limit
    for n in range(MAX_TRICKS + 1):
        t.layer[n].stride = 3 + set_words(n)
        status = grow_entries(t, &t.layer[n])
        if status == 0:
            status = grow_index(t, &t.layer[n], FIRST_LAYER_BITS + 1)
        if status < 0:
            return status
    return 0


cdef inline int64_t layers_states(const Layers* t) noexcept nogil:
    cdef int n
    cdef int64_t states = 0
    for n in range(1, MAX_TRICKS + 1):
        states += t.layer[n].used
    return states
