"""Seats and contracts: their letters, names and signs, and the one conversion from what users give.

Below rules.py, which says what they mean, so that the rules can take them as text too.
"""

from __future__ import annotations

from enum import IntEnum
from operator import index
from typing import TypeVar

from mizerka_solver.game.cards import LetterEnum, Suit
from mizerka_solver.support.errors import InvalidContractError, MizerkaError, text_of

Letter = TypeVar("Letter", bound=IntEnum)


class Seat(LetterEnum):
    """Forehand F, middlehand M and rearhand R = 0, 1, 2, in the order they play.

    >>> Seat.R.next, Seat["M"], f"{Seat.F}"
    (Seat.F, Seat.M, 'F')
    """

    F = 0
    M = 1
    R = 2

    @property
    def next(self) -> Seat:
        """The seat that plays after this one."""
        return SEATS[(self + 1) % 3]

    @property
    def long_name(self) -> str:
        """'forehand', 'middlehand' or 'rearhand'."""
        return ("forehand", "middlehand", "rearhand")[self]

    @classmethod
    def parse(cls, text: str) -> Seat:
        """Return the seat written F, M or R or by its name, in any case; raises MizerkaError."""
        key = text.casefold()
        for seat in cls:
            if key in (seat.name.casefold(), seat.long_name):
                return seat
        raise MizerkaError("not a seat, seats are F M R", token=text)


SEATS = tuple(Seat)
"""F, M and R: a seat by its number, several times as quick as calling the class."""


class Contract(LetterEnum):
    """What a deal is played for: S H D C trump, N no trump, M mizerka = 0 to 5.

    >>> Contract.H.trump, Contract.N.trump, Contract.M.is_mizerka, Contract.parse("mizerka")
    (Suit.H, None, True, Contract.M)
    """

    S = 0
    H = 1
    D = 2
    C = 3
    N = 4
    M = 5

    @property
    def trump(self) -> Suit | None:
        """The trump suit; None in no trump and mizerka."""
        return _TRUMPS[self]

    @property
    def is_mizerka(self) -> bool:
        """Whether every trick costs a point instead of earning one."""
        return self is Contract.M

    @property
    def symbol(self) -> str:
        """♠ ♥ ♦ ♣ NT or MIZ."""
        return ("♠", "♥", "♦", "♣", "NT", "MIZ")[self]

    @property
    def long_name(self) -> str:
        """spades, hearts, diamonds, clubs, no trump or mizerka."""
        return ("spades", "hearts", "diamonds", "clubs", "no trump", "mizerka")[self]

    @classmethod
    def parse(cls, text: str) -> Contract:
        """Return the contract given by letter, sign or English name, in any case; raises InvalidContractError."""
        key = text.casefold().replace("-", " ")
        for contract in cls:
            if key in (contract.name.casefold(), contract.symbol.casefold(), contract.long_name, _SHORT.get(contract)):
                return contract
        raise InvalidContractError("not a contract, contracts are S H D C N M", token=text)


_TRUMPS: tuple[Suit | None, ...] = (*Suit, None, None)
_SHORT = {Contract.N: "notrump"}


# From what users give

SeatLike = Seat | str | int
ContractLike = Contract | str | int


def as_seat(seat: SeatLike) -> Seat:
    """Return a seat given as one, as text (a letter or a name) or as 0, 1, 2; raises MizerkaError, TypeError.

    >>> as_seat("m"), as_seat("rearhand"), as_seat(0)
    (Seat.M, Seat.R, Seat.F)
    """
    if isinstance(seat, Seat):
        return seat
    if isinstance(seat, str):
        return Seat.parse(seat)
    return _numbered(Seat, seat, MizerkaError("not a seat, seats are F M R", token=text_of(seat)))


def as_contract(contract: ContractLike) -> Contract:
    """Return a contract given as one, as text or as 0 to 5; raises InvalidContractError, TypeError.

    >>> as_contract("no trump"), as_contract("♠"), as_contract(5)
    (Contract.N, Contract.S, Contract.M)
    """
    if isinstance(contract, Contract):
        return contract
    if isinstance(contract, str):
        return Contract.parse(contract)
    rule = "not a contract, contracts are S H D C N M"
    return _numbered(Contract, contract, InvalidContractError(rule, token=text_of(contract)))


def _numbered(kind: type[Letter], number: object, error: MizerkaError) -> Letter:
    """Return a member of an enumeration by its number, of whatever integer type; True and 1.0 are none."""
    if isinstance(number, bool):
        raise error
    try:
        return kind(index(number))  # type: ignore[arg-type]
    except TypeError:
        raise TypeError(f"a {kind.__name__.lower()} is text or a number, not {type(number).__name__}") from None
    except ValueError:
        raise error from None
