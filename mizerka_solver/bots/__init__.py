"""Players for Mizerka: what a bot is and may see; bots that play at random, by rule, nets, search or any program.

>>> from mizerka_solver.bots import make_bot
>>> type(make_bot("rule")).__name__, make_bot("sampling:samples=10").sampler.samples
('RuleBot', 10)
"""

from __future__ import annotations

from mizerka_solver.bots.base import BaseBot, Bot, RandomBot, RuleBot
from mizerka_solver.bots.external import DEFAULT_SECONDS, BotFailure, ExternalBot
from mizerka_solver.bots.learned import LearnedBot
from mizerka_solver.bots.sampling import N_SAMPLES, Sampler, SamplingBot, advise
from mizerka_solver.bots.search import SearchBot, Searcher
from mizerka_solver.hidden.table import Table
from mizerka_solver.hidden.view import View, view_from_dict
from mizerka_solver.support.errors import MizerkaError

__all__ = [
    "KINDS",
    "BaseBot",
    "Bot",
    "BotFailure",
    "ExternalBot",
    "LearnedBot",
    "RandomBot",
    "RuleBot",
    "Sampler",
    "SamplingBot",
    "SearchBot",
    "Searcher",
    "Table",
    "View",
    "advise",
    "make_bot",
    "view_from_dict",
]

KINDS = "random, rule, learned, sampling[:samples=N,seconds=S], search[:worlds=N,seconds=S,seed=N], cmd:PROGRAM"


def make_bot(spec: str, seconds: float = DEFAULT_SECONDS) -> Bot:
    """Return the bot of a text: one of KINDS. seconds: for one decision of a program. Raises MizerkaError."""
    kind, _, rest = spec.partition(":")
    if kind == "cmd":
        return ExternalBot(rest, seconds)
    if kind == "random" and not rest:
        return RandomBot()
    if kind == "rule" and not rest:
        return RuleBot()
    if kind == "learned" and not rest:
        return LearnedBot()
    if kind == "sampling":
        options = _options(spec, rest, {"samples": int, "seconds": float})
        return SamplingBot(int(options.get("samples", N_SAMPLES)), options.get("seconds"))
    if kind == "search":
        options = _options(spec, rest, {"worlds": int, "seconds": float, "seed": int})
        worlds = options.get("worlds")
        return SearchBot(None if worlds is None else int(worlds), options.get("seconds"), int(options.get("seed", 0)))
    raise MizerkaError(f"not a bot, bots are {KINDS}", token=spec)


def _options(spec: str, text: str, kinds: dict[str, type[int] | type[float]]) -> dict[str, float]:
    """Return numbers written name=number,…; raises MizerkaError."""
    found: dict[str, float] = {}
    for part in filter(None, text.split(",")):
        name, _, value = part.partition("=")
        try:
            found[name] = kinds[name](value)
        except (KeyError, ValueError):
            *most, last = (f"{known}={'S' if kind is float else 'N'}" for known, kind in kinds.items())
            wanted = f"{', '.join(most)} and {last}"
            raise MizerkaError(f"a {spec.partition(':')[0]} bot has {wanted}", token=spec) from None
    if not 1 <= found.get("samples", 1) <= 1_000_000 or not 0 < found.get("seconds", 1) < 1e6:
        raise MizerkaError("samples must be 1 or more, seconds more than 0", token=spec)
    if found.get("seed", 0) < 0 or not 1 <= found.get("worlds", 1) <= 1_000_000:
        raise MizerkaError("worlds must be 1 or more, a seed 0 or more", token=spec)
    return found
