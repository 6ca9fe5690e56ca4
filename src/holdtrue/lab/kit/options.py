"""Declare a setting once: as a field of a frozen dataclass, annotated with an `Option`.

The options of a command, the keys of a plan file and the entries of `settings.json` all follow from that declaration.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Option:
    """The declaration of a setting: a line of `help`, and for numbers the bounds `least` and `most`.

    `flag` is the option on the command line, if it does not follow from the field's name. `default` is what the help
    shows in the place of the field's own default.
    """

    help: str
    least: float | None = None
    most: float | None = None
    flag: str | None = None
    default: str | None = None


@dataclass(frozen=True, slots=True)
class NoOptions:
    """The settings of something that has none."""
