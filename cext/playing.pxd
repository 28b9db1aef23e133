# cython: language_level=3
"""The play of a deal on masks, and playouts: each seat plays by rule or by the fitted net to the end.

Each seat sees its own cards, its own discards and all cards played; it thinks that others may hold all the rest.
"""

from libc.stdint cimport int16_t
from cards cimport bit_mask, popcount, uint64_t
from playing_learned cimport Sight, learned_card
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
    int void_in[3]         # suits, as bits 0 to 3, that each seat did not follow
    int learned            # seats, as bits 0 to 2, that play by the net
    const int16_t* nets


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
    if play.n and card >> 4 != play.trick[0] >> 4:
        play.void_in[seat] |= 1 << (play.trick[0] >> 4)
    play.n += 1
    if play.n == 3:
        leader = play.leader + winning_place(play.trick, 3, play.contract)
        play.leader = leader - 3 if leader >= 3 else leader
        play.won[play.leader] += 1
        play.n = 0


cdef inline void see(const Play* play, int seat, Sight* sight) noexcept nogil:
    sight.hand = play.hand[seat]
    sight.unseen = unseen_by(play, seat)
    sight.contract = play.contract
    sight.trick = <const int*>play.trick
    sight.n = play.n
    sight.void_next = play.void_in[(seat + 1) % 3]
    sight.void_last = play.void_in[(seat + 2) % 3]


cdef inline int policy_card(const Play* play, int seat) noexcept nogil:
    cdef Sight sight
    if play.learned >> seat & 1:
        see(play, seat, &sight)
        return learned_card(play.nets, &sight)
    return rule_card(play.hand[seat], play.contract, play.trick, play.n, unseen_by(play, seat))


cdef inline void play_out(Play* play) noexcept nogil:
    cdef int seat = to_act(play)
    while play.hand[seat]:
        play_card(play, seat, policy_card(play, seat))
        seat = to_act(play)
