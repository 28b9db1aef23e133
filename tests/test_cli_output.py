"""The one writer: never an input, whole or by whole records, one at a time; closed streams; signals at any moment."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
from pathlib import Path

import pytest

from mizerka_solver import Contract, Deal, GameRecord
from mizerka_solver.cli.output import Writer
from tests.cli import BAD, COMMAND, SMALL, environment, interrupted, process, run, start, wait_until

posix = pytest.mark.skipif(os.name != "posix", reason="signals, locks and devices of POSIX")
RECORD = GameRecord(("a", "b", "c"), Deal.random(7), Contract.S).to_json()
BOTS = ("--bot", "a=rule", "--bot", "b=random", "--bot", "c=rule", "--deals", "1", "--seed", "1")
READERS = {
    "solve": ("solve", "{}", "-c", "N", "-o"),
    "exchange": ("exchange", "{}", "-c", "N", "-o"),
    "analyse": ("analyse", "{}", "-o"),
    "advise": ("advise", "{}", "--samples", "1", "-o"),
    "validate": ("validate", "{}", "-o"),
    "convert": ("convert", "{}", "-o"),
    "sheet": ("sheet", "{}", "-o"),
    "perft": ("perft", "{}", "-o"),
    "check-rules": ("check-rules", "cmd:cat {}", "-o"),
    "arena": ("arena", "--bot", "cmd:cat {}", "--bot", "rule", "--bot", "random", "--deals", "1", "-o"),
}


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("way", ["same", "relative", "symbolic", "hard"])
def test_no_output_is_an_input(name: str, way: str, tmp_path: Path) -> None:
    source = tmp_path / "records.jsonl"
    source.write_text(f"{RECORD}\n")
    target = tmp_path / "other"
    if way == "symbolic":
        target.symlink_to(source)
    elif way == "hard":
        target.hardlink_to(source)
    else:
        target = source if way == "same" else tmp_path / "." / ".." / tmp_path.name / source.name
    arguments = [argument.format(source) for argument in READERS[name]]
    assert "is also an input" in run(*arguments, str(target), code=2).stderr
    assert source.read_text() == f"{RECORD}\n"
    assert {path.name for path in tmp_path.iterdir()} <= {"records.jsonl", "other"}


@posix
def test_a_redirected_input_is_no_output(tmp_path: Path) -> None:
    source = tmp_path / "deals.txt"
    source.write_text(f"{SMALL}\n")
    with open(source, "rb") as stream:
        done = subprocess.run(
            [*COMMAND, "convert", "-", "-o", str(source)],
            stdin=stream,
            capture_output=True,
            env=environment(),
            check=False,
        )
    assert (done.returncode, source.read_text()) == (2, f"{SMALL}\n")
    with open(source, "ab") as stream:  # would never end: each line read adds one
        done = subprocess.run(
            [*COMMAND, "convert", str(source)], stdout=stream, stderr=subprocess.PIPE, env=environment(), check=False
        )
    assert done.stderr == b"Error: standard output is also an input\n"
    assert source.read_text() == f"{SMALL}\n"


@pytest.mark.parametrize(
    "arguments",
    [
        ("deal", "--seed", "1"),
        ("contract", "--hand", "AKQ9.A.-.4", "--samples", "1", "--seed", "1"),
        ("exchange", "--hand", "AKT973.A4.52.Q63", "-c", "S", "--margin", "0", "--samples", "1", "--seed", "1"),
        ("bench", "--deals", "1", "--memory", "1M"),
        ("perft", "--golden"),
        ("validate", SMALL),
    ],
    ids=lambda arguments: arguments[0],
)
def test_dash_file_and_device(arguments: tuple[str, ...], tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("old text")
    path.chmod(0o640)
    assert run(*arguments, "-o", str(path)).stdout == ""
    text = path.read_text()
    assert "old text" not in text
    assert text.endswith("\n")
    assert path.stat().st_mode & 0o777 == 0o640
    assert [path.name for path in tmp_path.iterdir()] == ["out"]
    if arguments[0] != "bench":  # which tells times
        assert run(*arguments, "-o", "-").stdout == text
    run(*arguments, "-o", os.devnull)


def test_errors_before_the_first_result_leave_the_file_alone(tmp_path: Path) -> None:
    path = tmp_path / "out"
    run("solve", BAD, "-o", str(path), code=2)
    assert list(tmp_path.iterdir()) == []
    path.write_text("before")
    run("solve", BAD, "-o", str(path), code=2)
    run("check-rules", "cmd:/no/such/program", "-o", str(path), code=2)
    assert path.read_text() == "before"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@posix
@pytest.mark.parametrize("exists", [False, True])
@pytest.mark.parametrize("whole", [False, True])
def test_the_second_writer_is_refused(exists: bool, whole: bool, tmp_path: Path) -> None:
    path = tmp_path / "out"
    if exists:
        path.write_text("before")
    first = Writer("-o", str(path), whole=whole)
    for _ in range(2):
        result = run("deal", "--seed", "1", "-o", str(path), code=2)
        assert result.stderr == f"Error: -o {path}: another command is writing to it\n"
        first.write(b"first\n")
    first.close()
    assert path.read_text() == "first\nfirst\n"
    run("deal", "--seed", "1", "-o", str(path))
    assert path.read_text().startswith("F:")
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


@posix
def test_one_command_has_no_two_writers_on_a_file(tmp_path: Path) -> None:
    pytest.importorskip("matplotlib")
    path = str(tmp_path / "x.svg")
    assert "another command is writing" in run("solve", SMALL, "-c", "N", "--plot", path, "-o", path, code=2).stderr


def test_a_whole_answer_is_there_at_the_end_or_not_at_all(tmp_path: Path) -> None:
    path = tmp_path / "out"
    path.write_text("before")
    writer = Writer("-o", str(path), whole=True)
    writer.write(b"half")
    assert path.read_text() == "before"
    writer.close(succeeded=False)
    assert path.read_text() == "before"
    writer = Writer("-o", str(path), whole=True)
    writer.write(b"all")
    writer.close()
    assert path.read_text() == "all"
    assert [path.name for path in tmp_path.iterdir()] == ["out"]


def test_a_full_disk_leaves_no_half_record(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    path = tmp_path / "out"
    writer = Writer("-o", str(path))
    writer.write(b"one\n")
    real = os.write

    def nearly_full(file: int, data: bytes) -> int:
        if len(data) < 4:
            raise OSError(28, "No space left on device")
        return real(file, data[:2])

    monkeypatch.setattr("mizerka_solver.cli.output.os.write", nearly_full)
    with pytest.raises(OSError, match="No space left on device"):
        writer.write(b"four\n")
    monkeypatch.undo()
    writer.close()
    assert path.read_text() == "one\n"


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_device() -> None:
    assert run("deal", "--seed", "1", "-o", "/dev/full", code=2).stderr == "Error: /dev/full: No space left on device\n"
    for arguments in (["--help"], ["solve", "--help"], ["--version"], ["deal", "--seed", "1"]):
        with open("/dev/full", "wb") as full:
            done = subprocess.run(
                [*COMMAND, *arguments], stdout=full, stderr=subprocess.PIPE, env=environment(), check=False
            )
        assert (done.returncode, done.stderr) == (2, b"Error: output: No space left on device\n")


@pytest.mark.skipif(not os.path.exists("/dev/full"), reason="needs /dev/full")
def test_a_full_stderr_does_not_stop_good_lines() -> None:
    with open("/dev/full", "wb") as full:
        done = subprocess.run(
            [*COMMAND, "convert", "-"],
            input=f"{SMALL}\n{BAD}\n{SMALL}\n".encode(),
            stdout=subprocess.PIPE,
            stderr=full,
            env=environment(),
            check=False,
        )
    assert (done.returncode, done.stdout.decode()) == (3, f"{SMALL}\n{SMALL}\n")


@posix
@pytest.mark.parametrize(
    ("redirection", "arguments", "code", "stdout", "stderr"),
    [
        ("<&-", "convert -", 2, "", "Error: standard input: can't be read: Bad file descriptor\n"),
        ("<&-", "convert DEAL", 0, f"{SMALL}\n", ""),
        (">&-", "convert DEAL", 2, "", "Error: output: Bad file descriptor\n"),
        (">&-", "--help", 2, "", "Error: output: Bad file descriptor\n"),
        ("2>&-", "deal -n 3", 0, None, ""),
        ("2>&-", "convert nonsense", 2, "", ""),
        ("<&- >&- 2>&-", "deal", 2, "", ""),
    ],
)
def test_closed_streams(redirection: str, arguments: str, code: int, stdout: str | None, stderr: str) -> None:
    words = [SMALL if word == "DEAL" else word for word in arguments.split()]
    command = ["/bin/sh", "-c", f'"$@" {redirection}', "sh", *COMMAND, *words]
    done = subprocess.run(command, capture_output=True, env=environment(), text=True, check=False)
    assert done.returncode == code
    assert done.stderr == stderr
    if stdout is None:
        assert all(Deal(line) for line in done.stdout.splitlines())
    else:
        assert done.stdout == stdout


@posix
def test_a_pipe_with_a_name(tmp_path: Path) -> None:
    path = tmp_path / "pipe"
    os.mkfifo(path)
    work = start("deal", "--seed", "1", "-o", str(path))
    assert path.read_text() == run("deal", "--seed", "1").stdout
    work.communicate(timeout=60)
    assert work.returncode == 0


def test_a_screen_without_columns() -> None:
    done = process("solve", SMALL, "-c", "N", COLUMNS="0")
    assert "N   no trump" in done.stdout.decode()


@posix
def test_a_signal_while_the_command_is_imported() -> None:
    """The import of click stands for all of it: there the process sends itself the signal."""
    for number, words in ((signal.SIGINT, "Interrupted.\n"), (signal.SIGTERM, "Terminated.\n")):
        code = (
            "import os, sys, importlib.abc\n"
            "class Finder(importlib.abc.MetaPathFinder):\n"
            "    def find_spec(self, name, path, target=None):\n"
            f"        if name == 'click': os.kill(os.getpid(), {int(number)})\n"
            "sys.meta_path.insert(0, Finder())\n"
            "from mizerka_solver.cli.start import main\n"
            "main()"
        )
        done = subprocess.run(
            [sys.executable, "-c", code], capture_output=True, text=True, env=environment(), check=False
        )
        assert (done.returncode, done.stdout, done.stderr) == (128 + number, "", words)


@posix
@pytest.mark.parametrize("second", [signal.SIGINT, signal.SIGTERM])
def test_a_second_signal_while_ending(second: signal.Signals) -> None:
    code = (
        "import os, signal, sys, time\n"
        "from mizerka_solver.cli import deal, process\n"
        "from mizerka_solver.cli.main import main\n"
        "def slow_end(*arguments):\n"
        "    try: os.kill(os.getpid(), signal.SIGINT); time.sleep(60)\n"
        f"    finally: os.kill(os.getpid(), {int(second)}); time.sleep(60)\n"
        "deal.random_deals = slow_end\n"
        "sys.argv = ['mizerka', 'deal', '--seed', '1']\n"
        "main()"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, env=environment(), check=False)
    assert (done.returncode, done.stderr) == (130, b"")


@posix
def test_terminated_is_like_interrupted(tmp_path: Path) -> None:
    deals, path = tmp_path / "deals.txt", tmp_path / "out.jsonl"
    deals.write_text(run("deal", "-n", "3000", "--seed", "1").stdout)
    work = start("solve", str(deals), "--json", "-o", str(path), "-c", "N")
    wait_until(lambda: path.exists() and path.stat().st_size)
    _, stderr = interrupted(work, signal.SIGTERM)
    assert (work.returncode, stderr) == (143, b"Terminated.\n")
    assert path.read_text().endswith("}\n")
    assert [path.name for path in tmp_path.iterdir() if path.name.startswith(".")] == []


@pytest.mark.parametrize(
    ("arguments", "error"),
    [
        (("solve", SMALL, "--node-limit", "18446744073709551616"), "must be between 1 and 9223372036854775807"),
        (("solve", SMALL, "--node-limit", "1_0"), "1_0: must be a whole number, 1 or more"),
        (("solve", SMALL, "-t", "１"), "must be a whole number, between 0 and 1024"),
        (("solve", SMALL, "--time-limit", "nan"), "nan: must be a number, 0.001 or more"),
        (("solve", SMALL, "--time-limit", "inf"), "inf: must be a number, 0.001 or more"),
        (("arena", *BOTS, "--time-limit", "1e300"), "1e300: must be between 0.001 and 10,000,000"),
        (("deal", "--seed", "9" * 5000), "must be between 0 and 3402823669"),
        (("exchange", SMALL, "-c", "N", "--seat", "q"), "q: not a seat, seats are F M R"),
        (("solve", SMALL, "-c", "spades,x"), "x: not a contract"),
    ],
)
def test_numbers_and_names_that_are_none(arguments: tuple[str, ...], error: str) -> None:
    assert error in run(*arguments, code=2).stderr


def test_one_spelling_of_contracts_and_seats_everywhere() -> None:
    for contracts in ("SN", "s,n", "spades,NT", "♠, no trump"):
        text = run("solve", SMALL, "-c", contracts, "--leader", "middlehand").stdout
        assert text == run("solve", SMALL, "-c", "S", "-c", "N", "--leader", "M").stdout
    assert (
        run("exchange", SMALL, "-c", "spades", "--seat", "rearhand").stdout
        == run("exchange", SMALL, "-c", "S", "--seat", "R").stdout
    )
