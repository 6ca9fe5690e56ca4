"""Policies of Dogwood are imported or refused by line, and decide on histories as its reference interpreter does."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from random import Random
from typing import Any

import pytest

from holdtrue.guard.facts import Facts
from holdtrue.guard.imported.imported_policy import import_policy
from tests.guard.imported.desk import TOOLS, Case, cases, random_call

pytest.importorskip("cedarpy", reason="cedarpy is not installed, which reads Cedar")
START = datetime(2026, 3, 20, 10, tzinfo=UTC)
CASES = cases("dogwood")
KINDS = {"string": "String", "integer": "Long", "boolean": "Bool", "array": "Set<String>"}
IN_ORDER = ("refund", "get_order", "approve", "delete_user")


def schema() -> str:
    """The schema of the desk's tools in Cedar."""
    actions = []
    for own in TOOLS:
        inner = own["parameters"]
        fields = (
            f"{name}{'' if name in inner['required'] else '?'}: {KINDS[own['type']]}"
            for name, own in inner["properties"].items()
        )
        context = f"{{ input: {{ {', '.join(fields)} }}, output?: {{ ok: Bool }} }}"
        actions.append(
            f'action "{own["name"]}" appliesTo {{ principal: [User], resource: [Gateway], context: {context} }};'
        )
    return "namespace Agent { entity User; entity Gateway; " + " ".join(actions) + " }"


def written(value: Any) -> str:
    match value:
        case bool():
            return str(value).lower()
        case dict():
            return "{ " + ", ".join(f"{name}: {written(own)}" for name, own in value.items()) + " }"
        case list():
            return "[" + ", ".join(map(written, value)) + "]"
    return f'"{value}"' if isinstance(value, str) else str(value)


def event(second: int, tool: str, kind: str, arguments: Any) -> str:
    """An event of a log, as Dogwood writes it."""
    who, what = 'Agent::User::"ann"', 'Agent::Gateway::"desk"'
    context = f"request_context(input: {written(arguments)}) " if kind == "request" else ""
    output = ", output: { ok: true }" if kind == "response" else ""
    return (
        f"@{second} scope(principal: {who}, resource: {what}) {context}"
        f'Agent::Action::"{tool}"::{kind}(input: {written(arguments)}{output}, callerPrincipal: {who},'
        f' callerResource: {what}, requestId: "r", sessionId: "s")'
    )


def trial(case: Case, seed: int) -> set[str]:
    """The decisions on the calls of a random history: equal ones by their name, and pairs of others.

    A request counts as lost if it was stopped or failed: from then on Dogwood counts more than holdtrue sees.
    """
    native = pytest.importorskip("dogwood.native", reason="dogwood-py is not installed, which evaluates Dogwood")
    random, policy = Random(seed), import_policy(case.text, TOOLS).policy
    facts, log, second, lost, found = Facts.none(), list[str](), 0, "", set[str]()
    for _ in range(14):
        second += random.choice([1, 60, 89, 90, 91, 600, 1800, 3600, 7000])
        tool, arguments = random_call(random, IN_ORDER)
        log.append(event(second, tool, "request", arguments))
        verdict = native.replay(case.text, schema(), "\n".join(log)).splitlines()[-1]
        theirs = "allow" if verdict.endswith("true") else "block"
        moment = (START + timedelta(seconds=second)).isoformat()
        now = moment if policy.moment.zone else moment[:19]
        ours = policy.check(tool, arguments, facts, now=now, mend=False).kind
        found.add(ours if ours == theirs else f"{ours} for {theirs}{lost}")
        if ours == theirs == "allow" and random.random() < 0.8:
            log.append(event(second, tool, "response", arguments))
            facts = policy.saw(facts, tool, arguments, {"ok": True}, at=now)
        else:
            lost = " after a lost request"
            log += [event(second, tool, "error", arguments)] if theirs == "allow" else []
    return found


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_policies_are_imported_or_refused_by_line(case: Case) -> None:
    found = import_policy(case.text, TOOLS)
    assert tuple(sorted({own.line for own in found.omissions})) == case.refused


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_the_policies_are_valid_dogwood(case: Case) -> None:
    native = pytest.importorskip("dogwood.native", reason="dogwood-py is not installed, which validates Dogwood")
    assert native.validate_policy(case.text, schema())["errors"] == []


@pytest.mark.parametrize("case", [own for own in CASES if not own.refused], ids=lambda case: case.name)
def test_decisions_are_those_of_dogwood(case: Case) -> None:
    for seed in range(4):
        assert trial(case, seed) <= {"allow", "block"}, seed


@pytest.mark.slow
@pytest.mark.parametrize("case", [own for own in CASES if not own.refused], ids=lambda case: case.name)
def test_decisions_on_many_histories_are_those_of_dogwood(case: Case) -> None:
    for seed in range(4, 40):
        assert trial(case, seed) <= {"allow", "block"}, seed


REQUESTS = [own for own in CASES if own.refused and "request" in own.name]
"""Policies over earlier requests. They are carried, and the difference is told."""


@pytest.mark.parametrize("case", REQUESTS, ids=lambda case: case.name)
def test_only_requests_that_were_lost_are_counted_differently(case: Case) -> None:
    for seed in range(6):
        differs = trial(case, seed) - {"allow", "block"}
        assert differs <= {"allow for block after a lost request", "block for allow after a lost request"}, seed


REFUSED = [own for own in CASES if own.refused and own not in REQUESTS]


@pytest.mark.parametrize("case", REFUSED, ids=lambda case: case.name)
def test_what_is_refused_never_allows_more(case: Case) -> None:
    for seed in range(3):
        assert not {"allow for block", "allow for block after a lost request"} & trial(case, seed), seed
