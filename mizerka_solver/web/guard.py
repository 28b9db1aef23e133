"""What every request passes and every answer carries: whose server this is, how much it takes in, what browsers may do.

Host       a name the server was started with; else 421. Stops pages of other names that point at this machine.
Origin     if a browser sends it, the server itself; else 403. Other pages may not use the API.
body       at most so many bytes, whether announced or not; else 413
"""

from __future__ import annotations

from collections.abc import Iterable
from urllib.parse import urlsplit

from starlette.responses import JSONResponse
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from mizerka_solver.web.settings import Settings

POLICY = "; ".join(
    (
        "default-src 'none'",
        "script-src 'self'",
        "style-src 'self'",
        "img-src 'self' data: blob:",
        "connect-src 'self'",
        "manifest-src 'self'",
        "base-uri 'none'",
        "form-action 'none'",
        "frame-ancestors 'none'",
    )
)
HEADERS = {
    "content-security-policy": POLICY,
    "cross-origin-opener-policy": "same-origin",
    "cross-origin-resource-policy": "same-origin",
    "permissions-policy": "camera=(), geolocation=(), microphone=()",
    "referrer-policy": "no-referrer",
    "x-content-type-options": "nosniff",
    "x-frame-options": "DENY",
}
RAW_HEADERS = [(name.encode(), value.encode()) for name, value in HEADERS.items()]
SAFE_METHODS = ("GET", "HEAD")


class TooLarge(Exception):
    """A body over the limit."""


class Guard:
    """The outermost layer of the application."""

    def __init__(self, app: ASGIApp, settings: Settings) -> None:
        self._app = app
        self._hosts = frozenset(host.lower() for host in settings.hosts)
        self._max_body = settings.max_body

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Check the request, pass it on, add the headers."""
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        started = False

        async def send_guarded(message: Message) -> None:
            nonlocal started
            if message["type"] == "http.response.start":
                started = True
                own = {name for name, _ in message["headers"]}
                message["headers"] += [header for header in RAW_HEADERS if header[0] not in own]
            await send(message)

        if refusal := self._refusal(scope):
            await refusal(scope, receive, send_guarded)
            return
        try:
            await self._app(scope, self._bounded(receive), send_guarded)
        except TooLarge:
            if not started:
                await self._too_large()(scope, receive, send_guarded)

    def _refusal(self, scope: Scope) -> JSONResponse | None:
        headers = {name: value.decode("latin-1") for name, value in scope["headers"]}
        host = headers.get(b"host", "")
        if "*" not in self._hosts and without_port(host).lower() not in self._hosts:
            return refuse(421, "this server does not answer to that name; start it with --allow-host to change that")
        origin = headers.get(b"origin")
        if origin is not None and scope["method"] not in SAFE_METHODS and urlsplit(origin).netloc != host:
            return refuse(403, "requests of other pages are not answered")
        length = headers.get(b"content-length", "0")
        if not length.isdigit() or int(length) > self._max_body:
            return self._too_large()
        return None

    def _too_large(self) -> JSONResponse:
        return refuse(413, f"a request has at most {self._max_body} bytes")

    def _bounded(self, receive: Receive) -> Receive:
        n_bytes = 0

        async def receive_bounded() -> Message:
            nonlocal n_bytes
            message = await receive()
            n_bytes += len(message.get("body", b""))
            if n_bytes > self._max_body:
                raise TooLarge
            return message

        return receive_bounded


def without_port(host: str) -> str:
    """Return a Host header's name or bracketed address.

    >>> without_port("localhost:8000"), without_port("[::1]:8000"), without_port("example.org")
    ('localhost', '[::1]', 'example.org')
    """
    if host.startswith("["):
        return host.partition("]")[0] + "]"
    return host.partition(":")[0]


def refuse(status: int, reason: str, headers: Iterable[tuple[str, str]] = ()) -> JSONResponse:
    """Return an error as all of them look."""
    return JSONResponse({"error": reason}, status, dict(headers))
