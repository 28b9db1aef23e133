# What leads cost, for `benchmarks/fit_leads.py`. Included in _engine.pyx, and used only in recording builds
# (MIZERKA_RECORD=1 for setup.py): in others RECORD is a constant 0 and the C compiler leaves the call out.
#
# At some nodes, by chance, every lead is searched on its own before the node is: in a second Engine, whose table is
# empty but sees that of the first as its old generation. So its cost is what it would be at this very moment of the
# search, with all that is known by then, and the search itself is not touched.

cdef struct Recorder:
    Search* search
    FILE* out
    uint64_t random
    uint64_t node_limit       # dearer leads are cut off there
    uint32_t chance[18]       # by tricks left, of 2^24


cdef void record_leads(Search* s, Trick* t, int need, int cut_card, uint64_t moves) noexcept nogil:
    """One line of 16 int32 for the node: -1, kind, leader, tricks left, need, leads, chance; then one for each lead:
    card, answer (-1 cut off), nodes, the rows it is scored by (-1 none)."""
    cdef Recorder* r = s.recorder
    cdef Search* h
    cdef int32_t out[16]
    cdef int32_t score[1]
    cdef int card[1]
    cdef int i, answer
    cdef uint64_t first, mask
    cdef Relations relations
    if r == NULL:
        return
    r.random = r.random * <uint64_t>6364136223846793005 + <uint64_t>1442695040888963407
    if (r.random >> 40) >= r.chance[t.tricks_left]:
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
    while moves:
        clear_notes()
        score_leads(t, s.kind, need, cut_card, moves & (0 - moves), score, card)
        for i in range(13):
            out[3 + i] = noted[i] if i < n_noted() else -1
        moves &= moves - 1
        clear_generation(&h.table.gen[h.table.young])
        h.tricks[0] = t[0]
        h.tricks[0].card[0] = card[0]
        h.stop = RUNNING
        first = h.nodes
        h.node_limit = h.next_tick = first + r.node_limit
        h.nodes += 1
        if s.kind == KIND_MIZERKA:
            answer = mizerka_second(h, &h.tricks[0], need, card[0], t.leader, &relations)
        else:
            answer = play_second(h, &h.tricks[0], need, card[0], t.leader, &mask)
        out[0] = card[0]; out[1] = -1 if h.stop else answer; out[2] = <int32_t>(h.nodes - first)
        fwrite(out, sizeof(out), 1, r.out)


cdef class Recording:
    """Searches of `engine` are recorded in the file `path` until this is closed. chances: by tricks left, how likely a
    node is taken."""

    cdef Recorder r
    cdef Engine engine
    cdef Engine second
    cdef Generation own       # what the second engine's table had as its old generation

    def __init__(self, Engine engine, path, chances, node_limit=30000):
        if not RECORD:
            raise RuntimeError("this build does not record: set MIZERKA_RECORD=1 for setup.py")
        cdef int i
        self.engine = engine
        self.second = Engine(64 << 20)
        self.r.search = &self.second.s
        self.own = self.second.s.table.gen[self.second.s.table.young ^ 1]
        self.r.random = 1
        self.r.node_limit = node_limit
        for i in range(len(chances)):
            self.r.chance[i] = <uint32_t>(chances[i] * (1 << 24))
        self.r.out = fopen(path.encode(), b"wb")
        if self.r.out == NULL:
            raise OSError(f"cannot write {path}")
        engine.s.recorder = &self.r

    def close(self):
        self.engine.s.recorder = NULL
        fclose(self.r.out)
        self.second.s.table.gen[self.second.s.table.young ^ 1] = self.own     # each frees its own memory
