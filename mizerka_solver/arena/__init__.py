"""Matches of three bots: seatings and seeds, playing and forfeits, whether a program keeps the protocol."""

from __future__ import annotations

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
