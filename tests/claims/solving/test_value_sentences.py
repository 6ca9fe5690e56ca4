"""Sentences about dates, times and numbers against brute force: values are gone through one by one here."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, timedelta
from functools import reduce
from operator import and_, or_

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.partial_witness import told
from holdtrue.solving.result import Core, Satisfiable
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.meaning import Stated, state
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import verify_claim
from holdtrue_claims.solving.sentence_engine import SentenceEngine

BUDGET = Budget(timeout_s=20.0)
WORDS = Vocabulary(
    (Entity("Ann", "person"),),
    (
        Predicate("P", ("whole",)),
        Predicate("Q", ("whole",)),
        Predicate("Due", ("date",)),
        Predicate("Leaves", ("time",)),
        Predicate("Quiet", ("time",)),
        Predicate("Holiday", ("date",)),
        Predicate("Works", ("person", "date")),
        Predicate("Sick", ("date",)),
        Predicate("Fit", ("person",)),
    ),
    (
        Function("opens", ("date",), result="time"),
        Function("fee", ("whole",), result="EUR(2)"),
        Function("due", ("whole",), result="date"),
        Function("born", ("person",), result="date"),
    ),
)


def stated(text: str) -> Stated:
    read = read_fol(text)
    assert read.sentence is not None, read.alerts
    meant = state(read.sentence, WORDS)
    assert state(read_fol(write_fol(meant.sentence)).sentence, WORDS) == meant
    return meant


def answer(*sentences: fol.Sentence) -> bool | None:
    """Return whether sentences can all hold, or None if the engine does not know."""
    soft = {f"S{place}": state(sentence, WORDS) for place, sentence in enumerate(sentences)}
    engine = SentenceEngine(WORDS)
    found = engine.check(soft, BUDGET)
    if isinstance(found, Satisfiable):
        assert all(told(formula, found.witness) is not False for formula in soft.values())
    if isinstance(found, Core):
        again = engine.check({id: soft[id] for id in found.ids}, BUDGET)
        assert not isinstance(again, Satisfiable), "a core holds"
    return True if isinstance(found, Satisfiable) else False if isinstance(found, Core) else None


# --- numbers, with predicates of which nothing is known --------------------------------------------------------------

# Comparisons are with 0 to 3: beyond these two numbers on each side stand for all, as a sentence has one quantifier.
LEAST, GREATEST = -2, 5
RANGE = range(LEAST, GREATEST + 1)
FACTS = 2 * len(RANGE)
EVERYTHING = (1 << (1 << FACTS)) - 1


def table(bit: int) -> int:
    """All assignments in which one of the facts holds, as the bits of a number."""
    half = 1 << bit
    block = ((1 << half) - 1) << half
    width = half * 2
    while width < 1 << FACTS:
        block |= block << width
        width *= 2
    return block


TABLES = {(name, v): table(at * len(RANGE) + v - LEAST) for at, name in enumerate("PQ") for v in RANGE}


def meaning(node: fol.Sentence, values: Mapping[str, int]) -> int:
    """The assignments of P and Q in which a sentence holds."""

    def worth(term: fol.Term) -> int:
        return values[term.name] if isinstance(term, fol.Bound) else int(term.value)  # type: ignore[union-attr]

    match node:
        case fol.Holds(name, (term,)):
            return TABLES[name, worth(term)]
        case fol.Compare(op, fol.Count(variable, body), number):
            held = [meaning(body, {**values, variable: value}) for value in RANGE]
            return reduce(or_, (rows for count, rows in exactly(held).items() if OPS[op](count, worth(number))), 0)
        case fol.Compare(op, left, right):
            return EVERYTHING if OPS[op](worth(left), worth(right)) else 0
        case fol.Not(operand):
            return EVERYTHING ^ meaning(operand, values)
        case fol.And(operands):
            return reduce(and_, (meaning(own, values) for own in operands), EVERYTHING)
        case fol.Or(operands):
            return reduce(or_, (meaning(own, values) for own in operands), 0)
        case fol.Implies(left, right):
            return (EVERYTHING ^ meaning(left, values)) | meaning(right, values)
        case fol.Iff(left, right):
            return EVERYTHING ^ meaning(left, values) ^ meaning(right, values)
        case fol.Quantified(quantifier, variable, body):
            held = [meaning(body, {**values, variable: value}) for value in RANGE]
            return reduce(and_ if quantifier == "forall" else or_, held)
    raise AssertionError(node)


def exactly(held: list[int]) -> dict[int, int]:
    """For each number the assignments in which so many of some sentences hold."""
    found = {0: EVERYTHING}
    for rows in held:
        found = {
            count: (found.get(count, 0) & (EVERYTHING ^ rows)) | (found.get(count - 1, 0) & rows)
            for count in range(len(found) + 1)
        }
    return found


OPS = {
    "=": int.__eq__, "!=": int.__ne__, "<": int.__lt__, "<=": int.__le__, ">": int.__gt__, ">=": int.__ge__
}  # fmt: skip
X = fol.Bound("x")
small = st.integers(0, 3).map(fol.Number)
operators = st.sampled_from(sorted(OPS))
literals = st.one_of(
    st.builds(fol.Holds, st.sampled_from("PQ"), st.just((X,))),
    st.builds(fol.Holds, st.sampled_from("PQ"), small.map(lambda own: (own,))),
    st.builds(fol.Compare, operators, st.just(X), small),
)
bodies = st.recursive(
    literals,
    lambda inner: st.one_of(
        st.builds(fol.Not, inner),
        st.builds(
            lambda kind, parts: kind(tuple(parts)),
            st.sampled_from([fol.And, fol.Or]),
            st.lists(inner, min_size=2, max_size=3),
        ),
        st.builds(fol.Implies, inner, inner),
        st.builds(fol.Iff, inner, inner),
    ),
    max_leaves=5,
)
within = st.builds(
    lambda low, high, body: fol.And((fol.Compare(">=", X, low), fol.Compare("<=", X, high), body)), small, small, bodies
)
quantified = st.one_of(
    st.builds(fol.Quantified, st.sampled_from(["forall", "exists"]), st.just("x"), bodies, st.just("whole")),
    st.builds(lambda body: fol.Quantified("exists", "x", body, "whole"), within),
    st.builds(lambda own: fol.Quantified("forall", "x", fol.Not(own), "whole"), within),
    st.builds(lambda op, body, n: fol.Compare(op, fol.Count("x", body, "whole"), n), operators, within, small),
)
known: dict[bool | None, int] = {}


@settings(max_examples=60, deadline=None)
@given(st.lists(quantified | quantified.map(fol.Not), min_size=1, max_size=2))
def test_numbers_are_as_brute_force_has_them(sentences: list[fol.Sentence]) -> None:
    possible = reduce(and_, (meaning(sentence, {}) for sentence in sentences)) != 0
    found = answer(*sentences)
    known[found] = known.get(found, 0) + 1
    assert found in (None, possible)


def test_most_of_them_are_known() -> None:
    assert known.get(None, 0) <= sum(known.values()) / 8, known


# --- the calendar and money, without predicates ----------------------------------------------------------------------

days = st.dates(date(2023, 12, 1), date(2025, 3, 31))
PARTS = {
    "weekday_of": lambda day: day.isoweekday(),
    "day_of": lambda day: day.day,
    "month_of": lambda day: day.month,
    "year_of": lambda day: day.year,
}


@settings(max_examples=40, deadline=None)
@given(days, st.integers(0, 70), st.sampled_from(sorted(PARTS)), st.integers(1, 31), operators, st.data())
def test_days_are_counted_and_summed_as_a_calendar_has_them(
    first: date, length: int, part: str, value: int, op: str, data: st.DataObject
) -> None:
    last = first + timedelta(days=length)
    found = [first + timedelta(days=n) for n in range(length + 1)]
    held = [day for day in found if OPS[op](PARTS[part](day), value)]
    number = data.draw(st.sampled_from([len(held), len(held) + 1]))
    condition = f"d ≥ {first} ∧ d ≤ {last} ∧ {part}(d) {op} {value}"
    for text, true in (
        (f"count d ∈ date ({condition}) = {number}", number == len(held)),
        (f"sum d ∈ date (day_of(d) where {condition}) ≤ {number}", sum(day.day for day in held) <= number),
        (f"∃d ∈ date ({condition})", bool(held)),
        (f"∀d ∈ date ({condition} → d + 1 month > {last})", all(month_later(day) > last for day in held)),
    ):
        assert answer(stated(text).sentence) is true, text


def month_later(day: date) -> date:
    year, month = (day.year + day.month // 12, day.month % 12 + 1)
    following = date(year + month // 12, month % 12 + 1, 1) - timedelta(days=1)
    return min(date(year, month, min(day.day, following.day)), following)


@settings(max_examples=30, deadline=None)
@given(st.integers(-20, 20), st.integers(0, 15), st.integers(1, 4), st.integers(-60, 60))
def test_money_goes_by_its_steps(low: int, length: int, factor: int, wanted: int) -> None:
    cents = range(low + 1, low + length)
    text = f'∃x ∈ "EUR(2)" (x > {low} eurocent ∧ x < {low + length} eurocent ∧ {factor}*x = {wanted} eurocent)'
    assert answer(stated(text).sentence) is any(factor * cent == wanted for cent in cents)


# --- what people say -------------------------------------------------------------------------------------------------

BUS = "∀t ∈ time (Leaves(t) ↔ t ≥ 06:00 ∧ t ≤ 22:00 ∧ ∃n ∈ whole (t = 06:00 + n * 20 min))"
OPENING = "∀d ∈ date (weekday_of(d) ≤ 5 ∧ ¬Holiday(d) → opens(d) = 09:00)"
RENT = "∀d ∈ date (Due(d) ↔ day_of(d) = 3)"
LENT = "count d ∈ date (d > 2026-03-01 ∧ d ≤ due(0) ∧ weekday_of(d) ≤ 5) = 5 ∧ weekday_of(due(0)) ≤ 5"
NIGHT = "∀t ∈ time (t ≥ 22:00 ∨ t < 06:00 → Quiet(t))"


YEAR = (
    "∀d ∈ date (Holiday(d) → Due(d)) ∧ ∀d ∈ date (weekday_of(d) = 7 → ¬Due(d))"
    " ∧ ∀d ∈ date (year_of(d) = 2026 ∧ ¬Holiday(d) → ¬Due(d))"
)
BORN = "∀p ∈ person (¬Fit(p) ∨ ∀d ∈ date (Works(p, d) ↔ d > born(p) + 2 month))"
SERVED = (
    "∀p ∈ person ∀d ∈ date (count e ∈ date (e ≥ d ∧ e < d + 60 day ∧ Works(p, e)) ≤ 10)"
    " ∧ ∀d ∈ date (d ≥ 2026-03-02 ∧ d ≤ 2026-03-13 ∧ weekday_of(d) ≤ 5 → Works(Ann, d))"
)


@pytest.mark.parametrize(
    ("premises", "claim", "verdict"),
    [
        ([BUS], "Leaves(07:20)", "entailed"),
        ([BUS], "Leaves(07:30)", "contradictory"),
        ([BUS], "count t ∈ time (t ≥ 07:00 ∧ t < 08:00 ∧ Leaves(t)) = 3", "entailed"),
        ([BUS], "count t ∈ time (t ≥ 06:00 ∧ t ≤ 22:00 ∧ Leaves(t)) = 49", "entailed"),
        ([YEAR, "¬Holiday(2026-05-01)"], "Due(2026-05-01)", "contradictory"),
        ([YEAR], "Due(2026-05-01)", "possible"),
        ([YEAR], "Due(2027-05-03)", "possible"),
        ([OPENING, "¬Holiday(2026-03-02)"], "opens(2026-03-02) = 09:00", "entailed"),
        ([OPENING, "¬Holiday(2026-03-02)"], "opens(2026-03-02) > 09:30", "contradictory"),
        ([OPENING], "opens(2026-03-02) = 09:00", "possible"),
        ([OPENING], "opens(2026-03-07) = 10:00", "possible"),
        ([RENT], "Due(2026-03-03)", "entailed"),
        ([RENT], "count d ∈ date (d ≥ 2026-01-01 ∧ d ≤ 2026-12-31 ∧ Due(d)) = 12", "entailed"),
        ([NIGHT], "Quiet(23:30)", "entailed"),
        ([NIGHT], "Quiet(12:00)", "possible"),
        ([NIGHT, "∀t ∈ time (Quiet(t) → ¬Leaves(t))"], "∃t ∈ time (Leaves(t) ∧ t > 23:00)", "contradictory"),
        (["∀p ∈ person ∀d ∈ date (Works(p, d) → weekday_of(d) ≤ 5)"], "Works(Ann, 2026-03-07)", "contradictory"),
        (["∀d ∈ date (weekday_of(d) = 1 → Works(Ann, d))"], "∀p ∈ person (Works(p, 2026-03-02))", "possible"),
        (["∀n ∈ whole (n ≥ 0 → fee(n) = n * 1.50 EUR)"], "fee(3) = 4.50 EUR", "entailed"),
        (
            ["∀d ∈ date count e ∈ date (d ≤ e ∧ e < d + 1 week ∧ Sick(e)) < 3", "Sick(2026-03-02) ∧ Sick(2026-03-04)"],
            "Sick(2026-03-05)",
            "contradictory",
        ),
        ([LENT], "due(0) = 2026-03-06", "entailed"),
        ([LENT], "due(0) = 2026-03-07", "contradictory"),
        ([LENT], "Sick(2026-03-06)", "possible"),
        pytest.param(["∀d ∈ date (Sick(d) → ∀e ∈ date (Sick(e) ∧ e > d → e ≥ d + 3 year))", "Sick(2026-03-02)"],
         "Sick(2028-03-01)", "contradictory", marks=pytest.mark.slow),
        (["∀d ∈ date (month_of(d) = 7 ∨ month_of(d) = 8 ∧ day_of(d) < 16 → ¬Sick(d))"], "Sick(2026-09-01)", "possible"),
        ([SERVED], "Works(Ann, 2026-05-15)", "possible"),
        ([BORN], "Works(Ann, 2026-03-07)", "possible"),
        (["∀d ∈ date (Sick(d) → Holiday(d + 1 day) ∨ weekday_of(d) > 5)"], "Sick(2026-03-02)", "possible"),
    ],
)  # fmt: skip
def test_periods_timetables_and_working_days_are_decided(premises: list[str], claim: str, verdict: str) -> None:
    formulas = {f"P{place}": stated(text) for place, text in enumerate(premises, 1)}
    assert verify_claim(Context(formulas, WORDS, BUDGET), stated(claim)).verdict == verdict


def test_what_cannot_be_gone_through_is_not_known_and_never_true() -> None:
    found = SentenceEngine(WORDS).check({"S": stated("∃d ∈ date (Due(d) ∧ opens(d) > 08:00)")}, BUDGET)
    endless = stated("∀n ∈ whole (n * n ≥ n)")
    if isinstance(found, Satisfiable):
        assert found.witness.truth(endless.sentence) is None  # type: ignore[attr-defined]


@pytest.mark.parametrize(
    ("text", "alert"),
    [
        ("count d ∈ date (Due(d)) = 3", "needs a least and a greatest value"),
        ("count d ∈ date (d > 2026-03-01 ∧ Due(d)) = 3", "needs a least and a greatest value"),
        ("∀d ∈ date (d = Ann)", "Ann is a thing"),
        ("∀d ∈ date (Works(d, d))", "stands where a person has to"),
        ("∀d ∈ date (d > 06:00)", "is a time"),
        ("∀t ∈ tme (Leaves(06:00))", "is no sort of the vocabulary"),
    ],
)
def test_what_has_no_meaning_is_told(text: str, alert: str) -> None:
    with pytest.raises(FormulaError, match=alert):
        state(read_fol(text).sentence, WORDS)
