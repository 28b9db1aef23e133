"""Time that `mizerka analyse` takes for a record, as users type it: `python benchmarks/bench_analyse.py [OPTION...]`.

Records of 13-card deals, named and played by rule-based bots and by bots at random. Each is analysed by a process of
its own, start of the interpreter and imports included, and all of a kind in one process. Counted is processor time.
OPTIONs, such as --no-contracts, are passed on.
"""

from __future__ import annotations

import argparse
import json
import os
import statistics
import subprocess
import sys
import tempfile
from pathlib import Path

COMMAND = [sys.executable, "-m", "mizerka_solver.cli"]
KINDS = {"suits": "SHDC", "no trump": "N", "mizerka": "M"}
DEALS_A_RECORD = 12  # dealt for each record wanted of a kind


def records(folder: Path, bot: str, n_records: int) -> dict[str, list[str]]:
    """Return so many lines of each kind, contracts as forehand named them."""
    path = folder / f"{bot}.jsonl"
    match = ["--bot", bot] * 3 + ["--deals", str(DEALS_A_RECORD * n_records), "--no-duplicate", "--seed", "78"]
    subprocess.run([*COMMAND, "arena", *match, "-o", str(path)], check=True, stdout=subprocess.DEVNULL)
    lines = path.read_text().splitlines()
    return {
        kind: [line for line in lines if json.loads(line)["contract"] in letters][:n_records]
        for kind, letters in KINDS.items()
    }


def seconds(path: Path, lines: list[str], options: list[str]) -> float:
    """Return the processor seconds of one analysis."""
    path.write_text("".join(f"{line}\n" for line in lines))
    before = os.times()
    subprocess.run([*COMMAND, "analyse", str(path), *options], check=True, stdout=subprocess.DEVNULL)
    after = os.times()
    return after.children_user - before.children_user + after.children_system - before.children_system


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--records", type=int, default=40)
    args, options = parser.parse_known_args()
    print(f"{'seconds':10}{'bots':8}{'records':>8}{'mean':>7}{'worst':>7}{'in one process, each':>22}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "games.jsonl"
        for bot in ("rule", "random"):
            for kind, lines in records(Path(folder), bot, args.records).items():
                times = [seconds(path, [line], options) for line in lines]
                together = seconds(path, lines, options) / len(lines)
                mean = statistics.mean(times)
                print(f"{kind:10}{bot:8}{len(lines):8}{mean:7.2f}{max(times):7.2f}{together:22.3f}", flush=True)


if __name__ == "__main__":
    main()
