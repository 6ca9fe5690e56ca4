"""Policies of Cedar are imported or refused by line, and decide as Cedar's own evaluator does."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from holdtrue.guard.facts import Facts, Seen
from holdtrue.guard.imported.imported_policy import import_policy
from tests.guard.imported.desk import TOOLS, Case, cases, random_call
from tests.guard.imported.random_cedar import random_policies

cedarpy = pytest.importorskip("cedarpy", reason="cedarpy is not installed, which reads Cedar")
CALLS = 150
CASES = cases("cedar")


def random_entities(random: Random) -> tuple[list[dict[str, Any]], Facts, dict[str, str]]:
    """A principal and a resource: as entities of Cedar, and as facts that an app states."""
    who = {"type": random.choice(["User", "User", "Robot"]), "id": random.choice(["ann", "bob"])}
    groups = [{"type": "Group", "id": own} for own in ("staff", "guests", "boss") if random.random() < 0.4]
    role = random.choice([None, "clerk", "guest", "boss"])
    tags = {} if random.random() < 0.5 else {"scope": random.choice(["refund:write", "read"])}
    what = {"type": "Gateway", "id": random.choice(["desk", "other"])}
    owner = {"type": "User", "id": random.choice(["ann", "bob"])}
    entities: list[dict[str, Any]] = [
        {"uid": who, "attrs": {} if role is None else {"role": role}, "tags": tags, "parents": groups},
        {"uid": what, "attrs": {"owner": {"__entity": owner}}, "parents": []},
        *({"uid": own, "attrs": {}, "parents": []} for own in groups),
    ]
    uid = {name: f'{own["type"]}::"{own["id"]}"' for name, own in {"who": who, "what": what, "owner": owner}.items()}
    within = (uid["who"], *(f'Group::"{own["id"]}"' for own in groups))
    principal = {"uid": uid["who"], "type": who["type"], "within": within, "tags": tags}
    principal |= {} if role is None else {"role": role}
    resource = {"uid": uid["what"], "type": "Gateway", "within": (uid["what"],), "owner": uid["owner"]}
    facts = Facts.none()
    for kind, record in (("principal", principal), ("resource", resource)):
        facts = facts.with_record(kind, (), Seen(record, "the app"))
    return entities, facts, uid


def by_cedar(text: str, tool: str, arguments: Any, entities: Any, uid: dict[str, str]) -> tuple[str, bool]:
    """Cedar's decision, and whether the condition of a policy was an error."""
    request = {
        "principal": uid["who"],
        "action": f'Action::"{tool}"',
        "resource": uid["what"],
        "context": {"input": arguments},
    }
    found = cedarpy.is_authorized(request, text.replace('AgentCore::Action::"Desk___', 'Action::"'), entities)
    return ("allow" if found.allowed else "block"), bool(found.diagnostics.errors)


def trial(text: str, random: Random, calls: int, only: tuple[str, ...] = ()) -> set[str]:
    """The decisions on random calls: equal ones by their name, and pairs of others."""
    policy, found = import_policy(text, TOOLS).policy, set[str]()
    for _ in range(calls):
        (tool, arguments), (entities, facts, uid) = random_call(random, only), random_entities(random)
        theirs, error = by_cedar(text, tool, arguments, entities, uid)
        ours = policy.check(tool, arguments, facts, now="2026-03-20T10:00:00", mend=False).kind
        found.add(ours if ours == theirs else f"{ours} for {theirs}{' after an error' if error else ''}")
    return found


AFTER_ERRORS = {"ask for allow after an error", "ask for block after an error"}
"""The documented difference: Cedar skips a policy whose condition is an error, and holdtrue asks."""


@pytest.mark.parametrize("case", CASES, ids=lambda case: case.name)
def test_policies_are_imported_or_refused_by_line(case: Case) -> None:
    found = import_policy(case.text, TOOLS)
    assert tuple(sorted({own.line for own in found.omissions})) == case.refused
    forbids = [own.forbids for own in found.omissions]
    assert forbids == sorted(forbids, reverse=True), "forbids are told first"
    assert len(found.policy.not_checked) == len(found.omissions)


@pytest.mark.parametrize("case", [own for own in CASES if not own.refused], ids=lambda case: case.name)
def test_decisions_are_those_of_cedar_except_after_errors(case: Case) -> None:
    assert trial(case.text, Random(7), CALLS) <= {"allow", "block"} | AFTER_ERRORS


@pytest.mark.parametrize("case", [own for own in CASES if own.refused], ids=lambda case: case.name)
def test_what_is_refused_never_allows_more(case: Case) -> None:
    found = trial(case.text, Random(8), CALLS)
    assert not {"allow for block", "allow for block after an error"} & found


def test_random_policies_decide_as_cedar_does() -> None:
    _random_policies(range(25), 20)


@pytest.mark.slow
def test_many_random_policies_decide_as_cedar_does() -> None:
    _random_policies(range(25, 425), 40)


def _random_policies(seeds: range, calls: int) -> None:
    for seed in seeds:
        random = Random(seed)
        text = random_policies(random)
        assert not import_policy(text, TOOLS).omissions, text
        assert trial(text, random, calls, ("refund",)) <= {"allow", "block"} | AFTER_ERRORS, (seed, text)
