"""A worked example for frames that show one: another world, with an answer of each kind."""

from __future__ import annotations

from holdtrue.record import Label

EXAMPLE_PREMISES = (
    "The red box is heavier than the blue box.",
    "The blue box is heavier than the green box.",
    "Every box is made of wood or of iron.",
)
EXAMPLE_QUERIES: tuple[tuple[str, str, Label, float], ...] = (
    ("The blue box is made of iron.", "Is the blue box made of iron?", Label.UNKNOWN, 0.9),
    (
        "The red box is heavier than the green box.",
        "Is the red box heavier than the green box?",
        Label.ENTAILED,
        0.95,
    ),
    ("The green box is the heaviest one.", "Is the green box the heaviest one?", Label.CONTRADICTED, 0.95),
    ("The red box is made of wood.", "Is the red box made of wood?", Label.UNKNOWN, 0.9),
    (
        "The green box is not heavier than the blue box.",
        "Is the blue box heavier than the green box?",
        Label.ENTAILED,
        0.9,
    ),
    ("The blue box is heavier than the red box.", "Is the blue box heavier than the red box?", Label.CONTRADICTED, 0.9),
)
"""Statement, the same as a question, what the premises say of it, and how sure one can be."""
