"""Nothing that nobody stated decides a claim: no range, no number of things, no list that is taken for complete."""

from __future__ import annotations

import pytest

from holdtrue.budget import Budget
from holdtrue.solving.result import Satisfiable
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol.meaning import Stated, state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import NOTHING_ELSE, ClaimFinding, verify_claim

ENTAILED, CONTRADICTORY, POSSIBLE = ClaimVerdict.ENTAILED, ClaimVerdict.CONTRADICTORY, ClaimVerdict.POSSIBLE
PEOPLE = Vocabulary(
    (Entity("Anna", "person"), Entity("Ben", "person")),
    (),
    (Function("weight", ("person",), result="kg"), Function("dose", ("person",), result="mg")),
)
GUESTS = Vocabulary((), (Predicate("Came", ("guest",)), Predicate("Paid", ("guest",))))
NAMED = Vocabulary((Entity("Ann", "guest"), Entity("Bob", "guest")), GUESTS.predicates)
INVOICE = Vocabulary(
    (Entity("Pens", "line"), Entity("Paper", "line")),
    (),
    (Function("amount", ("line",), result="EUR"), Function("total", (), result="EUR")),
)
LINES = ("amount(Pens) = 10 EUR", "amount(Paper) = 20 EUR", "total = sum x in line (amount(x))")
POSITIVE = "forall x in line (amount(x) >= 0 EUR)"


def said(text: str, vocabulary: Vocabulary) -> Stated:
    sentence = read_fol(text).sentence
    assert sentence is not None
    return state(sentence, vocabulary)


def found(vocabulary: Vocabulary, premises: tuple[str, ...], claim: str) -> ClaimFinding:
    theory = {f"P{place}": said(text, vocabulary) for place, text in enumerate(premises, 1)}
    return verify_claim(Context(theory, vocabulary, Budget(timeout_s=10.0)), said(claim, vocabulary))


WEIGHTS = ("weight(Anna) >= weight(Ben) + 5 kg", "weight(Ben) >= 48 kg")


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("weight(Ben) <= 55 kg", POSSIBLE),
        ("weight(Ben) > 1000 kg", POSSIBLE),
        ("weight(Ben) = 48.5 kg", POSSIBLE),
        ("weight(Anna) >= 53 kg", ENTAILED),
        ("weight(Anna) >= 53000 g", ENTAILED),
        ("weight(Anna) < 52.9 kg", CONTRADICTORY),
    ],
)
def test_a_weight_has_no_range_that_nobody_stated(claim: str, verdict: ClaimVerdict) -> None:
    finding = found(PEOPLE, WEIGHTS, claim)
    assert finding.verdict is verdict
    assert finding.premises == (() if verdict is POSSIBLE else ("P1", "P2"))


@pytest.mark.parametrize(
    ("claim", "verdict"),
    [
        ("dose(Ben) = 120 mg", POSSIBLE),
        ("dose(Ben) >= 120 mg", ENTAILED),
        ("dose(Ben) <= 100 mg", CONTRADICTORY),
        ("dose(Ben) > 0.12 g", POSSIBLE),
    ],
)
def test_a_dose_has_no_range_that_nobody_stated(claim: str, verdict: ClaimVerdict) -> None:
    rule = "forall x in person (dose(x) = 2 mg/kg * weight(x))"
    assert found(PEOPLE, (rule, "weight(Ben) >= 60 kg"), claim).verdict is verdict


@pytest.mark.parametrize(
    ("premises", "claim", "verdict"),
    [
        ((), "count x in guest (Came(x)) >= 3", POSSIBLE),
        ((), "count x in guest (Came(x)) = 0", POSSIBLE),
        ((), "count x in guest (Came(x)) >= 0", ENTAILED),
        (("count x in guest (Came(x)) >= 4",), "count x in guest (Came(x)) >= 3", ENTAILED),
        (("count x in guest (Came(x)) >= 4",), "count x in guest (Came(x)) >= 5", POSSIBLE),
        (("count x in guest (Came(x)) >= 4",), "count x in guest (Came(x)) <= 2", CONTRADICTORY),
        (("count x in guest (Came(x)) >= 4",), "not exists x in guest (Came(x))", CONTRADICTORY),
        (("count x in guest (Came(x)) = 4", "forall x in guest (Paid(x))"), "count x (Paid(x)) >= 4", ENTAILED),
    ],
)
def test_guests_whom_nobody_named_are_of_any_number(
    premises: tuple[str, ...], claim: str, verdict: ClaimVerdict
) -> None:
    assert found(GUESTS, premises, claim).verdict is verdict


def test_many_guests_without_names_are_no_contradiction() -> None:
    for number in (1, 4, 9):
        premise = said(f"count x in guest (Came(x)) >= {number}", GUESTS)
        assert isinstance(Context({"P1": premise}, GUESTS, Budget(timeout_s=10.0)).status, Satisfiable)


@pytest.mark.parametrize(
    ("closed", "claim", "verdict"),
    [
        ((), "forall x in guest (Came(x))", POSSIBLE),
        (("guest",), "forall x in guest (Came(x))", ENTAILED),
        ((), "count x in guest (Came(x)) = 2", POSSIBLE),
        (("guest",), "count x in guest (Came(x)) = 2", ENTAILED),
        (("guest",), "count x in guest (Came(x)) >= 3", CONTRADICTORY),
    ],
)
def test_the_named_guests_are_all_only_where_that_was_stated(
    closed: tuple[str, ...], claim: str, verdict: ClaimVerdict
) -> None:
    words = Vocabulary(NAMED.entities, NAMED.predicates, closed=closed, stated=("names",))
    assert found(words, ("Came(Ann)", "Came(Bob)"), claim).verdict is verdict


@pytest.mark.parametrize(
    ("closed", "more", "claim", "verdict"),
    [
        ((), (), "total = 30 EUR", POSSIBLE),
        ((), (), "total >= 30 EUR", POSSIBLE),
        ((), (POSITIVE,), "total >= 30 EUR", ENTAILED),
        ((), (POSITIVE,), "total < 30 EUR", CONTRADICTORY),
        ((), (POSITIVE,), "total = 30 EUR", POSSIBLE),
        (("line",), (), "total = 30 EUR", ENTAILED),
        (("line",), (), "total > 30 EUR", CONTRADICTORY),
    ],
)
def test_a_sum_is_known_only_where_the_list_is(
    closed: tuple[str, ...], more: tuple[str, ...], claim: str, verdict: ClaimVerdict
) -> None:
    words = Vocabulary(INVOICE.entities, (), INVOICE.functions, closed, stated=("names",))
    assert found(words, (*LINES, *more), claim).verdict is verdict


DOUBLED = ("sum x in line (amount(x)) = 30 EUR", "total = sum x in line (2*amount(x))")


@pytest.mark.parametrize(("claim", "assuming"), [("total = 60 EUR", ENTAILED), ("total != 60 EUR", CONTRADICTORY)])
def test_what_is_decided_only_if_the_list_is_whole_is_assumed_and_says_so(claim: str, assuming: ClaimVerdict) -> None:
    finding = found(INVOICE, DOUBLED, claim)
    assert (finding.verdict, finding.assuming) == (ClaimVerdict.ASSUMED, assuming)
    assert finding.assumptions == (NOTHING_ELSE,)
    assert (finding.premises, finding.minimal) == (("P1", "P2"), False)
    assert finding.holds is finding.fails is None


def test_with_a_list_that_was_stated_to_be_whole_nothing_is_assumed() -> None:
    words = Vocabulary(INVOICE.entities, (), INVOICE.functions, ("line",), stated=("names",))
    finding = found(words, DOUBLED, "total = 60 EUR")
    assert (finding.verdict, finding.assumptions) == (ENTAILED, ())
