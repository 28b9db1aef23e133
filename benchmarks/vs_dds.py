"""Time this engine against bridge's DDS on the same positions, in one run on one thread.

    pip install 'mizerka-solver[bench]'
    python benchmarks/vs_dds.py [--random N] [--seed S] [--limit N]

A three-hand position becomes a bridge deal by giving the fourth hand, opposite the seat that plays alone, 13 cards
that can never matter: all of a suit the three do not hold, or the lowest cards of every suit (re-ranked below those in
play), where the trump suit, if there is one, is held by the three completely. Positions: the 13-card cases of
tests/cases, and with --random fresh deals of the same two kinds. Both tables are emptied before every solve; answers
are compared. Nothing but the two solve calls is timed.

DDS keeps its table as long as deal and trump stay the same, whatever mode is asked for, and can't be told to forget it.
So a trivial deal with another trump is solved in between; its node counts are then those of a process of its own.
"""

from __future__ import annotations

import argparse
import json
import random
import statistics
import time
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

from endplay import _dds as dds

from mizerka_solver import Position
from mizerka_solver.core import Engine, build_name

CASES = Path(__file__).resolve().parent.parent / "tests" / "cases" / "three_hand_dds.jsonl"
LANE = 0x1FFF
Case = tuple[str, tuple[int, int, int], int, int, int]  # kind, hands, contract, leader, lone seat


def file_cases() -> Iterator[Case]:
    """The 13-card positions with DDS's answers."""
    for line in CASES.read_text().splitlines():
        record = json.loads(line)
        position = Position(record["position"])
        if position.tricks_left == 13:
            seat = "FMR".index(record["seat"])
            case = case_class(position.masks, position.contract)
            yield case, position.masks, position.contract, position.leader, seat


def case_class(hands: tuple[int, int, int], contract: int) -> str:
    n_suits = sum(1 for suit in range(4) if sum(hands) >> 16 * suit & LANE)
    return f"{('three', 'four')[n_suits == 4]} suits, {'no trump' if contract == 4 else 'trump'}"


def random_cases(n: int, seed: int) -> Iterator[Case]:
    """Deals of the same kinds: three complete suits, or four with the trump suit complete; half of them no trump."""
    rng = random.Random(seed)
    for i in range(n):
        if i % 2:
            bits = [16 * suit + rank for suit in range(3) for rank in range(13)]
        else:  # spades complete, 26 of the rest
            rest = [16 * suit + rank for suit in range(1, 4) for rank in range(13)]
            bits = list(range(13)) + rng.sample(rest, 26)
        rng.shuffle(bits)
        hands = tuple(sum(1 << bit for bit in bits[13 * j : 13 * j + 13]) for j in range(3))
        contract = 4 if i // 2 % 2 else (rng.randrange(3) if i % 2 else 0)
        leader, seat = rng.randrange(3), rng.randrange(3)
        yield case_class(hands, contract), hands, contract, leader, seat  # type: ignore[misc]


def bridge_deal(hands: tuple[int, int, int], contract: int, leader: int, seat: int) -> dds.deal:
    """North plays alone, East and West are the others in turn, South is idle."""
    deal = dds.deal()
    compass = {seat: 0, (seat + 1) % 3: 1, (seat + 2) % 3: 3}
    deal.trump, deal.first = contract, compass[leader]
    for suit in range(4):
        in_play = sum(hands) >> 16 * suit & LANE
        ranks = [rank for rank in range(13) if in_play >> rank & 1]
        idle = 13 - len(ranks)
        for i, rank in enumerate(ranks):
            owner = next(j for j in range(3) if hands[j] >> 16 * suit + rank & 1)
            deal.remainCards[compass[owner]][suit] |= 1 << (idle + i + 2)
        deal.remainCards[2][suit] = (1 << idle + 2) - 4
    return deal


def forget(trump: int) -> None:
    """Make DDS empty its table before a deal with this trump: solve one with another."""
    trivial = bridge_deal((LANE, LANE << 16, LANE << 32), 0, 0, 0)
    trivial.trump = (trump + 1) % 5
    dds.SolveBoard(trivial, -1, 1, 1, dds.futureTricks(), 0)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--random", type=int, default=0, metavar="N", help="N fresh deals instead of the case file")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--limit", type=int, help="only the first so many")
    args = parser.parse_args()
    cases = list(random_cases(args.random, args.seed) if args.random else file_cases())[: args.limit]
    dds.SetMaxThreads(1)
    engine = Engine(64 << 20)
    ours: dict[str, list[float]] = defaultdict(list)
    theirs: dict[str, list[float]] = defaultdict(list)
    nodes: dict[str, list[int]] = defaultdict(list)
    dds_nodes: dict[str, list[int]] = defaultdict(list)
    future = dds.futureTricks()
    for kind, hands, contract, leader, seat in cases:
        deal = bridge_deal(hands, contract, leader, seat)
        forget(contract)
        start = time.perf_counter()
        dds.SolveBoard(deal, -1, 1, 1, future, 0)
        theirs[kind].append(time.perf_counter() - start)
        dds_nodes[kind].append(future.nodes)
        expected = future.score[0] if leader == seat else 13 - future.score[0]
        engine.clear()
        start = time.perf_counter()
        value, _, n = engine.solve(hands, (), leader, contract, seat)
        ours[kind].append(time.perf_counter() - start)
        nodes[kind].append(n)
        if value != expected:
            raise SystemExit(f"different answers: {hands} {contract=} {leader=} {seat=}: {value}, DDS {expected}")
    print(f"{len(cases)} positions, build {build_name()}; means in ms, ratio of total times DDS / ours; answers agree")
    print(f"{'kind':24} {'n':>5} {'DDS':>8} {'ours':>8} {'max':>8} {'ratio':>6} {'nodes':>9} {'DDS nodes':>10}")
    for kind in sorted(ours):
        mine, other = statistics.mean(ours[kind]) * 1e3, statistics.mean(theirs[kind]) * 1e3
        n_mean, n_dds = statistics.mean(nodes[kind]), statistics.mean(dds_nodes[kind])
        row = f"{kind:24} {len(ours[kind]):5} {other:8.3f} {mine:8.3f} {max(ours[kind]) * 1e3:8.2f} {other / mine:6.2f}"
        print(f"{row} {n_mean:9.0f} {n_dds:10.0f}")
    for word in ("no trump", "trump"):
        mine = sum(sum(t) for kind, t in ours.items() if kind.endswith(f", {word}"))
        other = sum(sum(t) for kind, t in theirs.items() if kind.endswith(f", {word}"))
        if mine:
            print(f"total {word:18} {'':5} {other * 1e3:8.0f} {mine * 1e3:8.0f} {'':8} {other / mine:6.2f}")


if __name__ == "__main__":
    main()
