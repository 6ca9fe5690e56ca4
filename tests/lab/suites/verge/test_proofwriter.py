from __future__ import annotations

from collections import Counter
from itertools import product

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

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
from tests.lab.suites.verge.chaining import chain, chained, instances
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
    ("context", "statement", "option"),
    [
        ("Bob is cold. Cold things are red.", "Bob is red.", "A"),
        ("Bob is cold. Cold things are red.", "Bob is not red.", "B"),
        ("Bob is cold. Cold things are red.", "Bob is kind.", "C"),
        ("Bob is cold. Cold things are not red.", "Bob is red.", "B"),
        # Classical logic would prove these, by contraposition and by cases.
        ("Bob is not red. Cold things are red.", "Bob is cold.", "C"),
        ("If Bob is cold then Bob is red. If Bob is not cold then Bob is red.", "Bob is red.", "C"),
        # Nothing is denied because it was not derived.
        ("Bob is kind. If something is not red then it is cold.", "Bob is cold.", "C"),
    ],
)
def test_forward_chaining(context: str, statement: str, option: str) -> None:
    assert chained(record(context, statement)) == option


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


def test_clashing_rules_have_no_option() -> None:
    clash = record("Bob is cold. Cold things are red. Cold things are not red.", "Bob is red.")
    with pytest.raises(ValueError, match="both"):
        chained(clash)


def classical(one: ProofWriterRecord) -> ClaimVerdict:
    """Return the label of the statement in classical logic."""
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


THINGS = ("ann", "bob")
KINDS = ("red", "big", "old")
literals = st.builds(Literal, st.sampled_from(KINDS), st.tuples(st.sampled_from((*THINGS, ANYTHING))), st.booleans())
rules = st.builds(Rule, st.lists(literals, max_size=2).map(tuple), literals)


def chain_by_trying(given_rules: list[Rule]) -> set[Literal]:
    """Return every derived literal by trying all instances repeatedly, as a naive twin."""
    ground = [instance for rule in given_rules for thing in THINGS for instance in instances(rule, [thing])]
    derived: set[Literal] = set()
    for _ in range(len(ground) + 1):
        for instance in ground:
            if all(condition in derived for condition in instance.conditions):
                derived.add(instance.conclusion)
    return derived


@given(st.lists(rules, max_size=6))
@settings(max_examples=80, deadline=None)
def test_chaining_finds_what_trying_finds(given_rules: list[Rule]) -> None:
    assert chain(given_rules, THINGS) == chain_by_trying(given_rules)


@given(st.lists(rules, max_size=5))
@settings(max_examples=60, deadline=None)
def test_what_is_chained_is_true_wherever_the_rules_are(given_rules: list[Rule]) -> None:
    facts = [(kind, thing) for kind in KINDS for thing in THINGS]
    worlds = [dict(zip(facts, values, strict=True)) for values in product((False, True), repeat=len(facts))]

    def true(literal: Literal, world: dict[tuple[str, str], bool]) -> bool:
        return world[literal.predicate, literal.args[0]] == literal.positive

    ground = [instance for rule in given_rules for instance in instances(rule, THINGS)]
    allowed = [
        world
        for world in worlds
        if all(
            true(one.conclusion, world) or not all(true(condition, world) for condition in one.conditions)
            for one in ground
        )
    ]
    assume(allowed)
    assert all(true(literal, world) for literal in chain(given_rules, THINGS) for world in allowed)


def test_a_rule_about_everything_has_an_instance_for_each_thing() -> None:
    general = Rule((Literal("red", (ANYTHING,)),), Literal("sees", (ANYTHING, "bob"), False))
    assert [str(one.conclusion.args) for one in instances(general, THINGS)] == ["('ann', 'bob')", "('bob', 'bob')"]
    particular = Rule((), Literal("red", ("ann",)))
    assert instances(particular, THINGS) == (particular,)
