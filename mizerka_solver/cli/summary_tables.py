"""The summary of many reviews, as tables for people: at most 80 columns wide, whatever the players are called."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence

from rich.text import Text

from mizerka_solver.cli.common import Output
from mizerka_solver.cli.review_tables import ALWAYS, TERM_NAMES
from mizerka_solver.cli.tables import HEAD, WARN, TextTable
from mizerka_solver.cli.words import counted
from mizerka_solver.game.rules import Contract
from mizerka_solver.review.balance import TOTAL, Balance, Estimate
from mizerka_solver.review.improvements import Improvement
from mizerka_solver.review.summary import Line, Summary
from mizerka_solver.support.statistics import Tally

LEGEND = (
    "cost: guaranteed points the player's own card took from it; par: the same in par points, which count what the two"
    " others may leave it. Open cards are not skill: a card that costs nothing here may be a blunder at the table."
)
BALANCE_LEGEND = (
    "what points are made of: par of the cards dealt in forehand's best contract, and how each step changed it, own"
    " and others'; ± one standard error, by the spread between deals."
)
NAMES = {"player": "by player", "seat": "by seat", "contract": "by contract", "place": "by place in the trick"}
KEY_WIDTH = 10
NAME_WIDTH = 13
A_ROW = 4  # columns of players, or of pairs, side by side
PLACES = {"1": "leading", "2": "second to play", "3": "last to play"}


def short_names(names: Iterable[str], width: int) -> dict[str, str]:
    """Return names cut to a width, still different: from those that would be equal on, the cut ones are numbered.

    >>> short_names(["ann", "player-number-one", "player-number-two"], 8)
    {'ann': 'ann', 'player-number-one': 'play~one', 'player-number-two': 'play~two'}
    """
    found: dict[str, str] = {}
    for name in names:
        tail = (width - 1) // 2
        short = name if len(name) <= width else f"{name[: width - 1 - tail]}~{name[-tail:]}"
        number = 2
        while short in found.values():
            end = f"~{number}"
            short = name[: width - len(end)] + end
            number += 1
        found[name] = short
    return found


def print_summary(output: Output, summary: Summary) -> None:
    """Print the groups (of a single record only the players), the balance, the worst cards, what columns mean."""
    table = TextTable(output)
    names = short_names(sorted(summary.of_player), KEY_WIDTH)
    print_lines(table, summary, names)
    print_choices(table, summary, names)
    if summary.n_records > 1:
        print_balance(table, summary.balance)
        print_differences(table, summary.balance)
        print_contracts(table, summary)
        print_advice(table, summary)
    if summary.worst:
        table.put("worst cards, to paste into `mizerka solve --cards`", HEAD)
    for worst in summary.worst:
        row = Text(f"  {worst.where} {worst.player} ").append_text(table.card(worst.card.card))
        table.put(row.append(f" cost {worst.cost}"), wrap=True)
        table.put(f"    '{worst.card.position}'")
    if summary.faulty:
        table.put(f"records that do not add up: {len(summary.faulty)}", WARN)
    else:
        table.put(f"{counted(summary.n_records, 'record')}: all changes add up to the points")
    table.put(LEGEND, "dim", wrap=True)
    if summary.n_records > 1:
        table.put(table.plain(BALANCE_LEGEND).replace("±", sign(table)), "dim", wrap=True)


def print_lines(table: TextTable, summary: Summary, names: Mapping[str, str]) -> None:
    """Print decisions, errors and costs by group."""
    blank = " " * (KEY_WIDTH + 2)
    table.put(f"{blank}       deci-  error  cost a      par cost    cost        points", HEAD)
    table.put(f"{blank} deals sions   rate  decision    a decision  a deal      a deal", HEAD)
    group = ""
    for name, key, line in summary.sorted_lines():
        if summary.n_records == 1 and name != "player":
            continue
        if name != group:
            table.put(NAMES.get(name, "by trick"), HEAD)
            group = name
        shown = names[key] if name == "player" else str(key)
        # The three seats of a contract sum to 0, and no trick wins a deal: points stand where they say something.
        table.put(f"  {shown:<{KEY_WIDTH}}{line_cells(table, line, name in ('player', 'seat'))}")


def print_choices(table: TextTable, summary: Summary, names: Mapping[str, str]) -> None:
    """Print what the players' contracts and exchanges did, where they were judged."""
    if not summary.choices:
        return
    known = any(choices.contract_known_cost.n for choices in summary.choices.values())
    blank = " " * (KEY_WIDTH + 2)
    extra = ("by cards    ", "seen        ") if known else ("", "")
    table.put(f"{blank}  con- cost a      par cost    {extra[0]}  ex- points      cost an", HEAD)
    table.put(f"{'by player':{len(blank)}}tracts contract    a contract  {extra[1]}changes gained   exchange", HEAD)
    for player, choices in sorted(summary.choices.items()):
        parts = [choices.contract_cost, choices.contract_par_cost, *([choices.contract_known_cost] if known else [])]
        named = f"{choices.contract_cost.n:>6} " + "".join(f"{mean(table, part):<12}" for part in parts)
        exchanges = (mean(table, choices.exchange_gain), mean(table, choices.exchange_cost))
        row = f"  {names[player]:<{KEY_WIDTH}}{named}{choices.exchange_gain.n:>5} {exchanges[0]:<12}{exchanges[1]}"
        table.put(row.rstrip())


# What points are made of


def print_balance(table: TextTable, balance: Balance) -> None:
    """Print each player's points a deal, term by term."""
    players = balance.players
    columns = {player: balance.per_deal(player) for player in players}
    print_terms(table, "points a deal", short_names(players, NAME_WIDTH), columns)
    notes = []
    if balance.n_without_points:
        notes.append(f"{counted(balance.n_without_points, 'deal')} without points (another number of tricks) left out")
    if balance.n_unfinished:
        notes.append(f"{counted(balance.n_unfinished, 'unfinished deal')} counted with par where broken off")
    if balance.n_from_play:
        notes.append(f"{counted(balance.n_from_play, 'deal')} from the hands played on, exchanges not judged")
    if notes:
        table.put("; ".join(notes), "dim", wrap=True)


def print_differences(table: TextTable, balance: Balance) -> None:
    """Print what parts players who had the same deals equally often."""
    pairs = list(balance.pairs())
    if not pairs:
        return
    names = short_names(balance.players, (NAME_WIDTH - 3) // 2)
    heads = {f"{first}\n{second}": f"{names[first]} - {names[second]}" for first, second in pairs}
    columns = {f"{first}\n{second}": balance.difference(first, second) for first, second in pairs}
    print_terms(table, "difference a deal", heads, columns)


def print_terms(
    table: TextTable, title: str, heads: Mapping[str, str], columns: Mapping[str, Mapping[str, Estimate]]
) -> None:
    """Print a row a term, a column a player or pair; those that are 0 everywhere are left out."""
    terms = [
        term
        for term in TERM_NAMES
        if term in ALWAYS
        or any(estimates[term].mean or estimates[term].standard_error > 0 for estimates in columns.values())
    ]
    for part in in_rows(list(columns), A_ROW):
        table.put(f"{title:<19}" + "".join(f" {heads[key]:<{NAME_WIDTH + 1}}" for key in part).rstrip(), HEAD)
        for term in [term for term in terms if term != TOTAL] + [TOTAL]:
            cells = "".join(f" {estimate(table, columns[key][term]):<{NAME_WIDTH + 1}}" for key in part)
            table.put(f"  {TERM_NAMES[term]:<17}{cells}".rstrip(), HEAD if term == TOTAL else "")


def print_contracts(table: TextTable, summary: Summary) -> None:
    """Print each player's points a deal by contract."""
    players = summary.balance.players
    names = short_names(players, NAME_WIDTH)
    for part in in_rows(players, A_ROW):
        table.put(
            f"{'points by contract':<19}" + "".join(f" {names[key]:<{NAME_WIDTH + 1}}" for key in part).rstrip(), HEAD
        )
        for contract in Contract:
            lines = [summary.of_player[player]["contract"].get(contract.name) for player in part]
            if any(lines):
                cells = "".join(
                    f" {mean(table, line.deal_points, '+') if line else '-':<{NAME_WIDTH + 1}}" for line in lines
                )
                table.put(f"  {contract.long_name:<17}{cells}".rstrip())


def print_advice(table: TextTable, summary: Summary) -> None:
    """Print where each player should improve first, three lines at most."""
    table.put("where to improve first, points a deal", HEAD)
    for player in summary.balance.players:
        table.put(f"  {player}", wrap=True)
        for number, advice in enumerate(summary.advice(player), start=1):
            table.put(f"    {number}. {advice_text(table, advice)}", wrap=True)


def advice_text(table: TextTable, advice: Improvement) -> str:
    """Return '0.40 ±0.10 by own contract, against bob'."""
    text = f"{estimate(table, advice.loss).lstrip('+')} by {TERM_NAMES[advice.term]}"
    text += f", against {advice.against or 'best play'}"
    if any(advice.where):
        contract, place = advice.where
        text += f"; most in {Contract[contract].long_name}, {PLACES[place]}" if contract and place else ""
    return text if advice.is_sure else f"{text} (may be chance)"


# Cells


def in_rows(keys: Sequence[str], n: int) -> Iterator[Sequence[str]]:
    """Yield keys by n."""
    for i in range(0, len(keys), n):
        yield keys[i : i + n]


def line_cells(table: TextTable, line: Line, points: bool) -> str:
    """Return the cells of one group."""
    numbers = f"{line.deal_cost.n:>6}{line.decisions:>6}{line.error_rate:>7.1%}"
    parts = (line.cost, line.par_cost, line.deal_cost, *([line.deal_points] if points else []))
    return (numbers + " " + "".join(f" {mean(table, part):<11}" for part in parts)).rstrip()


def sign(table: TextTable) -> str:
    """Return ±."""
    return "+-" if table.ascii else "±"


def mean(table: TextTable, tally: Tally, form: str = "") -> str:
    """Return '0.12 ±0.03': mean and standard error."""
    return cell(table, tally.mean, tally.standard_error, form) if tally.n else "-"


def estimate(table: TextTable, value: Estimate) -> str:
    """Return '+0.12 ±0.03': mean and standard error."""
    return cell(table, value.mean, value.standard_error, "+")


def cell(table: TextTable, number: float, error: float, form: str) -> str:
    """Return a mean and its error; zero has no sign."""
    number = round(number, 2) + 0.0
    return format(number, f"{form if number else ''}.2f") + ("" if math.isnan(error) else f" {sign(table)}{error:.2f}")
