# cython: language_level=3
"""Provable bounds at the start of a trick in suit and no-trump contracts (bounds.pxd): what a side takes later, after the
other has cashed what it can. They rest on a count of rounds: so many can be led before the side is in, and it has
enough other cards to throw until then.

The two enemies of the lone player are `apart` by the sum, over the suits in which one of them is longer than the other,
of by how much (the same for either, as both have as many cards). The longer holdings of the suits add up to `apart`
more than there are tricks. And it is how many cards either can throw while the other leads suits in which it is
void: to be void sooner, it would have to throw cards as well. So both follow to a suit as often as its longer holding
exceeds `apart`, and a suit that stops them so much earlier is enough to let the lone player in.

Source: later tricks as in Chang 1996; stoppers and `apart` are this project's.
"""

from bounds_quick cimport lone_has_trumps, pair_cashes, pair_has_trumps, run_winners, sure_trumps, top_cards
from cards cimport (above_mask, below_mask, closed_mask, count_lane, longer, msb, rank_of, run_bottom, shorter,
                    suit_mask, suit_start, top_run, uint64_t, without_lowest)
from position cimport KIND_TRUMP, LONE, TRUMP_LANE, Trick, length, trumps_of


cdef inline uint64_t stopper(const Trick* t, int suit, int at_most, int* cost) noexcept nogil:
    """The top cards by which the lone player's best card of a suit it does not top stops that suit, or 0. `cost` is then
    how many cards it must keep for it, `at_most` at most.

    Each round takes one of the `above` enemy cards above it away, or it wins: the lone player has as many lower cards
    to follow with, and the enemy who would play after it can't wait, having higher cards only, or lower ones only, or
    a partner who can't lead the suit; or so many of the lower cards touch it that each of them costs a higher one."""
    cdef int held = length(t, 0, suit), best, above
    if held < 2:
        return 0
    best = msb(t.hand[0] & suit_mask(suit))
    above = 12 - rank_of(best)
    if above + 1 > at_most or above >= held:
        return 0
    if t.hand[1] & above_mask(best) == 0 or t.hand[1] & below_mask(best) == 0 or length(t, 2, suit) == 0:
        cost[0] = above + 1
        return top_cards(suit, above + 1)
    if best - run_bottom(t.hand[0], best) >= above:
        cost[0] = above + 1
        return top_cards(suit, 2 * above + 1)
    return 0


cdef inline int rounds_apart(const Trick* t, int* longest) noexcept nogil:
    """Fills in the longer of the enemies' holdings of each suit; returns by how much they are apart (see above)."""
    cdef int suit, apart = 0, n
    for suit in range(4):
        n = length(t, 1, suit) - length(t, 2, suit)
        apart += n if n > 0 else 0
        longest[suit] = longer(length(t, 1, suit), length(t, 2, suit))
    return apart


cdef inline int sequence_tricks(const Trick* t, int suit, int rounds, int enough, uint64_t* mask) noexcept nogil:
    """Tricks the lone player takes with touching cards, the best it has, in so many rounds of a suit to which both enemies
    follow: each of them forces a card above it out or wins."""
    cdef int best = msb(t.hand[0] & suit_mask(suit)), above = 12 - rank_of(best)
    cdef int n = shorter(shorter(best + 1 - run_bottom(t.hand[0], best), rounds) - above, enough)
    if n <= 0:
        return 0
    mask[0] |= top_cards(suit, 2 * above + n)
    return n


cdef inline int bound_later_lone(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil:
    """An enemy without trumps leads: before the lone player is in, they take no more than they can lead in the suits
    they top; then it cashes. It keeps `need` winners if that leaves it enough other cards to throw.

    A suit with a stopper counts as the cards kept for it, as it can't throw them on other suits. Then it can no
    longer choose late which winners to keep, and needs one in each suit they could lead. If it is only one winner short,
    it can cash them, get off lead with a card it need not keep, and wait for its stoppers to bring the last trick.

    Or its sequences take `need` tricks, whoever leads when."""
    cdef int longest[4]
    cdef int trumps = length(t, 0, TRUMP_LANE) if kind == KIND_TRUMP else 0
    cdef int suit, held, cost, n, apart = rounds_apart(t, longest)
    cdef int lost = 0, topped = 0, winners = trumps       # winners among the top cards of suits
    cdef int stopped = 0, stoppers = 0, saved = 0         # rounds before it is in with stoppers, and how many they save
    cdef int capped = 0                                   # winners to which an enemy has to follow
    cdef int taken = trumps
    cdef uint64_t m, used = 0, kept = 0, sequences = 0
    if t.leader == LONE or pair_has_trumps(t, kind):
        return -1
    for suit in range(3 if kind == KIND_TRUMP else 4):
        held = length(t, 0, suit)
        if held and longest[suit] > apart:
            taken += sequence_tricks(t, suit, longest[suit] - apart, need - taken, &sequences)
            if taken >= need:
                mask[0] = sequences
                return 1
        if top_run(t.hand[0], suit):
            n = run_winners(t, 0, suit, longest[suit], &m)
            used |= m & top_cards(suit, longer(shorter(n, need - winners), 1 if longest[suit] else 0))
            winners += n
            capped += shorter(n, longest[suit])
            topped += longest[suit] > 0
            continue
        cost = held if trumps and held < longest[suit] else longest[suit]
        lost += cost
        m = stopper(t, suit, cost - 1, &cost)
        if m:
            kept |= m
            stoppers += 1
            saved += longest[suit] - cost
        stopped += cost
    if stopped > t.tricks_left:
        return -1
    if winners < need and need > 1:
        if (trumps or stoppers == 0 or capped < need - 1 or stopped + longer(topped, need - 1) > t.tricks_left
                or saved <= apart):
            return -1
        used |= kept
    elif lost > t.tricks_left - need or winners < need:
        if stopped + topped > t.tricks_left:
            return -1
        # To get in is a trick, but with no stopper at all they might just have led all there is.
        if stopped + need > t.tricks_left and (need > 1 or stoppers + topped == 0):
            return -1
        used |= kept
    mask[0] = used
    return 1


cdef inline int bound_later_trumps(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil:
    """The enemies have trumps; whoever leads, the lone player takes so many tricks as add up from

    - its sure trumps;
    - sequences: each of touching cards below `above` higher ones forces one of those out or wins;
    - ruffs to which both enemies have to follow, with trumps that can't be drawn, as neither of them has as many;

    where sequences and ruffs count for the rounds to which both enemies follow. One trick, if an enemy leads, is also
    won by a stopper that they can't ruff, or by a ruff with trumps that can't be drawn without losing one to a stopper."""
    cdef int longest[4]
    cdef int suit, apart = rounds_apart(t, longest), got = 0, n, both, ruffs = 0, trumps = length(t, 0, TRUMP_LANE)
    cdef uint64_t m, own, trump_stopper = 0
    cdef bint by_stopper = need == 1 and t.leader != LONE
    if not pair_has_trumps(t, kind):
        return -1
    mask[0] = 0
    if by_stopper:
        trump_stopper = stopper(t, TRUMP_LANE, longest[TRUMP_LANE], &n)
        if trump_stopper and n <= longest[TRUMP_LANE] - apart:
            mask[0] = trump_stopper
            return 1
    for suit in range(3):
        both = longest[suit] - apart
        if both <= 0:
            continue
        n = length(t, 0, suit)
        if both > n:
            if trump_stopper:
                mask[0] = trump_stopper
                return 1
            ruffs += both - n
        if n:
            n = sequence_tricks(t, suit, both, need - got, mask)
            if n:
                got += n
                if got >= need:
                    return 1
            elif by_stopper:
                m = stopper(t, suit, both, &n)
                if m:
                    mask[0] = m
                    return 1
    own = trumps_of(t.hand[0])
    ruffs = shorter(ruffs, trumps - longest[TRUMP_LANE])
    while ruffs > 0:            # with the lowest ones
        own = without_lowest(own)
        ruffs -= 1
        trumps -= 1
        got += 1
    if got + trumps < need:
        return -1
    if got < need:
        got += sure_trumps(own, trumps_of(t.hand[1] | t.hand[2]), &m)
        mask[0] |= m
    return 1 if got >= need else -1


cdef inline uint64_t guard(const Trick* t, int suit, int* cost) noexcept nogil:
    """The top cards by which a guarded card of one of the pair stops a suit that the lone player tops, or 0. If `above`
    cards of the lone player are above it and it has as many below it, it wins after so many rounds, as both play after
    the lone player: `cost` falls to `above` + 1."""
    cdef int hand, best, above
    cdef uint64_t cards = 0
    for hand in range(1, 3):
        if length(t, hand, suit) > 1:
            best = msb(t.hand[hand] & suit_mask(suit))
            above = count_lane(t.hand[LONE] & above_mask(best), suit_start(suit))
            if above + 1 < cost[0] and above < length(t, hand, suit):
                cost[0] = above + 1
                cards = closed_mask(best)
    return cards


cdef inline int bound_later_pair(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil:
    """The lone player leads and has no trumps: it takes no more than its cards in the suits it tops before one of the
    pair is in, and whoever that is then cashes. Till then both keep what they need for that: they follow to suits the
    lone player tops, in which they have none of it, and `want` cards are left to each.

    A guarded card of one of them stops such a suit sooner (`guard`). Then each keeps a winner in every suit it tops,
    too."""
    cdef int suit, own, reach = 0, stopped = 0, hand, n, cost, longest, want = t.tricks_left - need + 1
    cdef int topped[3]
    cdef uint64_t m, used = 0, guards = 0
    cdef bint can_get_in[3]
    if t.leader != LONE or lone_has_trumps(t, kind):
        return -1
    for hand in range(1, 3):    # a ruff gets in too
        can_get_in[hand] = kind == KIND_TRUMP and length(t, hand, TRUMP_LANE) > 0
        topped[hand] = 0
    for suit in range(4):
        own = length(t, LONE, suit)
        if own == 0:
            continue
        n = top_run(t.hand[LONE], suit)
        if n:
            reach += own
            cost = own
            guards |= guard(t, suit, &cost)
            stopped += cost
            if stopped >= need:
                return -1
            longest = longer(length(t, 1, suit), length(t, 2, suit))
            if n >= longest and kind != KIND_TRUMP:
                used |= top_cards(suit, longest)    # never lost, so nobody gets in here; that rests on the run
                continue
            for hand in range(1, 3):
                can_get_in[hand] = can_get_in[hand] or length(t, hand, suit) > 0
        else:
            # Whoever of the pair tops it gets in, the other need not.
            used |= top_cards(suit, 1)
            hand = 1 if top_run(t.hand[1], suit) else 2
            can_get_in[hand] = True
            topped[hand] += 1
    if not can_get_in[1] and not can_get_in[2]:
        return -1
    if reach >= need:
        if stopped > t.tricks_left - longer(topped[1], topped[2]):
            return -1
        used |= guards
    for hand in range(1, 3):
        if can_get_in[hand]:
            if pair_cashes(t, hand, want, &m) < want:
                return -1
            used |= m
    mask[0] = used
    return 0
