"""The group of all commands: loads the one that is called, and turns every way to end into an exit code.

A new command is a module here with a click command called `command`, and its name in COMMANDS.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any

import click

from mizerka_solver.cli.common import EXIT_BROKEN_PIPE, EXIT_INTERRUPTED, EXIT_USAGE
from mizerka_solver.support.errors import MizerkaError

COMMANDS = (
    "solve",
    "deal",
    "exchange",
    "contract",
    "analyse",
    "advise",
    "arena",
    "sheet",
    "serve",
    "validate",
    "convert",
    "check-rules",
    "perft",
    "bench",
)


class LazyGroup(click.Group):
    """Commands imported when they are asked for, and one place that knows the exit codes."""

    def list_commands(self, ctx: click.Context) -> list[str]:
        """Return the names in the order of COMMANDS."""
        return list(COMMANDS)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        """Import and return one command."""
        if cmd_name not in COMMANDS:
            return None
        command: click.Command = import_module(f"mizerka_solver.cli.{cmd_name.replace('-', '_')}").command
        return command

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for; what users can cause ends in one line, never in a traceback."""
        try:
            return super().invoke(ctx)
        except BrokenPipeError:
            drop_stdout()
            ctx.exit(EXIT_BROKEN_PIPE)
        except MizerkaError as error:
            raise click.UsageError(str(error)) from None
        except OSError as error:
            drop_stdout()
            raise click.UsageError(f"{error.filename or 'output'}: {error.strerror or error}") from None
        except MemoryError as error:
            raise click.UsageError(str(error) or "out of memory") from None

    def main(self, *args: Any, **options: Any) -> Any:
        """Run as `click.Group.main` does, and exit (standalone_mode) or return the exit code."""
        standalone = options.pop("standalone_mode", True)
        run: Callable[..., object] = super().main
        try:
            code = run(*args, standalone_mode=False, **options)
        except click.Abort:
            click.echo("Interrupted.", err=True)
            code = EXIT_INTERRUPTED
        except click.ClickException as error:
            show_error(error)
            code = EXIT_USAGE
        code = code if isinstance(code, int) else 0
        if standalone:
            sys.exit(code)
        return code


def show_error(error: click.ClickException) -> None:
    """Print what was wrong in one line, and for a wrong option where help is."""
    context = getattr(error, "ctx", None)
    if context is not None and type(error) is not click.UsageError:
        click.echo(f"{context.get_usage()}\nTry '{context.command_path} --help'.", err=True)
    click.echo(f"Error: {error.format_message()}", err=True)


def drop_stdout() -> None:
    """Send what is still buffered nowhere, so that the interpreter does not stumble over it at exit."""
    try:
        stdout = sys.stdout.fileno()
    except (OSError, ValueError):  # no file, as in tests
        return
    nowhere = os.open(os.devnull, os.O_WRONLY)
    os.dup2(nowhere, stdout)
    os.close(nowhere)


def print_version(ctx: click.Context, param: click.Parameter, value: bool) -> None:
    """Print version and core build, and exit."""
    if not value or ctx.resilient_parsing:
        return
    from mizerka_solver.core import build_name
    from mizerka_solver.support.version import version

    click.echo(f"mizerka {version()} (core: {build_name()})")
    ctx.exit()


@click.group(
    cls=LazyGroup,
    invoke_without_command=True,
    context_settings={"help_option_names": ["-h", "--help"], "max_content_width": 100},
)
@click.option(
    "--version", is_flag=True, is_eager=True, expose_value=False, callback=print_version, help="Show version."
)
@click.pass_context
def cli(ctx: click.Context) -> None:
    """Double-dummy solver for Mizerka, the three-player trick-taking game.

    \b
    Example:
      mizerka solve --random --seed 7

    Exit codes: 0 fine, 1 a threshold you asked for was passed, 2 bad usage or input, 3 some records of several failed
    (each is reported in place, the rest is done), 130 interrupted (what is done is written).
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(EXIT_USAGE)


def main() -> None:
    """Entry point of the `mizerka` script."""
    cli(prog_name="mizerka")
