"""Which clauses of one claim have to go."""

from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.solving.result import Equivalent
from holdtrue_claims.claim_record import ClauseRecord
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.meaning import Stated, state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import Entity, Predicate, Vocabulary
from holdtrue_claims.fol.written_out import clauses
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import correct_clauses, verify_claim
from holdtrue_claims.kind.equivalence import same_meaning
from holdtrue_claims.kind.loop import claim_signal
from holdtrue_claims.kind.prompts.questions import DROP, VERDICTS, signal_lines
from holdtrue_claims.kind.verdict_words import Sayings, list_claims
from tests.claims.kind.test_checking import FORMULAS, check, saying

WORDS = Vocabulary(
    (Entity("Ann", "guest"), Entity("Bob", "guest")),
    tuple(Predicate(name, ("guest",), f"x {said}") for name, said in (("P", "came"), ("Q", "sang"), ("R", "left"))),
)
ATOMS = [fol.Holds(name, (thing,)) for name in "PQR" for thing in (fol.Constant("Ann"), fol.Bound("x"))]
SENTENCES = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        st.builds(fol.Not, inner),
        st.builds(lambda one, two: fol.And((one, two)), inner, inner),
        st.builds(lambda one, two: fol.Or((one, two)), inner, inner),
        st.builds(fol.Implies, inner, inner),
        st.builds(fol.Iff, inner, inner),
        st.builds(fol.Quantified, st.sampled_from(["forall", "exists"]), st.just("x"), inner, st.sampled_from([None])),
    ),
    max_leaves=5,
)


def formula(text: str) -> Stated:
    return state(read_fol(text).sentence, WORDS)


@settings(deadline=None, max_examples=60)
@given(SENTENCES, st.sampled_from(["guest", None]))
def test_the_clauses_together_say_the_sentence(inner: fol.Sentence, sort: str | None) -> None:
    whole = fol.Quantified("forall", "x", inner, sort)
    assert isinstance(same_meaning(Stated(whole), Stated(fol.And(clauses(whole))), WORDS), Equivalent)


@settings(deadline=None, max_examples=60)
@given(st.lists(SENTENCES, min_size=2, max_size=3), SENTENCES)
def test_what_can_stay_holds_or_follows_and_nothing_goes_in_vain(parts: list[fol.Sentence], told: fol.Sentence) -> None:
    claim = Stated(fol.Quantified("forall", "x", fol.And(tuple(parts))))
    context = Context({"P1": Stated(fol.Quantified("forall", "x", told))}, WORDS, Budget())
    verdict = verify_claim(context, claim).verdict
    found, all_ = correct_clauses(context, claim, verdict), clauses(claim.sentence)
    if verdict.value not in ("contradictory", "possible") or len(all_) < 2:
        assert found is None
        return
    assert found is not None and found.drop and len(found.drop) + len(found.keep) == len(all_)
    follows = [verify_claim(context, Stated(each)).verdict.value for each in all_]
    if verdict.value == "possible":
        assert len(found.keep) == follows.count("entailed")
    else:
        assert found.minimum and len(found.drop) >= max(1, follows.count("contradictory"))


@pytest.mark.parametrize(
    ("claim", "drop", "keep"),
    [
        ("P(Ann) and not Q(Ann) and R(Ann)", ("It is not true that Ann sang.",), ("Ann came.", "Ann left.")),
        (
            "forall x (P(x) -> Q(x) and not R(x))",
            ("For every x: if x came, then it is not true that x left.",),
            ("For every x: if x came, then x sang.",),
        ),
        ("P(Bob) and R(Ann)", ("Bob came.",), ("Ann left.",)),
    ],
)
def test_the_fewest_clauses_go(claim: str, drop: tuple[str, ...], keep: tuple[str, ...]) -> None:
    context = Context({f"P{at}": formula(f"{name}(Ann)") for at, name in enumerate("PQR", 1)}, WORDS, Budget())
    verdict = verify_claim(context, formula(claim)).verdict
    assert correct_clauses(context, formula(claim), verdict) == ClauseRecord(drop, keep, minimum=True)


def test_they_are_told_and_fed_back() -> None:
    said = {"Ines gets up early but likes clubs": "Early(Ines) and Clubs(Ines)"}
    said["Ines gets up early and Omar bakes"] = "Early(Ines) and Baker(Omar)"
    premises, found = check(saying(*said, formulas={**FORMULAS, **said}))
    wrong, open_ = found.claims
    assert wrong.clauses == ClauseRecord(("Ines likes night clubs.",), ("Ines rises early.",), minimum=True)
    told = "\n".join(list_claims(found, Sayings(premises.record, found)))
    assert "has to go (as few as can be): Ines likes night clubs. It can stay: Ines rises early." in told
    assert "does not follow: Omar is a baker. It follows: Ines rises early." in told
    full, without = (claim_signal(kind, found, premises.record) for kind in ("full", "no_mcs"))
    lines = signal_lines(full, "said")
    assert lines[lines.index(DROP) + 1] == "  - Ines likes night clubs."
    assert full.weak == (f"{open_.text.rstrip('.')} ({VERDICTS['possible']}: Omar is a baker)",)
    assert DROP not in signal_lines(without, "said")
