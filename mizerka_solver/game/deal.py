"""A deal: three equal hands and the talon, before or after the exchange; validated, immutable; seeded dealing.

Leaves the rules to rules.py, and files, line numbers and comments to notation.py.

    F:<hand> M:<hand> R:<hand> T:<cards in draw order, first drawn first> P:<what F saw first>

`T:` and `P:` may be missing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from typing import Any, NamedTuple, final

from mizerka_solver.game.cards import Card, Hand, parse_cards
from mizerka_solver.game.convert import (
    CardsLike,
    ContractLike,
    HandLike,
    SeatLike,
    as_cards,
    as_contract,
    as_discards,
    as_hand,
    as_seat,
)
from mizerka_solver.game.hands import (
    Hands,
    hands_html,
    hands_text,
    hands_understood,
    parse_hands,
    shared_cards,
    split_text,
    three_hands,
)
from mizerka_solver.game.position import Position
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
from mizerka_solver.reading.deals import Understood, position_tail, read_deal, read_generously
from mizerka_solver.reading.explain import explained
from mizerka_solver.reading.letters import CARD_TWICE
from mizerka_solver.reading.pasted import unprinted
from mizerka_solver.support.errors import InvalidDealError, MizerkaError, read_field


def _parse_deal(fields: Sequence[str]) -> tuple[Hands, tuple[Card, ...], Hand | None]:
    """Read a deal in the standard spelling."""
    hands = parse_hands(fields)
    talon: tuple[Card, ...] = ()
    preview: Hand | None = None
    rest = list(fields[3:])
    if rest and rest[-1][:2].upper() == "P:":
        preview = read_field("P", Hand, rest.pop()[2:])
    if rest:
        if rest[0][:2].upper() != "T:":
            raise InvalidDealError("expected T:<cards in draw order>", field="T", token=rest[0])
        if len(rest) > 1:
            raise InvalidDealError("nothing comes after the talon", token=rest[1])
        talon = read_field("T", parse_cards, rest[0][2:])
    return hands, talon, preview


def _read_deal(text: str) -> Understood:
    hands, tail = position_tail(unprinted(text))
    if tail is not None:
        raise InvalidDealError("a deal, not a position, has T:<cards in draw order>", field="T", token=" ".join(tail))
    return read_deal(hands)


def check_preview(hand: Hand, preview: Hand, size: int = MIZERKA.preview_size) -> None:
    """Raise InvalidDealError unless forehand with `hand` can have seen just these cards before naming a contract."""
    size = min(size, len(hand))
    for card in preview:
        if card not in hand:
            raise InvalidDealError("seen before naming, but not dealt to F", field="P", token=str(card))
    if len(preview) != size:
        rule = f"forehand sees {size} cards before naming a contract, here {len(preview)}"
        raise InvalidDealError(rule, field="P", token=str(preview))


@final
class Deal:
    """Three equal hands (1 to 17 cards) and the talon in draw order, from text; raises InvalidDealError.

    Other shapes than the standard spelling are read too, see docs/formats.md. ` P:<hand>` marks what F saw first.

    >>> deal = Deal("F:2.-.-.- M:3.-.-.- R:-.2.-.- T:SAS4")
    >>> deal.talon, deal.after_exchange({Seat.F: [Card("S2")]})
    ((Card('SA'), Card('S4')), Deal('F:A.-.-.- M:3.-.-.- R:-.2.-.- T:S4'))
    """

    __slots__ = ("_hands", "_preview", "_talon")
    _hands: Hands
    _talon: tuple[Card, ...]
    _preview: Hand | None

    def __init__(self, text: str) -> None:
        try:
            hands, talon, preview = _parse_deal(split_text(text))
        except MizerkaError as error:
            if error.rule == CARD_TWICE:
                raise
            self._set_understood(read_generously(_read_deal, text, error, InvalidDealError))
        else:
            self._set(hands, talon, preview)

    def _set_understood(self, found: Understood) -> None:
        """Take a deal that was read generously; errors say how it was read."""
        hands = hands_understood(found)
        talon = tuple([Card.from_bit(bit) for bit in found.talon])
        preview = None if found.preview is None else Hand.from_cards(map(Card.from_bit, found.preview))
        try:
            self._set(hands, talon, preview)
        except MizerkaError as error:
            rule = f"{error.rule}; {explained(found)}"
            raise InvalidDealError(rule, token=error.token, field=error.field) from None

    @classmethod
    def parse(cls, text: str) -> Deal:
        """Return the deal of a text; raises InvalidDealError and the errors of its cards and hands."""
        return cls(text)

    @classmethod
    def from_hands(cls, hands: Sequence[HandLike], talon: CardsLike = (), preview: HandLike | None = None) -> Deal:
        """Return the deal of three hands, a talon in draw order and the cards F saw first, as values or texts.

        Raises InvalidDealError, and the errors of hands and cards.

        >>> Deal.from_hands(["A2...", "K3...", ["SQ", "S4"]], "H2", preview="SAS2")
        Deal('F:A2.-.-.- M:K3.-.-.- R:Q4.-.-.- T:H2 P:A2.-.-.-')
        """
        deal = object.__new__(cls)
        deal._set(three_hands(hands), as_cards(talon), None if preview is None else as_hand(preview))
        return deal

    @classmethod
    def random(cls, seed: int | Random, variant: Variant = MIZERKA) -> Deal:
        """Return the deal of a seed ≥ 0, or the next one of a generator; see `deal_seeded` for the cards seen first.

        >>> Deal.random(1) == Deal.random(Random(1))
        True
        """
        return deal_seeded(seed, variant).deal

    def _set(self, hands: Hands, talon: tuple[Card, ...], preview: Hand | None) -> None:
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
                raise InvalidDealError(CARD_TWICE, field="T", token=str(card))
            seen |= card.mask
        if preview is not None:
            check_preview(hands[Seat.F], preview)
        object.__setattr__(self, "_hands", hands)
        object.__setattr__(self, "_talon", talon)
        object.__setattr__(self, "_preview", preview)

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
    def preview(self) -> Hand | None:
        """The cards forehand saw before naming a contract; None if unknown."""
        return self._preview

    def with_preview(self, preview: HandLike | None) -> Deal:
        """Return the deal with the cards forehand saw first marked, or with none marked; raises InvalidDealError."""
        return Deal.from_hands(self._hands, self._talon, preview)

    @property
    def hand_size(self) -> int:
        """Cards in each hand, 1 to 17."""
        return len(self._hands[0])

    def after_exchange(self, discards: Mapping[Any, CardsLike]) -> Deal:
        """Return the deal after F, M, R in this order laid down `discards` and drew; raises IllegalExchangeError.

        The new talon is what is left of the old one. A seat without an entry keeps its hand. Keys are seats or their
        text, cards are cards or their text. What forehand saw first is not marked any more.
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

    def _key(self) -> tuple[object, ...]:
        return self._hands, self._talon, self._preview

    def __eq__(self, other: object) -> bool:
        return self._key() == other._key() if isinstance(other, Deal) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._key())

    def __str__(self) -> str:
        talon = "".join(map(str, self._talon))
        text = f"{hands_text(self._hands)} T:{talon}" if talon else hands_text(self._hands)
        return text if self._preview is None else f"{text} P:{self._preview}"

    def __repr__(self) -> str:
        return f"Deal('{self}')"

    def _repr_html_(self) -> str:
        talon = " ".join(card.pretty for card in self._talon) or "–"
        return hands_html(self._hands, talon=talon)

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
