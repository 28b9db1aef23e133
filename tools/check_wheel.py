"""Install the newest wheel of a folder into an empty environment and run tests there, far from the source tree.

python tools/check_wheel.py [DIST] [-- PYTEST-ARGUMENTS]
"""

from __future__ import annotations

import os
import shutil
import subprocess
import sys
import tempfile
import venv
from pathlib import Path

ROOT = Path(__file__).parent.parent
TESTS = ["tests/test_rules.py", "tests/test_solver.py", "tests/test_conformance.py", "tests/test_perft.py"]
NEEDED = ("tests", "docs", "tools", "pyproject.toml", "README.md")
SOURCES = (".pyx", ".pxd", ".pxi", ".c", ".h")


def main(dist: Path, arguments: list[str]) -> None:
    """Check one wheel; raises CalledProcessError or SystemExit."""
    wheel = max(dist.glob("*.whl"), key=lambda path: path.stat().st_mtime)
    names = subprocess.run(
        [sys.executable, "-m", "zipfile", "-l", str(wheel)], check=True, capture_output=True, text=True
    ).stdout
    found = [line.split()[0] for line in names.splitlines() if line.split()[0].endswith(SOURCES)]
    if found:
        raise SystemExit(f"{wheel.name} holds sources of the core: {' '.join(found)}")
    with tempfile.TemporaryDirectory() as folder:
        home = Path(folder)
        venv.create(home / "venv", with_pip=True)
        python = home / "venv" / ("Scripts" if os.name == "nt" else "bin") / "python"
        subprocess.run([python, "-m", "pip", "install", "-q", f"{wheel}[testing,test]"], check=True)
        for name in NEEDED:
            source = ROOT / name
            copy = shutil.copytree if source.is_dir() else shutil.copy
            copy(source, home / name)
        where = "import mizerka_solver, hypothesis; print(mizerka_solver.__file__, mizerka_solver.__version__)"
        environment = {name: value for name, value in os.environ.items() if name != "PYTHONPATH"}
        subprocess.run([python, "-c", where], check=True, cwd=home, env=environment)
        command = [python, "-m", "pytest", "-p", "no:cacheprovider", *(arguments or TESTS)]
        subprocess.run(command, check=True, cwd=home, env=environment)


if __name__ == "__main__":
    main(Path(sys.argv[1] if len(sys.argv) > 1 else "dist").resolve(), sys.argv[3:])
