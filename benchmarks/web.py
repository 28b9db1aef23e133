"""How quick the page's server is: `python benchmarks/web.py`. Needs the extra web; prints one JSON object.

first table   from the start of the command to the values of a deal in six contracts
click         after the first solve of a deal: the values of every card after each card of a game, in milliseconds
visitors      20 at once, each solving a fresh deal, in seconds
memory        resident, in MB: before the first request, and after all of them
"""

from __future__ import annotations

import json
import re
import subprocess
import sys
import time
import urllib.request
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from random import Random
from statistics import median, quantiles
from typing import Any

from mizerka_solver import Deal

N_DEALS, N_VISITORS = 4, 20
SEED = 20_000


class Server:
    """`mizerka serve`, started and asked."""

    def __init__(self) -> None:
        command = [sys.executable, "-m", "mizerka_solver.cli", "serve", "--no-browser", "--port", "0"]
        self.begun = time.perf_counter()
        self.process = subprocess.Popen(command, stdout=subprocess.PIPE, text=True)
        assert self.process.stdout is not None
        found = re.search(r"http://\S+", self.process.stdout.readline())
        assert found
        self.address = found[0]

    def solve(self, **body: Any) -> tuple[float, Any]:
        """Return seconds and the answer."""
        headers = {"content-type": "application/json"}
        request = urllib.request.Request(f"{self.address}api/solve", json.dumps(body).encode(), headers)
        begun = time.perf_counter()
        with urllib.request.urlopen(request) as answer:
            return time.perf_counter() - begun, json.load(answer)

    def memory(self) -> int:
        """Return resident megabytes (Linux)."""
        status = Path(f"/proc/{self.process.pid}/status").read_text()
        found = re.search(r"VmRSS:\s+(\d+) kB", status)
        return int(found[1]) // 1024 if found else 0


def clicks(server: Server, contract: str) -> dict[str, float]:
    """Return median and 95th percentile of a click, in milliseconds."""
    times = []
    for seed in range(SEED, SEED + N_DEALS):
        deal, random = Deal.random(seed), Random(seed)
        server.solve(subject=str(deal))
        server.solve(subject=str(deal.position(contract)), cards=True)
        position = deal.position(contract)
        while not position.is_over:
            cards = position.legal_cards()
            position = position.play(cards[int(random.random() * len(cards))])
            times.append(1000 * server.solve(subject=str(position), cards=True)[0])
    return {"median": round(median(times), 1), "p95": round(quantiles(times, n=20)[-1], 1)}


def main() -> None:
    """Measure and print."""
    server = Server()
    try:
        urllib.request.urlopen(server.address).read()
        figures: dict[str, Any] = {
            "page": round(time.perf_counter() - server.begun, 2),
            "memory_before": server.memory(),
        }
        server.solve(subject=str(Deal.random(7)))
        figures["first_table"] = round(time.perf_counter() - server.begun, 2)
        figures["click"] = {contract: clicks(server, contract) for contract in "SNM"}
        deals = [{"subject": str(Deal.random(seed))} for seed in range(SEED + 100, SEED + 100 + N_VISITORS)]
        # Each from an address of its own would be fairer; the limit for one address lets 16 in.
        with ThreadPoolExecutor(16) as visitors:
            figures["visitors_slowest"] = round(max(visitors.map(lambda deal: server.solve(**deal)[0], deals)), 2)
        figures["memory_after"] = server.memory()
    finally:
        server.process.terminate()
        server.process.wait()
    print(json.dumps(figures))


if __name__ == "__main__":
    main()
