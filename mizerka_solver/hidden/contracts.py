"""The best contract from the six cards forehand has seen, by sampling (samples.py says how)."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.cards import Hand
from mizerka_solver.game.convert import ContractsLike, HandLike, as_hand
from mizerka_solver.game.position import Position
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Variant, seat_points
from mizerka_solver.hidden.draws import Worlds, world_generator
from mizerka_solver.hidden.samples import SampleLoop, Sampling
from mizerka_solver.hidden.situation import check_contracts
from mizerka_solver.hidden.view import CONTRACT, View
from mizerka_solver.policy.quick import choose_contract, contract_set_value, exchange_all, version
from mizerka_solver.support import frames
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.statistics import Mean, rounded

SLACK_EVERY = 4  # worlds per world in which mizerka is solved for all seats and not only for forehand


@dataclass(frozen=True, slots=True)
class ContractForecast:
    """What naming one contract promises: forehand's par and guaranteed points, share of worlds that reach the target.

    later: V(S without it), the points the contracts left are expected to bring in the player's later deals. behind: how
    much less it promises now and later than the best, with the standard error of that difference over the same worlds.
    """

    contract: Contract
    par: Mean
    guaranteed: Mean
    target_chance: float
    later: float
    behind: Mean

    @property
    def total(self) -> float:
        """Points now and later: what the recommendation makes as large as it can."""
        return self.par.mean + self.later

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON fields."""
        return {
            "par": self.par.as_dict(),
            "guaranteed": self.guaranteed.as_dict(),
            "target_chance": round(self.target_chance, 3),
            "later": rounded(self.later, 3),
            "total": rounded(self.total, 3),
            "behind": {name: self.behind.as_dict()[name] for name in ("mean", "se")},
        }


@dataclass(frozen=True, slots=True)
class ContractReport:
    """Forecasts in the order of the contracts; `policy_choice` is what the quick chooser would name."""

    preview: Hand
    forecasts: tuple[ContractForecast, ...]
    samples: int
    seed: int
    policy_choice: Contract
    stopped: str | None
    policy_version: int

    @property
    def best(self) -> ContractForecast:
        """The forecast with most points now and later."""
        return max(self.forecasts, key=lambda forecast: (forecast.total, -forecast.contract))

    @property
    def second(self) -> ContractForecast | None:
        """The forecast that comes next to the best; None when only one contract is left."""
        others = [forecast for forecast in self.forecasts if forecast is not self.best]
        return max(others, key=lambda forecast: (forecast.total, -forecast.contract)) if others else None

    @property
    def is_toss_up(self) -> bool:
        """Whether chance explains the lead of the best over the second: 0 is in its 95 % confidence interval."""
        return self.second is not None and not self.second.behind.is_sure

    def cost_later(self, forecast: ContractForecast) -> float:
        """Return what naming it now costs in later deals, against the contract that costs least there."""
        return max(other.later for other in self.forecasts) - forecast.later

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object of `mizerka contract`."""
        return {
            "hand": str(self.preview),
            "remaining": "".join(forecast.contract.name for forecast in self.forecasts),
            "samples": self.samples,
            "seed": self.seed,
            "policy_version": self.policy_version,
            "stopped": self.stopped,
            "contracts": {
                f.contract.name: f.as_dict() | {"cost_later": rounded(self.cost_later(f), 3)} for f in self.forecasts
            },
            "best": self.best.contract.name,
            "toss_up": self.is_toss_up,
            "policy_choice": self.policy_choice.name,
        }

    def rows(self) -> list[dict[str, Any]]:
        """Return a row a contract, with the columns of docs/batches.md."""
        known = {"hand": str(self.preview), "remaining": "".join(f.contract.name for f in self.forecasts)}
        return [
            {
                **known,
                "contract": f.contract.name,
                "par": rounded(f.par.mean, 3),
                "par_se": f.par.as_dict()["se"],
                "guaranteed": rounded(f.guaranteed.mean, 3),
                "guaranteed_se": f.guaranteed.as_dict()["se"],
                "target_chance": round(f.target_chance, 3),
                "later": rounded(f.later, 3),
                "total": rounded(f.total, 3),
                "behind": rounded(f.behind.mean, 3),
                "behind_se": f.behind.as_dict()["se"],
                "best": f is self.best,
                "samples": self.samples,
            }
            for f in self.forecasts
        ]

    def to_frame(self, library: str | None = None) -> Any:
        """Return `rows` as a DataFrame, as `Solution.to_frame` does."""
        return frames.to_frame(self.rows(), library)


def check_preview_size(preview: Hand, variant: Variant = MIZERKA) -> None:
    """Raise MizerkaError unless these are as many cards as forehand sees before it names a contract."""
    if len(preview) != variant.preview_size:
        rule = f"forehand sees {variant.preview_size} cards before naming, here {len(preview)}"
        raise MizerkaError(rule, token=str(preview))


def forecast_contracts(
    preview: HandLike,
    remaining: ContractsLike = None,
    sampling: Sampling = Sampling(),  # noqa: B008 - immutable
    variant: Variant = MIZERKA,
    solver: Solver | None = None,
) -> ContractReport:
    """Sample what each contract left is worth to forehand, who has seen the first cards of its hand.

    All three exchange by the quick policy, then the deal is solved: par of forehand. Par needs three searches, which is
    dear in mizerka; there the slack is taken from every fourth world only and the mean of par is put together from two
    means, with the standard error that belongs to it. Ctrl-C and time limit as in `forecast_exchange`. solver: does all
    of it, in this thread, instead of the threads and memory of `sampling`; raises SearchStopped when cancelled.

    >>> report = forecast_contracts(Hand("AKQ9.A.-.4"), [Contract.S, Contract.N], Sampling(4))
    >>> report.best.contract, report.samples
    (Contract.S, 4)
    """
    preview = as_hand(preview)
    check_preview_size(preview, variant)
    contracts = check_contracts(remaining)
    seed = sampling.seed
    worlds = Worlds(View(CONTRACT, Seat.F, preview, contracts, variant=variant))

    def solve(solver: Solver, number: int) -> list[tuple[float, float | None]]:
        results = []
        deal = worlds.draw(world_generator(seed, number)).deal()
        for contract in contracts:
            position = exchange_all(deal, contract).position(contract)
            results.append(_forehand_value(solver, position, number, variant))
        return results

    loop = SampleLoop(sampling, solver)
    rows = list(loop.results(solve, range(sampling.samples)))
    if not rows:
        raise MizerkaError("no sample finished within the time limit")
    columns = [_Results([row[i][0] for row in rows], [row[i][1] for row in rows]) for i in range(len(contracts))]
    later = [contract_set_value(set(contracts) - {contract}) for contract in contracts]
    best = max(range(len(contracts)), key=lambda i: (columns[i].mean + later[i], -i))
    forecasts = []
    for i, contract in enumerate(contracts):
        found = columns[i]
        reached = sum(p >= 0 for p in found.points) / len(rows)
        behind = columns[best].minus(found, later[best] - later[i])
        forecasts.append(ContractForecast(contract, found.par, Mean.of(found.points), reached, later[i], behind))
    policy_choice = choose_contract(preview, contracts)
    return ContractReport(preview, tuple(forecasts), len(rows), seed, policy_choice, loop.stopped, version())


def _forehand_value(solver: Solver, position: Position, number: int, variant: Variant) -> tuple[float, float | None]:
    """Return forehand's guaranteed points and a third of the slack, if that is looked for in this world."""
    if position.contract.is_mizerka and number % SLACK_EVERY:
        tricks = solver.guaranteed(position, Seat.F)
        return float(seat_points(position.contract, Seat.F, tricks, variant)), None
    value = solver.value(position, variant=variant)
    return float(value.points[Seat.F]), value.slack / 3


class _Results:
    """What one contract brought: points in all worlds, a third of the slack (None: not looked for) in some.

    The mean of par is the mean of points plus the mean of the thirds. What each world contributes to the error of that
    sum is kept, so that differences between contracts, which meet the same worlds, have theirs too.
    """

    def __init__(self, points: Sequence[float], thirds: Sequence[float | None]) -> None:
        self.points = points
        known = [third for third in thirds if third is not None]
        n, m = len(points), len(known)
        own, slack = sum(points) / n, sum(known) / m
        self.mean = own + slack
        self._enough = m > 1 or (n == m and n > 1)
        self._parts = [
            (p - own) / n + (0.0 if t is None else (t - slack) / m) for p, t in zip(points, thirds, strict=True)
        ]

    @property
    def par(self) -> Mean:
        """The mean of par."""
        return Mean(self.mean, _error(self._parts) if self._enough else None, len(self.points))

    def minus(self, other: _Results, more: float) -> Mean:
        """Return how much more this contract promises, plus something that is no matter of chance."""
        parts = [a - b for a, b in zip(self._parts, other._parts, strict=True)]
        enough = self._enough and other._enough
        return Mean(self.mean - other.mean + more, _error(parts) if enough else None, len(parts))


def _error(parts: Sequence[float]) -> float:
    """Return the standard error of a sum of means from what each world adds to it."""
    n = len(parts)
    return math.sqrt(sum(part * part for part in parts) * n / (n - 1))
