"""Every option of every command, given anything; every answer of a program, be it anything.

What must hold: an exit code that is documented, one line that says what is wrong, no traceback.
"""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from pathlib import Path

import click
import pytest
from click.testing import CliRunner
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from mizerka_solver import Contract, Deal
from mizerka_solver.bots import Table
from mizerka_solver.bots.external import BotFailure, ExternalBot
from mizerka_solver.cli.main import cli
from mizerka_solver.testing.adapter import NotOffered, ProgramAdapter, ProgramError, Refused
from tests.cli import SMALL, VIEW_OF_SIX
from tests.fuzzing import RECORD, check_message

CODES = {0, 1, 2, 3}
# What a command needs to get as far as its options; sparing, so that a sound value takes no time.
NEEDED = {
    "advise": [VIEW_OF_SIX, "--samples", "1"],
    "analyse": [RECORD],
    "arena": ["--bot", "rule", "--bot", "random", "--bot", "lucky=random", "--deals", "1", "--no-duplicate"],
    "bench": ["--deals", "1"],
    "check-rules": ["cmd:no such program"],
    "contract": ["--hand", "AKQ9.A.-.4", "--samples", "1", "--time-limit", "0.01"],
    "convert": [SMALL],
    "deal": ["-n", "1"],
    "exchange": [SMALL, "-c", "N"],
    "perft": [SMALL, "-c", "N", "--depth", "1"],
    "serve": ["--host", "192.0.2.1", "--no-browser"],  # an address for documentation, which no machine has
    "sheet": [RECORD],
    "solve": [SMALL],
    "validate": [SMALL],
}
# A sound value would take long (a million deals), or lets the command do something else than answer.
LONG = {
    "-n",
    "--random",
    "--depth",
    "--golden",
    "--output",
    "-o",
    "--plot",
    "--samples",
    "--resume",
    "--dask",
    "--backend",
    "--host",
}
NUMBERS = ["-1", "0", "1", "1.5", "nan", "inf", "1e400", "9" * 25, "9" * 4301, "1_0", "٣", "²", "0x1", "1,", "2M"]
WORDS = ["", "-", "S", "NN", "F", "F:", "ü", "\x1b[31m", "a\nb", " ", ",", "--help", "{", "[]", "A" * 5000]
VALUES = NUMBERS + WORDS


def options() -> Iterator[tuple[str, str]]:
    for name in NEEDED:
        command = cli.get_command(click.Context(cli), name)
        assert command is not None
        for parameter in command.params:
            if isinstance(parameter, click.Option) and not parameter.is_flag and not LONG & set(parameter.opts):
                yield name, parameter.opts[-1]


def check_command(*arguments: str) -> None:
    result = CliRunner().invoke(cli, list(arguments), input="", prog_name="mizerka")
    assert result.exit_code in CODES, (arguments, result.exit_code, result.exception)
    assert result.exception is None or isinstance(result.exception, SystemExit), (arguments, result.exception)
    assert "Traceback" not in result.output
    if result.exit_code == 2:
        lines = [
            line for line in result.stderr.splitlines() if line and not line.startswith(("Usage:", "Try ", "seed "))
        ]
        assert len(lines) == 1, (arguments, lines)
        check_message(lines[0])


def test_the_table_has_every_command_that_can_be_asked_so() -> None:
    assert set(cli.list_commands(click.Context(cli))) == set(NEEDED)


@pytest.mark.slow
@pytest.mark.parametrize(("command", "option"), list(options()))
def test_any_value_of_any_option(command: str, option: str) -> None:
    for value in VALUES:
        check_command(command, *NEEDED[command], f"{option}={value}" if option.startswith("--") else f"{option}{value}")


@pytest.mark.slow
@given(data=st.data())
@settings(max_examples=300, derandomize=True)
def test_options_in_any_company(data: st.DataObject) -> None:
    command = data.draw(st.sampled_from(sorted(NEEDED)))
    own = [option for name, option in options() if name == command]
    words = [SMALL, RECORD, "-", "nowhere", "{}", "--json", "--csv", *VALUES]
    arguments = data.draw(st.lists(st.sampled_from([*own, *words]), max_size=5)) if own else []
    limits = ["--time-limit", "0.05"] if "--time-limit" in own else []
    check_command(command, *arguments, *limits)


# Programs: one that answers what a file says, whatever it is asked

ANSWERS = """
import sys
for line in sys.stdin.buffer:
    if b'"type":"deal"' in line or b'"type":"result"' in line:
        continue
    sys.stdout.buffer.write(open(sys.argv[1], "rb").read() + b"\\n")
    sys.stdout.buffer.flush()
"""
JSON = st.recursive(
    st.none()
    | st.booleans()
    | st.integers()
    | st.floats()
    | st.sampled_from(["S", "SA", "F", "refused", "♠A", ""])
    | st.text(max_size=8),
    lambda inner: (
        st.lists(inner, max_size=4)
        | st.dictionaries(
            st.sampled_from(
                [
                    "contract",
                    "discard",
                    "card",
                    "cards",
                    "seat",
                    "points",
                    "drawn",
                    "players",
                    "refused",
                    "unknown",
                    "x",
                ]
            ),
            inner,
            max_size=4,
        )
    ),
    max_leaves=8,
)
LINES = JSON.map(lambda value: json.dumps(value).encode()) | st.binary(max_size=80) | st.just(b"[" * 3000)


@pytest.fixture
def program(tmp_path: Path) -> tuple[str, Path]:
    """The command of the program, and the file with its answer."""
    code, answer = tmp_path / "program.py", tmp_path / "answer"
    code.write_text(ANSWERS)
    return f"'{sys.executable}' '{code}' '{answer}'", answer


SLOW = settings(max_examples=60, suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow])


@pytest.mark.slow
@given(line=LINES)
@SLOW
def test_any_answer_of_a_bot(program: tuple[str, Path], line: bytes) -> None:
    command, answer = program
    answer.write_bytes(line)
    table = Table(Deal.random(1))
    naming = table.view()
    table.name(Contract.N)
    exchanging = table.view()
    for _ in range(3):
        table.exchange([])
    bot = ExternalBot(command)
    try:
        for ask, view in ((bot.name_contract, naming), (bot.exchange, exchanging), (bot.play, table.view())):
            bot.new_deal(1)
            try:
                ask(view)
            except BotFailure as failure:
                check_message(failure.reason)
    finally:
        bot.close()


@pytest.mark.slow
@given(line=LINES)
@SLOW
def test_any_answer_of_a_program_whose_rules_are_checked(program: tuple[str, Path], line: bytes) -> None:
    command, answer = program
    answer.write_bytes(line)
    with ProgramAdapter(f"cmd:{command}") as asked:
        for question in (
            lambda: asked.new_game(0),
            lambda: asked.deal(SMALL),
            asked.legal_cards,
            asked.winner,
            asked.undo,
        ):
            try:
                question()
            except NotOffered:
                assert question == asked.undo
            except (ProgramError, Refused) as error:
                check_message(str(error) or "refused")
