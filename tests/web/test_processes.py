"""Several processes for more people: two workers behind a proxy, and what a process takes in memory."""

from __future__ import annotations

import sys
import threading
from collections import Counter
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from http.client import HTTPConnection
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from itertools import count
from pathlib import Path
from typing import Any

import pytest

from mizerka_solver import Deal, GameRecord
from tests.web.conftest import httpx
from tests.web.test_service import LONG, command, wait_until

HOP = {"connection", "keep-alive", "transfer-encoding", "host", "content-length"}


@contextmanager
def proxy(workers: Sequence[str]) -> Iterator[tuple[str, Counter[str]]]:
    """A reverse proxy that sends each request to the next worker, as nginx does; its address, and who got how many."""
    turns, asked = count(), Counter[str]()

    class Handler(BaseHTTPRequestHandler):
        protocol_version = "HTTP/1.1"

        def answer(self) -> None:
            worker = workers[next(turns) % len(workers)]
            asked[worker] += 1
            body = self.rfile.read(int(self.headers.get("content-length", 0)))
            headers = {name: value for name, value in self.headers.items() if name.lower() not in HOP}
            visitor = self.headers.get("x-visitor", self.client_address[0])
            headers |= {"Host": self.headers["host"], "X-Forwarded-For": visitor}
            upstream = HTTPConnection(worker.removeprefix("http://"), timeout=60)
            upstream.request(self.command, self.path, body, headers)
            answer = upstream.getresponse()
            content = answer.read()
            self.send_response(answer.status)
            for name, value in answer.getheaders():
                if name.lower() not in HOP:
                    self.send_header(name, value)
            self.send_header("content-length", str(len(content)))
            self.end_headers()
            self.wfile.write(content)
            upstream.close()

        do_GET = do_POST = answer

        def log_message(self, format: str, *arguments: Any) -> None:
            """Silence."""

    server = ThreadingHTTPServer(("127.0.0.1", 0), Handler)
    thread = threading.Thread(target=server.serve_forever)
    thread.start()
    try:
        yield f"http://127.0.0.1:{server.server_address[1]}", asked
    finally:
        server.shutdown()
        thread.join()
        server.server_close()


def test_two_workers_behind_a_proxy_play_one_game() -> None:
    from cryptography.fernet import Fernet

    key = Fernet.generate_key().decode()
    options = ("-t", "1", "--proxy", "127.0.0.1", "--allow-host", "cards.example.org")
    with (
        command(*options, MIZERKA_KEY=key) as (_, one),
        command(*options, MIZERKA_KEY=key) as (_, two),
        proxy((one, two)) as (url, asked),
        httpx.Client(base_url=url, timeout=60, headers={"host": "cards.example.org"}) as client,
    ):
        assert client.get("/").status_code == 200
        solved = [client.post("/api/solve", json={"subject": str(Deal.random(5))}).json() for _ in range(2)]
        assert [{c: v["guaranteed"] for c, v in found["contracts"].items()} for found in solved] == [
            {c: v["guaranteed"] for c, v in solved[0]["contracts"].items()}
        ] * 2
        game = client.post("/api/game", json={"bots": ["rule", "learned"], "seed": 8}).json()
        while (view := game["view"]) is not None:
            move: dict[str, Any] = {"card": view["legal"][0]} if view["type"] == "play" else {"discard": []}
            if view["type"] == "contract":
                move = {"contract": "H"}
            answer = client.post("/api/game/move", json={"token": game["token"], **move})
            assert answer.status_code == 200, answer.text
            game = answer.json()
        record = GameRecord.from_json(game["record"])
        assert len(record.play) == 39
        assert client.post("/api/review", json={"record": game["record"]}).json()["adds_up"]
        assert min(asked[one], asked[two]) >= 9
        # Each visitor behind the proxy is one of their own, though all come from its address.
        other = client.get("/api/about", headers={"x-visitor": "192.0.2.7", "host": "another.example.org"})
        assert other.status_code == 421


def test_visitors_behind_a_proxy_are_told_apart() -> None:
    """One who asks too much is refused, the next one is not."""
    with command("-t", "1", "--proxy", "127.0.0.1") as (_, worker):

        def long(visitor: str) -> HTTPConnection:
            connection = HTTPConnection(worker.removeprefix("http://"))
            headers = {"content-type": "application/json", "x-forwarded-for": visitor}
            body = httpx.Request("POST", worker, json=LONG).content
            connection.request("POST", "/api/solve", body, headers)
            return connection

        def solve(visitor: str) -> int:
            body = {"subject": "F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-"}
            headers = {"x-forwarded-for": visitor}
            return int(httpx.post(f"{worker}/api/solve", json=body, headers=headers, timeout=60).status_code)

        held = [long("192.0.2.1") for _ in range(16)]
        wait_until(lambda: solve("192.0.2.1") == 429)
        for connection in held[1:]:
            connection.close()
        assert solve("192.0.2.2") == 200
        held[0].close()


@pytest.mark.slow
@pytest.mark.skipif(sys.platform != "linux", reason="memory is read as Linux tells it")
def test_memory_keeps_within_its_limit() -> None:
    with (
        command("-t", "2") as (process, url),
        httpx.Client(base_url=url, timeout=120) as client,
    ):  # 256M, as command has it

        def resident() -> int:
            pages = Path(f"/proc/{process.pid}/statm").read_text().split()[1]
            return int(pages) * 4096

        client.get("/api/about")
        before = resident()
        assert before < 60 << 20
        for seed in range(60):
            deal = str(Deal.random(seed))
            assert client.post("/api/solve", json={"subject": deal}).status_code == 200
            if seed % 10 == 0:
                answer = client.post("/api/solve", json={"subject": deal, "contracts": "N", "equilibria": True})
                assert answer.status_code in (200, 503)
            assert resident() - before < 256 << 20
