"""The telling line of what a program wrote to its standard error: why it ended, not what it said last.

The last line is often a log message, a hint or a stack frame. Knows the forms in which common languages report an error
that nobody caught; anything else is answered with the last line that is not blank.
"""

from __future__ import annotations

import re
from collections.abc import Sequence

TRACEBACK = "Traceback (most recent call last)"
MAX_CHARACTERS = 200
# In the order of how much they tell: what a run-time system says of an uncaught error, then what merely looks like one.
_CERTAIN = re.compile(
    r"panicked at|^panic: |^Exception in thread|^Unhandled exception|^fatal error: |^Fatal error: |^Uncaught "
    r"|terminate called|Assertion .*failed|[Ss]egmentation fault|^Caused by: "
)
_LIKELY = re.compile(r"^(?:\w+[.:])*\w*(?:Error|Exception|Failure)\b")


def telling_line(lines: Sequence[str]) -> str:
    """Return the line that says why a program failed, blanks folded; "" if there is none.

    >>> telling_line(["Traceback (most recent call last):", '  File "bot.py"', "KeyError: 'x'", "log: good bye"])
    "KeyError: 'x'"
    >>> telling_line(["thread 'main' panicked at src/main.rs:5:9:", "index out of bounds", "note: run with …"])
    "thread 'main' panicked at src/main.rs:5:9: index out of bounds"
    >>> telling_line(["starting", "out of cards", ""])
    'out of cards'
    """
    lines = [line.rstrip() for line in lines if line.strip()]
    found = _of_python(lines) or _of_pattern(lines, _CERTAIN) or _of_pattern(lines, _LIKELY) or (lines[-1:] or [""])[0]
    return " ".join(found.split())[:MAX_CHARACTERS]


def _of_python(lines: Sequence[str]) -> str:
    """The exception of the last traceback: its first line that is not indented."""
    begun = max((i for i, line in enumerate(lines) if TRACEBACK in line), default=None)
    if begun is None:
        return ""
    return next((line for line in lines[begun + 1 :] if not line[0].isspace()), "")


def _of_pattern(lines: Sequence[str], pattern: re.Pattern[str]) -> str:
    """The first line that matches, with the next one where it ends in a colon and the message follows."""
    for i, line in enumerate(lines):
        if pattern.search(line):
            return f"{line} {lines[i + 1]}" if line.endswith(":") and i + 1 < len(lines) else line
    return ""
