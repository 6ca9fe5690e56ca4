"""Simulated models that search: they know problems by heart, and find solutions at the rates that their names set.

They find the problem by the lines of the prompt.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import replace

from holdtrue.kinds.search.problem import SearchProblem
from holdtrue.kinds.search.prompts import CLAIM, problem_lines
from holdtrue.lab.kinds.search.simulation.names import FAILURES, SearchCharacter
from holdtrue.lab.kinds.search.simulation.view import SearchTask, view_search
from holdtrue.lab.kinds.search.simulation.world import SearchWorld
from holdtrue.lab.kit.simulation.chance import draw, pick
from holdtrue.lab.kit.simulation.model import LOST, Latest, Simulated, make_reply
from holdtrue.lab.kit.simulation.reply_faults import drawn_anew
from holdtrue.logic.sorts import bounded
from holdtrue.models.chat import Reply, Request

NEAR_MISS = "near_miss"
_KEPT_WORLDS = 512


class SimulatedSearcher(Simulated[SearchCharacter]):
    """A simulated model that knows the problems that it is given, and fails at the rates that its name sets.

    The annotations of a reply that fails say how: `near_miss`, `claim`, `outside` or `malformed`. Raises
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
        # Another prompt, another seed, or another sample is another throw of the dice.
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
    """Return a reply that fails for certain, and how it fails."""
    kind = _draw_kind(character, key)
    if kind == "malformed" and bound and draw(*key, "bound") < character.bound:
        kind = NEAR_MISS
    if kind == "claim" and world.problem.gold == "unsat":
        kind = NEAR_MISS
    values = world.near_miss(task.kept, character.changed, *key)
    if values is None and kind == NEAR_MISS:
        # Whatever is changed, all constraints hold: only bounds are left to break.
        kind = "outside"
    if kind == "claim":
        return CLAIM, [kind]
    values = dict(values or world.solution(task.kept) or {name: bounded(sort)[0] for name, sort in world.sorts.items()})
    if kind == "outside":
        name = pick(task.asked or tuple(world.sorts), *key, "leaves")
        values[name] = bounded(world.sorts[name])[1] + pick((1, 2, 3), *key, "beyond")
    text = _assignment(values, task)
    # Without its end, no bracket of it is closed.
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
