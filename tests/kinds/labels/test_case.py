from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from holdtrue.errors import DomainError, FormulaMistake
from holdtrue.kinds.labels.case import Case, Premise, Query
from holdtrue.logic.formula import Variable
from holdtrue.logic.sorts import IntSort
from holdtrue.record import Label
from holdtrue.world.registry import find_domain

SEATING = find_domain("seating")
ROW = SEATING.instance(["Ann", "Bob", "Cy"])
OTHER = Variable("Dee.seat", IntSort(1, 3))
ONE = Case.of(ROW, [Premise("Three people sit in a row.")])


def test_a_case_of_one_s_own_has_all_of_its_instance() -> None:
    instance = find_domain("seating").instance(["Ann", "Bob", "Cy"])
    seat = instance.formula(instance.constraint("at_position", ["Ann", 2]))
    case = Case.of(instance, [Premise("Three people sit in a row."), Premise("Ann sits in the middle.", seat)])
    assert case.theory == {"P2": seat}
    assert (case.entities, case.laws, case.instance) == (instance.entities, instance.background, instance)
    assert set(case.variables) == set(instance.variables.values())
    assert case.queries == ()


@pytest.mark.parametrize(
    ("given", "words"),
    [
        ((SEATING, []), r"case 'own': it is about an instance, domain.instance\(\[...\]\), not Domain"),
        (("seating", []), "case 'own': it is about an instance, .* not 'seating'"),
        ((ROW, "Ann is first."), r"the premises are a list of Premise\(text, formula\), not 'Ann is first.'"),
        ((ROW, Premise("Ann is first.")), "the premises are a list of Premise"),
        ((ROW, ["Ann is first."]), r"premise 1 must be a Premise\(text, formula\), not 'Ann is first.'"),
        ((ROW, [Premise("Dee is first.", OTHER.eq(1))]), "premise 1 is about 'Dee.seat', which is not declared"),
    ],
)
def test_what_cannot_be_a_case_is_refused_where_it_is_made(given: tuple[Any, Any], words: str) -> None:
    with pytest.raises(DomainError, match=words):
        Case.of(*given)


def test_a_premise_and_a_query_say_something() -> None:
    with pytest.raises(DomainError, match="a premise is a sentence, a text, not None"):
        Premise(None)  # type: ignore[arg-type]
    with pytest.raises(FormulaMistake, match="query 'q0': a formula was expected and True came"):
        Query("q0", "Is Ann first?", Label.ENTAILED, "kind", True)  # type: ignore[arg-type]


def test_queries_and_variables_are_told_apart() -> None:
    asked = Query("q0", "Is Ann first?", Label.UNKNOWN, "kind")
    assert replace(ONE, queries=(asked, replace(asked, id="q1"))).queries[1].id == "q1"
    with pytest.raises(DomainError, match="case 'own': query 1 and query 2 have the same id 'q0'"):
        replace(ONE, queries=(asked, asked))
    with pytest.raises(DomainError, match=r"query 1 must be a Query\(id, text, label, type\), not 'Is Ann first"):
        replace(ONE, queries=("Is Ann first?",))  # type: ignore[arg-type]
    with pytest.raises(DomainError, match=r"case 'own': the variable 'Ann\..*' is declared twice"):
        replace(ONE, variables=(*ONE.variables, ONE.variables[0]))


def test_laws_are_about_the_case_s_own_variables() -> None:
    with pytest.raises(DomainError, match=r"case 'own': law 1 is about 'Dee.seat', which is not declared"):
        replace(ONE, laws=(OTHER.eq(1),))
    with pytest.raises(FormulaMistake, match="case 'own': law 1: a formula was expected and None came"):
        replace(ONE, laws=(None,))  # type: ignore[arg-type]
