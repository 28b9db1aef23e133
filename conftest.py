"""What the tests leave out where something optional is not installed; and that none of them depends on speed."""

from __future__ import annotations

import signal
from importlib.util import find_spec

from hypothesis import HealthCheck, settings

# Doctests are looked for in every module, and these can't be imported without their framework.
ADAPTERS = {"pettingzoo": "pettingzoo", "pyspiel": "openspiel"}
collect_ignore = [f"mizerka_solver/adapters/{name}.py" for needs, name in ADAPTERS.items() if not find_spec(needs)]

# On a slow or busy machine examples take as long as they take.
settings.register_profile("patient", deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.load_profile("patient")

# Background jobs are started with SIGINT ignored, and so would be the commands whose Ctrl-C is tested.
if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
    signal.signal(signal.SIGINT, signal.default_int_handler)
