"""What a view knows, as the playing core wants it."""

from __future__ import annotations

from mizerka_solver.core import Question
from mizerka_solver.hidden.view import View
from mizerka_solver.policy.compiled import policies
from mizerka_solver.support.errors import MizerkaError


def question(view: View) -> Question:
    """Return the knowledge of a view's seat; raises MizerkaError when no hidden cards agree with it."""
    own = view.hand.mask, sum(card.mask for card in view.discarded)
    contract = -1 if view.contract is None else int(view.contract)
    played = [card.bit for card in view.play]
    try:
        return Question(policies(), int(view.seat), contract, own, view.exchanged, view.talon, played)
    except ValueError as error:
        raise MizerkaError(str(error)) from None
