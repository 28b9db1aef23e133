"""Bots: a view shows what its seat may see and no more; rules of thumb play by the rules; draws fit what is known."""

from __future__ import annotations

import json
import re
from random import Random

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from mizerka_solver import Card, Contract, Deal, GameRecord, MizerkaError, Position, Seat
from mizerka_solver.bots import RandomBot, RuleBot, Sampler, SamplingBot, Table, View, advise, make_bot, view_from_dict
from mizerka_solver.bots.base import Bot
from mizerka_solver.bots.sampling import similar_cards
from mizerka_solver.double_dummy.solver import equivalent_cards
from mizerka_solver.game.cards import ALL_CARDS
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.game.rules import trick_winner
from mizerka_solver.hidden.draws import Worlds, bits
from mizerka_solver.policy.play import choose, playout, winner
from mizerka_solver.support.errors import IllegalCardError, IllegalExchangeError, InvalidContractError, RecordError
from tests.strategies import contracts, deals, positions

SHORT = "F:A.2.-.- M:K.3.-.- R:-.54.-.- T:S2"


def play_deal(bots: list[Bot], seed: int, remaining: tuple[Contract, ...] = tuple(Contract), stop: int = 99) -> Table:
    """Play a deal, or its first `stop` decisions."""
    deal, previews = deal_seeded(seed)
    table = Table(deal, previews[0], remaining)
    for bot in bots:
        bot.new_deal(seed)
    for _ in range(stop):
        if table.is_over:
            break
        bot, view = bots[table.to_act], table.view()
        if table.phase == "contract":
            table.name(bot.name_contract(view))
        elif table.phase == "exchange":
            table.exchange(bot.exchange(view))
        else:
            table.play(bot.play(view))
    return table


@st.composite
def tables(draw: st.DrawFn, min_steps: int = 0, max_steps: int = 42) -> Table:
    """Tables in the middle of a deal played at random, at its start too."""
    seed, n = draw(st.integers(0, 2**32), label="seed"), draw(st.integers(min_steps, max_steps), label="steps")
    return play_deal([RandomBot() for _ in range(3)], seed, stop=n)


def known(view: View) -> set[Card]:
    """The cards a view may mention."""
    return {*view.hand, *view.discarded, *view.play}


# Views


@given(table=tables(1), data=st.data())
@settings(max_examples=60, deadline=None)
def test_deals_alike_to_a_seat_give_equal_views(table: Table, data: st.DataObject) -> None:
    seat = data.draw(st.sampled_from(Seat))
    view = table.view(seat)
    hidden = [card for card in map(Card.from_bit, bits(ALL_CARDS)) if card not in known(view)]
    assume(len(hidden) > 1)
    a, b = data.draw(st.lists(st.sampled_from(hidden), min_size=2, max_size=2, unique=True))
    swap = {a: b, b: a}

    def other(cards: tuple[Card, ...]) -> list[Card]:
        return [swap.get(card, card) for card in cards]

    deal = table.deal
    hands = [type(hand).from_cards(other(tuple(hand))) for hand in deal.hands]
    twin = Table(Deal.from_hands(hands, other(deal.talon)))
    assert table.contract is not None
    twin.name(table.contract)
    try:
        for discards in table.discards:
            twin.exchange(other(discards))
        for card in table.cards:
            twin.play(card)
    except IllegalCardError:  # somebody who did not follow would now have had to
        assume(False)
    assert twin.view(seat) == view
    assert twin.view(seat).as_dict() == view.as_dict()
    assert repr(twin.view(seat)) == repr(view)


@given(table=tables())
@settings(max_examples=100, deadline=None)
def test_views_mention_known_cards_only(table: Table) -> None:
    for seat in Seat:
        view = table.view(seat)
        text = json.dumps(view.as_dict() | {"hand": "", "remaining": "", "contract": ""})
        assert {Card(word) for word in re.findall(r"\b[SHDC][2-9TJQKA]\b", text)} <= known(view)
        assert not any(isinstance(value, (Table, Deal)) for value in view)
        assert view.unseen_mask & sum(card.mask for card in known(view)) == 0
    assert table.view() == table.view(table.to_act)


def test_a_contract_is_named_from_six_cards() -> None:
    deal, previews = deal_seeded(5)
    view = Table(deal, previews[0]).view()
    assert (view.phase, view.seat, view.hand) == ("contract", Seat.F, previews[0])
    assert len(Table(deal, previews[0]).view(Seat.M).hand) == 0


@given(table=tables())
@settings(max_examples=100, deadline=None)
def test_views_survive_json(table: Table) -> None:
    if not table.is_over:
        view = table.view()
        assert view_from_dict(json.loads(json.dumps(view.as_dict()))) == view


@pytest.mark.parametrize(
    "wrong",
    [{}, {"type": "x"}, {"type": "play"}, {"type": "play", "seat": "F", "hand": 3}, {"type": "play", "seat": "X"},
     {"type": "exchange", "seat": "F", "hand": "A...", "contract": "N", "exchanged": [1]},
     {"type": "play", "seat": "F", "hand": "A...", "contract": "N", "play": "SA"}],
)  # fmt: skip
def test_what_is_no_view(wrong: dict[str, object]) -> None:
    with pytest.raises(MizerkaError):
        view_from_dict(wrong)


def test_the_table_checks_every_step() -> None:
    table = Table(Deal(SHORT), remaining=(Contract.N, Contract.S))
    with pytest.raises(InvalidContractError):
        table.name(Contract.M)
    with pytest.raises(MizerkaError):
        table.play(Card("SA"))
    table.name(Contract.N)
    with pytest.raises(InvalidContractError):
        table.name(Contract.S)
    with pytest.raises(IllegalExchangeError):
        table.exchange([Card("SK")])
    for _ in Seat:
        table.exchange([])
    with pytest.raises(MizerkaError):
        table.exchange([])
    table.play(Card("SA"))
    with pytest.raises(IllegalCardError):
        table.play(Card("H3"))
    assert table.view().legal == (Card("SK"),)


@given(table=tables())
@settings(max_examples=50, deadline=None)
def test_records_of_tables(table: Table) -> None:
    if table.contract is None:
        return
    record = table.record(("a", "b", "c"), "x")
    checked = GameRecord.from_json(record.to_json())
    assert checked == record
    assert (checked.tricks, checked.deal_after_exchange) == (record.tricks, record.deal_after_exchange)
    assert list(checked.positions()) == list(record.positions())
    assert checked.final_position == record.final_position
    again = Table.of(record)
    assert (again.hands, again.cards, again.tricks_won) == (table.hands, table.cards, table.tricks_won)
    if len(table.discards) == 3:
        assert (again.phase, again.to_act, again.is_over) == (table.phase, table.to_act, table.is_over)
        position = record.final_position
        assert (position.hands, position.trick, position.tricks_won) == (table.hands, table.trick, table.tricks_won)


def test_what_no_table_checks_is_checked_in_its_record() -> None:
    table = play_deal([RuleBot() for _ in range(3)], 1, (Contract.N,), stop=6)
    assert table.tricks_won == (1, 0, 0)
    assert table.record(("a", "b", "c"), tricks=(1, 5, 7)).tricks == (1, 5, 7)
    for tricks, message in (((1, 5, 8), "sum to 13"), ((0, 6, 7), "already won")):
        with pytest.raises(RecordError, match=message):
            table.record(("a", "b", "c"), tricks=tricks)
    with pytest.raises(RecordError, match="a name is printable text"):
        table.record(("a", "", "c"))
    with pytest.raises(RecordError, match="given twice"):
        table.record(("a", "b", "c"), extra=(("x", "1"), ("x", "2")))
    assert table.record(("a", "b", "c"), extra=(("x", "[1, 2]"),)).extra == (("x", "[1,2]"),)
    whole = play_deal([RuleBot() for _ in range(3)], 1, (Contract.N,))
    assert whole.record(("a", "b", "c"), tricks=whole.tricks_won).claimed is None


# Rules of thumb


@given(position=positions(1, 13, min_left=1), data=st.data())
@settings(max_examples=100, deadline=None)
def test_rules_of_thumb_are_legal(position: Position, data: st.DataObject) -> None:
    hand = position.hands[position.to_move].mask
    unseen = data.draw(st.integers(0, ALL_CARDS)) & ALL_CARDS & ~hand
    card = choose(hand, position.contract, [card.bit for card in position.trick], unseen)
    assert Card.from_bit(card) in position.legal_cards()


@given(deal=deals(3, 13), contract=contracts())
@settings(max_examples=50, deadline=None)
def test_playing_out(deal: Deal, contract: Contract) -> None:
    assert sum(playout(list(deal.masks), contract, 0, [])) == deal.hand_size
    trick = [hand.mask.bit_length() - 1 for hand in deal.hands]
    cards = [Card.from_bit(bit) for bit in trick]
    assert trick.index(winner(contract, trick)) == trick_winner(cards, contract)


def test_the_rule_bot_is_no_fool() -> None:
    """Three tricks a player are worth more than luck: it beats two random players in every seat and contract."""
    for seat in Seat:
        total = 0
        for seed in range(30):
            bots: list[Bot] = [RandomBot() for _ in range(3)]
            bots[seat] = RuleBot()
            table = play_deal(bots, seed, (Contract(seed % 6),))
            assert table.contract is not None
            sign = -1 if table.contract.is_mizerka else 1
            total += sign * (3 * table.tricks_won[seat] - 13)
        assert total > 60


# Draws of hidden cards


@given(table=tables(1), seed=st.integers(0, 2**32))
@settings(max_examples=60, deadline=None)
def test_draws_fit_what_is_known(table: Table, seed: int) -> None:
    if table.is_over:
        return
    view = table.view()
    world = Worlds(view).draw(Random(seed))
    assert world.hands[view.seat] == view.hand.mask
    assert [mask.bit_count() for mask in world.hands] == list(map(len, table.hands))
    f, m, r = world.hands
    talon = sum(1 << bit for bit in world.talon)
    assert f & m == m & r == f & r == (f | m | r) & talon == 0
    assert (f | m | r | talon) & ~(view.unseen_mask | view.hand.mask) == 0
    assert len(world.talon) >= view.talon
    for seat in Seat:
        if seat is not view.seat:
            assert world.hands[seat] & view.voids()[seat] == 0
            assert table.hands[seat].mask & view.voids()[seat] == 0


def test_high_cards_are_thought_to_be_held() -> None:
    table = play_deal([RuleBot() for _ in range(3)], 3, (Contract.N,), stop=3)
    view = table.view()
    ace = next(card for card in map(Card.from_bit, bits(view.unseen_mask)) if card.rank == 12)
    low = next(card for card in map(Card.from_bit, bits(view.unseen_mask)) if card.rank <= 2)
    held = dict.fromkeys((ace, low), 0)
    for seed in range(300):
        hands = Worlds(view).draw(Random(seed)).hands
        for card in held:
            held[card] += bool((hands[1] | hands[2]) & card.mask)
    assert held[ace] > held[low] + 30


def test_naming_draws_its_own_cards_too() -> None:
    deal, previews = deal_seeded(1)
    view = Table(deal, previews[0]).view()
    world = Worlds(view).draw(Random(1))
    assert [mask.bit_count() for mask in world.hands] == [13, 13, 13]
    assert world.hands[0] & view.hand.mask == view.hand.mask
    assert len(world.talon) == 13


# The sampling bot


def test_sampling_is_repeatable_and_legal() -> None:
    bots: list[Bot] = [SamplingBot(4), RuleBot(), SamplingBot(4)]
    first, second = (play_deal(bots, 11).record(("a", "b", "c")) for _ in range(2))
    assert first == second
    assert first.tricks is not None


def test_advice_has_numbers() -> None:
    sampler = Sampler(8)
    table = play_deal([RuleBot() for _ in range(3)], 2, stop=0)
    contract_options = advise(sampler, table.view())
    assert {option.choice for option in contract_options} == set(Contract)
    table.name(Contract.H)
    exchange_options = advise(sampler, table.view())
    assert len({len(option.choice) for option in exchange_options}) == len(exchange_options) > 1
    for seat in Seat:
        table.exchange(exchange_options[0].choice if seat is Seat.F else [])
    while len(table.view().hand) > 6:
        table.play(table.view().legal[0])
    for options in (contract_options, exchange_options, advise(sampler, table.view())):
        assert [option.worth for option in options] == sorted((o.worth for o in options), reverse=True)
        assert all(option.points.n == 8 and option.lead.mean <= 1e-9 for option in options)
        assert options[0].lead.mean == 0
        assert json.dumps(options[0].as_dict("choice", str))


def test_a_time_limit_ends_sampling() -> None:
    table = play_deal([RuleBot() for _ in range(3)], 2, stop=4)
    options = advise(Sampler(10**6, seconds=0.05), table.view())
    assert 1 <= options[0].points.n < 10**5


@given(table=tables(4))
@settings(max_examples=60, deadline=None)
def test_cards_nobody_can_tell_apart(table: Table) -> None:
    """Never coarser than with open cards, where fewer are in play."""
    if table.is_over or len(table.discards) < 3:
        return
    view = table.view()
    groups = similar_cards(view)
    assert sorted(card for group in groups for card in group) == sorted(view.legal)
    assert table.contract is not None
    position = Position.from_hands(table.hands, table.contract, table.leader, table.trick, table.tricks_won)
    open_groups = [set(group) for group in equivalent_cards(position)]
    assert all(any(set(group) <= wide for wide in open_groups) for group in groups)


def test_a_certain_win_is_taken() -> None:
    """Last to play with the ace to two low cards, one trick left after it: no draw can make the deuce better."""
    table = Table(Deal("F:3.2.-.- M:4.3.-.- R:A2.-.-.- T:"), remaining=(Contract.N,))
    for _ in Seat:
        table.exchange([])
    table.play(Card("S3"))
    table.play(Card("S4"))
    (option, *_) = advise(Sampler(5), table.view())
    assert option.choice[0] == Card("SA")


@pytest.mark.parametrize("spec", ["", "x", "rule:3", "sampling:x=1", "sampling:samples=0", "sampling:seconds=-1",
                                  "sampling:samples=1e9", "cmd:", "cmd:'", "cmd:no-such-program-here"])  # fmt: skip
def test_what_is_no_bot(spec: str) -> None:
    with pytest.raises(MizerkaError):
        make_bot(spec)


def test_bots_by_text() -> None:
    bot = make_bot("sampling:samples=5,seconds=0.5")
    assert isinstance(bot, SamplingBot)
    assert (bot.sampler.samples, bot.sampler.seconds) == (5, 0.5)
