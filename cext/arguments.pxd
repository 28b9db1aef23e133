# cython: language_level=3
"""What Python gives, checked before it reaches a search: TypeError for the wrong type, else ValueError in one line."""

from cpython.number cimport PyNumber_Index

from cards cimport ALL_CARDS, bit_mask, lane_mask, popcount, rank_of, same_suit, uint64_t
from position cimport MAX_TRICKS

cdef struct Asked:              # a position
    uint64_t held[3]
    uint64_t all_cards[3]       # with the current trick's cards given back
    int trick[2]
    int n_played                # cards in the trick
    int leader
    int tricks_left             # this one included


cdef inline object checked(value, str name, low, high):
    """An integer from `low` to `high`."""
    number = PyNumber_Index(value)
    if not low <= number <= high:
        shown = number if number.bit_length() <= 64 else f"one of {number.bit_length()} bits"
        raise ValueError(f"{name} must be between {low} and {high}, not {shown}")
    return number


cdef inline object checked_limit(value, str name):
    """A number of nodes; 0 is none."""
    return checked(value, name, 0, (1 << 64) - 1)


cdef inline double checked_seconds(value) except -1:
    cdef double seconds = value
    if not seconds >= 0:        # not a number neither
        raise ValueError(f"seconds must not be negative, and not {value}")
    return seconds


cdef inline int checked_card(value, str name, int place) except -1:
    """A card of the list `name`."""
    cdef int card = checked(value, name, 0, 63)
    if rank_of(card) > 12:
        raise ValueError(f"{name}[{place}] = {card} is no card: cards are 16*suit + rank, rank 0 to 12")
    return card


cdef inline int checked_mask(value, str name, int place, uint64_t* out) except -1:
    """A set of cards, in the list `name`."""
    number = PyNumber_Index(value)
    if not 0 <= number < 1 << 64 or <uint64_t>number & ~ALL_CARDS:
        shown = hex(number) if number.bit_length() <= 64 else f"a number of {number.bit_length()} bits"
        raise ValueError(f"{name}[{place}] = {shown} has bits that are no cards")
    out[0] = number
    return 0


cdef inline int checked_hands(hands, uint64_t* out) except -1:
    cdef int seat
    if len(hands) != 3:
        raise ValueError(f"a position has three hands, not {len(hands)}")
    for seat in range(3):
        checked_mask(hands[seat], "hands", seat, &out[seat])
    return 0


cdef inline int check_disjoint(const uint64_t* hands) except -1:
    """No card twice, and hands of one size: returns it."""
    cdef int seat, n = popcount(hands[0])
    cdef uint64_t seen = 0
    for seat in range(3):
        if hands[seat] & seen:
            raise ValueError(f"hands[{seat}] = {hands[seat]:#x} holds a card twice")
        if popcount(hands[seat]) != n:
            raise ValueError("the hands are not of equal size")
        seen |= hands[seat]
    return n


cdef inline int checked_position(hands, trick, leader, int least, Asked* out) except -1:
    """A position with 0 to 2 cards in the trick and at least so many tricks left."""
    cdef int i, seat
    checked_hands(hands, out.held)
    if len(trick) > 2:
        raise ValueError(f"at most two cards can be in the current trick, not {len(trick)}")
    out.leader = checked(leader, "leader", 0, 2)
    out.n_played = len(trick)
    for seat in range(3):
        out.all_cards[seat] = out.held[seat]
    for i in range(out.n_played):
        seat = (out.leader + i) % 3
        out.trick[i] = checked_card(trick[i], "trick", i)
        if out.held[seat] & bit_mask(out.trick[i]):
            raise ValueError(f"trick[{i}] = {out.trick[i]} is still held")
        out.all_cards[seat] |= bit_mask(out.trick[i])
    out.tricks_left = check_disjoint(out.all_cards)
    if out.n_played == 2 and not same_suit(out.trick[0], out.trick[1]):
        if out.held[(out.leader + 1) % 3] & lane_mask(out.trick[0]):
            raise ValueError(f"trick[1] = {out.trick[1]} does not follow suit")
    if not least <= out.tricks_left <= MAX_TRICKS:
        raise ValueError(f"hands must have {least} to {MAX_TRICKS} cards, not {out.tricks_left}")
    return 0
