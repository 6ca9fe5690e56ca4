"""In every notation what is written is read back, and any text gives a sentence or an alert that says where."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable, Mapping, Sequence
from fractions import Fraction
from typing import Any

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.logic.units import Unit
from holdtrue_claims.fol.english import OPERATIONS
from holdtrue_claims.fol.notation import LONGEST, write_fol
from holdtrue_claims.fol.syntax import (
    DEEPEST,
    And,
    Apply,
    Bound,
    Compare,
    Constant,
    Holds,
    Iff,
    Implies,
    Not,
    Number,
    Or,
    Plus,
    Quantified,
    Sentence,
    Term,
    Xor,
)
from holdtrue_lab.kinds.claims.notations import READERS, nltk_notation, tptp_notation
from holdtrue_lab.kinds.claims.notations.nltk_notation import write_nltk
from holdtrue_lab.kinds.claims.notations.tptp_notation import write_tptp

WRITERS = {"fol": write_fol, "nltk": write_nltk, "tptp": write_tptp}
STRICT = ("nltk", "tptp")
ODD = ["x", "X", "z1", "and", "all", "some", "New York", "1984", 'say "hi"', "back\\slash", "O'Brien", "10%", "$T", ""]
names = st.sampled_from(ODD) | st.text(max_size=4)
functions = names.filter(lambda name: name not in OPERATIONS)
variables = st.sampled_from(["x", "y", "z1", "X", "person", "é", "1"])
things: st.SearchStrategy[Term] = (
    st.builds(Constant, names) | st.builds(Bound, variables) | st.builds(Number, st.integers(0, 12))
)
terms = st.recursive(
    things, lambda inner: st.builds(Apply, functions, st.lists(inner, min_size=1, max_size=2).map(tuple)), max_leaves=3
)


def larger(
    inner: st.SearchStrategy[Sentence], variables: st.SearchStrategy[str] = variables
) -> st.SearchStrategy[Sentence]:
    several = st.just(()) | st.lists(inner, min_size=2, max_size=3).map(tuple)
    pairs = st.builds(Xor, inner, inner) | st.builds(Implies, inner, inner) | st.builds(Iff, inner, inner)
    quantified = st.builds(Quantified, st.sampled_from(["forall", "exists"]), variables, inner)
    return st.builds(And, several) | st.builds(Or, several) | st.builds(Not, inner) | quantified | pairs


atoms = st.builds(Holds, names, st.lists(terms, max_size=2).map(tuple)) | st.builds(
    Compare, st.sampled_from(["=", "!="]), terms, terms
)
open_sentences = st.recursive(atoms, larger, max_leaves=6)


def closed(sentence: Sentence) -> Sentence:
    for name in ("x", "y", "z1", "X", "person", "é", "1"):
        sentence = Quantified("exists", name, sentence)
    return sentence


def outline(node: Any, bound: Sequence[str], notation: str) -> Any:
    """The sentence as nested tuples without the names of its variables; ⊕ as ¬↔ where the notation has no sign."""
    match node:
        case Bound(name):
            return ("bound", list(reversed(bound)).index(name))
        case Quantified(quantifier, variable, body, sort):
            return (quantifier, sort, outline(body, (*bound, variable), notation))
        case Xor(left, right) if notation == "nltk":
            return outline(Not(Iff(left, right)), bound, notation)
        case tuple():
            return tuple(outline(part, bound, notation) for part in node)
        case str() | int() | Fraction() | Unit():
            return node
    fields = [getattr(node, name) for name in type(node).__match_args__]
    return (type(node).__name__, *(outline(field, bound, notation) for field in fields))


@pytest.mark.parametrize("module", [nltk_notation, tptp_notation])
def test_the_examples_are_right(module: Any) -> None:
    found = doctest.testmod(module)
    assert found.attempted and not found.failed


@pytest.mark.parametrize("notation", STRICT)
@settings(deadline=None, max_examples=150)
@given(open_sentences.map(closed))
def test_what_is_written_is_read_as_the_same_sentence(notation: str, sentence: Sentence) -> None:
    read = READERS[notation](WRITERS[notation](sentence))
    assert read.sentence is not None, read.alerts
    assert outline(read.sentence, (), notation) == outline(sentence, (), notation)
    assert {alert.kind for alert in read.alerts} <= {"function"}


NAMES = ["P", "Rain", "tom", "in", "x", "New York"]
simple: st.SearchStrategy[Term] = st.builds(Constant, st.sampled_from(NAMES)) | st.builds(
    Bound, st.sampled_from(["x", "person", "X"])
)
applied = st.builds(Apply, st.sampled_from(NAMES), st.tuples(simple))
sentences = st.recursive(
    st.builds(Holds, st.sampled_from(NAMES), st.lists(simple | applied, max_size=2).map(tuple)),
    lambda inner: larger(inner, st.sampled_from(["x", "person", "X"])),
    max_leaves=4,
)
QUANTIFIER = {
    "fol": re.compile(r"(?:∀\w+ )+|(?:∃\w+ )+"),
    "nltk": re.compile(r"(?:all \w+\.)+|(?:exists \w+\.)+"),
}
SPELLINGS: Mapping[str, Callable[[str, list[str]], str]] = {
    "commas": lambda sign, own: f"{sign}{', '.join(own)}: ",
    "row": lambda sign, own: f"{sign}{' '.join(own)}. ",
    "words": lambda sign, own: f"{'forall' if sign == '∀' else 'exists'} {' '.join(own)}. ",
    "brackets": lambda sign, own: f"({sign}{' '.join(own)}) ",
    "each": lambda sign, own: "".join(f"({sign}{one})" for one in own),
    "joined": lambda sign, own: "".join(f"{sign}{one}" for one in own) + " ",
    "open": lambda sign, own: f"{sign}{' '.join(own)} ",
    "open commas": lambda sign, own: f"{sign}{','.join(own)} ",
}


@pytest.mark.parametrize("spelling", SPELLINGS)
@pytest.mark.parametrize("notation", QUANTIFIER)
@settings(deadline=None, max_examples=100)
@given(sentences.map(closed))
def test_lists_of_variables_say_the_same_in_each_spelling(notation: str, spelling: str, sentence: Sentence) -> None:
    def respelled(head: re.Match[str]) -> str:
        sign = "∀" if head[0][0] in "∀a" else "∃"
        return SPELLINGS[spelling](sign, re.findall(r"\w+(?=[ .])(?<!all)(?<!exists)", head[0]))

    text = WRITERS[notation](sentence)
    due, read = READERS[notation](text), READERS[notation](QUANTIFIER[notation].sub(respelled, text))
    assert due.sentence is not None
    if "open" in spelling:  # Where nothing ends the list, a variable that stands nowhere is refused.
        assert read.sentence in (due.sentence, None) or read.alerts
    else:
        assert read.sentence == due.sentence


PIECES: Mapping[str, Sequence[str]] = {
    "nltk": [*"()-&|=.,%\"'!", "->", "<->", "!=", "all x.", "exists x y. ", "some", " ", "P", "Q(", "x", "a", "12"],
    "tptp": [
        *"()[]~&|=,%\"'!?:.$",
        "=>",
        "<=>",
        "<~>",
        "~|",
        "!=",
        "![X]:",
        "?[X,Y]: ",
        " ",
        "fof(a, axiom, ",
        "cnf(",
        "p",
        "q(",
        "X",
        "12",
    ],
}
anything = {name: st.lists(st.sampled_from(pieces), max_size=25).map("".join) for name, pieces in PIECES.items()}


@pytest.mark.parametrize("notation", STRICT)
@settings(deadline=None, max_examples=300)
@given(st.data())
def test_any_text_gives_a_sentence_or_an_alert_that_says_where(notation: str, data: st.DataObject) -> None:
    text = data.draw(anything[notation] | st.text(max_size=30))
    read = READERS[notation](text)
    refused = [alert for alert in read.alerts if alert.kind in ("unparsed", "unsupported")]
    assert (read.sentence is None) == bool(refused)
    for alert in read.alerts:
        assert alert.text == text
        assert alert.position is not None and 0 <= alert.position <= len(text)


@pytest.mark.parametrize("notation", STRICT)
@pytest.mark.parametrize(
    "piece",
    [
        "(",
        ")",
        "-",
        "~",
        "p(",
        "p & ",
        "p -> ",
        "p => ",
        "all x.",
        "all x ",
        "![X]: ",
        "![X,",
        "'",
        '"',
        "/*",
        "%",
        "x ",
    ],
)
def test_long_texts_are_read_or_refused_and_nothing_raises(notation: str, piece: str) -> None:
    READERS[notation](piece * (LONGEST // len(piece)))
    assert READERS[notation](piece * LONGEST + "p").sentence is None


@pytest.mark.parametrize("notation", STRICT)
def test_deep_nesting_is_refused(notation: str) -> None:
    for before, after in (("(", ")"), ("-", ""), ("~", ""), ("all x.", ""), ("![X]: ", ""), ("p(", ")"), ("p -> ", "")):
        assert READERS[notation](before * 200 + "p" + after * 200).sentence is None
    deep: Sentence = Holds("p")
    for _ in range(DEEPEST):
        deep = Not(deep)
    with pytest.raises(FormulaError, match="deep"):
        WRITERS[notation](deep)


@pytest.mark.parametrize("notation", STRICT)
@pytest.mark.parametrize(
    ("sentence", "message"),
    [
        (Holds("P", (Bound("x"),)), "cannot say what no quantifier binds: x"),
        (Compare("<", Number(1), Number(2)), "cannot say the comparison <"),
        (Compare("=", Plus(((1, Number(1)),)), Number(2)), "cannot say a part of the kind Plus"),
        (Quantified("forall", "x", Holds("P"), "Person"), "cannot say that a quantifier ranges over Person alone"),
        (Holds("P", (Number(10**20),)), "cannot say the number"),
    ],
)
def test_what_a_notation_cannot_say_is_refused(notation: str, sentence: Sentence, message: str) -> None:
    with pytest.raises(FormulaError, match=message):
        WRITERS[notation](sentence)
