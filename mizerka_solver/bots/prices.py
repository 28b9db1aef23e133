"""What contracts that are left to name are worth, in points of play by the search bot's playouts.

Made by tools/price_contracts.py, which says how: 2,000 hands of 80 worlds, seed 1; no standard error is above 0.024.
The prices of `policy/quick.py` are par of open cards: there forehand loses less, and mizerka most of all.
"""

from __future__ import annotations

from collections.abc import Collection

from mizerka_solver.game.rules import Contract

# Suits left, then no trump and mizerka.
PRICES = {
    "0": 0.000,
    "0N": -1.898,
    "0M": -3.086,
    "1": -2.566,
    "0NM": -4.341,
    "1N": -4.099,
    "1M": -4.998,
    "2": -4.525,
    "1NM": -6.186,
    "2N": -5.901,
    "2M": -6.601,
    "3": -6.154,
    "2NM": -7.744,
    "3N": -7.459,
    "3M": -8.000,
    "4": -7.564,
    "3NM": -9.131,
    "4N": -8.850,
    "4M": -9.255,
    "4NM": -10.398,
}


def price_after(contract: Contract, remaining: Collection[Contract]) -> float:
    """Return the points that what is left after `contract` is expected to bring in later deals.

    >>> price_after(Contract.N, [Contract.N, Contract.M]), price_after(Contract.M, [Contract.M])
    (-3.086, 0.0)
    """
    left = set(remaining) - {contract}
    suits = len(left - {Contract.N, Contract.M})
    return PRICES[f"{suits}{'N' * (Contract.N in left)}{'M' * (Contract.M in left)}"]
