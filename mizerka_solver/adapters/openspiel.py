"""Mizerka as an OpenSpiel game, "python_mizerka". Needs the extra: pip install 'mizerka-solver[openspiel]'.

Importing this registers it: pyspiel.load_game("python_mizerka"). A deal begins with 52 chance nodes, the cards in the
order they are dealt (rules.deal_out); then come the contract, the exchanges and 39 cards, by the actions of actions.py.
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import numpy as np
import pyspiel

from mizerka_solver.adapters.actions import MAX_STEPS, N_ACTIONS, SHAPE, ActionTable, action_text, card_of
from mizerka_solver.game.cards import N_CARDS, Hand
from mizerka_solver.game.deal import Deal
from mizerka_solver.game.rules import MIZERKA, Contract, Seat, deal_out

MAX_POINTS, MIN_POINTS = 13 - 1, -12  # rearhand with all tricks; forehand of a mizerka with all
GAME_TYPE = pyspiel.GameType(
    short_name="python_mizerka",
    long_name="Mizerka",
    dynamics=pyspiel.GameType.Dynamics.SEQUENTIAL,
    chance_mode=pyspiel.GameType.ChanceMode.EXPLICIT_STOCHASTIC,
    information=pyspiel.GameType.Information.IMPERFECT_INFORMATION,
    utility=pyspiel.GameType.Utility.ZERO_SUM,
    reward_model=pyspiel.GameType.RewardModel.TERMINAL,
    max_num_players=3,
    min_num_players=3,
    provides_information_state_string=True,
    provides_information_state_tensor=False,
    provides_observation_string=True,
    provides_observation_tensor=True,
    parameter_specification={},
)
GAME_INFO = pyspiel.GameInfo(
    num_distinct_actions=N_ACTIONS,
    max_chance_outcomes=N_CARDS,
    num_players=3,
    min_utility=float(MIN_POINTS),
    max_utility=float(MAX_POINTS),
    utility_sum=0.0,
    max_game_length=MAX_STEPS,
)


class MizerkaGame(pyspiel.Game):
    """The game."""

    def __init__(self, params: Mapping[str, Any] | None = None) -> None:
        super().__init__(GAME_TYPE, GAME_INFO, params or {})

    def new_initial_state(self) -> MizerkaState:
        """Return the state before the deal."""
        return MizerkaState(self)

    def make_py_observer(
        self, iig_obs_type: pyspiel.IIGObservationType | None = None, params: Mapping[str, Any] | None = None
    ) -> MizerkaObserver:
        """Return what turns states into a player's observations."""
        return MizerkaObserver(iig_obs_type or pyspiel.IIGObservationType(perfect_recall=False))


class MizerkaState(pyspiel.State):
    """A state: cards dealt so far, then a table."""

    def __init__(self, game: MizerkaGame) -> None:
        super().__init__(game)
        self._pack: list[int] = []
        self.play: ActionTable | None = None

    def current_player(self) -> int:
        """Return the seat that acts, chance, or the end."""
        if self.play is None:
            return int(pyspiel.PlayerId.CHANCE)
        return int(pyspiel.PlayerId.TERMINAL) if self.play.is_over else int(self.play.to_act)

    def _legal_actions(self, player: int) -> list[int]:
        return self.play.legal() if self.play is not None else []

    def chance_outcomes(self) -> list[tuple[int, float]]:
        """Return the cards not yet dealt, alike likely."""
        left = sorted(set(range(N_CARDS)) - set(self._pack))
        return [(card, 1.0 / len(left)) for card in left]

    def _apply_action(self, action: int) -> None:
        if self.play is not None:
            self.play.apply(action)
            return
        self._pack.append(action)
        if len(self._pack) == N_CARDS:
            dealt = deal_out([card_of(index) for index in self._pack])
            deal = Deal.from_hands([Hand.from_cards(cards) for cards in dealt.hands], dealt.talon)
            self.play = ActionTable(deal, Hand.from_cards(dealt.hands[Seat.F][: MIZERKA.preview_size]))

    def _action_to_string(self, player: int, action: int) -> str:
        return f"deal {card_of(action)}" if player == pyspiel.PlayerId.CHANCE else action_text(action)

    def is_terminal(self) -> bool:
        """Whether all cards are played."""
        return self.play is not None and self.play.is_over

    def returns(self) -> list[float]:
        """Return the points of F, M, R."""
        return [0.0, 0.0, 0.0] if self.play is None else [float(n) for n in self.play.returns()]

    def __str__(self) -> str:
        if self.play is None:
            return "dealing " + "".join(str(card_of(index)) for index in self._pack)
        table = self.play.table
        hands = " ".join(f"{seat}:{hand}" for seat, hand in zip(Seat, table.hands, strict=True))
        contract = "-" if table.contract is None else table.contract.name
        trick = ",".join(map(str, table.trick)) or "-"
        return f"{hands} {contract} {table.to_act} {trick} {'-'.join(map(str, table.tricks_won))}"


class MizerkaObserver:
    """Observations of one player: the numbers of actions.py, or a text of all the player knows."""

    def __init__(self, kind: pyspiel.IIGObservationType) -> None:
        self._recall = kind.perfect_recall
        self.tensor = np.zeros(SHAPE, np.float32)
        self.dict = {"observation": self.tensor}

    def set_from(self, state: MizerkaState, player: int) -> None:
        """Fill the tensor."""
        self.tensor.fill(0)
        if state.play is not None:
            self.tensor[:] = state.play.observation(Seat(player))

    def string_from(self, state: MizerkaState, player: int) -> str:
        """Return the player's view as text; with perfect recall the play from the start."""
        if state.play is None:
            return "dealing"
        view = state.play.table.view(Seat(player))
        contract = view.contract.name if isinstance(view.contract, Contract) else "-"
        marked = "".join(state.play.marks(Seat(player)))
        known = [f"{view.phase} {view.seat} {view.hand} {contract}", f"exchanged {','.join(map(str, view.exchanged))}"]
        known += [f"laid down {''.join(map(str, view.discarded))}{marked}", f"to act {state.play.to_act}"]
        cards = view.play if self._recall else view.trick
        if self._recall:  # what was drawn is told by what was dealt
            known.append(state.play.table.dealt(Seat(player)))
        return "; ".join([*known, f"play {''.join(map(str, cards))}", f"won {'-'.join(map(str, view.tricks_won))}"])


pyspiel.register_game(GAME_TYPE, MizerkaGame)
