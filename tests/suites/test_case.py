from __future__ import annotations

from holdtrue.domains.registry import find_domain
from holdtrue.suites.case import Case, Premise


def test_a_case_of_one_s_own_has_all_of_its_instance() -> None:
    instance = find_domain("seating").instance(["Ann", "Bob", "Cy"])
    seat = instance.formula(instance.constraint("at_position", ["Ann", 2]))
    case = Case.of(instance, [Premise("Three people sit in a row."), Premise("Ann sits in the middle.", seat)])
    assert case.theory == {"P2": seat}
    assert (case.entities, case.laws, case.instance) == (instance.entities, instance.background, instance)
    assert set(case.variables) == set(instance.variables.values())
    assert case.queries == ()
