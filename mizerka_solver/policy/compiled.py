"""The policy for the compiled playing core: the same weights, as values of every holding of a suit.

Weights have three decimals, so values in thousandths of a point are whole numbers and exact.
"""

from __future__ import annotations

from functools import lru_cache
from importlib.resources import files
from typing import Any

from mizerka_solver.core import Policies
from mizerka_solver.game.cards import N_RANKS
from mizerka_solver.game.rules import Seat
from mizerka_solver.policy.quick import HOLDING_FEATURES, HONOURS, KINDS, MAX_DRAWN, N_LENGTHS, data

THOUSANDTHS = 1000
DRAWN_KEYS = ("trump", "no trump", "mizerka")


@lru_cache(maxsize=1)
def policies() -> Policies:
    """Return the policy of `quick.py` and `play.py`, compiled; made once, in some thousandths of a second.

    >>> policies().discards(0b111, contract=0, seat=0, most=0)
    0
    """
    import numpy as np

    kept = np.zeros((len(KINDS), len(Seat), 1 << N_RANKS), np.int16)
    amounts = {names: holding_amounts(kind) for kind, names in HOLDING_FEATURES.items()}
    for i, kind in enumerate(KINDS):
        for seat in Seat:
            weights = data()["kept"][kind][seat.name]
            column = np.array([round(THOUSANDTHS * weights[name]) for name in HOLDING_FEATURES[kind]], np.int32)
            kept[i, seat] = amounts[HOLDING_FEATURES[kind]] @ column
    drawn = [
        round(THOUSANDTHS * data()["drawn"][key][seat.name][n])
        for key in DRAWN_KEYS
        for seat in Seat
        for n in range(MAX_DRAWN + 1)
    ]
    return Policies(kept.reshape(-1), np.array(drawn, np.int16), nets())


def holding_amounts(kind: str) -> Any:
    """Return the amounts of `quick.holding_features` of all 8192 holdings at once, int32[lane, feature]."""
    import numpy as np

    held = np.arange(1 << N_RANKS)[:, None] >> np.arange(N_RANKS) & 1
    so_far = held.cumsum(axis=1)
    length = so_far[:, -1]
    columns = [*held.T, *(length >= n for n in range(1, N_LENGTHS + 1))]
    if kind == "mizerka":
        for i in range(5):
            rank = np.argmax(so_far == i + 1, axis=1)
            columns.append(np.where(length > i, np.maximum(rank - 2 * i, 0), 0))
    else:
        for honour, guards in HONOURS:
            higher = length - so_far[:, honour]
            columns.append(held[:, honour] * higher)
            columns.append(held[:, honour] & (higher == 0) & (length > guards))
    return np.stack(columns, axis=1).astype(np.int32)


def has_nets() -> bool:
    """Tell whether there is a learned policy."""
    return nets() is not None


@lru_cache(maxsize=1)
def nets() -> Any:
    """Return the nets of the learned policy, int16, flat; None where there are none."""
    import numpy as np

    path = files("mizerka_solver.policy").joinpath("learned.bin")
    return np.frombuffer(path.read_bytes(), "<i2").astype(np.int16) if path.is_file() else None
