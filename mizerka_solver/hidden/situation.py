"""What a player knows who is to exchange, and what contracts forehand may name: the questions put to sampling."""

from __future__ import annotations

from dataclasses import dataclass
from operator import index

from mizerka_solver.game.cards import Hand
from mizerka_solver.game.convert import ContractsLike, as_contract, as_contracts, as_hand, as_seat
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, Variant
from mizerka_solver.support.errors import IllegalExchangeError, InvalidHandError, MizerkaError


@dataclass(frozen=True, slots=True)
class Situation:
    """What a player knows who is to exchange.

    hand: the player's cards before the exchange. exchanged: how many cards each earlier seat exchanged, nothing for F,
    one number for M, two for R. named_from: the contracts forehand could have named; if given, only worlds count in
    which the quick policy names `contract` from forehand's first cards, else naming tells nothing. Raises
    InvalidHandError, IllegalExchangeError, MizerkaError.

    >>> Situation(Hand("AKT973.A4.52.Q63"), Contract.S, Seat.M, (5,)).n_available
    8
    """

    hand: Hand
    contract: Contract
    seat: Seat = Seat.F
    exchanged: tuple[int, ...] = ()
    named_from: tuple[Contract, ...] = ()
    variant: Variant = MIZERKA

    def __post_init__(self) -> None:
        read: dict[str, object] = {"hand": as_hand(self.hand), "seat": as_seat(self.seat)}
        read |= {"contract": as_contract(self.contract), "named_from": as_contracts(self.named_from)}
        read |= {"exchanged": tuple(map(index, self.exchanged))}
        for name, value in read.items():  # text is taken too
            object.__setattr__(self, name, value)
        size = self.variant.hand_size
        if len(self.hand) != size:
            raise InvalidHandError(f"a hand has {size} cards, here {len(self.hand)}", token=str(self.hand))
        if len(self.exchanged) != self.seat:
            given = ",".join(map(str, self.exchanged)) or "nothing"
            rule = (
                f"{self.seat} knows how many cards were exchanged before: numbers for {'F M'[: 2 * self.seat - 1]}"
                if self.seat
                else "nobody exchanges before F"
            )
            raise IllegalExchangeError(rule, token=given)
        left = self.variant.talon_size
        for seat, n in zip(Seat, self.exchanged, strict=False):
            if not 0 <= n <= min(left, size):
                raise IllegalExchangeError(f"{seat} could exchange 0 to {min(left, size)} cards", token=str(n))
            left -= n
        if self.named_from and self.contract not in self.named_from:
            raise MizerkaError("forehand named it, so it must have been left to name", token=str(self.contract))

    @property
    def n_available(self) -> int:
        """Cards left in the talon for the player."""
        return self.variant.talon_size - sum(self.exchanged)

    @property
    def conditioned(self) -> bool:
        """Do only worlds count in which forehand would have named the contract? A sole one is named with any cards."""
        return self.seat is not Seat.F and len(self.named_from) > 1


def check_contracts(contracts: ContractsLike) -> tuple[Contract, ...]:
    """Return the contracts in order, each once; raises MizerkaError when there is none."""
    found = as_contracts(contracts)
    if not found:
        raise MizerkaError("no contract is left to name", field="remaining")
    return tuple(sorted(found))
