# cython: language_level=3
"""Null-window alpha-beta over tricks, and the `Engine` that owns its memory, node budget and cancellation.

One question is asked: does the lone player take at least `need` of the tricks left, against the two others?

    trick_start   1 trivial answers   2 the last trick is forced   3 quick bounds   4 table   5 later bounds   6 play
                  7 store
    play          one card of a trick: legal cards, equivalents merged, ordered, each tried until one decides
    trick_end     who won, what that needed to know about ranks, and the next trick

Each returns 1 or 0 and a closed mask: the top cards of each suit the answer rests on (see cards.pxd). For the mover a
deciding card's own proof is enough; where every card failed, all of their proofs are needed together, and where a
card stood for its touching run, the whole run. Mizerka has a search of its own (search_mizerka.pxi): its answers rest
on other things.

Not here: what the question means for seats, contracts and points (mizerka_solver/solver.py).
"""

from cpython.exc cimport PyErr_CheckSignals
from cpython.ref cimport PyObject
from libc.stdlib cimport abort, calloc, free
from libc.stdio cimport FILE, fclose, fopen, fwrite
from libc.string cimport memcpy, memset

import sys
import time
from pkgutil import get_data     # importlib.resources takes 10 ms more to import

from bounds cimport (USE_ALL, USE_CUT_CARD, USE_EITHER_LEADS, USE_MERGE, USE_SKIP, USE_TABLE, later_answer, quick_answer)
from bounds_mizerka cimport quick_answer_mizerka
from cards cimport (BUILD, DEBUG_CHECKS, bit_mask, closed_mask, count_lane, cpu_is_v3 as cpu_check, ctz, insert_bit, int32_t, lane_mask,
                    popcount, run_bottom, uint8_t, uint32_t, uint64_t)
from lead_net cimport RECORD, clear_notes, n_noted, nets, noted, score_leads
from order cimport (N_MZ_WEIGHTS, N_WEIGHTS, ORDER_WEIGHTS, ORDER_WEIGHTS_MIZERKA, Order, mizerka_relation, score_card,
                    score_mizerka_follow)
from position cimport (KIND_MIZERKA, LONE, Trick, beats, compute_lens, legal_mask, next_hand, next_trick,
                       position_is_ok, sort_three, suit_counts)
from relations cimport (Relations, Shape, above_of, bits_of, closed_of, columns, compute_above, moved, number_of,
                        relations_are_ok, rows, set_starts, shape_of, stretch, take_out)
from root cimport kind_of, set_root, turn_suits
from table_mizerka cimport Packed, pack_position, probe_relations, store_relations
from table cimport (FIRST_INDEX_BITS, Block, Generation, Slot, Table, clear_generation, clear_table, probe, store)

cdef enum:
    TICK_NODES = 32768        # between looks at signals, cancellation and budgets: about 2 ms

cdef enum:     # why a search stopped
    RUNNING = 0
    NODE_LIMIT = 1
    TIME_LIMIT = 2
    CANCELLED = 3
    INTERRUPTED = 4

cdef struct Recorder

cdef struct Search:
    Trick tricks[18]
    Order* order              # of the current kind
    Order orders[3]
    Table table
    int kind
    uint32_t flags
    int stop
    uint64_t nodes            # cards played
    uint64_t node_limit       # 0 = none
    uint64_t next_tick
    uint64_t n_tricks         # trick_start calls past the trivial answers
    uint64_t n_bounds         # answered by a quick bound
    uint64_t n_cuts           # nodes decided by a card
    uint64_t n_first_cuts     # by the first card tried
    double deadline           # time.monotonic(), 0 = none
    volatile int cancel
    PyObject* owner           # the Engine; borrowed
    Recorder* recorder        # see record.pxi; NULL in all but recording builds


cdef void tick(Search* s) noexcept nogil:
    """Every TICK_NODES nodes: is there a reason to stop?"""
    s.next_tick = s.nodes + TICK_NODES
    if s.node_limit and s.nodes >= s.node_limit:
        s.stop = NODE_LIMIT
    elif s.cancel:
        s.stop = CANCELLED
    else:
        with gil:
            try:
                PyErr_CheckSignals()
                if s.deadline > 0 and time.monotonic() > s.deadline:
                    s.stop = TIME_LIMIT
            except BaseException:       # whatever a signal handler raised; raised again once the search has unwound
                s.stop = INTERRUPTED
                (<Engine>s.owner).interruption = sys.exception()
    if s.node_limit and s.next_tick > s.node_limit:
        s.next_tick = s.node_limit


cdef bint trick_end(Search* s, Trick* t, int need, int best, int winner, uint64_t* used) noexcept nogil:
    """The third card is played; `best`, of hand `winner`, has won."""
    cdef int c[3]
    cdef int left = t.tricks_left - 1, of_its_suit
    cdef bint answer
    cdef uint64_t mask
    c[0] = t.card[0]; c[1] = t.card[1]; c[2] = t.card[2]
    of_its_suit = (c[0] ^ best < 16) + (c[1] ^ best < 16) + (c[2] ^ best < 16)
    if winner == LONE:
        need -= 1
        if need <= 0:
            used[0] = closed_mask(best) if of_its_suit > 1 else 0
            return True
    elif need > left:
        # Lost by this trick: all that matters is that the lone player's card was not the highest of its suit.
        used[0] = closed_mask(best) if t.card[3 - t.leader if t.leader else 0] ^ best < 16 else 0
        return False
    next_trick(t, winner, t + 1)
    answer = trick_start(s, t + 1, need, &mask)
    sort_three(c)
    mask = insert_bit(insert_bit(insert_bit(mask, c[2]), c[1]), c[0])
    # The only card of its suit wins, or the only trump, whatever its rank.
    used[0] = mask | closed_mask(best) if of_its_suit > 1 else mask
    return answer


cdef inline int best_left(uint64_t moves, const int32_t* score, const int* cards, int n) noexcept nogil:
    """The place of the best of the cards that are still among `moves`, of which there is one."""
    cdef int i, best = -1
    for i in range(n):
        if moves & bit_mask(cards[i]) and (best < 0 or score[i] > score[best]):
            best = i
    return best


cdef inline bint play_at(Search* s, Trick* t, int need, int place, int best, int winner, int cut_card,
                         uint64_t* used) noexcept nogil:
    """Let the hand whose turn it is play; `best` is the winning card so far, of hand `winner`. Compiled three times,
    once for each place, which decides most of what ordering has to look at."""
    cdef int mover = t.leader + place
    cdef int n = 0, i, pick = 0, card, answer
    cdef int32_t score[17]
    cdef int cards[17]
    cdef uint32_t counts
    cdef uint64_t hand, moves, failed = 0, mask = 0
    cdef bint wish, several
    if mover > 2:
        mover -= 3
    hand = t.hand[mover]
    moves = hand if place == 0 else legal_mask(hand, t.card[0])
    if s.flags & USE_MERGE:
        moves &= ~(hand >> 1)       # the top of each touching run stands for the run
    wish = mover == LONE

    several = (moves & (moves - 1)) != 0
    if RECORD and place == 0 and several:
        record_leads(s, t, need, cut_card, moves)
    if several:
        if place == 0 and cut_card >= 0 and moves & bit_mask(cut_card):
            cards[0] = cut_card
            n = 1
        elif place == 0:
            n = score_leads(t, s.kind, need, cut_card, moves, score, cards)
        else:
            counts = suit_counts(t)
            hand = moves
            while hand:
                cards[n] = ctz(hand)
                hand &= hand - 1
                score[n] = score_card(s.order, t, counts, s.kind, place, mover, cards[n], best, winner)
                n += 1
        for i in range(1, n):
            if score[i] > score[pick]:
                pick = i
    else:
        cards[0] = ctz(moves)
        n = 1

    while True:
        card = cards[pick]
        t.card[place] = card
        s.nodes += 1
        if place == 0:
            answer = play_second(s, t, need, card, mover, &mask)
        elif beats(card, best, s.kind):
            answer = (play_third(s, t, need, card, mover, &mask) if place == 1
                      else trick_end(s, t, need, card, mover, &mask))
        else:
            answer = (play_third(s, t, need, best, winner, &mask) if place == 1
                      else trick_end(s, t, need, best, winner, &mask))
        if s.stop:
            return 0
        if answer == wish:
            used[0] = mask
            if place == 0:
                t.cut_card = card
            s.n_cuts += 1
            s.n_first_cuts += failed == 0
            return wish
        failed |= mask
        if mask & bit_mask(card):
            failed |= closed_mask(run_bottom(t.hand[mover], card))
        elif s.flags & USE_SKIP:
            moves &= ~(lane_mask(card) & ~mask)     # its rank did not matter, so neither does that of those
        # The next one: drop this card and those that need not be tried any more.
        moves &= ~bit_mask(card)
        if moves == 0:
            used[0] = failed
            return not wish
        if place == 0 and card == cut_card and n == 1:
            n = score_leads(t, s.kind, need, -1, moves, score, cards)
        pick = best_left(moves, score, cards, n)


cdef bint play_lead(Search* s, Trick* t, int need, int cut_card, uint64_t* used) noexcept nogil:
    return play_at(s, t, need, 0, -1, -1, cut_card, used)


cdef bint play_second(Search* s, Trick* t, int need, int best, int winner, uint64_t* used) noexcept nogil:
    return play_at(s, t, need, 1, best, winner, -1, used)


cdef bint play_third(Search* s, Trick* t, int need, int best, int winner, uint64_t* used) noexcept nogil:
    return play_at(s, t, need, 2, best, winner, -1, used)


cdef bint trick_start(Search* s, Trick* t, int need, uint64_t* used) noexcept nogil:
    cdef int answer, cut_card = -1
    cdef uint64_t key
    if s.kind == KIND_MIZERKA:
        return mizerka_root(s, t, need, used)
    if need <= 0 or need > t.tricks_left:
        used[0] = 0
        return need <= 0
    if t.tricks_left == 1:
        return last_trick(s, t, used)
    if DEBUG_CHECKS and not position_is_ok(t):
        abort()
    s.n_tricks += 1
    answer = quick_answer(t, s.kind, need, s.flags, used)
    if answer >= 0:
        s.n_bounds += 1
        return answer
    key = t.lens | (<uint64_t>t.leader << 48) | (<uint64_t>s.kind << 50)
    if s.flags & USE_TABLE:
        answer = probe(&s.table, key, t.hand[0], t.hand[1], need, used, &cut_card)
        if answer >= 0:
            return answer
        if not s.flags & USE_CUT_CARD:
            cut_card = -1
    answer = later_answer(t, s.kind, need, s.flags, used)
    if answer >= 0:
        s.n_bounds += 1
        return answer
    if s.nodes >= s.next_tick:
        tick(s)
        if s.stop:
            return 0
    t.cut_card = -1
    answer = play_lead(s, t, need, cut_card, used)
    if s.stop:
        return 0
    if s.flags & USE_TABLE:
        store(&s.table, key, t.hand[0], t.hand[1], used[0], need, answer, t.cut_card)
    return answer


cdef inline bint last_trick(Search* s, Trick* t, uint64_t* used) noexcept nogil:
    """One card each, need 1: does the lone player's card win?"""
    cdef int hand = t.leader, best, winner, place
    cdef int card[3]
    card[0] = ctz(t.hand[0]); card[1] = ctz(t.hand[1]); card[2] = ctz(t.hand[2])
    best = card[hand]
    winner = hand
    for place in range(2):
        hand = next_hand(hand)
        if beats(card[hand], best, s.kind):
            best = card[hand]
            winner = hand
    s.nodes += 3
    used[0] = 0
    if winner == LONE:
        if (card[1] ^ best) >> 4 == 0 or (card[2] ^ best) >> 4 == 0:
            used[0] = closed_mask(best)
        return 1
    if (card[LONE] ^ best) >> 4 == 0:
        used[0] = closed_mask(best)
    return 0


include "search_mizerka.pxi"


class SearchStopped(Exception):
    """A search ended before its answer: `reason` is "nodes", "time" or "cancelled"."""

    def __init__(self, reason):
        super().__init__(reason)        # and nothing else, so that it survives pickling
        self.reason = reason

    def __str__(self):
        return f"search stopped: {self.reason}"


include "engine.pxi"


FLAGS = {
    "table": 1, "merge": 2, "skip": 4, "sure_trumps": 8, "quick_lone": 16, "quick_pair": 32, "later_lone": 64,
    "later_pair": 128, "safe_suits": 256, "one_loser": 512, "exits": 1024, "cut_card": 2048, "either_leads": 4096, "later_trumps": 8192,
}
ALL_FLAGS = USE_ALL


def load_leads(data):
    """Take the nets that order leads from the bytes of `leads.bin`; what is not loaded orders nothing."""
    cdef const unsigned char[::1] source = data
    if source.shape[0] != sizeof(nets):
        raise ValueError(f"the nets for leads are {sizeof(nets)} bytes, not {source.shape[0]}")
    memcpy(nets, &source[0], sizeof(nets))


load_leads(get_data("mizerka_solver.core", "leads.bin"))


def build():
    """Which build of the core this is: "portable" or "x86-64-v3"."""
    return (<bytes>BUILD).decode()


def cpu_is_v3():
    """May this machine run the x86-64-v3 build?"""
    return bool(cpu_check())


include "exchange.pxi"
include "record.pxi"
