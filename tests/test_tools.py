"""The tool that measures coverage reads generated C right; the other tools are tested by what they write."""

from __future__ import annotations

import importlib
import subprocess
import sys

import pytest

from tests.cli import ROOT


@pytest.fixture
def tool(monkeypatch: pytest.MonkeyPatch):  # type: ignore[no-untyped-def]
    monkeypatch.syspath_prepend(ROOT / "tools")
    import measure_coverage

    yield measure_coverage
    del sys.modules["measure_coverage"]


def test_mistakes_are_planted_into_files_that_exist(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(ROOT / "tools")
    import mutate_rules

    try:
        assert mutate_rules.SOURCE.samefile(importlib.import_module(mutate_rules.MODULE).__file__)
        assert [name for name in (*mutate_rules.QUICK, *mutate_rules.MORE) if not (ROOT / name).is_file()] == []
        code = mutate_rules.SOURCE.read_text(encoding="utf-8")
        assert [part for part, _ in mutate_rules.HARMLESS if part not in code] == []
    finally:
        del sys.modules["mutate_rules"]


def test_lines_of_c_are_told_where_they_come_from(tool) -> None:  # type: ignore[no-untyped-def]
    generated = """\
static int f(int a) {
  /* "cext/order.pxd":7
 * a line before
 * the line             # <<<<<<<<<<<<<<
 */
  x = 1;
    /* "table.pxd":30
 */
    y = 2;
  /* function exit code */
  return x;
}
static int helper(void) { return 1; }
"""
    where = tool.sources(generated.splitlines())
    assert (where[6], where[9]) == (("order.pxd", 7), ("table.pxd", 30))
    assert not {1, 11, 12, 13} & set(where)


def test_ranges_and_rows(tool) -> None:  # type: ignore[no-untyped-def]
    assert tool.ranges({3, 7, 8, 9, 11}) == "3, 7-9, 11"
    files = {"cext/a.pxd": ({1, 2, 3, 4}, {1, 2, 3}), "mizerka_solver/b.py": ({1}, {1})}
    assert tool.table(files).splitlines()[2:] == [
        "| `cext/` | 1 | 4 | 75.0 % |",
        "| `mizerka_solver/` | 1 | 1 | 100.0 % |",
        "| all | 2 | 5 | 80.0 % |",
    ]


def test_the_table_of_bots_is_that_of_the_results() -> None:
    """docs/bots-search.md has the rows that the benchmark makes of the kept results."""
    folder = ROOT / "benchmarks"
    command = [sys.executable, str(folder / "bench_bots.py"), "--table", str(folder / "bots.jsonl")]
    table = subprocess.run(command, capture_output=True, text=True, check=True, cwd=ROOT, encoding="utf-8").stdout
    assert table.count("\n") > 10
    assert table.strip() in (ROOT / "docs" / "bots-search.md").read_text(encoding="utf-8")
