"""Small matters of English that all suites share."""

from __future__ import annotations

from collections.abc import Sequence


def listed(items: Sequence[str], word: str = "and") -> str:
    """A list in words: 'Ann, Bob and Cy'; a single item is itself, and none are ''."""
    return f" {word} ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def capitalized(text: str) -> str:
    """The text with a capital at its beginning, and nothing else changed."""
    return text[0].upper() + text[1:]
