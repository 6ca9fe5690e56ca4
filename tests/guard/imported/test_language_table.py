"""The table of who can say what in the docs: each yes is a policy that the evaluators were tried on."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.guard.imported.desk import Case, cases

PAGE = Path(__file__).parents[3] / "docs" / "policy-languages.md"
LANGUAGES = ("cedar", "dogwood", "rego")
TRIED = {
    "an amount": ("a limit on an amount", "a policy of Cedar", "without a default"),
    "an argument that may be missing": (
        "a guarded argument",
        "all blocks together",
        "an argument that may be missing",
    ),
    "who calls": ("a group of principals", "the same principal and resource", "the role of a user"),
    "an ending of every item of a list": ("", "", "a function"),
    "an order that was looked up within the last hour": ("", "an earlier call that took effect", ""),
    "at most two refunds in an hour": ("", "at most two refunds took effect", ""),
    "a total of earlier amounts": ("", "a total", ""),
    "no deletion since an approval": ("", "no refund since the order was approved", ""),
    "requests that were stopped": ("", "at most three requests, this one among them", ""),
    "the event just before": ("", "the event before", ""),
    "the result of an earlier call": ("", "a result of an earlier call", ""),
    "values beside the policy (`data`)": ("", "", "data beside the policy"),
}
"""The cases of each rule in the three languages, "" where a language has none."""


def rows() -> dict[str, list[str]]:
    table = PAGE.read_text(encoding="utf-8").partition("### Who can say what")[2]
    lines = [line.strip("| ").split(" | ") for line in table.splitlines() if line.startswith("| ")]
    return {name: cells for name, *cells in lines[1:]}


def test_the_table_has_the_rules_that_were_tried() -> None:
    assert rows().keys() == TRIED.keys()


@pytest.mark.parametrize("rule", TRIED)
def test_each_yes_was_tried(rule: str) -> None:
    *others, own = rows()[rule]
    known: dict[str, dict[str, Case]] = {
        language: {case.name: case for case in cases(language)} for language in LANGUAGES
    }
    tried = [known[language][name] for language, name in zip(LANGUAGES, TRIED[rule], strict=True) if name]
    assert [cell == "yes" for cell in others] == [bool(name) for name in TRIED[rule]]
    assert (own.startswith("yes") and "by hand" not in own) is all(not case.refused for case in tried)
