"""What the documentation shows is what happens: README, CLI reference, examples in --help."""

from __future__ import annotations

import ast
import doctest
import os
import re
import shlex
import subprocess
import sys
from importlib import import_module
from pathlib import Path

import click
import pytest

from mizerka_solver import Contract, Deal, GameRecord
from mizerka_solver.cli.main import COMMANDS, cli
from tests.cli import ROOT, SMALL, run

# docs/cli.md is generated and its examples are those of --help.
DOCUMENTS = ["README.md", *(f"docs/{path.name}" for path in sorted((ROOT / "docs").glob("*.md")) if path.stem != "cli")]


def blocks(language: str, document: str = "README.md") -> list[str]:
    """The fenced blocks of a document in one language."""
    text = (ROOT / document).read_text(encoding="utf-8")
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def without_nodes(text: str) -> str:
    """Node counts move with every change of the search, times with everything."""
    return re.sub(r"slowest answer \S+", "slowest answer", re.sub(r'"nodes":\d+', '"nodes":0', text))


def write_files(document: str) -> None:
    """What a document gives as JSON is its games.jsonl; Python that is no session is its mybot.py, or what it begins
    with as in `# name.py`."""
    Path("games.jsonl").write_text("".join(blocks("json", document)), encoding="utf-8")
    for block in blocks("python", document):
        if ">>>" not in block:
            named = re.match(r"# (\w+\.py)\n", block)
            with Path(named[1] if named else "mybot.py").open("a", encoding="utf-8") as file:
                file.write(block)


def is_in(folder: Path, module: object) -> bool:
    """Whether a module was imported from a folder."""
    return str(getattr(module, "__file__", None)).startswith(f"{folder}{os.sep}")


@pytest.mark.parametrize("document", DOCUMENTS)
def test_python_of_the_documents(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.syspath_prepend(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    write_files(document)
    source = "\n".join(block for block in blocks("python", document) if ">>>" in block)
    test = doctest.DocTestParser().get_doctest(source, {}, document, document, 0)
    assert len(test.examples) > 10 or document != "README.md"
    report: list[str] = []
    doctest.DocTestRunner(optionflags=doctest.IGNORE_EXCEPTION_DETAIL).run(test, out=report.append)
    for name in [name for name, module in sys.modules.items() if is_in(tmp_path, module)]:
        del sys.modules[name]
    assert not report, "".join(report)


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_of_the_documents(document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    sessions = blocks("console", document)
    assert len(sessions) >= 4 or document != "README.md"
    write_files(document)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    for session in sessions:
        for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
            command, _, expected = part.partition("\n")
            name, *arguments = shlex.split(command)
            assert name == "mizerka"
            found = expected.startswith("A difference")  # what a check is for
            shown = without_nodes(run(*arguments, code=int(found)).output)
            if found:  # the example itself depends on Hypothesis's version
                shown, expected = shown.splitlines()[0], expected.splitlines()[0]
            assert shown == without_nodes(expected), f"{command}: run python tools/fill_docs.py"


def test_the_readme_names_every_module() -> None:
    house = blocks("text")[0]
    package = ROOT / "mizerka_solver"
    names = {path.stem for path in package.iterdir() if not path.stem.startswith("_") and path.suffix in ("", ".py")}
    missing = [name for name in sorted(names) if not re.search(rf"\b{name}\b", house)]
    assert not missing, f"not on the README's map: {missing}"


@pytest.mark.parametrize("document", DOCUMENTS)
def test_links_of_the_documents_lead_somewhere(document: str) -> None:
    text = (ROOT / document).read_text(encoding="utf-8")
    links = re.findall(r"\]\(([^)#]+)\)", text)
    assert links or document != "README.md"
    assert all(((ROOT / document).parent / link).exists() for link in links if "://" not in link)


def test_the_cli_reference_is_fresh() -> None:
    code = "import sys; sys.path.insert(0, 'tools'); from gen_cli_reference import reference; print(ascii(reference()))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=True, text=True).stdout
    made = ast.literal_eval(shown)
    current = (ROOT / "docs" / "cli.md").read_text(encoding="utf-8")
    assert current == made, "run: python tools/gen_cli_reference.py"


@pytest.mark.parametrize("name", COMMANDS)
def test_examples_of_help(name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    write_files("docs/property-testing.md")
    Path("deals.txt").write_text(f"{SMALL}\n")
    Path("six.txt").write_text("AKQ9.A.-.4\n")
    record = GameRecord(("a", "b", "c"), Deal.random(1), Contract.S, claimed=(5, 4, 4))
    Path("games.jsonl").write_text(f"{record.to_json()}\n")
    command = cli.get_command(click.Context(cli), name)
    assert command is not None
    assert command.help
    examples = re.findall(r"^ *mizerka (.*)$", command.help, re.MULTILINE)
    assert examples
    for example in examples:
        cheap = example.replace("--deals 5", "--deals 1").replace("--examples 500", "--examples 1")
        # The program of the document has a mistake.
        run(*shlex.split(cheap), code=int(name == "check-rules"))


def test_the_program_of_the_document_conforms_once_it_is_mended(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("PATH", str(Path(sys.executable).parent), prepend=os.pathsep)
    document = "docs/property-testing.md"
    write_files(document)
    (fault,) = re.findall(r"return card\[0\] == self\.contract, RANKS.*", Path("my_mizerka.py").read_text())
    (mended,) = re.findall(r"`(return [^`]+)`", (ROOT / document).read_text().replace("\n", " "))
    Path("my_mizerka.py").write_text(Path("my_mizerka.py").read_text().replace(fault, mended))
    assert run("check-rules", "cmd:python3 my_mizerka.py", "--examples", "20").stdout.startswith("No difference")
    Path("conftest.py").touch()
    tested = subprocess.run([sys.executable, "-m", "pytest", "-q"], capture_output=True, text=True, check=False)
    assert "1 passed" in tested.stdout, tested.stdout


@pytest.mark.parametrize("document", DOCUMENTS)
def test_commands_in_shell_blocks_are_understood(
    document: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    for line in "".join(blocks("sh", document)).splitlines():
        if line.startswith("mizerka "):
            run(*shlex.split(line)[1:])


def test_the_python_reference_has_every_public_name() -> None:
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    named = set(re.findall(r"auto(?:class|data|function):: ([\w.]+)", text))
    for module, members in re.findall(r"automodule:: ([\w.]+)\n +:members:(.*)", text):
        listed = [name.strip() for name in members.split(",") if name.strip()]
        content = vars(import_module(module))
        own = [name for name, value in content.items() if getattr(value, "__module__", "") == module]
        named |= {f"{module}.{name}" for name in listed or content.get("__all__", own)}
    for package in ("mizerka_solver", "mizerka_solver.testing"):
        for name in import_module(package).__all__:
            assert any(entry.endswith(f".{name}") for entry in named), f"docs/api.md lacks {name}"


def test_every_mistake_that_may_survive_is_told() -> None:
    code = "import sys; sys.path.insert(0, 'tools'); from mutate_rules import HARMLESS; print(ascii(HARMLESS))"
    shown = subprocess.run([sys.executable, "-c", code], capture_output=True, cwd=ROOT, check=True, text=True).stdout
    text = (ROOT / "docs" / "tests.md").read_text(encoding="utf-8")
    for (part, change), why in ast.literal_eval(shown).items():
        assert f"- `{part}`, `{change.replace('  ->  ', ' → ')}`: {why}\n" in text
