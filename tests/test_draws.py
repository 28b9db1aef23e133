"""Draws of hidden cards have the odds of the stated model: counts against enumeration, draws against counts."""

from __future__ import annotations

import itertools
from collections import Counter
from math import comb, exp, prod, sqrt
from random import Random

import pytest

from mizerka_solver import Contract, Deal, Seat
from mizerka_solver.bots import RandomBot, Table, View, view_from_dict
from mizerka_solver.game.cards import ALL_CARDS, LANE_MASK
from mizerka_solver.hidden.draws import Worlds, bits, discard_weight
from mizerka_solver.hidden.placements import Placements

HAND_A, HAND_B, LAID_DOWN, TALON = range(4)
N_DRAWS = 400
RISK = 1e-3  # of all tests together, if every draw is right; seeds are fixed, so that it is no matter of luck


def random_view(seed: int, n_left: int, pattern: int) -> View:
    """A seat's view with so many cards left, in a deal in which the seats of a pattern exchanged, played at random."""
    random = Random(seed)
    table = Table(Deal.random(seed), remaining=(Contract(seed % 6),))
    bot = RandomBot()
    bot.new_deal(seed)
    for seat in Seat:
        cards = list(table.hands[seat])
        most = min(table.view().talon, 12 if seat == seed // 8 % 3 else 5)
        n = 1 + int(random.random() * most) if pattern >> seat & 1 and most else 0
        table.exchange([cards.pop(int(random.random() * len(cards))) for _ in range(n)])
    while len(table.view().hand) > n_left or len(table.trick) < seed % 3:
        table.play(bot.play(table.view()))
    return table.view()


class Counted:
    """The exact weights of all placements, card by card: an independent way of counting."""

    def __init__(self, view: View) -> None:
        self.cards = bits(view.unseen_mask)
        self.others = [seat for seat in Seat if seat is not view.seat]
        played = {Seat((view.leader + i) % 3) for i in range(len(view.trick))}
        self.sizes = [len(view.hand) - (seat in played) for seat in self.others]
        self.voids = [view.voids()[seat] for seat in self.others]
        self.laid_down = sum(n for seat, n in zip(Seat, view.exchanged, strict=True) if seat is not view.seat)
        assert view.contract is not None
        self.weights = [discard_weight(view.contract, card) for card in self.cards]
        self.start = (self.sizes[0], self.sizes[1], self.laid_down, len(self.cards) - sum(self.sizes) - self.laid_down)
        self.ways: list[dict[tuple[int, ...], int]] = [{} for _ in self.cards] + [{(0, 0, 0, 0): 1}]
        self.total = self.count(0, self.start)

    def places(self, i: int) -> list[int]:
        card = self.cards[i]
        hands = [place for place in (HAND_A, HAND_B) if not self.voids[place] >> card & 1]
        return [*hands, LAID_DOWN, TALON]

    def count(self, i: int, room: tuple[int, ...]) -> int:
        """The weight of all ways to place the cards from i on."""
        if room not in self.ways[i]:
            total = 0
            for place in self.places(i) if i < len(self.cards) else ():
                if room[place]:
                    weight = self.weights[i] if place == LAID_DOWN else 1
                    total += weight * self.count(i + 1, less(room, place))
            self.ways[i][room] = total
        return self.ways[i][room]

    def odds(self) -> list[list[float]]:
        """For each card the probabilities of its places."""
        reached = {self.start: 1}
        odds = []
        for i in range(len(self.cards)):
            sums, after = [0, 0, 0, 0], Counter[tuple[int, ...]]()
            for room, ways in reached.items():
                for place in self.places(i):
                    if room[place]:
                        step = ways * (self.weights[i] if place == LAID_DOWN else 1)
                        sums[place] += step * self.count(i + 1, less(room, place))
                        after[less(room, place)] += step
            odds.append([n / self.total for n in sums])
            reached = dict(after)
        return odds


def less(room: tuple[int, ...], place: int) -> tuple[int, ...]:
    return (*room[:place], room[place] - 1, *room[place + 1 :])


def chance(square: float, freedom: int) -> float:
    """The chance of so large a chi-square, by Wilson and Hilferty."""
    spread = 2 / (9 * freedom)
    z = ((square / freedom) ** (1 / 3) - 1 + spread) / sqrt(spread)
    if z < 3:
        return 1.0  # far from any threshold here
    return exp(-z * z / 2) / (z * 2.506628)


VIEWS = [
    random_view(1000 * n_left + 8 * number + pattern, n_left, pattern)
    for n_left in (2, 3, 4, 5)
    for pattern in range(8)
    for number in range(9)
]


def test_the_views_are_of_every_kind() -> None:
    assert len(VIEWS) == 288
    assert {view.seat for view in VIEWS} == set(Seat)
    assert {tuple(n > 0 for n in view.exchanged) for view in VIEWS} == set(itertools.product((False, True), repeat=3))
    suits = [[sum(mask >> 16 * suit & 1 for suit in range(4)) for mask in view.voids()] for view in VIEWS]
    shown = {sum(row) - row[view.seat] for view, row in zip(VIEWS, suits, strict=True)}
    assert shown >= {0, 1, 2, 3, 4}


def test_counts_are_exact() -> None:
    for view in VIEWS:
        assert Worlds(view).placements.total == Counted(view).total, view


@pytest.mark.parametrize("half", [0, 1])
def test_draws_have_the_odds_of_the_model(half: int) -> None:
    """Chi-square tests of where each card lies."""
    worst, n_tests = 1.0, 0
    for number, view in enumerate(VIEWS[half::2]):
        counted, worlds, random = Counted(view), Worlds(view), Random(number)
        seen = [[0, 0, 0] for _ in counted.cards]
        for _ in range(N_DRAWS):
            world = worlds.draw(random)
            a, b = (world.hands[seat] for seat in counted.others)
            talon = sum(1 << bit for bit in world.talon)
            for row, card in zip(seen, counted.cards, strict=True):
                row[0] += a >> card & 1
                row[1] += b >> card & 1
                row[2] += talon >> card & 1
        for row, odds in zip(seen, counted.odds(), strict=True):
            wanted = [odds[HAND_A], odds[HAND_B], odds[TALON], odds[LAID_DOWN]]
            got = [*row, N_DRAWS - sum(row)]
            assert all(n == 0 for n, p in zip(got, wanted, strict=True) if p == 0)
            cells = [(n, p * N_DRAWS) for n, p in zip(got, wanted, strict=True) if p * N_DRAWS > 5]
            if len(cells) > 1:
                rest = N_DRAWS - sum(n for n, _ in cells), N_DRAWS - sum(e for _, e in cells)
                cells += [rest] if rest[1] > 1e-9 else []
                square = sum((n - e) ** 2 / e for n, e in cells if e > 1)
                worst, n_tests = min(worst, chance(square, len(cells) - 1)), n_tests + 1
    assert n_tests > 1000
    assert worst * n_tests > RISK


def test_whole_placements_have_the_odds_of_the_model() -> None:
    """All placements of a few cards written down: joint odds, not those of single cards."""
    n_tests, worst = 0, 1.0
    for number in range(150):
        random = Random(number)
        cards = sorted(random.sample(bits(ALL_CARDS), 6))
        sizes, laid_down = (random.randint(1, 2), random.randint(1, 2)), random.randint(0, 2)
        voids = tuple(sum(LANE_MASK << 16 * suit for suit in range(4) if random.random() < 0.3) for _ in range(2))
        weight = {card: random.randint(1, 9) for card in cards}
        placed = Placements(cards, sizes, (voids[0], voids[1]), laid_down, weight.__getitem__)
        weights = enumerated(cards, sizes, voids, laid_down, weight)
        assert placed.total == sum(weights.values())
        if len(weights) < 2:
            continue
        n = 1000
        seen: Counter[tuple[int, int, int]] = Counter()
        for _ in range(n):
            a, b, rest = placed.draw(random)
            seen[a, b, sum(1 << card for card in rest)] += 1
        assert set(seen) <= set(weights)
        expected = {key: n * w / placed.total for key, w in weights.items()}
        cells = [(seen[key], e) for key, e in expected.items() if e >= 5]
        rest_of = n - sum(k for k, _ in cells), n - sum(e for _, e in cells)
        cells += [rest_of] if rest_of[1] > 5 else []
        if len(cells) > 1:
            square = sum((k - e) ** 2 / e for k, e in cells)
            worst, n_tests = min(worst, chance(square, len(cells) - 1)), n_tests + 1
    assert n_tests > 100
    assert worst * n_tests > RISK


def enumerated(
    cards: list[int], sizes: tuple[int, int], voids: tuple[int, ...], laid_down: int, weight: dict[int, int]
) -> dict[tuple[int, int, int], int]:
    """Masks of the two hands and the talon, and their weight, of every placement."""
    found: dict[tuple[int, int, int], int] = {}
    for where in itertools.product(range(4), repeat=len(cards)):
        masks = [sum(1 << card for card, at in zip(cards, where, strict=True) if at == place) for place in range(4)]
        counts = [mask.bit_count() for mask in masks]
        if counts[:3] == [*sizes, laid_down] and not (masks[0] & voids[0] or masks[1] & voids[1]):
            w = prod(weight[card] for card, place in zip(cards, where, strict=True) if place == LAID_DOWN)
            found[masks[HAND_A], masks[HAND_B], masks[TALON]] = w
    return found


# Known counts


LONG = {"type": "play", "seat": "F", "hand": "K2.K2.KQ32.KQ2", "contract": "N", "exchanged": {"F": 0, "M": 0, "R": 0},
        "play": ["SA", "D4", "D5", "HA", "H3", "D6"]}  # fmt: skip


def test_two_voids_in_a_long_hand() -> None:
    """R has neither spades nor hearts, M no spades: of 9 unseen hearts M holds 7.07 on average."""
    view = view_from_dict(LONG)
    ways = {k: comb(9, k) * comb(16, 11 - k) * comb(5 + k, 11) for k in range(10)}
    total = sum(ways.values())
    assert Worlds(view).placements.total == total
    mean = sum(k * n for k, n in ways.items()) / total
    assert round(mean, 2) == 7.07
    worlds, random = Worlds(view), Random(1)
    hearts = [(worlds.draw(random).hands[Seat.M] >> 16 & LANE_MASK).bit_count() for _ in range(5000)]
    spread = sum(k * k * n for k, n in ways.items()) / total - mean * mean
    assert abs(sum(hearts) / 5000 - mean) < 4 * sqrt(spread / 5000)


def test_without_voids_and_weights_all_deals_count() -> None:
    cards = list(range(13)) + list(range(16, 29))
    assert Placements(cards, (13, 5), (0, 0), 0, lambda card: 1).total == comb(26, 13) * comb(13, 5)
    assert Placements(cards, (10, 10), (0, 0), 4, lambda card: 1).total == comb(26, 4) * comb(22, 10) * comb(12, 10)
    assert Placements(cards, (14, 1), (LANE_MASK, 0), 0, lambda card: 1).total == 0


def test_the_only_way_is_found() -> None:
    """Each hand void in three suits: whatever else the cards might be, there is one world."""
    suits = [LANE_MASK << 16 * suit for suit in range(4)]
    cards = bits(suits[0] | suits[1])
    placed = Placements(cards, (13, 13), (ALL_CARDS & ~suits[0], ALL_CARDS & ~suits[1]), 0, lambda card: 1)
    assert placed.total == 1
    assert placed.draw(Random(1)) == (suits[0], suits[1], [])
