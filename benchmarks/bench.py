"""Speed of solving and of the whole command, on fixed deals, one thread: `python benchmarks/bench.py [--deals N]`.

Values are searched from an empty table each, as in `mizerka bench`, which this extends by what one process start,
one import and one command cost. "15 values" are the suit and no-trump values of one deal together, table kept.
"""

from __future__ import annotations

import argparse
import resource
import statistics
import subprocess
import sys
import time
from random import Random

from mizerka_solver import Contract, Deal, Solver
from mizerka_solver.double_dummy.bench import SEED, run_bench

COMMAND = [sys.executable, "-m", "mizerka_solver.cli", "solve", "--random", "--seed"]


def wall_times(command: list[str], runs: int) -> list[float]:
    times = []
    for run in range(runs):
        full = [*command, str(run + 1)] if command is COMMAND else command
        start = time.perf_counter()
        subprocess.run(full, check=True, stdout=subprocess.DEVNULL)
        times.append(time.perf_counter() - start)
    return times


def show(name: str, values: list[float], unit: str) -> None:
    figures = f"mean {statistics.mean(values):8.2f}  median {statistics.median(values):8.2f}  max {max(values):8.2f}"
    print(f"{name:34} {figures} {unit}")


def deal_times(n_deals: int) -> tuple[list[float], list[float]]:
    """Milliseconds a deal for the 15 suit and no-trump values, and for all 18, from an empty table."""
    solver, generator = Solver(), Random(SEED)
    fifteen, eighteen = [], []
    for _ in range(n_deals):
        deal = Deal.random(generator)
        solver.clear()
        start = time.perf_counter()
        solver.solve(deal, [contract for contract in Contract if not contract.is_mizerka])
        middle = time.perf_counter()
        solver.solve(deal, "M")
        fifteen.append(1000 * (middle - start))
        eighteen.append(1000 * (time.perf_counter() - start))
    return fifteen, eighteen


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=30)
    parser.add_argument("--runs", type=int, default=5, help="starts of the whole command")
    args = parser.parse_args()
    result = run_bench(args.deals)
    print(f"{result.n_deals} deals, build {result.build}, node signature {result.signature}")
    for kind in result.kinds:
        show(f"{kind.kind}, one contract (3 values)", list(kind.milliseconds), "ms")
        print(f"{'':34} {kind.nodes / len(kind.milliseconds) / 3:,.0f} nodes a value")
    print("rates:", ", ".join(f"{name} {value}" for name, value in result.rates.items()))
    fifteen, eighteen = deal_times(args.deals)
    show("15 values of a deal", fifteen, "ms")
    show("18 values of a deal", eighteen, "ms")
    show("import mizerka_solver, process", wall_times([sys.executable, "-c", "import mizerka_solver"], args.runs), "s")
    show("empty process", wall_times([sys.executable, "-c", "pass"], args.runs), "s")
    show("mizerka solve, one deal", wall_times(COMMAND, args.runs), "s")
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"{'peak memory of the commands':34} {peak:.0f} MB")


if __name__ == "__main__":
    main()
