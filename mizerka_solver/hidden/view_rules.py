"""What must hold of a view: the rules of the game as one seat can check them. The only place that checks views."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from operator import index
from typing import Any

from mizerka_solver.game.cards import ALL_CARDS, Card, Hand
from mizerka_solver.game.rules import SEATS, Contract, Seat, Triple, Variant, revoke_rule, trick_winner
from mizerka_solver.support.errors import InvalidViewError

CONTRACT, EXCHANGE, PLAY = "contract", "exchange", "play"
PHASES = (CONTRACT, EXCHANGE, PLAY)


def checked_fields(
    phase: str,
    seat: Seat,
    hand: Hand,
    remaining: tuple[Contract, ...],
    contract: Contract | None,
    *rest: Any,
) -> tuple[Any, ...]:
    """Return the fields of a sound view, those left out (None) filled in; raises InvalidViewError."""
    exchanged, discarded, talon, play, leader, trick, tricks_won, variant = rest
    if phase not in PHASES:
        raise InvalidViewError(f"a view's phase is one of {', '.join(PHASES)}", field="phase", token=str(phase))
    if not remaining:
        raise InvalidViewError("no contract is left to name", field="remaining", token="")
    exchanged = _checked_numbers(exchanged)
    if phase == CONTRACT:
        _check_naming(seat, hand, contract, variant)
    else:
        _check_contract(contract, remaining)
        _check_exchanged(phase, seat, exchanged, variant)
    if phase != PLAY and play:
        raise InvalidViewError(f"nothing is played before the {phase}", field="play", token=str(play[0]))
    _check_own(phase, seat, hand, exchanged, discarded)
    left = variant.talon_size - sum(exchanged)
    _check_derived("talon", talon, left)
    state = _checked_play(seat, hand, contract, play, discarded) if phase == PLAY else (Seat.F, (), (0, 0, 0))
    for name, given, right in zip(("leader", "trick", "tricks"), (leader, trick, tricks_won), state, strict=True):
        _check_derived(name, given if given is None or name == "leader" else tuple(given), right)
    own = sum(1 for who, _, _ in plays(play, contract) if who is seat)
    _check_size(phase, hand, own, variant)
    if phase == PLAY:
        _check_room(seat, hand, play, discarded, contract)
    return phase, seat, hand, remaining, contract, exchanged, discarded, left, play, *state, variant


def _checked_numbers(exchanged: Sequence[int]) -> tuple[int, ...]:
    for n in exchanged:
        if isinstance(n, bool) or index(n) < 0:
            raise InvalidViewError("a number of cards is 0 or more", field="exchanged", token=str(n))
    return tuple(map(index, exchanged))


def _check_naming(seat: Seat, hand: Hand, contract: Contract | None, variant: Variant) -> None:
    if seat is not Seat.F:
        raise InvalidViewError("forehand names the contract", field="seat", token=str(seat))
    if contract is not None:
        raise InvalidViewError("it is yet to be named", field="contract", token=str(contract))
    if len(hand) != variant.preview_size:
        rule = f"forehand sees {variant.preview_size} cards before naming, here {len(hand)}"
        raise InvalidViewError(rule, field="hand", token=str(hand))


def _check_contract(contract: Contract | None, remaining: Sequence[Contract]) -> None:
    if contract is None:
        raise InvalidViewError("missing: it is named before the exchange", field="contract")
    if contract not in remaining:
        rule = "forehand named it, so it must have been left to name"
        raise InvalidViewError(rule, field="contract", token=str(contract))


def _check_exchanged(phase: str, seat: Seat, exchanged: tuple[int, ...], variant: Variant) -> None:
    done = SEATS if phase == PLAY else SEATS[:seat]
    if len(exchanged) != len(done):
        who = " ".join(map(str, done))
        rule = f"numbers for {who}, which exchanged before" if done else "nobody exchanges before F"
        raise InvalidViewError(rule, field="exchanged", token=",".join(map(str, exchanged)))
    left = variant.talon_size
    for other, n in zip(SEATS, exchanged, strict=False):
        most = min(left, variant.hand_size)
        if n > most:
            raise InvalidViewError(f"{other} could exchange 0 to {most} cards", field="exchanged", token=str(n))
        left -= n


def _check_own(phase: str, seat: Seat, hand: Hand, exchanged: tuple[int, ...], discarded: tuple[Card, ...]) -> None:
    """The seat's own discards: as many as it exchanged, none of them held."""
    n = exchanged[seat] if phase == PLAY else 0
    if len(discarded) != n:
        rule = (
            f"{seat} exchanged {n} cards, here {len(discarded)}"
            if phase == PLAY
            else f"{seat} has discarded nothing yet"
        )
        raise InvalidViewError(rule, field="discarded", token="".join(map(str, discarded)) or None)
    for place, card in enumerate(discarded):
        if card in hand:
            raise InvalidViewError("discarded, but still in the hand", field="discarded", token=str(card))
        if card in discarded[:place]:
            raise InvalidViewError("card given twice", field="discarded", token=str(card))


def _checked_play(
    seat: Seat, hand: Hand, contract: Contract | None, play: tuple[Card, ...], discarded: tuple[Card, ...]
) -> tuple[Seat, tuple[Card, ...], Triple]:
    """Check every card played; return leader, trick and tricks won."""
    assert contract is not None
    played = list(plays(play, contract))
    void = [0, 0, 0]
    for number, (who, card, led) in enumerate(played):
        where = {"field": f"play[{number}]", "token": str(card)}
        if card in play[:number]:
            raise InvalidViewError("card given twice", **where)
        if card in hand:
            raise InvalidViewError("played, but still in the hand", **where)
        if card in discarded:
            raise InvalidViewError(f"{seat} discarded it", **where)
        if card.mask & void[who]:
            raise InvalidViewError(f"{who} did not follow {card.suit.long_name} before", **where)
        if card.suit is not led.suit:
            void[who] |= led.suit.mask
            if who is seat and hand.mask & led.suit.mask:
                raise InvalidViewError(revoke_rule(seat, led.suit), **where)
    won, whole = [0, 0, 0], len(play) // 3 * 3
    leader = Seat.F
    for start in range(0, whole, 3):
        leader = SEATS[(leader + trick_winner(play[start : start + 3], contract)) % 3]
        won[leader] += 1
    to_act = SEATS[(leader + len(play) - whole) % 3]
    if to_act is not seat:
        raise InvalidViewError(f"after these cards {to_act} is to play", field="seat", token=str(seat))
    return leader, play[whole:], (won[0], won[1], won[2])


def _check_size(phase: str, hand: Hand, n_played: int, variant: Variant) -> None:
    if phase == CONTRACT or len(hand) == variant.hand_size - n_played > 0:
        return
    left = variant.hand_size - n_played
    rule = f"a hand has {left} cards here, not {len(hand)}" if left > 0 else "all cards are played"
    raise InvalidViewError(rule, field="hand", token=str(hand))


def _check_derived(name: str, given: Any, right: Any) -> None:
    """Raise InvalidViewError where a field that follows from the others was given and differs."""
    if given is not None and given != right:
        raise InvalidViewError(f"the rest of the view makes it {_text(right)}", field=name, token=_text(given))


def _text(value: Any) -> str:
    if isinstance(value, tuple):
        return ",".join(map(str, value)) or "-"
    return str(value)


def _check_room(
    seat: Seat, hand: Hand, play: tuple[Card, ...], discarded: tuple[Card, ...], contract: Contract | None
) -> None:
    """The two others must be able to hold as many cards as they do, of suits they may have."""
    unseen = ALL_CARDS & ~hand.mask
    for card in (*play, *discarded):
        unseen &= ~card.mask
    voids = shown_voids(plays(play, contract))
    last = {who for who, _, _ in list(plays(play, contract))[len(play) // 3 * 3 :]}
    others = [other for other in Seat if other is not seat]
    sizes = [len(hand) - (other in last) for other in others]
    may_hold = [unseen & ~voids[other] for other in others]
    rooms = [(mask.bit_count(), size, str(o)) for mask, size, o in zip(may_hold, sizes, others, strict=True)]
    rooms.append(((may_hold[0] | may_hold[1]).bit_count(), sum(sizes), " and ".join(map(str, others))))
    for n_cards, size, who in rooms:
        if n_cards < size:
            rule = f"{who} must hold {size} cards, but only {n_cards} unseen ones are of suits followed"
            raise InvalidViewError(rule, field="play")


def plays(cards: Sequence[Card], contract: Contract | None) -> Iterator[tuple[Seat, Card, Card]]:
    """Yield (seat, card, card led) of cards in their order, F leading to the first trick."""
    assert contract is not None or not cards
    leader = Seat.F
    for start in range(0, len(cards), 3):
        trick = cards[start : start + 3]
        for place, card in enumerate(trick):
            yield SEATS[(leader + place) % 3], card, trick[0]
        if len(trick) == 3 and contract is not None:
            leader = SEATS[(leader + trick_winner(trick, contract)) % 3]


def shown_voids(played: Iterator[tuple[Seat, Card, Card]]) -> Triple:
    """Return the masks of the suits that F, M, R did not follow."""
    masks = [0, 0, 0]
    for seat, card, led in played:
        if card.suit is not led.suit:
            masks[seat] |= led.suit.mask
    return masks[0], masks[1], masks[2]
