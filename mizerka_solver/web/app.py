"""The ASGI application: the page's files, the API's routes, and how a request becomes work and work an answer."""

from __future__ import annotations

from collections.abc import AsyncIterator
from contextlib import asynccontextmanager
from functools import lru_cache, partial
from typing import Any

import msgspec
from starlette.applications import Starlette
from starlette.exceptions import HTTPException
from starlette.middleware import Middleware
from starlette.requests import ClientDisconnect, Request
from starlette.responses import Response
from starlette.routing import Mount, Route
from starlette.types import Receive

from mizerka_solver.support.errors import MemoryLimitError, MizerkaError
from mizerka_solver.web import stream
from mizerka_solver.web.api import OPERATIONS, Operation, Read, ServerContext
from mizerka_solver.web.files import Files
from mizerka_solver.web.games import Seal, new_key
from mizerka_solver.web.guard import Guard, refuse
from mizerka_solver.web.openapi import PATH, document
from mizerka_solver.web.pool import Gone, RequestRefused, SolverPool, Work
from mizerka_solver.web.settings import Settings

API = "/api"
NOBODY_THERE = 499  # what a log shows when the visitor left before the answer


def create_app(settings: Settings, read: Read) -> Starlette:
    """Return the application; `read` reads lines of text (api.Read)."""
    pool = SolverPool(settings)

    @lru_cache(maxsize=1)
    def seal() -> Seal:
        return Seal(settings.key or new_key())

    @asynccontextmanager
    async def lifespan(app: Starlette) -> AsyncIterator[None]:
        try:
            yield
        finally:
            pool.close()

    desk = ServerContext(settings, read, seal)
    # Under a mount of their own: a wrong method is a 405 then, and not a file that is missing.
    routes = [Route(one.path.removeprefix(API), _endpoint(one, desk, pool), methods=[one.method]) for one in OPERATIONS]
    routes.append(Route(PATH.removeprefix(API), _openapi))
    app = Starlette(
        routes=[Mount(API, routes=routes), Mount("/", Files())],
        middleware=[Middleware(Guard, settings=settings)],
        exception_handlers={HTTPException: _http_error, Exception: _own_fault},
        lifespan=lifespan,
    )
    app.state.pool = pool
    return app


def _endpoint(operation: Operation, desk: ServerContext, pool: SolverPool) -> Any:
    async def endpoint(request: Request) -> Response:
        try:
            question = await _question(operation, request)
            answer = operation.run(desk, question)
            if not isinstance(answer, Work):
                return _json(answer)
            run = partial(pool.run, answer, request.client.host if request.client else "")
            if stream.is_wanted(request, answer):
                return stream.streamed(answer, run, explained)
            return _json(await run(partial(_left, request.receive)))
        except (Gone, ClientDisconnect):
            return Response(status_code=NOBODY_THERE)
        except (MizerkaError, msgspec.DecodeError, RequestRefused) as error:
            refused = explained(error)
            again = [("retry-after", str(refused.retry_after))] if refused.retry_after else ()
            return refuse(refused.status, refused.reason, again)

    return endpoint


def explained(error: Exception) -> RequestRefused:
    """Return what an error means to a visitor; raises those that are the server's own faults."""
    if isinstance(error, RequestRefused):
        return error
    if isinstance(error, MemoryLimitError):
        return RequestRefused(503, str(error))
    if isinstance(error, (MizerkaError, msgspec.DecodeError)):
        return RequestRefused(400, " ".join(str(error).split()))
    raise error


async def _question(operation: Operation, request: Request) -> Any:
    """Return the request's body as the operation takes it; raises RequestRefused, msgspec's errors."""
    if operation.takes is None:
        return request.query_params
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind != "application/json":
        raise RequestRefused(415, "a body is application/json")
    try:
        return msgspec.json.decode(await request.body(), type=operation.takes)
    except UnicodeDecodeError:
        raise RequestRefused(400, "a body is UTF-8") from None


async def _left(receive: Receive) -> None:
    """Return when the visitor is gone."""
    while (await receive())["type"] != "http.disconnect":
        pass


async def _openapi(request: Request) -> Response:
    return _json(document())


def _json(data: object) -> Response:
    return Response(msgspec.json.encode(data), media_type="application/json")


async def _http_error(request: Request, error: Exception) -> Response:
    assert isinstance(error, HTTPException)
    return refuse(error.status_code, error.detail, (error.headers or {}).items())


async def _own_fault(request: Request, error: Exception) -> Response:
    return refuse(500, "a fault of the server, it is in its log")


__all__ = ["create_app"]
