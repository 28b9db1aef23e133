"""Items over threads: order, errors, and an interrupt at any moment that leaves nothing waiting."""

from __future__ import annotations

import subprocess
import sys
import time
from threading import Event

import pytest

from mizerka_solver.support.pool import WorkerPool, in_order


class Sleeper:
    """Works until it is cancelled, or at once."""

    def __init__(self) -> None:
        self.started, self.cancelled = Event(), Event()

    def cancel(self) -> None:
        self.cancelled.set()

    def work(self, item: int) -> int:
        self.started.set()
        if item < 0:
            self.cancelled.wait()
            raise InterruptedError
        return item * item


def test_results_come_in_order_whatever_takes_long() -> None:
    def slow_first(worker: Sleeper, item: int) -> int:
        time.sleep(0.02 if item == 0 else 0)
        return worker.work(item)

    assert list(in_order(slow_first, range(50), [Sleeper() for _ in range(4)], 8)) == [i * i for i in range(50)]


def test_one_worker_reads_an_item_when_its_turn_comes() -> None:
    taken: list[int] = []

    def items():
        for i in range(5):
            taken.append(i)
            yield i

    results = in_order(Sleeper.work, items(), [Sleeper()], 0)
    assert next(results) == 0
    assert taken == [0]
    results.close()


def test_an_error_comes_in_its_place_and_ends_the_rest() -> None:
    def fail_at_three(worker: Sleeper, item: int) -> int:
        if item == 3:
            raise ValueError(item)
        return item

    results = in_order(fail_at_three, range(10), [Sleeper(), Sleeper()], 4)
    assert [next(results) for _ in range(3)] == [0, 1, 2]
    with pytest.raises(ValueError, match="3"):
        next(results)


def test_closing_cancels_what_runs() -> None:
    workers = [Sleeper(), Sleeper()]
    pool = WorkerPool(Sleeper.work, workers)
    for _ in range(6):
        pool.submit(-1)
    assert all(worker.started.wait(60) for worker in workers)
    pool.stop()
    assert all(worker.cancelled.is_set() for worker in workers)
    assert len(pool._ended) == len(pool._begun)


# A timer that goes off at random moments, as a finger on Ctrl-C does, a few hundred times in one process.
STORM = """
import faulthandler, random, signal, sys
from mizerka_solver.support.pool import in_order

class Worker:
    def cancel(self): pass

def interrupt(number, frame):
    raise KeyboardInterrupt

faulthandler.dump_traceback_later(100, exit=True)
signal.signal(signal.SIGALRM, interrupt)
chance, ended = random.Random(1), 0
while ended < 400:
    try:
        signal.setitimer(signal.ITIMER_REAL, chance.random() * 0.003 + 1e-6)
        for _ in in_order(lambda worker, item: item, range(10**9), [Worker(), Worker()], 8):
            pass
    except KeyboardInterrupt:
        ended += 1
print(ended)
"""


def test_an_interrupt_at_any_moment_ends_it() -> None:
    done = subprocess.run([sys.executable, "-c", STORM], capture_output=True, text=True, timeout=110, check=False)
    assert done.stdout == "400\n", done.stderr
