# cython: language_level=3
"""Provable quick bounds for mizerka at the start of a trick: all prove that the lone player takes fewer than `need`.

Each answers 0 (proven: fewer) with the relations the proof rests on (relations.pxd), or -1 (not known). There is no
cheap proof known that it takes at least so many. Every bound has a flag, tests switch each one off, and each says itself
where it applies.
An *exit* is a card of the lone player below a whole opposing holding of its suit: led, it must be overtaken.
"""

from cards cimport (bit_mask, cards_under, count_lane, ctz, longer, lowest, msb, shorter, suit_mask, suit_start,
                    uint32_t, uint64_t, without_lowest)
from flags cimport USE_EXITS, USE_ONE_LOSER, USE_SAFE_SUITS
from position cimport LONE, Forced, Trick, length
from relations cimport Relations, Shape, clear_relations, lone_pair, shape_of


cdef enum:
    ALWAYS = 99         # ducks: the suit is safe
    MANY = 99           # more than any number of cards


cdef inline bint suit_is_safe(uint64_t own, uint64_t other, int count) noexcept nogil:
    """One lane each: are, counted from the bottom, so many own cards below the others' card of the same number?"""
    cdef uint64_t low
    while own and other and count:
        count -= 1
        low = lowest(own)
        if low > lowest(other):
            return False
        own ^= low
        other = without_lowest(other)
    return True


cdef inline void count_forced(const Trick* t, Forced* forced) noexcept nogil:
    """The tricks that can be forced on the lone player as long as it never leads: W, added up over the suits.

    In a suit let c be the number of others' cards below its i-th lowest (i from 0). It ducks whenever it can, with the
    highest card that does, and gives its highest if it has to win or to throw. Then max(0, c - i), the largest over i,
    never rises, and falls by one at least with each trick it has to win. The cards it rests on are marked."""
    cdef int suit, i, v, most
    cdef uint64_t others = t.hand[1] | t.hand[2], lane, own, theirs, low, first_most, last_most
    forced.lowers = forced.raises = 0
    forced.unsafe = 0
    for suit in range(4):
        lane = suit_mask(suit)
        own = t.hand[LONE] & lane
        theirs = others & lane
        forced.ducks[suit] = ALWAYS
        if own == 0 or theirs == 0:
            continue
        i = 0
        most = -1
        first_most = last_most = 0
        while own:
            low = lowest(own)
            own ^= low
            v = count_lane(theirs & cards_under(low), suit_start(suit)) - i
            if v > 0 and most <= 0:
                forced.ducks[suit] = i
            if v > most:
                most = v
                first_most = low
                last_most = low
            elif v == most:
                last_most = low
            i += 1
        if most > 0:
            forced.unsafe |= 1 << suit
            forced.lowers |= theirs & cards_under(first_most)
        if most >= 0:
            forced.raises |= t.hand[LONE] & lane & cards_under(last_most)


cdef inline void use_safe(const Trick* t, int suit, int exit, int count, Relations* used) noexcept nogil:
    """The relations that make a suit safe: of card number i, as many of each opponent as are below it, or as may be.
    exit >= 0: after this card of the lone player is led, and each opponent follows with its highest."""
    cdef Shape shape = shape_of(t, suit)
    cdef uint64_t lane = suit_mask(suit), low
    cdef uint64_t own = t.hand[0] & lane, a = t.hand[1] & lane, b = t.hand[2] & lane
    cdef int i = 0, number = 0, n_a = shape.n[1], n_b = shape.n[2], below_a, below_b
    if exit >= 0:
        n_a -= n_a > 0
        n_b -= n_b > 0
    while own and i < n_a + n_b and i < count:
        low = lowest(own)
        own ^= low
        if number != exit:
            below_a = i - shorter(count_lane(b & cards_under(low), suit_start(suit)), n_b)
            below_b = i - shorter(count_lane(a & cards_under(low), suit_start(suit)), n_a)
            if below_a >= n_a:              # all of a may be below
                below_b = i - n_a
            elif below_b >= n_b:
                below_a = i - n_b
            else:
                below_b = i - below_a
            if below_a < n_a:
                used.suit[suit] |= lone_pair(&shape, number, 1, below_a)
            if below_b < n_b:
                used.suit[suit] |= lone_pair(&shape, number, 2, below_b)
            i += 1
        number += 1


cdef inline void use_lowest(const Trick* t, int suit, int number, int hand, Relations* used) noexcept nogil:
    """The lone player's card of this number is below the hand's lowest."""
    cdef Shape shape = shape_of(t, suit)
    used.suit[suit] |= lone_pair(&shape, number, hand, 0)


cdef inline int bound_safe_suits(const Trick* t, int losers, Relations* used) noexcept nogil:
    """The lone player loses `losers` tricks by ducking before any is forced on it.

    The pair leads: with c and i as in `count_forced`, while c <= i for the first k cards of a suit, no trick of it can
    be forced before k are lost there: a duck with one card takes one of the others' at least from below every higher
    card. Each trick of the pair's that it does not have to win is lost, so k >= losers in every suit is enough,
    whichever of the pair leads. On lead it needs a card that is overtaken now, the highest below a whole holding, and
    after it losers - 1 ducks in every suit, were each opponent to follow with its highest."""
    cdef int suit, exit, hand, other, unsafe = 0
    cdef uint64_t own, lane, a, b, low
    if t.leader != LONE:
        for suit in range(4):
            if t.forced.ducks[suit] < losers:
                return -1
        for suit in range(4):
            use_safe(t, suit, -1, losers, used)
        used.either_leads = True
        return 0
    for suit in range(4):
        if t.forced.ducks[suit] < losers - 1:
            unsafe |= 1 << suit
    if without_lowest(unsafe):
        return -1
    for suit in range(4):
        if unsafe & ~(1 << suit):
            continue
        lane = suit_mask(suit)
        own = t.hand[0] & lane
        if own == 0:
            continue
        a = t.hand[1] & lane
        b = t.hand[2] & lane
        hand = 1 if a and (b == 0 or lowest(a) > lowest(b)) else 2
        if t.hand[hand] & lane == 0:
            continue
        low = lowest(t.hand[hand] & lane)
        exit = count_lane(own & cards_under(low), suit_start(suit)) - 1
        if exit < 0:
            continue
        # Without the card led and each opponent's highest.
        own ^= bit_mask(nth(own, exit))
        if a:
            a ^= bit_mask(msb(a))
        if b:
            b ^= bit_mask(msb(b))
        if suit_is_safe(own, a | b, losers - 1):
            for other in range(4):
                use_safe(t, other, exit if other == suit else -1, losers - 1, used)
            use_lowest(t, suit, exit, hand, used)
            return 0
    return -1


cdef inline int nth(uint64_t mask, int n) noexcept nogil:
    """The n-th lowest bit."""
    while n:
        mask = without_lowest(mask)
        n -= 1
    return ctz(mask)


cdef inline int exit_against(const Trick* t, int hand, int not_suit) noexcept nogil:
    """A suit other than `not_suit` in which the lone player has an exit against the hand, or -1."""
    cdef int suit
    cdef uint64_t lane, own, other
    for suit in range(4):
        lane = suit_mask(suit)
        own = t.hand[0] & lane
        other = t.hand[hand] & lane
        if suit != not_suit and own and other and ctz(own) < ctz(other):
            return suit
    return -1


cdef inline int loser_when_led(const Trick* t, int leader, int suit, Relations* used) noexcept nogil:
    """Does the lone player lose a trick whatever card of `suit` the leader leads? 1 yes (marks added), 0 not known."""
    cdef int third = 3 - leader, exit_suit
    cdef uint64_t lane = suit_mask(suit)
    cdef uint64_t own = t.hand[0] & lane, led = t.hand[leader] & lane, other = t.hand[third] & lane
    cdef Shape shape
    if own == 0:
        return 1
    if ctz(own) < ctz(led):
        use_lowest(t, suit, 0, leader, used)
        return 1
    if other and ctz(own) < ctz(other):
        use_lowest(t, suit, 0, third, used)
        return 1
    if t.tricks_left < 2:
        return 0
    exit_suit = exit_against(t, leader, suit)
    if exit_suit >= 0:
        use_lowest(t, exit_suit, 0, leader, used)
        return 1
    exit_suit = exit_against(t, third, suit)
    if exit_suit >= 0 and (other or length(t, third, exit_suit) >= 2):
        use_lowest(t, exit_suit, 0, third, used)
        return 1
    if without_lowest(own):
        shape = shape_of(t, suit)
        led = without_lowest(led)
        if led and ctz(own) < ctz(led):
            used.suit[suit] |= lone_pair(&shape, 0, leader, 1)
            return 1
        other = without_lowest(other) if other else 0
        if other and leader == 1 and ctz(own) < ctz(other):     # the lone player plays third; playing second it fails
            used.suit[suit] |= lone_pair(&shape, 0, third, 1)
            return 1
    return 0


cdef inline int loser_on_lead(const Trick* t, Relations* used) noexcept nogil:
    """The lone player leads a suit from below until a hand has ducked as often as it can: its card of the same number
    is higher."""
    cdef int suit, hand, i
    cdef uint64_t lane, own, theirs
    cdef Shape shape
    for suit in range(4):
        for hand in range(1, 3):
            lane = suit_mask(suit)
            own = t.hand[LONE] & lane
            theirs = t.hand[hand] & lane
            i = 0
            while own and theirs:
                if ctz(own) < ctz(theirs):
                    shape = shape_of(t, suit)
                    used.suit[suit] |= lone_pair(&shape, i, hand, i)
                    return 0
                own = without_lowest(own)
                theirs = without_lowest(theirs)
                i += 1
    return -1


cdef inline int loser_if_led_by(const Trick* t, int leader, Relations* used) noexcept nogil:
    """One of the pair leads, whatever it likes."""
    cdef int suit
    for suit in range(4):
        if length(t, leader, suit) and not loser_when_led(t, leader, suit, used):
            return -1
    return 0


cdef inline int bound_one_loser(const Trick* t, int losers, Relations* used) noexcept nogil:
    """Need all: the lone player loses at least one."""
    cdef Relations more
    if losers != 1:
        return -1
    if t.leader == LONE:
        return loser_on_lead(t, used)
    if loser_if_led_by(t, t.leader, used) < 0:
        return -1
    if t.ask_either:
        more = used[0]
        if loser_if_led_by(t, 3 - t.leader, &more) == 0:
            used[0] = more
            used.either_leads = True
    return 0


cdef inline int thrown_at_most(const Trick* t, int suit, int hand, int tricks) noexcept nogil:
    """How many cards of the suit the hand can have thrown away after so many tricks in which it was not led: it throws
    only once it is void in a suit that the lone player or the third player leads."""
    cdef int other = 3 - hand, u, least = MANY
    for u in range(4):
        if u != suit and length(t, LONE, u) and length(t, other, u):
            least = shorter(least, length(t, hand, u))
    return 0 if least == MANY else longer(0, tricks - least)


cdef inline int bound_exits(const Trick* t, int losers, Relations* used) noexcept nogil:
    """Two or three losers: the lone player loses a trick to `hand` by leading a suit as often as it has cards below that
    hand's lowest, less what the hand may have thrown away by then."""
    cdef int rounds = losers - 1 if t.leader == LONE else losers     # led by the pair before it has lost so many
    cdef int suit, hand, total = 0, all_exits, n, a, b, tricks
    cdef uint64_t own, theirs
    cdef int exits[3][4]
    if not 2 <= losers <= 3:
        return -1
    for suit in range(4):
        own = t.hand[LONE] & suit_mask(suit)
        for hand in range(1, 3):
            theirs = t.hand[hand] & suit_mask(suit)
            exits[hand][suit] = 0
            if theirs:
                n = count_lane(own & cards_under(lowest(theirs)), suit_start(suit))
                exits[hand][suit] = shorter(n, length(t, hand, suit))
        total += longer(exits[1][suit], exits[2][suit])
    if total < losers:      # even if nothing is thrown
        return -1
    all_exits = total
    total = 0
    for suit in range(4):
        a = exits[1][suit]
        b = exits[2][suit]
        # The pair leads, or the lone player takes an exit of another suit.
        tricks = rounds + shorter(losers - 1, all_exits - longer(a, b))
        if a:
            a = shorter(a, length(t, 1, suit) - thrown_at_most(t, suit, 1, tricks))
        if b:
            b = shorter(b, length(t, 2, suit) - thrown_at_most(t, suit, 2, tricks))
        if a > 0 or b > 0:
            n = shorter(longer(a, b), losers - total)
            total += n
            use_lowest(t, suit, n - 1, 1 if a >= b else 2, used)
            if total >= losers:
                used.either_leads = t.leader != LONE
                return 0
    return -1


cdef inline int quick_answer_mizerka(const Trick* t, int need, uint32_t flags, Relations* used) noexcept nogil:
    """0 (fewer than `need`) or -1; `t.forced` is counted. What a bound marked that does not answer is worth nothing."""
    cdef int losers = t.tricks_left - need + 1
    clear_relations(used)
    if flags & USE_SAFE_SUITS and bound_safe_suits(t, losers, used) == 0:
        return 0
    clear_relations(used)
    if flags & USE_ONE_LOSER and bound_one_loser(t, losers, used) == 0:
        return 0
    return bound_exits(t, losers, used) if flags & USE_EXITS else -1
