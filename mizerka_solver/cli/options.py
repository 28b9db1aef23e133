"""Options that commands share, each defined once, and the types all options are made of.

A number is written in ASCII digits, is never infinite and never "not a number", and is refused with the range it has
to be in. Cards, seats and contracts are read by game/convert.py, in every spelling it knows.
"""

from __future__ import annotations

import os
import re
from collections.abc import Callable
from dataclasses import dataclass, fields
from functools import wraps
from typing import TYPE_CHECKING, Any, TypeVar

import click
from click.core import ParameterSource

from mizerka_solver.game.convert import as_contract, as_contracts, as_seat
from mizerka_solver.game.rules import Contract
from mizerka_solver.support.errors import MizerkaError, quoted
from mizerka_solver.support.limits import MAX_NODES, MAX_THREADS, MIN_MEMORY, Limits, parse_memory

if TYPE_CHECKING:
    from _typeshed import DataclassInstance

LINE_MEMORY = 16 << 20  # bytes a thread
MAX_COUNT = 10**9
MAX_SECONDS = 10**7
MAX_SEED = 2**128 - 1

Function = TypeVar("Function", bound=Callable[..., Any])
Decorator = Callable[[Function], Function]


# Types


class WholeNumber(click.IntRange):
    """A whole number within limits, of which those far away are mentioned only to whoever goes beyond them."""

    name = "number"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> int:
        """Return the number; fails with the rule it breaks."""
        text = str(value).strip()
        low, high = int(self.min or 0), int(MAX_SEED if self.max is None else self.max)
        limits = f"{low} or more" if high >= MAX_COUNT else f"between {low} and {high}"
        if not re.fullmatch(r"[+-]?[0-9]+", text):
            self.fail(f"{quoted(text)}: must be a whole number, {limits}", param, ctx)
        # int() refuses to look at the longest, which are out of every range.
        number = int(text) if len(text) <= len(str(MAX_SEED)) + 1 else None
        if number is None or number > high:
            self.fail(f"{quoted(text)}: must be between {low} and {high}", param, ctx)
        if number < low:
            self.fail(f"{quoted(text)}: must be {limits}", param, ctx)
        return number


class Decimal(click.FloatRange):
    """A decimal number, finite, with a lower limit, and an upper one that only fools reach."""

    name = "decimal"

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> float:
        """Return the number; fails with the rule it breaks."""
        text = str(value).strip()
        low, high = float(self.min or 0), float(MAX_SECONDS if self.max is None else self.max)
        if not re.fullmatch(r"[+-]?([0-9]+\.?[0-9]*|\.[0-9]+)([eE][+-]?[0-9]+)?", text):
            self.fail(f"{quoted(text)}: must be a number, {low:g} or more", param, ctx)
        number = float(text)
        if number < low:
            self.fail(f"{quoted(text)}: must be {low:g} or more", param, ctx)
        if number > high:
            self.fail(f"{quoted(text)}: must be between {low:g} and {high:,.0f}", param, ctx)
        return number


class Spelled(click.ParamType):  # type: ignore[type-arg]  # generic in recent versions of click only
    """What game/convert.py reads: a seat, a contract, contracts."""

    def __init__(self, name: str, read: Callable[[Any], Any]) -> None:
        self.name = name
        self._read = read

    def convert(self, value: Any, param: click.Parameter | None, ctx: click.Context | None) -> Any:
        """Return the value; fails with the rule it breaks."""
        try:
            return self._read(value)
        except MizerkaError as error:
            self.fail(str(error), param, ctx)


COUNT = WholeNumber(1, MAX_COUNT)
SECONDS = Decimal(0.001)
SEAT = Spelled("seat", as_seat)
CONTRACT = Spelled("contract", as_contract)
CONTRACTS = Spelled("contracts", as_contracts)


def converted(read: Callable[[Any], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Return a callback that reads an option that was given; what is wrong is said with the option's name."""

    def callback(ctx: click.Context, param: click.Parameter, value: Any) -> Any:
        try:
            return None if value is None else read(value)
        except MizerkaError as error:
            raise click.BadParameter(str(error)) from None

    return callback


# Groups


@dataclass(frozen=True, slots=True)
class EngineOptions:
    """-t and --memory."""

    threads: int
    memory: int


@dataclass(frozen=True, slots=True)
class OutputOptions:
    """--json, --csv, -o, --no-progress and --json-progress."""

    as_json: bool = False
    as_csv: bool = False
    path: str | None = None
    no_progress: bool = False
    json_progress: bool = False


def option_group(parameter: str, group: Callable[..., DataclassInstance], *options: Decorator[Any]) -> Decorator[Any]:
    """Add click options whose values reach the command as one value of the dataclass `group`."""

    def decorate(function: Function) -> Function:
        @wraps(function)
        def wrapper(**values: Any) -> Any:
            names = [f.name for f in fields(group)]  # type: ignore[arg-type]
            values[parameter] = group(**{name: values.pop(name) for name in names if name in values})
            return function(**values)

        decorated: Any = wrapper
        for option in reversed(options):
            decorated = option(decorated)
        return decorated  # type: ignore[no-any-return]

    return decorate


# Options


def threads_of(ctx: click.Context, param: click.Parameter, value: int) -> int:
    """Return the value of -t; 0 is one per processor."""
    return value or len(getattr(os, "sched_getaffinity", lambda _: range(os.cpu_count() or 1))(0))


def _all_contracts(
    ctx: click.Context, param: click.Parameter, value: tuple[tuple[Contract, ...], ...]
) -> tuple[Contract, ...] | None:
    """Return contracts given in one or several options, each once; None for none given."""
    return tuple(dict.fromkeys(contract for group in value for contract in group)) or None


memory_option = click.option(
    "--memory",
    default="256M",
    show_default=True,
    callback=converted(parse_memory),
    metavar="SIZE",
    help="All tables together.",
)
threads_option = click.option(
    "-t",
    "--threads",
    type=WholeNumber(0, MAX_THREADS),
    metavar="N",
    default=1,
    show_default=True,
    callback=threads_of,
    help="Number of threads; 0 means one per processor.",
)
json_option = click.option("--json", "as_json", is_flag=True, help="Print JSON Lines, one object per line.")
csv_option = click.option("--csv", "as_csv", is_flag=True, help="Print CSV with a header line.")
path_option = click.option(
    "-o",
    "--output",
    "path",
    metavar="FILE",
    help="Write to FILE, which is left alone until there is a result; '-' is standard output.",
)
progress_option = click.option("--no-progress", is_flag=True, help="Do not show a progress bar.")
json_progress_option = click.option(
    "--json-progress", is_flag=True, help="Report progress on standard error as JSON Lines."
)


def seed_option(
    help: str = "Random seed; the same seed gives the same result. By default one is drawn and printed on stderr.",
    default: int | None = None,
) -> Decorator[Any]:
    """Return --seed."""
    shown = default is not None
    return click.option(
        "--seed", type=WholeNumber(0, MAX_SEED), metavar="N", default=default, show_default=shown, help=help
    )


def time_limit_option(help: str, default: float | None = None, parameter: str = "time_limit") -> Decorator[Any]:
    """Return --time-limit."""
    shown = default is not None
    return click.option(
        "--time-limit", parameter, type=SECONDS, metavar="S", default=default, show_default=shown, help=help
    )


def limit_options(nodes: str, seconds: str) -> Decorator[Any]:
    """Return --node-limit and --time-limit, with these helps; the command gets `limits`."""
    return option_group(
        "limits",
        Limits,
        click.option("--node-limit", type=WholeNumber(1, MAX_NODES), metavar="N", help=nodes),
        time_limit_option(seconds, parameter="seconds"),
    )


def samples_option(help: str, default: int | None = 200) -> Decorator[Any]:
    """Return --samples."""
    shown = default is not None
    return click.option("--samples", type=COUNT, metavar="N", default=default, show_default=shown, help=help)


def count_option(flag: str, parameter: str, help: str, default: int | None = None) -> Decorator[Any]:
    """Return an option that is a number of things, one or more."""
    shown = default is not None
    return click.option(flag, parameter, type=COUNT, metavar="N", default=default, show_default=shown, help=help)


def seat_option(flag: str, parameter: str, help: str, default: str | None = None) -> Decorator[Any]:
    """Return an option that is a seat, as Seat."""
    shown = default is not None
    return click.option(flag, parameter, type=SEAT, metavar="F|M|R", default=default, show_default=shown, help=help)


leader_option = seat_option("--leader", "leader", "Who leads to the first trick of a deal.", "F")
contract_option = click.option(
    "-c",
    "--contract",
    required=True,
    type=CONTRACT,
    metavar="CONTRACT",
    help="S H D C, N (no trump) or M (mizerka), or a name.",
)


def contracts_option(help: str) -> Decorator[Any]:
    """Return -c for several contracts, as a tuple of Contract, or None."""
    return click.option(
        "-c",
        "--contract",
        "contracts",
        multiple=True,
        type=CONTRACTS,
        callback=_all_contracts,
        metavar="CONTRACT",
        help=help,
    )


all_threads_option = click.option(
    "-t",
    "--threads",
    type=WholeNumber(0, MAX_THREADS),
    metavar="N",
    default=0,
    callback=threads_of,
    help="Workers: by default one per processor.",
)
engine_options = option_group("engine", EngineOptions, all_threads_option, memory_option)
output_options = option_group("options", OutputOptions, json_option, csv_option, path_option, progress_option)
inputs_argument = click.argument("inputs", nargs=-1, metavar="[DEAL|FILE|-]...")


def engine_arguments(engine: EngineOptions) -> dict[str, int]:
    """Return the options as arguments of `run_in_order`."""
    return {"threads": engine.threads, "memory": engine.memory}


def table_arguments(engine: EngineOptions, lines: bool) -> dict[str, int]:
    """Return them for equilibria: --memory, if given, is for the tables, but for a little that --line works with."""
    memory = min(engine.memory // 4, LINE_MEMORY * engine.threads) if lines else 0
    arguments = {"threads": engine.threads, "memory": max(memory, MIN_MEMORY * engine.threads)}
    if click.get_current_context().get_parameter_source("memory") is not ParameterSource.DEFAULT:
        arguments["table_memory"] = max(engine.memory - memory, MIN_MEMORY)
    return arguments
