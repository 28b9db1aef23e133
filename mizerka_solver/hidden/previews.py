"""What forehand knows when it names a contract, read from whatever people have: six cards, a marked deal, JSON."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from functools import partial

from mizerka_solver.game.convert import ContractsLike, as_contracts, as_hand
from mizerka_solver.game.notation import read_block, read_each
from mizerka_solver.game.position import Position
from mizerka_solver.game.record_fields import strict_json
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import Seat
from mizerka_solver.hidden.view import CONTRACT, View, view_from_dict
from mizerka_solver.support.errors import MizerkaError, read_field

SHAPES = "six cards, a deal or record that marks them (P:), or JSON with the field hand"


def read_previews(
    lines: Iterable[str | bytes], source: str = "input", remaining: ContractsLike = None
) -> Iterator[tuple[int, View | MizerkaError]]:
    """Return an iterator of (line number, what forehand knows) of a file, one a line, and for a faulty line its error.

    remaining: the contracts left where a line does not say; all six if not given. Nothing is raised.

    >>> lines = ["AKQ9.A.-.4", "SA SK SQ S9 HA C4", '{"hand": "AKQ9.A.-.4", "remaining": "SN"}']
    >>> [(str(view.hand), len(view.remaining)) for _, view in read_previews(lines)]
    [('AKQ9.A.-.4', 6), ('AKQ9.A.-.4', 6), ('AKQ9.A.-.4', 2)]
    """
    return read_each(partial(read_preview, remaining=remaining), lines, source)


def read_preview(text: str, remaining: ContractsLike = None) -> View:
    """Return what forehand knows as one text says it; raises MizerkaError.

    >>> read_preview("F:A3... M:K4... R:Q5... T:HA")
    Traceback (most recent call last):
    mizerka_solver.support.errors.MizerkaError: the deal does not mark the cards that forehand saw, with P:
    """
    if text.startswith("{"):
        data = strict_json(text)
        if isinstance(data, dict) and "hand" in data:
            data = {name: data[name] for name in ("hand", "remaining", "variant") if name in data}
            if "remaining" not in data and remaining is not None:
                data["remaining"] = "".join(contract.name for contract in as_contracts(remaining))
            return view_from_dict(data | {"type": CONTRACT, "seat": "F"})
    elif ":" not in text and text.count(".") < 6:
        return View(CONTRACT, Seat.F, read_field("hand", as_hand, text), remaining)
    thing = read_block(text)
    if isinstance(thing, Position):
        raise MizerkaError(f"a position is past the naming; give {SHAPES}")
    deal = thing.marked_deal if isinstance(thing, GameRecord) else thing
    if deal.preview is None:
        raise MizerkaError("the deal does not mark the cards that forehand saw, with P:")
    return View(CONTRACT, Seat.F, deal.preview, remaining)
