"""What the tests leave out where something optional is not installed."""

from __future__ import annotations

from importlib.util import find_spec

from hypothesis import HealthCheck, settings

# Doctests are looked for in every module, and these can't be imported without their framework.
ADAPTERS = {"pettingzoo": "pettingzoo", "pyspiel": "openspiel"}
collect_ignore = [f"mizerka_solver/adapters/{name}.py" for needs, name in ADAPTERS.items() if not find_spec(needs)]

# No test depends on how fast the machine is: neither a deadline nor a complaint that data come slowly.
settings.register_profile("any machine", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("any machine")
