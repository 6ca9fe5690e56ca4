"""Unbounded variables: z3 decides them if formulas bound them, and other results say that there is no bound."""

from __future__ import annotations

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from holdtrue.errors import FormulaError
from holdtrue.logic.codec import formula_from_json, formula_to_json
from holdtrue.logic.formula import AllDifferent, Formula, Variable, greatest, least
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.solving.certificate import NoCertificate, certificate, witness_certificate
from holdtrue.solving.encoding import NotEncodable
from holdtrue.solving.engine import EngineFault
from holdtrue.solving.explain.closest_answer import closest
from holdtrue.solving.explain.first_witness import first_witness
from holdtrue.solving.explain.mus import mus, used_bounds
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.explain.possible_values import possible_values
from holdtrue.solving.explain.target import try_values
from holdtrue.solving.recheck import recheck
from holdtrue.solving.result import Core, Mus, Nearest, PossibleValues, Satisfiable, Unknown
from holdtrue.solving.route import RoutedEngine, has_cpsat, make_engine, reason_for
from holdtrue.solving.z3_engine import Z3Engine
from tests.solving.brute import AMPLE, VARIABLES, theories, witnesses
from tests.solving.optional import needs_cpsat

X, Y = Variable("x", IntSort()), Variable("y", IntSort())
UP, DOWN = Variable("up", IntSort(0)), Variable("down", IntSort(None, 10))
ALL = (X, Y, UP, DOWN)
FAR = 10**30


def opened(variable: Variable, ends: str) -> Variable:
    """The same variable without one of its ends, or both; named values stay as they are."""
    if isinstance(variable.sort, EnumSort) or ends == "none":
        return variable
    low, high = variable.sort.low, variable.sort.high
    return Variable(variable.name, IntSort(None if ends != "above" else low, None if ends != "below" else high))


def restated(formula: Formula, variables: dict[str, Variable]) -> Formula:
    """The formula over other variables of the same names."""
    return formula_from_json(formula_to_json(formula), variables.__getitem__)


@settings(max_examples=40, deadline=None)
@given(theories(), st.lists(st.sampled_from(["none", "below", "above", "both"]), min_size=5, max_size=5))
def test_what_formulas_bound_is_decided_as_within_bounds(soft: dict[str, Formula], ends: list[str]) -> None:
    variables = {own.name: opened(own, which) for own, which in zip(VARIABLES, ends, strict=True)}
    try:
        restated_soft = {id: restated(formula, variables) for id, formula in soft.items()}
    except FormulaError:  # a table without entries, a divisor that may be zero: refused where it is written
        assume(False)
    pairs = zip(VARIABLES, variables.values(), strict=True)
    bounds = [(own >= old.sort.values[0]) & (own <= old.sort.values[-1]) for old, own in pairs]
    engine = make_engine(tuple(variables.values()), bounds)
    assert (engine.name == "z3") is any(own.sort.size is None for own in variables.values())
    found = engine.check(restated_soft, AMPLE)
    all_witnesses = witnesses(VARIABLES, soft.values())
    assert isinstance(found, Satisfiable) is bool(all_witnesses)
    if all_witnesses:
        ascending = [own.name for own in variables.values() if own.sort.low is not None]
        first = first_witness(engine, restated_soft, AMPLE, ascending)
        assert isinstance(first, Satisfiable) and dict(first.witness) in all_witnesses
    possible = possible_values(engine, restated_soft, AMPLE)
    if all_witnesses:
        assert isinstance(possible, dict)
        for name, known in possible.items():
            expected = sorted({values[name] for values in all_witnesses})
            wide = variables[name].sort.size is None
            assert list(known.values) == (sorted({expected[0], expected[-1]}) if wide else expected)


def test_known_facts() -> None:
    engine = make_engine(ALL)
    assert reason_for(engine) == "z3: x has no end of values (any integer)"
    assert engine.check({"one": X > Y, "other": Y > X, "beside": UP > 3}, AMPLE) == Core(("one", "other"))
    far = engine.check({"far": X > FAR, "below": Y < -FAR, "least": least(UP, X) > 7}, AMPLE)
    assert isinstance(far, Satisfiable) and far.witness["x"] > FAR and far.witness["y"] < -FAR
    assert engine.check({"below": UP + 1 <= 0}, AMPLE) == Core(("below",))
    assert engine.check({"above": DOWN >= 11}, AMPLE) == Core(("above",))
    assert isinstance(engine.check({"different": AllDifferent(ALL)}, AMPLE), Satisfiable)
    assert engine.check({"odd": (2 * X % 2).eq(1)}, AMPLE) == Core(("odd",))
    assert isinstance(engine.check({"rest": (X % 7).eq(3), "other": (X % 5).eq(2), "far": X > FAR}, AMPLE), Satisfiable)
    assert engine.check({"square": (X * X).eq(-1)}, AMPLE) == Core(("square",))
    assert engine.check({"greatest": greatest(X, Y) < X}, AMPLE) == Core(("greatest",))


def test_z3_has_all_of_the_time_where_no_other_engine_could_help() -> None:
    open, closed = RoutedEngine((X,)), RoutedEngine((Variable("wide", IntSort(0, 10**6)),))
    assert open._spare is None
    assert (closed._spare is None) is not has_cpsat()


def test_values_outside_of_a_half_open_sort_are_named() -> None:
    engine = make_engine(ALL)
    assert engine.check({}, AMPLE, fixed={"up": -1}) == Core(("=up",))
    assert isinstance(engine.check({}, AMPLE, fixed={"up": FAR, "down": -FAR}), Satisfiable)


@pytest.mark.parametrize("variable", [X, UP, DOWN], ids=str)
def test_sat_refuses_what_has_no_end(variable: Variable) -> None:
    with pytest.raises(NotEncodable, match=f"{variable.name} has no end of values"):
        make_engine([variable], prefer="sat")
    assert isinstance(
        recheck(Satisfiable({variable.name: 1}), [variable], (), {"one": variable.eq(1)}, AMPLE, by="sat"), Unknown
    )


@needs_cpsat
@pytest.mark.parametrize("variable", [X, UP, DOWN], ids=str)
def test_cpsat_refuses_what_has_no_end(variable: Variable) -> None:
    with pytest.raises(NotEncodable, match=f"{variable.name} has no end of values"):
        make_engine([variable], prefer="cp-sat")


def test_nothing_is_tried_without_an_end() -> None:
    assert try_values([X], {}, [X.eq(3)], AMPLE.start()) is None


def test_possible_values_of_open_sorts() -> None:
    found = possible_values(make_engine(ALL), {"one": (X > 3) & (X < FAR), "two": Y >= X, "three": UP < 3}, AMPLE)
    assert isinstance(found, dict)
    assert found["x"] == PossibleValues((4, FAR - 1), ((5, FAR - 2),))
    assert found["y"] == PossibleValues((4,), ((5, None),))
    assert found["up"] == PossibleValues((0, 2), ((1, 1),))
    assert found["down"] == PossibleValues((10,), ((None, 9),))
    assert not any(known.settled for known in found.values())
    everything = possible_values(Z3Engine([X]), {}, AMPLE)
    assert isinstance(everything, dict)
    (value,) = everything["x"].values
    assert everything["x"].open == ((None, value - 1), (value + 1, None))
    settled = possible_values(Z3Engine([X, UP]), {"one": X.eq(FAR), "two": UP <= 0}, AMPLE)
    assert settled == {"x": PossibleValues((FAR,)), "up": PossibleValues((0,))}


def test_the_first_values_of_open_sorts() -> None:
    """The first value is the least, or without one the greatest, or of all integers the one nearest to zero."""
    soft = {"far": abs(X) >= 5, "less": Y <= -FAR, "up": UP > X, "down": DOWN.ne(10)}
    found = first_witness(make_engine(ALL), soft, AMPLE)
    assert found == Satisfiable({"x": 5, "y": -FAR, "up": 6, "down": 9})
    assert first_witness(Z3Engine([X]), {"less": X < -4}, AMPLE) == Satisfiable({"x": -5})
    assert first_witness(Z3Engine([X]), {}, AMPLE) == Satisfiable({"x": 0})


def test_the_nearest_and_the_closest_of_open_sorts() -> None:
    engine = make_engine(ALL)
    target = {"x": 1, "y": 2, "up": -3, "down": 100}
    soft = {"sum": X + Y >= 7, "up": UP >= 5}
    expected = Nearest({"x": 1, "y": 6, "up": 5, "down": 10}, ("y", "up", "down"))
    assert nearest(engine, soft, target, AMPLE) == expected
    assert closest(engine, soft, target, AMPLE) == expected


def test_an_open_end_is_no_bound_that_a_conflict_rests_on() -> None:
    few = Variable("few", IntSort(0, 9))
    soft = {"sum": few + UP <= -1}
    assert used_bounds((few, UP, DOWN), soft, ["sum"], AMPLE) == ("few >= 0", "up >= 0")
    found = mus(make_engine(ALL), {"one": X > Y, "two": Y > X, "three": UP > X}, AMPLE)
    assert found == Mus(("one", "two"))


def test_a_proof_in_clauses_needs_ends_and_a_witness_does_not() -> None:
    soft = {"one": X > Y, "two": Y > X}
    assert certificate(ALL, (), soft, ["one", "two"], {}, AMPLE) == NoCertificate(
        "a proof is made of clauses, and x has no end of values (any integer)"
    )
    witness = {"x": FAR, "y": -FAR, "up": 0, "down": 10}
    held = witness_certificate(ALL, (), {"one": X > Y}, witness, {})
    assert held.holds[0].values == {"x": str(FAR), "y": str(-FAR)}
    with pytest.raises(EngineFault, match=r"a witness gives up the value -1, outside 0\.\."):
        witness_certificate(ALL, (), {"one": X > Y}, {**witness, "up": -1}, {})
