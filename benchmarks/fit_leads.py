"""Learn which lead to try first: mizerka_solver/core/leads.bin, the nets of cext/lead_net.pxd.

    MIZERKA_RECORD=1 python setup.py build_ext --inplace --force      # a build that records
    python benchmarks/fit_leads.py record KIND SECONDS FILE [--seed 1] [--scale 1]
    python benchmarks/fit_leads.py fit FILE ... [--epochs 16]

KIND is no_trump, trump or mizerka. `record` solves generated positions, never those of any benchmark or case file, and
at some nodes notes for every lead whether it decides the node and how many nodes it takes, with what the table holds at
that moment (cext/record.pxd). `fit` (needs PyTorch) fits a net for each kind and leader found in the files, so that the
expected number of nodes spent until a lead decides is least; the others stay as they are. After a fit, recording and
fitting again pays for a round or two, since the searches have changed.
"""

from __future__ import annotations

import argparse
import random
import time
from pathlib import Path

import numpy as np

DATA = Path(__file__).resolve().parent.parent / "mizerka_solver" / "core" / "leads.bin"
KINDS = ("no_trump", "trump", "mizerka")
ROWS, WIDTH, CLAMP = 2319, 16, 127  # as in cext/lead_net.h
ROW_UNIT, OUT_UNIT = 16, 256
CUT_OFF = 3000  # nodes: a lead that costs more counts as this
# How likely a node with so many tricks left is recorded: those near the root are few, and cost most.
CHANCES = [0, 0, 0.003, 0.005, 0.008, 0.012, 0.02, 0.035, 0.06, 0.1, 0.2, 0.35, 0.5, 0.6]


def positions(rng: random.Random, kind: int) -> list[tuple]:
    """A batch of questions for Engine.solve, of 11 to 13 cards, some of them without a suit or with one complete."""
    questions = []
    for n_cards, shape in ((13, 0), (13, 1), (13, 2), (12, 0), (11, 0)):
        for _ in range(2):
            bits = [16 * suit + rank for suit in range(4 - (shape == 1)) for rank in range(13)]
            if shape == 2:  # spades complete
                bits = bits[:13] + rng.sample(bits[13:], 26)
            rng.shuffle(bits)
            hands = [sum(1 << bit for bit in bits[i * n_cards : (i + 1) * n_cards]) for i in range(3)]
            contract = (4, 0 if shape == 2 else rng.randrange(4 - (shape == 1)), 5)[kind]
            questions.append((hands, (), rng.randrange(3), contract, rng.randrange(3)))
    return questions


def record(kind: int, seconds: float, path: Path, seed: int, scale: float) -> None:
    from mizerka_solver.core import Engine, Recording

    engine = Engine(64 << 20)
    recording = Recording(engine, str(path), [min(1.0, scale * chance) for chance in CHANCES])
    end = time.process_time() + seconds
    n = nodes = 0
    while time.process_time() < end:
        seed += 1
        for question in positions(random.Random(seed), kind):
            engine.clear()
            nodes += engine.solve(*question, limits=(2_000_000, 0.0))[2]
            n += 1
    recording.close()
    print(f"{KINDS[kind]}: {n} solves, {nodes} nodes, {path.stat().st_size >> 20} MB")


def load(path: Path) -> tuple[np.ndarray, np.ndarray]:
    """The lines of a recording, and where its nodes begin (the last may be cut short)."""
    lines = np.fromfile(path, dtype=np.int32)
    lines = lines[: len(lines) // 16 * 16].reshape(-1, 16)
    heads = np.flatnonzero(lines[:, 0] == -1)
    return lines, heads[heads + lines[heads, 5] < len(lines)]


def leads_of(lines: np.ndarray, heads: np.ndarray, width: int) -> dict[str, np.ndarray]:
    """Arrays [node, lead] of the leads at those nodes, padded to `width` leads; rows is [node, lead, 13]."""
    valid = np.arange(width) < lines[heads, 5][:, None]
    at = np.where(valid, heads[:, None] + 1 + np.arange(width), heads[:, None] + 1)
    moves = lines[at]
    return {
        "valid": valid,
        "answer": moves[..., 1],
        "nodes": moves[..., 2].astype(np.float64),
        "rows": np.where(moves[..., 3:] < 0, ROWS, moves[..., 3:]),
        "weight": (1 << 24) / np.maximum(lines[heads, 6], 1),
    }


def spent(order_by: np.ndarray, decides: np.ndarray, nodes: np.ndarray, valid: np.ndarray) -> np.ndarray:
    """Nodes until a lead decides, trying them by descending score."""
    order = np.argsort(-np.where(valid, order_by, -np.inf), axis=1, kind="stable")
    first = np.take_along_axis(decides, order, 1).argmax(1)
    return np.take_along_axis(nodes, order, 1).cumsum(1)[np.arange(len(first)), first]


def fit_net(leads: dict[str, np.ndarray], wish: int, epochs: int, title: str) -> tuple[np.ndarray, np.ndarray]:
    """The rows and output weights, in the units of the file."""
    try:
        import torch
    except ImportError:
        raise SystemExit("fitting needs PyTorch: pip install torch") from None

    decides = (leads["answer"] == wish) & leads["valid"]
    keep = decides.any(1) & (leads["valid"].sum(1) > 1)
    leads = {name: array[keep] for name, array in leads.items()}
    decides, valid, weight = decides[keep], leads["valid"], leads["weight"]
    nodes = np.minimum(leads["nodes"], CUT_OFF)
    least = np.where(decides, nodes, np.inf).min(1)
    # A lead that fails costs its nodes and then at least those of the best.
    loss_of = np.where(decides, nodes, nodes + least[:, None]) * weight[:, None] / np.mean(weight * least)
    split = np.random.default_rng(0).permutation(len(nodes))
    train, test = split[len(split) // 14 :], split[: len(split) // 14]

    torch.manual_seed(1)
    rows = torch.nn.Embedding(ROWS + 1, WIDTH, padding_idx=ROWS)
    torch.nn.init.normal_(rows.weight, 0, 0.12)
    with torch.no_grad():
        rows.weight[ROWS] = 0
    out = torch.nn.Parameter(0.3 * torch.randn(WIDTH))
    index = torch.tensor(leads["rows"].astype(np.int64))
    loss_t, valid_t = torch.tensor(loss_of, dtype=torch.float32), torch.tensor(valid)

    def scores(at: torch.Tensor) -> torch.Tensor:
        hidden = torch.clamp(rows(index[at]).sum(2), 0, CLAMP / ROW_UNIT)
        return (hidden * out).sum(-1)

    rate, size = 0.01, 256
    steps = epochs * (len(train) // size + 1)
    optimizer = torch.optim.Adam([rows.weight, out], lr=rate)
    step = 0
    rng = np.random.default_rng(1)
    for _ in range(epochs):
        shuffled = rng.permutation(train)
        for start in range(0, len(shuffled), size):
            optimizer.param_groups[0]["lr"] = rate * (1 - step / steps) + 1e-5
            step += 1
            at = torch.tensor(shuffled[start : start + size])
            share = torch.softmax(scores(at).masked_fill(~valid_t[at], -1e9), 1)
            loss = (share * loss_t[at]).sum(1).mean()
            optimizer.zero_grad()
            loss.backward()
            optimizer.step()
    with torch.no_grad():
        got = spent(scores(torch.tensor(test)).numpy(), decides[test], nodes[test], valid[test])
    chance = spent(rng.random(valid[test].shape), decides[test], nodes[test], valid[test])
    best = np.sum(weight[test] * least[test])
    print(
        f"{title}: {len(nodes)} nodes; held out, against the cheapest lead: {np.sum(weight[test] * got) / best:.3f} "
        f"times the nodes, at random {np.sum(weight[test] * chance) / best:.3f}",
        flush=True,
    )
    return (
        np.clip(np.round(rows.weight.detach().numpy()[:ROWS] * ROW_UNIT), -127, 127),
        np.clip(np.round(out.detach().numpy() * OUT_UNIT), -32767, 32767),
    )


def fit(paths: list[Path], epochs: int) -> None:
    net_type = np.dtype([("rows", "i1", (ROWS, WIDTH)), ("out", "<i2", WIDTH)])
    nets = np.fromfile(DATA, dtype=net_type) if DATA.exists() else np.zeros(9, net_type)
    files = [load(path) for path in paths]
    for net in range(9):
        kind, leader = divmod(net, 3)
        parts = [(lines, heads[(lines[heads, 1] == kind) & (lines[heads, 2] == leader)]) for lines, heads in files]
        parts = [(lines, heads) for lines, heads in parts if len(heads)]
        if not parts:
            continue
        width = max(int(lines[heads, 5].max()) for lines, heads in parts)
        found = [leads_of(lines, heads, width) for lines, heads in parts]
        leads = {name: np.concatenate([part[name] for part in found]) for name in found[0]}
        # The lone player (leader 0) wants a yes; in mizerka the pair does.
        wish = int(leader == 0) if KINDS[kind] != "mizerka" else int(leader != 0)
        nets[net]["rows"], nets[net]["out"] = fit_net(leads, wish, epochs, f"{KINDS[kind]}, leader {leader}")
    nets.tofile(DATA)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    commands = parser.add_subparsers(dest="command", required=True)
    recording = commands.add_parser("record", help="solve generated positions and note what leads cost")
    recording.add_argument("kind", choices=KINDS)
    recording.add_argument("seconds", type=float, help="processor time")
    recording.add_argument("file", type=Path)
    recording.add_argument("--seed", type=int, default=1)
    recording.add_argument("--scale", type=float, default=1.0, help="record so many times as many nodes")
    fitting = commands.add_parser("fit", help="fit the nets of the kinds found in recordings, and write them")
    fitting.add_argument("files", type=Path, nargs="+")
    fitting.add_argument("--epochs", type=int, default=16)
    args = parser.parse_args()
    if args.command == "record":
        record(KINDS.index(args.kind), args.seconds, args.file, args.seed * 1_000_000, args.scale)
    else:
        fit(args.files, args.epochs)


if __name__ == "__main__":
    main()
