"""The search bot: every choice tried in the same worlds, played out by the compiled policy, the best on average taken.

    worlds      drawn by exact counts and a Markov chain, as likely as the others' exchanges and plays make them
    contracts   all that are left, in every world; what is left to name for later deals is added at its price
    exchanges   a race of the 64 most valuable that nothing dominates; half of them go on after each stage
    cards       a race of all legal ones; those clearly behind are dropped

A playout takes half a microsecond, so a decision takes a few milliseconds. For one seed and number of worlds the answer
is the same on every platform: everything that decides is whole numbers. With `seconds` it depends on the machine.
"""

from __future__ import annotations

import math
import time
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

from mizerka_solver.bots.base import BaseBot
from mizerka_solver.bots.questions import question
from mizerka_solver.bots.sampling import Option, similar_cards
from mizerka_solver.core import Question, Race, RaceKind
from mizerka_solver.double_dummy.solver import SearchStopped
from mizerka_solver.game.cards import Card, Hand
from mizerka_solver.game.rules import MIZERKA, Contract, Seat
from mizerka_solver.hidden.view import CONTRACT, EXCHANGE, PLAY, View
from mizerka_solver.policy.compiled import THOUSANDTHS, has_nets, policies
from mizerka_solver.policy.quick import price_after
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.statistics import Tally

N_WORLDS = 3000
MAX_WORLDS = 1_000_000
WORLDS_IN_SECONDS = 100_000  # at most, when only the time is limited
CHUNK = 64  # worlds between two looks at the clock
FIRST_LOOK = 64  # worlds before a choice may be dropped
BEHIND = 35  # tenths of a standard error behind the leader at which a choice is dropped
PLAYOUTS = "own"
FIRST_STAGE = 32  # worlds of the first stage of the exchanges' race
EXCHANGE_FLOOR = -8000  # millinats
TRUSTS = (0.03, 0.1, 0.25, 0.5, 1.0)  # share of plays that are thought to be any legal card
CHAIN = (1000, 50, 500)  # steps before the first world, between worlds; worlds until it begins anew
EVEN = (0, 0, 0)
SEED_MASK = (1 << 64) - 1


@lru_cache(maxsize=1)
def trust_tables() -> tuple[list[list[int]], list[list[int]]]:
    """Return, for each trust and number of legal cards, the millinats of a card played by rule and of another."""
    numbers = range(1, 18)
    hits = [[0, *(round(1000 * math.log(1 - share + share / n)) for n in numbers)] for share in TRUSTS]
    misses = [[0, *(round(1000 * math.log(share / n)) for n in numbers)] for share in TRUSTS]
    return hits, misses


@dataclass(frozen=True, slots=True)
class Inference:
    """What is read from the others: their exchanges, their plays, both or nothing."""

    exchanges: bool = True
    plays: bool = True


class Searcher:
    """Answers of the search bot, with numbers.

    worlds: 1 or more a decision. seconds: fewer where the time is up; if only that is given, as many as it allows.
    inference: what to read from the others; all of it if not given. playouts: who plays by the nets in playouts, "own"
    for the seat that asks, "all" or, all by rule, "rule".
    """

    def __init__(
        self,
        worlds: int | None = None,
        seconds: float | None = None,
        inference: Inference | None = None,
        playouts: str | None = None,
    ) -> None:
        if worlds is not None and not 1 <= worlds <= MAX_WORLDS:
            raise MizerkaError(f"worlds must be between 1 and {MAX_WORLDS}", token=str(worlds))
        if seconds is not None and not 0 < seconds < 1e6:
            raise MizerkaError("seconds must be more than 0", token=str(seconds))
        self.seconds = seconds
        self.worlds = worlds if worlds is not None else (N_WORLDS if seconds is None else WORLDS_IN_SECONDS)
        self.inference = inference or Inference()
        self.playouts = playouts or (PLAYOUTS if has_nets() else "rule")
        self._stopped = False

    def stop(self) -> None:
        """Make the running question, from another thread, raise SearchStopped; there is no further one."""
        self._stopped = True

    def question(self, view: View) -> Question:
        """Return what the seat of a view knows, as the core wants it."""
        asked = question(view)
        if self.inference.exchanges or self.inference.plays:
            tables = trust_tables() if self.inference.plays else ((), ())
            asked.infer(EXCHANGE_FLOOR if self.inference.exchanges else 0, *tables)
        asked.play_by_net({"rule": 0, "own": 1 << view.seat, "all": 7}[self.playouts])
        return asked

    def race(self, view: View, kind: RaceKind, choices: Sequence[int], later: Sequence[int], seed: int) -> Race:
        """Return a race of choices that has not begun."""
        tells = view.exchanged and (self.inference.exchanges or self.inference.plays)
        targets = [(MIZERKA.mizerka_targets if c.is_mizerka else MIZERKA.targets)[view.seat] for c in Contract]
        chain = CHAIN if tells else EVEN
        seed &= SEED_MASK  # the generator takes 64 bits
        return Race(self.question(view), kind, choices, (later, targets), chain, seed, self.worlds)

    # Running a race

    def _run(self, race: Race, n_worlds: int, deadline: float) -> bool:
        """Go on until the race has so many worlds; tell whether it got there in time."""
        while race.n_worlds < n_worlds:
            if self._stopped:
                raise SearchStopped("cancelled")
            race.run(min(CHUNK, n_worlds - race.n_worlds))
            if time.monotonic() > deadline:
                return False
        return True

    def _deadline(self) -> float:
        return time.monotonic() + self.seconds if self.seconds else math.inf

    def run_all(self, race: Race, drop: bool) -> None:
        """Run a race until the worlds are tried; with `drop` those clearly behind leave it, until one is left."""
        deadline, look = self._deadline(), FIRST_LOOK
        while race.n_worlds < self.worlds and race.n_active > 1:
            if not self._run(race, min(look, self.worlds), deadline):
                return
            if drop:
                race.drop_behind(BEHIND)
            look *= 2

    def run_halving(self, race: Race) -> None:
        """Run a race in which the better half goes on after each stage, for twice as many worlds."""
        deadline, look = self._deadline(), FIRST_STAGE
        while race.n_worlds < self.worlds and race.n_active > 1:
            if not self._run(race, min(look, self.worlds), deadline):
                return
            race.drop_behind(BEHIND)
            race.keep(max((race.n_active + 1) // 2, 2))
            look *= 2

    # The three questions

    def contracts(self, view: View, seed: int, drop: bool = True) -> Race:
        """Race the contracts left to name."""
        later = [round(THOUSANDTHS * price_after(contract, view.remaining, "play")) for contract in view.remaining]
        race = self.race(view, RaceKind.CONTRACTS, [int(contract) for contract in view.remaining], later, seed)
        self.run_all(race, drop)
        return race

    def exchanges(self, view: View, seed: int) -> Race:
        """Race the exchanges worth a look."""
        assert view.contract is not None
        most = min(view.talon, len(view.hand))
        choices = policies().exchanges(view.hand.mask, int(view.contract), int(view.seat), most)
        race = self.race(view, RaceKind.EXCHANGES, choices, [0] * len(choices), seed)
        self.run_halving(race)
        return race

    def cards(self, view: View, seed: int, drop: bool = True) -> tuple[Race, list[tuple[Card, ...]]]:
        """Race the legal cards, those that nobody can tell apart together."""
        groups = similar_cards(view)
        race = self.race(view, RaceKind.CARDS, [group[-1].bit for group in groups], [0] * len(groups), seed)
        self.run_all(race, drop)
        return race, groups


class SearchBot(BaseBot):
    """Plays what `Searcher` finds best; the lowest of cards that are alike. seed: another one plays other games."""

    def __init__(self, worlds: int | None = None, seconds: float | None = None, seed: int = 0) -> None:
        super().__init__()
        self.searcher = Searcher(worlds, seconds)
        self.seed = seed

    def new_deal(self, seed: int) -> None:
        """Seed what is drawn."""
        self.random = Random(seed + (self.seed << 300))

    def close(self) -> None:
        """Stop a question that runs."""
        self.searcher.stop()

    def _draw(self) -> int:
        return int(self.random.random() * (1 << 53))

    def name_contract(self, view: View) -> Contract:
        """Return the best contract left."""
        return view.remaining[self.searcher.contracts(view, self._draw()).leader]

    def exchange(self, view: View) -> Sequence[Card]:
        """Return the best of the exchanges tried."""
        race = self.searcher.exchanges(view, self._draw())
        return tuple(Hand.from_mask(race.choices[race.leader]))

    def play(self, view: View) -> Card:
        """Return the best card."""
        legal = view.legal
        if len(legal) == 1:
            return legal[0]
        race, groups = self.searcher.cards(view, self._draw())
        return groups[race.leader][-1]


# With numbers


@dataclass(frozen=True, slots=True)
class Advice:
    """The choices of one decision, the best first, and what the others probably hold.

    best: in which share of the worlds each choice brings most (shared among equals). held: for F, M, R the share of
    worlds in which the seat holds each card of `cards`.
    """

    options: list[Option[Any]]
    best: list[float]
    worlds: int
    held: list[dict[Card, float]]

    def suit_lengths(self, seat: Seat) -> list[float]:
        """Return how many spades, hearts, diamonds and clubs a seat holds on average."""
        return [sum(share for card, share in self.held[seat].items() if card.suit == suit) for suit in range(4)]

    def honours(self, seat: Seat, least: float = 0.05) -> list[tuple[Card, float]]:
        """Return aces, kings and queens that a seat may well hold, the likeliest first."""
        found = [(card, share) for card, share in self.held[seat].items() if card.bit & 15 >= 10 and share >= least]
        return sorted(found, key=lambda pair: -pair[1])


NAMES = {CONTRACT: "contract", EXCHANGE: "discard", PLAY: "card"}


def advice_dict(view: View, options: Sequence[Option[Any]], advice: Advice | None = None) -> dict[str, Any]:
    """Return the JSON object of `mizerka advise` for the choices of one decision, the best first.

    advice: of the search bot; then how often each choice is best, and for the two others mean suit lengths S H D C and
    the share of worlds in which they hold each honour.
    """
    choices = [option.as_dict(NAMES[view.phase], _choice) for option in options]
    data = {"seat": view.seat.name, "type": view.phase, "choices": choices}
    if advice is None:
        return data
    for choice, share in zip(choices, advice.best, strict=True):
        choice["best"] = round(share, 4)
    others = {
        seat.name: {
            "lengths": [round(n, 2) for n in advice.suit_lengths(seat)],
            "honours": {str(card): round(share, 3) for card, share in advice.honours(seat)},
        }
        for seat in Seat
        if seat is not view.seat
    }
    return data | {"others": others}


def _choice(choice: Any) -> Any:
    """Return a contract's letter, or a list of cards."""
    return [str(card) for card in choice] if isinstance(choice, tuple) else choice.name


def search_advise(searcher: Searcher, view: View, seed: int = 0) -> Advice:
    """Return the choices of the decision a view stands before, with numbers; cards come in groups that are alike."""
    choices: Sequence[Any]
    later = [0.0] * MAX_OPTIONS
    if view.phase == CONTRACT:
        race, choices = searcher.contracts(view, seed, drop=False), view.remaining
        later = [price_after(contract, view.remaining, "play") for contract in view.remaining]
    elif view.phase == EXCHANGE:
        race = searcher.exchanges(view, seed)
        choices = [tuple(Hand.from_mask(mask)) for mask in race.choices]
    else:
        race, choices = searcher.cards(view, seed, drop=False)
    if not race.n_worlds:  # nothing to choose: a look at the worlds all the same
        race.run(min(searcher.worlds, CHUNK))
    leader = race.leader
    options = []
    for i, choice in enumerate(choices):
        n, total, squares = race.difference(i, leader)
        gap = later[i] - later[leader]
        behind = Tally(n, total + n * gap, squares + 2 * gap * total + n * gap * gap)
        options.append(Option(choice, Tally.of(list(map(float, race.values(i)))), behind, later[i]))
    order = sorted(range(len(choices)), key=lambda i: (not race.is_active(i), -options[i].lead.mean))
    shares = best_shares(race, later)
    return Advice([options[i] for i in order], [shares[i] for i in order], race.n_worlds, _held(race))


MAX_OPTIONS = 64


def best_shares(race: Race, later: Sequence[float]) -> list[float]:
    """Return in which share of the worlds each choice is best among those tried there."""
    columns = [race.values(i) for i in range(len(race.choices))]
    shares = [0.0] * len(columns)
    for world in range(race.n_worlds):
        row = {i: column[world] + later[i] for i, column in enumerate(columns) if world < len(column)}
        most = max(row.values())
        best = [i for i, value in row.items() if value == most]
        for i in best:
            shares[i] += 1 / len(best)
    return [share / race.n_worlds for share in shares]


def _held(race: Race) -> list[dict[Card, float]]:
    return [{Card.from_bit(bit): n / race.n_worlds for bit, n in enumerate(counts) if n} for counts in race.held()]
