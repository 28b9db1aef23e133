# cython: language_level=3
"""The alpha-beta engine as Python sees it: an Engine owns a transposition table and runs one search at a time.

Arguments are checked with the GIL, searches run without it, exceptions are raised afterwards. The search is in
search.pxd, that of exchanges in exchange.pxd. Not here: what the answers mean for contracts and points (the package).
"""

cimport cython
from cpython.exc cimport PyErr_CheckSignals
from libc.stdio cimport fclose, fopen
from libc.string cimport memcpy, memset

import sys
import time

from arguments cimport (Asked, check_disjoint, checked, checked_hands, checked_limit, checked_position,
                        checked_seconds)
from cards cimport BUILD, cpu_is_v3 as cpu_check, longer, shorter, uint32_t, uint64_t
from exchange cimport Exchange, Reply, ask_reply
from exchange_replies cimport ask_discard, possible
from exchange_setup cimport add_talon, different_discards, position_after, read_reply, release, reserve, set_talon, throw
from flags cimport ENGINE_FLAG_NAMES, N_ENGINE_FLAGS, USE_ALL
from lead_net cimport RECORD, nets
from order cimport N_MZ_WEIGHTS, N_WEIGHTS, ORDER_WEIGHTS, ORDER_WEIGHTS_MIZERKA
from position cimport KIND_MIZERKA, MAX_TRICKS, N_TRICKS
from record cimport CHANCE_BITS, Recorder, record_leads
from root cimport CONTRACT_MIZERKA, another_deal, kind_of, lay_out, trump_of, turn_suits
from search cimport (CANCELLED, INTERRUPTED, NODE_LIMIT, RUNNING, TICK_NODES, TIME_LIMIT, Grounds, Search, answer_from,
                     tick)
from table cimport Generation, Table, clear_table, release_table, reserve_table, table_bytes

FLAGS = {(<bytes>ENGINE_FLAG_NAMES[i]).decode(): 1 << i for i in range(N_ENGINE_FLAGS)}
ALL_FLAGS = USE_ALL

cdef enum:
    STOPPED = 2                 # beside the answers 0 and 1


class SearchStopped(Exception):
    """A search ended before its answer: `reason` is "nodes", "time" or "cancelled"."""

    def __init__(self, reason):
        super().__init__(reason)        # and nothing else, so that it survives pickling
        self.reason = reason

    def __str__(self):
        return f"search stopped: {self.reason}"


cdef int look_around(void* owner) noexcept nogil:
    """At every tick of a search: RUNNING, or why to stop."""
    with gil:
        return (<Engine>owner).look()


cdef class Engine:
    """A transposition table and one search at a time over it.

    memory: bytes for the table (at least 1 MiB is used); when it is full, what is old is forgotten.
    keep: keep the table when another deal is asked about; else it is emptied, which is faster (docs/engine.md).
    flags: which prunes are on (`FLAGS`); tests switch them off one by one.
    Not safe for two searches at once: give each thread its own Engine. `cancel` may be called from any thread.
    A cancellation is never lost: it stops the search that runs, else the next one, unless `ready` comes first.
    """

    cdef Search s
    cdef double deadline        # time.monotonic(), 0 = none
    cdef uint64_t learned[3]    # cards each seat held, or could draw, in the deal the table is about
    cdef readonly bint keep
    cdef bint busy
    cdef object interruption
    cdef readonly object memory

    def __cinit__(self, memory=256 << 20, flags=USE_ALL, bint keep=False):
        memset(&self.s, 0, sizeof(Search))
        self.memory = checked(memory, "memory", 0, (1 << 63) - 1)
        self.flags = flags
        self.keep = keep
        self.s.owner = <void*>self
        self.s.look_around = look_around
        if reserve_table(&self.s.table, self.memory) < 0:
            raise MemoryError(f"cannot reserve {memory} bytes for the transposition table")
        self.set_weights(0, [ORDER_WEIGHTS[0][i] for i in range(N_WEIGHTS)])
        self.set_weights(1, [ORDER_WEIGHTS[1][i] for i in range(N_WEIGHTS)])
        self.set_weights(2, [ORDER_WEIGHTS_MIZERKA[i] for i in range(N_MZ_WEIGHTS)])

    def __dealloc__(self):
        release_table(&self.s.table)

    def clear(self):
        """Empty the table, so that the next search runs as the first did."""
        self.must_be_idle()
        clear_table(&self.s.table)

    def cancel(self):
        """Stop the running search, or the next one (from another thread): it raises SearchStopped in milliseconds."""
        self.s.cancel = 1

    def ready(self):
        """Forget a cancellation: it was meant for what was asked before."""
        self.s.cancel = 0

    def set_weights(self, kind, weights):
        """Replace the move-ordering weights of a kind (0 no trump, 1 trump, 2 mizerka)."""
        cdef int which = checked(kind, "kind", 0, 2), i, n = self.n_weights(which)
        if len(weights) != n:
            raise ValueError(f"kind {which} has {n} weights, not {len(weights)}")
        values = [checked(weight, "a weight", -(1 << 24), 1 << 24) for weight in weights]
        for i in range(n):
            self.s.orders[which].w[i] = values[i]

    def weights(self, kind):
        """The move-ordering weights of a kind."""
        cdef int which = checked(kind, "kind", 0, 2)
        return [self.s.orders[which].w[i] for i in range(self.n_weights(which))]

    @property
    def flags(self):
        """Which prunes are on: bits of `FLAGS`."""
        return self.s.flags

    @flags.setter
    def flags(self, value):
        self.s.flags = checked(value, "flags", 0, USE_ALL)

    @property
    def stats(self):
        """Counters since the Engine was made: a dict of ints."""
        cdef Table* t = &self.s.table
        return {
            "nodes": self.s.nodes, "tricks": self.s.n_tricks, "bound_answers": self.s.n_bounds,
            "cuts": self.s.n_cuts, "first_card_cuts": self.s.n_first_cuts,
            "probes": t.n_probes, "hits": t.n_hits, "patterns_examined": t.n_patterns_seen, "stores": t.n_stores,
            "agings": t.n_agings, "buckets": t.gen[t.young].n_slots, "blocks": t.gen[t.young].n_blocks,
            "table_bytes_used": table_bytes(t),
        }

    def solve(self, hands, trick, leader, contract, seat, window=(0, None, None), limits=(0, 0.0)):
        """Tricks `seat` takes alone against the two others, from the current trick on.

        hands: three masks of the cards held (bit = 16*suit + rank); trick: bits of the cards already in the current
        trick, led by `leader`; contract: 0..3 trump S H D C, 4 no trump, 5 mizerka (fewer is better for `seat`).
        window: (lower, upper, guess), value bounds where known (wrong ones give wrong answers), None for an unknown
        upper bound or guess. limits: (nodes, seconds), 0 for none.
        Returns (lower, upper, nodes): equal bounds are exact; otherwise the limit on nodes or seconds was hit and both
        bounds are proven. Raises ValueError, SearchStopped if cancelled, KeyboardInterrupt on Ctrl-C.
        """
        cdef Search* s = &self.s
        cdef Asked asked
        cdef uint64_t first = s.nodes
        cdef int low, high, need, answer, which
        checked_position(hands, trick, leader, 0, &asked)
        which, seat = checked(contract, "contract", 0, CONTRACT_MIZERKA), checked(seat, "seat", 0, 2)
        (lower, upper, guess), (node_limit, seconds) = window, limits
        low = checked(lower, "lower", 0, asked.tricks_left)
        high = asked.tricks_left if upper is None else checked(upper, "upper", low, asked.tricks_left)
        # From below: "not that many" is the dear answer, and it is asked once. A perfect guess saves 4 % more.
        need = high // 4 if guess is None else checked(guess, "guess", 0, MAX_TRICKS)
        self.set_limits(node_limit, seconds)
        self.about(asked.all_cards)
        lay_out(&s.tricks[0], &asked, which, seat)
        self.set_kind(which)
        self.busy = True
        try:
            while low < high:
                need = shorter(longer(need, low), high - 1)
                # `need` is a guess at the value: is it more? if not, is it as much?
                answer = self.ask(need + 1, asked.n_played)
                if answer == STOPPED:
                    break
                if answer:
                    low = need + 1
                    need += 1
                else:
                    high = need
                    need -= 1
        finally:
            self.busy = False
        self.raise_if_cancelled()
        return low, high, s.nodes - first

    # -- inside ------------------------------------------------------------------------------------------------

    cdef int n_weights(self, int kind) noexcept:
        return N_MZ_WEIGHTS if kind == KIND_MIZERKA else N_WEIGHTS

    cdef int must_be_idle(self) except -1:
        if self.busy:
            raise RuntimeError("this Engine is already searching in another thread")
        return 0

    cdef void about(self, const uint64_t* cards) noexcept:
        """What is asked next is about these cards, or fewer."""
        if another_deal(self.learned, cards) and not self.keep:
            clear_table(&self.s.table)

    cdef int set_limits(self, node_limit, seconds) except -1:
        """For the searches from now on."""
        cdef Search* s = &self.s
        cdef uint64_t limit = checked_limit(node_limit, "node_limit")
        cdef double time_limit = checked_seconds(seconds)
        self.must_be_idle()
        s.node_limit = s.nodes + (limit if limit < ~s.nodes else ~s.nodes) if limit else 0
        self.deadline = time.monotonic() + time_limit if time_limit else 0.0
        s.next_tick = s.nodes + TICK_NODES
        if limit and s.next_tick > s.node_limit:
            s.next_tick = s.node_limit
        s.stop = RUNNING
        return 0

    cdef void set_kind(self, int contract) noexcept:
        self.s.kind = kind_of(contract)
        self.s.order = &self.s.orders[self.s.kind]

    cdef int look(self) noexcept:
        """Look at signals and the clock."""
        try:
            PyErr_CheckSignals()
            return TIME_LIMIT if self.deadline > 0 and time.monotonic() > self.deadline else RUNNING
        except BaseException:       # whatever a signal handler raised; raised again once the search has unwound
            self.interruption = sys.exception()
            return INTERRUPTED

    cdef int ask(self, int need, int n_played) except -1:
        """Run one null-window search from the root: 1, 0 or STOPPED."""
        cdef Grounds grounds
        with nogil:
            need = answer_from(&self.s, &self.s.tricks[0], n_played, need, &grounds)
        self.raise_interruption()
        return STOPPED if self.s.stop else need

    cdef int raise_interruption(self) except -1:
        if self.s.stop == INTERRUPTED:
            interruption, self.interruption = self.interruption, None
            raise interruption
        return 0

    cdef int raise_if_cancelled(self) except -1:
        if self.s.stop == CANCELLED:
            self.s.cancel = 0
            raise SearchStopped("cancelled")
        return 0


cdef class ExchangeSearch:
    """Questions about the discards of one seat, put to an Engine.

    hands: three masks (bit = 16*suit + rank) after the exchanges of earlier seats; talon: bits of the cards left, next
    to be drawn first; contract as in Engine.solve, forehand leads; seat: the exchanger; reply: may later seats answer?
    One search at a time on an Engine; about 8 MB of its own.
    """

    cdef Engine engine
    cdef Exchange x
    cdef int contract, trump
    cdef uint64_t first_node

    def __cinit__(self, Engine engine not None, hands, talon, contract, seat, reply):
        cdef Exchange* x = &self.x
        cdef uint64_t held[3]
        cdef int i, place
        memset(x, 0, sizeof(Exchange))
        checked_hands(hands, held)
        check_disjoint(held)
        self.engine = engine
        self.contract = checked(contract, "contract", 0, CONTRACT_MIZERKA)
        self.trump = trump_of(self.contract)
        place = checked(seat, "seat", 0, 2)
        if not held[0]:
            raise ValueError("hands must have at least one card")
        for i in range(3):
            x.hand[i] = turn_suits(held[(place + i) % 3], self.trump)
        x.s = &engine.s
        x.leader = (3 - place) % 3
        x.is_mizerka = kind_of(self.contract) == KIND_MIZERKA
        x.n_later = 2 - place if reply else 0
        set_talon(x, talon, self.trump)
        if reserve(x) < 0:
            raise MemoryError("no memory for the exchange search")
        add_talon(x, self.trump, held)
        engine.about(held)
        self.start()

    def __dealloc__(self):
        release(&self.x)

    def start(self, node_limit=0, seconds=0.0):
        """Set limits for all questions from now on, together."""
        self.engine.set_limits(node_limit, seconds)
        self.first_node = self.engine.s.nodes

    @property
    def nodes(self):
        """Cards played since `start`."""
        return self.engine.s.nodes - self.first_node

    @property
    def done(self):
        """Splits proven by the last question before it was answered or stopped: see `ask`."""
        return self.x.n_done

    @property
    def stopped(self):
        """Was a limit hit that `start` set?"""
        return self.engine.s.stop != RUNNING

    @property
    def refuter(self):
        """The reply that answered the last question with False: masks of the cards the later seats throw, in turn."""
        return (turn_suits(self.x.refuter.thrown[0], self.trump), turn_suits(self.x.refuter.thrown[1], self.trump))

    def candidates(self):
        """[(mask of a discard, number of discards with the same effect)]: all different ones, fewest cards first.

        Touching cards of the exchanger are one; if later seats reply, only if no card they may draw lies between.
        """
        return [(turn_suits(discard, self.trump), twins) for discard, twins in different_discards(&self.x)]

    def effect(self, discard):
        """The relative position after a discard if the later seats stand pat: equal values, equal positions."""
        throw(&self.x, discard, self.trump)
        return position_after(&self.x)

    def ask(self, discard, tricks, only=None, hint=(0, 0), nodes=0, done=0, tries=0):
        """Is the seat sure of `tricks` (mizerka: of no more than `tricks`) after this discard?

        only: a reply, masks of what the later seats throw in turn, to which the question is limited; hint: one to try
        first. nodes: for this question, 0 = no limit of its own; done: splits proven when it was put before;
        tries: replies drawn at random before all are gone through. Returns True or False, both proven (`refuter` then
        says against which reply), or None when a limit was hit. Raises ValueError, SearchStopped if cancelled,
        KeyboardInterrupt on Ctrl-C.
        """
        cdef Exchange* x = &self.x
        cdef Reply given
        cdef uint64_t own_limit = checked_limit(nodes, "nodes")
        cdef int wanted = checked(tricks, "tricks", 0, MAX_TRICKS + 1)
        cdef uint32_t known = checked(done, "done", 0, 0xFFFFFFFF)
        cdef int n_tries = checked(tries, "tries", 0, 0x7FFFFFFF)
        self.engine.must_be_idle()
        throw(x, discard, self.trump)
        read_reply(x, hint if only is None else only, self.trump, &given)
        if only is not None and not possible(x, &given):
            raise ValueError("a reply is of cards held, and no more than the talon has left")
        x.n_done = 0
        x.n_before = known
        x.n_tries = n_tries
        x.draw = (<uint64_t>discard + 1) * <uint64_t>0x9E3779B97F4A7C15 + known
        x.wish = not x.is_mizerka
        x.need = wanted if x.wish else wanted + 1
        self.engine.set_kind(self.contract)
        if self.engine.s.stop != RUNNING:       # what stopped one question stops the next
            return self.result(0)
        return self.search(&given, only is not None, own_limit)

    # -- inside ------------------------------------------------------------------------------------------------

    cdef object search(self, Reply* given, bint single, uint64_t own_limit):
        """`single`: only against the given reply; else it is tried first."""
        cdef Exchange* x = &self.x
        cdef Search* s = &self.engine.s
        cdef int answer = 0
        cdef uint64_t node_limit = s.node_limit
        cdef bint is_own = own_limit > 0 and (node_limit == 0 or own_limit < node_limit - s.nodes)
        if is_own:
            s.node_limit = s.nodes + (own_limit if own_limit < ~s.nodes else ~s.nodes)
        s.next_tick = s.nodes
        self.engine.busy = True
        try:
            with nogil:
                tick(s)
                if s.stop:
                    answer = 0
                elif single:
                    x.refuter = given[0]
                    answer = ask_reply(x, given.thrown[0], given.thrown[1])
                else:
                    answer = ask_discard(x, given)
        finally:
            self.engine.busy = False
            s.node_limit = node_limit
        if s.stop == NODE_LIMIT and is_own:
            s.stop = RUNNING
            return None
        return self.result(answer)

    cdef object result(self, int answer):
        self.engine.raise_interruption()
        self.engine.raise_if_cancelled()
        return None if self.engine.s.stop else bool(answer)


@cython.no_gc_clear     # the engine must be there to be told that the recording ends
cdef class Recording:
    """Searches of `engine` are recorded in the file `path` until this is closed or forgotten. chances: by tricks left,
    how likely a node is taken. Usable in a `with` statement."""

    cdef Recorder r
    cdef Engine engine
    cdef Engine second
    cdef Generation own       # what the second engine's table had as its old generation

    def __cinit__(self, Engine engine not None, path, chances, node_limit=30000):
        cdef int i
        if not RECORD:
            raise RuntimeError("this build does not record: set MIZERKA_RECORD=1 for setup.py")
        if engine.s.recorder != NULL:
            raise ValueError("this Engine is being recorded already")
        if len(chances) > N_TRICKS:
            raise ValueError(f"there are chances for 0 to {MAX_TRICKS} tricks left, not {len(chances)} of them")
        self.r.random = 1
        self.r.node_limit = checked_limit(node_limit, "node_limit")
        for i in range(len(chances)):
            if not 0 <= chances[i] <= 1:
                raise ValueError(f"chances[{i}] must be between 0 and 1, not {chances[i]}")
            self.r.chance[i] = <uint32_t>(chances[i] * (1 << CHANCE_BITS))
        self.second = Engine(64 << 20)
        self.r.search = &self.second.s
        self.own = self.second.s.table.gen[self.second.s.table.young ^ 1]
        self.r.out = fopen(path.encode(), b"wb")
        if self.r.out == NULL:
            raise OSError(f"cannot write {path}")
        self.engine = engine
        engine.s.record = record_leads
        engine.s.recorder = &self.r

    def __dealloc__(self):
        self.end()

    def __enter__(self):
        return self

    def __exit__(self, *exc):
        self.close()

    def close(self):
        """Write what is left; the engine's searches are no longer recorded."""
        if self.engine is not None:
            self.engine.must_be_idle()
        self.end()

    cdef void end(self) noexcept:
        if self.r.out == NULL:
            return
        fclose(self.r.out)
        self.r.out = NULL
        self.engine.s.recorder = NULL
        self.second.s.table.gen[self.second.s.table.young ^ 1] = self.own     # each frees its own memory


def load_leads(data):
    """Take the nets that order leads from the bytes of `leads.bin`; what is not loaded orders nothing."""
    cdef const unsigned char[::1] source = memoryview(data)
    if source.shape[0] != sizeof(nets):
        raise ValueError(f"the nets for leads are {sizeof(nets)} bytes, not {source.shape[0]}")
    memcpy(nets, &source[0], sizeof(nets))


def records():
    """Is this a build that can record what leads cost?"""
    return bool(RECORD)


def build():
    """Which build of the core this is: "portable" or "x86-64-v3"."""
    return (<bytes>BUILD).decode()


def cpu_is_v3():
    """May this machine run the x86-64-v3 build?"""
    return bool(cpu_check())
