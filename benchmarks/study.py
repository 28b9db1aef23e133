"""A study of the game: many random deals solved by the package's own batches, resumable, and summed up.

    python benchmarks/study.py FOLDER --deals 3000      solve; run it again to go on, with more deals too
    python benchmarks/study.py FOLDER --summary docs/study.json

Deal number n is `Deal.random(n)`. Each question is one file of input and one of Parquet, written by `mizerka solve` and
`mizerka exchange`, so a run may be killed at any time and the files read by anything. Needs the extra parquet; the page
docs/study.md is made of the summary by study_page.py.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import time
from collections.abc import Callable, Iterator
from pathlib import Path

from mizerka_solver import Contract, Deal
from mizerka_solver.policy.quick import exchange_all

LETTERS = "SHDCNM"


def dealt(n: int) -> Iterator[str]:
    """Deals as they are dealt: the 18 values before the exchange."""
    for seed in range(1, n + 1):
        yield str(Deal.random(seed))


def exchanged(n: int) -> Iterator[str]:
    """Each deal in each contract after all three exchanged by the quick policy, from each player's own hand."""
    for seed in range(1, n + 1):
        deal = Deal.random(seed)
        for contract in Contract:
            yield str(exchange_all(deal, contract).position(contract))


def one_contract_each(n: int) -> Iterator[str]:
    """Each deal after the exchange, in one contract, the six in turn."""
    for seed in range(1, n + 1):
        contract = Contract((seed - 1) % 6)
        yield str(exchange_all(Deal.random(seed), contract).position(contract))


def stages(n: int) -> Iterator[tuple[str, Iterator[str], list[str]]]:
    """Yield (name, lines of input, command) of all questions; the costly ones get a share of the deals."""
    yield "leads", one_contract_each(n * 4 // 5), ["solve", "--cards"]
    yield "equilibria", one_contract_each(n // 25), ["solve", "--equilibria", "-t", "1"]
    for letter in LETTERS:
        few = n // (50 if letter == "M" else 15)
        yield f"exchange-{letter}", dealt(few), ["exchange", "-c", letter, "--line", "--one"]
    yield "dealt", dealt(n), ["solve"]
    yield "exchanged", exchanged(n), ["solve"]


def run(folder: Path, n: int) -> None:
    """Answer all questions, going on where an earlier run broke off."""
    folder.mkdir(parents=True, exist_ok=True)
    seconds = json.loads((folder / "seconds.json").read_text()) if (folder / "seconds.json").exists() else {}
    for name, lines, command in stages(n):
        source, target = folder / f"{name}.txt", folder / f"{name}.parquet"
        write(source, lines)
        begun = time.monotonic()
        mizerka = [sys.executable, "-m", "mizerka_solver.cli"]
        output = ["-o", str(target), "--resume", "--memory", "512M"]
        subprocess.run([*mizerka, command[0], str(source), *command[1:], *output], check=True)
        seconds[name] = round(seconds.get(name, 0) + time.monotonic() - begun, 1)
        (folder / "seconds.json").write_text(json.dumps(seconds))
        print(f"{name}: {seconds[name]} s", flush=True)


def write(path: Path, lines: Iterator[str]) -> None:
    """Write lines of input, unless the file has them already."""
    text = "".join(f"{line}\n" for line in lines)
    if not path.exists() or path.read_text() != text:
        path.write_text(text)


def main() -> None:
    """Solve, or sum up."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--deals", type=int, default=3000)
    parser.add_argument("--summary", type=Path, help="sum up what is there into this file, and solve nothing")
    asked = parser.parse_args()
    if asked.summary is None:
        run(asked.folder, asked.deals)
        return
    from study_summary import summed_up

    summary: Callable[[Path], dict[str, object]] = summed_up
    asked.summary.write_text(json.dumps(summary(asked.folder), indent=1) + "\n")


if __name__ == "__main__":
    main()
