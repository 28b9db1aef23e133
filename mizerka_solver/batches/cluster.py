"""Workers of a Dask cluster, on this machine or on many: what a lost worker was at, the scheduler gives to others."""

from __future__ import annotations

import logging
import os
from _thread import start_new_thread
from collections.abc import Sequence
from functools import partial
from queue import SimpleQueue
from typing import Any

from mizerka_solver.batches.backends import CHUNK, Job, Shares, work
from mizerka_solver.batches.streaming import Done, Event
from mizerka_solver.support.errors import MizerkaError

SECONDS_TO_CONNECT = 10


class Cluster:
    """Workers of a cluster at an address, or of a local one started here, a process each; see `Workers`."""

    chunk_size = CHUNK

    def __init__(self, job: Job[Any, Any], n_workers: int, shares: Shares, address: str | None) -> None:
        self.events: SimpleQueue[Event] = SimpleQueue()
        self._job, self._shares = job, shares
        self._futures: dict[int, Any] = {}
        self._local: Any = None
        self._client = self._connected(n_workers, address)
        self.n_workers = n_workers if address is None else max(sum(self._client.nthreads().values()), 1)

    def _connected(self, n_workers: int, address: str | None) -> Any:
        from distributed import Client, LocalCluster

        logging.getLogger("distributed").setLevel(logging.CRITICAL)  # a lost worker is no news, it is replaced
        if address is None:
            # A process that counts semaphores is started with it, and would complain of those an interrupt leaves.
            before = os.environ.get("PYTHONWARNINGS")
            os.environ["PYTHONWARNINGS"] = "ignore:resource_tracker:UserWarning"
            try:
                self._local = LocalCluster(
                    n_workers=n_workers,
                    threads_per_worker=1,
                    processes=True,
                    dashboard_address=None,
                    memory_limit=0,
                    silence_logs=logging.CRITICAL,
                )
            finally:
                if before is None:
                    del os.environ["PYTHONWARNINGS"]
                else:
                    os.environ["PYTHONWARNINGS"] = before
            return Client(self._local)
        try:
            return Client(address, timeout=SECONDS_TO_CONNECT)
        except (OSError, ValueError) as error:
            reason = str(error).splitlines()[0] if str(error) else type(error).__name__
            raise MizerkaError(f"no Dask scheduler answers there ({reason})", token=address) from None

    def submit(self, ticket: int, chunk: Sequence[Any]) -> None:
        """Send a chunk to the scheduler."""
        future = self._client.submit(work, self._job, self._shares, chunk, pure=False)
        self._futures[ticket] = future  # without somebody who holds it, the scheduler forgets it
        future.add_done_callback(partial(self._report, ticket))

    def _report(self, ticket: int, future: Any) -> None:
        self.events.put(Done(ticket, future))

    def results(self, done: Done) -> Sequence[Any]:
        """Return the results; if they were on a worker that is lost by now, they are made again first."""
        found: list[Any] = done.results.result()
        del self._futures[done.ticket]
        return found

    def stop(self) -> None:
        """Cancel what is on the way; a local cluster ends in the background, which takes it seconds."""
        self._client.cancel(list(self._futures.values()), asynchronous=False)
        start_new_thread(self.close, ())

    def close(self) -> None:
        """Leave the cluster; end it if it is our own."""
        self._futures.clear()
        self._client.close()
        if self._local is not None:
            self._local.close()
