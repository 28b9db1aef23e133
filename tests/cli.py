"""Running the command in tests: in this process, and as a process of its own."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterable, Sequence
from pathlib import Path
from typing import Any

from click.testing import CliRunner, Result

from mizerka_solver.cli.main import cli

ROOT = Path(__file__).parent.parent
COMMAND = [sys.executable, "-m", "mizerka_solver.cli"]
SMALL = "F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.-"
POSITION = "F:A.-.-.- M:K.-.-.- R:Q.-.-.- N R - 5-4-3"
VIEW_OF_SIX = '{"type":"contract","seat":"F","hand":"AKQ9.A.-.4"}'
BAD = "F:AK.-.-.- M:A2.-.-.- R:-.AK.-.-"


def run(*arguments: str, stdin: str | bytes | None = None, code: int = 0) -> Result:
    """Run the command here and check its exit code; tracebacks fail."""
    result = CliRunner().invoke(cli, list(arguments), input=stdin, prog_name="mizerka")
    assert "Traceback" not in result.output
    assert result.exit_code == code, result.output
    return result


def objects(text: str) -> list[dict[str, Any]]:
    """The objects of JSON Lines."""
    return [json.loads(line) for line in text.splitlines()]


def environment(**changes: str) -> dict[str, str]:
    """Variables for a process of its own, without those that change what it prints."""
    drop = ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "PYTHONIOENCODING", "TTY_COMPATIBLE")
    kept = {name: value for name, value in os.environ.items() if name not in drop}
    return {**kept, "PYTHONPATH": str(ROOT), "PYTHONUTF8": "1", **changes}


def start(*arguments: str, **changes: str) -> subprocess.Popen[bytes]:
    """Start the command as a process, all three streams piped."""
    pipe = subprocess.PIPE
    return subprocess.Popen([*COMMAND, *arguments], stdin=pipe, stdout=pipe, stderr=pipe, env=environment(**changes))


def wait_until(happened: Callable[[], object], seconds: float = 60) -> None:
    """Wait for something a process does; how long it takes is no part of any test."""
    deadline = time.monotonic() + seconds
    while not happened():
        assert time.monotonic() < deadline, "it did not happen"
        time.sleep(0.02)


def at_work(folder: Path, lines: Iterable[str], arguments: Sequence[str]) -> subprocess.Popen[bytes]:
    """A process of `solve` that has answered a small deal and goes on with `lines`."""
    path = folder / "deals.txt"
    path.write_text("\n".join([SMALL, *lines, ""]))
    work = start("solve", str(path), "--json", *arguments)
    assert work.stdout is not None
    assert work.stdout.readline()
    return work


def interrupted(work: subprocess.Popen[bytes], number: int = signal.SIGINT) -> tuple[bytes, bytes]:
    """Send a process a signal, wait for its end and return what it wrote; it does not outlive a failing test."""
    work.send_signal(number)
    try:
        return work.communicate(timeout=60)
    except subprocess.TimeoutExpired:
        work.kill()
        work.communicate()
        raise


def process(*arguments: str, stdin: bytes = b"", **changes: str) -> subprocess.CompletedProcess[bytes]:
    """Run the command as a process."""
    return subprocess.run(
        [*COMMAND, *arguments], input=stdin, capture_output=True, env=environment(**changes), timeout=120, check=False
    )


def on_terminal(*arguments: str, **changes: str) -> bytes:
    """What the command shows on a pseudo-terminal."""
    import pty

    master, slave = pty.openpty()
    work = subprocess.Popen(
        [*COMMAND, *arguments],
        stdin=slave,
        stdout=slave,
        stderr=slave,
        env=environment(**{"TERM": "xterm", "COLUMNS": "80", **changes}),
    )
    os.close(slave)
    parts = []
    while True:
        try:
            part = os.read(master, 65536)
        except OSError:  # the end, on Linux
            break
        if not part:
            break
        parts.append(part)
    os.close(master)
    assert work.wait(timeout=60) == 0
    return b"".join(parts)
