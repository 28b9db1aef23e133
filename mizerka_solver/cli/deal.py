"""`mizerka deal`: random deals."""

from __future__ import annotations

from collections.abc import Iterator
from random import Random, SystemRandom

import click

from mizerka_solver.cli.common import (
    Output,
    OutputOptions,
    count_option,
    csv_option,
    json_option,
    option_group,
    path_option,
    say,
    seed_option,
)
from mizerka_solver.cli.options import WholeNumber
from mizerka_solver.cli.rows import as_row
from mizerka_solver.game.deal import Deal, deal_seeded
from mizerka_solver.game.rules import MAX_HAND_SIZE, MIZERKA, Variant


def drawn_seed(seed: int | None) -> int:
    """Return the seed, or one drawn from the system's randomness, which is said on stderr."""
    if seed is None:
        seed = SystemRandom().randrange(1 << 32)
        say(f"seed {seed}")
    return seed


def random_deals(seed: int, n_deals: int, hand_size: int = MIZERKA.hand_size, preview: bool = False) -> Iterator[Deal]:
    """Yield the deals of a seed; fewer of them are the first of more. preview: mark what forehand saw first."""
    generator = Random(seed)
    # Only the numbers of cards matter here, not what tricks are worth.
    targets = (hand_size, 0, 0)
    variant = Variant(hand_size, min(MIZERKA.preview_size, hand_size), targets, targets)
    for _ in range(n_deals):
        deal, previews = deal_seeded(generator, variant)
        yield deal.with_preview(previews[0]) if preview else deal


@click.command(short_help="Random deals, one a line.")
@count_option("-n", "n_deals", "Number of deals.", 1)
@seed_option()
@click.option(
    "--hand-size",
    type=WholeNumber(1, MAX_HAND_SIZE),
    metavar="N",
    default=MIZERKA.hand_size,
    show_default=True,
    help="Cards per hand; the rest go into the talon.",
)
@click.option("--preview", is_flag=True, help="Mark the six cards forehand sees before naming a contract, as P:<hand>.")
@option_group("options", OutputOptions, json_option, csv_option, path_option)
def command(n_deals: int, seed: int | None, hand_size: int, preview: bool, options: OutputOptions) -> None:
    """Deal random hands, and the talon in draw order.

    \b
    Example:
      mizerka deal -n 100 --seed 7 -o deals.txt
    """
    with Output(options) as output:
        for deal in random_deals(drawn_seed(seed), n_deals, hand_size, preview):
            if options.as_json:
                output.json({"deal": str(deal)})
            elif options.as_csv:
                output.csv({name: cell for name, cell in as_row(deal).items() if name in ("F", "M", "R", "T") or cell})
            else:
                output.line(str(deal))
