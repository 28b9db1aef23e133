# cython: language_level=3
"""What an answer rests on, and so of which other positions it is true. The search is one body over two types of proof:

    uint64_t     suits and no trump: a closed mask, the top cards of each suit that matter (cards.pxd)
    Relations    mizerka, where low cards decide: which card has to be above which (relations.pxd)

A card that decides a node for the mover is proof enough. Where every card fails, the proofs of all are needed together.
"""

from cards cimport bit_mask, closed_mask, lane_mask, run_bottom, suit_of, uint32_t, uint64_t
from flags cimport USE_MERGE, USE_SKIP
from position cimport Trick
from relations cimport Relations, clear_relations
from trick_mizerka cimport also_fail

ctypedef fused Proof:
    uint64_t
    Relations


cdef inline void clear(Proof* used) noexcept nogil:
    """Nothing matters but who leads and how many cards of each suit the hands hold."""
    if Proof is Relations:
        clear_relations(used)
    else:
        used[0] = 0


cdef inline void merge(Proof* both, const Proof* other) noexcept nogil:
    cdef int suit
    if Proof is Relations:
        for suit in range(4):
            both.suit[suit] |= other.suit[suit]
    else:
        both[0] |= other[0]


cdef struct Tried:          # a card and where it was tried
    const Trick* trick
    uint32_t flags
    int mover
    int card
    uint64_t todo           # the mover's legal cards not known to fail


cdef inline uint64_t run_of(const Tried* tried) noexcept nogil:
    """The touching cards that the card stood for, and all above."""
    return closed_mask(run_bottom(tried.trick.hand[tried.mover], tried.card))


cdef inline uint64_t accumulate(const Tried* tried, const Proof* used, Proof* failed) noexcept nogil:
    """The card has failed, as `used` proves: add that to the proofs of all that failed. Returns the cards that need not
    be tried any more, it among them. What stood for touching cards failed for all of them."""
    cdef int card = tried.card
    cdef uint64_t rest
    merge(failed, used)
    if Proof is Relations:
        rest = tried.todo & lane_mask(card) & ~bit_mask(card)
        if not tried.flags & USE_SKIP:
            rest &= run_of(tried) & ~closed_mask(card) if tried.flags & USE_MERGE else 0
        if rest:
            rest = also_fail(tried.trick, tried.mover, card, rest, used.suit[suit_of(card)],
                             &failed.suit[suit_of(card)])
        return rest | bit_mask(card)
    else:
        if used[0] & bit_mask(card):
            failed[0] |= run_of(tried)
            return bit_mask(card)
        # Its rank did not matter, so neither does that of those below.
        return bit_mask(card) | (lane_mask(card) & ~used[0] if tried.flags & USE_SKIP else 0)
