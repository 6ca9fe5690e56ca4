"""Search problems with solution values that occur nowhere else in a prompt, and searches by scripted models."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from holdtrue.budget import Budget, SearchBudget
from holdtrue.conversation.search_session import SearchSession
from holdtrue.kinds.search.method import SEARCH_PRESETS, SearchMethod, find_search_method, revealed
from holdtrue.kinds.search.problem import Gold, Requirement, SearchProblem
from holdtrue.kinds.search.record import SearchRecord
from holdtrue.logic.formula import Formula, Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.models.chat import Reply, Request
from holdtrue.models.sampling import Sampling
from holdtrue.record import Usage
from tests.recorder import Recorder

A, B, C, D = (Variable(name, IntSort(0, 199)) for name in "abcd")


def problem(constraints: Sequence[tuple[str, Formula]], gold: Gold = "sat") -> SearchProblem:
    """Four variables in 0..199 under these constraints, c1 first."""
    demands = tuple(
        Requirement(f"c{place}", text, formula) for place, (text, formula) in enumerate(constraints, start=1)
    )
    return SearchProblem("four", "cegvr", "linear", (A, B, C, D), demands, gold, "easy", setting=("A riddle.",))


SOLVABLE = problem(
    [
        ("a + b = 288", (A + B).eq(288)),
        ("b - a = 14", (B - A).eq(14)),
        ("c + d >= 320", C + D >= 320),
        ("c - d <= 5", C - D <= 5),
    ]
)
SOLVED = {"a": 137, "b": 151, "c": 165, "d": 165}
SECRETS = re.compile(r"\b(137|151)\b")
"""Every solution has these, and no other number of the problem is one of them."""
IMPOSSIBLE = problem(
    [("a + b = 288", (A + B).eq(288)), ("a + b <= 200", A + B <= 200), ("c + d >= 320", C + D >= 320)], "unsat"
)
CLAIM = '{"status": "unsat"}'
WRONG = {"a": 100, "b": 110, "c": 190, "d": 190}
ASKING = [name for name, method in SEARCH_PRESETS.items() if method.answerer == "model"]
METHODS: dict[str, SearchMethod] = {
    each.name: each for method in SEARCH_PRESETS.values() for each in (method, revealed(method))
}
"""All presets, and those with the witness revealed."""


def said(values: dict[str, int], **other: int) -> str:
    """A reply with these values, some of them others."""
    return json.dumps({"status": "sat", "assignment": {**values, **other}})


@dataclass
class Search:
    record: SearchRecord
    model: Recorder

    @property
    def prompts(self) -> list[str]:
        """The last message of every request."""
        return [request.messages[-1].content for request in self.model.requests]


def search(
    method: str | SearchMethod,
    replies: Sequence[str | Reply] | Callable[[Request], str | Reply],
    *,
    about: SearchProblem = SOLVABLE,
    limits: SearchBudget | None = None,
    sampling: Sampling | None = None,
    budget: Budget | None = None,
) -> Search:
    """One trial; a list of replies begins again at its end."""
    model = Recorder(replies if callable(replies) else _in_turn(replies))
    session = SearchSession(
        about,
        model=model,
        method=METHODS.get(method) or find_search_method(method) if isinstance(method, str) else method,
        limits=limits or SearchBudget(k=2, rounds=2),
        sampling=sampling,
        budget=budget,
    )
    return Search(asyncio.run(session.turn()), model)


def costing(text: str, tokens: int, seconds: float = 0.0) -> Reply:
    """A reply with its cost."""
    return Reply(text, Usage(1, 10, tokens, seconds))


def _in_turn(replies: Sequence[str | Reply]) -> Callable[[Request], str | Reply]:
    given: list[Request] = []

    def reply(request: Request) -> str | Reply:
        given.append(request)
        return replies[(len(given) - 1) % len(replies)]

    return reply
