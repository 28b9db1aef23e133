"""How fast this machine solves: fixed deals, time per kind of contract, and one number that only the search moves.

Every value is searched from an empty table, so times and node counts of deals do not depend on each other. Prints
nothing; the comparison with other solvers is in benchmarks/.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random
from statistics import mean, median
from time import perf_counter
from typing import Any

from mizerka_solver.double_dummy.solver import Solver, build_name
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import Contract

SEED = 20240601  # of the fixed deals; a new seed is a new benchmark with another signature
COUNTERS = (
    "nodes",
    "tricks",
    "bound_answers",
    "cuts",
    "first_card_cuts",
    "probes",
    "hits",
    "patterns_examined",
    "stores",
)


@dataclass(frozen=True, slots=True)
class KindResult:
    """What the contracts of one kind took: milliseconds of each contract of each deal (three seats), and all nodes."""

    kind: str
    milliseconds: tuple[float, ...]
    nodes: int

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output, times rounded to microseconds."""
        times = self.milliseconds
        return {
            "contracts": len(times),
            "mean_ms": round(mean(times), 3),
            "median_ms": round(median(times), 3),
            "max_ms": round(max(times), 3),
            "nodes": self.nodes,
        }


@dataclass(frozen=True, slots=True)
class BenchResult:
    """A run over `n_deals` fixed deals; `counters` are those of the engine."""

    n_deals: int
    build: str
    kinds: tuple[KindResult, ...]
    counters: dict[str, int]

    @property
    def signature(self) -> int:
        """All nodes together: the same on every machine with the same memory, moved only by a change of the search."""
        return sum(result.nodes for result in self.kinds)

    @property
    def rates(self) -> dict[str, float]:
        """What the counters say of the search: shares between 0 and 1, and patterns compared per probe of the table."""
        count = self.counters

        def share(part: str, whole: str) -> float:
            return round(count[part] / count[whole], 4) if count[whole] else 0.0

        return {
            "hit_rate": share("hits", "probes"),
            "patterns_per_probe": share("patterns_examined", "probes"),
            "first_card_cut_rate": share("first_card_cuts", "cuts"),
            "bound_answer_rate": share("bound_answers", "tricks"),
        }

    def as_dict(self, stats: bool = False) -> dict[str, Any]:
        """Return the fields of the JSON output; with `stats`, counters and rates too."""
        data: dict[str, Any] = {
            "deals": self.n_deals,
            "build": self.build,
            "signature": self.signature,
            "kinds": {result.kind: result.as_dict() for result in self.kinds},
        }
        if stats:
            data["stats"] = {**self.counters, **self.rates}
        return data


def bench_class(contract: Contract) -> str:
    """Return "suit", "no trump" or "mizerka"."""
    return "suit" if contract.trump is not None else contract.long_name


def run_bench(
    n_deals: int = 20, memory: int | str = "256M", progress: Callable[[int], object] | None = None
) -> BenchResult:
    """Solve the first `n_deals` fixed deals in all contracts on one thread; progress gets the deals finished."""
    solver = Solver(1, memory)
    generator = Random(SEED)
    times: dict[str, list[float]] = {}
    nodes: dict[str, int] = {}
    for n in range(n_deals):
        deal = Deal.random(generator)
        for contract in Contract:
            position = deal.position(contract)
            solver.clear()
            start = perf_counter()
            value = solver.value(position)
            kind = bench_class(contract)
            times.setdefault(kind, []).append(1000 * (perf_counter() - start))
            nodes[kind] = nodes.get(kind, 0) + value.nodes
        if progress:
            progress(n + 1)
    kinds = tuple(KindResult(kind, tuple(times[kind]), nodes[kind]) for kind in times)
    return BenchResult(n_deals, build_name(), kinds, {name: solver.stats[name] for name in COUNTERS})
