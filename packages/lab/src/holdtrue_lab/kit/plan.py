"""The plan of a run: which problems it plays under which methods, in a fixed order."""

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
    """A problem of any suite, such as a `Problem`, a `Case` or an `Item`."""

    @property
    def id(self) -> str: ...
    @property
    def domain(self) -> str: ...


class AnyMethod(Protocol):
    """A method of any kind of answer."""

    @property
    def name(self) -> str: ...


Item = TypeVar("Item")
Problem = TypeVar("Problem", bound=AnyProblem)
Method = TypeVar("Method", bound=AnyMethod)


@dataclass(frozen=True, slots=True)
class Job:
    """One problem under one method, which is one conversation with this number of `turns`."""

    problem: AnyProblem
    method: AnyMethod
    turns: int


@dataclass(frozen=True, slots=True)
class Order(Generic[Problem, Method]):
    """An `Order` is what a user wants played: problems under methods, with the settings of their kind, and by a model.

    `written_answers` are answers that were written before, by the ids of problems, or None.
    """

    suite: str
    problems: Sequence[Problem]
    methods: Sequence[Method]
    settings: Any
    model: str
    written_answers: Mapping[str, Any] | None = None


@dataclass(frozen=True, slots=True)
class Prepared:
    """An order as its kind of answers prepares it for playing.

    `families` are lists of an original and its changed forms, in the order in which they are played. `methods` are as
    they are played, and `length` returns the number of turns of a problem. `protocol` and `extractor` tell the rows of
    reports apart, and `play` are the settings that are kept in the run's folder.
    """

    families: Sequence[Sequence[Any]]
    methods: Sequence[AnyMethod]
    play: Mapping[str, Any]
    length: Callable[[Any], int] = lambda problem: 1
    protocol: str = "once"
    extractor: str = "none"


@dataclass(frozen=True, slots=True)
class Plan:
    """All jobs of a run. `problems` are the chosen ones; `settings` describe the run.

    `lengths` says of each problem how many turns it has. `play` are the settings of the kind of answers, and
    `written_answers` are answers that were written before, by the ids of problems.
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
        """Return the jobs problem by problem, so that an unfinished run has played the same ones under all methods."""
        return (
            Job(problem, method, turns)
            for problem, turns in zip(self.problems, self.lengths, strict=True)
            for method in self.methods
        )

    @property
    def name(self) -> str:
        """A name for the run's folder: the same for the same settings, so that the same command resumes.

        The address is part of it: another server gets another folder, unless somebody says that it is the same run.
        """
        settings = self.settings
        decisive = {key: value for key, value in asdict(settings).items() if key not in FREE or key == "base_url"}
        # A run without these has the folder that it had before they were there.
        decisive = {key: value for key, value in decisive.items() if key not in SOME_TAKE or value is not None}
        mark = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:8]
        parts = (settings.suite, settings.model, settings.protocol, settings.extractor, mark)
        return "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", part) for part in parts)

    @property
    def turns(self) -> int:
        """The number of turns that the run has to play."""
        return sum(self.lengths) * len(self.methods)


def deal(items: Iterable[Item], key: Callable[[Item], Hashable] = attrgetter("domain")) -> tuple[Item, ...]:
    """Order items so that domains, or whatever the `key` returns, alternate: one item of each, then the next."""
    by_key: dict[Hashable, list[Item]] = {}
    for item in items:
        by_key.setdefault(key(item), []).append(item)
    rounds = zip_longest(*by_key.values())
    return tuple(item for together in rounds for item in together if item is not None)


def deal_families(
    problems: Iterable[Problem], base: Callable[[Problem], str | None], key: Callable[[Problem], Hashable]
) -> list[list[Problem]]:
    """Return a list for each original, with its changed forms behind it; originals alternate by their `key`.

    `base` returns the id of the problem that another was made of, or None for an original. Changed forms whose original
    is missing make a list of their own.
    """
    families: dict[str, list[Problem]] = {}
    for problem in problems:
        families.setdefault(base(problem) or problem.id, []).append(problem)
    heads = {family[0].id: family for family in families.values()}
    dealt = deal([family[0] for family in families.values()], key=key)
    return [heads[head.id] for head in dealt]


def hash_contents(contents: Iterable[object]) -> str:
    """Return a hash of JSON values in their order."""
    found = hashlib.sha256()
    for content in contents:
        found.update(json.dumps(content, sort_keys=True).encode() + b"\n")
    return found.hexdigest()


def check_choice(what: str, ids: Sequence[str], methods: Sequence[str], limit: int | None, connections: int) -> None:
    """Raise `SettingsError` if a run has nothing to do, or an id or a method is there twice; `what` names the ids."""
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
    """Return the version of holdtrue."""
    from importlib import metadata

    return metadata.version("holdtrue")
