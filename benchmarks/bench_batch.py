"""What a batch costs beside the search: `python benchmarks/bench_batch.py --deals 2000`, on an idle machine.

The work is the 18-value table of random deals. Each arm is the whole command, start of the interpreter and of workers
included, in a process of its own; arms take turns, so that a slower spell of the machine meets all of them. "search" is
one loop over one Solver in one thread that writes nothing. Memory is the most that all processes of an arm had
together (resident, pages shared by them counted in each). Efficiency is the rate against twice that of one thread.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import subprocess
import sys
import tempfile
import time
from pathlib import Path
from statistics import median

LOOP = """
import sys
from pathlib import Path
from mizerka_solver import Solver, read_deals
solver = Solver(memory="256M")
for deal in read_deals(Path(sys.argv[1])):
    solver.solve(deal)
"""
COMMAND = [sys.executable, "-m", "mizerka_solver.cli", "solve", "--memory", "512M", "--no-progress"]
ARMS = {
    "1 thread": ["-t", "1"],
    "2 threads": ["-t", "2"],
    "2 loky processes": ["-t", "2", "--backend", "loky"],
    "2 Dask workers": ["-t", "2", "--backend", "dask"],
}
SEARCH = "search"


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


def run(name: str, deals: Path, output: Path) -> tuple[float, int, str]:
    """Return the seconds an arm takes, its peak memory, and what it wrote, in short."""
    output.unlink(missing_ok=True)
    command = [sys.executable, "-c", LOOP, str(deals)]
    if name in ARMS:
        command = [*COMMAND, str(deals), "-o", str(output), *ARMS[name]]
    start, peak = time.monotonic(), 0
    with subprocess.Popen(command, stderr=subprocess.DEVNULL) as process:
        while process.poll() is None:
            peak = max(peak, resident(process.pid))
            time.sleep(0.2)
        seconds = time.monotonic() - start
    if process.returncode:
        raise SystemExit(f"{name}: exit status {process.returncode}")
    return seconds, peak, hashlib.sha256(output.read_bytes()).hexdigest()[:12] if output.exists() else ""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=400)
    parser.add_argument("--rounds", type=int, default=1)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--json", action="store_true", help="print the figures as one JSON object")
    args = parser.parse_args()
    times: dict[str, list[float]] = {name: [] for name in (SEARCH, *ARMS)}
    peaks = dict.fromkeys(times, 0)
    with tempfile.TemporaryDirectory() as folder:
        deals, output = Path(folder) / "deals.txt", Path(folder) / "values.jsonl"
        deal = ["deal", "-n", str(args.deals), "--seed", str(args.seed), "-o", str(deals)]
        subprocess.run([sys.executable, "-m", "mizerka_solver.cli", *deal], check=True)
        written = set()
        for _ in range(args.rounds):
            for name, seconds in times.items():
                took, peak, digest = run(name, deals, output)
                seconds.append(took)
                peaks[name] = max(peaks[name], peak)
                written |= {digest} - {""}
    if len(written) != 1:
        raise SystemExit(f"the arms wrote {len(written)} different files")
    found = {name: median(seconds) for name, seconds in times.items()}
    if args.json:
        print(json.dumps({"deals": args.deals, "seconds": found, "peak_bytes": peaks}))
        return
    print_table(args.deals, found, peaks)


def print_table(n_deals: int, found: dict[str, float], peaks: dict[str, int]) -> None:
    print(f"| {n_deals:,} deals, 18 values | deals/s | efficiency | over the search | memory | core-hours a million |")
    print("| --- | ---: | ---: | ---: | ---: | ---: |")
    for name, seconds in found.items():
        cores = 2 if name.startswith("2") else 1
        efficiency = f"{found['1 thread'] / seconds / 2:.2f}" if cores == 2 else ""
        over = f"{seconds / found[SEARCH] - 1:+.1%}" if name == "1 thread" else ""
        hours = seconds * cores / n_deals * 1e6 / 3600
        rate = f"{n_deals / seconds:.1f}"
        print(f"| {name} | {rate} | {efficiency} | {over} | {peaks[name] / 2**20:.0f} MB | {hours:.1f} |")


if __name__ == "__main__":
    main()
