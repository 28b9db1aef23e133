# cython: language_level=3
"""Provable bounds at the start of a trick in suit and no-trump contracts (bounds.pxd): what is sure by trumps, and what the
side on lead cashes at once. A *run* is a hand's consecutive top cards of a suit.

Sources: quick tricks as every double-dummy solver has them since Chang 1996 (bridge: two sides; here the second side
sits on both sides of the lone player); the bounds by trumps are from this project's study.
"""

from cards cimport (LANE, bit_mask, closed_mask, count_lane, in_lane, longer, msb, shorter, suit_start, top_run,
                    uint64_t)
from position cimport KIND_TRUMP, LONE, TRUMP_LANE, Trick, length, trumps_of


cdef inline bint lone_has_trumps(const Trick* t, int kind) noexcept nogil:
    return kind == KIND_TRUMP and length(t, LONE, TRUMP_LANE) > 0


cdef inline bint pair_has_trumps(const Trick* t, int kind) noexcept nogil:
    return kind == KIND_TRUMP and length(t, 1, TRUMP_LANE) + length(t, 2, TRUMP_LANE) > 0


cdef inline uint64_t top_cards(int suit, int k) noexcept nogil:
    """Closed mask of the k highest cards of a suit."""
    return in_lane(LANE & ~(LANE >> k), suit)


cdef inline int run_winners(const Trick* t, int hand, int suit, int longest_other, uint64_t* mask) noexcept nogil:
    """Tricks the hand takes by leading out its run; the whole suit if the run outlasts every other holding."""
    cdef int run = top_run(t.hand[hand], suit)
    if run >= longest_other:
        mask[0] = top_cards(suit, longest_other)
        return length(t, hand, suit)
    mask[0] = top_cards(suit, run)
    return run


cdef inline int sure_trumps(uint64_t own, uint64_t above_from, uint64_t* mask) noexcept nogil:
    """Max over i of i - (cards of `above_from` above own i-th): every higher trump can beat one of them only.
    Both masks are trump lanes shifted down to bit 0."""
    cdef int i = 0, best = 0, bit, n
    cdef uint64_t left = own
    mask[0] = 0
    while left:
        bit = msb(left)
        left ^= bit_mask(bit)
        i += 1
        n = i - count_lane(above_from >> bit, 0)
        if n > best:
            best = n
            mask[0] = closed_mask(suit_start(TRUMP_LANE) + bit)
    return best


cdef inline int bound_sure_trumps(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil:
    """A side takes so many tricks by its trumps alone, whoever leads."""
    cdef uint64_t lone = trumps_of(t.hand[0]), a = trumps_of(t.hand[1]), b = trumps_of(t.hand[2])
    cdef int want = t.tricks_left - need + 1     # tricks with which the pair stops the lone player
    cdef int n_a = length(t, 1, TRUMP_LANE), n_b = length(t, 2, TRUMP_LANE), combined, rounds
    if not lone_has_trumps(t, kind) and not pair_has_trumps(t, kind):
        return -1
    if lone and length(t, 0, TRUMP_LANE) >= need and sure_trumps(lone, a | b, mask) >= need:
        return 1
    rounds = longer(n_a, n_b)
    if rounds >= want:
        if n_a >= want and sure_trumps(a, lone, mask) >= want:
            return 0
        if n_b >= want and sure_trumps(b, lone, mask) >= want:
            return 0
        # Together: every card above the lone player's best takes a trick, but at most one is needed a round.
        combined = count_lane((a | b) >> msb(lone), 0) if lone else n_a + n_b
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


cdef inline int bound_more_trumps(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil:
    """A hand with more trumps than its enemies have, whoever leads: each enemy trump beats one trump or winner of it.

    It ruffs where it can't follow and has nothing to throw, and once on lead cashes its side winners, until one is
    ruffed or all are cashed. So while it has winners left, each trump of it that is gone has cost them one of theirs;
    they run out first, and it never has to throw a winner. That rests on lengths only, but for the winners. One of the
    pair can do so if its partner has no trumps, with which it might be made to take over."""
    cdef int want = t.tricks_left - need + 1, lone = length(t, 0, TRUMP_LANE), hand, a, b, n
    if not lone_has_trumps(t, kind) and not pair_has_trumps(t, kind):
        return -1
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
    if t.leader != LONE:
        return -1
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
        won += sure_trumps(trumps_of(t.hand[0]), trumps_of(t.hand[1] | t.hand[2]), &m)
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


cdef inline int bound_quick_pair(const Trick* t, int kind, int need, uint64_t* mask) noexcept nogil:
    """One of the pair leads and cashes; the lone player has no trumps."""
    cdef int want = t.tricks_left - need + 1
    if t.leader == LONE or lone_has_trumps(t, kind):
        return -1
    return 0 if pair_cashes(t, t.leader, want, mask) >= want else -1
