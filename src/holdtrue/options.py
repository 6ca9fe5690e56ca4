"""Declare a setting once: as a field of a frozen dataclass, annotated with an `Option`.

The options of a command, the keys of a plan file and the entries of `settings.json` all follow from that declaration.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from holdtrue.errors import SettingsError

Name = TypeVar("Name", bound=str)


@dataclass(frozen=True, slots=True)
class Option:
    """The declaration of a setting: a line of `help`, and for numbers the limits `least` and `most`.

    `flag` is the option on the command line if it differs from the field's name. `default` is the text that the help
    shows instead of the field's default.
    """

    help: str
    least: float | None = None
    most: float | None = None
    flag: str | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The settings of a command or suite that has none."""


def one_of(what: str, name: str, known: Sequence[Name]) -> Name:
    """Return the name if it is known. Raises `SettingsError` with the known names if not."""
    for each in known:
        if each == name:
            return each
    raise SettingsError(f"unknown {what} {name!r}; there are {', '.join(known)}")
