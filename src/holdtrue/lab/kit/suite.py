"""A suite as the laboratory knows it: what it asks, where its problems come from, and how they are made."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, get_type_hints

from holdtrue.lab.kit.kind import Kind
from holdtrue.options import NoOptions


@dataclass(frozen=True, slots=True)
class Loaded:
    """Problems to play, and in words where they came from; `given` are answers that were written before, by ids."""

    source: str
    problems: Sequence[Any]
    given: Mapping[str, Any] | None = None


class Load(Protocol):
    """Finds the problems that a run is to play; raises `SettingsError` or `RecordError`."""

    def __call__(self, source: Any, *, seed: int, model: str) -> Loaded:
        """`source` is what the suite's own options say, `seed` the run's, and `model` who is to answer."""
        ...


Make = Callable[[Any, Path], Iterator[str]]
"""Makes problems as a recipe says and writes them to a folder; says in lines what was made. Its docstring is help."""


@dataclass(frozen=True, slots=True)
class Validated:
    """What proving a benchmark again came to: what was `checked`, in words, and a line for everything that is wrong."""

    checked: str
    wrong: Sequence[str]


Validate = Callable[[Path, float], Validated | None]
"""Proves every label in a folder again, with so many seconds for each question; None where none of its problems lie."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite. `about` says in a sentence what is played, and `model` names models that can, for the help.

    `methods` are those that are played where nobody names any. What can be set of where problems are found, and of how
    they are made, are the frozen dataclasses that `load` and `make` take first, whose fields have an `Option`.
    `validate` proves their labels again. `setup` is what its kind wants to know of it.
    """

    name: str
    kind: Kind
    about: str
    methods: str
    load: Load
    make: Make | None = None
    validate: Validate | None = None
    model: str = "Such as openai/NAME, local/NAME, script/FILE."
    setup: Any = field(default=None)

    @property
    def source(self) -> type[Any]:
        """What can be set of where problems are found."""
        return _first_of(self.load)

    @property
    def recipe(self) -> type[Any]:
        """What can be set of how they are made."""
        return NoOptions if self.make is None else _first_of(self.make)


def _first_of(function: Callable[..., Any]) -> type[Any]:
    """The type of what a function takes first."""
    declared: type[Any] = next(iter(get_type_hints(function).values()))
    return declared
