"""The package's layers: each module imports strictly lower ones only, and only one of them the compiled core."""

from __future__ import annotations

import ast
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

PACKAGE = "mizerka_solver"
ROOT = Path(__file__).parent.parent / PACKAGE
LEVELS: tuple[tuple[str, ...], ...] = (
    ("errors", "cards"),
    ("rules",),
    ("position", "deal"),
    (
        "notation",
        "record_fields",
        "records",
        "values",
        "tally",
        "limits",
        "jobs",
        "programs",
        "perft",
        "exchange_values",
        "policy",
    ),
    ("_core", "guarantees", "exchange_question", "discards", "equilibria", "solver"),
    ("exchange", "batch", "worlds", "luck", "sampling", "race", "analysis", "summary"),
    ("bots", "match", "arena", "conformance", "bench", "plot"),
    ("cli", "web", "adapters"),
)
LEVEL = {name: level for level, names in enumerate(LEVELS) for name in names}
# Within a level nothing else: each of these is one-way, so the table is still an order.
SAME_LEVEL = {
    ("cards", "errors"),
    ("deal", "position"),
    ("records", "notation"),
    ("records", "record_fields"),
    ("guarantees", "_core"),
    ("solver", "guarantees"),
    ("solver", "_core"),
    ("equilibria", "_core"),
    ("solver", "equilibria"),
    ("exchange_question", "_core"),
    ("discards", "_core"),
    ("discards", "exchange_question"),
    ("solver", "discards"),
    ("solver", "exchange_question"),
    ("exchange_values", "values"),
}
SAME_LEVEL |= {("sampling", "batch"), ("sampling", "worlds")}
SAME_LEVEL |= {("race", "sampling"), ("race", "worlds"), ("race", "luck"), ("summary", "analysis")}
SAME_LEVEL |= {("arena", "bots"), ("arena", "match"), ("conformance", "bots"), ("conformance", "arena")}
SAME_LEVEL |= {("perft", "notation")}
COMPILED = {"_portable", "_v3"}
COMPILED_IMPORTER = "_core"
# Not part of the order: the façade and the command's entry see everything, test helpers are imported by nobody.
OUTSIDE = {"__init__", "__main__", "testing"}
# Cheap at import or already loaded by the interpreter; anything else makes the package slow to start.
LIGHT = {"__future__", "collections", "dataclasses", "enum", "functools", "json", "math", "random", "typing"}


def modules() -> dict[str, list[Path]]:
    """Source files by top module: a package counts as one module."""
    found: dict[str, list[Path]] = {}
    for path in sorted(ROOT.rglob("*.py")):
        name = path.relative_to(ROOT).parts[0].removesuffix(".py")
        if name not in COMPILED:
            found.setdefault(name, []).append(path)
    return found


def imports(path: Path) -> Iterator[str]:
    """Dotted names of everything a file imports, anywhere in it, lazily or for type checking too."""
    package = (PACKAGE, *path.relative_to(ROOT).parts[:-1])
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        if isinstance(node, ast.Import):
            yield from (alias.name for alias in node.names)
        elif isinstance(node, ast.ImportFrom):
            base = package[: len(package) - node.level + 1] if node.level else ()
            source = ".".join((*base, *([node.module] if node.module else [])))
            # `from package import name` may mean a module of that name.
            yield from (f"{source}.{alias.name}" for alias in node.names) if source == PACKAGE else (source,)


def inner(path: Path) -> set[str]:
    """Top modules of the package that a file imports."""
    return {name.split(".")[1] for name in imports(path) if name.startswith(PACKAGE + ".")}


def test_every_module_has_a_level() -> None:
    assert set(modules()) - set(LEVEL) - OUTSIDE == set()
    assert {"errors", "cards", "rules", "position", "deal", "notation", "records"} <= set(modules())


@pytest.mark.parametrize("name", sorted(set(modules()) - OUTSIDE))
def test_imports_go_down_only(name: str) -> None:
    for path in modules()[name]:
        # The version is the façade's; the top level may ask for it, since the façade does not import the top level.
        # It may also run the test helpers.
        top = {"__version__", "testing"} if LEVEL[name] == len(LEVELS) - 1 else set()
        for target in inner(path) - {name} - COMPILED - top:
            assert target in LEVEL, f"{path.name} imports {target}, which has no level (names come from their modules)"
            below = LEVEL[target] < LEVEL[name] or (name, target) in SAME_LEVEL
            assert below, f"{path.name} (level {LEVEL[name]}) imports {target} (level {LEVEL[target]})"


def test_the_top_level_is_imported_by_nobody() -> None:
    top = {*LEVELS[-1], "testing"}
    for name, paths in modules().items():
        if name not in (*top, "__main__"):
            assert not any(inner(path) & top for path in paths), f"{name} imports a command or a test helper"


def test_the_testing_module_needs_nothing_above_the_solver() -> None:
    for path in modules()["testing"]:
        targets = inner(path) - {"testing"}
        assert all(LEVEL[target] <= 4 for target in targets), f"{path.name} imports {targets}"


def test_one_module_imports_the_compiled_core() -> None:
    for name, paths in modules().items():
        for path in paths:
            text = path.read_text(encoding="utf-8")
            # By name as well: importlib takes a string.
            strings = [n.value for n in ast.walk(ast.parse(text)) if isinstance(n, ast.Constant)]
            named = any(str(string).startswith(f"{PACKAGE}.{part}") for string in strings for part in COMPILED)
            assert name == COMPILED_IMPORTER or not (named or inner(path) & COMPILED), f"{path.name} imports the core"


def test_the_lower_levels_import_only_what_is_light() -> None:
    for name in (*LEVELS[0], *LEVELS[1], *LEVELS[2], "notation", "record_fields", "records"):
        for path in modules()[name]:
            outside = {target.split(".")[0] for target in imports(path)} - {PACKAGE}
            assert outside <= LIGHT, f"{path.name} imports {outside - LIGHT}"


def test_importing_the_package_loads_nothing_optional() -> None:
    optional = {"numpy", "rich", "click", "http.server", "asyncio", "hypothesis"}
    code = f"import {PACKAGE}, sys; print(*sorted({optional} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
