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
from typing import Any, ClassVar

from holdtrue.errors import RecordError, SettingsError
from holdtrue_lab.kit.json_file import read_as

Tokens = tuple[int, int]
"""The numbers of prompt tokens and of completion tokens."""

_MILLION = 1_000_000


@dataclass(frozen=True, slots=True)
class Prices:
    """A `Prices` holds the prices of models. A key is a model's name, or a pattern with `*` and `?`; `source` names the
    file.
    """

    source: str = ""
    dollars: Mapping[str, tuple[float, float]] = field(default_factory=dict)

    def find(self, model: str) -> tuple[float, float] | None:
        """Return a model's dollars for a million prompt tokens and completion tokens, or None if it has no price.

        An exact name has precedence over patterns. Of several matching patterns, the first in the file counts.
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


_EXAMPLE = '["openai/small-model"] with prompt = 0.15 and completion = 0.6'


@dataclass(frozen=True, slots=True)
class _Price:
    __pydantic_config__: ClassVar[Mapping[str, Any]] = {"extra": "forbid"}

    prompt: float
    completion: float


def read_prices(path: Path) -> Prices:
    """Read a file of prices; raises `SettingsError`, which names the line or the key."""
    try:
        found = tomllib.loads(path.read_text(encoding="utf-8"))
    except OSError as error:
        raise SettingsError(f"{path}: cannot be read: {error.strerror}") from error
    except ValueError as error:  # the file is no TOML (then the error says where), or no text
        raise SettingsError(f"{path}: no TOML: {error}") from error
    if not found:
        raise SettingsError(f"{path}: there is no price; write a table for each model, such as {_EXAMPLE}")
    try:
        prices = read_as(dict[str, _Price], found, str(path))
    except RecordError as error:
        raise SettingsError(f"{error}; a model's table is, with its name in quotes: {_EXAMPLE}") from None
    dollars = {model: (price.prompt, price.completion) for model, price in prices.items()}
    for model, pair in dollars.items():
        if not all(0 <= each < math.inf for each in pair):
            raise SettingsError(f"{path}: {model}: dollars for a million tokens are numbers of at least 0")
    return Prices(str(path), dollars)
