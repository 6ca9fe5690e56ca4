"""Decide a call of the airline by Cedar, by CEL and by holdtrue, from the same facts."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from functools import cache
from typing import Any, cast

from celpy import Environment
from celpy.adapter import json_to_cel
from celpy.celparser import CELParseError
from celpy.evaluation import CELEvalError, Context

from bench.policies.airline_calls import CALLS, NOW, RESULTS, SAID, Case
from bench.policies.airline_cedar import policy
from bench.policies.airline_rules import airline
from bench.policies.handed_in import cedar_input, cel_input
from holdtrue.guard import Decision, Facts
from holdtrue.guard.policy import Policy

REQUEST = {"principal": 'User::"u"', "action": 'Action::"a"', "resource": 'Tool::"t"'}
SHOWING = frozenset(tool for tool, _, _ in RESULTS)
"""The tools that show facts."""


@dataclass(frozen=True)
class Verdict:
    """What a language makes of a call: `allow`, `deny`, `no decision` or `error`, and the error if there was one."""

    kind: str
    error: str = ""


@cache
def shown(fetched: frozenset[str]) -> Facts:
    """Return what the tools in `fetched` showed."""
    facts = Facts.none()
    for tool, arguments, result in RESULTS:
        if tool in fetched:
            facts = airline().saw(facts, tool, arguments, result)
    if facts.notes:
        raise ValueError(facts.notes)
    return facts


def by_cedar(
    condition: str, case: Case, fetched: Collection[str] = SHOWING, *, partial: bool = False, permit: bool = False
) -> Verdict:
    """Return what Cedar decides where a condition has to hold; `partial` by its partial evaluation.

    With `permit` the condition is that of a `permit`, so that it cannot stand together with other rules.

    Kinds of facts of which nothing was shown are not handed in at all.
    """
    import cedarpy

    facts = shown(frozenset(fetched)).with_words(case.written)
    given = cedar_input(airline(), case.tool, case.arguments, facts, NOW, {**SAID, **case.said})
    if case.agreed is not None:
        agreed = {**CALLS[case.tool], **case.agreed}
        given.context["agreed"] = cedar_input(airline(), case.tool, agreed, facts, NOW).context["call"]
    entities = [own for own in given.entities if own["uid"]["type"] != "Fact" or own["tags"]]
    decide = cedarpy.is_authorized_partial if partial else cedarpy.is_authorized
    policies = f"permit(principal, action, resource) when {{ {condition} }};" if permit else policy(condition)
    found = decide({**REQUEST, "context": given.context}, policies, entities)
    error = found.diagnostics.errors[0] if found.diagnostics.errors else ""
    if error.startswith("policy parse errors"):
        return Verdict("error", error.split("\n")[1])
    kind = {"Allow": "allow", "Deny": "deny"}.get(found.decision.name, "no decision")
    return Verdict(kind, re.sub(r"^error while evaluating policy `\w+`: ", "", error))


def by_cel(text: str, case: Case, fetched: Collection[str] = SHOWING) -> Verdict:
    """Return what cel-python's interpreter makes of an expression."""
    facts = shown(frozenset(fetched)).with_words(case.written)
    given = cel_input(airline(), case.tool, case.arguments, facts, NOW, {**SAID, **case.said})
    if case.agreed is not None:
        given["agreed"] = cel_input(airline(), case.tool, {**CALLS[case.tool], **case.agreed}, facts, NOW)["call"]
    environment, values = Environment(), cast(Context, json_to_cel(given))
    try:
        value = environment.program(environment.compile(text)).evaluate(values)
    except (CELParseError, CELEvalError) as error:
        return Verdict("error", str(error.args[0]).split("\n")[0])
    return Verdict("allow" if value else "deny")


def by_holdtrue(policy: Policy, case: Case, fetched: Collection[str] = SHOWING) -> Decision:
    """Return the decision of a policy of holdtrue."""
    said: Mapping[str, Any] = {name: own for name, own in {**SAID, **case.said}.items() if name in policy.said}
    facts = shown(frozenset(fetched)).with_words(case.written)
    return policy.check(case.tool, case.arguments, facts, now=NOW, said=said, consent=case.agreed == {})
