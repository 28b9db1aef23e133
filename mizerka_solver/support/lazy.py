"""Names of a package that are looked up when they are first used, so that importing the package takes no time."""

from __future__ import annotations

import sys
from collections.abc import Callable, Mapping
from importlib import import_module


def on_first_use(package: str, homes: Mapping[str, str]) -> Callable[[str], object]:
    """Return the `__getattr__` of a package. homes: module below the project's package → the names taken from it.

    A type checker does not see these names: the package has the same imports under TYPE_CHECKING, and a test compares.
    """
    project = package.partition(".")[0]

    def find(name: str) -> object:
        home = next((module for module, names in homes.items() if name in names.split()), None)
        if home is None:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value: object = getattr(import_module(f"{project}.{home}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return find
