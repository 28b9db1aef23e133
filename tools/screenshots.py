"""Take the three screenshots of docs/web.md: `python tools/screenshots.py`. Needs Playwright, Pillow and Chromium.

A server is started, looked at, and ended. The pictures are reduced to 256 colours, so that they stay small.
"""

from __future__ import annotations

import re
import shutil
import subprocess
import sys
from pathlib import Path
from typing import Any

DOCS = Path(__file__).parent.parent / "docs"
DEAL = "F:J63.A7653.AJ4.53_M:QT52.KQ84.Q8.J86_R:A87.T9.T752.AKT4_T:CQC7S9D6S4DKD3D9C9C2SKH2HJ"
PLAY = "D4DQDTHKH9H3"
COLOURS = 256


def main() -> None:
    """Start a server, take the pictures, end it."""
    command = [sys.executable, "-m", "mizerka_solver.cli", "serve", "--no-browser", "--port", "0"]
    with subprocess.Popen(command, stdout=subprocess.PIPE, text=True) as server:
        assert server.stdout is not None
        found = re.search(r"http://\S+", server.stdout.readline())
        assert found
        try:
            take_all(found[0])
        finally:
            server.terminate()


def take_all(address: str) -> None:
    """Take the pictures with the system's Chromium."""
    from playwright.sync_api import sync_playwright

    with sync_playwright() as driver:
        browser = driver.chromium.launch(executable_path=shutil.which("chromium"), args=["--no-sandbox"])
        page = browser.new_page(viewport={"width": 1280, "height": 760}, locale="en")
        page.goto(f"{address}#analyse?d={DEAL}&s=7")
        page.wait_for_selector(".card .worth")
        save(page, "web-analyse")
        page.goto(f"{address}#equilibria?d={DEAL}&s=7&p={PLAY}")
        page.wait_for_selector(".triangle .point", timeout=60_000)
        page.emulate_media(color_scheme="dark")
        save(page, "web-equilibria")
        page.emulate_media(color_scheme="light")
        page.goto(f"{address}#play")
        page.click("[data-key=start]")
        page.click("[data-key=name-N]")
        page.click("[data-key=exchange]")
        for _ in range(3):
            page.click("button.card.playable >> nth=0")
        page.wait_for_selector("button.card.playable")
        page.click("[data-key=hint]")
        page.wait_for_selector(".options")
        save(page, "web-play")
        browser.close()


def save(page: Any, name: str) -> None:
    """Write one picture into docs/."""
    from PIL import Image

    page.wait_for_timeout(500)
    path = DOCS / f"{name}.png"
    page.screenshot(path=path)
    with Image.open(path) as picture:
        picture.convert("RGB").quantize(COLOURS, method=Image.Quantize.MEDIANCUT).save(path, optimize=True)
    print(path.name, path.stat().st_size)


if __name__ == "__main__":
    main()
