"""Files that may be compressed, read as they go: gzip and Zstandard, told by their first bytes, whatever the name."""

from __future__ import annotations

import gzip
import io
import shutil
from collections.abc import Callable
from typing import Any, BinaryIO, cast

from mizerka_solver.support.errors import MizerkaError

GZIP = b"\x1f\x8b"
ZSTANDARD = b"\x28\xb5\x2f\xfd"
COPIED = 1 << 20  # bytes at a time
ZSTANDARD_PIECE = 1 << 10  # bytes decompressed at once; they may stand for ten thousand times as many


def decompressed(stream: BinaryIO, name: str) -> BinaryIO:
    """Return a buffered stream of what is in a file or pipe; raises MizerkaError where a library is missing.

    Reading it raises OSError for a file that is cut short or damaged.
    """
    buffered = stream if isinstance(stream, io.BufferedReader) else io.BufferedReader(cast(io.RawIOBase, stream))
    start = buffered.peek(len(ZSTANDARD))[: len(ZSTANDARD)]
    if start.startswith(GZIP):
        return cast(BinaryIO, io.BufferedReader(_Gzip(buffered, name)))
    if start == ZSTANDARD:
        try:
            zstandard = zstandard_of("reading")
        except MizerkaError as error:
            raise MizerkaError(f"is compressed: {error.rule}", where=name) from None
        return cast(BinaryIO, io.BufferedReader(_Zstandard(buffered, zstandard.ZstdDecompressor, name)))
    return cast(BinaryIO, buffered)


def compress(source: str, target: str, suffix: str) -> None:
    """Write a file as ".gz" or ".zst", the same bytes each time; raises OSError, MizerkaError without zstandard."""
    with open(source, "rb") as plain, open(target, "wb") as packed:
        if suffix == ".gz":
            with gzip.GzipFile("", "wb", fileobj=packed, mtime=0) as stream:
                shutil.copyfileobj(plain, stream, COPIED)
        else:
            zstandard_of("writing").ZstdCompressor(level=9).copy_stream(plain, packed)


def zstandard_of(work: str) -> Any:
    """Return the package zstandard; raises MizerkaError where it is missing."""
    try:
        import zstandard
    except ImportError:
        raise MizerkaError(f"{work} Zstandard needs the package zstandard (the extra zstd)") from None
    return zstandard


class _Decompressor(io.RawIOBase):
    """What is in a stream, piece by piece; a damaged one is an OSError that says so, whatever the library calls it."""

    def __init__(self, name: str) -> None:
        self._name = name

    def readable(self) -> bool:
        """Whether it can be read: always."""
        return True

    def readinto(self, buffer: object) -> int:
        """Fill a buffer as far as possible; 0 at the end."""
        room = memoryview(cast(bytearray, buffer))
        try:
            data = self._piece(len(room))
        except EOFError:
            raise OSError(0, "the compressed data end too early", self._name) from None
        except Exception as error:
            raise OSError(0, f"the compressed data are damaged: {error}", self._name) from None
        room[: len(data)] = data
        return len(data)

    def _piece(self, size: int) -> bytes:
        """Return up to `size` bytes, none at the end; raises EOFError where that comes too early."""
        raise NotImplementedError


class _Gzip(_Decompressor):
    """One or several members of gzip."""

    def __init__(self, raw: BinaryIO, name: str) -> None:
        super().__init__(name)
        self._file = gzip.GzipFile(fileobj=raw, mode="rb")

    def _piece(self, size: int) -> bytes:
        return self._file.read(size)


class _Zstandard(_Decompressor):
    """One or several frames of Zstandard, by the package's objects that know where a frame ends."""

    def __init__(self, raw: BinaryIO, make: Callable[[], Any], name: str) -> None:
        super().__init__(name)
        self._raw, self._make = raw, make
        self._frame: Any = None
        self._ready = b""

    def _piece(self, size: int) -> bytes:
        while not self._ready:
            data = self._raw.read(ZSTANDARD_PIECE)
            if not data:
                if self._frame is not None:
                    raise EOFError
                return b""
            while data:
                self._frame = self._frame or self._make().decompressobj()
                self._ready += self._frame.decompress(data)
                data = b""
                if self._frame.eof:
                    data, self._frame = self._frame.unused_data, None
        piece, self._ready = self._ready[:size], self._ready[size:]
        return piece
