# The search in mizerka. Included in _engine.pyx; the same three steps as there,
#
#     mizerka_start   1 trivial answers   2 the last trick is forced   3 quick bounds   4 table   5 play   6 store
#     mizerka_play    one card of a trick: legal cards, equivalents merged, ordered, each tried until one decides
#     mizerka_end     who won, and the next trick
#
# but what an answer rests on is not a set of top cards (in mizerka low cards decide, and nearly all would be in it) but
# which card is above which: a mask of relations (relations.pxd), in the numbering of the start of the trick.

cdef inline bint mizerka_end(Search* s, Trick* t, int need, int best, int winner, Relations* used) noexcept nogil:
    """The third card is played; `best`, of hand `winner`, has won. Proofs rest on the winner's card being above the
    others that followed suit; where the trick itself settles it, on the lone player's."""
    cdef Trick* child = t + 1
    cdef int left = t.tricks_left - 1, suit, place, hand = t.leader, card, led = best >> 4
    cdef bint answer, is_won = winner == LONE
    cdef uint64_t won_bits = 0, lone_bits = 0, others = 0, over = 0, bits
    cdef int lone = t.card[3 - t.leader if t.leader else 0]
    cdef bint either_leads = (s.flags & USE_EITHER_LEADS) != 0
    cdef uint64_t gone[4]       # of each suit: cards, and their relations
    cdef uint64_t out[4]
    cdef Shape shape = shape_of(t, led)
    need -= is_won
    out[0] = out[1] = out[2] = out[3] = 0
    gone[0] = gone[1] = gone[2] = gone[3] = 0
    for place in range(3):
        card = t.card[place]
        if card >> 4 == led:
            bits = bits_of(&shape, hand, number_of(t, hand, card))
            out[led] |= bits
            gone[led] |= bit_mask(card)
            if hand == LONE:
                lone_bits = bits
            elif over == 0 and card > lone:
                over = bits         # the first: then what the others play matters less
            if hand == winner:
                won_bits = bits
            else:
                others |= bits
        hand = next_hand(hand)
    if need <= 0 or need > left:
        used.suit[0] = used.suit[1] = used.suit[2] = used.suit[3] = 0
        used.suit[led] = won_bits & others if is_won else over & lone_bits
        return need <= 0
    for place in range(3):
        card = t.card[place]
        suit = card >> 4
        if suit != led:
            shape = shape_of(t, suit)
            out[suit] |= bits_of(&shape, hand, number_of(t, hand, card))
            gone[suit] |= bit_mask(card)
        hand = next_hand(hand)
    take_out(t, gone, out, child)
    child.leader = winner
    # Only if both of the pair followed suit is anything gained.
    child.ask_any = either_leads and not is_won and (others & ~lone_bits & won_bits) != 0
    child.tricks_left = left
    answer = mizerka_start(s, child, need, used)
    for suit in range(4):
        used.suit[suit] = stretch(used.suit[suit], out[suit])
    used.suit[led] |= over & lone_bits if child.any_of_pair and child.ask_any else won_bits & others
    return answer


cdef inline uint64_t also_fail(Search* s, const Trick* t, int mover, int card, uint64_t rest, uint64_t mask,
                           uint64_t* failed) noexcept nogil:
    """`card` has failed by a proof that looked at `mask` of its suit. Which cards of `rest` (the mover's, same suit)
    fail for the same reason? Own cards are never compared with each other, so the proof holds for another card with
    the two and those between renumbered, if its relations are true of the cards it is then about. Touching cards always
    do. Adds the proofs for these cards, and returns the set of them."""
    cdef int suit = card >> 4, i, k
    cdef uint64_t above = t.above[suit], own, low, moved_mask, covered = 0, held
    cdef Shape shape = shape_of(t, suit)
    own = mask & (rows(&shape, mover, 0, shape.n[mover]) | columns(&shape, mover, 0, shape.n[mover]))
    if own == 0:
        return rest
    i = number_of(t, mover, card)
    held = t.hand[mover]
    while rest:
        low = rest & (0 - rest)
        rest ^= low
        k = count_lane(held & lane_mask(card) & (low - 1), card & 48)
        moved_mask = moved(&shape, own, mover, i, k)
        if moved_mask & above == moved(&shape, own & above, mover, i, k):
            covered |= low
            failed[0] |= moved_mask
    return covered


cdef inline bint mizerka_play(Search* s, Trick* t, int need, int place, int best, int winner, int cut_card,
                              Relations* used) noexcept nogil:
    """Let the hand whose turn it is play; `best` is the winning card so far, of hand `winner`. Compiled three times,
    once for each place, which decides most of what ordering has to look at."""
    cdef int mover = t.leader + place
    cdef int n = 0, i, pick = 0, card, answer, suit, relation = 0
    cdef int32_t score[17]
    cdef int cards[17]
    cdef uint32_t counts
    cdef uint64_t hand, todo, moves, rest
    cdef Relations failed
    cdef bint wish, several, is_first = True, is_only = False
    if mover > 2:
        mover -= 3
    hand = t.hand[mover]
    todo = hand if place == 0 else legal_mask(hand, t.card[0])
    moves = todo
    if s.flags & USE_MERGE:
        moves &= ~(hand >> 1)       # the top of each touching run stands for the run
    wish = mover != LONE

    several = (moves & (moves - 1)) != 0
    if RECORD and place == 0 and several:
        record_leads(s, t, need, cut_card, moves)
    if several:
        if place == 0:
            n = score_leads(t, KIND_MIZERKA, need, cut_card, moves, score, cards)
        else:
            counts = suit_counts(t)
            relation = mizerka_relation(t, place, mover, winner)
            hand = moves
            while hand:
                cards[n] = ctz(hand)
                hand &= hand - 1
                score[n] = score_mizerka_follow(s.order, t, counts, cards[n], place, mover, best, relation)
                n += 1
        for i in range(1, n):
            if score[i] > score[pick]:
                pick = i
    else:
        cards[0] = ctz(moves)
        n = 1
        is_only = moves == todo

    failed.suit[0] = failed.suit[1] = failed.suit[2] = failed.suit[3] = 0
    while True:
        card = cards[pick]
        t.card[place] = card
        s.nodes += 1
        if place == 0:
            answer = mizerka_second(s, t, need, card, mover, used)
        elif card ^ best < 16 and card > best:
            answer = (mizerka_third(s, t, need, card, mover, used) if place == 1
                      else mizerka_end(s, t, need, card, mover, used))
        else:
            answer = (mizerka_third(s, t, need, best, winner, used) if place == 1
                      else mizerka_end(s, t, need, best, winner, used))
        if s.stop:
            return 0
        if answer == wish:
            if place == 0:
                t.cut_card = card
            s.n_cuts += 1
            s.n_first_cuts += is_first
            return wish
        if is_only:
            return answer
        is_first = False
        suit = card >> 4
        for i in range(4):
            failed.suit[i] |= used.suit[i]
        todo &= ~bit_mask(card)
        rest = todo & lane_mask(card)
        if not s.flags & USE_SKIP:
            rest &= closed_mask(run_bottom(t.hand[mover], card)) & ~closed_mask(card) if s.flags & USE_MERGE else 0
        if rest:
            todo &= ~also_fail(s, t, mover, card, rest, used.suit[suit], &failed.suit[suit])
        moves &= todo
        if moves == 0:
            used[0] = failed
            return not wish
        pick = best_left(moves, score, cards, n)


cdef bint mizerka_lead(Search* s, Trick* t, int need, int cut_card, Relations* used) noexcept nogil:
    return mizerka_play(s, t, need, 0, -1, -1, cut_card, used)


cdef bint mizerka_second(Search* s, Trick* t, int need, int best, int winner, Relations* used) noexcept nogil:
    return mizerka_play(s, t, need, 1, best, winner, -1, used)


cdef bint mizerka_third(Search* s, Trick* t, int need, int best, int winner, Relations* used) noexcept nogil:
    return mizerka_play(s, t, need, 2, best, winner, -1, used)


cdef inline void other_leader(Search* s, Trick* t, uint64_t key, const Packed* packed, Relations* used) noexcept nogil:
    """One of the pair leads and the answer is "fewer". If the table says the same of the other one, both proofs together
    do not care who of them leads, so the trick before need not say which of them won it: whatever the third player
    puts on its partner's card fails for one reason. (Halves the nodes; for the answer "as many" it gains nothing.)"""
    cdef Relations more
    cdef int suit, cut_card
    if probe_relations(&s.table, key ^ (<uint64_t>3 << 48), t, packed, &more, &cut_card) == 0:
        t.any_of_pair = True
        for suit in range(4):
            used.suit[suit] |= more.suit[suit]


cdef bint mizerka_start(Search* s, Trick* t, int need, Relations* used) noexcept nogil:
    cdef int answer, cut_card = -1
    cdef uint64_t key
    cdef Packed packed
    if need <= 0 or need > t.tricks_left:
        used.suit[0] = used.suit[1] = used.suit[2] = used.suit[3] = 0
        return need <= 0
    if t.tricks_left == 1:
        return mizerka_last(s, t, used)
    if DEBUG_CHECKS and not (position_is_ok(t) and relations_are_ok(t)):
        abort()
    s.n_tricks += 1
    t.any_of_pair = False
    answer = quick_answer_mizerka(t, need, s.flags, used)
    if answer >= 0:
        s.n_bounds += 1
        return answer
    # Lists are split by the question: a few answers for a neighbouring `need` are missed, but far fewer patterns are
    # looked at.
    key = t.lens | (<uint64_t>t.leader << 48) | (<uint64_t>KIND_MIZERKA << 50) | (<uint64_t>need << 53)
    if s.flags & USE_TABLE:
        pack_position(t, &packed)
        answer = probe_relations(&s.table, key, t, &packed, used, &cut_card)
        if answer >= 0:
            if answer == 0 and t.ask_any:
                other_leader(s, t, key, &packed, used)
            return answer
        if not s.flags & USE_CUT_CARD:
            cut_card = -1
    if s.nodes >= s.next_tick:
        tick(s)
        if s.stop:
            return 0
    t.cut_card = -1
    answer = mizerka_lead(s, t, need, cut_card, used)
    if s.stop:
        return 0
    if s.flags & USE_TABLE:
        store_relations(&s.table, key, t, &packed, used, answer, t.cut_card)
        if answer == 0 and t.ask_any:
            other_leader(s, t, key, &packed, used)
    return answer


cdef inline bint mizerka_last(Search* s, Trick* t, Relations* used) noexcept nogil:
    """One card each, need 1: does the lone player's card win?"""
    cdef int lone = ctz(t.hand[0]), a = ctz(t.hand[1]), b = ctz(t.hand[2])
    cdef int led = (lone if t.leader == LONE else a if t.leader == 1 else b) >> 4
    cdef bint a_follows, b_follows
    cdef int suit
    s.nodes += 3
    used.suit[0] = used.suit[1] = used.suit[2] = used.suit[3] = 0
    t.any_of_pair = t.leader != LONE
    suit = lone >> 4
    a_follows = a >> 4 == suit
    b_follows = b >> 4 == suit
    # With one card each a suit word is: lone above a, a above b, b above lone; less where one is missing.
    if a_follows and a > lone:
        used.suit[suit] = 1
        return False
    if b_follows and b > lone:
        used.suit[suit] = 4 if a_follows else 1
        return False
    if suit != led:
        t.any_of_pair &= not a_follows and not b_follows
        return False
    t.any_of_pair = False
    used.suit[suit] = 5 if a_follows and b_follows else a_follows or b_follows
    return True


cdef bint mizerka_root(Search* s, Trick* t, int need, uint64_t* used) noexcept nogil:
    """`mizerka_start` for a position that was laid out; `used` is a closed mask, as in the other kinds."""
    cdef Relations relations
    cdef bint answer
    compute_above(t)
    t.ask_any = False
    answer = mizerka_start(s, t, need, &relations)
    used[0] = closed_of(t, &relations)
    return answer
