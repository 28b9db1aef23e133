from collections.abc import Sequence
from typing import Any

N_TRUSTS: int
CARDS: int
EXCHANGES: int
CONTRACTS: int

class Policies:
    def __init__(self, kept: Any, drawn: Any) -> None: ...
    def card(self, hand: int, contract: int, trick: Sequence[int], unseen: int) -> int: ...
    def discards(self, hand: int, contract: int, seat: int, most: int, exactly: int = ...) -> int: ...
    def exchanges(self, hand: int, contract: int, seat: int, most: int) -> list[int]: ...
    def play_out(
        self,
        hands: Sequence[int],
        discards: Sequence[int],
        contract: int,
        leader: int,
        trick: Sequence[int],
        seen: int,
    ) -> tuple[int, int, int]: ...
    def play_deal(self, hands: Sequence[int], talon: Sequence[int], contract: int) -> tuple[int, int, int]: ...

class Question:
    policies: Policies
    size: int
    talon: int
    def __init__(
        self,
        policies: Policies,
        seat: int,
        contract: int,
        own: tuple[int, int],
        exchanged: Sequence[int],
        talon: int,
        played: Sequence[int],
    ) -> None: ...
    @property
    def ways(self) -> int: ...
    @property
    def tricks_won(self) -> tuple[int, int, int]: ...
    def infer(
        self,
        exchange_floor: int,
        log_hit: Sequence[Sequence[int]] = ...,
        log_miss: Sequence[Sequence[int]] = ...,
    ) -> None: ...

class Race:
    question: Question
    choices: list[int]
    def __init__(
        self,
        question: Question,
        kind: int,
        choices: Sequence[int],
        later: Sequence[int],
        targets: Sequence[int],
        chain: tuple[int, int, int],
        seed: int,
        max_worlds: int,
    ) -> None: ...
    def run(self, n: int) -> int: ...
    def drop_behind(self, errors_tenths: int) -> int: ...
    def keep(self, n: int) -> None: ...
    @property
    def n_active(self) -> int: ...
    @property
    def n_worlds(self) -> int: ...
    @property
    def n_played(self) -> int: ...
    @property
    def leader(self) -> int: ...
    def is_active(self, i: int) -> bool: ...
    def values(self, i: int) -> list[int]: ...
    def difference(self, i: int, j: int) -> tuple[int, int, int]: ...
    def held(self) -> list[list[int]]: ...
    def trusts(self) -> tuple[int, int]: ...
    def draw(self) -> tuple[tuple[int, int, int], tuple[int, int, int], int]: ...
