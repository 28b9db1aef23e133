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
from mizerka_solver.policy.quick import HOLDING_FEATURES, KINDS, MAX_DRAWN, data, holding_features

THOUSANDTHS = 1000
DRAWN_KEYS = ("trump", "no trump", "mizerka")


@lru_cache(maxsize=1)
def policies() -> Policies:
    """Return the policy of `quick.py` and `play.py`, compiled; made once, in a tenth of a second.

    >>> policies().discards(0b111, contract=0, seat=0, most=0)
    0
    """
    import numpy as np

    kept = np.zeros((len(KINDS), len(Seat), 1 << N_RANKS), np.int16)
    lanes = range(1 << N_RANKS)
    features = {}
    for i, kind in enumerate(KINDS):
        names = {name: column for column, name in enumerate(HOLDING_FEATURES[kind])}
        if HOLDING_FEATURES[kind] not in features:
            amounts = np.zeros((len(lanes), len(names)), np.int32)
            for lane in lanes:
                for name, amount in holding_features(kind, lane):
                    amounts[lane, names[name]] += int(amount)
            features[HOLDING_FEATURES[kind]] = amounts
        for seat in Seat:
            weights = data()["kept"][kind][seat.name]
            column = np.array([round(THOUSANDTHS * weights[name]) for name in names], np.int32)
            kept[i, seat] = features[HOLDING_FEATURES[kind]] @ column
    drawn = [
        round(THOUSANDTHS * data()["drawn"][key][seat.name][n])
        for key in DRAWN_KEYS
        for seat in Seat
        for n in range(MAX_DRAWN + 1)
    ]
    return Policies(kept.reshape(-1), np.array(drawn, np.int16), nets())


def has_nets() -> bool:
    """Tell whether there is a learned policy."""
    return nets() is not None


@lru_cache(maxsize=1)
def nets() -> Any:
    """Return the nets of the learned policy, int16, flat; None where there are none."""
    import numpy as np

    path = files("mizerka_solver.policy").joinpath("learned.bin")
    return np.frombuffer(path.read_bytes(), "<i2").astype(np.int16) if path.is_file() else None
