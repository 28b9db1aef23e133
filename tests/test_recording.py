"""Recording what leads cost: only a recording build can, so the slow test makes one."""

from __future__ import annotations

import importlib.util
import os
import subprocess
import sys
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
CODE = """
import gc, sys, weakref
sys.path.insert(0, sys.argv[1])
from mizerka_solver.core._portable import _engine
assert _engine.records()
hands = [0b1111 << 16 * i | 0b1111 << (16 * ((i + 1) % 3) + 6) for i in range(3)]
engine = _engine.Engine(1 << 20)
def solve():
    engine.clear()
    return [engine.solve(hands, (), 0, contract, seat)[0] for contract in range(6) for seat in range(3)]
plain = solve()
recording = _engine.Recording(engine, sys.argv[2], [1.0] * 14)
assert solve() == plain
try:
    _engine.Recording(engine, sys.argv[2], [1.0])
except ValueError:
    pass
else:
    raise AssertionError("an Engine recorded twice")
del recording            # not closed: the engine must not look for it any more
gc.collect()
assert solve() == plain
with _engine.Recording(engine, sys.argv[2], [1.0] * 14):
    solve()
assert solve() == plain
dropped = _engine.Recording(engine, sys.argv[2], [1.0] * 14)
del engine, dropped      # together
gc.collect()
for bad in ([2.0], [-1.0], [float("nan")], [0.0] * 40):
    try:
        _engine.Recording(_engine.Engine(1 << 20), sys.argv[2], bad)
    except ValueError:
        continue
    raise AssertionError(bad)
print("recorded")
"""


def can_build() -> bool:
    """Whether this environment has what pyproject.toml asks of a build."""
    try:
        return importlib.util.find_spec("Cython") is not None and int(version("setuptools").partition(".")[0]) >= 77
    except PackageNotFoundError:
        return False


@pytest.mark.slow
@pytest.mark.skipif(not (ROOT / "setup.py").exists(), reason="the sources are not part of this installation")
@pytest.mark.skipif(not can_build(), reason="needs Cython and setuptools 77 to build")
def test_a_recording_that_is_forgotten_ends(tmp_path: Path) -> None:
    environment = os.environ | {"MIZERKA_RECORD": "1", "MIZERKA_NO_V3": "1", "CFLAGS": "-O0"}
    build = [sys.executable, "setup.py", "-q", "build_ext", "--build-lib", str(tmp_path), "--build-temp", str(tmp_path)]
    subprocess.run(build, cwd=ROOT, env=environment, check=True, capture_output=True)
    package = tmp_path / "mizerka_solver" / "core"
    for folder in (package.parent, package, package / "_portable"):
        (folder / "__init__.py").touch()
    out = tmp_path / "leads"
    done = subprocess.run(
        [sys.executable, "-c", CODE, str(tmp_path), str(out)], cwd=tmp_path, capture_output=True, text=True, check=False
    )
    assert done.stdout == "recorded\n", done.stderr
    assert out.stat().st_size % 64 == 0
