"""Hypothesis strategies for the package's values, for tests of programs that handle them.

Every failing example shrinks to a value whose text is short and easy to read, in one direction throughout:

    fewer cards -> lower cards -> spades before hearts, diamonds, clubs;    F before M before R;    S H D C N M;
    nothing exchanged, nothing played, no talon, the lowest legal card;     three players, A deals first, fewer deals

so `deals()` shrinks to `F:2.-.-.- M:3.-.-.- R:4.-.-.-`. Values are shown by `repr`, which can be pasted into a test. An
argument that asks for what can't be raises MizerkaError when the strategy is made, not when it is drawn from.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import TypeVar

from hypothesis import Phase, find, settings
from hypothesis import strategies as st

from mizerka_solver.game.cards import ALL, N_CARDS, Card, Hand, Suit
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.position import Position
from mizerka_solver.game.record_fields import Discards
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MAX_HAND_SIZE, Contract, Seat, Triple
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.testing.arguments import instance, one_of, spread, whole
from mizerka_solver.testing.shapes import Lengths, Shape, seat_shapes

LOW_FIRST = tuple(sorted(ALL))
Exchanges = tuple[Discards, Discards, Discards]
Value = TypeVar("Value")
Shapes = Mapping[Seat, str] | Mapping[str, str] | None


def smallest(strategy: st.SearchStrategy[Value], condition: Callable[[Value], object] = lambda value: True) -> Value:
    """Return what a failing test with this strategy would show: its smallest value that meets a condition.

    Raises hypothesis.errors.NoSuchExample when none was found.

    >>> smallest(hands(), lambda hand: hand.suit_length(Suit.H) > 1)
    Hand('-.32.-.-')
    """
    quick = settings(database=None, derandomize=True, deadline=None, phases=(Phase.generate, Phase.shrink))
    return find(strategy, lambda value: bool(condition(value)), settings=quick)


def cards() -> st.SearchStrategy[Card]:
    """Any of the 52 cards; shrinks to low spades, S2 in the end."""
    return st.sampled_from(LOW_FIRST)


def suits() -> st.SearchStrategy[Suit]:
    """Any suit; shrinks towards spades."""
    return st.sampled_from(Suit)


def seats() -> st.SearchStrategy[Seat]:
    """Any seat; shrinks towards forehand."""
    return st.sampled_from(Seat)


def contracts() -> st.SearchStrategy[Contract]:
    """Any contract; shrinks along S H D C N M to S."""
    return st.sampled_from(Contract)


def hands(min_size: int = 0, max_size: int = MAX_HAND_SIZE, *, shape: str = "x.x.x.x") -> st.SearchStrategy[Hand]:
    """Hands of `min_size` to `max_size` cards and a shape (see `shapes`); shrinks to few and low cards.

    `shape` gives the length of each suit S.H.D.C: 5 exactly, 6+ at least, 2-4 between, 0 void, x any.

    >>> smallest(hands(3, shape="x.2+.0.x"))
    Hand('2.32.-.-')
    """
    lengths = Shape.parse(shape)
    spread("hand size", min_size, max_size, 0, N_CARDS)
    if not any(lengths.fits(size) for size in range(min_size, max_size + 1)):
        raise MizerkaError(f"no hand of {min_size} to {max_size} cards has this shape", token=shape)
    return _hands(lengths, min_size, max_size)


@st.composite
def _hands(draw: st.DrawFn, shape: Shape, min_size: int, max_size: int) -> Hand:
    n = draw(st.sampled_from([size for size in range(min_size, max_size + 1) if shape.fits(size)]), label="size")
    held: list[Card] = []
    for suit in Suit:
        later = shape.ranges[suit + 1 :]
        low, high = shape.ranges[suit]
        # Later suits must be able to take the rest, and must get their least number.
        low = max(low, n - len(held) - sum(most for _, most in later))
        high = min(high, n - len(held) - sum(least for least, _ in later))
        # Counted down, so that shrinking fills spades first.
        length = high - draw(st.integers(0, high - low), label="length")
        held += _picked(draw, [card for card in LOW_FIRST if card.suit is suit], length)
    return Hand.from_cards(held)


def _picked(draw: st.DrawFn, pack: Sequence[Card], n: int) -> list[Card]:
    """Draw `n` of a pack one after the other; shrinks to the first ones, in order."""
    left = list(pack)
    return [left.pop(draw(st.integers(0, len(left) - 1))) for _ in range(n)]


def deals(
    min_size: int = 1, max_size: int = MAX_HAND_SIZE, *, talon: bool | int = True, shapes: Shapes = None
) -> st.SearchStrategy[Deal]:
    """Deals with `min_size` to `max_size` cards a hand; shrinks to few and low cards, spades, and no talon.

    `talon` is its size, which limits that of the hands, True for any or False for none. Without `shapes` hands of any
    shape come up, voids and long suits more often than a shuffle gives them; `shapes` sets the suit lengths of seats,
    as in {"F": "7+.x.x.x", "M": "0.x.x.x"} (see `hands`).

    >>> smallest(deals(talon=2))
    Deal('F:2.-.-.- M:3.-.-.- R:4.-.-.- T:S5S6')
    >>> smallest(deals(3, 5, talon=False, shapes={"M": "0.2+.x.x"}))
    Deal('F:432.-.-.- M:-.432.-.- R:765.-.-.-')
    >>> deals(4, 4, shapes={"F": "5.x.x.x"})
    Traceback (most recent call last):
    mizerka_solver.support.errors.MizerkaError: F=5.x.x.x: no deal of 4 to 4 cards a hand has these shapes
    """
    spread("hand size", min_size, max_size, 1, MAX_HAND_SIZE)
    n_talon = None
    if talon is not True:
        n_talon = whole("talon", 0 if talon is False else talon, 0, N_CARDS - 3 * min_size)
        max_size = min(max_size, (N_CARDS - n_talon) // 3)
    lengths = seat_shapes(shapes)
    if not shapes:
        return _deals(min_size, max_size, n_talon)
    sizes = [size for size in range(min_size, max_size + 1) if Lengths(lengths, size).is_possible()]
    if not sizes:
        asked = ",".join(f"{seat}={text}" for seat, text in shapes.items())
        raise MizerkaError(f"no deal of {min_size} to {max_size} cards a hand has these shapes", token=asked)
    return _shaped_deals(lengths, sizes, n_talon)


@st.composite
def _deals(draw: st.DrawFn, min_size: int, max_size: int, n_talon: int | None) -> Deal:
    # A hand of one to three suits as long as they last: voids and long suits.
    wanted = [draw(st.sampled_from(_SUIT_SETS)) if draw(st.booleans()) else 0b1111 for _ in Seat]
    # A list rather than a number first: Hypothesis can then take out a round, and the other cards stay what they are.
    rounds = draw(st.lists(st.tuples(cards(), cards(), cards()), min_size=min_size, max_size=max_size))
    left = list(LOW_FIRST)
    held: list[list[Card]] = [[], [], []]
    for wishes in rounds:
        for seat in Seat:
            pool = [card for card in left if wanted[seat] >> card.suit & 1] or left
            held[seat].append(_taken(pool, wishes[seat]))
            left.remove(held[seat][-1])
    return Deal.from_hands([Hand.from_cards(cards) for cards in held], _talon(draw, left, n_talon))


def _taken(pool: Sequence[Card], wish: Card) -> Card:
    """Return the wished card, or the next higher one there is, after the last one the first."""
    return next((card for card in pool if card >= wish), pool[0])


# Two suits at a time before one alone: short, and F keeps spades while it shrinks.
_SUIT_SETS = (0b0111, 0b0011, 0b0001, 0b1110, 0b1101, 0b1011, 0b0110, 0b1100, 0b1001, 0b1010, 0b0101, 2, 4, 8)


@st.composite
def _shaped_deals(draw: st.DrawFn, shapes: tuple[Shape, Shape, Shape], sizes: list[int], n_talon: int | None) -> Deal:
    lengths = Lengths(shapes, draw(st.sampled_from(sizes), label="hand size"))
    left = list(LOW_FIRST)
    dealt = []
    for seat in Seat:
        held: list[Card] = []
        for suit in Suit:
            choices = lengths.choices(seat, suit)[::-1]
            length = draw(st.sampled_from(choices), label="length")
            lengths.fix(seat, suit, length)
            held += _picked(draw, [card for card in left if card.suit is suit], length)
        left = [card for card in left if card not in held]
        dealt.append(Hand.from_cards(held))
    return Deal.from_hands(dealt, _talon(draw, left, n_talon))


def _talon(draw: st.DrawFn, left: list[Card], n_talon: int | None) -> list[Card]:
    least, most = (0, len(left)) if n_talon is None else (n_talon, n_talon)
    talon = []
    for wish in draw(st.lists(cards(), min_size=least, max_size=most)):
        talon.append(_taken(left, wish))
        left.remove(talon[-1])
    return talon


def exchanges(deal: Deal) -> st.SearchStrategy[Exchanges]:
    """Legal discards of F, M, R for a deal; shrinks to nobody discarding, then to few and low cards."""
    return _exchanges(instance("deal", deal, Deal))


@st.composite
def _exchanges(draw: st.DrawFn, deal: Deal) -> Exchanges:
    left = len(deal.talon)
    result: list[Discards] = []
    for hand in deal.hands:
        n = draw(st.integers(0, min(left, len(hand))), label="discards")
        result.append(tuple(_picked(draw, sorted(hand), n)))
        left -= n
    f, m, r = result
    return f, m, r


def plays(position: Position, max_cards: int = N_CARDS) -> st.SearchStrategy[tuple[Card, ...]]:
    """Legal play from a position, up to `max_cards` cards; shrinks to none, then to the lowest legal cards."""
    return _plays(instance("position", position, Position), whole("max_cards", max_cards, 0))


@st.composite
def _plays(draw: st.DrawFn, position: Position, max_cards: int) -> tuple[Card, ...]:
    n = draw(st.integers(0, min(max_cards, sum(map(len, position.hands)))), label="cards played")
    return _played(draw, position, n)


def _played(draw: st.DrawFn, position: Position, n: int) -> tuple[Card, ...]:
    played = []
    for _ in range(n):
        legal = sorted(position.legal_cards())
        played.append(legal[draw(st.integers(0, len(legal) - 1)) if len(legal) > 1 else 0])
        position = position.play(played[-1])
    return tuple(played)


def positions(
    min_size: int = 1, max_size: int = 13, *, min_left: int = 0, mid_trick: bool | None = None, shapes: Shapes = None
) -> st.SearchStrategy[Position]:
    """Positions reached by legal play from hands of `min_size` to `max_size` cards; shrinks to few cards, none played.

    At least `min_left` tricks are left. `mid_trick` True gives only positions with one or two cards on the table, False
    none. Any contract and any first leader. `shapes` are those of the hands before play, see `deals`.

    >>> smallest(positions(min_left=1, mid_trick=True))
    Position('F:-.-.-.- M:3.-.-.- R:4.-.-.- S F S2 0-0-0')
    """
    spread("hand size", min_size, max_size, 1, MAX_HAND_SIZE)
    whole("min_left", min_left, 0, max_size)
    one_of("mid_trick", mid_trick, (True, False, None))
    sizes = max(min_size, min_left), max_size
    return _positions(deals(*sizes, talon=False, shapes=shapes), max(min_left, bool(mid_trick)), mid_trick)


@st.composite
def _positions(draw: st.DrawFn, some_deals: st.SearchStrategy[Deal], min_left: int, mid_trick: bool | None) -> Position:
    deal = draw(some_deals)
    position = deal.position(draw(contracts()), draw(seats()))
    on_table = {None: (0, 1, 2), True: (1, 2), False: (0,)}[mid_trick]
    # With n tricks left n - 1 are untouched; of the last one two cards may lie on the table.
    counts = [n for n in range(3 * (deal.hand_size - min_left) + 3 * bool(min_left) + 1) if n % 3 in on_table]
    if min_left:
        counts = [n for n in counts if n < 3 * (deal.hand_size - min_left + 1)]
    for card in _played(draw, position, draw(st.sampled_from(counts), label="cards played")):
        position = position.play(card)
    return position


def tricks(n: int = 13) -> st.SearchStrategy[Triple]:
    """Trick counts of F, M, R that sum to `n`; shrinks towards all for rearhand."""
    whole("tricks", n, 0)
    cuts = st.tuples(st.integers(0, n), st.integers(0, n)).map(sorted)
    return cuts.map(lambda cut: (cut[0], cut[1] - cut[0], n - cut[1]))


def names() -> st.SearchStrategy[str]:
    """Names of players in any alphabet, printable and without blanks; shrinks to '0'."""
    return st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)


def records(
    min_size: int = 1, max_size: int = 13, *, finished: bool | None = None, exchange: bool = True
) -> st.SearchStrategy[GameRecord]:
    """Records of one deal each; shrinks to one low card a hand, nothing exchanged or played, players named '0'.

    `finished` True gives deals played to the end, False deals broken off and not claimed, None both and claimed ones
    too. With `exchange` False nobody discards.

    >>> smallest(records(finished=True)).to_json()[-87:]
    '"exchange":{"F":[],"M":[],"R":[]},"play":["S2","S3","S4"],"tricks":{"F":0,"M":0,"R":1}}'
    """
    spread("hand size", min_size, max_size, 1, MAX_HAND_SIZE)
    one_of("finished", finished, (True, False, None))
    one_of("exchange", exchange, (True, False))
    return _records(deals(min_size, max_size), finished, exchange)


@st.composite
def _records(
    draw: st.DrawFn, some_deals: st.SearchStrategy[Deal], finished: bool | None, exchanging: bool
) -> GameRecord:
    deal = draw(some_deals)
    exchange: Exchanges = draw(exchanges(deal)) if exchanging else ((), (), ())
    contract = draw(contracts())
    players = draw(st.tuples(names(), names(), names()))
    ident = draw(st.none() | st.integers() | names(), label="id")
    claiming = finished is None and draw(st.booleans(), label="claimed")
    start = deal.after_exchange(dict(zip(Seat, exchange, strict=True))).position(contract)
    n_cards = 3 * deal.hand_size
    play = _played(draw, start, n_cards) if finished else draw(plays(start, n_cards - (finished is False)))
    claimed = None
    if claiming:
        position = start
        for card in play:
            position = position.play(card)
        rest = draw(tricks(deal.hand_size - sum(position.tricks_won)), label="claim")
        f, m, r = (won + more for won, more in zip(position.tricks_won, rest, strict=True))
        claimed = f, m, r
    return GameRecord(players, deal, contract, exchange, play, claimed, ident)
