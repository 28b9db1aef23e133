"""Games against bots. The server keeps none: all there is to know of one is in its token, which nobody else can open.

A token is the state as JSON, encrypted and signed (Fernet). Processes that share a key can take each other's moves. A
visitor sees what a seat may see, the `View` that bots get, and the record when the deal is over.

    you:  a token and a decision  →  the table, rebuilt and checked step by step  →  bots act until it is your turn
"""

from __future__ import annotations

import hmac
from collections.abc import Mapping
from random import Random, SystemRandom
from typing import Any

import msgspec

from mizerka_solver.bots import Bot, BotFailure, Sampler, SamplingBot, Table, make_bot
from mizerka_solver.double_dummy.solver import SearchStopped, Solver
from mizerka_solver.game.convert import as_card, as_cards
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.game.rules import Contract, Game, Seat, by_seat
from mizerka_solver.hidden.view import CONTRACT, EXCHANGE
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.web.asked import Move, NewGame

MAX_SEED = 1 << 53  # what a browser's numbers hold exactly
PROGRAM = "cmd:"


class State(msgspec.Struct, frozen=True):
    """What a token holds. order: players clockwise, who sits where in the first deal; bots: spec by player, "" is you.

    results: contract and tricks of the deals played; contract, discards, play: the present deal so far.
    """

    mode: str
    seed: int
    order: tuple[str, str, str]
    bots: dict[str, str]
    first_dealer: int = 2
    results: tuple[tuple[int, tuple[int, int, int]], ...] = ()
    contract: int | None = None
    discards: tuple[str, ...] = ()
    play: tuple[str, ...] = ()

    @property
    def game(self) -> Game:
        """The score sheet so far."""
        game = Game(self.order, self.first_dealer)
        for contract, tricks in self.results:
            game = game.record(Contract(contract), tricks)
        return game

    @property
    def you(self) -> str:
        """The name of the player who is no bot."""
        return next(name for name in self.order if not self.bots[name])


class Seal:
    """Turns states into tokens and back."""

    def __init__(self, key: bytes) -> None:
        from cryptography.fernet import Fernet

        self._fernet = Fernet(key)

    def close(self, state: State) -> str:
        """Return the token of a state."""
        return self._fernet.encrypt(msgspec.json.encode(state)).decode()

    def open(self, token: str) -> State:
        """Return the state of a token; raises MizerkaError for one that this key did not seal."""
        from cryptography.fernet import InvalidToken

        try:
            return msgspec.json.decode(self._fernet.decrypt(token), type=State)
        except (InvalidToken, ValueError):  # the latter for text that is not even base64
            raise MizerkaError("not a game of this server", field="token", token=token[:12]) from None


def new_key() -> bytes:
    """Return a key drawn at random, for a server that shares its games with no other."""
    from cryptography.fernet import Fernet

    return Fernet.generate_key()


class Session:
    """One request in a game: the state, its table, and the bots, made when they are needed."""

    def __init__(self, state: State, programs: Mapping[str, str]) -> None:
        self.state = state
        self._programs = programs
        self._stopped = False
        self._bots: dict[Seat, Bot] = {}
        game = state.game
        self.number = len(state.results)
        self.players = game.seats
        self.seat = Seat(self.players.index(state.you))
        self.table = self._rebuilt(game)

    @classmethod
    def start(cls, asked: NewGame, programs: Mapping[str, str]) -> Session:
        """Begin a game; raises MizerkaError for unknown bots."""
        for spec in asked.bots:
            check_bot(spec, programs)
        random = SystemRandom()
        seed = random.randrange(MAX_SEED) if asked.seed is None else asked.seed
        names = [spec.partition(":")[2] if spec.startswith(PROGRAM) else spec.partition(":")[0] for spec in asked.bots]
        if asked.name in names or names[0] == names[1]:
            names = [f"{name} {number}" for number, name in enumerate(names, start=1)]
        order = list(zip(names, asked.bots, strict=True))
        order.insert(Seat[asked.seat], (asked.name, ""))
        f, m, r = (name for name, _ in order)
        # Of one deal the seats are as asked; in a game the dealer of the first is drawn.
        dealer = 2 if asked.mode == "deal" else int(Random(f"dealer {seed}").random() * 3)
        return cls(State(asked.mode, seed, (f, m, r), dict(order), dealer), programs)

    def _rebuilt(self, game: Game) -> Table:
        state = self.state
        deal, previews = deal_seeded(self._seed("deal"))
        remaining = tuple(Contract) if state.mode == "deal" else game.remaining(self.players[Seat.F])
        table = Table(deal, previews[Seat.F], remaining)
        if state.contract is not None and table.phase == CONTRACT:
            table.name(Contract(state.contract))
        for discards in state.discards:
            table.exchange(as_cards(discards))
        for card in state.play:
            table.play(as_card(card))
        return table

    def _seed(self, what: str) -> int:
        """Return the seed for a part of this deal, which tells nothing of the others."""
        text = f"{what} {self.number}"
        return int.from_bytes(hmac.digest(str(self.state.seed).encode(), text.encode(), "sha256")[:8], "big")

    # Moves

    def move(self, asked: Move) -> None:
        """Take your decision; raises MizerkaError where it is another's turn, or another decision is due."""
        table = self.table
        if table.is_over or table.to_act is not self.seat:
            raise MizerkaError("the deal is over" if table.is_over else f"it is the turn of {table.to_act.long_name}")
        if table.phase == CONTRACT:
            table.name(Contract[_due(asked.contract, "contract")])
        elif table.phase == EXCHANGE:
            table.exchange(as_cards(_due(asked.discard, "discard")))
        else:
            table.play(as_card(_due(asked.card, "card")))

    def let_bots_act(self, solver: Solver) -> None:
        """Let the bots take their decisions until it is your turn or the deal is over; raises SearchStopped."""
        table = self.table
        try:
            while not table.is_over and table.to_act is not self.seat:
                if self._stopped:
                    raise SearchStopped("cancelled")
                self._act(table.to_act, solver)
        except BotFailure as error:
            raise MizerkaError(f"the bot failed: {error}") from None
        finally:
            self._close()

    def _act(self, seat: Seat, solver: Solver) -> None:
        table, view = self.table, self.table.view()
        if seat not in self._bots:
            self._bots[seat] = open_bot(self.state.bots[self.players[seat]], self._programs, solver)
        bot = self._bots[seat]
        bot.new_deal(self._seed(f"{seat} {len(table.discards)} {len(table.cards)}"))
        if table.phase == CONTRACT:
            table.name(bot.name_contract(view))
        elif table.phase == EXCHANGE:
            table.exchange(bot.exchange(view))
        else:
            table.play(bot.play(view))

    def stop(self) -> None:
        """Make the bots that act stop soon; called from another thread."""
        self._stopped = True
        self._close()

    def _close(self) -> None:
        for bot in tuple(self._bots.values()):
            bot.close()

    def next_deal(self) -> Session:
        """Return the next deal of the game; raises MizerkaError where this one is not over, or was the last."""
        if not self.table.is_over:
            raise MizerkaError("the deal is not over yet")
        if self.state.mode != "game" or self._sheet().is_over:
            raise MizerkaError("the game is over")
        assert self.table.contract is not None
        result = int(self.table.contract), self.table.tricks_won
        old = self.state
        state = State(old.mode, old.seed, old.order, old.bots, old.first_dealer, (*old.results, result))
        return Session(state, self._programs)

    def _sheet(self) -> Game:
        """The score sheet, with this deal where it is over."""
        game, table = self.state.game, self.table
        return game.record(table.contract, table.tricks_won) if table.is_over and table.contract is not None else game

    # What is told

    def now(self) -> State:
        """Return the state as the table has it now."""
        old, table = self.state, self.table
        contract = None if table.contract is None else int(table.contract)
        discards = tuple("".join(map(str, cards)) for cards in table.discards)
        play = tuple(map(str, table.cards))
        return State(old.mode, old.seed, old.order, old.bots, old.first_dealer, old.results, contract, discards, play)

    def as_dict(self, seal: Seal) -> dict[str, Any]:
        """Return the fields of the answer: nothing in them but what your seat may see, until the deal is over."""
        table, game = self.table, self._sheet()
        record = None
        if table.is_over:
            ident = f"game-{self.state.seed}.{self.number + 1}"
            record = table.record(self.players, ident).to_json()
        is_over = table.is_over and (self.state.mode == "deal" or game.is_over)
        return {
            "token": seal.close(self.now()),
            "mode": self.state.mode,
            "you": self.seat.name,
            "players": by_seat(self.players),
            "number": self.number + 1,
            "view": None if table.is_over else table.view(self.seat).as_dict(),
            "record": record,
            "sheet": [
                {
                    "deal": row.number,
                    "dealer": row.dealer,
                    "seats": by_seat(row.seats),
                    "contract": row.contract.name,
                    "tricks": by_seat(row.tricks),
                    "points": list(row.points),
                    "totals": list(row.totals),
                }
                for row in game.sheet
            ],
            "order": list(self.state.order),
            "is_over": is_over,
        }


class PoolSampler(Sampler):
    """A sampler whose searches are those of a solver of the pool, and not of one of its own beyond the memory limit."""

    def __init__(self, samples: int, seconds: float | None, lent: Solver) -> None:
        super().__init__(samples, seconds)
        self._lent = lent

    @property
    def solver(self) -> Solver:
        """The solver that was lent."""
        return self._lent


def _due(given: Any, name: str) -> Any:
    if given is None:
        raise MizerkaError(f"it is time for a {name}")
    return given


def check_bot(spec: str, programs: Mapping[str, str]) -> None:
    """Raise MizerkaError unless visitors may play against a bot of this name."""
    if spec.startswith(PROGRAM):
        if spec.removeprefix(PROGRAM) not in programs:
            raise MizerkaError("not a program that this server was started with", token=spec)
        return
    make_bot(spec).close()


def open_bot(spec: str, programs: Mapping[str, str], solver: Solver) -> Bot:
    """Return a bot; programs by the name the server knows them by, never by a command; searches are the solver's."""
    check_bot(spec, programs)
    if spec.startswith(PROGRAM):
        return make_bot(PROGRAM + programs[spec.removeprefix(PROGRAM)])
    bot = make_bot(spec)
    if isinstance(bot, SamplingBot):
        bot.sampler = PoolSampler(bot.sampler.samples, bot.sampler.seconds, solver)
    return bot
