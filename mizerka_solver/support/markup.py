"""HTML for notebooks: one kind of table, and pieces put together. Static, no scripts, no styles, every text escaped."""

from __future__ import annotations

from collections.abc import Iterable, Sequence


class Markup(str):
    """Text that is HTML already; all other text is escaped."""

    __slots__ = ()


def table(rows: Iterable[Sequence[object]], head: Sequence[object] = (), caption: object = "") -> Markup:
    """Return a table whose first column has the names of the rows.

    >>> table([("F", "A<K")], caption="N")
    '<table><caption>N</caption><tbody><tr><th>F</th><td>A&lt;K</td></tr></tbody></table>'
    """
    parts = [f"<caption>{_text(caption)}</caption>"] if caption != "" else []
    if head:
        parts.append(f"<thead><tr>{_cells('th', head)}</tr></thead>")
    body = "".join(f"<tr>{_cells('th', row[:1])}{_cells('td', row[1:])}</tr>" for row in rows)
    return Markup(f"<table>{''.join(parts)}<tbody>{body}</tbody></table>")


def together(*parts: str) -> Markup:
    """Return several pieces, one below the other."""
    return Markup("".join(f"<div>{part}</div>" for part in parts if part))


def _cells(name: str, values: Iterable[object]) -> str:
    return "".join(f"<{name}>{_text(value)}</{name}>" for value in values)


def _text(value: object) -> str:
    from html import escape  # loaded by those who look, as it takes a millisecond

    return value if isinstance(value, Markup) else escape("–" if value is None else str(value))
