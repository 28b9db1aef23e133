"""A deal: three equal hands and the talon, before or after the exchange; validated, immutable; seeded dealing.

Leaves the rules to rules.py, and files, line numbers and comments to notation.py.

    F:<hand> M:<hand> R:<hand> T:<cards in draw order, first drawn first>      T: may be missing
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, final

from mizerka_solver.game.cards import Card, Hand, parse_cards
from mizerka_solver.game.convert import CardsLike, ContractLike, SeatLike, as_contract, as_discards, as_seat
from mizerka_solver.game.position import Hands, Position, hands_html, hands_text, parse_hands, shared_cards, split_text
from mizerka_solver.game.rules import (
    MAX_HAND_SIZE,
    MIZERKA,
    Seat,
    Triple,
    Variant,
    deal_out,
    exchange,
    shuffled,
)
from mizerka_solver.support.errors import InvalidDealError, MizerkaError, read_field


@final
class Deal:
    """Three equal hands (1 to 17 cards) and the talon in draw order, from text; raises InvalidDealError.

    >>> deal = Deal("F:2.-.-.- M:3.-.-.- R:-.2.-.- T:SAS4")
    >>> deal.talon, deal.after_exchange({Seat.F: [Card("S2")]})
    ((Card('SA'), Card('S4')), Deal('F:A.-.-.- M:3.-.-.- R:-.2.-.- T:S4'))
    """

    __slots__ = ("_hands", "_talon")
    _hands: Hands
    _talon: tuple[Card, ...]

    def __init__(self, text: str) -> None:
        fields = split_text(text)
        hands = parse_hands(fields)
        talon: tuple[Card, ...] = ()
        if len(fields) > 3:
            if fields[3][:2].upper() != "T:":
                raise InvalidDealError("expected T:<cards in draw order>", field="T", token=fields[3])
            if len(fields) > 4:
                raise InvalidDealError("nothing comes after the talon", token=fields[4])
            talon = read_field("T", parse_cards, fields[3][2:])
        self._set(hands, talon)

    @classmethod
    def parse(cls, text: str) -> Deal:
        """Return the deal of a text; raises InvalidDealError and the errors of its cards and hands."""
        return cls(text)

    @classmethod
    def from_hands(cls, hands: Sequence[Hand], talon: Iterable[Card] = ()) -> Deal:
        """Return the deal of three hands and a talon in draw order; raises InvalidDealError."""
        if len(hands) != 3:
            raise InvalidDealError(f"a deal has 3 hands, here {len(hands)}")
        f, m, r = hands
        deal = object.__new__(cls)
        deal._set((f, m, r), tuple(talon))
        return deal

    @classmethod
    def random(cls, seed: int | Random, variant: Variant = MIZERKA) -> Deal:
        """Return the deal of a seed ≥ 0, or the next one of a generator; see `deal_seeded` for the cards seen first.

        >>> Deal.random(1) == Deal.random(Random(1))
        True
        """
        return deal_seeded(seed, variant).deal

    def _set(self, hands: Hands, talon: tuple[Card, ...]) -> None:
        for problem in shared_cards(hands):
            raise InvalidDealError(problem.rule, token=problem.token)
        if len({len(hand) for hand in hands}) > 1:
            counts = ", ".join(f"{seat} {len(hands[seat])}" for seat in Seat)
            raise InvalidDealError(f"unequal hands: {counts} cards")
        if not 1 <= len(hands[0]) <= MAX_HAND_SIZE:
            raise InvalidDealError(f"a hand has 1 to {MAX_HAND_SIZE} cards", token=str(len(hands[0])))
        held, seen = hands[0].mask | hands[1].mask | hands[2].mask, 0
        for card in talon:
            if card.mask & held:
                seat = next(seat for seat in Seat if card in hands[seat])
                raise InvalidDealError(f"talon card is also held by {seat}", field="T", token=str(card))
            if card.mask & seen:
                raise InvalidDealError("card given twice", field="T", token=str(card))
            seen |= card.mask
        object.__setattr__(self, "_hands", hands)
        object.__setattr__(self, "_talon", talon)

    @property
    def hands(self) -> Hands:
        """The hands of F, M, R."""
        return self._hands

    @property
    def masks(self) -> Triple:
        """The hands of F, M, R as 64-bit masks."""
        f, m, r = self._hands
        return f.mask, m.mask, r.mask

    @property
    def talon(self) -> tuple[Card, ...]:
        """The talon in draw order, the next card to draw first."""
        return self._talon

    @property
    def hand_size(self) -> int:
        """Cards in each hand, 1 to 17."""
        return len(self._hands[0])

    def after_exchange(self, discards: Mapping[Any, CardsLike]) -> Deal:
        """Return the deal after F, M, R in this order laid down `discards` and drew; raises IllegalExchangeError.

        The new talon is what is left of the old one. A seat without an entry keeps its hand. Keys are seats or their
        text, cards are cards or their text.
        """
        hands, talon = list(self._hands), self._talon
        thrown = as_discards(discards)
        for seat in Seat:
            try:
                hands[seat], talon = exchange(hands[seat], talon, thrown.get(seat, ()))
            except MizerkaError as error:
                raise error.at(field=str(seat)) from None
        return Deal.from_hands(hands, talon)

    def position(self, contract: ContractLike, leader: SeatLike = Seat.F) -> Position:
        """Return the position in which `leader` leads to the first trick; raises InvalidContractError, MizerkaError."""
        return Position.from_hands(self._hands, as_contract(contract), as_seat(leader))

    def __eq__(self, other: object) -> bool:
        return (self._hands, self._talon) == (other._hands, other._talon) if isinstance(other, Deal) else NotImplemented

    def __hash__(self) -> int:
        return hash((self._hands, self._talon))

    def __str__(self) -> str:
        talon = "".join(map(str, self._talon))
        return f"{hands_text(self._hands)} T:{talon}" if talon else hands_text(self._hands)

    def __repr__(self) -> str:
        return f"Deal('{self}')"

    def _repr_html_(self) -> str:
        talon = " ".join(card.pretty for card in self._talon) or "–"
        return f"<table>{hands_html(self._hands)}<tr><th>T</th><td>{talon}</td></tr></table>"

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Deal is immutable")

    def __reduce__(self) -> tuple[type[Deal], tuple[str]]:
        return Deal, (str(self),)


class SeededDeal(NamedTuple):
    """A deal and the cards each seat received first, which name the contract: no deal text has that order."""

    deal: Deal
    previews: Hands


def deal_seeded(seed: int | Random, variant: Variant = MIZERKA) -> SeededDeal:
    """Deal by a seed ≥ 0, or by a generator that goes on, as `rules.shuffled` and `rules.deal_out` state.

    >>> deal, previews = deal_seeded(1)
    >>> len(previews[Seat.F]), all(card in deal.hands[Seat.F] for card in previews[Seat.F])
    (6, True)
    """
    dealt = deal_out(shuffled(seed), variant)
    deal = Deal.from_hands([Hand.from_cards(cards) for cards in dealt.hands], dealt.talon)
    f, m, r = (Hand.from_cards(cards[: variant.preview_size]) for cards in dealt.hands)
    return SeededDeal(deal, (f, m, r))


def in_contract(position: Position | Deal, contract: ContractLike | None) -> Position:
    """Return a deal (F leads) or a position in `contract`; a position has one of its own; raises MizerkaError."""
    if contract is None:
        if isinstance(position, Deal):
            raise MizerkaError("the value of a deal needs a contract")
        return position
    wanted = as_contract(contract)
    if isinstance(position, Deal):
        return position.position(wanted)
    if wanted is position.contract:
        return position
    trick, won = position.trick, position.tricks_won
    return Position.from_hands(position.hands, wanted, position.leader, trick, won)
