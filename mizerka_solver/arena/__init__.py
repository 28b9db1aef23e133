"""Matches of three bots: seatings and seeds, playing and forfeits, whether a program keeps the protocol."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mizerka_solver.support.lazy import on_first_use

if TYPE_CHECKING:
    from mizerka_solver.arena.match import Match, SeatedBoard, replay
    from mizerka_solver.arena.play import Played, Results, play_match
    from mizerka_solver.arena.protocol import check_program

__all__ = [
    "Match",
    "Played",
    "Results",
    "SeatedBoard",
    "check_program",
    "play_match",
    "replay",
]

HOMES = {
    "arena.match": "Match SeatedBoard replay",
    "arena.play": "Played Results play_match",
    "arena.protocol": "check_program",
}
__getattr__ = on_first_use(__name__, HOMES)
