"""Quick answers for the two choices that are made with hidden cards: what to discard, and which contract to name.

Both take microseconds and search nothing: they add up weights of features of the player's own cards. The weights come
from sampled and solved deals (tools/fit_policy.py) and lie in weights.json with their provenance. They are the
players of the unknown hands in sampling.py, a start for bots, and no substitute for sampling.

    value of an exchange = sum over suits of weight(cards kept in the suit) + weight(number of cards drawn)
    value of a contract  = weights of features of the six cards

Values are *par* points of the seat in question, so that a value is also an estimate of the result.
"""

from __future__ import annotations

import json
from collections.abc import Collection, Iterator, Mapping, Sequence
from functools import lru_cache
from typing import Any

from mizerka_solver.game.cards import LANE_BITS, LANE_MASK, Card, Hand
from mizerka_solver.game.convert import (
    ContractLike,
    ContractsLike,
    HandLike,
    SeatLike,
    as_contract,
    as_contracts,
    as_hand,
    as_seat,
)
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.support.errors import IllegalExchangeError, InvalidContractError

MAX_DRAWN = 17
N_LENGTHS = 8
PRICES = {"par": "prices", "play": "play_prices"}
HONOURS = ((11, 1), (10, 2), (9, 3))  # king, queen, jack by rank, and the cards that guard them
KINDS = ("trump", "side", "no trump", "mizerka")
"""What a suit can be: each has weights of its own. The first two are the suits of a suit contract."""


@lru_cache(maxsize=1)
def data() -> Mapping[str, Any]:
    """Return the fitted weights and their provenance, as stored in the package."""
    from importlib.resources import files

    text = files("mizerka_solver.policy").joinpath("weights.json").read_text(encoding="utf-8")
    stored: Mapping[str, Any] = json.loads(text)
    return stored


def version() -> int:
    """Return the number of the exchange weights: a new fit has the next one, and sampled results name it."""
    return int(data()["version"])


# The exchange


def choose_discards(
    hand: HandLike, contract: ContractLike, seat: SeatLike, n_available: int, n_cards: int | None = None
) -> tuple[Card, ...]:
    """Return the cards that `seat` should lay down, knowing nothing but its own hand.

    n_available: cards left in the talon, the most that may be discarded. n_cards: exactly as many, for a seat that is
    known to have exchanged so many. Raises IllegalExchangeError when there are not so many cards.

    >>> choose_discards(Hand("AKT973.A4.52.Q63"), Contract.S, Seat.F, 13)
    (Card('H4'), Card('D5'), Card('D2'), Card('CQ'), Card('C6'), Card('C3'))
    """
    hand, contract, seat = as_hand(hand), as_contract(contract), as_seat(seat)
    size = len(hand)
    if n_available < 0 or (n_cards is not None and not 0 <= n_cards <= min(n_available, size)):
        rule = f"{seat} may discard 0 to {min(max(n_available, 0), size)} cards"
        raise IllegalExchangeError(rule, token=str(n_available if n_available < 0 else n_cards))
    counts = range(min(n_available, size) + 1) if n_cards is None else (n_cards,)
    values, kept = _best_kept(hand.mask, contract, seat.name)
    drawn = _draw_weights(_draw_key(contract), seat.name)
    # Fewer cards on a tie: they leave less to the others.
    best = max(counts, key=lambda n: (values[size - n] + drawn[min(n, MAX_DRAWN)], -n))
    return tuple(Hand.from_mask(hand.mask & ~kept[size - best]))


def exchange_all(deal: Deal, contract: Contract) -> Deal:
    """Return the deal after all three exchanged, each knowing its own hand only.

    >>> len(exchange_all(Deal.random(1), Contract.N).talon)
    0
    """
    discards: dict[Seat, tuple[Card, ...]] = {}
    n_available = len(deal.talon)
    for seat in Seat:
        discards[seat] = choose_discards(deal.hands[seat], contract, seat, n_available)
        n_available -= len(discards[seat])
    return deal.after_exchange(discards)


def estimated_exchange(hand: Hand, contract: Contract, seat: Seat, discards: Collection[Card]) -> float:
    """Return the par points the policy expects of an exchange: what `choose_discards` makes as large as it can."""
    mask = hand.mask
    for card in discards:
        mask &= ~card.mask
    total = _draw_weights(_draw_key(contract), seat.name)[min(len(discards), MAX_DRAWN)]
    for suit in range(4):
        total += holding_value(suit_role(contract, suit), seat.name, mask >> LANE_BITS * suit & LANE_MASK)
    return total


def hand_value(mask: int, contract: Contract, seat: Seat) -> float:
    """Return what the weights say of cards in play, in points of no fixed level: it compares hands."""
    return sum(
        holding_value(suit_role(contract, suit), seat.name, mask >> LANE_BITS * suit & LANE_MASK) for suit in range(4)
    )


def suit_role(contract: Contract, suit: int) -> str:
    """Return which of KINDS a suit is."""
    if contract is Contract.N or contract is Contract.M:
        return contract.long_name
    return "trump" if suit == contract else "side"


def _draw_key(contract: Contract) -> str:
    return "trump" if contract.trump is not None else contract.long_name


@lru_cache(maxsize=16)
def _draw_weights(key: str, seat: str) -> Sequence[float]:
    weights: Sequence[float] = data()["drawn"][key][seat]
    return weights


def _best_kept(mask: int, contract: Contract, seat: str) -> tuple[list[float], list[int]]:
    """For each number of cards kept: the greatest sum of suit values, and the mask of the cards that have it."""
    values, kept = [0.0], [0]
    for suit in range(4):
        best = _best_of_suit(suit_role(contract, suit), seat, mask >> LANE_BITS * suit & LANE_MASK)
        shift = LANE_BITS * suit
        size = len(values) + len(best) - 1
        new_values, new_kept = [-1e9] * size, [0] * size
        for n, value in enumerate(values):
            for more, (gain, lane) in enumerate(best, start=n):
                total = value + gain
                if total > new_values[more]:
                    new_values[more] = total
                    new_kept[more] = kept[n] | lane << shift
        values, kept = new_values, new_kept
    return values, kept


@lru_cache(maxsize=1 << 15)
def _best_of_suit(kind: str, seat: str, lane: int) -> tuple[tuple[float, int], ...]:
    """For each number of cards kept of a suit: the greatest value and the cards that have it."""
    best = [(-1e9, 0)] * (lane.bit_count() + 1)
    part = lane
    while True:  # over all parts of the lane, downwards, so that of equals the highest cards stay
        n = part.bit_count()
        value = holding_value(kind, seat, part)
        if value > best[n][0]:
            best[n] = value, part
        if not part:
            return tuple(best)
        part = (part - 1) & lane


@lru_cache(maxsize=1 << 17)
def holding_value(kind: str, seat: str, lane: int) -> float:
    """Return the weight of the cards kept in one suit, a 13-bit lane, as one of KINDS."""
    weights = _holding_weights(kind, seat)
    return sum(weights[name] * amount for name, amount in holding_features(kind, lane))


@lru_cache(maxsize=16)
def _holding_weights(kind: str, seat: str) -> Mapping[str, float]:
    weights: Mapping[str, float] = data()["kept"][kind][seat]
    return weights


def holding_features(kind: str, lane: int) -> Iterator[tuple[str, float]]:
    """Yield (name, amount) of the features of the cards kept in one suit that are not 0.

    r0 … r12: each rank held. n1 … n8: at least so many cards. Q+ …: an honour with a higher one or with cards to
    guard it. Mizerka, where the i-th lowest of 2 4 6 8 … is safe: e1 … e5, how far the i-th lowest lies above that.
    """
    ranks = [rank for rank in range(13) if lane >> rank & 1]
    for rank in ranks:
        yield f"r{rank}", 1.0
    for n in range(1, min(len(ranks), N_LENGTHS) + 1):
        yield f"n{n}", 1.0
    if kind == "mizerka":
        for i, rank in enumerate(ranks[:5]):
            if rank > 2 * i:
                yield f"e{i + 1}", float(rank - 2 * i)
        return
    for honour, guards in HONOURS:
        if lane >> honour & 1:
            higher = (lane >> honour + 1).bit_count()
            if higher:
                yield f"r{honour}h", float(higher)
            elif len(ranks) > guards:
                yield f"r{honour}g", 1.0


HOLDING_FEATURES = {
    kind: tuple(
        [f"r{i}" for i in range(13)]
        + [f"n{i}" for i in range(1, N_LENGTHS + 1)]
        + ([f"e{i}" for i in range(1, 6)] if kind == "mizerka" else [f"r{i}{end}" for i in (11, 10, 9) for end in "hg"])
    )
    for kind in KINDS
}


# The contract


def choose_contract(preview: HandLike, remaining: ContractsLike = None) -> Contract:
    """Return the contract forehand should name from the cards seen (six), of those it has yet to name.

    It is worth what the cards promise in it, and costs what it would have been worth later in the game. Raises
    InvalidContractError when none is left.

    >>> choose_contract(Hand("AKQ9.A.-.4")), choose_contract(Hand("A3.A.KQ.A")), choose_contract(Hand("32.3.42.2"))
    (Contract.S, Contract.N, Contract.M)
    """
    wanted = as_contracts(remaining)
    if not wanted:
        raise InvalidContractError("no contract is left to name")
    worth = contract_values(as_hand(preview))
    return max(wanted, key=lambda contract: (worth[contract] + price_after(contract, wanted), -contract))


def contract_values(preview: Hand) -> dict[Contract, float]:
    """Return the par points forehand can expect of each contract from the cards seen, as fitted."""
    lanes = [preview.mask >> LANE_BITS * suit & LANE_MASK for suit in range(4)]
    worth = {}
    for contract in Contract:
        key, trump = _draw_key(contract), contract.trump
        worth[contract] = _contract_weights(key)["1"] + sum(
            _preview_suit_value(key, suit == trump, lane) for suit, lane in enumerate(lanes)
        )
    return worth


def contract_suit_value(contract: Contract, suit: int, lane: int) -> float:
    """Return what the cards seen of one suit, a 13-bit lane, add to the points of a contract."""
    return _preview_suit_value(_draw_key(contract), suit == contract.trump, lane)


def contract_constant(contract: Contract) -> float:
    """Return the points of a contract without what the four suits add: `contract_values` is the sum of both."""
    return _contract_weights(_draw_key(contract))["1"]


@lru_cache(maxsize=4)
def _contract_weights(key: str) -> Mapping[str, float]:
    weights: Mapping[str, float] = data()["contract"][key]
    return weights


@lru_cache(maxsize=1 << 15)
def _preview_suit_value(key: str, is_trump: bool, lane: int) -> float:
    weights = _contract_weights(key)
    return sum(weights[name] * amount for name, amount in preview_suit_features(is_trump, lane))


def preview_features(preview: Hand, contract: Contract) -> Iterator[tuple[str, float]]:
    """Yield (name, amount) of the features of the cards seen; 1 is the constant. A feature may come several times."""
    yield "1", 1.0
    for suit in range(4):
        yield from preview_suit_features(suit == contract.trump, preview.mask >> LANE_BITS * suit & LANE_MASK)


def preview_suit_features(is_trump: bool, lane: int) -> Iterator[tuple[str, float]]:
    """Yield (name, amount) of the features of one suit's cards seen, a 13-bit lane, that are not 0.

    t0 … t12 and s0 … s12: each rank of trumps, or of another suit. tn1 …, sn1 …: at least so many cards.
    """
    start = "t" if is_trump else "s"
    for rank in range(13):
        if lane >> rank & 1:
            yield f"{start}{rank}", 1.0
    for n in range(1, lane.bit_count() + 1):
        yield f"{start}n{min(n, 6)}", 1.0


PREVIEW_FEATURES = (
    "1",
    *(f"{start}{i}" for start in "ts" for i in range(13)),
    *(f"{start}n{i}" for start in "ts" for i in range(1, 7)),
)


def price_after(contract: Contract, remaining: Collection[Contract], scale: str = "par") -> float:
    """Return V(S∖{c}): the points that what is left after `contract` is expected to bring in the rest of the game.

    V(S) = E over six cards of max over c in S of Q(c) + V(S∖{c}), for the set S of contracts a player has yet to name.
    """
    return contract_set_value(frozenset(remaining) - {contract}, scale)


def contract_set_value(remaining: Collection[Contract], scale: str = "par") -> float:
    """Return V(S): points a player can expect from the deals in which it will name the contracts of S.

    scale: "par", by open cards, or "play", if all play by rules of thumb. What a contract brings now is to be added on
    the same scale only. Suits are alike, so only their number counts.

    >>> contract_set_value(())
    0.0
    """
    left = set(remaining)
    key = f"{len(left - {Contract.N, Contract.M})}{'N' * (Contract.N in left)}{'M' * (Contract.M in left)}"
    return float(data()[PRICES[scale]][key]) if left else 0.0
