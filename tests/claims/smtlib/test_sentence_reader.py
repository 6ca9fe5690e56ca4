"""Scripts as sentences: z3 and the engine of sentences agree on them, and faulty ones are refused with a place."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import z3
from hypothesis import event, given, settings
from hypothesis import strategies as st

from holdtrue.budget import Budget
from holdtrue.errors import SmtLibError
from holdtrue.solving.result import Core, Satisfiable
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.smtlib.sentence_reader import read_sentences
from holdtrue_claims.solving.sentence_route import counted_sentences
from tests.patience import counted

SHORT_S = 0.5
"""For random sentences, which may be undecidable; others are given the time that they need on a busy machine."""


def z3_says(text: str, timeout_s: float = 30.0) -> str:
    """Return what z3 finds of the script that it reads: `sat`, `unsat` or `unknown`."""
    solver = z3.Solver(ctx=z3.Context())
    solver.set("timeout", int(1000 * timeout_s))
    solver.from_string(text)
    return str(solver.check())


def engine_says(vocabulary: Vocabulary, asked: Sequence[fol.Sentence], timeout_s: float = 30.0) -> str:
    soft = {f"S{place}": state(sentence, vocabulary) for place, sentence in enumerate(asked)}
    found = counted_sentences(vocabulary).check(soft, Budget(timeout_s=timeout_s))
    return "unsat" if isinstance(found, Core) else "sat" if isinstance(found, Satisfiable) else "unknown"


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
    verdicts = (z3_says(text, SHORT_S), engine_says(found.vocabulary, found.sentences, SHORT_S))
    event(" ".join(verdicts))
    assert set(verdicts) != {"sat", "unsat"}, text


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
            read_sentences(own)
        except SmtLibError as error:
            assert len(str(error)) < 400
