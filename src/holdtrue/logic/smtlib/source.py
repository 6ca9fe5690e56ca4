"""The text that is read, and the places in it."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import cached_property

from holdtrue.errors import SmtLibError


class Source:
    """A text in which faults are told by line and column."""

    def __init__(self, text: str) -> None:
        self.text = text

    @cached_property
    def _starts(self) -> list[int]:
        return [0, *(newline.end() for newline in re.finditer("\n", self.text))]

    def place(self, at: int) -> tuple[int, int]:
        """Line and column, both from 1, of the character at an offset."""
        line = bisect_right(self._starts, at)
        return line, at - self._starts[line - 1] + 1

    def fault(self, at: int, message: str) -> SmtLibError:
        """The error to raise for what stands at an offset."""
        return SmtLibError(*self.place(at), message)


def shown(text: str) -> str:
    """A piece of the text inside a message: never long, controls written out."""
    return repr(text if len(text) <= 60 else text[:57] + "...")
