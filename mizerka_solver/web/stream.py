"""Long answers as lines of JSON, for those who accept application/x-ndjson: how far it is, then the answer.

{"progress":{"states":123456}}        about twice a second
{"result":{…}}                        the last line; or {"error":"…","status":503}
"""

from __future__ import annotations

import asyncio
from collections.abc import AsyncIterator, Awaitable, Callable
from typing import Any

import msgspec
from starlette.requests import Request
from starlette.responses import StreamingResponse

from mizerka_solver.web.pool import RequestRefused, Work

KIND = "application/x-ndjson"
EVERY = 0.4  # seconds

Gone = Callable[[], Awaitable[object]]


def is_wanted(request: Request, work: Work) -> bool:
    """Whether the visitor takes lines, and there is progress to tell."""
    return work.progress is not None and KIND in request.headers.get("accept", "")


def streamed(
    work: Work, run: Callable[[Gone], Awaitable[object]], explain: Callable[[Exception], RequestRefused]
) -> StreamingResponse:
    """Return the answer of run(gone), told while it comes; explain: what an exception means to a visitor."""

    async def lines() -> AsyncIterator[bytes]:
        leaving = asyncio.Event()
        task = asyncio.ensure_future(run(leaving.wait))
        # Where the visitor leaves, nobody asks for the result or the error any more.
        task.add_done_callback(lambda done: done.cancelled() or done.exception())
        try:
            while not task.done():
                await asyncio.wait([task], timeout=EVERY)
                if not task.done() and work.progress is not None:
                    yield _line({"progress": work.progress()})
            yield _line({"result": task.result()})
        except Exception as error:
            refused = explain(error)
            yield _line({"error": refused.reason, "status": refused.status})
        finally:
            leaving.set()

    return StreamingResponse(lines(), media_type=KIND, headers={"x-accel-buffering": "no"})


def _line(data: dict[str, Any]) -> bytes:
    return msgspec.json.encode(data) + b"\n"
