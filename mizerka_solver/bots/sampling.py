"""The sampling bot: draws what the others may hold, tries each choice in every draw, takes the best on average.

This is perfect-information Monte Carlo, with its known weakness: in each draw everybody is thought to see all cards, so
it neither hides nor gathers information. A draw is valued

    near the end       by par of the double-dummy solver: exact, a third of what is undecided to each
    before             by playing it out by rules of thumb, as everybody might: a solver would take seconds

All choices are tried in the same draws, so that luck cancels between them.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import nullcontext
from dataclasses import dataclass
from random import Random
from threading import local
from typing import Any, Generic, TypeVar

from mizerka_solver.bots.base import BaseBot
from mizerka_solver.double_dummy.solver import SearchStopped, Solver
from mizerka_solver.game.cards import Card, Hand
from mizerka_solver.game.position import Position, indistinguishable
from mizerka_solver.game.rules import Contract, Seat, seat_points
from mizerka_solver.hidden.draws import World, Worlds
from mizerka_solver.hidden.view import CONTRACT, EXCHANGE, PLAY, View
from mizerka_solver.policy.play import playout, winner
from mizerka_solver.policy.quick import choose_discards, price_after
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.statistics import Tally, rounded

Choice = TypeVar("Choice")
N_SAMPLES = 40
EXACT_TRICKS, EXACT_MIZERKA = 9, 7  # tricks left from which on draws are solved
MORE_OR_FEWER = 2  # cards exchanged beside what the policy would


@dataclass(frozen=True, slots=True)
class Option(Generic[Choice]):
    """One choice and the points it brings the seat on average over the draws.

    later: what a contract leaves to name is worth, 0 for other choices. lead: mean and standard error of how much more
    this choice brings than the best, over the same draws.
    """

    choice: Choice
    points: Tally
    lead: Tally
    later: float = 0.0

    @property
    def worth(self) -> float:
        """What choices are compared by."""
        return self.points.mean + self.later

    def as_dict(self, name: str, text: Callable[[Choice], Any]) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        data = {name: text(self.choice), "points": self.points.as_dict(), "behind": self.lead.as_dict()}
        return data | ({"later": rounded(self.later, 4)} if self.later else {})


def ranked(choices: Sequence[Choice], rows: Sequence[Sequence[float]], extra: Sequence[float]) -> list[Option[Choice]]:
    """Return the choices, the best first. rows: what each choice brings in each draw; extra: whatever the draw."""
    means = [sum(column) / len(rows) + more for column, more in zip(zip(*rows, strict=True), extra, strict=True)]
    best = means.index(max(means))
    options = [
        Option(
            choice,
            Tally.of(row[i] for row in rows),
            Tally.of(row[i] - row[best] + extra[i] - extra[best] for row in rows),
            extra[i],
        )
        for i, choice in enumerate(choices)
    ]
    return sorted(options, key=lambda option: -option.worth)  # stable: the first of equals stays first


def similar_cards(view: View) -> list[tuple[Card, ...]]:
    """Legal cards in groups that nobody can tell apart in play: no card that may be in play lies between."""
    return indistinguishable(view.legal, view.unseen_mask | sum(card.mask for card in view.trick))


class Sampler:
    """Answers of the sampling bot, with numbers.

    samples: draws a decision; seconds: fewer where the time is up (then answers depend on the machine). threads: draws
    tried at once. `progress` is called after each draw.
    """

    def __init__(self, samples: int = N_SAMPLES, seconds: float | None = None, threads: int = 1) -> None:
        if samples < 1:
            raise MizerkaError("samples must be 1 or more", token=str(samples))
        self.samples, self.seconds, self.threads = samples, seconds, threads
        self.exact = EXACT_TRICKS, EXACT_MIZERKA
        self.progress: Callable[[], object] = lambda: None
        self._own = local()
        self._solvers: list[Solver] = []
        self._stopped = False

    def stop(self) -> None:
        """Make the running question, from another thread, raise SearchStopped; there is no further one."""
        self._stopped = True
        for solver in self._solvers:
            solver.cancel()

    def _check(self) -> None:
        if self._stopped:
            raise SearchStopped("cancelled")

    @property
    def solver(self) -> Solver:
        """The solver of this thread, made when first needed."""
        found: Solver | None = getattr(self._own, "solver", None)
        if found is None:
            found = self._own.solver = Solver(memory="16M")
            self._solvers.append(found)
        return found

    def _compare(
        self,
        choices: Sequence[Choice],
        value: Callable[[World, Choice], float],
        view: View,
        random: Random,
        later: Callable[[Choice], float] = lambda choice: 0.0,
    ) -> list[Option[Choice]]:
        """Return the choices with their means over the draws, or as many as the time allows; the best first.

        later: what is added to a choice whatever the draw. Draws come from one generator in one thread, so that the
        number of threads changes nothing.
        """
        worlds = Worlds(view)
        samples = 1 if view.phase == PLAY and len(choices) == 1 else self.samples
        deadline = time.monotonic() + self.seconds if self.seconds else math.inf

        def row(world: World) -> list[float]:
            self._check()
            return [value(world, choice) for choice in choices]

        rows: list[list[float]] = []
        with ThreadPoolExecutor(self.threads) if self.threads > 1 else nullcontext() as pool:
            while len(rows) < samples and not (rows and time.monotonic() > deadline):
                n = min(1 if pool is None else 2 * self.threads, samples - len(rows))
                drawn = [worlds.draw(random) for _ in range(n)]
                for found in map(row, drawn) if pool is None else pool.map(row, drawn):
                    rows.append(found)
                    self.progress()
        return ranked(choices, rows, [later(choice) for choice in choices])

    def contracts(self, view: View, random: Random) -> list[Option[Contract]]:
        """Judge the contracts left to name: policy exchanges and rules of thumb play each draw in each of them.

        What a contract leaves for later deals is priced by the same play.
        """
        remaining = view.remaining

        def value(world: World, contract: Contract) -> float:
            return self._exchanged(world, contract, Seat.F, view)

        def later(contract: Contract) -> float:
            return price_after(contract, remaining, "play")

        return self._compare(remaining, value, view, random, later)

    def exchanges(self, view: View, random: Random) -> list[Option[tuple[Card, ...]]]:
        """Judge what the policy would lay down, and the best of some more and some fewer cards."""
        contract, hand, seat = view.contract, view.hand, view.seat
        assert contract is not None
        most = min(view.talon, len(hand))
        usual = choose_discards(hand, contract, seat, view.talon)
        numbers = range(max(len(usual) - MORE_OR_FEWER, 0), min(len(usual) + MORE_OR_FEWER, most) + 1)
        choices = [usual]
        choices += [choose_discards(hand, contract, seat, view.talon, n) for n in numbers if n != len(usual)]

        def value(world: World, discards: tuple[Card, ...]) -> float:
            hands, n = list(world.hands), len(discards)
            for card in discards:
                hands[seat] &= ~card.mask
            for bit in world.talon[:n]:
                hands[seat] |= 1 << bit
            changed = World((hands[0], hands[1], hands[2]), world.talon[n:])
            return (
                self._exchanged(changed, contract, seat.next, view)
                if seat < Seat.R
                else self._end(changed, contract, view)
            )

        return self._compare(choices, value, view, random)

    def cards(self, view: View, random: Random) -> list[Option[tuple[Card, ...]]]:
        """Judge the legal cards, those that nobody can tell apart together."""
        contract, left = view.contract, len(view.hand)
        assert contract is not None
        value: Callable[[World, tuple[Card, ...]], float]
        if left <= self.exact[contract.is_mizerka]:
            value = self._solved(view, contract)
        else:
            value = self._played_out(view, contract)
        groups = similar_cards(view)
        return self._compare(groups, value, view, random)

    # Values of a draw, in points of the viewer

    def _exchanged(self, world: World, contract: Contract, first: Seat, view: View) -> float:
        """Points of the viewer when the seats from `first` on exchange by the policy and all play by rules of thumb."""
        hands, talon = list(world.hands), world.talon
        for other in list(Seat)[first:]:
            discards = choose_discards(Hand.from_mask(hands[other]), contract, other, len(talon))
            for card, bit in zip(discards, talon, strict=False):
                hands[other] = hands[other] & ~card.mask | 1 << bit
            talon = talon[len(discards) :]
        return self._end(World((hands[0], hands[1], hands[2]), talon), contract, view)

    def _end(self, world: World, contract: Contract, view: View) -> float:
        tricks = playout(list(world.hands), contract, 0, [])[view.seat]
        return seat_points(contract, view.seat, tricks, view.variant)

    def _played_out(self, view: View, contract: Contract) -> Callable[[World, tuple[Card, ...]], float]:
        seat = view.seat
        seen = sum(card.mask for card in view.play)
        trick = [card.bit for card in view.trick]

        def value(world: World, group: tuple[Card, ...]) -> float:
            card = group[-1].bit
            hands, cards, leader = list(world.hands), [*trick, card], int(view.leader)
            hands[seat] &= ~(1 << card)
            tricks = view.tricks_won[seat]
            if len(cards) == 3:
                leader = (leader + cards.index(winner(contract, cards))) % 3
                tricks += leader == seat
                cards = []
            tricks += playout(hands, contract, leader, cards, seen)[seat]
            return seat_points(contract, seat, tricks, view.variant)

        return value

    def _solved(self, view: View, contract: Contract) -> Callable[[World, tuple[Card, ...]], float]:
        def value(world: World, group: tuple[Card, ...]) -> float:
            hands = [Hand.from_mask(mask) for mask in world.hands]
            position = Position.from_hands(
                hands, contract, view.leader, view.trick, view.tricks_won, check=False
            ).play_unchecked(group[-1])
            return self.solver.value(position, variant=view.variant).par[view.seat]

        return value


class SamplingBot(BaseBot):
    """Plays what `Sampler` finds best; the lowest of cards that are alike."""

    def __init__(self, samples: int = N_SAMPLES, seconds: float | None = None) -> None:
        super().__init__()
        self.sampler = Sampler(samples, seconds)

    def close(self) -> None:
        """Stop a question that runs."""
        self.sampler.stop()

    def name_contract(self, view: View) -> Contract:
        """Return the best contract left."""
        return self.sampler.contracts(view, self.random)[0].choice

    def exchange(self, view: View) -> Sequence[Card]:
        """Return the best of the exchanges tried."""
        return self.sampler.exchanges(view, self.random)[0].choice

    def play(self, view: View) -> Card:
        """Return the best card."""
        legal = view.legal
        return legal[0] if len(legal) == 1 else self.sampler.cards(view, self.random)[0].choice[-1]


def advise(sampler: Sampler, view: View, seed: int = 0) -> list[Option[Any]]:
    """Return the choices of the decision a view stands before, the best first; cards come in groups that are alike."""
    random = Random(seed)
    if view.phase == CONTRACT:
        return list(sampler.contracts(view, random))
    return list(sampler.exchanges(view, random) if view.phase == EXCHANGE else sampler.cards(view, random))
