"""`-o FILE` of a batch, its format told by its suffix; resumed where it broke off. All writing is the one writer's."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterable, Iterator
from contextlib import suppress
from typing import Any, BinaryIO, NamedTuple, Protocol

import click

from mizerka_solver.batches.columns import Numpy, Parquet, Parts
from mizerka_solver.batches.schema import COLUMNS, PACKED, TEXTS, Row, Schema, suffix_of
from mizerka_solver.batches.tasks import error_row
from mizerka_solver.batches.text import Csv, JsonLines, NoRecordError, WholeRecord
from mizerka_solver.cli.output import Writer
from mizerka_solver.cli.process import say
from mizerka_solver.support.compressed import compress, decompressed, zstandard_of
from mizerka_solver.support.errors import quoted

FORMATS: dict[str, Callable[[Schema], JsonLines | Csv]] = dict(zip(TEXTS, (JsonLines, Csv), strict=True))
CODECS: dict[str, Callable[[Schema], Parquet | Numpy]] = dict(zip(COLUMNS, (Numpy, Parquet), strict=True))


class Kept:
    """What of an earlier run a file has: the number of whole records, how many of them failed, where they end."""

    def __init__(self, wholes: Iterable[WholeRecord]) -> None:
        self.n_records = self.n_failed = self.end = 0
        self.first: Any = None
        for whole in wholes:
            self.n_records += 1
            self.n_failed += whole.error is not None
            self.end = whole.end
            if self.n_records == 1:
                self.first = whole.answer


class Named(NamedTuple):
    """What a record calls an item: its deal or position, or what is wrong with it; and where the item stands."""

    text: str
    failed: bool
    where: str

    def is_of(self, whole: WholeRecord) -> bool:
        """Whether a record of a file is this item's. One that failed later on has only the place in its error."""
        if whole.subject is not None:
            return not self.failed and whole.subject == self.text
        error = whole.error or ""
        return error == self.text if self.failed else error.startswith(f"{self.where}:")


class Store(Protocol):
    """Where records go: a text that grows, or parts that are joined at the end."""

    def wholes(self) -> Iterator[WholeRecord]:
        """Yield the whole records of an earlier run; raises NoRecordError."""

    def keep(self, kept: Kept) -> None:
        """Leave so many records as they are and go on behind them."""

    def put(self, number: int, data: dict[str, Any], rows: Iterable[Row]) -> None:
        """Write one record."""

    def answer(self, number: int, data: dict[str, Any], rows: Iterable[Row]) -> Any:
        """Return a record as `wholes` has its answer."""

    def close(self, *, succeeded: bool) -> None:
        """Leave the file whole, if that is possible."""

    def leave(self) -> None:
        """Leave everything as it is."""


class TextStore:
    """JSON Lines or CSV, flushed record by record."""

    def __init__(self, path: str, inputs: Iterable[str], schema: Schema) -> None:
        self._path = path
        self._format = FORMATS[suffix_of(path) or ""](schema)
        self._writer = Writer("-o", path, inputs)
        self._begun = False

    def wholes(self) -> Iterator[WholeRecord]:
        """See Store."""
        if os.path.isfile(self._path):
            stream: BinaryIO
            with open(self._path, "rb") as stream:
                yield from self._format.wholes(stream)

    def keep(self, kept: Kept) -> None:
        """See Store."""
        self._writer.keep = kept.end
        self._begun = kept.end > 0

    def put(self, number: int, data: dict[str, Any], rows: Iterable[Row]) -> None:
        """See Store."""
        header = b"" if self._begun else self._format.header
        self._writer.write(header + self._format.record(number, data, rows))
        self._begun = True

    def answer(self, number: int, data: dict[str, Any], rows: Iterable[Row]) -> Any:
        """See Store."""
        return self._format.answer(number, data, rows)

    def close(self, *, succeeded: bool) -> None:
        """See Store."""
        self._writer.close(succeeded=succeeded)

    def leave(self) -> None:
        """See Store."""
        self._writer.close(succeeded=False)


class PackedStore:
    """JSON Lines or CSV that is compressed once it is whole; until then the text grows beside it."""

    def __init__(self, path: str, inputs: Iterable[str], schema: Schema, *, resume: bool) -> None:
        self._suffix = os.path.splitext(path)[1].lower()
        if self._suffix == ".zst":
            zstandard_of("writing")
        stem, inner = os.path.splitext(os.path.splitext(path)[0])
        self._text_path = f"{stem}.part{inner}"
        self._writer = Writer("-o", path, inputs, packs=True)
        self._unpacked = False
        try:
            if os.path.exists(self._text_path) and not resume:
                rule = "is what a run that broke off has written: go on with --resume, or take it away"
                raise click.UsageError(f"-o {quoted(path, 200)}: {os.path.basename(self._text_path)} {rule}")
            if resume and not os.path.exists(self._text_path) and os.path.isfile(path) and os.path.getsize(path):
                self._unpack(path)
            self._text = TextStore(self._text_path, inputs, schema)
        except BaseException:
            self._writer.close()
            raise
        self.answer = self._text.answer
        self.wholes = self._text.wholes
        self.keep = self._text.keep

    def _unpack(self, path: str) -> None:
        """Make the text of a finished file, that there may be more for."""
        self._unpacked = True
        beside = f"{self._text_path}.new"
        try:
            with open(path, "rb") as packed, open(beside, "wb") as plain:
                shutil.copyfileobj(decompressed(packed, path), plain)
            os.replace(beside, self._text_path)
        except OSError as error:
            with suppress(OSError):
                os.remove(beside)
            raise click.UsageError(f"-o {quoted(path, 200)}: can't be resumed: {error.strerror}") from None

    def put(self, number: int, data: dict[str, Any], rows: Iterable[Row]) -> None:
        """See Store."""
        self._unpacked = False  # it has more than the compressed file
        self._text.put(number, data, rows)

    def close(self, *, succeeded: bool) -> None:
        """See Store: of a run that broke off, the text is left."""
        if self._unpacked:
            self.leave()
            return
        try:
            self._text.close(succeeded=succeeded)
            if succeeded and os.path.exists(self._text_path):
                self._writer.save(lambda target: compress(self._text_path, target, self._suffix))
                os.remove(self._text_path)
            elif os.path.exists(self._text_path):
                say(f"What is done is in {self._text_path}; --resume goes on with it.")
        finally:
            self._writer.close()

    def leave(self) -> None:
        """See Store."""
        self._text.leave()
        if self._unpacked:
            os.remove(self._text_path)
        self._writer.close()


class PartStore:
    """NumPy or Parquet: parts, and one file at the end."""

    def __init__(self, path: str, inputs: Iterable[str], schema: Schema, *, resume: bool) -> None:
        codec = CODECS[suffix_of(path) or ""](schema)
        self._path = path
        self._writer = Writer("-o", path, inputs)
        self._parts = Parts(path, codec, schema, resume=resume)
        self.answer = self._parts.answer
        self.wholes = self._parts.wholes
        if self._parts.exists and not resume:
            self._writer.close()
            rule = "has what a run that broke off has written: go on with --resume, or take it away"
            raise click.UsageError(f"-o {quoted(path, 200)}: {os.path.basename(self._parts.folder)} {rule}")

    def keep(self, kept: Kept) -> None:
        """See Store."""

    def put(self, number: int, data: dict[str, Any], rows: Iterable[Row]) -> None:
        """See Store."""
        self._parts.add(number, rows)

    def close(self, *, succeeded: bool) -> None:
        """See Store: of a run that broke off, the parts are left."""
        try:
            if succeeded:
                self._parts.finish(self._writer.save)
            else:
                with suppress(OSError):  # a full disk, which is what is told
                    self._parts.flush()
                if self._parts.exists:
                    say(f"What is done is in {self._path}.parts; --resume goes on with it.")
        finally:
            self._writer.close()

    def leave(self) -> None:
        """See Store."""
        self._writer.close()


class BatchFile:
    """The file of a batch; with `resume`, what it has is checked against the input and kept."""

    def __init__(
        self, path: str, inputs: Iterable[str], schema: Schema, *, resume: bool, repeatable: bool = True
    ) -> None:
        self._place = f"-o {quoted(path, 200)}"
        self._repeatable = repeatable
        self._store: Store
        if path.lower().endswith(PACKED):
            self._store = PackedStore(path, inputs, schema, resume=resume)
        elif suffix_of(path) in TEXTS:
            self._store = TextStore(path, inputs, schema)
        else:
            self._store = PartStore(path, inputs, schema, resume=resume)
        try:
            self._kept = Kept(self._store.wholes() if resume else ())
        except NoRecordError:
            self._store.leave()
            raise self._other_run("it has other records than this one would write, or is damaged") from None
        except BaseException:
            self._store.leave()
            raise
        self._store.keep(self._kept)

    @property
    def n_kept(self) -> int:
        """Records of an earlier run."""
        return self._kept.n_records

    @property
    def n_failed(self) -> int:
        """How many of them failed."""
        return self._kept.n_failed

    def _other_run(self, why: str) -> click.UsageError:
        return click.UsageError(f"{self._place}: can't be resumed, it is the file of another run: {why}")

    def remaining(self, items: Iterable[Any], name: Callable[[Any], Named]) -> Iterator[Any]:
        """Yield the items whose records are not there yet; raises click.UsageError for a file of another run.

        name: see Named. The first item comes once more: its answer is compared with the one in the file (`put` does
        that), which tells other options.
        """
        stream = iter(items)
        for number, whole in enumerate(self._store.wholes() if self.n_kept else (), start=1):
            item = next(stream, None)
            if item is None:
                raise self._other_run(f"the input ends before record {number}")
            named = name(item)
            if not named.is_of(whole):
                raise self._other_run(f"record {number} is not the input's")
            if number == 1 and self._repeatable and not named.failed:
                yield item
        yield from stream

    def put(self, number: int, data: dict[str, Any], rows: Iterable[Row]) -> None:
        """Write the record of an item; if the file has it, compare the two."""
        if number > self.n_kept:
            self._store.put(number, data, rows)
        elif self._store.answer(number, data, rows) != self._kept.first:
            raise self._other_run("record 1 has another answer there, to other options it seems")

    def fail(self, number: int, error: str, line: int) -> None:
        """Write the record of an item that failed."""
        if number > self.n_kept:
            self._store.put(number, {"error": error, "line": line}, [error_row(error)])

    def close(self, *, succeeded: bool) -> None:
        """Leave the file whole, if that is possible."""
        self._store.close(succeeded=succeeded)
