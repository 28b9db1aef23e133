"""`mizerka serve`: the page and its JSON API, on this machine unless asked otherwise."""

from __future__ import annotations

import json
import os
import socket
from dataclasses import dataclass
from importlib import import_module
from typing import TYPE_CHECKING

import click

from mizerka_solver.cli.common import EngineOptions, option_group
from mizerka_solver.cli.options import Decimal, WholeNumber, threads_of
from mizerka_solver.cli.rows import read_any
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import parse_memory

if TYPE_CHECKING:
    from mizerka_solver.web.settings import Settings

NEEDS = "mizerka serve needs the extra web: pip install 'mizerka-solver[web]'"
EXTRA = ("msgspec", "starlette", "uvicorn", "cryptography")
LOOPBACK = "127.0.0.1"


@dataclass(frozen=True, slots=True)
class ServerOptions:
    """Where the server listens and what it allows."""

    host: str
    port: int
    allowed: tuple[str, ...]
    programs: tuple[tuple[str, str], ...]
    seconds: float
    queue: int
    proxy: str | None
    no_browser: bool


def parse_programs(ctx: click.Context, param: click.Parameter, value: tuple[str, ...]) -> tuple[tuple[str, str], ...]:
    """Read NAME=COMMAND."""
    pairs = []
    for text in value:
        name, equals, program = text.partition("=")
        if not (name.isidentifier() and equals and program.strip()):
            raise click.BadParameter(f"{text}: NAME=COMMAND, as in mine='python3 mybot.py'")
        pairs.append((name, program))
    return tuple(pairs)


def parse_limit(ctx: click.Context, param: click.Parameter, value: str) -> int:
    """Read --memory."""
    try:
        return parse_memory(value)
    except MizerkaError as error:
        raise click.BadParameter(str(error)) from None


server_options = option_group(
    "server",
    ServerOptions,
    click.option("--host", default=LOOPBACK, show_default=True, help="Address to listen on."),
    click.option(
        "--port",
        type=WholeNumber(0, 65535),
        default=8000,
        show_default=True,
        help="Port to listen on; 0 takes any free one.",
    ),
    click.option(
        "--allow-host",
        "allowed",
        multiple=True,
        metavar="NAME",
        help="Another host name that the server answers to; '*' means any.",
    ),
    click.option(
        "--program",
        "programs",
        multiple=True,
        metavar="NAME=COMMAND",
        callback=parse_programs,
        help="A bot in another language that visitors may play against, as in `mizerka arena`.",
    ),
    click.option(
        "--time-limit",
        "seconds",
        type=Decimal(0.1),
        metavar="S",
        default=30.0,
        show_default=True,
        help="Time limit in seconds for one answer, including waiting.",
    ),
    click.option(
        "--queue",
        type=WholeNumber(0),
        metavar="N",
        default=256,
        show_default=True,
        help="Requests that may wait for a solver; more are refused with 503.",
    ),
    click.option(
        "--proxy",
        metavar="ADDRESSES",
        help="Trusted proxies, whose word on visitors' addresses is taken.",
    ),
    click.option("--no-browser", is_flag=True, help="Do not open the page."),
)
engine_options = option_group(
    "engine",
    EngineOptions,
    click.option(
        "-t",
        "--threads",
        type=WholeNumber(0, 256),
        metavar="N",
        default=0,
        show_default=True,
        callback=threads_of,
        help="Number of threads; 0 means one per processor.",
    ),
    click.option(
        "--memory",
        default="1G",
        show_default=True,
        callback=parse_limit,
        metavar="SIZE",
        help="Memory limit for all searches together.",
    ),
)


@click.command(short_help="The page: see what every card costs, play against bots; and a JSON API.")
@server_options
@engine_options
@click.option("--openapi", is_flag=True, help="Print the API's OpenAPI document and exit.")
def command(server: ServerOptions, engine: EngineOptions, openapi: bool) -> None:
    """Serve the page and its JSON API (/api, described at /api/openapi.json) until Ctrl-C.

    The page shows a deal, what each seat is guaranteed in each contract and what each card costs, the exchange and the
    equilibria; it judges records, and plays against you. It loads nothing from elsewhere. The server listens on this
    machine only, unless --host says otherwise; read docs/web.md before you use that. Processes that share the
    environment variable MIZERKA_KEY can continue each other's games.

    \b
    Examples:
      mizerka serve --openapi
    """
    check_extra()
    if openapi:
        from mizerka_solver.web import openapi as described

        click.echo(json.dumps(described.document(), indent=1))
        return
    limits = limits_of(server, engine)
    listener = listen(server.host, server.port)
    host, port = listener.getsockname()[:2]
    shown = f"[{host}]" if ":" in host else host
    address = f"http://{shown}:{port}/"
    click.echo(f"Mizerka is at {address} - Ctrl-C ends it.")
    run(limits, listener, server.proxy, None if server.no_browser else address)


def check_extra() -> None:
    """Raise click.UsageError when the extra `web` is not installed; the application itself is loaded later."""
    for name in EXTRA:
        try:
            import_module(name)
        except ModuleNotFoundError as error:
            raise click.UsageError(f"{NEEDS} ({error.name} is missing)") from None


def limits_of(server: ServerOptions, engine: EngineOptions) -> Settings:
    """Return what the application is told; raises MizerkaError."""
    from mizerka_solver.web.settings import KEY_VARIABLE, LOOPBACK_NAMES, Settings

    key = os.environ.get(KEY_VARIABLE)
    return Settings(
        memory=engine.memory,
        solvers=engine.threads,
        seconds=server.seconds,
        queue=server.queue,
        hosts=(*LOOPBACK_NAMES, server.host, *server.allowed),
        programs=dict(server.programs),
        key=key.encode() if key else None,
    )


def listen(host: str, port: int) -> socket.socket:
    """Return a socket that listens; raises click.UsageError where that can't be."""
    listener = None
    try:
        family, kind, number, _, address = socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)[0]
        listener = socket.socket(family, kind, number)
        listener.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
        listener.bind(address)
        listener.listen(256)
    except OSError as error:
        if listener is not None:
            listener.close()
        raise click.UsageError(f"{host}:{port}: {error.strerror or error}") from None
    return listener


def run(limits: Settings, listener: socket.socket, proxy: str | None, page: str | None) -> None:
    """Serve until interrupted; page: an address to open in the browser."""
    if page is not None:
        import webbrowser

        webbrowser.open(page)  # it waits in the listener's queue until the server takes it
    import uvicorn

    from mizerka_solver.web.app import create_app

    app = create_app(limits, read_any)

    class Server(uvicorn.Server):
        async def shutdown(self, sockets: list[socket.socket] | None = None) -> None:
            app.state.pool.end()  # first of all: nobody waits for a search any more
            await super().shutdown(sockets)

    config = uvicorn.Config(
        app,
        log_level="warning",
        access_log=False,
        server_header=False,
        proxy_headers=proxy is not None,
        forwarded_allow_ips=proxy,
        timeout_graceful_shutdown=1,
        timeout_keep_alive=30,
    )
    Server(config).run(sockets=[listener])
