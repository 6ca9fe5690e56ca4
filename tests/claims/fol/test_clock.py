"""A sentence about times of day beyond midnight implies its rewritten form, whose times are all within the day."""

from __future__ import annotations

from itertools import product
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.conventions import calendar_weakened
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary

HOUR = 3600
SHIFTS = Vocabulary(
    (Entity("A", "shift"), Entity("B", "shift")),
    (Predicate("Long", ("shift",)),),
    (Function("start", ("shift",), result="time"), Function("end", ("shift",), result="time")),
)


def said(text: str) -> fol.Sentence:
    return state(read_fol(text).sentence, SHIFTS).sentence


ATOMS = [
    said(text)
    for text in (
        "end(A) = start(A) + 90 min",
        "end(B) - start(A) >= 8 hour",
        "start(B) < 10:00",
        "Long(A)",
        "forall x in shift (end(x) >= start(x) + 2 hour)",
        "exists x in shift (end(x) - 3 hour > start(x))",
        "count x in shift (end(x) > start(x) + 2 hour) >= 1",
        "forall x in shift (Long(x) -> end(x) - start(x) > 8 hour)",
        "start(A) + (end(B) - start(B)) <= 20:00",
    )
]
sentences = st.recursive(
    st.sampled_from(ATOMS),
    lambda inner: st.one_of(
        inner.map(fol.Not),
        st.tuples(inner, inner).map(fol.And),
        st.tuples(inner, inner).map(fol.Or),
        st.builds(fol.Implies, inner, inner),
        st.builds(fol.Iff, inner, inner),
        st.builds(fol.Xor, inner, inner),
    ),
    max_leaves=5,
)


def situation(starts: tuple[int, ...], ends: tuple[int, ...], long: tuple[int, ...]) -> Structure:
    facts: dict[Any, Any] = {}
    for label, start, end, is_long in zip("AB", starts, ends, long, strict=True):
        facts |= {("start", (label,)): start, ("end", (label,)): end, ("Long", (label,)): is_long}
    return Structure(SHIFTS, {"A": frozenset({"shift"}), "B": frozenset({"shift"})}, facts)


pairs = st.tuples(st.integers(0, 23), st.integers(0, 23))
EITHER = st.tuples(st.integers(0, 1), st.integers(0, 1))


@given(sentences, pairs, pairs, EITHER)
def test_it_follows_from_the_sentence(
    sentence: fol.Sentence, starts: tuple[int, ...], ends: tuple[int, ...], long: tuple[int, ...]
) -> None:
    where = situation(tuple(HOUR * own for own in starts), tuple(HOUR * own for own in ends), long)
    weaker = calendar_weakened(sentence, SHIFTS, ("one_day",))
    state(weaker, SHIFTS)
    assert where.truth(weaker) or not where.truth(sentence)


@pytest.mark.parametrize("op", ["=", "!=", "<", "<=", ">", ">="])
@pytest.mark.parametrize("days", [0, 1])
def test_it_holds_however_many_days_lie_between_two_times(op: str, days: int) -> None:
    for hours, start, end in product((0, 1, 5, 23, 24, 25, 29), (0, 8, 22), (0, 7, 9, 23)):
        lasts = end - start + 24 * days
        if lasts < 0:
            continue
        truth = {"=": lasts == hours, "!=": lasts != hours, "<": lasts < hours, ">": lasts > hours}
        holds = truth[op] if op in truth else truth["="] or truth[op[0]]
        where = situation((start * HOUR, 0), (end * HOUR, 0), (0, 0))
        sentence = said(f"end(A) - start(A) {op} {hours} hour")
        weaker = calendar_weakened(sentence if holds else fol.Not(sentence), SHIFTS, ("one_day",))
        assert where.truth(weaker)


@given(sentences.filter(lambda own: not {*ATOMS[1::4], *ATOMS[7:]} & {*fol.walk(own)}), EITHER)
def test_within_the_day_it_is_the_sentence(sentence: fol.Sentence, long: tuple[int, ...]) -> None:
    for starts, ends in product(product((8, 9), repeat=2), product((11, 17), repeat=2)):
        where = situation(tuple(HOUR * own for own in starts), tuple(HOUR * own for own in ends), long)
        assert where.truth(calendar_weakened(sentence, SHIFTS, ("one_day",))) == where.truth(sentence)


@pytest.mark.parametrize("text", ["start(A) < end(A)", "forall x in shift (Long(x) -> start(x) = 08:00)"])
def test_without_a_sum_it_is_the_same_sentence(text: str) -> None:
    assert calendar_weakened(said(text), SHIFTS, ("one_day",)) == said(text)
