"""Does the race over sampled worlds find a good exchange? Short races of small hands against many fresh worlds.

    python benchmarks/race.py -n 36 [--samples 64] [--fresh 500] [--seed 1]

Hands of four cards, contracts and seats in turn. The candidates of a race are all valued again in fresh worlds.
`dropped` counts races that ruled out the one that is best there by more than two standard errors; `behind` is how much
worse the winner is than that one, which by its choice is a little too good.
"""

from __future__ import annotations

import argparse
import statistics

from mizerka_solver import Contract, Deal, Hand, Sampling, Seat, Situation, Solver, forecast_exchange
from mizerka_solver.game.rules import Variant, seat_points
from mizerka_solver.hidden.discards import AfterExchange
from mizerka_solver.hidden.draws import ExchangeWorlds, world_generator
from mizerka_solver.hidden.luck import Draw

SMALL = Variant(4, 2, (2, 1, 1), (1, 1, 2))
EXCHANGED = {Seat.F: (), Seat.M: (2,), Seat.R: (1, 1)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=36, help="races")
    parser.add_argument("--samples", type=int, default=64)
    parser.add_argument("--fresh", type=int, default=500)
    parser.add_argument("--seed", type=int, default=1)
    args = parser.parse_args()
    solver = Solver(memory="16M")
    behind, dropped = [], 0
    for number in range(args.n):
        seat, contract = Seat(number % 3), [Contract.S, Contract.N, Contract.M][number // 3 % 3]
        hand = Hand.from_cards(list(Deal.random(args.seed + number).hands[0])[::3][:4])
        asked = Situation(hand, contract, seat, EXCHANGED[seat], variant=SMALL)
        report = forecast_exchange(asked, Sampling(args.samples, seed=args.seed))
        draw = Draw(hand, contract, seat)
        rows = []
        for i in range(args.fresh):
            world = ExchangeWorlds(asked).draw(world_generator(args.seed + 1, i))
            after, row = AfterExchange(asked, world), []
            for candidate in report.candidates:
                position = after.position(candidate.discards)
                points = seat_points(contract, seat, solver.guaranteed(position, seat), SMALL)
                row.append(points - draw.luck(candidate.discards, position.masks[seat]))
            rows.append(row)
        means = [statistics.mean(column) for column in zip(*rows, strict=True)]
        best = max(range(len(means)), key=means.__getitem__)
        gap = [row[best] - row[0] for row in rows]
        behind.append(statistics.mean(gap))
        error = statistics.stdev(gap) / len(gap) ** 0.5
        dropped += report.candidates[best].ruled_out and behind[-1] > 2 * error
    error = statistics.stdev(behind) / len(behind) ** 0.5
    print(f"{args.n} races of {args.samples} worlds: the winner {statistics.mean(behind):.3f} ± {error:.3f} behind")
    print(f"the best in {args.fresh} fresh worlds, which was dropped in {dropped}")


if __name__ == "__main__":
    main()
