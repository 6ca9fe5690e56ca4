"""Values without an end, gone through by regions, against values gone through one by one."""

from __future__ import annotations

from collections.abc import Sequence
from fractions import Fraction
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.value_sorts import DATE, Instant, read_calendar
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.evaluation import Fact
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.syntax import substituted
from holdtrue_claims.fol.vocabulary import Function, Predicate, Vocabulary

WORDS = Vocabulary(
    (),
    (Predicate("P", ("whole",)), Predicate("R", ("whole", "whole")), Predicate("Due", ("date",))),
    (Function("f", ("whole",), result="whole"),),
)
UNITS = {"Due": 86_400}
FIRST, DAY = read_calendar("2026-02-01").value, 86_400


class Facts(dict[Fact, Any]):
    """Some facts are listed, and all others of a name are alike."""

    def get(self, fact: Fact, default: object = None) -> int:
        return int(super().get(fact, self[fact[0], ()]))

    def ends(self, name: str, place: int) -> Sequence[Fraction]:
        return sorted(
            {
                Fraction(args[place]) + more
                for own, args in self
                if own == name and args
                for more in (0, UNITS.get(name, 1))
            }
        )


whole, truth = st.integers(0, 3), st.integers(0, 1)
tables = st.builds(
    lambda p, r, f, due, others: Facts(
        {("P", (Fraction(n),)): v for n, v in p.items()}
        | {("R", (Fraction(n), Fraction(m))): v for (n, m), v in r.items()}
        | {("f", (Fraction(n),)): v for n, v in f.items()}
        | {("Due", (Fraction((FIRST + n) * DAY),)): v for n, v in due.items()}
        | {(name, ()): value for name, value in zip(("P", "R", "Due", "f"), others, strict=True)}
    ),
    st.dictionaries(whole, truth),
    st.dictionaries(st.tuples(whole, whole), truth),
    st.dictionaries(whole, st.integers(-2, 3)),
    st.dictionaries(st.integers(0, 40), truth),
    st.tuples(truth, truth, truth, st.integers(-1, 2)),
)


def sentences(atoms: Sequence[str], variables: Sequence[str], sort: str) -> st.SearchStrategy[str]:
    """Sentences whose atoms have one of the variables for `X` and `Y`, and a number for each `#`."""
    atom = st.builds(
        lambda text, x, y, n, m: text.replace("X", x).replace("Y", y).replace("#", str(n), 1).replace("#", str(m)),
        st.sampled_from(atoms),
        st.sampled_from(variables),
        st.sampled_from(variables),
        whole,
        st.integers(1, 9),
    )
    joined = st.recursive(
        atom,
        lambda inner: st.one_of(
            inner.map(lambda own: f"¬({own})"),
            st.builds(lambda op, a, b: f"(({a}) {op} ({b}))", st.sampled_from("∧∨→↔"), inner, inner),
        ),
        max_leaves=5,
    )
    prefix = st.tuples(*(st.sampled_from((f"∀{v} ∈ {sort} ", f"∃{v} ∈ {sort} ")) for v in variables))
    return st.builds(lambda before, body: f"{''.join(before)}({body})", prefix, joined)


def one_by_one(sentence: fol.Sentence, facts: Facts, low: int, high: int, unit: int) -> bool:
    """Evaluate a sentence by replacing each quantifier by values from the least to the greatest."""
    structure = Structure(WORDS, {}, facts)

    def holds(node: fol.Sentence, bound: dict[str, fol.Term]) -> bool:
        if not isinstance(node, fol.Quantified):
            return bool(structure.truth(substituted(node, bound)))
        over = all if node.quantifier == "forall" else any
        own = (Instant(v, DATE) if unit == DAY else fol.Number(v) for v in range(low, high + 1))
        return over(holds(node.body, {**bound, node.variable: value}) for value in own)

    return holds(sentence, {})


NUMBERS = ["X > #", "X = Y + #", "2*X < Y", "P(X)", "P(X + #)", "R(X, Y)", "f(X) ≥ #", "f(X) + X > Y", "mod(X, 3) = #",
           "div(X, 2) = #", "max(X, #) = #", "if(P(X), X, 2) < #",
           "count z ∈ whole (z ≥ X ∧ z < X + 3 ∧ P(z)) ≤ 1",
           "count z ∈ whole (z ≥ 0 ∧ z < X ∧ P(z)) < #",
           "sum z ∈ whole (f(z) where z ≥ X ∧ z < X + 2) > #"]  # fmt: skip


@settings(max_examples=100, deadline=None)
@given(st.sampled_from(["n", "nm"]).flatmap(lambda own: sentences(NUMBERS, own, "whole")), tables)
def test_numbers(text: str, facts: Facts) -> None:
    sentence = read_fol(text).sentence
    assert sentence is not None
    found = Structure(WORDS, {}, facts).truth(sentence)
    known[found is None] = known.get(found is None, 0) + 1
    assert found in (None, one_by_one(sentence, facts, -11, 17, 1)), text


known: dict[bool, int] = {}


def test_most_are_known() -> None:
    assert known.get(True, 0) < known[False], known


DAYS = ["X ≥ 2026-02-1#", "Due(X)", "Due(X + # day)", "weekday_of(X) = #", "weekday_of(X + # day) ≤ 5", "day_of(X) = #",
        "month_of(X) = #", "year_of(X) ≤ 2026", "Due(X + # month)", "X + 1 month > 2026-02-2#", "day_of(X - # day) > #",
        "count z ∈ date (z ≥ X ∧ z < X + 1 week ∧ Due(z)) ≤ #", "∃z ∈ date (z > X ∧ z < X + 1 month ∧ day_of(z) = 30)",
        "count z ∈ date (z ≥ X ∧ z < X + 1 week ∧ weekday_of(z) ≤ 5) = 5"]  # fmt: skip


@settings(max_examples=25, deadline=None)
@given(sentences(DAYS, "d", "date"), tables)
def test_days(text: str, facts: Facts) -> None:
    sentence = read_fol(text).sentence
    assert sentence is not None
    found = Structure(WORDS, {}, facts).truth(sentence)
    known[found is None] = known.get(found is None, 0) + 1
    assert found in (None, one_by_one(sentence, facts, FIRST - 400, FIRST + 800, DAY)), text
