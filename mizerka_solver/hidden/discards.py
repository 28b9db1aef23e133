"""The best exchange from one hand, by sampling: discards are raced over sampled worlds.

All candidates are tried on the same worlds, and the luck of their draws (luck.py) is taken off their results. After
each round those that are worse than the leader beyond chance drop out, and the rest go on to more worlds: successive
elimination with paired differences. What the values mean, and what
they leave out, stands in samples.py; which worlds there are, in draws.py.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.cards import Card, Hand, Suit
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import Contract, Seat, exchange, seat_points
from mizerka_solver.hidden.draws import ExchangeWorlds, World, world_generator
from mizerka_solver.hidden.luck import Draw
from mizerka_solver.hidden.samples import SampleLoop, Sampling
from mizerka_solver.hidden.situation import Situation
from mizerka_solver.policy.quick import choose_discards, estimated_exchange, version
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.statistics import Mean, t_quantile

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FIRST_ROUND = 8  # worlds for every candidate; each round doubles the number so far
MIZERKA_MARGIN = 0.5  # points; a mizerka takes twenty times as long to solve
ERROR_RATE = 0.05  # of a race: the chance, about, that the best candidate is dropped


@dataclass(frozen=True, slots=True)
class Candidate:
    """One way to exchange. points: mean of what was asked for, the luck of the draw taken off. target_chance: share of
    worlds that reach the target, as they are.

    behind: how far behind the best, on the same worlds. ruled_out: dropped, as that is more than chance explains.
    is_policy, is_stand: whether it is what the quick policy does, and whether nothing is discarded.
    """

    discards: tuple[Card, ...]
    points: Mean
    target_chance: float
    behind: Mean
    ruled_out: bool
    is_policy: bool
    is_stand: bool

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON fields."""
        return {
            "discard": [str(card) for card in self.discards],
            **self.points.as_dict(),
            "target_chance": round(self.target_chance, 3),
            "behind": {"mean": self.behind.as_dict()["mean"], "se": self.behind.as_dict()["se"]},
            "ruled_out": self.ruled_out,
            "policy": self.is_policy,
            "stand": self.is_stand,
        }


@dataclass(frozen=True, slots=True)
class ExchangeReport:
    """The race's end: candidates, the best first, then those ruled out; `started` of them entered.

    value: "guaranteed" or "par". stopped: None, or "time" or "interrupted" when not all worlds were done.
    policy_version: the weights the other seats exchanged by. named_share: where forehand's choice counts, how many of
    how many previews fit it.
    """

    situation: Situation
    value: str
    samples: int
    seed: int
    candidates: tuple[Candidate, ...]
    stopped: str | None
    policy_version: int
    named_share: tuple[int, int] | None = None

    @property
    def best(self) -> Candidate:
        """The candidate with the highest mean of those not ruled out; on a tie the fewest cards."""
        return self.candidates[0]

    @property
    def n_left(self) -> int:
        """How many candidates were not ruled out."""
        return sum(not candidate.ruled_out for candidate in self.candidates)

    def as_dict(self, top: int = 5) -> dict[str, Any]:
        """Return the JSON object of `mizerka exchange --hand`, with the best `top` candidates, policy and stand."""
        asked = self.situation
        return {
            "hand": str(asked.hand),
            "contract": asked.contract.name,
            "seat": asked.seat.name,
            "exchanged": list(asked.exchanged),
            "value": self.value,
            "samples": self.samples,
            "seed": self.seed,
            "policy_version": self.policy_version,
            "stopped": self.stopped,
            "started": len(self.candidates),
            "left": self.n_left,
            **(
                {}
                if self.named_share is None
                else {"previews": dict(zip(("fit", "all"), self.named_share, strict=True))}
            ),
            "candidates": [candidate.as_dict() for candidate in self.shown(top)],
        }

    def shown(self, top: int) -> list[Candidate]:
        """Return the best `top` candidates, and what the policy does and standing pat wherever they ended."""
        return [c for i, c in enumerate(self.candidates) if i < top or c.is_policy or c.is_stand]


def undominated_discards(hand: Hand, contract: Contract, n_available: int) -> list[tuple[Card, ...]]:
    """Return the discards worth trying, each suit's lowest cards (in mizerka its highest), 0 to all of them.

    Of two discards that take as many cards from every suit, the one that keeps the higher cards (mizerka: the lower
    ones) is taken to be no worse on average. In single worlds there are exceptions, such as a high card that is thrown
    in; docs/hidden-cards.md has their measured number.

    >>> len(undominated_discards(Hand("AKT973.A4.52.Q63"), Contract.S, 13))
    252
    """
    choices = []
    for suit in Suit:
        cards = [card for card in hand if card.suit is suit]  # from high to low
        if not contract.is_mizerka:
            cards.reverse()
        choices.append([tuple(cards[:n]) for n in range(len(cards) + 1)])
    discards = [sum(parts, ()) for parts in itertools.product(*choices)]
    return [cards for cards in discards if len(cards) <= n_available]


def default_margin(contract: Contract) -> float | None:
    """Return the margin of `mizerka exchange --hand` when none is given: half a point in mizerka, else none."""
    return MIZERKA_MARGIN if contract.is_mizerka else None


def forecast_exchange(
    situation: Situation,
    sampling: Sampling = Sampling(),  # noqa: B008 - immutable
    *,
    value: str = "guaranteed",
    margin: float | None = None,
) -> ExchangeReport:
    """Race the discards of a hand over sampled worlds.

    value: "guaranteed" points of the seat (one search a world) or its "par" (three searches, nearer to what happens
    when the others do not play as one). margin: begin only with discards that the quick policy thinks at most so many
    points worse than its own choice; None: with all undominated ones. Ctrl-C and the time limit end the race early,
    with what is done; raises KeyboardInterrupt or MizerkaError when no world was finished.

    >>> from mizerka_solver.game.rules import Variant
    >>> asked = Situation(Hand("A2.4.-.3"), Contract.S, variant=Variant(4, 2, (2, 1, 1), (1, 1, 2)))
    >>> forecast_exchange(asked, Sampling(32)).best.discards
    (Card('H4'), Card('C3'))
    """
    if value not in ("guaranteed", "par"):
        raise MizerkaError("guaranteed or par", field="value", token=value)
    return _Race(situation, sampling, value, margin).run()


class AfterExchange:
    """A world as it is after the player's discards, any of them, and the later exchanges.

    The player draws from the front of the talon. Later seats draw from its far end, first M, then R: unseen cards
    are as likely there, and what they get depends as little as possible on how many the player takes, which makes
    differences between discards less noisy.
    """

    def __init__(self, situation: Situation, world: World) -> None:
        self._situation = situation
        self._hands = [Hand.from_mask(mask) for mask in world.hands]
        self._talon = tuple(map(Card.from_bit, world.talon))
        self._later: dict[int, list[Hand]] = {}

    def position(self, discards: Sequence[Card]) -> Position:
        """Return the start of play."""
        asked = self._situation
        hand, left = exchange(self._hands[asked.seat], self._talon, discards)
        if len(discards) not in self._later:
            self._later[len(discards)] = self._later_hands(left)
        hands = [*self._hands[: asked.seat], hand, *self._later[len(discards)]]
        return Deal.from_hands(hands).position(asked.contract)

    def _later_hands(self, left: tuple[Card, ...]) -> list[Hand]:
        asked = self._situation
        far_end = left[::-1]
        hands = []
        for seat in list(Seat)[asked.seat + 1 :]:
            discards = choose_discards(self._hands[seat], asked.contract, seat, len(far_end))
            hand, far_end = exchange(self._hands[seat], far_end, discards)
            hands.append(hand)
        return hands


class _Race:
    """Candidates, their values on every world so far, and who is still in."""

    def __init__(self, situation: Situation, sampling: Sampling, value: str, margin: float | None) -> None:
        self.situation, self.sampling, self.value = situation, sampling, value
        hand, contract, seat, n = situation.hand, situation.contract, situation.seat, situation.n_available
        self.policy = Hand.from_cards(choose_discards(hand, contract, seat, n)).mask
        started = undominated_discards(hand, contract, n)
        if margin is not None:
            worth = [estimated_exchange(hand, contract, seat, cards) for cards in started]
            started = [c for c, w in zip(started, worth, strict=True) if not c or w >= max(worth) - margin]
        if not any(_mask(cards) == self.policy for cards in started):
            started.append(tuple(Hand.from_mask(self.policy)))
        # The policy's choice first: its value is the guess for the others.
        self.started = sorted(started, key=lambda cards: (_mask(cards) != self.policy, len(cards)))
        self.alive = list(range(len(self.started)))
        self.worlds = ExchangeWorlds(situation)
        # If worlds were left out for what forehand named, not all cards are as likely to be drawn.
        self.draw = None if situation.conditioned else Draw(hand, contract, seat)
        self.values: list[list[tuple[float, bool]]] = [[] for _ in self.started]
        self.done = 0

    def run(self) -> ExchangeReport:
        """Run rounds until all worlds are done."""
        n_rounds = max(1, math.ceil(math.log2(max(self.sampling.samples / FIRST_ROUND, 1))) + 1)
        level = ERROR_RATE / (n_rounds * len(self.started))
        loop = SampleLoop(self.sampling)
        goal = FIRST_ROUND
        while self.done < self.sampling.samples and loop.stopped is None:
            worlds = range(self.done, min(goal, self.sampling.samples))
            for results in loop.results(self._solve, worlds):
                for i, result in zip(self.alive, results, strict=True):
                    self.values[i].append(result)
                self.done += 1
            goal = 2 * goal
            if self.done > 1:
                self._drop(level)
        if not self.done:
            raise MizerkaError("no sample finished within the time limit")
        return self._report(loop.stopped)

    def _solve(self, solver: Solver, number: int) -> list[tuple[float, bool]]:
        """Return points, and whether the target is reached, of every candidate still in, in one world."""
        asked = self.situation
        world = self.worlds.draw(world_generator(self.sampling.seed, number))
        after = AfterExchange(asked, world)
        results = []
        guess: int | None = None
        for i in self.alive:
            position = after.position(self.started[i])
            if self.value == "par":
                found = solver.value(position, variant=asked.variant)
                points, worth = found.points[asked.seat], found.par[asked.seat]
            else:
                tricks = solver.guaranteed(position, asked.seat, guess)
                guess = tricks if guess is None else guess
                points = worth = seat_points(asked.contract, asked.seat, tricks, asked.variant)
            luck = self.draw.luck(self.started[i], position.masks[asked.seat]) if self.draw else 0.0
            results.append((worth - luck, points >= 0))
        return results

    def _drop(self, level: float) -> None:
        """Drop who is worse than the leader by more than chance explains, at this one-sided level for each test."""
        import numpy as np

        table = np.array([[worth for worth, _ in self.values[i]] for i in self.alive])
        behind = table[self._leader(table)] - table
        n = self.done
        # One more observation of a whole point: eight equal differences do not mean that there is no variance.
        variance = behind.var(axis=1, ddof=1) + 1 / n
        bound = t_quantile(1 - level, n - 1) * np.sqrt(variance / n)
        self.alive = [i for i, out in zip(self.alive, behind.mean(axis=1) > bound, strict=True) if not out]

    def _leader(self, table: NDArray[np.float64]) -> int:
        means = table.mean(axis=1)
        return max(range(len(means)), key=lambda i: (round(float(means[i]), 9), -len(self.started[self.alive[i]])))

    def _report(self, stopped: str | None) -> ExchangeReport:
        means = [Mean.of([worth for worth, _ in values]) for values in self.values]
        alive = set(self.alive)

        def rank(i: int) -> tuple[bool, float, int]:
            return i not in alive, -round(means[i].mean, 9), len(self.started[i])

        order = sorted(range(len(self.started)), key=rank)
        best = self.values[order[0]]
        candidates = []
        for i in order:
            values = self.values[i]
            behind = [first[0] - own[0] for first, own in zip(best, values, strict=False)]
            chance = sum(reached for _, reached in values) / len(values)
            cards = self.started[i]
            flags = i not in alive, _mask(cards) == self.policy, not cards
            candidates.append(Candidate(cards, means[i], chance, Mean.of(behind), *flags))
        return ExchangeReport(
            self.situation,
            self.value,
            self.done,
            self.sampling.seed,
            tuple(candidates),
            stopped,
            version(),
            None if self.worlds.previews is None else self.worlds.previews.counts,
        )


def _mask(cards: Iterable[Card]) -> int:
    return sum(card.mask for card in cards)
