"""The table that deals out a whole deal, one decision at a time: the only place where hidden cards meet a bot.

Contract, three exchanges, then the play, whose state is a `Position`. What the seat to act knows is a `View`.
"""

from __future__ import annotations

from collections.abc import Sequence

from mizerka_solver.game.cards import Card, Hand
from mizerka_solver.game.convert import CardLike, CardsLike, ContractLike, as_card, as_cards, as_contract
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.hands import Hands
from mizerka_solver.game.position import Position
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Triple, Variant, exchange
from mizerka_solver.hidden.view import ALL_CONTRACTS, CONTRACT, EXCHANGE, PLAY, View
from mizerka_solver.support.errors import InvalidContractError, MizerkaError

NO_CARDS = Hand.from_mask(0)


class Table:
    """One deal as it is played. Every step is checked against the rules; errors leave the table as it was.

    preview: the cards forehand sees before naming; if neither this nor the deal tells, its whole hand. remaining: what
    it may name; one contract is named by itself.

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
        preview = deal.preview if preview is None else preview
        self.remaining = tuple(remaining)
        self.contract: Contract | None = self.remaining[0] if len(self.remaining) == 1 else None
        self.discards: list[tuple[Card, ...]] = []
        self.cards: tuple[Card, ...] = ()
        self.position: Position | None = None  # from the first card on
        self.to_act, self.is_over = Seat.F, False
        self._preview = deal.hands[Seat.F] if preview is None else preview
        self._is_told = preview is not None and variant.preview_size == MIZERKA.preview_size  # as records have it
        self._before = list(deal.hands)  # the hands until then
        self._talon = deal.talon
        self._exchanged: tuple[int, ...] = ()

    @property
    def phase(self) -> str:
        """That of the next decision: "contract", "exchange" or "play"."""
        if self.position is not None:
            return PLAY
        return CONTRACT if self.contract is None else EXCHANGE

    @property
    def hands(self) -> Hands:
        """All hands, for those who may see them."""
        if self.position is not None:
            return self.position.hands
        f, m, r = self._before
        return f, m, r

    @property
    def leader(self) -> Seat:
        """The seat that led, or will lead, to the current trick."""
        return Seat.F if self.position is None else self.position.leader

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards in the current trick."""
        return () if self.position is None else self.position.trick

    @property
    def tricks_won(self) -> Triple:
        """Tricks won so far by F, M, R."""
        return (0, 0, 0) if self.position is None else self.position.tricks_won

    def view(self, seat: Seat | None = None) -> View:
        """Return what a seat knows now, the one to act if not given."""
        position, discards = self.position, self.discards
        seat = self.to_act if seat is None else seat
        if position is not None:
            phase = PLAY
            hand, leader, trick, won = position.hands[seat], position.leader, position.trick, position.tricks_won
        else:
            phase = self.phase
            hand, leader, trick, won = self._before[seat], Seat.F, (), (0, 0, 0)
            if self.contract is None:  # the others have seen cards of their own as well, but nobody asks them
                hand = self._preview if seat is Seat.F else NO_CARDS
        return View.trusted(
            (
                phase,
                seat,
                hand,
                self.remaining,
                self.contract,
                self._exchanged,
                discards[seat] if seat < len(discards) else (),
                len(self._talon),
                self.cards,
                leader,
                trick,
                won,
                self.variant,
            )
        )

    def dealt(self, seat: Seat) -> str:
        """Return, as text, what a seat was dealt as far as it has seen it: forehand's first cards, then its hand."""
        first = f"first {self._preview}" if seat is Seat.F else ""
        return first if self.phase == CONTRACT else f"{first} dealt {self.deal.hands[seat]}".strip()

    # The three kinds of steps

    def name(self, contract: ContractLike) -> None:
        """Name the contract; raises InvalidContractError."""
        contract = as_contract(contract)
        if self.contract is not None:
            raise InvalidContractError(f"{self.contract.long_name} is named already", token=str(contract))
        if contract not in self.remaining:
            left = " ".join(c.name for c in self.remaining)
            raise InvalidContractError(f"not among those left to name: {left}", token=str(contract))
        self.contract = contract

    def exchange(self, discards: CardsLike) -> None:
        """Exchange for the seat to act; raises IllegalExchangeError."""
        discards = as_cards(discards)
        if self.phase != EXCHANGE or self.contract is None:
            raise MizerkaError("there is nothing to exchange now")
        seat = self.to_act
        self._before[seat], self._talon = exchange(self._before[seat], self._talon, discards)
        self.discards.append(discards)
        self._exchanged = (*self._exchanged, len(discards))
        self.to_act = seat.next
        if seat is Seat.R:
            self.position = Position.from_hands(self._before, self.contract, check=False)

    def play(self, card: CardLike) -> None:
        """Play a card for the seat to act; raises IllegalCardError."""
        if self.position is None:
            raise MizerkaError("there is no card to play now", token=str(card))
        card = as_card(card)
        self.position = position = self.position.play(card)
        self.cards = (*self.cards, card)
        # What the position says of whose turn it is, everybody asks for: it is asked once.
        self.to_act = to_act = position.to_move
        self.is_over = not position.hands[to_act].mask

    # Records

    def record(
        self,
        players: tuple[str, str, str],
        ident: str | None = None,
        extra: tuple[tuple[str, str], ...] = (),
        tricks: Triple | None = None,
    ) -> GameRecord:
        """Return the record of the deal so far, or with the `tricks` it is ended by; raises MizerkaError if unnamed."""
        if self.contract is None:
            raise MizerkaError("a record needs a contract, and none is named yet")
        f, m, r = [*self.discards, (), (), ()][:3]
        seen = self._preview if self._is_told else None
        return GameRecord.of_table(
            players, self.deal, self.contract, (f, m, r), self.cards, self.tricks_won, tricks, ident, extra, seen
        )

    @classmethod
    def of(cls, record: GameRecord, remaining: Sequence[Contract] = ALL_CONTRACTS) -> Table:
        """Return the table as it stands at the end of a record."""
        table = cls(record.deal, record.preview, remaining)
        table.contract = record.contract
        for discards in record.exchange:
            table.exchange(discards)
        for card in record.play:
            table.play(card)
        return table
