"""A line on standard error that says what long work is at, where a person watches."""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager


@contextmanager
def status_line(first: str) -> Iterator[Callable[[str], object] | None]:
    """Yield what puts a text on the line, which is gone at the end; None where standard error is no terminal."""
    if not sys.stderr.isatty():
        yield None
        return
    from rich.console import Console

    with Console(stderr=True, markup=False).status(first) as status:
        yield status.update
