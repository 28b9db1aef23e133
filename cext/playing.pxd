# cython: language_level=3
"""The play of a deal on masks, and playouts: all three seats play by rule (or by a fitted policy) to the end.

Each seat sees its own cards, its own discards and all cards played; it thinks that others may hold all the rest.
"""

from cards cimport bit_mask, popcount, uint64_t
from playing_rule cimport PACK, rule_card, winning_place

cdef struct Play:
    uint64_t hand[3]
    uint64_t discards[3]   # what each seat knows to be out of play, beside what was played
    uint64_t seen          # cards played, this trick's included
    int contract
    int leader             # of the current trick
    int n                  # cards of it so far, 0 to 2
    int trick[3]
    int won[3]


cdef inline int to_act(const Play* play) noexcept nogil:
    cdef int seat = play.leader + play.n
    return seat - 3 if seat >= 3 else seat


cdef inline uint64_t unseen_by(const Play* play, int seat) noexcept nogil:
    return PACK & ~(play.seen | play.hand[seat] | play.discards[seat])


cdef inline void play_card(Play* play, int seat, int card) noexcept nogil:
    cdef int leader
    play.hand[seat] &= ~bit_mask(card)
    play.seen |= bit_mask(card)
    play.trick[play.n] = card
    play.n += 1
    if play.n == 3:
        leader = play.leader + winning_place(play.trick, 3, play.contract)
        play.leader = leader - 3 if leader >= 3 else leader
        play.won[play.leader] += 1
        play.n = 0


cdef inline int policy_card(const Play* play, int seat) noexcept nogil:
    return rule_card(play.hand[seat], play.contract, play.trick, play.n, unseen_by(play, seat))


cdef inline void play_out(Play* play) noexcept nogil:
    cdef int seat = to_act(play)
    while play.hand[seat]:
        play_card(play, seat, policy_card(play, seat))
        seat = to_act(play)
