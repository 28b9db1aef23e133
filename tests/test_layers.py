"""The house: a wing imports only wings below it, without exceptions, and only `core` the compiled modules."""

from __future__ import annotations

import ast
import importlib
import pkgutil
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest

import mizerka_solver

PACKAGE = "mizerka_solver"
ROOT = Path(__file__).parent.parent / PACKAGE
# From the ground up, as the README draws it. The façade, `mizerka_solver/__init__.py`, is the roof: it only hands on
# names, and no wing imports it.
WINGS = (
    "support",
    "core",
    "reading",
    "game",
    "policy",
    "double_dummy",
    "hidden",
    "review",
    "batches",
    "bots",
    "arena",
    "testing",
    "adapters",
    "web",
    "cli",
)
FLOOR = {wing: floor for floor, wing in enumerate(WINGS)}
COMPILED = {"_portable", "_v3"}
# Cheap at import or already loaded by the interpreter; anything else makes the package slow to start.
LIGHT = {
    "__future__",
    "collections",
    "csv",
    "dataclasses",
    "enum",
    "functools",
    "json",
    "math",
    "operator",
    "random",
    "typing",
}


def sources(wing: str) -> list[Path]:
    return sorted(path for path in (ROOT / wing).rglob("*.py") if not COMPILED & set(path.parts))


FILES = [path for wing in WINGS for path in sources(wing)]


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


def test_the_wings_are_all_there_is() -> None:
    found = {path.name for path in ROOT.iterdir() if path.is_dir() and path.name != "__pycache__"}
    assert found == set(WINGS)
    assert [path.name for path in ROOT.glob("*.py")] == ["__init__.py"]
    assert all((ROOT / wing / "__init__.py").is_file() for wing in WINGS)


@pytest.mark.parametrize("path", FILES, ids=lambda path: str(path.relative_to(ROOT)))
def test_a_wing_imports_only_wings_below_it(path: Path) -> None:
    wing = path.relative_to(ROOT).parts[0]
    for name in imports(path):
        package, _, inner = name.partition(".")
        if package != PACKAGE:
            continue
        target = inner.partition(".")[0]
        assert target in FLOOR, f"{name}: wings import from wings, not from the façade"
        assert target == wing or FLOOR[target] < FLOOR[wing], f"{name}: {target} is not below {wing}"


def test_only_core_imports_the_compiled_modules() -> None:
    for path in (*FILES, ROOT / "__init__.py"):
        if path.parts[-2] == "core":
            continue
        tree = ast.parse(path.read_text(encoding="utf-8"))
        # By name as well: importlib takes a string.
        strings = [str(node.value) for node in ast.walk(tree) if isinstance(node, ast.Constant)]
        named = [name for name in (*imports(path), *strings) for part in COMPILED if f"{PACKAGE}.core.{part}" in name]
        assert not named, f"{path.name} reaches past core: {named}"


def test_no_module_is_hidden_by_an_exported_name() -> None:
    packages = [PACKAGE, *(f"{PACKAGE}.{wing}" for wing in WINGS)]
    for name in packages:
        package = importlib.import_module(name)
        exported = set(getattr(package, "__all__", ()))
        modules = {module.name for module in pkgutil.iter_modules(package.__path__)}
        assert not exported & modules, f"{name} exports a name that is also its module"


def test_all_exports_exist() -> None:
    for name in (PACKAGE, *(f"{PACKAGE}.{wing}" for wing in WINGS)):
        package = importlib.import_module(name)
        for exported in getattr(package, "__all__", ()):
            assert hasattr(package, exported), f"{name}.{exported}"


def test_the_ground_floors_import_only_what_is_light() -> None:
    light = [ROOT / "support" / "errors.py", *sources("game")]
    for path in light:
        if path.name == "perft.py":
            continue  # reads package data, when asked for its golden numbers
        outside = {target.split(".")[0] for target in imports(path)} - {PACKAGE}
        assert outside <= LIGHT, f"{path.name} imports {outside - LIGHT}"


def test_importing_the_package_loads_nothing_optional() -> None:
    optional = {"numpy", "rich", "click", "http.server", "asyncio", "hypothesis"}
    code = f"from {PACKAGE} import *; import sys; print(*sorted({optional} & set(sys.modules)))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []


def test_the_facade_is_complete() -> None:
    """What a user needs at the top: every public class that a top-level function or method returns."""
    for name in (
        "Deal",
        "Position",
        "Solver",
        "Solution",
        "Value",
        "ExchangeSolution",
        "ExchangeValue",
        "ExchangeLine",
    ):
        assert name in mizerka_solver.__all__


@pytest.mark.parametrize("wing", ["", "game", "double_dummy", "hidden", "review", "batches", "arena"])
def test_names_on_first_use_are_from_where_type_checkers_see_them(wing: str) -> None:
    package = importlib.import_module(f"{PACKAGE}.{wing}".rstrip("."))
    tree = ast.parse((ROOT / wing / "__init__.py").read_text(encoding="utf-8"))
    seen = {
        alias.name: (node.module or "").removeprefix(f"{PACKAGE}.")
        for node in ast.walk(tree)
        if isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{PACKAGE}.")
        for alias in node.names
    }
    given = {name: home for home, names in package.HOMES.items() for name in names.split()}
    assert given == {name: home for name, home in seen.items() if name not in ("version", "on_first_use")}
    assert sorted(given) == sorted(package.__all__)
    assert all(getattr(package, name) is not None for name in package.__all__)


def test_the_facade_imports_nothing_before_it_is_asked() -> None:
    code = f"import {PACKAGE}, sys; print(*(name for name in sys.modules if name.startswith('{PACKAGE}.')))"
    done = subprocess.run([sys.executable, "-c", code], cwd=ROOT.parent, capture_output=True, text=True, check=True)
    assert done.stdout.split() == []
