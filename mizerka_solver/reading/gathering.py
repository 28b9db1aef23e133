"""Which lines of a file make one deal: most are one a line, some are written over several. Looks at shape only.

    whole   all three hands, in any shape                    a deal by itself, handed on at once
    start   F and a hand, or a part of it                    begins a deal of several lines
    part    M, R, T, P, or the end of a position             goes on with it; talon and end of a position complete it
    hand    a hand without its seat                          the first, second or third of a deal, or goes on with F
    other   anything else                                    by itself; its reader says what is wrong

A blank line ends a deal. A table that `mizerka` printed begins with its title; what stands below its blank line, values
and legends, is passed over up to the next title, `F:`, JSON or CSV, and so is the same deal once more in one line.
"""

from __future__ import annotations

from mizerka_solver.reading.deals import MAX_TEXT, begins_row, header_of, position_tail, starts_of_hands
from mizerka_solver.reading.explain import explain
from mizerka_solver.reading.letters import Token, tokenized, upper
from mizerka_solver.reading.pasted import is_trick_line, title_in
from mizerka_solver.support.errors import MizerkaError

Block = tuple[int, str]
"""Number of the first line, and the text of all."""


def is_usual(line: str) -> bool:
    """Whether a line has the look of a deal in the standard spelling, the usual case by far."""
    return line.startswith("F:") and " M:" in line and " R:" in line


def shape_of(line: str) -> str:
    """Return whole, start, part, hand or other.

    >>> [shape_of(line) for line in ("F:A... M:K... R:Q...", "F: ♠A", "T: ♣4 ♥K", "♠AK ♥3", "A3.2..", "deal")]
    ['whole', 'start', 'part', 'hand', 'hand', 'other']
    """
    if len(line) > MAX_TEXT:
        return "other"
    capital = line.upper()
    if capital.startswith("F:") and "M:" in capital and "R:" in capital:
        return "whole"
    hands, tail = position_tail(line)
    if tail is None and len(line.split()) == 4 and line.split()[-1].count("-") == 2:
        return "part"  # contract, leader, trick and tricks won alone
    try:
        tokens = tokenized(hands)
    except MizerkaError:
        return "other"
    return _shape_of_tokens(tokens) if tokens else "other"


def _shape_of_tokens(tokens: list[Token]) -> str:
    headers = [header for header in map(header_of, tokens) if header]
    if not set(headers) & set("FMR"):
        if header_of(tokens[0]) or begins_row(tokens):
            return "part"
        own = tokens[: next((i for i, token in enumerate(tokens) if header_of(token)), len(tokens))]
        if len(starts_of_hands(own)) == 3:
            return "whole"
        marked = any(token.kind in ("suit", "dot") or upper(token) in "SHDCПЧБ" for token in own)
        is_hand = not headers and (marked or [token.kind for token in own] == ["void"])
        return "hand" if is_hand else "other"
    if {"F", "M", "R"} <= set(headers):
        return "whole"
    first = header_of(tokens[0])
    return "start" if first == "F" else "part" if first else "other"


class Gatherer:
    """Takes lines one by one and gives back deals as soon as they are complete.

    >>> gatherer = Gatherer()
    >>> [gatherer.feed(n, line) for n, line in enumerate(["F: ♠A", "M: ♠K", "R: ♠Q", "T: ♥3"], start=1)][-1]
    [(1, 'F: ♠A\\nM: ♠K\\nR: ♠Q\\nT: ♥3')]
    """

    def __init__(self) -> None:
        self._lines: list[str] = []
        self._number = 0
        self._kind = ""  # of what is pending: table, named or plain
        self._printed = ""  # the table whose values may follow

    def feed(self, number: int, line: str) -> list[Block]:
        """Take a line, '' for a blank one, and return what is complete."""
        if not line:
            return self.flush()
        if not self._lines and not self._printed and is_usual(line):
            return [(number, line)]
        if title_in(line):
            return [*self.flush(), *self._begin(number, line, "table")]
        if self._kind == "table":
            if is_trick_line(line) or shape_of(line) in ("start", "part"):
                return self._add(line)
            done = self.flush()
            return done + self.feed(number, line)
        shape = shape_of(line)
        if self._printed:
            # A row such as 'F  M  R' or '♠A  2  3' is part of what was printed, so only F: is a new deal.
            if line[:2].upper() != "F:" or (shape == "whole" and _same(line, self._printed)):
                return []
            self._printed = ""
        return self._take(number, line, shape)

    def flush(self) -> list[Block]:
        """Return what is pending, complete or not."""
        if not self._lines:
            return []
        text = "\n".join(self._lines)
        self._printed = text if self._kind == "table" else ""
        self._lines, self._kind = [], ""
        return [(self._number, text)]

    def _take(self, number: int, line: str, shape: str) -> list[Block]:
        if shape == "start":
            return [*self.flush(), *self._begin(number, line, "named")]
        if shape == "part" and self._lines:
            done = self._add(line)
            return done or (self.flush() if _ends(line) else [])
        if shape == "hand":
            if not self._lines or self._is_full():
                return [*self.flush(), *self._begin(number, line, "plain")]
            return self._add(line)
        return [*self.flush(), (number, line)]

    def _begin(self, number: int, line: str, kind: str) -> list[Block]:
        self._lines, self._number, self._kind, self._printed = [line], number, kind, ""
        return []

    def _add(self, line: str) -> list[Block]:
        self._lines.append(line)
        return self.flush() if sum(map(len, self._lines)) > MAX_TEXT else []

    def _is_full(self) -> bool:
        """Three hands a line each, or twelve suits; three lines of a suit each are the beginning of twelve."""
        if self._kind != "plain" or len(self._lines) % 3:
            return False
        marks = [[token.value for token in tokenized(line) if token.kind == "suit"] for line in self._lines[:3]]
        by_suits = all(len(found) == 1 for found in marks) and len({found[0] for found in marks}) == 3
        return len(self._lines) == (12 if by_suits else 3)


def _ends(line: str) -> bool:
    """Whether a line is the last of its deal: a talon, or the end of a position."""
    tail = position_tail(f"- {line}")[1]
    return tail is not None or any(header_of(token) == "T" for token in tokenized(line))


def _same(line: str, printed: str) -> bool:
    try:
        return explain(line).text == explain(printed).text
    except MizerkaError:
        return False
