"""The version of the installed distribution."""

from __future__ import annotations


def version() -> str:
    """Return the version, as the installed metadata has it; reading that takes longer than importing the package."""
    from importlib.metadata import PackageNotFoundError, version

    try:
        return version("mizerka-solver")
    except PackageNotFoundError:  # a source tree that was never installed
        return "0+unknown"
