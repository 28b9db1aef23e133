"""The quick contract chooser against simple ones: par points of forehand over the six deals of a game it names.

    python benchmarks/contract_policy.py [--games 100] [--seed 1]

Each way names all six contracts, one a deal, on the same six deals: the chooser; the longest suit left (on a tie the
higher cards), then no trump, mizerka last; the same, but mizerka as soon as no card is above a nine; at random. All
exchange by the policy, deals are solved. The table shows means with standard errors, and what the chooser gains.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random

from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.cards import Hand, Suit
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.policy.quick import choose_contract, contract_set_value, exchange_all
from mizerka_solver.support.statistics import Mean

Choose = Callable[[Hand, tuple[Contract, ...], Random], Contract]
NINE = 7


def longest(preview: Hand, left: tuple[Contract, ...], rng: Random) -> Contract:
    """Name the longest suit left, then no trump, then mizerka."""

    def order(contract: Contract) -> tuple[int, int, int]:
        if contract.trump is None:
            return -1 if contract is Contract.N else -2, 0, 0
        lane = preview.mask >> 16 * Suit(contract.trump) & 0x1FFF
        return lane.bit_count(), lane, -contract

    return max(left, key=order)


def careful(preview: Hand, left: tuple[Contract, ...], rng: Random) -> Contract:
    """Name mizerka when no card is above a nine, else the longest suit."""
    low = all(card.rank <= NINE for card in preview)
    return Contract.M if low and Contract.M in left else longest(preview, left, rng)


WAYS: dict[str, Choose] = {
    "chooser": lambda preview, left, rng: choose_contract(preview, left),
    "longest, mizerka when low": careful,
    "longest": longest,
    "random": lambda preview, left, rng: rng.choice(left),
}


def totals(n_games: int, seed: int) -> dict[str, list[float]]:
    """Return forehand's par points of each game, by the way contracts are named."""
    solver = Solver(memory="128M")
    rng, coin = Random(seed), Random(seed + 1)
    points: dict[str, list[float]] = {way: [] for way in WAYS}
    for _ in range(n_games):
        deals = [deal_seeded(rng) for _ in Contract]
        known: dict[tuple[int, Contract], float] = {}
        for way, choose in WAYS.items():
            left = tuple(Contract)
            total = 0.0
            for i, (deal, previews) in enumerate(deals):
                contract = choose(previews[Seat.F], left, coin)
                left = tuple(other for other in left if other is not contract)
                if (i, contract) not in known:
                    known[i, contract] = solver.value(exchange_all(deal, contract), contract).par[Seat.F]
                total += known[i, contract]
            points[way].append(total)
    return points


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    points = totals(args.games, args.seed)
    print(f"{args.games} games, seed {args.seed}; V of all six contracts {contract_set_value(Contract):+.2f}\n")
    print("| names | par points a game | the chooser gains |\n| --- | ---: | ---: |")
    for way, values in points.items():
        own = Mean.of(values)
        gain = Mean.of([best - other for best, other in zip(points["chooser"], values, strict=True)])
        print(f"| {way} | {own.mean:+.2f} ± {own.se:.2f} | {gain.mean:+.2f} ± {gain.se:.2f} |")


if __name__ == "__main__":
    main()
