"""What one seat may see of a deal, and the table that deals it out: the only place where hidden cards meet a bot.

A `Table` holds the whole deal and lets it be played one decision at a time: the contract, three exchanges, 39 cards. A
`View` is what the seat to act knows, and all that a bot ever gets. It is made of:

    its own hand (in naming a contract: the six cards seen), its own discards       nobody else's cards
    contracts forehand could name, the contract                                     said aloud
    how many cards each seat exchanged so far                                       seen by all, not which
    all cards played, the trick, tricks won                                         face up
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Any, NamedTuple

from mizerka_solver.game.cards import ALL_CARDS, Card, Hand, parse_cards
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import (
    MIZERKA,
    SEATS,
    Contract,
    Seat,
    Triple,
    Variant,
    check_card,
    exchange,
    legal_cards,
    trick_winner,
)
from mizerka_solver.support.errors import InvalidContractError, MizerkaError, read_field

CONTRACT, EXCHANGE, PLAY = "contract", "exchange", "play"
PHASES = (CONTRACT, EXCHANGE, PLAY)
ALL_CONTRACTS = tuple(Contract)


class View(NamedTuple):
    """What `seat` knows when it is to act. phase: "contract", "exchange" or "play".

    hand: its cards now; in the phase "contract" those seen before naming. remaining: contracts forehand may, or could,
    name. exchanged: cards exchanged by F, M, R so far, in this order. discarded: its own discards. talon: cards left
    to draw. play: all cards played, in order. trick: those of the current trick, `leader`'s first.
    """

    phase: str
    seat: Seat
    hand: Hand
    remaining: tuple[Contract, ...] = ALL_CONTRACTS
    contract: Contract | None = None
    exchanged: tuple[int, ...] = ()
    discarded: tuple[Card, ...] = ()
    talon: int = 0
    play: tuple[Card, ...] = ()
    leader: Seat = Seat.F
    trick: tuple[Card, ...] = ()
    tricks_won: Triple = (0, 0, 0)

    @property
    def legal(self) -> tuple[Card, ...]:
        """Cards that may be played now; none before play."""
        return legal_cards(self.hand, self.trick) if self.phase == PLAY else ()

    @property
    def unseen_mask(self) -> int:
        """Mask of the cards that others may hold, or that lie in the talon or among others' discards."""
        seen = self.hand.mask
        for card in self.play:
            seen |= card.mask
        for card in self.discarded:
            seen |= card.mask
        return ALL_CARDS & ~seen

    def plays(self) -> Iterator[tuple[Seat, Card, Card]]:
        """Yield (seat, card, card led) of all cards played."""
        assert self.contract is not None or not self.play
        leader = Seat.F
        for start in range(0, len(self.play), 3):
            trick = self.play[start : start + 3]
            for place, card in enumerate(trick):
                yield Seat((leader + place) % 3), card, trick[0]
            if len(trick) == 3 and self.contract is not None:
                leader = Seat((leader + trick_winner(trick, self.contract)) % 3)

    def voids(self) -> tuple[int, int, int]:
        """Masks of the suits that F, M, R have shown not to hold, by not following."""
        masks = [0, 0, 0]
        for seat, card, led in self.plays():
            if card.suit is not led.suit:
                masks[seat] |= led.suit.mask
        return masks[0], masks[1], masks[2]

    # The message that programs in other languages get; see docs/bots.md

    def as_dict(self) -> dict[str, Any]:
        """Return the view as a JSON object."""
        data: dict[str, Any] = {"type": self.phase, "seat": self.seat.name, "hand": str(self.hand)}
        data["remaining"] = "".join(contract.name for contract in self.remaining)
        if self.contract is not None:
            data["contract"] = self.contract.name
            data["exchanged"] = {seat.name: n for seat, n in zip(Seat, self.exchanged, strict=False)}
        if self.phase == EXCHANGE:
            data["available"] = min(self.talon, len(self.hand))
        if self.phase == PLAY:
            data |= {"discarded": list(map(str, self.discarded)), "play": list(map(str, self.play))}
            data |= {"leader": self.leader.name, "trick": list(map(str, self.trick))}
            data["tricks"] = {seat.name: n for seat, n in zip(Seat, self.tricks_won, strict=True)}
            data["legal"] = list(map(str, self.legal))
        return data


class Table:
    """One deal as it is played. Every step is checked against the rules; errors leave the table as it was.

    preview: the cards forehand sees before naming; its whole hand if not given. remaining: what it may name; one
    contract is named by itself. `phase` is that of the next decision, `to_act` the seat that takes it.

    >>> table = Table(Deal("F:A.2.-.- M:K.3.-.- R:-.54.-.- T:S2"), remaining=(Contract.N,))
    >>> table.exchange([]), table.exchange([]), table.exchange([Card("H4")]), table.play(Card("H2"))
    (None, None, None, None)
    >>> view = table.view()
    >>> view.seat, view.hand, view.exchanged, view.play, view.legal
    (Seat.M, Hand('K.3.-.-'), (0, 0, 1), (Card('H2'),), (Card('H3'),))
    """

    def __init__(
        self,
        deal: Deal,
        preview: Hand | None = None,
        remaining: Sequence[Contract] = ALL_CONTRACTS,
        variant: Variant = MIZERKA,
    ) -> None:
        self.deal, self.variant = deal, variant
        self.remaining = tuple(remaining)
        self.contract: Contract | None = self.remaining[0] if len(self.remaining) == 1 else None
        self.discards: list[tuple[Card, ...]] = []
        self.cards: tuple[Card, ...] = ()
        self.leader, self.trick = Seat.F, ()
        self.tricks_won: Triple = (0, 0, 0)
        self.phase, self.to_act = CONTRACT if self.contract is None else EXCHANGE, Seat.F
        self.is_over = False
        self._preview = deal.hands[Seat.F] if preview is None else preview
        self._hands = list(deal.hands)
        self._talon = deal.talon
        self._exchanged: tuple[int, ...] = ()

    trick: tuple[Card, ...]

    def view(self, seat: Seat | None = None) -> View:
        """Return what a seat knows now, the one to act if not given."""
        seat = self.to_act if seat is None else seat
        if self.phase == CONTRACT:  # the others have seen six cards of their own as well, but nobody asks them
            return View(CONTRACT, seat, self._preview if seat is Seat.F else Hand.from_mask(0), self.remaining)
        return View(
            self.phase,
            seat,
            self._hands[seat],
            self.remaining,
            self.contract,
            self._exchanged,
            self.discards[seat] if seat < len(self.discards) else (),
            len(self._talon),
            self.cards,
            self.leader,
            self.trick,
            self.tricks_won,
        )

    def dealt(self, seat: Seat) -> str:
        """Return, as text, what a seat was dealt as far as it has seen it: forehand's first cards, then its hand."""
        first = f"first {self._preview}" if seat is Seat.F else ""
        return first if self.phase == CONTRACT else f"{first} dealt {self.deal.hands[seat]}".strip()

    # The three kinds of steps

    def name(self, contract: Contract) -> None:
        """Name the contract; raises InvalidContractError."""
        if self.contract is not None:
            raise InvalidContractError(f"{self.contract.long_name} is named already", token=str(contract))
        if contract not in self.remaining:
            left = " ".join(c.name for c in self.remaining)
            raise InvalidContractError(f"not among those left to name: {left}", token=str(contract))
        self.contract, self.phase = contract, EXCHANGE

    def exchange(self, discards: Sequence[Card]) -> None:
        """Exchange for the seat to act; raises IllegalExchangeError."""
        if self.phase != EXCHANGE:
            raise MizerkaError("there is nothing to exchange now")
        seat = self.to_act
        self._hands[seat], self._talon = exchange(self._hands[seat], self._talon, discards)
        self.discards.append(tuple(discards))
        self._exchanged = (*self._exchanged, len(discards))
        self.phase, self.to_act = PLAY if seat is Seat.R else EXCHANGE, seat.next

    def play(self, card: Card) -> None:
        """Play a card for the seat to act; raises IllegalCardError."""
        if self.phase != PLAY or self.is_over:
            raise MizerkaError("there is no card to play now", token=str(card))
        seat = self.to_act
        hand = self._hands[seat]
        check_card(hand, self.trick, card, seat)
        self._hands[seat] = Hand.from_mask(hand.mask ^ card.mask)
        self.cards = (*self.cards, card)
        self.trick = (*self.trick, card)
        if len(self.trick) < 3:
            self.to_act = seat.next
            return
        assert self.contract is not None
        self.leader = self.to_act = SEATS[(self.leader + trick_winner(self.trick, self.contract)) % 3]
        won = list(self.tricks_won)
        won[self.leader] += 1
        self.tricks_won = won[0], won[1], won[2]
        self.trick = ()
        self.is_over = not self._hands[seat]

    # Records

    @property
    def hands(self) -> tuple[Hand, Hand, Hand]:
        """All hands, for those who may see them."""
        f, m, r = self._hands
        return f, m, r

    def record(
        self,
        players: tuple[str, str, str],
        ident: str | None = None,
        extra: tuple[tuple[str, str], ...] = (),
        tricks: Triple | None = None,
    ) -> GameRecord:
        """Return the record of the deal so far, or with the `tricks` it is ended by; raises MizerkaError if unnamed."""
        if self.contract is None:
            raise MizerkaError("a record has a contract, none is named yet")
        f, m, r = [*self.discards, (), (), ()][:3]
        return GameRecord.of_table(
            players, self.deal, self.contract, (f, m, r), self.cards, self.tricks_won, tricks, ident, extra
        )

    @classmethod
    def of(cls, record: GameRecord, remaining: Sequence[Contract] = ALL_CONTRACTS) -> Table:
        """Return the table as it stands at the end of a record."""
        table = cls(record.deal, None, remaining)
        table.contract, table.phase = record.contract, EXCHANGE
        for discards in record.exchange:
            table.exchange(discards)
        for card in record.play:
            table.play(card)
        return table


def view_from_dict(data: dict[str, Any]) -> View:
    """Return the view of a JSON object as `View.as_dict` makes it; raises MizerkaError."""
    phase = data.get("type")
    if phase not in PHASES:
        raise MizerkaError(f"a view's type is one of {', '.join(PHASES)}", field="type", token=str(phase))

    def text(name: str, default: str = "") -> str:
        value = data.get(name, default)
        if not isinstance(value, str):
            raise MizerkaError("expected text", field=name)
        return value

    def cards(name: str) -> tuple[Card, ...]:
        value = data.get(name, [])
        if not isinstance(value, list) or not all(isinstance(card, str) for card in value):
            raise MizerkaError("expected a list of cards", field=name)
        return read_field(name, parse_cards, ",".join(value))

    def numbers(name: str) -> list[int]:
        value = data.get(name, {})
        if not isinstance(value, dict) or not all(type(n) is int and 0 <= n <= 17 for n in value.values()):
            raise MizerkaError("expected numbers by seat", field=name)
        return [value[seat.name] for seat in Seat if seat.name in value]

    remaining = tuple(read_field("remaining", Contract.parse, c) for c in text("remaining", "SHDCNM"))
    seat, hand = read_field("seat", Seat.parse, text("seat")), read_field("hand", Hand, text("hand"))
    if phase == CONTRACT:
        return View(phase, seat, hand, remaining)
    contract = read_field("contract", Contract.parse, text("contract"))
    exchanged = tuple(numbers("exchanged"))
    won = [*numbers("tricks"), 0, 0, 0]
    talon = MIZERKA.talon_size - sum(exchanged)
    leader = read_field("leader", Seat.parse, text("leader", "F"))
    known = (hand, remaining, contract, exchanged, cards("discarded"), talon, cards("play"), leader, cards("trick"))
    return View(phase, seat, *known, (won[0], won[1], won[2]))
