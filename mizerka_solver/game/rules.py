"""The rules of Mizerka, stated once: contracts, legal play, trick winner, dealing, exchange, scoring, a whole game.

Plain functions over plain values; holds no state of play (see position.py) and parses no lines (see notation.py).
Source: pagat.com, "Mizerka". The sibling 3-5-8 and the 15-card form are other `Variant` values.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from operator import index
from random import Random
from typing import Any, NamedTuple, TypeVar

from mizerka_solver.game.cards import ALL, N_CARDS, Card, Hand, Suit
from mizerka_solver.game.names import SEATS as SEATS
from mizerka_solver.game.names import Contract as Contract
from mizerka_solver.game.names import ContractLike, SeatLike, as_contract, as_seat
from mizerka_solver.game.names import Seat as Seat
from mizerka_solver.support.errors import (
    IllegalCardError,
    IllegalExchangeError,
    InvalidContractError,
    InvalidVariantError,
    MizerkaError,
    text_of,
)

Triple = tuple[int, int, int]
"""One number a seat, always in the order F, M, R."""

Number = TypeVar("Number", int, float)
Item = TypeVar("Item")
MAX_HAND_SIZE = N_CARDS // 3


def by_seat(values: Sequence[Any]) -> dict[str, Any]:
    """Return one value a seat, in the order F, M, R, as {"F": …, "M": …, "R": …}: the form of triples in JSON.

    >>> by_seat((5, 4, 4))
    {'F': 5, 'M': 4, 'R': 4}
    """
    return dict(zip(Seat.__members__, values, strict=True))


def by_column(name: str, triple: tuple[Any, Any, Any]) -> dict[str, Any]:
    """Return a triple as three columns, 'name_F' and so on."""
    return {f"{name}_{seat.name}": value for seat, value in zip(Seat, triple, strict=True)}


@dataclass(frozen=True)
class Variant:
    """Hand size (1 to 17 cards), cards seen before naming, and targets in tricks F, M, R; raises InvalidVariantError.

    >>> MIZERKA.talon_size, Variant(16, 6, (8, 5, 3), (3, 5, 8), "3-5-8").talon_size
    (13, 4)
    """

    hand_size: int = 13
    preview_size: int = 6
    targets: Triple = (7, 5, 1)
    mizerka_targets: Triple = (1, 5, 7)
    name: str = "mizerka"

    def __post_init__(self) -> None:
        if not 1 <= self.hand_size <= MAX_HAND_SIZE:
            rule = f"a hand has 1 to {MAX_HAND_SIZE} cards"
            raise InvalidVariantError(rule, field="hand_size", token=text_of(self.hand_size))
        if not 0 <= self.preview_size <= self.hand_size:
            rule = f"a preview has 0 to {self.hand_size} cards"
            raise InvalidVariantError(rule, field="preview_size", token=text_of(self.preview_size))
        for name, targets in (("targets", self.targets), ("mizerka_targets", self.mizerka_targets)):
            if len(targets) != 3 or min(targets) < 0 or sum(targets) != self.hand_size:
                rule = f"three targets sum to {self.hand_size} tricks, so that points sum to 0"
                raise InvalidVariantError(rule, field=name, token=triple_text(targets, "/"))

    @property
    def talon_size(self) -> int:
        """Number of cards that are dealt to nobody."""
        return N_CARDS - 3 * self.hand_size


MIZERKA = Variant()


# Scoring


def seat_points(contract: ContractLike, seat: SeatLike, tricks: Number, variant: Variant = MIZERKA) -> Number:
    """Return what `tricks` (a count, or a mean) are worth to one seat, in points.

    >>> seat_points("N", "F", 9), seat_points(Contract.M, Seat.F, 2.5)
    (2, -1.5)
    """
    if isinstance(tricks, (bool, str)):
        raise TypeError(f"tricks must be a number, not {type(tricks).__name__}")
    if as_contract(contract).is_mizerka:
        return variant.mizerka_targets[as_seat(seat)] - tricks
    return tricks - variant.targets[as_seat(seat)]


def points(contract: ContractLike, tricks: Triple, variant: Variant = MIZERKA) -> Triple:
    """Return the points of F, M, R for a finished deal's tricks; raises MizerkaError unless all tricks are counted.

    >>> points(Contract.H, (5, 4, 4)), points(Contract.M, (2, 6, 5))
    ((-2, -1, 3), (-1, -1, 2))
    """
    tricks, contract = as_triple(tricks), as_contract(contract)
    check_tricks(tricks, variant.hand_size)
    f, m, r = (seat_points(contract, seat, tricks[seat], variant) for seat in Seat)
    return f, m, r


def as_triple(tricks: Sequence[int]) -> Triple:
    """Return tricks of F, M, R as plain whole numbers in a tuple; raises TypeError. `check_tricks` has their rules."""
    if isinstance(tricks, (str, bytes)) or not isinstance(tricks, Iterable):
        raise TypeError(f"tricks must be three whole numbers, of F, M and R, not {type(tricks).__name__}")
    try:
        found: tuple[Any, ...] = tuple(index(number) for number in tricks)
    except TypeError:
        raise TypeError("tricks must be three whole numbers, of F, M and R") from None
    if any(isinstance(number, bool) for number in tricks):
        raise TypeError("tricks must be three whole numbers, not True or False")
    return found


def triple_text(numbers: Iterable[int], separator: str = "-") -> str:
    """Return '5-4-4', also of numbers that have too many digits to be written."""
    return separator.join(map(text_of, numbers))


def check_tricks(tricks: Sequence[int], n_tricks: int) -> None:
    """Raise MizerkaError unless `tricks` are three counts ≥ 0 that sum to `n_tricks`."""
    if len(tricks) != 3 or min(tricks) < 0 or sum(tricks) != n_tricks:
        raise MizerkaError(f"three trick counts sum to {n_tricks}", token=triple_text(tricks))


# Play


def legal_mask(hand: Hand, trick: Sequence[Card]) -> int:
    """Return the mask of the cards of `hand` that may be played to `trick` (0 to 2 cards): follow suit, else any."""
    if trick:
        in_suit = hand.mask & trick[0].suit.mask
        if in_suit:
            return in_suit
    return hand.mask


def legal_cards(hand: Hand, trick: Sequence[Card]) -> tuple[Card, ...]:
    """Return the cards of `hand` that may be played to `trick` (0 to 2 cards), in the hand's order.

    >>> legal_cards(Hand("K2.A.-.-"), [Card("S9")])
    (Card('SK'), Card('S2'))
    """
    return tuple(Hand.from_mask(legal_mask(hand, trick)))


def is_revoke(hand: Hand, trick: Sequence[Card], card: Card) -> bool:
    """Tell whether playing `card` to `trick` leaves the led suit though `hand` holds it."""
    return bool(trick) and card.suit is not trick[0].suit and bool(hand.mask & trick[0].suit.mask)


def revoke_rule(seat: Seat, led: Suit) -> str:
    """Return the wording of the rule that a revoke breaks."""
    return f"revoke, {seat} must follow {led.long_name}"


def check_card(hand: Hand, trick: Sequence[Card], card: Card, seat: Seat) -> None:
    """Raise IllegalCardError, naming card and rule, unless `seat` with `hand` may play `card` to `trick`."""
    if card.mask & legal_mask(hand, trick):
        return
    rule = revoke_rule(seat, trick[0].suit) if card in hand else f"{seat} does not hold it"
    raise IllegalCardError(rule, token=str(card))


def trick_winner(cards: Sequence[Card], contract: Contract) -> int:
    """Return the place (0 is the leader) of the card that wins, or so far wins, a trick of 1 to 3 cards.

    >>> trick_winner([Card("SA"), Card("S3"), Card("H2")], Contract.H)
    2
    """
    trump = contract.trump
    best = 0
    for place in range(1, len(cards)):
        card, top = cards[place], cards[best]
        if card.suit is top.suit:
            if card.rank > top.rank:
                best = place
        elif card.suit is trump:
            best = place
    return best


# Dealing and exchange


def shuffled(seed: int | Random) -> tuple[Card, ...]:
    """Return the 52 cards shuffled by a seed ≥ 0, or by a generator that goes on; the same for ever.

    The pack starts as S, H, D, C with ace to two each and is shuffled by `shuffle` with `random.Random(seed)`.
    """
    if not isinstance(seed, Random):
        if seed < 0:  # Random(-1) is Random(1)
            raise MizerkaError("a seed must be 0 or more", token=text_of(seed))
        seed = Random(seed)
    pack = list(ALL)
    shuffle(pack, seed)
    return tuple(pack)


def shuffle(items: list[Item], generator: Random) -> None:
    """Shuffle a list in place: for i from the last down to 1, items i and j = int(random()*(i + 1)) are swapped.

    Only `random()` is promised to stay the same between Python versions, `Random.shuffle` is not.
    """
    random = generator.random
    for i in range(len(items) - 1, 0, -1):
        j = int(random() * (i + 1))
        items[i], items[j] = items[j], items[i]


class Dealt(NamedTuple):
    """Three hands in the order the cards were received, the first few being the preview, and the talon."""

    hands: tuple[tuple[Card, ...], tuple[Card, ...], tuple[Card, ...]]
    talon: tuple[Card, ...]


def deal_out(pack: Sequence[Card], variant: Variant = MIZERKA) -> Dealt:
    """Deal a pack of 52 singly to F, M, R and the talon in turn, passing over what is full.

    The talon is drawn from in the order it was dealt. (On a table its last card lies on top: a mere relabelling.)
    """
    piles: tuple[list[Card], ...] = ([], [], [], [])
    sizes = (variant.hand_size,) * 3 + (variant.talon_size,)
    cards = iter(pack)
    for turn in range(max(sizes)):
        for pile, size in zip(piles, sizes, strict=True):
            if turn < size:
                pile.append(next(cards))
    f, m, r, talon = map(tuple, piles)
    return Dealt((f, m, r), talon)


def exchange(hand: Hand, talon: Sequence[Card], discards: Sequence[Card]) -> tuple[Hand, tuple[Card, ...]]:
    """Return hand and talon after laying down `discards` and drawing as many; raises IllegalExchangeError.

    >>> exchange(Hand("42.-.-.-"), [Card("SA"), Card("SK")], [Card("S2")])
    (Hand('A4.-.-.-'), (Card('SK'),))
    """
    n = len(discards)
    if n > len(talon):
        rule = f"{n} discards, but the talon has {len(talon)} cards left"
        raise IllegalExchangeError(rule, token=str(discards[len(talon)]))
    drawn = talon[:n]
    mask = hand.mask
    for card in discards:
        if card not in hand:
            drawn_now = card in drawn
            rule = "drawn in this exchange, it can't be discarded" if drawn_now else "discarded, but not held"
            raise IllegalExchangeError(rule, token=str(card))
        if not mask & card.mask:
            raise IllegalExchangeError("discarded twice", token=str(card))
        mask ^= card.mask
    for card in drawn:
        mask |= card.mask
    return Hand.from_mask(mask), tuple(talon[n:])


# A whole game


class SheetRow(NamedTuple):
    """One deal of a score sheet; `points` and `totals` are in the players' order, 0 points for one who sits out."""

    number: int
    dealer: str
    seats: tuple[str, str, str]
    contract: Contract
    tricks: Triple
    points: tuple[int, ...]
    totals: tuple[int, ...]


@dataclass(frozen=True)
class Game:
    """A score sheet of 18 deals (24 with four players, the dealer sitting out): who deals, who may name what, totals.

    `players` sit clockwise. `first_dealer` is an index into them. Immutable: `record` returns the next sheet.

    >>> game = Game(("A", "B", "G"), first_dealer=2).record("hearts", (5, 4, 4))
    >>> game.totals, game.seats, len(game.remaining("A"))
    ((-2, -1, 3), ('B', 'G', 'A'), 5)
    """

    players: tuple[str, ...]
    first_dealer: int = 0
    variant: Variant = MIZERKA
    sheet: tuple[SheetRow, ...] = field(default=())

    def __post_init__(self) -> None:
        if isinstance(self.players, str) or not all(isinstance(player, str) for player in self.players):
            raise TypeError("players must be 3 or 4 names")
        object.__setattr__(self, "players", tuple(self.players))
        if len(self.players) not in (3, 4):
            raise MizerkaError("a game has 3 players, or 4 of whom the dealer sits out", token=str(len(self.players)))
        if len(set(self.players)) < len(self.players) or "" in self.players:
            raise MizerkaError("players must have different names", token=",".join(self.players))
        if not 0 <= self.first_dealer < len(self.players):
            rule = f"the first dealer is a player's index, 0 to {len(self.players) - 1}"
            raise MizerkaError(rule, token=text_of(self.first_dealer))

    @classmethod
    def with_drawn_dealer(cls, players: Sequence[str], seed: int, variant: Variant = MIZERKA) -> Game:
        """Return a new game whose first dealer is drawn by a seed ≥ 0."""
        return cls(tuple(players), int(Random(seed).random() * len(players)), variant)

    @property
    def n_deals(self) -> int:
        """Deals of the whole game: 18, or 24 with four players."""
        return len(self.players) * len(Contract)

    @property
    def is_over(self) -> bool:
        """Whether every player has named every contract."""
        return len(self.sheet) == self.n_deals

    @property
    def next_dealer(self) -> str:
        """The player who deals next; raises MizerkaError when the game is over."""
        return self.players[self._dealer_index()]

    @property
    def seats(self) -> tuple[str, str, str]:
        """The players at F, M, R in the next deal; raises MizerkaError when the game is over."""
        dealer = self._dealer_index()
        # With three players the third to the dealer's left is the dealer again.
        f, m, r = (self.players[(dealer + step) % len(self.players)] for step in (1, 2, 3))
        return f, m, r

    @property
    def totals(self) -> tuple[int, ...]:
        """Points so far, in the players' order; they sum to 0."""
        return self.sheet[-1].totals if self.sheet else (0,) * len(self.players)

    def remaining(self, player: str) -> tuple[Contract, ...]:
        """Return the contracts `player` has yet to name, in the order S H D C N M; raises MizerkaError."""
        if player not in self.players:
            raise MizerkaError("no player of this game", token=player)
        named = {row.contract for row in self.sheet if row.seats[Seat.F] == player}
        return tuple(contract for contract in Contract if contract not in named)

    def record(self, contract: ContractLike, tricks: Triple) -> Game:
        """Return the sheet with one more deal: tricks F, M, R; raises InvalidContractError, MizerkaError, TypeError."""
        seats, contract, tricks = self.seats, as_contract(contract), as_triple(tricks)
        if contract not in self.remaining(seats[Seat.F]):
            rule = f"{seats[Seat.F]} has named {contract.long_name} before, each contract is named once"
            raise InvalidContractError(rule, token=str(contract))
        won = dict(zip(seats, points(contract, tricks, self.variant), strict=True))
        gained = tuple(won.get(player, 0) for player in self.players)
        totals = tuple(total + gain for total, gain in zip(self.totals, gained, strict=True))
        row = SheetRow(len(self.sheet) + 1, self.next_dealer, seats, contract, tricks, gained, totals)
        return Game(self.players, self.first_dealer, self.variant, (*self.sheet, row))

    def _dealer_index(self) -> int:
        if self.is_over:
            raise MizerkaError(f"the game is over after {self.n_deals} deals")
        return (self.first_dealer + len(self.sheet)) % len(self.players)
