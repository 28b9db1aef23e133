"""How long the exhaustive engine takes for random full deals: seconds, states and memory per contract.

    python benchmarks/bench_equilibria.py -n 20 --seed 1 [--cards 13] [-c SN] [--no-expected]

Deals are fixed by the seed. States and nodes are the signature of behaviour: they must not
change unless a change says so. Seconds are CPU seconds of the one thread.
"""

from __future__ import annotations

import argparse
import importlib
import random
import statistics
import sys
import time

try:
    import resource
except ImportError:  # Windows
    resource = None

CONTRACTS = "SHDCNM"


def random_hands(rng: random.Random, size: int) -> list[int]:
    cards = rng.sample([16 * suit + rank for suit in range(4) for rank in range(13)], 3 * size)
    return [sum(1 << card for card in cards[i::3]) for i in range(3)]


def peak_rss_mb() -> float:
    if resource is None:
        return float("nan")
    peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss
    return peak / (1 << 20) if sys.platform == "darwin" else peak / 1024


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=10, help="deals")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--cards", type=int, default=13)
    parser.add_argument("-c", "--contracts", default=CONTRACTS)
    parser.add_argument("--build", default="v3", choices=["v3", "portable"])
    parser.add_argument("--flags", type=int, default=None)
    parser.add_argument("--no-expected", action="store_true")
    parser.add_argument("--no-set", action="store_true")
    args = parser.parse_args()
    module = importlib.import_module(f"mizerka_solver.core._{args.build}._equilibrium")
    engine = module.Equilibrium(1 << 32)
    flags = module.ALL_FLAGS if args.flags is None else args.flags
    rng = random.Random(args.seed)
    deals = [random_hands(rng, args.cards) for _ in range(args.n)]
    print(f"{args.n} deals of {args.cards} cards, seed {args.seed}, build {args.build}, forehand leads")
    print(" c   mean s median    max | mean states     max | mean nodes | table MB max | ns/node  bytes/state")
    rows_all: list[tuple[float, int, int, int]] = []
    for letter in args.contracts:
        rows = []
        for hands in deals:
            start = time.thread_time()
            engine.solve(hands, [], 0, CONTRACTS.index(letter), not args.no_expected, not args.no_set, flags)
            rows.append((time.thread_time() - start, engine.states, engine.nodes, engine.bytes_used))
        report(letter, rows)
        rows_all += rows
    report("*", rows_all)
    print(f"peak resident memory {peak_rss_mb():.0f} MB")


def report(name: str, rows: list[tuple[float, int, int, int]]) -> None:
    seconds, states, nodes, size = (list(column) for column in zip(*rows, strict=True))
    size_mb = max(size) / 2**20
    print(
        f" {name} {statistics.mean(seconds):8.3f} {statistics.median(seconds):6.3f} {max(seconds):6.3f} |"
        f" {statistics.mean(states):11.0f} {max(states):7d} | {statistics.mean(nodes):10.0f} | {size_mb:12.1f}"
        f" | {1e9 * sum(seconds) / sum(nodes):7.1f} {sum(size) / sum(states):8.1f}",
        flush=True,
    )


if __name__ == "__main__":
    main()
