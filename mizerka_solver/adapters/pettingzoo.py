"""Mizerka as a PettingZoo environment (AEC: agents take turns). Needs: pip install 'mizerka-solver[pettingzoo]'.

One deal is one episode. Agents are the seats; each gets its points at the end, which sum to 0. An observation is a
dictionary with "observation", what the seat sees (actions.py lays it out), and "action_mask", what it may do.
"""

from __future__ import annotations

from collections.abc import Sequence
from random import Random
from typing import Any

import numpy as np
from gymnasium import spaces
from numpy.typing import NDArray
from pettingzoo import AECEnv

from mizerka_solver.adapters.actions import MAX_COUNT, N_ACTIONS, SHAPE, ActionTable, action_text
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.hidden.view import ALL_CONTRACTS

Observation = dict[str, NDArray[np.int8]]
AGENTS = [seat.long_name for seat in Seat]


class MizerkaEnv(AECEnv):
    """The environment. contracts: those forehand may name; a single one is named by itself.

    render_mode: None, or "ansi" for the table as text. `reset(seed=…)` deals the same cards again.
    """

    metadata = {"render_modes": ["ansi"], "name": "mizerka_v0", "is_parallelizable": False}  # noqa: RUF012 - theirs

    def __init__(self, contracts: Sequence[Contract] = ALL_CONTRACTS, render_mode: str | None = None) -> None:
        super().__init__()
        self.render_mode = render_mode
        self.possible_agents = list(AGENTS)
        self._contracts = tuple(contracts)
        self._random = Random(0)
        self._game: ActionTable | None = None
        self._last = ""
        # One object an agent for ever, as the API demands.
        self._action_spaces = {agent: spaces.Discrete(N_ACTIONS) for agent in AGENTS}
        self._observation_spaces = {
            agent: spaces.Dict(
                {
                    "observation": spaces.Box(0, MAX_COUNT, (SHAPE,), np.int8),
                    "action_mask": spaces.Box(0, 1, (N_ACTIONS,), np.int8),
                }
            )
            for agent in AGENTS
        }

    def observation_space(self, agent: str) -> spaces.Dict:
        """Return the space of an agent's observations."""
        return self._observation_spaces[agent]

    def action_space(self, agent: str) -> spaces.Discrete:
        """Return the space of an agent's actions."""
        return self._action_spaces[agent]

    @property
    def game(self) -> ActionTable:
        """The deal that is played, hidden cards and all; there is one after `reset`."""
        assert self._game is not None, "reset() comes first"
        return self._game

    def reset(self, seed: int | None = None, options: dict[str, Any] | None = None) -> None:
        """Deal anew: by a seed, or the next deal of the last one."""
        if seed is not None:
            self._random = Random(seed)
        deal, previews = deal_seeded(self._random)
        self._game, self._last = ActionTable(deal, previews[Seat.F], self._contracts), ""
        self.agents = list(AGENTS)
        self.rewards = dict.fromkeys(AGENTS, 0)
        self._cumulative_rewards = dict.fromkeys(AGENTS, 0)
        self.terminations = dict.fromkeys(AGENTS, False)
        self.truncations = dict.fromkeys(AGENTS, False)
        self.infos: dict[str, dict[str, Any]] = {agent: {} for agent in AGENTS}
        self.agent_selection = AGENTS[self.game.to_act]

    def observe(self, agent: str) -> Observation:
        """Return what an agent sees now."""
        seat = Seat(AGENTS.index(agent))
        mask = np.zeros(N_ACTIONS, np.int8)
        if seat is self.game.to_act:
            mask[self.game.legal()] = 1
        return {"observation": np.array(self.game.observation(seat), np.int8), "action_mask": mask}

    def step(self, action: int | None) -> None:
        """Do the selected agent's action; raises MizerkaError when it is not legal."""
        agent = self.agent_selection
        if self.terminations[agent] or self.truncations[agent]:
            self._was_dead_step(action)
            return
        assert action is not None
        self.game.apply(int(action))
        self._last = f"{agent}: {action_text(int(action))}"
        self._cumulative_rewards[agent] = 0
        self.rewards = dict(zip(AGENTS, self.game.returns(), strict=True))
        if self.game.is_over:
            self.terminations = dict.fromkeys(AGENTS, True)
        self.agent_selection = AGENTS[self.game.to_act]
        self._accumulate_rewards()

    def render(self) -> str | None:
        """Return the table as text, when render_mode is "ansi"."""
        if self.render_mode != "ansi":
            return None
        table = self.game.table
        hands = "\n".join(f"{seat} {hand.pretty}" for seat, hand in zip(Seat, table.hands, strict=True))
        trick = " ".join(card.pretty for card in table.trick)
        won = "-".join(map(str, table.tricks_won))
        contract = "-" if table.contract is None else table.contract.long_name
        return f"{contract}, {self._last}\n{hands}\ntrick {trick or '-'}, tricks won {won}"

    def close(self) -> None:
        """Do nothing."""


def env(contracts: Sequence[Contract] = ALL_CONTRACTS, render_mode: str | None = None) -> AECEnv:
    """Return the environment with the usual checks around it."""
    from pettingzoo.utils import wrappers

    return wrappers.OrderEnforcingWrapper(wrappers.AssertOutOfBoundsWrapper(MizerkaEnv(contracts, render_mode)))
