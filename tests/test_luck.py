"""The luck of the draw: its mean against all draws, and sampled means without it against those with it."""

from __future__ import annotations

from itertools import combinations
from statistics import mean, variance

import pytest

from mizerka_solver import Contract, Hand, Sampling, Seat, Situation, forecast_exchange
from mizerka_solver.game.cards import ALL
from mizerka_solver.game.rules import Variant
from mizerka_solver.hidden.discards import AfterExchange
from mizerka_solver.hidden.draws import ExchangeWorlds, world_generator
from mizerka_solver.hidden.luck import Draw
from mizerka_solver.policy.quick import hand_value

SMALL = Variant(4, 2, (2, 1, 1), (1, 1, 2))


@pytest.mark.parametrize("contract", [Contract.S, Contract.N, Contract.M])
def test_the_mean_is_that_over_all_draws(contract: Contract) -> None:
    hand = Hand("A2.4.-.3")
    unseen = [card.mask for card in ALL if card not in hand]
    for seat in Seat:
        draw = Draw(hand, contract, seat)
        for discards in [(), *combinations(hand, 1), *combinations(hand, 2)]:
            kept = hand.mask & ~sum(card.mask for card in discards)
            values = [hand_value(kept | sum(d), contract, seat) for d in combinations(unseen, len(discards))]
            assert draw.mean(kept) == pytest.approx(mean(values))
            lucks = [draw.luck(discards, kept | sum(d)) for d in combinations(unseen, len(discards))]
            assert mean(lucks) == pytest.approx(0, abs=1e-9)


@pytest.mark.parametrize(("seat", "exchanged"), [(Seat.F, ()), (Seat.M, (2,)), (Seat.R, (1, 2))])
def test_luck_averages_out_in_sampled_worlds(seat: Seat, exchanged: tuple[int, ...]) -> None:
    """Also where earlier seats chose what to throw: what the player draws does not depend on it."""
    situation = Situation(Hand("AJ8.764.T32.Q953"), Contract.H, seat, exchanged)
    discards = list(situation.hand)[-3:]
    draw = Draw(situation.hand, Contract.H, seat)
    worlds = ExchangeWorlds(situation)
    lucks = []
    for number in range(2000):
        world = worlds.draw(world_generator(5, number))
        lucks.append(draw.luck(discards, AfterExchange(situation, world).position(discards).masks[seat]))
    assert abs(mean(lucks)) < 3 * (variance(lucks) / len(lucks)) ** 0.5


@pytest.mark.parametrize("contract", [Contract.S, Contract.M])
def test_means_and_standard_errors_are_right(contract: Contract) -> None:
    """Many short races: their means scatter around that of a long one as their standard errors say."""
    hand = "Q5.J.-.8" if contract is Contract.M else "K5.9.-.3"
    situation = Situation(hand, contract, variant=SMALL)

    def result(samples: int, seed: int) -> tuple[float, float]:
        policy = next(
            c for c in forecast_exchange(situation, Sampling(samples, seed), margin=0.0).candidates if c.is_policy
        )
        assert policy.points.se is not None
        assert policy.points.samples == samples
        return policy.points.mean, policy.points.se

    truth, error = result(4000, 1)
    scores = []
    for seed in range(2, 82):
        points, se = result(24, seed)
        scores.append((points - truth) / se)
    assert error < 0.05
    assert abs(mean(scores)) < 0.45
    assert 0.6 < variance(scores) < 1.6


def test_no_luck_is_taken_off_where_draws_are_not_evenly_likely() -> None:
    situation = Situation(Hand("K5.9.-.3"), Contract.S, Seat.M, (1,), named_from=tuple(Contract), variant=SMALL)
    report = forecast_exchange(situation, Sampling(8, seed=3))
    assert all(candidate.points.mean * candidate.points.samples % 1 == 0 for candidate in report.candidates)
