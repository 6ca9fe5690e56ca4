"""Tests of the vocabulary that sentences use, and of alerts if two of them use a name differently."""

from __future__ import annotations

from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.signature import Signature, signature
from holdtrue_claims.fol.syntax import Sentence


def sentences(*texts: str) -> list[Sentence]:
    return [read.sentence for read in map(read_fol, texts) if read.sentence is not None]


def alerts(*texts: str) -> list[tuple[str, str]]:
    return [(alert.kind, alert.message) for alert in signature(sentences(*texts)).alerts]


def test_names_are_listed_as_they_are_met() -> None:
    found = signature(sentences("∀x (Likes(x, ann) → Tall(x))", "age(bob) > 3 ∧ ann ≠ cleo ∧ Rain", "Born(ann, 1947)"))
    assert found == Signature(
        {"Likes": 2, "Tall": 1, "Rain": 0, "Born": 2}, {"age": 1}, ("ann", "bob", "cleo", "1947"), ()
    )


def test_arities_clash() -> None:
    assert alerts("Likes(ann, bob)", "Likes(ann)", "Likes(bob)") == [
        ("arity_clash", "Likes has 2 arguments in one place and 1 in another")
    ]
    assert signature(sentences("Likes(ann, bob)", "Likes(ann)")).predicates == {"Likes": 2}


def test_names_clash() -> None:
    assert alerts("Platypus(ann) ∧ Platypuses(bob)") == [("name_clash", "Platypus and Platypuses look like one name")]
    assert alerts("In(montana, montana) ∧ montana(usa)") == [("name_clash", "montana is a predicate and a thing")]
    assert alerts("age(ann) > 3 ∧ age(ann)") == [("name_clash", "age is a predicate and a function")]
    # A thing that is called like what it is: usual, and no mistake.
    assert alerts("Cat(cat)") == []


def test_things_and_numbers_are_not_the_same() -> None:
    assert alerts("∀y (Sell(ann, y) → y > 1000)") == [
        ("sort_clash", "y is a thing, and stands where a number has to"),
    ]
    assert [kind for kind, _ in alerts("mother(ann) = bob")] == ["sort_clash"]
    assert [kind for kind, _ in alerts("Tall(mother(ann))")] == ["function"]


def test_free_variables_are_told() -> None:
    assert alerts("∀x Likes(x, y)") == [("free_variable", "no quantifier binds the variable y")]
