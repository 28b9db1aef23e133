"""A state of play: cards held, current trick, tricks won; validated, immutable, with play and undo.

Leaves the rules to rules.py, and files, line numbers and comments to notation.py.

    F:<hand> M:<hand> R:<hand> <contract> <leader of the current trick> <current trick: - or SA,S3> <tricks won F-M-R>
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import NamedTuple, final

from mizerka_solver.game.cards import Card, Hand, parse_cards
from mizerka_solver.game.convert import (
    CardLike,
    CardsLike,
    ContractLike,
    HandLike,
    SeatLike,
    as_card,
    as_cards,
    as_contract,
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
from mizerka_solver.game.rules import (
    MAX_HAND_SIZE,
    SEATS,
    Contract,
    Seat,
    Triple,
    as_triple,
    check_card,
    is_revoke,
    legal_cards,
    legal_mask,
    revoke_rule,
    trick_winner,
    triple_text,
)
from mizerka_solver.reading.deals import Understood, position_tail, read_deal, read_generously
from mizerka_solver.reading.letters import CARD_TWICE
from mizerka_solver.reading.pasted import unprinted
from mizerka_solver.support.errors import (
    IllegalCardError,
    InvalidPositionError,
    MizerkaError,
    read_field,
    text_of,
)


def _parse_tricks(text: str) -> Triple:
    parts = text.split("-")
    if len(parts) != 3 or not all(part.isascii() and part.isdigit() and len(part) <= 2 for part in parts):
        raise InvalidPositionError("tricks won are three counts F-M-R such as 3-0-2", field="tricks won", token=text)
    f, m, r = map(int, parts)
    return f, m, r


def _read_position(text: str) -> tuple[Understood, tuple[str, ...]]:
    hands, tail = position_tail(unprinted(text))
    found = read_deal(hands)
    if found.talon or found.preview is not None:
        raise InvalidPositionError("a position has no talon and no cards seen first")
    return found, tail or ()


class _State(NamedTuple):
    hands: Hands
    contract: Contract
    leader: Seat
    trick: tuple[Card, ...]
    won: Triple


@final
class Position:
    """A state of play, from text such as 'F:A.-.-.- M:2.-.-.- R:-.3.-.- N F - 4-4-4'; raises InvalidPositionError.

    0 to 17 tricks left. Equality is that of the text; how a position came about (for `undo`) does not count.

    >>> start = Position("F:A.2.-.- M:K3.-.-.- R:-.54.-.- N F - 0-0-0")
    >>> later = start.play(Card("SA"))
    >>> later, later.to_move, later.legal_cards(), later.undo() == start
    (Position('F:-.2.-.- M:K3.-.-.- R:-.54.-.- N F SA 0-0-0'), Seat.M, (Card('SK'), Card('S3')), True)
    """

    __slots__ = ("_previous", "_state")
    _state: _State
    _previous: Position | None

    def __init__(self, text: str) -> None:
        try:
            fields = split_text(text)
            hands = parse_hands(fields)
        except MizerkaError as error:
            if error.rule == CARD_TWICE:
                raise
            found, tail = read_generously(_read_position, text, error, InvalidPositionError)
            hands, fields = hands_understood(found), ["", "", "", *tail]
        if len(fields) != 7:
            rule = "after the hands come contract, leader, current trick and tricks won"
            raise InvalidPositionError(rule, token=" ".join(fields[3:]))
        contract = read_field("contract", Contract.parse, fields[3])
        leader = read_field("leader", Seat.parse, fields[4])
        trick = read_field("trick", parse_cards, fields[5])
        self._set(_State(hands, contract, leader, trick, _parse_tricks(fields[6])), None)
        self._check()

    @classmethod
    def parse(cls, text: str) -> Position:
        """Return the position of a text; raises InvalidPositionError and the errors of its cards."""
        return cls(text)

    @classmethod
    def from_hands(
        cls,
        hands: Sequence[HandLike],
        contract: ContractLike,
        leader: SeatLike = Seat.F,
        trick: CardsLike = (),
        tricks_won: Triple = (0, 0, 0),
        *,
        check: bool = True,
    ) -> Position:
        """Return a position of three hands still held; raises InvalidPositionError, or leaves that to `status`.

        Hands, contract, leader and cards are values or their texts.
        """
        state = _State(
            three_hands(hands), as_contract(contract), as_seat(leader), as_cards(trick), as_triple(tricks_won)
        )
        position = cls._new(state, None)
        if check:
            position._check()
        return position

    @classmethod
    def _new(cls, state: _State, previous: Position | None) -> Position:
        position = object.__new__(cls)
        position._set(state, previous)
        return position

    def _set(self, state: _State, previous: Position | None) -> None:
        _set_state(self, state)
        _set_previous(self, previous)

    # What it holds

    @property
    def hands(self) -> Hands:
        """The cards still held by F, M, R."""
        return self._state.hands

    @property
    def masks(self) -> Triple:
        """The cards still held by F, M, R as 64-bit masks."""
        f, m, r = self.hands
        return f.mask, m.mask, r.mask

    @property
    def contract(self) -> Contract:
        """The contract that is played."""
        return self._state.contract

    @property
    def leader(self) -> Seat:
        """The seat that led, or will lead, to the current trick."""
        return self._state.leader

    @property
    def trick(self) -> tuple[Card, ...]:
        """The cards in the current trick, 0 to 2, the leader's first."""
        return self._state.trick

    @property
    def tricks_won(self) -> Triple:
        """Tricks won so far by F, M, R."""
        return self._state.won

    @property
    def to_move(self) -> Seat:
        """The seat that plays next."""
        state = self._state
        return SEATS[(state.leader + len(state.trick)) % 3]

    @property
    def tricks_left(self) -> int:
        """Tricks not yet complete, the current one included."""
        return len(self.hands[self.to_move])

    @property
    def hand_size(self) -> int:
        """Tricks won and left together: the cards each seat held when the counting began."""
        return sum(self.tricks_won) + self.tricks_left

    @property
    def is_over(self) -> bool:
        """Whether all cards are played."""
        return not self._state.hands[self.to_move].mask

    # Play

    def legal_mask(self) -> int:
        """Return the mask of the cards that may be played now."""
        return legal_mask(self.hands[self.to_move], self.trick)

    def legal_cards(self) -> tuple[Card, ...]:
        """Return the cards that may be played now, suits S H D C, high to low; none when all is played."""
        return legal_cards(self.hands[self.to_move], self.trick)

    def play(self, card: CardLike) -> Position:
        """Return the position after the seat to move plays `card`, one or its text; raises IllegalCardError."""
        card, seat, state = as_card(card), self.to_move, self._state
        if not state.hands[seat].mask:
            raise IllegalCardError("all cards are played", token=str(card))
        check_card(state.hands[seat], state.trick, card, seat)
        return self.play_unchecked(card)

    def play_unchecked(self, card: Card) -> Position:
        """Return the position after `card`, trusting that it is legal; `status` of the result tells if it was not."""
        hands, contract, leader, trick, won = self._state
        seat = (leader + len(trick)) % 3
        f, m, r = hands
        left = Hand.from_mask(hands[seat].mask & ~card.mask)
        if seat == 0:
            f = left
        elif seat == 1:
            m = left
        else:
            r = left
        trick = (*trick, card)
        if len(trick) == 3:
            leader = SEATS[(leader + trick_winner(trick, contract)) % 3]
            won = (won[0] + (leader == 0), won[1] + (leader == 1), won[2] + (leader == 2))
            trick = ()
        after = object.__new__(Position)
        _set_state(after, _new_state(_State, ((f, m, r), contract, leader, trick, won)))
        _set_previous(after, self)
        return after

    def undo(self) -> Position:
        """Return the position before the last card; raises MizerkaError when this value was not made by playing one."""
        if self._previous is None:
            raise MizerkaError("nothing to undo, no card was played from this value")
        return self._previous

    # Validity

    def status(self) -> list[str]:
        """Return one line for every rule the position breaks; [] for a sound one."""
        return [str(problem) for problem in self._problems()]

    def _check(self) -> None:
        for problem in self._problems():
            raise problem

    def _problems(self) -> list[InvalidPositionError]:
        return shared_cards(self.hands) + self._trick_problems() + self._size_problems() + self._count_problems()

    def _trick_problems(self) -> list[InvalidPositionError]:
        problems = []
        if len(self.trick) > 2:
            rule = "a current trick has 0 to 2 cards, a third completes it"
            problems.append(InvalidPositionError(rule, field="trick", token=_trick_text(self.trick)))
        for place, card in enumerate(self.trick):
            seat = Seat((self.leader + place) % 3)
            where = {"field": "trick", "token": str(card)}
            if card in self.trick[:place]:
                problems.append(InvalidPositionError(CARD_TWICE, **where))
            held_by = [seat for seat in Seat if card in self.hands[seat]]
            problems += [InvalidPositionError(f"card is also held by {holder}", **where) for holder in held_by]
            if is_revoke(self.hands[seat], self.trick[:place], card):
                problems.append(InvalidPositionError(revoke_rule(seat, self.trick[0].suit), **where))
        return problems

    def _size_problems(self) -> list[InvalidPositionError]:
        n = self.tricks_left
        played = [Seat((self.leader + place) % 3) for place in range(len(self.trick))]
        if all(len(self.hands[seat]) == n - (seat in played) for seat in Seat):
            return []
        counts = ", ".join(f"{seat} {len(self.hands[seat])}" for seat in Seat)
        if not played:
            return [InvalidPositionError(f"unequal hands: {counts} cards")]
        fewer = " and ".join(map(str, played))
        rule = f"the trick does not fit leader {self.leader}: {fewer} must hold one card fewer ({counts} cards)"
        return [InvalidPositionError(rule, field="trick", token=_trick_text(self.trick))]

    def _count_problems(self) -> list[InvalidPositionError]:
        where = {"field": "tricks won", "token": triple_text(self.tricks_won)}
        if len(self.tricks_won) != 3 or min(self.tricks_won) < 0:
            return [InvalidPositionError("tricks won are three counts ≥ 0", **where)]
        problems = []
        if self.hand_size > MAX_HAND_SIZE:
            n_won = text_of(sum(self.tricks_won))
            rule = f"{n_won} tricks won and {self.tricks_left} left are more than {MAX_HAND_SIZE}"
            problems.append(InvalidPositionError(rule, **where))
        if sum(self.tricks_won) and not self.tricks_won[self.leader]:
            rule = f"{self.leader} leads, so it has won the last trick, but it has won none"
            problems.append(InvalidPositionError(rule, **where))
        return problems

    # Value semantics

    def __eq__(self, other: object) -> bool:
        return self._state == other._state if isinstance(other, Position) else NotImplemented

    def __hash__(self) -> int:
        return hash(self._state)

    def __str__(self) -> str:
        won = "-".join(map(str, self.tricks_won))
        return f"{hands_text(self.hands)} {self.contract} {self.leader} {_trick_text(self.trick)} {won}"

    def __repr__(self) -> str:
        return f"Position('{self}')"

    def _repr_html_(self) -> str:
        trick = " ".join(card.pretty for card in self.trick) or "–"
        caption = f"{self.contract.symbol}, {self.leader} leads {trick}, won {'-'.join(map(str, self.tricks_won))}"
        return hands_html(self.hands, caption)

    def __setattr__(self, name: str, value: object) -> None:
        raise AttributeError("a Position is immutable")

    def __reduce__(self) -> tuple[object, ...]:
        # Not by way of the text: unsound positions and the way back are to survive as well.
        return Position._new, (self._state, self._previous)


# The shortest ways to fill a position, past checks that find nothing: play makes one for each card.
_new_state = tuple.__new__
_set_state = Position.__dict__["_state"].__set__
_set_previous = Position.__dict__["_previous"].__set__


def equivalent_cards(position: Position) -> list[tuple[Card, ...]]:
    """Legal cards in groups that lead to the same play: cards of a suit with no other card in play between them."""
    in_play = sum(position.masks) | sum(card.mask for card in position.trick)
    return indistinguishable(position.legal_cards(), in_play & ~position.hands[position.to_move].mask)


def indistinguishable(cards: Iterable[Card], others: int) -> list[tuple[Card, ...]]:
    """Return cards, given by suit and high to low, in groups that have no card of the mask `others` between them.

    >>> indistinguishable([Card("SA"), Card("SK"), Card("S9"), Card("H8")], Card("ST").mask)
    [(Card('SA'), Card('SK')), (Card('S9'),), (Card('H8'),)]
    """
    groups: list[list[Card]] = []
    for card in cards:
        last = groups[-1][-1] if groups else None
        if last is not None and last.suit is card.suit and not others & (last.mask - 1) & ~(2 * card.mask - 1):
            groups[-1].append(card)
        else:
            groups.append([card])
    return [tuple(group) for group in groups]


def _trick_text(trick: Sequence[Card]) -> str:
    return ",".join(map(str, trick)) or "-"
