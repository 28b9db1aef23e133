"""The compiled core as text: stubs say what is built, functions and files can be read, each thing has one place."""

from __future__ import annotations

import ast
import pickle
import re
from pathlib import Path
from types import ModuleType

import pytest

from mizerka_solver import core
from tests.helpers import builds

ROOT = Path(__file__).parent.parent
CEXT = ROOT / "cext"
STUBS = ROOT / "mizerka_solver" / "core" / "_portable"
MODULES = ("_engine", "_equilibrium", "_playing")
MAX_LINES, MAX_PARAMETERS, MAX_FILE = 60, 7, 470
FUNCTION = re.compile(
    r"^(?P<indent> *)(?:cdef (?!struct|enum|class|extern)(?:inline )?[\w\* ]*?|def )(?P<name>\w+)\((?P<rest>.*)$"
)

in_source_tree = pytest.mark.skipif(not CEXT.is_dir(), reason="the core's sources are not part of this installation")


def functions(path: Path) -> list[tuple[str, int, int]]:
    """(name, lines, parameters) of each function that a Cython file defines."""
    lines = path.read_text(encoding="utf-8").splitlines()
    found = []
    for start, line in enumerate(lines):
        match = FUNCTION.match(line)
        if not match:
            continue
        head, end = line, start
        while head.count("(") > head.count(")"):
            end += 1
            head += lines[end].strip()
        if not re.search(r":\s*(#.*)?$", head):
            continue  # a variable, a declaration, or a call
        indent, last = len(match["indent"]), end
        for i in range(end + 1, len(lines)):
            if lines[i].strip() and len(lines[i]) - len(lines[i].lstrip()) <= indent:
                break
            last = i if lines[i].strip() else last
        parameters = [
            part
            for part in re.sub(r"=\(.*?\)", "", head[head.index("(") + 1 : head.rindex(")")]).split(",")
            if part.strip()
        ]
        own = [part for part in parameters if part.strip() != "self"]
        found.append((match["name"], last - start + 1, len(own)))
    return found


@in_source_tree
def test_the_functions_are_found() -> None:
    names = {name for path in CEXT.glob("*.p*") for name, _, _ in functions(path)}
    assert {"trick_start", "play", "bound_later_lone", "solve", "checked", "solve_state", "set_talon"} <= names


@in_source_tree
@pytest.mark.parametrize("path", sorted(CEXT.glob("*.p*")), ids=lambda path: path.name)
def test_functions_are_short_and_take_few_parameters(path: Path) -> None:
    for name, n_lines, n_parameters in functions(path):
        assert n_lines <= MAX_LINES, f"{name} has {n_lines} lines"
        assert n_parameters <= MAX_PARAMETERS, f"{name} has {n_parameters} parameters"


@in_source_tree
@pytest.mark.parametrize("path", sorted(CEXT.iterdir()), ids=lambda path: path.name)
def test_files_are_short_and_included_by_name(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    assert path.suffix in (".pyx", ".pxd", ".h")
    assert len(text.splitlines()) <= MAX_FILE
    assert not re.search(r"^include ", text, re.MULTILINE)


@in_source_tree
def test_intrinsics_stand_in_one_header() -> None:
    wanted = re.compile(r"\b(_mm\w*|__builtin_(?!cpu)\w+|_pext\w*|_pdep\w*|_BitScan\w+)\s*\(|intrin\.h")
    assert {path.name for path in CEXT.iterdir() if wanted.search(path.read_text(encoding="utf-8"))} == {"bits.h"}


def members(body: list[ast.stmt]) -> dict[str, ast.stmt]:
    named = [item for item in body if isinstance(item, ast.ClassDef | ast.FunctionDef)]
    found: dict[str, ast.stmt] = {item.name: item for item in named}
    found.update({item.target.id: item for item in body if isinstance(item, ast.AnnAssign)})  # type: ignore[union-attr]
    return found


def built_parameters(function: object) -> list[str] | None:
    """Names of parameters, from the signature that Cython puts before the docstring."""
    first = (getattr(function, "__doc__", None) or "").partition("\n")[0]
    match = re.fullmatch(r"[\w.]+\((.*?)\)(?: -> .*)?", first)
    if match is None:
        return None
    tree = ast.parse(f"def f({match[1]}): ...").body[0]
    assert isinstance(tree, ast.FunctionDef)
    return parameters(tree)


def parameters(function: ast.FunctionDef) -> list[str]:
    """Names, those with a default marked."""
    names = [argument.arg for argument in function.args.args]
    n_required = len(names) - len(function.args.defaults)
    marked = [name + ("=" if i >= n_required else "") for i, name in enumerate(names)]
    return [name for name in marked if name != "self"]


def shared_name(module: ModuleType) -> str:
    """Where classes say they are from: the package that chooses a build, whichever it is."""
    return f"mizerka_solver.core.{module.__name__.rpartition('.')[2]}"


def differences(stub: ast.Module, module: ModuleType) -> list[str]:
    """What a stub declares that is not built so, and public names built that it does not declare."""
    wrong = []
    declared = members(stub.body)
    for name, item in declared.items():
        if not hasattr(module, name):
            wrong.append(f"{name} is not built")
            continue
        built = getattr(module, name)
        if isinstance(item, ast.FunctionDef):
            if (names := built_parameters(built)) != parameters(item):
                wrong.append(f"{name}{names}, not {parameters(item)}")
        elif isinstance(item, ast.ClassDef):
            inside = members(item.body)
            for member, declaration in inside.items():
                if not hasattr(built, member) and not issubclass(built, Exception):
                    wrong.append(f"{name}.{member} is not built")
                elif isinstance(declaration, ast.FunctionDef) and not declaration.decorator_list:
                    names = built_parameters(getattr(built, member))
                    if names is not None and names != parameters(declaration):
                        wrong.append(f"{name}.{member}{names}, not {parameters(declaration)}")
            if not issubclass(built, Exception | tuple):
                missing = {member for member in vars(built) if not member.startswith("_")} - set(inside)
                wrong += [f"{name}.{member} is not declared" for member in sorted(missing)]
    of_module = {
        name
        for name, value in vars(module).items()
        if not name.startswith("_") and getattr(value, "__module__", shared_name(module)) == shared_name(module)
    }
    of_module -= {name for name, value in vars(module).items() if isinstance(value, ModuleType)}
    return wrong + [f"{name} is not declared" for name in sorted(of_module - set(declared) - {"i"})]


@pytest.mark.parametrize("name", MODULES)
def test_stubs_say_what_is_built(name: str) -> None:
    stub = ast.parse((STUBS / f"{name}.pyi").read_text(encoding="utf-8"))
    for module in builds(name):
        assert differences(stub, module) == []


def test_what_one_build_pickles_all_read() -> None:
    for module in builds("_engine"):
        assert module.SearchStopped.__module__ == core.SearchStopped.__module__ == shared_name(module)
    error = pickle.loads(pickle.dumps(core.SearchStopped("time")))
    assert isinstance(error, core.SearchStopped)
    assert error.reason == "time"


def test_a_ghost_in_a_stub_is_found() -> None:
    text = (STUBS / "_engine.pyi").read_text(encoding="utf-8")
    module = builds("_engine")[-1]
    ghost = text.replace("    def candidates(", "    @property\n    def splits(self) -> int: ...\n    def candidates(")
    assert differences(ast.parse(ghost), module) == ["ExchangeSearch.splits is not built"]
    assert differences(ast.parse(text.replace("limits: tuple", "limit: tuple")), module)
    assert differences(ast.parse(text.replace("def clear(", "def empty(")), module)


@pytest.mark.parametrize("name", ["_engine", "_equilibrium"])
def test_flags_have_a_bit_each_and_all_is_all_of_them(name: str) -> None:
    for module in builds(name):
        assert list(module.FLAGS.values()) == [1 << i for i in range(len(module.FLAGS))]
        assert sum(module.FLAGS.values()) == module.ALL_FLAGS
