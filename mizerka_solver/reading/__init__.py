"""Text as people write it: letters of cards, shapes of hands, deals over several lines, tables pasted back."""

from __future__ import annotations

__all__: list[str] = []
