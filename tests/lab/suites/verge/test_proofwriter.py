from __future__ import annotations

from collections import Counter

import pytest

from holdtrue.errors import RecordError
from holdtrue_claims.claim_record import ClaimVerdict
from holdtrue_claims.fol.meaning import state
from holdtrue_claims.kind.context import Context
from holdtrue_claims.kind.entailment import verify_claim
from holdtrue_lab.kinds.claims.item import Item
from holdtrue_lab.suites.verge.gold_logic import PROOF, vocabulary_of
from holdtrue_lab.suites.verge.proofwriter import (
    ANYTHING,
    Literal,
    ProofWriterRecord,
    Rule,
    read_proofwriter,
    read_sentence,
)
from tests.data import DATA
from tests.lab.suites.verge.chaining import chained
from tests.lab.suites.verge.records import load_proofwriter

FILE = DATA / "proofwriter" / "dev.json"
needs_proofwriter = pytest.mark.skipif(
    not FILE.exists(), reason="the ProofWriter records are not beside the repository"
)


def record(context: str, statement: str) -> ProofWriterRecord:
    question = f"Based on the above information, is the following statement true, false, or unknown? {statement}"
    return read_proofwriter(Item("own", context, question, {"A": "True", "B": "False", "C": "Unknown"}, "A"))


X = ANYTHING


@pytest.mark.parametrize(
    ("text", "rule"),
    [
        ("Bob is cold.", Rule((), Literal("cold", ("Bob",)))),
        ("The bald eagle is not cold.", Rule((), Literal("cold", ("bald eagle",), False))),
        ("The cat chases the bald eagle.", Rule((), Literal("chase", ("cat", "bald eagle")))),
        ("The cat does not see the dog.", Rule((), Literal("see", ("cat", "dog"), False))),
        (
            "All kind, big things are not red.",
            Rule((Literal("kind", (X,)), Literal("big", (X,))), Literal("red", (X,), False)),
        ),
        ("Nice people are quiet.", Rule((Literal("nice", (X,)),), Literal("quiet", (X,)))),
        (
            "If someone is rough and not cold then they do not eat the cow.",
            Rule((Literal("rough", (X,)), Literal("cold", (X,), False)), Literal("eat", (X, "cow"), False)),
        ),
        (
            "If something visits the cat and it is not nice then the cat needs the dog.",
            Rule((Literal("visit", (X, "cat")), Literal("nice", (X,), False)), Literal("need", ("cat", "dog"))),
        ),
        (
            "If Dave is smart and Dave is kind then Dave is quiet.",
            Rule((Literal("smart", ("Dave",)), Literal("kind", ("Dave",))), Literal("quiet", ("Dave",))),
        ),
    ],
)
def test_sentences(text: str, rule: Rule) -> None:
    assert read_sentence(text, "own") == rule


@pytest.mark.parametrize(
    ("context", "statement", "message"),
    [
        ("Bob sings.", "Bob is red.", "no sentence of this kind"),
        ("Bob is red. And so", "Bob is red.", "does not end with a sentence"),
        ("Bob is red.", "Red things are cold.", "states no fact"),
    ],
)
def test_other_english_is_refused(context: str, statement: str, message: str) -> None:
    with pytest.raises(RecordError, match=message):
        record(context, statement)


def classical(one: ProofWriterRecord) -> ClaimVerdict:
    """What classical logic says of the statement, whatever else there is."""
    sentences = [rule.sentence for rule in one.rules]
    vocabulary = vocabulary_of([*sentences, one.statement.sentence], lambda name, arity: "")
    premises = {f"P{number}": state(sentence, vocabulary) for number, sentence in enumerate(sentences, start=1)}
    return verify_claim(Context(premises, vocabulary, PROOF), state(one.statement.sentence, vocabulary)).verdict


def test_classical_logic_finds_more() -> None:
    by_contraposition = record("Bob is not red. Cold things are red.", "Bob is cold.")
    by_cases = record("If Bob is cold then Bob is red. If Bob is not cold then Bob is red.", "Bob is red.")
    assert (chained(by_contraposition), chained(by_cases)) == ("C", "C")
    assert classical(by_contraposition) is ClaimVerdict.CONTRADICTORY
    assert classical(by_cases) is ClaimVerdict.ENTAILED


@needs_proofwriter
def test_the_gold_labels_are_those_of_forward_chaining() -> None:
    records = load_proofwriter(FILE)
    assert Counter(chained(one) == one.item.answer for one in records) == {True: 600}


@needs_proofwriter
@pytest.mark.slow
def test_how_often_classical_logic_says_otherwise() -> None:
    records = load_proofwriter(FILE)
    found = Counter((one.item.answer, classical(one)) for one in records)
    print("\nProofWriter, gold option (forward chaining) against classical logic:")
    print("\n".join(f"  {gold}  {verdict:22} {count}" for (gold, verdict), count in sorted(found.items())))
    assert found == {
        ("A", ClaimVerdict.ENTAILED): 200,
        ("B", ClaimVerdict.CONTRADICTORY): 199,
        ("B", ClaimVerdict.INCONSISTENT_CONTEXT): 1,
        ("C", ClaimVerdict.POSSIBLE): 186,
        ("C", ClaimVerdict.ENTAILED): 6,
        ("C", ClaimVerdict.CONTRADICTORY): 6,
        ("C", ClaimVerdict.INCONSISTENT_CONTEXT): 2,
    }
