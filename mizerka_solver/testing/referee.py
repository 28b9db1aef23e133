"""Our rules and those of a program under test, side by side: every step is taken in both, every answer compared.

The first difference ends it: `DifferenceFound`, with the deal as far as it went as a record.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, NamedTuple, NoReturn, TypeVar

from mizerka_solver.game.cards import Card
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.record_fields import Discards
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import Contract, Game, Seat, Triple, Variant, exchange, points, trick_winner
from mizerka_solver.support.errors import MizerkaError, quoted
from mizerka_solver.testing import diagnosis
from mizerka_solver.testing.adapter import ONE_LINE, STAYS, NotOffered, ProgramError, RulesAdapter

PLAYERS = ("0", "1", "2")
Value = TypeVar("Value")


@dataclass(frozen=True)
class Difference:
    """Where a program leaves the rules: the rule in a sentence, what was asked, both answers, and how to get there.

    `records` are the deals of the game up to there, the last one as far as it was played; it is missing while the deal
    has no contract. `is_steady` is False when the program did not do the same again.
    """

    rule: str
    asked: str
    expected: str
    got: str
    deal: Deal | None = None
    records: tuple[GameRecord, ...] = ()
    position: Position | None = None
    is_steady: bool = True

    @property
    def length(self) -> tuple[int, int, int]:
        """What makes one difference shorter than another: deals, cards played, cards exchanged in the last deal."""
        last = self.records[-1] if self.records else None
        cards, swaps = (len(last.play), sum(map(len, last.exchange))) if last else (0, 0)
        return len(self.records), cards, swaps

    def __str__(self) -> str:
        lines = [self.rule, f"  asked     {self.asked}", f"  expected  {self.expected}", f"  got       {self.got}"]
        if self.position is not None:
            lines.append(f"  position  {self.position}")
        elif self.deal is not None:
            lines.append(f"  deal      {self.deal}")
        lines += [f"  record    {record.to_json()}" for record in self.records]
        if not self.is_steady:
            lines.append("  The program did not do the same when it was asked the same again.")
        return "\n".join(lines)


class DifferenceFound(AssertionError):
    """Carries the difference to Hypothesis, which looks for a shorter one."""

    def __init__(self, difference: Difference) -> None:
        super().__init__(difference.rule)
        self.difference = difference


class Enough(BaseException):
    """Ends a run at once, past Hypothesis: time is up, or the program hangs and would hang at every shorter try."""


class Op(NamedTuple):
    """A call of one of the referee's steps, and the position before it: what a game can be played again from."""

    method: str
    arguments: tuple[Any, ...]
    position: Position | None


@dataclass
class Run:
    """What a whole check shares: the program, how much was asked, until when, a difference and the way to it."""

    adapter: RulesAdapter
    variant: Variant
    talon_size: int
    deadline: float
    n_asked: int = 0
    n_games: int = 0
    n_deals: int = 0
    best: Difference | None = None
    progress: Callable[[str], object] | None = None
    dealer: int = 0
    way: tuple[Op, ...] = ()
    not_offered: set[str] = field(default_factory=set)

    @property
    def is_over(self) -> bool:
        """Whether time is up."""
        return time.monotonic() > self.deadline

    def tell(self, doing: str = "") -> None:
        """Report how far it is; doing: what is done once a difference is found."""
        if self.progress is not None:
            self.progress(doing or f"{self.n_games} games, {self.n_deals} deals, {self.n_asked} questions")

    def note(self, difference: Difference, dealer: int, way: Sequence[Op]) -> None:
        """Remember the first difference, or a shorter one, and the way to it."""
        if self.best is None or (difference.length, len(way)) < (self.best.length, len(self.way)):
            self.best, self.dealer, self.way = difference, dealer, tuple(way)


class Referee:
    """One game, played by both; `stage` is what comes next: deal, name, exchange or play."""

    def __init__(self, run: Run, dealer: int) -> None:
        self.run = run
        self.game = Game(PLAYERS, dealer, run.variant)
        self.stage = "deal"
        self.records: list[GameRecord] = []
        self.dealt: Deal | None = None
        self.hands_now: Deal | None = None
        self.contract: Contract | None = None
        self.discards: list[Discards] = []
        self.position: Position | None = None
        self.played: list[Card] = []
        self.way: list[Op] = []
        self._dealer = dealer
        self._tried: Discards = ()
        run.n_games += 1
        self._ask("new_game", "a new game", dealer)

    def take(self, method: str, *arguments: Any) -> None:
        """Take a step, one of the methods below, and remember it."""
        self.way.append(Op(method, arguments, self.position))
        getattr(self, method)(*arguments)

    # Asking and differing

    def _ask(self, method: str, asked: str, *arguments: object, legal: str = diagnosis.PLAY_LEGAL) -> Any:
        """Call the program; a refusal of a legal step, a crash and a hang are differences. Raises NotOffered."""
        try:
            return self._call(method, asked, *arguments)
        except ValueError as error:
            self._differ(legal, asked, "accepted", f"refused ({error})")

    def _call(self, method: str, asked: str, *arguments: object) -> Any:
        if self.run.is_over:
            raise Enough
        self.run.n_asked += 1
        call: Callable[..., Any] | None = getattr(self.run.adapter, method, None)
        if call is None:
            raise NotOffered
        try:
            return call(*arguments)
        except (ValueError, NotOffered):
            raise
        except ProgramError as error:
            try:
                self._differ(error.rule, asked, "an answer", error.detail)
            except DifferenceFound:
                if error.is_hang:
                    self.run.deadline = 0.0
                    raise Enough from None
                raise
        except Exception as error:
            self._differ(STAYS, asked, "an answer", f"{type(error).__name__}: {error}")

    def _refuses(self, method: str, asked: str, rule: str, *arguments: object) -> None:
        """Ask for a step the rules forbid."""
        try:
            answer = self._call(method, asked, *arguments)
        except ValueError:
            return
        if rule is diagnosis.TALON_LIMIT and answer:
            drawn = self._read(asked, answer, _cards)
            given = [card for part in self.discards for card in part]
            rule = diagnosis.DISCARDS_BACK if set(drawn) & set(given) else rule
        self._differ(rule, asked, "refused", "accepted")

    def _differ(self, rule: str, asked: str, expected: str, got: str) -> NoReturn:
        difference = Difference(rule, asked, expected, got, self.dealt, self._records(), self.position)
        self.run.note(difference, self._dealer, self.way)
        raise DifferenceFound(difference) from None

    def _records(self) -> tuple[GameRecord, ...]:
        if self.dealt is None or self.contract is None or self.stage == "deal":
            return tuple(self.records)
        done = [*self.discards, self._tried, (), (), ()][:3]
        f, m, r = done
        record = GameRecord(self.seats, self.dealt, self.contract, (f, m, r), tuple(self.played))
        return (*self.records, record)

    def _read(self, asked: str, answer: object, read: Callable[[Any], Value]) -> Value:
        """Return an answer as a value; one of another form is a difference."""
        try:
            return read(answer)
        except MizerkaError as error:
            self._differ(ONE_LINE, asked, "an answer of the right form", f"{quoted(repr(answer))} ({error})")
        except (TypeError, ValueError):
            self._differ(ONE_LINE, asked, "an answer of the right form", quoted(repr(answer)))

    # Steps

    @property
    def seats(self) -> tuple[str, str, str]:
        """Players at F, M, R of the current deal."""
        return self.game.seats

    @property
    def seat(self) -> Seat:
        """The seat whose exchange is next."""
        return Seat(len(self.discards))

    @property
    def talon_left(self) -> tuple[Card, ...]:
        """What is left of the talon."""
        assert self.hands_now is not None
        return self.hands_now.talon

    def deal(self, deal: Deal) -> None:
        """Deal, and compare who sits where."""
        self.dealt = self.hands_now = deal
        self.contract, self.position = None, None
        self.discards, self.played, self._tried = [], [], ()
        asked = f"who sits at F, M, R in deal {len(self.records) + 1}"
        answer = self._ask("deal", asked, str(deal), legal=diagnosis.ROTATION)
        expected = ",".join(self.seats)
        got = self._read(asked, answer, lambda value: ",".join(str(int(player)) for player in value))
        if got != expected:
            self._differ(diagnosis.ROTATION, asked, expected, got)
        self.stage = "name"
        self.run.n_deals += 1

    def refuse_deal(self, deal: Deal) -> None:
        """Ask for a deal after the last one."""
        self.dealt, self.contract, self.position = None, None, None
        self._refuses("deal", f"deal {len(self.records) + 1}", diagnosis.GAME_OVER, str(deal))

    def name(self, contract: Contract) -> None:
        """Name a contract that may be named."""
        asked = f"player {self.seats[0]} names {contract.long_name}"
        self._ask("name", asked, str(contract), legal=diagnosis.NAME_FREE)
        self.contract = contract
        self.stage = "exchange"

    def named_before(self) -> list[Contract]:
        """Contracts forehand has named in this game."""
        remaining = self.game.remaining(self.seats[0])
        return [contract for contract in Contract if contract not in remaining]

    def refuse_name(self, contract: Contract) -> None:
        """Name a contract a second time."""
        asked = f"player {self.seats[0]} names {contract.long_name} a second time"
        self._refuses("name", asked, diagnosis.NAMED_TWICE, str(contract))

    def exchange(self, discards: Discards) -> None:
        """Let the next seat exchange, and compare what it draws."""
        assert self.hands_now is not None
        seat, talon = self.seat, self.talon_left
        asked = f"{seat} discards {_text(discards)}"
        self._tried = discards  # the record of a difference shows it
        answer = self._ask(
            "exchange", asked, str(seat), [str(card) for card in discards], legal=diagnosis.EXCHANGE_FREE
        )
        got = self._read(asked, answer, _cards)
        expected = talon[: len(discards)]
        earlier = [card for part in self.discards for card in part]
        if set(got) != set(expected) or len(got) != len(expected):
            rule = diagnosis.drawn_rule(self.hands_now, discards, got, earlier)
            self._differ(rule, asked, _text(expected), _text(got))
        hands = list(self.hands_now.hands)
        hands[seat], rest = exchange(hands[seat], talon, discards)
        self.hands_now = Deal.from_hands(hands, rest)
        self.discards.append(discards)
        self._tried = ()
        if len(self.discards) == 3:
            assert self.contract is not None
            self.position = self.hands_now.position(self.contract)
            self.stage = "play"

    def refuse_exchange(self, seat: Seat, discards: Sequence[Card], rule: str) -> None:
        """Ask for an exchange that is not allowed."""
        self._refuses("exchange", f"{seat} discards {_text(discards)}", rule, str(seat), [str(c) for c in discards])

    def check_legal(self, rule: str | None = None, after: str = "") -> None:
        """Compare the legal cards; `rule` is what a difference means, if that is known, after what no record tells."""
        assert self.position is not None
        asked = f"legal cards of {self.position.to_move}{after}"
        got = self._read(asked, self._ask("legal_cards", asked, legal=rule or diagnosis.PLAY_LEGAL), _cards)
        expected = self.position.legal_cards()
        if set(got) != set(expected) or len(got) != len(expected):
            rule = rule or diagnosis.legal_rule(self.position, got, self._gone())
            self._differ(rule, asked, _text(expected), _text(got))

    def _gone(self) -> set[Card]:
        """Cards nobody holds."""
        assert self.dealt is not None
        assert self.position is not None
        dealt = [card for hand in self.dealt.hands for card in hand]
        return diagnosis.out_of_play(self.position.hands, self.played, [*dealt, *self.dealt.talon])

    def play(self, card: Card) -> None:
        """Play a legal card; compare the winner of a trick, and the points of a deal."""
        before = self.position
        assert before is not None
        asked = f"{before.to_move} plays {card}"
        self._ask("play", asked, str(card), legal=diagnosis.refused_play_rule(before, card))
        self.position = before.play(card)
        self.played.append(card)
        if len(before.trick) == 2:
            self._check_winner(before, card)
        if self.position.is_over:
            self._check_points()

    def refuse_play(self, card: Card, rule: str) -> None:
        """Play a card that is not allowed, and see that nothing has changed."""
        assert self.position is not None
        self.check_legal()
        self._refuses("play", f"{self.position.to_move} plays {card}", rule, str(card))
        self.check_legal(diagnosis.UNCHANGED, f", after {card} was refused")

    def undo(self, n_cards: int) -> None:
        """Take cards back, if the program offers that, and compare the legal cards."""
        assert self.position is not None
        back = _text(self.played[-n_cards:])
        try:
            for _ in range(n_cards):
                asked = f"undo of {self.played[-1]}"
                self._ask("undo", asked, legal=diagnosis.UNDO)
                self.position = self.position.undo()
                self.played.pop()
        except NotOffered:
            self.run.not_offered.add("undo")
            return
        self.check_legal(diagnosis.UNDO, f", after {back} {'was' if n_cards == 1 else 'were'} played and taken back")

    def _check_winner(self, before: Position, card: Card) -> None:
        trick = (*before.trick, card)
        place = trick_winner(trick, before.contract)
        expected = Seat((before.leader + place) % 3)
        asked = f"winner of {_text(trick)} led by {before.leader}"
        rule = diagnosis.HIGHEST_LED
        got = self._read(asked, self._ask("winner", asked, legal=rule), lambda value: Seat.parse(str(value)))
        if got is not expected:
            rule = diagnosis.winner_rule(trick, before.contract, (got - before.leader) % 3)
            self._differ(rule, asked, str(expected), str(got))

    def _check_points(self) -> None:
        assert self.position is not None
        assert self.contract is not None
        won = self.position.tricks_won
        expected = points(self.contract, won, self.run.variant)
        asked = f"points of {self.contract.long_name} with tricks {'-'.join(map(str, won))}"
        got = self._read(asked, self._ask("points", asked, legal=diagnosis.POINTS), _triple)
        if got != expected:
            rule = diagnosis.points_rule(self.contract, won, self.position.leader, got, self.run.variant)
            self._differ(rule, asked, str(expected), str(got))
        finished = self._records()
        game = self.game.record(self.contract, won)
        self._check_totals(game.totals)
        self.records, self.game, self.stage = list(finished), game, "deal"

    def _check_totals(self, expected: tuple[int, ...]) -> None:
        asked = f"totals of players {', '.join(PLAYERS)}"
        try:
            got = self._read(asked, self._ask("totals", asked, legal=diagnosis.TOTALS), _triple)
        except NotOffered:
            self.run.not_offered.add("totals")
            return
        if got != expected:
            self._differ(diagnosis.TOTALS, asked, str(expected), str(got))


def unsteady(difference: Difference) -> Difference:
    """Return the difference of a program that did not do the same again."""
    return replace(difference, is_steady=False)


def _cards(value: Sequence[object]) -> tuple[Card, ...]:
    if isinstance(value, str):
        raise TypeError
    return tuple(Card(str(card)) for card in value)


def _triple(value: Sequence[object]) -> Triple:
    f, m, r = value
    if not all(isinstance(number, int) for number in value):
        raise TypeError
    return int(str(f)), int(str(m)), int(str(r))


def _text(cards: Sequence[Card]) -> str:
    return " ".join(map(str, cards)) or "none"
