"""`mizerka arena`: results, records, resuming, interrupts, programs that fail, the check of a program."""

from __future__ import annotations

import json
import os
import signal
import sys
from pathlib import Path

import pytest

from tests.cli import interrupted, objects, on_terminal, process, run, start, wait_until
from tests.test_external_bots import SOUND, program, running, wrong

BOTS = ("--bot", "a=rule", "--bot", "b=random", "--bot", "c=rule")
FEW = ("--deals", "2", "--seed", "1")
posix = pytest.mark.skipif(os.name != "posix", reason="signals of POSIX")


def test_results_for_people_and_programs() -> None:
    text = run("arena", *BOTS, *FEW).stdout
    assert text.startswith("2 deals, each in six seatings: 12 deals played, seed 1\n")
    assert "  a - b: +" in text
    (data,) = objects(run("arena", *BOTS, *FEW, "--json").stdout)
    assert (data["boards"], data["deals"], data["seed"]) == (2, 12, 1)
    assert sum(player["points_per_deal"]["mean"] for player in data["players"].values()) == pytest.approx(0, abs=1e-3)
    assert data["pairs"][1]["players"] == ["a", "c"]
    assert data["pairs"][1]["difference"]["mean"] == 0
    (costs,) = objects(run("arena", *BOTS, *FEW, "-c", "N", "--json", "--costs").stdout)
    assert costs["costs"]["adds_up"]
    assert set(costs["costs"]["player"]) == {"a", "b", "c"}
    assert "cost a deal" in run("arena", *BOTS, *FEW, "-c", "N", "--costs").stdout
    assert b"+- 95" in process("arena", *BOTS, *FEW, PYTHONIOENCODING="ascii", PYTHONUTF8="0").stdout


def test_names_of_players() -> None:
    text = run(
        "arena", "--bot", "rule", "--bot", "rule", "--bot", "x=sampling:samples=1", "--deals", "1", "--seed", "1"
    ).stdout
    assert "rule - rule-2" in text
    assert "rule - x" in text
    assert run("arena", *BOTS, "--deals", "1").stderr.startswith("seed ")


def test_records_and_what_is_done_with_them(tmp_path: Path) -> None:
    path = str(tmp_path / "games.jsonl")
    run("arena", *BOTS, "--games", "--deals", "1", "--seed", "4", "-o", path)
    assert run("validate", path).stdout == "108 game records: sound\n"
    assert run("sheet", path).stdout.count("18 of 18 deals") == 6
    (data,) = objects(run("arena", *BOTS, *FEW, "-c", "S", "-o", path, "--json").stdout)
    assert len(objects(Path(path).read_text())) == 12
    (summary,) = objects(run("analyse", path, "--summary", "--json").stdout)
    for name, player in data["players"].items():
        found = summary["summary"]["player"][name]["points_per_deal"]["mean"]
        assert found == pytest.approx(player["points_per_deal"]["mean"], abs=1e-3)


def test_resuming(tmp_path: Path) -> None:
    whole, broken = tmp_path / "whole.jsonl", tmp_path / "broken.jsonl"
    match = ("arena", *BOTS, "--deals", "3", "--seed", "4")
    text = run(*match, "-o", str(whole)).stdout
    lines = whole.read_bytes().splitlines(keepends=True)
    for kept in (b"", b"".join(lines[:7]), b"".join(lines[:9]) + lines[9][:100], b"".join(lines)):
        broken.write_bytes(kept)
        assert run(*match, "-o", str(broken), "--resume").stdout == text
        assert broken.read_bytes() == whole.read_bytes()
    games = ("arena", *BOTS, "--games", "--deals", "1", "--seed", "4")
    run(*games, "-o", str(whole))
    broken.write_bytes(b"".join(whole.read_bytes().splitlines(keepends=True)[:25]))
    run(*games, "-o", str(broken), "--resume")
    assert broken.read_bytes() == whole.read_bytes()
    # Without --resume it begins again; with another match nothing is touched.
    assert "another seed" in run("arena", *BOTS, "--games", *FEW, "-o", str(broken), "--resume", code=2).stderr
    assert broken.read_bytes() == whole.read_bytes()
    # Records of two runs mixed: the refusal says what to do, and doing it works.
    mixed = whole.read_bytes().splitlines(keepends=True)
    broken.write_bytes(b"".join([*mixed[:20], mixed[3], *mixed[20:]]))
    refused = run(*games, "-o", str(broken), "--resume", code=2).stderr
    assert f"{broken}:21: id" in refused
    assert "(head -n 20) and resume that" in refused
    broken.write_bytes(b"".join(broken.read_bytes().splitlines(keepends=True)[:20]))
    run(*games, "-o", str(broken), "--resume")
    assert broken.read_bytes() == whole.read_bytes()
    broken.write_text("{}\n")
    assert f"{broken}:1: " in run(*match, "-o", str(broken), "--resume", code=2).stderr
    run(*match, "-o", str(broken))
    assert len(broken.read_bytes().splitlines()) == 18


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("--bot", "rule"), "a match needs three --bot, not 1"),
        (("--bot", "rule", "--bot", "rule", "--bot", "x"), "x: not a bot"),
        (("--bot", "rule", "--bot", "rule", "--bot", "cmd:no-such-program"), "no-such-program: no such program"),
        ((*BOTS, "--games", "-c", "S"), "--contract does not go with --games"),
        ((*BOTS, "--resume"), "--resume needs -o"),
        ((*BOTS, "-o", "/nonexistent/x"), "there is no directory /nonexistent"),
        (("--bot", "a=rule", "--bot", "a=rule", "--bot", "b=rule"), "must have different names"),
        (("--check", "rule"), "only a program can be checked"),
    ],
)
def test_bad_usage(arguments: tuple[str, ...], error: str) -> None:
    result = run("arena", "--seed", "1", *arguments, code=2)
    assert error in result.stderr
    assert result.stdout == ""


def test_a_program_that_fails_is_told_in_its_words(tmp_path: Path) -> None:
    bot = f"bad=cmd:{wrong(tmp_path, 'sys.exit(chr(9) + str(41 + 1))')}"
    result = run("arena", "--bot", bot, "--bot", "a=rule", "--bot", "b=rule", "--deals", "1", "--seed", "1")
    assert "1.1: bad forfeits: it ended instead of answering (exit code 1)\n  bad wrote: " in result.stderr
    assert "42" in result.stderr
    row = next(line for line in result.stdout.splitlines() if line.startswith("bad "))
    assert row.split()[-1] == "6"


def test_the_check_of_a_program(tmp_path: Path) -> None:
    text = run("arena", "--check", f"cmd:{program(tmp_path, SOUND)}").stdout
    assert "FAIL" not in text
    assert "ok   plays mizerka as rearhand" in text
    assert "ok   ends when its input ends" in text
    dice = SOUND.replace('view["legal"][0]', '__import__("random").choice(view["legal"])')
    (report,) = objects(run("arena", "--check", f"cmd:{program(tmp_path, dice)}", "--json", code=1).stdout)
    assert not report["passed"]
    assert [step["step"] for step in report["steps"] if not step["ok"]] == ["answers the same in the same deal"]
    text = run("arena", "--check", f"cmd:{wrong(tmp_path, 'sys.exit(3)')}", code=1).stdout
    assert "FAIL plays spades as forehand: it ended instead of answering (exit code 3)" in text
    assert text.splitlines()[3] == "FAIL the rest: not tried after 3 failures"
    deaf = SOUND + "\nimport time\ntime.sleep(60)\n"
    text = run("arena", "--check", f"cmd:{program(tmp_path, deaf)}", code=1).stdout
    assert "FAIL ends when its input ends" in text
    assert running(str(tmp_path)) == []


@posix
@pytest.mark.parametrize("number", [signal.SIGINT, signal.SIGTERM])
def test_an_interrupt_keeps_what_is_done_and_leaves_no_program(number: signal.Signals, tmp_path: Path) -> None:
    path = tmp_path / "games.jsonl"
    bot = program(tmp_path, SOUND.replace("view = json", "__import__('time').sleep(0.002); view = json"))
    match = ("arena", "--bot", f"x=cmd:{bot}", "--bot", "b=rule", "--bot", "c=rule", "--deals", "500", "--seed", "4")
    work = start(*match, "-t", "2", "-o", str(path), "--json")
    wait_until(lambda: path.exists() and path.read_bytes().count(b"\n") > 3)
    stdout, stderr = interrupted(work, number)
    assert work.returncode == 128 + number
    assert b"Traceback" not in stderr
    assert b"forfeit" not in stderr
    rows = [json.loads(line) for line in path.read_text().splitlines()]
    (data,) = objects(stdout.decode())
    assert 0 < len(rows) < 3000
    assert len(rows) - data["deals"] in (0, 1)  # the interrupt may come between writing and counting
    wait_until(lambda: not running(str(tmp_path)))


def test_wrong_options_are_told_before_anything_is_drawn(tmp_path: Path) -> None:
    rules = ["--bot", "rule"] * 3
    for options in (["--resume"], ["-o", str(tmp_path)], ["-o", str(tmp_path / "no" / "file")]):
        result = run("arena", *rules, *options, code=2)
        assert "seed" not in result.stderr
    same = ["--bot", "a=rule", "--bot", "a=rule", "--bot", "rule"]
    assert run("arena", *same, code=2).stderr == "Error: a,a,rule: three players must have different names\n"


def test_the_words_of_a_program_are_told_whole(tmp_path: Path) -> None:
    path = tmp_path / "bot.py"
    path.write_text(f"import sys\nsys.exit('{'long words ' * 10}')\n")
    players = ["--bot", f"x=cmd:{sys.executable} {path}", "--bot", "rule", "--bot", "random"]
    result = run("arena", *players, "--deals", "1", "--seed", "1", "--no-duplicate")
    assert f"x wrote: '{'long words ' * 10}".rstrip() in result.stderr
    assert result.stdout.startswith("1 deal: 1 deal played, seed 1\n")


@posix
def test_one_game_on_a_terminal_shows_how_far_it_is() -> None:
    shown = on_terminal("arena", *BOTS, "--games", "--deals", "1", "--seed", "1", "--no-duplicate")
    assert b"deals/min" in shown
    assert b"18/18" in shown
    assert b"18 deals played" in shown
    assert b"deals/min" not in on_terminal("arena", *BOTS, "--deals", "1", "--seed", "1", "--no-progress")


def test_the_bar_counts_deals(monkeypatch: pytest.MonkeyPatch) -> None:
    counted: list[None] = []
    monkeypatch.setattr("mizerka_solver.cli.arena.Bar.advance", lambda self: counted.append(None))
    run("arena", *BOTS, "--deals", "2", "--seed", "1", "-t", "2")
    assert len(counted) == 12


def test_long_names_fit_the_screen() -> None:
    bots = [f"{name * 9}=rule" for name in ("Maximilian", "Maximiliane", "Annegret")]
    options = [word for bot in bots for word in ("--bot", bot)]
    text = run("arena", *options, "--deals", "2", "--seed", "1", "-c", "N", "--costs").stdout
    assert max(map(len, text.splitlines()[:-1])) <= 80
