"""Fuzz every reader of text, led by coverage; needs the extra `fuzz` (atheris, Linux).

    python tools/fuzz.py                       until Ctrl-C
    python tools/fuzz.py -max_total_time=600   ten minutes; other options of libFuzzer likewise
    python tools/fuzz.py crash-…               one input again, as it was written when it was found

The first byte of an input says which reader gets the rest as text. What must hold is in tests/fuzzing.py: the text is
read, written and read back equal, or refused in one line.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

import atheris

sys.path.insert(0, str(Path(__file__).parent.parent))
with atheris.instrument_imports(include=["mizerka_solver"]):
    from tests.fuzzing import READERS, SAMPLES, check

NAMES = list(READERS)


def one_input(data: bytes) -> None:
    """Give one reader one text."""
    if data:
        check(NAMES[data[0] % len(NAMES)], data[1:].decode("utf-8", "surrogateescape"))


def main() -> None:
    """Run libFuzzer over the samples, each for each reader, and what comes of them."""
    with tempfile.TemporaryDirectory() as folder:
        for i, sample in enumerate(SAMPLES):
            for number in range(len(NAMES)):
                Path(folder, f"{i}-{number}").write_bytes(bytes([number]) + sample.encode())
        has_inputs = any(not argument.startswith("-") for argument in sys.argv[1:])
        atheris.Setup([*sys.argv, *([] if has_inputs else [folder])], one_input)
        atheris.Fuzz()


if __name__ == "__main__":
    main()
