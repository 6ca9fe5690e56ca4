"""Write a call that an inquiry has shown as a `Situation`, which a policy decides on like any other."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from holdtrue.guard.analysis.level import Demand, Shown, does
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.unseen import Shapes
from holdtrue.guard.policy_parts import DONE, NOW, SAID, WRITTEN, FactKind, RuleOnTool
from holdtrue.rules.typed import Get, Root, walk
from holdtrue.rules.values import to_json


def written_out(
    shown: Shown, tool: str, shapes: Shapes, kinds: Mapping[str, FactKind], rules: Mapping[str, RuleOnTool]
) -> Situation:
    """Return a call with the records that any of the rules asks for, as JSON."""
    for id in rules:
        does(Demand("kept", (id,)), rules, shown.env)  # every rule asks for its records
    facts: dict[str, list[Any]] = {}
    for (kind, keys), record in shown.records.items():
        facts.setdefault(kind, []).append(_record(kinds[kind], shapes, keys, record))
    env, roots = shown.env, shapes.roots
    used = set(_used(rules))
    done = to_json(env[DONE], roots[DONE])
    said = to_json(env[SAID], roots[SAID])
    return Situation(
        tool,
        {} if shapes.call is None else to_json(env[shapes.root], shapes.call),
        facts,
        done={name: calls for name, calls in done.items() if calls and f"{DONE}.{name}" in used},
        said={name: own for name, own in said.items() if f"{SAID}.{name}" in used} or None,
        written=list(env[WRITTEN]) if WRITTEN in used else None,
        now=to_json(env[NOW], roots[NOW]) if NOW in used or any(own.fresh_s for own in kinds.values()) else None,
        consent=True,
    )


def _used(rules: Mapping[str, RuleOnTool]) -> Iterator[str]:
    """Return what rules ask for beside the call and facts: `now`, `written`, and parts of `said` and `done`."""
    for rule in rules.values():
        for node in (*walk(rule.hold), *(() if rule.when is None else walk(rule.when))):
            match node:
                case Root(name):
                    yield name
                case Get(Root(root), name):
                    yield f"{root}.{name}"


def _record(kind: FactKind, shapes: Shapes, keys: Iterable[Any], record: Any) -> dict[str, Any]:
    key = {name: to_json(own, type) for own, (name, type) in zip(keys, kind.keys.items(), strict=True)}
    type = shapes.facts[kind.name]
    if not record and type.may_be_absent:
        return {"key": key, "record": None}
    found: dict[str, Any] = to_json(record, type)
    if all(found.get(name, own) == own for name, own in key.items()):
        return {**key, **found}
    return {"key": key, "record": found}
