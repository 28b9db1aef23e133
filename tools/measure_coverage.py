"""Which lines the tests run, those of the compiled core included; the tree itself is left as it is.

    python tools/measure_coverage.py [--write] [PYTEST-ARGUMENTS...]

Works in a copy below build/coverage. There the core is built once, portable, without optimisation and with the C
compiler's own counters (MIZERKA_COVERAGE=1, see setup.py), and the default tests run under coverage.py. Then gcov's
counts of C lines are carried back to the lines of the .pyx and .pxd files: Cython says above each piece of C
where it comes from. A line counts as run when any C it became ran, in any module it is part of. Cython's own line
tracing is not used: it takes the GIL for every line of the search, which is then a hundred times as slow.

`--write` puts the table into docs/tests.md. Needs gcc and gcov (the environment variable GCOV names another one).
"""

from __future__ import annotations

import argparse
import json
import os
import re
import shutil
import subprocess
import sys
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).parent.parent
TREE = ROOT / "build" / "coverage"
COPIED = ("cext", "mizerka_solver", "tests", "docs", "tools", "benchmarks")
DOCUMENT = ROOT / "docs" / "tests.md"
BEGIN, END = "<!-- coverage -->\n", "<!-- end of coverage -->"

# The sitecustomize.py of the copy: support/pool.py starts threads below `threading`, where coverage.py does not
# follow them by itself.
TRACE_ALL_THREADS = """\
import _thread, sys, threading

start = _thread.start_new_thread


def start_traced(function, args, kwargs={}):
    def run(*args, **kwargs):
        sys.settrace(threading.gettrace())
        function(*args, **kwargs)

    return start(run, args, kwargs)


_thread.start_new_thread = start_traced
"""

SOURCE_MARK = re.compile(r'^ */\* "(?:.*/)?([^"/]+)":(\d+)$')
NO_SOURCE = re.compile(r"^}|^ */\* function exit code \*/|^/\* #+ Code section")


def copy_tree() -> None:
    """Make the copy the measurement works in, without anything compiled."""
    shutil.rmtree(TREE, ignore_errors=True)
    skipped = shutil.ignore_patterns("*.so", "*.pyd", "__pycache__")
    for name in COPIED:
        shutil.copytree(ROOT / name, TREE / name, ignore=skipped)
    for path in ROOT.iterdir():
        if path.is_file() and not path.name.startswith(".coverage"):
            shutil.copy(path, TREE)
    (TREE / "sitecustomize.py").write_text(TRACE_ALL_THREADS, encoding="utf-8")


def run(*words: str, **environment: str) -> int:
    """Run a command in the copy, which comes first on the path of modules; return its exit code."""
    clean = {name: value for name, value in os.environ.items() if not name.startswith("MIZERKA_")}
    return subprocess.run(words, cwd=TREE, env={**clean, "PYTHONPATH": str(TREE), **environment}).returncode


def python_lines() -> dict[str, tuple[set[int], set[int]]]:
    """Return the lines that could run and those that did, of each Python module, as coverage.py counted them."""
    run(sys.executable, "-m", "coverage", "combine", "-q")
    run(sys.executable, "-m", "coverage", "json", "-q", "-o", "coverage.json")
    files = json.loads((TREE / "coverage.json").read_text())["files"]
    found = {}
    for name, entry in sorted(files.items()):
        ran = set(entry["executed_lines"])
        found[name] = (ran | set(entry["missing_lines"]), ran)
    return found


def core_lines() -> dict[str, tuple[set[int], set[int]]]:
    """The same of the compiled core."""
    found: dict[str, tuple[set[int], set[int]]] = {}
    for counts in sorted(TREE.glob("build/temp*/**/*.gcno")):
        answer = subprocess.run(
            [os.environ.get("GCOV", "gcov"), "--json-format", "--stdout", str(counts)],
            cwd=TREE,
            check=True,
            capture_output=True,
            text=True,
        ).stdout
        for file in json.loads(answer)["files"]:
            if not file["file"].endswith(".c"):
                continue
            where = sources((TREE / file["file"]).read_text(encoding="utf-8").splitlines())
            for line in file["lines"]:
                source = where.get(line["line_number"])
                if source is not None and (TREE / "cext" / source[0]).exists():
                    could, ran = found.setdefault(f"cext/{source[0]}", (set(), set()))
                    could.add(source[1])
                    if line["count"]:
                        ran.add(source[1])
    return dict(sorted(found.items()))


def sources(generated: Iterable[str]) -> dict[int, tuple[str, int]]:
    """Return the file and line that lines of generated C come from."""
    found: dict[int, tuple[str, int]] = {}
    current: tuple[str, int] | None = None
    for number, line in enumerate(generated, 1):
        mark = SOURCE_MARK.match(line)
        if mark:
            current = mark[1], int(mark[2])
        elif NO_SOURCE.match(line):
            current = None
        elif current is not None:
            found[number] = current
    return found


def ranges(lines: set[int]) -> str:
    """Return numbers as people write them: 3, 7-9."""
    parts: list[list[int]] = []
    for line in sorted(lines):
        if parts and line == parts[-1][-1] + 1:
            parts[-1].append(line)
        else:
            parts.append([line])
    return ", ".join(f"{part[0]}-{part[-1]}" if len(part) > 1 else str(part[0]) for part in parts)


def group(name: str) -> str:
    """Return the part of the house a file belongs to."""
    parts = Path(name).parts
    return "/".join(parts[:-1]) + "/" if len(parts) > 1 else name


def table(files: dict[str, tuple[set[int], set[int]]]) -> str:
    """Return the table for the document: one row a folder, and the sum."""
    rows: dict[str, list[int]] = {}
    for name, (could, ran) in files.items():
        for key in (group(name), "all"):
            row = rows.setdefault(key, [0, 0, 0])
            for place, amount in enumerate((1, len(could), len(ran))):
                row[place] += amount
    last = rows.pop("all")
    text = "| part | files | lines | run by the tests |\n| --- | ---: | ---: | ---: |\n"
    for name, (n_files, n_lines, n_ran) in [*sorted(rows.items()), ("all", last)]:
        shown = name if name == "all" else f"`{name}`"
        text += f"| {shown} | {n_files} | {n_lines} | {100 * n_ran / n_lines:.1f} % |\n"
    return text


def main() -> None:
    """Measure and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--write", action="store_true", help="put the table into docs/tests.md")
    chosen, pytest_arguments = parser.parse_known_args()
    copy_tree()
    if run(sys.executable, "setup.py", "-q", "build_ext", "--inplace", MIZERKA_COVERAGE="1"):
        raise SystemExit("the core could not be built with counters: this needs gcc, gcov and the extra `coverage`")
    tests = run(
        sys.executable, "-m", "coverage", "run", "-m", "pytest", "-n", "0", "-p", "no:cacheprovider", *pytest_arguments
    )
    files = {name: lines for name, lines in {**core_lines(), **python_lines()}.items() if lines[0]}
    for name, (could, ran) in files.items():
        missing = ranges(could - ran)
        print(f"{name:44} {len(could):5} {100 * len(ran) / len(could):6.1f} %  {missing}".rstrip())
    print(f"\n{table(files)}")
    if chosen.write:
        text = DOCUMENT.read_text(encoding="utf-8")
        head, tail = text.partition(BEGIN)[0], text.partition(END)[2]
        DOCUMENT.write_text(f"{head}{BEGIN}\n{table(files)}\n{END}{tail}", encoding="utf-8")
    raise SystemExit(tests)


if __name__ == "__main__":
    main()
