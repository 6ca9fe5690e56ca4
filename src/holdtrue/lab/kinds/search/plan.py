"""What a run of searches is to do: which problems under which methods, within which limits."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import asdict
from typing import Any

from holdtrue.budget import Budget, SearchBudget
from holdtrue.conversation.search_session import SEED_STRIDE
from holdtrue.errors import SettingsError
from holdtrue.kinds.search.method import SearchMethod, find_search_method
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.kit.plan import Plan, check_choice, deal_families, hash_contents, version
from holdtrue.lab.kit.settings import RunSettings
from holdtrue.models.sampling import Sampling

SEEDS = 3
TIMEOUT_S = 1.5
TEMPERATURE = 0.2
MAX_TOKENS = 256


def make_search_plan(
    problems: Sequence[SearchProblem],
    methods: Sequence[SearchMethod],
    *,
    source: str,
    model: str,
    base_url: str | None = None,
    limits: SearchBudget | None = None,
    seeds: int = SEEDS,
    timeout_s: float = TIMEOUT_S,
    sampling: Sampling | None = None,
    limit: int | None = None,
    max_connections: int = 8,
    token_limit: int | None = None,
) -> Plan:
    """The plan to search for solutions of `problems` under each of `methods`, `seeds` times each.

    Every search has the same `limits`, and every question to the solver `timeout_s` seconds. `limit` counts originals:
    each comes with those of its variants that are given, right behind it. Originals are dealt out in turn over domain,
    gold and difficulty, so that a limited run has problems of all kinds. Raises `SettingsError` where nothing is left
    to do, or something is named twice or does not fit.
    """
    names = tuple(method.name for method in methods)
    check_choice("problem", [problem.id for problem in problems], names, limit, max_connections)
    own = [method for method in methods if not _is_preset(method)]
    limits = limits or SearchBudget()
    _check_limits(limits, seeds, timeout_s)
    families = deal_families(problems, lambda problem: problem.base, _kind)
    sampling = sampling or Sampling(temperature=TEMPERATURE, max_tokens=MAX_TOKENS)
    dealt = [problem for family in families for problem in family]
    settings = RunSettings(
        suite=problems[0].suite,
        source=source,
        problems=len(dealt),
        problems_sha256=digest_problems(dealt),
        model=model,
        base_url=base_url,
        protocol=f"{limits.k}x{limits.rounds}",
        extractor="none",
        **asdict(sampling),
        methods=names,
        own_methods={method.name: asdict(method) for method in own},
        limit=limit,
        max_connections=max_connections,
        token_limit=token_limit,
        holdtrue=version(),
        search={**asdict(limits), "seeds": seeds, "timeout_s": timeout_s},
    )
    chosen = tuple(problem for family in families[:limit] for problem in family)
    return Plan(chosen, tuple(methods), sampling, settings, (seeds,) * len(chosen))


def read_limits(search: Mapping[str, Any]) -> tuple[SearchBudget, Budget]:
    """What one search may spend, and one question to the solver, as `RunSettings.search` says."""
    limits = SearchBudget(search["k"], search["rounds"], search["tokens"], search["seconds"])
    return limits, Budget(timeout_s=search["timeout_s"])


def digest_problems(problems: Iterable[SearchProblem]) -> str:
    """A hash of all in the problems that can change a result or its score."""
    return hash_contents(
        [
            [problem.id, problem.suite, problem.domain, problem.setting],
            [[variable.name, variable.sort.low, variable.sort.high] for variable in problem.variables],
            [[constraint.id, constraint.text, str(constraint.formula)] for constraint in problem.constraints],
            [problem.gold, problem.difficulty, problem.variant, problem.base],
        ]
        for problem in problems
    )


def _kind(problem: SearchProblem) -> tuple[str | None, ...]:
    return problem.domain, problem.gold, problem.difficulty


def _is_preset(method: SearchMethod) -> bool:
    """Raises `SettingsError` for another method under a preset's name, by which reports would take it for that."""
    try:
        preset = find_search_method(method.name)
    except SettingsError:
        return False
    if preset != method:
        raise SettingsError(f"method {method.name!r} is not the preset of that name; give it one of its own")
    return True


def _check_limits(limits: SearchBudget, seeds: int, timeout_s: float) -> None:
    counts = {"k": limits.k, "rounds": limits.rounds, "seeds": seeds, "tokens": limits.tokens}
    for name, count in counts.items():
        if count is not None and count < 1:
            raise SettingsError(f"{name} must be at least 1, got {count}")
    if limits.calls > SEED_STRIDE:  # so that no two trials share a draw
        raise SettingsError(f"k times rounds may be {SEED_STRIDE} at most, got {limits.calls}")
    for name, seconds in {"seconds": limits.seconds, "timeout_s": timeout_s}.items():
        if seconds is not None and not seconds > 0:  # written so that nan is refused too
            raise SettingsError(f"{name} must be more than 0, got {seconds}")
