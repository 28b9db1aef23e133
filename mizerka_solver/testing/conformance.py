"""`check_rules`: drives a program under test with stateful Hypothesis machines and reports the shortest difference.

Two machines. One goes through deals step by step, right and wrong steps mixed; the other plays whole games from seeds,
for what only shows in a game: rotation, contracts named twice, the end after 18 deals. Hypothesis chooses what is
played; a shorter way to what it found is looked for in shrinking.py.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from random import Random
from typing import Any

from hypothesis import HealthCheck, Phase, Verbosity, seed, settings
from hypothesis import strategies as st
from hypothesis.errors import Flaky
from hypothesis.reporting import with_reporter
from hypothesis.stateful import RuleBasedStateMachine, initialize, rule, run_state_machine_as_test

from mizerka_solver.game.cards import N_CARDS, Card
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import MIZERKA, Seat, Variant, is_revoke
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.testing import diagnosis
from mizerka_solver.testing.adapter import RulesAdapter
from mizerka_solver.testing.arguments import instance, seconds_above_zero, whole
from mizerka_solver.testing.referee import Difference, DifferenceFound, Enough, Referee, Run, unsteady
from mizerka_solver.testing.shrinking import Shrinker
from mizerka_solver.testing.strategies import deals
from mizerka_solver.testing.whole_games import random_exchange

NEEDED = ("new_game", "deal", "name", "exchange", "legal_cards", "play", "winner", "points")
STEPS = 30  # of one example: a deal takes from one to some forty
MAX_DEALS = 2  # of one example: Hypothesis slows down with the number of choices, some 150 a deal
GAMES_PER_EXAMPLES = 20


@dataclass(frozen=True, slots=True)
class RulesCheck:
    """What `check_rules` does: `examples` random games, the same for the same seed, in `time_limit` seconds at most.

    variant: other hand sizes and targets. talon_size: fewer cards than are left. shrink: look for a shorter difference.
    progress: called with a line on how far it is. Raises MizerkaError for numbers out of range.
    """

    examples: int = 100
    seed: int = 0
    time_limit: float = 120.0
    variant: Variant = MIZERKA
    talon_size: int | None = None
    shrink: bool = True
    progress: Callable[[str], object] | None = None

    def __post_init__(self) -> None:
        whole("examples", self.examples, 1)
        whole("seed", self.seed, 0)
        seconds_above_zero("time_limit", self.time_limit)
        instance("variant", self.variant, Variant)
        if self.talon_size is not None:
            whole("talon_size", self.talon_size, 0, self._most)

    @property
    def _most(self) -> int:
        return N_CARDS - 3 * self.variant.hand_size

    @property
    def n_talon(self) -> int:
        """Cards in the talon of each deal."""
        return self._most if self.talon_size is None else self.talon_size


@dataclass(frozen=True)
class RulesReport:
    """What a check found: `difference` is None when the program conforms as far as it was asked."""

    difference: Difference | None
    n_games: int
    n_deals: int
    n_asked: int
    seconds: float
    seed: int
    not_offered: tuple[str, ...] = ()
    is_complete: bool = True

    @property
    def conforms(self) -> bool:
        """Whether no difference was found."""
        return self.difference is None

    def __str__(self) -> str:
        if self.difference is not None:
            return f"A difference (seed {self.seed}): {self.difference}"
        counts = f"{self.n_games} games begun, {self.n_deals} deals, {self.n_asked} questions, seed {self.seed}"
        parts = [f"No difference: {counts}."]
        if not self.is_complete:
            parts.append("Stopped by the time limit before all examples were done.")
        if self.not_offered:
            parts.append(f"Not offered and so not tested: {', '.join(self.not_offered)}.")
        return " ".join(parts)


def check_rules(adapter: RulesAdapter, check: RulesCheck | None = None, **options: Any) -> RulesReport:
    """Compare a program's rules with ours in random games and return the shortest difference found.

    check, or options: the fields of RulesCheck, such as `examples=200, seed=1`. A program that crashes, hangs or
    answers in another form differs as well. Raises MizerkaError for bad arguments, an adapter without some method among
    them, and TypeError for an unknown option.
    """
    missing = [name for name in NEEDED if not callable(getattr(adapter, name, None))]
    if missing:
        raise MizerkaError(f"an adapter needs the methods {', '.join(missing)}", token=type(adapter).__name__)
    if check is not None and options:
        raise TypeError("check_rules() takes a RulesCheck or options, not both")
    check = check or RulesCheck(**options)
    begun = time.monotonic()
    run = Run(adapter, check.variant, check.n_talon, begun + check.time_limit, progress=check.progress)
    is_complete = _explore(run, check)
    if check.shrink and run.best is not None and run.best.is_steady and run.deadline:
        Shrinker(run).shrink()
    names = tuple(sorted(run.not_offered))
    seconds = time.monotonic() - begun
    return RulesReport(run.best, run.n_games, run.n_deals, run.n_asked, seconds, check.seed, names, is_complete)


def _explore(run: Run, check: RulesCheck) -> bool:
    """Run both machines until one finds a difference; return False if time ran out."""
    n_games = max(1, check.examples // GAMES_PER_EXAMPLES)
    for machine, n_examples, steps in (
        (_machine(run, Steps), check.examples, STEPS),
        (_machine(run, Games), n_games, 20),
    ):
        chosen = settings(
            max_examples=n_examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            derandomize=False,
            report_multiple_bugs=False,
            print_blob=False,
            verbosity=Verbosity.quiet,
            phases=(Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )
        try:
            with with_reporter(lambda text: None):
                run_state_machine_as_test(seed(check.seed)(machine), settings=chosen)
        except DifferenceFound:
            return True
        except Flaky:
            if run.best is not None and not run.is_over:
                run.best = unsteady(run.best)
            return True
        except Enough:
            return run.best is not None
    return True


def _machine(run: Run, base: type[Any]) -> type[RuleBasedStateMachine]:
    """Return a machine class bound to a run: Hypothesis makes the instances itself."""
    return type(base.__name__, (base,), {"run": run})


class _Machine(RuleBasedStateMachine):
    run: Run
    referee: Referee

    @initialize(dealer=st.integers(0, 2))
    def begin(self, dealer: int) -> None:
        self.referee = Referee(self.run, dealer)
        self.run.tell()

    def at(self, stage: str) -> bool:
        """Whether `stage` comes next."""
        return hasattr(self, "referee") and self.referee.stage == stage

    @property
    def position(self) -> Position:
        """The position both are in."""
        assert self.referee.position is not None
        return self.referee.position

    def seeded_deal(self, choice: Random) -> Deal:
        """Return a shuffled deal with as many cards in the talon as are wanted."""
        deal = Deal.random(choice, self.run.variant)
        return Deal.from_hands(deal.hands, deal.talon[: self.run.talon_size])


class Steps(_Machine):
    """Single steps, right and wrong ones.

    Every rule can be taken at any time, and does nothing where it makes no sense: Hypothesis leaves rules out of whole
    examples at random, and with preconditions such an example would often have no way on.
    """

    @rule(data=st.data(), n=st.integers(1, 3))
    def go_on(self, data: st.DataObject, n: int) -> None:
        """Take the next step, whatever it is, and again."""
        for _ in range(n):
            self.step(data)

    @rule(data=st.data())
    def go_far(self, data: st.DataObject) -> None:
        """Go to the end of the deal."""
        self.step(data)
        while not self.at("deal"):
            self.step(data)

    def step(self, data: st.DataObject) -> None:
        """Take the next step, at times after a wrong one: often where a deal has few steps of a kind."""
        referee, size = self.referee, self.run.variant.hand_size
        if data.draw(st.integers(0, 5 if self.at("play") else 2)) == 1:
            self.go_wrong(data)
        if self.at("play"):
            self.referee.take("check_legal")
            legal = sorted(self.position.legal_cards())
            referee.take("play", legal[data.draw(st.integers(0, len(legal) - 1)) if len(legal) > 1 else 0])
        elif self.at("exchange"):
            referee.take("exchange", self.some_discards(data))
        elif self.at("name"):
            referee.take("name", data.draw(st.sampled_from(referee.game.remaining(referee.seats[0]))))
        elif len(referee.records) < MAX_DEALS:
            referee.take("deal", data.draw(deals(size, size, talon=self.run.talon_size)))

    def some_discards(self, data: st.DataObject) -> tuple[Card, ...]:
        """Return discards of the next seat: none, some or as many as there may be."""
        assert self.referee.hands_now is not None
        held = sorted(self.referee.hands_now.hands[self.referee.seat])
        most = min(len(self.referee.talon_left), len(held))
        n = data.draw(st.sampled_from([*range(most + 1), 0, most, most]))
        return tuple(held.pop(data.draw(st.integers(0, len(held) - 1))) for _ in range(n))

    def go_wrong(self, data: st.DataObject) -> None:
        """Try what is forbidden."""
        referee = self.referee
        if self.at("name") and referee.named_before():
            referee.take("refuse_name", data.draw(st.sampled_from(referee.named_before())))
        elif self.at("exchange") or (self.at("play") and not referee.played and referee.discards[2]):
            tries = wrong_exchanges(referee)
            if tries:
                referee.take("refuse_exchange", *data.draw(st.sampled_from(tries)))
        elif self.at("play"):
            referee.take("refuse_play", *data.draw(st.sampled_from(wrong_cards(referee))))

    @rule(n=st.integers(1, 4))
    def undo(self, n: int) -> None:
        """Take cards back."""
        if self.at("play") and self.referee.played and "undo" not in self.run.not_offered:
            self.referee.take("undo", min(n, len(self.referee.played)))


class Games(_Machine):
    """Whole deals at a step, up to the end of a game and one step further."""

    @rule(cards=st.integers(0, 2**32 - 1), choice=st.integers(0, 5), again=st.booleans())
    def whole_deal(self, cards: int, choice: int, again: bool) -> None:
        referee, drawn = self.referee, Random(cards)
        deal = self.seeded_deal(drawn)
        if referee.game.is_over:
            referee.take("refuse_deal", deal)
            return
        referee.take("deal", deal)
        named = referee.named_before()
        if named and again:
            referee.take("refuse_name", named[choice % len(named)])
        remaining = referee.game.remaining(referee.seats[0])
        referee.take("name", remaining[choice % len(remaining)])
        for discards in random_exchange(drawn, deal):
            referee.take("exchange", discards)
        while referee.stage == "play":
            referee.take("check_legal")
            referee.take("play", drawn.choice(self.position.legal_cards()))


def wrong_exchanges(referee: Referee) -> list[tuple[Seat, Sequence[Card], str]]:
    """Return exchanges the rules forbid now: who, what, and the rule."""
    assert referee.hands_now is not None
    assert referee.dealt is not None
    talon, hands = referee.talon_left, referee.hands_now.hands
    found: list[tuple[Seat, Sequence[Card], str]] = []
    gone = 0
    for seat, discards in zip(Seat, referee.discards, strict=False):
        drawn = referee.dealt.talon[gone : gone + len(discards)]
        gone += len(discards)
        if drawn and talon:
            found.append((seat, drawn[:1], diagnosis.DRAWN_AGAIN))
        found.append((seat, (), diagnosis.EXCHANGE_ORDER))
    if referee.stage != "exchange":
        # Once cards were played a hand no longer is what it was; whose turn it is says enough.
        return found if not referee.played else []
    seat, held = referee.seat, sorted(hands[referee.seat])
    if seat is not Seat.R:
        found.append((seat.next, (), diagnosis.EXCHANGE_ORDER))
    if len(held) > len(talon):
        found.append((seat, held[: len(talon) + 1], diagnosis.TALON_LIMIT))
    if len(talon) >= 2:
        found.append((seat, (held[0], talon[0]), diagnosis.DRAWN_AGAIN))
        found.append((seat, (held[0], held[0]), diagnosis.NOT_HELD))
    if talon:
        found.append((seat, (sorted(hands[seat.next])[0],), diagnosis.NOT_HELD))
        found += [(seat, cards[:1], diagnosis.NOT_HELD) for cards in referee.discards if cards]
    return found


def wrong_cards(referee: Referee) -> list[tuple[Card, str]]:
    """Return cards that may not be played now, and the rule; revokes, which go wrong most often, twice."""
    position = referee.position
    assert position is not None
    seat, trick = position.to_move, position.trick
    revokes = [card for card in sorted(position.hands[seat]) if is_revoke(position.hands[seat], trick, card)]
    found = [(card, diagnosis.FOLLOW) for card in (*revokes[:1], *revokes[-1:])]
    other = sorted(position.hands[seat.next])
    found += [(card, diagnosis.IN_HAND) for card in (*other[:1], *referee.played[-1:], *referee.talon_left[:1])]
    return found
