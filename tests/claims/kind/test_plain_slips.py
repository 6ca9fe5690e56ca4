"""Code finds wrong formulas that are made from right ones by one slip, without a model, and passes the right ones."""

from __future__ import annotations

from datetime import date, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue_claims.fol.vocabulary import Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.plain_mismatch import plain_mismatch
from holdtrue_lab.kinds.claims.gate.pairs import read_pairs
from tests.claims.fol.test_english import read

PAIRS = Path(__file__).parents[2] / "lab" / "kinds" / "claims" / "gate"
ORDERS = ("4711", "4712", "4811", "9", "88")
VOCABULARY = Vocabulary(
    (
        *(Entity(name, "person") for name in ("Ann", "Anne", "Ben")),
        *(Entity(f"Order{number}", "order") for number in ORDERS),
        *(Entity(f"Window{letter}", "window") for letter in "ACD"),
        Entity("Rome", "city"),
        Entity("Paris", "city"),
    ),
    (
        Predicate("Waits", ("person", "window"), "x waits at y"),
        Predicate("Flies", ("person", "city", "city"), "x flies from y to z"),
        Predicate("Late", ("order",), "x is late"),
        Predicate("Tired", ("person",), "x is tired"),
        Predicate("Knows", ("person", "person"), "x knows y"),
    ),
    (
        Function("weight", ("order",), result="kg", meaning="weight of x"),
        Function("share", ("person",), result="%", meaning="share of x"),
        Function("arrival", ("order",), result="date", meaning="date on which x arrives"),
        Function("opening", ("city",), result="time", meaning="time of the opening in x"),
        Function("seats", ("city",), result="whole", meaning="number of seats in x"),
        Function("price", ("order",), result="EUR(2)", meaning="price of x"),
    ),
)
NUMBERS = st.integers(2, 5000).map(str)
DATES = st.integers(0, 5000).map(lambda days: str(date(2020, 1, 1) + timedelta(days)))
SLOTS: dict[str, st.SearchStrategy[str]] = {
    "number": NUMBERS,
    "percent": st.integers(2, 49).map(lambda number: f"{number}%"),
    "money": st.builds("{} {}".format, NUMBERS, st.sampled_from(["EUR", "USD", "GBP"])),
    "unit": st.sampled_from(["7 kg", "7 g", "7 mg", "7 tonne"]),
    "date": DATES,
    "time": st.builds("{:02}:{:02}".format, st.integers(13, 23), st.integers(25, 59)),
    "thing by a digit": st.sampled_from([f"Order{number}" for number in ORDERS]),
    "thing by a letter": st.sampled_from(["Ann", "Anne", "Ben"]),
    "label": st.sampled_from(["WindowA", "WindowC", "WindowD"]),
    "direction": st.sampled_from(["at least >=", "at most <=", "more than >", "less than <"]),
    "before and after": st.sampled_from(["before <", "after >", "no earlier than >=", "no later than <="]),
    "order": st.sampled_from(["Ann Ben", "Ben Ann", "Ann Anne", "Anne Ben"]),
    "denial": st.sampled_from(["is ", "is not not"]),
    "quantifier": st.sampled_from(["every forall", "some exists"]),
}
"""The slots by kind of slip: values, things, or words with their part of the formula."""
PLAIN = {
    "number": [
        ("Rome has {0} seats.", "seats(Rome) = {0}"),
        ("There are {0} or more seats in Rome.", "seats(Rome) >= {0}"),
    ],
    "percent": [("The share of Ann is {0}.", "share(Ann) = {0}"), ("Ann got no more than {0}.", "share(Ann) <= {0}")],
    "money": [("Order 9 costs {0}.", "price(Order9) = {0}"), ("For order 9 one pays {0}.", "price(Order9) = {0}")],
    "unit": [("Order 9 weighs {0}.", "weight(Order9) = {0}"), ("Order 9 is heavier than {0}.", "weight(Order9) > {0}")],
    "date": [("Order 9 arrives on {0}.", "arrival(Order9) = {0}"), ("{0} saw order 9 come.", "arrival(Order9) = {0}")],
    "time": [("Rome opens at {0}.", "opening(Rome) = {0}"), ("From {0} Rome is open.", "opening(Rome) = {0}")],
    "thing by a digit": [("{0} is late.", "Late({0})"), ("We got {0} after its date.", "Late({0})")],
    "thing by a letter": [("{0} is tired.", "Tired({0})"), ("How sleepy {0} is!", "Tired({0})")],
    "label": [("Ann waits at {0}.", "Waits(Ann, {0})"), ("{0} is where Ann stands.", "Waits(Ann, {0})")],
}
"""Texts in which code finds a slip independently of the other words."""
OWN_WORDS = {
    "direction": [
        ("Order 9 weighs {0} 7 kg.", "weight(Order9) {1} 7 kg"),
        ("The weight of order 9 is {0} order 88's weight.", "weight(Order9) {1} weight(Order88)"),
    ],
    "before and after": [
        ("Order 9 arrives {0} order 88.", "arrival(Order9) {1} arrival(Order88)"),
        ("Order 9 arrives {0} 3 May 2026.", "arrival(Order9) {1} 2026-05-03"),
    ],
    "order": [("{0} knows {1}.", "Knows({0}, {1})")],
    "denial": [("Order 88 {0} late.", "{1} Late(Order88)")],
    "quantifier": [("{0} person is tired.", "{1} x in person (Tired(x))")],
}
"""Texts in the same words in which the library phrases formulas."""
OTHER_WORDS = [
    ("Order 88 is lighter than order 9.", "weight(Order9) > weight(Order88)", "weight(Order9) < weight(Order88)"),
    (
        "Order 9 comes in when 88 has been here.",
        "arrival(Order9) > arrival(Order88)",
        "arrival(Order9) < arrival(Order88)",
    ),
    ("Ann is known by Ben.", "Knows(Ben, Ann)", "Knows(Ann, Ben)"),
    ("Ann takes off in Rome and lands in Paris.", "Flies(Ann, Rome, Paris)", "Flies(Ann, Paris, Rome)"),
    ("Nobody could say that Ben is awake.", "Tired(Ben)", "not Tired(Ben)"),
    ("Whoever is a person is tired.", "forall x in person (Tired(x))", "exists x in person (Tired(x))"),
]
"""Texts in other words, about which code reports nothing and a model chooses."""
KNOWN = [(kind, *pair) for kind, pairs in {**PLAIN, **OWN_WORDS}.items() for pair in pairs]


def filled(kind: str, template: str, slot: str, *, text: bool) -> str:
    """Fill a template with a slot; the last space of a slot separates its words from its part of the formula."""
    if kind in OWN_WORDS:
        return template.format(*slot.rsplit(" ", 1))
    spaced = slot.replace("Order", "order ").replace("Window", "window ") if text else slot
    return template.format(spaced)


def looks_alike(kind: str, right: str, wrong: str) -> bool:
    """Return whether one value may be meant by the other: 4 by more than 3, half, and 15% off by 85%."""
    if kind != "number":
        return right == wrong
    return abs(int(right) - int(wrong)) <= 1


@pytest.mark.parametrize(("kind", "text", "formula"), KNOWN)
@given(data=st.data())
def test_a_slip_is_seen_and_the_right_formula_passes(kind: str, text: str, formula: str, data: st.DataObject) -> None:
    right = data.draw(SLOTS[kind])
    wrong = data.draw(SLOTS[kind].filter(lambda own: not looks_alike(kind, right, own)))
    told = filled(kind, text, right, text=True)
    assert plain_mismatch(told, read(filled(kind, formula, right, text=False)), VOCABULARY) is None
    assert plain_mismatch(told, read(filled(kind, formula, wrong, text=False)), VOCABULARY) is not None


@pytest.mark.parametrize(("text", "right", "wrong"), OTHER_WORDS)
def test_other_words_are_left_to_the_model(text: str, right: str, wrong: str) -> None:
    assert plain_mismatch(text, read(right), VOCABULARY) is None is plain_mismatch(text, read(wrong), VOCABULARY)


@pytest.mark.parametrize(
    ("file", "least"), [("pairs.json", 81), pytest.param("pairs400.json", 350, marks=pytest.mark.slow)]
)
def test_no_right_pair_is_refused_and_many_wrong_ones_are(file: str, least: int) -> None:
    seen = 0
    for own in read_pairs(PAIRS / file):
        for text, sentence in own.said.items():
            assert plain_mismatch(text, sentence, own.vocabulary) is None, text
        wrong = [(own.sentence, own.near_miss), (own.paraphrase, own.near_miss), (own.near_sentence, own.formula)]
        seen += sum(plain_mismatch(text, sentence, own.vocabulary) is not None for text, sentence in wrong)
    assert seen >= least
