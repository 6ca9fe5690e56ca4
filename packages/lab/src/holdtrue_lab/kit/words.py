"""This module writes lists, capitals and numbers in English for the suites."""

from __future__ import annotations

import tomllib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.language.english_patterns import CARDINALS, ORDINALS


def listed(items: Sequence[str], word: str = "and") -> str:
    """Return a list in words, such as 'Ann, Bob and Cy'; '' without items."""
    return f" {word} ".join(filter(None, (", ".join(items[:-1]), *items[-1:])))


def capitalized(text: str) -> str:
    """Return the text with its first letter as a capital."""
    return text[0].upper() + text[1:]


def words_beside(module: str) -> dict[str, Any]:
    """Return the tables of the TOML file next to a module: `generate.toml` for the module `generate.py`."""
    return tomllib.loads(Path(module).with_suffix(".toml").read_text(encoding="utf-8"))


@dataclass(frozen=True, slots=True)
class Number:
    """A `Number` is an integer that a format string writes in digits, or if `spelled`, in words for small numbers.

    The format specification may be empty, `th` for the ordinal, or a noun to count. So `{0:seat}` gives '1 seat' or '2
    seats'.
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
