"""`check_rules`: drives a program under test with a stateful Hypothesis machine and reports the shortest difference.

Two machines. One goes through deals step by step, right and wrong steps mixed, from cards that shrink; the other plays
whole games from seeds, for what only shows in a game: rotation, contracts named twice, the end after 18 deals.
"""

from __future__ import annotations

import time
from collections.abc import Sequence
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
from mizerka_solver.testing.strategies import deals
from mizerka_solver.testing.whole_games import random_exchange

NEEDED = ("new_game", "deal", "name", "exchange", "legal_cards", "play", "winner", "points")
STEPS = 30  # of one example: a deal takes from one to some forty
MAX_DEALS = 2  # of one example: Hypothesis slows down with the number of choices, some 150 a deal
STRAIGHTEN_SECONDS = 5.0
GAMES_PER_EXAMPLES = 20


@dataclass(frozen=True)
class Report:
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


def check_rules(
    adapter: RulesAdapter,
    *,
    examples: int = 100,
    seed: int = 0,
    time_limit: float = 120.0,
    variant: Variant = MIZERKA,
    talon_size: int | None = None,
    shrink: bool = True,
) -> Report:
    """Compare a program's rules with ours in `examples` random games and return the shortest difference found.

    The same seed asks the same again. `time_limit` is in seconds, of which at most 20 go into looking for a shorter
    difference (none without `shrink`); when it passes what was found until then is returned. Another `variant` gives
    other hand sizes and targets, and `talon_size` fewer cards than are left. A program that crashes, hangs or answers
    in another form differs as well. Raises MizerkaError for bad arguments, an adapter without some method among them.
    """
    missing = [name for name in NEEDED if not callable(getattr(adapter, name, None))]
    if missing:
        raise MizerkaError(f"an adapter needs the methods {', '.join(missing)}", token=type(adapter).__name__)
    whole("examples", examples, 1)
    whole("seed", seed, 0)
    seconds_above_zero("time_limit", time_limit)
    most = N_CARDS - 3 * instance("variant", variant, Variant).hand_size
    talon_size = most if talon_size is None else whole("talon_size", talon_size, 0, most)
    begun = time.monotonic()
    run = Run(adapter, variant, talon_size, begun + time_limit)
    is_complete = _explore(run, examples, seed, shrink)
    if shrink and run.best is not None and run.best.is_steady and run.deadline:
        run.deadline = time.monotonic() + STRAIGHTEN_SECONDS
        run.best = straightened(run, run.best)
    names = tuple(sorted(run.not_offered))
    seconds = time.monotonic() - begun
    return Report(run.best, run.n_games, run.n_deals, run.n_asked, seconds, seed, names, is_complete)


def _explore(run: Run, examples: int, seed_value: int, shrink: bool) -> bool:
    """Run both machines until one finds a difference; return False if time ran out."""
    n_games = max(1, examples // GAMES_PER_EXAMPLES)
    for machine, n_examples, steps in ((_machine(run, Steps), examples, STEPS), (_machine(run, Games), n_games, 20)):
        chosen = settings(
            max_examples=n_examples,
            stateful_step_count=steps,
            deadline=None,
            database=None,
            derandomize=False,
            report_multiple_bugs=False,
            print_blob=False,
            verbosity=Verbosity.quiet,
            phases=(Phase.generate, Phase.shrink) if shrink else (Phase.generate,),
            suppress_health_check=list(HealthCheck),
        )
        try:
            with with_reporter(lambda text: None):
                run_state_machine_as_test(seed(seed_value)(machine), settings=chosen)
        except DifferenceFound:
            return True
        except Flaky:
            if run.best is not None and not run.is_over:
                run.best = unsteady(run.best)
            return True
        except Enough:
            return run.best is not None
    return True


def straightened(run: Run, difference: Difference) -> Difference:
    """Return the difference that the same cards show in a single deal without exchange, if they do: a shorter record.

    Hypothesis does not get there by itself, for it would have to change hands and discards at once.
    """
    if difference.position is None or difference.length[:2] == (0, 0):
        return difference
    record = difference.records[-1]
    after = record.deal_after_exchange
    talon = (*after.talon, *(card for discards in record.exchange for card in discards))
    try:
        referee = Referee(run, 0)
        referee.deal(Deal.from_hands(after.hands, talon))
        referee.name(record.contract)
        for _ in Seat:
            referee.exchange(())
        for card in record.play:
            referee.check_legal()
            referee.play(card)
        if referee.stage == "play":
            referee.check_legal()
    except DifferenceFound as found:
        shorter = found.difference.length < difference.length and found.difference.rule == difference.rule
        return found.difference if shorter else difference
    except Enough:
        pass
    return difference


def _machine(run: Run, base: type[Any]) -> type[RuleBasedStateMachine]:
    """Return a machine class bound to a run: Hypothesis makes the instances itself."""
    return type(base.__name__, (base,), {"run": run})


class _Machine(RuleBasedStateMachine):
    run: Run
    referee: Referee

    @initialize(dealer=st.integers(0, 2))
    def begin(self, dealer: int) -> None:
        self.referee = Referee(self.run, dealer)

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
            self.referee.check_legal()
            legal = sorted(self.position.legal_cards())
            referee.play(legal[data.draw(st.integers(0, len(legal) - 1)) if len(legal) > 1 else 0])
        elif self.at("exchange"):
            referee.exchange(self.some_discards(data))
        elif self.at("name"):
            referee.name(data.draw(st.sampled_from(referee.game.remaining(referee.seats[0]))))
        elif len(referee.records) < MAX_DEALS:
            referee.deal(data.draw(deals(size, size, talon=self.run.talon_size)))

    def some_discards(self, data: st.DataObject) -> tuple[Card, ...]:
        """Return discards of the next seat: none, some or as many as there may be."""
        assert self.referee.hands_now is not None
        held = sorted(self.referee.hands_now.hands[self.referee.seat])
        most = min(len(self.referee.talon_left), len(held))
        n = data.draw(st.sampled_from([0, most, *range(1, most)]))
        return tuple(held.pop(data.draw(st.integers(0, len(held) - 1))) for _ in range(n))

    def go_wrong(self, data: st.DataObject) -> None:
        """Try what is forbidden."""
        referee = self.referee
        if self.at("name") and referee.named_before():
            referee.refuse_name(data.draw(st.sampled_from(referee.named_before())))
        elif self.at("exchange") or (self.at("play") and not referee.played and referee.discards[2]):
            tries = wrong_exchanges(referee)
            if tries:
                referee.refuse_exchange(*data.draw(st.sampled_from(tries)))
        elif self.at("play"):
            referee.refuse_play(*data.draw(st.sampled_from(wrong_cards(referee))))

    @rule(n=st.integers(1, 4))
    def undo(self, n: int) -> None:
        """Take cards back."""
        if self.at("play") and self.referee.played and "undo" not in self.run.not_offered:
            self.referee.undo(min(n, len(self.referee.played)))


class Games(_Machine):
    """Whole deals at a step, up to the end of a game and one step further."""

    @rule(cards=st.integers(0, 2**32 - 1), choice=st.integers(0, 5), again=st.booleans())
    def whole_deal(self, cards: int, choice: int, again: bool) -> None:
        referee, drawn = self.referee, Random(cards)
        deal = self.seeded_deal(drawn)
        if referee.game.is_over:
            referee.refuse_deal(deal)
            return
        referee.deal(deal)
        named = referee.named_before()
        if named and again:
            referee.refuse_name(named[choice % len(named)])
        remaining = referee.game.remaining(referee.seats[0])
        referee.name(remaining[choice % len(remaining)])
        for discards in random_exchange(drawn, deal):
            referee.exchange(discards)
        while referee.stage == "play":
            referee.check_legal()
            referee.play(drawn.choice(self.position.legal_cards()))


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
