"""Values in a notebook: static, escaped, well-formed; as data frames in one call; and the tutorial runs."""

from __future__ import annotations

import json
import re
from html.parser import HTMLParser
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest

from mizerka_solver import (
    Card,
    Contract,
    Deal,
    EquilibriumTable,
    GameRecord,
    Hand,
    Position,
    Seat,
    SolveQuery,
    Solver,
    exchange_line,
)
from mizerka_solver.arena import Match, Results, play_match
from mizerka_solver.review import review
from mizerka_solver.review.summary import Summary
from mizerka_solver.support import markup
from mizerka_solver.support.frames import LIBRARIES

NOTEBOOK = Path(__file__).parent.parent / "docs" / "notebook.ipynb"
DEAL = Deal("F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2")
SMALL = Deal("F:A3.2.-.- M:Q2.3.-.- R:-.AKQ.-.-")
EVIL = "<script>alert('x')</script>"


def solver() -> Solver:
    return Solver(memory="16M")


def record() -> GameRecord:
    play = tuple(map(Card, ("H2", "H3", "H5", "H4", "SA", "SK")))
    return GameRecord((EVIL, "b & c", "c"), Deal("F:A.2.-.- M:K.3.-.- R:-.54.-.-"), Contract.N, play=play)


def summary() -> Summary:
    found = Summary()
    found.add(review(solver(), record()))
    return found


def results() -> Results:
    match = Match((("a", "rule"), ("b", "random"), ("c", "rule")), 1, seed=1)
    found = Results(match)
    for played in play_match(match, match.tasks()):
        found.add(played.records)
    return found


SHOWN = {
    "hand": lambda: Hand("AK.-.Q.2"),
    "deal": lambda: DEAL,
    "position": lambda: Position("F:A.-.-.- M:K.-.-.- R:Q.-.-.- N R - 5-4-3"),
    "solution": lambda: solver().solve(SMALL, "SM", cards=True, equilibria=True),
    "equilibria": lambda: solver().equilibria(SMALL.position("N")),
    "exchange": lambda: solver().exchange(DEAL, "N", made=[Card("S2")]),
    "exchange line": lambda: exchange_line(solver(), DEAL, "N"),
    "review": lambda: review(solver(), record()),
    "summary": summary,
    "results": results,
}
FRAMED = ("solution", "equilibria", "exchange", "exchange line", "review", "summary", "results")


class Outline(HTMLParser):
    """Checks that what is opened is closed, and notes elements, attributes and text."""

    def __init__(self, html: str) -> None:
        super().__init__()
        self.open: list[str] = []
        self.names: set[str] = set()
        self.attributes: set[str] = set()
        self.cells = 0
        self.feed(html)
        self.close()
        assert self.open == []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.names.add(tag)
        self.attributes |= {name for name, _ in attrs}
        self.cells += tag == "td"
        self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag


TABLES = {"table", "caption", "thead", "tbody", "tr", "th", "td", "div"}
PICTURES = {"svg", "line", "polygon", "circle", "text", "title"}


@pytest.mark.parametrize("name", SHOWN)
def test_values_show_themselves_as_static_tables(name: str) -> None:
    html = SHOWN[name]()._repr_html_()
    outline = Outline(html)
    assert outline.cells
    assert outline.names <= TABLES | PICTURES
    assert not {attribute for attribute in outline.attributes if attribute.startswith("on") or "href" in attribute}


def test_what_users_wrote_is_escaped() -> None:
    for shown in (review(solver(), record()), summary()):
        html = shown._repr_html_()
        assert EVIL not in html
        assert "&lt;script&gt;" in html
        assert "b &amp; c" in html
    assert markup.table([("<", markup.Markup("<b>1</b>"))]).endswith(
        "<th>&lt;</th><td><b>1</b></td></tr></tbody></table>"
    )


def test_the_numbers_are_those_of_the_values() -> None:
    solution = solver().solve(SMALL, "N", cards=True)
    html = solution._repr_html_()
    for tricks in solution["N"].guaranteed:
        assert f"<td>≥ {tricks}</td>" in html
    assert all(card.card.pretty in html for card in (solution.cards or {})[Contract.N])
    exchange = solver().exchange(DEAL, "N")
    assert f"≥ {exchange.best.guaranteed}" in exchange._repr_html_()
    query = SolveQuery("N", lines=(Seat.F,), payoff=(1, 1, 1))
    answer = query.ask(solver(), SMALL)
    line = " ".join(card.pretty for card in answer.payoff_lines[Contract.N])
    assert f"<tr><th>NT, to 1-1-1</th><td>{line}</td></tr>" in answer._repr_html_()


def test_the_triangle_has_a_dot_for_each_equilibrium() -> None:
    found = solver().equilibria(SMALL.position("N"))
    picture = ElementTree.fromstring(found._repr_svg_())
    circles = picture.findall(".//{*}circle")
    titles = [circle.findtext("{*}title") for circle in circles]
    assert titles[:-1] == ["-".join(map(str, vector)) for vector in found.vectors]
    assert titles[-1].startswith("expected ")
    places = [(float(circle.get("cx")), float(circle.get("cy"))) for circle in circles]
    assert len(set(places[:-1])) == len(found.vectors)
    # The more tricks of forehand, the higher.
    heights = {vector[0]: y for vector, (_, y) in zip(found.vectors, places, strict=False)}
    assert sorted(heights, key=heights.__getitem__) == sorted(heights, reverse=True)
    assert EquilibriumTable(SMALL.position("N"), "1M", payoffs=False).at(SMALL.position("N"))._repr_svg_() is None


@pytest.mark.parametrize("library", LIBRARIES)
@pytest.mark.parametrize("name", FRAMED)
def test_data_frames_in_one_call(name: str, library: str) -> None:
    pytest.importorskip(library)
    thing = SHOWN[name]()
    frame = thing.to_frame(library)
    rows = [*thing.rows()]
    assert rows
    assert len(frame) == len(rows)
    assert [*frame.columns] == [*rows[0]]


@pytest.mark.slow
def test_the_tutorial_runs() -> None:
    nbformat, nbclient = pytest.importorskip("nbformat"), pytest.importorskip("nbclient")
    for needed in ("ipykernel", "pandas", "matplotlib"):
        pytest.importorskip(needed)
    notebook = nbformat.read(NOTEBOOK, as_version=4)
    nbclient.NotebookClient(notebook, timeout=120, kernel_name="python3").execute()
    shown = [output for cell in notebook.cells for output in cell.get("outputs", ())]
    assert not [output for output in shown if output["output_type"] == "error"]
    kinds = {kind for output in shown for kind in output.get("data", {})}
    assert {"text/html", "image/svg+xml"} <= kinds


def test_the_tutorial_is_kept_without_outputs() -> None:
    """What it shows depends on the machine's fonts and versions; whoever reads it runs it."""
    notebook: dict[str, Any] = json.loads(NOTEBOOK.read_text(encoding="utf-8"))
    for cell in notebook["cells"]:
        assert not cell.get("outputs")
        assert cell.get("execution_count") is None
        assert not re.search(r"/(home|work|tmp|root)/", "".join(cell["source"]))
