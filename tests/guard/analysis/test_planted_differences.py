"""Tests that a comparison finds planted differences in every part of a policy, and no difference in equal policies."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from holdtrue.guard.analysis.analysis_results import Comparison
from holdtrue.guard.analysis.canonical_forms import canonical, schema_form
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.analysis.two_decisions import seen_by
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import read_policy

FOLDER = Path(__file__).parent / "planted"
TEXT = (FOLDER / "desk.yaml").read_text(encoding="utf-8")
DIFFERENCES: list[Any] = yaml.safe_load((FOLDER / "differences.yaml").read_text(encoding="utf-8"))
EQUAL: list[Any] = yaml.safe_load((FOLDER / "equal.yaml").read_text(encoding="utf-8"))


def edited(*texts: str) -> Policy:
    found = TEXT
    for old, new in zip(texts[::2], texts[1::2], strict=True):
        assert old in found, old
        found = found.replace(old, new, 1)
    return read_policy(found)


def named(comparison: Comparison) -> str:
    """Return all places and rules that a comparison names."""
    calls = [call for own in comparison.tools for call in own.differences]
    rules = [rule for own in calls for rule in (*own.first.rules, *own.second.rules)]
    told = [words for own in comparison.tools for words in own.told]
    return "\n".join((*comparison.told, *told, *rules, *comparison.only_first, *comparison.only_second))


def test_there_are_sixty_differences_and_forty_equal_pairs() -> None:
    assert len(DIFFERENCES) == 60 and len(EQUAL) == 40


@pytest.mark.parametrize("planted", DIFFERENCES, ids=[f"{own[0]}-{place}" for place, own in enumerate(DIFFERENCES)])
def test_a_planted_difference_is_found_with_its_side(planted: list[Any]) -> None:
    _, old, new, place, side = planted
    policies = edited(), edited(old, new)
    comparison = compare_policies(*policies)
    assert comparison.same is False and place in named(comparison)
    calls = [call for own in comparison.tools for call in own.differences]
    sides = {"first", "second"} if side == "both" else {side}
    assert side is None or {own.allowed_by for own in calls} == sides
    for own in calls:
        first, second = (seen_by(own.example, policy).decide(policy, mend=False).kind for policy in policies)
        assert (first, second) == (own.first.kind, own.second.kind) and first != second
        assert own.allowed_by is None or {"first": first, "second": second}[own.allowed_by] == "allow"


@pytest.mark.parametrize("texts", EQUAL, ids=[str(place) for place in range(len(EQUAL))])
def test_equal_policies_have_no_difference(texts: list[str]) -> None:
    for policies in ((edited(), edited(*texts)), (edited(*texts), edited())):
        comparison = compare_policies(*policies)
        assert comparison.same is True, named(comparison)


@pytest.mark.parametrize(
    ("one", "other"),
    [
        ("{enum: [true, false]}", "{enum: [1, 0]}"),
        ("{type: boolean}", "{type: string, enum: [true, false]}"),
        ("{type: number, minimum: 1}", "{type: number, exclusiveMinimum: 0}"),
        ("{type: string, enum: [a, 1]}", "{enum: [a, 1]}"),
        (
            "{allOf: [{properties: {a: {}}}, {additionalProperties: false}]}",
            "{properties: {a: {}}, additionalProperties: false}",
        ),
        ("{allOf: [{type: string}, {type: boolean}]}", "{type: string}"),
        ("{anyOf: [{type: boolean}, {}]}", "{type: boolean}"),
    ],
)
def test_schemas_that_only_look_alike_differ(one: str, other: str) -> None:
    assert canonical(schema_form(yaml.safe_load(one))) != canonical(schema_form(yaml.safe_load(other)))
