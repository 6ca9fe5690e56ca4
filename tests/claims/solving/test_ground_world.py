"""Instances refute only sentences that cannot all hold."""

from __future__ import annotations

from dataclasses import replace

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Constant, Holds
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.solving.ground_world import refuted

VOCABULARY = Vocabulary(
    entities=(Entity("Ann", "guest"), Entity("Ben", "guest")),
    predicates=(Predicate("Holiday", ("date",)), Predicate("Came", ("guest", "date"))),
    functions=(
        Function("endOf", ("date",), result="date"),
        Function("fee", ("guest",), result="EUR"),
        Function("host", ("guest",), result="guest"),
    ),
)
WORKING = (
    "∀d ∈ date ((weekday_of(d) ≥ 6 ∨ Holiday(d)) → endOf(d) > d ∧ weekday_of(endOf(d)) ≤ 5 ∧ ¬Holiday(endOf(d))"
    " ∧ ∀e ∈ date (e > d ∧ e < endOf(d) → weekday_of(e) ≥ 6 ∨ Holiday(e)))"
)
FEW = "∀d ∈ date (d ≥ 2026-04-01 ∧ d ≤ 2026-04-30 → (Holiday(d) ↔ d = 2026-04-03 ∨ d = 2026-04-06))"


def refutes(*texts: str, seconds: float = 20.0) -> bool:
    asked = {f"P{at}": state(read_fol(text).sentence, VOCABULARY).sentence for at, text in enumerate(texts)}
    return refuted(VOCABULARY, (), asked, Budget(timeout_s=seconds)) is not None


def test_the_next_working_day_is_proved() -> None:
    assert refutes(WORKING, FEW, "endOf(2026-04-03) ≠ 2026-04-07")
    assert not refutes(WORKING, FEW, "endOf(2026-04-03) = 2026-04-07", seconds=0.3)


def test_days_of_a_year_that_nobody_names_are_found() -> None:
    rule = "∀s ∈ date ∀d ∈ date (month_of(s) = 4 ∧ day_of(s) = 6 ∧ d ≥ s ∧ d < s + 12 month → Holiday(d))"
    assert refutes(rule, "¬Holiday(2027-04-05)")
    assert not refutes(rule, "∃d ∈ date ¬Holiday(d + 1 day)", seconds=0.3)


def test_a_sum_has_nothing_but_what_is_said_to_be_all() -> None:
    everyone = "∀g ∈ guest (host(g) = Ann → g = Ann ∨ g = Ben)"
    told = "fee(Ann) = 2 EUR ∧ fee(Ben) = 3 EUR ∧ host(Ann) = Ann ∧ host(Ben) = Ann"
    total = "sum g ∈ guest (fee(g) where host(g) = Ann)"
    assert refutes(everyone, told, f"{total} ≠ 5 EUR")
    assert not refutes(told, f"{total} ≠ 5 EUR", seconds=0.3)


@settings(max_examples=10, deadline=None)
@given(st.integers(1, 28), st.integers(1, 28), st.sampled_from(["day", "month"]))
def test_nothing_that_holds_is_refuted(first: int, other: int, unit: str) -> None:
    rule = f"∀g ∈ guest ∀d ∈ date (Came(g, d) → Came(g, d + {other} {unit}) ∧ ∃h ∈ guest Came(h, d))"
    assert not refutes(rule, f"Came(Ann, 2026-01-{first:02})", f"¬Came(Ben, 2026-02-{other:02})", seconds=0.3)
    assert refutes(rule, f"Came(Ann, 2026-01-{first:02})", f"¬Came(Ann, 2026-01-{first:02} + {other} {unit})")


def test_what_need_not_be_there_is_not_taken_to_be() -> None:
    words = Vocabulary((Entity("Ann", "guest"),), (Predicate("Has", ("guest", "key")), Predicate("Late", ("guest",))))
    words = replace(words, closed=("key",))
    said = state(read_fol("∀g ∈ guest (Late(g) → ∃k ∈ key Has(g, k))").sentence, words).sentence
    assert refuted(words, (), {"P": said, "Q": Holds("Late", (Constant("Ann"),))}, Budget(timeout_s=20.0)) is not None
    assert refuted(words, (), {"P": said}, Budget(timeout_s=0.3)) is None
