"""Check laws of all decisions under any policy. Each function checks one law on one case."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping
from dataclasses import fields, replace
from fractions import Fraction
from itertools import combinations, islice, product
from typing import Any

from holdtrue.budget import Budget
from holdtrue.guard.decision import CONSENT, Decision, Finding
from holdtrue.guard.json_values import arguments_of, recorded
from holdtrue.guard.policy_parts import CALL, WRITTEN, RuleOnTool
from holdtrue.guard.rule_context import RuleContext, make_context
from holdtrue.logic.value_sorts import Calendar
from holdtrue.rules import types as ty
from holdtrue.rules.compilation import Env, compile_rule
from holdtrue.rules.typed_expressions import Fact, Get, Node, Root
from holdtrue.rules.types import Type, without_null
from holdtrue.rules.values import NotSeen, Undecided, field_path
from tests.guard import generated as g

AMPLE = Budget(timeout_s=60)
_UNHEARD = re.compile(r"nobody was heard to say (.+), so it counts as not said")
_INTERNALS = re.compile(r"NotSeen|Fraction\(|Decimal\(|Record\(|Field\(|FactKey|object at 0x|<class|Traceback")
STRICTEST = ("block", "ask", "confirm", "allow")
MOST_TRIED = 3_000
"""So many other calls are looked at for a nearer one than a mended call."""


def decide(case: g.Case, **settings: Any) -> Decision:
    """Return the decision on a case."""
    return case.policy.check(case.tool, case.arguments, case.facts, budget=AMPLE, **{**case.settings, **settings})


def check_all(case: g.Case) -> None:
    """Check all properties of one case."""
    decision = decide(case)
    check_strictest(decision)
    check_words(decision)
    check_replay(case, decision)
    check_observing(case, decision)
    around = _rule_context(case)
    if around is not None:
        check_needed(case, decision, around)
        check_mend(case, decision, around)


# The strictest wins, and observing changes nothing


def check_strictest(decision: Decision) -> None:
    """Check that the kind is the strictest that the findings demand."""
    demanded = {"allow"}
    for own in decision.findings:
        if own.rule == CONSENT:
            demanded.add("confirm")
        elif own.severity != "warn" and own.status in ("broken", "undecided"):
            demanded.add("block" if own.status == "broken" and own.severity == "block" else "ask")
    assert decision.kind == min(demanded, key=STRICTEST.index), decision.for_log
    assert decision.stops is (decision.kind != "allow")
    assert bool(decision.mend) <= (decision.kind == "block")
    assert (decision.kind == "confirm") >= bool(decision.listing)
    assert (decision.kind == "ask") >= bool(decision.fetch or decision.questions)


def check_observing(case: g.Case, decision: Decision) -> None:
    """Check that observing gives the same, and stops nothing."""
    observed = decide(case, mode="observe", mend=False)
    assert not observed.stops
    assert (observed.kind, observed.findings) == (decision.kind, decision.findings)
    assert (observed.fetch, observed.questions) == (decision.fetch, decision.questions)


# Words


def check_words(decision: Decision) -> None:
    """Check that the reasons of a stopped call are in words, without Python objects."""
    told = [decision.for_log, *(own.why for own in decision.findings), *decision.assumptions]
    if decision.kind != "allow":
        assert decision.for_model.strip() and decision.for_user.strip()
        assert decision.rules
        told += [decision.for_model, decision.for_user]
    for own in decision.findings:
        if own.status in ("broken", "undecided"):
            assert own.say, own
        if own.status == "undecided":
            assert own.why, own
    if decision.kind == "block":
        assert (decision.mend is None) is bool(decision.no_mend)
    for text in told:
        assert not _INTERNALS.search(text), text


# Replaying


def check_replay(case: g.Case, decision: Decision) -> None:
    """Check that a decision is made again from its record alone, after that was a text."""
    text = json.dumps(decision.to_json(), allow_nan=False)
    assert case.policy.replay(json.loads(text)) == decision, text


# Findings


def value_of(node: Node, env: Env) -> bool | None:
    """Return the value of a condition, None where it is an error."""
    try:
        found: bool = compile_rule(node)(dict(env))
    except Undecided:
        return None
    return found


def check_needed(case: g.Case, decision: Decision, around: RuleContext) -> None:
    """Check that each assumption about unmade statements is needed for its finding."""
    for finding in decision.findings:
        rule, needed = _rule(case, finding), _assumed(finding)
        if rule is None:
            continue
        for own in needed:
            env = around.assuming([each for each in needed if each != own])
            assert value_of(rule.whole, env) is None, (finding, own)


def _assumed(finding: Finding) -> list[str]:
    found = [match[1] for own in finding.assumptions if (match := _UNHEARD.fullmatch(own))]
    return found + [WRITTEN for own in finding.assumptions if "to write" in own]


def _rule(case: g.Case, finding: Finding) -> RuleOnTool | None:
    for rule in case.policy.rules_on[case.tool]:
        if rule.id == finding.rule:
            return rule.tools[case.tool]
    return None


def _rule_context(case: g.Case) -> RuleContext | None:
    """Return the context of a case, or None for a call that cannot be read."""
    from holdtrue.errors import InputError
    from holdtrue.guard.call_reading import read_call

    tool = case.policy.tools[case.tool]
    try:
        call, _ = read_call(tool, recorded(case.arguments), partial=case.settings.get("partial", False))
    except InputError:
        return None
    said = arguments_of(recorded(case.settings.get("said")))
    return make_context(case.policy, tool, call, case.facts, case.settings.get("now"), said)


# Mended calls


def check_mend(case: g.Case, decision: Decision, around: RuleContext) -> None:
    """Check that a mended call keeps all rules, changes only allowed arguments, and that no nearer call does."""
    if decision.kind != "block":
        return
    tool = case.policy.tools[case.tool]
    call = around.known[CALL]
    rules = [
        rule.tools[case.tool].whole
        for rule in case.policy.rules_on[case.tool]
        if rule.severity != "warn" and (rule.needs != "words" or case.settings["listen"])
    ]
    unsaid = case.settings.get("unsaid") or case.policy.unsaid
    env = around.assumed if unsaid == "false" else around.known
    best = None
    ids = {path for node in rules for path in _keys(node)}
    for changes in islice(_neighbours(call, tool.arguments, ids), MOST_TRIED):
        other = _with(call, changes, CALL)
        if all(value_of(node, {**env, CALL: other}) for node in rules):
            cost = _cost(changes)
            best = cost if best is None else min(best, cost)
    if decision.mend is None:
        allowed = ("not proved", "was not seen", "time budget")
        assert best is None or any(own in decision.no_mend for own in allowed), (decision.no_mend, best)
        return
    mend = decision.mend
    again = decide(replace(case, arguments=mend.arguments), consent=True)
    assert again.kind == "allow", (mend, again.for_log)
    after = _rule_context(replace(case, arguments=mend.arguments))
    assert after is not None
    changed = {path: own for path, own in _leaves(call, tool.arguments, CALL)}
    new = {path: own for path, own in _leaves(after.known[CALL], tool.arguments, CALL)}
    assert changed.keys() == new.keys()
    differing = {path for path, (value, _) in changed.items() if new[path][0] != value}
    assert {own.removeprefix(CALL).removeprefix(".") for own in differing} == {own.path for own in mend.changes}
    assert all(_may_change(changed[path][1]) for path in differing), mend
    cost = _cost({path: (changed[path][0], new[path][0], changed[path][1]) for path in differing})
    assert best is None or not mend.optimal or cost <= best, (mend, cost, best)


Changes = dict[str, tuple[Any, Any, Type]]


def _may_change(type: Type) -> bool:
    return isinstance(type, ty.Flag | ty.Number | Calendar) or (isinstance(type, ty.Name) and type.values is not None)


def _leaves(value: Any, type: Type, path: str) -> Iterator[tuple[str, tuple[Any, Type]]]:
    own = without_null(type)
    match own:
        case ty.Record(fields) if isinstance(value, Mapping):
            for name, each in value.items():
                yield from _leaves(each, fields[name].type, field_path(path, name))
        case ty.ListOf(item) if isinstance(value, tuple):
            for place, each in enumerate(value):
                yield from _leaves(each, item, f"{path}[{place}]")
        case _:
            yield path, (value, own)


def _keys(node: Any, *, within: bool = False) -> Iterator[str]:
    """Yield the paths of the arguments by which an expression finds records."""
    if within and isinstance(node, Get) and isinstance(node.of, Root):
        yield f"{node.of.name}.{node.name}"
    inner = [getattr(node, own.name) for own in fields(node)] if isinstance(node, Node) else node
    for own in inner if isinstance(inner, list | tuple) else ():
        yield from _keys(own, within=within or isinstance(node, Fact))


def _neighbours(call: Any, record: ty.Record, ids: set[str]) -> Iterator[Changes]:
    """Return changes of one argument, then of two, each to all values of a small type or to those around it.

    A number that finds a record is an id, and stays.
    """
    options = {
        path: [(value, other, type) for other in _others(value, type)]
        for path, (value, type) in _leaves(call, record, CALL)
        if value is not None and not isinstance(value, NotSeen) and not (path in ids and isinstance(type, ty.Number))
    }
    for size in (1, 2):
        for paths in combinations(options, size):
            for chosen in product(*(options[path] for path in paths)):
                yield dict(zip(paths, chosen, strict=True))


def _others(value: Any, type: Type) -> list[Any]:
    match type:
        case ty.Flag():
            return [not value]
        case ty.Name(_, values) if values is not None:
            return [own for own in values if own != value]
        case ty.Number(sort, low, high):
            step = sort.step or Fraction(1, 4)
            near = [value + step * own for own in (-3, -2, -1, 1, 2, 3)]
            return [own for own in near if (low is None or own >= low) and (high is None or own <= high)]
        case Calendar("date"):
            return [value - 1, value + 1, value + 2]
    return []


def _cost(changes: Changes) -> tuple[int, int, Fraction]:
    """Return how far a call is from another: arguments that change, those chosen by name, and amounts by how much."""
    chosen = sum(isinstance(type, ty.Flag | ty.Name) for _, _, type in changes.values())
    return len(changes), chosen, sum((_distance(*own) for own in changes.values()), Fraction(0))


def _distance(old: Any, new: Any, type: Type) -> Fraction:
    if isinstance(type, ty.Flag | ty.Name):
        return Fraction(0)
    step = (type.sort.step or Fraction(1, 10**6)) if isinstance(type, ty.Number) else Fraction(1)
    return abs(Fraction(old) - Fraction(new)) / step


def _with(value: Any, changes: Changes, path: str) -> Any:
    if path in changes:
        return changes[path][1]
    match value:
        case Mapping():
            return {name: _with(own, changes, field_path(path, name)) for name, own in value.items()}
        case tuple():
            return tuple(_with(own, changes, f"{path}[{place}]") for place, own in enumerate(value))
    return value
