"""Mizerka itself: cards, the rules (stated once), deals, positions, records, their text, counts of play sequences."""

from __future__ import annotations

from typing import TYPE_CHECKING

from mizerka_solver.support.lazy import on_first_use

if TYPE_CHECKING:
    from mizerka_solver.game.cards import Card, Hand, Suit
    from mizerka_solver.game.deal import Deal, SeededDeal, deal_seeded
    from mizerka_solver.game.notation import read_lines
    from mizerka_solver.game.position import Position, equivalent_cards
    from mizerka_solver.game.records import GameRecord, read_records, score_sheet
    from mizerka_solver.game.rules import (
        MIZERKA,
        Contract,
        Game,
        Seat,
        SheetRow,
        Triple,
        Variant,
        legal_cards,
        points,
        seat_points,
        trick_winner,
    )

__all__ = [
    "MIZERKA",
    "Card",
    "Contract",
    "Deal",
    "Game",
    "GameRecord",
    "Hand",
    "Position",
    "Seat",
    "SeededDeal",
    "SheetRow",
    "Suit",
    "Triple",
    "Variant",
    "deal_seeded",
    "equivalent_cards",
    "legal_cards",
    "points",
    "read_lines",
    "read_records",
    "score_sheet",
    "seat_points",
    "trick_winner",
]

HOMES = {
    "game.cards": "Card Hand Suit",
    "game.deal": "Deal SeededDeal deal_seeded",
    "game.notation": "read_lines",
    "game.position": "Position equivalent_cards",
    "game.records": "GameRecord read_records score_sheet",
    "game.rules": "MIZERKA Contract Game Seat SheetRow Triple Variant legal_cards points seat_points trick_winner",
}
__getattr__ = on_first_use(__name__, HOMES)
