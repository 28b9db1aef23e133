"""How strong the bots are, in duplicate: `python benchmarks/bench_bots.py --deals 300 --bot search --field rule`.

Each deal is played by three bots of the field, and then once for each seat with the bot in question there and the
field at the two others. What the bot gets more than the field's bot in the same seat with the same cards is its *gain*.
Points sum to 0, so a bot that gains g is g + g/2 points a deal ahead of each of two opponents: the column "ahead".

Deals are of all contracts in turn (or, with --named, forehand names any). Everything comes from the seed. The error of
a gain is the standard error over deals: the three seats of one deal are one number. Times are processor time of the
bot alone, of decisions with a choice. Besides the names of bots there is "blind": search without inference.
"""

from __future__ import annotations

import argparse
import json
import math
import time
from collections import defaultdict
from collections.abc import Sequence
from pathlib import Path

from mizerka_solver.bots import Bot, SearchBot, Table, make_bot
from mizerka_solver.bots.search import Inference
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.game.rules import Contract, Seat, Triple, points
from mizerka_solver.hidden.view import CONTRACT, EXCHANGE

GROUPS = ("suits", "no trump", "mizerka")


class Clock:
    """Processor time and decisions of one bot."""

    def __init__(self) -> None:
        self.seconds, self.decisions, self.slowest = 0.0, 0, 0.0

    def add(self, seconds: float) -> None:
        self.seconds, self.decisions = self.seconds + seconds, self.decisions + 1
        self.slowest = max(self.slowest, seconds)


def play(number: int, contracts: Sequence[Contract], bots: Sequence[Bot], clock: Clock, timed: int) -> Triple:
    """Play a deal and return its points; decisions of the seat `timed` are clocked."""
    dealt = deal_seeded(number)
    table = Table(dealt.deal, dealt.previews[Seat.F], contracts)
    for seat in Seat:
        bots[seat].new_deal(3 * number + seat)
    while not table.is_over:
        view = table.view()
        bot, start = bots[view.seat], time.process_time()
        if view.phase == CONTRACT:
            named = bot.name_contract(view)
            table.name(named)
        elif view.phase == EXCHANGE:
            table.exchange(bot.exchange(view))
        else:
            table.play(bot.play(view))
        if view.seat == timed and (view.phase != "play" or len(view.legal) > 1):
            clock.add(time.process_time() - start)
    assert table.contract is not None
    return points(table.contract, table.tricks_won)


def mean_of(values: Sequence[float]) -> tuple[float, float]:
    """Return mean and standard error."""
    n = len(values)
    mean = sum(values) / n
    return mean, math.sqrt(sum((value - mean) ** 2 for value in values) / max(n - 1, 1) / n)


def bot_of(spec: str) -> Bot:
    """Return the bot of a text; "blind" is search that reads nothing from the others' exchanges and plays."""
    if spec != "blind":
        return make_bot(spec)
    bot = SearchBot()
    bot.searcher.inference = Inference(exchanges=False, plays=False)
    return bot


def measure(spec: str, field: str, numbers: Sequence[int], named: bool) -> dict[str, object]:
    """Return gains, their errors and times of a bot against a field."""
    bot, others, clock = bot_of(spec), make_bot(field), Clock()
    gains: dict[str, list[float]] = defaultdict(list)
    for number in numbers:
        contract = list(Contract)[number % len(Contract)]
        contracts = tuple(Contract) if named else (contract,)
        usual = play(number, contracts, [others] * 3, Clock(), -1)
        more = []
        for seat in Seat:
            bots = [others] * 3
            bots[seat] = bot
            more.append(play(number, contracts, bots, clock, seat)[seat] - usual[seat])
            gains[seat.name].append(more[-1])
        gains["all"].append(sum(more) / 3)
        if not named:
            gains[GROUPS[max(contract - 3, 0)]].append(sum(more) / 3)
    found = {name: mean_of(values) for name, values in gains.items()}
    ms = 1000 * clock.seconds / max(clock.decisions, 1)
    return {
        "bot": spec,
        "field": field,
        "deals": len(numbers),
        "first": numbers[0],
        "named": named,
        "gains": {name: [round(value, 4) for value in pair] for name, pair in found.items()},
        "ms": round(ms, 3),
        "slowest_ms": round(1000 * clock.slowest, 1),
    }


def pooled(results: Sequence[dict]) -> dict:
    """Return several measurements of the same bot and field on different deals as one."""
    n = sum(result["deals"] for result in results)
    gains = {}
    for name in results[0]["gains"]:
        parts = [(result["deals"], *result["gains"][name]) for result in results]
        mean = sum(deals * gain for deals, gain, _ in parts) / n
        gains[name] = [mean, math.sqrt(sum((deals * error) ** 2 for deals, _, error in parts)) / n]
    ms = sum(result["deals"] * result["ms"] for result in results) / n
    return results[0] | {"deals": n, "gains": gains, "ms": ms}


def row(result: dict) -> str:
    """Return a line of the table of docs/bots-search.md."""

    def text(name: str, factor: float = 1.0) -> str:
        if name not in result["gains"]:
            return "–"
        mean, error = result["gains"][name]
        return f"{factor * mean:+.2f} ± {factor * error:.2f}".replace("-", "−")

    field = f"`{result['field']}`" + (", named" if result.get("named", False) else "")
    cells = [f"`{result['bot']}`", field, f"{result['deals']:,}", text("all", 1.5)]
    cells += [text(group, 1.5) for group in GROUPS] + [text(seat.name, 1.5) for seat in Seat]
    return "| " + " | ".join([*cells, f"{result['ms']:.2f}"]) + " |"


HEAD = """\
| bot | field | deals | ahead | suits | no trump | mizerka | as F | as M | as R | ms |
| --- | --- | ---: | --- | --- | --- | --- | --- | --- | --- | ---: |"""


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=300)
    parser.add_argument(
        "--first", type=int, default=1_000_000, help="number of the first deal; deals to learn are others"
    )
    parser.add_argument("--bot", action="append")
    parser.add_argument("--field", action="append")
    parser.add_argument("--named", action="store_true", help="forehand names any contract")
    parser.add_argument("--add-to", type=Path, help="a file of JSON Lines that gets the results")
    parser.add_argument("--table", type=Path, help="only print the table of such a file")
    args = parser.parse_args()
    print(HEAD)
    if args.table:
        found: dict[tuple[str, str, bool], list[dict]] = {}
        for line in args.table.read_text(encoding="utf-8").splitlines():
            result = json.loads(line)
            found.setdefault((result["bot"], result["field"], result.get("named", False)), []).append(result)
        for results in found.values():
            print(row(pooled(results)))
        return
    numbers = range(args.first, args.first + args.deals)
    for spec in args.bot or ["search"]:
        for field in args.field or ["rule"]:
            result = measure(spec, field, numbers, args.named)
            print(row(result), flush=True)
            if args.add_to:
                with args.add_to.open("a", encoding="utf-8") as file:
                    file.write(json.dumps(result) + "\n")


if __name__ == "__main__":
    main()
