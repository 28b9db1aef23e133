"""The page in a real browser: Chromium, driven by Playwright. Only the server of the test may be asked for anything."""

from __future__ import annotations

import re
import shutil
import subprocess
import time
from collections.abc import Callable, Iterator
from itertools import pairwise
from pathlib import Path
from typing import Any
from urllib.parse import quote

import pytest

from mizerka_solver import Card, Deal, GameRecord, Position, Solver
from mizerka_solver.arena.play import act
from mizerka_solver.bots import Table, make_bot
from tests.cli import ROOT
from tests.web.conftest import DEAL

pytestmark = pytest.mark.slow
playwright = pytest.importorskip("playwright.sync_api", reason="playwright is not installed")
BROWSER = shutil.which("chromium") or shutil.which("chromium-browser") or shutil.which("google-chrome")
CHECKS = ROOT / "tools" / "web"
STATIC = ROOT / "mizerka_solver" / "web" / "static"
AXE = CHECKS / "node_modules" / "axe-core" / "axe.min.js"
VIEWS = ("analyse", "exchange", "equilibria", "record", "play")
LANGUAGES = ("en", "pl", "de", "ru")
PATIENCE = 60  # seconds; much for a machine that is not busy, as no test is about speed
PLAYABLE = "button.card.playable"


PLACE = "document.querySelector('button.card[data-card={}]').getBoundingClientRect()"
TEXTS = """
[...document.querySelectorAll('body *')]
  .flatMap((e) => [e.ariaLabel, e.title, ...[...e.childNodes].filter((n) => n.nodeType === 3).map((n) => n.data)])
  .filter((text) => text && !text.includes('F:')).join('\\n')
"""
RUN_AXE = """
axe.run().then((result) => result.violations.map((found) => [
  found.impact, found.id, found.nodes.map((node) => node.html + ' ' + node.failureSummary)
]))
"""


@pytest.fixture(scope="module")
def browser() -> Iterator[Any]:
    """Chromium, from the system."""
    if BROWSER is None:
        pytest.skip("there is no chromium on this machine")
    with playwright.sync_playwright() as driver:
        running = driver.chromium.launch(executable_path=BROWSER, args=["--no-sandbox"])
        yield running
        running.close()


class Visit:
    """A page, and what went wrong on it."""

    def __init__(self, browser: Any, address: str, **options: Any) -> None:
        self.address = address
        self.context = browser.new_context(**{"viewport": {"width": 1400, "height": 950}, "locale": "en", **options})
        self.context.grant_permissions(["clipboard-read", "clipboard-write"])
        self.page = self.context.new_page()
        self.page.set_default_timeout(1000 * PATIENCE)
        self.problems: list[str] = []
        self.page.on("pageerror", lambda error: self.problems.append(str(error)))
        self.page.on("console", self._heard)
        self.page.on("request", self._asked)

    def _heard(self, message: Any) -> None:
        if message.type == "error":
            self.problems.append(message.text)

    def _asked(self, request: Any) -> None:
        if not request.url.startswith((self.address, "data:", "blob:")):
            self.problems.append(f"asked {request.url}")

    def open(self, fragment: str = "") -> Any:
        """Go to a link, as if in a new tab, and wait until the page is drawn."""
        self.page.goto("about:blank")
        self.page.goto(f"{self.address}/{fragment}")
        self.page.wait_for_selector("#main[data-view] > *", state="attached")
        return self.page


@pytest.fixture
def visit(browser: Any, address: str, request: pytest.FixtureRequest) -> Iterator[Visit]:
    """Somebody looks at the page; no error may come up, and nothing be fetched from elsewhere."""
    visiting = Visit(browser, address, **getattr(request, "param", {}))
    yield visiting
    visiting.context.close()
    assert visiting.problems == []


def until(page: Any, expression: str) -> None:
    """Wait until an expression is true. (Playwright's own way needs `eval`, which the page's policy forbids.)"""
    deadline = time.monotonic() + PATIENCE
    while not page.evaluate(expression):
        assert time.monotonic() < deadline, expression
        page.wait_for_timeout(30)


def drag(page: Any, card: str, onto: str, done: Callable[[], bool]) -> None:
    """Drag a card onto another; once more where a busy machine took the movement for a click."""
    until(page, "!document.querySelector('.waiting, .busy')")
    for _ in range(5):
        for name in (card, onto):
            x, y = page.evaluate(f"(({{ x, y }}) => [x, y])({PLACE.format(name)})")
            page.mouse.move(x + 8, y + 40, steps=5)
            page.wait_for_timeout(50)
            page.mouse.down() if name == card else page.mouse.up()
        page.wait_for_timeout(500)
        if done():
            return


def link(view: str = "analyse", subject: str = DEAL, **fields: str) -> str:
    """The address of a view."""
    query = "&".join(f"{name}={quote(value)}" for name, value in fields.items())
    return f"#{view}?d={subject.replace(' ', '_')}&{query}"


def played(n_cards: int | None = None, contract: str = "N") -> dict[str, str]:
    """Play by quick bots, as fields of a link."""
    bots = [make_bot("rule"), make_bot("random"), make_bot("rule")]
    for bot in bots:
        bot.new_deal(4)
    table = Table(Deal(DEAL), remaining=[Position(f"F:A... M:K... R:Q... {contract} F - 0-0-0").contract])
    for _ in range(3):
        table.exchange(())
    while not table.is_over:
        act(bots[table.to_act], table)
    return {"c": contract, "p": "".join(map(str, table.cards[:n_cards]))}


def numbers(page: Any) -> list[list[str]]:
    """The 6 × 3 table, when it is there."""
    until(page, "document.querySelectorAll('mz-values td b').length === 18")
    rows = page.query_selector_all("mz-values tbody tr")
    return [[cell.inner_text() for cell in row.query_selector_all("td b")] for row in rows]


# Analysing


def test_the_first_visit_shows_a_deal(visit: Visit) -> None:
    page = visit.open()
    assert all(re.fullmatch(r"[≥≤]\d+", number) for row in numbers(page) for number in row)
    assert page.locator("mz-table .felt button.card, mz-table .felt span.card").count() == 39
    assert page.locator(".talon .card").count() == 13
    seed = page.input_value("#seed")
    assert page.input_value("#deal-text") == str(Deal.random(int(seed)))


def test_a_deal_is_typed_and_solved(visit: Visit) -> None:
    page = visit.open()
    page.fill("#deal-text", DEAL.lower().replace(" t:", "_T:"))
    page.press("#deal-text", "Enter")
    until(page, "location.hash.includes('J63.A7653')")
    solution = Solver(memory="16M").solve(Deal(DEAL))
    expected = [[f"{'≤' if c == 5 else '≥'}{n}" for n in value.guaranteed] for c, value in solution.values.items()]
    assert numbers(page) == expected
    page.fill("#deal-text", "F:AK.. M:")
    page.click("[data-key=open]")
    until(page, "document.querySelector('#deal-error').innerText !== ''")
    assert page.input_value("#deal-text") == "F:AK.. M:"


def test_the_seed_deals_again(visit: Visit) -> None:
    page = visit.open()
    page.fill("#seed", "7")
    page.press("#seed", "Enter")
    until(page, "location.hash.includes('s=7')")
    assert page.input_value("#deal-text") == DEAL


@pytest.mark.parametrize("contract", ["H", "N", "M"])
def test_a_deal_is_played_to_its_end_by_clicks(visit: Visit, contract: str) -> None:
    page = visit.open(link(c=contract))
    position = Deal(DEAL).position(contract)
    while not position.is_over:
        # What the page lets one play is what the rules of the library allow.
        page.wait_for_selector(PLAYABLE)
        offered = {card.get_attribute("data-card") for card in page.query_selector_all(PLAYABLE)}
        assert offered == set(map(str, position.legal_cards()))
        card = position.legal_cards()[position.tricks_left % len(position.legal_cards())]
        page.click(f"{PLAYABLE}[data-card={card}]")
        position = position.play(card)
    counts = [cell.inner_text() for cell in page.query_selector_all(".seat .count span[aria-hidden]")]
    won = dict(zip("MRF", counts, strict=True))
    assert [int(won[seat].split("/")[0]) for seat in "FMR"] == list(position.tricks_won)
    assert "The deal is over" in page.locator(".contract-mark").inner_text()


def test_cards_say_what_they_cost(visit: Visit) -> None:
    page = visit.open(link())
    page.wait_for_selector(".card .worth")
    worth = {str(card.card): card for card in Solver(memory="16M").cards(Deal(DEAL).position("N"))}
    for button in page.query_selector_all(PLAYABLE):
        card = worth[button.get_attribute("data-card")]
        label = button.query_selector(".unseen").text_content()
        assert f"{card.after.guaranteed[0]} tricks guaranteed" in label
        assert ("keeps all" if card.cost == 0 else f"costs {card.cost}") in label
        assert ("keeps" in button.get_attribute("class").split()) == (card.cost == 0)
    page.check("[data-key=notion-expected]")
    until(page, "document.querySelector('.card .worth')?.textContent.includes('.')")
    page.check("[data-key=notion-par]")
    until(page, "document.querySelector('.card .worth')?.textContent.startsWith('−')")


def test_expected_values_of_all_contracts_come_one_after_the_other(visit: Visit) -> None:
    small = "F:AK2.2.-.- M:QJ3.3.-.- R:-.AKQ4.-.-"
    page = visit.open(link(subject=small, n="expected"))
    solution = Solver(memory="16M").solve(Deal(small), equilibria=True)
    expected = [[f"{n:.2f}" for n in found.expected_tricks] for found in solution.equilibria.values()]
    assert numbers(page) == expected


def test_another_seat_leads(visit: Visit) -> None:
    page = visit.open(link())
    numbers(page)
    page.check("[data-key=leader-M]")
    until(page, "location.hash.includes('l=M')")
    solution = Solver(memory="16M").solve(Deal(DEAL), leader="M")
    expected = [[f"{'≤' if c == 5 else '≥'}{n}" for n in value.guaranteed] for c, value in solution.values.items()]
    assert numbers(page) == expected
    until(page, "document.querySelector('button.card.playable')?.closest('.seat').classList.contains('left')")


def test_the_table_as_a_picture(visit: Visit) -> None:
    page = visit.open(link(**played(4)))
    for key, start in (("save.table-svg", b"<svg"), ("save.table-png", b"\x89PNG")):
        page.click("summary[data-key=copy]")
        with page.expect_download() as saved:
            page.click(f"[data-key='{key}']")
        content = Path(saved.value.path()).read_bytes()
        assert content.startswith(start)
        if start == b"<svg":
            assert "no trump" in content.decode()
        page.click("summary[data-key=copy]")


def test_undo_redo_jump_and_the_browsers_own_way_back(visit: Visit) -> None:
    page = visit.open(link(**played(9)))
    assert page.locator("mz-history button").count() == 9
    page.click("[data-key=undo]")
    page.click("[data-key=undo]")
    assert "i=7" in page.url
    page.click("[data-key=redo]")
    assert "i=8" in page.url
    page.click("[data-key=step-3]")
    assert "i=3" in page.url
    page.keyboard.press("Control+z")
    assert "i=2" in page.url
    page.go_back()
    until(page, "location.hash.includes('i=3')")
    page.click("[data-key=to-start]")
    page.click("[data-key=to-end]")
    assert "i=" not in page.url.partition("#")[2].replace("&i=", "i=") or "i=9" not in page.url
    page.click("[data-key=step-6]")
    page.click("[data-key=best]")  # other cards behind it are forgotten, unless it is the next of them
    until(page, "/p=([A-Z0-9]{2}){7}/.test(location.hash)")


def test_best_line_is_laid_out_to_the_end(visit: Visit) -> None:
    page = visit.open(link(**played(30)))
    page.wait_for_selector("[data-key=line]:enabled")
    page.click("[data-key=line]")
    until(page, "document.querySelectorAll('mz-history button').length === 39")


def test_a_link_reproduces_the_view(visit: Visit, browser: Any, address: str) -> None:
    page = visit.open(link(**played(5), n="par"))
    page.wait_for_selector(".card .worth")
    page.click(f"{PLAYABLE} >> nth=0")
    until(page, "document.querySelectorAll('mz-history button').length === 6")
    page.wait_for_selector(".card .worth")
    until(page, "!document.querySelector('.waiting, .busy')")
    page.click("summary[data-key=copy]")
    page.click("[data-key='copy.link']")
    address_copied = page.evaluate("navigator.clipboard.readText()")
    other = Visit(browser, address)
    other.page.goto(address_copied)
    other.page.wait_for_selector(".card .worth")
    until(other.page, "!document.querySelector('.waiting, .busy')")
    text = "document.querySelector('.layout').innerText"
    assert other.page.evaluate(text) == page.evaluate(text)
    other.context.close()
    assert other.problems == []


def test_copies_are_what_the_command_reads(visit: Visit) -> None:
    page = visit.open(link(**played(7)))
    position = Deal(DEAL).position("N")
    for card in re.findall("..", played(7)["p"]):
        position = position.play(Card(card))
    for key, expected in (("copy.position", str(position)), ("copy.deal", DEAL)):
        page.click("summary[data-key=copy]")
        page.click(f"[data-key='{key}']")
        assert page.evaluate("navigator.clipboard.readText()") == expected


def test_links_that_are_cut_off_do_no_harm(visit: Visit) -> None:
    page = visit.open("#analyse?d=F:J63.A7653&c=N&p=S")
    page.wait_for_selector(".body .error")
    page = visit.open(link(p="D4C8SA"))  # a revoke: what comes before it is shown
    page.wait_for_selector(PLAYABLE)
    assert page.locator("mz-history button").count() == 1


def test_editing_by_clicks_and_by_drag(visit: Visit) -> None:
    page = visit.open(link())
    page.click("[data-key=edit]")
    page.click("button.card[data-card=SJ]")
    page.click("button.card[data-card=CQ]")
    until(page, "location.hash.includes('T:SJC7')")
    drag(page, "H3", "HK", lambda: "M:QT52.Q843." in page.url)
    until(page, "location.hash.includes('M:QT52.Q843.')")
    page.click("[data-key=edit]")
    assert len(numbers(page)) == 6


# Exchange, equilibria, records


def test_exchange(visit: Visit) -> None:
    page = visit.open(link("exchange"))
    page.wait_for_selector(".options tbody tr")
    page.click("button.card[data-card=SJ]")
    page.click("button.card[data-card=H7]")
    page.wait_for_selector(".result b")
    value = Solver(memory="16M").value(Deal(DEAL).after_exchange({"F": "SJH7"}).position("N"))
    until(page, f"document.querySelector('.result b')?.textContent === '≥{value.guaranteed[0]}'")
    page.click("[data-key=option-0]")
    best = Solver(memory="16M").exchange(Deal(DEAL), "N").best
    until(page, f"document.querySelector('.result b')?.textContent === '≥{best.guaranteed}'")
    page.click("[data-key=make]")
    until(page, "location.hash.includes('x=F.') && location.hash.includes('e=M')")
    page.click("[data-key=view-analyse]")
    numbers(page)
    assert page.locator(".talon .card").count() == 13 - len(best.discard)


def test_equilibria(visit: Visit) -> None:
    page = visit.open(link("equilibria", **played(24)))
    page.wait_for_selector(".triangle svg .point")
    points = page.locator(".triangle svg .point").count()
    assert points == page.locator(".vectors button").count() > 0
    with page.expect_download() as saved:
        page.click("[data-key=save-svg]")
    assert Path(saved.value.path()).read_text().startswith("<svg")
    with page.expect_download() as saved:
        page.click("[data-key=save-png]")
    assert Path(saved.value.path()).read_bytes().startswith(b"\x89PNG")
    # Play that ends in a result, laid out to the end.
    result = page.locator(".vectors button").last.inner_text()
    page.locator(".vectors button").last.click()
    until(page, "document.querySelectorAll('mz-history button').length === 39")
    page.click("[data-key=to-end]")
    counts = dict(zip("MRF", page.locator(".seat .count span[aria-hidden]").all_inner_texts(), strict=True))
    assert "–".join(counts[seat].split("/")[0] for seat in "FMR") == result


def test_a_record_is_pasted_and_judged(visit: Visit) -> None:
    bots = [make_bot("rule"), make_bot("rule"), make_bot("random")]
    for bot in bots:
        bot.new_deal(1)
    table = Table(Deal(DEAL))
    while not table.is_over:
        act(bots[table.to_act], table)
    record = table.record(("Anna", "Bartek", "Celina"))
    page = visit.open()
    page.fill("#deal-text", record.to_json())
    page.click("[data-key=open]")
    page.wait_for_selector("table.record tbody tr")
    assert page.locator("table.record tbody tr").count() == 39
    assert page.locator("svg .series").count() == 3
    assert "Bartek" in page.locator(".seat.left").inner_text()
    # A second later, what could be known: one row more among the totals, and a number for each decision.
    until(page, "document.querySelectorAll('mz-record table.values tbody tr').length === 5")
    decisions = page.locator("table.record tbody tr:not(.no-choice)").count()
    assert page.locator("table.record tbody tr td:nth-child(5) small").count() == decisions > 0
    page.click("[data-key=review-12]")
    assert "i=12" in page.url


def test_a_deal_against_bots(visit: Visit) -> None:
    page = visit.open("#play")
    page.click("[data-key=start]")
    page.click(".prompt button:not(:disabled) >> nth=0")
    page.wait_for_selector("[data-key=exchange]")
    page.click(".seat.bottom button.card >> nth=0")
    page.click("[data-key=exchange]")
    page.click("[data-key=hint]")
    page.wait_for_selector(".options")
    for played_cards in range(13):
        page.wait_for_selector(PLAYABLE)
        if played_cards == 6:
            page.reload()
        page.click(f"{PLAYABLE} >> nth=0")
    page.wait_for_selector("[data-key=review]")
    with page.expect_download() as saved:
        page.click("[data-key=download]")
    assert Path(saved.value.path()).read_text().startswith('{"format":"mizerka-game/1"')
    page.click("[data-key=review]")
    page.wait_for_selector("table.record")


@pytest.mark.parametrize("visit", [{"reduced_motion": "reduce"}], indirect=True)
def test_a_game_of_18_deals_by_clicks(visit: Visit) -> None:
    page = visit.open("#play")
    page.check("input[value=game]")
    page.select_option("[data-key=bot0]", "rule")
    page.select_option("[data-key=bot1]", "learned")
    page.click("[data-key=start]")
    choices = (
        f".prompt [data-key^=name-]:not(:disabled), [data-key=exchange], {PLAYABLE}, [data-key=next], [data-key=review]"
    )
    n_clicks = 0
    while page.locator("table.sheet tbody tr").count() < 19:  # 18 deals and the totals
        page.locator(choices).first.click()
        n_clicks += 1
        until(page, "!document.querySelector('.prompt .busy')")
        assert n_clicks <= 18 * 16
    totals = page.locator("table.sheet tr.total td b").all_inner_texts()
    assert sum(int(total.replace("−", "-")) for total in totals) == 0
    with page.expect_download() as saved:
        page.click("[data-key=download]")
    records = [GameRecord.from_json(line) for line in Path(saved.value.path()).read_text().splitlines()]
    assert len(records) == 18
    assert len({(record.players[0], record.contract) for record in records}) == 18


# For everybody


@pytest.mark.parametrize("visit", [{"viewport": {"width": 360, "height": 740}, "has_touch": True}], indirect=True)
def test_phone_width(visit: Visit) -> None:
    for view in VIEWS:
        page = visit.open(link(view, **played(None if view == "record" else 0)))
        page.wait_for_selector("mz-table, form.setup")
        page.wait_for_timeout(300)
        assert page.evaluate("document.documentElement.scrollWidth") <= 360, view
    page = visit.open(link())
    page.wait_for_selector(PLAYABLE)
    lefts = page.evaluate(
        f"[...document.querySelectorAll('{PLAYABLE}')].map((card) => card.getBoundingClientRect().left)"
    )
    assert min(b - a for a, b in pairwise(lefts)) >= 24, "too narrow for a finger"
    page.tap(f"{PLAYABLE} >> nth=3")
    until(page, "location.hash.includes('p=')")


def test_keyboard_alone(visit: Visit) -> None:
    page = visit.open(link())
    page.wait_for_selector(".card .worth")
    for _ in range(40):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.matches('button.card')"):
            break
    first = page.evaluate("document.activeElement.dataset.card")
    page.keyboard.press("ArrowRight")
    second = page.evaluate("document.activeElement.dataset.card")
    assert first != second
    page.keyboard.press("Enter")
    until(page, f"location.hash.includes('p={second}')")
    # The next seat's cards have the focus, so the deal goes on without a mouse.
    for n in range(2, 7):
        until(page, "document.activeElement.matches('button.card.playable')")
        page.keyboard.press("Enter")
        until(page, f"document.querySelectorAll('mz-history button').length === {n}")
    assert "played the" in page.locator("#said").inner_text()


@pytest.mark.parametrize("visit", [{"reduced_motion": "reduce"}], indirect=True)
def test_a_deal_against_bots_by_keyboard_alone(visit: Visit) -> None:
    page = visit.open("#play")
    for target in ("[data-key=start]", "[data-key^=name-]", "[data-key=exchange]", *[PLAYABLE] * 3):
        page.wait_for_selector(f"{target}:not(:disabled)")
        for _ in range(40):
            if page.evaluate(f"document.activeElement.matches('{target}')"):
                break
            page.keyboard.press("Tab")
        page.keyboard.press("Enter")
    until(page, "document.querySelectorAll('.seat.bottom .hand button.card').length <= 10")


@pytest.mark.parametrize("language", LANGUAGES)
def test_languages(visit: Visit, language: str) -> None:
    page = visit.open(link("record", **played(12)))
    page.select_option("select[data-key=language]", language)
    until(page, f"document.documentElement.lang === '{language}'")
    for view in VIEWS:
        page = visit.open(link(view, **played(12)))
        page.wait_for_selector("mz-table, form.setup")
        page.wait_for_timeout(400)
        # A key that no file has is shown as it is, and so is a name in braces that nobody filled in.
        assert not re.search(r"\b[a-z]+\.[a-z][a-zA-Z-]*\b|\{\w+\}", page.evaluate(TEXTS)), view
    letters = {"en": "AKQJ", "pl": "AKDW", "de": "AKDB", "ru": "ТКДВ"}[language]
    page = visit.open(link())
    page.wait_for_selector(PLAYABLE)
    assert set(letters) <= set(page.locator(".felt").inner_text())
    typed = DEAL.translate(str.maketrans("AKQJ", letters))
    page.fill("#deal-text", typed)
    page.press("#deal-text", "Enter")
    until(page, f"document.querySelector('#deal-text').value === '{DEAL}'")


@pytest.mark.parametrize(
    "visit", [{"color_scheme": "light"}, {"color_scheme": "dark"}], indirect=True, ids=["light", "dark"]
)
def test_axe_finds_nothing_serious(visit: Visit) -> None:
    if not AXE.exists():
        pytest.skip("axe-core is not installed: npm ci --prefix tools/web")
    source = AXE.read_text(encoding="utf-8")
    for view in VIEWS:
        page = visit.open(link(view, **played(24)))
        page.wait_for_selector("mz-table, form.setup")
        until(page, "!document.querySelector('.busy')")
        page.wait_for_timeout(200)
        page.evaluate(source)
        found = page.evaluate(RUN_AXE)
        assert [entry for entry in found if entry[0] in ("serious", "critical")] == [], view


@pytest.mark.parametrize("tool", ["tsc", "eslint", "prettier"])
def test_the_pages_source_is_checked(tool: str) -> None:
    program = CHECKS / "node_modules" / ".bin" / tool
    if not program.exists():
        pytest.skip(f"{tool} is not installed: npm ci --prefix tools/web")
    arguments = {
        "tsc": ["-p", str(CHECKS / "tsconfig.json")],
        "prettier": ["--config", str(CHECKS / ".prettierrc.json"), "--check", str(STATIC)],
        "eslint": ["-c", str(CHECKS / "eslint.config.js"), str(STATIC / "js")],
    }[tool]
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False, cwd=ROOT)
    assert done.returncode == 0, done.stdout
