# cython: language_level=3
"""From a question about seats, contracts and cards to the position the search knows: the lone player is hand 0, trump
is lane 3, ranks are relative."""

from bounds_mizerka cimport forced_tricks
from cards cimport bit_mask, bit_to_relative, ctz, popcount, to_relative, uint64_t
from position cimport KIND_MIZERKA, KIND_NO_TRUMP, KIND_TRUMP, TRUMP_LANE, Trick, compute_lens, position_is_ok
from relations cimport compute_above


cdef inline int kind_of(int contract) noexcept nogil:
    """contract: 0..3 trump S H D C, 4 no trump, 5 mizerka."""
    return KIND_MIZERKA if contract == 5 else KIND_NO_TRUMP if contract == 4 else KIND_TRUMP


cdef inline int turned_suit(int suit, int trump) noexcept nogil:
    """Trump goes to lane 3; the suit that was there takes its place."""
    if trump < 0 or suit != trump and suit != TRUMP_LANE:
        return suit
    return TRUMP_LANE if suit == trump else trump


cdef inline uint64_t turn_suits(uint64_t mask, int trump) noexcept nogil:
    """trump: the suit, -1 none. Turning again turns back."""
    cdef uint64_t out = 0
    cdef int suit
    for suit in range(4):
        out |= ((mask >> (16 * suit)) & 0x1FFF) << (16 * turned_suit(suit, trump))
    return out


cdef inline int set_root(Trick* t, hands, trick, int leader, int contract, int seat) except -1:
    """Lay out the root: hands at the start of the current trick, turned so that `seat` is the lone player."""
    cdef uint64_t absolute[3]
    cdef uint64_t in_play
    cdef int i, trump = contract if contract < 4 else -1
    for i in range(3):
        absolute[i] = turn_suits(hands[(seat + i) % 3], trump)
    leader = (leader - seat + 3) % 3
    for i in range(len(trick)):
        absolute[(leader + i) % 3] |= turn_suits(bit_mask(trick[i]), trump)
    in_play = absolute[0] | absolute[1] | absolute[2]
    for i in range(3):
        t.hand[i] = to_relative(absolute[i], in_play)
    for i in range(len(trick)):
        t.card[i] = bit_to_relative(ctz(turn_suits(bit_mask(trick[i]), trump)), in_play)
    t.leader = leader
    t.tricks_left = popcount(t.hand[0])
    t.lens = compute_lens(t)
    t.cut_card = -1
    forced_tricks(t)
    compute_above(t)
    if not position_is_ok(t):
        raise ValueError("hands must be disjoint and equal at the start of the trick")
    return 0
