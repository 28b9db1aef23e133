from collections.abc import Sequence

class SearchStopped(Exception):
    reason: str
    def __init__(self, reason: str) -> None: ...

class Engine:
    flags: int
    memory: int
    def __init__(self, memory: int = ..., flags: int = ...) -> None: ...
    def clear(self) -> None: ...
    def cancel(self) -> None: ...
    def set_weights(self, kind: int, weights: Sequence[int]) -> None: ...
    def weights(self, kind: int) -> list[int]: ...
    @property
    def stats(self) -> dict[str, int]: ...
    def solve(
        self,
        hands: Sequence[int],
        trick: Sequence[int],
        leader: int,
        contract: int,
        seat: int,
        lower: int = 0,
        upper: int | None = None,
        guess: int | None = None,
        node_limit: int = 0,
        seconds: float = 0.0,
    ) -> tuple[int, int, int]: ...

FLAGS: dict[str, int]
ALL_FLAGS: int

def build() -> str: ...
def cpu_is_v3() -> bool: ...
