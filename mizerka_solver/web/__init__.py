"""The page and its JSON API: `mizerka serve`. Needs the extra `web`; nothing here is imported until then."""

from __future__ import annotations

__all__: list[str] = []
