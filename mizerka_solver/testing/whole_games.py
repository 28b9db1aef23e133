"""Strategies for whole games: score sheets, and the records of all 18 deals; see strategies.py for the direction."""

from __future__ import annotations

from random import Random

from hypothesis import strategies as st

from mizerka_solver.game.deal import Deal
from mizerka_solver.game.records import GameRecord
from mizerka_solver.game.rules import MIZERKA, Game, Seat, Variant
from mizerka_solver.testing.arguments import instance, one_of, whole
from mizerka_solver.testing.strategies import Exchanges, tricks

PLAYERS = ("A", "B", "G", "H")


def games(
    variant: Variant = MIZERKA, *, players: int | None = None, n_deals: int | None = None
) -> st.SearchStrategy[Game]:
    """Score sheets of `players` 3 or 4 (None: both), broken off anywhere or after `n_deals`.

    Shrinks to three players, A dealing first, few deals, spades, all tricks for rearhand.

    >>> from mizerka_solver.testing import smallest
    >>> smallest(games(n_deals=1)).sheet[0][1:5]
    ('A', ('B', 'G', 'A'), Contract.S, (0, 0, 13))
    """
    instance("variant", variant, Variant)
    one_of("players", players, (3, 4, None))
    if n_deals is not None:
        whole("n_deals", n_deals, 0, 6 * (players or 3))
    return _games(variant, players, n_deals)


@st.composite
def _games(draw: st.DrawFn, variant: Variant, n_players: int | None, n_deals: int | None) -> Game:
    n_players = n_players or draw(st.integers(3, 4), label="players")
    game = Game(PLAYERS[:n_players], draw(st.integers(0, n_players - 1), label="first dealer"), variant)
    for _ in range(draw(st.integers(0, game.n_deals), label="deals") if n_deals is None else n_deals):
        contract = draw(st.sampled_from(game.remaining(game.seats[Seat.F])))
        game = game.record(contract, draw(tricks(variant.hand_size)))
    return game


def game_records(
    variant: Variant = MIZERKA, *, players: int = 3, n_deals: int | None = None
) -> st.SearchStrategy[list[GameRecord]]:
    """The records of a game in order, every deal played to its end: 18 deals, 24 with four players, or `n_deals`.

    Shrinks to spades being named and to deals without exchange. Cards come from one seed a deal (18 deals have some
    1,600 cards to choose, more than Hypothesis keeps track of), which shrinks to 0: the cards themselves do not.

    >>> from mizerka_solver.testing import smallest
    >>> [str(record.contract) for record in smallest(game_records(n_deals=4))]
    ['S', 'S', 'S', 'H']
    """
    instance("variant", variant, Variant)
    game = Game(PLAYERS[: one_of("players", players, (3, 4))], 0, variant)
    return _game_records(game, game.n_deals if n_deals is None else whole("n_deals", n_deals, 1, game.n_deals))


@st.composite
def _game_records(draw: st.DrawFn, game: Game, n_deals: int) -> list[GameRecord]:
    played = []
    for number in range(1, n_deals + 1):
        seats = game.seats
        contract = draw(st.sampled_from(game.remaining(seats[Seat.F])), label="contract")
        choice = Random(draw(st.integers(0, 2**32 - 1), label="seed"))
        deal = Deal.random(choice, game.variant)
        exchange = random_exchange(choice, deal) if draw(st.booleans(), label="exchange") else ((), (), ())
        position = deal.after_exchange(dict(zip(Seat, exchange, strict=True))).position(contract)
        play = []
        while not position.is_over:
            play.append(choice.choice(position.legal_cards()))
            position = position.play(play[-1])
        played.append(GameRecord(seats, deal, contract, exchange, tuple(play), id=number))
        game = game.record(contract, position.tricks_won)
    return played


def random_exchange(choice: Random, deal: Deal) -> Exchanges:
    """Return legal discards of F, M, R drawn by a generator."""
    left, found = len(deal.talon), []
    for hand in deal.hands:
        n = choice.randint(0, min(left, len(hand)))
        found.append(tuple(choice.sample(list(hand), n)))
        left -= n
    f, m, r = found
    return f, m, r
