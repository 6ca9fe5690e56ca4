"""What a run about assignments is to do: which problems under which methods."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import asdict
from typing import get_args

from holdtrue.errors import SettingsError
from holdtrue.kinds.assignment.declared import describe_method
from holdtrue.kinds.assignment.method import PRESETS, Method
from holdtrue.lab.kinds.assignment.problem import Problem
from holdtrue.lab.kit.plan import Plan, check_choice, deal, hash_contents, version
from holdtrue.lab.kit.settings import RunSettings, one_of
from holdtrue.language.gold import GoldExtractor
from holdtrue.language.readers import Protocol
from holdtrue.models.sampling import Sampling

PROTOCOLS: tuple[Protocol, ...] = get_args(Protocol)


EXTRACTORS = ("llm", "templates", GoldExtractor.name)


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
    chosen = dealt[:limit]
    lengths = tuple(len(problem.turns) for problem in chosen)
    return Plan(chosen, tuple(methods), sampling, settings, lengths)


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
