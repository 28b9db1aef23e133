"""Whatever is typed or fed ends in an answer or one clear line, with the right exit code, and loses nothing."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from tests.cli import BAD, POSITION, SMALL, objects, run

USAGE = [
    (["solve"], "give a deal"),
    (["solve", ""], "empty argument"),
    (["solve", "nofile"], "nofile: no such file, and not a deal"),
    (["solve", "."], ".: is a directory"),
    (["solve", "-", "-"], "read once"),
    (["solve", SMALL, "--memory", "huge"], "huge: memory must be a number of bytes"),
    (["solve", SMALL, "--memory", "1K"], "memory must be between"),
    (["solve", SMALL, "-t", "-1"], "-1: must be between 0 and 1024"),
    (["solve", SMALL, "-t", "two"], "two: must be a whole number, between 0 and 1024"),
    (["solve", SMALL, "-c", "X"], "X: not a contract"),
    (["solve", SMALL, "-c", ""], "no contract in it"),
    (["solve", SMALL, "--leader", "Q"], "Q: not a seat"),
    (["solve", SMALL, "--json", "--csv"], "exclude each other"),
    (["solve", SMALL, "--seed", "1"], "need --random"),
    (["solve", SMALL, "--random"], "--random takes no deals"),
    (["solve", "--random", "--seed", "-1"], "-1: must be 0 or more"),
    (["solve", SMALL, "-o", "no/such/place"], "there is no directory"),
    (["solve", SMALL, "-o", "."], "is a directory"),
    (["solve", BAD], "Error: SA: card held by both F and M"),
    (["solve", BAD, "--json"], "Error: SA: card held by both F and M"),
    (["solve", "F:AK"], "a hand has 4 suits"),
    (["solve", "F:AK.-.-.- M:Q2.-.-.-"], "expected R:<hand>"),
    (["solve", "a b"], "not three hands: write F:<hand> M:<hand> R:<hand>"),
    (["solve", "# nothing"], "no deal in it"),
    (["validate", BAD], "Error: SA: card held by both F and M"),
    (["validate", "{}"], "Error: format"),
    (["convert", BAD], "Error: SA: card held by both F and M"),
    (["deal", "--hand-size", "18"], "18: must be between 1 and 17"),
    (["deal", "-n", "0"], "0: must be 1 or more"),
    (["bench", "--deals", "0"], "0: must be 1 or more"),
    (["slove"], "slove: no such command; did you mean solve?"),
    (["nonsense"], "nonsense: no such command"),
    (["solve", "--nonsense"], "No such option '--nonsense'"),
]


@pytest.mark.parametrize(("arguments", "message"), USAGE, ids=[" ".join(arguments) for arguments, _ in USAGE])
def test_bad_usage_is_one_line_and_code_2(arguments: list[str], message: str) -> None:
    result = run(*arguments, code=2)
    assert message in result.stderr.splitlines()[-1]
    assert result.stdout == ""


GARBAGE = {
    "binary": bytes(range(256)) * 20,
    "not utf-8": b"F:AK.-.-.- M:Q2.-.-.- R:-.AK.-.- \xff\n",
    "utf-16": SMALL.encode("utf-16"),
    "one long line": b"A" * 3_000_000,
    "nul": b"\0\0\0\n\0",
    "brackets": b"[" * 100_000 + b"\n{\n",
}


@pytest.mark.parametrize("command", ["solve", "validate", "convert"])
@pytest.mark.parametrize("name", GARBAGE)
def test_garbage_is_reported_line_by_line(name: str, command: str, tmp_path: Path) -> None:
    path = tmp_path / "garbage"
    path.write_bytes(GARBAGE[name])
    result = run(command, str(path), code=3)
    assert f"{path}:1: " in result.output
    assert all(len(line) < 400 for line in result.output.splitlines())
    assert run(command, "-", stdin=GARBAGE[name], code=3).exit_code == 3


@pytest.mark.parametrize("command", ["solve", "validate", "convert"])
@pytest.mark.parametrize("text", ["", "\n\n  \n", "# only a comment\n"])
def test_input_without_records_is_said(text: str, command: str) -> None:
    assert "standard input: no " in run(command, "-", stdin=text, code=2).stderr


def test_literals_files_and_stdin_may_be_mixed(tmp_path: Path) -> None:
    path = tmp_path / "a file with blanks.txt"
    path.write_text(f"{SMALL} # comment\n")
    underscored = SMALL.replace(" ", "_")
    arguments = [POSITION, str(path), underscored, "-"]
    data = objects(
        run("solve", *arguments, "--json", "-c", "N", stdin="f:AS... m:KS... r:QS...".replace("S", "")).stdout
    )
    assert [row.get("deal", row.get("position")) for row in data] == [
        POSITION,
        SMALL,
        SMALL,
        "F:A.-.-.- M:K.-.-.- R:Q.-.-.-",
    ]


def test_a_bad_literal_among_others_is_reported_in_place() -> None:
    result = run("solve", SMALL, BAD, "--json", "-c", "N", code=3)
    assert result.stderr == "argument 2:1: SA: card held by both F and M\n"
    assert objects(result.stdout)[1]["line"] == 1


@pytest.mark.skipif(os.name != "posix" or os.geteuid() == 0, reason="needs file permissions that bind")
def test_files_that_may_not_be_read_or_written(tmp_path: Path) -> None:
    path = tmp_path / "closed"
    path.write_text(SMALL)
    path.chmod(0)
    assert "may not be read" in run("solve", str(path), code=2).stderr
    assert "may not be written" in run("solve", SMALL, "-o", str(path), code=2).stderr


# -o


def test_output_file_is_written_and_replaced(tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    path.write_text("old\n" * 100)
    assert run("solve", SMALL, "-c", "N", "--json", "-o", str(path)).output == ""
    assert objects(path.read_text())[0]["deal"] == SMALL
    run("solve", SMALL, "-c", "N", "-o", str(path))
    assert "♠ AK" in path.read_text(encoding="utf-8")
    assert "\x1b" not in path.read_text(encoding="utf-8")
    assert run("solve", SMALL, "-c", "N", "--json", "-o", "-").stdout.startswith("{")


@pytest.mark.parametrize(
    "arguments", [["-c", "X", SMALL], [BAD], ["nofile"], ["# nothing"], [SMALL, "--csv", "--json"]]
)
def test_bad_usage_leaves_the_output_file_alone(arguments: list[str], tmp_path: Path) -> None:
    path = tmp_path / "out.txt"
    run("solve", *arguments, "-o", str(path), code=2)
    assert not path.exists()
    path.write_text("old")
    run("solve", *arguments, "-o", str(path), code=2)
    assert path.read_text() == "old"


def test_an_input_is_not_overwritten(tmp_path: Path) -> None:
    path = tmp_path / "deals.txt"
    path.write_text(SMALL)
    for command in ("solve", "convert", "validate"):
        assert "is also an input" in run(command, str(path), "-o", str(path), code=2).stderr
    assert path.read_text() == SMALL
