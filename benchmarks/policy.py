"""The quick exchange policy against simple ones: par points on the same deals, by contract and seat.

    python benchmarks/policy.py [--deals 1000] [--mizerka-deals 100] [--seed 1] [--contracts SNM]

One seat exchanges in turn as the policy, by standing pat, by throwing its lowest cards (in mizerka its highest; in a
suit contract trumps last): three, five, all it may, or as many as the policy; the two others always follow the policy.
The table shows how many par points the seat gets more with the policy, on average, with the standard error of that
difference. As F and M, following the policy, leave R no talon, they throw their three lowest each where R is compared.
"""

from __future__ import annotations

import argparse
from collections.abc import Callable
from random import Random

from mizerka_solver.double_dummy.solver import Solver
from mizerka_solver.game.cards import Card, Hand
from mizerka_solver.game.convert import as_contracts
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.policy.quick import choose_discards, version
from mizerka_solver.support.statistics import Mean

Exchange = Callable[[Hand, Contract, Seat, int], tuple[Card, ...]]


def lowest(hand: Hand, contract: Contract, n: int) -> tuple[Card, ...]:
    """Return the n lowest cards, trumps last; in mizerka the n highest."""

    def order(card: Card) -> tuple[bool, int, int]:
        return card.suit == contract, -card.rank if contract.is_mizerka else card.rank, card.suit

    return tuple(sorted(hand, key=order)[:n])


def stand(hand: Hand, contract: Contract, seat: Seat, n_available: int) -> tuple[Card, ...]:
    """Keep all cards."""
    return ()


def throw(n: int) -> Exchange:
    """Return the exchange that always throws n cards, if the talon has them."""

    def exchange(hand: Hand, contract: Contract, seat: Seat, n_available: int) -> tuple[Card, ...]:
        return lowest(hand, contract, min(n, n_available))

    return exchange


def throw_as_many(hand: Hand, contract: Contract, seat: Seat, n_available: int) -> tuple[Card, ...]:
    """Throw as many as the policy, but simply the lowest."""
    return lowest(hand, contract, len(choose_discards(hand, contract, seat, n_available)))


OTHERS: dict[str, Exchange] = {
    "stand": stand,
    "3 lowest": throw(3),
    "5 lowest": throw(5),
    "7 lowest": throw(7),
    "as many": throw_as_many,
}


def exchanged(deal: Deal, contract: Contract, seat: Seat, own: Exchange) -> Deal:
    """Return the deal after all exchanged, `seat` in its own way."""
    discards: dict[Seat, tuple[Card, ...]] = {}
    left = len(deal.talon)
    other: Exchange = throw(3) if seat is Seat.R else choose_discards
    for mover in Seat:
        exchange = own if mover is seat else other
        discards[mover] = exchange(deal.hands[mover], contract, mover, left)
        left -= len(discards[mover])
    return deal.after_exchange(discards)


def compare(
    contract: Contract, seat: Seat, n_deals: int, seed: int, names: tuple[str, ...] = tuple(OTHERS)
) -> dict[str, Mean]:
    """Return the policy's advantage in par points over each simple way."""
    solver = Solver(memory="128M")
    rng = Random(seed)
    gains: dict[str, list[float]] = {name: [] for name in names}
    for _ in range(n_deals):
        deal = Deal.random(rng)
        after = exchanged(deal, contract, seat, choose_discards)
        known = {after: solver.value(after, contract).par[seat]}
        for name in names:
            other = exchanged(deal, contract, seat, OTHERS[name])
            if other not in known:
                known[other] = solver.value(other, contract).par[seat]
            gains[name].append(known[after] - known[other])
    return {name: Mean.of(values) for name, values in gains.items()}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--deals", type=int, default=1000)
    parser.add_argument("--mizerka-deals", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--contracts", type=as_contracts, default=as_contracts("SNM"), help="suits are alike")
    args = parser.parse_args()
    print(f"Policy {version()}, seed {args.seed}: par points more than\n")
    print("| contract | seat | deals | " + " | ".join(OTHERS) + " |")
    print("| --- | --- | ---: |" + " ---: |" * len(OTHERS))
    for contract in args.contracts:
        n = args.mizerka_deals if contract.is_mizerka else args.deals
        for seat in Seat:
            gains = compare(contract, seat, n, args.seed)
            cells = " | ".join(f"{gain.mean:+.2f} ± {gain.se:.2f}" for gain in gains.values())
            print(f"| {contract.long_name} | {seat} | {n} | {cells} |", flush=True)


if __name__ == "__main__":
    main()
