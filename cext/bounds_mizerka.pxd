# cython: language_level=3
"""Provable quick bounds for mizerka at the start of a trick: all prove that the lone player takes fewer than `need`.

Same contract as bounds.pxd: 0 (proven: fewer), or -1. There is no cheap proof known that it takes at least so many.
An *exit* is a card of the lone player below a whole opposing holding of its suit: led, it must be overtaken.
"""

from bounds cimport USE_EXITS, USE_ONE_LOSER, USE_SAFE_SUITS, longer, shorter
from cards cimport bit_mask, closed_mask, ctz, lane_mask, msb, popcount, uint32_t, uint64_t
from position cimport LONE, Trick, length


cdef inline bint suit_is_safe(uint64_t own, uint64_t other) noexcept nogil:
    """One lane each: is, counted from the bottom, every own card below the others' card of the same number?"""
    cdef uint64_t low
    while own and other:
        low = own & (0 - own)
        if low > (other & (0 - other)):
            return False
        own ^= low
        other &= other - 1
    return True


cdef inline int unsafe_suits(const Trick* t) noexcept nogil:
    """A bit per suit that is not safe; for move ordering."""
    cdef int suit, unsafe = 0
    cdef uint64_t other = t.hand[1] | t.hand[2], lane
    for suit in range(4):
        lane = lane_mask(16 * suit)
        if not suit_is_safe(t.hand[0] & lane, other & lane):
            unsafe |= 1 << suit
    return unsafe


cdef inline int bound_safe_suits(const Trick* t, uint64_t* mask) noexcept nogil:
    """Need 1: no trick at all is forced on the lone player, who ducks everything; on lead it needs a card that is
    overtaken now and leaves every suit safe."""
    cdef int suit, hand, unsafe = -1
    cdef uint64_t own, other, used = 0, lane, a, b
    for suit in range(4):
        lane = lane_mask(16 * suit)
        own = t.hand[0] & lane
        other = (t.hand[1] | t.hand[2]) & lane
        if own == 0 or other == 0:
            continue
        if not suit_is_safe(own, other):
            return -1
        used |= closed_mask(ctz(other))
    if t.leader != LONE:
        mask[0] = used
        return 0
    for suit in range(4):
        lane = lane_mask(16 * suit)
        own = t.hand[0] & lane
        if own == 0:
            continue
        a = t.hand[1] & lane
        b = t.hand[2] & lane
        if (a == 0 or ctz(own) > ctz(a)) and (b == 0 or ctz(own) > ctz(b)):
            continue
        own &= own - 1
        if a:
            a ^= bit_mask(msb(a))
        if b:
            b ^= bit_mask(msb(b))
        if suit_is_safe(own, a | b):
            mask[0] = used | closed_mask(ctz((t.hand[1] | t.hand[2]) & lane))
            return 0
    return -1


cdef inline int exit_against(const Trick* t, int hand, int not_suit) noexcept nogil:
    """A suit other than `not_suit` in which the lone player has an exit against the hand, or -1."""
    cdef int suit
    cdef uint64_t lane, own, other
    for suit in range(4):
        lane = lane_mask(16 * suit)
        own = t.hand[0] & lane
        other = t.hand[hand] & lane
        if suit != not_suit and own and other and ctz(own) < ctz(other):
            return suit
    return -1


cdef inline int loser_when_led(const Trick* t, int suit, uint64_t* used) noexcept nogil:
    """Does the lone player lose a trick whatever card of `suit` the leader leads? 1 yes (marks added), 0 not known."""
    cdef int leader = t.leader, third = 3 - t.leader, exit_suit
    cdef uint64_t lane = lane_mask(16 * suit)
    cdef uint64_t own = t.hand[0] & lane, led = t.hand[leader] & lane, other = t.hand[third] & lane
    if own == 0:
        return 1
    if ctz(own) < ctz(led):
        used[0] |= closed_mask(ctz(led))
        return 1
    if other and ctz(own) < ctz(other):
        used[0] |= closed_mask(ctz(other))
        return 1
    if t.tricks_left < 2:
        return 0
    exit_suit = exit_against(t, leader, suit)
    if exit_suit >= 0:
        used[0] |= closed_mask(ctz(t.hand[leader] & lane_mask(16 * exit_suit)))
        return 1
    exit_suit = exit_against(t, third, suit)
    if exit_suit >= 0 and (other or length(t, third, exit_suit) >= 2):
        used[0] |= closed_mask(ctz(t.hand[third] & lane_mask(16 * exit_suit)))
        return 1
    if own & (own - 1):
        led &= led - 1
        if led and ctz(own) < ctz(led):
            used[0] |= closed_mask(ctz(led))
            return 1
        other &= other - 1 if other else 0
        if other and leader == 1 and ctz(own) < ctz(other):     # the lone player plays third; playing second it fails
            used[0] |= closed_mask(ctz(other))
            return 1
    return 0


cdef inline int bound_one_loser(const Trick* t, uint64_t* mask) noexcept nogil:
    """Need all: the lone player loses at least one."""
    cdef int suit, hand
    cdef uint64_t lane, own, other, used = 0
    if t.leader == LONE:
        for hand in range(1, 3):
            suit = exit_against(t, hand, -1)
            if suit >= 0:
                mask[0] = closed_mask(ctz(t.hand[hand] & lane_mask(16 * suit)))
                return 0
        return -1
    for suit in range(4):
        if length(t, t.leader, suit) and not loser_when_led(t, suit, &used):
            return -1
    mask[0] = used
    return 0


cdef inline int exits_in(const Trick* t, int suit, int hand, int tricks) noexcept nogil:
    """How often the lone player can certainly lose a trick to `hand` by leading `suit`, within so many tricks: as
    often as it has cards below that hand's lowest, less what the hand may have thrown away by then."""
    cdef int other = 3 - hand, u, thrown, least = 99
    cdef uint64_t lane = lane_mask(16 * suit)
    cdef uint64_t theirs = t.hand[hand] & lane
    if theirs == 0:
        return 0
    for u in range(4):
        if u != suit and length(t, LONE, u) and length(t, other, u):
            least = shorter(least, length(t, hand, u))
    thrown = 0 if least == 99 else longer(0, tricks - least - (1 if t.leader == hand and least == 0 else 0))
    return shorter(popcount(t.hand[0] & lane & (bit_mask(ctz(theirs)) - 1)), popcount(theirs) - thrown)


cdef inline int bound_exits(const Trick* t, int losers, uint64_t* mask) noexcept nogil:
    cdef int tricks = shorter(t.tricks_left - 1, 2 * losers - 2 if t.leader == LONE else 2 * losers - 1)
    cdef int suit, a, b, total = 0
    cdef uint64_t used = 0
    for suit in range(4):
        if length(t, LONE, suit) == 0:
            continue
        a = exits_in(t, suit, 1, tricks)
        b = exits_in(t, suit, 2, tricks)
        if a > 0 or b > 0:
            total += longer(a, b)
            used |= closed_mask(ctz(t.hand[1 if a >= b else 2] & lane_mask(16 * suit)))
            if total >= losers:
                mask[0] = used
                return 0
    return -1


cdef inline int quick_answer_mizerka(const Trick* t, int need, uint32_t flags, uint64_t* mask) noexcept nogil:
    cdef int losers = t.tricks_left - need + 1
    if need == 1 and flags & USE_SAFE_SUITS and bound_safe_suits(t, mask) == 0:
        return 0
    if losers == 1 and flags & USE_ONE_LOSER:
        return bound_one_loser(t, mask)
    if 2 <= losers <= 3 and flags & USE_EXITS:
        return bound_exits(t, losers, mask)
    return -1
