"""The process around the command: streams that were closed, signals, the exit code. Imports next to nothing.

What ends us is decided here. The first Ctrl-C (or SIGTERM, SIGHUP) is a KeyboardInterrupt, so that what is done is
written and programs are ended; the second ends the process at once. The exit code is 128 and the number of the first.
"""

from __future__ import annotations

import os
import signal
import sys
from contextlib import suppress
from types import FrameType
from typing import NoReturn, TextIO

STOPPING = tuple(getattr(signal, name) for name in ("SIGINT", "SIGTERM", "SIGHUP") if hasattr(signal, name))
EXIT_INTERRUPTED = 128 + signal.SIGINT
EXIT_FLUSH_FAILED = 2


class Stop:
    """The signal that asked us to end, if any, and whether the command has begun."""

    def __init__(self) -> None:
        self.number: int | None = None
        self.is_running = False
        self.leftovers: set[str] = set()  # files to take away if we have to end at once

    def __call__(self, number: int, frame: FrameType | None) -> None:
        """Handle a signal."""
        if self.number is not None or not self.is_running:
            self._end_at_once(number)
        self.number = number
        raise KeyboardInterrupt

    def _end_at_once(self, number: int) -> NoReturn:
        for path in self.leftovers:
            with suppress(OSError):
                os.unlink(path)
        if self.number is None:
            self.number = number
            with suppress(OSError):
                os.write(2, f"{self.message}\n".encode())
        os._exit(self.exit_code)

    @property
    def exit_code(self) -> int:
        """What a process ends with that was asked to end."""
        return 128 + (self.number or signal.SIGINT)

    @property
    def message(self) -> str:
        """What people are told."""
        return "Interrupted." if self.number in (None, signal.SIGINT) else "Terminated."


stop = Stop()


def begin() -> None:
    """Take the signals, but for those we were started to ignore (as `nohup` does), and mend closed streams."""
    _open_closed_streams()
    for number in STOPPING:
        if signal.getsignal(number) not in (signal.SIG_IGN, stop):
            signal.signal(number, stop)


def end(code: int) -> NoReturn:
    """Write what is still buffered, and exit; whoever presses Ctrl-C now gets the same exit code."""
    for stream in (sys.stdout, sys.stderr):
        try:
            stream.flush()
        except (OSError, ValueError):
            drop(stream)
            code = code or EXIT_FLUSH_FAILED
    if stop.number is not None and "distributed" in sys.modules:
        os._exit(code)  # Dask takes seconds to end; its local workers end with this process anyway
    for number in STOPPING:
        signal.signal(number, signal.SIG_IGN)
    sys.exit(code)


def say(text: str) -> None:
    """Write a line to stderr. Where that can't be done nothing is: no result is lost for want of a complaint."""
    try:
        encoding = sys.stderr.encoding or "utf-8"
        sys.stderr.write(text.encode(encoding, "backslashreplace").decode(encoding) + "\n")
        sys.stderr.flush()
    except (OSError, ValueError, AttributeError):
        drop(sys.stderr)


def say_stopped() -> None:
    """Say that we were asked to end, below the ^C of a terminal."""
    is_terminal = sys.stderr is not None and sys.stderr.isatty()
    say(("\n" if is_terminal else "") + stop.message)


def drop(stream: TextIO | None) -> None:
    """Send what a stream still holds nowhere, so that the interpreter does not stumble over it at exit."""
    try:
        number = stream.fileno() if stream is not None else -1
    except (OSError, ValueError, AttributeError):  # no file, as in tests
        return
    if number >= 0:
        nowhere = os.open(os.devnull, os.O_WRONLY)
        os.dup2(nowhere, number)
        os.close(nowhere)


def _open_closed_streams() -> None:
    """Give closed streams a file that fails, stderr one that does not, so that no other file gets their number.

    Without this the next file that is opened is standard output, and text for stderr goes to standard output.
    """
    for number, name in enumerate(("stdin", "stdout", "stderr")):
        if getattr(sys, name) is not None:
            continue
        # Read-only to what is written, and the other way round: using it is an error, "Bad file descriptor".
        found = os.open(os.devnull, os.O_RDONLY if name == "stdout" else os.O_WRONLY)
        if found != number:
            os.dup2(found, number)
            os.close(found)
        stream = open(number, "r" if name == "stdin" else "w", encoding="utf-8", closefd=False)  # noqa: SIM115
        setattr(sys, name, stream)
