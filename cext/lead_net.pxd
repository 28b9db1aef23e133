# cython: language_level=3
"""Which lead to try first: a small net, learned from what leads cost. It never changes a value, only the work.

What a lead is scored by is a handful of *rows*: each says one thing about the node, the suit or the card, and is an
index into a table of 16 numbers. The rows are added up, and a weighted sum of the 16, each cut off below 0 and above a
limit, is the score. So a lead costs some ten vector additions. There are nine nets, by kind and leader; they lie in
`mizerka_solver/core/leads.bin`, written by `benchmarks/fit_leads.py`.

x leads, y plays second, z third. *Beyond* a card: above it; in mizerka, where low cards decide, below it.
"""

from cards cimport shorter as at_most
from cards cimport above_mask, below_mask, count_lane, ctz, int32_t, lane_mask, run_bottom, top_run, uint32_t, uint64_t, up_to_3
from position cimport KIND_MIZERKA, KIND_NO_TRUMP, KIND_TRUMP, LONE, TRUMP_LANE, Trick, length, next_hand, suit_counts

cdef extern from "lead_net.h" nogil:
    ctypedef struct Net "mz_net":
        pass
    ctypedef struct Sum "mz_sum":
        pass
    Net nets "mz_nets"[9]
    const bint RECORD "MZ_RECORD"           # a build that records what leads cost (record.pxi)
    int* noted "mz_noted"
    int n_noted "mz_note_count"() noexcept
    void clear_notes "mz_clear_notes"() noexcept
    Sum row "mz_row"(const Net* net, int row) noexcept
    Sum plus "mz_plus"(Sum a, Sum b) noexcept
    int32_t weigh "mz_weigh"(const Net* net, Sum a) noexcept

cdef enum:
    LENGTHS = 0                 # of x, y, z in the suit: 8 * 6 * 6
    EDGE = LENGTHS + 288        # which of the four highest (mizerka: lowest) cards z and y hold: 16 * 16
    BEYOND = EDGE + 256         # cards of y, z, x beyond this one, and is there none of x on the other side: 4 * 4 * 4 * 2
    RANK = BEYOND + 128         # cards below it in play, touching cards below it: 13 * 4
    FLAGS = RANK + 52           # y, z must go beyond it; the bucket's last cut; mizerka: part of the forced tricks: 16
    TRUMPS = FLAGS + 16         # from here the same again for the trump suit
    GOAL = 2 * TRUMPS           # tricks wanted, tricks left: 14 * 14
    RUNS = GOAL + 196           # cards in the top runs of x, y, z; mizerka: exits against either, voids: 7 * 7 * 7
    SPECIAL = RUNS + 343        # trumps of x, y, z, and is it a trump: 2 * 6 * 5 * 5; mizerka: unsafe suits, is this one: 2 * 5


cdef inline Sum node_rows(const Net* net, const Trick* t, int kind, int need, int x, int y, int z) noexcept nogil:
    cdef int suit, a = 0, b = 0, c = 0
    cdef uint64_t low, lane
    for suit in range(4):
        if kind != KIND_MIZERKA:
            a += top_run(t.hand[x], suit)
            b += top_run(t.hand[y], suit)
            c += top_run(t.hand[z], suit)
            continue
        lane = lane_mask(16 * suit)
        low = t.hand[LONE] & lane
        low &= 0 - low
        a += low != 0 and t.hand[1] & lane != 0 and t.hand[1] & lane & (low - 1) == 0
        b += low != 0 and t.hand[2] & lane != 0 and t.hand[2] & lane & (low - 1) == 0
        c += low == 0
    return plus(row(net, GOAL + at_most(need, 13) * 14 + at_most(t.tricks_left, 13)),
                row(net, RUNS + (at_most(a, 6) * 7 + at_most(b, 6)) * 7 + at_most(c, 6)))


cdef inline Sum suit_rows(const Net* net, const Trick* t, int kind, uint32_t counts, int suit, int x, int y, int z,
                          Sum sum) noexcept nogil:
    cdef bint trump = kind == KIND_TRUMP and suit == TRUMP_LANE
    cdef int base = TRUMPS if trump else 0
    cdef int edge = 16 * suit + (13 - <int>((counts >> (4 * suit)) & 15) if kind == KIND_MIZERKA else 9)
    sum = plus(sum, row(net, base + LENGTHS + (at_most(length(t, x, suit), 7) * 6 + at_most(length(t, y, suit), 5)) * 6
                        + at_most(length(t, z, suit), 5)))
    sum = plus(sum, row(net, base + EDGE + <int>((t.hand[y] >> edge) & 15) + 16 * <int>((t.hand[z] >> edge) & 15)))
    if kind == KIND_TRUMP:
        sum = plus(sum, row(net, SPECIAL + (150 if trump else 0) + at_most(length(t, z, TRUMP_LANE), 4)
                            + (at_most(length(t, x, TRUMP_LANE), 5) * 5 + at_most(length(t, y, TRUMP_LANE), 4)) * 5))
    elif kind == KIND_MIZERKA:
        sum = plus(sum, row(net, SPECIAL + 5 * (t.unsafe >> suit & 1) + count_lane(t.unsafe, 0)))
    return sum


cdef inline int32_t card_score(const Net* net, const Trick* t, int kind, uint32_t counts, int card, int cut_card, int x,
                               int y, int z, Sum sum) noexcept nogil:
    cdef int suit = card >> 4, base = TRUMPS if kind == KIND_TRUMP and suit == TRUMP_LANE else 0
    cdef uint64_t above = above_mask(card), below = below_mask(card), lane = lane_mask(card)
    cdef uint64_t beyond = below if kind == KIND_MIZERKA else above
    cdef uint64_t behind = above if kind == KIND_MIZERKA else below
    cdef int of_y = up_to_3(t.hand[y] & beyond), of_z = up_to_3(t.hand[z] & beyond)
    cdef int of_x = up_to_3(t.hand[x] & beyond), outer = t.hand[x] & behind == 0
    cdef int r = (card & 15) - 13 + <int>((counts >> (4 * suit)) & 15)
    cdef int touching = at_most(card - run_bottom(t.hand[x], card), 3)
    cdef int flags = (4 if t.hand[y] & lane and t.hand[y] & behind == 0 else 0) + (2 if t.hand[z] & lane and t.hand[z] & behind == 0 else 0)
    flags += card == cut_card
    if kind == KIND_MIZERKA:
        flags += 8 * ((t.raises if x == LONE else t.lowers) >> card & 1)
    sum = plus(sum, row(net, base + BEYOND + ((of_y * 4 + of_z) * 4 + of_x) * 2 + outer))
    sum = plus(sum, row(net, base + RANK + r * 4 + touching))
    return weigh(net, plus(sum, row(net, base + FLAGS + flags)))


cdef inline int score_leads(const Trick* t, int kind, int need, int cut_card, uint64_t moves, int32_t* score,
                            int* cards) noexcept nogil:
    """Fills `cards` with the bits of `moves`, and their scores; returns how many."""
    cdef const Net* net = &nets[3 * kind + t.leader]
    cdef int x = t.leader, y = next_hand(t.leader), z, suit, n = 0
    cdef uint32_t counts = suit_counts(t)
    cdef uint64_t lane
    cdef Sum node, in_suit
    z = next_hand(y)
    node = node_rows(net, t, kind, need, x, y, z)
    for suit in range(4):
        lane = moves & lane_mask(16 * suit)
        if lane == 0:
            continue
        in_suit = suit_rows(net, t, kind, counts, suit, x, y, z, node)
        while lane:
            cards[n] = ctz(lane)
            lane &= lane - 1
            score[n] = card_score(net, t, kind, counts, cards[n], cut_card, x, y, z, in_suit)
            n += 1
    return n
