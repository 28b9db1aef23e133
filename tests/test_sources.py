"""The package's own text: one class for a name, one function for what is done."""

from __future__ import annotations

import ast
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path

import mizerka_solver

PACKAGE = Path(mizerka_solver.__file__).parent
NAMESAKES = "web/told.py", "web/asked.py"  # the JSON of a thing is called as the thing is
N_NODES = 20  # of a body's syntax tree: smaller ones are alike by chance


def modules() -> Iterator[tuple[str, ast.Module]]:
    """Yield each module's path in the package and its syntax tree."""
    for path in sorted(PACKAGE.rglob("*.py")):
        yield path.relative_to(PACKAGE).as_posix(), ast.parse(path.read_text(encoding="utf-8"))


def normal_form(function: ast.FunctionDef | ast.AsyncFunctionDef) -> str | None:
    """Return a body without docstring, its arguments and own names numbered as they come; None for a small one."""
    body = function.body[1:] if ast.get_docstring(function) else function.body
    block = ast.Module(body, [])
    if sum(1 for _ in ast.walk(block)) < N_NODES:
        return None
    every = function.args
    own = [each.arg for each in (*every.posonlyargs, *every.args, *every.kwonlyargs)]
    own += [each.id for each in ast.walk(block) if isinstance(each, ast.Name) and isinstance(each.ctx, ast.Store)]
    numbers = {name: f"_{i}" for i, name in enumerate(dict.fromkeys(own))}
    block = ast.parse(ast.unparse(block))
    for node in ast.walk(block):
        if isinstance(node, ast.Name):
            node.id = numbers.get(node.id, node.id)
    return ast.unparse(block)


def test_a_class_name_stands_once() -> None:
    """Readers find one meaning for a name; what the page's JSON mirrors keeps the name of what it mirrors."""
    places = defaultdict(list)
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.ClassDef) and path not in NAMESAKES:
                places[node.name].append(path)
    assert {name: where for name, where in places.items() if len(where) > 1} == {}


def test_a_body_stands_once() -> None:
    """No function is a copy of another with other names of its variables."""
    places = defaultdict(list)
    for path, tree in modules():
        for node in ast.walk(tree):
            if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and (form := normal_form(node)):
                places[form].append(f"{path}: {node.name}")
    assert [where for where in places.values() if len(where) > 1] == []


def test_copies_are_recognised() -> None:
    """The form of a copy with other names is that of the original, and another operation makes another form."""
    one, two, other = (
        ast.parse(text).body[0]
        for text in (
            "def f(a, b):\n    total = 0\n    for x in a:\n        total += x * b + x\n    return total, a, b",
            "def g(p, q):\n    'Doc.'\n    s = 0\n    for y in p:\n        s += y * q + y\n    return s, p, q",
            "def g(p, q):\n    s = 0\n    for y in p:\n        s -= y * q + y\n    return s, p, q",
        )
    )
    forms = [normal_form(each) for each in (one, two, other) if isinstance(each, ast.FunctionDef)]
    assert None not in forms
    assert forms[0] == forms[1] != forms[2]
