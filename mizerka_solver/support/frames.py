"""Rows as a data frame of whichever library is installed; none is needed by the package itself."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from importlib import import_module
from importlib.util import find_spec
from typing import Any

from mizerka_solver.support.errors import MizerkaError

LIBRARIES = ("pandas", "polars")


class Framed:
    """A value that is also a table, one row a thing."""

    __slots__ = ()

    def rows(self) -> Iterator[dict[str, Any]]:
        """Yield the rows, as the command's CSV has them."""
        raise NotImplementedError

    def to_frame(self, library: str | None = None) -> Any:
        """Return `rows` as a DataFrame of pandas or polars; raises MizerkaError when neither is installed."""
        return to_frame(self.rows(), library)


def to_frame(rows: Iterable[Mapping[str, Any]], library: str | None = None) -> Any:
    """Return a DataFrame of `library`, "pandas" or "polars", if none is given of the first that is installed.

    Raises MizerkaError when it is not.
    """
    if library is not None and library not in LIBRARIES:
        raise MizerkaError("a data frame must be of pandas or polars", token=library)
    wanted = LIBRARIES if library is None else (library,)
    for name in wanted:
        if find_spec(name):
            return import_module(name).DataFrame(list(rows))
    names = " or ".join(wanted)
    raise MizerkaError(f"a data frame needs {names}, which is not installed (pip install {wanted[0]})")
