"""This module reads a user's file of model prices: dollars for a million tokens of prompts and of completions.

["openai/small-model"]
prompt = 0.15
completion = 0.6

["local/*"]
prompt = 0
completion = 0
"""

from __future__ import annotations

import math
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from fnmatch import fnmatchcase
from pathlib import Path

from holdtrue.errors import SettingsError

Tokens = tuple[int, int]
"""The numbers of prompt tokens and of completion tokens."""

_KEYS = ("prompt", "completion")
_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """The prices of models. A key is a model's name, or a pattern with `*` and `?`; `source` names the file."""

    source: str = ""
    dollars: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def find(self, model: str) -> tuple[float, float] | None:
        """Return a model's dollars for a million prompt tokens and completion tokens, or None if it has no price.

        An exact name comes before patterns. The first matching pattern in the file counts.
        """
        if model in self.dollars:
            return self.dollars[model]
        return next((price for name, price in self.dollars.items() if fnmatchcase(model, name)), None)

    def missing(self, models: Iterable[str]) -> list[str]:
        """Return the models without a price, in alphabetical order."""
        return sorted({model for model in models if self.find(model) is None})

    def cost(self, tokens: Mapping[str, Tokens]) -> float | None:
        """Return the dollars for these tokens, or None if one of the models has no price."""
        dollars = 0.0
        for model, counts in tokens.items():
            price = self.find(model)
            if price is None:
                return None
            dollars += sum(count * each for count, each in zip(counts, price, strict=True)) / _MILLION
        return dollars


NO_PRICES = Prices()


def read_prices(path: Path) -> Prices:
    """Read a file of prices; raises `SettingsError`, which names the line or the key."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:  # no TOML, which says where, or no text
        raise SettingsError(f"{path}: no TOML: {error}") from error
    if not found:
        raise SettingsError(f"{path}: there is no price; write a table for each model, such as {_EXAMPLE}")
    return Prices(str(path), {model: _price(f"{path}: {model!r}", table) for model, table in found.items()})


_EXAMPLE = '["openai/small-model"] with prompt = 0.15 and completion = 0.6'


def _price(where: str, table: object) -> tuple[float, float]:
    if not isinstance(table, Mapping):
        raise SettingsError(f"{where} is no table; a name with a dot or a slash stands in quotes: {_EXAMPLE}")
    unknown = next((key for key in table if key not in _KEYS), None)
    if unknown is not None:
        # A name without quotes is cut at its dots, so the table that was meant lies deeper.
        more = "; a name with a dot stands in quotes" if isinstance(table[unknown], Mapping) else ""
        raise SettingsError(f"{where} has an unknown key {unknown!r}; there are prompt and completion{more}")
    missing = next((key for key in _KEYS if key not in table), None)
    if missing is not None:
        raise SettingsError(f"{where} has no {missing!r}: dollars for a million tokens, 0 where they cost nothing")
    prompt, completion = (_dollars(f"{where}, {key}", table[key]) for key in _KEYS)
    return prompt, completion


def _dollars(where: str, value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, int | float) or not math.isfinite(value) or value < 0:
        raise SettingsError(f"{where}: dollars for a million tokens are a number of at least 0, not {value!r:.40}")
    return float(value)
