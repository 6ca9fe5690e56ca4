"""This module reads and writes the names of simulated models, such as `sim/labels`.

A name may set rates and a seed: `sim/labels:wrong=0.2,unknown=0.1@7` has seed 7. Without `@` the seed is 0.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field, fields
from types import MappingProxyType
from typing import Any, ClassVar, Self

from holdtrue.errors import SettingsError

PREFIX = "sim/"
_RATE = re.compile(r"(?:0|1|0?\.[0-9]+|[01]\.[0-9]+)")


@dataclass(frozen=True, slots=True)
class RatedCharacter:
    """A `RatedCharacter` holds the seed and the rates of a simulated model.

    A subclass has a field for each rate: a number in 0..1, or a tuple of such numbers. `KIND` is the beginning of the
    model's name. `FORMS` describes the possible names in words, and `PRESETS` are short names for usual rates.
    """

    KIND: ClassVar[str]
    FORMS: ClassVar[str]
    PRESETS: ClassVar[Mapping[str, str]] = MappingProxyType({})

    seed: int = field(default=0, kw_only=True)

    @property
    def name(self) -> str:
        """The model's name, in its shortest spelling."""
        given = {rate: getattr(self, rate) for rate in _rates(self)}
        unusual = {rate: _numbers(given[rate]) for rate, usual in _rates(self).items() if given[rate] != usual}
        settings = ",".join(f"{rate}={'/'.join(f'{each:g}' for each in numbers)}" for rate, numbers in unusual.items())
        return self.KIND + (f":{settings}" if settings else "") + write_seed(self.seed)

    @classmethod
    def read(cls, name: str) -> Self:
        """Return the seed and rates that a name sets; raises `SettingsError`."""
        text, seed = split_seed(name)
        kind, colon, settings = text.partition(":")
        if kind != cls.KIND or (colon and not settings):
            raise cls._refused(name, text)
        usual, rates = _rates(cls), dict[str, float | tuple[float, ...]]()
        for part in filter(None, cls.PRESETS.get(settings, settings).split(",")):
            rate, _, value = part.partition("=")
            numbers = value.split("/")
            if rate in rates or rate not in usual or not all(map(_RATE.fullmatch, numbers)):
                raise cls._refused(name, part)
            read = tuple(map(float, numbers))
            if len(read) != len(_numbers(usual[rate])) or max(read) > 1:
                raise cls._refused(name, part)
            rates[rate] = read if isinstance(usual[rate], tuple) else read[0]
        found = cls(**rates, seed=seed)
        if fault := found.fault():
            raise SettingsError(f"{name!r}: {fault}")
        return found

    def fault(self) -> str:
        """Return the reason why the rates do not fit together, or '' if they do."""
        return ""

    @classmethod
    def _refused(cls, name: str, part: str) -> SettingsError:
        return SettingsError(f"{name!r}: cannot make out {part!r}; {cls.FORMS}; there are {', '.join(_rates(cls))}")


def _rates(character: RatedCharacter | type[RatedCharacter]) -> dict[str, Any]:
    return {each.name: each.default for each in fields(character) if each.name != "seed"}


def _numbers(value: float | tuple[float, ...]) -> tuple[float, ...]:
    return value if isinstance(value, tuple) else (value,)


def split_seed(name: str) -> tuple[str, int]:
    """Return a name without the seed at its end, and the seed, by default 0. Raises `SettingsError`."""
    text, at, seed = name.partition("@")
    if at and not (seed.isascii() and seed.isdecimal()):
        raise SettingsError(f"{name!r}: after '@' a seed is needed, such as @7")
    return text, int(seed or 0)


def write_seed(seed: int) -> str:
    """Return the seed as the end of a name, '' for 0."""
    return f"@{seed}" if seed else ""
