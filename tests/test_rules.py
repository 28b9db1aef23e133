"""The rules: following suit, trick winner, scoring, exchange, dealing, variants, and the sheet of a whole game."""

from __future__ import annotations

from dataclasses import FrozenInstanceError
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from mizerka_solver.game.cards import ALL, Card, Hand, parse_cards
from mizerka_solver.game.rules import (
    MIZERKA,
    Contract,
    Game,
    Seat,
    SheetRow,
    Triple,
    Variant,
    by_column,
    by_seat,
    check_card,
    deal_out,
    exchange,
    legal_cards,
    legal_mask,
    points,
    seat_points,
    shuffled,
    trick_winner,
)
from mizerka_solver.support.errors import (
    IllegalCardError,
    IllegalExchangeError,
    InvalidContractError,
    InvalidVariantError,
    MizerkaError,
)
from tests.strategies import cards, contracts, games, hands, seats, tricks

SHUFFLED_0 = "SJD3STD7S7SKS8HTD5C5HKHJS6"
SHUFFLED_2025 = "H6D3D5C9D4DTDKH5HKH7H2CAS4"
THREE_FIVE_EIGHT = Variant(16, 6, (8, 5, 3), (3, 5, 8), "3-5-8")


def test_names() -> None:
    assert [(seat.name, seat.value, seat.next.name) for seat in Seat] == [("F", 0, "M"), ("M", 1, "R"), ("R", 2, "F")]
    assert "".join(f"{contract}" for contract in Contract) == "SHDCNM"
    assert [contract.symbol for contract in Contract] == ["♠", "♥", "♦", "♣", "NT", "MIZ"]
    assert [str(contract.trump) for contract in Contract] == ["S", "H", "D", "C", "None", "None"]
    assert [contract.is_mizerka for contract in Contract] == [False] * 5 + [True]
    assert eval(repr(Contract.N)) is Contract.N
    assert eval(repr(Seat.R)) is Seat.R


@given(contracts())
def test_contract_spellings(contract: Contract) -> None:
    for text in (contract.name, contract.name.lower(), contract.symbol, contract.long_name, contract.long_name.title()):
        assert Contract.parse(text) is contract


@pytest.mark.parametrize("text", ["", "X", "SS", "0", "notrump "])
def test_no_contract(text: str) -> None:
    with pytest.raises(InvalidContractError, match="not a contract, contracts are S H D C N M"):
        Contract.parse(text)


@pytest.mark.parametrize("text", ["", "X", "FM", "0"])
def test_no_seat(text: str) -> None:
    with pytest.raises(MizerkaError, match="not a seat, seats are F M R"):
        Seat.parse(text)


@given(hands(), st.lists(cards(), max_size=2))
def test_suit_must_be_followed(hand: Hand, trick: list[Card]) -> None:
    legal = set(legal_cards(hand, trick))
    assert sum(card.mask for card in legal) == legal_mask(hand, trick)
    in_suit = {card for card in hand if trick and card.suit is trick[0].suit}
    assert legal == (in_suit or set(hand))


@given(hands(), st.lists(cards(), max_size=2), cards(), seats())
def test_check_card_agrees_with_legal_cards(hand: Hand, trick: list[Card], card: Card, seat: Seat) -> None:
    if card in legal_cards(hand, trick):
        check_card(hand, trick, card, seat)
        return
    held = card in hand
    rule = f"revoke, {seat} must follow {trick[0].suit.long_name}" if held else f"{seat} does not hold it"
    with pytest.raises(IllegalCardError, match=f"^{card}: {rule}$"):
        check_card(hand, trick, card, seat)


@pytest.mark.parametrize(
    ("trick", "contract", "place"),
    [
        ("S2S3SA", "N", 2),
        ("S2HAHK", "N", 0),
        ("S2HAHK", "M", 0),
        ("SAH2C2", "H", 1),
        ("SAH2H3", "H", 2),
        ("SAH3H2", "H", 1),
        ("H4SAHA", "H", 2),
        ("C2", "S", 0),
        ("C2S2", "S", 1),
    ],
)
def test_trick_winner(trick: str, contract: str, place: int) -> None:
    assert trick_winner(parse_cards(trick), Contract[contract]) == place


@given(st.lists(cards(), min_size=1, max_size=3, unique=True), contracts())
def test_trick_winner_is_the_highest_trump_or_card_led(trick: list[Card], contract: Contract) -> None:
    best = trick[trick_winner(trick, contract)]
    trumps = [card for card in trick if card.suit is contract.trump]
    rivals = trumps or [card for card in trick if card.suit is trick[0].suit]
    assert best in rivals
    assert best.rank == max(card.rank for card in rivals)


def test_scoring_table() -> None:
    table = [[seat_points(contract, seat, 4) for seat in Seat] for contract in (Contract.S, Contract.N, Contract.M)]
    assert table == [[-3, -1, 3], [-3, -1, 3], [-3, 1, 3]]


@given(contracts(), tricks(), st.sampled_from([MIZERKA, THREE_FIVE_EIGHT]))
def test_points_sum_to_zero(contract: Contract, won: Triple, variant: Variant) -> None:
    won = (won[0] + variant.hand_size - 13, won[1], won[2])
    assert sum(points(contract, won, variant)) == 0


@pytest.mark.parametrize("won", [(5, 4, 3), (14, -1, 0), (13, 0)])
def test_points_need_all_tricks(won: Triple) -> None:
    with pytest.raises(MizerkaError, match="three trick counts sum to 13"):
        points(Contract.S, won)


def test_shuffle_is_the_documented_one_for_ever() -> None:
    # These values are a promise: seeds are quoted in papers and bug reports.
    assert "".join(map(str, shuffled(0)[:13])) == SHUFFLED_0
    assert "".join(map(str, shuffled(2025)[:13])) == SHUFFLED_2025
    assert set(shuffled(7)) == set(ALL)


def test_a_shuffle_draws_51_numbers() -> None:
    used, counted = Random(3), Random(3)
    shuffled(used)
    for _ in range(51):
        counted.random()
    assert used.random() == counted.random()


def test_generator_goes_on() -> None:
    rng = Random(5)
    first, second = shuffled(rng), shuffled(rng)
    assert first == shuffled(5)
    assert second != first


def test_negative_seed_is_refused() -> None:
    with pytest.raises(MizerkaError, match=r"^-1: a seed must be 0 or more$"):
        shuffled(-1)


@pytest.mark.parametrize(
    "variant",
    [MIZERKA, THREE_FIVE_EIGHT, Variant(17, 6, (9, 5, 3), (3, 5, 9)), Variant(1, 0, (1, 0, 0), (0, 0, 1))],
)
def test_dealing_hands_out_every_card_in_turn(variant: Variant) -> None:
    hands_, talon = deal_out(ALL, variant)
    assert [len(hand) for hand in hands_] == [variant.hand_size] * 3
    assert len(talon) == variant.talon_size
    assert {card for pile in (*hands_, talon) for card in pile} == set(ALL)
    assert [hand[0] for hand in hands_] == list(ALL[:3])
    if variant is MIZERKA:
        assert hands_[0][:6] == ALL[0:24:4]
        assert talon == ALL[3::4]


def test_exchange_draws_from_the_top() -> None:
    hand, talon = exchange(Hand("AK2.-.-.3"), parse_cards("H9H8H7"), parse_cards("S2C3"))
    assert (hand, talon) == (Hand("AK.98.-.-"), parse_cards("H7"))
    assert exchange(hand, talon, ()) == (hand, talon)


@pytest.mark.parametrize(
    ("discards", "message"),
    [
        ("SAS2C3", "C3: 3 discards, but the talon has 2 cards left"),
        ("S5", "S5: discarded, but not held"),
        ("SAH9", "H9: drawn in this exchange, it can't be discarded"),
    ],
)
def test_exchange_refusals(discards: str, message: str) -> None:
    with pytest.raises(IllegalExchangeError) as info:
        exchange(Hand("AK2.-.-.3"), parse_cards("H9H8"), parse_cards(discards))
    assert str(info.value) == message


def test_a_card_is_discarded_once() -> None:
    with pytest.raises(IllegalExchangeError, match=r"^SA: discarded twice$"):
        exchange(Hand("AK2.-.-.3"), parse_cards("H9H8"), [Card("SA"), Card("SA")])


@given(hands(1, 13), st.data())
def test_exchange_keeps_the_number_of_cards(hand: Hand, data: st.DataObject) -> None:
    rest = [card for card in ALL if card not in hand]
    talon = data.draw(st.permutations(rest), label="talon")[:13]
    discards = data.draw(st.permutations(list(hand)), label="discards")[: data.draw(st.integers(0, 13), label="n")]
    after, left = exchange(hand, talon, discards)
    assert len(after) == len(hand)
    assert not set(discards) & set(after)
    assert set(after) | set(left) | set(discards) == set(hand) | set(talon)
    assert list(left) == talon[len(discards) :]


@pytest.mark.parametrize(
    ("args", "message"),
    [
        ((0,), "hand_size 0: a hand has 1 to 17 cards"),
        ((18, 6, (8, 5, 5), (5, 5, 8)), "hand_size 18: a hand has 1 to 17 cards"),
        ((13, 14), "preview_size 14: a preview has 0 to 13 cards"),
        ((13, 6, (7, 5, 2)), "targets 7/5/2: three targets sum to 13 tricks, so that points sum to 0"),
        (
            (13, 6, (7, 5, 1), (1, 5, 8)),
            "mizerka_targets 1/5/8: three targets sum to 13 tricks, so that points sum to 0",
        ),
    ],
)
def test_no_variant(args: tuple[int, ...], message: str) -> None:
    with pytest.raises(InvalidVariantError) as info:
        Variant(*args)  # type: ignore[arg-type]
    assert str(info.value) == message


# A whole game


def test_worked_example() -> None:
    game = Game(("A", "B", "G"), first_dealer=2)
    seen = []
    for contract, won in ((Contract.H, (5, 4, 4)), (Contract.M, (2, 6, 5)), (Contract.S, (11, 0, 2))):
        game = game.record(contract, won)
        row = game.sheet[-1]
        seen.append((row.number, row.dealer, "".join(row.seats), row.points, row.totals))
    assert seen == [
        (1, "G", "ABG", (-2, -1, 3), (-2, -1, 3)),
        (2, "A", "BGA", (2, -1, -1), (0, -2, 2)),
        (3, "B", "GAB", (-5, 1, 4), (-5, -1, 6)),
    ]
    assert game.next_dealer == "G"
    assert game.remaining("A") == tuple(c for c in Contract if c is not Contract.H)


@given(games())
def test_sheet_invariants(game: Game) -> None:
    assert sum(game.totals) == 0
    assert game.is_over == (len(game.sheet) == game.n_deals == 6 * len(game.players))
    for row in game.sheet:
        assert sum(row.points) == 0
        # With three at the table the dealer is rearhand, with four it sits out.
        assert (row.dealer == row.seats[2]) == (len(game.players) == 3)
        assert (row.dealer in row.seats) == (len(game.players) == 3)
    for player in game.players:
        named = [row.contract for row in game.sheet if row.seats[0] == player]
        assert len(named) == len(set(named))
        assert set(named).isdisjoint(game.remaining(player))
        assert len(named) + len(game.remaining(player)) == 6
        assert not (game.is_over and game.remaining(player))
    names = {cls.__name__: cls for cls in (Contract, Game, SheetRow, Variant)}
    assert eval(repr(game), names) == game


@pytest.mark.parametrize(("n_players", "n_deals"), [(3, 18), (4, 24)])
def test_a_game_ends(n_players: int, n_deals: int) -> None:
    game = Game(tuple("ABGH"[:n_players]))
    while not game.is_over:
        game = game.record(game.remaining(game.seats[0])[-1], (7, 5, 1))
    assert len(game.sheet) == n_deals
    with pytest.raises(MizerkaError, match=f"the game is over after {n_deals} deals"):
        game.record(Contract.S, (7, 5, 1))


def test_game_refusals() -> None:
    game = Game(("A", "B", "G"), first_dealer=2)
    for _ in range(3):
        game = game.record(Contract.H, (5, 4, 4))
    with pytest.raises(InvalidContractError, match=r"^H: A has named hearts before, each contract is named once$"):
        game.record(Contract.H, (5, 4, 4))
    with pytest.raises(MizerkaError, match=r"^5-4-3: three trick counts sum to 13$"):
        game.record(Contract.S, (5, 4, 3))
    with pytest.raises(MizerkaError, match=r"^Z: no player of this game$"):
        game.remaining("Z")
    for players, message in (("AB", "2: a game has 3 players"), ("AAB", "A,A,B: players must have different names")):
        with pytest.raises(MizerkaError, match=f"^{message}"):
            Game(tuple(players))
    with pytest.raises(MizerkaError, match=r"^3: the first dealer is a player's index, 0 to 2$"):
        Game(("A", "B", "G"), 3)


def test_first_dealer_is_drawn_by_seed() -> None:
    drawn = [Game.with_drawn_dealer("ABG", seed).first_dealer for seed in range(60)]
    assert drawn == [Game.with_drawn_dealer("ABG", seed).first_dealer for seed in range(60)]
    assert set(drawn) == {0, 1, 2}


def test_the_first_player_deals_first_unless_said() -> None:
    assert Game(("A", "B", "G")).next_dealer == "A"
    assert Game(("A", "B", "G")).seats == ("B", "G", "A")


def test_a_sheet_does_not_change() -> None:
    with pytest.raises(FrozenInstanceError):
        Game(("A", "B", "G")).first_dealer = 1  # type: ignore[misc]


def test_all_of_a_hand_may_be_seen_before_naming() -> None:
    assert Variant(4, 4, (2, 1, 1), (1, 1, 2)).preview_size == 4
    assert Variant(4, 0, (2, 1, 1), (1, 1, 2)).preview_size == 0


@pytest.mark.parametrize(
    ("tricks", "rule"),
    [
        ("544", "tricks must be three whole numbers, of F, M and R, not str"),
        (b"544", "not bytes"),
        (13, "tricks must be three whole numbers, of F, M and R, not int"),
        ((5, 4, 4.0), "tricks must be three whole numbers, of F, M and R$"),
        ((12, True, False), "not True or False"),
    ],
)
def test_tricks_of_a_deal_are_three_whole_numbers(tricks: object, rule: str) -> None:
    with pytest.raises(TypeError, match=rule):
        points(Contract.H, tricks)  # type: ignore[arg-type]


@pytest.mark.parametrize("tricks", ["5", True])
def test_tricks_of_a_seat_are_a_number(tricks: object) -> None:
    with pytest.raises(TypeError, match=r"tricks must be a number, not (str|bool)"):
        seat_points(Contract.H, Seat.F, tricks)  # type: ignore[type-var]


@pytest.mark.parametrize("players", ["ABC", ("A", "B", 3)])
def test_players_of_a_game_are_names(players: object) -> None:
    with pytest.raises(TypeError, match="players must be 3 or 4 names"):
        Game(players)  # type: ignore[arg-type]


def test_a_triple_by_seat_has_three_values() -> None:
    assert by_column("par", (1, 2, 3)) == {"par_F": 1, "par_M": 2, "par_R": 3}
    for make in (by_seat, lambda values: by_column("par", values)):
        with pytest.raises(ValueError, match="shorter"):
            make((1, 2))
