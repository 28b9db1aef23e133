"""Where results go: standard output or a file. The one place in which commands open a file for writing.

What holds for every file, whatever the command:

- It is never an input, by whatever path, link or redirection the two are named.
- Another command may not write to it at the same time; the second is refused.
- Bad usage and errors before the first result leave it alone.
- What is one answer is there whole or not at all: it is written beside the file and takes its name at the end.
- What is many answers (a batch) replaces the file at the first one and then grows by whole records, so that others can
  read along, and an interrupt or a full disk keeps what was done, without half a line.
- Devices and pipes are just written to.
"""

from __future__ import annotations

import errno
import io
import json
import os
import stat
import sys
from collections.abc import Callable, Iterable
from contextlib import suppress
from types import TracebackType
from typing import TYPE_CHECKING, Any

import click
from click.exceptions import Exit

from mizerka_solver.batches.schema import PACKED
from mizerka_solver.cli import process
from mizerka_solver.cli.options import OutputOptions
from mizerka_solver.support.errors import quoted

if TYPE_CHECKING:
    from rich.console import Console

    from mizerka_solver.cli.batch_file import BatchFile

MIN_COLUMNS = 20  # a screen that says it has fewer is not believed
SIGNS = "♠♥♦♣≥≤–·±…"


class Writer:
    """A file that results go to; raises click.UsageError if it can't be one, before any work.

    option: what errors call it. inputs: files that are read. packs: `save` compresses. whole: one answer, which takes
    the file's place at the end; else records, the first of which replaces the file after its first `keep` bytes.
    """

    def __init__(
        self, option: str, path: str, inputs: Iterable[str] = (), *, whole: bool = False, packs: bool = False
    ) -> None:
        self.keep = 0
        self._place = f"{option} {quoted(path, 200)}"
        self._path = path
        self._target = os.path.realpath(path)
        self._whole = whole
        self._file: int | None = None  # descriptor, once something is written
        self._temporary = ""
        self._end = 0
        self._lock: Lock | None = None
        self._check(inputs, packs)
        if self._is_regular:
            self._lock = self._locked()

    def _check(self, inputs: Iterable[str], packs: bool) -> None:
        folder = os.path.dirname(self._target)
        if not self._path:
            raise self._error("a file name is missing")
        if self._path.lower().endswith(PACKED) and not packs:
            raise self._error("only records are compressed: .jsonl or .csv of a batch, with .gz or .zst behind it")
        if os.path.isdir(self._path) or self._path.endswith(os.sep):
            raise self._error("is a directory")
        if not (os.path.exists(self._path) or os.path.isdir(folder)):
            raise self._error(f"there is no directory {os.path.dirname(self._path) or folder}")
        if not os.access(self._path if os.path.exists(self._path) else folder, os.W_OK):
            raise self._error("may not be written")
        self._is_regular = not os.path.exists(self._path) or os.path.isfile(self._path)
        if self._is_regular and (is_same(self._path, 0) or any(is_same(self._path, name) for name in inputs)):
            raise self._error("is also an input")

    def _error(self, rule: str) -> click.UsageError:
        return click.UsageError(f"{self._place}: {rule}")

    def _locked(self) -> Lock:
        try:
            return Lock(self._target)
        except BlockingIOError:
            raise self._error("another command is writing to it") from None
        except OSError as error:
            raise self._error(f"can't be opened: {error.strerror}") from None

    @property
    def is_used(self) -> bool:
        """Whether anything was written."""
        return self._file is not None

    def write(self, data: bytes) -> None:
        """Write one record, whole; raises OSError, and then nothing of the record is left."""
        if self._file is None:
            self._file = self._opened()
        left = memoryview(data)
        try:
            while left:
                left = left[os.write(self._file, left) :]
        except OSError as error:
            if self._is_regular:
                with suppress(OSError):
                    os.ftruncate(self._file, self._end)
            raise OSError(error.errno, error.strerror, self._path) from None
        self._end += len(data)

    def _opened(self) -> int:
        """Return the descriptor to write to."""
        if self._whole and self._is_regular and (temporary := self._beside()):
            self._temporary = temporary
            return os.open(temporary, os.O_WRONLY)
        if not self._is_regular:
            return os.open(self._path, os.O_WRONLY)
        file = os.open(self._target, os.O_WRONLY | os.O_CREAT, 0o666)
        if self._lock is not None:
            self._lock.add(file)
        self._end = self.keep
        os.ftruncate(file, self._end)
        os.lseek(file, self._end, os.SEEK_SET)
        return file

    def _beside(self) -> str:
        """Return a new file in the same folder, with the rights the file has or would get; '' where none may be."""
        import tempfile  # like csv and shlex below: most runs do without, and a command is to start quickly

        folder, name = os.path.split(self._target)
        try:
            number, temporary = tempfile.mkstemp(os.path.splitext(name)[1], f".{name}.", folder)
        except OSError:
            return ""
        process.stop.leftovers.add(temporary)
        os.close(number)
        with suppress(OSError):
            os.chmod(temporary, self._mode())
        return temporary

    def _mode(self) -> int:
        if os.path.exists(self._target):
            return stat.S_IMODE(os.stat(self._target).st_mode)
        mask = os.umask(0)
        os.umask(mask)
        return 0o666 & ~mask

    def save(self, draw: Callable[[str], object]) -> None:
        """Let `draw` write a file of its own, given its path, which then takes the place of this one."""
        temporary = self._beside() if self._is_regular else ""
        try:
            draw(temporary or self._path)
            if temporary:
                os.replace(temporary, self._target)
                temporary = ""
        except OSError as error:  # which libraries raise without the file's name, pyarrow in words of its own
            number = error.errno or 0
            text = os.strerror(number) if number in errno.errorcode else str(error)
            raise OSError(number, text, self._path) from None
        finally:
            self._take_away(temporary)

    def close(self, *, succeeded: bool = True) -> None:
        """Close the file; a whole answer takes its place, unless it did not succeed."""
        file, self._file = self._file, None
        temporary, self._temporary = self._temporary, ""
        lock, self._lock = self._lock, None
        try:
            if file is not None:
                os.close(file)
            if temporary and succeeded:
                os.replace(temporary, self._target)
                temporary = ""
        finally:
            self._take_away(temporary)
            if lock is not None:
                lock.release()

    @staticmethod
    def _take_away(temporary: str) -> None:
        if temporary:
            os.unlink(temporary)


class Lock:
    """One writer at a time: the file itself is locked, or while it does not exist an empty one beside it.

    Raises BlockingIOError when somebody else has it. Without effect where the system can't lock (Windows, some network
    file systems).
    """

    def __init__(self, target: str) -> None:
        folder, name = os.path.split(target)
        self._beside = os.path.join(folder, f".{name}.lock")
        self._files: list[int] = []
        while True:
            exists = os.path.exists(target)
            path = target if exists else self._beside
            file = os.open(path, os.O_WRONLY | (0 if exists else os.O_CREAT), 0o666)
            try:
                self.add(file)
            finally:
                os.close(file)
            if not exists:
                process.stop.leftovers.add(path)
            # Who had it before may have taken it away between our opening and our locking it.
            if is_same(path, self._files[0]):
                break
            os.close(self._files.pop())
        self._owns_beside = not exists

    def add(self, file: int) -> None:
        """Lock one more file that is open; raises BlockingIOError."""
        try:
            import fcntl

            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            if not any(is_same(ours, file) for ours in self._files):
                raise
        except (ImportError, OSError):
            pass
        self._files.append(os.dup(file))  # a lock lasts until the last copy is closed

    def release(self) -> None:
        """Give the file free."""
        if self._owns_beside:
            process.stop.leftovers.discard(self._beside)
            with suppress(OSError):
                os.unlink(self._beside)
        for file in self._files:
            with suppress(OSError):
                os.close(file)
        self._files.clear()


def is_same(path: str | int, other: str | int) -> bool:
    """Whether two regular files, by path or descriptor, are one."""
    try:
        first, second = os.stat(path), os.stat(other)
    except OSError:
        return False
    return stat.S_ISREG(first.st_mode) and os.path.samestat(first, second)


def files_named(command: str) -> list[str]:
    """Return the files that a command line of another program names: what we write must not be one of them."""
    import shlex
    import shutil

    try:
        words = shlex.split(command.removeprefix("cmd:"))
    except ValueError:
        return []
    return [path for word in words for path in (word, shutil.which(word)) if path and os.path.isfile(path)]


class Output:
    """Where the results of a command go, in the form that was asked for. Every record is there once it is written.

    file: the batch's file that -o names, which takes the results in place of this.
    """

    def __init__(
        self, options: OutputOptions, inputs: Iterable[str] = (), *, whole: bool = False, file: BatchFile | None = None
    ) -> None:
        if options.as_json and options.as_csv:
            raise click.UsageError("--json and --csv exclude each other")
        self.options = options
        self.path = None if options.path in (None, "-") else options.path
        self.file = file
        self._writer = None if self.path is None or file is not None else Writer("-o", self.path, inputs, whole=whole)
        self._console: Console | None = None
        self._csv_header: list[str] | None = None
        self._used = False
        if self.path is None and any(is_same(name, 1) for name in inputs):
            raise click.UsageError("standard output is also an input")

    @property
    def is_table(self) -> bool:
        """Whether people read it: neither JSON nor CSV nor a batch's file."""
        return not (self.file or self.options.as_json or self.options.as_csv)

    @property
    def console(self) -> Console:
        """A rich console like the stream: colour only on a terminal."""
        if self._console is None:
            from rich.console import Console

            file = sys.stdout if self._writer is None else io.StringIO()
            self._console = Console(file=file, highlight=False, emoji=False, markup=False)
            if self._console.width < MIN_COLUMNS:
                self._console.width = 80
        return self._console

    @property
    def encoding(self) -> str:
        """How text is written."""
        return (sys.stdout.encoding or "utf-8") if self._writer is None else "utf-8"

    @property
    def is_used(self) -> bool:
        """Whether anything was written."""
        return self._used

    @property
    def is_ascii(self) -> bool:
        """Whether the stream can't hold suit signs."""
        try:
            SIGNS.encode(self.encoding)
        except UnicodeEncodeError:
            return True
        return False

    def line(self, text: str) -> None:
        """Write one line of text; characters the stream can't hold are escaped."""
        self._used = True
        data = (text + "\n").encode(self.encoding, "backslashreplace")
        if self._writer is not None:
            self._writer.write(data)
        else:
            sys.stdout.write(data.decode(self.encoding))
            sys.stdout.flush()

    def json(self, data: dict[str, Any]) -> None:
        """Write one object as a line of JSON."""
        self.line(json.dumps(data, separators=(",", ":")))

    def csv(self, row: dict[str, Any]) -> None:
        """Write one row of CSV; the first brings the header with it."""
        import csv

        rows = [list(row.values())]
        if self._csv_header is None:
            self._csv_header = list(row)
            rows.insert(0, self._csv_header)
        buffer = io.StringIO()
        csv.writer(buffer, lineterminator="\n").writerows(rows)
        self.line(buffer.getvalue().removesuffix("\n"))

    def __enter__(self) -> Output:
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        succeeded = error is None or isinstance(error, Exit)
        if self.file is not None:
            self.file.close(succeeded=succeeded)
        if self._writer is not None:
            self._writer.close(succeeded=succeeded)
