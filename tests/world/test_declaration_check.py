"""A mistake in a declaration raises an error that names the domain, the type and the remedy."""

from __future__ import annotations

from typing import Any

import pytest

from holdtrue.errors import DomainError
from holdtrue.world.domain import (
    Attribute,
    AttributeName,
    Axiom,
    ConstraintType,
    Cue,
    Domain,
    Entity,
    Example,
    Integer,
    ValueOf,
)

DAY = Attribute("day", 1, 5)
ALONE: dict[str, Any] = {"arguments": (Entity(),), "sentence": "{0} works", "formula": lambda w, a: a.day < 2}


def kind(**changes: Any) -> ConstraintType:
    settings: dict[str, Any] = {
        "name": "gap",
        "arguments": (Entity(), Entity(), Integer(1, 4)),
        "sentence": "{0} and {1} are {2} days apart",
        "formula": lambda world, a, b, days: abs(a.day - b.day) >= days,
    }
    return ConstraintType(**{**settings, **changes})


def domain(**changes: Any) -> Domain:
    return Domain(**{"name": "rota", "attributes": [DAY], "constraint_types": [kind()], **changes})


def test_the_declaration_that_the_mistakes_are_made_in_is_a_good_one() -> None:
    assert domain().instance(["Ann", "Bob"]).constraint("gap", ["Ann", "Bob", 2]).args == ("Ann", "Bob", 2)


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"arguments": Entity()}, "its arguments must be a tuple such as"),
        ({"arguments": (Entity, Entity(), Integer(1, 4))}, r"argument \{0\}: must be Entity\(\), Integer"),
        ({"arguments": (Entity(), Entity(), Integer(4, 1))}, r"argument \{2\}: Integer needs low <= high, got 4\.\.1"),
        ({"arguments": (Entity(), Entity(), Integer(1, 4.5))}, r"argument \{2\}: a bound must be a whole number"),  # type: ignore[arg-type]
        ({"arguments": (Entity(), Entity(), Integer(1, lambda: 4))}, r"argument \{2\}: a bound must take 1 arguments"),  # type: ignore[arg-type,misc]
        (
            {"arguments": (Entity(), Entity(), ValueOf(3))},
            r"ValueOf\(3\) must give the name of an attribute, or the number of an earlier",
        ),
        ({"arguments": (Entity(), AttributeName(), ValueOf(2))}, r"ValueOf\(2\) .*AttributeName\(\), one of 1"),
        ({"arguments": (Entity(), AttributeName(among=["day"]), Entity())}, "among must be a function"),  # type: ignore[arg-type]
        ({"sentence": "{0} and {1} are {3} days apart"}, r"sentence: .* holds \{3\}; its arguments are written \{0\}"),
        ({"sentence": "{} and {1} are {2} days apart"}, r"holds \{\}; its arguments are written \{0\}, \{1\}, \{2\}"),
        ({"sentence": "{0} and {1} are {2:02d} days apart"}, r"holds \{2:02d\}"),
        ({"sentence": "{0!r} and {1} are {2} days apart"}, r"holds \{0!r\}"),
        ({"sentence": "{0} and {1} are apart"}, r"does not say argument \{2\}, so that two constraints read the same"),
        ({"sentence": "{0 and {1} are {2} apart"}, "sentence: .* is no format string"),
        ({"sentence": 7}, "sentence: must be a text, not 7"),
        ({"wordings": ("{0}, {1}: {2}", "{0}, {5}")}, r"wording 2: .* holds \{5\}"),
        ({"wordings": "{0} {1} {2}"}, "wordings: must be a list of texts"),
        ({"formula": lambda world, a, b: a.day < b.day}, "formula must take 4 arguments .the instance and 3 arguments"),
        ({"formula": "a.day < b.day"}, "formula must be a function"),
        ({"canonical": lambda a, b: (a, b)}, r"canonical must take 1 arguments .the tuple of arguments"),
        ({"applies": True}, "applies must be a function of the instance, not True"),
        (
            {"arguments": (Entity(),), "sentence": "{0}", "formula": lambda w, a: a.day < 2, "symmetric": True},
            "symmetric",
        ),
        (
            {"arguments": (Entity(), Integer(1, 2), Entity()), "symmetric": True},
            "the first two arguments may be swapped, so they must be of one kind",
        ),
        ({"definition": None}, "its definition must be a text"),
        ({"examples": (Example("Apart", ("Ann", "Bob")),)}, "example 1: .* must be a tuple of 3 arguments"),
        (
            {"examples": (Example("Apart", ("Ann", "Bob", "2")),)},
            r"example 1: argument \{2\}: must be a whole number, not '2'",
        ),
        ({"examples": (Example("Apart", ("Ann", "Bob", 9)),)}, r"example 1: argument \{2\}: 9 is not in 1\.\.4"),
        ({"examples": (Example("Apart", ("Ann", 3, 2)),)}, r"example 1: argument \{1\}: must be a name, not 3"),
        ({"examples": ("Ann and Bob, two days apart",)}, "example 1: must be Example"),
        ({"number_words": (("twice", "2"),)}, "number_words are pairs such as"),
        ({"cues": (Cue("before"), Cue("(after"))}, r"the cue '\(after' is no regular expression"),
        ({"cues": ("before",)}, r"cues must hold Cue\(pattern\), not 'before'"),
        ({"name": " "}, "constraint type 1 needs a name"),
    ],
)
def test_a_mistake_in_a_type_names_domain_type_and_place(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(DomainError, match=f"^domain 'rota': .*{words}"):
        domain(constraint_types=[kind(**changes)])


def test_number_words_and_cues_need_arguments_that_they_are_about() -> None:
    with pytest.raises(DomainError, match="number_words stand for a number, and none of its arguments is one"):
        domain(constraint_types=[kind(**ALONE, number_words=(("twice", 2),))])
    with pytest.raises(DomainError, match="cues tell which of two entities is the first argument"):
        domain(constraint_types=[kind(**ALONE, cues=(Cue("before"),))])


@pytest.mark.parametrize(
    ("changes", "words"),
    [
        ({"name": ""}, "a domain: its name must be a text"),
        ({"attributes": DAY}, "domain 'rota': attributes must be a list of Attribute"),
        ({"attributes": ["day"]}, "domain 'rota': attributes must hold Attribute"),
        ({"attributes": [DAY, Attribute("Day ", 1, 2)]}, "domain 'rota': a domain needs attributes, each with a name"),
        ({"attributes": lambda: [DAY]}, "domain 'rota': attributes must take 1 arguments .the setting."),
        ({"constraint_types": kind()}, "domain 'rota': constraint_types must be a list"),
        ({"constraint_types": [("gap",)]}, "domain 'rota': constraint type 1 must be a ConstraintType"),
        ({"constraint_types": [kind(), kind()]}, "domain 'rota': the constraint type 'gap' is declared twice"),
        ({"context": lambda given: given}, "domain 'rota': context must take 2 arguments"),
        ({"axioms": [Axiom("a", "b", DAY)]}, "domain 'rota': axioms must be a function of the instance"),  # type: ignore[arg-type]
        ({"setup": ["Days: 5"]}, "domain 'rota': setup must be a function of the instance"),
        ({"conventions": "Days count from 1."}, "domain 'rota': conventions: must be a list of texts"),
        ({"entities": ["Ann", 2]}, "domain 'rota': entities: must be a list of texts; one is 2"),
    ],
)
def test_a_mistake_in_a_domain_names_the_place(changes: dict[str, Any], words: str) -> None:
    with pytest.raises(DomainError, match=f"^{words}"):
        domain(**changes)


def test_arguments_may_be_said_in_their_order_without_numbers() -> None:
    week = domain(constraint_types=[kind(sentence="{} and {} are {} days apart")]).instance(["Ann", "Bob"])
    assert week.sentence(week.constraint("gap", ["Ann", "Bob", 2])) == "Ann and Bob are 2 days apart"


def test_what_says_not_what_it_takes_is_let_be() -> None:
    assert domain(constraint_types=[kind(canonical=tuple)]).instance(["Ann", "Bob"]).types["gap"].canonical is tuple
