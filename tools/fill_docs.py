"""Run the commands that README.md and docs/*.md show, and write what they print below them; a test fails when stale.

    python tools/fill_docs.py [DOCUMENT...]        all documents if none is given

As in that test: a document's JSON blocks are its games.jsonl, its Python that is no session is its mybot.py,
or the file it begins with, as in `# name.py`.
"""

from __future__ import annotations

import os
import re
import shlex
import sys
import tempfile
from pathlib import Path

from click.testing import CliRunner

ROOT = Path(__file__).parent.parent
TIMING = re.compile(r"slowest answer \S+")  # another one each time
sys.path.insert(0, str(ROOT))

from mizerka_solver.cli.main import cli  # noqa: E402 - the tree this file is in, not an installed one


def blocks(text: str, language: str) -> list[str]:
    """Return the fenced blocks in one language."""
    return re.findall(rf"^```{language}\n(.*?)^```$", text, re.MULTILINE | re.DOTALL)


def filled(session: str) -> str:
    """Return a session with its commands' output of today, kept as it is where only a timing differs."""
    parts = []
    for part in re.split(r"^\$ ", session, flags=re.MULTILINE)[1:]:
        command, _, before = part.partition("\n")
        now = CliRunner().invoke(cli, shlex.split(command)[1:], prog_name="mizerka").output
        is_same = TIMING.sub("", now) == TIMING.sub("", before)
        parts.append(f"$ {command}\n{before if is_same else now}")
    return "".join(parts)


def write_files(text: str) -> None:
    """Write the files a document speaks of into the current directory."""
    Path("games.jsonl").write_text("".join(blocks(text, "json")), encoding="utf-8")
    for block in blocks(text, "python"):
        if ">>>" not in block:
            named = re.match(r"# (\w+\.py)\n", block)
            with Path(named[1] if named else "mybot.py").open("a", encoding="utf-8") as file:
                file.write(block)


def main(documents: list[Path]) -> None:
    """Rewrite the documents."""
    for document in documents:
        text = document.read_text(encoding="utf-8")
        with tempfile.TemporaryDirectory() as folder:
            os.chdir(folder)
            write_files(text)
            for session in blocks(text, "console"):
                text = text.replace(f"```console\n{session}```", f"```console\n{filled(session)}```")
            os.chdir(ROOT)
        document.write_text(text, encoding="utf-8")


if __name__ == "__main__":
    given = [Path(name).resolve() for name in sys.argv[1:]]
    others = [path for path in sorted((ROOT / "docs").glob("*.md")) if path.stem != "cli"]
    main(given or [ROOT / "README.md", *others])
