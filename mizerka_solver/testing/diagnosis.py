"""Which rule an answer breaks, in one sentence: guesses what went wrong from what was answered and what is right.

Nothing here asks anything; each function takes two answers that differ.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from mizerka_solver.game.cards import Card, Hand
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Contract, Seat, Triple, Variant, seat_points

# Dealing and naming
ROTATION = "The deal passes to the left: forehand sits left of the dealer, rearhand is the dealer."
NAMED_TWICE = "A player names each contract once in a game."
NAME_FREE = "Forehand may name every contract this player has not named before."
GAME_OVER = "A game ends when every player has named every contract, after 18 deals."

# Exchange
TALON_LIMIT = "A seat exchanges at most as many cards as the talon has left."
DRAWN_AGAIN = "What was drawn can't be discarded again: each seat discards once, and then draws."
DISCARDS_BACK = "Discards never come back: cards are drawn from the talon only."
DRAWN_HELD = "Cards are drawn from the talon: a card that a player holds can't be drawn."
DRAWS = "As many cards as were discarded are drawn from the top of the talon, in its order."
NOT_HELD = "Only cards in hand can be discarded, each of them once."
EXCHANGE_ORDER = "Forehand, middlehand and rearhand exchange in this order, once each."
EXCHANGE_FREE = "A seat may exchange any of its cards, from none to as many as the talon has left."

# Play
FIRST_LEAD = "Forehand leads to the first trick."
LEADER = "The winner of a trick leads to the next one."
TURN = "Play goes round clockwise: forehand, middlehand, rearhand, forehand."
FOLLOW = "The suit led must be followed by a player who holds it."
NO_DUTY_TO_TRUMP = "A player without the suit led may play any card: there is no duty to trump or to overtake."
NO_DUTY_TO_OVERTAKE = "Any card of the suit led follows suit: there is no duty to overtake."
LEAD_FREE = "The leader may lead any card."
IN_HAND = "Only cards in hand can be played: not those played, discarded, left in the talon or of another player."
HAND = "A hand is what was dealt, less what was discarded and played, with what was drawn."
PLAY_LEGAL = "A card the rules allow can be played."
UNDO = "Undo takes back exactly the last card."
UNCHANGED = "A step that is refused changes nothing."

# Results
HIGHEST_TRUMP = "The highest trump wins a trick that holds one."
HIGHEST_LED = "Without a trump in it a trick is won by the highest card of the suit led, whatever the others rank."
NO_TRUMP = "In no trump and mizerka the highest card of the suit led wins: no other suit counts."
LAST_TRICK = "The last trick counts like every other one."
REVERSED = "In mizerka the targets are reversed, 1, 5 and 7, and points are target minus tricks."
NOT_REVERSED = "In suit contracts and no trump the targets are 7, 5 and 1, and points are tricks minus target."
SWAPPED = "Points stand in the order F M R: the targets are 7, 5, 1, middlehand's 5 and rearhand's 1 (7 in mizerka)."
ZERO_SUM = "Points may be negative: those of a deal sum to 0."
POINTS = "Points are tricks minus target, 7, 5 and 1, in mizerka target minus tricks, 1, 5 and 7, for F, M, R."
TOTALS = "A player's total is the sum of that player's points in all deals."


def legal_rule(position: Position, got: Iterable[Card], gone: Iterable[Card]) -> str:
    """Return the rule that `got` breaks as the legal cards of a position; `gone` are cards out of play."""
    cards, legal = set(got), set(position.legal_cards())
    seat, held = position.to_move, set(position.hands[position.to_move])
    foreign = cards - held
    if foreign:
        return _foreign_rule(position, cards, foreign, gone)
    if not position.trick:
        return LEAD_FREE if cards else HAND
    led = position.trick[0].suit
    if position.hands[seat].suit_length(led):
        return FOLLOW if cards - legal else NO_DUTY_TO_OVERTAKE
    return NO_DUTY_TO_TRUMP if cards else HAND


def _foreign_rule(position: Position, cards: set[Card], foreign: set[Card], gone: Iterable[Card]) -> str:
    for other in Seat:
        if other is not position.to_move and cards <= set(position.hands[other]):
            if position.trick:
                return TURN
            return LEADER if sum(position.tricks_won) else FIRST_LEAD
    return IN_HAND if foreign <= set(gone) else HAND


def refused_play_rule(position: Position, card: Card) -> str:
    """Return the rule that makes `card` legal, when it was refused."""
    if not position.trick:
        return LEAD_FREE
    return NO_DUTY_TO_OVERTAKE if card.suit is position.trick[0].suit else NO_DUTY_TO_TRUMP


def winner_rule(trick: Sequence[Card], contract: Contract, got: int) -> str:
    """Return the rule that a win by the card at place `got` (0 is the leader) breaks."""
    if contract.trump is None:
        return HIGHEST_LED if trick[got].suit is trick[0].suit else NO_TRUMP
    return HIGHEST_TRUMP if any(card.suit is contract.trump for card in trick) else HIGHEST_LED


def drawn_rule(hands: Deal, discards: Sequence[Card], got: Sequence[Card], earlier: Iterable[Card]) -> str:
    """Return the rule that the cards `got` for `discards` break; `earlier` are the discards of seats before."""
    if set(got) & {*discards, *earlier}:
        return DISCARDS_BACK
    return DRAWN_HELD if any(card in hand for hand in hands.hands for card in got) else DRAWS


def exchange_rule(hands: Deal, turn: Seat | None, seat: Seat, discards: Sequence[Card]) -> str | None:
    """Return the rule that an exchange breaks; None if it is allowed. turn: whose exchange it is, None: nobody's."""
    if seat is not turn:
        return EXCHANGE_ORDER
    if len(set(discards)) < len(discards):
        return NOT_HELD
    foreign = [card for card in discards if card not in hands.hands[seat]]
    if foreign:
        return DRAWN_AGAIN if foreign[0] in hands.talon[: len(discards)] else NOT_HELD
    return TALON_LIMIT if len(discards) > len(hands.talon) else None


def points_rule(contract: Contract, tricks: Triple, last: Seat, got: Triple, variant: Variant) -> str:
    """Return the rule that the points `got` break; `last` won the last trick."""

    def scored(counts: Sequence[int], how: Contract = contract, order: Sequence[Seat] = tuple(Seat)) -> Triple:
        f, m, r = (seat_points(how, order[seat], counts[seat], variant) for seat in Seat)
        return f, m, r

    forms = (Contract.N, Contract.M)
    other = forms[contract is not Contract.M]
    swapped = (Seat.F, Seat.R, Seat.M)
    f, m, r = scored(tricks)
    mizerka_only = [
        tuple(tricks[seat] - variant.mizerka_targets[seat] for seat in Seat),
        tuple(variant.targets[seat] - tricks[seat] for seat in Seat),
    ]
    if got == scored(tricks, other) or (contract.is_mizerka and got in mizerka_only):
        return REVERSED if contract.is_mizerka else NOT_REVERSED
    if got in (scored(tricks, order=swapped), (f, r, m)):
        return SWAPPED
    without = list(tricks)
    without[last] -= 1
    for seat in (None, *Seat):
        counts = list(without)
        if seat is not None:
            counts[seat] += 1
        if got == scored(counts):
            return LAST_TRICK
    if sum(got) == 0:
        return POINTS
    right = scored(tricks)
    if all(mine == ours or (mine == 0 and ours < 0) for mine, ours in zip(got, right, strict=True)):
        return ZERO_SUM
    return REVERSED if contract.is_mizerka else NOT_REVERSED


def out_of_play(hands: Iterable[Hand], played: Iterable[Card], everything: Iterable[Card]) -> set[Card]:
    """Return the cards nobody holds any longer or ever held, of all that were dealt."""
    held = {card for hand in hands for card in hand}
    return {*everything, *played} - held
