"""Put other words in some places of a text."""

from __future__ import annotations

from collections.abc import Iterable


def with_edits(text: str, edits: Iterable[tuple[int, int, str]]) -> str:
    """Return a text with the words that each edit (start, end, words) gives; one that overlaps an earlier is left out.

    Edits come in the order of their starts.

    >>> with_edits("Ann sits by Bob", [(0, 3, "Cy"), (12, 15, "Dee")])
    'Cy sits by Dee'
    """
    parts: list[str] = []
    done = 0
    for start, end, words in edits:
        if start >= done:
            parts += [text[done:start], words]
            done = end
    return "".join([*parts, text[done:]])
