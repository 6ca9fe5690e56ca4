"""Tests of confirming the premises of a verdict: a premise that was misread proves nothing."""

from __future__ import annotations

import asyncio
from dataclasses import replace

import pytest

from holdtrue.budget import Budget
from holdtrue.language.asking import Asking
from holdtrue_claims.claim_record import CheckRecord
from holdtrue_claims.kind.checking import check_answer
from holdtrue_claims.kind.premise_preparation import prepare
from holdtrue_claims.kind.premises import Premises
from holdtrue_claims.kind.settings import PUBLISHED, CheckSettings
from tests.claims.kind.reader import ReaderModel
from tests.claims.kind.test_checking import FORMULAS, SENTENCES, answer_of, saying

PROVED = CheckSettings()
# This formula adds Omar to a sentence about Ines, and looks similar in words.
MISREAD = {**FORMULAS, "Ines is a baker": "Baker(Ines) and Baker(Omar)"}
TRUE = {"Ines is a baker": "Baker(Ines)"}


def checks(model: ReaderModel, settings: CheckSettings, times: int = 1) -> tuple[Premises, list[CheckRecord]]:
    """The records of checking one answer several times, each with the premises that the last check left."""

    async def go() -> tuple[Premises, list[CheckRecord]]:
        asking = Asking(model)
        premises = await prepare(asking, settings.formal, SENTENCES, budget=Budget())
        records = []
        for _ in range(times):
            checked = await check_answer(asking, premises, settings, answer_of(model))
            premises = checked.premises
            records.append(checked.record)
        return premises, records

    return asyncio.run(go())


def verdicts(record: CheckRecord) -> list[str]:
    return [str(claim.verdict) for claim in record.claims]


def confirmed(premises: Premises) -> list[str]:
    return [premise.id for premise in premises.entries if premise.confirmed]


def test_only_what_a_verdict_rests_on_is_asked_about_and_only_once() -> None:
    model = saying("Ines rises early.")
    premises, (record,) = checks(model, PROVED)
    assert verdicts(record) == ["entailed"] and record.accepted
    assert confirmed(premises) == ["P1", "P3"]
    assert [each.confirmed for each in premises.record.premises] == [True, False, True, False]
    once = model.asked["choose"]
    again = saying("Ines rises early.")
    assert verdicts(checks(again, PROVED, 2)[1][-1]) == ["entailed"]
    open_ = saying("Omar is a baker.")
    premises, _ = checks(open_, PROVED)
    assert confirmed(premises) == ["P1", "P3", "P4"], "what shares a name with a claim might decide it"
    unasked = replace(PROVED, formal=replace(PROVED.formal, choice_rounds=0))
    _, (record,) = checks(saying("Omar is a baker."), unasked)
    assert record.claims[0].reason == "P1, P3, P4 had no formula confirmed, and may settle it"
    assert again.asked["choose"] < 2 * once


def test_a_misread_premise_proves_nothing() -> None:
    model = saying("Omar rises early.", formulas={**MISREAD, "Omar rises early": "Early(Omar)"}, meant=TRUE)
    premises, (record,) = checks(model, PROVED)
    assert verdicts(record) == ["possible"] and not record.accepted
    (misread,) = (each for each in premises.record.premises if each.id == "P3")
    assert misread.formula is None and not misread.confirmed
    assert [alert.kind for alert in misread.alerts] == ["refused"]
    assert record.claims[0].reason == "P3 could not be read, and may settle it"
    published = saying("Omar rises early.", formulas={**MISREAD, "Omar rises early": "Early(Omar)"}, meant=TRUE)
    _, (record,) = checks(published, PUBLISHED)
    assert verdicts(record) == ["entailed"], "without choices a misreading proves what nobody said"


def test_a_misread_premise_does_not_make_the_context_impossible() -> None:
    nobody = "Nobody who rises early likes night clubs"
    clash = {**FORMULAS, nobody: "forall x (not Early(x))"}
    meant = {nobody: FORMULAS[nobody]}
    settings = replace(PROVED, formal=replace(PROVED.formal, refinements=0))
    premises, (record,) = checks(saying("Ines rises early.", formulas=clash, meant=meant), settings)
    assert premises.record.status == "consistent"
    assert verdicts(record) == ["entailed"]
    assert confirmed(premises) == ["P1", "P3"]
    # If the sentences themselves clash, nothing can be mended.
    _, (record,) = checks(saying("Ines rises early.", formulas=clash), settings)
    assert verdicts(record) == ["inconsistent_context"]


def test_claims_do_not_clash_over_a_misread_premise() -> None:
    formulas = {**FORMULAS, "Every baker rises early": "forall x (Baker(x) -> Early(x) and not NextTo(x, x))"}
    formulas["Omar does not rise early"] = "not Early(Omar)"
    both = ("Omar is a baker.", "Omar does not rise early.")
    meant = {"Every baker rises early": "forall x (Early(x) -> Baker(x))"}
    _, (clash,) = checks(saying(*both, formulas=formulas), PROVED)
    assert clash.joint.verdict == "conflict" and "P1" in clash.joint.conflict
    premises, (record,) = checks(saying(*both, formulas=formulas, meant=meant), PROVED)
    assert record.joint.verdict == "consistent" and record.change == ()
    assert "P1" not in premises.formulas


def test_a_claim_in_the_words_of_a_premise_has_no_formula_that_was_not_confirmed() -> None:
    premises, (record,) = checks(saying("Ines is a baker."), PROVED)
    assert verdicts(record) == ["entailed"] and confirmed(premises) == ["P3"] and not record.accepted
    premises, (record,) = checks(saying("Ines is a baker.", formulas=MISREAD, meant=TRUE, better=TRUE), PROVED)
    assert "P3" not in premises.formulas and not record.claims[0].restated
    assert verdicts(record) == ["unproved"] and record.claims[0].formalization is not None


@pytest.mark.parametrize("rounds", [1, 3])
def test_without_choices_nothing_is_asked(rounds: int) -> None:
    for choices, asked in ((0, False), (rounds, True)):
        settings = replace(PROVED, formal=replace(PROVED.formal, choice_rounds=choices))
        model = saying("Ines rises early.")
        premises, _ = checks(model, settings)
        assert (model.asked["choose"] > 0) is asked is bool(confirmed(premises))
