"""How the documentation site is built: `sphinx-build -W docs build/site`. Pages are Markdown, read by MyST."""

from __future__ import annotations

import re
from importlib.metadata import version as installed
from pathlib import Path
from typing import Any

ROOT = Path(__file__).parent.parent
BENCHMARKS = ROOT / "benchmarks"

project = "mizerka-solver"
author = "the mizerka-solver authors"
copyright = author
version = release = installed("mizerka-solver")

extensions = ["myst_parser", "sphinx.ext.autodoc", "sphinx.ext.viewcode"]
myst_enable_extensions = ["deflist"]
myst_heading_anchors = 3
exclude_patterns = ["_build"]
smartquotes = False  # --json is not –json, and what is between quotes is there to be copied
html_theme = "furo"
html_static_path = ["_static"]
html_css_files = ["site.css"]
html_title = f"mizerka-solver {version}"
autodoc_member_order = "bysource"
autodoc_typehints = "signature"
autodoc_default_options = {"show-inheritance": True}
# Names in signatures that are not documented on their own.
nitpicky = False


def benchmark_pages(app: Any, docname: str, source: list[str]) -> None:
    """Put benchmarks/RESULTS.md and IDEAS.md, without their titles, into their pages; links go to pages here."""
    for mark, name in (("<!-- RESULTS -->", "RESULTS.md"), ("<!-- IDEAS -->", "IDEAS.md")):
        if mark in source[0]:
            text = (BENCHMARKS / name).read_text(encoding="utf-8").partition("\n")[2]
            for there, here in (("RESULTS.md", "benchmarks.md"), ("IDEAS.md", "ideas.md"), ("../docs/", "")):
                text = text.replace(f"]({there}", f"]({here}")
            source[0] = source[0].replace(mark, text)


def end_of_sessions(app: Any, docname: str, source: list[str]) -> None:
    """Take away the blank line that a Python session needs at its end where documents are run, and readers do not."""
    source[0] = source[0].replace("\n\n```\n", "\n```\n")


def docstring_as_rst(app: Any, what: str, name: str, obj: object, options: Any, lines: list[str]) -> None:
    """Turn our docstrings, plain text with drawings and doctests, into what Sphinx reads: drawings become literal."""
    result: list[str] = []
    was_blank = True
    in_drawing = False
    for line in lines:
        indented = line.startswith("    ")
        if indented and was_blank and not in_drawing and not line.lstrip().startswith(">>>"):
            result += ["::", ""]
            in_drawing = True
        elif line and not indented:
            in_drawing = False
        result.append(line if in_drawing or line.startswith((" ", ">>>")) else as_rst(line))
        was_blank = not line.strip()
    lines[:] = result


def as_rst(line: str) -> str:
    """Turn `name` into a literal, and keep * and | elsewhere from meaning anything."""
    parts = re.split(r"`([^`]+)`", line)
    plain = [re.sub(r"([*|])", r"\\\1", part) for part in parts[::2]]
    return "".join(text + (f"``{name}``" if name else "") for text, name in zip(plain, [*parts[1::2], ""], strict=True))


def setup(app: Any) -> None:
    """Called by Sphinx."""
    app.connect("source-read", benchmark_pages)
    app.connect("source-read", end_of_sessions)
    app.connect("autodoc-process-docstring", docstring_as_rst)
