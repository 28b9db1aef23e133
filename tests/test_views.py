"""Views from outside are checked like positions: the field and the rule in one line, in Python and in JSON."""

from __future__ import annotations

import json
from typing import Any

import pytest

from mizerka_solver import Contract, Deal, MizerkaError, Seat, Variant
from mizerka_solver.bots import RuleBot, Table, View, view_from_dict
from mizerka_solver.support.errors import InvalidViewError
from tests.cli import run

SIX = {"type": "contract", "seat": "F", "hand": "AKQ9.A.-.4", "remaining": "SHN"}
THIRTEEN = {"type": "exchange", "seat": "M", "contract": "N", "hand": "AK2.AQ43.9.QJ982", "exchanged": {"F": 5}}
PLAY = {"type": "play", "seat": "F", "hand": "K2.K2.KQ32.KQ2", "contract": "N",
        "exchanged": {"F": 0, "M": 0, "R": 0}, "play": ["SA", "D4", "D5", "HA", "H3", "D6"]}  # fmt: skip

WRONG = [
    (SIX, {"remaining": ""}, "remaining '': no contract in it"),
    (SIX, {"remaining": "SS"}, "remaining SS: contract given twice"),
    (SIX, {"remaining": "SX"}, "remaining SX: not a contract, contracts are S H D C N M"),
    (SIX, {"hand": "-.-.-.-"}, "hand -.-.-.-: forehand sees 6 cards before naming, here 0"),
    (SIX, {"hand": "AKQ9.A.-.-"}, "hand AKQ9.A.-.-: forehand sees 6 cards before naming, here 5"),
    (SIX, {"hand": "AKQJT98765432.-.-.-"}, "forehand sees 6 cards before naming, here 13"),
    (SIX, {"seat": "M"}, "seat M: forehand names the contract"),
    (THIRTEEN, {"hand": "AK2.-.-.-"}, "hand AK2.-.-.-: a hand has 13 cards here, not 3"),
    (THIRTEEN, {"hand": "AK2.AQ43.-.QJ982"}, "a hand has 13 cards here, not 12"),
    (THIRTEEN, {"exchanged": None}, "numbers for F, which exchanged before"),
    (THIRTEEN, {"exchanged": {"F": 14}}, "exchanged 14: F could exchange 0 to 13 cards"),
    (THIRTEEN, {"exchanged": {"F": 5, "M": 2}}, "exchanged 'F M': expected numbers for F"),
    (THIRTEEN, {"contract": None}, "contract: missing"),
    (THIRTEEN, {"remaining": "SH"}, "contract N: forehand named it, so it must have been left to name"),
    (THIRTEEN, {"available": 9}, "available 9: the rest of the view makes it 8"),
    ({"type": "play", "seat": "F", "hand": "A2.-.-.-", "contract": "N", "leader": "M"}, {}, "exchanged"),
    (PLAY, {"hand": "AK.K2.KQ32.KQ2"}, "play[0] SA: played, but still in the hand"),
    (PLAY, {"hand": "K.K2.KQ32.KQ2"}, "hand K.K2.KQ32.KQ2: a hand has 11 cards here, not 10"),
    (PLAY, {"exchanged": {"F": 14, "M": 0, "R": 0}}, "exchanged 14: F could exchange 0 to 13 cards"),
    (PLAY, {"exchanged": {"F": 9, "M": 9, "R": 9}}, "exchanged 9: M could exchange 0 to 4 cards"),
    (PLAY, {"exchanged": {"F": 1, "M": 0, "R": 0}}, "discarded: F exchanged 1 cards"),
    (PLAY, {"exchanged": {"F": 1, "M": 0, "R": 0}, "discarded": ["SK"]}, "discarded SK: discarded, but still in"),
    (PLAY, {"exchanged": {"F": 1, "M": 0, "R": 0}, "discarded": ["SA"]}, "play[0] SA: F discarded it"),
    (PLAY, {"play": ["SA", "D4", "D5", "HA", "H3", "H3"]}, "play H3: card given twice"),
    (PLAY, {"play": ["SA", "S4", "S5", "HA", "H3", "D6", "S6"]}, "seat F: after these cards M is to play"),
    (PLAY, {"play": ["SA", "D4", "D5", "HA", "H3", "S6"]}, "play[5] S6: R did not follow spades before"),
    (PLAY, {"seat": "R", "play": ["SA", "S3", "D6", "SQ", "S4"]}, "play[2] D6: revoke, R must follow spades"),
    (PLAY, {"leader": "M"}, "leader M: the rest of the view makes it F"),
    (PLAY, {"trick": ["D6"]}, "trick D6: the rest of the view makes it -"),
    (PLAY, {"tricks": {"F": 1, "M": 1, "R": 0}}, "tricks 1,1,0: the rest of the view makes it 2,0,0"),
    (PLAY, {"legal": ["SK"]}, "legal SK: the rest of the view makes it SK,S2,"),
    (PLAY, {"seat": "X"}, "seat X: not a seat"),
    (PLAY, {"play": "SA"}, "play SA: expected a list of cards"),
    (PLAY, {"hand": 3}, "hand 3: expected text"),
]  # fmt: skip


def changed(view: dict[str, Any], change: dict[str, Any]) -> dict[str, Any]:
    return {name: value for name, value in (view | change).items() if value is not None}


def test_sound_ones_are_read() -> None:
    assert view_from_dict(SIX).remaining == (Contract.S, Contract.H, Contract.N)
    assert view_from_dict(THIRTEEN).talon == 8
    view = view_from_dict(PLAY)
    assert (view.leader, view.trick, view.tricks_won) == (Seat.F, (), (2, 0, 0))
    assert view == View("play", "F", "K2.K2.KQ32.KQ2", contract="N", exchanged=(0, 0, 0), play="SAD4D5HAH3D6")


@pytest.mark.parametrize(("view", "change", "message"), WRONG)
def test_unsound_ones_are_refused(view: dict[str, Any], change: dict[str, Any], message: str) -> None:
    with pytest.raises(MizerkaError) as error:
        view_from_dict(changed(view, change))
    assert message in str(error.value)
    assert "\n" not in str(error.value)


@pytest.mark.parametrize("number", [0, 8, 16, 23, 31])
def test_the_command_refuses_them_with_status_2(number: int) -> None:
    view, change, message = WRONG[number]
    result = run("advise", json.dumps(changed(view, change)), code=2)
    assert message in result.stderr
    assert result.stderr.startswith("Error: ")


def test_a_file_names_its_line(tmp_path: Any) -> None:
    path = tmp_path / "views.jsonl"
    path.write_text(json.dumps(changed(SIX, {"remaining": "SS"})))
    assert f"{path}:1: remaining SS" in run("advise", str(path), code=2).stderr


def test_revokes_of_ones_own_are_seen() -> None:
    with pytest.raises(InvalidViewError, match=r"play\[1\] D4: revoke, M must follow spades"):
        View("play", "M", "K2.K2.KQ32.KQ2", contract="N", exchanged=(0, 0, 0), play="SAD4D5HA")


def test_a_table_gives_sound_views() -> None:
    """What is trusted is right: every view of a whole deal passes the check that it does without."""
    for seed in range(12):
        table, bot = Table(Deal.random(seed), remaining=(Contract(seed % 6),)), RuleBot()
        while not table.is_over:
            view = table.view()
            assert View(*view) == view
            assert view_from_dict(view.as_dict()) == view
            if table.phase == "exchange":
                table.exchange(bot.exchange(view))
            else:
                table.play(bot.play(view))


def test_a_view_of_another_variant_goes_through_json() -> None:
    view = View("exchange", "F", "AKQJT98.AKQJ.A.AKQJ", contract="N", variant=Variant(16, 6, (8, 5, 3), (3, 5, 8)))
    data = view.as_dict()
    told = {"hand_size": 16, "preview_size": 6, "targets": [8, 5, 3], "mizerka_targets": [3, 5, 8]}
    assert data["variant"] == told
    assert view_from_dict(json.loads(json.dumps(data))) == view
    assert "variant" not in view_from_dict(THIRTEEN).as_dict()
    for wrong, message in (
        ({"hand_size": 16}, "variant \"{'hand_size': 16}\": expected an object with hand_size, preview_size, targets"),
        (told | {"hand_size": True}, "variant.hand_size True: expected whole numbers"),
        (told | {"targets": 3}, "variant.targets 3: expected whole numbers"),
        (told | {"targets": [8, 5]}, "variant.targets 8/5: three targets sum to 16 tricks"),
    ):
        with pytest.raises(InvalidViewError) as caught:
            view_from_dict(data | {"variant": wrong})
        assert str(caught.value).startswith(message)
