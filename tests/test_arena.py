"""The arena: who sits where, duplicate, games, forfeits, repeatability, results; and how strong the bots are."""

from __future__ import annotations

import json
import statistics
import threading
import time
from collections import Counter
from itertools import product

import pytest

from mizerka_solver import Card, Contract, GameRecord, MizerkaError, RecordError, Seat
from mizerka_solver.arena.match import SEATINGS, Match, replay
from mizerka_solver.arena.play import Interrupted, Played, Players, Results, forfeited, play_match
from mizerka_solver.bots import RuleBot, View
from mizerka_solver.game.records import score_sheet
from mizerka_solver.game.rules import points
from mizerka_solver.support.statistics import Tally, t_factor

RULES = (("a", "rule"), ("b", "random"), ("c", "rule"))
MIXED = (("a", "rule"), ("b", "random"), ("c", "sampling:samples=3"))


def played(match: Match, threads: int = 1) -> list[Played]:
    return list(play_match(match, match.tasks(), threads))


def lines(match: Match, threads: int = 1) -> list[str]:
    return [record.to_json() for each in played(match, threads) for record in each.records]


def results(match: Match) -> Results:
    found = Results(match)
    for each in played(match):
        found.add(each.records)
    return found


def test_duplicate_boards_are_the_same_cards_in_six_seatings() -> None:
    records = [record for each in played(Match(RULES, 3, 5)) for record in each.records]
    assert [record.id for record in records] == [f"{board}.{s}" for board, s in product((1, 2, 3), range(1, 7))]
    for board in range(3):
        six = records[6 * board : 6 * board + 6]
        assert len({record.deal for record in six}) == 1
        assert Counter(record.players for record in six) == Counter(tuple("abc"[i] for i in s) for s in SEATINGS)
    assert len({record.deal for record in records}) == 3


def test_without_duplicate_seats_take_turns() -> None:
    records = [record for each in played(Match(RULES, 12, 5, duplicate=False)) for record in each.records]
    assert len({record.deal for record in records}) == 12
    for seat in Seat:
        assert Counter(record.players[seat] for record in records) == {"a": 4, "b": 4, "c": 4}


def test_contracts_in_turn() -> None:
    match = Match(RULES, 4, 5, contracts=(Contract.N, Contract.M), duplicate=False)
    assert [each.records[0].contract.name for each in played(match)] == ["N", "M", "N", "M"]
    free = [each.records[0] for each in played(Match(RULES, 4, 5, duplicate=False))]
    assert json.loads(dict(free[0].extra)["remaining"]) == "SHDCNM"


def test_games_are_games() -> None:
    found = played(Match(RULES, 1, 9, games=True))
    assert len(found) == 6
    for each in found:
        sheet = score_sheet(each.records)
        assert sheet.is_over
        assert sum(sheet.totals) == 0
        assert sheet.players == each.records[0].players
        # The same eighteen deals whoever sits where.
        assert [record.deal for record in each.records] == [record.deal for record in found[0].records]
        assert {json.loads(dict(record.extra)["game"]) for record in each.records} == {f"1.{each.task.seating + 1}"}


@pytest.mark.parametrize("games", [False, True])
def test_the_same_seed_gives_the_same_games_on_any_threads(games: bool) -> None:
    match = Match(RULES if games else MIXED, 1 if games else 2, 3, games=games)
    first = lines(match)
    assert lines(match) == first
    assert lines(match, 3) == first
    assert lines(Match(match.players, match.n_boards, 4, games=games)) != first
    # Fewer boards are the first of more.
    assert lines(Match(match.players, match.n_boards + 1, 3, games=games))[: len(first)] == first


def test_results_add_up() -> None:
    match = Match(RULES, 5, 2)
    found = results(match)
    records = [GameRecord.from_json(line) for line in lines(match)]
    assert (found.n_boards, found.n_deals) == (5, 30)
    assert sum(tally.mean for tally in found.per_deal.values()) == pytest.approx(0)
    for name in "abc":
        won = [points(r.contract, r.tricks)[r.players.index(name)] for r in records if r.tricks]  # type: ignore[arg-type]
        assert found.per_deal[name].mean == pytest.approx(statistics.fmean(won))
        boards = [statistics.fmean(won[i : i + 6]) for i in range(0, 30, 6)]
        assert found.per_deal[name].interval == pytest.approx(2.776 * statistics.stdev(boards) / 5**0.5, rel=1e-3)
    for (a, b), tally in found.pairs.items():
        assert tally.mean == pytest.approx(found.per_deal[a].mean - found.per_deal[b].mean)
    # Two players alike win alike in duplicate.
    assert found.pairs["a", "c"].mean == 0


def test_half_a_board_is_no_board() -> None:
    match = Match(RULES, 2, 2)
    found = Results(match)
    for each in played(match)[:8]:
        found.add(each.records)
    assert (found.n_boards, found.n_deals) == (1, 8)


def test_what_a_forfeit_costs() -> None:
    assert forfeited(Contract.S, (0, 0, 0), 13, Seat.M) == (6, 0, 7)
    assert forfeited(Contract.M, (1, 2, 0), 10, Seat.R) == (1, 2, 10)
    assert forfeited(Contract.N, (5, 4, 3), 1, Seat.R) == (6, 4, 3)


def test_own_bots_that_break_rules_forfeit_too() -> None:
    """A bot class that plays illegally is treated like a program."""

    class Revoker(RuleBot):
        def play(self, view: View) -> Card:
            return next((card for card in view.hand if card not in view.legal), Card("SA"))

    match = Match(RULES, 1, 1, contracts=(Contract.N,))
    crew = Players(match)
    crew.bots[1] = Revoker()
    each = crew.play(next(iter(match.tasks())))
    assert len(each.forfeits) == 1
    assert each.forfeits[0].player == "b"


def test_stopping_is_quick() -> None:
    match = Match((("a", "sampling:samples=1000000"), ("b", "rule"), ("c", "rule")), 3, 1)
    crew, caught = Players(match), []

    def work() -> None:
        try:
            crew.play(next(iter(match.tasks())))
        except Interrupted as error:
            caught.append(error)

    worker = threading.Thread(target=work)
    worker.start()
    time.sleep(0.3)  # long enough to be at it, usually; if not, it is stopped before it begins
    crew.stop()
    worker.join(60)
    assert not worker.is_alive()
    assert len(caught) == 1


# Resuming


def test_replay_finds_whole_tasks() -> None:
    match = Match(RULES, 2, 7)
    records = [(f"f:{i}", GameRecord.from_json(line)) for i, line in enumerate(lines(match), start=1)]
    assert [task.seating for task, _ in replay(match, records[:8])] == [0, 1, 2, 3, 4, 5, 0, 1]
    game = Match(RULES, 1, 7, games=True)
    played_games = [("f", record) for each in played(game)[:2] for record in each.records]
    assert len(list(replay(game, played_games[:35]))) == 1
    for other, message in (
        (Match(RULES, 2, 8), "another seed"),
        (Match((("a", "rule"), ("b", "rule"), ("x", "rule")), 2, 7), "not of this match"),
        (Match(RULES, 1, 7), "more than this match"),
        (Match(RULES, 2, 7, duplicate=False), "not of this match"),
    ):
        with pytest.raises(RecordError, match=message):
            list(replay(other, records))


@pytest.mark.parametrize("names", [("a", "a", "b"), ("a", "b", ""), ("a", "b", "\n")])
def test_what_is_no_match(names: tuple[str, str, str]) -> None:
    with pytest.raises(MizerkaError):
        Match(tuple((name, "rule") for name in names), 1)


def test_t() -> None:
    """Against the table of any textbook."""
    for n, t in ((2, 12.706), (6, 2.571), (8, 2.365), (21, 2.086), (121, 1.980)):
        assert t_factor(n) == pytest.approx(t, rel=0.01)
    assert Tally.of([1, 3]).interval == pytest.approx(12.706, rel=1e-4)


# Strength


def test_rule_beats_random() -> None:
    found = results(Match((("rule", "rule"), ("x", "random"), ("y", "random")), 12, 1))
    rule = found.per_deal["rule"]
    assert all(rule.mean - rule.interval > found.per_deal[name].mean + found.per_deal[name].interval for name in "xy")


@pytest.mark.slow
def test_sampling_beats_rule_beats_random() -> None:
    """120 boards, 720 deals: their 95 % confidence intervals do not overlap."""
    players = (("sampling", "sampling"), ("rule", "rule"), ("random", "random"))
    found = results(Match(players, 120, 2026, contracts=tuple(Contract))).per_deal
    bounds = {name: (tally.mean - tally.interval, tally.mean + tally.interval) for name, tally in found.items()}
    assert bounds["sampling"][0] > bounds["rule"][1]
    assert bounds["rule"][0] > bounds["random"][1]
