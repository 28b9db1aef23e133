"""What the documentation shows is what happens: README, CLI reference, examples in --help."""

from __future__ import annotations

import ast
import doctest
import re
import shlex
import subprocess
import sys
from pathlib import Path

import click
import pytest

from mizerka_solver.cli.main import COMMANDS, cli
from tests.cli import ROOT, SMALL, run
from tests.test_cli_commands import RECORD

README = (ROOT / "README.md").read_text(encoding="utf-8")


def blocks(language: str) -> list[str]:
    """The fenced blocks of the README in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)


def without_nodes(text: str) -> str:
    """Node counts move with every change of the search."""
    return re.sub(r'"nodes":\d+', '"nodes":0', text)


def test_python_of_the_readme() -> None:
    source = "\n".join(blocks("python"))
    test = doctest.DocTestParser().get_doctest(source, {}, "README.md", "README.md", 0)
    assert len(test.examples) > 10
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test, out=report.append)
    assert not report, "".join(report)


def test_commands_of_the_readme(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sessions = blocks("console")
    assert len(sessions) >= 4
    for session in sessions:
        for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            name, *arguments = shlex.split(command)
            assert name == "mizerka"
            assert without_nodes(run(*arguments).output) == without_nodes(expected), command


def test_the_readme_names_every_module() -> None:
    house = blocks("text")[0]
    package = ROOT / "mizerka_solver"
    names = {path.stem for path in package.iterdir() if not path.stem.startswith("_") and path.suffix in ("", ".py")}
    missing = [name for name in sorted(names) if not re.search(rf"\b{name}\b", house)]
    assert not missing, f"not on the README's map: {missing}"


def test_links_of_the_readme_lead_somewhere() -> None:
    links = re.findall(r"\]\(([^)#]+)\)", README)
    assert links
    assert all((ROOT / link).exists() for link in links if "://" not in link)


def test_the_cli_reference_is_fresh() -> None:
    code = "import sys; sys.path.insert(0, 'tools'); from gen_cli_reference import reference; print(ascii(reference()))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=True, text=True).stdout
    made = ast.literal_eval(shown)
    current = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert current == made, "run: python tools/gen_cli_reference.py"


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_of_help(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    Path("deals.txt").write_text(f"{SMALL}\n")
    Path("games.jsonl").write_text(f"{RECORD}\n")
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help
    examples = re.findall(r"^ *mizerka (.*)$", command.help, re.MULTILINE)
    assert examples
    for example in examples:
        run(*shlex.split(example.replace("--deals 5", "--deals 1")))
