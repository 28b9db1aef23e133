"""`mizerka exchange --hand`: tables, JSON and refusals of the half of the command that knows one hand."""

from __future__ import annotations

import json
from typing import Any

import click
import pytest
from click.testing import CliRunner, Result

from mizerka_solver import Contract, MizerkaError, Seat
from mizerka_solver.cli.common import EngineOptions, OutputOptions
from mizerka_solver.cli.hidden import HandOptions, SamplingOptions, exchange_hand

HAND = "AKT973.A4.52.Q63"


def ask(contract: Contract = Contract.S, seat: Seat = Seat.F, as_json: bool = False, **known: Any) -> Result:
    """Run the half of the command in a command of its own."""
    options = {"hand": HAND, "exchanged": None, "named_from": None, "value": "guaranteed", "margin": "0.3", **known}

    @click.command()
    def command() -> None:
        sampled = SamplingOptions(samples=10, seed=1, time_limit=None)
        output = OutputOptions(as_json=as_json)
        exchange_hand(HandOptions(**options), contract, seat, sampled, EngineOptions(1, 1 << 24), output, top=3)

    return CliRunner().invoke(command, [])


def test_table() -> None:
    lines = ask().output.splitlines()
    assert lines[0] == "Exchange of forehand in spades"
    assert lines[1] == "  ♠ AKT973   ♥ A4   ♦ 52   ♣ Q63"
    assert lines[2].startswith("10 worlds, seed 1, the others exchange by policy")
    assert any(line.startswith("> ♥4 ♦52 ♣") for line in lines)
    assert any("nothing" in line for line in lines)
    assert any("(policy)" in line for line in lines)


def test_json() -> None:
    answer = json.loads(ask(as_json=True, seat=Seat.R, exchanged="6, 4", value="par").output)
    assert (answer["hand"], answer["seat"], answer["exchanged"]) == (HAND, "R", [6, 4])
    assert (answer["value"], answer["samples"], answer["seed"], answer["stopped"]) == ("par", 10, 1, None)
    best = answer["candidates"][0]
    assert set(best) == {
        *("discard", "mean", "se", "samples", "target_chance", "behind", "ruled_out", "policy", "stand"),
    }
    assert len(best["discard"]) <= 3
    assert sum(candidate["stand"] for candidate in answer["candidates"]) == 1


def test_what_forehand_named_is_heard() -> None:
    heard = json.loads(ask(as_json=True, seat=Seat.M, exchanged="6", named_from="SHDCNM").output)
    unheard = json.loads(ask(as_json=True, seat=Seat.M, exchanged="6").output)
    assert heard["candidates"] != unheard["candidates"]


@pytest.mark.parametrize(
    ("known", "message"),
    [
        ({"seat": Seat.M}, "nothing: M knows how many cards were exchanged before: numbers for F"),
        ({"seat": Seat.R, "exchanged": "5"}, "5: R knows how many cards were exchanged before: numbers for F M"),
        ({"exchanged": "5"}, "5: nobody exchanges before F"),
        ({"seat": Seat.M, "exchanged": "x"}, "--exchanged x: must be a number of cards"),
        ({"seat": Seat.M, "exchanged": "9" * 4301}, f"--exchanged {'9' * 39}…: must be a number of cards"),
        ({"seat": Seat.M, "exchanged": "14"}, "14: F could exchange 0 to 13 cards"),
        ({"hand": "AK.-.-.-"}, "AK.-.-.-: a hand has 13 cards, here 2"),
        ({"hand": "AKX.-.-.-"}, "--hand X: not a rank (spades), ranks are 2-9 T J Q K A"),
        ({"margin": "few"}, "--margin few: must be points, 0 or more, or all"),
        (
            {"seat": Seat.M, "exchanged": "2", "named_from": "N"},
            "S: forehand named it, so it must have been left to name",
        ),
    ],
)
def test_refused(known: dict[str, Any], message: str) -> None:
    result = ask(**known)
    assert isinstance(result.exception, MizerkaError)
    assert str(result.exception) == message
