# cython: language_level=3
"""The exhaustive search itself: every state a position can reach, solved once, depth first.

  1. write down the leaves of the trick, their index slots prefetched   (trick_tree.pxd)
  2. find each leaf's entry in the layer below; solve it if missing     (layers.pxd)
  3. fold leaves to third player, second player, leader                 (fold.pxd)
  4. store the value

Tried and left out: to settle a state at once where its leader has nothing but winners. On full deals that saves 1.6 % of
the leaves, 0.03 % of the states (most are reached another way too) and 0.8 % of the instructions. Slack 0 in general is
known only once a state is solved; had it been known beforehand, it would have saved 16 to 48 % of the leaves, but only
2 to 12 % of the states.
"""

from cpython.exc cimport PyErr_CheckSignals
from libc.stdint cimport int64_t, uint32_t, uint64_t
from cards cimport prefetch
from suit_strings cimport SuitStrings
from suit_plays cimport SuitPlays
from payoff_sets cimport least_value, set_words
from layers cimport (TRIPLE_BITS, Layer, Layers, layer_add, layer_find, layer_reserve, layers_states,
                     likely_entry)
from trick_tree cimport (Leaf, TrickRules, keep_first, keep_second, key_leader, key_strings, told_first,
                         told_second, trick_leaves)
from fold cimport Fold, FoldRules, NodeValue, fold_child, fold_end, fold_start, fold_states, triple_get

cdef enum:
    STATUS_OK = 0
    STATUS_MEMORY_LIMIT = -1
    STATUS_NO_MEMORY = -2
    STATUS_CANCELLED = -3
    NODES_PER_POLL = 1 << 12            # leaves between looks at the cancel flag
    POLLS_PER_SIGNAL = 16               # looks between checks for Ctrl-C: every 64k leaves, some milliseconds

cdef struct Search:
    SuitStrings strings
    SuitPlays plays
    Layers layers
    FoldRules rules
    Leaf* leaves                        # a stack: each level of the recursion writes above the one before
    size_t leaves_top
    TrickRules trick
    int status
    int64_t n_nodes                     # leaves written: ways a trick went
    int64_t next_poll
    int polls
    volatile int cancelled
    volatile int64_t n_states           # read by other threads as progress


cdef inline size_t leaves_needed(int n_tricks) noexcept nogil:
    """Stack for the whole recursion: a state of n tricks has at most n^3 leaves."""
    cdef size_t total = 0
    cdef int n
    for n in range(1, n_tricks + 1):
        total += n * n * n
    return total


cdef inline int stop(Search* s, int status) except -1 nogil:
    """Unwind. The exception only carries the way up; the Equilibrium says by `status` what happened."""
    s.status = status
    with gil:
        raise RuntimeError("the search was stopped")


cdef inline int poll(Search* s) except -1 nogil:
    """Every few thousand leaves: stop if cancelled, now and then let Python see Ctrl-C."""
    s.next_poll = s.n_nodes + NODES_PER_POLL
    s.n_states = layers_states(&s.layers)
    if s.cancelled:
        return stop(s, STATUS_CANCELLED)
    s.polls += 1
    if s.polls % POLLS_PER_SIGNAL == 0:
        with gil:
            PyErr_CheckSignals()
    return 0


cdef inline void store(Search* s, uint64_t key, int n, const NodeValue* value) noexcept nogil:
    """Write the entry; layer_reserve has made room. `least` is kept so that parents need not look for it again."""
    cdef uint64_t* entry = layer_add(&s.layers.layer[n], key)
    cdef uint32_t least = 0
    cdef int seat, word
    for word in range(set_words(n)):
        entry[3 + word] = value.payoffs[word]
    if s.rules.want_payoffs:
        for seat in range(3):
            least |= <uint32_t>least_value(&s.rules.tables, value.payoffs, n, set_words(n), seat,
                                           <int>triple_get(value.least, seat)) << (6 * seat)
    entry[1] = (<uint64_t>value.expected[0] << TRIPLE_BITS) | value.guaranteed
    entry[2] = (<uint64_t>value.expected[1] << TRIPLE_BITS) | least


cdef struct Position:                   # what is asked: a state, or one with cards in the trick
    uint64_t strings                    # key lanes of all cards in play, those of this trick included
    int leader
    int first                           # number of the class the leader has played, -1 if it is to choose
    int second                          # the same for the second player, among its legal classes


cdef inline void fold_trick(const FoldRules* r, const Position* p, const Leaf* leaf,
                            const Leaf* end, int n, int words, NodeValue* out) noexcept nogil:
    """Step 3: leaves, left to right, into the third player's nodes, those into the second's, those into the leader's.

    `words` of a set; inlined twice, so that the common case of one word has no loops over words.
    """
    cdef int leader = p.leader, second = (leader + 1) % 3, third = (leader + 2) % 3
    cdef Fold by_first, by_second
    cdef bint lone = True                   # the second player's node has one child so far
    fold_start(&by_first, leader)
    fold_start(&by_second, second)
    while leaf < end:
        leaf = fold_states(r, n, words, third, leaf, out)
        if p.second >= 0:
            return
        if not (lone and told_first(leaf.told)):
            fold_child(&by_second, r, n, words, second, out, told_second(leaf.told))
            lone = False
        if told_first(leaf.told):
            if not lone:
                fold_end(&by_second, r, n, words, second, out)
                fold_start(&by_second, second)
            if p.first >= 0:
                return
            fold_child(&by_first, r, n, words, leader, out, told_first(leaf.told))
            lone = True
        leaf += 1
    fold_end(&by_first, r, n, words, leader, out)


cdef inline int find_leaves(Search* s, Leaf* leaves, int n_leaves, int n) except -1 nogil:
    """Step 2: every leaf's entry in layer n, solved first where it is missing.

    Twice over the leaves, so that memory has time: index slots are on their way since the leaves were written, and all
    likely entries are asked for before the first is looked at.
    """
    cdef Layer* layer = &s.layers.layer[n]
    cdef int i
    cdef Leaf* leaf
    for i in range(n_leaves):
        leaves[i].entry = likely_entry(layer, leaves[i].hashed)
        prefetch(leaves[i].entry)
    for i in range(n_leaves):
        leaf = &leaves[i]
        if leaf.entry[0] != leaf.key:
            leaf.entry = layer_find(layer, leaf.key)
            if leaf.entry == NULL:
                solve_state(s, leaf.key, n)
                leaf.entry = layer_find(layer, leaf.key)
    return 0


cdef inline int solve_position(Search* s, const Position* p, int n, NodeValue* out) except -1 nogil:
    """Value of a position with n tricks left, the current one included."""
    cdef Leaf* leaves = s.leaves + s.leaves_top
    cdef Layer* below = &s.layers.layer[n - 1]
    cdef int n_leaves
    s.trick.below = below
    n_leaves = trick_leaves(&s.trick, p.strings, p.leader, leaves)
    if p.first >= 0:
        n_leaves = keep_first(leaves, n_leaves, p.first)
        if p.second >= 0:
            n_leaves = keep_second(leaves, n_leaves, p.second)
    s.leaves_top += n_leaves
    s.n_nodes += n_leaves
    if s.n_nodes >= s.next_poll:
        poll(s)
    find_leaves(s, leaves, n_leaves, n - 1)
    if n <= 9:
        fold_trick(&s.rules, p, leaves, leaves + n_leaves, n, 1, out)
    else:
        fold_trick(&s.rules, p, leaves, leaves + n_leaves, n, set_words(n), out)
    s.leaves_top -= n_leaves
    return 0


cdef inline int solve_state(Search* s, uint64_t key, int n) except -1 nogil:
    cdef Position p
    cdef NodeValue value
    cdef int status
    p.strings = key_strings(key)
    p.leader = key_leader(key)
    p.first = -1
    p.second = -1
    solve_position(s, &p, n, &value)
    status = layer_reserve(&s.layers, n)
    if status < 0:
        return stop(s, status)
    store(s, key, n, &value)
    return 0
