"""The learned bot: contract and exchange by the fitted policy, cards by small nets that learned from the search.

It answers in less than a tenth of a millisecond and draws nothing at random. The nets are those that the search bot's
playouts use (tools/learn_policy.py); what they look at stands in cext/playing_learned.pxd.
"""

from __future__ import annotations

from mizerka_solver.bots.base import RuleBot
from mizerka_solver.bots.questions import question
from mizerka_solver.game.cards import Card
from mizerka_solver.hidden.view import View


class LearnedBot(RuleBot):
    """Plays the card its nets think most of; names and exchanges as the rule bot does."""

    def play(self, view: View) -> Card:
        """Return the card of the nets."""
        legal = view.legal
        return legal[0] if len(legal) == 1 else Card.from_bit(question(view).net_card())
