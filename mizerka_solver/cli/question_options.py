"""Options that become part of a question, converted as the Python API converts its arguments."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, TypeVar

import click

from mizerka_solver.cli.common import option_group
from mizerka_solver.support.arguments import seconds_or_none
from mizerka_solver.support.errors import MizerkaError
from mizerka_solver.support.limits import MAX_NODES, Limits

Function = TypeVar("Function", bound=Callable[..., Any])
Converted = TypeVar("Converted")


def convert(function: Callable[[Any], Converted], value: Any) -> Converted:
    """Return function(value); its errors are those of an option."""
    try:
        return function(value)
    except MizerkaError as error:
        raise click.BadParameter(str(error)) from None


def converted(function: Callable[[Any], Any]) -> Callable[[click.Context, click.Parameter, Any], Any]:
    """Return a callback that converts an option that was given."""
    return lambda ctx, param, value: None if value is None else convert(function, value)


def limit_options(nodes: str, seconds: str) -> Callable[[Function], Function]:
    """Add --node-limit and --time-limit, with these helps; the command gets `limits`."""
    return option_group(
        "limits",
        Limits,
        click.option("--node-limit", type=click.IntRange(1, MAX_NODES), metavar="N", help=nodes),
        click.option(
            "--time-limit",
            "seconds",
            type=click.FloatRange(0.001),
            metavar="S",
            callback=converted(seconds_or_none),
            help=seconds,
        ),
    )
