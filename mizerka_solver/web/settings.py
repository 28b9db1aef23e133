"""What one server process may take and allow; every limit a visitor can meet stands here."""

from __future__ import annotations

import os
from base64 import urlsafe_b64decode
from collections.abc import Mapping
from dataclasses import dataclass, field

from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import MIN_MEMORY

KEY_VARIABLE = "MIZERKA_KEY"
LOOPBACK_NAMES = ("127.0.0.1", "localhost", "[::1]")


def processors() -> int:
    """Return how many processors this process may use."""
    return len(getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0))


def is_key(key: bytes) -> bool:
    """Whether games can be sealed with a key: looked at when the server starts, not at the first game.

    >>> is_key(b"A" * 43 + b"="), is_key(b"secret")
    (True, False)
    """
    try:
        return len(urlsafe_b64decode(key)) == 32
    except ValueError:
        return False


@dataclass(frozen=True)
class Settings:
    """Limits and permissions of a server.

    memory: bytes for all solvers together, a quarter for transposition tables, the rest for equilibria. solvers:
    searches at once. seconds: for one answer. queue: requests that may wait for a solver. per_client: requests of one
    address that may wait or run at once. max_body: bytes of a request; max_lines: lines of a text that is read. hosts:
    names the server answers to, without ports; "*" is any. programs: bots in other languages that visitors may play
    against, name → command. key: seals games in play; processes that share it share the games.
    """

    memory: int = 1 << 30
    solvers: int = field(default_factory=processors)
    seconds: float = 30.0
    queue: int = 256
    per_client: int = 16
    max_body: int = 256 << 10
    max_lines: int = 200
    hosts: tuple[str, ...] = LOOPBACK_NAMES
    programs: Mapping[str, str] = field(default_factory=dict)
    key: bytes | None = None

    def __post_init__(self) -> None:
        if not 1 <= self.solvers <= 256:
            raise MizerkaError("solvers must be between 1 and 256", token=str(self.solvers))
        if self.memory < 4 * self.solvers * MIN_MEMORY:
            rule = f"{self.solvers} solvers need {4 * self.solvers}M or more"
            raise MizerkaError(rule, field="memory", token=str(self.memory))
        if self.key is not None and not is_key(self.key):
            raise MizerkaError(
                "a key must be 32 bytes in base64, as Fernet.generate_key() makes it", field=KEY_VARIABLE
            )

    @property
    def search_memory(self) -> int:
        """Bytes for the transposition table of one solver."""
        return self.memory // (4 * self.solvers)

    @property
    def equilibria_memory(self) -> int:
        """Bytes for the equilibria that one solver keeps."""
        return self.memory // self.solvers - self.search_memory
