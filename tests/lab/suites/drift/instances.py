"""One instance of each domain of DRIFT-Bench, and a strategy for its constraints."""

from __future__ import annotations

from hypothesis import strategies as st

from holdtrue.logic.sorts import EnumSort
from holdtrue.world.domain import AttributeName, Entity, Integer, ValueOf
from holdtrue.world.instance import Arg, Constraint, Instance
from holdtrue.world.registry import BUILTIN

PEOPLE = ["Ann", "Bob", "Cy", "Dee", "Eva", "Flo"]
INSTANCES: tuple[Instance, ...] = (
    BUILTIN["seating"].instance(PEOPLE),
    BUILTIN["seating"].instance(PEOPLE, {"table_shape": "rectangular"}),
    BUILTIN["scheduling"].instance(["Docs", "QA", "Sync", "Review", "Deploy"], {"num_slots": 8}),
    BUILTIN["logic_grid"].instance(PEOPLE[:4]),
)


@st.composite
def constraints(draw: st.DrawFn, instance: Instance) -> Constraint:
    """Any constraint of the instance."""
    kind = instance.types[draw(st.sampled_from(sorted(instance.types)))]
    args: list[Arg] = []
    for argument in kind.arguments:
        match argument:
            case Entity():
                left = [entity for entity in instance.entities if entity not in args]
                args.append(draw(st.sampled_from(left)))
            case Integer():
                args.append(draw(st.integers(instance.bound(argument.low), instance.bound(argument.high))))
            case AttributeName():
                args.append(draw(st.sampled_from(sorted(instance.attributes))))
            case ValueOf():
                sort = instance.attributes[argument.attribute_in(args)].sort
                assert isinstance(sort, EnumSort)
                args.append(draw(st.sampled_from(sort.labels)))
    return instance.constraint(kind.name, args)
