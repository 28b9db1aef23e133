"""What a batch costs beside the search: `python benchmarks/bench_batch.py --deals 2000`, on an idle machine.

The work is the 18-value table of random deals. Each arm is the whole command, start of the interpreter and of workers
included, in a process of its own; arms take turns, so that a slower spell of the machine meets all of them. "search" is
one loop over one Solver in one thread that writes nothing, "2 searches" is that loop twice at once, each over half of
the deals: what two cores of the machine give anything. Efficiency is the rate against twice that of one thread. Where
others work on the machine the clock says little; then look at the processor time, here that of all processes of an arm
for a deal: what an arm costs over the search, and what a million deals cost, are from it. Memory is the most that all
processes of an arm had together (resident, pages shared by them counted in each).
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from statistics import median

# Arguments: a file of deals, the number of loops over shares of it.
LOOP = """
import os, sys
from itertools import islice
from pathlib import Path
from mizerka_solver import Solver, read_deals
n, share = int(sys.argv[2]), 0
if n == 2 and os.fork() == 0:
    share = 1
solver = Solver(memory="256M")
for deal in islice(read_deals(Path(sys.argv[1])), share, None, n):
    solver.solve(deal)
if n == 2 and share == 0:
    os.wait()
"""
COMMAND = [sys.executable, "-m", "mizerka_solver.cli", "solve", "--memory", "512M", "--no-progress"]
ARMS = {
    "1 thread": ["-t", "1"],
    "2 threads": ["-t", "2"],
    "2 loky processes": ["-t", "2", "--backend", "loky"],
    "2 Dask workers": ["-t", "2", "--backend", "dask"],
}
SEARCH, CEILING = "search", "2 searches"


@dataclass(frozen=True, slots=True)
class Run:
    """What an arm took: seconds by the clock, seconds of processors, and bytes of memory at most."""

    seconds: float
    processor_seconds: float
    peak_bytes: int


def resident(root: int) -> int:
    """Return the bytes that a process and its descendants have in memory now."""
    children: dict[int, list[int]] = {}
    sizes: dict[int, int] = {}
    for status in Path("/proc").glob("[0-9]*/status"):
        try:
            fields = dict(line.split(":", 1) for line in status.read_text().splitlines() if ":" in line)
        except OSError:  # it has ended
            continue
        pid = int(status.parent.name)
        children.setdefault(int(fields["PPid"]), []).append(pid)
        sizes[pid] = int(fields.get("VmRSS", "0 kB").split()[0]) << 10
    total, todo = 0, [root]
    while todo:
        pid = todo.pop()
        total += sizes.get(pid, 0)
        todo += children.get(pid, [])
    return total


def run(name: str, deals: Path, output: Path) -> tuple[Run, str]:
    """Return what an arm took, and what it wrote, in short."""
    output.unlink(missing_ok=True)
    command = [sys.executable, "-c", LOOP, str(deals), "2" if name == CEILING else "1"]
    if name in ARMS:
        command = [*COMMAND, str(deals), "-o", str(output), *ARMS[name]]
    before, start, peak = os.times(), time.monotonic(), 0
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, resident(process.pid))
            time.sleep(0.1)
        seconds, after = time.monotonic() - start, os.times()
    if process.returncode:
        raise SystemExit(f"{name}: exit status {process.returncode}")
    used = after.children_user - before.children_user + after.children_system - before.children_system
    digest = hashlib.sha256(output.read_bytes()).hexdigest()[:12] if output.exists() else ""
    return Run(seconds, used, peak), digest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    args = parser.parse_args()
    runs: dict[str, list[Run]] = {name: [] for name in (SEARCH, *ARMS, CEILING)}
    with tempfile.TemporaryDirectory() as folder:
        deals, output = Path(folder) / "deals.txt", Path(folder) / "values.jsonl"
        deal = ["deal", "-n", str(args.deals), "--seed", str(args.seed), "-o", str(deals)]
        subprocess.run([sys.executable, "-m", "mizerka_solver.cli", *deal], check=True)
        written = set()
        for _ in range(args.rounds):
            for name, done in runs.items():
                took, digest = run(name, deals, output)
                done.append(took)
                written |= {digest} - {""}
    if len(written) != 1:
        raise SystemExit(f"the arms wrote {len(written)} different files")
    found = {name: middle(done) for name, done in runs.items()}
    if args.json:
        print(json.dumps({"deals": args.deals, "arms": {name: asdict(took) for name, took in found.items()}}))
        return
    print_table(args.deals, found)


def middle(runs: list[Run]) -> Run:
    """Return the median times of an arm, and its most memory."""
    times = median(run.seconds for run in runs), median(run.processor_seconds for run in runs)
    return Run(*times, max(run.peak_bytes for run in runs))


def print_table(n_deals: int, found: dict[str, Run]) -> None:
    print(
        f"| {n_deals:,} deals, 18 values | deals/s | efficiency | processor ms a deal | over the search | memory "
        "| core-hours a million |"
    )
    print("| --- | ---: | ---: | ---: | ---: | ---: | ---: |")
    searched = found[SEARCH].processor_seconds
    for name, took in found.items():
        one = found[SEARCH] if name == CEILING else found["1 thread"]
        efficiency = f"{one.seconds / took.seconds / 2:.2f}" if name.startswith("2") else ""
        over = f"{took.processor_seconds / searched - 1:+.1%}" if name != SEARCH else ""
        a_deal = took.processor_seconds / n_deals
        rate, memory = f"{n_deals / took.seconds:.1f}", f"{took.peak_bytes / 2**20:.0f} MB"
        cells = [name, rate, efficiency, f"{a_deal * 1000:.1f}", over, memory, f"{a_deal * 1e6 / 3600:.1f}"]
        print(f"| {' | '.join(cells)} |")


if __name__ == "__main__":
    main()
