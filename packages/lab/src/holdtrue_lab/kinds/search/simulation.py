"""Simulated models that search. They know the problems, and find solutions at the rates in their names.

A prompt's lines identify its problem. `sim/search` never fails.
`sim/search:p=0.2,core=0.2,conflict=0.3,claim=0.1,malformed=0.05@7` has seed 7. A call succeeds with probability 0.2, or
with 0.4 after feedback with a core, or 0.5 after feedback with a conflict. Of the failures, 10% are false claims, 5%
cannot be read, and the others are near misses.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import pairwise
from types import MappingProxyType
from typing import ClassVar

from holdtrue.budget import Budget
from holdtrue.kinds.search import prompts
from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.prompts import CLAIM, problem_lines
from holdtrue.logic.sorts import bounded
from holdtrue.models.chat import Message, Reply, Request
from holdtrue.solving.explain.mss import greedy_mss
from holdtrue.solving.result import Mcs, Satisfiable
from holdtrue.solving.route import make_engine
from holdtrue_lab.kit.simulation.chance import draw, pick
from holdtrue_lab.kit.simulation.model import LOST, Latest, Simulated, drawn_anew, last_message, make_reply
from holdtrue_lab.kit.simulation.names import RatedCharacter

# Words that mark each kind of feedback (see `EFFECTS`). The first kind with such a mark in the prompt counts.
_MARKS: tuple[tuple[str, tuple[str, ...]], ...] = (
    ("witness", (prompts.WITNESS,)),
    ("conflict", (prompts.VIOLATED, prompts.CONFLICT, prompts.REFUTED)),
    ("ranked", (prompts.REVISE, prompts.KEEP)),
    ("core", (prompts.CORE,)),
)
_VALUE = re.compile(r"(\S+) = (-?\d+)")


@dataclass(frozen=True, slots=True)
class SearchTask:
    """The task to find values.

    Attributes:
        lines: The problem's lines, as `problem_lines` returns them.
        text: The whole message.
        feedback: The kind of feedback about a failure; '' without feedback.
        asked: The variables whose values the prompt asks for; () for all of them.
        kept: The values of the other variables.
    """

    lines: tuple[str, ...]
    text: str
    feedback: str = ""
    asked: tuple[str, ...] = ()
    kept: Mapping[str, int] = field(default_factory=dict)


def view_search(messages: Sequence[Message]) -> SearchTask | None:
    """Return the task that the last user message sets, or None if it has no search problem."""
    last = last_message(messages)
    blocks = [block.split("\n") for block in last.split("\n\n")]
    titles = [block[0] for block in blocks]
    if prompts.VARIABLES not in titles or prompts.CONSTRAINTS not in titles:
        return None
    variables, constraints = titles.index(prompts.VARIABLES), titles.index(prompts.CONSTRAINTS)
    setting = [line for block in blocks[:variables] for line in block]
    lines = (*setting, *blocks[variables][1:], *blocks[constraints][1:])
    more = [line for block in blocks[constraints + 1 :] for line in block if not line.startswith(prompts.SHAPE)]
    asked, kept = _partial(more)
    return SearchTask(lines, last, _kind(more, asked), asked, kept)


def _kind(lines: Sequence[str], asked: Sequence[str]) -> str:
    for kind, marks in _MARKS:
        if any(line.startswith(marks) for line in lines) or (kind == "conflict" and asked):
            return kind
    return "generic" if prompts.FAILED in lines else ""


def _partial(lines: Sequence[str]) -> tuple[tuple[str, ...], dict[str, int]]:
    """Return the variables that a prompt asks for, and the values that it keeps; both are empty if it asks for all.

    The values are in the line before the line with the variables.
    """
    for before, line in pairwise(lines):
        if line.startswith(prompts.ASKED):
            values = _VALUE.findall(before.rstrip("."))
            return tuple(line.removeprefix(prompts.ASKED).split(", ")), {name: int(value) for name, value in values}
    return (), {}


# The limit on the solver's conflicts makes answers independent of the machine's speed.
_BUDGET = Budget(timeout_s=None, conflicts=20_000)
_TRIES = 20

Values = Mapping[str, int]


class SearchWorld:
    """One problem, with its solutions that were needed so far.

    A new solver finds each solution. The witnesses of a used solver depend on earlier questions, and simulated answers
    must not depend on them.
    """

    def __init__(self, problem: SearchProblem) -> None:
        self.problem = problem
        self.sorts = {variable.name: variable.sort for variable in problem.variables}
        self._formulas = problem.formulas
        self._found: dict[frozenset[tuple[str, int]], Values | None] = {}
        self._best: Values | None = None

    def solution(self, kept: Values | None = None) -> Values | None:
        """Return a solution with the `kept` values, or None if there is none, or none was found in time."""
        kept = kept or {}
        key = frozenset(kept.items())
        if key not in self._found:
            found = make_engine(self.problem.variables).check(self._formulas, _BUDGET, fixed=kept)
            self._found[key] = found.witness if isinstance(found, Satisfiable) else None
        return self._found[key]

    def near_miss(self, kept: Values, changed: float, *key: object) -> Values | None:
        """Return values close to a solution that break a constraint, or None if no try breaks one.

        A try begins with a solution with the `kept` values. If there is none, it begins with values that satisfy a
        maximal satisfiable subset of the constraints. The kept values stay. Each other value is changed with
        probability `changed`, but at least one of them always. The same `key` gives the same values.
        """
        base = {**(self.solution(kept) or self._nearly()), **kept}
        free = [name for name in self.sorts if name not in kept and self.sorts[name].size != 1]
        for attempt in range(_TRIES if free else 0):
            values = self._change(base, free, changed, (*key, attempt))
            if not all(formula.holds(values) for formula in self._formulas.values()):
                return values
        return None

    def _change(self, base: Values, free: Sequence[str], changed: float, key: tuple[object, ...]) -> dict[str, int]:
        sure = pick(free, *key, "sure")
        values = dict(base)
        for name in free:
            if name == sure or draw(*key, name, "whether") < changed:
                low, high = bounded(self.sorts[name])
                other = low + int(draw(*key, name, "which") * (high - low))
                values[name] = other + (other >= base[name])
        return values

    def _nearly(self) -> Values:
        if self._best is None:
            found = self.solution()
            if found is None:
                grown = greedy_mss(make_engine(self.problem.variables), self._formulas, _BUDGET)
                lowest = {name: bounded(sort)[0] for name, sort in self.sorts.items()}
                found = grown.witness if isinstance(grown, Mcs) else lowest
            self._best = found
        return self._best


EFFECTS: Mapping[str, str] = MappingProxyType(
    {
        "generic": "the prompt tells that a candidate failed, and no more than how",
        "core": "it also tells constraints that cannot hold with the candidate's values",
        "ranked": "it also tells which variables to revise and which to keep",
        "conflict": "it tells all that the candidate breaks, what was refuted before, or which values are kept for it",
        "witness": "it shows a solution",
    }
)
"""The kinds of feedback in a prompt. Each adds only its own rate to the probability of success."""
FAILURES: Mapping[str, str] = MappingProxyType(
    {
        "claim": "the claim that there is no solution, of a problem that has one",
        "outside": "a near miss with a value outside its bounds",
        "malformed": "a text in which no candidate can be read",
    }
)
"""The kinds of failures, apart from near misses. Their rates are shares of all failures."""

_ROUNDING = 1e-9


@dataclass(frozen=True, slots=True)
class SearchCharacter(RatedCharacter):
    """The rates of a simulated model that searches.

    `p` is the probability of success in one call; the rate of the prompt's kind of feedback is added to it. `claim`,
    `outside` and `malformed` are shares of failures. `changed` is the share of values that a near miss changes. With
    probability `bound`, a schema keeps a failure from being malformed. With probability `greedy`, repeated samples at
    temperature 0 have the same answer. `pace` is the recorded time of a call in seconds for each generated token; the
    model does not wait for it.
    """

    KIND: ClassVar[str] = "sim/search"
    FORMS: ClassVar[str] = (
        "a searcher is sim/search, or has numbers up to 1, such as sim/search:p=0.2,core=0.2,claim=0.1@7"
    )

    p: float = 1.0
    generic: float = 0.0
    core: float = 0.0
    ranked: float = 0.0
    conflict: float = 0.0
    witness: float = 0.0
    claim: float = 0.0
    outside: float = 0.0
    malformed: float = 0.0
    changed: float = 0.3
    bound: float = 0.0
    greedy: float = 0.0
    pace: float = 0.0

    def skill(self, feedback: str) -> float:
        """Return the probability of success after this kind of feedback; '' means no feedback."""
        return self.p + (getattr(self, feedback) if feedback else 0.0)

    def fault(self) -> str:
        if max(map(self.skill, EFFECTS)) > 1 + _ROUNDING:
            return "p and an effect add up to more than 1"
        shares = sum(getattr(self, failure) for failure in FAILURES)
        return "the shares of failures add up to more than 1" if shares > 1 + _ROUNDING else ""


NEAR_MISS = "near_miss"
_KEPT_WORLDS = 512


class SimulatedSearcher(Simulated[SearchCharacter]):
    """A simulated model that knows the given problems, and fails at the rates in its name.

    The annotations of a failing reply name the failure: `near_miss`, `claim`, `outside` or `malformed`. Raises
    `SettingsError` for an unknown name.
    """

    def __init__(self, name: str, problems: Sequence[SearchProblem]) -> None:
        super().__init__(SearchCharacter.read(name))
        self._problems: dict[tuple[str, ...], SearchProblem] = {}
        for problem in problems:
            self._problems.setdefault(_lines_of(problem), problem)
        self._worlds: Latest[SearchWorld] = Latest(_KEPT_WORLDS)

    def reply(self, request: Request) -> Reply:
        task = view_search(request.messages)
        if task is None or task.lines not in self._problems:
            return make_reply(request, LOST)
        # If the prompt, the seed or the sample changes, all random draws change.
        character = self.character
        key = (character.seed, task.text, request.seed, drawn_anew(request, character.greedy, character.seed))
        world = self._worlds.get(task.lines, lambda: SearchWorld(self._problems[task.lines]))
        text, injected = _answer(character, world, task, key, bound=request.schema is not None)
        reply = make_reply(request, text, injected)
        seconds = character.pace * reply.usage.completion_tokens
        return replace(reply, usage=replace(reply.usage, latency_s=seconds)) if seconds else reply


def _lines_of(problem: SearchProblem) -> tuple[str, ...]:
    bounds = [(variable.name, variable.sort.low, variable.sort.high) for variable in problem.variables]
    return problem_lines(problem.setting, bounds, [(each.id, each.text) for each in problem.constraints])


def _answer(
    character: SearchCharacter, world: SearchWorld, task: SearchTask, key: tuple[object, ...], *, bound: bool
) -> tuple[str, list[str]]:
    """Return a reply, and the faults in it."""
    if draw(*key, "success") < character.skill(task.feedback):
        if world.problem.gold == "unsat":
            return CLAIM, []
        found = world.solution(task.kept)
        if found is not None:
            return _assignment(found, task), []
    return _failure(character, world, task, key, bound=bound)


def _failure(
    character: SearchCharacter, world: SearchWorld, task: SearchTask, key: tuple[object, ...], *, bound: bool
) -> tuple[str, list[str]]:
    """Return a reply that certainly fails, and its kind of failure."""
    kind = _draw_kind(character, key)
    if kind == "malformed" and bound and draw(*key, "bound") < character.bound:
        kind = NEAR_MISS
    if kind == "claim" and world.problem.gold == "unsat":
        kind = NEAR_MISS
    values = world.near_miss(task.kept, character.changed, *key)
    if values is None and kind == NEAR_MISS:
        # No change of values breaks a constraint, so a value outside of its bounds must be the failure.
        kind = "outside"
    if kind == "claim":
        return CLAIM, [kind]
    values = dict(values or world.solution(task.kept) or {name: bounded(sort)[0] for name, sort in world.sorts.items()})
    if kind == "outside":
        name = pick(task.asked or tuple(world.sorts), *key, "leaves")
        values[name] = bounded(world.sorts[name])[1] + pick((1, 2, 3), *key, "beyond")
    text = _assignment(values, task)
    # Without its end, the JSON text leaves its brackets open.
    return (text.removesuffix("}}") if kind == "malformed" else text), [kind]


def _draw_kind(character: SearchCharacter, key: tuple[object, ...]) -> str:
    dice = draw(*key, "failure")
    for kind in FAILURES:
        dice -= getattr(character, kind)
        if dice < 0:
            return kind
    return NEAR_MISS


def _assignment(values: Mapping[str, int], task: SearchTask) -> str:
    asked = {name: value for name, value in values.items() if not task.asked or name in task.asked}
    return json.dumps({"status": "sat", "assignment": asked}, ensure_ascii=False)
