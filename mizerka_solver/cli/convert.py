"""`mizerka convert`: deals and positions from one form to another, in the standard spelling."""

from __future__ import annotations

import click
from click.exceptions import Exit

from mizerka_solver.cli.common import Failures, Output, OutputOptions, option_group, path_option
from mizerka_solver.cli.rows import Thing, as_json, as_row, as_text, as_url, read_any
from mizerka_solver.cli.sources import Inputs
from mizerka_solver.support.errors import MizerkaError


@click.command(short_help="Deals between text, JSON Lines and CSV; normal spelling.")
@click.argument("inputs", nargs=-1, required=True, metavar="[DEAL|FILE|-]...")
@click.option(
    "--to",
    "form",
    type=click.Choice(["text", "url", "json", "csv"]),
    default="text",
    show_default=True,
    help="Output format.",
)
@option_group("options", OutputOptions, path_option)
def command(inputs: tuple[str, ...], form: str, options: OutputOptions) -> None:
    """Convert deals and positions between text, JSON Lines ({"deal": ...}) and CSV, in the standard spelling.

    The format of each input line is detected. Of a game record, the deal before the exchange is used.

    \b
    Examples:
      mizerka convert deals.txt --to csv -o deals.csv
      mizerka convert 'f:10a..._m:q2..._r:kj... t:10h♠4'
    """
    sources: Inputs[Thing] = Inputs(inputs, read_any)
    with Output(options, sources.files) as output:
        failures = Failures(output, as_json=form == "json")
        for record in sources:
            if isinstance(record.value, MizerkaError):
                failures.report(record.value, record.line)
            elif form == "json":
                output.json(as_json(record.value))
            elif form == "csv":
                output.csv(dict(as_row(record.value)))
            else:
                output.line(as_text(record.value) if form == "text" else as_url(record.value))
    raise Exit(failures.exit_code)
