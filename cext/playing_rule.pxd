# cython: language_level=3
"""Cards by rules of thumb: the compiled twin of `policy/play.py`, card by card the same, which a test proves.

Why each rule is as it is stands there; here is only how it is computed on masks. Scores are whole numbers, and fractions
are compared crosswise, so that answers are the same on every platform. `unseen` are the cards that, for all the player
knows, others may hold; `trick` are the 0 to 2 cards played to the trick so far.
"""

from cards cimport bit_mask, clz32, ctz, lane_mask, popcount, uint32_t, uint64_t

cdef enum:
    MIZERKA = 5       # contracts by number; below NO_TRUMP they are trump suits
    NO_TRUMP = 4
    DRAW_FROM = 4     # as in policy/play.py
    SAFE_LENGTH = 4
    MAX_HIGHER = 1
    RUFF_FEAR = 3
    MAX_CARDS = 17    # of a hand
    PACK_SIZE = 52
    WORST = 1 << 20

cdef extern from *:
    """
    #define MZ_PACK UINT64_C(0x1FFF1FFF1FFF1FFF)
    """
    const uint64_t PACK "MZ_PACK"


cdef inline uint32_t lane_of(uint64_t mask, int suit) noexcept nogil:
    return <uint32_t>((mask >> (16 * suit)) & 0x1FFF)


cdef inline int lowest(uint32_t lane) noexcept nogil:
    return ctz(lane)


cdef inline int highest(uint32_t lane) noexcept nogil:
    return 31 - clz32(lane)


cdef inline uint32_t above_rank(int rank) noexcept nogil:
    """Ranks higher than `rank`."""
    return ~((<uint32_t>2 << rank) - 1)


cdef inline bint beats(int card, int top, int contract) noexcept nogil:
    """Does `card`, played later, win over `top`, which wins so far?"""
    if card >> 4 == top >> 4:
        return card > top
    return card >> 4 == contract


cdef inline int winning_place(const int* trick, int n, int contract) noexcept nogil:
    """Place, from 0, of the card that wins or so far wins."""
    cdef int place = 0
    if n > 1 and beats(trick[1], trick[0], contract):
        place = 1
    if n > 2 and beats(trick[2], trick[place], contract):
        place = 2
    return place


cdef inline uint64_t legal_cards(uint64_t hand, const int* trick, int n) noexcept nogil:
    cdef uint64_t in_suit
    if n:
        in_suit = hand & lane_mask(trick[0])
        if in_suit:
            return in_suit
    return hand


cdef inline int rule_lead(uint64_t hand, int contract, uint64_t unseen) noexcept nogil:
    cdef int suit, n_out = 0, top, length, n_others, score, card, best = -1, best_score = -WORST
    cdef uint32_t own, others, out
    if contract < NO_TRUMP:
        own = lane_of(hand, contract)
        out = lane_of(unseen, contract)
        n_out = popcount(out)
        if n_out and popcount(own) >= DRAW_FROM and not out & above_rank(highest(own)):
            return contract << 4 | highest(own)
    for suit in range(4):
        own = lane_of(hand, suit)
        if not own:
            continue
        others = lane_of(unseen, suit)
        top = highest(own)
        length = popcount(own)
        n_others = popcount(others)
        if not others >> top:
            card = top
            if suit == contract:
                score = 5 if n_out else 20
            elif not n_out:
                score = 60 + length
            else:
                score = 40 + n_others if n_others >= SAFE_LENGTH else n_others
        elif suit == contract:
            score = length - 20
            card = lowest(own)
        else:
            score = length if not n_out or length > 2 else 6 - length
            card = lowest(own)
            if popcount(others >> top) == 1 and own << 1 >> top & 1:
                score += 3
                card = top
        if score > best_score:
            best, best_score = suit << 4 | card, score
    return best


cdef inline int rule_follow(uint32_t own, int top, bint last, uint32_t unseen) noexcept nogil:
    """Rank to play in the suit led, which nobody has ruffed."""
    cdef uint32_t over = own & above_rank(top), sure
    cdef int best
    if not over:
        return lowest(own)
    if last:
        return lowest(over)
    sure = over & above_rank(highest(unseen)) if unseen else over
    if sure:
        return lowest(sure)
    best = highest(over)
    return best if popcount(unseen >> best) <= MAX_HIGHER else lowest(own)


cdef inline int rule_throw(uint64_t hand, int contract, uint64_t unseen) noexcept nogil:
    cdef int suit, rank, length, guards, score, best = -1, best_score = WORST
    cdef uint32_t own, others
    for suit in range(4):
        own = lane_of(hand, suit)
        if not own:
            continue
        others = lane_of(unseen, suit)
        rank = lowest(own)
        length = popcount(own)
        guards = popcount(others >> highest(own))
        score = rank + (0 if others >> rank else 20) + (30 if suit == contract else 0)
        if guards and length == guards + 1:
            score += 6
        if score < best_score:
            best, best_score = suit << 4 | rank, score
    return best


cdef inline int rule_lead_low(uint64_t hand, uint64_t unseen) noexcept nogil:
    """The score is 10 higher / (total + 1) + a whole number: kept as a fraction."""
    cdef int suit, rank, higher, total, score, best = -1, best_score = -WORST, best_total = 1
    cdef uint32_t own, others
    for suit in range(4):
        own = lane_of(hand, suit)
        if not own:
            continue
        others = lane_of(unseen, suit)
        rank = lowest(own)
        higher = popcount(others >> rank)
        total = popcount(others) + 1
        score = 10 * higher + total * ((higher if higher < 6 else 6) if higher else -5)
        if score * best_total > best_score * total:
            best, best_score, best_total = suit << 4 | rank, score, total
    return best


cdef inline int rule_stay_below(uint32_t own, int top, bint last, uint32_t unseen) noexcept nogil:
    cdef uint32_t under = own & ((<uint32_t>1 << top) - 1)
    if under:
        return highest(under)
    if last or popcount(unseen >> lowest(own)) < RUFF_FEAR:
        return highest(own)
    return lowest(own)


cdef inline int rule_throw_high(uint64_t hand, uint64_t unseen) noexcept nogil:
    cdef int suit, top, lower, lows, score, best = -1, best_score = -WORST
    cdef uint32_t own, others
    for suit in range(4):
        own = lane_of(hand, suit)
        if not own:
            continue
        others = lane_of(unseen, suit)
        top = highest(own)
        lower = popcount(others & ((<uint32_t>1 << top) - 1))
        lows = popcount(own & ((<uint32_t>1 << lowest(others)) - 1)) if others else 0
        score = 4 * lower + top - 3 * popcount(own) - 6 * lows
        if score > best_score:
            best, best_score = suit << 4 | top, score
    return best


cdef inline int rule_card(uint64_t hand, int contract, const int* trick, int n, uint64_t unseen) noexcept nogil:
    """The card that the rules of thumb play; always a legal one."""
    cdef int suit, top
    cdef uint32_t own, trumps
    if n == 0:
        return rule_lead_low(hand, unseen) if contract == MIZERKA else rule_lead(hand, contract, unseen)
    suit = trick[0] >> 4
    own = lane_of(hand, suit)
    top = trick[winning_place(trick, n, contract)]
    if contract == MIZERKA:
        if not own:
            return rule_throw_high(hand, unseen)
        return suit << 4 | rule_stay_below(own, top & 15, n == 2, lane_of(unseen, suit))
    if own:
        if top >> 4 != suit:  # ruffed already
            return suit << 4 | lowest(own)
        return suit << 4 | rule_follow(own, top & 15, n == 2, lane_of(unseen, suit))
    if contract < NO_TRUMP:
        trumps = lane_of(hand, contract)
        if top >> 4 == contract:
            trumps &= above_rank(top & 15)
        if trumps:
            return contract << 4 | lowest(trumps)
    return rule_throw(hand, contract, unseen)
