"""Plant mistakes into game/rules.py one at a time, run the tests that should notice, list those that don't.

    python tools/mutate_rules.py [--first N] [--only TEXT]

A mutant is one changed operator, number or condition, or a check left out. Each runs in a forked child in which that
module alone is the changed one; nothing is written. Survivors that change nothing a caller could see are in HARMLESS,
with the reason. Exits with 1 when another one survives. (POSIX only: it forks.)
"""

from __future__ import annotations

import argparse
import ast
import copy
import importlib
import importlib.abc
import importlib.machinery
import importlib.util
import math
import os
import signal
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from types import ModuleType

import hypothesis.stateful
import hypothesis.strategies
import pytest

ROOT = Path(__file__).parent.parent
MODULE = "mizerka_solver.game.rules"
SOURCE = ROOT.joinpath(*MODULE.split(".")).with_suffix(".py")
QUICK = [SOURCE.relative_to(ROOT).as_posix(), "tests/test_rules.py"]
MORE = ["tests/test_position.py", "tests/test_deal.py", "tests/test_records.py"]
PATIENCE = 10  # times what the tests take without a mistake; a mutant that loops for ever is noticed too

# What survives and why it may: what the changed line holds, the change, and the reason.
SAME_LENGTH = "the two always have the same length"
HARMLESS: dict[tuple[str, str], str] = {
    ("card.rank > top.rank", "card.rank > top.rank  ->  card.rank >= top.rank"): "a trick never holds a card twice",
    ("zip(piles, sizes, strict=True)", "True  ->  False"): SAME_LENGTH,
    ("zip(seats, points(contract, tricks, self.variant), strict=True)", "True  ->  False"): SAME_LENGTH,
    ("zip(self.totals, gained, strict=True)", "True  ->  False"): SAME_LENGTH,
}

SWAPS: dict[type[ast.AST], list[type[ast.AST]]] = {
    ast.Lt: [ast.LtE, ast.Gt],
    ast.LtE: [ast.Lt],
    ast.Gt: [ast.GtE, ast.Lt],
    ast.GtE: [ast.Gt],
    ast.Eq: [ast.NotEq],
    ast.NotEq: [ast.Eq],
    ast.Is: [ast.IsNot],
    ast.IsNot: [ast.Is],
    ast.In: [ast.NotIn],
    ast.NotIn: [ast.In],
    ast.Add: [ast.Sub],
    ast.Sub: [ast.Add],
    ast.Mult: [ast.Add],
    ast.Mod: [ast.FloorDiv],
    ast.BitAnd: [ast.BitOr],
    ast.BitXor: [ast.BitAnd],
    ast.BitOr: [ast.BitAnd],
    ast.And: [ast.Or],
    ast.Or: [ast.And],
}


def mutants(tree: ast.Module) -> Iterator[tuple[int, str, ast.Module]]:
    """Yield (line, 'old -> new', changed tree), one place changed in each."""
    skipped = {id(inner) for node in ast.walk(tree) for part in annotations(node) for inner in ast.walk(part)}
    nodes = list(ast.walk(tree))
    for index, node in enumerate(nodes):
        if id(node) in skipped:
            continue
        for change in changes(node):
            twin = copy.deepcopy(tree)
            target = list(ast.walk(twin))[index]
            before = ast.unparse(node).splitlines()[0]
            replacement = change(target)
            if replacement is not None:
                replace(twin, target, replacement)
            after = ast.unparse(replacement or target).splitlines()[0]
            yield getattr(node, "lineno", 0), f"{before}  ->  {after}", ast.fix_missing_locations(twin)


def annotations(node: ast.AST) -> list[ast.AST]:
    """Return the parts of a node that are only for the type checker."""
    parts = [getattr(node, name, None) for name in ("annotation", "returns")]
    return [part for part in parts if isinstance(part, ast.AST)]


def changes(node: ast.AST) -> Iterator[object]:
    """Yield functions that change a node in place (and return None), or return what replaces it."""
    if isinstance(node, ast.Compare):
        for place, op in enumerate(node.ops):
            for other in SWAPS.get(type(op), []):
                yield lambda twin, place=place, other=other: twin.ops.__setitem__(place, other())
    elif isinstance(node, (ast.BinOp, ast.AugAssign, ast.BoolOp)):
        for other in SWAPS.get(type(node.op), []):
            yield lambda twin, other=other: setattr(twin, "op", other())
    elif isinstance(node, ast.UnaryOp) and isinstance(node.op, ast.Not):
        yield lambda twin: twin.operand
    elif isinstance(node, ast.Constant) and isinstance(node.value, bool):
        yield lambda twin: setattr(twin, "value", not twin.value)
    elif isinstance(node, ast.Constant) and isinstance(node.value, int):
        yield lambda twin: setattr(twin, "value", twin.value + 1)
        if node.value > 1:
            yield lambda twin: setattr(twin, "value", twin.value - 1)
    elif isinstance(node, ast.Raise):
        yield lambda twin: ast.Pass()
    elif isinstance(node, (ast.If, ast.IfExp)):
        yield lambda twin: setattr(twin, "test", ast.UnaryOp(ast.Not(), twin.test))


def replace(tree: ast.AST, old: ast.AST, new: ast.AST) -> None:
    """Put `new` where `old` is."""
    for node in ast.walk(tree):
        for name, value in ast.iter_fields(node):
            if value is old:
                setattr(node, name, new)
            elif isinstance(value, list) and any(item is old for item in value):
                setattr(node, name, [new if item is old else item for item in value])


class Finder(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Gives the changed source for the one module."""

    def __init__(self, text: str) -> None:
        self.text = text

    def find_spec(self, name: str, path: object = None, target: object = None) -> importlib.machinery.ModuleSpec | None:
        """Answer for the one module."""
        return importlib.util.spec_from_file_location(name, SOURCE, loader=self) if name == MODULE else None

    def create_module(self, spec: object) -> ModuleType | None:
        """As usual."""
        return None

    def exec_module(self, module: ModuleType) -> None:
        """Run the changed source."""
        exec(compile(self.text, str(SOURCE), "exec"), module.__dict__)


def survives(text: str, tests: list[str], seconds: float = math.inf) -> bool:
    """Run tests with the changed module in a child; return whether they pass, in time."""
    child = os.fork()
    if child == 0:
        os.setsid()
        nowhere = os.open(os.devnull, os.O_RDWR)
        for stream in (0, 1, 2):
            os.dup2(nowhere, stream)
        for name in [name for name in sys.modules if name.split(".")[0] in ("mizerka_solver", "tests")]:
            del sys.modules[name]
        sys.meta_path.insert(0, Finder(text))
        code: int = 2
        try:
            # Before pytest, which would load a module named on its command line by its own loader.
            importlib.import_module(MODULE)
            # The first failing example is enough: no shorter one is looked for.
            quick = hypothesis.settings(database=None, phases=[hypothesis.Phase.explicit, hypothesis.Phase.generate])
            hypothesis.settings.register_profile("mutants", quick)
            hypothesis.settings.load_profile("mutants")
            # Hypothesis is there already, which pytest would warn of.
            quiet = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]
            code = pytest.main(["-x", "-q", "-n", "0", "-p", "no:cacheprovider", *quiet, *tests])
        finally:
            os._exit(int(code) != 0)
    deadline = time.monotonic() + seconds
    while time.monotonic() < deadline:
        done, status = os.waitpid(child, os.WNOHANG)
        if done:
            return status == 0
        time.sleep(0.02)
    os.killpg(child, signal.SIGKILL)
    os.waitpid(child, 0)
    return False


def main() -> None:
    """Run all mutants and report."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--first", type=int, help="only so many")
    parser.add_argument("--only", default="", help="only mutants whose description has this in it")
    chosen = parser.parse_args()
    os.chdir(ROOT)
    sys.path.insert(0, str(ROOT))
    text = SOURCE.read_text(encoding="utf-8")
    begun = time.monotonic()
    if not survives(text, [*QUICK, *MORE]):
        raise SystemExit("the tests fail without any change")
    limit = PATIENCE * (time.monotonic() - begun)
    found = [mutant for mutant in mutants(ast.parse(text)) if chosen.only in mutant[1]][: chosen.first]
    alive = 0
    for line, what, tree in found:
        changed = ast.unparse(tree)
        if survives(changed, QUICK, limit) and survives(changed, MORE, limit):
            code = text.splitlines()[line - 1]
            why = next((why for (part, change), why in HARMLESS.items() if part in code and change == what), None)
            alive += why is None
            print(f"rules.py:{line}: {what}: {'SURVIVES' if why is None else f'harmless: {why}'}", flush=True)
    minutes = (time.monotonic() - begun) / 60
    print(f"{len(found)} mutants, {alive} survive without an explanation, {minutes:.0f} minutes")
    raise SystemExit(1 if alive else 0)


if __name__ == "__main__":
    main()
