from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import SettingsError
from holdtrue_claims.fol.vocabulary import Entity
from holdtrue_claims.kind.calibration import calibrations_json, packaged_calibrations
from holdtrue_claims.kind.gold_logic import GoldLogic
from holdtrue_claims.kind.method import ClaimMethod
from holdtrue_claims.kind.prompts.questions import Answer
from holdtrue_lab.kinds.claims import KIND
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.kinds.claims.method import METHODS, BaselineMethod
from holdtrue_lab.kinds.claims.settings import ClaimSettings, Formal
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


def test_what_is_played_where_nothing_is_said() -> None:
    made = plan()
    assert made.settings.play == {
        "formal": "llm", "measure": True, "formalizers": [], "timeout_s": 5.0, "notation": None, "formulas": None,
        "choice_rounds": None, "calls": None, "assume": [],
        "draw_temperature": None, "round_trip": None, "routing": None, "judges": None,
        "least_score": None, "rounds": None, "accept": None, "ask_judges": False, "calibration": None,
        "answers_sha256": None, "calibrations": calibrations_json(packaged_calibrations().entries),
    }  # fmt: skip
    assert (made.sampling.temperature, made.sampling.max_tokens) == (0.0, 1024)
    assert (made.settings.suite, made.settings.protocol, made.settings.extractor) == ("verge", "fol", "llm")
    assert [(job.problem.id, job.turns) for job in made.jobs] == [("i1", 1), ("i2", 1), ("i3", 1)]
    assert made.turns == 3


def test_methods_are_played_with_what_is_laid_over_them_and_known_by_their_names() -> None:
    made = plan(settings=ClaimSettings(formulas=5))
    [method] = made.methods
    assert isinstance(method, ClaimMethod)
    assert (method.name, method.check.formal.samples) == ("verge", 5)
    assert made.settings.own_methods == {}


def test_own_methods_are_kept_with_their_settings() -> None:
    made = plan(methods=[VERGE, BaselineMethod("mine", "verge", converge=None)], settings=ClaimSettings(rounds=5))
    assert made.settings.own_methods.keys() == {"mine"}
    assert made.settings.own_methods["mine"]["rounds"] == 3, "what the run lays over it stands elsewhere"


def test_all_that_decides_names_the_folder_and_what_is_free_does_not() -> None:
    changes: list[dict[str, Any]] = [
        {"settings": ClaimSettings(formal="gold")},
        {"settings": ClaimSettings(formal="gold_entities")},
        {"settings": ClaimSettings(measure=False)},
        {"settings": ClaimSettings(formalizers=("local/other",))},
        {"settings": ClaimSettings(timeout_s=1.0)},
        {"settings": ClaimSettings(formulas=1)},
        {"settings": ClaimSettings(round_trip=0.0)},
        {"settings": ClaimSettings(routing="soft")},
        {"settings": ClaimSettings(judges=1)},
        {"settings": ClaimSettings(least_score=0.5)},
        {"settings": ClaimSettings(rounds=1)},
        {"methods": [GIVEN], "written_answers": {item.id: ANSWER for item in ITEMS}},
        {"methods": [GIVEN], "written_answers": {item.id: replace(ANSWER, option=None) for item in ITEMS}},
    ]
    assert len({plan(**change).name for change in [{}, *changes]}) == len(changes) + 1
    assert plan().name == plan(limit=1, max_connections=2, token_limit=9, source="else").name


def test_only_items_that_were_answered_are_played_where_answers_are_given() -> None:
    answers = {"i2": ANSWER, "elsewhere": ANSWER}
    made = plan(methods=[VERGE, GIVEN], written_answers=answers)
    assert [problem.id for problem in made.problems] == ["i2"]
    assert made.settings.problems == 1
    assert made.written_answers["i2"] == ANSWER
    assert (
        plan(methods=[GIVEN], written_answers={"i2": ANSWER}).name
        == plan(methods=[GIVEN], written_answers=answers).name
    )


@pytest.mark.parametrize("formal", ["gold", "gold_entities"])
def test_only_items_that_people_formalized_are_played_where_theirs_is_taken(formal: Formal) -> None:
    items = [replace(TRUE, gold=None), OPEN]
    assert [one.id for one in plan(items=items, settings=ClaimSettings(formal=formal)).problems] == ["i3"]
    assert [one.id for one in plan(items=items).problems] == ["i1", "i3"]


def test_changed_forms_come_with_their_originals_and_do_not_count() -> None:
    changed = replace(FALSE, id="i2-not", answer="A", perturbs="i2", perturbation="logic_inversion")
    made = plan(items=[*ITEMS, changed], limit=2)
    assert [one.id for one in made.problems] == ["i1", "i2", "i2-not"]


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
