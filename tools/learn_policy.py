"""Learn the policy of the cards: label positions of self-play by the search, fit nine small nets to the labels.

    python tools/learn_policy.py label --deals 1500 --seed 1 -o labels.npz      several may run at a time, other seeds
    python tools/learn_policy.py fit labels*.npz -o mizerka_solver/policy/learned.bin

In `label` deals are played by a population: each seat of each deal by the search, by rule, or by the nets of an earlier
round (where there are), and one card in ten is any legal one. Every decision with a choice is labelled by the search:
mean points of each choice over the same worlds. In `fit` each net learns to choose so that little is lost on average
(expected regret of a softmax over the choices, and the square error of points to keep it in scale). Numpy only.
"""

from __future__ import annotations

import argparse
import sys
from pathlib import Path
from random import Random

import numpy as np

from mizerka_solver.bots import RuleBot, Searcher, Table
from mizerka_solver.bots.sampling import similar_cards
from mizerka_solver.core import RaceKind
from mizerka_solver.game.cards import Card
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.game.rules import Contract
from mizerka_solver.hidden.view import EXCHANGE, View
from mizerka_solver.policy.compiled import nets

# fmt: off
FEATURES = (
    "others above", "none above", "one above", "others below", "own cards", "others' cards", "own above", "own below",
    "trump", "own trumps", "trumps out", "wins so far", "wins", "rank", "singleton with trumps", "given away below",
    "gap to what wins", "suit exhausted", "card of the rules", "void to come", "may be ruffed", "guarded honour",
    "second to play", "tricks left", "none below", "above what wins", "ruffed already", "sure cards", "own lowest",
    "others below own", "legal cards", "1",
)
# fmt: on
N_NETS, N_HIDDEN, SCALE, HIDDEN_SHIFT = 9, 32, 1 << 10, 4
MOST_CHOICES = 13
RANDOM_SHARE = 0.1
TEMPERATURE = 0.15  # points
POPULATION = ("search", "search", "rule", "learned")


def label(args: argparse.Namespace) -> None:
    """Play deals and write the decisions: net, number of choices, features, mean points."""
    searcher, rule = Searcher(args.worlds), RuleBot()
    rows: list[tuple[int, np.ndarray, np.ndarray]] = []
    has_nets = nets() is not None
    for number in range(args.deals):
        random = Random((args.seed << 32) + number)
        kinds = [POPULATION[int(random.random() * (len(POPULATION) - (not has_nets)))] for _ in range(3)]
        table = Table(deal_seeded((args.seed << 32) + number).deal, remaining=(list(Contract)[number % 6],))
        while not table.is_over:
            view = table.view()
            if view.phase == EXCHANGE:
                table.exchange(rule.exchange(view))
            elif len(similar_cards(view)) == 1:
                table.play(view.legal[0])
            else:
                table.play(decide(view, kinds[view.seat], searcher, random, has_nets, rows))
        if number % 100 == 99:
            print(f"{number + 1} deals, {len(rows)} decisions", file=sys.stderr)
    counts = np.array([len(points) for _, _, points in rows], np.int8)
    np.savez_compressed(
        args.output,
        net=np.array([net for net, _, _ in rows], np.int8),
        count=counts,
        features=np.concatenate([features for _, features, _ in rows]).astype(np.int8),
        points=np.concatenate([points for _, _, points in rows]).astype(np.float32),
    )


def decide(view: View, kind: str, searcher: Searcher, random: Random, has_nets: bool, rows: list) -> Card:
    """Label a decision and return the card to play."""
    groups = similar_cards(view)
    bits = [group[-1].bit for group in groups]
    race = searcher.race(view, RaceKind.CARDS, bits, [0] * len(bits), int(random.random() * (1 << 53)))
    race.run(searcher.worlds)
    net, described = race.question.features()
    features = dict(described)
    points = np.array([sum(race.values(i)) / race.n_worlds for i in range(len(bits))])
    rows.append((net, np.array([features[bit] for bit in bits]), points))
    if random.random() < RANDOM_SHARE:
        return view.legal[int(random.random() * len(view.legal))]
    if kind == "rule":
        return RuleBot().play(view)
    return Card.from_bit(race.question.net_card() if kind == "learned" else bits[race.leader])


# Fitting


def padded(paths: list[Path]) -> tuple[np.ndarray, np.ndarray, np.ndarray, np.ndarray]:
    """Return nets, features [decision, choice, feature], regrets [decision, choice], and which choices there are."""
    parts = [np.load(path) for path in paths]
    net = np.concatenate([part["net"] for part in parts])
    count = np.concatenate([part["count"] for part in parts]).astype(int)
    flat = np.concatenate([part["features"] for part in parts])
    points = np.concatenate([part["points"] for part in parts])
    there = np.arange(MOST_CHOICES) < count[:, None]
    features = np.zeros((len(net), MOST_CHOICES, len(FEATURES)), np.float32)
    features[there] = flat
    regret = np.zeros((len(net), MOST_CHOICES), np.float32)
    regret[there] = points
    regret = np.where(there, np.max(np.where(there, regret, -99), axis=1, keepdims=True) - regret, 0)
    return net, features, regret, there


class Net:
    """One hidden layer, rectified; trained by Adam on scaled features, which are folded into the weights at the end."""

    def __init__(self, features: np.ndarray, there: np.ndarray, random: np.random.Generator) -> None:
        used = features[there]
        self.mean, self.deviation = used.mean(axis=0), used.std(axis=0) + 1e-3
        self.mean[-1], self.deviation[-1] = 0, 1
        n = len(FEATURES)
        first, last = random.normal(0, n**-0.5, (n, N_HIDDEN)), random.normal(0, N_HIDDEN**-0.5, (N_HIDDEN,))
        self.weights = [first.astype(np.float32), last.astype(np.float32)]
        self.moments = [[np.zeros_like(w), np.zeros_like(w)] for w in self.weights]
        self.steps = 0

    def values(self, x: np.ndarray) -> tuple[np.ndarray, np.ndarray]:
        hidden = np.maximum(x @ self.weights[0], 0)
        return hidden, hidden @ self.weights[1]

    def step(self, x: np.ndarray, regret: np.ndarray, there: np.ndarray, rate: float) -> None:
        hidden, value = self.values(x)
        logits = np.where(there, value / TEMPERATURE, -1e9)
        share = np.exp(logits - logits.max(axis=1, keepdims=True))
        share /= share.sum(axis=1, keepdims=True)
        expected = (share * regret).sum(axis=1, keepdims=True)
        slope = share * (regret - expected) / TEMPERATURE
        n = there.sum(axis=1, keepdims=True)
        wanted = -regret + (regret * there).sum(axis=1, keepdims=True) / n
        error = np.where(there, value - (value * there).sum(axis=1, keepdims=True) / n - wanted, 0)
        slope = (slope + 0.3 * error / n * 2) / len(x)
        back = slope[..., None] * self.weights[1] * (hidden > 0)
        gradients = [np.einsum("dcf,dch->fh", x, back), np.einsum("dc,dch->h", slope, hidden)]
        self.steps += 1
        for weight, moment, gradient in zip(self.weights, self.moments, gradients, strict=True):
            moment[0] += 0.1 * (gradient + 1e-5 * weight - moment[0])
            moment[1] += 0.001 * (gradient**2 - moment[1])
            first, second = moment[0] / (1 - 0.9**self.steps), moment[1] / (1 - 0.999**self.steps)
            weight -= rate * first / (np.sqrt(second) + 1e-8)

    def whole(self) -> np.ndarray:
        """Return the weights as the core has them, int16: rows of the hidden layer, then the last layer."""
        first = self.weights[0] / self.deviation[:, None]
        first[-1] -= (self.mean / self.deviation) @ self.weights[0]
        rows = np.round(first.T * SCALE)
        last = np.round(self.weights[1] * SCALE)
        return np.clip(np.concatenate([rows.reshape(-1), last]), -32767, 32767).astype(np.int16)


def chosen_by(whole: np.ndarray, features: np.ndarray, there: np.ndarray) -> np.ndarray:
    """Return the choices of a net in whole numbers, as the core computes it."""
    n = len(FEATURES)
    first, last = whole[: n * N_HIDDEN].reshape(N_HIDDEN, n).astype(np.int64), whole[n * N_HIDDEN :].astype(np.int64)
    hidden = np.clip(np.maximum(features.astype(np.int64) @ first.T, 0) >> HIDDEN_SHIFT, 0, 4095)
    return np.argmax(np.where(there, hidden @ last, -(1 << 60)), axis=1)


def fit(args: argparse.Namespace) -> None:
    """Fit the nets, say what they lose on decisions not fitted to, and write them."""
    net, features, regret, there = padded(args.labels)
    random = np.random.default_rng(args.seed)
    found = []
    for number in range(N_NETS):
        mine = np.flatnonzero(net == number)
        held_out, train = mine[::10], np.delete(mine, np.s_[::10])
        model = Net(features[train], there[train], random)
        # Of its own decisions only, and in single precision: three times as fast.
        x = ((features[train] - model.mean) / model.deviation * there[train][..., None]).astype(np.float32)
        lost_by, some = regret[train], there[train]
        for epoch in range(args.epochs):
            rate = args.rate * (1 - epoch / args.epochs)
            order = random.permutation(len(train))
            for start in range(0, len(order) - 127, 128):
                part = order[start : start + 128]
                model.step(x[part], lost_by[part], some[part], rate)
        whole = model.whole()
        found.append(whole)
        rules = features[held_out, :, 18].argmax(axis=1)
        rows = np.arange(len(held_out))
        lost = regret[held_out][rows, chosen_by(whole, features[held_out], there[held_out])].mean()
        by_rule = regret[held_out][rows, rules].mean()
        print(f"net {number}: {len(mine)} decisions, lost by the net {lost:.4f}, by rule {by_rule:.4f} points each")
    Path(args.output).write_bytes(np.concatenate(found).astype("<i2").tobytes())


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(required=True)
    labels = commands.add_parser("label")
    labels.add_argument("--deals", type=int, default=1500)
    labels.add_argument("--worlds", type=int, default=300)
    labels.add_argument("--seed", type=int, default=1)
    labels.add_argument("-o", "--output", required=True)
    labels.set_defaults(run=label)
    fits = commands.add_parser("fit")
    fits.add_argument("labels", nargs="+", type=Path)
    fits.add_argument("--epochs", type=int, default=40)
    fits.add_argument("--rate", type=float, default=0.003)
    fits.add_argument("--seed", type=int, default=1)
    fits.add_argument("-o", "--output", required=True)
    fits.set_defaults(run=fit)
    args = parser.parse_args()
    args.run(args)


if __name__ == "__main__":
    main()
