"""What a run of searches is to do: which problems, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from holdtrue.errors import SettingsError
from holdtrue.kinds.search.method import SearchMethod, revealed
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.lab.kinds.search.settings import SearchSettings
from holdtrue.lab.kit.plan import Prepared, deal_families


def prepare(problems: Sequence[SearchProblem], methods: Sequence[SearchMethod], settings: SearchSettings) -> Prepared:
    """Originals in turn over domain, gold and difficulty, each with its variants right behind it."""
    return Prepared(
        families=deal_families(problems, lambda problem: problem.base, _kind),
        methods=tuple(methods),
        length=lambda problem: settings.seeds,
        protocol=f"{settings.k}x{settings.rounds}",
        extractor="none",
        play={**asdict(settings.limits), "seeds": settings.seeds, "timeout_s": settings.timeout_s},
    )


def describe_problem(problem: SearchProblem) -> object:
    """All in the problem that can change a result or its score."""
    return [
        [problem.id, problem.suite, problem.domain, problem.setting],
        [[variable.name, variable.sort.low, variable.sort.high] for variable in problem.variables],
        [[constraint.id, constraint.text, str(constraint.formula)] for constraint in problem.constraints],
        [problem.gold, problem.difficulty, problem.variant, problem.base],
    ]


def _kind(problem: SearchProblem) -> tuple[str | None, ...]:
    return problem.domain, problem.gold, problem.difficulty


def with_witness(methods: Sequence[SearchMethod]) -> list[SearchMethod]:
    """Behind each method that can show a solution the one that does; raises `SettingsError` where there is none."""
    both: list[SearchMethod] = []
    for method in methods:
        twin = revealed(method)
        both += [method] if twin in methods else [method, twin]
    if not any(method.reveal_witness for method in both):
        raise SettingsError(f"reveal_witness: none of {', '.join(each.name for each in methods)} can show a solution")
    return both
