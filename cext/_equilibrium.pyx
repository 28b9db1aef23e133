# cython: language_level=3
"""The exhaustive engine: one pass over a deal's own state space answers for all three players at once.

For every state the deal can reach (trick boundary, relative ranks) it finds the exact set of pure subgame-perfect
payoff vectors, the expected vector of the equilibrium in which indifferent players pick uniformly among their optimal
physical cards, and what each seat is guaranteed against the two others. The table is kept: any position of the deal,
mid-trick ones included, is then answered from it. Source of the notions: the docs' page on what "optimal" means.

Left to others: checking a deal's rules and text (the package), alpha-beta on one seat (_engine).
"""

from collections import namedtuple
from libc.stdint cimport int64_t, uint32_t, uint64_t
from libc.stdlib cimport calloc, free
from libc.string cimport memset
from arguments cimport Asked, checked, checked_position
from cards cimport above_mask, bit_mask, lane_mask, lane_start, popcount, same_suit, suit_of
from suit_strings cimport lane_code, strings_build, strings_bytes, strings_find, strings_free
from suit_plays cimport plays_build, plays_free, told_as
from payoff_sets cimport MAX_TRICKS, payoff_bit, set_words
from layers cimport EXPECTED_BITS, TRIPLE_MASK, Layer, layer_find, layers_free, layers_reset, layers_states
from flags cimport EQUILIBRIUM_FLAG_NAMES, FLAG_ALL, FLAG_MERGE_TOUCHING, N_EQUILIBRIUM_FLAGS
from trick_tree cimport Leaf, leader_bits
from fold cimport NodeValue, fold_rules_init, fold_states, triple_get
from exhaustive cimport (STATUS_CANCELLED, STATUS_MEMORY_LIMIT, STATUS_OK, Position, Search, leaves_needed,
                         solve_position, solve_state, store)

# Entry layout, see layers.pxd: a state of at most 9 tricks must stay at 32 bytes.
assert 8 * (3 + set_words(9)) == 32 and 8 * (3 + set_words(14)) == 40 and 8 * (3 + set_words(17)) == 48
assert sizeof(Leaf) == 24


FLAGS = {(<bytes>EQUILIBRIUM_FLAG_NAMES[i]).decode(): 1 << i for i in range(N_EQUILIBRIUM_FLAGS)}
ALL_FLAGS = FLAG_ALL


class EquilibriumMemoryError(MemoryError):
    """The memory limit is too small for the deal; says the states reached."""


class EquilibriumCancelledError(RuntimeError):
    """`cancel()` was called while the search ran."""


EquilibriumAnswer = namedtuple("EquilibriumAnswer", ["payoffs", "expected", "guaranteed"])
EquilibriumAnswer.__doc__ = """Value of a position, in tricks still to be played (the current trick included), seats F M R.

`payoffs`: sorted tuple of (F, M, R) trick vectors, or None if not asked for. `expected`: three floats, or None.
`guaranteed`: per seat the fewest tricks it can be held to; in mizerka the most that can be forced on it.
"""


cdef class Equilibrium:
    """All equilibria of one deal at a time, kept for questions about its positions.

    Cards are bits 16*suit + rank (suit S H D C, rank 0 = two ... 12 = ace), hands are 64-bit masks of them, seats
    F M R = 0 1 2, contracts S H D C N M = 0 .. 5. Not for two threads at once, `cancel` and `progress` excepted; any
    number of instances may work side by side.

    Args:
        memory_bytes: limit for all tables, bytes. Memory is taken as states are found.

    >>> e = Equilibrium(1 << 26)
    >>> e.solve([0b100, 0b010, 0b001], [], 0, 4)         # one spade each, forehand has the highest
    EquilibriumAnswer(payoffs=((1, 0, 0),), expected=(1.0, 0.0, 0.0), guaranteed=(1, 0, 0))
    """

    cdef Search s
    cdef readonly int contract
    cdef readonly bint solved
    cdef bint busy
    cdef readonly object memory_bytes

    def __cinit__(self, memory_bytes=1 << 30):
        memset(&self.s, 0, sizeof(Search))
        self.s.leaves = <Leaf*>calloc(leaves_needed(MAX_TRICKS), sizeof(Leaf))   # untouched pages cost nothing
        if self.s.leaves == NULL:
            raise MemoryError("no memory for the equilibrium search's stack")
        self.memory_bytes = checked(memory_bytes, "memory_bytes", 1, (1 << 63) - 1)
        self.contract = -1

    def __dealloc__(self):
        layers_free(&self.s.layers)
        strings_free(&self.s.strings)
        plays_free(&self.s.plays)
        free(self.s.leaves)

    # -- questions ---------------------------------------------------------------------------------------------

    def solve(self, hands, trick, leader, contract, bint want_expected=True, bint want_set=True, flags=FLAG_ALL):
        """Forget the last deal and solve this position and all that can come after it.

        Args:
            hands: three masks of the cards still held. trick: bits of the cards already in the current trick, 0 to 2,
            in order. leader: seat that led or leads it. contract: 0 to 5. want_expected, want_set: leave a part out to
            save time. flags: for tests, which reductions to use (`FLAGS`, all by default); never changes an answer.

        Returns:
            EquilibriumAnswer.

        Raises:
            ValueError: not a position. EquilibriumMemoryError: the limit is too small. EquilibriumCancelledError.
        """
        cdef Asked asked
        cdef int status, which, use
        checked_position(hands, trick, leader, 1, &asked)
        which = checked(contract, "contract", 0, 5)
        use = checked(flags, "flags", 0, FLAG_ALL)
        self.enter(keep_cancel=True)
        try:
            self.forget()
            self.s.trick.trump = which if which < 4 else -1
            self.s.trick.flags = use
            fold_rules_init(&self.s.rules, which == 5)
            self.s.rules.want_payoffs = want_set
            self.s.rules.want_expected = want_expected
            if (strings_build(&self.s.strings, asked.all_cards) < 0
                    or plays_build(&self.s.plays, &self.s.strings, use & FLAG_MERGE_TOUCHING) < 0):
                raise EquilibriumMemoryError("no memory for the deal's suit strings")
            status = self.start_layers()
            if status < 0:
                self.s.status = status
                raise self.failure()
            self.contract = which
            self.solved = True
            return self.evaluate(&asked, list(trick))
        except BaseException:
            self.forget()
            raise
        finally:
            self.s.cancelled = 0
            self.busy = False

    def lookup(self, hands, trick, leader):
        """Value of a position of the deal last solved, without searching again. Arguments and result as `solve`.

        Raises:
            KeyError: nothing solved, or not a position of that deal.
        """
        cdef Asked asked
        checked_position(hands, trick, leader, 1, &asked)
        self.enter()
        try:
            return self.evaluate(&asked, list(trick))
        finally:
            self.busy = False

    def children(self, hands, trick, leader):
        """What each legal card leads to: list of (bit, EquilibriumAnswer), cards from low to high bit.

        Tricks count from the current one on, also when the card ends it. Arguments and errors as `lookup`.
        """
        cdef Asked asked
        cdef int mover, bit
        cdef uint64_t legal
        checked_position(hands, trick, leader, 1, &asked)
        mover = (asked.leader + asked.n_played) % 3
        legal = asked.held[mover]
        if asked.n_played and legal & lane_mask(asked.trick[0]):
            legal &= lane_mask(asked.trick[0])
        self.enter()
        try:
            out = []
            for bit in range(64):
                if legal & bit_mask(bit):
                    asked.held[mover] ^= bit_mask(bit)
                    out.append((bit, self.evaluate(&asked, [*trick, bit])))
                    asked.held[mover] ^= bit_mask(bit)
            return out
        finally:
            self.busy = False

    def line(self, hands, trick, leader, payoff):
        """A line of play that supports one payoff vector: list of bits, in order of play, to the end.

        At each node the card's own set holds the vector and gives the mover at least what every other card is sure to
        give it in equilibrium, so nobody has a reason to leave the line.

        Raises:
            ValueError: `payoff` is no equilibrium of the position. KeyError: as `lookup`.
        """
        cdef Asked asked
        cdef int mover
        checked_position(hands, trick, leader, 1, &asked)
        hands, trick, payoff, out = [int(h) for h in hands], list(trick), tuple(payoff), []
        sign = -1 if self.contract == 5 else 1
        while any(hands):
            mover = (leader + len(trick)) % 3
            children = [(bit, a.payoffs) for bit, a in self.children(hands, trick, leader)]
            if children[0][1] is None:
                raise ValueError("a line needs the payoff sets: solve with want_set=True")
            bar = max(min(sign * v[mover] for v in payoffs) for _, payoffs in children)
            good = [bit for bit, payoffs in children if payoff in payoffs and sign * payoff[mover] >= bar]
            if not good:
                raise ValueError(f"{payoff} is no equilibrium payoff here")
            out.append(good[0])
            hands[mover] ^= 1 << good[0]
            trick.append(good[0])
            if len(trick) == 3:
                leader = self.trick_winner(trick, leader)
                payoff = tuple(v - (seat == leader) for seat, v in enumerate(payoff))
                trick = []
        return out

    def clear(self):
        """Forget the deal and give its memory back."""
        self.enter()
        self.forget()
        self.busy = False

    # -- other threads -----------------------------------------------------------------------------------------

    def cancel(self):
        """Stop the running `solve`, or the next one (it raises EquilibriumCancelledError). From any thread; never lost."""
        self.s.cancelled = 1

    @property
    def progress(self):
        """States solved so far, by the running or the last search; a few thousand nodes behind. From any thread."""
        return self.s.n_states

    # -- figures -----------------------------------------------------------------------------------------------

    @property
    def states(self):
        """States in the table."""
        return layers_states(&self.s.layers)

    @property
    def nodes(self):
        """Ways a trick went, over all states solved."""
        return self.s.n_nodes

    @property
    def bytes_used(self):
        """Bytes of the tables."""
        if self.s.strings.capacity == 0:
            return 0
        return self.s.layers.bytes + strings_bytes(self.s.strings.capacity) + self.s.plays.bytes

    # -- inside ------------------------------------------------------------------------------------------------

    cdef int enter(self, bint keep_cancel=False) except -1:
        if self.busy:
            raise RuntimeError("this Equilibrium is at work in another thread")
        self.busy = True
        if not keep_cancel:
            self.s.cancelled = 0
        self.s.leaves_top = 0
        self.s.status = STATUS_OK
        return 0

    cdef object failure(self):
        """What stopped the search, as an exception."""
        if self.s.status == STATUS_CANCELLED:
            return EquilibriumCancelledError("the equilibrium search was cancelled")
        if self.s.status == STATUS_MEMORY_LIMIT:
            return EquilibriumMemoryError(
                f"memory_bytes = {self.memory_bytes} is not enough for this deal: {self.states} states "
                f"fill {self.bytes_used} bytes and there are more")
        return EquilibriumMemoryError("the system has no memory left for the equilibrium search")

    cdef void forget(self) noexcept:
        layers_free(&self.s.layers)
        strings_free(&self.s.strings)
        plays_free(&self.s.plays)
        self.solved = False
        self.s.n_nodes = 0
        self.s.next_poll = 0
        self.s.n_states = 0

    cdef int start_layers(self) except? -9:
        """Empty layers, and the three states with no card left: value zero for all."""
        cdef NodeValue nothing
        cdef int seat, status
        cdef size_t fixed = strings_bytes(self.s.strings.capacity) + self.s.plays.bytes
        self.s.trick.strings = &self.s.strings
        self.s.trick.plays = &self.s.plays
        for seat in range(3):
            self.s.trick.led_by[seat] = leader_bits(seat)
        self.s.layers.bytes_limit = self.memory_bytes - fixed if self.memory_bytes > fixed else 0
        status = layers_reset(&self.s.layers, self.s.layers.bytes_limit)
        if status < 0:
            return status
        memset(&nothing, 0, sizeof(nothing))
        nothing.payoffs[0] = 1
        for seat in range(3):
            store(&self.s, leader_bits(seat), 0, &nothing)
        return 0

    cdef int trick_winner(self, trick, int leader) except -1:
        cdef int best = trick[0], winner = leader, i
        for i in range(1, 3):
            if trick[i] > best if same_suit(trick[i], best) else suit_of(trick[i]) == self.s.trick.trump:
                best = trick[i]
                winner = (leader + i) % 3
        return winner

    cdef int find_strings(self, const uint64_t* hands, uint64_t* strings) except -1:
        cdef int suit, string
        strings[0] = 0
        for suit in range(4):
            string = strings_find(&self.s.strings, lane_code(hands, suit))
            if string < 0:
                raise KeyError(f"suit {'SHDC'[suit]} is not what play of the solved deal can leave")
            strings[0] |= <uint64_t>string << (16 * suit)
        return 0

    cdef int class_number(self, uint64_t legal, uint64_t in_play, int bit) except -1:
        """Place of the card's class among those of `legal`, from low to high bit; runs as in suit_plays.pxd."""
        cdef int card, n = -1, rank, below = -2, suit = -1
        for card in range(bit + 1):
            if legal & bit_mask(card):
                rank = lane_start(card) - popcount(in_play & above_mask(card))
                if rank != below + 1 or suit_of(card) != suit or not self.s.trick.flags & FLAG_MERGE_TOUCHING:
                    n += 1
                below, suit = rank, suit_of(card)
        return n

    cdef object evaluate(self, const Asked* asked, list trick):
        """Answer for a position with 0 to 3 cards in the trick (those of `trick`, the last one perhaps not yet in
        `asked`)."""
        cdef Position p
        cdef NodeValue value
        cdef uint64_t in_play, legal
        cdef int n = asked.tricks_left
        if not self.solved:
            raise KeyError("no deal has been solved")
        if len(trick) == 3:
            return self.evaluate_won(asked.held, self.trick_winner(trick, asked.leader), n)
        in_play = asked.all_cards[0] | asked.all_cards[1] | asked.all_cards[2]
        self.find_strings(asked.all_cards, &p.strings)
        p.leader = asked.leader
        p.first = self.class_number(asked.all_cards[p.leader], in_play, trick[0]) if len(trick) > 0 else -1
        p.second = -1
        if len(trick) > 1:
            legal = asked.all_cards[(p.leader + 1) % 3]
            if legal & lane_mask(trick[0]):
                legal &= lane_mask(trick[0])
            p.second = self.class_number(legal, in_play, trick[1])
        try:
            with nogil:
                solve_position(&self.s, &p, n, &value)
        except RuntimeError:
            raise self.failure() from None
        self.s.n_states = layers_states(&self.s.layers)
        return self.answer(&value, n)

    cdef object evaluate_won(self, const uint64_t* held, int winner, int n):
        """Answer for a trick just ended, that trick counted in: the state after it as an only leaf."""
        cdef NodeValue value
        cdef Leaf leaf
        cdef uint64_t key
        cdef Layer* below = &self.s.layers.layer[n - 1]
        self.find_strings(held, &key)
        leaf.key = key | leader_bits(winner)
        leaf.entry = layer_find(below, leaf.key)
        if leaf.entry == NULL:
            try:
                with nogil:
                    solve_state(&self.s, leaf.key, n - 1)
            except RuntimeError:
                raise self.failure() from None
            leaf.entry = layer_find(below, leaf.key)
        leaf.told = told_as(winner, 1, 1, 1)
        fold_states(&self.s.rules, n, set_words(n), winner, &leaf, &value)
        value.guaranteed = <uint32_t>(leaf.entry[1] & TRIPLE_MASK) + self.s.rules.won[winner]
        return self.answer(&value, n)

    cdef object answer(self, const NodeValue* value, int n):
        cdef int a, b, bit, seat
        payoffs = expected = None
        if self.s.rules.want_payoffs:
            payoffs = []
            for a in range(n + 1):
                for b in range(n + 1 - a):
                    bit = payoff_bit(b, n - a - b)
                    if (value.payoffs[bit >> 6] >> (bit & 63)) & 1:
                        payoffs.append((a, b, n - a - b))
            payoffs = tuple(payoffs)
        if self.s.rules.want_expected:
            one = 1.0 / (<int64_t>1 << EXPECTED_BITS)
            expected = (value.expected[0] * one, value.expected[1] * one,
                        ((<int64_t>n << EXPECTED_BITS) - value.expected[0] - value.expected[1]) * one)
        guaranteed = tuple(int(triple_get(value.guaranteed, seat)) for seat in range(3))
        if self.s.rules.mizerka:
            guaranteed = tuple(n - v for v in guaranteed)
        return EquilibriumAnswer(payoffs, expected, guaranteed)
