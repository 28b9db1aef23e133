"""How much a search may take: memory as people write it, cards played, seconds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from mizerka_solver.support.arguments import seconds_or_none, whole_number
from mizerka_solver.support.errors import MizerkaError

MIN_MEMORY = 1 << 20
MAX_MEMORY = 1 << 40
MAX_NODES = (1 << 63) - 1  # the engine counts in 64 bits, and adds to what it counted before
MAX_THREADS = 1024


def parse_memory(memory: int | str) -> int:
    """Return a number of bytes from an int or a text such as "512M" or "1.5G" (K, M, G; 1M to 1024G).

    Raises MizerkaError, TypeError.

    >>> parse_memory("256M")
    268435456
    """
    token = memory
    if isinstance(memory, str):
        text = memory.strip().upper().removesuffix("B").removesuffix("I")
        unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:], 0)
        number = text[:-1] if unit else text
        try:
            if not number.isascii() or "_" in number:
                raise ValueError
            memory = int(float(number) * (unit or 1))
        except (ValueError, OverflowError):
            raise MizerkaError("memory must be a number of bytes, or a number with K, M or G", token=token) from None
    else:
        memory = whole_number(memory, "memory", -MAX_MEMORY)
    if not MIN_MEMORY <= memory <= MAX_MEMORY:
        raise MizerkaError("memory must be between 1M and 1024G", token=token)
    return memory


def memory_text(n_bytes: int) -> str:
    """Return a number of bytes as people write it.

    >>> memory_text(256 << 20), memory_text(3 << 29), memory_text(1_500_000)
    ('256M', '1.5G', '1.4M')
    """
    unit, name = (1 << 30, "G") if n_bytes >= 1 << 30 else (1 << 20, "M")
    return f"{n_bytes / unit:.1f}".removesuffix(".0") + name


def parse_threads(threads: Any) -> int:
    """Return a number of threads; raises MizerkaError, TypeError."""
    return whole_number(threads, "threads", 1, MAX_THREADS)


@dataclass(frozen=True, slots=True)
class Limits:
    """How much a question may cost; None is no limit. Raises MizerkaError, TypeError.

    node_limit: cards played for one value (each seat and contract), at least 1. seconds: for the whole call.

    >>> Limits(seconds=2)
    Limits(node_limit=None, seconds=2.0)
    """

    node_limit: int | None = None
    seconds: float | None = None

    def __post_init__(self) -> None:
        if self.node_limit is not None:
            object.__setattr__(self, "node_limit", whole_number(self.node_limit, "node_limit", 1, MAX_NODES))
        object.__setattr__(self, "seconds", seconds_or_none(self.seconds))
