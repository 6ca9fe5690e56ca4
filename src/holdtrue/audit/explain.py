"""A choice of what an audit explains, beyond naming what is broken."""

from __future__ import annotations

from typing import Literal

Explain = Literal["none", "first", "all"]
"""Nothing, the first broken turn or stopped call of each conversation, or all of them."""


class Wanted:
    """Tells of what is broken in one conversation whether it is to be explained; `last` is what it told last.

    `left` says whether anything is still to be.
    """

    def __init__(self, explain: Explain) -> None:
        self.left = explain != "none"
        self.last = False
        self._only_first = explain == "first"

    def take(self, *, broken: bool) -> bool:
        """Return whether the next turn or call is to be explained."""
        self.last = self.left and broken
        if self.last and self._only_first:
            self.left = False
        return self.last
