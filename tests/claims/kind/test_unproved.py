"""Tests of verdicts for claims without a reliable formula, and of the calls that they take."""

from __future__ import annotations

import asyncio
from collections import Counter
from collections.abc import Mapping
from dataclasses import replace

import pytest

from holdtrue.budget import Budget
from holdtrue.language.asking import Asking
from holdtrue.record import AnswerStatus
from holdtrue_claims.claim_record import CheckRecord, ClaimType, ClaimVerdict, SoftVerdict
from holdtrue_claims.kind import checking
from holdtrue_claims.kind.acceptance import NEVER_ACCEPTED, accepts, claim_score
from holdtrue_claims.kind.answering import claim_verdict
from holdtrue_claims.kind.calibration import Calibration, Calibrations
from holdtrue_claims.kind.checking import check_answer
from holdtrue_claims.kind.entailment import ClaimFinding
from holdtrue_claims.kind.premise_preparation import prepare
from holdtrue_claims.kind.settings import PUBLISHED, CheckSettings, Weights
from holdtrue_claims.kind.verdict_words import Sayings, describe_claim, describe_score
from tests.claims.kind.reader import ReaderModel
from tests.claims.kind.test_checking import FORMULAS, MODEL, SENTENCES, answer_of

DIFFERENT = ("Early(Ines)", "Baker(Ines)", "Clubs(Ines)")
UNSURE: Mapping[str, object] = {
    "formulas": {**FORMULAS, "Ines rises early": DIFFERENT},
    "better": {"Ines rises early": "Clubs(Ines)"},
    "verdicts": {"Ines rises early": ("supported", 90), "Ines is cheerful": ("supported", 90)},
}
JUDGED = replace(CheckSettings(), accept="judged")


def reader(*claims: tuple[str, str], **more: object) -> ReaderModel:
    return replace(MODEL, claims=claims, asked=Counter(), **more)  # type: ignore[arg-type]


def check(
    model: ReaderModel,
    settings: CheckSettings | None = None,
    calibrations: Calibrations | None = None,
    author: str | None = None,
) -> CheckRecord:
    settings = settings or CheckSettings()

    async def go() -> CheckRecord:
        asking = Asking(model)
        premises = await prepare(asking, settings.formal, SENTENCES, budget=Budget())
        found = await check_answer(
            asking, premises, settings, answer_of(model), calibrations=calibrations, author=author
        )
        verdict = claim_verdict(found.record, found.premises.record, settings)
        settled = not found.record.accepted or verdict.answer is AnswerStatus.RESPECTING
        assert settled, "what is accepted is decided"
        return found.record

    return asyncio.run(go())


def measured(right: int, supported: int = 40, type: ClaimType = ClaimType.LOGICAL) -> Calibrations:
    return Calibrations((Calibration("script", type, supported, supported, right, 5, "a test", "2026-11-23"),))


def test_a_claim_that_no_formula_is_sure_of_is_unproved_and_judges_are_not_asked() -> None:
    model = reader(("Ines rises early.", "logical"), **UNSURE)
    found = check(model)
    (claim,) = found.claims
    assert (claim.verdict, claim.route, claim.judged, claim.votes) == ("unproved", "hybrid", None, {})
    assert (found.accepted, found.score, found.not_asked) == (False, 0.0, {"judge": 5})
    assert model.asked["judge"] == 0
    assert describe_score(found).endswith("not accepted, C1 could not be proved (several readings of it differ).")


def test_judges_can_be_asked_to_be_measured_and_their_word_stands_beside_the_verdict() -> None:
    model = reader(("Ines rises early.", "logical"), **UNSURE)
    found = check(model, CheckSettings(ask_judges=True))
    (claim,) = found.claims
    assert (claim.verdict, claim.judged, claim.votes) == ("unproved", "supported", {"supported": 3})
    assert (found.accepted, found.score, found.saved, found.not_asked) == (False, 0.0, {"judge": 2}, {})
    assert "The judges: 3 supported, which proves nothing." in describe_claim(claim, Sayings(None, found))


@pytest.mark.parametrize(("right", "counts"), [(39, True), (36, True), (35, False), (20, False)])
def test_judges_decide_only_where_they_were_measured_well_enough(right: int, counts: bool) -> None:
    model = reader(("Ines rises early.", "logical"), **UNSURE)
    found = check(model, JUDGED, measured(right))
    assert found.claims[0].verdict == ("supported" if counts else "unproved")
    assert found.accepted == counts
    other_type = check(model, JUDGED, measured(39, type=ClaimType.VAGUE))
    assert other_type.claims[0].verdict == "unproved"
    assert other_type.claims[0].reason == "as a judge script is not calibrated for logical claims"


def test_a_model_that_judges_its_own_answer_is_told_by_name() -> None:
    model = reader(("Ines is cheerful.", "vague"), **UNSURE)
    found = check(model, JUDGED, author="script")
    (claim,) = found.claims
    assert (claim.verdict, claim.judged, claim.confidence) == ("uncertain", "supported", 0.0)
    assert claim.reason == "script judges its own answer, and is not calibrated for vague claims"
    assert not found.accepted
    trusted = check(model, JUDGED, measured(39, type=ClaimType.VAGUE), author="script")
    assert (trusted.claims[0].verdict, trusted.accepted) == ("supported", True)


def test_no_type_lifts_a_claim_over_its_proof_and_no_score_over_what_is_possible() -> None:
    """A type decides who is asked only where judges are accepted."""
    cheerful = {"Ines is cheerful": "Clubs(Ines)"}
    sure = {**UNSURE, "formulas": {**FORMULAS, "Ines is cheerful": DIFFERENT}, "better": cheerful}
    claims = (("Ines rises early.", "logical"), ("Ines is cheerful.", "vague"))
    found = check(reader(*claims, **sure))
    assert [(claim.verdict, claim.route) for claim in found.claims] == [("entailed", "hard"), ("unproved", "hybrid")]
    assert (found.accepted, found.not_asked) == (False, {"judge": 5})
    judged = check(reader(*claims, **sure), replace(JUDGED, judges_trusted=True))
    assert [claim.verdict for claim in judged.claims] == ["entailed", "supported"] and judged.accepted
    assert describe_score(judged).endswith("accepted. Only judged, not proved: C2.")
    wrong = check(reader(("Ines likes night clubs.", "commonsense"), **sure))
    assert [claim.verdict for claim in wrong.claims] == ["contradictory"]
    padded = [(f"{own}.", "logical") for own in ("Ines rises early", *SENTENCES)]
    more = check(reader(*padded, ("Omar is a baker.", "logical"), **sure))
    assert more.claims[-1].verdict == "possible" and more.score >= 0.75 and not more.accepted
    assert "is only possible" in describe_score(more)


@pytest.mark.parametrize("assuming", [ClaimVerdict.ENTAILED, ClaimVerdict.CONTRADICTORY])
def test_what_is_assumed_is_neither_entailed_nor_contradictory(
    assuming: ClaimVerdict, monkeypatch: pytest.MonkeyPatch
) -> None:
    finding = ClaimFinding(
        ClaimVerdict.ASSUMED, ("P1",), assumptions=("Nobody but Ines and Omar exists.",), assuming=assuming
    )
    monkeypatch.setattr(checking, "verify_claim", lambda context, formula: finding)
    for settings in (CheckSettings(), PUBLISHED, replace(PUBLISHED, least_score=0.0)):
        found = check(reader(("Ines rises early.", "logical")), settings)
        (claim,) = found.claims
        assert (claim.verdict, claim.assumptions, claim.assuming) == ("assumed", finding.assumptions, assuming)
        assert (found.accepted, found.score, found.change) == (False, 0.0, ())
    lines = describe_claim(claim, Sayings(None, found))
    how = "follow from" if assuming is ClaimVerdict.ENTAILED else "be ruled out by"
    assert lines[:2] == [
        f"It would {how}: P1.",
        "But that needs what nobody stated: Nobody but Ines and Omar exists.",
    ]
    weighed = replace(CheckSettings(), weights=Weights(assumed=1.0))
    assert claim_score([ClaimVerdict.ASSUMED], weighed.weights).score == 1.0
    assert not accepts([ClaimVerdict.ASSUMED], 1.0, weighed, together=True)


@pytest.mark.parametrize("accept", ["proved", "judged"])
@pytest.mark.parametrize("verdict", [*ClaimVerdict, *SoftVerdict])
def test_one_verdict_alone_is_accepted_by_proof_or_by_whoever_trusts_judges(
    verdict: ClaimVerdict | SoftVerdict, accept: str
) -> None:
    settings = replace(CheckSettings(), accept=accept, least_score=0.0)  # type: ignore[arg-type]
    fine = accepts([verdict], 1.0, settings, together=True)
    assert fine == (verdict is ClaimVerdict.ENTAILED if accept == "proved" else verdict not in NEVER_ACCEPTED)
    assert fine == accepts([ClaimVerdict.ENTAILED, verdict], 1.0, settings, together=True)
    assert not accepts([verdict], 1.0, settings, together=False)
    assert not (accept == "proved" and accepts([verdict], 1.0, settings, together=True, whole=False))


def test_a_premise_that_is_said_again_needs_no_judge_whatever_its_type() -> None:
    model = reader(("Ines is a baker.", "vague"))
    (claim,) = check(model).claims
    assert (claim.verdict, claim.route, claim.routed, model.asked["judge"]) == (
        *("entailed", "hard", "premise"),
        0,
    )
    published = reader(("Ines is a baker.", "vague"), verdicts={"Ines is a baker": ("plausible", 90)})
    assert check(published, PUBLISHED).claims[0].verdict == "plausible"
