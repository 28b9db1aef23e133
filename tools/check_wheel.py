"""Install the newest wheel of a folder into an empty environment, use it and run tests there, far from the source tree.

    python tools/check_wheel.py [DIST] [PYTEST-ARGUMENTS...]

First without any extra: the command must work, and neither a compiler nor Cython be needed. Then with what tests need.
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
import zipfile
from pathlib import Path

ROOT = Path(__file__).parent.parent
TESTS = [f"tests/test_{name}.py" for name in ("rules", "engine", "solver", "conformance", "perft")]
NEEDED = ("tests", "docs", "tools", "conftest.py", "pyproject.toml", "README.md")
SOURCES = (".pyx", ".pxd", ".pxi", ".c", ".h")
NO_CYTHON = "import importlib.util, sys; sys.exit('Cython got in' if importlib.util.find_spec('Cython') else 0)"
WHERE = "import mizerka_solver; print(mizerka_solver.__file__, mizerka_solver.__version__)"


def main(dist: Path, arguments: list[str]) -> None:
    """Check one wheel; raises CalledProcessError or SystemExit."""
    wheels = sorted(dist.glob("*.whl"), key=lambda path: path.stat().st_mtime)
    if not wheels:
        raise SystemExit(f"no wheel in {dist}: python -m build makes one")
    wheel = wheels[-1]
    found = [name for name in zipfile.ZipFile(wheel).namelist() if name.endswith(SOURCES)]
    if found:
        raise SystemExit(f"{wheel.name} holds sources of the core: {' '.join(found)}")
    environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        binaries = home / "venv" / ("Scripts" if os.name == "nt" else "bin")

        def run(program: str, *words: str) -> None:
            print(f"+ {program} {' '.join(words)}", flush=True)
            subprocess.run([binaries / program, *words], check=True, cwd=home, env=environment)

        run("python", "-m", "pip", "install", "-q", str(wheel))
        run("python", "-c", NO_CYTHON)
        run("python", "-c", WHERE)
        run("mizerka", "solve", "--random", "--seed", "7")
        run("mizerka", "bench", "--deals", "2")
        run("python", "-m", "pip", "install", "-q", f"{wheel}[testing,test]")
        for name in NEEDED:
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, home / name)
        run("python", "-m", "pytest", "-p", "no:cacheprovider", *(arguments or TESTS))


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve(), sys.argv[2:])
