"""Making an instance tries the declared functions quickly, and refuses no valid declaration."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from holdtrue.conversation import Session
from holdtrue.errors import ConstraintError, DomainError, InputError
from holdtrue.logic.formula import Formula, Or, Variable, exists
from holdtrue.logic.sorts import IntSort
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.domain import (
    Argument,
    Attribute,
    AttributeName,
    Axiom,
    ConstraintType,
    Domain,
    Entity,
    Integer,
    ValueOf,
)
from holdtrue.world.instance import Instance
from holdtrue.world.registry import BUILTIN

PARTS = ("axioms", "context", "setup", "conventions", "attributes")
NOTHING: Any = {}
HALF: Any = lambda world: 5 / 2  # noqa: E731
ATTRIBUTES = [Attribute("day", 1, 5), Attribute("shift", values=["Early", "Late"])]
WORDS = {0: "It is so", 1: "{0} so", 2: "{0} and {1}", 3: "{0}, {1} and {2}"}


def make(arguments: tuple[Argument, ...], formula: Any, names: Any = ("Ann", "Bob", "Cy"), **more: Any) -> Instance:
    own: dict[str, Any] = {name: more.pop(name) for name in PARTS if name in more}
    kind = ConstraintType("it", arguments, WORDS[len(arguments)], formula, **more)
    given: dict[str, Any] = {"name": "rota", "attributes": ATTRIBUTES, "constraint_types": [kind], **own}
    return Domain(**given).instance(names)


ONE: tuple[Argument, ...] = (Entity(),)
TWO: tuple[Argument, ...] = (Entity(), Entity())
NUMBER: tuple[Argument, ...] = (Entity(), Integer(1, 5))


@pytest.mark.parametrize(
    ("arguments", "formula", "words"),
    [
        (TWO, lambda w, a, b: a.day == b.day, r"Ann.day is compared by == .* write Ann.day.eq\(\w+.day\)"),
        (NUMBER, lambda w, a, k: k == a.day, r"Ann.day.eq\(1\)"),
        (ONE, lambda w, a: a.day in (1, 2), r"or by `in`.*Ann.day.eq\(1\) \| Ann.day.eq\(2\)"),
        (ONE, lambda w, a: 1 <= a.day <= 3, r"no truth value of its own; .*\(low <= x\) & \(x <= high\)"),
        (ONE, lambda w, a: True, "a formula was expected and True came"),
        (ONE, lambda w, a: None, "a formula was expected and None came; is a `return` missing"),
        (ONE, lambda w, a: a.day, "a formula was expected and the term Ann.day came"),
        (ONE, lambda w, a: a.dya.eq(1), "there is no attribute 'dya'; entities have day, shift"),
        (ONE, lambda w, a: a["dya"].eq(1), "there is no attribute 'dya'; entities have day, shift"),
        (ONE, lambda w, a: w["Ane"].day < a.day, "there is no entity 'Ane'; there are Ann, Bob, Cy"),
        (TWO, lambda w, a, b: a.day // (b.day - 1) > 3, r"the divisor \w+.day - 1 may be zero"),
        (ONE, lambda w, a: a.day <= 2.5, "not 2.5; values are whole numbers"),
        (ONE, lambda w, a: Variable("Dee.day", IntSort(1, 5)) < a.day, "is about Dee.day, which no entity of this"),
        (ONE, lambda w, a: nowhere(a), "NameError: name 'nowhere' is not defined"),  # type: ignore[name-defined]  # noqa: F821
        (NUMBER, lambda w, a, k: NOTHING[k], "fails for all arguments that were tried, as for .*KeyError"),
        (NUMBER, lambda w, a, k: a.day.eq(k // 0), "ZeroDivisionError"),
        (
            (Entity(), Integer(1, lambda w: w.context["days"])),
            lambda w, a, k: a.day.eq(k),
            r"argument \{1\}: KeyError: 'days'",
        ),
        (
            (Entity(), Integer(1, HALF)),
            lambda w, a, k: a.day.eq(k),
            r"argument \{1\}: a bound must be a whole",
        ),
        (
            (Entity(), AttributeName(lambda w: ["week"])),
            lambda w, a, n: a[n] < 2,
            r"argument \{1\}: among gives 'week', which",
        ),
        (
            (Entity(), AttributeName(lambda w: "day")),
            lambda w, a, n: a[n] < 2,
            r"argument \{1\}: must be a list of texts",
        ),
    ],
)
def test_a_mistake_in_a_formula_is_an_error_when_the_instance_is_made(
    arguments: tuple[Argument, ...], formula: Any, words: str
) -> None:
    with pytest.raises(DomainError, match=f"^domain 'rota': constraint type 'it': .*{words}"):
        make(arguments, formula)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"canonical": lambda args: list(args)}, "canonical: must give a tuple of 2 arguments"),
        ({"canonical": lambda args: args[:1]}, "canonical: must give a tuple of 2 arguments"),
        ({"canonical": lambda args: (args[0], args[7])}, "canonical: IndexError"),
        ({"canonical": lambda args: (args[0], "Zoe")}, "what is no such constraint"),
        ({"canonical": lambda args: (args[1], args[0])}, "canonical makes .* it must leave that be"),
        ({"symmetric": True}, "for the same, and their formulas differ"),
        ({"applies": lambda w: w["Ann"].day.eq(1)}, "applies: .*no truth value"),
        ({"applies": lambda w: w.context["round"]}, "applies: KeyError: 'round'"),
    ],
)
def test_other_functions_of_a_type_are_tried_too(more: dict[str, Any], words: str) -> None:
    with pytest.raises(DomainError, match=f"^domain 'rota': constraint type 'it'.*{words}"):
        make(TWO, lambda w, a, b: a.day < b.day, **more)


def test_a_mistake_is_told_as_often_as_an_instance_is_made_and_what_works_is_tried_once() -> None:
    kind = ConstraintType("it", TWO, WORDS[2], lambda w, a, b: a.day < b.day, symmetric=True)
    wrong = Domain("rota", ATTRIBUTES, [kind])
    for _ in range(2):
        with pytest.raises(DomainError, match="their formulas differ"):
            wrong.instance(["Ann", "Bob"])
    calls: list[int] = []

    def formula(world: Instance, a: Any, b: Any) -> Any:
        calls.append(1)
        return a.day.eq(b.day)

    right = Domain("rota", ATTRIBUTES, [ConstraintType("it", TWO, WORDS[2], formula, symmetric=True)])
    right.instance(["Ann", "Bob"])
    tried = len(calls)
    right.instance(["Cy", "Dee"])
    assert 0 < tried == len(calls)


@pytest.mark.parametrize(
    ("more", "words"),
    [
        ({"axioms": lambda w: [Axiom("x", "so", w["Ann"].day == 3)]}, "axioms: .*is compared by =="),
        ({"axioms": lambda w: [Axiom("x", "so", True)]}, "axiom 'x': formula: a formula was expected and True"),  # type: ignore[arg-type]
        ({"axioms": lambda w: [w["Ann"].day < 3]}, "axiom 1 must be an Axiom"),
        ({"axioms": lambda w: Axiom("x", "so", w["Ann"].day < 3)}, "axioms must give a list"),
        ({"axioms": lambda w: [Axiom("", "so", w["Ann"].day < 3)]}, "axiom 1 must be an Axiom"),
        ({"axioms": lambda w: [Axiom("x", "so", w["Ann"].dya < 3)]}, "axioms: there is no attribute 'dya'"),
        (
            {"axioms": lambda w: [Axiom("x", "so", w["Ann"].day < 3), Axiom("x", "also", w["Bob"].day < 3)]},
            "axiom 2 has the id 'x' of axiom 1; give it one of its own",
        ),
        (
            {
                "attributes": [Attribute("day", 1, 5, distinct=True)],
                "axioms": lambda w: [Axiom("distinct_day", "so", w["Ann"].day < 3)],
            },
            "axiom 1 has the id 'distinct_day' of a law that its attributes bring along",
        ),
        ({"axioms": lambda w: w.context["days"]}, "axioms: KeyError: 'days'"),
        ({"attributes": lambda given: [Attribute("day", 1, given["days"])]}, "attributes: KeyError: 'days'"),
        ({"attributes": lambda given: Attribute("day", 1, 5)}, "attributes must be a list"),
        ({"context": lambda names, given: None}, "context must give a mapping"),
        ({"context": lambda names, given: {"days": int(given["days"])}}, "context: KeyError"),
        ({"setup": lambda w: "Five days."}, "setup: must be a list of texts"),
        ({"setup": lambda w: [f"{w.context['days']} days"]}, "setup: KeyError"),
        ({"conventions": lambda w: [5]}, "conventions: must be a list of texts; one is 5"),
        ({"names": "Ann"}, "entities: must be a list of texts, not 'Ann'"),
        ({"names": ["Ann", None]}, "entities: must be a list of texts; one is None"),
    ],
)
def test_functions_of_the_domain_are_tried_too(more: dict[str, Any], words: str) -> None:
    with pytest.raises(DomainError, match=f"^domain 'rota': .*{words}"):
        make(ONE, lambda w, a: a.day < 3, **more)


def test_a_setting_that_is_no_mapping_is_refused() -> None:
    with pytest.raises(DomainError, match="the setting must be a mapping"):
        Domain("rota", ATTRIBUTES, []).instance(["Ann"], 7)  # type: ignore[arg-type]


def test_no_range_is_walked_and_nothing_is_tried_with_its_far_end() -> None:
    tried: list[int] = []

    def at_most(world: Instance, a: Any, count: int) -> Formula:
        tried.append(count)
        return Or(tuple(a.day.eq(day) for day in range(count)))  # with 10^12 this would not end

    wide = make((Entity(), Integer(0, 10**12)), at_most)
    assert max(tried) < 10 and len(tried) < 10
    assert wide.constraint("it", ["Ann", 3]).args == ("Ann", 3)
    values = make(
        (Entity(), AttributeName(), ValueOf(1)),
        lambda w, a, name, value: Or(tuple(a[name].eq(each) for each in range(value))),
        attributes=[Attribute("cents", 0, 10**12)],
    )
    assert values.constraint("it", ["Ann", "cents", 7]).args == ("Ann", "cents", 7)


def test_a_formula_need_not_be_defined_for_all_arguments() -> None:
    prices = {1: 3, 4: 5}
    some = make(NUMBER, lambda w, a, k: a.day < prices[k])
    assert some.constraint("it", ["Ann", 4]).args == ("Ann", 4)
    with pytest.raises(ConstraintError, match=r"it means nothing for \(Ann, 2\): KeyError: 2") as raised:
        some.constraint("it", ["Ann", 2])
    assert raised.value.code == "undefined"


def test_a_formula_may_refuse_whatever_is_tried_if_it_says_so() -> None:
    def odd(world: Instance, a: Any, number: int) -> Any:
        if number != 77_777:
            raise ConstraintError("undefined", "there is one number only")
        return (a.day < 3) & (a.day > 1)

    far = make((Entity(), Integer(0, 10**9)), odd)
    assert far.constraint("it", ["Ann", 77_777]).args == ("Ann", 77_777)
    with pytest.raises(ConstraintError, match="there is one number only"):
        far.constraint("it", ["Ann", 5])


def test_an_example_shows_arguments_that_a_formula_is_defined_for() -> None:
    from holdtrue.world.domain import Example

    def formula(world: Instance, a: Any, year: int) -> Any:
        return a.day < {1789: 3, 1917: 4}[year]

    arguments: tuple[Argument, ...] = (Entity(), Integer(0, 10_000))
    with pytest.raises(DomainError, match="give an example that has some"):
        make(arguments, formula)
    made = make(arguments, formula, examples=(Example("Ida before the storming", ("Ida", 1789)),))
    assert made.constraint("it", ["Bob", 1917]).args == ("Bob", 1917)


async def test_what_means_nothing_is_a_rejected_reading_and_ends_no_turn() -> None:
    prices = {1: 3, 4: 5}
    some = make(NUMBER, lambda w, a, k: a.day < prices[k])
    answer = '{"solution": {"Ann": {"day": 1, "shift": "Early"}}}'
    session = Session(some, model=ScriptModel([answer]), method="direct", extractor="templates")
    record = await session.turn("Ann and 2. Bob and 4.")
    assert [(reading.status, reading.code) for reading in record.readings] == [
        ("rejected", "undefined"),
        ("accepted", None),
    ]
    assert len(session.ledger.active) == 1
    with pytest.raises(ConstraintError, match="means nothing"):
        session.add("it", "Ann", 2)


def test_types_that_have_no_constraint_here_are_not_tried() -> None:
    """Two entities are needed, or a number out of an empty range: nothing can be said, so nothing can fail."""
    alone = make(TWO, lambda w, a, b: NOTHING[0], names=["Ann"])
    assert list(alone.types) == ["it"]
    empty = make((Entity(), Integer(1, lambda w: 0)), lambda w, a, k: NOTHING[k])
    assert list(empty.types) == ["it"]


def test_axioms_may_come_from_a_generator() -> None:
    def axioms(world: Instance) -> Iterator[Axiom]:
        for who in world.entities:
            yield Axiom(f"free_{who}", f"{who} has day 5 off", world[who].day < 5)

    assert [law.id for law in make(ONE, lambda w, a: a.day < 3, axioms=axioms).axioms] == [
        "free_Ann",
        "free_Bob",
        "free_Cy",
    ]


def test_a_domain_is_tried_as_often_as_it_is_large_only_a_little() -> None:
    """However many entities there are, a type is tried with a handful of arguments."""
    calls: list[int] = []

    def formula(world: Instance, a: Any, b: Any) -> Formula:
        calls.append(1)
        return exists(world.entities, lambda who: world[who].day < a.day)

    make(TWO, formula, names=[f"P{number}" for number in range(300)])
    assert 0 < len(calls) <= 8


@given(
    st.sampled_from(sorted(BUILTIN)),
    st.integers(1, 6),
    st.dictionaries(
        st.sampled_from(["num_slots", "table_shape", "days", "categories"]), st.sampled_from([1, 9, "round", {}])
    ),
)
def test_what_a_built_in_domain_does_not_take_is_an_error_in_words(
    name: str, count: int, setting: dict[str, Any]
) -> None:
    try:
        instance = BUILTIN[name].instance([f"P{number}" for number in range(count)], setting)
    except InputError:
        return
    assert instance.types and instance.setup_lines()
