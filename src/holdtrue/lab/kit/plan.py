"""What a run is to do: which problems under which methods, in a fixed order."""

from __future__ import annotations

import hashlib
import json
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict, dataclass, field
from itertools import zip_longest
from typing import TypeVar, get_args

from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.declared import describe_method
from holdtrue.kinds.assignment.method import PRESETS, Method
from holdtrue.kinds.claims.method import ClaimMethod
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.method import LabelMethod
from holdtrue.kinds.search.method import SearchMethod
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.kinds.assignment.problem import Problem
from holdtrue.lab.kinds.claims.given import GivenAnswer
from holdtrue.lab.kinds.claims.item import Item
from holdtrue.lab.kit.settings import FREE, RunSettings, one_of
from holdtrue.language.gold import GoldExtractor
from holdtrue.language.readers import Protocol
from holdtrue.models.sampling import Sampling

PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)
EXTRACTORS = ("llm", "templates", GoldExtractor.name)


Posed = Problem | Case | SearchProblem | Item
"""Whatever a suite poses."""
AnyMethod = Method | LabelMethod | SearchMethod | ClaimMethod
Asked = TypeVar("Asked", Problem, Case, SearchProblem, Item)


@dataclass(frozen=True, slots=True)
class Job:
    """One problem (or case) under one method: a conversation of its own, of so many `turns`."""

    problem: Posed
    method: AnyMethod
    turns: int


@dataclass(frozen=True, slots=True)
class Plan:
    """All jobs of a run. `problems` are the chosen ones; `settings` describe the run.

    `answers` were written before, by the ids of the items that they answer.
    """

    problems: tuple[Posed, ...]
    methods: tuple[AnyMethod, ...]
    sampling: Sampling
    settings: RunSettings
    answers: Mapping[str, GivenAnswer] = field(default_factory=dict)

    @property
    def jobs(self) -> Iterator[Job]:
        """Problem by problem, so that an unfinished run has played the same problems under all methods."""
        return (Job(problem, method, self._turns_of(problem)) for problem in self.problems for method in self.methods)

    @property
    def name(self) -> str:
        """A name for the run's folder: the same for the same settings, so that the same command resumes."""
        settings = self.settings
        decisive = {key: value for key, value in asdict(settings).items() if key not in FREE}
        for own in ("search", "claims"):  # other suites' runs keep the name that they had before there were these
            if decisive[own] is None:
                del decisive[own]
        mark = hashlib.sha256(json.dumps(decisive, sort_keys=True).encode()).hexdigest()[:8]
        parts = (settings.suite, settings.model, settings.protocol, settings.extractor, mark)
        return "-".join(re.sub(r"[^A-Za-z0-9.]+", "_", part) for part in parts)

    @property
    def turns(self) -> int:
        """How many turns the run is to play."""
        return sum(map(self._turns_of, self.problems)) * len(self.methods)

    def _turns_of(self, problem: Posed) -> int:
        if isinstance(problem, Problem):
            return len(problem.turns)
        if isinstance(problem, SearchProblem):
            return int((self.settings.search or {}).get("seeds", 1))
        if isinstance(problem, Item):
            return 1
        return 1 if self.settings.protocol == "bundle" else len(problem.queries)


def make_plan(
    problems: Sequence[Problem],
    methods: Sequence[Method],
    *,
    source: str,
    model: str,
    base_url: str | None = None,
    protocol: str = "stated",
    extractor: str = "llm",
    sampling: Sampling | None = None,
    limit: int | None = None,
    max_connections: int = 8,
    token_limit: int | None = None,
) -> Plan:
    """The plan to play the first `limit` of `problems` under each of `methods`.

    Problems are dealt out over the domains in turn, so that a limited run has a fair share of each. Raises
    `SettingsError` where nothing is left to do, or something is named twice.
    """
    names = tuple(method.name for method in methods)
    for method in methods:
        if PRESETS.get(method.name, method) != method:
            raise SettingsError(f"method {method.name!r} is not the preset of that name; give it one of its own")
    check_choice("problem", [problem.id for problem in problems], names, limit, max_connections)
    dealt, sampling = deal(problems), sampling or Sampling()
    settings = RunSettings(
        suite=problems[0].suite,
        source=source,
        problems=len(dealt),
        problems_sha256=digest(dealt),
        model=model,
        base_url=base_url,
        protocol=one_of("protocol", protocol, PROTOCOLS),
        extractor=one_of("extractor", extractor, EXTRACTORS),
        **asdict(sampling),
        methods=names,
        own_methods={m.name: describe_method(m) for m in methods if PRESETS.get(m.name) != m},
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
        holdtrue=version(),
    )
    return Plan(dealt[:limit], tuple(methods), sampling, settings)


def deal(problems: Iterable[Asked], key: Callable[[Asked], Hashable] = lambda asked: asked.domain) -> tuple[Asked, ...]:
    """The first problem of each domain (or whatever the `key` tells apart), then the second of each, and so on."""
    by_key: dict[Hashable, list[Asked]] = {}
    for problem in problems:
        by_key.setdefault(key(problem), []).append(problem)
    rounds = zip_longest(*by_key.values())
    return tuple(problem for together in rounds for problem in together if problem is not None)


def deal_families(
    problems: Iterable[Asked], base: Callable[[Asked], str | None], key: Callable[[Asked], Hashable]
) -> list[list[Asked]]:
    """Originals, dealt out by their `key`, each with what was made of it behind it.

    `base` names the problem that one was made of, None for an original; those whose original is not there go with the
    first of them.
    """
    families: dict[str, list[Asked]] = {}
    for problem in problems:
        families.setdefault(base(problem) or problem.id, []).append(problem)
    heads = {family[0].id: family for family in families.values()}
    dealt = deal([family[0] for family in families.values()], key=key)
    return [heads[head.id] for head in dealt]


def digest(problems: Iterable[Problem]) -> str:
    """A hash of all in the problems that can change a result."""
    return hash_contents(
        [
            problem.id,
            problem.suite,
            problem.domain,
            problem.entities,
            dict(problem.context),
            [[turn.number, turn.message, [dict(item) for item in turn.gold]] for turn in problem.turns],
        ]
        for problem in problems
    )


def hash_contents(contents: Iterable[object]) -> str:
    """A hash of what can be written as JSON, one after the other."""
    found = hashlib.sha256()
    for content in contents:
        found.update(json.dumps(content, sort_keys=True).encode() + b"\n")
    return found.hexdigest()


def check_choice(what: str, ids: Sequence[str], methods: Sequence[str], limit: int | None, connections: int) -> None:
    """Raises `SettingsError` where a run has nothing to do, or something is named twice; `what` the `ids` name."""
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
    """This program's own version."""
    from importlib import metadata

    return metadata.version("holdtrue")
