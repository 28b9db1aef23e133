"""Writes docs/study.md and its figures from docs/study.json, which study.py makes.

python benchmarks/study_page.py
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
NAMES = {"S": "spades", "H": "hearts", "D": "diamonds", "C": "clubs", "N": "no trump", "M": "mizerka"}
SEATS = {"F": "forehand", "M": "middlehand", "R": "rearhand"}
COLORS = ("#0072b2", "#e69f00", "#009e73")  # told apart by the colour-blind too


def shown(found: dict[str, float], digits: int = 2, sign: str = "+") -> str:
    """Return '+1.23 ± 0.05'."""
    return f"{found['mean']:{sign}.{digits}f} ± {found['se']:.{digits}f}"


def share(found: dict[str, float]) -> str:
    """Return '12.3 ± 0.8 %'."""
    return f"{100 * found['mean']:.1f} ± {100 * found['se']:.1f} %"


def table(head: Iterable[str], rows: Iterable[Iterable[str]]) -> str:
    """Return a Markdown table."""
    lines = [list(head)]
    lines += [["---"] * len(lines[0]), *map(list, rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def par_table(data: dict[str, Any]) -> str:
    """Par of each seat in each contract."""
    rows = [[NAMES[c], *(shown(seats["par"][seat]) for seat in SEATS)] for c, seats in data.items()]
    return table(["par", *SEATS.values()], rows)


def page(data: dict[str, Any]) -> str:
    """Return the text of docs/study.md."""
    minutes = sum(data["seconds"].values()) / 60
    before, after = data["named_dealt"], data["named_exchanged"]
    counts = {letter: seats["F"]["gain"]["n"] for letter, seats in data["exchanges"].items()}
    return f"""# What the game is worth: a study of random deals

<!-- written by benchmarks/study_page.py from study.json -->

`benchmarks/study.py` solved {
        before["n"]:,} random deals (`Deal.random(1)` and on) in all contracts, before and after the exchange, and parts
of them with more questions, by the same commands and files that [batches](batches.md) describes: {
        minutes:.0f} minutes on two shared cores. All
numbers are means over deals with standard errors. "After the exchange" is after all three have exchanged by
the quick policy, each from its
own hand ([hidden cards](hidden-cards.md)). Values are with all cards open: they measure cards, not players.
*Par* is explained in
[theory](theory.md).

## What is each contract worth to each seat?

Before the exchange:

{par_table(data["dealt"])}

After it:

{par_table(data["exchanged"])}

![Par by contract and seat, after the exchange](study-par.svg)

Targets of 7, 5 and 1 tricks (mizerka 1, 5, 7) do not make the seats equal: on random cards forehand is behind
and rearhand ahead in
every contract. The exchange, in which forehand draws first, halves the gap.

## Which contract is best for forehand?

By par with all cards open, as if forehand knew; contracts that are equally good share a deal:

{
        table(
            ["", "as dealt", "after the exchange"],
            [[NAMES[c], share(before["share"][c]), share(after["share"][c])] for c in NAMES],
        )
    }

![How often each contract is forehand's best](study-best.svg)

## Is the game fair?

{
        table(
            ["par of", *SEATS.values()],
            [
                ["a deal, forehand's best contract, after the exchange", *(shown(after["par"][s]) for s in SEATS)],
                [
                    "a deal, each contract equally often, after the exchange",
                    *(shown(after["each_once"][s]) for s in SEATS),
                ],
                ["a deal, forehand's best contract, as dealt", *(shown(before["par"][s]) for s in SEATS)],
            ],
        )
    }

One deal favours a seat; a game of 18 deals does not favour a player: each sits in each seat six times and, as
forehand, names each
contract once. So over a game the second row counts, and every player has each of its three numbers six times;
they sum to 0. What remains is
that forehand chooses the order of its contracts: the difference between the first two rows is what a free
choice in every deal would be worth.

## How much is the exchange worth, and to whom?

The best exchange with open cards, one seat after the other, the later seats standing pat: tricks gained over
standing pat, and cards
exchanged ({counts["S"]} deals a contract, mizerka {counts["M"]}).

{
        table(
            ["tricks gained (cards)", *SEATS.values()],
            [
                [NAMES[c], *(f"{shown(seats[s]['gain'])} ({seats[s]['cards']['mean']:.1f})" for s in SEATS)]
                for c, seats in data["exchanges"].items()
            ],
        )
    }

## How far do the notions lie apart?

{
        sum(found["slack"]["n"] for found in data["notions"].values())
    } deals after the exchange, one contract each, in tricks, mean over the three seats:

{
        table(
            ["", "slack", "number of equilibria", "expected − guaranteed", "expected − par"],
            [
                [
                    kind,
                    shown(found["slack"], sign=""),
                    shown(found["equilibria"], 1, ""),
                    shown(found["expected_from_guaranteed"], sign=""),
                    shown(found["expected_from_par"], sign=""),
                ]
                for kind, found in data["notions"].items()
            ],
        )
    }

The last two columns are mean distances, so always positive. Par is much nearer to what play for oneself leads
to than the guarantee.

## How often does the first lead matter?

Forehand leads; costs are in guaranteed tricks. {
        sum(found["matters"]["n"] for found in data["leads"].values()):,} deals after the exchange, one contract each:

{
        table(
            ["", "deals where some lead costs", "leads that cost", "a blind lead costs", "the worst lead costs"],
            [
                [
                    kind,
                    share(found["matters"]),
                    share(found["costs"]),
                    shown(found["blind"], sign=""),
                    shown(found["worst"], sign=""),
                ]
                for kind, found in data["leads"].items()
            ],
        )
    }
"""


def draw(data: dict[str, Any]) -> None:
    """Write the figures, the same bytes each time."""
    import matplotlib

    matplotlib.use("svg")
    matplotlib.rcParams.update({"svg.hashsalt": "mizerka", "font.size": 9, "svg.fonttype": "none"})
    from matplotlib import pyplot

    letters = list(NAMES)
    figure, axes = pyplot.subplots(figsize=(7, 3))
    for i, (seat, name) in enumerate(SEATS.items()):
        found = [data["exchanged"][letter]["par"][seat] for letter in letters]
        places = [place + 0.27 * (i - 1) for place in range(6)]
        bars = [one["mean"] for one in found]
        axes.bar(places, bars, 0.25, yerr=[2 * one["se"] for one in found], color=COLORS[i], label=name)
    axes.axhline(0, color="black", linewidth=0.8)
    axes.set_xticks(range(6), list(NAMES.values()))
    axes.set_ylabel("par, points")
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(DOCS / "study-par.svg", metadata={"Date": None})
    figure, axes = pyplot.subplots(figsize=(7, 2.6))
    for i, (name, label) in enumerate({"named_dealt": "as dealt", "named_exchanged": "after the exchange"}.items()):
        found = [data[name]["share"][letter] for letter in letters]
        places = [place + 0.4 * (i - 0.5) for place in range(6)]
        bars = [100 * one["mean"] for one in found]
        axes.bar(places, bars, 0.38, yerr=[200 * one["se"] for one in found], color=COLORS[i], label=label)
    axes.set_xticks(range(6), list(NAMES.values()))
    axes.set_ylabel("% of deals")
    axes.legend(frameon=False)
    figure.tight_layout()
    figure.savefig(DOCS / "study-best.svg", metadata={"Date": None})


def main() -> None:
    """Write the page and its figures."""
    data = json.loads((DOCS / "study.json").read_text(encoding="utf-8"))
    (DOCS / "study.md").write_text(page(data), encoding="utf-8")
    draw(data)


if __name__ == "__main__":
    main()
