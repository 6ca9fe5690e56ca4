from __future__ import annotations

from collections.abc import Iterator, Mapping
from itertools import product

from hypothesis import given, settings
from hypothesis import strategies as st

from holdtrue.logic.evaluate import evaluate
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN
from holdtrue_lab.kinds.assignment.simulation.world import World
from tests.lab.suites.drift.instances import INSTANCES, constraints

SMALL = (
    BUILTIN["seating"].instance(["Ann", "Bob", "Cy", "Dee"], {"table_shape": "rectangular"}),
    BUILTIN["scheduling"].instance(["Docs", "QA"], {"num_slots": 4, "max_duration": 2}),
    BUILTIN["logic_grid"].instance(["Ann", "Bob", "Cy"], {"categories": {"color": ["Red", "Blue", "Green"]}}),
)
WORLDS = {instance: World(instance) for instance in SMALL}


def assignments(instance: Instance) -> Iterator[dict[str, int]]:
    """Every assignment that obeys the background, in lexicographic order."""
    ranges = [variable.sort.values for variable in instance.variables.values()]
    for values in product(*ranges):
        given = dict(zip(instance.variables, values, strict=True))
        if all(evaluate(formula, given) for formula in instance.background):
            yield given


def holds(instance: Instance, made: Constraint, values: Mapping[str, int]) -> bool:
    return evaluate(instance.formula(made), values)


@st.composite
def cases(draw: st.DrawFn) -> tuple[Instance, list[Constraint], list[Constraint]]:
    instance = draw(st.sampled_from(SMALL))
    few = st.lists(constraints(instance), max_size=2)
    return instance, draw(few), draw(few)


@given(cases())
@settings(deadline=None, max_examples=100)
def test_witnesses_are_the_first_of_all_assignments(
    case: tuple[Instance, list[Constraint], list[Constraint]],
) -> None:
    instance, kept, broken = case
    fitting = (
        values
        for values in assignments(instance)
        if all(holds(instance, made, values) for made in kept)
        and not any(holds(instance, made, values) for made in broken)
    )
    first = next(fitting, None)
    assert WORLDS[instance].witness(kept, broken) == first
    assert WORLDS[instance].possible(kept, broken) is (first is not None)


@given(cases(), st.data())
@settings(deadline=None, max_examples=100)
def test_sees_what_values_break(case: tuple[Instance, list[Constraint], list[Constraint]], data: st.DataObject) -> None:
    instance, some, others = case
    values = {name: data.draw(st.integers(v.sort.low, v.sort.high)) for name, v in instance.variables.items()}
    said = [*some, *others]
    assert WORLDS[instance].violated(said, values) == {made for made in said if not holds(instance, made, values)}
    lawful = all(evaluate(formula, values) for formula in instance.background)
    assert WORLDS[instance].breaks_law(values) is not lawful


def test_reads_only_what_the_instance_has() -> None:
    table = INSTANCES[0]
    world = World(table)
    message = "Ann must sit next to Bob. Also, Ann must sit next to Zoe. Also, good morning."
    assert world.read(message) == [("Ann must sit next to Bob", table.constraint("adjacent", ["Ann", "Bob"]))]
