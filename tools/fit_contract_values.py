"""Fit what six cards promise in each contract, and the prices V(S) of naming one now (policy/weights.json).

    python tools/fit_contract_values.py sample CONTRACTS N SEED OUT.jsonl
    python tools/fit_contract_values.py fit ROWS.jsonl… [--hands 100000] [--seed 1] [--write]
    python tools/fit_contract_values.py play N SEED [--hands 100000] [--write]

`sample` deals at random, lets all exchange by the policy in each of CONTRACTS (letters such as SN), and solves. A line
holds forehand's first six cards and forehand's par points by contract.

`fit` makes a ridge regression of par on features of the six cards, one for trumps (suits are alike), one for no
trump, one for mizerka: that is Q(c, six cards). Then the recursion over sets S of contracts left to name,

    V(S) = E over six cards of max over c in S of Q(c, six cards) + V(S without c),        V(nothing) = 0,

is computed with the fitted Q over --hands random six-card hands. As suits are alike there are 5 * 2 * 2 = 20 sets
instead of 64. Choosing by a fitted Q makes V a little too high, in so far as Q is fitted to noise, and a little too
low, as a player can know more than Q; tests/test_sampling.py compares V with fresh solved deals.

`play` finds a second set of prices, on the scale of the sampling bot: Q is then what deals bring that are played out
by rules of thumb (policy/play.py), which is quick enough to need no rows.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from random import Random

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from fit_policy import DATA, add_bend, write_data  # noqa: E402

from mizerka_solver.double_dummy.solver import Solver, build_name  # noqa: E402
from mizerka_solver.game.cards import Hand  # noqa: E402
from mizerka_solver.game.convert import as_contracts  # noqa: E402
from mizerka_solver.game.deal import deal_seeded  # noqa: E402
from mizerka_solver.game.rules import Contract, Seat, seat_points  # noqa: E402
from mizerka_solver.policy import quick as policy  # noqa: E402 - the tree this file is in
from mizerka_solver.policy.play import playout  # noqa: E402

KEYS = {"trump": tuple(Contract)[:4], "no trump": (Contract.N,), "mizerka": (Contract.M,)}


def sample(contracts: tuple[Contract, ...], n: int, seed: int, out: Path) -> None:
    rng = Random(seed)
    solver = Solver(memory="128M")
    start = time.monotonic()
    with out.open("a") as stream:
        for _ in range(n):
            deal, previews = deal_seeded(rng)
            par = {}
            for contract in contracts:
                value = solver.value(policy.exchange_all(deal, contract), contract)
                par[contract.name] = value.par[Seat.F]
            print(json.dumps({"preview": str(previews[Seat.F]), "par": par}), file=stream, flush=True)
    print(f"{n} deals in {time.monotonic() - start:.0f} s")


def rows_of(key: str, rows: list[dict]) -> Iterator[tuple[Hand, Contract, float]]:
    """Yield preview, contract and par of all results in contracts of one kind."""
    for row in rows:
        for contract in KEYS[key]:
            if contract.name in row["par"]:
                yield Hand(row["preview"]), contract, row["par"][contract.name]


def fit_contract(key: str, rows: list[dict]) -> dict[str, float]:
    """Return the weights of the features of six cards in one kind of contract."""
    results = list(rows_of(key, rows))
    index = {name: i for i, name in enumerate(policy.PREVIEW_FEATURES)}
    x = np.zeros((len(results), len(index)))
    y = np.array([par for _, _, par in results])
    for i, (preview, contract, _) in enumerate(results):
        for name, amount in policy.preview_features(preview, contract):
            x[i, index[name]] += amount
    penalty = 3.0 * np.eye(len(index))
    penalty[0, 0] = 0.0
    for start in "ts":
        add_bend(penalty, [index[f"{start}{rank}"] for rank in range(13)], 30.0)
        add_bend(penalty, [index[f"{start}n{n}"] for n in range(1, 7)], 10.0)
    weights = np.linalg.solve(x.T @ x + penalty, x.T @ y)
    error = float(np.mean((y - x @ weights) ** 2))
    print(f"{key}: {len(y)} rows, mean {y.mean():+.3f}, variance {y.var():.2f}, unexplained {error:.2f}")
    return {name: round(float(weight), 3) + 0.0 for name, weight in zip(index, weights, strict=True)}


def prices(n_hands: int, seed: int) -> tuple[dict[str, float], float]:
    """Return V of the 20 kinds of sets with the present Q, and the largest standard error."""
    rng = Random(seed)
    worth = np.zeros((n_hands, 6))
    for i in range(n_hands):
        values = policy.contract_values(deal_seeded(rng).previews[Seat.F])
        worth[i] = [values[contract] for contract in Contract]
    value = {"0": 0.0}
    worst = 0.0
    for size in range(1, 7):
        for suits in range(5):
            for no_trump, mizerka in ((0, 0), (1, 0), (0, 1), (1, 1)):
                if suits + no_trump + mizerka != size:
                    continue
                after = []
                if suits:
                    after.append(worth[:, :suits].max(axis=1) + value[name(suits - 1, no_trump, mizerka)])
                if no_trump:
                    after.append(worth[:, 4] + value[name(suits, 0, mizerka)])
                if mizerka:
                    after.append(worth[:, 5] + value[name(suits, no_trump, 0)])
                best = np.max(after, axis=0)
                value[name(suits, no_trump, mizerka)] = float(best.mean())
                worst = max(worst, float(best.std()) / n_hands**0.5)
    return {key: round(v, 3) for key, v in value.items()}, worst


def name(suits: int, no_trump: int, mizerka: int) -> str:
    """Return the key of a set of contracts in the data file."""
    return f"{suits}{'N' * no_trump}{'M' * mizerka}"


def fit(paths: list[Path], n_hands: int, seed: int, write: bool) -> None:
    rows = [json.loads(line) for path in paths for line in path.read_text().splitlines()]
    stored = json.loads(DATA.read_text())
    stored["contract"] = {key: fit_contract(key, rows) for key in KEYS}
    stored["provenance"]["contract"] = {
        "tool": "tools/fit_contract_values.py",
        "results": {key: sum(1 for _ in rows_of(key, rows)) for key in KEYS},
        "value": "forehand's par points after all exchanged by the policy, open cards",
        "policy_version": stored["version"],
        "date": time.strftime("%Y-%m-%d"),
        "build": build_name(),
    }
    if write:
        write_data(stored)
        policy.data.cache_clear()
        policy._contract_weights.cache_clear()
        policy._preview_suit_value.cache_clear()
    stored["prices"], worst = prices(n_hands, seed)
    stored["provenance"]["prices"] = {"hands": n_hands, "seed": seed, "largest_standard_error": round(worst, 4)}
    print(stored["prices"])
    if write:
        write_data(stored)


def play(n: int, seed: int, n_hands: int, write: bool) -> None:
    """Find the prices where all deals are played out by rules of thumb."""
    rng, rows = Random(seed), []
    for _ in range(n):
        deal, previews = deal_seeded(rng)
        points = {}
        for contract in Contract:
            tricks = playout(list(policy.exchange_all(deal, contract).masks), contract, Seat.F, [])
            points[contract.name] = seat_points(contract, Seat.F, tricks[Seat.F])
        rows.append({"preview": str(previews[Seat.F]), "par": points})
    stored = json.loads(DATA.read_text())
    used = stored | {"contract": {key: fit_contract(key, rows) for key in KEYS}}
    policy.data = lambda: used
    policy._contract_weights.cache_clear()
    policy._preview_suit_value.cache_clear()
    stored["play_prices"], worst = prices(n_hands, seed + 1)
    stored["provenance"]["play_prices"] = {
        "tool": "tools/fit_contract_values.py play",
        "deals": n,
        "seed": seed,
        "hands": n_hands,
        "value": "forehand's points after all exchanged by the policy and played by rules of thumb",
        "largest_standard_error": round(worst, 4),
    }
    print(stored["play_prices"])
    if write:
        write_data(stored)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    sampling = commands.add_parser("sample")
    sampling.add_argument("contracts", type=as_contracts)
    sampling.add_argument("n", type=int)
    sampling.add_argument("seed", type=int)
    sampling.add_argument("out", type=Path)
    fitting = commands.add_parser("fit")
    fitting.add_argument("rows", type=Path, nargs="+")
    fitting.add_argument("--hands", type=int, default=100_000)
    fitting.add_argument("--seed", type=int, default=1)
    fitting.add_argument("--write", action="store_true")
    playing = commands.add_parser("play")
    playing.add_argument("n", type=int)
    playing.add_argument("seed", type=int)
    playing.add_argument("--hands", type=int, default=100_000)
    playing.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if args.command == "sample":
        sample(args.contracts, args.n, args.seed, args.out)
    elif args.command == "play":
        play(args.n, args.seed, args.hands, args.write)
    else:
        fit(args.rows, args.hands, args.seed, args.write)


if __name__ == "__main__":
    main()
