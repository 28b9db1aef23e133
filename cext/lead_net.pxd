# cython: language_level=3
"""Which lead to try first: a small net, learned from what leads cost. It never changes a value, only the work.

What a lead is scored by is a handful of *rows*: each says one thing about the node, the suit or the card, and is an
index into a table of 16 numbers. The rows are added up, and a weighted sum of the 16, each cut off below 0 and above a
limit, is the score. So a lead costs some ten vector additions. There are nine nets, by kind and leader; they lie in
`mizerka_solver/core/leads.bin`, written by `benchmarks/fit_leads.py`.

x leads, y plays second, z third. *Beyond* a card: above it; in mizerka, where low cards decide, below it.
"""

from cards cimport shorter as at_most
from cards cimport (above_mask, below_mask, cards_under, count_lane, ctz, int32_t, lane_mask, lowest, rank_of,
                    run_bottom, suit_mask, suit_of, suit_start, top_run, uint32_t, uint64_t, up_to_3, without_lowest)
from position cimport (KIND_MIZERKA, KIND_TRUMP, LONE, TRUMP_LANE, Trick, count_of, length, next_hand, suit_counts)

cdef extern from "lead_net.h" nogil:
    ctypedef struct Net "mz_net":
        pass
    ctypedef struct Sum "mz_vector":
        pass
    Net nets "mz_nets"[9]
    const bint RECORD "MZ_RECORD"           # a build that records what leads cost (record.pxd)
    int* noted "mz_noted"
    int n_noted "mz_note_count"() noexcept
    void clear_notes "mz_clear_notes"() noexcept
    Sum row "mz_row"(const Net* net, int row) noexcept
    Sum plus "mz_plus"(Sum a, Sum b) noexcept
    int32_t weigh "mz_weigh"(const Net* net, Sum a) noexcept

cdef enum:
    LENGTHS = 0                 # of x, y, z in the suit: 8 * 6 * 6
    EDGE = LENGTHS + 288        # which of the four highest (mizerka: lowest) cards z and y hold: 16 * 16
    BEYOND = EDGE + 256         # cards of y, z, x beyond this one, is there none of x on the other side: 4 * 4 * 4 * 2
    RANK = BEYOND + 128         # cards below it in play, touching cards below it: 13 * 4
    FLAGS = RANK + 52           # y, z must go beyond it; the bucket's last cut; mizerka: part of the forced tricks: 16
    TRUMPS = FLAGS + 16         # from here the same again for the trump suit
    GOAL = 2 * TRUMPS           # tricks wanted, tricks left: 14 * 14
    RUNS = GOAL + 196           # cards in the top runs of x, y, z; mizerka: exits against either, voids: 7 * 7 * 7
    SPECIAL = RUNS + 343        # trumps of x, y, z, is it a trump: 2 * 6 * 5 * 5; mizerka: unsafe suits, this one: 2 * 5


cdef struct Lead:               # what is the same for all leads of a node
    const Net* net
    uint32_t counts             # `suit_counts`
    int kind
    int need
    int cut_card                # the bucket's last cut, or NO_CARD_YET
    int x
    int y
    int z


cdef inline bint over_lowest(const Trick* t, int hand, uint64_t lane, uint64_t low) noexcept nogil:
    """Does the hand hold cards of the lane, all above the card `low`?"""
    return t.hand[hand] & lane and t.hand[hand] & lane & cards_under(low) == 0


cdef inline Sum node_rows(const Lead* lead, const Trick* t) noexcept nogil:
    cdef int suit, a = 0, b = 0, c = 0
    cdef uint64_t low
    for suit in range(4):
        if lead.kind != KIND_MIZERKA:
            a += top_run(t.hand[lead.x], suit)
            b += top_run(t.hand[lead.y], suit)
            c += top_run(t.hand[lead.z], suit)
            continue
        low = lowest(t.hand[LONE] & suit_mask(suit))
        a += low != 0 and over_lowest(t, 1, suit_mask(suit), low)
        b += low != 0 and over_lowest(t, 2, suit_mask(suit), low)
        c += low == 0
    return plus(row(lead.net, GOAL + at_most(lead.need, 13) * 14 + at_most(t.tricks_left, 13)),
                row(lead.net, RUNS + (at_most(a, 6) * 7 + at_most(b, 6)) * 7 + at_most(c, 6)))


cdef inline int four_at(uint64_t hand, int bit) noexcept nogil:
    """Which of four neighbouring cards the hand holds, as a number."""
    return <int>(hand >> bit & 15)


cdef inline Sum suit_rows(const Lead* lead, const Trick* t, int suit, Sum sum) noexcept nogil:
    cdef int x = lead.x, y = lead.y, z = lead.z
    cdef bint trump = lead.kind == KIND_TRUMP and suit == TRUMP_LANE
    cdef int base = TRUMPS if trump else 0
    cdef int edge = suit_start(suit) + (13 - count_of(lead.counts, suit) if lead.kind == KIND_MIZERKA else 9)
    sum = plus(sum, row(lead.net, base + LENGTHS + at_most(length(t, z, suit), 5)
                        + (at_most(length(t, x, suit), 7) * 6 + at_most(length(t, y, suit), 5)) * 6))
    sum = plus(sum, row(lead.net, base + EDGE + four_at(t.hand[y], edge) + 16 * four_at(t.hand[z], edge)))
    if lead.kind == KIND_TRUMP:
        sum = plus(sum, row(lead.net, SPECIAL + (150 if trump else 0) + at_most(length(t, z, TRUMP_LANE), 4)
                            + (at_most(length(t, x, TRUMP_LANE), 5) * 5 + at_most(length(t, y, TRUMP_LANE), 4)) * 5))
    elif lead.kind == KIND_MIZERKA:
        sum = plus(sum, row(lead.net, SPECIAL + 5 * (t.forced.unsafe >> suit & 1) + count_lane(t.forced.unsafe, 0)))
    return sum


cdef inline int32_t card_score(const Lead* lead, const Trick* t, int card, Sum sum) noexcept nogil:
    cdef int base = TRUMPS if lead.kind == KIND_TRUMP and suit_of(card) == TRUMP_LANE else 0
    cdef uint64_t x = t.hand[lead.x], y = t.hand[lead.y], z = t.hand[lead.z]
    cdef uint64_t above = above_mask(card), below = below_mask(card), lane = lane_mask(card)
    cdef uint64_t beyond = below if lead.kind == KIND_MIZERKA else above
    cdef uint64_t behind = above if lead.kind == KIND_MIZERKA else below
    cdef int of_x = up_to_3(x & beyond), of_y = up_to_3(y & beyond), of_z = up_to_3(z & beyond), outer = x & behind == 0
    cdef int r = rank_of(card) - 13 + count_of(lead.counts, suit_of(card))
    cdef int touching = at_most(card - run_bottom(x, card), 3)
    cdef int flags = (4 if y & lane and y & behind == 0 else 0) + (2 if z & lane and z & behind == 0 else 0)
    flags += card == lead.cut_card
    if lead.kind == KIND_MIZERKA:
        flags += 8 * ((t.forced.raises if lead.x == LONE else t.forced.lowers) >> card & 1)
    sum = plus(sum, row(lead.net, base + BEYOND + ((of_y * 4 + of_z) * 4 + of_x) * 2 + outer))
    sum = plus(sum, row(lead.net, base + RANK + r * 4 + touching))
    return weigh(lead.net, plus(sum, row(lead.net, base + FLAGS + flags)))


cdef inline void set_lead(Lead* lead, const Trick* t, int kind, int need, int cut_card) noexcept nogil:
    lead.net = &nets[3 * kind + t.leader]
    lead.counts = suit_counts(t)
    lead.kind = kind
    lead.need = need
    lead.cut_card = cut_card
    lead.x = t.leader
    lead.y = next_hand(lead.x)
    lead.z = next_hand(lead.y)


cdef inline int score_leads(const Lead* lead, const Trick* t, uint64_t moves, int32_t* score,
                            int* cards) noexcept nogil:
    """Fills `cards` with the bits of `moves`, and their scores; returns how many."""
    cdef int suit, n = 0
    cdef uint64_t lane
    cdef Sum in_suit, node = node_rows(lead, t)
    for suit in range(4):
        lane = moves & suit_mask(suit)
        if lane == 0:
            continue
        in_suit = suit_rows(lead, t, suit, node)
        while lane:
            cards[n] = ctz(lane)
            lane = without_lowest(lane)
            score[n] = card_score(lead, t, cards[n], in_suit)
            n += 1
    return n
