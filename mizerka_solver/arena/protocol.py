"""Does a program keep the bot protocol? Tried in all contracts, seats and kinds of decisions, each step reported."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

from mizerka_solver.arena.play import act
from mizerka_solver.bots import Bot, BotFailure, ExternalBot, RuleBot, Table
from mizerka_solver.bots.external import GRACE
from mizerka_solver.game.deal import deal_seeded
from mizerka_solver.game.rules import Contract, Seat
from mizerka_solver.support.complaints import telling_line
from mizerka_solver.support.errors import MizerkaError

SEED = 20260101
MAX_FAILURES = 3  # then the rest is not tried: each may take as long as the time limit


@dataclass
class Report:
    """What was tried, and for each step None or what went wrong; the program's last words; its slowest answer."""

    steps: list[tuple[str, str | None]] = field(default_factory=list)
    words: tuple[str, ...] = ()
    slowest: float = 0.0

    @property
    def passed(self) -> bool:
        """Whether nothing went wrong."""
        return all(problem is None for _, problem in self.steps)

    def as_dict(self) -> dict[str, Any]:
        """Return the JSON object."""
        steps = [{"step": name, "ok": problem is None, "problem": problem} for name, problem in self.steps]
        return {"passed": self.passed, "steps": steps, "stderr": list(self.words), "slowest": round(self.slowest, 4)}


def check_program(spec: str, seconds: float) -> Report:
    """Return how the program of 'cmd:…' keeps the protocol; raises MizerkaError when it is no program."""
    if not spec.startswith("cmd:"):
        raise MizerkaError("only a program can be checked, cmd:PROGRAM", token=spec)
    bot, report = ExternalBot(spec.removeprefix("cmd:"), seconds), Report()
    try:
        for name, step in steps(bot):
            try:
                step()
                report.steps.append((name, None))
            except (BotFailure, MizerkaError) as error:
                failure = error if isinstance(error, BotFailure) else bot.failure(str(error))
                telling = telling_line(failure.words)
                report.steps.append((name, f"{failure.reason}: {telling}" if telling else failure.reason))
                report.words = tuple(dict.fromkeys((*report.words, *failure.words)))  # the same again is not news
                if sum(problem is not None for _, problem in report.steps) == MAX_FAILURES:
                    report.steps.append(("the rest", f"not tried after {MAX_FAILURES} failures"))
                    return report
        report.slowest = bot.slowest
        report.steps.append(("ends when its input ends", ending(bot)))
    finally:
        bot.close()
    return report


def steps(bot: ExternalBot) -> Iterator[tuple[str, Callable[[], object]]]:
    """Yield what is tried, in order."""
    yield "names a contract from six", lambda: one_deal(bot, Seat.F, tuple(Contract), 0)
    yield "names the only contracts left", lambda: one_deal(bot, Seat.F, (Contract.D, Contract.M), 1)
    for contract in Contract:
        for seat in Seat:
            name = f"plays {contract.long_name} as {seat.long_name}"
            yield name, lambda c=contract, s=seat: one_deal(bot, s, (c,), 10 + 3 * c + s)  # type: ignore[misc]
    yield "plays all three seats of a deal", lambda: one_deal(bot, None, tuple(Contract), 40)
    yield "answers the same in the same deal", lambda: same_again(bot)


def one_deal(bot: ExternalBot, seat: Seat | None, remaining: tuple[Contract, ...], number: int) -> Table:
    """Play a deal with the program at one seat (None: at all) against rule-based bots; raises what it does wrong."""
    deal, previews = deal_seeded(SEED + number)
    table = Table(deal, previews[Seat.F], remaining)
    rule = RuleBot()
    bots: list[Bot] = [bot if seat in (None, each) else rule for each in Seat]
    bot.new_deal(number)
    while not table.is_over:
        act(bots[table.to_act], table)
    bot.deal_over(Seat.F if seat is None else seat, table.tricks_won)
    return table


def same_again(bot: ExternalBot) -> None:
    """Raise unless a deal with the same seed goes the same way."""
    first, second = (one_deal(bot, None, tuple(Contract), 50) for _ in range(2))
    if (first.contract, first.discards, first.cards) != (second.contract, second.discards, second.cards):
        raise BotFailure("the same deal with the same seed went another way: games can't be repeated")


def ending(bot: ExternalBot) -> str | None:
    """Close the program's input; return what is wrong if it does not end soon."""
    start = time.monotonic()
    bot.stop(2 * GRACE)
    if time.monotonic() - start > 2 * GRACE:
        return f"it did not end within {2 * GRACE:g} seconds and was killed"
    return None
