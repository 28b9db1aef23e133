"""`mizerka deal`, `validate`, `convert`, `bench`, and what all commands share: help, version, exit codes."""

from __future__ import annotations

import json

import click
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mizerka_solver import Card, Contract, Deal, GameRecord, __version__
from mizerka_solver.cli.main import COMMANDS, cli
from mizerka_solver.double_dummy.bench import BenchResult, KindResult, run_bench
from tests.cli import BAD, POSITION, SMALL, objects, run

RECORD = GameRecord(("a", "b", "c"), Deal(SMALL), Contract.S, play=(Card("SA"), Card("S2"))).to_json()


@pytest.mark.parametrize("name", COMMANDS)
def test_every_command_has_help_with_an_example(name: str) -> None:
    text = run(name, "--help").stdout
    assert "Example" in text
    assert f"mizerka {name}" in text.split("Example")[1]
    assert len(text.splitlines()) < 70
    assert run(name, "-h").stdout == text
    with click.Context(cli) as context:
        command = cli.get_command(context, name)
    assert command is not None
    assert command.short_help
    for parameter in command.params:
        assert isinstance(parameter, click.Argument) or (isinstance(parameter, click.Option) and parameter.help)


def test_group_help_and_version() -> None:
    text = run("--help").stdout
    assert all(f"  {name} " in text for name in COMMANDS)
    assert "Usage: mizerka" in run(code=2).stderr
    assert run("--version").stdout in (
        f"mizerka {__version__} (core: {build})\n" for build in ("portable", "x86-64-v3")
    )


def test_exit_codes_are_those_promised() -> None:
    assert run("solve", SMALL, "-c", "N").exit_code == 0
    assert run("solve", BAD, code=2).exit_code == 2
    assert run("solve", SMALL, BAD, "-c", "N", code=3).exit_code == 3
    # As a library call it returns the code.
    assert cli.main(["solve", SMALL, "-c", "N", "--json"], standalone_mode=False) == 0


# deal


@given(n=st.integers(1, 5), seed=st.integers(0, 2**70), hand_size=st.integers(1, 17))
@settings(max_examples=30, deadline=None)
def test_deals_are_seeded_and_whole(n: int, seed: int, hand_size: int) -> None:
    arguments = ["deal", "--seed", str(seed), "--hand-size", str(hand_size)]
    lines = run(*arguments, "-n", str(n)).stdout.splitlines()
    deals = [Deal(line) for line in lines]
    assert len(deals) == n
    assert all((deal.hand_size, len(deal.talon)) == (hand_size, 52 - 3 * hand_size) for deal in deals)
    assert run(*arguments).stdout.strip() == lines[0]


def test_a_deal_without_seed_tells_it() -> None:
    result = run("deal", "--json")
    seed = result.stderr.removeprefix("seed ").strip()
    assert objects(result.stdout) == objects(run("deal", "--json", "--seed", seed).stdout)
    assert Deal.random(7) == Deal(run("deal", "--seed", "7").stdout)


# validate


def test_validate_counts_kinds_and_names_faults() -> None:
    revoke = RECORD.replace('"S2"', '"HA"')
    text = "\n".join([SMALL, RECORD, "", BAD, revoke, POSITION, "[1]", POSITION.replace("5-4-3", "5-4")])
    result = run("validate", "-", stdin=text, code=3)
    assert result.stdout.splitlines() == [
        "<stdin>:4: SA: card held by both F and M",
        "<stdin>:5: play[1] HA: M does not hold it",
        "<stdin>:7: a record is an object, here a list",
        "<stdin>:8: tricks won 5-4: tricks won are three counts F-M-R such as 3-0-2",
        "1 deal, 1 game record, 1 position: sound; 4 records: faulty",
    ]
    assert result.stderr == ""


def test_validate_of_what_is_sound() -> None:
    assert run("validate", RECORD).stdout == "1 game record: sound\n"
    assert run("validate", SMALL, SMALL, POSITION).stdout == "2 deals, 1 position: sound\n"


def test_validate_as_json() -> None:
    data = objects(run("validate", "-", "--json", stdin=f"{SMALL}\n{BAD}\n", code=3).stdout)
    assert data[0] == {"source": "<stdin>", "line": 1, "kind": "deal"}
    assert (data[1]["line"], data[1]["token"], data[1]["rule"]) == (2, "SA", "card held by both F and M")


# convert


@pytest.mark.parametrize("form", ["text", "url", "json", "csv"])
def test_every_form_is_read_back(form: str) -> None:
    deals = run("deal", "-n", "3", "--seed", "2").stdout + POSITION + "\nF:A.-.-.- M:K3.-.-.- R:-.54.-.- S F S2 4-4-3\n"
    converted = run("convert", "-", "--to", form, stdin=deals).stdout
    assert run("convert", "-", stdin=converted).stdout == deals
    assert run("validate", "-", stdin=converted).stdout == "3 deals, 2 positions: sound\n"


def test_convert_normalises_spelling() -> None:
    assert run("convert", "f:10a..._m:q2...  r:.kA.. t:10h♠4").stdout == "F:AT.-.-.- M:Q2.-.-.- R:-.AK.-.- T:HTS4\n"


def test_convert_reads_records_and_reports_in_place() -> None:
    text = f'{RECORD}\n{{"deal":"F:A"}}\n{{"deal":"{SMALL}","guaranteed":3}}\n'
    result = run("convert", "-", "--to", "json", stdin=text, code=3)
    assert [sorted(row) for row in objects(result.stdout)] == [["deal"], ["error", "line"], ["deal"]]
    assert result.stderr.startswith("<stdin>:2: deal.F A: ")


@pytest.mark.parametrize("row", ["A...,K...", "A...,K...,Q...,S2,,,,,,", "Z...,K...,Q...,,,,,"])
def test_convert_of_bad_csv_rows(row: str) -> None:
    result = run("convert", "-", stdin=f"F,M,R,T,contract,leader,trick,won\n{row}\nA...,K...,Q...,,,,,\n", code=3)
    assert result.stderr.startswith("<stdin>:2: ")
    assert result.stdout == "F:A.-.-.- M:K.-.-.- R:Q.-.-.-\n"


# bench


def test_bench_signature_does_not_move() -> None:
    first, second = run_bench(1, "32M"), run_bench(1, "32M")
    assert first.signature == second.signature == sum(kind.nodes for kind in first.kinds)
    assert [(kind.kind, len(kind.milliseconds)) for kind in first.kinds] == [
        ("suit", 4),
        ("no trump", 1),
        ("mizerka", 1),
    ]


def test_bench_output(monkeypatch: pytest.MonkeyPatch) -> None:
    counters = dict.fromkeys(
        (
            "nodes",
            "tricks",
            "bound_answers",
            "cuts",
            "first_card_cuts",
            "probes",
            "hits",
            "patterns_examined",
            "stores",
        ),
        0,
    )
    result = BenchResult(
        2, "portable", (KindResult("suit", (1.0, 2.0, 6.0), 1234),), {**counters, "probes": 4, "hits": 1}
    )
    monkeypatch.setattr("mizerka_solver.cli.bench.run_bench", lambda *_: result)
    text = run("bench", "--deals", "2").stdout
    assert "suit                 3       3.0       2.0       6.0         1,234\nsignature 1234\n" in text
    assert "hit rate                      0.2500" in run("bench", "--stats").stdout
    data = json.loads(run("bench", "--json", "--stats").stdout)
    assert (data["signature"], data["kinds"]["suit"]["median_ms"], data["stats"]["hit_rate"]) == (1234, 2.0, 0.25)
    assert "stats" not in json.loads(run("bench", "--json").stdout)
