# cython: language_level=3
"""Null-window alpha-beta over tricks: does the lone player take at least `need` of the tricks left, against the pair?

    trick_start   1 nothing to decide   2 the last trick   3 quick bounds   4 table   5 later bounds   6 play   7 store
    play          1 legal cards, equivalent ones merged   2 the likeliest   3 try it   4 does it decide?
                  5 what failed with it; and again from 2
    trick_end     who won, what that needed to know of the cards, and the next trick

Each answers 1 or 0 and says what the answer rests on. That is of two types (proof.pxd), and the body is compiled for
both; only how a trick ends, and what is known before one begins, differs. `answer_from` chooses between them.

Not here: what the question means for seats, contracts and points (the package), and Python (_engine.pyx).
"""

from libc.stdlib cimport abort

from bounds cimport later_answer, quick_answer
from bounds_mizerka cimport count_forced, quick_answer_mizerka
from cards cimport (DEBUG_CHECKS, closed_mask, ctz, insert_bit, same_suit, suit_of, uint32_t, uint64_t,
                    without_lowest)
from flags cimport USE_CUT_CARD, USE_EITHER_LEADS, USE_MERGE, USE_TABLE
from lead_net cimport RECORD
from order cimport Order
from picker cimport MovePicker, next_follow, next_lead, start_picking
from position cimport (KIND_MIZERKA, LEADER_SHIFT, LONE, NEED_SHIFT, NO_CARD_YET, N_TRICKS, Trick, beats, bucket_key,
                       card_of, hand_at, legal_mask, next_hand, next_trick, position_is_ok, sort_three)
from proof cimport Proof, Tried, accumulate, clear, merge
from relations cimport Relations, clear_relations, relations_are_ok, stretch, take_out
from table cimport Pattern, Table, probe, store
from table_mizerka cimport Packed, pack_position, probe_relations, store_relations
from trick_mizerka cimport Fallen, last_trick_mizerka, note_discards, note_followers

cdef extern from "layout.h":
    ctypedef bint rung "MZ_RUNG"

cdef enum:
    TICK_NODES = 32768        # between looks at signals, cancellation and budgets: about 2 ms

cdef enum:                    # why a search stopped
    RUNNING = 0
    NODE_LIMIT = 1
    TIME_LIMIT = 2
    CANCELLED = 3
    INTERRUPTED = 4

cdef struct Search
ctypedef int (*LookAround)(void* owner) noexcept nogil
ctypedef void (*RecordLeads)(Search* s, Trick* t, int need, int cut_card, uint64_t moves) noexcept nogil

cdef struct Search:
    Trick tricks[N_TRICKS]
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
    uint64_t n_bounds         # answered by a bound
    uint64_t n_cuts           # nodes decided by a card
    uint64_t n_first_cuts     # by the first card tried
    volatile int cancel
    LookAround look_around    # RUNNING, or why to stop; asked at every tick
    void* owner               # what it is asked about
    void* recorder            # recording builds (record.pxd): NULL or a Recorder
    RecordLeads record


cdef inline void tick(Search* s) noexcept nogil:
    """Every TICK_NODES nodes: is there a reason to stop?"""
    s.next_tick = s.nodes + TICK_NODES
    if s.node_limit and s.nodes >= s.node_limit:
        s.stop = NODE_LIMIT
    elif s.cancel:
        s.stop = CANCELLED
    else:
        s.stop = s.look_around(s.owner)
    if s.node_limit and s.next_tick > s.node_limit:
        s.next_tick = s.node_limit


# Before a trick


cdef inline rung trick_start(Search* s, Trick* t, int need, Proof* used) noexcept nogil:
    cdef int answer, cut_card = NO_CARD_YET
    cdef Question question
    # 1 Nothing to decide.
    if need <= 0 or need > t.tricks_left:
        clear(used)
        return need <= 0
    # 2 The last trick.
    if t.tricks_left == 1:
        s.nodes += 3
        return last_trick(t, s.kind, used)
    if DEBUG_CHECKS:
        check_position(t, used)
    s.n_tricks += 1
    # 3 Quick bounds.
    answer = quick_bounds(s, t, need, used)
    if answer >= 0:
        s.n_bounds += 1
        return answer
    # 4 Table.
    if s.flags & USE_TABLE:
        answer = look_up(s, t, need, &question, used, &cut_card)
        if answer >= 0:
            return answer
        if not s.flags & USE_CUT_CARD:
            cut_card = NO_CARD_YET
    # 5 Later bounds.
    answer = later_bounds(s, t, need, used)
    if answer >= 0:
        s.n_bounds += 1
        return answer
    # 6 Play.
    if s.nodes >= s.next_tick:
        tick(s)
        if s.stop:
            return 0
    t.cut_card = NO_CARD_YET
    answer = play(s, t, 0, need, NO_CARD_YET, cut_card, used)
    if s.stop:
        return 0
    # 7 Store.
    if s.flags & USE_TABLE:
        keep(s, t, &question, answer, used)
    return answer


cdef inline int quick_bounds(Search* s, Trick* t, int need, Proof* used) noexcept nogil:
    """1, 0 or -1 (not known). In mizerka what can be forced is counted first; it also orders the cards."""
    if Proof is Relations:
        count_forced(t, &t.forced)
        return quick_answer_mizerka(t, need, s.flags, used)
    else:
        return quick_answer(t, s.kind, need, s.flags, used)


cdef inline int later_bounds(Search* s, Trick* t, int need, Proof* used) noexcept nogil:
    if Proof is Relations:
        return -1
    else:
        return later_answer(t, s.kind, need, s.flags, used)


cdef inline void check_position(const Trick* t, const Proof* used) noexcept nogil:
    """Debug builds: the search has kept up what it should."""
    if not position_is_ok(t):
        abort()
    if Proof is Relations:
        if not relations_are_ok(t):
            abort()


cdef struct Question:       # a position and a need, as the table knows them
    Pattern pattern         # suits and no trump
    uint64_t key            # mizerka
    Packed packed


cdef inline int look_up(Search* s, const Trick* t, int need, Question* q, Proof* used, int* cut_card) noexcept nogil:
    """1, 0 or -1 (not known), and the bucket's last cut."""
    cdef int answer
    if Proof is Relations:
        q.key = bucket_key(t, KIND_MIZERKA) | <uint64_t>need << NEED_SHIFT
        pack_position(t, &q.packed)
        answer = probe_relations(&s.table, q.key, t, &q.packed, used, cut_card)
        if answer == 0 and t.ask_either:
            hold_for_either(s, t, q, used)
        return answer
    else:
        q.pattern.key = bucket_key(t, s.kind)
        q.pattern.lone = t.hand[LONE]
        q.pattern.second = t.hand[1]
        q.pattern.need = need
        return probe(&s.table, &q.pattern, used, cut_card)


cdef inline void keep(Search* s, const Trick* t, Question* q, bint answer, Proof* used) noexcept nogil:
    if Proof is Relations:
        store_relations(&s.table, q.key, t, &q.packed, used, answer, t.cut_card)
        if answer == 0 and t.ask_either:
            hold_for_either(s, t, q, used)
    else:
        q.pattern.mask = used[0]
        store(&s.table, &q.pattern, answer, t.cut_card)


cdef inline void hold_for_either(Search* s, const Trick* t, const Question* q, Relations* used) noexcept nogil:
    """One of the pair leads and the answer is "fewer". If the table says the same of the other one, both proofs together
    do not care who of them leads, so the trick before need not say which of them won it: whatever the third player
    puts on its partner's card fails for one reason. (Halves the nodes; for the answer "as many" it gains nothing.)"""
    cdef Relations more
    cdef int cut_card
    cdef uint64_t led_by_other = q.key ^ (<uint64_t>(1 ^ 2) << LEADER_SHIFT)
    if probe_relations(&s.table, led_by_other, t, &q.packed, &more, &cut_card) == 0:
        merge(used, &more)
        used.either_leads = True


cdef inline bint last_trick(const Trick* t, int kind, Proof* used) noexcept nogil:
    """One card each, need 1: does the lone player's card win?"""
    cdef int hand = t.leader, best, winner, place
    cdef int card[3]
    card[0] = ctz(t.hand[0]); card[1] = ctz(t.hand[1]); card[2] = ctz(t.hand[2])
    if Proof is Relations:
        return last_trick_mizerka(t, card, used)
    else:
        best = card[hand]
        winner = hand
        for place in range(2):
            hand = next_hand(hand)
            if beats(card[hand], best, kind):
                best = card[hand]
                winner = hand
        used[0] = 0
        if winner == LONE:
            if same_suit(card[1], best) or same_suit(card[2], best):
                used[0] = closed_mask(best)
            return True
        if same_suit(card[LONE], best):
            used[0] = closed_mask(best)
        return False


# Within a trick


cdef inline bint play(Search* s, Trick* t, int place, int need, int best, int cut_card, Proof* used) noexcept nogil:
    """Let the hand whose turn it is play; `best` is the winning card so far. Compiled for each place, which decides most
    of what ordering has to look at, and each type of proof."""
    cdef int kind = KIND_MIZERKA if Proof is Relations else s.kind, card, answer
    cdef bint wish, is_first = True, is_only
    cdef uint64_t done
    cdef MovePicker picker
    cdef Tried tried
    cdef Proof failed
    # 1 Legal cards; the top of each touching run stands for the run.
    tried.trick = t
    tried.flags = s.flags
    tried.mover = hand_at(t, place)
    tried.todo = t.hand[tried.mover] if place == 0 else legal_mask(t.hand[tried.mover], t.card[0])
    start_picking(&picker, tried.todo & ~(t.hand[tried.mover] >> 1) if s.flags & USE_MERGE else tried.todo)
    is_only = without_lowest(tried.todo) == 0
    wish = (tried.mover == LONE) != (kind == KIND_MIZERKA)
    if RECORD and place == 0 and s.recorder != NULL and without_lowest(picker.moves):
        s.record(s, t, need, cut_card, picker.moves)
    clear(&failed)
    while True:
        # 2 The likeliest.
        if without_lowest(picker.moves) == 0:
            card = ctz(picker.moves)
        elif place == 0:
            card = next_lead(&picker, t, kind, need, cut_card)
        else:
            card = next_follow(&picker, s.order, t, kind, place, best)
        # 3 Try it.
        answer = try_card(s, t, place, need, card, best, used)
        if s.stop:
            return 0
        # 4 Does it decide? Its own proof is enough then, as it is for an only card.
        if answer == wish:
            if place == 0:
                t.cut_card = card
            s.n_cuts += 1
            s.n_first_cuts += is_first
            return wish
        if is_only:
            return answer
        # 5 What failed with it.
        is_first = False
        tried.card = card
        done = accumulate(&tried, used, &failed)
        tried.todo &= ~done
        picker.moves &= ~done
        if picker.moves == 0:
            used[0] = failed
            return not wish


cdef inline bint try_card(Search* s, Trick* t, int place, int need, int card, int best, Proof* used) noexcept nogil:
    """The card is played: what does the rest answer?"""
    cdef int kind = KIND_MIZERKA if Proof is Relations else s.kind, winner
    t.card[place] = card
    s.nodes += 1
    if place == 0:
        return second(s, t, need, used)
    if place == 1:
        return third(s, t, need, card if beats(card, best, kind) else best, used)
    winner = t.leader if best == t.card[0] else next_hand(t.leader)
    if beats(card, best, kind):
        best = card
        winner = hand_at(t, 2)
    return trick_end(s, t, need, best, winner, used)


cdef inline rung second(Search* s, Trick* t, int need, Proof* used) noexcept nogil:
    return play(s, t, 1, need, t.card[0], NO_CARD_YET, used)


cdef inline rung third(Search* s, Trick* t, int need, int best, Proof* used) noexcept nogil:
    return play(s, t, 2, need, best, NO_CARD_YET, used)


# After a trick


cdef inline bint trick_end(Search* s, Trick* t, int need, int best, int winner, Proof* used) noexcept nogil:
    """The third card is played; `best`, of hand `winner`, has won."""
    if Proof is Relations:
        return trick_end_mizerka(s, t, need, best, winner, used)
    else:
        return trick_end_closed(s, t, need, best, winner, used)


cdef inline bint trick_end_closed(Search* s, Trick* t, int need, int best, int winner, uint64_t* used) noexcept nogil:
    cdef int c[3]
    cdef int of_its_suit
    cdef bint answer
    c[0] = t.card[0]; c[1] = t.card[1]; c[2] = t.card[2]
    # The only card of its suit wins, or the only trump, whatever its rank.
    of_its_suit = same_suit(c[0], best) + same_suit(c[1], best) + same_suit(c[2], best)
    if winner == LONE:
        need -= 1
        if need <= 0:
            used[0] = closed_mask(best) if of_its_suit > 1 else 0
            return True
    elif need > t.tricks_left - 1:
        # Lost by this trick: all that matters is that the lone player's card was not the highest of its suit.
        used[0] = closed_mask(best) if same_suit(card_of(t, LONE), best) else 0
        return False
    next_trick(t, winner, t + 1)
    answer = trick_start(s, t + 1, need, used)
    sort_three(c)
    used[0] = insert_bit(insert_bit(insert_bit(used[0], c[2]), c[1]), c[0])
    if of_its_suit > 1:
        used[0] |= closed_mask(best)
    return answer


cdef inline bint trick_end_mizerka(Search* s, Trick* t, int need, int best, int winner, Relations* used) noexcept nogil:
    """Proofs rest on the winner's card being above the others that followed suit; where the trick itself settles it, on
    the lone player's."""
    cdef Trick* child = t + 1
    cdef int suit, led = suit_of(best)
    cdef bint answer, is_won = winner == LONE
    cdef Fallen fallen
    note_followers(t, led, winner, &fallen)
    need -= is_won
    if need <= 0 or need > t.tricks_left - 1:
        clear_relations(used)
        used.suit[led] = fallen.winners & fallen.others if is_won else fallen.over & fallen.lone
        return need <= 0
    note_discards(t, led, &fallen)
    take_out(t, fallen.gone, fallen.out, child)
    child.leader = winner
    child.tricks_left = t.tricks_left - 1
    # Only if both of the pair followed suit is anything gained.
    child.ask_either = (s.flags & USE_EITHER_LEADS and not is_won
                        and (fallen.others & ~fallen.lone & fallen.winners) != 0)
    answer = trick_start(s, child, need, used)
    for suit in range(4):
        used.suit[suit] = stretch(used.suit[suit], fallen.out[suit])
    if child.ask_either and used.either_leads:
        used.suit[led] |= fallen.over & fallen.lone
    else:
        used.suit[led] |= fallen.winners & fallen.others
    used.either_leads = False
    return answer


# From outside


cdef struct Grounds:        # what an answer rests on, as the kind has it
    uint64_t closed
    Relations relations


cdef inline bint answer_from(Search* s, Trick* t, int n_played, int need, Grounds* used) noexcept nogil:
    """Ask about a position that is laid out (root.pxd), with so many cards in the trick. The only place where the kind
    decides what a proof is."""
    if s.kind == KIND_MIZERKA:
        return resume(s, t, n_played, need, &used.relations)
    return resume(s, t, n_played, need, &used.closed)


cdef inline bint resume(Search* s, Trick* t, int n_played, int need, Proof* used) noexcept nogil:
    if n_played == 0:
        return trick_start(s, t, need, used)
    if n_played == 1:
        return second(s, t, need, used)
    return third(s, t, need, t.card[1] if beats(t.card[1], t.card[0], s.kind) else t.card[0], used)
