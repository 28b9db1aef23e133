"""What can be asked about one seat's exchange with open cards, checked. discards.py has the answers."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from mizerka_solver.core import Engine, exchange_search
from mizerka_solver.game.cards import Card
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import Contract, Seat, Variant
from mizerka_solver.support.errors import MizerkaError

if TYPE_CHECKING:
    from mizerka_solver.core import ExchangeSearch


@dataclass(frozen=True, slots=True)
class ExchangeQuery:
    """Whose exchange in what, the exchanges of earlier seats made; the rest as `Solver.exchange` has it."""

    deal: Deal
    contract: Contract
    seat: Seat
    others: str
    made: tuple[Card, ...] | None
    top: int
    ties: bool
    variant: Variant

    @classmethod
    def of(
        cls,
        deal: Deal,
        contract: Contract,
        seat: Seat,
        others: str,
        exchanges: Mapping[Seat, Sequence[Card]],
        made: Sequence[Card] | None,
        top: int,
        ties: bool,
        variant: Variant,
    ) -> ExchangeQuery:
        """Return the question as `Solver.exchange` is asked it; raises MizerkaError."""
        if others not in ("stand", "reply"):
            raise MizerkaError('others is "stand" or "reply"', token=others)
        if late := [other for other in exchanges if other >= seat]:
            raise MizerkaError(f"exchanges are those of seats before {seat}", token=str(late[0]))
        if top < 0:
            raise MizerkaError("top is 0 or more", token=str(top))
        deal = deal.after_exchange(exchanges)
        if made is not None:
            deal.after_exchange({seat: made})  # raises where it is not allowed
            made = tuple(made)
        return cls(deal, contract, seat, others, made, top, ties, variant)

    @property
    def reply(self) -> bool:
        """Are there later seats, and may they reply?"""
        return self.others == "reply" and self.seat is not Seat.R

    def search(self, engine: Engine) -> ExchangeSearch:
        """Return the engine's search for this question."""
        talon = [card.bit for card in self.deal.talon]
        return exchange_search(engine, self.deal.masks, talon, int(self.contract), int(self.seat), self.reply)
