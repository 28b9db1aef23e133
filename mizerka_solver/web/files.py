"""The page's files, from memory: read once, and nothing else on the disk can be named by a request."""

from __future__ import annotations

import mimetypes
from dataclasses import dataclass
from hashlib import blake2b
from pathlib import Path

from starlette.requests import Request
from starlette.responses import Response
from starlette.types import Receive, Scope, Send

from mizerka_solver.web.guard import SAFE_METHODS, refuse

STATIC = Path(__file__).parent / "static"
KINDS = {".js": "text/javascript", ".css": "text/css", ".json": "application/json", ".svg": "image/svg+xml"}
# Asked again each time, and answered "not modified": a new version is seen at once.
CACHING = "no-cache"


@dataclass(frozen=True)
class File:
    """One file as it is sent."""

    content: bytes
    kind: str
    tag: str

    @classmethod
    def read(cls, path: Path) -> File:
        """Return the file of a path."""
        content = path.read_bytes()
        kind = KINDS.get(path.suffix) or mimetypes.guess_type(path.name)[0] or "application/octet-stream"
        return cls(content, kind, f'"{blake2b(content, digest_size=12).hexdigest()}"')


class Files:
    """An ASGI application that serves the files below a folder; `/` is index.html."""

    def __init__(self, folder: Path = STATIC) -> None:
        self._files = {
            f"/{path.relative_to(folder).as_posix()}": File.read(path) for path in folder.rglob("*") if path.is_file()
        }
        self._files["/"] = self._files["/index.html"]

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        """Answer one request."""
        await self._answer(Request(scope))(scope, receive, send)

    def _answer(self, request: Request) -> Response:
        if request.method not in SAFE_METHODS:
            return refuse(405, "Method Not Allowed", [("allow", ", ".join(SAFE_METHODS))])
        file = self._files.get(request.url.path)
        if file is None:
            return refuse(404, "Not Found")
        headers = {"etag": file.tag, "cache-control": CACHING}
        if file.tag in request.headers.get("if-none-match", ""):
            return Response(status_code=304, headers=headers)
        return Response(file.content, headers=headers, media_type=file.kind)
