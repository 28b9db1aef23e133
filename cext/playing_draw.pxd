# cython: language_level=3
"""What the hidden cards may be, drawn at random from what a seat knows.

A card nobody has seen is in one of the *places* below, and each card played was kept or drawn by the seat that played it:

    0 rest of the talon    1 kept by A    2 drawn by A    3 laid down by A    4, 5, 6 the same of B

A and B are the two others, A the next seat. First `draw_even`: all ways that agree with what is certain (numbers of
cards, suits not followed) are equally likely. They are counted exactly, by the lengths of the suits, in 64 bits: there
are never more than 2e17 once the seat holds all its cards. Then, where exchanges and plays tell something, a Markov chain swaps two cards at a time
(Metropolis) so that ways are as likely as the others' exchanges and plays would be of a model player. Weights are
logarithms in thousandths ("millinats"), whole numbers, so that draws are the same on every platform.

    exchange   how far the value of what a seat kept falls short of the policy's best; no lower than a floor, so that a
               player with ideas of its own is not put out of the question
    play       of each card played with a choice: likely if the rules of thumb play it or one that touches it. How
               likely is not fixed: each seat has one of N_TRUST trusts, from "nearly always by rule" to "anything", and
               the chain draws that too, so that a seat that plays unlike the model is soon no longer read by it
"""

from libc.stdint cimport int16_t, int32_t, uint8_t
from libc.string cimport memcpy
from cards cimport below_mask, bit_mask, ctz, lane_mask, popcount, uint32_t, uint64_t
from playing cimport Play
from playing_exchange cimport (N_HAND, SuitBest, Weights, best_number, best_values, drawn_values, holding_values,
                               suit_best)
from playing_random cimport Random, any_of, below, below_word, next_word
from playing_rule cimport MAX_CARDS, PACK, PACK_SIZE, lane_of, legal_cards, rule_card

cdef enum:
    N_TRUST = 5
    REST = 0
    KEPT = 1              # places of A; those of B are OTHER further
    DRAWN = 2
    LAID_DOWN = 3
    OTHER = 3
    FINE = 256            # steps of the fine table of exponentials
    COARSE = 80
    N_PAST = 34           # cards that two others have played, at most

cdef struct Past:
    # A card that one of the others played.
    int card
    int n                 # cards played to the trick before it
    int trick[3]
    uint64_t seen         # all cards played before
    uint64_t own          # those of them that the seat itself played

cdef struct Other:
    int seat
    int size              # cards it still holds
    int n_exchanged       # 0 too when it has yet to exchange
    int n_available       # cards in the talon when it exchanged
    bint has_exchanged
    uint64_t played
    uint64_t void_in      # all cards of the suits it did not follow
    int n_past
    Past past[MAX_CARDS]

cdef struct Knowledge:
    Weights weights
    Play play             # the position, with nothing in the others' hands
    int seat
    int contract
    int missing           # cards of its own it has not seen: before a contract is named
    uint64_t unseen
    Other other[2]
    int exchange_floor    # millinats, below 0; 0: exchanges tell nothing
    bint use_play         # do plays tell something?
    int32_t log_hit[N_TRUST][N_HAND]   # of a card the model plays, of one it does not, among so many legal ones
    int32_t log_miss[N_TRUST][N_HAND]
    uint64_t fine[FINE + 1]            # exp(-i / 1000) of 2**31
    uint64_t coarse[COARSE]            # exp(-256 i / 1000)
    uint64_t ways[5][N_HAND][N_HAND]   # to give A and B so many cards of the suits from this one on
    uint64_t choose[14][14]

cdef struct Held:
    # What one of the others is thought to have and to have had.
    uint64_t place[4]     # at KEPT, DRAWN, LAID_DOWN; cards played count
    SuitBest suits[4]     # of the cards it had before it exchanged
    int exchange
    int play[N_TRUST]

cdef struct World:
    uint64_t hand[3]
    uint64_t discards[3]
    uint64_t talon

cdef struct Chain:
    Held held[2]
    int trust[2]
    uint64_t rest
    int n_items
    uint8_t item[PACK_SIZE]
    uint8_t place[64]
    uint8_t may_be[64]    # bit p: the card may be in place p


# Even draws


cdef inline void count_ways(Knowledge* k) noexcept nogil:
    """Fill `choose` and `ways`."""
    cdef int suit, n, a, b, x, y, free_a, free_b, in_suit
    cdef uint64_t total
    for n in range(14):
        for a in range(14):
            k.choose[n][a] = 1 if a == 0 else (0 if n == 0 else k.choose[n - 1][a - 1] + k.choose[n - 1][a])
    for a in range(N_HAND):
        for b in range(N_HAND):
            k.ways[4][a][b] = 1 if a == 0 and b == 0 else 0
    for suit in range(3, -1, -1):
        in_suit = popcount(lane_of(k.unseen, suit))
        free_a = 0 if lane_of(k.other[0].void_in, suit) else in_suit
        free_b = 0 if lane_of(k.other[1].void_in, suit) else in_suit
        for a in range(k.other[0].size + 1):
            for b in range(k.other[1].size + 1):
                total = 0
                for x in range((a if a < free_a else free_a) + 1):
                    for y in range((b if b < free_b else free_b) + 1):
                        if x + y <= in_suit:
                            total += k.choose[in_suit][x] * k.choose[in_suit - x][y] * k.ways[suit + 1][a - x][b - y]
                k.ways[suit][a][b] = total


cdef inline void draw_hands(const Knowledge* k, Random* random, uint64_t* hand_a, uint64_t* hand_b) noexcept nogil:
    """Cards the others hold, all possible ways equally likely; `ways` must not be 0."""
    cdef int suit, x, y, in_suit, free_b, a = k.other[0].size, b = k.other[1].size
    cdef uint64_t left = below_word(random, k.ways[0][a][b]), part, lane, cards
    cdef bint found
    hand_a[0] = hand_b[0] = 0
    for suit in range(4):
        lane = k.unseen & lane_mask(16 * suit)
        in_suit = popcount(lane)
        free_b = 0 if lane_of(k.other[1].void_in, suit) else in_suit
        found = False
        x = 0
        while not found:  # `left` is less than the sum of all parts, so one of them has it
            for y in range((b if b < free_b else free_b) + 1):
                if x + y <= in_suit:
                    part = k.choose[in_suit][x] * k.choose[in_suit - x][y] * k.ways[suit + 1][a - x][b - y]
                    if left < part:
                        found = True
                        break
                    left -= part
            if not found:
                x += 1
        # Which way of those with these lengths is drawn anew, and where among them `left` was is told to the rest.
        left = left // (k.choose[in_suit][x] * k.choose[in_suit - x][y])
        cards = any_of(random, lane, x)
        hand_a[0] |= cards
        hand_b[0] |= any_of(random, lane & ~cards, y)
        a -= x
        b -= y


cdef inline void draw_even(const Knowledge* k, Random* random, Chain* chain) noexcept nogil:
    """Put all cards in places, each way that agrees with what is certain equally likely."""
    cdef uint64_t hand[2]
    cdef uint64_t cards
    cdef int i
    cdef Held* held
    if k.missing:
        # Nothing is known yet but six cards: any cards will do, and the ways would not fit in 64 bits.
        hand[0] = any_of(random, k.unseen, k.other[0].size)
        hand[1] = any_of(random, k.unseen & ~hand[0], k.other[1].size)
    else:
        draw_hands(k, random, &hand[0], &hand[1])
    chain.rest = k.unseen & ~(hand[0] | hand[1])
    for i in range(2):
        held = &chain.held[i]
        held.place[LAID_DOWN] = any_of(random, chain.rest, k.other[i].n_exchanged)
        chain.rest &= ~held.place[LAID_DOWN]
        cards = hand[i] | k.other[i].played
        held.place[DRAWN] = any_of(random, cards, k.other[i].n_exchanged)
        held.place[KEPT] = cards & ~held.place[DRAWN]


cdef inline void world_of(const Knowledge* k, const Chain* chain, Random* random, World* world) noexcept nogil:
    cdef int i, seat
    cdef uint64_t own
    world.talon = chain.rest
    world.hand[k.seat] = k.play.hand[k.seat]
    world.discards[k.seat] = k.play.discards[k.seat]
    if k.missing:
        own = any_of(random, world.talon, k.missing)
        world.hand[k.seat] |= own
        world.talon &= ~own
    for i in range(2):
        seat = k.other[i].seat
        world.hand[seat] = (chain.held[i].place[KEPT] | chain.held[i].place[DRAWN]) & ~k.other[i].played
        world.discards[seat] = chain.held[i].place[LAID_DOWN]


# The Markov chain


cdef inline void fill_exponentials(Knowledge* k) noexcept nogil:
    """exp(-1/1000) is 2145337238 of 2**31; the rest by multiplication, so that no platform rounds its own way."""
    cdef int i
    k.fine[0] = k.coarse[0] = <uint64_t>1 << 31
    for i in range(FINE):
        k.fine[i + 1] = k.fine[i] * <uint64_t>2145337238 >> 31
    for i in range(COARSE - 1):
        k.coarse[i + 1] = k.coarse[i] * k.fine[FINE] >> 31


cdef inline uint64_t exponential(const Knowledge* k, int millinats) noexcept nogil:
    """exp of a number that is 0 or less, of 2**31."""
    cdef int n = -millinats
    if n >= FINE * COARSE:
        return 0
    return k.coarse[n >> 8] * k.fine[n & (FINE - 1)] >> 31


cdef inline void weigh_exchange(const Knowledge* k, int i, Held* held) noexcept nogil:
    """How likely the exchange is: by what was kept for its number of cards, and by the number."""
    cdef int values[N_HAND]
    cdef int suit, size, n = k.other[i].n_exchanged, seat = k.other[i].seat, worth = 0, best
    cdef uint64_t had = held.place[KEPT] | held.place[LAID_DOWN]
    cdef const int16_t* holding
    cdef const int16_t* drawn = drawn_values(&k.weights, k.contract, seat)
    if not k.exchange_floor or not k.other[i].has_exchanged:
        held.exchange = 0
        return
    for suit in range(4):
        holding = holding_values(&k.weights, k.contract, seat, suit)
        worth += holding[lane_of(held.place[KEPT], suit)]
        if held.suits[suit].n < 0 or held.suits[suit].lane != lane_of(had, suit):
            suit_best(holding, lane_of(had, suit), &held.suits[suit])
    size = best_values(held.suits, values)
    best = best_number(values, size, drawn, k.other[i].n_available)
    # A tenth of a point kept too little is one nat, a fifth of a point by the number of cards too.
    held.exchange = (10 * (worth - values[size - n])
                     + 5 * (values[size - n] + drawn[n] - values[size - best] - drawn[best]))
    if held.exchange < k.exchange_floor:
        held.exchange = k.exchange_floor


cdef inline bint touches(int card, int other, uint64_t between) noexcept nogil:
    """Are two cards of one hand alike in play: of one suit, with nothing of `between` in the middle?"""
    cdef int low = card if card < other else other, high = other if card < other else card
    return low >> 4 == high >> 4 and not between & below_mask(high) & ~below_mask(low)


cdef inline void weigh_play(const Knowledge* k, int i, Held* held) noexcept nogil:
    """How likely the cards played are, for each trust."""
    cdef const Other* other = &k.other[i]
    cdef const Past* past
    cdef uint64_t all_cards = held.place[KEPT] | held.place[DRAWN], hand, unseen, legal
    cdef int at, trust, n, card
    for trust in range(N_TRUST):
        held.play[trust] = 0
    if not k.use_play:
        return
    for at in range(other.n_past):
        past = &other.past[at]
        hand = all_cards & ~past.own
        legal = legal_cards(hand, past.trick, past.n)
        n = popcount(legal)
        if n == 1:
            continue
        unseen = PACK & ~(past.seen | hand | held.place[LAID_DOWN])
        card = rule_card(hand, k.contract, past.trick, past.n, unseen)
        if card == past.card or touches(card, past.card, unseen):
            for trust in range(N_TRUST):
                held.play[trust] += k.log_hit[trust][n]
        else:
            for trust in range(N_TRUST):
                held.play[trust] += k.log_miss[trust][n]


cdef inline void weigh(const Knowledge* k, int i, Held* held) noexcept nogil:
    weigh_exchange(k, i, held)
    weigh_play(k, i, held)


cdef inline void chain_start(const Knowledge* k, Random* random, Chain* chain) noexcept nogil:
    """An even draw, and what may be where."""
    cdef int i, suit, place, card
    cdef uint64_t left, at
    cdef uint8_t free
    draw_even(k, random, chain)
    chain.n_items = 0
    left = k.unseen | k.other[0].played | k.other[1].played
    while left:
        card = ctz(left)
        left &= left - 1
        chain.item[chain.n_items] = <uint8_t>card
        chain.n_items += 1
        free = 1 << REST | 1 << LAID_DOWN | 1 << (OTHER + LAID_DOWN)
        for i in range(2):
            if bit_mask(card) & k.other[i].played:
                free = <uint8_t>((1 << KEPT | 1 << DRAWN) << (OTHER * i))
                break
            if not bit_mask(card) & k.other[i].void_in:
                free |= <uint8_t>((1 << KEPT | 1 << DRAWN) << (OTHER * i))
        chain.may_be[card] = free
        chain.place[card] = REST
        for i in range(2):
            for place in range(KEPT, LAID_DOWN + 1):
                if bit_mask(card) & chain.held[i].place[place]:
                    chain.place[card] = <uint8_t>(place + OTHER * i)
    for i in range(2):
        chain.trust[i] = N_TRUST // 2
        for suit in range(4):
            chain.held[i].suits[suit].n = -1
        weigh(k, i, &chain.held[i])


cdef inline void put(Held* held, uint64_t* rest, int place, uint64_t cards) noexcept nogil:
    """Add or take away (the same thing, as masks) cards of a place."""
    if place == REST:
        rest[0] ^= cards
    elif place <= LAID_DOWN:
        held[0].place[place] ^= cards
    else:
        held[1].place[place - OTHER] ^= cards


cdef inline bint chain_step(const Knowledge* k, Random* random, Chain* chain) noexcept nogil:
    """Propose to swap two cards; tell whether it was done."""
    cdef int c = chain.item[below(random, chain.n_items)], d = chain.item[below(random, chain.n_items)]
    cdef int p = chain.place[c], q = chain.place[d], i, change = 0
    cdef bint changed[2]
    cdef Held held[2]
    cdef uint64_t rest = chain.rest, both = bit_mask(c) | bit_mask(d)
    if p == q or not chain.may_be[c] >> q & 1 or not chain.may_be[d] >> p & 1:
        return False
    for i in range(2):
        changed[i] = (p != REST and (p > LAID_DOWN) == i) or (q != REST and (q > LAID_DOWN) == i)
        if changed[i]:
            memcpy(&held[i], &chain.held[i], sizeof(Held))
    put(held, &rest, p, both)
    put(held, &rest, q, both)
    for i in range(2):
        if changed[i]:
            weigh(k, i, &held[i])
            change += held[i].exchange - chain.held[i].exchange
            change += held[i].play[chain.trust[i]] - chain.held[i].play[chain.trust[i]]
    if change < 0 and (next_word(random) >> 33) >= exponential(k, change):
        return False
    for i in range(2):
        if changed[i]:
            memcpy(&chain.held[i], &held[i], sizeof(Held))
    chain.rest = rest
    chain.place[c], chain.place[d] = <uint8_t>q, <uint8_t>p
    return True


cdef inline void draw_trust(const Knowledge* k, Random* random, Chain* chain) noexcept nogil:
    """Draw how far each seat's plays are trusted, given the cards: all trusts are equally likely beforehand."""
    cdef int i, trust, best
    cdef uint64_t weight[N_TRUST]
    cdef uint64_t total, left
    for i in range(2):
        best = chain.held[i].play[0]
        for trust in range(1, N_TRUST):
            if chain.held[i].play[trust] > best:
                best = chain.held[i].play[trust]
        total = 0
        for trust in range(N_TRUST):
            weight[trust] = exponential(k, chain.held[i].play[trust] - best)
            total += weight[trust]
        left = below_word(random, total)
        trust = 0
        while left >= weight[trust]:
            left -= weight[trust]
            trust += 1
        chain.trust[i] = trust
