"""The search and learned bots: legal, repeatable, stoppable, honest about their numbers, better than chance."""

from __future__ import annotations

import math
from random import Random

import pytest

from mizerka_solver.bots import LearnedBot, RandomBot, RuleBot, SearchBot, Searcher, Table, View, make_bot
from mizerka_solver.bots.search import Inference, best_shares, search_advise
from mizerka_solver.core import RaceKind
from mizerka_solver.double_dummy.solver import SearchStopped
from mizerka_solver.game.cards import Card, Hand
from mizerka_solver.game.deal import Deal, deal_seeded
from mizerka_solver.game.rules import Contract, Seat, Triple, points
from mizerka_solver.policy.compiled import has_nets
from mizerka_solver.support.errors import MizerkaError


def play(table: Table, bots: list) -> Triple:
    """Play a deal to its end; the table refuses what is not legal."""
    for seat in Seat:
        bots[seat].new_deal(seat)
    while not table.is_over:
        view = table.view()
        bot = bots[view.seat]
        if view.phase == "contract":
            table.name(bot.name_contract(view))
        elif view.phase == "exchange":
            table.exchange(bot.exchange(view))
        else:
            table.play(bot.play(view))
    assert table.contract is not None
    return points(table.contract, table.tricks_won)


def views(seed: int, contract: Contract) -> list[View]:
    """All decisions of a deal that three rule bots play."""
    table, bot, found = Table(Deal.random(seed), remaining=(contract,)), RuleBot(), []
    while not table.is_over:
        view = table.view()
        found.append(view)
        table.exchange(bot.exchange(view)) if view.phase == "exchange" else table.play(bot.play(view))
    return found


def test_whole_deals_are_legal_and_the_same_again() -> None:
    for number in range(4):
        dealt = deal_seeded(number)
        records = []
        for _ in range(2):
            table = Table(dealt.deal, dealt.previews[0])
            play(table, [SearchBot(20), LearnedBot(), SearchBot(20, seed=3)])
            records.append(table.record(("a", "b", "c")))
        assert records[0] == records[1]


def test_another_seed_draws_other_worlds() -> None:
    view = views(1, Contract.N)[5]
    races = [Searcher(30).cards(view, seed)[0] for seed in (1, 1, 2)]
    held = [race.held() for race in races]
    assert held[0] == held[1] != held[2]


def test_plays_well_against_random_players() -> None:
    gained = 0
    for number in range(6):
        contract = list(Contract)[number]
        for bot in (SearchBot(20), LearnedBot()):
            gained += play(Table(Deal.random(number), remaining=(contract,)), [RandomBot(), bot, RandomBot()])[Seat.M]
    assert gained > 12


def test_takes_a_trick_that_wins_in_every_world() -> None:
    """Last to play with the ace of the suit led and a small card: taking it never costs here."""
    table = Table(Deal("F:K3.-.-.- M:Q2.-.-.- R:A4.-.-.-"), remaining=(Contract.N,))
    for _ in range(3):
        table.exchange(())
    table.play(Card("SK"))
    table.play(Card("S2"))
    assert SearchBot(50).play(table.view()) == Card("SA")


def test_races_stop_when_told() -> None:
    view = views(2, Contract.H)[4]
    bot = SearchBot(1000)
    bot.close()
    with pytest.raises(SearchStopped):
        bot.play(view)


def test_seconds_end_a_race() -> None:
    view = views(2, Contract.H)[4]
    searcher = Searcher(seconds=1e-9)
    race, groups = searcher.cards(view, 1)
    assert 1 <= race.n_worlds <= 64
    assert len(groups) == len(race.choices)
    assert Searcher(50, seconds=1000).cards(view, 1)[0].n_worlds <= 50


def test_halving_spends_its_worlds_on_the_best() -> None:
    view = views(3, Contract.S)[0]
    race = Searcher(512).exchanges(view, 1)
    tried = sorted(len(race.values(i)) for i in range(len(race.choices)))
    assert race.n_worlds == 512 == tried[-1]
    assert tried[0] == 32
    assert len(tried) == 64
    assert sum(tried) == race.n_played


def test_dropped_choices_are_clearly_behind() -> None:
    n_dropped = 0
    for view in views(5, Contract.N)[3:12]:
        race, _ = Searcher(300).cards(view, 2)
        for i in range(len(race.choices)):
            if not race.is_active(i):
                n, total, squares = race.difference(race.leader, i)
                error = math.sqrt(max(squares - total * total / n, 1) / n / (n - 1))
                assert total / n > 2 * error
                n_dropped += 1
    assert n_dropped > 5


def test_without_inference_nothing_is_read_from_the_others() -> None:
    view = views(6, Contract.N)[20]
    held = [
        Searcher(2000, inference=inference).race(view, RaceKind.CARDS, [view.legal[0].bit], [0], 1)
        for inference in (Inference(False, False), Inference())
    ]
    shares = []
    for race in held:
        race.run(2000)
        shares.append([n / 2000 for n in race.held()[view.seat.next]])
    assert max(abs(a - b) for a, b in zip(*shares, strict=True)) > 0.1


# Advice


@pytest.mark.parametrize("at", [0, 3, 20])
def test_advice_adds_up(at: int) -> None:
    view = views(7, Contract.D)[at]
    advice = search_advise(Searcher(200), view, 3)
    assert sum(advice.best) == pytest.approx(1)
    assert advice.options[0].lead.mean == 0
    assert all(option.lead.mean <= 0 for option in advice.options if option.points.n == advice.worlds)
    for seat in Seat:
        size = len(view.hand) - (len(view.trick) > (seat - view.leader) % 3)
        assert sum(advice.suit_lengths(seat)) == pytest.approx(size)
    assert all(advice.held[view.seat][card] == 1 for card in view.hand)
    assert all(0.05 <= share <= 1 and card.bit & 15 >= 10 for card, share in advice.honours(view.seat.next))


def test_advice_on_contracts_counts_later_deals() -> None:
    view = View("contract", Seat.F, Hand("AKQ9.A.-.4"), (Contract.S, Contract.M))
    advice = search_advise(Searcher(100), view)
    assert advice.options[0].choice is Contract.S
    assert {option.later != 0 for option in advice.options} == {True}
    assert len(advice.best) == 2
    assert advice.worlds == 100


def test_shares_count_ties_in_parts() -> None:
    view = views(8, Contract.S)[10]
    race = Searcher(40).race(view, RaceKind.CARDS, [view.legal[0].bit] * 2, [0, 0], 1)
    race.run(40)
    assert best_shares(race, [0.0, 0.0]) == [0.5, 0.5]
    assert best_shares(race, [0.0, 1.0]) == [0.0, 1.0]


def test_a_view_that_cannot_be_is_refused() -> None:
    view = views(3, Contract.N)[10]
    with pytest.raises(MizerkaError, match="it is not this seat's turn"):
        SearchBot(10).searcher.cards(view._replace(seat=view.seat.next), 1)


# Names


def test_bots_by_name() -> None:
    bot = make_bot("search:worlds=70,seconds=0.5,seed=4")
    assert isinstance(bot, SearchBot)
    assert (bot.searcher.worlds, bot.searcher.seconds, bot.seed) == (70, 0.5, 4)
    assert isinstance(make_bot("learned"), LearnedBot)


@pytest.mark.parametrize(
    "spec",
    ["search:worlds=0", "search:worlds=x", "search:games=3", "search:seconds=0", "search:seed=-1", "learned:fast"],
)
def test_names_of_no_bot_are_refused(spec: str) -> None:
    with pytest.raises(MizerkaError) as error:
        make_bot(spec)
    assert spec in str(error.value)


def test_the_learned_policy_is_shipped() -> None:
    assert has_nets()
    view = views(9, Contract.C)[12]
    assert LearnedBot().play(view) in view.legal
    assert Random(1).random() == 0.13436424411240122, "what seeds rest on"
