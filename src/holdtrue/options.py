"""What somebody can set, declared once: a field of a frozen dataclass, with an `Option` that says what it is.

From the same declaration come the options of a command, the keys of a plan file, and what `settings.json` keeps.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from holdtrue.errors import SettingsError

Name = TypeVar("Name", bound=str)


@dataclass(frozen=True, slots=True)
class Option:
    """What a field is, in a line of help. Numbers are at `least` and at `most` so much.

    `flag` is how the option is written, where that does not follow from the field's name, and `default` is what the
    help shows in the place of the field's own default.
    """

    help: str
    least: float | None = None
    most: float | None = None
    flag: str | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class NoOptions:
    """Nothing can be set."""


def one_of(what: str, name: str, known: Sequence[Name]) -> Name:
    """The name, if it is a known one; raises `SettingsError` listing what there is."""
    for each in known:
        if each == name:
            return each
    raise SettingsError(f"unknown {what} {name!r}; there are {', '.join(known)}")
