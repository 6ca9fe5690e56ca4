"""Read what problems of several suites have in their files: labels and constraints."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.errors import ConstraintError
from holdtrue.fields import choice, expect, field, naming
from holdtrue.record import Label
from holdtrue.world.instance import Constraint, Instance


def read_label(record: Mapping[str, Any], where: str) -> Label:
    """Return the field `label`, which has to be one of the values of `Label`."""
    return choice(field(record, "label", str, where), tuple(Label), f"{where}.label")


def read_constraint(instance: Instance, value: object, where: str) -> Constraint:
    """Return the constraint of an object with `type` and `args`, the form that `Constraint.to_json` writes."""
    record = expect(value, dict, where)
    with naming(where, ConstraintError):
        return instance.constraint(field(record, "type", str, where), field(record, "args", list, where))
