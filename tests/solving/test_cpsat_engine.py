from __future__ import annotations

import pytest

from holdtrue.budget import Budget
from holdtrue.logic.formula import (
    Formula,
    Variable,
)
from holdtrue.logic.sorts import IntSort
from holdtrue.solving.encoding import NotEncodable
from holdtrue.solving.result import Core, Satisfiable, Unknown, Unsatisfiable
from holdtrue.solving.route import cpsat_engine
from tests.solving.brute import AMPLE, VARIABLES, A, B, C, pigeons
from tests.solving.optional import needs_cpsat

pytestmark = needs_cpsat


def test_bare_disequalities_are_seen_through() -> None:
    birds, bare = pigeons(12, 11)
    soft = {f"c{number}": formula for number, formula in enumerate(bare)}
    engine = cpsat_engine(birds, ())
    assert type(engine.decide(soft, AMPLE)) is Unsatisfiable
    found = engine.check(soft, AMPLE)
    assert isinstance(found, Core)
    assert set(found.ids) == set(soft), "without any one of them they all fit"
    soft.pop("c0")
    assert isinstance(engine.check(soft, AMPLE), Satisfiable)


def test_a_core_is_found_where_it_is_easy_to_find() -> None:
    soft: dict[str, Formula] = {f"idle{number}": C.ne(1) | A.ne(number) for number in range(4)}
    soft |= {"low": A + B <= -1, "high": A + C >= 5}
    found = cpsat_engine(VARIABLES, ()).check(soft, AMPLE, fixed={"d": 4, "e": 2})
    assert found == Core(("low", "high"))


def test_where_a_core_is_hard_to_find_it_names_all_that_was_asked() -> None:
    birds, bare = pigeons(12, 11)
    soft = {"idle": birds[0] <= 11, **{f"c{number}": formula for number, formula in enumerate(bare)}}
    assert cpsat_engine(birds, ()).check(soft, AMPLE, fixed={"p1": 3}) == Core((*soft, "=p1"))


def test_a_budget_ends_in_unknown_and_says_so() -> None:
    birds, _ = pigeons(12, 11)
    soft = {f"c{i}{j}": abs(x - y) >= 1 for i, x in enumerate(birds) for j, y in enumerate(birds[:i])}
    engine = cpsat_engine(birds, ())
    assert engine.check(soft, Budget(timeout_s=None, conflicts=50)) == Unknown("the budget of 50 conflicts ran out")
    assert engine.check(soft, Budget(timeout_s=0.1)) == Unknown("the time budget ran out")
    assert engine.check(soft, Budget(timeout_s=0.0)) == Unknown("the time budget ran out")


def test_what_cp_sat_cannot_state_is_refused() -> None:
    huge = Variable("huge", IntSort(0, 2**62))
    with pytest.raises(NotEncodable, match="huge ranges over"):
        cpsat_engine([huge], ())
    with pytest.raises(NotEncodable, match="a sum can reach"):
        cpsat_engine([A], [2**59 * A <= 5])
