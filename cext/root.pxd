# cython: language_level=3
"""From a question about seats, contracts and cards to the position the search knows: the lone player is hand 0, trump
is lane 3, ranks are relative."""

from arguments cimport Asked
from bounds_mizerka cimport count_forced
from cards cimport bit_mask, bit_to_relative, ctz, in_lane, lane_of, popcount, to_relative, uint64_t
from position cimport (KIND_MIZERKA, KIND_NO_TRUMP, KIND_TRUMP, NO_CARD_YET, TRUMP_LANE, Trick, compute_lens)
from relations cimport compute_above

cdef enum:
    CONTRACT_NO_TRUMP = 4       # 0..3 are trump S H D C
    CONTRACT_MIZERKA = 5
    NO_SUIT = -1


cdef inline int kind_of(int contract) noexcept nogil:
    return (KIND_MIZERKA if contract == CONTRACT_MIZERKA else
            KIND_NO_TRUMP if contract == CONTRACT_NO_TRUMP else KIND_TRUMP)


cdef inline int trump_of(int contract) noexcept nogil:
    return contract if contract < CONTRACT_NO_TRUMP else NO_SUIT


cdef inline int turned_suit(int suit, int trump) noexcept nogil:
    """Trump goes to lane 3; the suit that was there takes its place."""
    if trump == NO_SUIT or suit != trump and suit != TRUMP_LANE:
        return suit
    return TRUMP_LANE if suit == trump else trump


cdef inline uint64_t turn_suits(uint64_t mask, int trump) noexcept nogil:
    """Turning again turns back."""
    cdef uint64_t out = 0
    cdef int suit
    for suit in range(4):
        out |= in_lane(lane_of(mask, suit), turned_suit(suit, trump))
    return out


cdef inline bint another_deal(uint64_t* known, const uint64_t* cards) noexcept nogil:
    """Are these the cards of another deal than `known`, which takes them in? Of the same, if at most one seat holds what
    it has not held and could not draw: cards are played, and one seat's exchanges looked at."""
    cdef int i, n_new = 0
    for i in range(3):
        n_new += (cards[i] & ~known[i]) != 0
    for i in range(3):
        known[i] = cards[i] if n_new > 1 else known[i] | cards[i]
    return n_new > 1


cdef inline void complete(Trick* t, int kind) noexcept nogil:
    """All that follows from the hands and the leader, before the first question about a position."""
    t.lens = compute_lens(t)
    t.tricks_left = popcount(t.hand[0])
    t.cut_card = NO_CARD_YET
    t.ask_either = False
    if kind == KIND_MIZERKA:
        compute_above(t)


cdef inline void lay_out(Trick* t, const Asked* asked, int contract, int seat) noexcept nogil:
    """The hands at the start of the current trick, turned so that `seat` is the lone player, and the trick's cards."""
    cdef uint64_t absolute[3]
    cdef uint64_t in_play
    cdef int i, trump = trump_of(contract)
    for i in range(3):
        absolute[i] = turn_suits(asked.all_cards[(seat + i) % 3], trump)
    in_play = absolute[0] | absolute[1] | absolute[2]
    for i in range(3):
        t.hand[i] = to_relative(absolute[i], in_play)
    for i in range(asked.n_played):
        t.card[i] = bit_to_relative(ctz(turn_suits(bit_mask(asked.trick[i]), trump)), in_play)
    t.leader = (asked.leader - seat + 3) % 3
    complete(t, kind_of(contract))
    count_forced(t, &t.forced)      # what orders the cards that follow, if the trick has begun
