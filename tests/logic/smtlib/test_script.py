"""Scripts are read and printed, and refused with the place of the error."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import SmtLibError
from holdtrue.logic.smtlib.script import Assertion, Script, read_script, script_text, term_text
from holdtrue.logic.smtlib.sexpr import ReadLimits
from holdtrue.logic.smtlib.symbols import OPERATORS
from holdtrue.logic.smtlib.typed_terms import (
    BOOL,
    INT,
    Call,
    Definition,
    Function,
    Let,
    Literal,
    Local,
    Operation,
    Quantified,
    SmtSort,
)
from tests.logic.smtlib.scripts import possible, scripts

VOCABULARY = """
(declare-sort Person 0) (declare-const bob Person) (declare-fun tall (Person) Bool) (declare-fun age (Person) Int)
(declare-const x Int) (declare-const y Int) (declare-const r Real) (declare-const p Bool)
(declare-fun pay (Int Real) Real) (define-fun twice ((n Int)) Int (* 2 n))
"""


def asserted(formula: str) -> str:
    """The formula as it is printed after it has been read."""
    return term_text(read_script(f"{VOCABULARY}(assert {formula})").assertions[0].formula)


def refuse(text: str) -> str:
    with pytest.raises(SmtLibError) as caught:
        read_script(text)
    assert len(str(caught.value)) < 300
    return str(caught.value)


def test_everything_is_read_into_values() -> None:
    person, bob = SmtSort("Person"), Function("bob", (), SmtSort("Person"))
    tall, five = Function("tall", (person,), BOOL), Function("five", (), INT)
    x, n = Local("x", person), Local("n", INT)
    more = Function("more", (INT,), INT)
    script = read_script("""
        (declare-sort Person 0)
        (declare-const bob Person)
        (declare-fun tall (Person) Bool)
        (declare-fun five () Int)
        (define-fun more ((n Int)) Int (+ n 1))
          (assert (forall ((x Person)) (=> (tall x) (= x bob))))
        (assert (let ((n five)) (< (more n) (- 6))))
    """)
    assert script == Script(
        (person,),
        (bob, tall, five),
        (Definition(more, (n,), Operation("+", (n, Literal(1, INT)), INT)),),
        (
            Assertion(
                Quantified(
                    True,
                    (x,),
                    Operation("=>", (Call(tall, (x,)), Operation("=", (x, Call(bob)), BOOL)), BOOL),
                )
            ),
            Assertion(
                Let(
                    ((n, Call(five)),),
                    Operation("<", (Call(more, (n,)), Operation("-", (Literal(6, INT),), INT)), BOOL),
                )
            ),
        ),
    )
    assert [(own.line, own.column) for own in script.assertions] == [(7, 11), (8, 9)]


@pytest.mark.parametrize(
    "formula",
    [
        "(and p (or p (not p)) (xor p p p))",
        "(=> p p p)",
        "(ite p (< x y) (> x 1 (- 3)))",
        "(= x (+ x y 1) (* 2 x) (- x y 1) (- x))",
        "(distinct bob bob)",
        "(= (div x 2 3) (mod x y) (abs x))",
        "(<= 1.5 r (/ r 2.0) (to_real x))",
        "(and (is_int r) (= x (to_int r)))",
        "(= p (tall bob) true false)",
        "(exists ((q Bool) (z Person) (i Int) (s Real)) (and q (tall z) (< i 3) (< s 0.0)))",
        "(let ((x 1) (y x)) (let ((x y)) (< x y)))",
        "(forall ((x Person)) (tall x))",
        "(< (twice (age bob)) (twice 3))",
        "(= r (pay 3 r))",
    ],
)
def test_what_is_let_in_and_printed_alike(formula: str) -> None:
    assert asserted(formula) == formula


@pytest.mark.parametrize(
    ("formula", "printed"),
    [
        ("(and p)", "p"),
        ("(or p)", "p"),
        ("(< x r)", "(< (to_real x) r)"),
        ("(= x 1.5)", "(= (to_real x) 1.5)"),
        ("(= 1 r 2)", "(= 1.0 r 2.0)"),
        ("(= r (/ x 4))", "(= r (/ (to_real x) 4.0))"),
        ("(= r (ite p 1 0.5))", "(= r (ite p 1.0 0.5))"),
        ("(= r (pay x 3))", "(= r (pay x 3.0))"),
        ("(= r (+ x 0.250))", "(= r (+ (to_real x) 0.25))"),
        ("(|and| |p| (< 1.0 |r|))", "(and p (< 1.0 r))"),
    ],
)
def test_integers_become_real_where_they_must(formula: str, printed: str) -> None:
    assert asserted(formula) == printed
    assert asserted(printed) == printed


@pytest.mark.parametrize(
    ("formula", "message"),
    [
        ("q", "unknown symbol 'q'"),
        ("(q x)", "the function 'q' is unknown"),
        ("-5", "unknown symbol '-5'; a negative number is written (- 3)"),
        ("x", "a term of sort 'Bool' is needed, not 'Int'"),
        ("and", "and is no term by itself"),
        ("tall", "'tall' takes 1 operand(s), got 0"),
        ("(tall)", "'tall' takes 1 operand(s), got 0"),
        ("(tall bob bob)", "'tall' takes 1 operand(s), got 2"),
        ("(tall x)", "operand 1 of 'tall' is of sort 'Person', not 'Int'"),
        ("(= r (pay r r))", "operand 1 of 'pay' is of sort 'Int', not 'Real'"),
        ("(bob)", "'bob' is a constant: it stands without parentheses"),
        ("(forall ((z Int)) (z 1))", "'z' is a variable here and takes no operands"),
        ("(and)", "and takes 1 or more operand(s), got 0"),
        ("(= (mod x y 2) 1)", "mod takes 2 operand(s), got 3"),
        ("(and p x)", "and takes operands of sort Bool, not 'Int'"),
        ("(< p x)", "< takes operands of sort Int or Real, not 'Bool'"),
        ("(= x bob)", "= takes operands of one sort, got 'Int' and 'Person'"),
        ("(distinct p p 1)", "distinct takes operands of one sort, got 'Bool' and 'Int'"),
        ("(ite x p p)", "ite takes operands of sort Bool, not 'Int'"),
        ("(ite p p 1)", "ite takes operands of one sort, got 'Bool' and 'Int'"),
        ("(= (div r 2) 1)", "div takes operands of sort Int, not 'Real'"),
        ("(is_int x)", "is_int takes operands of sort Real, not 'Int'"),
        ("(forall ((z Int)) z)", "forall is about a formula, not 'Int'"),
        ("(forall () p)", "a quantifier without a variable"),
        ("(forall (z Int) p)", "a variable and its sort, as in (x Int), are needed"),
        ("(forall ((z Int Int)) p)", "a variable and its sort, as in (x Int), are needed"),
        ("(forall z p)", "a list of variables and sorts, as in ((x Int)), is needed"),
        ("(forall ((z Int)))", "a quantifier takes variables and a formula"),
        ("(forall ((z Int) (z Bool)) p)", "the variable 'z' is named twice"),
        ("(forall ((z Thing)) p)", "unknown sort 'Thing'"),
        ("(forall ((z (Array Int Int))) p)", "a sort is a single symbol: Bool, Int, Real or a declared one"),
        ("(forall ((true Int)) p)", "true has a meaning in SMT-LIB and cannot be a variable"),
        ("(forall (((z) Int)) p)", "a variable must be a symbol"),
        ("(let () p)", "let without a binding"),
        ("(let ((z 1) (z 2)) p)", "the variable 'z' is named twice"),
        ("(let ((z)) p)", "a binding of let is a name and a term"),
        ("(let (z 1) p)", "a binding of let is a name and a term"),
        ("(let z p)", "the bindings of let are a list"),
        ("(let ((z 1)))", "let takes bindings and a term"),
        ("(let ((z 1) (w z)) p)", "unknown symbol 'z'"),
        ("()", "an empty list is no term"),
        ("((p))", "a list begins with the name of a function, not with a list"),
        ("(() p)", "a list begins with the name of a function"),
        ("((_ divisible 3) x)", "(_ ...) is not supported"),
        ("((as bob Person))", "(as ...) is not supported"),
        ("(match x ((y p)))", "the function 'match' is not supported"),
        ('(= "a" "b")', "strings are not supported"),
        (":named", "a term is needed, not ':named'"),
        ("(! p :named q)", "annotations (! ...) are not let in; labels such as :named are given by holdtrue"),
    ],
)
def test_faulty_terms_are_named_with_their_place(formula: str, message: str) -> None:
    fault = refuse(f"{VOCABULARY}\n (assert {formula})")
    assert fault.startswith("line 6, column ")
    assert fault.split(": ", 1)[1].startswith(message)


def test_the_place_is_that_of_the_operand_to_blame() -> None:
    assert refuse("(declare-const x Int)\n(assert (and (< x 1)\n  (< x true)))").startswith("line 3, column 8: <")
    assert refuse("(declare-const x Int)\n(assert (= x\n true))").startswith(
        "line 3, column 2: = takes operands of one"
    )
    assert refuse("(declare-const p Bool)(assert (ite p p\n 1))").startswith("line 2, column 2: ite takes operands")
    assert refuse("(declare-fun f (Int Int) Bool)(assert (f 1\n true))").startswith(
        "line 2, column 2: operand 2 of 'f'"
    )


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("(declare-sort Person 1)", "column 22: sorts with parameters are not supported: the second operand is 0"),
        ("(declare-sort Person (0))", "column 22: sorts with parameters are not supported"),
        ("(declare-sort)", "column 1: declare-sort takes a name"),
        ("(declare-sort 1 0)", "column 15: the name of a sort must be a symbol"),
        ("(declare-sort Int 0)", "column 15: Int has a meaning in SMT-LIB and cannot be the name of a sort"),
        ("(declare-const x)", "column 1: the command has 2 operand(s), as in (declare-const x Int)"),
        ("(declare-const ite Int)", "column 16: ite has a meaning in SMT-LIB and cannot be the name of a function"),
        ("(declare-const |let| Bool)", "column 16: let has a meaning in SMT-LIB"),
        ('(declare-const "x" Bool)', "column 16: the name of a function must be a symbol"),
        ("(declare-fun f Int Int)", "column 16: the sorts of the operands are a list"),
        ("(declare-fun f (Int))", "column 1: the command has 3 operand(s)"),
        ("(declare-fun f (Person) Int)", "column 17: unknown sort 'Person'"),
        ("(define-fun f ((x Int)) Int)", "column 1: the command has 4 operand(s)"),
        ("(define-fun f ((x Int)) Int true)", "column 29: a term of sort 'Int' is needed, not 'Bool'"),
        ("(define-fun f ((x Int)) Int (f x))", "column 30: the function 'f' is unknown"),
        ("(define-fun f () Int 1)(assert (= f f 1) p)", "column 24: the command has 1 operand(s)"),
        ("(assert)", "column 1: the command has 1 operand(s), as in (assert (< x 3))"),
        ("assert", "column 1: a command such as (assert ...) is needed, not 'assert'"),
        ("()", "column 1: a list at the top level is a command"),
        ('("assert" true)', "column 1: a list at the top level is a command"),
    ],
)
def test_faulty_commands(text: str, message: str) -> None:
    assert refuse(text).startswith(f"line 1, {message}")


@pytest.mark.parametrize(
    "again",
    [
        "(declare-const x Int)",
        "(declare-const |x| Bool)",
        "(declare-fun x (Int) Bool)",
        "(declare-fun x () Int)",
        "(define-fun x () Int 3)",
    ],
)
@pytest.mark.parametrize("first", ["(declare-const x Int)", "(declare-fun x (Int) Int)", "(define-fun x () Int 2)"])
def test_nothing_is_declared_twice(first: str, again: str) -> None:
    fault = refuse(f"{first}\n{again}")
    assert fault.startswith("line 2, column ")
    assert fault.endswith("'x' is declared already")


def test_no_sort_is_declared_twice_but_functions_have_names_of_their_own() -> None:
    fault = refuse("(declare-sort A 0)(declare-sort A 0)")
    assert fault == "line 1, column 33: the sort 'A' is declared already"
    assert read_script("(declare-sort A 0)(declare-const A A)(assert (= A A))").functions[0].result == SmtSort("A")


def test_definitions_cannot_hide_depth() -> None:
    chain = "(define-fun f0 ((x Int)) Int (+ x 1))"
    chain += "".join(f"(define-fun f{n} ((x Int)) Int (f{n - 1} (f{n - 1} x)))" for n in range(1, 150))
    assert "with its definitions expanded, nested more than 200 deep" in refuse(chain)
    single = "(define-fun g () Int " + "(- " * 150 + "1" + ")" * 150 + ")"
    assert "with its definitions expanded" in refuse(single + "(assert (= 1 " + "(- " * 60 + "g" + ")" * 60 + "))")


def test_commands_are_counted() -> None:
    assert len(read_script("(assert true)" * 3, ReadLimits(max_commands=3)).assertions) == 3
    with pytest.raises(SmtLibError, match=r"line 1, column 40: more than 3 commands"):
        read_script("(assert true)" * 4, ReadLimits(max_commands=3))


def test_terms_as_deep_as_allowed_are_read_with_little_stack_left() -> None:
    deep = {
        "not": "(not " * 198 + "true" + ")" * 198,
        "let": "(let ((x true)) " * 197 + "x" + ")" * 197,
        "bound": "(let ((x " * 65 + "true" + ")) x)" * 65,
        "forall": "(forall ((x Bool)) " * 197 + "x" + ")" * 197,
    }

    def read_below(frames: int) -> None:
        if frames:
            read_below(frames - 1)
        else:
            for text in deep.values():
                script = read_script(f"(assert {text})")
                assert term_text(script.assertions[0].formula) == text

    read_below(400)


def test_every_operator_can_be_used() -> None:
    known = " ".join(term_text(own.formula) for own in read_script(EVERYTHING).assertions)
    assert {op for op in OPERATORS if f"({op} " in known} == OPERATORS


EVERYTHING = f"""{VOCABULARY}
(assert (and p (or p p) (xor p p) (=> p p) (not p) (ite p p p) (distinct x y)))
(assert (= (+ x (- y) (* x y) (div x y) (mod x y) (abs x) (to_int r)) 0))
(assert (or (<= r 1.0) (< r 1.0) (>= r 1.0) (> r (/ r 2.0)) (is_int (to_real x))))
"""


@settings(max_examples=60, deadline=None)
@given(scripts)
def test_scripts_come_back(script: Script) -> None:
    assert read_script(script_text(script)) == script


@settings(max_examples=40, deadline=None)
@given(scripts)
def test_z3_understands_scripts_as_we_do(script: Script) -> None:
    import z3

    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(script_text(script))
    assert len(solver.assertions()) == len(script.assertions)
    assert str(solver.check()) == ("sat" if possible(script) else "unsat")


def test_a_script_is_a_command_a_line() -> None:
    text = """(declare-sort |tall person| 0)
(declare-fun |Zoë B.| () |tall person|)
(declare-fun x () Int)
(declare-fun pay (|tall person| Int) Real)
(define-fun more ((n Int) (|a b| Real)) Real (+ (to_real n) |a b| 0.125))
; Zoë is paid. (assert false)
(assert (> (pay |Zoë B.| (- 3)) 1500.0))
(assert (forall ((z |tall person|)) (let ((p (pay z x)) (q true)) (and q (< (more 1 p) 2.5)))))
"""
    script = read_script(text)
    assert script_text(script, ["Zoë is paid. (assert false)"]) == text
    assert script_text(read_script(script_text(script))) == script_text(script)
    assert script_text(Script()) == ""


@pytest.mark.parametrize(
    ("comment", "line"),
    [
        ("", ""),
        ("  \n ", ""),
        ("one", "; one\n"),
        ("a\n(assert false)", "; a (assert false)\n"),
        ("a\r(assert false)\x00\x0b\x85\u2028b\u202e", "; a (assert false) b\n"),
        ("; ; ", "; ; ;\n"),
        ("Straße 日本", "; Straße 日本\n"),
    ],
)
def test_comments_cannot_say_anything(comment: str, line: str) -> None:
    script = read_script("(assert true)")
    assert script_text(script, [comment]) == f"{line}(assert true)\n"
    assert read_script(script_text(script, [comment, "more comments than assertions"])) == script


@settings(max_examples=100, deadline=None)
@given(st.text(st.sampled_from('\n\r|";)( a\x00\u2028') | st.characters(), max_size=20))
def test_any_text_can_be_a_comment(comment: str) -> None:
    script = read_script("(declare-const a Bool)(assert a)")
    assert read_script(script_text(script, [comment])) == script


@pytest.mark.parametrize("number", ["0.0", "1.0", "0.5", "12.0625", "0.001", "123456789.000000001"])
def test_decimals_are_exact(number: str) -> None:
    (assertion,) = read_script(f"(assert (= {number}00 {number}))").assertions
    assert term_text(assertion.formula) == f"(= {number} {number})"


def test_what_is_printed_is_no_command_to_z3(tmp_path: Any) -> None:
    import z3

    parameters = ("timeout", "verbose", "memory_max_size", "smt.random_seed", "model", "unsat_core", "rlimit")
    before = [z3.get_param(name) for name in parameters]
    out = tmp_path / "out"
    script = read_script("(declare-const |(set-option :verbose 9)| Bool)(assert |(set-option :verbose 9)|)")
    text = script_text(script, [f'(set-option :regular-output-channel "{out}")'])
    solver = z3.Solver(ctx=z3.Context())
    solver.from_string(text)
    assert [z3.get_param(name) for name in parameters] == before
    assert list(tmp_path.iterdir()) == []
