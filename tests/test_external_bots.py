"""Bots that are programs: what works, and everything a program can do wrong; nothing is left running."""

from __future__ import annotations

import errno
import os
import sys
from pathlib import Path

import pytest

from mizerka_solver import Contract, MizerkaError, Seat
from mizerka_solver.arena.match import Match, SeatedBoard
from mizerka_solver.arena.play import Played, play_match
from mizerka_solver.bots import BotFailure, ExternalBot, make_bot
from mizerka_solver.bots.external import MAX_REPLY
from tests.cli import start, wait_until
from tests.test_bots import play_deal

# A sound bot: no discards, the first legal card, the first contract.
SOUND = """
import json, sys
for line in sys.stdin:
    view = json.loads(line)
    if view["type"] == "contract":
        answer = {"contract": view["remaining"][0]}
    elif view["type"] == "exchange":
        answer = {"discard": []}
    elif view["type"] == "play":
        answer = {"card": view["legal"][0]}
    else:
        continue
    print(json.dumps(answer), flush=True)
"""
# Replaces the answer to play; each is one way to go wrong, with what the report says.
WRONG = {
    "crash": ("sys.exit('my own words')", "it ended instead of answering (exit code 1)"),
    "signal": ("import os; os.kill(os.getpid(), 11)", "it ended instead of answering (signal 11)"),
    "hang": ("import time; time.sleep(60)", "no answer within 0.5 seconds"),
    "nonsense": ("print('hello', flush=True); continue", "not a line of JSON: hello"),
    "other field": ("answer = {'kard': 'SA'}", 'an answer is an object with "card"'),
    "list": ("answer = ['SA']", 'an answer is an object with "card"'),
    "no card": ("answer = {'card': 'S1'}", "S1: not a card"),
    "number": ("answer = {'card': 7}", "7: not a card"),
    "not held": ("answer = {'card': next(c for c in C if c not in H(view) )}", "does not hold it"),
    "long line": (f"print('x' * {2 * MAX_REPLY}, flush=True); continue", "not a line of JSON: xxx"),
    "half a line": ("sys.stdout.write('{'); sys.stdout.flush(); time.sleep(60)", "no answer within 0.5 seconds"),
    "bytes": ("sys.stdout.buffer.write(b'\\xff\\n'); sys.stdout.flush(); continue", "not a line of JSON"),
    "twice": ("answer = {'card': view['legal'][0]}; print(json.dumps(answer), flush=True)", ""),
    "flood": ("[print('{}') for _ in range(10**5)]; continue", 'an answer is an object with "card"'),
    "closed": ("import os; os.close(1); time.sleep(60)", "it ended instead of answering"),
    "nothing read": ("time.sleep(60)", "no answer within 0.5 seconds"),
}  # fmt: skip
HELPERS = """
import time
C = [s + r for s in "SHDC" for r in "AKQJT98765432"]
def H(view):
    return [s + r for s, part in zip("SHDC", view["hand"].split(".")) for r in part if r != "-"]
"""

linux = pytest.mark.skipif(not os.path.exists("/proc/self/cmdline"), reason="looks for processes in /proc")


def program(folder: Path, source: str, name: str = "bot.py") -> str:
    """Write a program and return its command."""
    path = folder / name
    path.write_text(source)
    return f"{sys.executable} {path}"


def wrong(folder: Path, step: str) -> str:
    """A bot that is sound up to its first card."""
    return program(folder, HELPERS + SOUND.replace('answer = {"card": view["legal"][0]}', step))


def play_one(command: str, seconds: float = 0.5, boards: int = 1) -> list[Played]:
    """Deals in no trump, the program sitting at M."""
    players = (("a", "rule"), ("x", f"cmd:{command}"), ("b", "rule"))
    match = Match(players, boards, contracts=(Contract.N,), duplicate=False, seconds=seconds)
    return list(play_match(match, [SeatedBoard(board, 0) for board in range(boards)]))


def running(text: str) -> list[int]:
    """Processes whose command line holds a text."""
    found = []
    for path in Path("/proc").glob("[0-9]*/cmdline"):
        try:
            if text in path.read_text(errors="replace").replace("\0", " "):
                found.append(int(path.parent.name))
        except OSError:
            continue
    return found


def test_a_sound_program_plays(tmp_path: Path) -> None:
    bot = ExternalBot(program(tmp_path, SOUND))
    bots = [bot, make_bot("rule"), bot]
    try:
        table = play_deal(bots, 1)  # type: ignore[arg-type]
        assert table.is_over
        assert table.contract is Contract.S
        assert table.discards[0] == table.discards[2] == ()
        bot.deal_over(Seat.F, table.tricks_won)
        assert play_deal(bots, 2).is_over  # type: ignore[arg-type]
    finally:
        bot.close()
    with pytest.raises(BotFailure):
        bot.new_deal(1)


@pytest.mark.parametrize("name", WRONG)
def test_what_a_program_can_do_wrong(name: str, tmp_path: Path) -> None:
    step, reason = WRONG[name]
    # Where it is not about time there is enough of it.
    (played,) = play_one(wrong(tmp_path, step), 0.5 if "no answer" in reason else 60)
    (record,), (forfeit,) = played.records, played.forfeits
    assert forfeit.player == "x"
    assert reason in forfeit.reason
    # No trick more for the one who forfeits, and a record that says so.
    won = record.final_position.tricks_won
    assert record.tricks is not None
    assert record.tricks[Seat.M] == won[Seat.M]
    assert sum(record.tricks) == 13
    assert '"reason"' in dict(record.extra)["forfeit"]
    if name == "twice":  # a line that comes late is taken for the next answer, the same card again
        assert "without being asked" in forfeit.reason or "M " in forfeit.reason
    if name == "crash":
        assert forfeit.words == ("my own words",)
    assert running(str(tmp_path)) == []


def test_a_revoke_is_named(tmp_path: Path) -> None:
    step = "answer = {'card': next((c for c in H(view) if c not in view['legal']), view['legal'][0])}"
    forfeits = [forfeit for played in play_one(wrong(tmp_path, step), 60, 3) for forfeit in played.forfeits]
    assert len(forfeits) == 3
    assert all("revoke, M must follow" in forfeit.reason for forfeit in forfeits)


@pytest.mark.parametrize(
    ("old", "new", "reason"),
    [
        ('{"discard": []}', '{"discard": 3}', '"discard" is a list of cards'),
        ('{"discard": []}', '{"discard": ["S1"]}', "S1: not a card"),
        ('{"discard": []}', '{"discard": [H(view)[0]] * 2}', "discarded twice"),
        ('{"contract": view["remaining"][0]}', '{"contract": "X"}', "X: not a contract"),
        ('{"contract": view["remaining"][0]}', '{"contract": 1}', "1: not a contract"),
    ],
)
def test_wrong_contracts_and_exchanges(old: str, new: str, reason: str, tmp_path: Path) -> None:
    players = (("x", f"cmd:{program(tmp_path, HELPERS + SOUND.replace(old, new))}"), ("a", "rule"), ("b", "rule"))
    (played,) = play_match(Match(players, 1, duplicate=False), [SeatedBoard(0, 0)])
    (forfeit,) = played.forfeits
    assert reason in forfeit.reason
    assert played.records[0].tricks == (0, 7, 6)


def test_a_program_that_failed_starts_anew(tmp_path: Path) -> None:
    flag = tmp_path / "failed"
    step = f"os.path.exists({str(flag)!r}) or (open({str(flag)!r}, 'w').close(), sys.exit(1)); answer = FIRST"
    step = "import os; " + step.replace("FIRST", "{'card': view['legal'][0]}")
    played = play_one(wrong(tmp_path, step), 60, 3)
    assert [len(each.forfeits) for each in played] == [1, 0, 0]


def test_where_a_program_forfeits_is_not_chance() -> None:
    """One that ends at once forfeits at its first decision, though writing to it may fail before."""
    players = (("a", "rule"), ("x", "cmd:false"), ("b", "rule"))
    for played in play_match(Match(players, 5), [SeatedBoard(board, 0) for board in range(5)]):
        (record,) = played.records
        assert record.exchange[Seat.F] != ()
        assert '"it ended instead of answering (exit code 1)"' in dict(record.extra)["forfeit"]


@linux
def test_children_of_a_program_end_with_it(tmp_path: Path) -> None:
    marker = f"60.{os.getpid()}"
    child = f"import subprocess; subprocess.Popen(['sleep', '{marker}'])\n"
    stubborn = "import signal; signal.signal(signal.SIGTERM, signal.SIG_IGN)\n"
    bot = ExternalBot(program(tmp_path, child + stubborn + SOUND + "import time; time.sleep(60)\n"))
    bot.new_deal(1)
    wait_until(lambda: len(running(marker)) == 1)
    bot.close()
    wait_until(lambda: not running(marker) and not running(str(tmp_path)))


@linux
@pytest.mark.parametrize("killed", [False, True])
def test_a_child_with_a_session_of_its_own_ends_too(killed: bool, tmp_path: Path) -> None:
    """Even one that was orphaned: a daemon, which no parent and no group leads to."""
    marker = f"63.{os.getpid()}"
    daemon = "import os\nif not os.fork():\n    os.setsid()\n    if not os.fork(): os.execlp('sleep', 'sleep', 'N')\n"
    command = program(tmp_path, daemon.replace("N", marker) + "    os._exit(0)\n" + SOUND)
    if killed:
        arena = start("arena", "--bot", f"cmd:{command}", "--bot", "rule", "--bot", "random", "--deals", "500")
        wait_until(lambda: running(marker))
        arena.kill()
        arena.communicate()
    else:
        bot = ExternalBot(command)
        bot.new_deal(1)
        wait_until(lambda: running(marker))
        bot.close()
    wait_until(lambda: not running(marker) and not running(str(tmp_path)))


@linux
@pytest.mark.parametrize("threads", [1, 2])
def test_nothing_is_left_when_the_arena_is_killed(threads: int, tmp_path: Path) -> None:
    """Not even of a program that ignores the end of its input, or of what it started."""
    marker = f"61.{os.getpid()}"
    child = f"import subprocess; subprocess.Popen(['sleep', '{marker}'])\n"
    stubborn = (
        "import signal, time\nfor name in ('SIGTERM', 'SIGHUP'): signal.signal(signal.Signals[name], signal.SIG_IGN)\n"
    )
    command = program(tmp_path, child + stubborn + "while True: time.sleep(60)\n")
    options = ["--bot", f"cmd:{command}", "--bot", "rule", "--bot", "random", "-t", str(threads)]
    arena = start("arena", *options)
    wait_until(lambda: len(running(marker)) == threads)
    arena.kill()
    arena.communicate()
    wait_until(lambda: not running(str(tmp_path)) and not running(marker))


@linux
def test_a_program_that_can_not_be_guarded_is_not_left_running(monkeypatch: pytest.MonkeyPatch) -> None:
    def no_process(group: int, mark: str) -> None:
        raise OSError(errno.EAGAIN, "Resource temporarily unavailable")

    monkeypatch.setattr("mizerka_solver.support.programs.Reaper", no_process)
    marker = f"62.{os.getpid()}"
    with pytest.raises(MizerkaError, match="can't be started: Resource temporarily unavailable"):
        ExternalBot(f"sleep {marker}").new_deal(1)
    assert running(marker) == []


def test_no_such_program() -> None:
    with pytest.raises(MizerkaError, match="no such program"):
        ExternalBot("/nonexistent/bot --fast")
