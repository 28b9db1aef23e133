"""Programs that we start and talk to by pipes: nothing of one is left behind, however it or we end.

A program runs in a process group of its own, and the whole group is killed, so that no child of it stays; by a guard if
we are killed ourselves. What left the group (`setsid`, daemons) is known by a mark in its environment, which children
inherit, and found in /proc; so only where there is one, and not if it cleared its environment. What is said over the
pipes is left to those who ask.
"""

from __future__ import annotations

import os
import secrets
import signal
import subprocess
from collections.abc import Sequence
from contextlib import suppress
from threading import Thread
from typing import IO

MARK = "MIZERKA_PROGRAM_"  # a name of its own for each program, so that programs of programs bear several
MAX_ROUNDS = 20  # of looking for what is left: it may start others while we look


class Program:
    """A running program. words: as a shell would split them, but no shell runs it. Raises OSError if it can't start."""

    def __init__(self, words: Sequence[str]) -> None:
        pipe = subprocess.PIPE
        self._mark = MARK + secrets.token_hex(8)
        environment = {**os.environ, self._mark: "1"}
        self._process = subprocess.Popen(
            words, stdin=pipe, stdout=pipe, stderr=pipe, env=environment, start_new_session=os.name == "posix"
        )
        self._guard: Reaper | None = None
        if os.name == "posix":
            try:
                self._guard = Reaper(self.pid, self._mark)
            except OSError:
                self._kill()
                self._process.communicate()  # waits for it, and closes the pipes
                raise

    @property
    def pid(self) -> int:
        """Its number, and that of its group."""
        return self._process.pid

    @property
    def stdin(self) -> IO[bytes]:
        """What it reads."""
        assert self._process.stdin is not None
        return self._process.stdin

    @property
    def stdout(self) -> IO[bytes]:
        """What it writes."""
        assert self._process.stdout is not None
        return self._process.stdout

    @property
    def stderr(self) -> IO[bytes]:
        """What it complains about."""
        assert self._process.stderr is not None
        return self._process.stderr

    def how_it_ended(self) -> str:
        """Return 'exit code 3' or 'signal 11' of a program that ended; '' if it has to be killed for that."""
        self._kill()
        code = self._process.wait()
        if code >= 0:
            return f"exit code {code}"
        return "" if code == -signal.SIGKILL else f"signal {-code}"

    def end(self, readers: Sequence[Thread], grace: float, patience: float) -> None:
        """Close its input, wait `grace` seconds for it to end by itself, and kill what is left.

        readers: threads that read its output and its complaints, in this order; each has `patience` seconds to end.
        """
        with suppress(OSError):
            self.stdin.close()
        if grace:
            readers[0].join(grace)  # its output ends when it does
        self._kill()
        self._process.wait()
        kill_marked(self._mark)
        if self._guard is not None:
            self._guard.dismiss()
        for reader, stream in zip(readers, (self.stdout, self.stderr), strict=True):
            reader.join(patience)
            if not reader.is_alive():  # closing under a reader would wait for it
                stream.close()

    def _kill(self) -> None:
        # Before anything waits for the process: until then its number can't have passed to another group.
        if self._process.returncode is not None:
            return
        if os.name != "posix":
            self._process.kill()
            return
        try:
            os.killpg(self.pid, signal.SIGKILL)
        except (ProcessLookupError, PermissionError):
            self._process.kill()


def kill_marked(mark: str) -> None:
    """Kill the processes that bear a mark in their environment, and what they start meanwhile."""
    for _ in range(MAX_ROUNDS):
        found = [pid for pid in _processes() if pid != os.getpid() and _bears(pid, mark.encode())]
        for pid in found:
            with suppress(OSError):
                os.kill(pid, signal.SIGKILL)
        if not found:
            return


def _processes() -> list[int]:
    try:
        return [int(name) for name in os.listdir("/proc") if name.isdigit()]
    except OSError:  # there is none on this system
        return []


def _bears(pid: int, mark: bytes) -> bool:
    """Whether a process has the mark, and is not just waiting to be buried: such a one has no environment."""
    try:
        with open(f"/proc/{pid}/environ", "rb") as stream:
            return mark in stream.read()
    except OSError:
        return False


class Reaper:
    """A shell that kills a process group, and what left it, when we end without dismissing it, as by `kill -9`.

    It learns of our end by the end of its input. (PR_SET_PDEATHSIG is for Linux, reaches no child of a program, and
    strikes when the thread ends that started the program.) It has a session of its own, so what hits us misses it.
    """

    SCRIPT = """
    read line && exit
    kill -s KILL -- "-$1"
    for file in $(grep -ls -- "$2" /proc/[0-9]*/environ); do
        pid=${file#/proc/}
        kill -s KILL "${pid%/environ}"
    done
    """

    def __init__(self, group: int, mark: str) -> None:
        self._shell = subprocess.Popen(
            ["/bin/sh", "-c", self.SCRIPT, "guard", str(group), mark],
            stdin=subprocess.PIPE,
            stdout=subprocess.DEVNULL,
            stderr=subprocess.DEVNULL,
            start_new_session=True,
        )

    def dismiss(self) -> None:
        """Let it go."""
        self._shell.communicate(b"\n")
