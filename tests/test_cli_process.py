"""The command as a process: interrupts, pipes, colour, encodings, what is imported, what is flushed when.

Times are generous upper bounds, there to catch a hang, not to measure.
"""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli import BAD, COMMAND, SMALL, at_work, environment, objects, on_terminal, process, run, start, wait_until

posix = pytest.mark.skipif(os.name != "posix", reason="signals and pipes of POSIX")
NO_TRUMP = ("-c", "N")


def test_stdin_to_stdout() -> None:
    done = process("solve", "-", "--json", *NO_TRUMP, stdin=f"{SMALL}\n{BAD}\n".encode())
    assert done.returncode == 3
    assert [sorted(row) for row in objects(done.stdout.decode())] == [
        ["contracts", "deal", "leader"],
        ["error", "line"],
    ]
    assert done.stderr == b"<stdin>:2: SA: card held by both F and M\n"


@pytest.mark.parametrize("bad", [("solve", "nofile"), ("solve", BAD), ("foo",), ("solve", "--foo"), ("solve", "/")])
def test_bad_usage(bad: tuple[str, ...]) -> None:
    done = process(*bad)
    assert done.returncode == 2
    assert b"Error: " in done.stderr
    assert b"Traceback" not in done.stderr
    assert done.stdout == b""


def test_answers_come_one_by_one() -> None:
    """Each line is answered before the next is asked, so another program can hold a conversation."""
    talk = start("solve", "-", "--json", *NO_TRUMP)
    assert talk.stdin
    assert talk.stdout
    for _ in range(3):
        talk.stdin.write(f"{SMALL}\n".encode())
        talk.stdin.flush()
        assert json.loads(talk.stdout.readline())["deal"] == SMALL
    talk.communicate()
    assert talk.returncode == 0


@posix
@pytest.mark.parametrize("threads", ["1", "2"])
def test_interrupt_keeps_what_is_done(threads: str, tmp_path: Path) -> None:
    deals, path = tmp_path / "deals.txt", tmp_path / "out.jsonl"
    deals.write_text(run("deal", "-n", "5000", "--seed", "1").stdout)
    work = start("solve", str(deals), "--json", "-o", str(path), "-t", threads, *NO_TRUMP)
    wait_until(lambda: path.exists() and path.stat().st_size)
    work.send_signal(signal.SIGINT)
    _, stderr = work.communicate(timeout=60)
    assert work.returncode == 130
    assert stderr.strip() == b"Interrupted."
    text = path.read_text()
    assert text.endswith("\n")
    assert 0 < len(objects(text)) < 5000


@posix
@pytest.mark.parametrize("arguments", [("-t", "1"), ("-t", "2"), ("--cards", "-t", "2"), ("--line", "all")])
def test_interrupt_of_long_searches(arguments: tuple[str, ...], tmp_path: Path) -> None:
    deals = run("deal", "-n", "2000", "--seed", "1").stdout.splitlines()
    work = at_work(tmp_path, deals, ["-c", "M", *arguments])
    work.send_signal(signal.SIGINT)
    _, stderr = work.communicate(timeout=60)
    assert work.returncode == 130
    assert stderr.strip() == b"Interrupted."


@posix
def test_interrupt_while_waiting_for_input() -> None:
    work = start("solve", "-", "--json", *NO_TRUMP)
    assert work.stdin
    assert work.stdout
    work.stdin.write(f"{SMALL}\n".encode())
    work.stdin.flush()
    assert work.stdout.readline()
    work.send_signal(signal.SIGINT)
    work.wait(timeout=60)
    assert work.returncode == 130
    work.communicate()


@posix
@pytest.mark.parametrize("form", ["--json", "--csv", None])
@pytest.mark.parametrize("threads", ["1", "2"])
def test_a_closed_pipe_is_silent(form: str | None, threads: str) -> None:
    arguments = ["solve", "--random", "--seed", "1", "-n", "500", "-t", threads, *NO_TRUMP, *([form] if form else [])]
    work = start(*arguments)
    assert work.stdout
    assert work.stdout.readline()
    work.stdout.close()
    work.stdout = None
    _, stderr = work.communicate(timeout=60)
    assert stderr == b""
    assert work.returncode == 141


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_disk_is_said() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "solve", SMALL, "--json"], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert done.returncode == 2
    assert done.stderr == b"Error: output: No space left on device\n"


def test_colour_only_where_it_is_wanted() -> None:
    deal = ("solve", SMALL, *NO_TRUMP)
    assert b"\x1b" not in process(*deal).stdout
    assert b"\x1b[31m" in process(*deal, FORCE_COLOR="1").stdout
    assert b"\x1b[31m" not in process(*deal, FORCE_COLOR="1", NO_COLOR="1").stdout


def test_rows_stay_whole_on_a_narrow_screen() -> None:
    narrow = process("solve", "--random", "--seed", "7", *NO_TRUMP, COLUMNS="40").stdout.decode().split("\n\n")
    wide = process("solve", "--random", "--seed", "7", *NO_TRUMP, COLUMNS="200").stdout.decode().split("\n\n")
    assert narrow[:-1] == wide[:-1]
    assert len(wide[-1].splitlines()) < len(narrow[-1].splitlines())  # the legend, running text


@pytest.mark.skipif(os.name != "posix", reason="needs a pseudo-terminal")
def test_on_a_terminal() -> None:
    assert b"\x1b[31m" in on_terminal("solve", SMALL, *NO_TRUMP)
    assert b"\x1b[31m" not in on_terminal("solve", SMALL, *NO_TRUMP, NO_COLOR="1")
    quiet = ("--random", "--seed", "1", "-n", "3", *NO_TRUMP, "--json", "-o", os.devnull)
    assert b"3/3" in on_terminal("solve", *quiet)
    assert on_terminal("solve", *quiet, "--no-progress") == b""


def test_streams_without_suit_signs() -> None:
    done = process("solve", SMALL, POSITION_IN_TRICK, "--line", "F", PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 0
    text = done.stdout.decode("ascii")
    assert "  F forehand    S AK" in text
    assert ">=2" in text
    assert "\\u" not in text
    done = process("validate", "-", stdin="F:♠ M:… R:é\n".encode(), PYTHONIOENCODING="ascii", PYTHONUTF8="0")
    assert done.returncode == 3
    assert done.stdout.isascii()


POSITION_IN_TRICK = "F:A.-.-.- M:K3.-.-.- R:-.54.-.- S F S2 4-4-3"


@pytest.mark.parametrize("form", ["--json", "--csv"])
def test_what_machines_read_needs_neither_rich_nor_numpy(form: str) -> None:
    code = (
        "import sys; from mizerka_solver.cli.main import cli\n"
        f"cli.main(['solve', '{SMALL}', '{form}'], standalone_mode=False)\n"
        "print(sorted({'rich', 'numpy', 'hypothesis'} & set(sys.modules)), file=sys.stderr)"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=True)
    assert done.stderr == b"[]\n"


def test_commands_are_imported_when_called() -> None:
    code = (
        "import sys; from mizerka_solver.cli.main import cli\n"
        "cli.main(['deal', '--seed', '1'], standalone_mode=False)\n"
        "print(sorted(name for name in sys.modules if name.startswith('mizerka_solver.cli.')))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=True, text=True)
    assert "mizerka_solver.cli.deal" in done.stdout
    assert "mizerka_solver.cli.solve" not in done.stdout
