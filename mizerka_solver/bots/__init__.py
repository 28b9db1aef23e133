"""Players for Mizerka: what a bot is and may see, and bots that play at random, by rule, by sampling, by any program.

>>> from mizerka_solver.bots import make_bot
>>> type(make_bot("rule")).__name__, make_bot("sampling:samples=10").sampler.samples
('RuleBot', 10)
"""

from __future__ import annotations

from mizerka_solver.bots.base import BaseBot, Bot, RandomBot, RuleBot
from mizerka_solver.bots.external import DEFAULT_SECONDS, BotFailure, ExternalBot
from mizerka_solver.bots.sampling import N_SAMPLES, Sampler, SamplingBot, advise
from mizerka_solver.hidden.table import Table
from mizerka_solver.hidden.view import View, view_from_dict
from mizerka_solver.support.errors import MizerkaError

__all__ = [
    "KINDS",
    "BaseBot",
    "Bot",
    "BotFailure",
    "ExternalBot",
    "RandomBot",
    "RuleBot",
    "Sampler",
    "SamplingBot",
    "Table",
    "View",
    "advise",
    "make_bot",
    "view_from_dict",
]

KINDS = "random, rule, sampling, sampling:samples=N,seconds=S, cmd:PROGRAM"


def make_bot(spec: str, seconds: float = DEFAULT_SECONDS) -> Bot:
    """Return the bot of a text: one of KINDS. seconds: for one decision of a program. Raises MizerkaError."""
    kind, _, rest = spec.partition(":")
    if kind == "cmd":
        return ExternalBot(rest, seconds)
    if kind == "random" and not rest:
        return RandomBot()
    if kind == "rule" and not rest:
        return RuleBot()
    if kind == "sampling":
        return SamplingBot(*_sampling_options(spec, rest))
    raise MizerkaError(f"not a bot, bots are {KINDS}", token=spec)


def _sampling_options(spec: str, text: str) -> tuple[int, float | None]:
    samples, seconds = N_SAMPLES, None
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        try:
            if name == "samples":
                samples = int(value)
            elif name == "seconds":
                seconds = float(value)
            else:
                raise ValueError
        except ValueError:
            raise MizerkaError("a sampling bot has samples=N and seconds=S", token=spec) from None
    if not 1 <= samples <= 1_000_000 or (seconds is not None and not 0 < seconds < 1e6):
        raise MizerkaError("samples are 1 or more, seconds more than 0", token=spec)
    return samples, seconds
