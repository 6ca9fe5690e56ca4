from __future__ import annotations

from dataclasses import replace

import pytest

from holdtrue.record import AnswerStatus, Satisfiability, TurnRecord, VerdictRecord
from holdtrue_claims.claim_record import CheckRecord, JointRecord
from holdtrue_claims.kind.record import ClaimAttempt, ClaimsDetail, ClaimsRecord
from holdtrue_lab.kinds.claims.playing import score_claims
from tests.lab.kinds.claims.items import TRUE, TRUTH

VERDICT = VerdictRecord(Satisfiability.SAT, AnswerStatus.RESPECTING)


def played(*options: object, delivered: str | None = "text", check: CheckRecord | None = None) -> ClaimsRecord:
    attempts = tuple(
        ClaimAttempt(
            number,
            "answer",
            "text",
            None if option is None else {"option": option},  # type: ignore[dict-item]
            VERDICT,
            check=check,
        )
        for number, option in enumerate(options, start=1)
    )
    return TurnRecord(1, TRUE.question, "verge", "test", "fol", "llm", attempts, delivered, detail=ClaimsDetail())


def checked(supported: str | None, proved: str | None) -> CheckRecord:
    return CheckRecord((), JointRecord("consistent"), 0.0, 0.0, 0.0, False, supported=supported, proved=proved)


@pytest.mark.parametrize(
    ("option", "given", "correct"),
    [("A", "A", True), ("B", "B", False), (None, None, False), ("D", None, False), (1, None, False)],
)
def test_the_letter_of_the_answer_counts_where_the_question_has_it(
    option: object, given: str | None, correct: bool
) -> None:
    score = score_claims(TRUE, played(option))
    assert (score.given, score.correct) == (given, correct)
    assert (score.gold, score.options) == ("A", TRUTH)


def test_the_last_attempt_is_the_one_that_was_delivered() -> None:
    assert score_claims(TRUE, played("B", "A")).correct
    assert not score_claims(TRUE, played("A", "B")).correct


def test_an_answer_that_was_not_delivered_gives_nothing() -> None:
    score = score_claims(TRUE, played("A", delivered=None))
    assert (score.given, score.correct) == (None, False)


def test_what_is_proved_is_told_beside_what_was_answered() -> None:
    score = score_claims(TRUE, played("B", check=checked("A", "C")))
    assert (score.correct, score.supported, score.proved) == (False, "A", "C")
    assert score.supported == score.gold != score.proved is not None


@pytest.mark.parametrize("check", [None, checked(None, None)])
def test_what_proves_nothing_is_neither_right_nor_wrong(check: CheckRecord | None) -> None:
    score = score_claims(TRUE, played("A", check=check))
    assert (score.supported, score.proved) == (None, None)


def test_what_the_item_is_a_changed_form_of_is_kept() -> None:
    changed = replace(TRUE, perturbs="i0", perturbation="logic_inversion")
    score = score_claims(changed, played("A"))
    assert (score.dataset, score.perturbs, score.perturbation) == ("bakery", "i0", "logic_inversion")
    assert score_claims(TRUE, played("A")).perturbs is None
