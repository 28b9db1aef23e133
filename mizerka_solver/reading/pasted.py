"""The hands of a table that `mizerka` printed, turned back into the text of a deal or position.

    Deal, F leads                                  Position in spades, tricks won 4-4-3, M to play
      F forehand    ♠ J63   ♥ A7653 …                F forehand    ♠ A   ♥ -   ♦ - ♣ -
      …                                              …
      T talon       ♣Q ♣7 ♠9 …                       trick, F led  ♠2

Only what the table says beyond the hands is read here: whose lead it is, contract, trick and tricks won. The hands are
for reading.py. A title may have a label before it, 'deals.txt:3: Deal, F leads'.
"""

from __future__ import annotations

from mizerka_solver.support.errors import InvalidDealError

_CONTRACTS = {"spades": "S", "hearts": "H", "diamonds": "D", "clubs": "C", "no trump": "N", "mizerka": "M"}
_DEAL, _POSITION, _TRICK = "Deal, ", "Position in ", "trick, "


def title_in(line: str) -> str:
    """Return the title of a printed table without its label, or ''.

    >>> title_in("deals.txt:3: Deal, F leads"), title_in("F:A...")
    ('Deal, F leads', '')
    """
    title = line.strip().rpartition(": ")[2]
    if title.startswith(_DEAL) and title.endswith(" leads"):
        return title
    return title if title.startswith(_POSITION) and ", tricks won " in title else ""


def is_trick_line(line: str) -> bool:
    """Whether a line of a table is the one with the current trick."""
    return line.strip().startswith(_TRICK)


def unprinted(text: str) -> str:
    """Return the text of a deal or position for a printed table, up to its blank line; any other text as it is.

    Raises InvalidDealError for a deal that another seat than F leads to: a deal's text can't say so.
    """
    lines = text.strip().splitlines()
    title = title_in(lines[0]) if lines else ""
    if not title:
        return text
    hands: list[str] = []
    trick, leader = "-", ""
    for line in lines[1:]:
        if not line.strip():
            break
        if is_trick_line(line):
            seat, _, cards = line.strip().removeprefix(_TRICK).partition(" led")
            trick, leader = ",".join(cards.split()), seat
        else:
            hands.append(line)
    if title.startswith(_DEAL):
        if title != "Deal, F leads":
            raise InvalidDealError("F leads in a deal; leave the title out and use --leader", token=title)
        return "\n".join(hands)
    contract, _, rest = title.removeprefix(_POSITION).partition(", tricks won ")
    won, _, mover = rest.partition(", ")
    leader = leader or mover.removesuffix(" to play")
    return "\n".join(hands) + f" {_CONTRACTS.get(contract, '?')} {leader or '?'} {trick} {won}"
