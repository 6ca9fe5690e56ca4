"""This module defines the plan of a run: the problems to play under each method, in a fixed order."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from operator import attrgetter
from typing import Any, Generic, Protocol, TypeVar

from holdtrue.errors import SettingsError
from holdtrue.models.chat import SOME_TAKE
from holdtrue.models.sampling import Sampling
from holdtrue_lab.kit.settings import FREE, RunSettings


class AnyProblem(Protocol):
    """An `AnyProblem` is a problem of any suite, such as a `Problem`, a `Case` or an `Item`."""

    @property
    def id(self) -> str: ...
    @property
    def domain(self) -> str: ...


class AnyMethod(Protocol):
    """An `AnyMethod` is a method of any kind of answer."""

    @property
    def name(self) -> str: ...


Item = TypeVar("Item")
Problem = TypeVar("Problem", bound=AnyProblem)
Method = TypeVar("Method", bound=AnyMethod)


@dataclass(frozen=True, slots=True)
class Job:
    """A `Job` is one conversation: one problem under one method, with this number of `turns`."""

    problem: AnyProblem
    method: AnyMethod
    turns: int


@dataclass(frozen=True, slots=True)
class Order(Generic[Problem, Method]):
    """An `Order` holds the user's request for a run.

    It has the problems, the methods, the settings of their kind of answer, and the model's name. `written_answers` maps
    problem ids to answers that were written earlier, or is None.
    """

    suite: str
    problems: Sequence[Problem]
    methods: Sequence[Method]
    settings: Any
    model: str
    written_answers: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """A `Prepared` is an order after the code for its kind of answer has made it ready for playing.

    A family is a list of an original problem and its changed forms, which were made by changing it. `families` are in
    playing order. `length` returns a problem's number of turns. Reports distinguish rows by `protocol` (how the run is
    played) and `extractor` (the reader of messages). `play` holds the settings of the kind of answer, as they are
    written into the run's folder.
    """

    families: Sequence[Sequence[Any]]
    methods: Sequence[AnyMethod]
    play: Mapping[str, Any]
    length: Callable[[Any], int] = lambda problem: 1
    protocol: str = "once"
    extractor: str = "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """A `Plan` holds all jobs of a run: the chosen problems, and the methods.

    `lengths` are the problems' numbers of turns, and `play` holds the settings of the kind of answer. `written_answers`
    maps problem ids to answers that were written earlier.
    """

    problems: Sequence[AnyProblem]
    methods: Sequence[AnyMethod]
    sampling: Sampling
    settings: RunSettings
    lengths: Sequence[int]
    play: Any = None
    written_answers: Mapping[str, Any] = field(default_factory=dict)

    @property
    def jobs(self) -> Iterator[Job]:
        """The jobs, problem by problem, so that an unfinished run has played the same problems under all methods."""
        return (
            Job(problem, method, turns)
            for problem, turns in zip(self.problems, self.lengths, strict=True)
            for method in self.methods
        )

    @property
    def name(self) -> str:
        """The name of the run's folder. Equal settings give equal names, so that the same command resumes the run.

        The hash in the name depends on the server's address, too. To resume a run with another server, the user names
        the folder.
        """
        settings = self.settings
        decisive = {key: value for key, value in asdict(settings).items() if key not in FREE or key == "base_url"}
        # These settings are left out if they are None, so that folders from before they existed keep their names.
        decisive = {key: value for key, value in decisive.items() if key not in SOME_TAKE or value is not None}
        mark = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:8]
        parts = (settings.suite, settings.model, settings.protocol, settings.extractor, mark)
        return "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", part) for part in parts)

    @property
    def turns(self) -> int:
        """The number of turns that the run has to play."""
        return sum(self.lengths) * len(self.methods)


def deal(items: Iterable[Item], key: Callable[[Item], Hashable] = attrgetter("domain")) -> tuple[Item, ...]:
    """Return the items in an order in which their domains, or the values of `key`, alternate."""
    by_key: dict[Hashable, list[Item]] = {}
    for item in items:
        by_key.setdefault(key(item), []).append(item)
    rounds = zip_longest(*by_key.values())
    return tuple(item for together in rounds for item in together if item is not None)


def deal_families(
    problems: Iterable[Problem], base: Callable[[Problem], str | None], key: Callable[[Problem], Hashable]
) -> list[list[Problem]]:
    """Return a list for each original, with the original and its changed forms; the originals' `key`s alternate.

    `base` returns the id of a changed form's original, and None for an original. If an original is missing, its changed
    forms make a list of their own.
    """
    families: dict[str, list[Problem]] = {}
    for problem in problems:
        families.setdefault(base(problem) or problem.id, []).append(problem)
    heads = {family[0].id: family for family in families.values()}
    dealt = deal([family[0] for family in families.values()], key=key)
    return [heads[head.id] for head in dealt]


def hash_contents(contents: Iterable[object]) -> str:
    """Return a SHA-256 hash of JSON values in their order."""
    found = hashlib.sha256()
    for content in contents:
        found.update(json.dumps(content, sort_keys=True).encode() + b"\n")
    return found.hexdigest()


def check_choice(what: str, ids: Sequence[str], methods: Sequence[str], limit: int | None, connections: int) -> None:
    """Raise `SettingsError` if a run has nothing to do, or an id or a method occurs twice; `what` names the ids."""
    _refuse_doubles("method", methods)
    _refuse_doubles(what, ids)
    if not ids or not methods or (limit is not None and limit < 1):
        raise SettingsError(f"a run needs at least one {what} and one method")
    if connections < 1:
        raise SettingsError(f"max_connections must be at least 1, got {connections}")


def _refuse_doubles(what: str, names: Sequence[str]) -> None:
    double = next((name for name in names if names.count(name) > 1), None) if len(set(names)) < len(names) else None
    if double is not None:
        raise SettingsError(f"the {what} {double!r} is named twice")


def version() -> str:
    from importlib import metadata

    return metadata.version("holdtrue")
