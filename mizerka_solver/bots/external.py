"""Bots that are programs of any language: JSON Lines over their standard input and output, one process each.

    we write   {"type":"contract"|"exchange"|"play", …the view…}      and wait for one line:
    it writes  {"contract":"S"} | {"discard":["S2"]} | {"card":"SA"}
    we write   {"type":"deal",…} before and {"type":"result",…} after a deal, and want no answer

Whatever a program does, the arena goes on: it may crash, hang, flood us or write nonsense. Each of these is a
BotFailure, after which the program is stopped, and started anew for the next deal. That nothing of it stays behind is
left to programs.py.
"""

from __future__ import annotations

import atexit
import json
import shlex
import shutil
import time
import weakref
from collections import deque
from collections.abc import Sequence
from queue import Empty, Full, Queue
from threading import Thread
from typing import IO, Any

from mizerka_solver.game.cards import Card
from mizerka_solver.game.rules import Contract, Seat, Triple
from mizerka_solver.hidden.view import View
from mizerka_solver.support.errors import MizerkaError, quoted
from mizerka_solver.support.programs import Program

FORMAT = "mizerka-bot/1"
MAX_REPLY = 4096  # bytes of a line; the longest sound answer takes about 100
MAX_WAITING = 8  # lines nobody asked for before we stop listening
MAX_STDERR = 20  # last lines kept
GRACE = 0.5  # seconds for a program to end by itself when its input is closed
DEFAULT_SECONDS = 5.0
START_SECONDS = 10.0  # more for the first answer: some languages take long to start

_running: weakref.WeakSet[ExternalBot] = weakref.WeakSet()


ENDED = "it ended instead of answering"


class BotFailure(Exception):
    """A bot that did not answer as the rules and the protocol demand; `words` is what it wrote to stderr."""

    def __init__(self, reason: str, words: Sequence[str] = ()) -> None:
        super().__init__(reason)
        self.reason, self.words = reason, tuple(words)


class ExternalBot:
    """A program as a bot. command: as typed in a shell, but no shell runs it. seconds: for one decision.

    The program is started when first needed. Raises MizerkaError when there is no such program.
    """

    def __init__(self, command: str, seconds: float = DEFAULT_SECONDS) -> None:
        try:
            self.arguments = shlex.split(command)
        except ValueError as error:
            raise MizerkaError(f"can't be read as a command: {error}", token=command) from None
        if not self.arguments:
            raise MizerkaError("cmd: must be followed by a program", token=f"cmd:{command}")
        if shutil.which(self.arguments[0]) is None:
            raise MizerkaError("no such program, or it is not executable", token=self.arguments[0])
        self.seconds = seconds
        self.slowest = 0.0
        self._program: Program | None = None
        self._lines: Queue[bytes | None] = Queue(MAX_WAITING)
        self._words: deque[str] = deque(maxlen=MAX_STDERR)
        self._threads: list[Thread] = []
        self._failed: BotFailure | None = None
        self._closed = self._has_answered = False

    # As a bot

    def new_deal(self, seed: int) -> None:
        """Tell the program, which is started if it does not run. Its failure is told when it is first asked.

        It is chance at which of our lines we notice that a program has ended, and records should not depend on it.
        """
        self._failed = None
        self._started()
        try:
            self._tell({"type": "deal", "format": FORMAT, "seed": seed})
        except BotFailure as failure:
            self._failed = failure

    def name_contract(self, view: View) -> Contract:
        """Ask for a contract."""
        answer = self._ask(view, "contract")
        try:
            return Contract.parse(answer if isinstance(answer, str) else str(answer))
        except MizerkaError as error:
            raise self.failure(str(error)) from None

    def exchange(self, view: View) -> Sequence[Card]:
        """Ask for discards."""
        answer = self._ask(view, "discard")
        if not isinstance(answer, list):
            raise self.failure('"discard" is a list of cards')
        return [self._card(text) for text in answer]

    def play(self, view: View) -> Card:
        """Ask for a card."""
        return self._card(self._ask(view, "card"))

    def deal_over(self, seat: Seat, tricks: Triple) -> None:
        """Tell the program how the deal ended, unless it ended before."""
        if self._program is None:
            return
        counts = {seat.name: n for seat, n in zip(Seat, tricks, strict=True)}
        self._tell({"type": "result", "seat": seat.name, "tricks": counts})

    def close(self, grace: float = GRACE) -> None:
        """End the program for good: close its input, wait `grace` seconds, kill what is left."""
        self._closed = True
        self.stop(grace)

    # The conversation

    def failure(self, reason: str) -> BotFailure:
        """Stop the program and return what it did wrong, with its last words."""
        time.sleep(0.05)  # its last words may still be on their way
        self.stop()
        return BotFailure(reason, self._words)

    def _card(self, text: object) -> Card:
        try:
            return Card(text if isinstance(text, str) else str(text))
        except MizerkaError as error:
            raise self.failure(str(error)) from None

    def _ask(self, view: View, field: str) -> object:
        """Return the field of the answer; raises BotFailure."""
        if self._failed is not None:
            raise self._failed
        self._tell(view.as_dict() | {"seconds": self.seconds})
        asked, seconds = time.monotonic(), self.seconds + (0.0 if self._has_answered else START_SECONDS)
        try:
            line = self._lines.get(timeout=seconds)
        except Empty:
            raise self.failure(f"no answer within {seconds:g} seconds") from None
        if self._has_answered:
            self.slowest = max(self.slowest, time.monotonic() - asked)
        self._has_answered = True
        if line is None:
            raise self.failure(ENDED + self._exit_text())
        text = line.decode("utf-8", "replace").strip()
        try:
            answer = json.loads(text)
        except (ValueError, RecursionError):
            raise self.failure(f"not a line of JSON: {quoted(text)}") from None
        if not isinstance(answer, dict) or field not in answer:
            raise self.failure(f'an answer is an object with "{field}": {quoted(text)}')
        return answer[field]

    def _tell(self, message: dict[str, Any]) -> None:
        program = self._started()
        if not self._lines.empty():
            line = self._lines.get_nowait()
            if line is not None:
                raise self.failure(f"it wrote without being asked: {quoted(line.decode('utf-8', 'replace').strip())}")
            raise self.failure(ENDED + self._exit_text())
        try:
            program.stdin.write(json.dumps(message, separators=(",", ":")).encode() + b"\n")
            program.stdin.flush()
        except OSError:
            raise self.failure(ENDED + self._exit_text()) from None

    def _exit_text(self) -> str:
        """Return ' (exit code 3)' of a program that ended, without waiting for one that only closed its output."""
        how = self._program.how_it_ended() if self._program is not None else ""
        return f" ({how})" if how else ""

    # The process

    def _started(self) -> Program:
        if self._closed:
            raise BotFailure("the bot is closed")
        if self._program is not None:
            return self._program
        try:
            program = Program(self.arguments)
        except OSError as error:
            raise MizerkaError(f"can't be started: {error.strerror}", token=self.arguments[0]) from None
        self._program, self._has_answered = program, False
        _running.add(self)
        self._lines, self._words = Queue(MAX_WAITING), deque(maxlen=MAX_STDERR)
        self._threads = [
            Thread(target=_listen, args=(program.stdout, self._lines), daemon=True),
            Thread(target=_overhear, args=(program.stderr, self._words), daemon=True),
        ]
        for thread in self._threads:
            thread.start()
        return program

    def stop(self, grace: float = 0.0) -> None:
        """End the program and its children; it is started again when next needed."""
        program, self._program = self._program, None
        if program is not None:
            program.end(self._threads, grace, GRACE)
            _running.discard(self)


def _listen(stream: IO[bytes], lines: Queue[bytes | None]) -> None:
    """Pass on lines, and None at the end; stop listening to a line without end, or when nobody takes them."""
    try:
        while line := stream.readline(MAX_REPLY):
            lines.put_nowait(line)
            if not line.endswith(b"\n") and len(line) >= MAX_REPLY:
                break
        lines.put_nowait(None)
    except (Full, ValueError, OSError):
        pass


def _overhear(stream: IO[bytes], words: deque[str]) -> None:
    """Keep the last lines of standard error."""
    try:
        while line := stream.readline(MAX_REPLY):
            words.append(line.decode("utf-8", "replace").rstrip())
    except (ValueError, OSError):
        pass


@atexit.register
def _stop_all() -> None:
    for bot in list(_running):
        bot.stop()
