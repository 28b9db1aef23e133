"""`mizerka bench`: how fast this machine solves a fixed set of deals."""

from __future__ import annotations

from statistics import mean, median

import click

from mizerka_solver.cli.common import (
    Bar,
    Output,
    OutputOptions,
    count_option,
    json_option,
    memory_option,
    option_group,
    path_option,
    progress_option,
)
from mizerka_solver.double_dummy.bench import BenchResult, run_bench


@click.command(short_help="Time the solver on fixed deals.")
@count_option("--deals", "n_deals", "Number of fixed deals to time.", 20)
@click.option("--stats", is_flag=True, help="Also print the search's counters.")
@memory_option
@option_group("options", OutputOptions, json_option, path_option, progress_option)
def command(n_deals: int, stats: bool, memory: int, options: OutputOptions) -> None:
    """Time fixed deals in all contracts: milliseconds for the three values (F, M, R) of a contract, on one thread.

    The table is emptied before each contract. The signature is the number of cards played in all searches. With the
    same deals and memory it is the same on every machine and build; only a change of the search changes it.

    \b
    Example:
      mizerka bench --deals 5 --stats
    """
    with Output(options, whole=True) as output:
        with Bar(output, n_deals) as bar:
            result = run_bench(n_deals, memory, lambda done: bar.advance())
        if options.as_json:
            output.json(result.as_dict(stats))
        else:
            for line in report(result, stats):
                output.line(line)


def report(result: BenchResult, stats: bool) -> list[str]:
    """Return the lines for people."""
    plural = "s" if result.n_deals > 1 else ""
    lines = [
        f"core {result.build}, {result.n_deals} deal{plural}, one thread, table emptied before each contract",
        f"{'':12}{'contracts':>10}{'mean ms':>10}{'median':>10}{'max':>10}{'nodes':>14}",
    ]
    for kind in result.kinds:
        times = kind.milliseconds
        cells = "".join(f"{ms:>10.1f}" for ms in (mean(times), median(times), max(times)))
        lines.append(f"{kind.kind:<12}{len(times):>10}{cells}{kind.nodes:>14,}")
    lines.append(f"signature {result.signature}")
    if stats:
        lines.append("")
        lines += [f"{name.replace('_', ' '):<20}{n:>16,}" for name, n in result.counters.items()]
        lines += [f"{name.replace('_', ' '):<20}{rate:>16.4f}" for name, rate in result.rates.items()]
    return lines
