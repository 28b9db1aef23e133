"""Objects that must be told when the process was forked: a lock another thread held is never released in the child."""

from __future__ import annotations

import os
from typing import Protocol
from weakref import WeakSet


class ForkAware(Protocol):
    """What can be told."""

    def after_fork(self) -> None:
        """Become usable again in the child, which has only the thread that forked."""


_known: WeakSet[ForkAware] = WeakSet()


def tell_after_fork(value: ForkAware) -> None:
    """Call `value.after_fork()` in every process forked from this one, as long as the value lives."""
    _known.add(value)


def _tell() -> None:
    for value in list(_known):
        value.after_fork()


if hasattr(os, "register_at_fork"):  # where there are forks
    os.register_at_fork(after_in_child=_tell)
