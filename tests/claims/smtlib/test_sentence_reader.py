"""Scripts as sentences: what was printed, what people write, and what nobody should."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import event, given, settings
from hypothesis import strategies as st

from holdtrue.errors import SmtLibError
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.structure import Structure
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.smtlib.sentence_printer import write_sentences
from holdtrue_claims.smtlib.sentence_reader import read_sentences
from tests.claims.fol.typed import WORDS, holds, sentences, structures
from tests.claims.smtlib.test_sentence_printer import engine_says
from tests.logic.smtlib.printed import LISTED, SHORT_S, SORTED, SORTED_LISTED, printed, sorted_only, z3_says
from tests.patience import counted

# --- what was printed ------------------------------------------------------------------------------------------------


def restated(where: Structure, vocabulary: Vocabulary) -> Structure:
    """The same structure in the words of a printed script: sorts as predicates, and numbers of steps."""
    things = {label: sorts | {"Thing"} for label, sorts in where.things.items()}
    facts: dict[Any, Any] = {}
    for (name, args), value in where.facts.items():
        own = next((each for each in where.vocabulary.functions if each.name == name), None)
        sort = None if own is None else where.vocabulary.value_sort(own.result)
        step = getattr(sort, "step", None)
        facts[name, args] = value / step if step else value
    for predicate in vocabulary.predicates:
        if predicate.name.startswith("is a "):
            for label, sorts in where.things.items():
                facts[predicate.name, (label,)] = int(predicate.name.removeprefix("is a ") in sorts)
    return Structure(vocabulary, things, facts)


@pytest.mark.parametrize("name", ["open", "sorted"])
@given(where=structures(unnamed=1), drawn=st.lists(sentences, min_size=1, max_size=2))
@settings(max_examples=30, deadline=None)
def test_what_was_printed_is_read_as_what_it_says(name: str, where: Structure, drawn: list[fol.Sentence]) -> None:
    asked = drawn if name == "open" else [sorted_only(sentence) for sentence in drawn]
    vocabulary = WORDS if name == "open" else SORTED
    found = read_sentences(printed(vocabulary, asked))
    event("with Thing" if "Thing" in found.vocabulary.sorts else "with sorts alone")
    there = restated(where, found.vocabulary)
    for sentence, again in zip(asked, found.sentences[-len(asked) :], strict=True):
        try:
            expected = holds(sentence, where, {})
        except KeyError:  # a number that the structure has no fact about
            continue
        assert there.truth(again) is expected, write_fol(again)


def formal(text: str) -> list[str]:
    """Return the lines of a text without its remarks."""
    return [line for line in text.splitlines() if not line.lstrip().startswith(";")]


@pytest.mark.parametrize("vocabulary", [WORDS, LISTED, SORTED, SORTED_LISTED])
@given(drawn=st.lists(sentences, min_size=1, max_size=2))
@settings(max_examples=6, deadline=None)
def test_reading_and_printing_keeps_the_verdict(vocabulary: Vocabulary, drawn: list[fol.Sentence]) -> None:
    asked = drawn if vocabulary in (WORDS, LISTED) else [sorted_only(sentence) for sentence in drawn]
    text = printed(vocabulary, asked)
    found = read_sentences(text)
    again = write_sentences(found.vocabulary, found.sentences)
    verdicts = {z3_says(text, SHORT_S), z3_says(again, SHORT_S)}
    verdicts.add(engine_says(found.vocabulary, found.sentences, SHORT_S))
    event(" ".join(sorted(verdicts)))
    assert not {"sat", "unsat"} <= verdicts, text
    # In words, which stand in remarks, 'once the rate' is the rate when it is read again.
    assert formal(write_sentences((last := read_sentences(again)).vocabulary, last.sentences)) == formal(again)


# --- what people write -----------------------------------------------------------------------------------------------

DECLARED = """\
(set-logic ALL)
(set-option :produce-models true)
(declare-sort P 0)
(declare-sort Q 0)
(declare-const a P) (declare-const b P) (declare-const c P)
(declare-fun boss (P) P) (declare-fun red (P) Bool) (declare-fun owns (P Q) Bool)
(declare-fun n (P) Int) (declare-const r Real) (declare-const flag Bool) (declare-fun big (Real) Bool)
(define-fun twice ((x Int)) Int (+ x x))
(define-fun other ((x P) (p Bool)) Bool (exists ((y P)) (and (distinct x y) (= (red y) p))))
(define-fun mate () P (boss a))
"""
numerals = st.sampled_from(["0", "1", "2", "(- 3)"])


def _written(*shapes: str, **kinds: st.SearchStrategy[str]) -> st.SearchStrategy[str]:
    """Texts of these shapes, with `{things}` and the like for parts."""

    def fill(shape: str) -> st.SearchStrategy[str]:
        pieces = shape.replace("}", "{").split("{")
        drawn = [kinds[piece] if place % 2 else st.just(piece) for place, piece in enumerate(pieces)]
        return st.tuples(*drawn).map("".join)

    return st.sampled_from(shapes).flatmap(fill)


def _formulas(depth: int) -> dict[str, st.SearchStrategy[str]]:
    """Texts of things, whole numbers, real numbers and formulas, in which x and y are people and t is a formula."""
    if not depth:
        return {
            "p": st.sampled_from(["a", "b", "c", "x", "y", "mate"]),
            "i": numerals,
            "r": st.sampled_from(["r", "0.5", "1.0", "(/ 1 3)"]),
            "f": st.sampled_from(["flag", "true", "t", "(red x)", "(red a)"]),
        }
    of = _formulas(depth - 1)
    less = dict(of, d=st.sampled_from(["2", "3", "(- 2)"]))
    return {
        "p": of["p"] | _written("(boss {p})", "(ite {f} {p} {p})", **less),
        "i": of["i"]
        | _written(
            "(n {p})", "(+ {i} {i} 1)", "(- {i} {i})", "(- {i})", "(* 2 {i})", "(div {i} {d})", "(mod {i} {d})",
            "(abs {i})", "(ite {f} {i} {i})", "(to_int {r})", "(twice {i})", "(let ((k {i})) (+ k k))", **less,
        ),
        "r": of["r"] | _written("(+ {r} {i})", "(* 0.5 {r})", "(/ {r} {d})", "(to_real {i})", "(- {r} {r})", **less),
        "f": of["f"]
        | _written(
            "(not {f})", "(and {f} {f} {f})", "(or {f} {f})", "(xor {f} {f} {f})", "(=> {f} {f} {f})", "(= {f} {f})",
            "(= {f} {f} {f})", "(distinct {f} {f})", "(ite {f} {f} {f})", "(= {p} {p})", "(distinct {p} {p} {p})",
            "(< {i} {i})", "(<= {i} {i} {i})", "(> {r} {i})", "(= {r} {r})", "(red {p})", "(big {r})", "(is_int {r})",
            "(forall ((x P)) {f})", "(exists ((y P) (x P)) {f})", "(exists ((q Q)) (owns {p} q))", "(other {p} {f})",
            "(let ((t {f})) {f})", "(let ((t {f}) (x {p})) (and t {f}))", **less,
        ),
    }  # fmt: skip


written = _formulas(2)["f"].map(lambda formula: f"(assert (let ((t flag)) (forall ((x P) (y P)) {formula})))")
apart = st.sampled_from(["", "(assert (distinct a b))", "(assert (distinct c b a))", "(assert (not (= a c)))"])


@given(apart, st.lists(written, min_size=1, max_size=3))
@settings(max_examples=40, deadline=None)
def test_a_script_by_hand_has_the_verdict_that_z3_gives_it(differ: str, asserted: list[str]) -> None:
    text = "\n".join([DECLARED, differ, *asserted, "(check-sat)", "(get-model)", "(exit)"])
    found = read_sentences(text)
    again = write_sentences(found.vocabulary, found.sentences)
    verdicts = [z3_says(text, SHORT_S), z3_says(again, SHORT_S)]
    verdicts.append(engine_says(found.vocabulary, found.sentences, SHORT_S))
    event(" ".join(verdicts))
    assert not {"sat", "unsat"} <= set(verdicts), (text, again)


def said(text: str) -> list[str]:
    return [write_fol(sentence) for sentence in read_sentences(text).sentences]


def test_constants_are_names_where_they_are_said_to_differ() -> None:
    declared = "(declare-sort P 0)(declare-const a P)(declare-const b P)(declare-const c P)"
    for asserted, named in {
        "": ["a"],
        "(assert (distinct a b))": ["a", "b"],
        "(assert (distinct a b c))": ["a", "b", "c"],
        "(assert (not (= a b)))(assert (distinct c a))(assert (distinct c b))": ["a", "b", "c"],
        "(assert (distinct b c))": ["a"],
        "(assert (not (= a b c)))": ["a"],
        "(assert (or (distinct a b) (= a c)))": ["a"],
    }.items():
        found = read_sentences(declared + asserted)
        assert [own.name for own in found.vocabulary.entities] == named
        others = [own for own in found.vocabulary.functions if own.result == "P"]
        assert [own.name for own in others] == [name for name in "abc" if name not in named]
    assert said(declared + "(assert (distinct b c))") == ["b() ≠ c()"]
    assert said(declared + "(assert (distinct a b))") == []


def test_a_sort_without_a_name_has_something_all_the_same() -> None:
    text = "(declare-sort P 0)(declare-fun f (P) Bool)(assert (forall ((x P)) (and (f x) (not (f x)))))"
    found = read_sentences(text)
    assert len(found.sentences) == 2
    assert engine_says(found.vocabulary, found.sentences) == z3_says(text) == "unsat"
    assert engine_says(found.vocabulary, found.sentences[1:]) == "sat"


def test_the_vocabulary_of_declarations() -> None:
    found = read_sentences(
        "(declare-sort thing 0)(declare-sort whole 0)(declare-sort |a/b| 0)(declare-const one whole)"
        "(declare-fun floor (thing Int Real) Real)(declare-fun |%73;elect| (|a/b|) Bool)(declare-const p Bool)"
        "(declare-const |a b| Int)(declare-const z thing)(assert (= (to_int (floor z |a b| 2)) 3))"
    )
    assert found.vocabulary == Vocabulary(
        (Entity("one", "sort whole"), Entity("z", "sort thing")),
        (Predicate("select", ("sort a/b",)), Predicate("p", ())),
        (
            Function("floor 2", ("sort thing", "whole", "number"), result="number"),
            Function("a b", (), result="whole"),
        ),
        sorts=("sort thing", "sort whole", "sort a/b"),
    )
    value = fol.Apply("floor 2", (fol.Constant("z"), fol.Apply("a b", ()), fol.Number(2)))
    assert found.sentences[-1] == fol.Compare("=", fol.Operation("floor", (value,)), fol.Number(3))


def test_nothing_that_is_written_out_is_captured() -> None:
    declared = "(declare-sort P 0)(declare-fun r (P P) Bool)(define-fun f ((y P)) Bool (exists ((x P)) (r x y)))"
    assert said(f"{declared}(assert (forall ((x P)) (f x)))")[-1] == "∀x ∈ P ∃x2 ∈ P r(x2, x)"
    captured = "(forall ((x P)) (let ((t (r x x))) (exists ((x P)) (and t (r x x)))))"
    assert said(f"{declared}(assert {captured})")[-1] == "∀x ∈ P ∃x2 ∈ P (r(x, x) ∧ r(x2, x2))"


# --- what cannot be said ---------------------------------------------------------------------------------------------

P = "(declare-sort P 0)\n(declare-const i Int) (declare-const j Int) (declare-const r Real) (declare-const a P)\n"


@pytest.mark.parametrize(
    "text, place, message",
    [
        ("(assert (forall ((x Int)) (< x i)))", (3, 1), "only things can be quantified over, not Int"),
        ("(assert\n(exists ((p Bool)) p))", (3, 1), "only things can be quantified over, not Bool"),
        ("  (declare-fun f (Bool) Int)", (3, 3), "'f' takes a truth value"),
        ("(assert (= (div i j) 1))", (3, 1), "div divides only by a written number other than 0"),
        ("(assert (= (mod i 0) 1))", (3, 1), "mod divides only by a written number other than 0"),
        ("(assert (= (/ 1 r) 1))", (3, 1), "/ divides only by a written number other than 0"),
        ("(assert (< b 1))", (3, 12), "unknown symbol 'b'"),
        ("(assert (< a 1))", (3, 12), "< takes operands of sort"),
        ("(push 1)", (3, 1), "the command 'push' is not let in"),
        ("(check-sat-assuming (p))", (3, 1), "the command 'check-sat-assuming' is not let in"),
        ("(define-fun-rec f ((x Int)) Int (f x))", (3, 1), "definitions cannot be recursive"),
        ("(assert (let ((x 1) (x 2)) (< x i)))", (3, 21), "the variable 'x' is named twice"),
        ("(assert (bvult i j))", (3, 10), "the function 'bvult' is unknown"),
        ("(assert true))", (3, 14), "a closing parenthesis without an opening one"),
        ("(assert \x00)", (3, 9), "the character U+0000 cannot stand here"),
        (f"(assert (< i {'9' * 200}))", (3, 14), "a number of 200 characters"),
        ("(assert " + "(not " * 80 + "true" + ")" * 81, (3, 1), "nested 60 deep at most"),
        ("(assert (=> " + "true " * 90 + "))", (3, 1), "nested 60 deep at most"),
    ],
)
def test_what_cannot_be_said_is_told_with_its_place(text: str, place: tuple[int, int], message: str) -> None:
    with pytest.raises(SmtLibError) as caught:
        read_sentences(P + text)
    assert (caught.value.line, caught.value.column) == place
    assert message in str(caught.value)
    assert len(str(caught.value)) < 300


def doubled(times: int, rest: str) -> str:
    return "".join(f"(let ((x{n + 1} (and x{n} x{n}))) " for n in range(times)) + rest + ")" * times


LARGE = {
    "let": f"(assert (let ((x0 true)) {doubled(40, 'x40')}))",
    "definitions": "(define-fun f0 () Int i)"
    + "".join(f"(define-fun f{n + 1} () Int (+ f{n} f{n}))" for n in range(60))
    + "(assert (< f60 1))",
    "operands": "(define-fun f ((x Int)) Int (+ x x))(assert (< " + "(f " * 50 + "i" + ")" * 50 + " 1))",
    "choices": "(assert " + "(ite " * 50 + "(< i 1)" + " true false)" * 50 + ")",
    "chains": "(assert " + "(= true " * 50 + "(< i 1)" + " true)" * 50 + ")",
    "distinct": f"(assert (distinct {'i ' * 2_000}))",
    "nothing deep": "(assert " + "(f " * 199 + "i" + ")" * 200,
    "identities": "(define-fun f ((x Bool)) Bool x)(assert " + "(f " * 195 + "true" + ")" * 196,
    "lets": "(assert " + "(let ((x " * 66 + "true" + ")) x)" * 66 + ")",
    "quantifiers": "(assert " + "(forall ((x P)) " * 190 + "true" + ")" * 191,
    "open": "(" * 100_000,
    "long": "(assert (< " + "x" * 900_000,
    "many": "(declare-const c P)" * 20_000,
}


@pytest.mark.parametrize("name", LARGE)
def test_what_is_large_is_read_or_refused_with_little_work(name: str) -> None:
    try:
        with counted() as calls:
            read_sentences(P + LARGE[name])
    except SmtLibError as error:
        assert len(str(error)) < 300
        assert error.line == 3
    else:
        assert name in ("identities", "lets")
    assert calls.made < 1_000_000


def test_many_constants_are_not_told_apart_pair_by_pair() -> None:
    names = [f"c{place}" for place in range(3_000)]
    declared = "".join(f"(declare-const {name} P)" for name in names)
    with counted() as calls:
        found = read_sentences(f"(declare-sort P 0){declared}(assert (distinct {' '.join(names)}))")
    assert len(found.vocabulary.entities) == len(names) and calls.made < len(names) ** 2 / 4


soup = st.recursive(
    st.sampled_from("a b i r P Int Bool f 0 1.5 - + = < and not ite div to_real distinct |a b| x exit".split()),
    lambda inner: st.lists(inner, max_size=4).map(lambda own: f"({' '.join(own)})"),
)


@given(st.lists(soup | soup.map(lambda own: f"(assert {own})") | written, max_size=4), st.data())
@settings(max_examples=80, deadline=None)
def test_any_soup_of_words_is_read_or_refused(pieces: list[str], data: st.DataObject) -> None:
    text = DECLARED + "\n".join(pieces)
    for own in (text, text[: data.draw(st.integers(0, len(text)))]):
        try:
            found = read_sentences(own)
        except SmtLibError as error:
            assert len(str(error)) < 400
        else:
            write_sentences(found.vocabulary, found.sentences)


@pytest.mark.parametrize(
    ("text", "read"),
    [
        ("year_of(sent(A)) = 2026", True),
        ("weekday_of(sent(A)) = 6", True),
        ("month_of(sent(A)) = 2 and day_of(sent(B)) = 29", False),
        ("year_of(sent(A) + 13 month) > year_of(sent(B))", False),
    ],
)
def test_scripts_with_functions_of_the_calendar_are_read_again_or_refused_at_once(text: str, read: bool) -> None:
    words = Vocabulary((Entity("A"), Entity("B")), (), (Function("sent", (ANY,), result="date"),))
    sentence = read_fol(text).sentence
    assert sentence is not None
    script = write_sentences(words, [sentence])
    if read:
        assert read_sentences(script).sentences
        return
    with pytest.raises(SmtLibError, match="over 50000 parts"):
        read_sentences(script)
