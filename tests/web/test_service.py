"""What keeps a server standing and its machine private: limits, cancelled work, hosts and origins, headers, files."""

from __future__ import annotations

import json
import os
import re
import select
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from http.client import HTTPConnection
from pathlib import Path
from typing import Any

import pytest

from mizerka_solver import Contract, Deal, GameRecord, Solver
from mizerka_solver.cli.main import cli
from mizerka_solver.web.files import STATIC
from mizerka_solver.web.guard import HEADERS
from mizerka_solver.web.settings import Settings
from tests.cli import environment, start
from tests.web.conftest import DEAL, MEMORY, SMALL, httpx, serving

LONG = {"subject": DEAL, "equilibria": True}  # seconds, with all six contracts


def wait_until(true: Any, seconds: float = 60) -> None:
    """Wait until something is true."""
    deadline = time.monotonic() + seconds
    while not true():
        assert time.monotonic() < deadline
        time.sleep(0.01)


# Browsers


def test_headers_are_on_every_answer(client: Any) -> None:
    for answer in (client.get("/"), client.get("/api/about"), client.get("/nothing"), client.post("/api/solve")):
        assert {name: answer.headers.get(name) for name in HEADERS} == HEADERS
        assert "unsafe" not in answer.headers["content-security-policy"]


@pytest.mark.parametrize("host", ["example.org", "example.org:80", "127.0.0.1.example.org", "", "[::2]:80"])
def test_other_hosts_are_not_answered(client: Any, host: str) -> None:
    assert client.get("/api/about", headers={"host": host}).status_code == 421


@pytest.mark.parametrize("host", ["localhost", "LOCALHOST:1", "127.0.0.1:80", "[::1]"])
def test_this_machine_is_answered(client: Any, host: str) -> None:
    assert client.get("/api/about", headers={"host": host}).status_code == 200


def test_pages_of_other_origins_may_not_ask(client: Any, address: str) -> None:
    body = {"subject": SMALL}
    for origin in ("https://example.org", "null", "http://127.0.0.1:1", address.replace("127.0.0.1", "localhost")):
        assert client.post("/api/solve", json=body, headers={"origin": origin}).status_code == 403
    assert client.post("/api/solve", json=body, headers={"origin": address}).status_code == 200
    answer = client.options("/api/solve", headers={"origin": "https://example.org"})
    assert "access-control-allow-origin" not in answer.headers


@pytest.mark.parametrize(
    "path",
    [
        "/../app.py",
        "/%2e%2e/app.py",
        "/..%2fapp.py",
        "/static/../app.py",
        "//etc/passwd",
        "/js/%2e%2e/%2e%2e/app.py",
        "/js/",
        "/%00",
    ],
)
def test_no_other_file_is_served(address: str, path: str) -> None:
    # By hand: clients clean such paths before they send them.
    host, port = address.removeprefix("http://").split(":")
    with socket.create_connection((host, int(port))) as connection:
        connection.sendall(f"GET {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n".encode())
        answer = b"".join(iter(lambda: connection.recv(65536), b"")).decode()
    assert answer.split()[1] in ("404", "400"), answer[:200]
    assert "import" not in answer


def test_files_of_the_page(client: Any) -> None:
    page = client.get("/")
    assert page.headers["content-type"].startswith("text/html")
    assert client.get("/", headers={"if-none-match": page.headers["etag"]}).status_code == 304
    assert (
        client.get("/", headers={"if-none-match": '"another"'}).content
        == page.content
        == client.get("/index.html").content
    )
    assert client.head("/js/main.js").headers["content-type"].startswith("text/javascript")
    assert client.post("/").status_code == 405
    # All modules are fetched at once, none when another one mentions it.
    modules = {path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.js")}
    assert set(re.findall(r'(?:modulepreload" href|module" src)="([^"]+)"', page.text)) == modules
    assert set(re.findall(r'stylesheet" href="([^"]+)"', page.text)) == {
        path.relative_to(STATIC).as_posix() for path in STATIC.rglob("*.css")
    }


# Limits


def test_bodies_over_the_limit(client: Any) -> None:
    limit = client.get("/api/about").json()["max_body"]
    headers = {"content-type": "application/json"}
    answer = client.post("/api/solve", content=b" " * (limit + 1), headers=headers)
    assert (answer.status_code, answer.json()["error"]) == (413, f"a request has at most {limit} bytes")

    def unannounced() -> Iterator[bytes]:
        for _ in range(limit // 1000 + 2):
            yield b" " * 1000

    assert client.post("/api/solve", content=unannounced(), headers=headers).status_code == 413
    assert client.post("/api/solve", content=b" " * limit, headers=headers).status_code == 400


@contextmanager
def busy(url: str, path: str = "/api/solve", body: Mapping[str, Any] = LONG, **more: str) -> Iterator[HTTPConnection]:
    """Somebody whose question takes long, and who leaves in the end without hearing the answer."""
    connection = HTTPConnection(url.removeprefix("http://"))
    connection.request("POST", path, json.dumps(body), {"content-type": "application/json", **more})
    try:
        yield connection
    finally:
        connection.close()


def is_answered(connection: HTTPConnection) -> bool:
    """Whether an answer is there to be read."""
    return bool(select.select([connection.sock], [], [], 0)[0])


def ask(url: str, subject: str = SMALL) -> Any:
    """The answer to a short question."""
    return httpx.post(f"{url}/api/solve", json={"subject": subject}, timeout=60)


def test_too_much_at_once_is_refused_and_told_when_to_come_back() -> None:
    with serving(Settings(memory=MEMORY, solvers=1, queue=0)) as url:
        with busy(url):
            wait_until(lambda: ask(url).status_code == 503)
            refused = ask(url)
            assert "busy" in refused.json()["error"]
            assert refused.headers["retry-after"].isdigit()
        wait_until(lambda: ask(url).status_code == 200)


def test_one_visitor_may_not_take_everything() -> None:
    with serving(Settings(memory=MEMORY, solvers=1, per_client=1)) as url:
        with busy(url):
            wait_until(lambda: ask(url).status_code == 429)
        wait_until(lambda: ask(url).status_code == 200)


def test_the_time_for_an_answer_is_limited() -> None:
    with serving(Settings(memory=MEMORY, solvers=1, seconds=0.3)) as url:
        answer = httpx.post(f"{url}/api/solve", json=LONG, timeout=60)
        assert answer.status_code == 503
        assert "0.3 s" in answer.json()["error"] or "time" in answer.json()["error"]
        assert ask(url).status_code == 200


def test_memory_that_is_too_small_is_told() -> None:
    with serving(Settings(memory=8 << 20, solvers=1)) as url:
        answer = httpx.post(f"{url}/api/solve", json={**LONG, "contracts": "N"}, timeout=60)
        assert answer.status_code == 503
        assert "too little memory" in answer.json()["error"]


def test_work_ends_when_its_visitor_leaves(monkeypatch: pytest.MonkeyPatch) -> None:
    cancelled: list[Solver] = []
    cancel = Solver.cancel
    monkeypatch.setattr(Solver, "cancel", lambda solver: (cancelled.append(solver), cancel(solver)))
    with serving(Settings(memory=MEMORY, solvers=1, queue=0)) as url:
        with busy(url):
            wait_until(lambda: ask(url).status_code == 503)
            assert not cancelled
        wait_until(lambda: cancelled)
        wait_until(lambda: ask(url).status_code == 200)


def test_a_review_ends_when_its_visitor_leaves() -> None:
    record = GameRecord(("a", "b", "c"), Deal(DEAL), Contract.N).to_json()
    with serving(Settings(memory=MEMORY, solvers=1, queue=0)) as url:
        asked = {"record": record, "best_exchanges": True, "equilibria": True}  # seconds
        with busy(url, "/api/review", asked, accept="application/x-ndjson"):
            wait_until(lambda: ask(url).status_code == 503)
        wait_until(lambda: ask(url).status_code == 200, 10)


def test_long_work_leaves_a_solver_for_the_others() -> None:
    with serving(Settings(memory=2 * MEMORY, solvers=2)) as url, busy(url) as one, busy(url) as two, busy(url) as three:
        assert ask(url).status_code == 200
        assert not any(map(is_answered, (one, two, three)))


@pytest.mark.slow
def test_twenty_visitors_with_deals_of_their_own() -> None:
    with serving(Settings(memory=MEMORY, solvers=2, per_client=64)) as url:

        def visit(seed: int) -> int:
            with httpx.Client(base_url=url, timeout=60) as visitor:
                return int(visitor.post("/api/solve", json={"subject": str(Deal.random(seed))}).status_code)

        with ThreadPoolExecutor(20) as visitors:
            assert list(visitors.map(visit, range(100, 120))) == [200] * 20


@pytest.mark.slow
def test_the_document_is_true_of_what_is_made_up_from_it(address: str, tmp_path: Path) -> None:
    program = Path(sys.executable).parent / "schemathesis"
    if not program.exists():
        pytest.skip("schemathesis is not installed")
    checks = "not_a_server_error,status_code_conformance,content_type_conformance,response_schema_conformance"
    arguments = ["run", f"{address}/api/openapi.json", "--checks", f"{checks},negative_data_rejection"]
    arguments += ["--phases", "examples,fuzzing", "--max-examples", "25", "--seed", "1"]
    done = subprocess.run([str(program), *arguments], capture_output=True, text=True, check=False, cwd=tmp_path)
    assert done.returncode == 0, done.stdout


# Processes


@contextmanager
def command(*arguments: str, **changes: str) -> Iterator[tuple[subprocess.Popen[bytes], str]]:
    """`mizerka serve` as a process, and its address."""
    process = start("serve", "--no-browser", "--port", "0", "--memory", "256M", *arguments, **changes)
    assert process.stdout is not None
    try:
        line = process.stdout.readline().decode()
        found = re.search(r"http://\S+", line)
        assert found, line
        yield process, found[0].rstrip("/")
    finally:
        process.kill()
        process.communicate()


def test_the_command_serves_until_it_is_interrupted() -> None:
    with command() as (process, url):
        assert httpx.get(f"{url}/api/about", timeout=60).status_code == 200
        with busy(url):
            time.sleep(0.3)
            process.send_signal(signal.SIGINT)
            # The search would take longer; on an idle machine it ends in a third of a second.
            assert process.wait(20) == 130
        assert process.stderr is not None
        assert process.stderr.read().decode().strip() == "Interrupted."


def test_processes_that_share_a_key_share_games() -> None:
    from cryptography.fernet import Fernet

    key = Fernet.generate_key().decode()
    body = {"bots": ["rule", "rule"], "seed": 3}
    with command(MIZERKA_KEY=key) as (_, one), command(MIZERKA_KEY=key) as (_, two), command() as (_, stranger):
        game = httpx.post(f"{one}/api/game", json=body, timeout=60).json()
        move = {"token": game["token"], "contract": "S"}
        there = [httpx.post(f"{url}/api/game/move", json=move, timeout=60) for url in (one, two)]
        assert [answer.json()["view"] for answer in there] == [there[0].json()["view"]] * 2
        assert httpx.post(f"{stranger}/api/game/move", json=move, timeout=60).status_code == 400


def test_programs_are_played_by_name_only() -> None:
    with command("--program", "mine=python3 no_such_file.py") as (_, url):
        assert "cmd:mine" in httpx.get(f"{url}/api/about", timeout=60).json()["bots"]
        answer = httpx.post(f"{url}/api/game", json={"bots": ["cmd:mine", "rule"], "seat": "R"}, timeout=60)
        assert answer.status_code == 400
        assert answer.json()["error"].startswith("the bot failed:")
        for spec in ("cmd:python3 no_such_file.py", "cmd:"):
            answer = httpx.post(f"{url}/api/game", json={"bots": [spec, "rule"]}, timeout=60)
            assert "not a program that this server was started with" in answer.text


def test_mistakes_of_the_command(tmp_path: Any) -> None:
    from click.testing import CliRunner

    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        for arguments, message in (
            (["--port", port], "Address already in use"),
            (["--host", "no.such.host.invalid", "--port", "0"], "no.such.host.invalid"),
            (["--program", "x"], "NAME=COMMAND"),
            (["--memory", "1M", "--port", "0"], "solvers need"),
            (["--memory", "x"], "memory must be a number of bytes"),
        ):
            result = CliRunner().invoke(cli, ["serve", "--no-browser", *arguments])
            assert (result.exit_code, message in result.output) == (2, True), result.output
    result = CliRunner().invoke(cli, ["serve", "--no-browser", "--port", "0"], env={"MIZERKA_KEY": "secret"})
    assert (result.exit_code, "MIZERKA_KEY: a key must be 32 bytes" in result.output) == (2, True)
    assert "secret" not in result.output
    document = json.loads(CliRunner().invoke(cli, ["serve", "--openapi"]).output)
    assert document["openapi"].startswith("3.1")


def test_without_the_extra_the_command_says_what_it_needs(tmp_path: Any) -> None:
    (tmp_path / "msgspec.py").write_text("raise ModuleNotFoundError(name='msgspec')")
    path = os.pathsep.join((str(tmp_path), environment()["PYTHONPATH"]))
    process = start("serve", PYTHONPATH=path)
    _, errors = process.communicate(timeout=60)
    assert process.returncode == 2
    assert "needs the extra web" in errors.decode()
