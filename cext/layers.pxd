# cython: language_level=3
"""The table of solved states, one open-addressing table for each number of tricks left. Every hit is exact.

A layer is an array of 64-bit words, `stride` words a slot; the whole key is stored and compared. Nothing is ever
replaced: a slot keeps its place until the layer doubles.

    word 0   key (trick_tree.pxd), 0 = free
    word 1   63 ................. 18 17 12 11  6 5   0
             [ expected seat 0     ][ g2 ][ g1 ][ g0 ]    g = value guaranteed to the seat
    word 2   [ expected seat 1     ][ m2 ][ m1 ][ m0 ]    m = least value the seat has in any payoff of the set
    word 3.. payoff set (payoff_sets.pxd): 1 word up to 9 tricks, 2 up to 14, 3 up to 17

so 32, 40 or 48 bytes a state; at 1/4 to 1/2 full, 64 to 128 bytes a state of the common kind. Fuller tables are slower: a
probe that goes on is a mispredicted branch and often a cache miss. Expected tricks are
fixed-point numbers with 41 fraction bits: integers give the same answer on every CPU.
"""

from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport free
from libc.string cimport memset
from payoff_sets cimport MAX_TRICKS, set_words

cdef extern from "pages.h" nogil:
    void* zeroed "mz_zeroed"(size_t n_bytes) noexcept

cdef enum:
    FIRST_LAYER_BITS = 8
    EXPECTED_BITS = 41
    TRIPLE_BITS = 18
    TRIPLE_MASK = (1 << 18) - 1

cdef struct Layer:
    uint64_t* words
    size_t n_slots
    size_t used
    int stride
    int shift                   # 64 - log2(n_slots)
    uint32_t generation         # counts doublings: a remembered slot number is void after one

cdef struct Layers:
    Layer layer[18]             # [tricks left]
    size_t bytes
    size_t bytes_limit


cdef inline size_t slot_of(const Layer* layer, uint64_t key) noexcept nogil:
    return <size_t>(((key ^ (key >> 32)) * <uint64_t>0x9E3779B97F4A7C15) >> layer.shift)


cdef inline uint64_t* layer_find(const Layer* layer, uint64_t key) noexcept nogil:
    """The slot that holds the key, or NULL."""
    cdef size_t slot = slot_of(layer, key)
    cdef uint64_t* words = layer.words + slot * layer.stride
    while words[0] != key:
        if words[0] == 0:
            return NULL
        slot = (slot + 1) & (layer.n_slots - 1)
        words = layer.words + slot * layer.stride
    return words


cdef inline uint64_t* layer_find_at(const Layer* layer, uint64_t key, size_t at) noexcept nogil:
    """The same, from the word where the key's search starts (or has ended before)."""
    cdef uint64_t* words = layer.words + at
    if words[0] == key:
        return words
    return layer_find(layer, key)


cdef inline void layers_free(Layers* t) noexcept nogil:
    cdef int n
    for n in range(MAX_TRICKS + 1):
        free(t.layer[n].words)
        memset(&t.layer[n], 0, sizeof(Layer))
    t.bytes = 0


cdef inline uint64_t* free_slot(const Layer* layer, uint64_t key) noexcept nogil:
    cdef size_t slot = slot_of(layer, key)
    while layer.words[slot * layer.stride]:
        slot = (slot + 1) & (layer.n_slots - 1)
    return layer.words + slot * layer.stride


cdef inline int layer_grow(Layers* t, int n, int bits) noexcept nogil:
    """Make layer n `1 << bits` slots big and move its states. 0, -1 at the memory limit, -2 out of memory."""
    cdef Layer* layer = &t.layer[n]
    cdef Layer old = layer[0]
    cdef size_t slot
    cdef int word, stride = 3 + set_words(n)
    cdef size_t size = (<size_t>stride * sizeof(uint64_t)) << bits
    cdef uint64_t* to
    cdef uint64_t* source
    if t.bytes + size > t.bytes_limit:      # old and new are both there while states move
        return -1
    to = <uint64_t*>zeroed(size)
    if to == NULL:
        return -2
    layer.words = to
    layer.n_slots = (<size_t>1) << bits
    layer.stride = stride
    layer.shift = 64 - bits
    layer.generation += 1
    for slot in range(old.n_slots):
        source = old.words + slot * stride
        if source[0]:
            to = free_slot(layer, source[0])
            for word in range(stride):
                to[word] = source[word]
    free(old.words)
    t.bytes += size - old.n_slots * stride * sizeof(uint64_t)
    return 0


cdef inline int layers_reset(Layers* t, size_t bytes_limit) noexcept nogil:
    """Forget everything. 0, or what layer_grow says."""
    cdef int n, status
    layers_free(t)
    t.bytes_limit = bytes_limit
    for n in range(MAX_TRICKS + 1):
        status = layer_grow(t, n, FIRST_LAYER_BITS)
        if status < 0:
            return status
    return 0


cdef inline int layer_reserve(Layers* t, int n) noexcept nogil:
    """Room for one more state in layer n. 0, or what layer_grow says."""
    cdef Layer* layer = &t.layer[n]
    if 2 * (layer.used + 1) <= layer.n_slots:
        return 0
    return layer_grow(t, n, 64 - layer.shift + 1)


cdef inline int64_t layers_states(const Layers* t) noexcept nogil:
    cdef int n
    cdef int64_t states = 0
    for n in range(1, MAX_TRICKS + 1):
        states += t.layer[n].used
    return states
