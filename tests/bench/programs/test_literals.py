from __future__ import annotations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from bench.programs.literals import DEEPEST, NoRule, read_rule
from holdtrue_claims.fol.syntax import And, Bound, Constant, Holds, Implies, Not, Or, Sentence


def fact(predicate: str, *args: str) -> Holds:
    return Holds(predicate, tuple(Bound(arg[1:]) if arg.startswith("$") else Constant(arg) for arg in args))


@pytest.mark.parametrize(
    ("text", "sentence"),
    [
        ("Cold(Bob, True)", fact("Cold", "Bob")),
        ("Cold(Bob, False)", Not(fact("Cold", "Bob"))),
        ("Cold(bald  eagle, true)", fact("Cold", "bald eagle")),
        ("Eats(cat, dog)", fact("Eats", "cat", "dog")),
        ("Eats(cat, dog, False)", Not(fact("Eats", "cat", "dog"))),
        ("Eats(cat, dog) = False", Not(fact("Eats", "cat", "dog"))),
        ("!Eats(cat, dog)", Not(fact("Eats", "cat", "dog"))),
        ("¬Red(Bob, False)", Not(Not(fact("Red", "Bob")))),
        ("~Red(Bob)", Not(fact("Red", "Bob"))),
        ("Not(Big(Erin, True))", Not(fact("Big", "Erin"))),
        ("Not(Big(Erin), True)", Not(fact("Big", "Erin"))),
        ("Not(Big(Erin), False)", fact("Big", "Erin")),
        ("Red($x, True) >>> Big($x, True)", Implies(fact("Red", "$x"), fact("Big", "$x"))),
        ("Big($x, True) <<< Red($x, True)", Implies(fact("Red", "$x"), fact("Big", "$x"))),
        (
            "Sees($x, cat) && !Red($x, True) >>> Big(cat, True) && Kind(cat, True)",
            Implies(
                And((fact("Sees", "$x", "cat"), Not(fact("Red", "$x")))), And((fact("Big", "cat"), fact("Kind", "cat")))
            ),
        ),
        ("!(Red(a) && Big(a)) >>> Kind(a)", Implies(Not(And((fact("Red", "a"), fact("Big", "a")))), fact("Kind", "a"))),
        ("Red(a) || Big(a) && Kind(a)", Or((fact("Red", "a"), And((fact("Big", "a"), fact("Kind", "a")))))),
    ],
)
def test_what_rules_say(text: str, sentence: Sentence) -> None:
    assert read_rule(text) == sentence


@pytest.mark.parametrize(
    ("text", "position"),
    [
        ("", 0),
        ("Erin is round.", 13),
        ("Fiona is green && Red(Fiona)", 15),
        ("White(Dave, bool)", 12),
        ("Likes(cat, dog, unknown)", 16),
        ("Kind(Rabbit, ?)", 12),
        ("Red($x, True) ::: Big($x, True)", 13),
        ("Red(a) >>> Big(a) >>> Kind(a)", 18),
        ("Red(a) >>> true", 11),
        ("Red(True, a)", 8),
        ("Red(a", 5),
        ("Quiet(Round(a))", 11),
        ("Red(a) = b", 9),
        ("Red($)", 4),
        ("!" * (DEEPEST + 2) + "Red(a)", DEEPEST + 1),
    ],
)
def test_what_is_no_rule(text: str, position: int) -> None:
    with pytest.raises(NoRule) as raised:
        read_rule(text)
    assert raised.value.position == position


_PIECES = ["Red", "Not", "a", "$x", "True", "False", "(", ")", ",", "&&", "||", ">>>", "!", "="]


@given(st.lists(st.sampled_from(_PIECES), max_size=14).map(" ".join) | st.text(max_size=30))
@settings(max_examples=150, deadline=None)
def test_any_text_is_read_or_refused(text: str) -> None:
    try:
        read_rule(text)
    except NoRule as error:
        assert 0 <= error.position <= len(text)
