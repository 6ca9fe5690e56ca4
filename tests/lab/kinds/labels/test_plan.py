from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue.kinds.labels.case import Case
from holdtrue.kinds.labels.method import find_label_method
from holdtrue_lab.kinds.labels import KIND
from holdtrue_lab.kit.plan import Plan, hash_contents
from holdtrue_lab.suites.belief.generate import generate_dialogues
from tests.lab.kinds.labels.labelled import SEATED
from tests.lab.kit.plans import plan_for

DIALOGUES = generate_dialogues(3, 4, turns=5)
DIRECT = find_label_method("direct")


def digest_cases(problems: Sequence[Case]) -> str:
    return hash_contents(map(KIND.playing().describe_problem, problems))


def plan(**changes: Any) -> Plan:
    given: dict[str, Any] = {"cases": [SEATED], "methods": [DIRECT], "source": "test", "model": "sim/labels", **changes}
    cases = given.pop("cases")
    return plan_for(cases[0].suite, cases, given.pop("methods"), **given)


def test_a_bundle_is_one_turn_and_queries_one_at_a_time_are_many() -> None:
    assert plan().turns == 1
    assert plan(ask="one").turns == len(SEATED.queries)
    assert [job.turns for job in plan(ask="one").jobs] == [len(SEATED.queries)]


def test_dialogues_are_asked_one_question_at_a_time_whatever_is_said() -> None:
    made = plan(cases=DIALOGUES, methods=[find_label_method("greedy")], ask="bundle")
    assert made.settings.protocol == "one"
    assert made.turns == 20


@pytest.mark.parametrize(("changes", "message"), [({"ask": "both"}, "one, bundle"), ({"formal": "mine"}, "gold, llm")])
def test_what_does_not_fit_is_refused_in_words(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        plan(**changes)


def test_the_digest_is_over_all_that_can_change_a_result() -> None:
    before = digest_cases(DIALOGUES)
    assert digest_cases(generate_dialogues(3, 4, turns=5)) == before
    first, *others = DIALOGUES
    query, *rest = first.queries
    for changed in (
        replace(first, id="other"),
        replace(first, premises=first.premises[1:]),
        replace(first, queries=(replace(query, text="Is it?"), *rest)),
        replace(first, queries=tuple(rest)),
    ):
        assert digest_cases([changed, *others]) != before
