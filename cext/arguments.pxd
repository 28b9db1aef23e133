# cython: language_level=3
"""What Python gives as a position, checked and unpacked for the exhaustive search (_equilibrium)."""

from cards cimport bit_mask, popcount, uint64_t
from payoff_sets cimport MAX_TRICKS


cdef inline int read_position(hands, trick, int leader, uint64_t* held, uint64_t* all_cards) except -1:
    """Check and unpack: hands held, hands with the current trick's cards given back. Returns tricks left."""
    cdef int seat, i, n, bit
    cdef uint64_t seen = 0
    if len(hands) != 3 or len(trick) > 2 or not 0 <= leader <= 2:
        raise ValueError("a position has three hands, at most two cards in the trick, and a leader 0..2")
    for seat in range(3):
        held[seat] = hands[seat]
        all_cards[seat] = held[seat]
    for i, bit in enumerate(trick):
        if not 0 <= bit < 64 or all_cards[(leader + i) % 3] & bit_mask(bit):
            raise ValueError(f"trick[{i}] = {bit} is no card, or still held")
        all_cards[(leader + i) % 3] |= bit_mask(bit)
    n = popcount(all_cards[0])
    for seat in range(3):
        if all_cards[seat] & ~<uint64_t>0x1FFF1FFF1FFF1FFF:
            raise ValueError(f"hands[{seat}] = {hands[seat]:#x} has bits that are no cards")
        if all_cards[seat] & seen:
            raise ValueError(f"hands[{seat}] = {hands[seat]:#x} holds a card twice")
        if popcount(all_cards[seat]) != n:
            raise ValueError("the hands are not of equal size")
        seen |= all_cards[seat]
    if not 1 <= n <= MAX_TRICKS:
        raise ValueError(f"hands must have 1 to {MAX_TRICKS} cards, not {n}")
    return n
