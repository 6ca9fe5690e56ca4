"""This module declares a suite of problems: its kind of answer, and how problems are loaded and generated."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol, get_type_hints

from holdtrue.options import NoOptions
from holdtrue_lab.kit.kind import Kind


@dataclass(frozen=True, slots=True)
class Loaded:
    """A `Loaded` holds the problems of a run; `source` describes in words where they came from.

    `written_answers` maps problem ids to answers that were written earlier. `notes` warn the user of doubtful problems.
    """

    source: str
    problems: Sequence[Any]
    written_answers: Mapping[str, Any] | None = None
    notes: Sequence[str] = ()


class Load(Protocol):
    """A `Load` is a function that finds the problems of a run; it raises `SettingsError` or `RecordError`."""

    def __call__(self, source: Any, *, seed: int, model: str) -> Loaded:
        """Load the problems. `source` holds the suite's options; `seed` and `model` are those of the run."""
        ...


Make = Callable[[Any, Path], Iterator[str]]
"""A function that generates problems by a recipe, writes them to a folder, and yields progress lines."""


@dataclass(frozen=True, slots=True)
class Validated:
    """A `Validated` is the result of proving a benchmark's labels again. It describes the checked labels, and has a
    line for every fault.
    """

    checked: str
    wrong: Sequence[str]


Validate = Callable[[Path, float], Validated | None]
"""A function that proves every label in a folder again, given a time limit in seconds for each question.

It returns None if the folder has no problems of the suite.
"""


@dataclass(frozen=True, slots=True)
class Suite:
    """A `Suite` declares a set of problems that can be played.

    The first parameters of `load` and `make` are frozen dataclasses. Their fields, each with an `Option`, become
    options of the command line.

    Attributes:
        name: The name on the command line.
        kind: The kind of its answers.
        about: A sentence for the help of `run`.
        methods: The methods that are played by default, separated by commas.
        load: Loads the problems to play.
        make: Generates problems; its docstring is the help of `generate`.
        validate: Proves the labels of problems again.
        model: Examples of models for the help; None if no method calls a model.
        needs_model: Whether every method calls a model. If it is false, `--model` may be left out.
        setup: Data about the suite that its kind of answer needs.
        cites: The work that the suite comes from, in BibTeX.
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
    cites: str = ""

    @property
    def source(self) -> type[Any]:
        return _first_of(self.load)

    @property
    def recipe(self) -> type[Any]:
        return NoOptions if self.make is None else _first_of(self.make)


def _first_of(function: Callable[..., Any]) -> type[Any]:
    declared: type[Any] = next(iter(get_type_hints(function).values()))
    return declared
