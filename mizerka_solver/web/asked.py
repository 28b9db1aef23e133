"""What may be asked: one class for the body of each request, read and checked by msgspec, described by it in OpenAPI.

Cards, hands, deals and seats stay text here; the library's own readers say what is wrong with them.
"""

from __future__ import annotations

from typing import Annotated, Literal

import msgspec
from msgspec import Meta

from mizerka_solver.reading.deals import MAX_TEXT

# Small ones, which take no time: examples in the document, and asked by those who try it out.
DEAL = "F:AK2.-.-.- M:QJ3.-.-.- R:-.AK4.-.- T:S9HQD2"
POSITION = "F:A.-.-.- M:K.-.-.- R:Q.-.-.- N R - 5-4-3"
RECORD = (
    '{"format":"mizerka-game/1","players":{"F":"a","M":"b","R":"c"},"deal":"F:A2.-.-.- M:K3.-.-.- R:Q4.-.-.-",'
    '"contract":"N","exchange":{"F":[],"M":[],"R":[]},"play":["SA","SK","SQ","S2"]}'
)

SeatName = Literal["F", "M", "R"]
ContractName = Literal["S", "H", "D", "C", "N", "M"]
DealText = Annotated[str, Meta(max_length=MAX_TEXT, description="A deal.", examples=[DEAL])]
Subject = Annotated[str, Meta(max_length=MAX_TEXT, description="A deal or position.", examples=[DEAL, POSITION])]
TrickCount = Annotated[int, Meta(ge=0, le=17)]
CardName = Annotated[str, Meta(max_length=4, description="A card such as SA, HT, ♠10.", examples=["SA"])]
Cards = Annotated[list[CardName], Meta(max_length=17)]
BotName = Annotated[str, Meta(max_length=80, description="As in the arena.", examples=["rule"])]
Adviser = Annotated[
    Literal["search", "sampling"], Meta(description="The bot that is asked; as --bot of `mizerka advise`.")
]
Token = Annotated[str, Meta(max_length=20_000, description="A game in play, sealed by the server.")]


class Asked(msgspec.Struct, forbid_unknown_fields=True):
    """A request's body."""


class Text(Asked):
    """Text to read: deals, positions and records, one a line, in any form the command reads."""

    text: Annotated[str, Meta(max_length=200_000, examples=[f"{DEAL}\n{POSITION}\n{RECORD}"])]


class Solve(Asked):
    """A deal or position to solve; as the options of `mizerka solve`.

    payoff: tricks of an equilibrium for which a line of play is wanted; implies equilibria.
    """

    subject: Subject
    contracts: Annotated[str, Meta(max_length=60, description="For a deal; all six if empty.", examples=["SN"])] = ""
    leader: SeatName = "F"
    cards: bool = False
    equilibria: bool = False
    lines: Annotated[list[SeatName], Meta(max_length=3)] = []
    payoff: tuple[TrickCount, TrickCount, TrickCount] | None = None


class Exchange(Asked):
    """A seat's exchange with open cards; as the options of `mizerka exchange`.

    exchanges: those of earlier seats. made: one to value beside the best.
    """

    deal: DealText
    contract: ContractName
    seat: SeatName = "F"
    others: Literal["stand", "reply"] = "stand"
    exchanges: dict[SeatName, Cards] = {}
    made: Cards | None = None
    top: Annotated[int, Meta(ge=1, le=50)] = 10
    ties: bool = True


class Review(Asked):
    """A record to judge; as the options of `mizerka analyse`.

    known: also what each card cost by what its player could see, over so many `worlds`, by the search bot.
    """

    record: Annotated[str, Meta(max_length=20_000, description="One line of JSON.", examples=[RECORD])]
    contracts: bool = False
    exchanges: bool = False
    best_exchanges: bool = False
    equilibria: bool = False
    known: bool = False
    worlds: Annotated[int, Meta(ge=1, le=1000)] = 200


class Advise(Asked):
    """A decision of a record, after `at` cards, by what its player could see."""

    record: Annotated[str, Meta(max_length=20_000, description="One line of JSON.", examples=[RECORD])]
    at: Annotated[int, Meta(ge=0, le=51)] = 0
    bot: Adviser = "search"
    samples: Annotated[int, Meta(ge=1, le=1000)] = 100


class NewGame(Asked):
    """A game against bots: one deal in a seat, or the whole game of 18; `bots` play for the two others, in turn."""

    bots: tuple[BotName, BotName]
    mode: Literal["deal", "game"] = "deal"
    seat: SeatName = "F"
    seed: Annotated[int, Meta(ge=0, le=(1 << 53) - 1)] | None = None
    name: Annotated[str, Meta(min_length=1, max_length=40)] = "you"


class Move(Asked):
    """One decision in a game: a contract, a discard or a card, whichever is due; or on to the next deal."""

    token: Token
    contract: ContractName | None = None
    discard: Cards | None = None
    card: CardName | None = None
    next_deal: bool = False


class Hint(Asked):
    """What a bot would do now in your place."""

    token: Token
    bot: Adviser = "search"
    samples: Annotated[int, Meta(ge=1, le=1000)] = 100
