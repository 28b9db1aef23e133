"""The contract by what forehand could know: what each promised, by the six cards it saw before naming.

With open cards every deal has a contract that turns out best; nobody at a table can name it every time. What could be
known is what the cards seen promise on average, and what a contract named now costs in later deals:

    total(c) = expected par of c, by the cards seen + V(what is left to name after c)

The expectation is the fitted weights' (policy/quick.py), which takes no time, or the mean over sampled worlds
(hidden/contracts.py). The cost of a choice is how far its total is below the highest.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from mizerka_solver.game.cards import Hand
from mizerka_solver.game.convert import as_hand
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Contract, Variant

DECIMALS = 3


@dataclass(frozen=True, slots=True)
class KnownContract:
    """What each contract promised forehand, in points now and later, by the cards it saw. samples: 0 by the weights."""

    preview: Hand
    named: Contract
    totals: Mapping[Contract, float]
    samples: int = 0

    @property
    def best(self) -> Contract:
        """The contract that promised most; the one named among equals."""
        return max(self.totals, key=lambda contract: (self.totals[contract], contract is self.named))

    @property
    def cost(self) -> float:
        """Points that the contract named promised less than the best, at least 0."""
        return round(self.totals[self.best] - self.totals[self.named], DECIMALS) + 0.0

    def as_dict(self) -> dict[str, Any]:
        """Return the fields of the JSON output."""
        totals = {contract.name: round(total, DECIMALS) + 0.0 for contract, total in self.totals.items()}
        fields = {"preview": str(self.preview), "best": self.best.name, "cost": self.cost}
        return {**fields, "samples": self.samples, "totals": totals}


def known_contract(
    record: GameRecord, allowed: Sequence[Contract], samples: int = 0, variant: Variant = MIZERKA
) -> KnownContract | None:
    """Return what could be known of the contracts allowed; None where the record does not tell the cards seen.

    samples: worlds drawn, a search of a whole deal in each contract for each; 0: by the fitted weights, for Mizerka's
    own targets.
    """
    seen = getattr(record, "preview", None)
    if not seen:
        return None
    preview = as_hand(seen)
    if len(preview) != variant.preview_size or record.deal.hand_size != variant.hand_size:
        return None
    if samples:
        from mizerka_solver.hidden.contracts import forecast_contracts
        from mizerka_solver.hidden.samples import Sampling

        report = forecast_contracts(preview, allowed, Sampling(samples), variant)
        return KnownContract(
            preview, record.contract, {each.contract: each.total for each in report.forecasts}, report.samples
        )
    if variant != MIZERKA:
        return None
    from mizerka_solver.policy.quick import contract_values, price_after

    worth = contract_values(preview)
    totals = {contract: worth[contract] + price_after(contract, allowed) for contract in allowed}
    return KnownContract(preview, record.contract, totals)
