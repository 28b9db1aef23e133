"""The group of all commands: loads the one that is called, and turns every way to end into an exit code.

A new command is a module here with a click command called `command`, and its name in COMMANDS.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from importlib import import_module
from typing import Any

import click
from click.exceptions import Exit

from mizerka_solver.cli import process
from mizerka_solver.cli.common import EXIT_BROKEN_PIPE, EXIT_INTERRUPTED, EXIT_USAGE
from mizerka_solver.support.errors import MizerkaError, escaped, quoted, shortened

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

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        """Return the command that was asked for; of one that there is not, say which is meant."""
        if args and not args[0].startswith("-") and args[0] not in COMMANDS:
            from difflib import get_close_matches

            near = get_close_matches(args[0].lower(), COMMANDS, n=1)
            hint = f"did you mean {near[0]}?" if near else "`mizerka --help` lists them"
            raise click.UsageError(f"{quoted(args[0])}: no such command; {hint}", ctx)
        return super().resolve_command(ctx, args)

    def make_context(self, *args: Any, **extra: Any) -> click.Context:
        """Read the options; --help and --version print here."""
        with plain_errors():
            return super().make_context(*args, **extra)

    def invoke(self, ctx: click.Context) -> Any:
        """Run the command that was asked for."""
        with plain_errors():
            return super().invoke(ctx)

    def main(self, *args: Any, **options: Any) -> Any:
        """Run as `click.Group.main` does, and exit (standalone_mode) or return the exit code."""
        standalone = options.pop("standalone_mode", True)
        run: Callable[..., object] = super().main
        try:
            code = run(*args, standalone_mode=False, **options)
        except click.Abort:
            process.say_stopped()
            code = EXIT_INTERRUPTED
        except click.ClickException as error:
            show_error(error)
            code = EXIT_USAGE
        code = code if isinstance(code, int) else 0
        if code == EXIT_INTERRUPTED:
            code = process.stop.exit_code
        if standalone:
            sys.exit(code)
        return code


@contextmanager
def plain_errors() -> Iterator[None]:
    """What users can cause ends in one line, never in a traceback."""
    try:
        yield
    except BrokenPipeError:
        process.drop(sys.stdout)
        raise Exit(EXIT_BROKEN_PIPE) from None
    except (KeyboardInterrupt, EOFError):
        raise click.Abort from None
    except MizerkaError as error:
        raise click.UsageError(str(error)) from None
    except OSError as error:
        process.drop(sys.stdout)
        raise click.UsageError(f"{error.filename or 'output'}: {error.strerror or error}") from None
    except ImportError as error:  # a build of the core that is not there, a package that is missing
        raise click.UsageError(str(error)) from None
    except MemoryError as error:
        raise click.UsageError(str(error) or "out of memory") from None


def show_error(error: click.ClickException) -> None:
    """Print what was wrong in one line, and for a wrong option where help is."""
    context = getattr(error, "ctx", None)
    if context is not None and type(error) is not click.UsageError:
        process.say(f"{context.get_usage()}\nTry '{context.command_path} --help'.")
    process.say(f"Error: {escaped(shortened(error.format_message()))}")


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

    Exit codes: 0 success, 1 a requested threshold was exceeded, 2 bad usage or input, 3 some of several records failed
    (each is reported in place, the rest is done), 130 interrupted, 143 terminated (what was done by then is written).
    """
    if ctx.invoked_subcommand is None:
        click.echo(ctx.get_help(), err=True)
        ctx.exit(EXIT_USAGE)


def main() -> None:
    """Run the command; entry point of scripts."""
    process.begin()
    process.stop.is_running = True
    try:
        code = cli.main(prog_name="mizerka", standalone_mode=False)
    except KeyboardInterrupt:  # outside of what click guards
        process.say_stopped()
        code = process.stop.exit_code
    process.end(code)
