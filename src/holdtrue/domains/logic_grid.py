"""Logic grid: each category's values are dealt out to the entities, one each.

Semantics are those of DRIFT-Bench's reference implementation: 'comes before' compares the places of two
values in their category's list.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.domains.domain import (
    Attribute,
    AttributeName,
    ConstraintType,
    Context,
    Domain,
    Entity,
    ValueOf,
)
from holdtrue.domains.instance import Instance
from holdtrue.errors import DomainError

DEFAULT_CATEGORIES = {
    "color": ("Red", "Blue", "Green", "Yellow"),
    "pet": ("Cat", "Dog", "Bird", "Fish"),
    "profession": ("Doctor", "Artist", "Teacher", "Chef"),
}


def _context(entities: Sequence[str], given: Context) -> Context:
    categories = given.get("categories", DEFAULT_CATEGORIES)
    if not isinstance(categories, dict) or not categories:
        raise DomainError("logic_grid: categories must map each category to its list of values")
    for name, values in categories.items():
        if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
            raise DomainError(f"logic_grid: the values of category {name!r} must be a list of names")
        if len(values) < len(entities):
            raise DomainError(f"logic_grid: category {name!r} has {len(values)} values for {len(entities)} entities")
    return {"categories": {name: tuple(values) for name, values in categories.items()}}


def _setup(instance: Instance) -> Sequence[str]:
    return [f"Category {name}: {', '.join(values)}" for name, values in instance.context["categories"].items()]


LOGIC_GRID = Domain(
    name="logic_grid",
    context=_context,
    attributes=lambda context: [
        Attribute(name, values=values, distinct=True) for name, values in context["categories"].items()
    ],
    constraint_types=(
        ConstraintType(
            "assign",
            (Entity(), AttributeName(), ValueOf(1)),
            "{0} is assigned {2} in category {1}",
            lambda w, a, category, value: a[category].eq(value),
        ),
        ConstraintType(
            "not_assign",
            (Entity(), AttributeName(), ValueOf(1)),
            "{0} is not assigned {2} in category {1}",
            lambda w, a, category, value: a[category].ne(value),
        ),
        ConstraintType(
            "same_as",
            (Entity(), Entity(), AttributeName()),
            "{0} has the same {2} as {1}",
            lambda w, a, b, category: a[category].eq(b[category]),
            symmetric=True,
            distinct_entities=False,
        ),
        ConstraintType(
            "different",
            (Entity(), Entity(), AttributeName()),
            "{0} has a different {2} than {1}",
            lambda w, a, b, category: a[category].ne(b[category]),
            symmetric=True,
        ),
        ConstraintType(
            "ordered",
            (Entity(), Entity(), AttributeName()),
            "{0}'s {2} value comes before {1}'s {2} value",
            lambda w, a, b, category: a[category] < b[category],
        ),
    ),
    setup=_setup,
    conventions=(
        "In each category every entity has exactly one value, and no two entities share a value.",
        "Values are ordered as listed in their category; 'comes before' means earlier in that list.",
    ),
)
