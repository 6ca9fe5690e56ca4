"""Any text gives a sentence or an alert that says where, and lists of variables say the same in each spelling."""

from __future__ import annotations

import doctest
import re
from collections.abc import Callable, Mapping

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue_claims.fol.notation import LONGEST, read_fol, write_fol
from holdtrue_claims.fol.syntax import (
    And,
    Apply,
    Bound,
    Constant,
    Holds,
    Iff,
    Implies,
    Not,
    Or,
    Quantified,
    Sentence,
    Term,
    Xor,
)
from holdtrue_lab.kinds.claims.notations import nltk_notation
from holdtrue_lab.kinds.claims.notations.nltk_notation import read_nltk
from tests.patience import no_hang


def larger(inner: st.SearchStrategy[Sentence], variables: st.SearchStrategy[str]) -> st.SearchStrategy[Sentence]:
    several = st.just(()) | st.lists(inner, min_size=2, max_size=3).map(tuple)
    pairs = st.builds(Xor, inner, inner) | st.builds(Implies, inner, inner) | st.builds(Iff, inner, inner)
    quantified = st.builds(Quantified, st.sampled_from(["forall", "exists"]), variables, inner)
    return st.builds(And, several) | st.builds(Or, several) | st.builds(Not, inner) | quantified | pairs


def closed(sentence: Sentence) -> Sentence:
    for name in ("x", "y", "z1", "X", "person", "é", "1"):
        sentence = Quantified("exists", name, sentence)
    return sentence


def test_the_example_is_right() -> None:
    found = doctest.testmod(nltk_notation)
    assert found.attempted and not found.failed


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
QUANTIFIER = re.compile(r"(?:∀\w+ )+|(?:∃\w+ )+")
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
@settings(deadline=None, max_examples=100)
@given(sentences.map(closed))
def test_lists_of_variables_say_the_same_in_each_spelling(spelling: str, sentence: Sentence) -> None:
    def respelled(head: re.Match[str]) -> str:
        return SPELLINGS[spelling](head[0][0], re.findall(r"\w+(?= )", head[0]))

    text = write_fol(sentence)
    due, read = read_fol(text), read_fol(QUANTIFIER.sub(respelled, text))
    assert due.sentence is not None
    if "open" in spelling:  # Where nothing ends the list, a variable that stands nowhere is refused.
        assert read.sentence in (due.sentence, None) or read.alerts
    else:
        assert read.sentence == due.sentence


PIECES = [*"()-&|=.,%\"'!", "->", "<->", "!=", "all x.", "exists x y. ", "some", " ", "P", "Q(", "x", "a", "12"]


@settings(deadline=None, max_examples=300)
@given(st.lists(st.sampled_from(PIECES), max_size=25).map("".join) | st.text(max_size=30))
def test_any_text_gives_a_sentence_or_an_alert_that_says_where(text: str) -> None:
    read = read_nltk(text)
    refused = [alert for alert in read.alerts if alert.kind in ("unparsed", "unsupported")]
    assert (read.sentence is None) == bool(refused)
    for alert in read.alerts:
        assert alert.text == text
        assert alert.position is not None and 0 <= alert.position <= len(text)


@pytest.mark.parametrize("piece", ["(", ")", "-", "p(", "p & ", "p -> ", "all x.", "all x ", "'", '"', "%", "x "])
def test_long_texts_are_read_or_refused_and_nothing_raises(piece: str) -> None:
    with no_hang():
        read_nltk(piece * (LONGEST // len(piece)))
        assert read_nltk(piece * LONGEST + "p").sentence is None


def test_deep_nesting_is_refused() -> None:
    for before, after in (("(", ")"), ("-", ""), ("all x.", ""), ("p(", ")"), ("p -> ", "")):
        assert read_nltk(before * 200 + "p" + after * 200).sentence is None
