"""`mizerka contract`: which contract to name from six cards."""

from __future__ import annotations

import click

from mizerka_solver.cli.common import (
    Bar,
    EngineOptions,
    Output,
    OutputOptions,
    engine_options,
    json_option,
    option_group,
    path_option,
    progress_option,
)
from mizerka_solver.cli.hidden import (
    SamplingOptions,
    finish,
    print_contracts,
    sampling_options,
)
from mizerka_solver.game.convert import as_contracts, as_hand
from mizerka_solver.hidden.contracts import check_preview_size, forecast_contracts
from mizerka_solver.support.errors import read_field


@click.command(short_help="The best contract to name from six cards, by sampling.")
@click.option("--hand", required=True, metavar="SIX", help="The six cards seen, 'AKQ9.A.-.4' or SASKSQS9HAC4.")
@click.option(
    "--remaining",
    default="SHDCNM",
    show_default=True,
    metavar="LETTERS",
    help="Contracts you have yet to name in this game.",
)
@sampling_options
@engine_options
@option_group("options", OutputOptions, json_option, path_option, progress_option)
def command(
    hand: str,
    remaining: str,
    sampled: SamplingOptions,
    engine: EngineOptions,
    options: OutputOptions,
) -> None:
    """Estimate what each contract promises forehand, who has seen six cards, and what naming it now costs later.

    The unseen cards are sampled, all three exchange by a quick policy, and the deal is solved with open cards. Each
    contract can be named once in a game, so one that is worth more in later deals must promise more now. The same seed
    gives the same answer on any number of threads.

    \b
    Examples:
      mizerka contract --hand AKQ9.A.-.4 --samples 4 --seed 1
      mizerka contract --hand SASKSQS9HAC4 --remaining SN --samples 8 --seed 1 --json
    """
    preview = read_field("--hand", as_hand, hand)
    check_preview_size(preview)
    contracts = read_field("--remaining", as_contracts, remaining)
    with Output(options, whole=True) as output:
        with Bar(output, sampled.n_samples, "worlds", str) as bar:
            report = forecast_contracts(preview, contracts, sampled.sampling(engine, bar))
        if options.as_json:
            finish(output, report.stopped, lambda: output.json(report.as_dict()))
        else:
            finish(output, report.stopped, lambda: print_contracts(output, report))
