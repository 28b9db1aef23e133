# cython: language_level=3
"""Races of choices: each world drawn is tried with every choice still in the race, so that luck cancels between them.

Values are points of the seat that asks, whole numbers, kept for every world and choice. A choice leaves the race when it
is behind the leader by so many standard errors of the difference (`race_drop_behind`), or because only so many may go
on (`race_keep`). All comparisons are between whole numbers.
"""

from libc.stdint cimport int8_t, int64_t
from cards cimport bit_mask, ctz, popcount, uint64_t
from playing cimport Play, play_card, play_out
from playing_draw cimport (Chain, Knowledge, World, chain_start, chain_step, draw_even, draw_trust, world_of)
from playing_exchange cimport N_HAND, Weights, policy_discards
from playing_random cimport Random, below
from playing_rule cimport MIZERKA, PACK_SIZE

cdef enum:
    MAX_CHOICES = 64
    RACE_CARDS = 0
    RACE_EXCHANGES = 1
    RACE_CONTRACTS = 2

cdef struct Table:
    # A deal about to be exchanged: hands, and the talon in draw order, with the far end taken by `n_back`.
    uint64_t hand[3]
    uint64_t discards[3]
    int n_talon
    int talon[PACK_SIZE]

cdef struct Race:
    int kind
    int target            # points are tricks - target, in mizerka target - tricks
    int targets[6]        # of the contracts, for the race about them
    int n_available       # cards in the talon
    int burn_in           # steps of the chain before the first world and between worlds; 0: even draws
    int between
    int restart           # worlds after which the chain begins anew
    int n_choices
    uint64_t choice[MAX_CHOICES]   # a card's bit, a mask of discards, or a contract
    bint active[MAX_CHOICES]
    int n_tried[MAX_CHOICES]       # worlds in which the choice was tried: the first ones
    int64_t later[MAX_CHOICES]     # points in thousandths that a choice brings whatever the world
    int n_worlds
    int max_worlds
    int8_t* values        # [world][choice]
    int64_t n_played      # playouts so far
    Random random
    Chain chain
    int64_t held[3][64]   # in how many worlds each seat held each card


cdef inline int seat_points(int contract, int target, int tricks) noexcept nogil:
    return target - tricks if contract == MIZERKA else tricks - target


cdef inline void draw_world(const Knowledge* k, Race* race, World* world) noexcept nogil:
    """The next world of the race; chains go on from the last one until they are begun anew."""
    cdef int i
    if not race.between:
        draw_even(k, &race.random, &race.chain)
    elif race.n_worlds % race.restart == 0:
        chain_start(k, &race.random, &race.chain)
        for i in range(race.burn_in):
            chain_step(k, &race.random, &race.chain)
            if i % race.between == race.between - 1:
                draw_trust(k, &race.random, &race.chain)
    else:
        for i in range(race.between):
            chain_step(k, &race.random, &race.chain)
        draw_trust(k, &race.random, &race.chain)
    world_of(k, &race.chain, &race.random, world)


cdef inline void lay_table(Random* random, const World* world, Table* table) noexcept nogil:
    """The world with its talon in an order drawn at random."""
    cdef uint64_t left = world.talon
    cdef int i, j, card
    table.n_talon = 0
    while left:
        table.talon[table.n_talon] = ctz(left)
        left &= left - 1
        table.n_talon += 1
    for i in range(table.n_talon - 1, 0, -1):
        j = <int>below(random, i + 1)
        card = table.talon[i]
        table.talon[i] = table.talon[j]
        table.talon[j] = card
    for i in range(3):
        table.hand[i] = world.hand[i]
        table.discards[i] = world.discards[i]


cdef inline void exchange_at(Table* table, int seat, uint64_t discards, int first, int step) noexcept nogil:
    """Lay down cards and draw as many from place `first` of the talon on, forwards or backwards."""
    cdef uint64_t left = discards
    table.hand[seat] &= ~discards
    table.discards[seat] |= discards
    while left:
        left &= left - 1
        table.hand[seat] |= bit_mask(table.talon[first])
        first += step


cdef inline void later_exchanges(const Weights* weights, Table* table, int contract, int seat, int most) noexcept nogil:
    """Seats from `seat` on exchange by the policy, drawing from the far end, where what is left is as likely to lie.

    So what they get depends as little as possible on how many cards were drawn before them.
    """
    cdef int other, back = table.n_talon - 1, n
    cdef uint64_t discards
    for other in range(seat, 3):
        discards = policy_discards(weights, table.hand[other], contract, other, most, -1)
        exchange_at(table, other, discards, back, -1)
        n = popcount(discards)
        back -= n
        most -= n


cdef inline void tricks_of(const Play* start, const Table* table, int contract, int* tricks) noexcept nogil:
    """Tricks F, M, R when the deal is played out from the first lead, by the policies of `start`."""
    cdef Play play = start[0]
    cdef int i
    for i in range(3):
        play.hand[i] = table.hand[i]
        play.discards[i] = table.discards[i]
    play.contract = contract
    play_out(&play)
    for i in range(3):
        tricks[i] = play.won[i]


cdef inline void try_cards(const Knowledge* k, Race* race, const World* world, int8_t* row) noexcept nogil:
    cdef Play play
    cdef int i, seat
    for i in range(race.n_choices):
        if race.active[i]:
            play = k.play
            for seat in range(3):
                play.hand[seat] = world.hand[seat]
                play.discards[seat] = world.discards[seat]
            play_card(&play, k.seat, <int>race.choice[i])
            play_out(&play)
            row[i] = <int8_t>seat_points(k.contract, race.target, play.won[k.seat])
            race.n_played += 1


cdef inline void try_exchanges(const Knowledge* k, Race* race, const World* world, int8_t* row) noexcept nogil:
    cdef Table dealt, table
    cdef Table later[N_HAND]
    cdef bint known[N_HAND]
    cdef int tricks[3]
    cdef int i, n
    lay_table(&race.random, world, &dealt)
    for n in range(N_HAND):
        known[n] = False
    for i in range(race.n_choices):
        if not race.active[i]:
            continue
        n = popcount(race.choice[i])
        if not known[n]:
            later[n] = dealt
            later_exchanges(&k.weights, &later[n], k.contract, k.seat + 1, race.n_available - n)
            known[n] = True
        table = later[n]
        exchange_at(&table, k.seat, race.choice[i], 0, 1)
        tricks_of(&k.play, &table, k.contract, tricks)
        row[i] = <int8_t>seat_points(k.contract, race.target, tricks[k.seat])
        race.n_played += 1


cdef inline void try_contracts(const Knowledge* k, Race* race, const World* world, int8_t* row) noexcept nogil:
    cdef Table dealt, table
    cdef int tricks[3]
    cdef int i, contract
    lay_table(&race.random, world, &dealt)
    for i in range(race.n_choices):
        if race.active[i]:
            table = dealt
            contract = <int>race.choice[i]
            later_exchanges(&k.weights, &table, contract, 0, race.n_available)
            tricks_of(&k.play, &table, contract, tricks)
            row[i] = <int8_t>seat_points(contract, race.targets[contract], tricks[k.seat])
            race.n_played += 1


cdef inline void race_run(const Knowledge* k, Race* race, int n) noexcept nogil:
    """Try the choices in n further worlds."""
    cdef World world
    cdef uint64_t left
    cdef int i, seat
    cdef int8_t* row
    for i in range(n):
        draw_world(k, race, &world)
        for seat in range(3):
            left = world.hand[seat]
            while left:
                race.held[seat][ctz(left)] += 1
                left &= left - 1
        row = race.values + <int64_t>race.n_worlds * race.n_choices
        if race.kind == RACE_CARDS:
            try_cards(k, race, &world, row)
        elif race.kind == RACE_EXCHANGES:
            try_exchanges(k, race, &world, row)
        else:
            try_contracts(k, race, &world, row)
        race.n_worlds += 1
        for seat in range(race.n_choices):
            race.n_tried[seat] += race.active[seat]


cdef inline void race_difference(const Race* race, int i, int j, int64_t* total, int64_t* squares) noexcept nogil:
    """Sum and sum of squares of what choice i brings more than j in the worlds in which both were tried."""
    cdef const int8_t* row = race.values
    cdef int world, more, n = race.n_tried[i] if race.n_tried[i] < race.n_tried[j] else race.n_tried[j]
    total[0] = squares[0] = 0
    for world in range(n):
        more = row[i] - row[j]
        total[0] += more
        squares[0] += more * more
        row += race.n_choices


cdef inline int64_t race_total(const Race* race, int i) noexcept nogil:
    """Points of a choice in all worlds in which it was tried, in thousandths, with what it brings later."""
    cdef const int8_t* value = race.values + i
    cdef int64_t total = 0
    cdef int world
    for world in range(race.n_tried[i]):
        total += value[0]
        value += race.n_choices
    return 1000 * total + race.later[i] * race.n_tried[i]


cdef inline int race_leader(const Race* race) noexcept nogil:
    """The choice in the race with most points; the first of equals."""
    cdef int i, best = -1
    cdef int64_t total, best_total = 0
    for i in range(race.n_choices):
        if race.active[i]:
            total = race_total(race, i)
            if best < 0 or total > best_total:
                best, best_total = i, total
    return best


cdef inline void race_drop_behind(Race* race, int errors_tenths) noexcept nogil:
    """Drop choices that are behind the leader by so many tenths of a standard error or more."""
    cdef int best = race_leader(race), i
    cdef int64_t total, squares, n = race.n_worlds, spread, behind
    for i in range(race.n_choices):
        if race.active[i] and i != best:
            race_difference(race, best, i, &total, &squares)
            spread = squares - total * total // n          # n times the variance; a tie in all worlds stays
            behind = total + (race.later[best] - race.later[i]) * n // 1000
            if behind > 0 and 100 * behind * behind > <int64_t>errors_tenths * errors_tenths * (spread + 1):
                race.active[i] = False


cdef inline void race_keep(Race* race, int n_kept) noexcept nogil:
    """Only the best `n_kept` go on; of equals the first."""
    cdef int64_t total[MAX_CHOICES]
    cdef int i, worst, n_active = 0
    for i in range(race.n_choices):
        if race.active[i]:
            total[i] = race_total(race, i)
            n_active += 1
    while n_active > n_kept:
        worst = -1
        for i in range(race.n_choices):
            if race.active[i] and (worst < 0 or total[i] <= total[worst]):
                worst = i
        race.active[worst] = False
        n_active -= 1
