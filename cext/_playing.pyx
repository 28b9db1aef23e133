# cython: language_level=3
"""The playing core: cards by rule, exchanges by policy, hidden cards drawn, choices raced. For one seat with hidden cards.

`Policies` holds the weights and answers single questions; `Question` is what one seat knows; `Race` tries its choices in
worlds drawn from that. Nothing here reads files or clocks, and a race is begun, run and looked at step by step, so that
whoever runs it may stop at any moment. Cards are bits 16*suit + rank, hands 64-bit masks, seats F M R = 0 1 2, contracts
S H D C N M = 0 to 5.

Left to others: the rules of the policy (mizerka_solver/policy), when to stop and what to tell (mizerka_solver/bots).
"""

from libc.stdint cimport int16_t, int64_t
from libc.stdlib cimport calloc, free, malloc
from libc.string cimport memcpy, memset
from cards cimport bit_mask, lane_mask, popcount, uint64_t
from playing cimport Play, play_card, play_out, see, to_act
from playing_draw cimport DRAWN, N_TRUST, Knowledge, Past, World, count_ways, draw_even, fill_exponentials
from playing_exchange cimport MAX_EXCHANGES, N_HAND, N_LANES, Weights, best_exchanges, policy_discards
from playing_race cimport (MAX_CHOICES, RACE_CARDS, RACE_CONTRACTS, RACE_EXCHANGES, Race as RaceState, Table, draw_world,
                           exchange_at, race_difference, race_drop_behind, race_keep, race_leader, race_run, race_total,
                           tricks_of)
from playing_learned cimport (N_FEATURES, N_NETS, NET_SIZE, Glance, Sight, describe, learned_card, look, which_net)
from playing_random cimport random_seed
from playing_rule cimport MAX_CARDS, PACK, PACK_SIZE, legal_cards, rule_card

N_TRUSTS = N_TRUST
CARDS, EXCHANGES, CONTRACTS = RACE_CARDS, RACE_EXCHANGES, RACE_CONTRACTS


cdef int read_cards(cards, int* out, int most) except -1:
    cdef int i, bit
    if len(cards) > most:
        raise ValueError(f"{len(cards)} cards, at most {most}")
    for i, bit in enumerate(cards):
        if not 0 <= bit < 64 or not bit_mask(bit) & PACK:
            raise ValueError(f"cards[{i}] = {bit} is no card")
        out[i] = bit
    return len(cards)


cdef int check_contract(int contract) except -1:
    if not 0 <= contract <= 5:
        raise ValueError(f"contract {contract} is not 0 to 5")
    return contract


cdef class Policies:
    """Weights of the policy, in thousandths of a point, and single questions to it.

    kept: int16[4][3][8192], values of the cards kept in a suit by kind, seat and lane. drawn: int16[3][3][18], of
    numbers of cards drawn by contract (suit, no trump, mizerka), seat and number. nets: int16[9][1056], see playing_learned.
    """

    cdef int16_t* data
    cdef Weights weights
    cdef int16_t nets[N_NETS * NET_SIZE]

    def __cinit__(self, const int16_t[::1] kept, const int16_t[::1] drawn, const int16_t[::1] nets=None):
        if nets is not None:
            if nets.shape[0] != N_NETS * NET_SIZE:
                raise ValueError(f"nets have {N_NETS} x {NET_SIZE} numbers")
            memcpy(self.nets, &nets[0], N_NETS * NET_SIZE * sizeof(int16_t))
        if kept.shape[0] != 12 * N_LANES or drawn.shape[0] != 9 * N_HAND:
            raise ValueError("weights have 4 x 3 x 8192 and 3 x 3 x 18 numbers")
        self.data = <int16_t*>malloc((12 * N_LANES + 9 * N_HAND) * sizeof(int16_t))
        if self.data == NULL:
            raise MemoryError
        memcpy(self.data, &kept[0], 12 * N_LANES * sizeof(int16_t))
        memcpy(self.data + 12 * N_LANES, &drawn[0], 9 * N_HAND * sizeof(int16_t))
        self.weights.kept = self.data
        self.weights.drawn = self.data + 12 * N_LANES

    def __dealloc__(self):
        free(self.data)

    def card(self, uint64_t hand, int contract, trick, uint64_t unseen):
        """The card that the rules of thumb play from a hand to a trick of 0 to 2 cards."""
        cdef int cards[3]
        cdef int n = read_cards(trick, cards, 2)
        check_contract(contract)
        if not hand or hand & ~PACK:
            raise ValueError(f"hand {hand:#x} has no cards, or bits that are none")
        return rule_card(hand, contract, cards, n, unseen & PACK & ~hand)

    def discards(self, uint64_t hand, int contract, int seat, int most, int exactly=-1):
        """Mask of what the policy lays down: `most` cards at most, or `exactly` so many."""
        self._check_exchange(hand, contract, seat, most)
        if exactly > popcount(hand):
            raise ValueError(f"{exactly} cards of a hand of {popcount(hand)}")
        return policy_discards(&self.weights, hand, contract, seat, most, exactly)

    def exchanges(self, uint64_t hand, int contract, int seat, int most):
        """Masks of up to 64 exchanges that nothing dominates, the most valuable by the weights first."""
        cdef uint64_t found[MAX_EXCHANGES]
        self._check_exchange(hand, contract, seat, most)
        cdef int n = best_exchanges(&self.weights, hand, contract, seat, most, found)
        return [found[i] for i in range(n)]

    cdef int _check_exchange(self, uint64_t hand, int contract, int seat, int most) except -1:
        check_contract(contract)
        if hand & ~PACK or popcount(hand) > MAX_CARDS or not 0 <= seat <= 2 or most < 0:
            raise ValueError("an exchange is of a hand of at most 17 cards, at seat 0 to 2, of 0 cards or more")
        return 0

    def play_out(self, hands, discards, int contract, int leader, trick, uint64_t seen):
        """Tricks F, M, R of the rest of a deal that all play by rule; `seen`: cards played, the trick's included."""
        cdef Play play
        cdef int seat
        memset(&play, 0, sizeof(Play))
        for seat in range(3):
            play.hand[seat] = <uint64_t>hands[seat] & PACK
            play.discards[seat] = discards[seat]
        play.n = read_cards(trick, play.trick, 2)
        play.contract, play.leader, play.seen = check_contract(contract), leader, seen
        for seat in range(3):
            if (popcount(play.hand[seat]) + ((seat - leader + 3) % 3 < play.n) != popcount(play.hand[to_act(&play)])):
                raise ValueError("the hands do not fit the trick")
        with nogil:
            play_out(&play)
        return play.won[0], play.won[1], play.won[2]

    def play_deal(self, hands, talon, int contract):
        """Tricks F, M, R of a deal in which all three exchange by the policy and play by rule."""
        cdef Table table
        cdef Play start
        cdef int tricks[3]
        cdef int seat, first = 0
        cdef uint64_t laid_down
        check_contract(contract)
        memset(&start, 0, sizeof(Play))
        for seat in range(3):
            table.hand[seat] = <uint64_t>hands[seat] & PACK
            table.discards[seat] = 0
        table.n_talon = read_cards(talon, table.talon, PACK_SIZE)
        if not popcount(table.hand[0]) == popcount(table.hand[1]) == popcount(table.hand[2]) <= MAX_CARDS:
            raise ValueError("the hands are not of equal size")
        with nogil:
            for seat in range(3):
                laid_down = policy_discards(&self.weights, table.hand[seat], contract, seat, table.n_talon - first, -1)
                exchange_at(&table, seat, laid_down, first, 1)
                first += popcount(laid_down)
            tricks_of(&start, &table, contract, tricks)
        return tricks[0], tricks[1], tricks[2]


cdef class Question:
    """What a seat knows that is to name a contract, to exchange or to play.

    contract: -1 when it is to be named. own: masks of its cards now and of its own discards. exchanged: numbers of cards
    of the seats that have exchanged. talon: cards left in it. played: bits of the cards played, in order. Raises
    ValueError when no hidden cards agree with that.
    """

    cdef Knowledge k
    cdef readonly Policies policies
    cdef readonly int seat, size, talon

    def __cinit__(self, Policies policies, int seat, int contract, own, exchanged, int talon, played):
        cdef int cards[3 * MAX_CARDS]
        cdef int n = read_cards(played, cards, 3 * MAX_CARDS), i
        cdef Knowledge* k = &self.k
        if not 0 <= seat <= 2 or len(exchanged) > 3 or len(own) != 2 or not -1 <= contract <= 5:
            raise ValueError("a seat 0 to 2, a contract -1 to 5, two masks, and at most three exchanges")
        self.policies, self.talon, self.seat = policies, talon, seat
        memset(k, 0, sizeof(Knowledge))
        k.weights = policies.weights
        k.play.nets = policies.nets
        k.seat, k.contract = seat, contract
        k.play.contract = contract
        k.play.hand[seat], k.play.discards[seat] = own[0], own[1]
        for i in range(2):
            k.other[i].seat = (seat + 1 + i) % 3
        self._replay(cards, n)
        k.unseen = PACK & ~(k.play.hand[seat] | k.play.discards[seat] | k.play.seen)
        self._count(exchanged, talon)
        fill_exponentials(k)
        count_ways(k)
        if not k.missing and not k.ways[0][k.other[0].size][k.other[1].size]:
            raise ValueError("no hidden cards agree with the suits that were not followed")

    cdef int _replay(self, int* cards, int n) except -1:
        """Play the cards: who played what, when, and which suits were not followed."""
        cdef Knowledge* k = &self.k
        cdef int at, seat, i, j
        cdef Past* past
        for at in range(n):
            seat = to_act(&k.play)
            if k.play.seen & bit_mask(cards[at]) or k.play.hand[k.seat] & bit_mask(cards[at]):
                raise ValueError(f"played[{at}] = {cards[at]} was played before, or is still held")
            for i in range(2):
                if k.other[i].seat != seat:
                    continue
                if k.other[i].n_past == MAX_CARDS:
                    raise ValueError("a hand has at most 17 cards")
                past = &k.other[i].past[k.other[i].n_past]
                past.card, past.n = cards[at], k.play.n
                for j in range(k.play.n):
                    past.trick[j] = k.play.trick[j]
                past.seen, past.own = k.play.seen, k.other[i].played
                k.other[i].n_past += 1
                k.other[i].played |= bit_mask(cards[at])
                if k.play.n and cards[at] >> 4 != k.play.trick[0] >> 4:
                    k.other[i].void_in |= lane_mask(k.play.trick[0])
            play_card(&k.play, seat, cards[at])
        return 0

    cdef int _count(self, exchanged, int talon) except -1:
        """How many cards everybody holds and has exchanged."""
        cdef Knowledge* k = &self.k
        cdef int i, seat, n_own = popcount(k.play.hand[k.seat]), hidden, laid_down = 0, available = talon
        k.missing = 13 - n_own if k.contract < 0 else 0
        if k.missing < 0 or n_own > MAX_CARDS or (k.play.seen and to_act(&k.play) != k.seat) or talon < 0:
            raise ValueError("it is not this seat's turn, or it holds too many cards")
        self.size = n_own + k.missing
        for n in exchanged:
            if not 0 <= n <= MAX_CARDS:
                raise ValueError(f"{n} cards can't be exchanged")
            available += n
        hidden = popcount(k.unseen) - k.missing
        if k.contract < 0:  # nothing has been drawn from the talon
            self.talon = hidden - 2 * self.size
        for i in range(2):
            seat = k.other[i].seat
            k.other[i].size = self.size - ((seat - k.play.leader + 3) % 3 < k.play.n)
            hidden -= k.other[i].size
            k.other[i].has_exchanged = seat < len(exchanged)
            k.other[i].n_available = available - sum(exchanged[:seat])
            k.other[i].n_exchanged = exchanged[seat] if seat < len(exchanged) else 0
            laid_down += k.other[i].n_exchanged
        if hidden < 0:
            raise ValueError("there are too few cards for all hands")
        for i in range(2):
            # A deal of fewer cards than the pack has: nobody can say what was laid down.
            if laid_down > hidden or k.other[i].n_exchanged > k.other[i].size + popcount(k.other[i].played):
                k.other[i].n_exchanged = 0
                k.other[i].has_exchanged = False
        return 0

    def play_by_net(self, int seats):
        """Let these seats, as bits 0 to 2, play by the net in playouts; the others play by rule."""
        self.k.play.learned = seats & 7

    def net_card(self):
        """The card that the net plays for the seat that asks."""
        cdef Sight sight
        self._check_turn()
        see(&self.k.play, self.k.seat, &sight)
        return learned_card(self.k.play.nets, &sight)

    def features(self):
        """Number of the net that is asked, 0 to 8, and for each legal card its bit and its features."""
        cdef Sight sight
        cdef Glance glance
        cdef int16_t f[N_FEATURES]
        cdef uint64_t legal
        self._check_turn()
        see(&self.k.play, self.k.seat, &sight)
        legal = legal_cards(sight.hand, sight.trick, sight.n)
        look(&sight, legal, &glance)
        cards = []
        for card in range(64):
            if legal >> card & 1:
                describe(&sight, &glance, card, f)
                cards.append((card, [f[i] for i in range(N_FEATURES)]))
        return which_net(&sight), cards

    cdef int _check_turn(self) except -1:
        if self.k.contract < 0 or not self.k.play.hand[self.k.seat] or to_act(&self.k.play) != self.k.seat:
            raise ValueError("it is not this seat's turn to play a card")
        return 0

    @property
    def ways(self):
        """In how many ways the cards that the others hold may lie; 0 before a contract is named: more than 64 bits."""
        if self.k.missing:
            return 0
        return self.k.ways[0][self.k.other[0].size][self.k.other[1].size]

    @property
    def tricks_won(self):
        """Tricks F, M, R so far."""
        return self.k.play.won[0], self.k.play.won[1], self.k.play.won[2]

    def infer(self, int exchange_floor, log_hit=(), log_miss=()):
        """Let exchanges, and plays if tables are given, tell what is likely; see playing_draw.pxd.

        exchange_floor: 0 or less, in millinats. log_hit, log_miss: for each trust the logarithms, in millinats, of a card
        the model plays and of one it does not, among 0 to 17 legal ones.
        """
        cdef int trust, n
        self.k.exchange_floor = min(exchange_floor, 0)
        self.k.use_play = bool(len(log_hit))
        for trust in range(N_TRUST if self.k.use_play else 0):
            for n in range(N_HAND):
                self.k.log_hit[trust][n] = log_hit[trust][n]
                self.k.log_miss[trust][n] = log_miss[trust][n]


cdef class Race:
    """The choices of one question, tried in worlds drawn for it; not for two threads at once.

    kind: CARDS (choices are bits), EXCHANGES (masks of discards) or CONTRACTS. points: (later, targets), what
    comes to each choice whatever the world, in thousandths, and this seat's targets in the six contracts. chain: steps before the first world,
    between worlds, worlds until it begins anew; (0, 0, 0) draws evenly. seed: 64 bits.
    """

    cdef RaceState state
    cdef readonly Question question
    cdef readonly list choices

    def __cinit__(self, Question question, int kind, choices, points, chain, seed, int max_worlds):
        cdef RaceState* race = &self.state
        cdef int i
        later, targets = points
        if not 1 <= len(choices) <= MAX_CHOICES or len(later) != len(choices) or len(targets) != 6 or max_worlds < 1:
            raise ValueError("a race has 1 to 64 choices, as many later points, 6 targets, and a world or more")
        self.question, self.choices = question, list(choices)
        race.kind, race.n_choices, race.max_worlds = kind, len(choices), max_worlds
        race.burn_in, race.between, race.restart = chain
        if race.between and race.restart < 1:
            raise ValueError("a chain begins anew after a world or more")
        race.n_available = question.talon
        for i in range(6):
            race.targets[i] = targets[i]
        race.target = targets[question.k.contract] if question.k.contract >= 0 else 0
        for i in range(race.n_choices):
            self._check(kind, choices[i])
            race.choice[i], race.later[i], race.active[i] = choices[i], later[i], True
        random_seed(&race.random, seed)
        race.values = <signed char*>calloc(<size_t>max_worlds * race.n_choices, 1)
        if race.values == NULL:
            raise MemoryError

    cdef int _check(self, int kind, uint64_t choice) except -1:
        cdef const Knowledge* k = &self.question.k
        if kind == RACE_CONTRACTS:
            check_contract(choice)
        elif k.contract < 0:
            raise ValueError("a contract is to be named first")
        elif kind == RACE_EXCHANGES:
            if choice & ~k.play.hand[k.seat] or popcount(choice) > self.state.n_available:
                raise ValueError(f"{choice:#x} can't be laid down")
        elif choice >= 64 or not bit_mask(<int>choice) & k.play.hand[k.seat]:
            raise ValueError(f"{choice} is not held")
        return 0

    def __dealloc__(self):
        free(self.state.values)

    def run(self, int n):
        """Try the choices still in the race in n worlds more, as far as `max_worlds` go; return the worlds so far."""
        cdef int more = min(n, self.state.max_worlds - self.state.n_worlds)
        with nogil:
            race_run(&self.question.k, &self.state, more)
        return self.state.n_worlds

    def drop_behind(self, int errors_tenths):
        """Take choices out of the race that are so many tenths of a standard error behind; return how many are left."""
        race_drop_behind(&self.state, errors_tenths)
        return self.n_active

    def keep(self, int n):
        """Let only the best n choices go on."""
        race_keep(&self.state, n)

    @property
    def n_active(self):
        """Choices still in the race."""
        return sum(self.state.active[i] for i in range(self.state.n_choices))

    @property
    def n_worlds(self):
        return self.state.n_worlds

    @property
    def n_played(self):
        """Playouts so far."""
        return self.state.n_played

    @property
    def leader(self):
        """Index of the choice in the race with most points; the first of equals."""
        return race_leader(&self.state)

    def is_active(self, int i):
        return bool(self.state.active[i])

    def values(self, int i):
        """Points of choice i in each world in which it was tried."""
        cdef int world
        return [self.state.values[<int64_t>world * self.state.n_choices + i] for world in range(self.state.n_tried[i])]

    def difference(self, int i, int j):
        """Of points of choice i less those of j: number of worlds both were tried in, sum, sum of squares."""
        cdef int64_t total, squares
        race_difference(&self.state, i, j, &total, &squares)
        return min(self.state.n_tried[i], self.state.n_tried[j]), total, squares

    def held(self):
        """In how many worlds so far each seat held each card: three lists by bit 0 to 63."""
        return [[self.state.held[seat][bit] for bit in range(64)] for seat in range(3)]

    def trusts(self):
        """The trusts, 0 to N_TRUSTS - 1, of the two others in the last world."""
        return self.state.chain.trust[0], self.state.chain.trust[1]

    def draw(self):
        """Draw a world without trying anything: masks of hands, discards and cards drawn of F, M, R, and of the talon.

        Of its own cards the seat is not asked which it drew: 0.
        """
        cdef uint64_t drawn[3]
        cdef World world
        draw_world(&self.question.k, &self.state, &world)
        self.state.n_worlds += 1
        drawn[self.question.k.seat] = 0
        for i in range(2):
            drawn[self.question.k.other[i].seat] = self.state.chain.held[i].place[DRAWN]
        return (
            tuple(world.hand[i] for i in range(3)),
            tuple(world.discards[i] for i in range(3)),
            tuple(drawn[i] for i in range(3)),
            world.talon,
        )
