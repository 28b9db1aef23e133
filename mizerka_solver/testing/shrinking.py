"""From the way to a difference to a shorter one: the game is played again with less, as long as the rule is the same.

Hypothesis finds differences; shrinking is done here, because what makes a record of Mizerka short is known: no earlier
deals, nothing tried that is not needed, few cards exchanged, and the trick that shows it first of all. For the last the
hands before that trick are filled up with other cards, and whoever leads to it becomes forehand. A few hundred replays
at most do what took Hypothesis tens of thousands of questions.
"""

from __future__ import annotations

import time
from collections.abc import Iterator, Sequence
from random import Random

from mizerka_solver.game.cards import ALL, Card, Hand
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Seat
from mizerka_solver.testing import diagnosis
from mizerka_solver.testing.adapter import NotOffered
from mizerka_solver.testing.referee import Difference, DifferenceFound, Enough, Op, Referee, Run

MAX_REPLAYS = 400
MAX_QUESTIONS = 8000  # to the program: a whole game takes some 1,500
SHRINK_SECONDS = 10.0
FILLINGS = 12  # ways to fill up hands that are tried for each number of tricks
MAX_TRICKS = 4  # before the one that differs, to start from
TRIES = ("refuse_name", "refuse_exchange", "refuse_play", "check_legal", "undo")

Way = tuple[Op, ...]


class Shrinker:
    """Looks for a shorter way to the difference of a run, and leaves the shortest in the run."""

    def __init__(self, run: Run) -> None:
        assert run.best is not None
        self._run, self._rule = run, run.best.rule
        self._until = min(run.deadline, time.monotonic() + SHRINK_SECONDS)
        self.n_replays = 0
        self._last_question = run.n_asked + MAX_QUESTIONS

    def shrink(self) -> None:
        """Shrink until nothing helps or it has been enough."""
        if not self._run.way or not self._again(self._run.dealer, self._run.way):
            return  # nothing to leave out, or a program that does not do the same again
        before = None
        while before != self._run.way and not self._is_enough:
            before = self._run.way
            for candidates in (self._fewer_deals, self._fewer_tries, self._fewer_tricks, self._fewer_discards):
                for dealer, way in candidates():
                    if self._is_enough or self._again(dealer, way):
                        break

    @property
    def _is_enough(self) -> bool:
        asked_enough = self.n_replays >= MAX_REPLAYS or self._run.n_asked >= self._last_question
        return asked_enough or time.monotonic() > self._until

    def _again(self, dealer: int, way: Sequence[Op]) -> bool:
        """Play a way again; whether it leads to a difference of the same rule, which is then kept if it is shorter."""
        self.n_replays += 1
        if self._run.best is not None:
            _, cards, swaps = self._run.best.length
            self._run.tell(f"shrinking, try {self.n_replays}: {cards} cards played, {swaps} exchanged")
        kept = self._run.best, self._run.dealer, self._run.way
        found = replayed(self._run, dealer, way)
        if found is None or found.rule != self._rule:
            self._run.best, self._run.dealer, self._run.way = kept
            return False
        return kept[2] != self._run.way or tuple(way) == kept[2]

    # What is tried: each yields candidates, the shortest first

    def _fewer_deals(self) -> Iterator[tuple[int, Way]]:
        """Only the last deals; not of a game whose end is in question."""
        way, dealer = self._run.way, self._run.dealer
        starts = [i for i, op in enumerate(way) if op.method == "deal"]
        if self._rule != diagnosis.GAME_OVER:
            for dropped in range(len(starts) - 1, 0, -1):
                yield (dealer + dropped) % 3, way[starts[dropped] :]

    def _fewer_tries(self) -> Iterator[tuple[int, Way]]:
        """Nothing tried beside what showed the difference; or one try less."""
        way, dealer = self._run.way, self._run.dealer
        tries = [i for i, op in enumerate(way[:-1]) if op.method in TRIES]
        if tries:
            yield dealer, tuple(op for i, op in enumerate(way) if i not in tries)
            for i in reversed(tries):
                yield dealer, (*way[:i], *way[i + 1 :])

    def _fewer_tricks(self) -> Iterator[tuple[int, Way]]:
        """The last trick first of all, in hands filled up with other cards; or the last two, and so on."""
        way = self._run.way
        last = way[-1].position
        if last is None or last.contract is None:
            return
        n_played = sum(last.tricks_won)
        for n_before in range(min(n_played, MAX_TRICKS) + 1):
            start = _start_of_trick(way, n_played - n_before)
            if start is None:
                continue
            position = way[start].position
            assert position is not None
            for filling in range(FILLINGS if n_played > n_before else 1):
                deal = filled_up(position, Random(filling), self._run)
                yield self._run.dealer, (*_opening(deal, position), *way[start:])
        start = _start_of_trick(way, 0)
        if start is not None and way[start].position is not None:  # all tricks, but nothing exchanged
            position = way[start].position
            assert position is not None
            yield self._run.dealer, (*_opening(filled_up(position, Random(0), self._run), position), *way[start:])

    def _fewer_discards(self) -> Iterator[tuple[int, Way]]:
        """Fewer cards in one exchange: none, one, two; or one less."""
        way, dealer = self._run.way, self._run.dealer
        for i, op in enumerate(way):
            if op.method not in ("exchange", "refuse_exchange"):
                continue
            place = 0 if op.method == "exchange" else 1
            discards = op.arguments[place]
            fewer = [discards[:n] for n in range(len(discards))]
            fewer += [(*discards[:n], *discards[n + 1 :]) for n in range(len(discards) - 1)]
            for some in fewer:
                arguments = (*op.arguments[:place], some, *op.arguments[place + 1 :])
                yield dealer, (*way[:i], op._replace(arguments=arguments), *way[i + 1 :])


def replayed(run: Run, dealer: int, way: Sequence[Op]) -> Difference | None:
    """Play a way again and return the difference it leads to; None for none, or where a step makes no sense now."""
    try:
        referee = Referee(run, dealer)
        for op in way:
            if not is_sensible(referee, op):
                return None
            referee.take(op.method, *op.arguments)
    except DifferenceFound as found:
        return found.difference
    except (Enough, NotOffered):
        pass
    return None


def is_sensible(referee: Referee, op: Op) -> bool:
    """Whether a step is still what it says: legal, or forbidden by the very rule it is to try."""
    method, arguments, stage = op.method, op.arguments, referee.stage
    if method == "deal":
        return stage == "deal" and not referee.game.is_over
    if method == "refuse_deal":
        return stage == "deal" and referee.game.is_over
    if method in ("name", "refuse_name"):
        return stage == "name" and (arguments[0] in referee.named_before()) == (method == "refuse_name")
    if method in ("exchange", "refuse_exchange"):
        return _is_sensible_exchange(referee, method, arguments)
    if stage != "play" or referee.position is None:
        return False
    if method in ("play", "refuse_play"):
        return (arguments[0] in referee.position.legal_cards()) == (method == "play")
    return method == "check_legal" or (method == "undo" and arguments[0] <= len(referee.played))


def _is_sensible_exchange(referee: Referee, method: str, arguments: tuple[object, ...]) -> bool:
    hands = referee.hands_now
    if hands is None or referee.stage not in ("exchange", "play") or referee.played:
        return False
    turn = referee.seat if referee.stage == "exchange" else None
    if method == "exchange":
        return turn is not None and diagnosis.exchange_rule(hands, turn, turn, arguments[0]) is None  # type: ignore[arg-type]
    seat, discards, rule = arguments
    broken = diagnosis.exchange_rule(hands, turn, seat, discards)  # type: ignore[arg-type]
    # What was drawn and is discarded in a second exchange breaks two rules.
    return broken == rule or (broken == diagnosis.EXCHANGE_ORDER and rule == diagnosis.DRAWN_AGAIN)


def _start_of_trick(way: Way, n_before: int) -> int | None:
    """Return the first step of the last deal at which `n_before` tricks are won and none is begun."""
    begun = max((i for i, op in enumerate(way) if op.method == "deal"), default=-1) + 1
    for i, op in enumerate(way[begun:], start=begun):
        if op.position is not None and not op.position.trick and sum(op.position.tricks_won) == n_before:
            return i
    return None


def _opening(deal: Deal, position: Position) -> Way:
    """The steps up to play of a deal in which nobody exchanges."""
    exchanges = [Op("exchange", ((),), None) for _ in Seat]
    return (Op("deal", (deal,), None), Op("name", (position.contract,), None), *exchanges)


def filled_up(position: Position, choice: Random, run: Run) -> Deal:
    """Return a deal in which the leader of a position is forehand, and hands have other cards in place of those played.

    Cards that were in nobody's hand fill them up; suits a hand is void in are avoided, since that may be what matters.
    """
    hands = [list(position.hands[(position.leader + step) % 3]) for step in range(3)]
    held = {card for hand in hands for card in hand}
    pool = [card for card in sorted(ALL) if card not in held]
    choice.shuffle(pool)
    for hand in hands:
        suits = {card.suit for card in hand}
        pool.sort(key=lambda card: card.suit not in suits)  # stable: those of suits held first
        n = run.variant.hand_size - len(hand)
        hand += pool[:n]
        del pool[:n]
    talon: list[Card] = sorted(pool)[: run.talon_size]
    f, m, r = (Hand.from_cards(hand) for hand in hands)
    return Deal.from_hands((f, m, r), talon)
