"""Declared formulas over all entities: what their variables stand for, and that mistakes show at once."""

from __future__ import annotations

import json
import re
from itertools import permutations, product
from pathlib import Path
from typing import Any

import pytest

from holdtrue.errors import DomainError
from holdtrue.logic import quantifiers
from holdtrue.logic.formula import (
    AllDifferent,
    And,
    Constant,
    Element,
    Formula,
    Or,
    Sum,
    Truth,
    at_least,
    at_most,
    exactly,
)
from holdtrue.world.domain import Domain
from holdtrue.world.instance import Instance
from holdtrue.world.json_domain import declare

NAMES = ["Ann", "Bob", "Cy"]


def rota(args: list[Any], formula: object, **members: Any) -> Domain:
    sentence = " ".join(f"{{{number}}}" for number in range(len(args)))
    kind = {"name": "law", "args": args, "sentence": sentence or "it is so", "formula": formula}
    data: dict[str, Any] = {
        "name": "rota",
        "context": {"days": 5, "most": 2},
        "attributes": [
            {"name": "day", "low": 1, "high": "#days"},
            {"name": "shift", "values": ["Early", "Late"]},
            {"name": "rank", "low": 1, "high": "#entities"},
        ],
        "constraint_types": [kind],
    }
    return declare({**data, **members}, "rota.json")


def said(args: list[Any], formula: object, given: list[Any], context: dict[str, Any] | None = None) -> Formula:
    instance = rota(args, formula).instance(NAMES, context)
    return instance.formula(instance.constraint("law", given))


INSTANCE: Instance = rota([], True).instance(NAMES)
ANN, BOB, CY = EVERYBODY = [INSTANCE[name] for name in NAMES]


@pytest.mark.parametrize(
    ("args", "formula", "given", "expected"),
    [
        (
            ["entity"],
            ["for-all", "x", ["<=", "$0.day", "$x.day"]],
            ["Bob"],
            And(tuple(BOB.day <= x.day for x in EVERYBODY)),
        ),
        (
            ["entity"],
            ["exists-distinct", "x", ["==", "$0.day", "$x.day"]],
            ["Bob"],
            Or((BOB.day.eq(ANN.day), BOB.day.eq(CY.day))),
        ),
        (
            [],
            ["for-all", ["x", "y"], ["implies", ["==", "$x.shift", "shift:Late"], ["<=", "$y.day", "$x.day"]]],
            [],
            And(tuple(x.shift.eq(1).implies(y.day <= x.day) for x, y in product(EVERYBODY, repeat=2))),
        ),
        (
            [],
            ["for-all-distinct", ["x", "y"], ["!=", "$x.day", "$y.day"]],
            [],
            And(tuple(x.day.ne(y.day) for x, y in permutations(EVERYBODY, 2))),
        ),
        (
            ["entity"],
            ["exists-distinct", ["x", "y"], ["<", ["+", "$x.day", "$y.day"], "$0.day"]],
            ["Ann"],
            Or(tuple(x.day + y.day < ANN.day for x, y in ((BOB, CY), (CY, BOB)))),
        ),
        (
            ["attribute"],
            ["for-all", "x", ["exists-distinct", "y", ["==", "$x.$0", "$y.$0"]]],
            ["shift"],
            And(tuple(Or(tuple(x.shift.eq(y.shift) for y in EVERYBODY if y is not x)) for x in EVERYBODY)),
        ),
        (
            [{"integer": [0, 3]}, {"integer": [1, "#days"]}],
            ["at-most", "$0", ["each", "x", ["==", "$x.day", "$1"]]],
            [2, 4],
            at_most(2, [x.day.eq(4) for x in EVERYBODY]),
        ),
        (
            [],
            ["and", ["at-least", "#most", ["each", "x", ["==", "$x.day", "#days"]]], ["exactly", "#entities", True]],
            [],
            at_least(2, [x.day.eq(5) for x in EVERYBODY]) & exactly(3, [Truth(True)]),
        ),
        ([], ["all-different", ["each", "x", "$x.rank"]], [], AllDifferent(tuple(x.rank for x in EVERYBODY))),
        (
            ["entity"],
            ["<=", ["+", ["each-distinct", "x", ["*", 2, "$x.day"]]], "$0.day"],
            ["Cy"],
            Sum(((2, ANN.day), (2, BOB.day))) <= CY.day,
        ),
        (
            [{"integer": [1, "#days"]}],
            [
                "<=",
                ["+", ["each", "x", ["element", [4, "#days"], "$x.shift"]]],
                ["element", [9, 8, 7, 6, 5], ["-", "$0", 1]],
            ],
            [3],
            Sum(tuple((1, Element((4, 5), x.shift)) for x in EVERYBODY))
            <= Element((9, 8, 7, 6, 5), Constant(3) - Constant(1)),
        ),
    ],
)
def test_variables_stand_for_entities(args: list[Any], formula: object, given: list[Any], expected: Formula) -> None:
    assert said(args, formula, given) == expected


def test_an_axiom_for_all_is_stated_once() -> None:
    law = {
        "for": "all",
        "sentence": "at most {most} of the {entities} work late",
        "formula": ["at-most", "#most", ["each", "x", ["==", "$x.shift", "shift:Late"]]],
    }
    instance = rota([], True, axioms=[law]).instance(NAMES)
    (axiom,) = instance.axioms
    assert (axiom.id, axiom.sentence) == ("axiom_1", "at most 2 of the 3 work late")
    assert axiom.formula == at_most(2, [instance[name].shift.eq(1) for name in NAMES])


def test_axioms_for_entities_and_pairs_may_quantify() -> None:
    others = {
        "for": "entity",
        "sentence": "{e} is alone",
        "formula": ["for-all-distinct", "x", ["!=", "$x.day", "$e.day"]],
    }
    third = {"for": "pair", "sentence": "{e}, {f}", "formula": ["exists-distinct", "x", ["<", "$e.day", "$x.day"]]}
    instance = rota([], True, axioms=[others, third]).instance(NAMES)
    ann, bob, cy = (instance[name] for name in NAMES)
    assert instance.background[:2] == (
        And((bob.day.ne(ann.day), cy.day.ne(ann.day))),
        And((ann.day.ne(bob.day), cy.day.ne(bob.day))),
    )
    assert instance.background[3:] == (Or((ann.day < cy.day,)), Or((ann.day < bob.day,)), Or((bob.day < ann.day,)))


def test_the_axioms_on_the_page_about_domains_say_what_they_mean() -> None:
    page = (Path(__file__).parents[2] / "docs/domains.md").read_text(encoding="utf-8")
    *_, axioms = re.findall(r"^```json\n(.*?)^```", page, re.DOTALL | re.MULTILINE)
    instance = rota([], True, axioms=json.loads(axioms)).instance(NAMES)
    ann, bob, cy = (instance[name] for name in NAMES)
    assert instance.axioms[0].sentence == "at most 2 of the 3 work late"
    assert instance.background[0] == at_most(2, [who.shift.eq(1) for who in (ann, bob, cy)])
    assert instance.background[1] == Or((bob.day.eq(ann.day), cy.day.eq(ann.day)))


WHERE = "rota.json: constraint type 'law': formula: "


@pytest.mark.parametrize(
    ("args", "formula", "message"),
    [
        ([], ["for-all", "x", ["<", "$y.day", 3]], "'$y.day': there is no $y, only $x"),
        ([], ["for-all", "x", ["<", "$x.end", 3]], "'$x.end': there is no attribute 'end'"),
        ([], ["for-all", "x", ["<", "$x", 3]], "'$x' is an entity, not a number"),
        ([], ["for-all", "$x", True], "'for-all' takes the name of a variable or a list of such, not '$x'"),
        ([], ["for-all", ["x", "x"], True], "'for-all' names a variable twice: x, x"),
        (
            [],
            ["for-all", "x", ["exists", ["y", "x"], True]],
            "there is a $x already; a variable needs a name of its own",
        ),
        ([], ["and", ["exists", "x", True], ["<", "$x.day", 3]], "'$x.day': there is no $x"),
        ([], ["at-most", 2, ["each", "x", ["<", "$x.day"]]], "'<' takes 2 operand(s), got 1"),
        (["entity"], ["exists-distinct", ["x", "y"], ["==", "$x.$0", 1]], "'$x.$0': $0 does not name an attribute"),
        ([], ["at-most", "#least", True], "'#least' is no setting with an integer value"),
        ([], ["for-all", "x", ["<", ["element", [1], "$x.shift"], 2]], "the index sample.shift has values 0 to 1"),
        ([{"integer": ["#days", 9]}], ["<", ["element", [1, 2], "$0"], 2], "the index 5 has values 5 to 5"),
        (["attribute", {"value_of": 0}], ["<", ["element", [1], "$1"], 2], "the index 1 has values 1 to 1"),
    ],
)
def test_mistakes_show_when_the_domain_is_declared(args: list[Any], formula: object, message: str) -> None:
    with pytest.raises(DomainError) as caught:
        rota(args, formula)
    assert str(caught.value)[: len(WHERE + message)] == WHERE + message


def test_tables_may_depend_on_the_number_of_entities() -> None:
    seconds = ["==", ["element", [7, 8], ["-", "$0.rank", 1]], 8]
    two = rota(["entity"], seconds).instance(NAMES[:2])
    assert two.formula(two.constraint("law", ["Bob"])) == Element((7, 8), two["Bob"].rank - 1).eq(8)
    with pytest.raises(
        DomainError, match=re.escape(WHERE + "the index Ann.rank - 1 has values 0 to 2; its table has 0")
    ):
        said(["entity"], seconds, ["Ann"])


def test_an_expansion_is_limited(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(quantifiers, "LARGEST_EXPANSION", 1_000)
    domain = rota([], ["for-all", ["x", "y"], ["exists", "z", ["<", "$x.day", "$y.day"]]])
    few = domain.instance(NAMES)
    assert few.formula(few.constraint("law", [])).size == 1 + 9 * (1 + 3 * 3)
    with pytest.raises(DomainError, match="domain 'rota': .*" + re.escape(WHERE) + ".*over 1000"):
        domain.instance([f"P{number}" for number in range(8)])
