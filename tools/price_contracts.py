"""Price what is left to name as the search bot plays: `python tools/price_contracts.py --hands 3000 --seed 1`.

    V(S) = E over six cards of max over c in S of Q(c) + V(S without c)

Q(c) are forehand's mean points in playouts, as `Searcher.contracts` finds them. The contract is chosen by one half of
the worlds and counted by the other, so that luck in choosing does not raise the price. Suits are alike, so V depends on
how many suits are left, on no trump and on mizerka; of the six cards' suits, that many are drawn. Prints the table of
mizerka_solver/bots/prices.py.
"""

from __future__ import annotations

import argparse

import numpy as np

from mizerka_solver.bots import Searcher, View
from mizerka_solver.core import RaceKind
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.hidden.view import CONTRACT


def values(n_hands: int, seed: int, worlds: int) -> np.ndarray:
    """Return forehand's mean points [hand, half of the worlds, contract]."""
    searcher = Searcher(worlds)
    rows = []
    for number in range(n_hands):
        view = View(CONTRACT, Seat.F, deal_seeded((seed << 40) + number).previews[Seat.F])
        race = searcher.race(view, RaceKind.CONTRACTS, range(len(Contract)), [0] * len(Contract), number)
        race.run(worlds)
        columns = np.array([race.values(i) for i in range(len(Contract))])
        half = worlds // 2
        rows.append([columns[:, :half].mean(axis=1), columns[:, half:].mean(axis=1)])
    return np.array(rows)


def prices(found: np.ndarray, seed: int) -> tuple[dict[str, float], float]:
    """Return V of every set of contracts by name ("3NM": three suits, no trump, mizerka), and the largest error."""
    random = np.random.default_rng(seed)
    order = np.argsort(random.random((len(found), 4)), axis=1)  # which suits are left when some are
    worth, largest = {"0": 0.0}, 0.0
    for size in range(1, 7):
        for suits in range(5):
            for rest in ("", "N", "M", "NM"):
                if suits + len(rest) != size:
                    continue
                options = [(order[:, i], f"{suits - 1}{rest}") for i in range(suits)]
                options += [(np.full(len(found), Contract[c]), f"{suits}{rest.replace(c, '')}") for c in rest]
                each = np.arange(len(found))
                by = [np.array([found[each, half, which] + worth[left] for which, left in options]) for half in (0, 1)]
                counted = np.concatenate([by[1 - half][by[half].argmax(axis=0), each] for half in (0, 1)])
                worth[f"{suits}{rest}"] = float(counted.mean())
                largest = max(largest, float(counted.std() / len(found) ** 0.5))
    return worth, largest


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--hands", type=int, default=3000)
    parser.add_argument("--worlds", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    found, error = prices(values(args.hands, args.seed, args.worlds), args.seed)
    print(f"# {args.hands} hands of {args.worlds} worlds, seed {args.seed}; the largest standard error is {error:.3f}")
    for name, value in found.items():
        print(f'    "{name}": {value:.3f},')


if __name__ == "__main__":
    main()
