"""What Hypothesis calls when it is imported (entry point group `hypothesis`): `st.from_type(Deal)` then works.

Each type gets a function rather than a strategy, so that nothing is built before it is asked for.
"""

from __future__ import annotations

from typing import Any


def register() -> None:
    """Register a strategy for each of the package's types; enums (Suit, Seat, Contract) Hypothesis knows by itself."""
    from hypothesis import strategies as st

    from mizerka_solver.game.cards import Card, Hand
    from mizerka_solver.game.deal import Deal
    from mizerka_solver.game.position import Position
    from mizerka_solver.game.records import GameRecord
    from mizerka_solver.game.rules import Game

    makers: dict[type, str] = {
        Card: "cards",
        Hand: "hands",
        Deal: "deals",
        Position: "positions",
        GameRecord: "records",
        Game: "games",
    }

    def maker(name: str) -> Any:
        def resolve(_: type) -> st.SearchStrategy[Any]:
            from mizerka_solver import testing

            strategy: st.SearchStrategy[Any] = getattr(testing, name)()
            return strategy

        return resolve

    for kind, name in makers.items():
        st.register_type_strategy(kind, maker(name))
