"""Fit the move-ordering weights (cext/order_weights.h) by random perturbation on generated positions.

    python benchmarks/fit_order.py KIND SECONDS [--cards 11] [--solves 200] [--seed 1] [--write]

KIND is no_trump, trump or mizerka. One to three weights at a time are changed; a change is kept if the sum over all
solves of (nodes + 100) ** 0.7 falls, and it is confirmed on the next, fresh set of positions (sets are exchanged every
few minutes so that nothing is fitted to one of them). Positions are random, never those of any benchmark or case
file. With --write the header is rewritten; the extension has to be built again.
"""

from __future__ import annotations

import argparse
import random
import re
import time
from pathlib import Path

from mizerka_solver.core import Engine

HERE = Path(__file__).resolve().parent.parent / "cext"
KINDS = ("no_trump", "trump", "mizerka")


def weight_names(kind: int) -> list[str]:
    """The enum of order.pxd that names the weights of a kind, in order."""
    title = "Weights of mizerka" if kind == 2 else "Weights of suit and no-trump contracts"
    body = re.search(rf"    # {title}\.\n(.*?)\n\n", (HERE / "order.pxd").read_text(), re.S)
    assert body
    lines = [line.split("#")[0] for line in body[1].splitlines()]
    return [name.strip() for line in lines for name in line.split(",") if name.strip()][:-1]


def positions(rng: random.Random, n: int, n_cards: int, kind: int) -> list[tuple]:
    """Questions for Engine.solve: random hands of n_cards each out of the whole pack."""
    questions = []
    for _ in range(n):
        bits = [16 * suit + rank for suit in range(4) for rank in range(13)]
        rng.shuffle(bits)
        hands = [sum(1 << bit for bit in bits[i * n_cards : (i + 1) * n_cards]) for i in range(3)]
        contract = (4, rng.randrange(4), 5)[kind]
        questions.append((hands, (), rng.randrange(3), contract, rng.randrange(3)))
    return questions


def cost(engine: Engine, questions: list[tuple], at_most: float = float("inf")) -> float:
    """The sum that is to fall; gives up once it is worse than what is there."""
    total = 0.0
    for question in questions:
        engine.clear()
        total += (engine.solve(*question)[2] + 100) ** 0.7
        if total > at_most:
            break
    return total


def perturbed(rng: random.Random, weights: list[int]) -> list[int]:
    """One to three weights moved, by a share of themselves or by a step."""
    new = list(weights)
    for i in rng.sample(range(len(new)), rng.choice((1, 1, 2, 3))):
        step = rng.gauss(0, 1) * rng.choice((20, 100, 400))
        new[i] = round(new[i] * rng.uniform(0.4, 1.8)) if rng.random() < 0.4 and new[i] else round(new[i] + step)
    return new


def write_header(weights: list[list[int]]) -> None:
    """Rewrite order_weights.h with the three sets."""

    def block(kind: int) -> str:
        rows = zip(weight_names(kind), weights[kind], strict=True)
        return "{\n" + "".join(f"  /* {name} */ {value},\n" for name, value in rows) + "}"

    path = HERE / "order_weights.h"
    head = path.read_text().split("static const")[0]
    path.write_text(
        f"{head}static const int32_t ORDER_WEIGHTS[2][80] = {{\n{block(0)},\n{block(1)}}};\n"
        f"static const int32_t ORDER_WEIGHTS_MIZERKA[96] =\n{block(2)};\n#endif\n"
    )


def fit(kind: int, seconds: float, n_cards: int, n_solves: int, seed: int, save: Path | None) -> list[int]:
    rng = random.Random(seed)
    engine = Engine(64 << 20)
    best = engine.weights(kind)
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        questions = positions(rng, n_solves, n_cards, kind)
        engine.set_weights(kind, best)
        now = first = cost(engine, questions)
        until = min(end, time.monotonic() + max(seconds / 8, 120))
        tried = kept = 0
        while time.monotonic() < until:
            new = perturbed(rng, best)
            engine.set_weights(kind, new)
            tried += 1
            if (value := cost(engine, questions, now)) < now:
                best, now = new, value
                kept += 1
        print(f"{KINDS[kind]}: {tried} tried, {kept} kept, cost {first:.0f} -> {now:.0f}", flush=True)
        if save:
            save.write_text(repr(best))
    return best


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("kind", choices=KINDS)
    parser.add_argument("seconds", type=float)
    parser.add_argument("--cards", type=int, default=11)
    parser.add_argument("--solves", type=int, default=200)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--save", type=Path, help="keep the best weights so far in this file")
    parser.add_argument("--write", action="store_true", help="rewrite cext/order_weights.h at the end")
    args = parser.parse_args()
    kind = KINDS.index(args.kind)
    best = fit(kind, args.seconds, args.cards, args.solves, args.seed, args.save)
    for name, value in zip(weight_names(kind), best, strict=True):
        print(f"{name:28} {value:6}")
    if args.write:
        engine = Engine(1 << 20)
        write_header([best if k == kind else engine.weights(k) for k in range(3)])


if __name__ == "__main__":
    main()
