"""Tests of the option that follows from premises whose formulas are given."""

from __future__ import annotations

import asyncio
from collections.abc import Mapping

import pytest

from holdtrue.budget import Budget
from holdtrue.language.asking import Asking
from holdtrue.models.scripted import ScriptModel
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.entailment import proved_option
from holdtrue_claims.kind.gold_logic import STATEMENT, GoldLogic
from holdtrue_claims.kind.premise_preparation import prepare, stated
from holdtrue_claims.kind.premises import Premises
from holdtrue_claims.kind.settings import FormalSettings

TRUTH = {"A": "True", "B": "False", "C": "Uncertain"}
BAKERY = Vocabulary((Entity("Ines"),), (Predicate("Baker", ("thing",)), Predicate("EarlyRiser", ("thing",))))
SHELF = Vocabulary(
    tuple(Entity(name, "jar") for name in ("Plum", "Fig", "Quince")),
    functions=(Function("place", ("jar",), 1, 3, distinct=True, meaning="1 is the leftmost"),),
    stated=("steps",),
)


def read(text: str) -> Sentence:
    sentence = read_fol(text).sentence
    assert sentence is not None
    return sentence


def premises(
    vocabulary: Vocabulary, texts: Mapping[str, str], statements: Mapping[str, str], options: Mapping[str, str]
) -> Premises:
    gold = GoldLogic(
        vocabulary,
        {id: read(text) for id, text in texts.items()},
        {name: read(text) for name, text in statements.items()},
    )
    statement = "what is asked about" if STATEMENT in statements else None
    asking = Asking(ScriptModel([]))
    return asyncio.run(
        prepare(
            asking,
            FormalSettings(),
            list(texts.values()),
            budget=Budget(),
            options=options,
            statement=statement,
            gold=gold,
        )
    )


RULE = "forall x (Baker(x) -> EarlyRiser(x))"


@pytest.mark.parametrize(
    ("texts", "statement", "letter"),
    [
        ((RULE, "Baker(Ines)"), "EarlyRiser(Ines)", "A"),
        ((RULE, "not EarlyRiser(Ines)"), "Baker(Ines)", "B"),
        ((RULE,), "Baker(Ines)", "C"),
        ((RULE, "Baker(Ines)", "not EarlyRiser(Ines)"), "Baker(Ines)", None),
    ],
)
def test_a_statement_is_true_false_uncertain_or_nothing_at_all(
    texts: tuple[str, ...], statement: str, letter: str | None
) -> None:
    ids = {f"P{place}": text for place, text in enumerate(texts, start=1)}
    assert proved_option(premises(BAKERY, ids, {STATEMENT: statement}, TRUTH)) == letter


@pytest.mark.parametrize(
    ("texts", "letter"),
    [
        (("place(Plum) < place(Fig)", "place(Fig) < place(Quince)"), "B"),
        (("place(Fig) = 1",), "A"),  # entailed, although the others are refuted too
        (("place(Fig) != 1", "place(Plum) != 1"), "C"),
        (("place(Plum) < place(Fig)",), None),  # Plum or Quince is first: two options are open
        (("place(Plum) = 1", "place(Fig) = 1"), None),
    ],
)
def test_of_statements_the_one_that_follows_or_the_only_one_left(texts: tuple[str, ...], letter: str | None) -> None:
    ids = {f"P{place}": text for place, text in enumerate(texts, start=1)}
    options = {"A": "place(Fig) = 1", "B": "place(Plum) = 1", "C": "place(Quince) = 1"}
    assert proved_option(premises(SHELF, ids, options, options)) == letter


def test_a_statement_that_could_not_be_read_proves_nothing() -> None:
    found = premises(SHELF, {"P1": "place(Fig) = 1"}, {"A": "place(Fig) = 1"}, {"A": "one", "B": "two"})
    assert found.statements["B"].formula is None
    assert proved_option(found) is None


def test_claims_prove_by_themselves_and_that_nothing_follows_is_no_proof() -> None:
    texts = premises(BAKERY, {"P1": RULE}, {STATEMENT: "EarlyRiser(Ines)"}, TRUTH)
    rule, baker = texts.say(read(RULE)), texts.say(read("Baker(Ines)"))
    assert proved_option(texts, [rule, baker]) == "A"
    assert proved_option(texts, [texts.say(read("not EarlyRiser(Ines)"))]) == "B"
    assert proved_option(texts, [baker]) is None
    assert proved_option(texts, []) is None


def test_a_single_option_that_is_open_is_not_proved() -> None:
    texts = {"P1": RULE}
    assert proved_option(premises(BAKERY, texts, {"A": "Baker(Ines)"}, {"A": "Ines is a baker"})) is None
    texts["P2"] = "Baker(Ines)"
    assert proved_option(premises(BAKERY, texts, {"A": "Baker(Ines)"}, {"A": "Ines is a baker"})) == "A"


def test_truth_values_of_nothing_are_no_statements() -> None:
    # No call is made for them either, and none would be answered.
    model = ScriptModel(
        ['{"things": []}', '{"functions": [], "predicates": [{"meaning": "x bakes", "name": "Bakes"}]}']
    )
    made = asyncio.run(prepare(Asking(model), FormalSettings(), (), budget=Budget(), options=TRUTH))
    assert made.statements == {} and proved_option(made) is None


def test_what_an_earlier_answer_claimed_proves_no_option() -> None:
    options = {"A": "Ines is a baker", "B": "Ines rises late"}
    texts = premises(BAKERY, {"P1": RULE}, {"A": "Baker(Ines)", "B": "not EarlyRiser(Ines)"}, options)
    said = {"U1.1": ("Ines is a baker", read("Baker(Ines)"))}
    assert proved_option(stated(texts, said, "user")) == "A"
    assert proved_option(stated(texts, said, "claim")) is None
