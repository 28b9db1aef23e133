"""Sums up the Parquet files of study.py: means with standard errors over deals, as JSON. Needs the extra parquet."""

from __future__ import annotations

import json
import math
from collections import defaultdict
from collections.abc import Iterable
from pathlib import Path
from typing import Any

import pyarrow.parquet as pq

LETTERS = "SHDCNM"
SEATS = "FMR"
KINDS = {letter: {"N": "no trump", "M": "mizerka"}.get(letter, "suit") for letter in LETTERS}
Rows = list[dict[str, Any]]


def estimate(numbers: Iterable[float]) -> dict[str, float]:
    """Return mean, standard error and count."""
    found = list(numbers)
    n = len(found)
    mean = sum(found) / n
    spread = sum((number - mean) ** 2 for number in found) / max(n - 1, 1)
    return {"mean": round(mean, 3), "se": round(math.sqrt(spread / n), 3), "n": n}


def rows_of(folder: Path, name: str) -> Rows:
    """Return the rows of one question, those with an error left out."""
    rows: Rows = pq.read_table(folder / f"{name}.parquet").to_pylist()
    return [row for row in rows if row["error"] is None]


def by_contract(rows: Rows) -> dict[str, Any]:
    """Par and guaranteed points of each seat in each contract."""
    groups = defaultdict(list)
    for row in rows:
        groups[row["contract"]].append(row)
    return {
        letter: {
            what: {seat: estimate(row[f"{what}_{seat}"] for row in groups[letter]) for seat in SEATS}
            for what in ("par", "points")
        }
        for letter in LETTERS
    }


def named(rows: Rows) -> dict[str, Any]:
    """What forehand's best contract by par is, and what all seats then get; `rows` has the six contracts in turn.

    Contracts that are equally good share a deal.
    """
    deals = [rows[i : i + 6] for i in range(0, len(rows), 6)]
    best = []
    for deal in deals:
        most = max(row["par_F"] for row in deal)
        best.append([row for row in deal if row["par_F"] > most - 1e-9])
    return {
        "share": {
            letter: estimate(sum(row["contract"] == letter for row in ways) / len(ways) for ways in best)
            for letter in LETTERS
        },
        "par": {seat: estimate(sum(row[f"par_{seat}"] for row in ways) / len(ways) for ways in best) for seat in SEATS},
        "each_once": {
            seat: estimate(sum(row[f"par_{seat}"] for row in deal) / len(deal) for deal in deals) for seat in SEATS
        },
        "n": len(deals),
    }


def exchanges(folder: Path) -> dict[str, Any]:
    """What the best exchange with open cards brings each seat in tricks, in turn, and how many cards it has."""
    found: dict[str, Any] = {}
    for letter in LETTERS:
        rows, sign = rows_of(folder, f"exchange-{letter}"), -1 if letter == "M" else 1
        found[letter] = {
            seat: {
                "gain": estimate(sign * (row["guaranteed"] - row["stand"]) for row in rows if row["seat"] == seat),
                "cards": estimate(len(row["discard"] or "") // 2 for row in rows if row["seat"] == seat),
            }
            for seat in SEATS
        }
    return found


def notions(rows: Rows) -> dict[str, Any]:
    """How far guaranteed tricks, par and expected tricks lie apart, over the three seats of each deal."""
    groups = defaultdict(list)
    for row in rows:
        groups[KINDS[row["contract"]]].append(row)
    return {
        kind: {
            "slack": estimate(row["slack"] for row in group),
            "equilibria": estimate(len(row["equilibria"].split()) for row in group),
            "expected_from_guaranteed": estimate(apart(row, 0) for row in group),
            "expected_from_par": estimate(apart(row, row["slack"] / 3) for row in group),
        }
        for kind, group in sorted(groups.items())
    }


def apart(row: dict[str, Any], more: float) -> float:
    """Mean distance of expected tricks from guaranteed ones and `more`, which in mizerka are fewer."""
    sign = -1 if row["contract"] == "M" else 1
    return sum(abs(row[f"expected_{seat}"] - row[f"guaranteed_{seat}"] - sign * more) for seat in SEATS) / 3


def leads(rows: Rows) -> dict[str, Any]:
    """How often the first lead matters: deals in which one costs something, and what a lead taken blindly costs."""
    deals: dict[int, Rows] = defaultdict(list)
    for row in rows:
        deals[row["record"]].append(row)
    groups = defaultdict(list)
    for deal in deals.values():
        groups[KINDS[deal[0]["contract"]]].append([row["cost"] for row in deal])
    return {
        kind: {
            "matters": estimate(float(max(costs) > 0) for costs in group),
            "costs": estimate(sum(cost > 0 for cost in costs) / len(costs) for costs in group),
            "blind": estimate(sum(costs) / len(costs) for costs in group),
            "worst": estimate(max(costs) for costs in group),
        }
        for kind, group in sorted(groups.items())
    }


def summed_up(folder: Path) -> dict[str, Any]:
    """Return all answers of the study in a folder."""
    dealt, exchanged = rows_of(folder, "dealt"), rows_of(folder, "exchanged")
    seconds = folder / "seconds.json"
    return {
        "seconds": json.loads(seconds.read_text()) if seconds.exists() else {},
        "dealt": by_contract(dealt),
        "exchanged": by_contract(exchanged),
        "named_dealt": named(dealt),
        "named_exchanged": named(exchanged),
        "exchanges": exchanges(folder),
        "notions": notions(rows_of(folder, "equilibria")),
        "leads": leads(rows_of(folder, "leads")),
    }
