"""How fast `mizerka serve` is, and how much memory it takes: `python benchmarks/web.py`, a Markdown table on stdout.

    start      from the command to the first table in a browser that is open already (Playwright and Chromium; without
               them the requests that the page makes are timed)
    click      after the first solve of a deal, the answer to a card played, for suits, no trump, mizerka
    visitors   20 at once, each with fresh deals, six contracts each as the page asks for them
    memory     resident, before the first request and after 2,000 of all kinds

Needs the extras `web` and `test` (httpx). Nothing else should run on the machine.
"""

from __future__ import annotations

import argparse
import os
import random
import re
import shutil
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from statistics import median
from typing import Any

import httpx

from mizerka_solver import Deal, GameRecord, Position, Seat

MEMORY = "256M"
N_VISITORS = 20
N_STARTS = 5
CONTRACTS = {"suits": "SHDC", "no trump": "N", "mizerka": "M"}
CLICK_TARGETS = {"suits": (50, 200), "no trump": (50, 200), "mizerka": (150, 600)}
RECORD_BOTS = ["rule", "random"]


@dataclass(frozen=True)
class Row:
    """A line of the table."""

    what: str
    measured: str
    target: str


@contextmanager
def serving() -> Iterator[tuple[str, int, float]]:
    """Run the command; give its address, its process and when it was started."""
    begun = time.perf_counter()
    command = [sys.executable, "-m", "mizerka_solver.cli", "serve", "--no-browser", "--port", "0"]
    # Behind a proxy, so that each visitor can have an address of its own.
    with subprocess.Popen(
        [*command, "--memory", MEMORY, "--proxy", "127.0.0.1"], stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        try:
            yield found[0].rstrip("/"), server.pid, begun
        finally:
            server.terminate()


def visitor(address: str, number: int = 0) -> httpx.Client:
    """Return somebody with an address of their own."""
    return httpx.Client(
        base_url=address, timeout=120, headers={"x-forwarded-for": f"10.0.{number // 250}.{number % 250}"}
    )


def megabytes(pid: int) -> float:
    """Return the resident memory of a process (Linux)."""
    with open(f"/proc/{pid}/statm", encoding="ascii") as file:
        return int(file.read().split()[1]) * os.sysconf("SC_PAGE_SIZE") / 2**20


# Start


def start_seconds() -> float:
    """Return the seconds from the command to the first table."""
    program = shutil.which("chromium") or shutil.which("chromium-browser")
    if program is None or not find_spec("playwright"):
        with serving() as (address, _, begun), visitor(address) as client:
            client.get("/").raise_for_status()
            first_table(client, client.get("/api/deal").json()["deal"])
            return time.perf_counter() - begun
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=program, args=["--no-sandbox"])
        page = browser.new_page()
        page.goto("about:blank")
        with serving() as (address, _, begun):
            page.goto(address)
            page.wait_for_selector("mz-values tr:nth-child(6) td:nth-child(4) b")
            seconds = time.perf_counter() - begun
        browser.close()
    return seconds


def first_table(client: httpx.Client, deal: str) -> list[float]:
    """Ask for the six contracts of a deal at once, as the page does; return the seconds of each."""

    def solve(contract: str) -> float:
        return timed(client, "solve", subject=str(Deal(deal).position(contract)))

    with ThreadPoolExecutor(6) as asking:
        return list(asking.map(solve, "SHDCNM"))


def timed(client: httpx.Client, path: str, **body: Any) -> float:
    """Return the seconds of an answer; raises httpx.HTTPStatusError where there is none."""
    begun = time.perf_counter()
    client.post(f"/api/{path}", json=body).raise_for_status()
    return time.perf_counter() - begun


# Clicks


def click_seconds(client: httpx.Client, contract: str, seed: int) -> list[float]:
    """Play a deal to its end, any cards; return the seconds of each answer after the first solve."""
    position = Deal.random(seed).position(contract)
    chance = random.Random(seed)
    timed(client, "solve", subject=str(position), cards=True)
    found = []
    while position.tricks_left > 1:
        position = position.play(chance.choice(position.legal_cards()))
        found.append(timed(client, "solve", subject=str(position), cards=True))
    return found


def click_rows(n_deals: int) -> Iterator[Row]:
    """Yield a row a kind of contract."""
    with serving() as (address, _, _), visitor(address) as client:
        for name, letters in CONTRACTS.items():
            seconds = [
                second
                for seed in range(n_deals)
                for second in click_seconds(client, letters[seed % len(letters)], 1000 + seed)
            ]
            high, low = quantile(seconds, 0.95), median(seconds)
            targets = CLICK_TARGETS[name]
            yield Row(
                f"click, {name}: median, 95th of {len(seconds)}",
                f"{1000 * low:.0f}, {1000 * high:.0f} ms",
                f"< {targets[0]}, {targets[1]} ms",
            )


def quantile(numbers: list[float], share: float) -> float:
    """Return the number that a share of them does not exceed."""
    return sorted(numbers)[min(int(share * len(numbers)), len(numbers) - 1)]


# Visitors and memory


def visitors_row(n_deals: int) -> Row:
    """Let all visitors solve deals of their own at once."""

    def visit(number: int) -> list[float | None]:
        with visitor(address, number) as client:
            return [seconds for seed in range(n_deals) for seconds in table_of(client, 5000 + 100 * number + seed)]

    def table_of(client: httpx.Client, seed: int) -> list[float | None]:
        try:
            return [*first_table(client, str(Deal.random(seed)))]
        except httpx.HTTPError:
            return [None]

    with serving() as (address, _, _), ThreadPoolExecutor(N_VISITORS) as visitors:
        found = [seconds for each in visitors.map(visit, range(N_VISITORS)) for seconds in each]
    answered = [seconds for seconds in found if seconds is not None]
    what = f"{N_VISITORS} visitors, {n_deals} fresh deals each: slowest of {len(found)}, lost"
    return Row(what, f"{max(answered):.2f} s, {len(found) - len(answered)}", "< 5 s, 0")


def requests(client: httpx.Client, record: str) -> list[Callable[[int], float]]:
    """Return the kinds of requests, each taking a seed."""

    def deal(seed: int) -> Deal:
        return Deal.random(seed)

    def late(seed: int) -> Position:
        position = deal(seed).position("N")
        while position.tricks_left > 8:
            position = position.play(position.legal_cards()[seed % len(position.legal_cards())])
        return position

    return [
        lambda seed: timed(client, "solve", subject=str(deal(seed))),
        lambda seed: timed(client, "solve", subject=str(deal(seed).position("M")), cards=True),
        lambda seed: timed(client, "solve", subject=str(late(seed)), equilibria=True, cards=True),
        lambda seed: timed(client, "exchange", deal=str(deal(seed)), contract="N", seat=Seat(seed % 3).name),
        lambda seed: timed(client, "review", record=record, known=seed % 40 == 4),
        lambda seed: timed(client, "game", bots=RECORD_BOTS, seat="R", seed=seed),
    ]


def played(client: httpx.Client) -> str:
    """Play a deal against bots; return its record."""
    game = client.post("/api/game", json={"bots": RECORD_BOTS, "seed": 1}).json()
    while (view := game["view"]) is not None:
        decision: dict[str, Any] = {"card": view["legal"][0]} if view["type"] == "play" else {"discard": []}
        if view["type"] == "contract":
            decision = {"contract": view["remaining"][0]}
        game = client.post("/api/game/move", json={"token": game["token"], **decision}).json()
    return GameRecord.from_json(game["record"]).to_json()


def memory_rows(n_requests: int) -> Iterator[Row]:
    """Yield the memory before the first request and after many."""
    with serving() as (address, pid, _), visitor(address) as client:
        time.sleep(2)  # all that a server does on its own is done
        before = megabytes(pid)
        yield Row("memory before the first request", f"{before:.0f} MB", "≤ 60 MB")
        kinds = requests(client, played(client))
        for number in range(n_requests):
            kinds[number % len(kinds)](number)
        after = megabytes(pid) - before
        yield Row(f"memory after {n_requests:,} requests, beyond that", f"{after:.0f} MB", f"≤ {MEMORY[:-1]} MB")


def rows(quick: bool) -> Iterator[Row]:
    """Yield all rows."""
    starts = [start_seconds() for _ in range(N_STARTS)]
    yield Row(f"from the command to the first table: median of {N_STARTS}", f"{median(starts):.2f} s", "< 1 s")
    yield from click_rows(4 if quick else 20)
    yield visitors_row(1 if quick else 3)
    yield from memory_rows(200 if quick else 2000)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--quick", action="store_true", help="a tenth of the work, to see that it runs")
    quick = parser.parse_args().quick
    print("| what | measured | target |\n| --- | --- | --- |")
    for row in rows(quick):
        print(f"| {row.what} | {row.measured} | {row.target} |", flush=True)


if __name__ == "__main__":
    main()
