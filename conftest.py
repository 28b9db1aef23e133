"""What the tests leave out where something optional is not installed."""

from __future__ import annotations

from importlib.util import find_spec

# Doctests are looked for in every module, and these can't be imported without their framework.
ADAPTERS = {"pettingzoo": "pettingzoo", "pyspiel": "openspiel"}
collect_ignore = [f"mizerka_solver/adapters/{name}.py" for needs, name in ADAPTERS.items() if not find_spec(needs)]
