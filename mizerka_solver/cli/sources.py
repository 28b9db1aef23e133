"""Where deals come from: each argument is a literal, a file, or `-` for standard input; read line by line, never whole.

What a line means is left to a reader such as `notation.read_lines`.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from typing import BinaryIO, Generic, TypeVar

import click

from mizerka_solver.game.notation import blocks, bounded_lines
from mizerka_solver.support.compressed import GZIP, ZSTANDARD, decompressed
from mizerka_solver.support.errors import MizerkaError, quoted

Value = TypeVar("Value")
Reader = Callable[[Iterable[str | bytes], str], Iterator[tuple[int, "Value | MizerkaError"]]]

COUNTED_BYTES = 8 << 20  # of a file; what is longer is estimated from so many
MAX_NAME = 200  # characters of a file's name in a message
_LITERAL = re.compile(r"\s*[FMRfmr]:|\s*[{#]|.*[\s_♠♥♦♣/;|]|(.*\.){9}", re.DOTALL)


@dataclass(frozen=True, slots=True)
class Record(Generic[Value]):
    """What one line of a source holds: a value, or the error that says where it is and what is wrong."""

    source: str
    line: int
    value: Value | MizerkaError

    @property
    def where(self) -> str:
        """The place as errors name it."""
        return f"{self.source}:{self.line}"


class Inputs(Generic[Value]):
    """The arguments of a command as one stream of records; raises click.UsageError for what can't be read at all.

    A file that exists is a file. Of the rest, what starts with a seat and a colon or has several fields is a literal,
    or what `literal` matches.
    """

    def __init__(
        self, arguments: tuple[str, ...], reader: Reader[Value], noun: str = "deal", literal: re.Pattern[str] = _LITERAL
    ) -> None:
        self.arguments = arguments
        self.files = [argument for argument in arguments if os.path.exists(argument)]
        self._reader, self._literal = reader, literal
        self._noun = noun
        for argument in arguments:
            self._check(argument)
        if arguments.count("-") > 1:
            raise click.UsageError("standard input (-) can be read once")

    def _check(self, argument: str) -> None:
        if argument == "-" or argument not in self.files:
            if argument == "-" or self._literal.match(argument):
                return
            name = quoted(argument) if argument else "empty argument"
            raise click.UsageError(f"{name}: no such file, and not a {self._noun}")
        if os.path.isdir(argument):
            raise click.UsageError(f"{quoted(argument, MAX_NAME)}: is a directory")
        if not os.access(argument, os.R_OK):
            raise click.UsageError(f"{quoted(argument, MAX_NAME)}: may not be read")

    @property
    def is_one_literal(self) -> bool:
        """Whether there is one argument, a literal that holds one deal or position."""
        only = self.arguments[0].strip() if len(self.arguments) == 1 else "-"
        return only != "-" and only not in self.files and self.count() == 1

    def __iter__(self) -> Iterator[Record[Value]]:
        """Yield all records; raises the error of a sole literal, and click.UsageError when there is no record."""
        empty = True
        for number, argument in enumerate(self.arguments, start=1):
            for record in self._records(argument, f"argument {number}"):
                empty = False
                if isinstance(record.value, MizerkaError) and self.is_one_literal:
                    error = record.value
                    raise type(error)(error.rule, token=error.token, field=error.field)
                yield record
        if empty:
            named = ["standard input" if name == "-" else quoted(name, MAX_NAME) for name in self.arguments[:3]]
            raise click.UsageError(f"{', '.join(named)}: no {self._noun} in it")

    def _records(self, argument: str, literal_name: str) -> Iterator[Record[Value]]:
        if argument == "-":
            try:
                with standard_input() as stream:
                    yield from self._read(bounded_lines(decompressed(stream, "<stdin>")), "<stdin>")
            except OSError as error:
                raise click.UsageError(f"standard input: can't be read: {error.strerror}") from None
        elif argument in self.files:
            try:
                with open(argument, "rb") as stream:
                    yield from self._read(bounded_lines(decompressed(stream, argument)), argument)
            except OSError as error:
                yield Record(argument, 0, MizerkaError(f"can't be read: {error.strerror}", where=argument))
        else:
            yield from self._read(argument.splitlines(), literal_name)

    def _read(self, lines: Iterable[str | bytes], source: str) -> Iterator[Record[Value]]:
        for line, value in self._reader(lines, source):
            yield Record(source, line, value)

    def count(self) -> int | None:
        """Return about how many records there are, for a progress bar; None when that can't be known beforehand.

        One and two are told apart exactly, and so is what small files hold; large ones are estimated.
        """
        total = 0
        for argument in self.arguments:
            if argument in self.files:
                number = count_file(argument)
                if number is None:
                    return None
                total += number
            elif argument == "-":
                return None
            else:
                total += sum(1 for _ in blocks(argument.splitlines()))
        return total


def count_file(path: str) -> int | None:
    """Return how many records a file holds, or about how many; None when nobody knows before it is read."""
    if not os.path.isfile(path):
        return None
    try:
        with open(path, "rb") as stream:
            if stream.peek(4).startswith((GZIP, ZSTANDARD)):
                return None
            n_bytes = os.path.getsize(path)
            lines = bounded_lines(stream) if n_bytes <= COUNTED_BYTES else stream.readlines(COUNTED_BYTES)
            number = sum(1 for _ in blocks(lines))
            return number if n_bytes <= COUNTED_BYTES else max(number * n_bytes // max(stream.tell(), 1), 2)
    except OSError:  # said in its place when it is read for good
        return None


@contextmanager
def standard_input() -> Iterator[BinaryIO]:
    """Yield standard input by a descriptor of its own: a thread may wait for it while the interpreter ends."""
    try:
        number = os.dup(sys.stdin.fileno())
    except (OSError, ValueError):  # no file, as in tests
        yield sys.stdin.buffer
        return
    with open(number, "rb") as stream:
        yield stream
