"""The package's own strategies under the name tests import them by, and what only these tests need."""

from __future__ import annotations

from hypothesis import strategies as st

from mizerka_solver.testing import (
    cards,
    contracts,
    deals,
    exchanges,
    games,
    hands,
    names,
    plays,
    positions,
    records,
    seats,
    suits,
    tricks,
)

__all__ = [
    "cards",
    "contracts",
    "deals",
    "exchanges",
    "games",
    "hands",
    "json_values",
    "names",
    "plays",
    "positions",
    "records",
    "seats",
    "suits",
    "tricks",
]


def json_values() -> st.SearchStrategy[object]:
    """What an extra field of a record may hold."""
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3))
