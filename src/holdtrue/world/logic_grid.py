"""This module declares the domain of logic grids: each entity gets one value of each category.

The semantics are those of DRIFT-Bench's reference implementation: 'comes before' compares the positions of two values
in their category's list.
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.errors import DomainError
from holdtrue.world import domain

DEFAULT_CATEGORIES = {
    "color": ("Red", "Blue", "Green", "Yellow"),
    "pet": ("Cat", "Dog", "Bird", "Fish"),
    "profession": ("Doctor", "Artist", "Teacher", "Chef"),
}


def _context(entities: Sequence[str], context: domain.Context) -> domain.Context:
    categories = context.get("categories", DEFAULT_CATEGORIES)
    if not isinstance(categories, dict) or not categories:
        raise DomainError("logic_grid: categories must map each category to its list of values")
    for name, values in categories.items():
        if not isinstance(values, list | tuple) or not all(isinstance(value, str) for value in values):
            raise DomainError(f"logic_grid: the values of category {name!r} must be a list of names")
        if len(values) < len(entities):
            raise DomainError(f"logic_grid: category {name!r} has {len(values)} values for {len(entities)} entities")
    return {"categories": {name: tuple(values) for name, values in categories.items()}}


LOGIC_GRID = domain.Domain(
    name="logic_grid",
    context=_context,
    attributes=lambda context: [
        domain.Attribute(name, values=values, distinct=True) for name, values in context["categories"].items()
    ],
    constraint_types=(
        domain.ConstraintType(
            "assign",
            (domain.Entity(), domain.AttributeName(), domain.ValueOf(1)),
            "{0} is assigned {2} in category {1}",
            lambda w, a, category, value: a[category].eq(value),
            wordings=("{0}'s {1} is {2}",),
            definition="E has value V of category C.",
            examples=(
                domain.Example("Ida got the bird", ("Ida", "pet", "Bird")),
                domain.Example("The artist here is Jonas", ("Jonas", "profession", "Artist")),
                domain.Example("Lena wears green", ("Lena", "color", "Green")),
            ),
        ),
        domain.ConstraintType(
            "not_assign",
            (domain.Entity(), domain.AttributeName(), domain.ValueOf(1)),
            "{0} is not assigned {2} in category {1}",
            lambda w, a, category, value: a[category].ne(value),
            wordings=("{0}'s {1} is not {2}",),
            definition="E does not have value V of category C.",
            examples=(
                domain.Example("Mats could be anything except a chef", ("Mats", "profession", "Chef")),
                domain.Example("The dog lives with somebody else than Ida", ("Ida", "pet", "Dog")),
                domain.Example("It was not Jonas who chose yellow", ("Jonas", "color", "Yellow")),
            ),
        ),
        domain.ConstraintType(
            "same_as",
            (domain.Entity(), domain.Entity(), domain.AttributeName()),
            "{0} has the same {2} as {1}",
            lambda w, a, b, category: a[category].eq(b[category]),
            wordings=("{0}'s {2} is the same as {1}'s",),
            definition="A and B have one and the same value of category C.",
            examples=(
                domain.Example("Ida and Lena have a single color in common", ("Ida", "Lena", "color")),
                domain.Example("Mats does the very job that Jonas does", ("Mats", "Jonas", "profession")),
            ),
            symmetric=True,
            distinct_entities=False,
        ),
        domain.ConstraintType(
            "different",
            (domain.Entity(), domain.Entity(), domain.AttributeName()),
            "{0} has a different {2} than {1}",
            lambda w, a, b, category: a[category].ne(b[category]),
            wordings=("{0}'s {2} is different from {1}'s",),
            definition="A and B do not have the same value of category C; nothing is said about the order of values.",
            examples=(
                domain.Example("Jonas and Ida are not of one profession", ("Jonas", "Ida", "profession")),
                domain.Example("The pet of Lena is not what Mats has for a pet", ("Lena", "Mats", "pet")),
                domain.Example("Mats and Ida each have a color of their own", ("Mats", "Ida", "color")),
            ),
            symmetric=True,
        ),
        domain.ConstraintType(
            "ordered",
            (domain.Entity(), domain.Entity(), domain.AttributeName()),
            "{0}'s {2} value comes before {1}'s {2} value",
            lambda w, a, b, category: a[category] < b[category],
            wordings=("{0}'s {2} is earlier in the list than {1}'s", "{1}'s {2} is later in the list than {0}'s"),
            definition=(
                "A's value stands earlier in the list of category C than B's value. "
                "The one with the earlier value comes first."
            ),
            cues=(
                domain.Cue(
                    "before|precedes?|preceding|earlier|ahead|prior|sooner|above|in front|outranks?|then|afterwards"
                    "|followed by"
                ),
                domain.Cue(
                    "after|later|follow(?:s|ing)?|preceded by|behind|below|trails?|beneath|further|farther|down",
                    swap=True,
                ),
            ),
            examples=(
                domain.Example(
                    "The profession of Ida is earlier in the list than that of Mats", ("Ida", "Mats", "profession")
                ),
                domain.Example("The color of Jonas is later in the list than that of Lena", ("Lena", "Jonas", "color")),
                domain.Example("In the list of pets, Lena's comes up after Ida's", ("Ida", "Lena", "pet")),
                domain.Example("Mats stands ahead of Lena as to color", ("Mats", "Lena", "color")),
                domain.Example("Jonas's profession is somewhere below Ida's", ("Ida", "Jonas", "profession")),
                domain.Example("Ida's pet is to precede the one of Mats", ("Ida", "Mats", "pet")),
                domain.Example("Lena is behind Jonas in the ranking of colors", ("Jonas", "Lena", "color")),
            ),
        ),
    ),
    setup=lambda w: [f"Category {name}: {', '.join(values)}" for name, values in w.context["categories"].items()],
    published_setup=lambda w: [
        "Categories:",
        *(f"- {name}: {', '.join(values)}" for name, values in w.context["categories"].items()),
    ],
    conventions=(
        "In each category every entity has exactly one value, and no two entities share a value.",
        "Values are ordered as listed in their category; 'comes before' means earlier in that list.",
    ),
    interchangeable=True,
)
