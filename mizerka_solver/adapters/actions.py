"""A deal driven by numbered actions and seen as numbers: what both training frameworks want of a game.

     0 … 51   a card, suits S H D C, two to ace: play it, or in the exchange mark it to be laid down
    52 … 57   name the contract S H D C N M
         58   lay down what is marked (nothing, at first) and draw

Cards are marked in rising order, so that each exchange has one way to be made.
"""

from __future__ import annotations

from collections.abc import Sequence

from mizerka_solver.game.cards import LANE_BITS, N_CARDS, N_RANKS, Card, Hand
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import Contract, Seat, Triple, points
from mizerka_solver.hidden.table import Table
from mizerka_solver.hidden.view import ALL_CONTRACTS, CONTRACT, EXCHANGE, PLAY
from mizerka_solver.support.errors import MizerkaError

NAME, DRAW = N_CARDS, N_CARDS + len(Contract)
N_ACTIONS = DRAW + 1
# One row a card for: hand, marked or laid down, played by F, M, R, in the current trick. Then phase (3), contract (6),
# seat (3), seat to act (3), leader (3), contracts left (6); counts by seat: exchanged (3), tricks won (3).
N_ROWS = 6
SHAPE = N_ROWS * N_CARDS + 3 + 6 + 3 + 3 + 3 + 6 + 3 + 3
MAX_COUNT = 13
# Three exchanges of up to 13 marks and a draw, 39 cards, a contract: nobody can lay down more than the talon has.
MAX_STEPS = 1 + MAX_COUNT + 3 + 3 * MAX_COUNT


def index_of(card: Card) -> int:
    """Return a card's number, 0 to 51.

    >>> index_of(Card("S2")), index_of(Card("CA"))
    (0, 51)
    """
    return card.bit // LANE_BITS * N_RANKS + card.bit % LANE_BITS


def card_of(index: int) -> Card:
    """Return the card of a number."""
    return Card.from_bit(index // N_RANKS * LANE_BITS + index % N_RANKS)


def action_text(action: int) -> str:
    """Return 'SA', 'name S' or 'draw'."""
    if action < NAME:
        return str(card_of(action))
    return "draw" if action == DRAW else f"name {Contract(action - NAME)}"


class ActionTable:
    """One deal; the arguments are those of `bots.view.Table`.

    >>> game = ActionTable(Deal.random(7), remaining=(Contract.N,))
    >>> for action in (DRAW, DRAW, DRAW, game.legal()[0]):
    ...     game.apply(action)
    >>> game.to_act, game.is_over, len(game.observation(Seat.M))
    (Seat.M, False, 342)
    """

    def __init__(self, deal: Deal, preview: Hand | None = None, remaining: Sequence[Contract] = ALL_CONTRACTS) -> None:
        self.table = Table(deal, preview, remaining)
        self._marked: list[Card] = []

    @property
    def to_act(self) -> Seat:
        """The seat that acts next."""
        return self.table.to_act

    @property
    def is_over(self) -> bool:
        """Whether all cards are played."""
        return self.table.is_over

    def marks(self, seat: Seat) -> list[str]:
        """Return the cards a seat has marked in its exchange so far: nobody else sees them."""
        return [str(card) for card in self._marked] if seat is self.to_act else []

    def legal(self) -> list[int]:
        """Return the actions there are, rising; none when all is over."""
        table = self.table
        if table.is_over:
            return []
        if table.phase == CONTRACT:
            return sorted(NAME + contract for contract in table.remaining)
        view = table.view()
        if table.phase == PLAY:
            return sorted(map(index_of, view.legal))
        last = index_of(self._marked[-1]) if self._marked else -1
        marks = [i for i in map(index_of, view.hand) if i > last] if len(self._marked) < view.talon else []
        return [*sorted(marks), DRAW]

    def apply(self, action: int) -> None:
        """Do an action; raises MizerkaError when it is not legal."""
        if action not in self.legal():
            text = action_text(action) if 0 <= action < N_ACTIONS else str(action)
            raise MizerkaError(f"not a legal action of {self.to_act} now", token=text)
        if action == DRAW:
            self.table.exchange(self._marked)
            self._marked = []
        elif action >= NAME:
            self.table.name(Contract(action - NAME))
        elif self.table.phase == EXCHANGE:
            self._marked.append(card_of(action))
        else:
            self.table.play(card_of(action))

    def returns(self) -> Triple:
        """Return the points of F, M, R; zeros before the end."""
        if not self.is_over or self.table.contract is None:
            return 0, 0, 0
        return points(self.table.contract, self.table.tricks_won)

    def observation(self, seat: Seat) -> list[int]:
        """Return what a seat sees as SHAPE numbers from 0 to 13, laid out as above."""
        table, view = self.table, self.table.view(seat)
        rows = [[0] * N_CARDS for _ in range(N_ROWS)]
        acts = not table.is_over and seat is table.to_act
        for row, cards in (
            (0, tuple(view.hand)),
            (1, tuple(self._marked) if acts and table.phase == EXCHANGE else view.discarded),
            (5, view.trick),
        ):
            for card in cards:
                rows[row][index_of(card)] = 1
        for player, card, _ in view.plays():
            rows[2 + player][index_of(card)] = 1
        numbers = [number for row in rows for number in row]
        numbers += [int(table.phase == phase) for phase in (CONTRACT, EXCHANGE, PLAY)]
        numbers += [int(view.contract is contract) for contract in Contract]
        for shown in (seat, table.to_act, view.leader):
            numbers += [int(shown is each) for each in Seat]
        numbers += [int(contract in view.remaining) for contract in Contract]
        numbers += [*view.exchanged, *[0] * (3 - len(view.exchanged)), *view.tricks_won]
        return numbers
