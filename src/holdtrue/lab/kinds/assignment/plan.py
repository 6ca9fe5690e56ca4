"""What a run about assignments is to do: which problems, and in which order."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict

from holdtrue.kinds.assignment.method import Method
from holdtrue.lab.kinds.assignment.problem import Problem
from holdtrue.lab.kinds.assignment.settings import AssignmentSettings
from holdtrue.lab.kit.plan import Prepared, deal


def prepare(problems: Sequence[Problem], methods: Sequence[Method], settings: AssignmentSettings) -> Prepared:
    """All problems, dealt out over the domains in turn."""
    return Prepared(
        families=[(problem,) for problem in deal(problems)],
        methods=tuple(methods),
        length=lambda problem: len(problem.turns),
        protocol=settings.protocol,
        extractor=settings.extractor,
        play=asdict(settings),
    )


def describe_problem(problem: Problem) -> object:
    """All in the problem that can change a result."""
    return [
        problem.id,
        problem.suite,
        problem.domain,
        problem.entities,
        dict(problem.context),
        [[turn.number, turn.message, [dict(item) for item in turn.gold]] for turn in problem.turns],
    ]
