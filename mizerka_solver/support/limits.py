"""How much a search may take: memory as people write it, cards played, seconds."""

from __future__ import annotations

import time
from dataclasses import dataclass

from mizerka_solver.support.errors import MizerkaError

MIN_MEMORY = 1 << 20
MAX_MEMORY = 1 << 40


def parse_memory(memory: int | str) -> int:
    """Return a number of bytes from an int or a text such as "512M" or "1.5G" (K, M, G; at least 1 MiB).

    >>> parse_memory("256M")
    268435456
    """
    if isinstance(memory, str):
        text = memory.strip().upper().removesuffix("B").removesuffix("I")
        unit = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}.get(text[-1:], 0)
        try:
            n_bytes = float(text[:-1] if unit else text) * (unit or 1)
            memory = int(n_bytes)
        except (ValueError, OverflowError):
            raise MizerkaError("memory is a number of bytes, or one with K, M or G", token=str(memory)) from None
    if not MIN_MEMORY <= memory <= MAX_MEMORY:
        raise MizerkaError("memory lies between 1M and 1024G", token=str(memory))
    return memory


def memory_text(n_bytes: int) -> str:
    """Return a number of bytes as people write it.

    >>> memory_text(256 << 20), memory_text(3 << 29), memory_text(1_500_000)
    ('256M', '1.5G', '1.4M')
    """
    unit, name = (1 << 30, "G") if n_bytes >= 1 << 30 else (1 << 20, "M")
    return f"{n_bytes / unit:.1f}".removesuffix(".0") + name


@dataclass(frozen=True, slots=True)
class Limits:
    """Where a search gives up: cards played per value (0 = no limit), and a time.monotonic() deadline (0 = none)."""

    nodes: int = 0
    deadline: float = 0.0

    @classmethod
    def of(cls, node_limit: int | None, seconds: float | None) -> Limits:
        """Limits counted from now; raises MizerkaError for negative ones."""
        if (node_limit or 0) < 0 or (seconds or 0) < 0:
            raise MizerkaError("a limit is not negative", token=str(node_limit if (node_limit or 0) < 0 else seconds))
        return cls(node_limit or 0, time.monotonic() + seconds if seconds else 0.0)

    @property
    def seconds_left(self) -> float:
        """What the engine is told: at least a microsecond, as 0 means no limit."""
        return max(self.deadline - time.monotonic(), 1e-6) if self.deadline else 0.0
