# cython: language_level=3
"""Provable quick bounds for suit and no-trump contracts at the start of a trick.

Each answers "does the lone player take at least `need` of the tricks left?" with 1, 0 or -1 (does not know), and
says on which top cards of each suit the answer rests (a closed mask), so that the answer can be stored as a pattern.
Every bound has a flag, and tests switch each one off. A *run* is a hand's consecutive top cards of a suit.

Sources: quick and later tricks as every double-dummy solver has them since Chang 1996 (bridge: two sides; here the
second side sits on both sides of the lone player); the sure-trump bounds are from this project's study.
"""

from cards cimport above_mask, bit_mask, closed_mask, lane_mask, msb, popcount, run_bottom, top_run, uint32_t, uint64_t
from position cimport KIND_TRUMP, LONE, TRUMP_LANE, Trick, length

cdef enum:
    # What a Search may use; an Engine's `flags`. All on by default.
    USE_TABLE = 1
    USE_MERGE = 2            # equivalent (touching) cards are one move
    USE_SKIP = 4             # a failed card whose rank did not matter fails for the suit
    USE_SURE_TRUMPS = 8
    USE_QUICK_LONE = 16
    USE_QUICK_PAIR = 32
    USE_LATER_LONE = 64
    USE_LATER_PAIR = 128
    USE_SAFE_SUITS = 256     # mizerka
    USE_ONE_LOSER = 512      # mizerka
    USE_EXITS = 1024         # mizerka
    USE_CUT_CARD = 2048      # order: the bucket's last cut
    USE_EITHER_LEADS = 4096  # mizerka: answers that hold whichever of the pair leads
    USE_ALL = 8191


cdef inline uint64_t top_cards(int suit, int k) noexcept nogil:
    """Closed mask of the k highest cards of a suit."""
    return (<uint64_t>(0x1FFF & ~(0x1FFF >> k))) << (16 * suit)


cdef inline int run_winners(const Trick* t, int hand, int suit, int longest_other, uint64_t* mask) noexcept nogil:
    """Tricks the hand takes by leading out its run; the whole suit if the run outlasts every other holding."""
    cdef int run = top_run(t.hand[hand], suit)
    if run >= longest_other:
        mask[0] = top_cards(suit, longest_other)
        return length(t, hand, suit)
    mask[0] = top_cards(suit, run)
    return run


cdef inline int longer(int a, int b) noexcept nogil:
    return a if a > b else b


cdef inline int shorter(int a, int b) noexcept nogil:
    return a if a < b else b


cdef inline int sure_trumps(uint64_t own, uint64_t above_from, uint64_t* mask) noexcept nogil:
    """Max over i of i - (cards of `above_from` above own i-th): every higher trump can beat one of them only.
    Both masks are trump lanes shifted down to bit 0."""
    cdef int i = 0, best = 0, bit
    cdef uint64_t left = own
    mask[0] = 0
    while left:
        bit = msb(left)
        left ^= bit_mask(bit)
        i += 1
        if i - popcount(above_from >> bit) > best:
            best = i - popcount(above_from >> bit)
            mask[0] = closed_mask(48 + bit)
    return best


cdef inline int bound_sure_trumps(const Trick* t, int need, uint64_t* mask) noexcept nogil:
    cdef uint64_t lone = t.hand[0] >> 48, a = t.hand[1] >> 48, b = t.hand[2] >> 48
    cdef int want = t.tricks_left - need + 1     # tricks with which the pair stops the lone player
    cdef int combined, rounds
    if lone and popcount(lone) >= need and sure_trumps(lone, a | b, mask) >= need:
        return 1
    rounds = longer(popcount(a), popcount(b))
    if rounds >= want:
        if popcount(a) >= want and sure_trumps(a, lone, mask) >= want:
            return 0
        if popcount(b) >= want and sure_trumps(b, lone, mask) >= want:
            return 0
        # Together: every card above the lone player's best takes a trick, but at most one is needed a round.
        combined = popcount((a | b) >> msb(lone)) if lone else popcount(a | b)
        if shorter(combined, rounds) >= want:
            mask[0] = top_cards(TRUMP_LANE, combined) if lone else 0
            return 0
    return -1


cdef inline int side_winners(const Trick* t, int hand, int a, int b, uint64_t* mask) noexcept nogil:
    """Cards of side suits that only a trump can beat, if the others in the suit are `a` and `b`."""
    cdef int suit, won = 0
    cdef uint64_t m
    mask[0] = 0
    for suit in range(3):
        if top_run(t.hand[hand], suit):
            won += run_winners(t, hand, suit, longer(length(t, a, suit), length(t, b, suit)), &m)
            mask[0] |= m
    return won


cdef inline int bound_more_trumps(const Trick* t, int need, uint64_t* mask) noexcept nogil:
    """A hand with more trumps than its enemies have, whoever leads: each enemy trump beats one trump or winner of it.

    It ruffs where it can't follow and has nothing to throw, and once on lead cashes its side winners, until one is
    ruffed or all are cashed. So while it has winners left, each trump of it that is gone has cost them one of theirs;
    they run out first, and it never has to throw a winner. That rests on lengths only, but for the winners. One of the
    pair can do so if its partner has no trumps, with which it might be made to take over."""
    cdef int want = t.tricks_left - need + 1, lone = length(t, 0, TRUMP_LANE), hand, a, b, n
    a = length(t, 1, TRUMP_LANE)
    b = length(t, 2, TRUMP_LANE)
    n = lone - a - b
    if n > 0:
        if n >= need or n + side_winners(t, 0, 1, 2, mask) >= need:
            if n >= need:
                mask[0] = 0
            return 1
        return -1
    if a and b:
        return -1
    n = a + b - lone
    if n > 0:
        hand = 1 if a else 2
        if n >= want or n + side_winners(t, hand, 0, 3 - hand, mask) >= want:
            if n >= want:
                mask[0] = 0
            return 0
    return -1


cdef inline int bound_quick_lone(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil:
    """The lone player leads and cashes."""
    cdef int suit, n, cap, won = 0, longest
    cdef int trumps_a = 0, trumps_b = 0, suits = 4
    cdef uint64_t m, used = 0
    cdef bint ruffs = False
    if kind == KIND_TRUMP:
        suits = 3
        trumps_a = length(t, 1, TRUMP_LANE)
        trumps_b = length(t, 2, TRUMP_LANE)
        longest = longer(trumps_a, trumps_b)
        if top_run(t.hand[0], TRUMP_LANE) >= longest:   # can draw them all
            won = length(t, 0, TRUMP_LANE)
            used = top_cards(TRUMP_LANE, longest)
        else:
            ruffs = True
    for suit in range(suits):
        if won >= need:
            break
        longest = longer(length(t, 1, suit), length(t, 2, suit))
        n = run_winners(t, 0, suit, longest, &m)
        if n == 0:
            continue
        if ruffs:       # as long as everyone who could ruff has to follow
            if trumps_a:
                n = shorter(n, length(t, 1, suit))
            if trumps_b:
                n = shorter(n, length(t, 2, suit))
            if n == 0:
                continue
            m &= top_cards(suit, n)
        if won + n > need:
            n = need - won
            m &= top_cards(suit, n)
        won += n
        used |= m
    if won < need and ruffs:
        won += sure_trumps(t.hand[0] >> 48, (t.hand[1] | t.hand[2]) >> 48, &m)
        used |= m
    if won >= need:
        mask[0] = used
        return 1
    return -1


cdef inline int pair_cashes(const Trick* t, int hand, int want, uint64_t* mask) noexcept nogil:
    """Tricks the pair takes, counted up to `want`, once `hand` of it is on lead and the lone player cannot ruff: its
    runs, then the partner's if it can be reached. While the hand cashes, the partner throws what it does not need, as
    long as it has that."""
    cdef int partner = 3 - hand, suit, n, won = 0, reached = 0, entry = -1
    cdef uint64_t m, partner_used = 0
    mask[0] = 0
    for suit in range(4):
        if top_run(t.hand[hand], suit):
            n = run_winners(t, hand, suit, longer(length(t, 0, suit), length(t, partner, suit)), &m)
            if won + n > want:
                n = want - won
                m &= top_cards(suit, n)
            won += n
            mask[0] |= m
            if won >= want:
                return won
        elif top_run(t.hand[partner], suit):
            reached += run_winners(t, partner, suit, longer(length(t, 0, suit), length(t, hand, suit)), &m)
            partner_used |= m
            if length(t, hand, suit):
                entry = suit
    if entry >= 0:
        won += shorter(reached, t.tricks_left - won)
        mask[0] |= partner_used | top_cards(entry, 1)
    return won


cdef inline int bound_quick_pair(const Trick* t, int need, uint64_t* mask) noexcept nogil:
    """One of the pair leads and cashes."""
    cdef int want = t.tricks_left - need + 1
    return 0 if pair_cashes(t, t.leader, want, mask) >= want else -1


cdef inline int bound_later_lone(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil:
    """An enemy without trumps leads: before the lone player is in, they take no more than they can lead in the suits
    they top; then it cashes. It keeps `need` winners if that leaves it enough other cards to throw.

    A guarded card stops a suit sooner: it has `above` higher ones above it, no fewer cards below it, and either none of
    them is with the enemy who would play after it or so many of those below touch it. Each round costs them a higher card or lets it win, and it keeps
    `above` + 1 cards for that, which it can't throw on other suits: so the suit counts as that many. Then it can no
    longer choose late which winners to keep, and needs one in each suit they could lead."""
    cdef int trumps = length(t, 0, TRUMP_LANE) if kind == KIND_TRUMP else 0
    cdef int suit, lost = 0, stopped = 0, topped = 0, winners = trumps, held, longest, cost, best, above
    cdef uint64_t m, used = 0, stoppers = 0
    for suit in range(3 if kind == KIND_TRUMP else 4):
        longest = longer(length(t, 1, suit), length(t, 2, suit))
        if top_run(t.hand[0], suit):
            winners += run_winners(t, 0, suit, longest, &m)
            used |= m
            if longest:
                used |= top_cards(suit, 1)
                topped += 1
            continue
        held = length(t, 0, suit)
        cost = held if trumps and held < longest else longest
        lost += cost
        if held > 1:
            best = msb(t.hand[0] & lane_mask(16 * suit))
            above = 12 - (best & 15)
            if above + 1 < cost and above < held:
                if t.hand[1] & above_mask(best) == 0 or length(t, 2, suit) == 0:
                    cost = above + 1
                    stoppers |= top_cards(suit, cost)
                elif best - run_bottom(t.hand[0], best) >= above:
                    cost = above + 1
                    stoppers |= top_cards(suit, cost + above)
        stopped += cost
        if stopped > t.tricks_left - need:
            return -1
    if winners < need and need > 1:     # to get in is a trick
        return -1
    if lost > t.tricks_left - need or winners < need:
        if stopped > t.tricks_left - topped:
            return -1
        used |= stoppers
    mask[0] = used
    return 1


cdef inline int bound_later_pair(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil:
    """The lone player leads and has no trumps: it takes no more than its cards in the suits it tops before one of the
    pair is in, and whoever that is then cashes. Till then both keep what they need for that: they follow to suits the
    lone player tops, in which they have none of it, and `want` cards are left to each.

    A guarded card of one of them stops such a suit: if `above` cards of the lone player are above it and it has as many
    below it, it wins after so many rounds, as both play after the lone player; the suit counts as `above` + 1. Then
    each keeps a winner in every suit it tops, too."""
    cdef int suit, own, reach = 0, stopped = 0, hand, n, cost, best, above, want = t.tricks_left - need + 1
    cdef int topped[3]
    cdef uint64_t m, used = 0, stoppers = 0, stopper
    cdef bint can_get_in[3]
    can_get_in[1] = can_get_in[2] = False
    topped[1] = topped[2] = 0
    for suit in range(4):
        own = length(t, 0, suit)
        if own == 0:
            continue
        n = top_run(t.hand[0], suit)
        if n:
            reach += own
            cost = own
            stopper = 0
            for hand in range(1, 3):
                if length(t, hand, suit) > 1:
                    best = msb(t.hand[hand] & lane_mask(16 * suit))
                    above = popcount(t.hand[0] & above_mask(best))
                    if above + 1 < cost and above < length(t, hand, suit):
                        cost = above + 1
                        stopper = closed_mask(best)
            stopped += cost
            stoppers |= stopper
            if stopped >= need:
                return -1
            if n >= longer(length(t, 1, suit), length(t, 2, suit)) and kind != KIND_TRUMP:
                # Never lost, so nobody gets in here; that rests on the run.
                used |= top_cards(suit, longer(length(t, 1, suit), length(t, 2, suit)))
                continue
            for hand in range(1, 3):
                can_get_in[hand] = can_get_in[hand] or length(t, hand, suit) > 0
        else:
            # Whoever of the pair tops it gets in, the other need not.
            used |= top_cards(suit, 1)
            hand = 1 if top_run(t.hand[1], suit) else 2
            can_get_in[hand] = True
            topped[hand] += 1
    if kind == KIND_TRUMP:      # a ruff gets in too
        for hand in range(1, 3):
            can_get_in[hand] = can_get_in[hand] or length(t, hand, TRUMP_LANE) > 0
    if not can_get_in[1] and not can_get_in[2]:
        return -1
    if reach >= need:
        if stopped > t.tricks_left - longer(topped[1], topped[2]):
            return -1
        used |= stoppers
    for hand in range(1, 3):
        if can_get_in[hand]:
            if pair_cashes(t, hand, want, &m) < want:
                return -1
            used |= m
    mask[0] = used
    return 0


cdef inline int quick_answer(const Trick* t, int kind, int need, uint32_t flags, uint64_t* mask) noexcept nogil:
    """The bounds in the order that pays: cheap and often decisive first."""
    cdef int answer = -1
    cdef bint lone_has_trumps = kind == KIND_TRUMP and length(t, 0, TRUMP_LANE) > 0
    cdef bint pair_has_trumps = kind == KIND_TRUMP and length(t, 1, TRUMP_LANE) + length(t, 2, TRUMP_LANE) > 0
    if kind == KIND_TRUMP and flags & USE_SURE_TRUMPS and (lone_has_trumps or pair_has_trumps):
        answer = bound_sure_trumps(t, need, mask)
        if answer < 0:
            answer = bound_more_trumps(t, need, mask)
        if answer >= 0:
            return answer
    if t.leader == LONE:
        if flags & USE_QUICK_LONE:
            answer = bound_quick_lone(t, kind, need, mask)
        if answer < 0 and flags & USE_LATER_PAIR and not lone_has_trumps:
            answer = bound_later_pair(t, kind, need, mask)
    else:
        if flags & USE_QUICK_PAIR and not lone_has_trumps:
            answer = bound_quick_pair(t, need, mask)
        if answer < 0 and flags & USE_LATER_LONE and not pair_has_trumps:
            answer = bound_later_lone(t, kind, need, mask)
    return answer
