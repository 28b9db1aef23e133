"""Sampling: worlds fit what is known, races find what brute force finds, and nothing depends on threads."""

from __future__ import annotations

import importlib.util
import itertools
import math
from collections.abc import Iterator
from pathlib import Path
from random import Random
from typing import Any

import pytest

from mizerka_solver import Contract, Deal, Hand, MizerkaError, Seat, Solver, Variant
from mizerka_solver.game.cards import ALL
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.game.rules import MIZERKA, exchange
from mizerka_solver.hidden.contracts import forecast_contracts
from mizerka_solver.hidden.discards import AfterExchange, forecast_exchange, undominated_discards
from mizerka_solver.hidden.draws import ExchangeWorlds, World, Worlds, world_generator
from mizerka_solver.hidden.luck import Draw
from mizerka_solver.hidden.named import FittingPreviews
from mizerka_solver.hidden.samples import Sampling
from mizerka_solver.hidden.situation import Situation
from mizerka_solver.hidden.view import View
from mizerka_solver.policy.quick import (
    choose_contract,
    choose_discards,
    contract_set_value,
    contract_values,
    exchange_all,
    price_after,
)
from mizerka_solver.support.statistics import Mean

SMALL = Variant(4, 2, (2, 1, 1), (1, 1, 2), "four cards")
HAND = Hand("AKT973.A4.52.Q63")


def small_hand(seed: int) -> Hand:
    """The four cards of a seat of a small random deal."""
    return Deal.random(seed, SMALL).hands[0]


def drawn(asked: Situation, seed: int, number: int) -> World:
    """A sampled world of a situation."""
    return ExchangeWorlds(asked).draw(world_generator(seed, number))


def dealt(preview: Hand, seed: int, number: int, variant: Variant = MIZERKA) -> Deal:
    """A sampled deal of a preview."""
    view = View("contract", Seat.F, preview, variant=variant)
    return Worlds(view).draw(world_generator(seed, number)).deal()


# Worlds


@pytest.mark.parametrize("seat", Seat)
def test_worlds_fit_what_is_known(seat: Seat) -> None:
    asked = Situation(HAND, Contract.S, seat, (5, 3)[:seat])
    for number in range(20):
        world = drawn(asked, 1, number)
        assert world.hands[seat] == HAND.mask
        assert len(world.talon) == asked.n_available
        cards = [card for hand in world.deal().hands for card in hand] + list(world.deal().talon)
        assert len(set(cards)) == len(cards) == 52 - sum(asked.exchanged)
        discards = tuple(HAND)[: min(4, asked.n_available)]
        position = AfterExchange(asked, world).position(discards)
        assert position.hands[seat] == exchange(HAND, world.deal().talon, discards)[0]
        assert all(len(hand) == 13 for hand in position.hands)
        assert position.masks[:seat] == world.hands[:seat]


def test_worlds_depend_on_seed_and_number_only() -> None:
    asked = Situation(HAND, Contract.N)
    assert drawn(asked, 1, 2) == drawn(asked, 1, 2)
    assert drawn(asked, 1, 2) != drawn(asked, 1, 3)
    assert drawn(asked, 1, 2) != drawn(asked, 2, 2)
    assert dealt(Hand("AKQ9.A.-.4"), 1, 2) == dealt(Hand("AKQ9.A.-.4"), 1, 2)


def test_unseen_cards_lie_evenly() -> None:
    asked = Situation(HAND, Contract.N)
    counts = [0, 0, 0]
    n = 900
    for number in range(n):
        world = drawn(asked, 5, number)
        at = [next((s for s in (1, 2) if card.mask & world.hands[s]), 0) for card in (Hand("-.-.-.A"))]
        counts[at[0]] += 1
    assert all(abs(count - n / 3) < 4 * math.sqrt(n * 2 / 9) for count in counts)


def test_a_named_contract_tells_about_forehand() -> None:
    def spades(named_from: tuple[Contract, ...]) -> float:
        worlds = ExchangeWorlds(Situation(Hand("752.K864.KJ4.Q63"), Contract.S, Seat.M, (0,), named_from))
        return sum((worlds.draw(world_generator(1, i)).hands[0] & 0x1FFF).bit_count() for i in range(60)) / 60

    assert spades(tuple(Contract)) > spades(()) + 0.5


def test_every_world_fits_the_contract_named() -> None:
    """All previews are looked at: those that fit are exactly those in which the policy names it."""
    asked = Situation(Hand("A2.4.-.3"), Contract.S, Seat.M, (0,), tuple(Contract), SMALL)
    unseen = [card for card in ALL if card not in asked.hand]
    previews = [Hand.from_cards(cards) for cards in itertools.combinations(unseen, 2)]
    fitting = {hand.mask for hand in previews if choose_contract(hand) is Contract.S}
    found = FittingPreviews.of(asked)
    assert set(map(int, found.masks)) == fitting
    assert (len(found.masks), found.n_all) == (len(fitting), len(previews))


@pytest.mark.parametrize("contract", [Contract.H, Contract.N, Contract.M])
def test_six_cards_that_fit(contract: Contract) -> None:
    """Of millions a sample: the policy names the contract with each; their share is that of a sample of deals."""
    asked = Situation(Hand("752.K864.KJ4.Q63"), contract, Seat.R, (3, 2), tuple(Contract))
    found, random = FittingPreviews.of(asked), Random(1)
    assert found.n_all == math.comb(39, 6)
    assert all(choose_contract(Hand.from_mask(found.draw(random))) is contract for _ in range(200))
    unseen = [card for card in ALL if card not in asked.hand]
    hits = sum(choose_contract(Hand.from_cards(random.sample(unseen, 6))) is contract for _ in range(3000))
    assert abs(hits / 3000 - found.share) < 4 * math.sqrt(found.share / 3000)


def test_seven_previews_of_three_million_are_found() -> None:
    found = FittingPreviews.of(Situation("432.432.5432.432", "M", "M", (4,), "SHDCNM"))
    assert len(found.masks) == 7
    assert all(choose_contract(Hand.from_mask(int(mask))) is Contract.M for mask in found.masks)


def test_a_contract_forehand_could_not_have_named_is_refused() -> None:
    asked = Situation("AKQJT98765432.-.-.-", "S", "M", (4,), "SHDCNM")
    with pytest.raises(MizerkaError, match="named_from S: the policy names it with none of the 3,262,623 previews"):
        forecast_exchange(asked, Sampling(1))


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((Hand("AK.-.-.-"), Contract.S), "a hand has 13 cards, here 2"),
        ((HAND, Contract.S, Seat.M), "M knows how many"),
        ((HAND, Contract.S, Seat.F, (3,)), "nobody exchanges before F"),
        ((HAND, Contract.S, Seat.R, (9, 5)), "^5: M could exchange 0 to 4 cards"),
        ((HAND, Contract.S, Seat.M, (2,), (Contract.N,)), "^S: forehand named it"),
    ],
)
def test_situations_that_cannot_be(arguments: tuple[Any, ...], message: str) -> None:
    with pytest.raises(MizerkaError, match=message):
        Situation(*arguments)


@pytest.mark.parametrize("change", [{"samples": 0}, {"seed": -1}, {"seconds": 0.0}])
def test_sampling_that_cannot_be(change: dict[str, Any]) -> None:
    with pytest.raises(MizerkaError, match=r"at least|more than"):
        Sampling(**change)


# The race


@pytest.mark.parametrize("contract", [Contract.S, Contract.N, Contract.M])
@pytest.mark.parametrize("seed", range(3))
def test_the_best_of_all_discards_is_found(contract: Contract, seed: int) -> None:
    asked = Situation(small_hand(seed), contract, variant=SMALL)
    how = Sampling(64, seed)
    report = forecast_exchange(asked, how)
    solver = Solver(memory="4M")
    draw = Draw(asked.hand, contract, Seat.F)

    def mean(discards: tuple[Any, ...]) -> float:
        sign, target = (-1, 1) if contract.is_mizerka else (1, 2)
        total = 0.0
        for number in range(how.samples):
            position = AfterExchange(asked, drawn(asked, seed, number)).position(discards)
            points = sign * (solver.guaranteed(position, Seat.F) - target)
            total += points - draw.luck(discards, position.masks[Seat.F])
        return total / how.samples

    everything = [cards for n in range(5) for cards in itertools.combinations(asked.hand, n)]
    # On the very same worlds; the race may have stopped what only wins by chance, and dominated discards are not tried.
    assert report.best.points.mean == pytest.approx(mean(report.best.discards))
    assert report.best.points.mean >= max(map(mean, everything)) - 0.1


@pytest.mark.parametrize("value", ["guaranteed", "par"])
def test_threads_change_nothing(value: str) -> None:
    asked = Situation(small_hand(4), Contract.S, Seat.M, (3,), variant=SMALL)
    one = forecast_exchange(asked, Sampling(40, 3, threads=1, memory="4M"), value=value)
    three = forecast_exchange(asked, Sampling(40, 3, threads=3, memory="8M"), value=value)
    assert one == three
    assert one != forecast_exchange(asked, Sampling(40, 4), value=value)


def test_reports_have_policy_and_stand() -> None:
    asked = Situation(small_hand(4), Contract.N, variant=SMALL)
    report = forecast_exchange(asked, Sampling(100, 1))
    assert report.stopped is None
    assert report.samples == report.best.points.samples == 100
    for kind in ("is_policy", "is_stand"):
        assert sum(getattr(candidate, kind) for candidate in report.shown(1)) == 1
    means = [candidate.points.mean for candidate in report.candidates if not candidate.ruled_out]
    assert means == sorted(means, reverse=True)
    assert report.n_left == len(means)
    assert all(candidate.behind.mean > 0 for candidate in report.candidates if candidate.ruled_out)
    data = report.as_dict(3)
    assert data["started"] == len(report.candidates)
    assert data["candidates"][0]["behind"] == {"mean": 0.0, "se": 0.0}


def test_a_margin_begins_with_fewer() -> None:
    asked = Situation(small_hand(4), Contract.M, variant=SMALL)
    everything = forecast_exchange(asked, Sampling(8, 1))
    fewer = forecast_exchange(asked, Sampling(8, 1), margin=0.2)
    assert len(fewer.candidates) < len(everything.candidates)
    assert {c.discards for c in fewer.candidates} <= {c.discards for c in everything.candidates}
    assert any(c.is_stand for c in fewer.candidates)


def test_undominated_discards() -> None:
    tricks = undominated_discards(Hand("AK2.-.-.43"), Contract.N, 13)
    assert len(tricks) == 4 * 3
    assert sorted("".join(map(str, cards)) for cards in tricks if len(cards) == 1) == ["C3", "S2"]
    mizerka = undominated_discards(Hand("AK2.-.-.43"), Contract.M, 13)
    assert sorted("".join(map(str, cards)) for cards in mizerka if len(cards) == 1) == ["C4", "SA"]
    assert max(map(len, undominated_discards(HAND, Contract.S, 2))) == 2


def test_the_time_limit_ends_a_race_with_what_is_done() -> None:
    calls: list[int] = []
    how = Sampling(100_000, 1, seconds=0.3, progress=calls.append)
    report = forecast_exchange(Situation(small_hand(1), Contract.S, variant=SMALL), how)
    assert report.stopped == "time"
    assert 0 < report.samples < 100_000
    assert calls == list(range(1, report.samples + 1))
    with pytest.raises(MizerkaError, match="no sample finished"):
        forecast_exchange(Situation(HAND, Contract.S), Sampling(5, seconds=1e-6))


def test_an_interrupt_ends_a_race_with_what_is_done() -> None:
    def interrupt(done: int) -> None:
        if done == 11:
            raise KeyboardInterrupt

    asked = Situation(small_hand(1), Contract.S, variant=SMALL)
    report = forecast_exchange(asked, Sampling(100, 1, progress=interrupt))
    assert (report.stopped, report.samples) == ("interrupted", 11)
    forecast = forecast_contracts(Hand("A.K.-.-"), [Contract.S], Sampling(100, 1, progress=interrupt), SMALL)
    assert (forecast.stopped, forecast.samples) == ("interrupted", 11)


# The forecast


def test_a_forecast_is_the_mean_of_solved_deals() -> None:
    preview = Hand("A9.K.-.-")
    variant = Variant(6, 3, (3, 2, 1), (1, 2, 3))
    report = forecast_contracts(preview, tuple(Contract), Sampling(12, 5), variant)
    solver = Solver(memory="4M")
    for forecast in report.forecasts:
        values = [
            solver.value(exchange_all(dealt(preview, 5, i, variant), forecast.contract), forecast.contract)
            for i in range(12)
        ]
        points = [value.guaranteed[0] - 3 for value in values]
        if forecast.contract is Contract.M:
            points = [1 - value.guaranteed[0] for value in values]
            thirds = [value.slack / 3 for value in values[::4]]
        else:
            thirds = [value.slack / 3 for value in values]
        assert forecast.guaranteed == Mean.of(points)
        assert forecast.par.mean == pytest.approx(sum(points) / 12 + sum(thirds) / len(thirds))
        assert forecast.target_chance == sum(p >= 0 for p in points) / 12
        assert forecast.later == contract_set_value(set(Contract) - {forecast.contract})
        if forecast.contract is not Contract.M:
            both = Mean.of([p + third for p, third in zip(points, thirds, strict=True)])
            assert forecast.par.se == pytest.approx(both.se)
    best = max(report.forecasts, key=lambda f: f.par.mean + f.later)
    assert report.best == best
    threads = forecast_contracts(preview, tuple(Contract), Sampling(12, 5, threads=2, memory="4M"), variant)
    assert threads == report


def test_impossible_previews() -> None:
    with pytest.raises(MizerkaError, match="sees 6 cards"):
        forecast_contracts(Hand("AK.-.-.-"))
    with pytest.raises(MizerkaError, match="no contract"):
        forecast_contracts(Hand("AKQ.A.-.43"), [])


# Strength of the policy and the stored values, on fresh samples


def benchmark() -> Any:
    """The script that compares exchanges."""
    path = Path(__file__).parent.parent / "benchmarks" / "policy.py"
    spec = importlib.util.spec_from_file_location("policy_benchmark", path)
    assert spec
    assert spec.loader
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module


@pytest.mark.slow
@pytest.mark.parametrize("seat", Seat)
@pytest.mark.parametrize(("contract", "n_deals"), [(Contract.H, 60), (Contract.N, 80), (Contract.M, 10)])
def test_the_policy_beats_simple_exchanges(contract: Contract, n_deals: int, seat: Seat) -> None:
    gains = benchmark().compare(contract, seat, n_deals, 4321, ("stand", "3 lowest"))
    for name, gain in gains.items():
        assert gain.mean > 0, name
        assert gain.mean > gain.se or contract.is_mizerka, name


def fresh_results(seed: int, n: int, remaining: tuple[Contract, ...]) -> Iterator[tuple[float, float]]:
    """Of fresh deals: what the chosen contract promised by the fitted values, and par plus what is left."""
    solver = Solver(memory="64M")
    rng = Random(seed)
    for _ in range(n):
        deal, previews = deal_seeded(rng)
        preview = previews[Seat.F]
        contract = choose_contract(preview, remaining)
        later = price_after(contract, remaining)
        value = solver.value(exchange_all(deal, contract), contract)
        yield contract_values(preview)[contract], value.par[Seat.F] + later


@pytest.mark.slow
@pytest.mark.parametrize(("remaining", "n"), [("SHDCNM", 150), ("SHDCN", 150), ("SN", 100), ("S", 100), ("M", 25)])
def test_stored_values_of_sets_hold_on_fresh_deals(remaining: str, n: int) -> None:
    contracts = tuple(map(Contract.parse, remaining))
    results = [total for _, total in fresh_results(99, n, contracts)]
    mean = Mean.of(results)
    assert mean.se is not None
    assert abs(mean.mean - contract_set_value(contracts)) < 3.5 * mean.se + 0.05


@pytest.mark.slow
@pytest.mark.parametrize(("contract", "n"), [(Contract.S, 80), (Contract.N, 80), (Contract.M, 10)])
def test_higher_cards_are_no_worse_on_average(contract: Contract, n: int) -> None:
    """What `undominated_discards` takes for granted: throwing the lower of two cards, in mizerka the higher."""
    solver = Solver(memory="64M")
    rng = Random(7)
    gains = []
    for number in range(n):
        asked = Situation(Deal.random(rng).hands[0], contract)
        world = AfterExchange(asked, ExchangeWorlds(asked).draw(world_generator(3, number)))
        discards = choose_discards(asked.hand, contract, Seat.F, 13)
        kept = [card for card in asked.hand if card not in discards]
        sign = -1 if contract.is_mizerka else 1
        pairs = [(x, y) for x in discards for y in kept if x.suit is y.suit and sign * (y.rank - x.rank) > 0]
        if pairs:
            thrown, held = rng.choice(pairs)
            worse = [held if card is thrown else card for card in discards]
            tricks = [solver.guaranteed(world.position(cards), Seat.F) for cards in (discards, worse)]
            gains.append(sign * (tricks[0] - tricks[1]))
    assert len(gains) > n // 2
    assert Mean.of(gains).mean > 0.3
    # There are exceptions in single worlds, such as a high card that is thrown in: one of these nine in mizerka.
    assert sum(gain < 0 for gain in gains) <= max(len(gains) // 20, 1)
