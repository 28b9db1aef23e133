"""Hypothesis strategies for the package's values; they shrink to few cards, low cards and short play.

A failing test shows its values by repr, which is the text that can be pasted into `Position('…')` or a positions file.
"""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from mizerka_solver.cards import ALL, Card, Hand, Suit
from mizerka_solver.deal import Deal
from mizerka_solver.position import Position
from mizerka_solver.records import GameRecord
from mizerka_solver.rules import MIZERKA, Contract, Game, Seat, Triple, Variant, shuffled

PACK = ALL[::-1]  # low cards first: what Hypothesis shrinks to


def cards() -> st.SearchStrategy[Card]:
    """Any of the 52 cards."""
    return st.sampled_from(PACK)


def hands(min_size: int = 0, max_size: int = 17) -> st.SearchStrategy[Hand]:
    """Hands of any shape, voids and whole suits included."""
    return st.sets(cards(), min_size=min_size, max_size=max_size).map(Hand.from_cards)


def contracts() -> st.SearchStrategy[Contract]:
    """Any contract."""
    return st.sampled_from(Contract)


def seats() -> st.SearchStrategy[Seat]:
    """Any seat."""
    return st.sampled_from(Seat)


@st.composite
def packs(draw: st.DrawFn) -> list[Card]:
    """The pack in a random order, at times with suits kept together so that hands get voids and long suits."""
    pack = list(shuffled(draw(st.integers(0, 2**32 - 1), label="shuffle")))
    if draw(st.booleans(), label="long suits"):
        # Sorting by a suit order after a shuffle, then cutting: runs of one suit go to one hand.
        order = draw(st.permutations(range(4)), label="suits")
        mixed = draw(st.integers(0, 52), label="mixed")
        pack = sorted(pack[mixed:], key=lambda card: order[card.suit]) + pack[:mixed]
    return pack


@st.composite
def deals(draw: st.DrawFn, min_size: int = 1, max_size: int = 17, *, talon: bool = True) -> Deal:
    """Deals of any hand size, at times with voids and long suits, with none, some or all of the rest as talon."""
    n = draw(st.integers(min_size, max_size), label="hand size")
    pack = draw(packs())
    rest = pack[3 * n :]
    n_talon = draw(st.integers(0, len(rest)), label="talon") if talon else 0
    return Deal.from_hands([Hand.from_cards(pack[n * seat : n * seat + n]) for seat in Seat], rest[:n_talon])


@st.composite
def positions(draw: st.DrawFn, min_size: int = 1, max_size: int = 13, *, min_left: int = 0) -> Position:
    """Positions reached by legal play from a deal, in mid-trick too, with `min_left` tricks or more left."""
    deal = draw(deals(min_size, max_size, talon=False))
    position = deal.position(draw(contracts()), draw(seats()))
    most = 3 * (deal.hand_size - min_left) + (2 if min_left else 0)
    for card in draw(plays(position, most)):
        position = position.play(card)
    return position


@st.composite
def plays(draw: st.DrawFn, position: Position, max_cards: int = 52) -> tuple[Card, ...]:
    """Legal play from a position, up to `max_cards` cards."""
    n = draw(st.integers(0, max(0, max_cards)), label="cards played")
    choice = Random(draw(st.integers(0, 2**32 - 1), label="choice of cards"))
    played: list[Card] = []
    while len(played) < n and not position.is_over:
        played.append(choice.choice(position.legal_cards()))
        position = position.play(played[-1])
    return tuple(played)


@st.composite
def exchanges(draw: st.DrawFn, deal: Deal) -> tuple[tuple[Card, ...], ...]:
    """Legal discards of F, M, R."""
    left = len(deal.talon)
    result = []
    for hand in deal.hands:
        held = list(hand)
        n = draw(st.integers(0, min(left, len(held))), label="discards")
        result.append(tuple(draw(st.permutations(held), label="discarded")[:n]))
        left -= n
    return tuple(result)


def tricks(n: int = 13) -> st.SearchStrategy[Triple]:
    """Three counts that sum to `n`."""
    cuts = st.tuples(st.integers(0, n), st.integers(0, n)).map(sorted)
    return cuts.map(lambda cut: (cut[0], cut[1] - cut[0], n - cut[1]))


def names() -> st.SearchStrategy[str]:
    """Names of players, of any alphabet."""
    return st.text(st.characters(exclude_categories=["C", "Z"]), min_size=1, max_size=8)


def json_values() -> st.SearchStrategy[object]:
    """What an extra field of a record may hold."""
    text = st.text(st.characters(exclude_categories=["Cs"]), max_size=5)
    leaves = st.none() | st.booleans() | st.integers() | st.floats(allow_nan=False, allow_infinity=False) | text
    return st.recursive(leaves, lambda inner: st.lists(inner, max_size=3) | st.dictionaries(text, inner, max_size=3))


@st.composite
def records(draw: st.DrawFn, min_size: int = 1, max_size: int = 13) -> GameRecord:
    """Records of whole, unfinished and claimed deals, with and without exchange and id."""
    deal = draw(deals(min_size, max_size))
    exchange = draw(exchanges(deal))
    contract = draw(contracts())
    start = deal.after_exchange(dict(zip(Seat, exchange, strict=True))).position(contract)
    play = draw(plays(start))
    position = start
    for card in play:
        position = position.play(card)
    claimed = None
    if draw(st.booleans(), label="claimed"):
        rest = draw(tricks(deal.hand_size - sum(position.tricks_won)), label="claim")
        f, m, r = (won + more for won, more in zip(position.tricks_won, rest, strict=True))
        claimed = f, m, r
    players = draw(st.tuples(names(), names(), names()))
    ident = draw(st.none() | st.integers() | names(), label="id")
    f_out, m_out, r_out = exchange
    return GameRecord(players, deal, contract, (f_out, m_out, r_out), play, claimed, ident)


@st.composite
def games(draw: st.DrawFn, variant: Variant = MIZERKA) -> Game:
    """Games of three or four players, broken off anywhere."""
    players = ("A", "B", "G", "H")[: draw(st.integers(3, 4), label="players")]
    game = Game(players, draw(st.integers(0, len(players) - 1), label="first dealer"), variant)
    for _ in range(draw(st.integers(0, game.n_deals), label="deals")):
        contract = draw(st.sampled_from(game.remaining(game.seats[Seat.F])))
        game = game.record(contract, draw(tricks(variant.hand_size)))
    return game


def suits() -> st.SearchStrategy[Suit]:
    """Any suit."""
    return st.sampled_from(Suit)
