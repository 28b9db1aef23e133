"""A server of this process, on a port of its own, for the tests of the API and of the page."""

from __future__ import annotations

import asyncio
import socket
import threading
from collections.abc import Iterator
from contextlib import contextmanager
from typing import Any

import pytest

httpx = pytest.importorskip("httpx")
uvicorn = pytest.importorskip("uvicorn")

from mizerka_solver.cli.rows import read_any  # noqa: E402
from mizerka_solver.web.app import create_app  # noqa: E402
from mizerka_solver.web.settings import Settings  # noqa: E402

DEAL = "F:J63.A7653.AJ4.53 M:QT52.KQ84.Q8.J86 R:A87.T9.T752.AKT4 T:CQC7S9D6S4DKD3D9C9C2SKH2HJ"
SMALL = "F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-"
MEMORY = 512 << 20


@contextmanager
def serving(settings: Settings) -> Iterator[str]:
    """Serve in a thread; give the address."""
    listener = socket.create_server(("127.0.0.1", 0))
    app = create_app(settings, read_any)
    config = uvicorn.Config(app, log_level="error", lifespan="on", timeout_graceful_shutdown=1)
    server = uvicorn.Server(config)
    thread = threading.Thread(target=lambda: asyncio.run(server.serve(sockets=[listener])))
    thread.start()
    try:
        yield f"http://127.0.0.1:{listener.getsockname()[1]}"
    finally:
        server.should_exit = True
        thread.join()
        listener.close()


@pytest.fixture(scope="session")
def address() -> Iterator[str]:
    """A server with the usual limits."""
    with serving(Settings(memory=MEMORY, solvers=2)) as url:
        yield url


@pytest.fixture
def client(address: str) -> Iterator[Any]:
    """Somebody who asks it."""
    with httpx.Client(base_url=address, timeout=60) as asking:
        yield asking
