"""Entry point of the `mizerka` script: Ctrl-C ends it quietly from the first moment on, while the rest is imported."""

from __future__ import annotations

from mizerka_solver.cli import process


def main() -> None:
    """Take the signals, then import the commands and run the one that is asked for."""
    process.begin()
    from mizerka_solver.cli.main import main as run

    run()
