"""Which build of the compiled core to use: the fastest this machine can run. The only importer of compiled modules.

Two builds of the same sources may be installed, `_portable` and `_v3` (x86-64-v3: BMI2, AVX2, POPCNT). The choice is
made once, when the solver is first imported, and holds for all compiled modules. The environment variable
MIZERKA_BUILD=portable or =v3 forces one; asking for a build that is not there, or that this CPU cannot run, is an
ImportError that says so. The core reads no files: the nets that order leads are handed to it here.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from enum import IntEnum
from importlib import import_module, util
from pkgutil import get_data  # importlib.resources takes 10 ms more to import
from types import ModuleType
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from mizerka_solver.core._portable import _engine, _equilibrium, _playing
    from mizerka_solver.core._portable._engine import ExchangeSearch as ExchangeSearch


def load_engine(build: str) -> ModuleType:
    """Import the alpha-beta engine of a build, `_portable` or `_v3`, and give it its nets."""
    engine = import_module(f"mizerka_solver.core.{build}._engine")
    engine.load_leads(get_data("mizerka_solver.core", "leads.bin"))
    return engine


if not TYPE_CHECKING:

    def _choose():
        portable = import_module("mizerka_solver.core._portable._engine")
        wanted = os.environ.get("MIZERKA_BUILD", "")
        if wanted not in ("", "portable", "v3"):
            raise ImportError(f"MIZERKA_BUILD={wanted!r}: the builds are portable and v3")
        has_v3 = all(
            util.find_spec(f"mizerka_solver.core._v3.{name}") for name in ("_engine", "_equilibrium", "_playing")
        )
        if wanted == "v3" and not (has_v3 and portable.cpu_is_v3()):
            reason = "this CPU cannot run it" if has_v3 else "it is not part of this installation"
            raise ImportError(f"MIZERKA_BUILD=v3: {reason}")
        if wanted == "portable" or not has_v3 or not portable.cpu_is_v3():
            return "_portable"
        return "_v3"

    _chosen = _choose()
    _engine = load_engine(_chosen)
    _equilibrium = import_module(f"mizerka_solver.core.{_chosen}._equilibrium")
    _playing = import_module(f"mizerka_solver.core.{_chosen}._playing")
    # Compiled classes say they are from modules of this package (setup.py): what one build pickles, all read.
    for _module in (_engine, _equilibrium, _playing):
        sys.modules[f"{__name__}.{_module.__name__.rpartition('.')[2]}"] = _module

Engine = _engine.Engine
SearchStopped = _engine.SearchStopped
ALL_FLAGS = _engine.ALL_FLAGS
FLAGS = _engine.FLAGS
Recording = _engine.Recording
load_leads = _engine.load_leads
Equilibrium = _equilibrium.Equilibrium
EquilibriumAnswer = _equilibrium.EquilibriumAnswer
EquilibriumCancelledError = _equilibrium.EquilibriumCancelledError
EquilibriumMemoryError = _equilibrium.EquilibriumMemoryError
Policies = _playing.Policies
Question = _playing.Question
Race = _playing.Race
N_TRUSTS = _playing.N_TRUSTS


class RaceKind(IntEnum):
    """What the choices of a `Race` are."""

    CARDS = _playing.CARDS
    EXCHANGES = _playing.EXCHANGES
    CONTRACTS = _playing.CONTRACTS


def exchange_search(
    engine: Engine, hands: Sequence[int], talon: Sequence[int], contract: int, seat: int, reply: bool
) -> ExchangeSearch:
    """Return the engine's search about the discards of one seat."""
    return _engine.ExchangeSearch(engine, hands, talon, contract, seat, reply)


def build_name() -> str:
    """The build in use: "portable" or "x86-64-v3"."""
    return _engine.build()
