"""`mizerka analyse`: what it prints in each form, exit codes, faulty records, interrupts."""

from __future__ import annotations

import csv
import json
import os
import signal
from dataclasses import replace
from pathlib import Path

import pytest

from mizerka_solver import Card, Contract, Deal, GameRecord, Solver
from mizerka_solver.review import review
from tests.cli import objects, process, run, start, wait_until
from tests.test_analysis import random_record

SHORT = GameRecord(
    ("ann", "bob", "cy"),
    Deal("F:A.2.-.- M:K.3.-.- R:-.54.-.-"),
    Contract.N,
    play=tuple(map(Card, ("H2", "H3", "H5", "H4", "SA", "SK"))),
)
LINE = SHORT.to_json()
WHOLE = random_record(2, Contract.N)
REVOKE = LINE.replace('"H3","H5"', '"SK","H5"')


@pytest.fixture
def games(tmp_path: Path) -> str:
    path = tmp_path / "games.jsonl"
    path.write_text("".join(f"{random_record(seed, Contract(seed)).to_json()}\n" for seed in range(3)))
    return str(path)


def test_one_record_is_shown_card_by_card() -> None:
    text = run("analyse", LINE).stdout
    assert "argument 1:1: no trump, F ann, M bob, R cy" in text
    assert " 1   F ♥2     ≥0   ≥0   ≥2     -1    0   +1           1    1.00  ♠A" in text
    assert "     M ♥3     ≥0   ≥0   ≥2      0    0    0      forced" in text
    assert "  the others' cards            0    0   +1\nNo points: targets are for 13 tricks, here are 2.\n" in text
    assert "    'F:A.2.-.- M:K.3.-.- R:-.54.-.- N F - 0-0-0'" in text
    # The worst card's position is what solve takes.
    assert run("solve", "F:A.2.-.- M:K.3.-.- R:-.54.-.- N F - 0-0-0", "--cards").stdout


def test_many_records_are_summed_up(games: str) -> None:
    text = run("analyse", games).stdout
    assert "by trick" in text
    assert "change of points" not in text
    assert "3 records: all changes add up to the points\n" in text
    assert run("analyse", games, "--cards").stdout.count("change of points") == 3
    assert run("analyse", games, "--cards", "--summary").stdout == text
    assert run("analyse", games, "--worst", "0").stdout.count("to paste into") == 0


def test_json_and_csv(games: str) -> None:
    *rows, last = objects(run("analyse", games, "--json").stdout)
    assert [row["line"] for row in rows] == [1, 2, 3]
    assert all(row["adds_up"] for row in rows)
    assert last["summary"]["records"] == 3
    assert last["summary"]["player"]["a"]["cost_per_deal"]["mean"] == round(
        sum(row["costs"]["F"] for row in rows) / 3, 4
    )
    assert objects(run("analyse", games, "--json", "--summary").stdout) == [last]
    cards = list(csv.DictReader(run("analyse", games, "--csv").stdout.splitlines()))
    assert [(card["card"], int(card["cost"])) for card in cards] == [
        (card["card"], card["cost"]) for row in rows for card in row["cards"]
    ]
    lines = list(csv.DictReader(run("analyse", games, "--csv", "--summary").stdout.splitlines()))
    assert {line["group"] for line in lines} == {"player", "seat", "contract", "place", "trick"}
    assert float(lines[0]["cost_per_deal_mean"]) == min(
        line["cost_per_deal"]["mean"] for line in last["summary"]["player"].values()
    )
    assert run("analyse", games, "--json", "-t", "2").stdout == run("analyse", games, "--json").stdout


def test_filters_and_contracts() -> None:
    line = WHOLE.to_json()
    (_, last) = objects(run("analyse", line, "--json", "--player", "b", "--contracts").stdout)
    assert list(last["summary"]["player"]) == ["b"]
    (row, last) = objects(run("analyse", line, "--json", "--seat", "f", "--contracts").stdout)
    assert list(last["summary"]["seat"]) == ["F"]
    points = {contract: worth["par"] for contract, worth in row["contract_choice"]["points_of_F"].items()}
    assert points[row["contract_choice"]["best"]] == max(points.values())
    assert last["summary"]["choices"]["a"]["contracts"] == 1
    assert "named" in run("analyse", line, "--contracts").stdout


def test_short_deals_have_no_points_in_any_form() -> None:
    """Targets are for 13 tricks: changes are told, points, par and the comparison of contracts are not."""
    unfinished = replace(SHORT, play=SHORT.play[:3]).to_json()
    text = run("analyse", LINE, "--contracts", "--cards").stdout
    assert "No points: targets are for 13 tricks, here are 2.\n" in text
    assert not {"final", "named", "sure points", "par points"} & {
        line.strip()[:11].strip() for line in text.splitlines()
    }
    *rows, last = objects(run("analyse", LINE, unfinished, "--json", "--contracts").stdout)
    for row in rows:
        assert (row["start"], row["final"], row["account"], row["adds_up"]) == (None, None, None, True)
        assert "contract_choice" not in row
        assert all(card["par"] == {"before": None, "after": None} for card in row["cards"])
        assert row["costs"] == {"F": 1, "M": 0, "R": 0}
    assert last["summary"]["account"]["players"] == {}
    assert last["summary"]["improve"] == {"ann": [], "bob": [], "cy": []}
    cards = list(csv.DictReader(run("analyse", LINE, "--csv").stdout.splitlines()))
    assert {card[f"par_{when}_{seat}"] for card in cards for when in ("before", "after") for seat in "FMR"} == {""}
    told = run("analyse", LINE, unfinished, WHOLE.to_json()).stdout
    assert "2 deals without points (another number of tricks) left out" in told
    page = review(Solver(memory="1M"), SHORT)._repr_html_()
    assert not [word for word in ("start", "result") if word in page]


def test_exchanges_and_contracts_are_judged_where_there_is_a_talon() -> None:
    plain = run("analyse", LINE)
    assert "named" not in plain.stdout
    assert "exchanged" not in plain.stdout
    swapped = GameRecord(("a", "b", "c"), Deal(f"{SHORT.deal} T:HA"), Contract.N, ((Card("H2"),), (), ()))
    text = run("analyse", swapped.to_json()).stdout
    assert "F exchanged 1: ♥2 for ♥A; guaranteed points F+1 R-1\n" in text
    assert "M exchanged 0; guaranteed points no change\n" in text
    assert "--best-exchanges" in text
    (row, last) = objects(run("analyse", swapped.to_json(), "--json").stdout)
    assert [exchange["cost"] for exchange in row["exchange"]] == [None] * 3
    choices = last["summary"]["choices"]
    assert choices["a"]["exchange_gain"]["mean"] == 1
    assert choices["b"] == {"exchanges": 1, "exchange_gain": {"mean": 0.0, "se": None}}
    (row, last) = objects(run("analyse", swapped.to_json(), "--json", "--no-contracts", "--no-exchanges").stdout)
    assert not {"exchange", "contract_choice"} & set(row)
    assert "choices" not in last["summary"]
    # One contract left to name is no choice.
    assert "N   no trump" in run("analyse", WHOLE.to_json()).stdout
    forced = replace(WHOLE, extra=(("remaining", '"N"'),)).to_json()
    assert "contract_choice" not in objects(run("analyse", forced, "--json").stdout)[0]


def test_best_exchanges() -> None:
    kept = GameRecord(("a", "b", "c"), Deal(f"{SHORT.deal} T:HA"), Contract.N).to_json()
    text = run("analyse", kept, "--best-exchanges").stdout
    assert "F exchanged 0; guaranteed points no change; cost 1, best ♥2\n" in text
    assert "--best-exchanges" not in text
    (row, last) = objects(run("analyse", kept, "--best-exchanges", "--no-exchanges", "--json").stdout)
    assert row["exchange"][0]["best"] == {"guaranteed": 2, "discard": ["H2"]}
    assert last["summary"]["choices"]["a"]["exchange_cost"]["mean"] == 1


def test_a_faulty_record_is_reported_in_place() -> None:
    result = run("analyse", "-", "--json", stdin=f"{LINE}\n{REVOKE}\n\n{LINE}\n", code=3)
    first, error, third, last = objects(result.stdout)
    assert error == {"error": "<stdin>:2: play[1] SK: revoke, M must follow hearts", "line": 2}
    assert (first["line"], third["line"], last["summary"]["records"]) == (1, 4, 2)
    assert result.stderr == "<stdin>:2: play[1] SK: revoke, M must follow hearts\n"
    assert run("analyse", REVOKE, code=2).stderr == "Error: play[1] SK: revoke, M must follow hearts\n"
    assert run("analyse", "nowhere.jsonl", code=2)
    assert run("analyse", "-", stdin="", code=2)


def test_threshold() -> None:
    result = run("analyse", LINE, "--fail-over", "0.9", "--summary", code=1)
    assert result.stderr == "ann: 1.000 guaranteed points lost a deal, more than 0.9\n"
    run("analyse", LINE, "--fail-over", "1")
    run("analyse", LINE, "--fail-over", "0", "--player", "bob")
    run("analyse", "-", "--fail-over", "0", stdin=f"{LINE}\n{REVOKE}\n", code=3)


@pytest.mark.parametrize("number", ["nan", "inf", "-1"])
def test_a_threshold_is_a_number(number: str) -> None:
    assert "--fail-over" in run("analyse", LINE, "--fail-over", number, code=2).stderr


@pytest.mark.parametrize(
    ("options", "said"),
    [
        (["--player", "nobody"], "nobody: no such player in these records; players here: ann, bob, cy"),
        (["--player", "ann", "--player", "nobody"], "nobody: no such player"),
        (["--player", "ann", "--seat", "R"], "ann, R: nobody in these records is meant by that"),
    ],
)
def test_a_filter_that_matches_nothing_is_an_error(options: list[str], said: str) -> None:
    result = run("analyse", LINE, *options, "--fail-over", "0", "--summary", code=2)
    assert said in result.stderr
    assert result.stdout == ""


def test_no_table_is_wider_than_a_screen(tmp_path: Path) -> None:
    names = ("Wolfeschlegelsteinhausenbergerdorff-the-first", "Wolfeschlegelsteinhausenbergerdorff-the-worst", "Ł" * 90)
    path = tmp_path / "games.jsonl"
    boards = [replace(random_record(seed, Contract(seed)), players=names) for seed in range(2)]
    path.write_text("".join(f"{record.to_json()}\n" for record in boards))
    text = run("analyse", str(path), "--cards", "--contracts", "--worst", "0").stdout
    pasted = "F:"  # deals to paste are never broken
    assert max(len(line) for line in text.splitlines() if not line.startswith(pasted)) <= 80
    for head in ("by player", "points a deal", "difference a deal", "points by contract", "where to improve first"):
        assert any(line.startswith(head) for line in text.splitlines())
    assert "1 record: all" in run("analyse", LINE).stdout
    assert "2 records: all" in text


def test_the_account_is_told(games: str) -> None:
    text = run("analyse", WHOLE.to_json(), "--contracts").stdout
    for row in ("  own cards                  -6.33 -11.00  -6.67", "  final                      -3.00  +2.00  +1.00"):
        assert row in text
    *rows, last = objects(run("analyse", games, "--json").stdout)
    for row in rows:
        for seat, terms in row["account"]["thirds"].items():
            assert sum(terms.values()) == 3 * row["final"][seat]
    for terms in last["summary"]["account"]["players"].values():
        parts = [value["mean"] for name, value in terms.items() if name not in ("deals", "points")]
        assert sum(parts) == pytest.approx(terms["points"]["mean"], abs=1e-3)
    assert len(last["summary"]["account"]["differences"]) == 3
    assert set(last["summary"]["improve"]) == {"a", "b", "c"}
    assert last["summary"]["of_player"]["a"]["contract"]["S"]["deals"] == 1


def test_a_stream_without_suit_signs() -> None:
    done = process("analyse", LINE, PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    assert b"M H3    >=0" in done.stdout
    assert b"\\x" not in done.stdout


@pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")
def test_an_interrupt_keeps_what_is_done(tmp_path: Path) -> None:
    games, path = tmp_path / "games.jsonl", tmp_path / "out.jsonl"
    games.write_text(f"{random_record(1, Contract.N).to_json()}\n" * 3000)
    work = start("analyse", str(games), "--json", "-o", str(path))
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 3)
    work.send_signal(signal.SIGINT)
    shown, _ = work.communicate(timeout=300)
    assert work.returncode == 130
    last, n_rows = json.loads(shown), path.read_bytes().count(b"\n")
    assert 0 < n_rows < 3000
    assert n_rows - last["summary"]["records"] in (0, 1)  # the interrupt may come between writing and counting
