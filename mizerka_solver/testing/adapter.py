"""What a program under test has to offer, and one that offers it as another process over JSON Lines.

One line is asked, one line is answered:

    asked                                              answer
    {"do":"game","dealer":2}                           {}                        a new game; 0 1 2 sit clockwise
    {"do":"deal","deal":"F:… M:… R:… T:…"}             {"players":[0,1,2]}       who sits at F, M, R
    {"do":"name","contract":"H"}                       {}                        forehand's contract
    {"do":"exchange","seat":"F","discards":["S2"]}     {"drawn":["H4"]}          then M, then R
    {"do":"legal"}                                     {"cards":["SA","S3"]}     of the seat to play
    {"do":"play","card":"SA"}                          {}
    {"do":"winner"}                                    {"seat":"M"}              of the last trick, once it is complete
    {"do":"points"}                                    {"points":[-2,-1,3]}      F M R, once all cards are played
    {"do":"undo"}                                      {}                        optional: takes the last card back
    {"do":"totals"}                                    {"totals":[-2,-1,3]}      optional: of players 0 1 2

A step the rules forbid is answered {"refused":"why"} and changes nothing; a question that is not offered
{"unknown":true}. The program ends when its input ends.
"""

from __future__ import annotations

import json
import queue
import shlex
import threading
from collections import deque
from collections.abc import Sequence
from types import TracebackType
from typing import IO, Protocol

from mizerka_solver.game.rules import MIZERKA, Variant
from mizerka_solver.support.complaints import telling_line
from mizerka_solver.support.errors import MizerkaError, quoted
from mizerka_solver.support.programs import Program
from mizerka_solver.testing.arguments import instance, seconds_above_zero

PREFIX = "cmd:"
OPTIONAL = ("undo", "totals")
MAX_ANSWER = 1 << 16  # bytes; the longest sensible answer takes about 150
MAX_COMPLAINTS = 200  # last lines kept of what a program writes to its standard error
GRACE = 0.3  # seconds for a program to end by itself when its input is closed


class Refused(ValueError):
    """A step the program under test does not allow. Any other ValueError counts as well."""


class NotOffered(Exception):
    """An optional question the program does not answer."""


class ProgramError(Exception):
    """The program under test ended, gave no answer in time, or one that is none."""

    def __init__(self, rule: str, detail: str, *, is_hang: bool = False) -> None:
        super().__init__(detail)
        self.rule = rule
        self.detail = detail
        self.is_hang = is_hang


class RulesAdapter(Protocol):
    """What `check_rules` asks. Cards, seats, contracts are texts such as 'SA', 'F', 'H'; players 0, 1, 2 sit clockwise.

    A step the rules forbid raises Refused (or another ValueError) and changes nothing. Two further methods are
    optional: `undo()` takes the last card back, `totals()` returns the points so far of players 0, 1, 2.
    """

    def new_game(self, dealer: int) -> None:
        """Forget everything; `dealer` deals first."""

    def deal(self, deal: str) -> Sequence[object]:
        """Start the next deal with these hands and this talon; return the players at F, M, R."""

    def name(self, contract: str) -> None:
        """Forehand names the contract."""

    def exchange(self, seat: str, discards: Sequence[str]) -> Sequence[object]:
        """Let a seat discard; return the cards it draws."""

    def legal_cards(self) -> Sequence[object]:
        """Return what the seat whose turn it is may play."""

    def play(self, card: str) -> None:
        """The seat whose turn it is plays a card."""

    def winner(self) -> object:
        """Return the seat that won the trick just completed."""

    def points(self) -> Sequence[object]:
        """Return the points of F, M, R of the deal just completed."""


class ProgramAdapter:
    """A RulesAdapter that asks another program, started when it is needed and killed by `close`, children included,
    or by a guard when we are killed before that.

    `command` is a command line, with or without `cmd:`; `timeout` the seconds an answer may take. Raises MizerkaError
    when the program can't be started, ProgramError when it does not answer.
    """

    def __init__(self, command: str, timeout: float = 10.0, variant: Variant = MIZERKA) -> None:
        self.command = instance("command", command, str).removeprefix(PREFIX)
        self.timeout = seconds_above_zero("timeout", timeout)
        self.variant = instance("variant", variant, Variant)
        try:
            self._words = shlex.split(self.command)
        except ValueError as error:
            raise MizerkaError(f"not a command line: {error}", token=self.command) from None
        if not self._words:
            raise MizerkaError("cmd: must be followed by a program", token=command)
        self._conversation: _Conversation | None = None
        self._start()

    def _start(self) -> None:
        try:
            self._conversation = _Conversation(self._words)
        except OSError as error:
            reason = error.strerror or str(error)
            raise MizerkaError(f"can't be started: {reason}", token=self._words[0]) from None

    def close(self) -> None:
        """End the program; nothing of it is left behind."""
        if self._conversation is not None:
            self._conversation.kill()
            self._conversation = None

    def __enter__(self) -> ProgramAdapter:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self.close()

    def ask(self, **question: object) -> dict[str, object]:
        """Send one question and return the answer; raises Refused, NotOffered, ProgramError."""
        if self._conversation is None:
            self._start()
        assert self._conversation is not None
        try:
            answer = self._conversation.ask(json.dumps(question, separators=(",", ":")), self.timeout)
        except ProgramError:
            self.close()  # what comes next starts afresh, so that a shorter case can be looked for
            raise
        try:
            data = json.loads(answer)
        except (ValueError, RecursionError):
            data = None
        if not isinstance(data, dict):
            raise ProgramError(ONE_LINE, f"answered {quoted(answer.decode('utf-8', 'replace').strip())}")
        if "refused" in data:
            raise Refused(str(data["refused"]))
        if data.get("unknown"):
            if question["do"] in OPTIONAL:
                raise NotOffered
            raise ProgramError(OFFERED, f'answered {{"unknown":true}} to {question["do"]}, which is not optional')
        return data

    def _value(self, name: str, **question: object) -> object:
        answer = self.ask(**question)
        if name not in answer:
            raise ProgramError(ONE_LINE, f"the answer to {question['do']} has no {name}")
        return answer[name]

    def _list(self, name: str, **question: object) -> list[object]:
        value = self._value(name, **question)
        if not isinstance(value, list):
            raise ProgramError(ONE_LINE, f"{name} in the answer to {question['do']} is no list")
        return value

    def new_game(self, dealer: int) -> None:
        """Ask `game`; other variants than Mizerka are told with it."""
        if self.variant == MIZERKA:
            self.ask(do="game", dealer=dealer)
        else:
            targets = {"targets": self.variant.targets, "mizerka_targets": self.variant.mizerka_targets}
            self.ask(do="game", dealer=dealer, hand_size=self.variant.hand_size, **targets)

    def deal(self, deal: str) -> list[object]:
        """Ask `deal`."""
        return self._list("players", do="deal", deal=deal)

    def name(self, contract: str) -> None:
        """Ask `name`."""
        self.ask(do="name", contract=contract)

    def exchange(self, seat: str, discards: Sequence[str]) -> list[object]:
        """Ask `exchange`."""
        return self._list("drawn", do="exchange", seat=seat, discards=list(discards))

    def legal_cards(self) -> list[object]:
        """Ask `legal`."""
        return self._list("cards", do="legal")

    def play(self, card: str) -> None:
        """Ask `play`."""
        self.ask(do="play", card=card)

    def winner(self) -> object:
        """Ask `winner`."""
        return self._value("seat", do="winner")

    def points(self) -> list[object]:
        """Ask `points`."""
        return self._list("points", do="points")

    def undo(self) -> None:
        """Ask `undo`."""
        self.ask(do="undo")

    def totals(self) -> list[object]:
        """Ask `totals`."""
        return self._list("totals", do="totals")


ONE_LINE = "A program answers each question with one line of JSON of the form the protocol gives."
OFFERED = "A program answers every question but undo and totals."
IN_TIME = "A program answers each question in time."
STAYS = "A program runs until its input ends."


class _Conversation:
    """A program, with threads that read what it writes, so that no answer can block us."""

    def __init__(self, words: Sequence[str]) -> None:
        self.program = Program(words)
        self._answers: queue.Queue[bytes] = queue.Queue(maxsize=16)  # a flood waits in the pipe, not in our memory
        self._complaints: deque[bytes] = deque(maxlen=MAX_COMPLAINTS)
        self._stopped = threading.Event()
        self._threads = [
            threading.Thread(target=self._read_answers, args=(self.program.stdout,), daemon=True),
            threading.Thread(target=self._read_complaints, args=(self.program.stderr,), daemon=True),
        ]
        for thread in self._threads:
            thread.start()

    def _read_answers(self, stream: IO[bytes]) -> None:
        while not self._stopped.is_set():
            line = stream.readline(MAX_ANSWER)
            while not self._stopped.is_set():
                try:
                    self._answers.put(line, timeout=0.2)
                    break
                except queue.Full:
                    continue
            if not line:
                return

    def _read_complaints(self, stream: IO[bytes]) -> None:
        while line := stream.readline(MAX_ANSWER):
            self._complaints.append(line)

    def ask(self, question: str, timeout: float) -> bytes:
        """Write a line and return the one that comes back; raises ProgramError."""
        try:
            self.program.stdin.write(question.encode() + b"\n")
            self.program.stdin.flush()
            answer = self._answers.get(timeout=timeout)
        except OSError:
            answer = b""
        except queue.Empty:
            raise ProgramError(IN_TIME, f"no answer to {question} within {timeout:g} s", is_hang=True) from None
        if not answer:
            raise ProgramError(STAYS, f"{self._ended()} when asked {question}")
        return answer

    def _ended(self) -> str:
        """Say how the program ended, with the line of its complaints that tells why."""
        how = self.program.how_it_ended()
        ended = f"it ended with {how}" if how else "it closed its output"
        self._threads[1].join(timeout=0.5)
        text = telling_line([line.decode("utf-8", "replace") for line in self._complaints])
        return f"{ended} ({text})" if text else ended

    def kill(self) -> None:
        """End the program and whatever it started. Closing its input lets a well-behaved one go by itself."""
        self._stopped.set()
        self.program.end(self._threads, GRACE, patience=1)
