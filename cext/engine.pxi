# The class that Python sees: an Engine owns the memory, node budget and cancellation of one search. Included in
# _engine.pyx, whose search it runs; validates with the GIL, searches without it, raises afterwards.

cdef class Engine:
    """A transposition table and one search at a time over it.

    memory: bytes for the table (at least 1 MiB is used); when it is full, what is old is forgotten.
    flags: which prunes are on (`FLAGS`); tests switch them off one by one.
    Not safe for two searches at once: give each thread its own Engine. `cancel` may be called from any thread.
    A cancellation is never lost: it stops the search that runs or, between searches, the next one, unless `ready` comes
    first.
    """

    cdef Search s
    cdef bint busy
    cdef object interruption
    cdef readonly object memory

    def __cinit__(self, memory=256 << 20, flags=USE_ALL):
        cdef size_t half, index_bits = FIRST_INDEX_BITS
        cdef int g
        memset(&self.s, 0, sizeof(Search))
        self.s.owner = <PyObject*>self
        half = max(<size_t>memory, <size_t>1 << 20) // 2
        # A third of a generation at most for its index (all sizes together take twice the last one).
        while (<size_t>4 << index_bits) * sizeof(Slot) <= half // 3:
            index_bits += 1
        self.s.table.max_index_bits = <int>index_bits
        self.s.table.max_blocks = <uint32_t>((half - (<size_t>2 << index_bits) * sizeof(Slot)) // sizeof(Block))
        self.memory = memory
        self.s.flags = flags
        for g in range(2):
            # calloc: the system hands out zeroed pages as they are touched, so an unused table costs nothing.
            self.s.table.gen[g].slots = <Slot*>calloc(<size_t>2 << index_bits, sizeof(Slot))
            self.s.table.gen[g].blocks = <Block*>calloc(self.s.table.max_blocks, sizeof(Block))
            if self.s.table.gen[g].slots == NULL or self.s.table.gen[g].blocks == NULL:
                raise MemoryError(f"cannot reserve {memory} bytes for the transposition table")
            self.s.table.gen[g].index_bits = FIRST_INDEX_BITS
        clear_table(&self.s.table)
        self.set_weights(0, [ORDER_WEIGHTS[0][i] for i in range(N_WEIGHTS)])
        self.set_weights(1, [ORDER_WEIGHTS[1][i] for i in range(N_WEIGHTS)])
        self.set_weights(2, [ORDER_WEIGHTS_MIZERKA[i] for i in range(N_MZ_WEIGHTS)])

    def __dealloc__(self):
        cdef int g
        for g in range(2):
            free(self.s.table.gen[g].slots)
            free(self.s.table.gen[g].blocks)

    def clear(self):
        """Empty the table, so that the next search runs as the first did."""
        clear_table(&self.s.table)

    def cancel(self):
        """Stop the running search, or the next one (from another thread); it raises SearchStopped within milliseconds."""
        self.s.cancel = 1

    def ready(self):
        """Forget a cancellation: it was meant for what was asked before."""
        self.s.cancel = 0

    def set_weights(self, int kind, weights):
        """Replace the move-ordering weights of a kind (0 no trump, 1 trump, 2 mizerka)."""
        cdef int i
        for i in range(len(weights)):
            self.s.orders[kind].w[i] = weights[i]

    def weights(self, int kind):
        """The move-ordering weights of a kind."""
        return [self.s.orders[kind].w[i] for i in range(N_MZ_WEIGHTS if kind == KIND_MIZERKA else N_WEIGHTS)]

    @property
    def flags(self):
        return self.s.flags

    @flags.setter
    def flags(self, value):
        self.s.flags = value

    @property
    def stats(self):
        """Counters since the Engine was made: a dict of ints."""
        cdef Table* t = &self.s.table
        return {
            "nodes": self.s.nodes, "tricks": self.s.n_tricks, "bound_answers": self.s.n_bounds,
            "cuts": self.s.n_cuts, "first_card_cuts": self.s.n_first_cuts,
            "probes": t.n_probes, "hits": t.n_hits, "patterns_examined": t.n_patterns_seen, "stores": t.n_stores,
            "agings": t.n_agings, "buckets": t.gen[t.young].n_slots, "blocks": t.gen[t.young].n_blocks,
            "table_bytes_used": (t.gen[t.young].n_blocks * sizeof(Block)
                                 + (<size_t>2 << t.gen[t.young].index_bits) * sizeof(Slot)),
        }

    cdef void set_kind(self, int contract) noexcept:
        self.s.kind = kind_of(contract)
        self.s.order = &self.s.orders[self.s.kind]

    cdef int ask(self, int need, int n_trick) except -1:
        """Run one null-window search from the root: 1 or 0."""
        cdef Search* s = &self.s
        cdef uint64_t used
        cdef Relations relations
        cdef int answer, i, winner = s.tricks[0].leader, hand = winner, best
        best = s.tricks[0].card[0]
        with nogil:
            if n_trick == 0:
                answer = trick_start(s, &s.tricks[0], need, &used)
            else:
                for i in range(1, n_trick):
                    hand = next_hand(hand)
                    if beats(s.tricks[0].card[i], best, s.kind):
                        best = s.tricks[0].card[i]
                        winner = hand
                if s.kind == KIND_MIZERKA:
                    answer = (mizerka_second(s, &s.tricks[0], need, best, winner, &relations) if n_trick == 1
                              else mizerka_third(s, &s.tricks[0], need, best, winner, &relations))
                elif n_trick == 1:
                    answer = play_second(s, &s.tricks[0], need, best, winner, &used)
                else:
                    answer = play_third(s, &s.tricks[0], need, best, winner, &used)
        if s.stop == INTERRUPTED:
            interruption, self.interruption = self.interruption, None
            raise interruption
        return 2 if s.stop else answer

    def solve(self, hands, trick, int leader, int contract, int seat, lower=0, upper=None, guess=None,
              node_limit=0, seconds=0.0):
        """Tricks `seat` takes alone against the two others, from the current trick on.

        hands: three masks of the cards held (bit = 16*suit + rank); trick: bits of the cards already in the current
        trick, led by `leader`; contract: 0..3 trump S H D C, 4 no trump, 5 mizerka (fewer is better for `seat`).
        Bounds `lower` <= value <= `upper` may be given where known; a wrong bound gives a wrong answer.
        Returns (lower, upper, nodes): equal bounds are exact; otherwise the limit on nodes or seconds was hit and both
        bounds are proven. Raises SearchStopped if cancelled, KeyboardInterrupt on Ctrl-C.
        """
        cdef Search* s = &self.s
        cdef uint64_t first
        cdef int low, high, need, answer
        if self.busy:
            raise RuntimeError("this Engine is already searching in another thread")
        set_root(&s.tricks[0], hands, trick, leader, contract, seat)
        self.set_kind(contract)
        low = lower
        high = s.tricks[0].tricks_left if upper is None else upper
        first = s.nodes
        s.node_limit = first + node_limit if node_limit else 0
        s.deadline = time.monotonic() + seconds if seconds else 0.0
        s.next_tick = first + TICK_NODES
        if node_limit and s.next_tick > s.node_limit:
            s.next_tick = s.node_limit
        s.stop = RUNNING
        if guess is None:
            # From below: "not that many" is the dear answer, and it is asked once. A perfect guess saves 4 % more.
            guess = high // 4
        need = guess
        self.busy = True
        try:
            while low < high:
                need = min(max(need, low), high - 1)
                # `need` is a guess at the value: is it more? if not, is it as much?
                answer = self.ask(need + 1, len(trick))
                if answer == 2:
                    break
                if answer:
                    low = need + 1
                    need += 1
                else:
                    high = need
                    need -= 1
        finally:
            self.busy = False
        if s.stop == CANCELLED:
            s.cancel = 0
            raise SearchStopped("cancelled")
        return low, high, s.nodes - first
