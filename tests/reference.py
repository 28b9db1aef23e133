"""A solver that is dumb on purpose: no table, no bounds, no merging of equivalent cards, no use of the package.

Its worth is that it can be read beside the rules and believed. It states the rules itself, so a mistake in the
package's rules can't hide in it, and it is only fit for about five cards a hand. The compiled engine, the package's
rules and the positions in tests/cases are all held against it.

A hand is a 64-bit mask, bit = 16*suit + rank (suits S H D C, 2 is rank 0). A contract is 0-3 for a trump suit, 4 no
trump, 5 mizerka. Seats are 0, 1, 2 clockwise. `trick` holds the bits of the cards in the current trick, the leader's
first; those cards are no longer in the hands. All results are tricks from the current trick on, in seat order.
"""

from __future__ import annotations

from fractions import Fraction

NO_TRUMP, MIZERKA = 4, 5
Hands = tuple[int, int, int]
Trick = tuple[int, ...]
Vector = tuple[int, int, int]
Mean = tuple[Fraction | int, Fraction | int, Fraction | int]


def cards_of(hand: int) -> list[int]:
    """Return the bits of a hand."""
    bits = []
    while hand:
        bits.append((hand & -hand).bit_length() - 1)
        hand &= hand - 1
    return bits


def legal(hand: int, trick: Trick) -> list[int]:
    """Return the cards that may be played: those of the suit led, all cards if there are none."""
    cards = cards_of(hand)
    if trick:
        return [card for card in cards if card // 16 == trick[0] // 16] or cards
    return cards


def winner(trick: Trick, contract: int) -> int:
    """Return the place of the card that wins three: the highest trump, else the highest of the suit led."""
    trumps = [card for card in trick if card // 16 == contract]  # suits are 0-3, so 4 and 5 have no trumps
    if trumps:
        return trick.index(max(trumps))
    return trick.index(max(card for card in trick if card // 16 == trick[0] // 16))


def children(hands: Hands, contract: int, leader: int, trick: Trick) -> list[tuple[Hands, int, Trick, int | None]]:
    """Return (hands, leader, trick, seat that won a trick by this card or None) after every legal card."""
    mover = (leader + len(trick)) % 3
    result: list[tuple[Hands, int, Trick, int | None]] = []
    for card in legal(hands[mover], trick):
        rest = list(hands)
        rest[mover] ^= 1 << card
        after: Hands = (rest[0], rest[1], rest[2])
        if len(trick) < 2:
            result.append((after, leader, (*trick, card), None))
        else:
            taker = (leader + winner((*trick, card), contract)) % 3
            result.append((after, taker, (), taker))
    return result


def guaranteed(hands: Hands, contract: int, leader: int, seat: int, trick: Trick = ()) -> int:
    """Return the tricks `seat` takes alone against the two others; in mizerka the most that can be forced on it."""
    if not any(hands):
        return 0
    values = [
        guaranteed(after, contract, leads, seat, cards) + (taker == seat)
        for after, leads, cards, taker in children(hands, contract, leader, trick)
    ]
    wants_tricks = contract != MIZERKA
    moves = (leader + len(trick)) % 3 == seat
    return max(values) if moves == wants_tricks else min(values)


def payoff_set(hands: Hands, contract: int, leader: int, trick: Trick = ()) -> set[Vector]:
    """Return the trick vectors of all pure subgame-perfect equilibria.

    A vector of card c's set belongs to the node if the mover does no worse with it than with the worst (for the mover)
    equilibrium of every other card: those are what the mover would get by leaving c.
    """
    if not any(hands):
        return {(0, 0, 0)}
    mover = (leader + len(trick)) % 3
    sign = -1 if contract == MIZERKA else 1
    sets = []
    for after, leads, cards, taker in children(hands, contract, leader, trick):
        rest = payoff_set(after, contract, leads, cards)
        sets.append({(f + (taker == 0), m + (taker == 1), r + (taker == 2)) for f, m, r in rest})
    worst = [min(sign * vector[mover] for vector in vectors) for vectors in sets]
    result = set()
    for i, vectors in enumerate(sets):
        threats = [value for j, value in enumerate(worst) if j != i]
        result |= {vector for vector in vectors if all(sign * vector[mover] >= threat for threat in threats)}
    return result


def expected(hands: Hands, contract: int, leader: int, trick: Trick = ()) -> Mean:
    """Return the mean tricks, exactly, when everyone picks uniformly among all its cards that are best for itself."""
    if not any(hands):
        return 0, 0, 0
    mover = (leader + len(trick)) % 3
    sign = -1 if contract == MIZERKA else 1
    vectors = []
    for after, leads, cards, taker in children(hands, contract, leader, trick):
        f, m, r = expected(after, contract, leads, cards)
        vectors.append((f + (taker == 0), m + (taker == 1), r + (taker == 2)))
    best = max(sign * vector[mover] for vector in vectors)
    chosen = [vector for vector in vectors if sign * vector[mover] == best]
    if len(set(chosen)) == 1:  # saves fractions where whole numbers will do, nothing else
        return chosen[0]
    share = Fraction(1, len(chosen))
    return share * sum(v[0] for v in chosen), share * sum(v[1] for v in chosen), share * sum(v[2] for v in chosen)
