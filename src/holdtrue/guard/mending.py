"""Find the nearest call that keeps every rule: only arguments change that may, and never a fact or a word of a user.

The fewest arguments change first; of these, amounts and dates by as little as can be.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from fractions import Fraction
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.guard.checking import Listening, judge
from holdtrue.guard.decision import Change, Mend
from holdtrue.guard.policy import Tool
from holdtrue.guard.surroundings import ANSWER, CALL, Surroundings
from holdtrue.logic.formula import Compare, Constant, Formula
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules.completion import Completion
from holdtrue.rules.symbolic import Question, translate
from holdtrue.rules.types import Flag, ListOf, Name, Number, Record, Type, without_null
from holdtrue.rules.unknowns import FINEST
from holdtrue.rules.values import NotSeen, to_json
from holdtrue.solving.explain.closest import closest
from holdtrue.solving.explain.nearest import nearest
from holdtrue.solving.result import BackgroundConflict, Core, Nearest, Unknown
from holdtrue.solving.route import make_engine


@dataclass(frozen=True, slots=True)
class Trial:
    """A call that breaks a rule: as it was read, and as JSON."""

    surroundings: Surroundings
    heard: Listening
    tool: Tool
    call: Mapping[str, Any]
    arguments: Any


def mended(trial: Trial, budget: Budget) -> Mend | str:
    """Return the nearest call that is proved to keep every rule, or the reason why none is proposed."""
    tool = trial.tool
    root = ANSWER if tool.is_answer else CALL
    targets: dict[str, tuple[Any, Type]] = {}
    loose = _loosened(tool, trial.call, tool.arguments, root, targets)
    if not targets:
        return "no argument may be changed"
    rules = [rule for rule in trial.surroundings.policy.rules_on[tool.name] if rule.severity != "warn"]
    env = {**_env(trial), root: loose}
    try:
        question = translate([rule.tools[tool.name].whole for rule in rules], [dict(env) for _ in rules])
    except FormulaError as error:
        return f"no formula says what may change: {error}"
    found = _nearest(question, [rule.id for rule in rules], targets, budget)
    if isinstance(found, str):
        return found
    call = Completion(question.unknowns, found.witness).value(_with_targets(loose, targets, found.witness))
    return _proved(trial, call, targets, found.optimal, budget)


def _env(trial: Trial) -> dict[str, Any]:
    own = trial.surroundings
    return own.assumed if trial.heard.unsaid == "false" else own.known


def _loosened(tool: Tool, value: Any, type: Type, path: str, targets: dict[str, tuple[Any, Type]]) -> Any:
    """Return a value with markers in place of all that may change; `targets` gets what stands there."""
    own = without_null(type)
    match own:
        case Record(fields) if isinstance(value, Mapping):
            return {
                name: _loosened(tool, each, fields[name].type, f"{path}.{name}", targets)
                for name, each in value.items()
            }
        case ListOf(item) if isinstance(value, tuple):
            return tuple(_loosened(tool, each, item, f"{path}[{place}]", targets) for place, each in enumerate(value))
    if value is None or isinstance(value, NotSeen) or not _may_change(tool, own, path):
        return value
    targets[path] = (value, own)
    return NotSeen(path, own)


def _may_change(tool: Tool, type: Type, path: str) -> bool:
    if tool.change is not None:
        return re.sub(r"\[\d+\]", "[]", path.partition(".")[2]) in tool.change
    return isinstance(type, Flag | Number | Calendar) or (isinstance(type, Name) and type.values is not None)


def _nearest(
    question: Question, ids: list[str], targets: Mapping[str, tuple[Any, Type]], budget: Budget
) -> Nearest | str:
    unknowns = question.unknowns
    wanted = {name: _as_int(value, type, unknowns.codes) for name, (value, type) in targets.items()}
    own = {variable.name for variable in question.variables}
    target = {name: value for name, value in wanted.items() if name in own and value is not None}
    if not target:
        return "nothing that may change would make a difference"
    soft: dict[str, Formula] = {id: each.yes for id, each in zip(ids, question.conditions, strict=True)}
    named = [
        Compare("<", unknowns.variables[name], Constant(len(unknowns.codes)))
        for name in target
        if isinstance(targets[name][1], Name)
    ]
    engine = make_engine(question.variables, (*question.background, *named))
    found = nearest(engine, soft, target, budget)
    if isinstance(found, Nearest) and found.optimal:
        # As few changes as there can be; now each by as little as can be.
        amounts = {name for name in found.changed if not isinstance(targets[name][1], Name | Flag)}
        frozen = {name: found.witness[name] for name in target if name not in amounts}
        if amounts:
            closer = closest(
                engine, soft, {**frozen, **{name: target[name] for name in amounts}}, budget, frozen=tuple(frozen)
            )
            found = closer if isinstance(closer, Nearest) else replace(found, optimal=False)
    match found:
        case Nearest():
            return found
        case Core(core):
            return f"no change of what may change keeps all of {', '.join(own for own in core if own[:1] != '=')}"
        case BackgroundConflict():
            return "what is known cannot all be true"
        case Unknown(reason):
            return reason
    raise TypeError(f"no answer: {found!r}")


def _as_int(value: Any, type: Type, codes: Mapping[str, int]) -> int | None:
    """Return a value as its variable counts it, or None where the variable cannot have it."""
    match type:
        case Flag():
            return int(value)
        case Name():
            return codes.get(value, -1)
        case Number(sort):
            steps = Fraction(value) / (sort.step or FINEST)
            return int(steps) if steps.denominator == 1 else None
    return int(value)


def _with_targets(value: Any, targets: Mapping[str, tuple[Any, Type]], witness: Mapping[str, int]) -> Any:
    """Return a value with what stood there before, where no formula speaks of it."""
    match value:
        case NotSeen(path):
            return targets[path][0] if path in targets and path not in witness else value
        case tuple():
            return tuple(_with_targets(own, targets, witness) for own in value)
        case Mapping():
            return {name: _with_targets(own, targets, witness) for name, own in value.items()}
    return value


def _proved(
    trial: Trial, call: dict[str, Any], targets: Mapping[str, tuple[Any, Type]], optimal: bool, budget: Budget
) -> Mend | str:
    """Return the mended call, once it was judged like any other and every rule is proved to hold."""
    own, tool = trial.surroundings, trial.tool
    root = ANSWER if tool.is_answer else CALL
    around = replace(own, known={**own.known, root: call}, assumed={**own.assumed, root: call}, used=dict(own.used))
    judged = judge(around, replace(trial.heard, consent=True), tool, own.policy.rules_on[tool.name], budget)
    own.used.update(around.used)
    if judged.kind != "allow":
        open_ones = ", ".join(each.rule for each in judged.findings if each.status in ("undecided", "broken"))
        return f"the nearest call is not proved to keep {open_ones}"
    before = dict(_leaves(trial.call, tool.arguments, root))
    changes = tuple(
        Change(path.partition(".")[2], before[path], after)
        for path, after in _leaves(call, tool.arguments, root)
        if path in targets and before[path] != after
    )
    return Mend(to_json(call, tool.arguments), changes, optimal)


def _leaves(value: Any, type: Type, path: str) -> Iterator[tuple[str, Any]]:
    """Return all values in a call by their paths, as JSON."""
    own = without_null(type)
    match own:
        case Record(fields) if isinstance(value, Mapping):
            for name, each in value.items():
                yield from _leaves(each, fields[name].type, f"{path}.{name}")
        case ListOf(item) if isinstance(value, tuple):
            for place, each in enumerate(value):
                yield from _leaves(each, item, f"{path}[{place}]")
        case _:
            yield path, to_json(value, type)
