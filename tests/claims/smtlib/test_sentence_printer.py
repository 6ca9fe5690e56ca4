"""Printed scripts against the engine of sentences: z3 reads the text, and nobody finds what the other one refutes."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError
from holdtrue.logic.civil_days import EXACT
from holdtrue.logic.units import unit
from holdtrue.logic.value_sorts import DATE, Instant
from holdtrue.solving.result import Core, Satisfiable
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.laws import stated_laws
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.smtlib.sentence_printer import own_sorts, write_sentences
from holdtrue_claims.solving.sentence_route import counted_sentences
from tests.claims.fol.typed import WORDS, holds, sentences, structures
from tests.logic.smtlib.printed import LISTED, SHORT_S, SORTED, SORTED_LISTED, printed, sorted_only, z3_says


def engine_says(vocabulary: Vocabulary, asked: Sequence[fol.Sentence], timeout_s: float = 30.0) -> str:
    soft = {f"S{place}": state(sentence, vocabulary) for place, sentence in enumerate(asked)}
    found = counted_sentences(vocabulary).check(soft, Budget(timeout_s=timeout_s))
    return "unsat" if isinstance(found, Core) else "sat" if isinstance(found, Satisfiable) else "unknown"


def read(text: str, vocabulary: Vocabulary) -> fol.Sentence:
    found = read_fol(text).sentence
    assert found is not None, text
    return state(found, vocabulary).sentence


VOCABULARIES = {"open": WORDS, "listed": LISTED, "sorted": SORTED, "sorted and listed": SORTED_LISTED}


def fitting(name: str, sentence: fol.Sentence) -> fol.Sentence:
    """The sentence as the vocabulary takes it: with guests alone where it has nothing of any sort."""
    found: fol.Sentence = sorted_only(sentence) if VOCABULARIES[name].predicates[1].sorts != (ANY, ANY) else sentence
    return found


@pytest.mark.parametrize("name", VOCABULARIES)
@given(drawn=st.lists(sentences, min_size=1, max_size=3), denied=st.booleans())
@settings(max_examples=10, deadline=None)
def test_the_text_has_the_verdict_of_the_engine(name: str, drawn: list[fol.Sentence], denied: bool) -> None:
    asked = [fitting(name, sentence) for sentence in drawn]
    asked[-1] = fol.Not(asked[-1]) if denied else asked[-1]
    text = printed(VOCABULARIES[name], asked)
    verdicts = (engine_says(VOCABULARIES[name], asked, SHORT_S), z3_says(text, SHORT_S))
    event(" ".join(verdicts))
    assert set(verdicts) != {"sat", "unsat"}, text


@given(structures(unnamed=1), st.lists(sentences, min_size=1, max_size=3))
@settings(max_examples=30, deadline=None)
def test_what_holds_in_a_structure_is_never_unsatisfiable(where: object, drawn: list[fol.Sentence]) -> None:
    asked = []
    for sentence in drawn:
        try:
            asked.append(sentence if holds(sentence, where, {}) else fol.Not(sentence))  # type: ignore[arg-type]
        except KeyError:  # a number that the structure has no fact about
            return
    assert z3_says(printed(WORDS, asked), SHORT_S) != "unsat"


GUESTS = Vocabulary(
    (Entity("Ann", "guest"), Entity("Bob", "guest"), Entity("2", "room"), Entity("3", "room")),
    (
        Predicate("Came", ("guest",)),
        Predicate("Likes", ("guest", "guest")),
        Predicate("Late", ("guest", "hour")),
        Predicate("Open", ()),
        Predicate("Suite", ("room",)),
    ),
    (
        Function("weight", ("guest",), result="kg"),
        Function("luggage", ("guest",), result="g(0)", low=0),
        Function("price", ("guest",), result="EUR(2)"),
        Function("age", ("guest",), 0, 120, result="whole"),
        Function("arrived", ("guest",), result="date"),
        Function("left", ("guest",), result="moment"),
        Function("wakes", ("guest",), result="time"),
        Function("room", ("guest",), result="room"),
        Function("score", (), result="number"),
    ),
    closed=("room",),
)
"""Something of everything that a sentence can speak of."""


@pytest.mark.parametrize(
    "premises, follows, does_not",
    [
        (["forall x in guest (Came(x) -> weight(x) > 500 g)", "Came(Ann)"], "weight(Ann) > 0.5 kg", "Came(Bob)"),
        (["luggage(Ann) = 1500 g"], "luggage(Ann) > 1.4 kg", "luggage(Ann) > 1.5 kg"),
        (["luggage(Ann) > 4 g"], "luggage(Ann) >= 5 g", "luggage(Ann) >= 6 g"),
        ([], "luggage(Ann) >= 0 kg and age(Bob) <= 120", "luggage(Ann) > 0 kg"),
        (["price(Ann) > 12.34 EUR"], "price(Ann) >= 12.35 EUR", "price(Ann) >= 12.36 EUR"),
        (["weight(Ann) = 70 kg"], "1/3 * weight(Ann) > 23 kg", "1/3 * weight(Ann) > 24 kg"),
        (["weight(Ann) > 69 kg"], "2 * weight(Ann) - 1 kg > 137 kg", "weight(Ann) >= 70 kg"),
        (["age(Ann) = 17"], "div(age(Ann), 5) = 3 and mod(age(Ann), 5) = 2", "mod(age(Ann), -5) = 3"),
        (["luggage(Ann) = 1700 g"], "div(luggage(Ann), 500 g) = 3", "mod(luggage(Ann), 500 g) = 300 g"),
        (["score = 2.5"], "floor(score) = 2 and ceil(score) = 3 and ceil(2 * score) = 5", "floor(-1 * score) = -2"),
        (["score = -2.5"], "abs(score) = 2.5 and floor(score) = -3 and ceil(score) = -2", "abs(score) = score"),
        (["score < 3"], "max(score, 3) = 3 and min(score, 3, 4) = score", "min(score, 2) = 2"),
        (["age(Ann) < age(Bob)"], "max(age(Ann), age(Bob), 0) = age(Bob)", "min(age(Ann), 18) = 18"),
        (["Open", "score = if(Open, 3, 2.5)"], "score > 2.9", "score > 3"),
        (["arrived(Ann) = 2026-01-31"], "arrived(Ann) + 3 days = 2026-02-03", "arrived(Ann) > 2026-01-31"),
        (["left(Ann) = 2026-03-01T14:30"], "date_of(left(Ann)) = 2026-03-01", "time_of(left(Ann)) < 14:30"),
        (["left(Ann) = 2026-03-01T14:30"], "time_of(left(Ann)) = 14:30", "date_of(left(Ann)) != 2026-03-01"),
        (["wakes(Ann) = 06:30"], "wakes(Ann) < 06:31 and wakes(Ann) + 90 minutes = 08:00", "wakes(Ann) < 06:30"),
        ([], "2026-01-31 + 1 month = 2026-02-28 and year_of(2026-01-31) = 2026", "month_of(2026-01-31) = 2"),
        ([], "day_of(2026-01-31) = 31 and weekday_of(2026-01-31) = 6", "weekday_of(2026-01-31) = 7"),
        (["arrived(Ann) = 2024-02-29"], "weekday_of(arrived(Ann)) = 4", "weekday_of(arrived(Ann)) = 5"),
        (["Late(Ann, 0.5 hour)"], "Late(Ann, 30 minutes)", "Late(Ann, 31 minutes)"),
        (["room(Ann) != room(Bob)"], "room(Ann) = 2 or room(Bob) = 2", "room(Ann) = 2"),
        (["Suite(2)", "not Suite(3)"], "count x in room (Suite(x)) = 1", "count x in room (Suite(x)) > 1"),
        (["count x in room (Suite(x)) = 2"], "forall x in room (Suite(x))", "forall x in room (room(Ann) = x)"),
        (["Came(Ann)", "Came(Bob)"], "count x in guest (Came(x)) >= 2", "count x in guest (Came(x)) <= 2"),
        (["count x in guest (Came(x)) < 2"], "not Came(Ann) or not Came(Bob)", "exists x in guest (Came(x))"),
        (["count x in guest (Came(x)) = 1", "Came(Ann)"], "not Came(Bob)", "count x in guest (not Came(x)) = 1"),
        (["count x in guest (Came(x)) = 1.5"], "Open", None),
        (["1 <= count x in guest (Came(x))"], "exists x in guest (Came(x))", "Came(Ann) or Came(Bob)"),
        (
            ["forall x in room (sum y in room (if(x = y, 1, 2) where Suite(y)) > score)", "score = 2"],
            "Suite(2) and Suite(3)",
            "not Suite(2)",
        ),
        (
            ["count x in guest (exists y in guest (Likes(x, y))) >= 1"],
            "exists x in guest (exists y in guest (Likes(x, y)))",
            "Likes(Ann, Bob)",
        ),
        (["exists x in guest (Came(x) xor Open)"], "Open -> exists x in guest (not Came(x))", "Open"),
    ],
)  # fmt: skip
def test_every_kind_of_term(premises: list[str], follows: str, does_not: str | None) -> None:
    given = [read(text, GUESTS) for text in premises]
    for claim, verdict in ((follows, "unsat"), (does_not, "sat")):
        if claim is None:
            continue
        asked = [*given, fol.Not(read(claim, GUESTS))]
        assert (engine_says(GUESTS, asked), z3_says(write_sentences(GUESTS, asked))) == (verdict, verdict), claim


DUE = Vocabulary((), (), (Function("due", (), result="date"),))
days = st.integers(1, 3_000_000) | st.sampled_from(
    [date(y, 2, 28).toordinal() + d for y in (1900, 2000, 2023, 2024) for d in (0, 1, 2)]
)


@given(days, st.integers(-30, 30))
@settings(max_examples=20, deadline=None)
def test_the_calendar_is_written_out(day: int, months: int) -> None:
    due = fol.Apply("due", ())
    value = fol.Compare("=", due, Instant(day, DATE))
    later = fol.Plus(((1, due), (1, fol.Number(months, unit("month")))))
    true = [fol.Compare("=", later, Instant(int(EXACT.later(day, months)), DATE))]
    for part in ("year_of", "month_of", "day_of", "weekday_of"):
        true.append(fol.Compare("=", fol.Operation(part, (due,)), fol.Number(EXACT.part(part, day))))
    assert z3_says(write_sentences(DUE, [value, fol.Not(fol.And(tuple(true)))])) == "unsat"
    assert z3_says(write_sentences(DUE, [value, *true])) == "sat"


def test_a_sort_may_have_nothing_unless_something_is_named() -> None:
    came = Predicate("Came", ("guest",))
    nobody, somebody = Vocabulary((), (came,)), Vocabulary((Entity("Ann", "guest"),), (came,))
    for vocabulary, verdict in ((nobody, "sat"), (somebody, "unsat")):
        all_but_none: list[fol.Sentence] = [
            read(text, vocabulary) for text in ("forall x in guest (Came(x))", "forall x in guest (not Came(x))")
        ]
        text = write_sentences(vocabulary, all_but_none)
        assert (engine_says(vocabulary, all_but_none), z3_says(text)) == (verdict, verdict)
        assert ("(declare-sort guest 0)" in text) is (vocabulary is somebody)


def test_a_closed_sort_without_names_has_nothing() -> None:
    vocabulary = Vocabulary((), (Predicate("Came", ("guest",)),), closed=("guest",))
    asked = [read("exists x in guest (Came(x))", vocabulary)]
    assert (engine_says(vocabulary, asked), z3_says(write_sentences(vocabulary, asked))) == ("unsat", "unsat")


ODD = (
    *"select store String Array bvadd str.len if iff Thing Int true let assert forall |x|y a\\b % %41; Zoë".split(),
    *"e\u0301 日本 is-Ann 12 as_is - x1 any day one +a".split(),
    *("Old Boat", "", "month of day", "line\nbreak", "guest", "is a guest", "lesser number"),
)


def test_every_name_is_a_symbol_of_its_own() -> None:
    """The same word names a sort, a thing and a predicate at once."""
    for name in ODD:
        sorts = (name or "guest",)
        vocabulary = Vocabulary(
            (Entity(name, sorts[0]),), (Predicate(name, sorts),), (Function(f"{name} then", sorts, result="date"),)
        )
        thing, variable = fol.Constant(name), fol.Bound(name)
        asked: list[fol.Sentence] = [
            fol.Quantified("forall", name, fol.Holds(name, (variable,)), sorts[0]),
            fol.Compare("=", fol.Operation("month_of", (fol.Apply(f"{name} then", (thing,)),)), fol.Number(2)),
            fol.Compare("=", fol.Operation("min", (fol.Number(1), fol.Number(2))), fol.Number(1)),
        ]
        for last, verdict in ((fol.Holds(name, (thing,)), "sat"), (fol.Not(fol.Holds(name, (thing,))), "unsat")):
            assert z3_says(write_sentences(vocabulary, [asked[0], last])) == verdict, name
        assert z3_says(write_sentences(vocabulary, asked), 0.02) != "unsat", name


@pytest.mark.slow
def test_no_variable_captures_another() -> None:
    """The twin names of counted things, inner variables called like outer ones, and variables called like things."""
    vocabulary = Vocabulary((Entity("x1", "guest"), Entity("Ann", "guest")), (Predicate("Likes", ("guest", "guest")),))
    x, y = fol.Bound("x"), fol.Bound("x2")
    inner = fol.Quantified("exists", "x2", fol.Holds("Likes", (x, y)), "guest")
    cases: list[fol.Sentence] = [
        fol.Compare(">=", fol.Count("x", inner, "guest"), fol.Number(2)),
        fol.Quantified(
            "forall",
            "x",
            fol.Compare(">=", fol.Count("x2", fol.Holds("Likes", (x, y)), "guest"), fol.Number(2)),
            "guest",
        ),
        fol.Quantified("exists", "x1", fol.Compare("!=", fol.Bound("x1"), fol.Constant("x1")), "guest"),
        fol.Quantified("forall", "x", fol.Quantified("exists", "x", fol.Holds("Likes", (x, x)), "guest"), "guest"),
    ]
    asked: list[fol.Sentence] = [
        *cases,
        fol.Quantified("forall", "x", fol.Not(fol.Holds("Likes", (x, fol.Constant("x1")))), "guest"),
    ]
    for sentence in asked:
        for said in (sentence, fol.Not(sentence)):
            verdict = "unsat" if said == fol.Not(cases[2]) else "sat"
            assert (engine_says(vocabulary, [said]), z3_says(write_sentences(vocabulary, [said]))) == (verdict, verdict)
    assert "unknown" not in (engine_says(vocabulary, asked), z3_says(write_sentences(vocabulary, asked)))
    assert engine_says(vocabulary, asked) == z3_says(write_sentences(vocabulary, asked))


@pytest.mark.parametrize(
    "text, said",
    [
        (
            "count x in guest (Came(x)) = count x in guest (not Came(x))",
            "count x in guest (Came(x)) has no text in SMT-LIB",
        ),
        ("sum x in guest (weight(x)) > 3 kg", "sum x in guest (weight(x)) has no text in SMT-LIB"),
        ("count x in guest (Came(x)) >= 31", "compared with more than 30"),
        ("Came(Zoe)", "Zoe is no thing of the vocabulary"),
        ("weight(Ann) > 3 EUR", "is an amount in EUR"),
    ],
)
def test_what_has_no_text_is_named(text: str, said: str) -> None:
    sentence = read_fol(text).sentence
    assert sentence is not None
    with pytest.raises(FormulaError) as caught:
        write_sentences(GUESTS, [sentence])
    assert said in str(caught.value).replace("∈", "in")


def test_what_is_too_large_is_refused_at_once() -> None:
    nested: fol.Sentence = fol.Holds("Came", (fol.Bound("x"),))
    for _ in range(6):
        nested = fol.And(
            (fol.Compare(">=", fol.Count("x", nested, "guest"), fol.Number(30)), fol.Holds("Came", (fol.Bound("x"),)))
        )
    with pytest.raises(FormulaError, match="over 50000 parts"):
        write_sentences(GUESTS, [fol.Quantified("forall", "x", nested, "guest")])


def test_a_script_in_full() -> None:
    vocabulary = Vocabulary(
        (Entity("Ann", "guest"), Entity("Bob", "guest"), Entity("Suite", "room")),
        (Predicate("Came", ("guest",), "x came"),),
        (
            Function("weight", ("guest",), meaning="the weight of x", result="g", low=0),
            Function("room", ("guest",), result="room"),
        ),
        closed=("room",),
    )
    asked = [read("forall x in guest (Came(x) -> weight(x) > 1.5 kg)", vocabulary)]
    assert (
        write_sentences(vocabulary, asked)
        == """\
(set-logic ALL)
(declare-sort guest 0)
(declare-sort room 0)
(declare-fun Ann () guest)
(declare-fun Bob () guest)
(declare-fun Suite () room)
; x came
(declare-fun Came (guest) Bool)
; the weight of x, in g
(declare-fun weight (guest) Real)
; a room
(declare-fun room (guest) room)
; What has names of its own is not the same.
(assert (distinct Ann Bob))
; There is no room but what is named.
(assert (forall ((any room)) (= any Suite)))
; ∀x1 ∈ guest (weight(x1) ≥ 0 g)
(assert (forall ((x1 guest)) (>= (* 0.001 (weight x1)) 0.0)))
; ∀x ∈ guest (Came(x) → weight(x) > 1.5 kg)
(assert (forall ((x guest)) (=> (Came x) (> (* 0.001 (weight x)) 1.5))))
(check-sat)
"""
    )


HOTEL = Vocabulary(
    (Entity("Ann", "guest"), Entity("Bob", "guest"), Entity("Suite", "room"), Entity("Desk")),
    (Predicate("Came", ("guest",)), Predicate("Old", (ANY,)), Predicate("Small", ("room",))),
    (
        Function("room", ("guest",), result="room"),
        Function("host", (ANY,), result="guest"),
        Function("price", (ANY,), result="EUR", low=0),
    ),
    closed=("room",),
    sorts=("dog",),
)


def said(text: str) -> fol.Sentence:
    found = read_fol(text).sentence
    assert found is not None, text
    return state(found, HOTEL).sentence


@pytest.mark.parametrize(
    "text, own",
    [
        ("forall x in guest (Came(x) -> Small(room(x)))", {"guest", "room"}),
        ("Old(Desk) and price(Desk) > 3 EUR", {"guest", "room"}),
        ("Came(host(Desk))", {"guest", "room"}),
        ("count x in guest (Came(x)) >= 2", {"guest", "room"}),
        ("Old(Suite)", {"guest"}),
        ("Came(Desk)", {"room"}),
        ("Ann = Desk", {"room"}),
        ("Ann = Suite", set()),
        ("forall x in dog (Old(x))", {"guest", "room"}),
        ("price(room(Ann)) > 3 EUR", {"guest"}),
        ("Small(room(Desk))", set()),
        ("Came(if(Old(Desk), Ann, Desk))", {"room"}),
        ("forall x (Old(x))", set()),
        ("count x (Old(x)) >= 2", set()),
    ],
)
def test_what_is_a_sort_of_its_own(text: str, own: set[str]) -> None:
    assert own_sorts(HOTEL, [said(text)], stated_laws(HOTEL)) == own


@pytest.mark.parametrize(
    "texts, verdict",
    [
        # The room of what is no guest is any thing, and not the one room that there is.
        (["not Small(Suite)", "Small(room(Desk))"], "sat"),
        (["not Small(Suite)", "Small(room(Ann))"], "unsat"),
        # A thing of no sort may be a guest; a thing of another sort is none.
        (["forall x in guest (Came(x))", "not Came(Desk)"], "sat"),
        (["forall x in guest (x != Desk)", "forall x in guest (Came(x))", "not Came(Desk)"], "sat"),
        (["exists x in guest (x = Suite)"], "unsat"),
        (["exists x in room (x = Desk)"], "unsat"),
        (["exists x in dog (x = Desk)", "forall x in dog (Old(x))", "not Old(Desk)"], "unsat"),
        (["forall x in dog (Old(x))", "forall x in dog (not Old(x))"], "sat"),
        (["forall x (x = Ann)"], "unsat"),
        (["forall x in guest (x = Ann)"], "unsat"),
        (["forall x in room (x = room(Ann))"], "sat"),
    ],
)
def test_either_way_the_verdict_is_the_same(texts: list[str], verdict: str) -> None:
    asked = [said(text) for text in texts]
    assert (engine_says(HOTEL, asked), z3_says(write_sentences(HOTEL, asked))) == (verdict, verdict)
