"""Explain in words why a query has its label."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.lab.kit.words import listed
from holdtrue.logic.formula import Formula
from holdtrue.record import Label
from holdtrue.solving.result import Witness
from holdtrue.world.instance import Instance

MOST_SHOWN = 2
"""So many values of a situation are told."""


def because(label: Label, conflict: Sequence[int], texts: Sequence[str]) -> str:
    """Return why a statement has to hold, or cannot: the premises that settle it, by number (from 1) and in words."""
    quoted = [f"{place} ({texts[place - 1].rstrip('.')})" for place in conflict]
    premises = f"premise{'' if len(quoted) == 1 else 's'} {listed(quoted)}"
    return f"It follows from {premises}." if label is Label.ENTAILED else f"It clashes with {premises}."


def either_way(instance: Instance, statement: Formula, holds: Witness, fails: Witness) -> str:
    """Return why a statement is unknown: two situations that the premises allow, one with it and one without it."""
    about = {variable.name for variable in statement.variables}
    differ = [name for name in instance.variables if name in about and holds[name] != fails[name]][:MOST_SHOWN]
    yes, no = (listed([_value(instance, name, witness[name]) for name in differ]) for witness in (holds, fails))
    return f"The premises allow both: it holds with {yes}, and fails with {no}."


def _value(instance: Instance, name: str, value: int) -> str:
    entity = instance.slot(name).entity
    attribute = instance.attributes[name.removeprefix(f"{entity}.")]
    return f"{attribute.label} = {attribute.sort.show(value)} for {entity}"
