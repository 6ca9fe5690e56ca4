"""The rental policy in four ways: as a policy, as plain Python, in Cedar and in CEL, with what each decides from."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from functools import cache
from pathlib import Path
from typing import Any

import yaml
from celpy import Environment, Runner
from celpy.adapter import json_to_cel

from bench.policies import rental_twin
from bench.policies.handed_in import CedarInput, cedar_input, cel_input
from bench.policies.rental_calls import NOW, TOOL, Changes, arguments, results, shown
from holdtrue.guard import Facts, make_policy
from holdtrue.guard.policy import Policy
from holdtrue.guard.yaml_text import read_yaml

FOLDER = Path(__file__).parent
PATH = FOLDER / "rental.yaml"
REQUEST = {"principal": 'User::"agent"', "action": 'Action::"book_rental"', "resource": 'Tool::"book_rental"'}


def rental(only: Collection[str] | None = None) -> Policy:
    """Return the policy, with the rules in `only`, or all."""
    parts: Any = read_yaml(PATH.read_text(encoding="utf-8")).value
    rules = [rule for rule in parts["rules"] if only is None or rule["id"] in only]
    return make_policy(
        parts["policy"], **{key: own for key, own in parts.items() if key not in ("policy", "rules")}, rules=rules
    )


def known(policy: Policy, changes: Changes) -> Facts:
    """Return the facts after all that tools showed. Raises `ValueError` where something could not be read."""
    facts = Facts.none()
    for own in results(changes):
        facts = policy.saw(facts, *own)
    if facts.notes:
        raise ValueError(facts.notes)
    return facts


def cedar_text() -> str:
    """Return the rules that Cedar says."""
    return (FOLDER / "rental.cedar").read_text(encoding="utf-8")


def cedar_ids() -> tuple[str, ...]:
    """Return the ids of the rules that Cedar says."""
    return tuple(re.findall(r'^@id\("([\w-]+)"\)', cedar_text(), re.MULTILINE))


@cache
def cel_programs() -> Mapping[str, Runner]:
    """Return the rules that CEL says, ready to be evaluated by cel-python's interpreter."""
    texts = yaml.safe_load((FOLDER / "rental_cel.yaml").read_text(encoding="utf-8"))
    environment = Environment()
    return {id: environment.program(environment.compile(text)) for id, text in texts.items()}


def cedar_given(policy: Policy, changes: Changes) -> CedarInput:
    """Return what Cedar decides a call from."""
    return cedar_input(policy, TOOL, arguments(changes), known(policy, changes), NOW, by_place=False)


def cel_given(policy: Policy, changes: Changes) -> Any:
    """Return what CEL decides a call from, as cel-python's values."""
    return json_to_cel(cel_input(policy, TOOL, arguments(changes), known(policy, changes), NOW))


def broken_by_holdtrue(policy: Policy, changes: Changes) -> set[str]:
    """Return the rules that a call breaks. Raises `ValueError` where one is undecided that plain Python can decide."""
    decision = policy.check(TOOL, arguments(changes), known(policy, changes), now=NOW, mend=False)
    return {own.rule for own in decision.findings if own.status in ("broken", "undecided")}


def broken_by_python(changes: Changes) -> set[str]:
    """Return the rules that plain Python finds broken."""
    return set(rental_twin.broken(arguments(changes), shown(changes), NOW))


def broken_by_cedar(policies: Any, given: CedarInput) -> set[str]:
    """Return the rules that Cedar finds broken: the `forbid` policies that apply. Raises `ValueError` for an error."""
    import cedarpy

    found = cedarpy.is_authorized({**REQUEST, "context": given.context}, policies, given.entities)
    if found.diagnostics.errors:
        raise ValueError(found.diagnostics.errors)
    return set(found.diagnostics.id_annotations_by_reason.values())


def broken_by_cel(given: Any) -> set[str]:
    """Return the rules that cel-python finds broken."""
    return {id for id, program in cel_programs().items() if not program.evaluate(given)}
