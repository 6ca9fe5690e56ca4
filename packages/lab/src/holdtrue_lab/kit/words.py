"""Small matters of English that all suites share: lists, capitals, and numbers."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.language.grounding import CARDINALS, ORDINALS


def listed(items: Sequence[str], word: str = "and") -> str:
    """Return a list in words: 'Ann, Bob and Cy', a single item by itself, and '' for none."""
    return f" {word} ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def capitalized(text: str) -> str:
    """The text with a capital at its beginning, and nothing else changed."""
    return text[0].upper() + text[1:]


def words_beside(module: str) -> dict[str, Any]:
    """Return what a module has to say: the tables of the TOML file that stands beside it and is named like it."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Number:
    """An integer in a sentence, in digits or (`spelled`, up to twelve) in words.

    The format specification says how it is used: none for the bare number, `th` for its ordinal, and a noun for
    so many of it: `{0:seat}` is '1 seat' or '2 seats'.
    """

    value: int
    spelled: bool = False

    def __format__(self, specification: str) -> str:
        match specification:
            case "":
                return self._cardinal()
            case "th":
                return self._ordinal()
        return f"{self._cardinal()} {specification}{'' if self.value == 1 else 's'}"

    def _cardinal(self) -> str:
        return CARDINALS[self.value] if self._in_words(CARDINALS) else str(self.value)

    def _ordinal(self) -> str:
        if self._in_words(ORDINALS):
            return ORDINALS[self.value]
        teen = self.value % 100 in (11, 12, 13)
        return f"{self.value}{'th' if teen else {1: 'st', 2: 'nd', 3: 'rd'}.get(self.value % 10, 'th')}"

    def _in_words(self, words: tuple[str, ...]) -> bool:
        return self.spelled and 0 <= self.value < len(words)
