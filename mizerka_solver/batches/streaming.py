"""Items through workers as a stream: read as they go, a bounded number on the way, results in order or as they come.

The calling thread waits in `SimpleQueue.get` only, which an interrupt can't leave locked (support/pool.py tells why).
Everything it is to know arrives there: chunks of items, read by a thread of its own so that a slow input holds up no
result; the end of the items; and results. All dealings with workers are the calling thread's.
"""

from __future__ import annotations

from _thread import start_new_thread
from collections.abc import Generator, Iterable, Iterator, Sequence
from itertools import islice
from queue import SimpleQueue
from typing import Any, Generic, NamedTuple, Protocol, TypeVar

Item = TypeVar("Item")
Result = TypeVar("Result")
ItemTaken = TypeVar("ItemTaken", contravariant=True)
ResultGiven = TypeVar("ResultGiven", covariant=True)

CHUNKS_AHEAD = 4  # chunks on the way for each worker: a slow one stops nobody until so many are done after it


class Done(NamedTuple):
    """A chunk that a worker is through with: its results, or a function that returns them or raises what went wrong."""

    ticket: int
    results: Any


class Read(NamedTuple):
    """A chunk of items, or None at their end; `error` is what reading ended in."""

    chunk: Sequence[Any] | None
    error: BaseException | None = None


Event = Done | Read


class Workers(Protocol[ItemTaken, ResultGiven]):
    """Whoever does the work. `submit` comes back at once; later one `Done` is put into `events` for the ticket."""

    n_workers: int
    chunk_size: int
    events: SimpleQueue[Event]

    def submit(self, ticket: int, chunk: Sequence[ItemTaken]) -> None:
        """Begin to work on a chunk, or queue it."""

    def results(self, done: Done) -> Sequence[ResultGiven] | None:
        """Return the results of a chunk; None if it was lost and is being done again; raises what an item raised."""

    def stop(self) -> None:
        """End all work, in fractions of a second; no results are wanted any more."""

    def close(self) -> None:
        """Free the workers, which have nothing left to do."""


class Feeder(Generic[Item]):
    """Reads chunks of items in a thread, one for each permit."""

    def __init__(self, items: Iterable[Item], size: int, events: SimpleQueue[Event]) -> None:
        self._items, self._size, self._events = iter(items), size, events
        self._permits: SimpleQueue[bool] = SimpleQueue()
        start_new_thread(self._run, ())

    def permit(self) -> None:
        """Let one chunk more be read."""
        self._permits.put(True)

    def stop(self) -> None:
        """Read no more. A read that is waiting for its input is left alone: nothing can end it."""
        self._permits.put(False)

    def _run(self) -> None:
        try:
            while self._permits.get() and (chunk := list(islice(self._items, self._size))):
                self._events.put(Read(chunk))
            self._close()
            self._events.put(Read(None))
        except BaseException as error:
            self._events.put(Read(None, error))

    def _close(self) -> None:
        close = getattr(self._items, "close", None)
        if close is not None:
            close()


def stream(
    workers: Workers[Item, Result], items: Iterable[Item], *, ordered: bool = True, ahead: int | None = None
) -> Generator[Result, None, None]:
    """Yield the result of each item, in their order, or with ordered=False as they come.

    ahead: chunks that may be on the way beyond the one whose result is due. Closing the iterator, or an exception in
    it, stops the workers.
    """
    window = 1 + (CHUNKS_AHEAD * workers.n_workers if ahead is None else ahead)
    feeder = Feeder(items, workers.chunk_size, workers.events)
    try:
        for chunk in _chunks(workers, feeder, window, ordered):
            yield from chunk
    except BaseException:
        feeder.stop()
        workers.stop()
        raise
    workers.close()


def _chunks(
    workers: Workers[Item, Result], feeder: Feeder[Item], window: int, ordered: bool
) -> Iterator[Sequence[Result]]:
    """Yield the results of each chunk; there are never more than `window` permits, chunks and results about."""
    ready: dict[int, Sequence[Result]] = {}
    failed: dict[int, BaseException] = {}
    n_submitted = n_yielded = 0
    ended = False
    for _ in range(window):
        feeder.permit()
    while not (ended and n_yielded == n_submitted):
        event = workers.events.get()
        if isinstance(event, Read):
            if event.error is not None:
                failed[n_submitted] = event.error
            if event.chunk is None:
                ended = True
            else:
                workers.submit(n_submitted, event.chunk)
                n_submitted += 1
        else:
            try:
                results = workers.results(event)
            except BaseException as error:
                failed[event.ticket] = error
            else:
                if results is not None:
                    ready[event.ticket] = results
        while ready and (n_yielded in ready or not ordered):
            yield ready.pop(n_yielded if ordered else next(iter(ready)))
            n_yielded += 1
            feeder.permit()
        # What went wrong is told in its place: all results before it are there first.
        if n_yielded in failed or (failed and not ordered):
            raise failed[min(failed)]
