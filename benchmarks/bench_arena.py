"""Speed of whole arena runs with three rule-based bots, as a user types them: `python benchmarks/bench_arena.py`.

Each run is the command in a process of its own, records written to a file. Counted is processor time, start of the
interpreter and imports included, so that other work on the machine matters less.
"""

from __future__ import annotations

import argparse
import hashlib
import os
import subprocess
import sys
import tempfile
from pathlib import Path

COMMAND = [sys.executable, "-m", "mizerka_solver.cli", "arena", "--bot", "rule", "--bot", "rule", "--bot", "rule"]
DEALS_A_BOARD = 6
DEALS_A_GAME = 18


def kinds(n_deals: int) -> dict[str, list[str]]:
    """Options of about so many deals."""
    boards, games = -(-n_deals // DEALS_A_BOARD), -(-n_deals // (DEALS_A_BOARD * DEALS_A_GAME))
    return {
        "duplicate": ["--deals", str(boards)],
        "each deal once": ["--deals", str(n_deals), "--no-duplicate"],
        "games": ["--deals", str(games), "--games"],
    }


def run(options: list[str], path: Path) -> float:
    """Return the processor seconds of a run that writes records to `path`."""
    path.unlink(missing_ok=True)
    before = os.times()
    subprocess.run([*COMMAND, "--seed", "1", *options, "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--runs", type=int, default=5)
    args = parser.parse_args()
    print(f"{'':16}{'deals':>6}{'best s':>8}{'worst s':>9}{'deals/s, best and worst':>25}  records")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        for name, options in kinds(args.deals).items():
            seconds = [run(options, path) for _ in range(args.runs)]
            written = path.read_bytes()
            n, best, worst = written.count(b"\n"), min(seconds), max(seconds)
            rates = f"{n / best:,.0f} {n / worst:,.0f}"
            digest = hashlib.sha256(written).hexdigest()[:12]
            print(f"{name:16}{n:6}{best:8.2f}{worst:9.2f}{rates:>25}  {digest}")


if __name__ == "__main__":
    main()
