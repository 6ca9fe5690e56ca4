"""The pattern for constrained formulas admits every formula of the vocabulary in its notation, and no other names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from random import Random
from typing import Any

import pytest

from holdtrue_claims.fol.meaning import state
from holdtrue_claims.fol.syntax import Number
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.prompts.formalization import EXAMPLES, read_formalization
from holdtrue_claims.kind.prompts.formula_pattern import offer_pattern
from holdtrue_claims.kind.prompts.offered import Offer, mentioned, offer, says_some
from tests.slow import first_of

THINGS = (Entity("Mia", "person"), Entity("1925", "year"), Entity("Old Boat", "boat"), Entity("x", "boat"))
RELATED = Vocabulary(
    THINGS, (Predicate("Dancer", ("person",)), Predicate("Teaches", (ANY, ANY)), Predicate("Rains", ()))
)
PLAIN = Vocabulary(THINGS, (Predicate("Dancer", (ANY,)), Predicate("not", (ANY,))))
RANKED = Vocabulary(
    THINGS[2:],
    (),
    (Function("rank", ("boat",), 1, 4, distinct=True), Function("gap", ("boat", "boat"), -900, 900)),
)

UNNAMED = Vocabulary((), (Predicate("Dancer", (ANY,)),))


_REPEATED = re.compile(r"\?|\{(\d),(\d)\}")

Sequence = list[tuple[Any, int, int]]
"""Pieces in order, each with how often it is there at least and at most: characters to choose from, or a `Choice`."""
Choice = list[Sequence]


class Walk:
    """Draws texts that a pattern matches: of groups, choices, ?, {m,n}, digits, escapes."""

    def __init__(self, pattern: str) -> None:
        self._pattern, self._at = pattern.removeprefix("^").removesuffix("$"), 0
        self._whole = self._choice()
        assert self._at == len(self._pattern)

    def text(self, random: Random) -> str:
        return "".join(_draw(self._whole, random))

    def _choice(self) -> Choice:
        choices = [self._sequence()]
        while self._pattern.startswith("|", self._at):
            self._at += 1
            choices.append(self._sequence())
        return choices

    def _sequence(self) -> Sequence:
        found: Sequence = []
        while self._at < len(self._pattern) and self._pattern[self._at] not in "|)":
            piece = self._piece()
            repeated = _REPEATED.match(self._pattern, self._at)
            if repeated is None:
                found.append((piece, 1, 1))
                continue
            found.append((piece, int(repeated[1]), int(repeated[2])) if repeated[1] else (piece, 0, 1))
            self._at = repeated.end()
        return found

    def _piece(self) -> Choice | str:
        character = self._pattern[self._at]
        self._at += 1
        if character == "(":
            inside = self._choice()
            self._at += 1
            return inside
        if character == "\\":
            self._at += 1
            return self._pattern[self._at - 1]
        if character == "[":
            end = self._pattern.index("]", self._at)
            first, last = self._pattern[self._at : end].split("-") if end - self._at > 2 else ("+", "-")
            self._at = end + 1
            return "".join(map(chr, range(ord(first), ord(last) + 1))) if first.isdigit() else "+-"
        return character


def _draw(choices: Choice, random: Random) -> Iterator[str]:
    for piece, low, high in random.choice(choices):
        for _ in range(random.randint(low, high)):
            if isinstance(piece, str):
                yield random.choice(piece)
            else:
                yield from _draw(piece, random)


@pytest.mark.parametrize("vocabulary", [RELATED, PLAIN, RANKED, UNNAMED])
def test_what_is_let_in_is_sound_and_has_a_meaning(vocabulary: Vocabulary) -> None:
    pattern = offer_pattern(Offer(vocabulary))
    matches, walk = re.compile(pattern), Walk(pattern)
    random = Random(7)
    for _ in range(12):
        text = walk.text(random)
        assert matches.fullmatch(text), text
        found = read_formalization(text, vocabulary)
        assert found.sound, (text, found.alerts)
        assert found.alerts == (), (text, found.alerts)
        assert found.sentence is not None
        state(found.sentence, vocabulary)


def test_without_words_nothing_can_be_said() -> None:
    assert offer_pattern(Offer(Vocabulary(THINGS))) == "^(true|false)$"


@pytest.mark.parametrize("vocabulary, pairs", EXAMPLES)
def test_examples_are_let_in_and_sound(vocabulary: Vocabulary, pairs: tuple[tuple[str, str], ...]) -> None:
    for text, formula in pairs:
        assert re.fullmatch(offer_pattern(offer(vocabulary, text)), formula), formula
        assert read_formalization(formula, vocabulary).alerts == ()


@pytest.mark.parametrize(
    "formula",
    [
        "Dancer(Mia)",
        "not Dancer(Mia)",
        "Rains -> not Teaches(Mia, 1925)",
        "(Dancer(Mia) and Rains) or (not Dancer(Mia) and not Rains)",
        "not (Dancer(Mia) or Rains) <-> Rains",
        "forall x (Dancer(x) -> Teaches(x, Mia) and Rains)",
        "forall x (Dancer(x) and not Rains -> (Teaches(x, Mia) or Rains))",
        "forall x (Dancer(x) xor Rains)",
        "forall x (Dancer(x) -> exists y (Teaches(x, y) and Dancer(y)))",
        "forall x forall y (Teaches(x, y) and Teaches(y, x) -> x = y)",
        "forall x forall y forall z (Teaches(x, y) and Teaches(y, z) -> Teaches(x, z))",
        "exists x (Dancer(x) and not Teaches(x, x))",
        "exists x exists y (Teaches(x, y) and x != y)",
        "not exists x (Dancer(x))",
        'Teaches(Mia, "Old Boat")',
    ],
)
def test_shapes_that_are_needed(formula: str) -> None:
    assert re.fullmatch(offer_pattern(Offer(RELATED)), formula)


@pytest.mark.parametrize(
    "formula",
    [
        "Dancer(x)",
        "forall x (Dancer(y))",
        "Singer(Mia)",
        "Dancer(Mia, Mia)",
        "Teaches(Mia)",
        "Dancer(1925)",  # a year, where a person has to be
        "Mia = 1925",
        "forall x (Dancer(x) and Rains)",
        "exists x (Dancer(x) -> Rains)",
        "(Dancer(Mia)",
        "Dancer(Mia) and",
        "",
    ],
)
def test_shapes_that_are_kept_out(formula: str) -> None:
    assert not re.fullmatch(offer_pattern(Offer(RELATED)), formula)


def test_numbers_are_those_of_the_functions() -> None:
    pattern = re.compile(offer_pattern(Offer(RANKED, (Number(-10),))))
    old = '"Old Boat"'
    for formula in (f"rank({old}) = 4", f'rank({old}) < rank("x") - 1', f'gap({old}, "x") >= -10'):
        assert pattern.fullmatch(formula), formula
    assert not pattern.fullmatch(f"rank({old}) = 11")


NAMES = (("TomBerg", "person"), ("RedBoat", "boat"), ("Boat", "boat"), ("1925", "year"))
WORDS = Vocabulary(tuple(Entity(name, sort) for name, sort in NAMES))


@pytest.mark.parametrize(
    "sentence, names",
    [
        ("Tom dances.", ["TomBerg"]),
        ("If people dance, they practise.", []),
        ("The red boat sank in 1925.", ["RedBoat", "Boat", "1925"]),
        ("Boats sink.", ["Boat"]),
        ("Berg's tutor sings.", ["TomBerg"]),
        ("He dances.", ["TomBerg", "RedBoat", "Boat", "1925"]),
        ("", []),
    ],
)
def test_things_that_are_named(sentence: str, names: list[str]) -> None:
    assert [entity.name for entity in mentioned(WORDS, sentence).entities] == names


@pytest.mark.parametrize(
    "sentence", ["Some dancers sing.", "There is a boat.", "At least three boats sank.", "A dog barks."]
)
def test_sentences_that_may_say_some(sentence: str) -> None:
    assert says_some(sentence)


@pytest.mark.parametrize("sentence", ["All dancers sing.", "People either dance or sing.", "No boats sank.", ""])
def test_sentences_that_speak_of_all(sentence: str) -> None:
    assert not says_some(sentence)


ORDERS = Vocabulary(
    (Entity("Order4711", "order"), Entity("Nina", "customer")),
    (Predicate("Approved", ("order",)), Predicate("Ordered", ("customer", "order")), Predicate("Open", ())),
    (
        Function("price", ("order",), result="EUR"),
        Function("delivered", ("order",), result="date"),
        Function("dose", ("customer",), result="mg"),
        Function("weight", ("customer",), result="kg"),
        Function("buyer", ("order",), result="customer"),
        Function("total_days", (), result="day"),
    ),
    ("order",),
)


@pytest.mark.parametrize(
    "sentence, formula",
    first_of(
        [
            ("Order 4711 cost 240 euros.", "price(Order4711) = 240 EUR"),
            ("It cost between 3 and 5 euros.", "price(Order4711) >= 3 EUR and price(Order4711) <= 5 EUR"),
            ("Orders above €200 need approval.", "forall x in order (price(x) > 200 EUR -> Approved(x))"),
            ("Order 4711 was delivered on 1 March 2026.", "delivered(Order4711) = 2026-03-01"),
            ("Nina ordered order 4711 and another one.", "exists x in order (Ordered(Nina, x) and x != Order4711)"),
            (
                "Every customer ordered at most three orders.",
                "forall x in customer (count y in order (Ordered(x, y)) <= 3)",
            ),
            ("All orders together cost 500 euros.", "sum x in order (price(x)) = 500 EUR"),
            ("Approved orders cost 500 euros in total.", "sum x in order (price(x) where Approved(x)) = 500 EUR"),
            ("The buyer of order 4711 is Nina.", "buyer(Order4711) = Nina"),
            ("A dose is at most 10 mg per kg.", "forall x in customer (weight(x) * 10 mg/kg >= dose(x))"),
            ("It took 12 days.", "total_days = 12 day"),
            ("Nina weighs at least 5 kg more.", "weight(Nina) >= weight(Nina) + 5 kg"),
        ],
        4,
    ),
)
def test_what_code_finds_in_a_sentence_can_be_written(sentence: str, formula: str) -> None:
    offered = offer(ORDERS, sentence)
    assert re.fullmatch(offer_pattern(offered), formula), formula
    assert read_formalization(formula, ORDERS).alerts == ()


@pytest.mark.parametrize("formula", ["price(Order4711) = 12 EUR", "price(Order4711) = 240", "price(Nina) = 240 EUR"])
def test_no_other_number_can_be_written(formula: str) -> None:
    pattern = offer_pattern(offer(ORDERS, "Order 4711 of Nina cost 240 euros."))
    assert not re.fullmatch(pattern, formula)


@pytest.mark.parametrize(
    "sentence",
    [
        "All orders together cost 500 euros, at most 3 of them.",
        "It was delivered between 1 March 2026 and 5 March 2026, in 12 days.",
        "A dose is at most 10 mg per kg, and nobody gets more than 400 mg.",
        "15% of the price of order 4711 is paid by Nina at half past two.",
    ],
)
def test_what_is_generated_is_sound(sentence: str) -> None:
    walk, random = Walk(offer_pattern(offer(ORDERS, sentence))), Random(11)
    for _ in range(5):
        text = walk.text(random)
        found = read_formalization(text, ORDERS)
        assert found.sound and found.alerts == (), (text, found.alerts)
