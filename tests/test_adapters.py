"""Mizerka for training frameworks: numbered actions are the rules; their own conformance tests pass where installed."""

from __future__ import annotations

import warnings
from random import Random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mizerka_solver import Contract, Deal, MizerkaError, Seat
from mizerka_solver.adapters.actions import (
    DRAW,
    MAX_COUNT,
    MAX_STEPS,
    N_ACTIONS,
    NAME,
    SHAPE,
    ActionTable,
    action_text,
    card_of,
    index_of,
)
from mizerka_solver.game.cards import ALL
from mizerka_solver.game.deal import deal_seeded


@given(seed=st.integers(0, 2**32))
@settings(max_examples=25, deadline=None)
def test_numbered_actions_make_a_deal(seed: int) -> None:
    rng = Random(seed)
    deal, previews = deal_seeded(seed)
    game, steps = ActionTable(deal, previews[0]), 0
    while not game.is_over:
        legal = game.legal()
        assert legal == sorted(set(legal)) != []
        for seat in Seat:
            numbers = game.observation(seat)
            assert len(numbers) == SHAPE
            assert 0 <= min(numbers) <= max(numbers) <= MAX_COUNT
            hand = game.table.view(seat).hand
            assert [i for i in range(52) if numbers[i]] == sorted(map(index_of, hand))
        game.apply(rng.choice(legal))
        steps += 1
    assert steps <= MAX_STEPS
    assert game.legal() == []
    record = game.table.record(("a", "b", "c"))
    assert game.returns() == record.points()
    assert sum(game.returns()) == 0


def test_marks_make_an_exchange() -> None:
    deal = Deal.random(3)
    game = ActionTable(deal, remaining=(Contract.S,))
    cards = sorted(map(index_of, deal.hands[0]))
    for index in cards[1:3]:
        game.apply(index)
    assert game.legal() == [*cards[3:], DRAW]
    assert game.marks(Seat.F) == [str(card_of(i)) for i in cards[1:3]]
    assert game.marks(Seat.M) == []
    with pytest.raises(MizerkaError):
        game.apply(cards[0])
    game.apply(DRAW)
    assert game.table.discards == [tuple(card_of(i) for i in cards[1:3])]
    assert game.to_act is Seat.M


def test_numbers_of_cards_and_actions() -> None:
    assert sorted(map(index_of, ALL)) == list(range(52))
    assert all(card_of(index_of(card)) is card for card in ALL)
    assert len({action_text(action) for action in range(N_ACTIONS)}) == N_ACTIONS
    for wrong in (-1, N_ACTIONS, DRAW, 0):
        with pytest.raises(MizerkaError):
            ActionTable(Deal.random(1)).apply(wrong)
    ActionTable(Deal.random(1)).apply(NAME + Contract.M)


def test_pettingzoo() -> None:
    pytest.importorskip("pettingzoo")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        from pettingzoo.test import api_test, seed_test

        from mizerka_solver.adapters.pettingzoo import env

        api_test(env(), num_cycles=300)
        seed_test(env, num_cycles=20)
    game = env(render_mode="ansi", contracts=(Contract.M,))
    game.reset(seed=5)
    total = dict.fromkeys(game.possible_agents, 0)
    for agent in game.agent_iter():
        observation, reward, over, _, _ = game.last()
        total[agent] += reward
        game.step(None if over else int(observation["action_mask"].argmax()))
    assert sum(total.values()) == 0
    assert any(total.values())
    assert "mizerka" in game.render()
    assert game.unwrapped.game.table.deal == deal_seeded(Random(5)).deal


def test_openspiel() -> None:
    pyspiel = pytest.importorskip("pyspiel")
    import mizerka_solver.adapters.openspiel  # noqa: F401 - registers the game

    game = pyspiel.load_game("python_mizerka")
    pyspiel.random_sim_test(game, num_sims=3, serialize=False, verbose=False)
    state, rng = game.new_initial_state(), Random(1)
    while not state.is_terminal():
        state.apply_action(rng.choice(state.legal_actions()))
    assert sum(state.returns()) == 0
    assert state.is_terminal()
