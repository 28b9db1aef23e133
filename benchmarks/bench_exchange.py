"""How long the best exchange with open cards takes for random full deals: seconds and nodes per contract kind and seat.

    python benchmarks/bench_exchange.py -n 20 --seed 1 [-c SNM] [--seats FMR] [--others stand,reply] [--one]

Deal i of a seed is Deal.random(seed + i); the table is emptied before each search. Nodes are the signature of
behaviour.
`exact`: searches that found the value within the limit; `all`: and every exchange as good. With --one a search ends
at the first exchange proven best. Par is left out. Seconds are CPU seconds of this thread.
"""

from __future__ import annotations

import argparse
import statistics
import time

from mizerka_solver import Contract, Deal, Seat, Solver

KINDS = {"S": "suit", "N": "no trump", "M": "mizerka"}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("-n", type=int, default=10, help="deals")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("-c", "--contracts", default="SNM")
    parser.add_argument("--seats", default="FMR")
    parser.add_argument("--others", default="stand,reply")
    parser.add_argument("--limit", type=float, default=60.0, help="seconds a search")
    parser.add_argument("--nodes", type=int, default=None, help="cards played a search, instead of seconds")
    parser.add_argument("--memory", default="256M")
    parser.add_argument("--one", action="store_true")
    args = parser.parse_args()
    solver = Solver(memory=args.memory)
    deals = [Deal.random(args.seed + i) for i in range(args.n)]
    print(f"{args.n} deals, seed {args.seed}, {'one best exchange' if args.one else 'all best exchanges'}")
    print("kind     seat others   mean s  median     max |  mean nodes  median nodes     max nodes | exact  all")
    for letter in args.contracts:
        for others in args.others.split(","):
            for seat in args.seats if others == "stand" else args.seats.replace("R", ""):
                seconds, nodes, exact, complete = [], [], 0, 0
                for deal in deals:
                    solver.clear()
                    start = time.thread_time()
                    limits = {"seconds": args.limit} if args.nodes is None else {"node_limit": args.nodes}
                    found = solver.exchange(
                        deal, Contract[letter], Seat[seat], others, top=0, ties=not args.one, **limits
                    )
                    seconds.append(time.thread_time() - start)
                    nodes.append(found.nodes)
                    exact += found.exact
                    complete += found.complete
                print(
                    f"{KINDS[letter]:8} {seat:4} {others:6} {statistics.mean(seconds):8.3f}"
                    f" {statistics.median(seconds):7.3f} {max(seconds):7.3f} | {statistics.mean(nodes):11.0f}"
                    f"  {statistics.median(nodes):12.0f} {max(nodes):13d} | {exact:5d} {complete:4d}",
                    flush=True,
                )


if __name__ == "__main__":
    main()
