"""Batches on processes and clusters: real workers, of which one is killed in the middle of its work and one comes."""

from __future__ import annotations

import os
import random
import signal
import subprocess
import sys
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest

from mizerka_solver import Deal, MizerkaError, Solver
from mizerka_solver.batches.backends import Backend
from tests.cli import BAD, COMMAND, SMALL, environment, run, wait_until

pytestmark = [
    pytest.mark.slow,
    pytest.mark.skipif(os.name != "posix", reason="processes of POSIX"),
    # Libraries of other people, on whichever interpreter there is.
    pytest.mark.filterwarnings("default"),
]
N_DEALS, N_CARDS = 120, 9


@pytest.fixture(scope="module")
def deals(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Deals of nine cards, a few hundredths of a second each, and a faulty one."""
    chance = random.Random(7)
    pack = [suit + rank for suit in "SHDC" for rank in "23456789TJQKA"]
    lines = []
    for _ in range(N_DEALS):
        cards = chance.sample(pack, 3 * N_CARDS)
        lines.append(str(Deal.from_hands(["".join(cards[i::3]) for i in range(3)])))
    lines[50] = BAD
    path = tmp_path_factory.mktemp("batch") / "deals.txt"
    path.write_text("\n".join(lines) + "\n")
    return path


@pytest.fixture(scope="module")
def expected(deals: Path) -> bytes:
    """The file of one thread."""
    path = deals.parent / "one.jsonl"
    run("solve", str(deals), "-t", "1", "--memory", "16M", "-o", str(path), code=3)
    return path.read_bytes()


def solving(deals: Path, out: Path, *arguments: str) -> subprocess.Popen[bytes]:
    """A process of `solve` with these workers."""
    pipe = subprocess.PIPE
    command = [*COMMAND, "solve", str(deals), "-o", str(out), *arguments]
    return subprocess.Popen(command, stdout=pipe, stderr=pipe, env=environment())


def finished(work: subprocess.Popen[bytes], out: Path, expected: bytes) -> None:
    """The run succeeds, but for the faulty deal, and every result is there exactly once, in order."""
    _, told = work.communicate(timeout=240)
    assert (work.returncode, out.read_bytes() == expected) == (3, True), told.decode()
    assert told.decode().splitlines() == [f"{work.args[len(COMMAND) + 1]}:51: SA: card held by both F and M"]  # type: ignore[index]


def children(pid: int) -> list[int]:
    """The processes that a process has started."""
    found = []
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            state = (folder / "stat").read_text().rpartition(")")[2].split()
            if int(state[1]) == pid and state[0] != "Z" and b"loky" in (folder / "cmdline").read_bytes():
                found.append(int(folder.name))
        except (OSError, IndexError):  # it has ended
            continue
    return found


# loky


def test_loky_loses_a_process_and_no_result(deals: Path, expected: bytes, tmp_path: Path) -> None:
    pytest.importorskip("joblib")
    if not Path("/proc/self/stat").exists():
        pytest.skip("needs /proc")
    out = tmp_path / "out.jsonl"
    work = solving(deals, out, "--backend", "loky", "-t", "2", "--memory", "32M")
    wait_until(lambda: out.exists() and out.stat().st_size, 120)
    victims = [pid for pid in children(work.pid) if b"popen_loky" in Path(f"/proc/{pid}/cmdline").read_bytes()]
    os.kill(victims[0], signal.SIGKILL)
    finished(work, out, expected)


def test_loky_gives_up_on_a_record_that_kills() -> None:
    pytest.importorskip("joblib")
    with pytest.raises(MizerkaError, match="a worker process ended 4 times at the same records"):
        list(Backend("loky", 1, "1M").run(deadly, range(3)))


def deadly(solver: Solver, n: int) -> int:
    """A job that its process does not survive."""
    if n == 2:
        os.kill(os.getpid(), signal.SIGKILL)
    return n


@pytest.mark.parametrize("kind", ["loky", "dask"])
def test_what_a_job_raises_comes_back(kind: str) -> None:
    pytest.importorskip("joblib" if kind == "loky" else "distributed")
    with pytest.raises(MizerkaError, match="three"):
        list(Backend(kind, 1, "1M").run(failing, range(30)))


def failing(solver: Solver, n: int) -> int:
    """A job that fails."""
    if n == 3:
        raise MizerkaError("three")
    return n


# Dask


@pytest.fixture
def scheduler(tmp_path: Path) -> Iterator[str]:
    """A scheduler in a process of its own; its address."""
    pytest.importorskip("distributed")
    file = tmp_path / "scheduler.json"
    work = dask("scheduler", "--port", "0", "--host", "127.0.0.1", "--scheduler-file", str(file))
    try:
        wait_until(file.exists)
        yield f"tcp://{address_in(file)}"
    finally:
        work.kill()
        work.wait()


def address_in(file: Path) -> str:
    """The address in a scheduler's file."""
    import json

    def is_written() -> bool:
        try:
            return bool(json.loads(file.read_text()))
        except ValueError:
            return False

    wait_until(is_written)
    return str(json.loads(file.read_text())["address"]).removeprefix("tcp://")


def dask(kind: str, *arguments: str) -> subprocess.Popen[bytes]:
    """A process of Dask."""
    command = [sys.executable, "-m", f"distributed.cli.dask_{kind}", *arguments, "--no-dashboard"]
    return subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, env=environment())


@pytest.fixture
def worker(scheduler: str, tmp_path: Path) -> Iterator[Callable[[str], subprocess.Popen[bytes]]]:
    """Starts a worker of this name, a process without a nanny that would replace it."""
    workers: list[subprocess.Popen[bytes]] = []

    def start(name: str) -> subprocess.Popen[bytes]:
        where = ["--local-directory", str(tmp_path / "scratch")]
        workers.append(dask("worker", scheduler, "--no-nanny", "--nthreads", "1", "--name", name, *where))
        return workers[-1]

    yield start
    for process in workers:
        process.kill()
        process.wait()


def test_a_cluster_loses_a_worker_gets_another_and_loses_no_result(
    scheduler: str,
    worker: Callable[[str], subprocess.Popen[bytes]],
    deals: Path,
    expected: bytes,
    tmp_path: Path,
) -> None:
    from distributed import Client

    workers = {name: worker(name) for name in ("first", "second")}
    out = tmp_path / "out.jsonl"
    with Client(scheduler, set_as_default=False) as watcher:
        watcher.wait_for_workers(2, timeout=60)
        work = solving(deals, out, "--dask", scheduler, "--memory", "16M")

        def in_the_middle() -> bool:
            """Whether results are there, and the first worker is at a chunk."""
            names = {address: info["name"] for address, info in watcher.scheduler_info()["workers"].items()}
            busy = {names.get(address) for address, keys in watcher.processing().items() if keys}
            return out.exists() and out.stat().st_size > 0 and "first" in busy

        wait_until(in_the_middle, 120)
        workers["first"].kill()
        worker("third")
        finished(work, out, expected)
        assert {info["name"] for info in watcher.scheduler_info()["workers"].values()} <= {"second", "third"}


def test_a_local_cluster_writes_the_same(deals: Path, expected: bytes, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    out = tmp_path / "out.jsonl"
    finished(solving(deals, out, "--backend", "dask", "-t", "2", "--memory", "32M"), out, expected)


def test_a_scheduler_that_is_not_there_is_one_line(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    pytest.importorskip("distributed")
    monkeypatch.setattr("mizerka_solver.batches.cluster.SECONDS_TO_CONNECT", 1)
    out = tmp_path / "out.jsonl"
    result = run("solve", SMALL, SMALL, "--dask", "tcp://127.0.0.1:1", "-o", str(out), code=2)
    (line,) = result.stderr.splitlines()
    assert line.startswith("Error: tcp://127.0.0.1:1: no Dask scheduler answers there")
    assert not out.exists()
    result = run("solve", SMALL, SMALL, "--dask", "tcp://127.0.0.1:1", "--backend", "loky", code=2)
    assert result.stderr == "Error: --dask goes with --backend dask\n"
