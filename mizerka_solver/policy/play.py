"""Quick play of a card by rules of thumb, on bare masks: the rule-based bot's play, and how samples are played out.

It counts cards but plans nothing. Cards are bits 16*suit + rank as everywhere; `unseen` are the cards that, for all the
player knows, others may hold. A few microseconds a card, so that thousands of deals can be played out. That is also
why who wins a trick and what is legal stand here again on bare numbers: with the cards and hands of rules.py a playout
takes three times as long. A test compares the two.

Tricks wanted                                        mizerka
  lead: what nobody can beat, trumps first if long     lead: low where others have many higher cards
  second: wins with the cheapest card that should      follow: the highest card that stays below
    hold, else the lowest                              all above: the highest if it wins anyway, else the lowest
  last: wins as cheaply as it can                      void: throw the card that is likeliest to win later
  void: ruffs low, else throws the least useful card
"""

from __future__ import annotations

from collections.abc import Sequence

from mizerka_solver.game.cards import LANE_BITS, LANE_MASK

CONTRACT_M, CONTRACT_N = 5, 4  # mizerka and no trump by number; below are trump suits
DRAW_FROM = 4  # trumps held with which it pays to draw those of others
SAFE_LENGTH = 4  # unseen cards of a suit from which both others are likely to follow
MAX_HIGHER = 1  # unseen higher cards at which a card played second still holds more often than not
RUFF_FEAR = 3  # unseen higher cards at which a low card in mizerka is hoped to be overtaken


def winner(contract: int, trick: Sequence[int]) -> int:
    """Return the card that so far wins a trick of 1 to 3 cards."""
    top = trick[0]
    for card in trick[1:]:
        if card >> 4 == top >> 4:
            if card > top:
                top = card
        elif card >> 4 == contract:
            top = card
    return top


def choose(hand: int, contract: int, trick: Sequence[int], unseen: int) -> int:
    """Return the card to play from a hand mask to a trick of 0 to 2 cards; always a legal one."""
    if not trick:
        return _lead_low(hand, unseen) if contract == CONTRACT_M else _lead(hand, contract, unseen)
    suit = trick[0] >> 4
    own = hand >> LANE_BITS * suit & LANE_MASK
    top = winner(contract, trick)
    if contract == CONTRACT_M:
        return suit << 4 | _stay_below(own, top, len(trick) == 2, unseen) if own else _throw_high(hand, unseen)
    if own:
        if top >> 4 != suit:  # ruffed already
            return suit << 4 | _lowest(own)
        return suit << 4 | _win_or_lowest(own, top & 15, len(trick) == 2, unseen >> LANE_BITS * suit & LANE_MASK)
    if contract < CONTRACT_N:
        trumps = hand >> LANE_BITS * contract & LANE_MASK
        if top >> 4 == contract:
            trumps &= ~((2 << (top & 15)) - 1)
        if trumps:
            return contract << 4 | _lowest(trumps)
    return _throw(hand, contract, unseen)


def _suits(hand: int, unseen: int) -> tuple[tuple[int, int, int], ...]:
    """Return (suit, cards held of it, unseen cards of it) of each suit."""
    return (
        (0, hand & LANE_MASK, unseen & LANE_MASK),
        (1, hand >> 16 & LANE_MASK, unseen >> 16 & LANE_MASK),
        (2, hand >> 32 & LANE_MASK, unseen >> 32 & LANE_MASK),
        (3, hand >> 48, unseen >> 48),
    )


def _lowest(lane: int) -> int:
    return (lane & -lane).bit_length() - 1


def _win_or_lowest(own: int, top: int, last: bool, unseen: int) -> int:
    over = own & ~((2 << top) - 1)
    if not over:
        return _lowest(own)
    if last:
        return _lowest(over)
    rest = over
    while rest:
        rank = _lowest(rest)
        if not unseen >> rank:
            return rank
        rest &= rest - 1
    best = over.bit_length() - 1
    return best if (unseen >> best).bit_count() <= MAX_HIGHER else _lowest(own)


def _lead(hand: int, contract: int, unseen: int) -> int:
    """Leads where tricks are wanted."""
    out = 0  # trumps that others may hold
    if contract < CONTRACT_N:
        out = (unseen >> LANE_BITS * contract & LANE_MASK).bit_count()
        own = hand >> LANE_BITS * contract & LANE_MASK
        top = own.bit_length() - 1
        if out and own.bit_count() >= DRAW_FROM and not unseen >> LANE_BITS * contract & LANE_MASK & ~((1 << top) - 1):
            return contract << 4 | top
    best, best_score = -1, -1000
    for suit, own, others in _suits(hand, unseen):
        if not own:
            continue
        top, length, n_others = own.bit_length() - 1, own.bit_count(), others.bit_count()
        if not others >> top:
            if suit == contract:
                score, card = 20 if not out else 5, top
            elif not out:
                score, card = 60 + length, top
            else:
                score, card = (40 + n_others if n_others >= SAFE_LENGTH else n_others), top
        elif suit == contract:
            score, card = -20 + length, _lowest(own)
        else:
            # Long suits are worth setting up; in suit contracts short ones are worth getting rid of.
            score, card = (length if not out or length > 2 else 6 - length), _lowest(own)
            if (others >> top).bit_count() == 1 and own << 1 >> top & 1:
                score, card = score + 3, top  # king from king and queen drives the ace out
        if score > best_score:
            best, best_score = suit << 4 | card, score
    return best


def _throw(hand: int, contract: int, unseen: int) -> int:
    """The card that will be missed least where tricks are wanted."""
    best, best_score = -1, 1000
    for suit, own, others in _suits(hand, unseen):
        if not own:
            continue
        rank, length = _lowest(own), own.bit_count()
        higher = (others >> rank).bit_count()
        # Cards below an honour guard it as long as fewer higher ones are out than cards are held.
        guards = (others >> own.bit_length() - 1).bit_count()
        score = (20 if not higher else 0) + rank + (6 if guards and length == guards + 1 else 0)
        score += 30 if suit == contract else 0
        if score < best_score:
            best, best_score = suit << 4 | rank, score
    return best


# Mizerka


def _lead_low(hand: int, unseen: int) -> int:
    best, best_score = -1, -1000.0
    for suit, own, others in _suits(hand, unseen):
        if not own:
            continue
        rank = _lowest(own)
        higher, total = (others >> rank).bit_count(), others.bit_count()
        # Of the cards out a third each is with the two others; what counts is the chance that one of them is higher.
        score = 10.0 * higher / (total + 1) - (5.0 if not higher else 0.0) + min(higher, 6)
        if score > best_score:
            best, best_score = suit << 4 | rank, score
    return best


def _stay_below(own: int, top: int, last: bool, unseen: int) -> int:
    suit = top >> 4
    under = own & ((1 << (top & 15)) - 1)
    if under:
        return under.bit_length() - 1
    if last:
        return own.bit_length() - 1
    lowest = _lowest(own)
    higher = ((unseen >> LANE_BITS * suit & LANE_MASK) >> lowest).bit_count()
    return lowest if higher >= RUFF_FEAR else own.bit_length() - 1


def _throw_high(hand: int, unseen: int) -> int:
    best, best_score = -1, -1000
    for suit, own, others in _suits(hand, unseen):
        if not own:
            continue
        top = own.bit_length() - 1
        lower = (others & ((1 << top) - 1)).bit_count()
        lows = (own & ((1 << _lowest(others)) - 1)).bit_count() if others else 0
        score = 4 * lower + top - 3 * own.bit_count() - 6 * lows
        if score > best_score:
            best, best_score = suit << 4 | top, score
    return best


# Playing out


def playout(hands: list[int], contract: int, leader: int, trick: list[int], out_of_play: int = 0) -> list[int]:
    """Return tricks F, M, R of the rest of a deal in which all play by these rules; `hands` and `trick` are used up.

    Each player thinks that others may hold all it does not see, but for `out_of_play`, which everybody has seen.
    """
    won = [0, 0, 0]
    seen = out_of_play
    for card in trick:
        seen |= 1 << card
    while True:
        seat = (leader + len(trick)) % 3
        hand = hands[seat]
        if not hand:
            return won
        card = choose(hand, contract, trick, PACK & ~(seen | hand))
        hands[seat] = hand & ~(1 << card)
        seen |= 1 << card
        trick.append(card)
        if len(trick) == 3:
            leader = (leader + trick.index(winner(contract, trick))) % 3
            won[leader] += 1
            trick = []


PACK = sum(LANE_MASK << LANE_BITS * suit for suit in range(4))
