"""Fit the weights of the quick exchange policy (mizerka_solver/policy/weights.json) to sampled, solved deals.

    python tools/fit_policy.py sample KIND N SEED OUT.jsonl [--explore 0.5]
    python tools/fit_policy.py fit ROWS.jsonl… [--write]

KIND is trump, "no trump" or mizerka. `sample` deals at random and lets every seat exchange in turn: with probability
--explore at random (noisy ranks, any number of cards), else as the stored policy says, with one or two cards or the
number changed half of the time. The result is solved for all three seats. Each line holds, in order F M R: the cards
kept, the numbers drawn and available, and par in points.

`fit` is a smoothed ridge regression of par on the policy's features, by seat: what a discard is worth is what the
cards kept and the number drawn promise on average. It needs numpy only. Rows are added to, never replaced, from one
round (sample, fit) to the next. What was sampled with which seed and policy goes into the provenance of the weights, so
that the rows can be made again; those of version 4 were made before it was noted and are lost.
"""

from __future__ import annotations

import argparse
import json
import sys
import time
from collections import Counter
from pathlib import Path
from random import Random

import numpy as np

ROOT = Path(__file__).parent.parent
sys.path.insert(0, str(ROOT))

from mizerka_solver.double_dummy.solver import Solver, build_name  # noqa: E402
from mizerka_solver.game.cards import LANE_BITS, LANE_MASK, Card, Hand  # noqa: E402
from mizerka_solver.game.deal import Deal  # noqa: E402
from mizerka_solver.game.rules import Contract, Seat  # noqa: E402
from mizerka_solver.policy import quick as policy  # noqa: E402 - the tree this file is in

DATA = ROOT / "mizerka_solver" / "policy" / "weights.json"
CONTRACT = {"trump": Contract.S, "no trump": Contract.N, "mizerka": Contract.M}
RIDGE = 3.0


def explored(rng: Random, hand: Hand, contract: Contract, n_available: int) -> tuple[Card, ...]:
    """Return random discards that are not foolish on average."""
    sign = -1 if contract.is_mizerka else 1

    def strength(card: Card) -> float:
        return sign * card.rank / 12 + rng.gauss(0, 0.4) + 0.5 * (card.suit == contract)

    n = rng.randint(0, min(n_available, 10))
    return tuple(sorted(hand, key=strength)[:n])


def varied(rng: Random, hand: Hand, contract: Contract, seat: Seat, n_available: int) -> tuple[Card, ...]:
    """Return the policy's discards, half of the time with something changed."""
    discards = list(policy.choose_discards(hand, contract, seat, n_available))
    while rng.random() < 0.5:
        others = [card for card in hand if card not in discards]
        if discards and rng.random() < 0.6:
            discards.remove(rng.choice(discards))
        if others and len(discards) < n_available and rng.random() < 0.7:
            discards.append(rng.choice(others))
    return tuple(discards)


def sample(kind: str, n: int, seed: int, out: Path, explore: float) -> None:
    rng = Random(seed)
    contract = CONTRACT[kind]
    solver = Solver(memory="128M")
    start = time.monotonic()
    with out.open("a") as stream:
        for _ in range(n):
            deal = Deal.random(rng)
            discards: dict[Seat, tuple[Card, ...]] = {}
            available: list[int] = []
            for seat in Seat:
                left = len(deal.talon) - sum(map(len, discards.values()))
                available.append(left)
                if rng.random() < explore:
                    discards[seat] = explored(rng, deal.hands[seat], contract, left)
                else:
                    discards[seat] = varied(rng, deal.hands[seat], contract, seat, left)
            kept = [deal.hands[seat].mask & ~Hand.from_cards(discards[seat]).mask for seat in Seat]
            value = solver.value(deal.after_exchange(discards), contract)
            row = {"kind": kind, "kept": kept, "drawn": [len(discards[s]) for s in Seat], "available": available}
            row["sampled"] = {"seed": seed, "explore": explore, "policy_version": policy.version()}
            print(json.dumps({**row, "par": value.par, "points": value.points}), file=stream, flush=True)
    print(f"{kind}: {n} deals in {time.monotonic() - start:.0f} s")


def columns(kind: str) -> tuple[list[tuple[str, str]], list[str]]:
    """Return the names of the suit features with the kind of suit, and of the numbers drawn."""
    suits = ("trump", "side") if kind == "trump" else (kind,)
    return [(suit, name) for suit in suits for name in policy.HOLDING_FEATURES[suit]], [str(n) for n in range(14)]


def fit_kind(kind: str, rows: list[dict]) -> tuple[dict[str, dict[str, dict[str, float]]], dict[str, list[float]]]:
    """Return the weights of holdings by kind of suit and seat, and those of numbers drawn by seat.

    In mizerka, where a deal takes forty times as long to solve, the seats share the weights of holdings.
    """
    features, numbers = columns(kind)
    groups = [tuple(Seat)] if kind == "mizerka" else [(seat,) for seat in Seat]
    kept: dict[str, dict[str, dict[str, float]]] = {}
    drawn: dict[str, list[float]] = {}
    for group in groups:
        x, y = design(kind, rows, group, features, len(numbers))
        weights = np.linalg.solve(x.T @ x + penalty(features, len(numbers), len(group)), x.T @ y)
        error, variance = np.mean((y - x @ weights) ** 2), np.var(y)
        print(f"{kind} {'+'.join(map(str, group))}: {len(y)} rows, variance {variance:.2f}, unexplained {error:.2f}")
        for place, seat in enumerate(group):
            for (suit_kind, name), weight in zip(features, weights, strict=False):
                kept.setdefault(suit_kind, {}).setdefault(seat.name, {})[name] = round(float(weight), 3)
            first = len(features) + place * len(numbers)
            of_seat = [round(float(weight), 3) for weight in weights[first : first + len(numbers)]]
            drawn[seat.name] = of_seat + [of_seat[-1]] * (policy.MAX_DRAWN + 1 - len(numbers))
    return kept, drawn


def design(
    kind: str, rows: list[dict], group: tuple[Seat, ...], features: list[tuple[str, str]], n_numbers: int
) -> tuple[np.ndarray, np.ndarray]:
    """Return the amounts of all features, and par, of each deal and seat of the group."""
    index = {feature: i for i, feature in enumerate(features)}
    x = np.zeros((len(rows) * len(group), len(features) + len(group) * n_numbers))
    y = np.zeros(len(x))
    for i, (row, (place, seat)) in enumerate((row, entry) for row in rows for entry in enumerate(group)):
        for suit in range(4):
            lane = row["kept"][seat] >> LANE_BITS * suit & LANE_MASK
            suit_kind = policy.suit_role(CONTRACT[kind], suit)
            for name, amount in policy.holding_features(suit_kind, lane):
                x[i, index[suit_kind, name]] += amount
        x[i, len(features) + place * n_numbers + min(row["drawn"][seat], n_numbers - 1)] = 1.0
        y[i] = row["par"][seat]
    return x, y


def penalty(features: list[tuple[str, str]], n_numbers: int, n_seats: int) -> np.ndarray:
    """Return what keeps weights small and curves smooth.

    Neighbouring ranks are worth about the same (aces and kings may stand out), and the numbers drawn make a smooth
    curve, so that a number hardly ever tried is not believed to be wonderful.
    """
    size = len(features) + n_seats * n_numbers
    total = np.zeros((size, size))
    index = {feature: i for i, feature in enumerate(features)}
    total[: len(features), : len(features)] = RIDGE * np.eye(len(features))
    for suit_kind in {suit_kind for suit_kind, _ in features}:
        top = 13 if suit_kind == "mizerka" else 10
        add_bend(total, [index[suit_kind, f"r{rank}"] for rank in range(top)], 100.0)
        add_bend(total, [index[suit_kind, f"n{n}"] for n in range(1, policy.N_LENGTHS + 1)], 10.0)
    for place in range(n_seats):
        first = len(features) + place * n_numbers
        add_bend(total, list(range(first, first + n_numbers)), 300.0)
    return total + 1e-6 * np.eye(size)


def add_bend(total: np.ndarray, places: list[int], strength: float) -> None:
    """Add a penalty on the second differences of the weights in these places."""
    bend = np.diff(np.eye(len(places)), n=2, axis=0)
    total[np.ix_(places, places)] += strength * bend.T @ bend


def fit(paths: list[Path], write: bool) -> None:
    rows: dict[str, list[dict]] = {}
    for path in paths:
        for line in path.read_text().splitlines():
            row = json.loads(line)
            rows.setdefault(row["kind"], []).append(row)
    stored = json.loads(DATA.read_text()) if DATA.exists() else {"version": 0, "kept": {}, "drawn": {}}
    for kind, of_kind in rows.items():
        kept, drawn = fit_kind(kind, of_kind)
        stored["kept"] |= kept
        stored["drawn"][kind] = drawn
    stored["version"] += 1
    stored["provenance"] = {
        **stored.get("provenance", {}),
        "exchange": {
            "tool": "tools/fit_policy.py",
            "deals": dict(Counter(kind for kind, of_kind in rows.items() for _ in of_kind)),
            "sampled": sampled(rows),
            "value": "par points, open cards",
            "date": time.strftime("%Y-%m-%d"),
            "build": build_name(),
        },
    }
    if write:
        write_data(stored)


def sampled(rows: dict[str, list[dict]]) -> list[str]:
    """Return the `sample` commands the rows came from, each with the policy it followed and how many it gave."""
    found: Counter[str] = Counter()
    for kind, of_kind in rows.items():
        for row in of_kind:
            how = row.get("sampled")
            name = f"{kind!r}" if how is None else f"{kind!r} N {how['seed']} --explore {how['explore']}"
            version = "unknown" if how is None else how["policy_version"]
            found[f"sample {name}, policy version {version}"] += 1
    return [f"{command}: {n} deals" for command, n in found.items()]


def write_data(stored: dict) -> None:
    """Write the data file, one line a table."""
    DATA.parent.mkdir(exist_ok=True)
    parts = [f'"version":{stored["version"]}', f'"provenance":{json.dumps(stored["provenance"], indent=1)}']
    for name in ("kept", "drawn"):
        tables = [
            f'  "{kind}": {{\n' + ",\n".join(f'    "{s}": {json.dumps(table)}' for s, table in seats.items()) + "}"
            for kind, seats in stored[name].items()
        ]
        parts.append(f'"{name}": {{\n' + ",\n".join(tables) + "}")
    for name in ("contract", "prices", "play_prices"):
        if name in stored:
            tables = [f'  "{key}": {json.dumps(value)}' for key, value in stored[name].items()]
            parts.append(f'"{name}": {{\n' + ",\n".join(tables) + "}")
    DATA.write_text("{" + ",\n".join(parts) + "}\n", encoding="utf-8")


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    sampling = commands.add_parser("sample")
    sampling.add_argument("kind", choices=CONTRACT)
    sampling.add_argument("n", type=int)
    sampling.add_argument("seed", type=int)
    sampling.add_argument("out", type=Path)
    sampling.add_argument("--explore", type=float, default=0.5, help="share of random exchanges")
    fitting = commands.add_parser("fit")
    fitting.add_argument("rows", type=Path, nargs="+")
    fitting.add_argument("--write", action="store_true")
    args = parser.parse_args()
    if args.command == "sample":
        sample(args.kind, args.n, args.seed, args.out, args.explore)
    else:
        fit(args.rows, args.write)


if __name__ == "__main__":
    main()
