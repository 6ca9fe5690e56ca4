from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue_claims.fol.vocabulary import Entity
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_claims.kind.prompts.questions import Answer
from holdtrue_lab.kinds.claims import KIND
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from holdtrue_lab.kinds.claims.settings import ClaimSettings
from holdtrue_lab.kit.plan import Plan, hash_contents
from tests.lab.kinds.claims.items import FALSE, ITEMS, OPEN, TRUE, item, said
from tests.lab.kit.plans import plan_for

VERGE, GIVEN = METHODS["verge"], METHODS["given"]
ANSWER = Answer("Bob is a baker.", "A")


def digest_items(problems: Sequence[Item]) -> str:
    return hash_contents(map(KIND.playing().describe_problem, problems))


def plan(**changes: Any) -> Plan:
    given: dict[str, Any] = {"items": ITEMS, "methods": [VERGE], "source": "test", "model": "sim/claims", **changes}
    return plan_for("verge", given.pop("items"), given.pop("methods"), **given)


@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"items": []}, "at least one item"),
        ({"methods": [BaselineMethod("verge", "verge", rounds=5)]}, "'verge' is not the preset of that name"),
        ({"methods": [GIVEN]}, "method 'given' takes answers that were written before: give them"),
        ({"written_answers": {"i1": ANSWER}}, "for the method 'given'"),
        (
            {"methods": [GIVEN], "written_answers": {"x9": ANSWER}},
            "none of the answers is to one of these items, .* is 'i1'",
        ),
        ({"settings": ClaimSettings(formalizers=("sim/claims",))}, "'sim/claims' is named twice"),
        ({"settings": ClaimSettings(formalizers=("local/a", "local/a"))}, "'local/a' is named twice"),
        (
            {"items": [replace(OPEN, gold=None)], "settings": ClaimSettings(formal="gold")},
            "nobody wrote down in logic what these items mean, so gold cannot be had",
        ),
    ],
)
def test_what_does_not_fit_is_refused_in_words(changes: dict[str, Any], message: str) -> None:
    with pytest.raises(SettingsError, match=message):
        plan(**changes)


def test_the_digest_is_over_all_that_can_change_a_result() -> None:
    before = digest_items(ITEMS)
    assert digest_items([item(one.id, one.statement or "") for one in ITEMS]) == before
    gold = TRUE.gold
    assert gold is not None
    wider = replace(gold.vocabulary, entities=(*gold.vocabulary.entities, Entity("cem")))
    other_premises = {**gold.premises, "P2": said("Baker(bob)")}
    changed_items: list[Item] = [
        replace(TRUE, id="other"),
        replace(TRUE, context="Nothing."),
        replace(TRUE, question="Really?"),
        replace(TRUE, options={**TRUE.options, "C": "Unknown"}),
        replace(TRUE, answer="B"),
        replace(TRUE, sentences=TRUE.sentences[:2]),
        replace(TRUE, statement="Ada sleeps."),
        replace(TRUE, dataset="other"),
        replace(TRUE, gold=None),
        replace(TRUE, gold=replace(gold, vocabulary=wider)),
        replace(TRUE, gold=replace(gold, premises=other_premises)),
        replace(TRUE, gold=GoldLogic(gold.vocabulary, gold.premises, {})),
        replace(TRUE, perturbs="i9"),
        replace(TRUE, perturbation="logic_inversion"),
    ]
    digests = {digest_items([changed, FALSE, OPEN]) for changed in changed_items}
    assert len(digests | {before}) == len(changed_items) + 1
