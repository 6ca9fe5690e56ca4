"""The case studies of the VERGE paper (appendix F), each from one stated context.

The paper prints verdicts and scores of the first and third case that do not all follow from one context. These tests
state the context and the verdicts that follow from it.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.budget import Budget
from holdtrue.logic.formula import AllDifferent, And, Formula, Or, Variable, exactly, for_all
from holdtrue.logic.sorts import IntSort
from holdtrue_claims.claim_record import ClaimVerdict, JointVerdict
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import Entity, Predicate, Vocabulary
from holdtrue_claims.kind.acceptance import Score, claim_score
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import ClaimFinding, verify_claim
from holdtrue_claims.kind.joint_check import verify_joint
from tests.claims.kind.bounded_numbers import all_stated, context, values, words

BUDGET = Budget(timeout_s=30.0)
ENTAILED, CONTRADICTORY, POSSIBLE = ClaimVerdict.ENTAILED, ClaimVerdict.CONTRADICTORY, ClaimVerdict.POSSIBLE


def verify(context: Context, claims: Mapping[str, Formula]) -> dict[str, ClaimFinding]:
    return {id: verify_claim(context, claim) for id, claim in all_stated(claims).items()}


def verdicts(findings: Mapping[str, ClaimFinding]) -> list[ClaimVerdict]:
    return [finding.verdict for finding in findings.values()]


def differences(findings: Mapping[str, ClaimFinding], printed: Sequence[ClaimVerdict]) -> list[str]:
    """The claims on which our verdict is not the printed one."""
    return [id for (id, found), other in zip(findings.items(), printed, strict=True) if found.verdict is not other]


def rounded(score: Score) -> float:
    return round(score.score, 3)


# Case 1: reports of students (AR-LSAT). Slots: 0 none, then Monday, Tuesday, Wednesday, each morning and afternoon.

STUDENTS = ("George", "Helen", "Irving", "Kyle", "Lenore", "Nina", "Olivia", "Robert")
SLOT = {name: Variable(f"slot({name})", IntSort(0, 6)) for name in STUDENTS}
MONDAY, TUESDAY, WEDNESDAY = 1, 3, 5
"""The morning of each day; its afternoon is the next slot."""


def on(name: str, day: int) -> Formula:
    return SLOT[name].eq(day) | SLOT[name].eq(day + 1)


def morning(name: str, day: int) -> Formula:
    return SLOT[name].eq(day)


def in_afternoon(name: str) -> Formula:
    return Or(tuple(SLOT[name].eq(day + 1) for day in (MONDAY, TUESDAY, WEDNESDAY)))


def nina(day: int) -> Formula:
    return on("Nina", day).implies(And((on("Helen", day + 2), on("Irving", day + 2))))


REPORTS = context(
    {
        "two a day": for_all(range(1, 7), lambda slot: exactly(1, [SLOT[name].eq(slot) for name in STUDENTS])),
        "george": SLOT["George"].eq(0) | on("George", TUESDAY),
        "olivia": ~in_afternoon("Olivia"),
        "robert": ~in_afternoon("Robert"),
        "nina": for_all((MONDAY, TUESDAY), nina),  # the rest of the sentence excepts Wednesday
        "kyle": SLOT["Kyle"].eq(0),
        "lenore": SLOT["Lenore"].eq(0),
    },
    words(tuple(SLOT.values())),
    BUDGET,
)


def option(*names: str) -> Formula:
    """These give the morning reports on the three days, in this order."""
    return And(tuple(morning(name, day) for name, day in zip(names, (MONDAY, TUESDAY, WEDNESDAY), strict=True)))


OPTION_E = {
    "c0": option("Robert", "George", "Helen"),
    "c1": morning("Robert", MONDAY),
    "c2": morning("George", TUESDAY),
    "c3": morning("Helen", WEDNESDAY),
    "c4": in_afternoon("Olivia"),
}
OPTION_D = {
    "c0": option("Olivia", "Robert", "Irving"),
    "c1": morning("Olivia", MONDAY),
    "c2": morning("Robert", TUESDAY),
    "c3": morning("Irving", WEDNESDAY),
    "c4": ~in_afternoon("Olivia") & ~in_afternoon("Robert"),
}


def test_case_1_the_wrong_option_gets_the_printed_verdicts_and_the_score_of_the_equation() -> None:
    found = verify(REPORTS, OPTION_E)
    assert differences(found, [CONTRADICTORY, POSSIBLE, POSSIBLE, POSSIBLE, CONTRADICTORY]) == []
    assert rounded(claim_score(verdicts(found))) == 0.210  # printed: 0.350


def test_case_1_the_right_option_could_be_true_and_need_not_be() -> None:
    found = verify(REPORTS, OPTION_D)
    assert verdicts(found) == [POSSIBLE, POSSIBLE, POSSIBLE, POSSIBLE, ENTAILED]
    assert differences(found, [ENTAILED, POSSIBLE, POSSIBLE, POSSIBLE, ENTAILED]) == ["c0"]
    fails = found["c0"].fails
    assert fails is not None
    assert all(premise.holds(fails) for premise in REPORTS.premises.values())
    assert not OPTION_D["c0"].holds(values(fails, tuple(SLOT.values())))
    assert verify_joint(REPORTS, all_stated(OPTION_D)).verdict is JointVerdict.CONSISTENT


# Case 2: a party (FOLIO). There may be any number of people besides Alan.

PEOPLE = Vocabulary(
    (Entity("Alan"),), tuple(Predicate(name, ("thing",)) for name in ("Guest", "Wine", "Beer", "Cheese", "LikesFish"))
)


def says(text: str) -> Formula:
    sentence = read_fol(text).sentence
    assert sentence is not None
    return state(sentence, PEOPLE)


PARTY = Context(
    {
        "p1": says("forall x (Guest(x) -> Wine(x) or Beer(x))"),
        "p2": says("forall x (Guest(x) and Wine(x) -> Cheese(x))"),
        "p3": says("forall x (Cheese(x) -> not LikesFish(x))"),
        "p4": says("Guest(Alan)"),
        "p5": says("LikesFish(Alan)"),
    },
    PEOPLE,
    BUDGET,
)
WINE, BEER = says("Wine(Alan)"), says("Beer(Alan)")


def test_case_2_the_hallucination_is_contradictory() -> None:
    found = verify_claim(PARTY, WINE)
    assert found.verdict is CONTRADICTORY
    assert found.premises == ("p2", "p3", "p4", "p5")
    assert claim_score([found.verdict]).score == 0.0
    joint = verify_joint(PARTY, {"c0": WINE})
    assert joint.verdict is JointVerdict.CONFLICT
    assert joint.set_aside == ("c0",)  # as printed: delete the claim


def test_case_2_the_refined_answer_is_entailed_and_scores_one() -> None:
    found = verify(PARTY, {"c0": BEER, "c1": ~WINE})
    assert verdicts(found) == [ENTAILED, ENTAILED]
    assert found["c0"].premises == ("p1", "p2", "p3", "p4", "p5")
    assert claim_score(verdicts(found)) == Score(1.0, 1.0, 0.0)
    assert verify_joint(PARTY, {"c0": BEER, "c1": ~WINE}).verdict is JointVerdict.CONSISTENT


# Case 3: three houses in a row (ZebraLogic).

RED, BLUE, GREEN = (Variable(f"position({name})", IntSort(1, 3)) for name in ("Red", "Blue", "Green"))
PRINTED = {"right": BLUE.eq(RED + 1), "left": GREEN < BLUE}
ROW = (RED, BLUE, GREEN)
HOUSES = context({"different": AllDifferent(ROW), **PRINTED}, words(ROW), BUDGET)
"""The printed formulas as they are: they do not forbid two houses in one place."""
RED_BLUE_GREEN = {"c0": RED.eq(1), "c1": BLUE.eq(2), "c2": GREEN.eq(3)}
GREEN_RED_BLUE = {"c0": GREEN.eq(1), "c1": RED.eq(2), "c2": BLUE.eq(3)}


def test_case_3_in_a_row_no_part_of_the_first_answer_is_possible() -> None:
    found = verify(HOUSES, RED_BLUE_GREEN)
    assert verdicts(found) == [CONTRADICTORY] * 3
    assert differences(found, [POSSIBLE, POSSIBLE, CONTRADICTORY]) == ["c0", "c1"]
    everything = ("different", "right", "left")
    assert [found[id].premises for id in found] == [everything, everything, ("left",)]
    assert claim_score(verdicts(found)).score == 0.0


def test_case_3_the_second_answer_is_entailed_and_scores_one() -> None:
    found = verify(HOUSES, GREEN_RED_BLUE)
    assert verdicts(found) == [ENTAILED] * 3
    assert claim_score(verdicts(found)).score == 1.0
    assert verify_joint(HOUSES, all_stated(GREEN_RED_BLUE)).verdict is JointVerdict.CONSISTENT
