"""The declaration of a suite: its kind of answers, where its problems come from, and how they are generated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, get_type_hints

from holdtrue.options import NoOptions
from holdtrue_lab.kit.kind import Kind


@dataclass(frozen=True, slots=True)
class Loaded:
    """Problems to play, in words their `source`, and `written_answers` to them from before, by the problems' ids.

    `notes` are lines about what of the problems is doubtful, for the person who runs them.
    """

    source: str
    problems: Sequence[Any]
    written_answers: Mapping[str, Any] | None = None
    notes: Sequence[str] = ()


class Load(Protocol):
    """Finds the problems that a run is to play; raises `SettingsError` or `RecordError`."""

    def __call__(self, source: Any, *, seed: int, model: str) -> Loaded:
        """Load the problems. `source` has the suite's own options, and `seed` and `model` are those of the run."""
        ...


Make = Callable[[Any, Path], Iterator[str]]
"""Generates problems by a recipe, writes them to a folder, and yields lines that say what was made."""


@dataclass(frozen=True, slots=True)
class Validated:
    """The result of proving a benchmark's labels again: what was `checked`, in words, and a line for every fault."""

    checked: str
    wrong: Sequence[str]


Validate = Callable[[Path, float], Validated | None]
"""Proves every label in a folder again, with a time limit in seconds for each question; None if it has no problems."""


@dataclass(frozen=True, slots=True)
class Suite:
    """A suite of problems.

    The frozen dataclasses that `load` and `make` take first say by their fields, each with an `Option`, where problems
    are found and how they are generated.

    Attributes:
        name: The name on the command line.
        kind: The kind of its answers.
        about: A sentence for the help of `run`.
        methods: The methods that are played by default, separated by commas.
        load: Loads the problems to play.
        make: Generates problems; its docstring is the help of `generate`.
        validate: Proves the labels of problems again.
        model: Examples of models that can play it, for the help; None if it asks no model at all.
        needs_model: Whether every method asks a model. Where not, `--model` may be left out.
        setup: What its kind of answers has to know of it.
    """

    name: str
    kind: Kind
    about: str
    methods: str
    load: Load
    make: Make | None = None
    validate: Validate | None = None
    model: str | None = "Such as openai/NAME, local/NAME, script/FILE."
    needs_model: bool = True
    setup: Any = field(default=None)

    @property
    def source(self) -> type[Any]:
        """Return the dataclass whose fields say what can be set of where problems are found."""
        return _first_of(self.load)

    @property
    def recipe(self) -> type[Any]:
        """Return the dataclass whose fields say what can be set of how problems are made."""
        return NoOptions if self.make is None else _first_of(self.make)


def _first_of(function: Callable[..., Any]) -> type[Any]:
    """The type of what a function takes first."""
    declared: type[Any] = next(iter(get_type_hints(function).values()))
    return declared
