from __future__ import annotations

from holdtrue.lab.suites.cegvr.line import problem_to_json
from holdtrue.lab.suites.cegvr.upstream import generate_upstream
from tests.lab.suites.cegvr.features import comparisons
from tests.logic.formulas import ends


def test_every_constraint_is_about_all_variables_and_a_sum_too_large_makes_it_impossible() -> None:
    problems = generate_upstream(3, 8, 0.5)
    assert [problem.gold for problem in problems].count("sat") == 4
    for problem in problems:
        formulas = comparisons(problem)
        assert all(formula.variables == frozenset(problem.variables) for formula in formulas)
        too_large = [ends(one.left)[1] < ends(one.right)[0] for one in formulas if one.op == ">="]
        assert sum(too_large) == (problem.gold == "unsat")
        if problem.gold == "sat":
            assert problem.is_solution(problem.metadata["planted"])
        widest = len(problem.variables)
        assert (problem.metadata["proved_by"][0] == "sat") == (widest < 5)
        assert problem.metadata["proved_by"][1] == "z3"
    assert list(map(problem_to_json, generate_upstream(3, 2, 0.5))) == list(map(problem_to_json, problems[:2]))
