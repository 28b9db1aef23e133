"""A deal or position as it was understood, sound or not: hands, counts, and the odd cards by name."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass

from mizerka_solver.reading.deals import Understood, position_tail, read_deal
from mizerka_solver.reading.letters import RANK_LETTERS, Bits, card_text
from mizerka_solver.reading.pasted import unprinted

MAX_MISSING = 12
"""More cards than these are not missing: they are the talon that a deal may leave out."""


@dataclass(frozen=True)
class Explanation:
    """What was read, and what is odd about it.

    text: the standard spelling. counts: cards of F, M, R and the talon. twice: cards by name, with all who have them.
    missing: cards of the pack that nobody has, if they are few.
    """

    text: str
    counts: tuple[int, int, int, int]
    twice: tuple[str, ...]
    missing: tuple[str, ...]

    def __str__(self) -> str:
        parts = [f"read as {self.text}"]
        parts += [f"twice: {', '.join(self.twice)}"] if self.twice else []
        parts += [f"missing: {' '.join(self.missing)}"] if self.missing else []
        return "; ".join(parts)

    def lines(self) -> list[str]:
        """Return the same for people, one thing a line."""
        names = ("F", "M", "R", "talon")
        lines = [f"read as  {self.text}"]
        lines.append("cards    " + ", ".join(f"{name} {n}" for name, n in zip(names, self.counts, strict=True)))
        lines += [f"twice    {', '.join(self.twice)}"] if self.twice else []
        lines += [f"missing  {' '.join(self.missing)}"] if self.missing else []
        return lines

    def as_dict(self) -> dict[str, object]:
        """Return it for JSON."""
        counts = dict(zip(("F", "M", "R", "talon"), self.counts, strict=True))
        return {"text": self.text, "cards": counts, "twice": list(self.twice), "missing": list(self.missing)}


def explain(text: str) -> Explanation:
    """Return how the text of a deal or position is understood; raises InvalidDealError when it can't be read at all.

    >>> print(explain("F: ♠AK ♥3  M: ♠Q2 ♥A  R: ♥AK4"))
    read as F:AK.3.-.- M:Q2.A.-.- R:-.AK4.-.-; twice: HA (M, R)
    """
    hands, tail = position_tail(unprinted(text))
    understood = read_deal(hands)
    return explained(understood, " ".join(tail) if tail else "", playing=tail is not None)


def explained(understood: Understood, tail: str = "", *, playing: bool = False) -> Explanation:
    """Return what is odd about a deal as it was read; playing: of a position no card is missing."""
    piles: list[Bits] = [*understood.hands, understood.talon]
    holders: dict[int, list[str]] = {}
    for name, bits in zip(("F", "M", "R", "talon"), piles, strict=True):
        for bit in bits:
            holders.setdefault(bit, []).append(name)
    twice = tuple(f"{card_text(bit)} ({_names(names)})" for bit, names in holders.items() if len(names) > 1)
    pack = [16 * suit + rank for suit in range(4) for rank in reversed(range(len(RANK_LETTERS)))]
    missing = [bit for bit in pack if bit not in holders]
    named = () if playing or len(missing) > MAX_MISSING else tuple(map(card_text, missing))
    f, m, r, talon = map(len, piles)
    return Explanation(f"{understood} {tail}".strip(), (f, m, r, talon), twice, named)


def _names(names: Iterable[str]) -> str:
    return ", ".join(name if n == 1 else f"{name} {n} times" for name, n in Counter(names).items())
