"""NumPy and Parquet files of a batch: whole at the end, written in parts, each renamed when it is whole.

    deals.parquet.parts/000000001.parquet      records from 1 on, until the next
                        000000683.parquet
    deals.parquet                              all of them, when the batch is done; then the parts are gone

Parts are cut by size and by time, so that little is lost when the process is killed; the file is cut by rows alone, so
its bytes do not tell how often that happened. A part is a file of its own that any reader can look into meanwhile.
"""

from __future__ import annotations

import os
import shutil
import struct
import time
import zipfile
import zlib
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import suppress
from tokenize import TokenError
from typing import Any, Protocol

from mizerka_solver.batches.schema import VERSION, Row, Schema
from mizerka_solver.batches.text import WORK, NoRecordError, WholeRecord
from mizerka_solver.support.errors import MizerkaError

PART_ROWS = 20_000
PART_SECONDS = 10.0
GROUP_ROWS = 60_000  # of the finished Parquet file: ten thousand deals in six contracts
Cells = tuple[Any, ...]
# What libraries raise for it: numpy reads a header as Python.
DAMAGED = (
    ValueError,
    LookupError,
    ArithmeticError,
    MemoryError,
    TypeError,
    AttributeError,
    RuntimeError,
    SyntaxError,
    TokenError,
    EOFError,
    zipfile.BadZipFile,
    zlib.error,
    struct.error,
)
"""What the libraries raise, with OSError, for files with wrong bytes in them."""


class Codec(Protocol):
    """How rows become a file."""

    suffix: str

    def write(self, path: str, rows: Sequence[Cells]) -> None:
        """Write rows as a file of their own."""

    def read(self, path: str, names: Sequence[str]) -> Iterator[Cells]:
        """Yield these columns of a file, row by row; raises NoRecordError for one of another schema."""

    def join(self, path: str, parts: Sequence[str]) -> None:
        """Write the rows of all parts as one file, whose bytes depend on the rows only."""


class Parquet:
    """Parquet by pyarrow, with the schema's version in the file's metadata."""

    suffix = ".parquet"

    def __init__(self, schema: Schema) -> None:
        try:
            import pyarrow as pa
            import pyarrow.parquet

            pa.array([0])  # which imports pandas where there is one
        except ImportError:
            rule = "needs pyarrow, which is not installed (pip install 'mizerka-solver[parquet]')"
            raise MizerkaError(rule, token=".parquet") from None
        self._schema = schema

    def _arrow(self) -> Any:
        import pyarrow as pa

        made = {
            "int8": pa.int8(),
            "int64": pa.int64(),
            "float64": pa.float64(),
            "bool": pa.bool_(),
            "string": pa.string(),
        }
        fields = [pa.field(column.name, made[column.type]) for column in self._schema.columns]
        return pa.schema(fields, {"schema": VERSION, "kind": self._schema.kind})

    def write(self, path: str, rows: Sequence[Cells]) -> None:
        """Write a file of one row group."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        arrow = self._arrow()
        columns = zip(*rows, strict=True)
        arrays = [pa.array(column, field.type) for column, field in zip(columns, arrow, strict=True)]
        pq.write_table(pa.Table.from_arrays(arrays, schema=arrow), path)

    def read(self, path: str, names: Sequence[str]) -> Iterator[Cells]:
        """Yield rows, a row group at a time."""
        import pyarrow.parquet as pq

        try:
            with pq.ParquetFile(path) as file:
                if not file.schema_arrow.equals(self._arrow(), check_metadata=True):
                    raise NoRecordError
                for batch in file.iter_batches(columns=list(names)):
                    yield from zip(*(batch.column(name).to_pylist() for name in names), strict=True)
        except (OSError, *DAMAGED):
            raise NoRecordError from None

    def join(self, path: str, parts: Sequence[str]) -> None:
        """Write all parts, in row groups of the same size."""
        import pyarrow as pa
        import pyarrow.parquet as pq

        with pq.ParquetWriter(path, self._arrow()) as writer:
            rest = self._arrow().empty_table()
            for part in parts:
                rest = pa.concat_tables([rest, pq.read_table(part, partitioning=None)])
                while len(rest) >= GROUP_ROWS:
                    writer.write_table(rest.slice(0, GROUP_ROWS).combine_chunks())
                    rest = rest.slice(GROUP_ROWS)
            if len(rest):
                writer.write_table(rest.combine_chunks())


class Numpy:
    """A .npz of NumPy: one array a column, and `schema`. Null is the lowest whole number, NaN, False or ""."""

    suffix = ".npz"

    def __init__(self, schema: Schema) -> None:
        self._schema = schema
        self._mark = f"{VERSION} {schema.kind}"

    def _null(self, kind: str) -> Any:
        import numpy as np

        if kind.startswith("int"):
            return np.iinfo(kind).min
        return {"float64": np.nan, "bool": False, "string": ""}[kind]

    def write(self, path: str, rows: Sequence[Cells]) -> None:
        """Write a file of one array a column."""
        import numpy as np

        arrays: dict[str, Any] = {"schema": np.array(self._mark)}
        for column, cells in zip(self._schema.columns, zip(*rows, strict=True), strict=True):
            null = self._null(column.type)
            kind = None if column.type == "string" else column.type
            arrays[column.name] = np.array([null if cell is None else cell for cell in cells], dtype=kind)
        with open(path, "wb") as file:
            np.savez_compressed(file, **arrays)

    def read(self, path: str, names: Sequence[str]) -> Iterator[Cells]:
        """Yield rows."""
        import numpy as np

        try:
            with np.load(path, allow_pickle=False) as file:
                if file.files[1:] != list(self._schema.names) or str(file["schema"]) != self._mark:
                    raise NoRecordError
                columns = [file[name].tolist() for name in names]
        except (OSError, *DAMAGED):
            raise NoRecordError from None
        kinds = {column.name: self._null(column.type) for column in self._schema.columns if column.type != "bool"}
        for cells in zip(*columns, strict=True):
            pairs = zip(names, cells, strict=True)
            yield tuple(None if cell != cell or cell == kinds.get(name) else cell for name, cell in pairs)

    def join(self, path: str, parts: Sequence[str]) -> None:
        """Write all parts, a column at a time and of that a part at a time."""
        import numpy as np

        with zipfile.ZipFile(path, "w") as target:
            for name in ("schema", *self._schema.names):
                kept = parts[:1] if name == "schema" else parts
                kind, n_rows = self._extent(kept, name)
                entry = zipfile.ZipInfo(f"{name}.npy")  # whose date is always the same
                entry.compress_type = zipfile.ZIP_DEFLATED
                with target.open(entry, "w", force_zip64=True) as file:
                    shape = () if name == "schema" else (n_rows,)
                    header = {"descr": np.lib.format.dtype_to_descr(kind), "fortran_order": False, "shape": shape}
                    np.lib.format.write_array_header_1_0(file, header)
                    for part in kept:
                        file.write(self._column(part, name).astype(kind).tobytes())

    def _extent(self, parts: Sequence[str], name: str) -> tuple[Any, int]:
        """Return the type that holds a column of all parts, and the number of rows."""
        import numpy as np

        kind, n_rows = None, 0
        for part in parts:
            column = self._column(part, name)
            kind = column.dtype if kind is None else np.promote_types(kind, column.dtype)
            n_rows += column.size
        return kind, n_rows

    @staticmethod
    def _column(path: str, name: str) -> Any:
        import numpy as np

        with np.load(path, allow_pickle=False) as file:
            return file[name]


class Parts:
    """The parts of one file, in a folder beside it that takes its name."""

    def __init__(self, path: str, codec: Codec, schema: Schema, *, resume: bool) -> None:
        self._path, self._codec, self._schema, self._resume = path, codec, schema, resume
        self.folder = f"{path}.parts"
        self._pending: list[Cells] = []
        self._since = time.monotonic()

    @property
    def exists(self) -> bool:
        """Whether there is a folder of parts, of this run or another."""
        return os.path.isdir(self.folder)

    def _files(self) -> list[str]:
        """The parts that are whole; what a finished file has counts as one."""
        if self.exists:
            names = sorted(name for name in os.listdir(self.folder) if name.endswith(self._codec.suffix))
            return [os.path.join(self.folder, name) for name in names if name[0] != "."]
        is_there = self._resume and os.path.isfile(self._path) and os.path.getsize(self._path)
        return [self._path] if is_there else []

    def wholes(self) -> Iterator[WholeRecord]:
        """Yield the records that are written; only the first one has its answer with it. Raises NoRecordError."""
        wanted = ("record", self._schema.subject, "error")
        last = 0
        for path in self._files():
            for number, subject, error in self._codec.read(path, wanted):
                if number == last:
                    continue
                if number != last + 1:
                    raise NoRecordError
                last = number
                yield WholeRecord(subject, error, self._first(path) if number == 1 else None, 0)

    def _first(self, path: str) -> list[Cells]:
        names = [name for name in self._schema.names if name != WORK]
        found = []
        for cells in self._codec.read(path, names):
            if cells[0] != 1:
                break
            found.append(cells)
        return found

    def answer(self, number: int, data: Mapping[str, Any], rows: Iterable[Row]) -> Any:
        """Return what `wholes` has as the answer of this record."""
        at = self._schema.names.index(WORK) if WORK in self._schema.names else len(self._schema.names)
        cells = [self._schema.cells(number, row) for row in rows]
        return [row[:at] + row[at + 1 :] for row in cells]

    def add(self, number: int, rows: Iterable[Row]) -> None:
        """Take a record; now and then write a part."""
        if not self._pending and self._files() == [self._path]:  # a finished file that there is more for
            os.makedirs(self.folder)
            os.rename(self._path, os.path.join(self.folder, f"{1:09}{self._codec.suffix}"))
        self._pending += [self._schema.cells(number, row) for row in rows]
        if len(self._pending) >= PART_ROWS or time.monotonic() - self._since >= PART_SECONDS:
            self.flush()

    def flush(self) -> None:
        """Write what was taken as a part; raises OSError, and then nothing of it is there."""
        if not self._pending:
            return
        os.makedirs(self.folder, exist_ok=True)
        name = f"{self._pending[0][0]:09}{self._codec.suffix}"
        beside = os.path.join(self.folder, f".{name}")
        try:
            self._codec.write(beside, self._pending)
            os.replace(beside, os.path.join(self.folder, name))
        except BaseException:
            with suppress(OSError):
                os.unlink(beside)
            with suppress(OSError):
                os.rmdir(self.folder)  # if it is empty
            raise
        self._pending, self._since = [], time.monotonic()

    def finish(self, save: Callable[[Callable[[str], object]], object]) -> None:
        """Make the file of all parts; save: has a function write to a path, and gives what it wrote its name."""
        self.flush()
        if not self.exists:
            return
        parts = self._files()
        try:
            save(lambda path: self._codec.join(path, parts))
        except DAMAGED as error:
            raise MizerkaError(f"has a part that is damaged ({error})", token=self.folder) from None
        shutil.rmtree(self.folder, ignore_errors=True)
