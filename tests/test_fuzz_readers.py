"""Every reader of text, given anything: sound texts with mistakes, parts put together, plain noise.

What must hold is said in fuzzing.py. The slow tests take some seconds a reader; the fuzzer led by coverage is
tools/fuzz.py.
"""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from tests.fuzzing import READERS, SAMPLES, check, pieces

ROOT = Path(__file__).parent.parent
SIGNS = st.sampled_from(
    [*"AKQJT92SHDCNMFR:.-_ ,;\t\n\r{}[]\"'#10♠♥♦♣тВДк٣²\0\x1b\ud800\ufeff\u2028", "10", "T:", "F:", "1e9"]
)


@st.composite
def mistaken(draw: st.DrawFn) -> str:
    """A sound text after a few strokes of a bad typist."""
    text = draw(st.sampled_from(SAMPLES))
    for _ in range(draw(st.integers(1, 4))):
        at = draw(st.integers(0, len(text)))
        cut = draw(st.integers(0, 3))
        text = text[:at] + draw(st.just("") | SIGNS | st.just(text[at : at + 6])) + text[at + cut :]
    return text


TEXTS = mistaken() | st.lists(st.sampled_from(list(pieces())) | SIGNS, max_size=12).map("".join) | st.text(max_size=60)


@pytest.mark.parametrize("name", READERS)
@given(text=TEXTS)
@settings(max_examples=25, derandomize=True)
def test_texts_are_read_or_refused_in_a_line(name: str, text: str) -> None:
    check(name, text)


@pytest.mark.slow
@pytest.mark.parametrize("name", READERS)
@given(text=TEXTS)
@settings(max_examples=2000, derandomize=True)
def test_texts_are_read_or_refused_in_a_line_at_length(name: str, text: str) -> None:
    check(name, text)


@pytest.mark.parametrize("name", READERS)
@pytest.mark.parametrize("sign", ["[", '{"a":', "A", "9" * 50, "♠", "F:", "\n", " ", "-.", ","])
def test_what_never_ends_is_refused_soon(name: str, sign: str) -> None:
    check(name, sign * (20_000 // len(sign)))


@pytest.mark.slow
def test_the_fuzzer_led_by_coverage_finds_nothing() -> None:
    pytest.importorskip("atheris")
    # No limit on the process: it would be charged with the peak of the one that started it.
    limits = ["-rss_limit_mb=0", "-malloc_limit_mb=512"]
    command = [sys.executable, str(ROOT / "tools" / "fuzz.py"), "-runs=20000", "-seed=1", "-max_len=400", *limits]
    done = subprocess.run(command, capture_output=True, text=True, errors="replace", check=False)
    assert done.returncode == 0, done.stderr[-3000:]
