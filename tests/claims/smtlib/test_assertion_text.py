"""Sentences as SMT-LIB assertions: what is let in, and that what is written says the same when it is read."""

from __future__ import annotations

import pytest
from hypothesis import given, settings

from bench.programs.grounding import variables_of
from holdtrue.budget import Budget
from holdtrue.solving.explain.classification import equivalent
from holdtrue.solving.result import Equivalent
from holdtrue.solving.route import make_engine
from holdtrue_claims.fol.notation import read_fol, write_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.smtlib.assertion_text import read_smtlib, write_smtlib
from holdtrue_claims.solving.sentence_grounding import ground
from tests.claims.fol.named_things import ranges_of, things_of
from tests.claims.fol.sentences import RANGES, THINGS, closed, open_sentences

PATIENT = Budget(timeout_s=60)
"""Whether they are equal is tested, and not how quickly a busy machine finds that."""

SMTLIB_WORDS = Vocabulary(
    (Entity("Mia", "person"), Entity("Old Boat", "boat")),
    (Predicate("Dancer", (ANY,), "x is a dancer"), Predicate("Teaches", (ANY, ANY)), Predicate("Rains", ())),
    (Function("rank", (ANY,), 1, 3),),
)


@pytest.mark.parametrize(
    "text, formula",
    [
        ("(assert (Dancer Mia))", "Dancer(Mia)"),
        ("(assert (forall ((x Thing)) (=> (Dancer x) Rains)))", "forall x (Dancer(x) -> Rains)"),
        (
            "(assert (forall ((x Thing) (y Thing)) (=> (Teaches x y) (distinct x y))))",
            "forall x forall y (Teaches(x, y) -> x != y)",
        ),
        ("(assert (not (exists ((x Thing)) (Teaches x |Old Boat|))))", 'not exists x Teaches(x, "Old Boat")'),
        ("(assert (< (rank Mia) (- (rank |Old Boat|) 1)))", 'rank(Mia) < rank("Old Boat") - 1'),
        ("(assert (= (Dancer Mia) Rains))", "Dancer(Mia) <-> Rains"),
        ("(assert (=> Rains (Dancer Mia) Rains))", "Rains -> (Dancer(Mia) -> Rains)"),
        ("(assert (<= 1 (rank Mia) 2))", "1 <= rank(Mia) and rank(Mia) <= 2"),
        ("(assert (let ((a Rains)) (and a a)))", "Rains and Rains"),
        ("(assert (ite Rains Rains (Dancer Mia)))", "(Rains -> Rains) and (Rains or Dancer(Mia))"),
        ("(assert (= (div (rank Mia) 2) 1))", "div(rank(Mia), 2) = 1"),
        ("(assert (= (* (rank Mia) (rank Mia)) 4))", "rank(Mia) * rank(Mia) = 4"),
        ("(assert (< (rank Mia) (ite Rains 2 2.5)))", "rank(Mia) < if(Rains, 2, 2.5)"),
        ("(assert Rains) ; and\n(assert (Dancer Mia))", "Rains and Dancer(Mia)"),
    ],
)
def test_assertions(text: str, formula: str) -> None:
    found = read_smtlib(text, SMTLIB_WORDS)
    assert found.alerts == ()
    assert found.sentence == read_fol(formula).sentence


HARMLESS = "(assert Rains)\n"


@pytest.mark.parametrize(
    "command",
    [
        '(include "/etc/passwd")',
        '(set-option :regular-output-channel "out")',
        "(set-option :timeout 1)",
        "(exit)",
        "(pop)",
        "(push 1)",
        "(check-sat)",
        "(declare-const Ann Thing)",
        "(define-fun f () Bool true)",
        "(assert (= (div 6 (rank Mia)) 1))",
        "(assert (forall ((n Int)) (> n 1)))",
    ],
)
def test_what_is_not_let_in_is_an_alert_with_its_place(command: str) -> None:
    for before in ("", HARMLESS):
        found = read_smtlib(before + command + HARMLESS, SMTLIB_WORDS)
        assert found.sentence is None
        assert [(alert.kind, alert.position) for alert in found.alerts] == [("unsupported", len(before))]


@pytest.mark.parametrize(
    "text, kind, at",
    [
        ("(assert (Singer Mia))", "undeclared", 9),
        ("(assert\n  (Dancer Ann))", "undeclared", 18),
        ("(assert (Teaches Mia))", "unparsed", 8),
        ("(assert (! Rains :named a))", "unparsed", 9),
        ("(assert Rains", "unparsed", 0),
        ("", "unparsed", 0),
        ("Rains", "unparsed", 0),
        ("(" * 5000, "unparsed", 60),
        ("(assert " + "(not " * 300 + "Rains" + ")" * 301, "unparsed", 303),
        ("(assert Rains)" * 30, "unparsed", 280),
    ],
)
def test_faults(text: str, kind: str, at: int) -> None:
    found = read_smtlib(text, SMTLIB_WORDS)
    assert found.sentence is None
    assert [(alert.kind, alert.position) for alert in found.alerts] == [(kind, at)]


def test_a_deep_sentence_is_refused_and_never_walked() -> None:
    found = read_smtlib(f"(assert (=> {' '.join(['Rains'] * 500)}))", SMTLIB_WORDS)
    assert found.sentence is None
    assert [alert.kind for alert in found.alerts] == ["unsupported"]


RANDOM = Vocabulary(
    tuple(map(Entity, THINGS)),
    (Predicate("Tall", (ANY,)), Predicate("Likes", (ANY, ANY))),
    tuple(Function(name, (ANY,), *values) for name, values in RANGES.items()),
)


@given(open_sentences)
@settings(max_examples=25, deadline=None)
def test_what_is_written_says_the_same_when_it_is_read(sentence: Sentence) -> None:
    sentence = closed(sentence)
    found = read_smtlib(write_smtlib(sentence), RANDOM)
    if found.sentence is None:  # arities and sorts that random sentences do not keep to
        return
    one, other = (ground(each, things_of(RANDOM), ranges_of(RANDOM)) for each in (_unsorted(sentence), found.sentence))
    assert isinstance(equivalent(make_engine(variables_of((one, other))), one, other, PATIENT), Equivalent)


def _unsorted(sentence: Sentence) -> Sentence:
    """The sentence as SMT-LIB can say it, with quantifiers over all things."""
    found = read_fol(write_fol(sentence).replace(" ∈ Person", "")).sentence
    assert found is not None
    return found
