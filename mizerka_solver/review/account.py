"""How a seat's points of a deal come about, term by term, so that they add up exactly.

All terms are changes of *par* (guaranteed points plus a third of what is undecided), because par is one scale for every
step of a deal, gives each step to one seat, and is the points themselves once nothing is undecided. With φ for par, c*
the contract with the most par for forehand and c the one named, the points of seat i are

    u_i =   φ_i(as dealt, c*)                                cards
          + φ_i(as dealt, c) − φ_i(as dealt, c*)             contract: own for forehand, never above 0
          + Σ over exchanges: φ_i(after) − φ_i(before)       exchange: own and others'
          + Σ over cards played: φ_i(after) − φ_i(before)    play: own, never above 0, and others'
          + u_i − φ_i(last position)                         forfeit (own, others') or claim

The sum telescopes. Par has thirds; everything is counted in thirds of a point, in whole numbers.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import NamedTuple

from mizerka_solver.game.rules import Seat, Triple

CONTRACT, EXCHANGE, PLAY, FORFEIT, CLAIM = "contract", "exchange", "play", "forfeit", "claim"


class Account(NamedTuple):
    """One seat's terms, in thirds of a point; their sum is three times its points.

    Of a deal that is neither finished nor claimed it is three times the par of the last position. Terms that begin
    with `others` are what the same steps of the two other seats did to this one.

    >>> sum(Account(cards=4, play=-2, others_play=1))
    3
    """

    cards: int = 0
    contract: int = 0
    others_contract: int = 0
    exchange: int = 0
    others_exchange: int = 0
    play: int = 0
    others_play: int = 0
    forfeit: int = 0
    others_forfeit: int = 0
    claim: int = 0


TERMS = Account._fields
OWN = (CONTRACT, EXCHANGE, PLAY, FORFEIT)
"""Terms a player answers for."""


class Step(NamedTuple):
    """A change of par of F, M, R in thirds: of which kind, and by whom (None: by nobody in particular)."""

    kind: str
    owner: Seat | None
    change: Triple


def accounts(start: Triple, steps: Iterable[Step]) -> tuple[Account, Account, Account]:
    """Return the accounts of F, M, R from par at the start, in thirds, and the steps that follow.

    >>> forehand, middlehand, _ = accounts((3, 0, -3), [Step(PLAY, Seat.F, (-2, 1, 1))])
    >>> forehand.play, middlehand.others_play, sum(forehand)
    (-2, 1, 1)
    """
    sums = [dict.fromkeys(TERMS, 0) | {"cards": start[seat]} for seat in Seat]
    for kind, owner, change in steps:
        for seat in Seat:
            name = kind if owner is None or owner is seat else f"others_{kind}"
            sums[seat][name] += change[seat]
    f, m, r = (Account(**terms) for terms in sums)
    return f, m, r
