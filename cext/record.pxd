# cython: language_level=3
"""What leads cost, for `benchmarks/fit_leads.py`. Used only in recording builds (MIZERKA_RECORD=1 for setup.py): in others
RECORD is a constant 0 and the C compiler leaves the call out.

At some nodes, by chance, every lead is searched on its own before the node is: by a second search, whose table is empty
but sees that of the first as its old generation. So its cost is what it would be at this very moment of the search,
with all that is known by then, and the search itself is not touched.
"""

from libc.stdio cimport FILE, fwrite
from libc.string cimport memset

from cards cimport int32_t, lowest, popcount, uint32_t, uint64_t, without_lowest
from lead_net cimport Lead, clear_notes, n_noted, noted, score_leads, set_lead
from position cimport N_TRICKS, Trick
from search cimport RUNNING, Grounds, Search, answer_from
from table cimport clear_generation

cdef enum:
    CHANCE_BITS = 24

cdef struct Recorder:
    Search* search
    FILE* out
    uint64_t random
    uint64_t node_limit         # dearer leads are cut off there
    uint32_t chance[N_TRICKS]   # by tricks left, of 2^24


cdef inline bint is_chosen(Recorder* r, int tricks_left) noexcept nogil:
    r.random = r.random * <uint64_t>6364136223846793005 + <uint64_t>1442695040888963407
    return (r.random >> (64 - CHANCE_BITS)) < r.chance[tricks_left]


cdef inline void record_leads(Search* s, Trick* t, int need, int cut_card, uint64_t moves) noexcept nogil:
    """One line of 16 int32 for the node: -1, kind, leader, tricks left, need, leads, chance; then one for each lead:
    card, answer (-1 cut off), nodes, the rows it is scored by (-1 none)."""
    cdef Recorder* r = <Recorder*>s.recorder
    cdef Search* h
    cdef int32_t out[16]
    cdef int32_t score[1]
    cdef int card[1]
    cdef int i, answer
    cdef uint64_t first
    cdef Grounds grounds
    cdef Lead lead
    if not is_chosen(r, t.tricks_left):
        return
    h = r.search
    h.kind = s.kind
    h.order = s.order
    h.flags = s.flags
    h.table.gen[h.table.young ^ 1] = s.table.gen[s.table.young]
    h.table.has_old = True
    memset(out, 0, sizeof(out))
    out[0] = -1; out[1] = s.kind; out[2] = t.leader; out[3] = t.tricks_left; out[4] = need; out[5] = popcount(moves)
    out[6] = r.chance[t.tricks_left]
    fwrite(out, sizeof(out), 1, r.out)
    set_lead(&lead, t, s.kind, need, cut_card)
    while moves:
        clear_notes()
        score_leads(&lead, t, lowest(moves), score, card)
        for i in range(13):
            out[3 + i] = noted[i] if i < n_noted() else -1
        moves = without_lowest(moves)
        clear_generation(&h.table.gen[h.table.young], h.table.max_index_bits)
        h.tricks[0] = t[0]
        h.tricks[0].card[0] = card[0]
        h.stop = RUNNING
        first = h.nodes
        h.node_limit = h.next_tick = first + r.node_limit
        h.nodes += 1
        answer = answer_from(h, &h.tricks[0], 1, need, &grounds)
        out[0] = card[0]; out[1] = -1 if h.stop else answer; out[2] = <int32_t>(h.nodes - first)
        fwrite(out, sizeof(out), 1, r.out)
