"""What a bot is, and the two simplest: one that plays at random, and one that plays by rules of thumb."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Protocol, TypeVar

from mizerka_solver.game.cards import Card
from mizerka_solver.game.rules import Contract, Seat, Triple
from mizerka_solver.hidden.view import View
from mizerka_solver.policy.play import choose
from mizerka_solver.policy.quick import choose_contract, choose_discards

Item = TypeVar("Item")


class Bot(Protocol):
    """A player. It gets what its seat may see (`View`) and answers; the rest of the deal it can't reach.

    A bot may keep what it likes between calls. `new_deal` comes first in each deal: with the same seed and the same
    views a bot should answer the same, so that games can be repeated.
    """

    def new_deal(self, seed: int) -> None:
        """Prepare for a deal; `seed` is for all that is random in it."""
        ...

    def name_contract(self, view: View) -> Contract:
        """Name one of `view.remaining` from the cards seen so far."""
        ...

    def exchange(self, view: View) -> Sequence[Card]:
        """Return the cards to lay down, at most `view.talon`."""
        ...

    def play(self, view: View) -> Card:
        """Return one of `view.legal`."""
        ...

    def deal_over(self, seat: Seat, tricks: Triple) -> None:
        """Hear how the deal ended."""
        ...

    def close(self) -> None:
        """Give back what the bot holds, such as processes."""
        ...


class BaseBot:
    """What most bots need not say: nothing to hear, nothing to give back."""

    def __init__(self) -> None:
        self.random = Random(0)

    def new_deal(self, seed: int) -> None:
        """Seed `self.random`."""
        self.random = Random(seed)

    def deal_over(self, seat: Seat, tricks: Triple) -> None:
        """Do nothing."""

    def close(self) -> None:
        """Do nothing."""


class RandomBot(BaseBot):
    """Any contract, any number of cards exchanged, any legal card: the bottom of every scale."""

    def name_contract(self, view: View) -> Contract:
        """Return any contract left."""
        return self._any(view.remaining)

    def exchange(self, view: View) -> Sequence[Card]:
        """Return any number of any cards."""
        cards = list(view.hand)
        n = int(self.random.random() * (min(view.talon, len(cards)) + 1))
        return [cards.pop(int(self.random.random() * len(cards))) for _ in range(n)]

    def play(self, view: View) -> Card:
        """Return any legal card."""
        return self._any(view.legal)

    def _any(self, items: Sequence[Item]) -> Item:
        # Only random() is promised to be the same in every version of Python.
        return items[int(self.random.random() * len(items))]


class RuleBot(BaseBot):
    """Contract and exchange by the fitted policy, cards by rules of thumb (heuristics.py). Nothing is random."""

    def new_deal(self, seed: int) -> None:
        """Do nothing: seeding a generator takes as long as playing a card."""

    def name_contract(self, view: View) -> Contract:
        """Return what the policy names."""
        return choose_contract(view.hand, view.remaining)

    def exchange(self, view: View) -> Sequence[Card]:
        """Return what the policy lays down."""
        assert view.contract is not None
        return choose_discards(view.hand, view.contract, view.seat, view.talon)

    def play(self, view: View) -> Card:
        """Return the card of the rules of thumb."""
        assert view.contract is not None
        trick = [card.bit for card in view.trick]
        return Card.from_bit(choose(view.hand.mask, view.contract, trick, view.unseen_mask))
