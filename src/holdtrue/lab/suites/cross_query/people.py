"""Who the cases are about."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

NAMES = (
    "Alice", "Bob", "Charlie", "Diana", "Eve", "Frank", "Grace", "Henry", "Irene", "Jack",
    "Karen", "Liam", "Mia", "Noah", "Olivia", "Peter", "Quinn", "Rosa", "Samir", "Tina",
    "Ursula", "Victor", "Wanda", "Xavier", "Yusuf", "Zoe", "Amir", "Beatrix", "Carlos", "Dalia",
    "Erik", "Fatima", "Gustav", "Hana", "Igor", "Julia", "Kofi", "Leila", "Marco", "Nadia",
    "Oscar", "Priya", "Rafael", "Sofia", "Tomas", "Uma", "Vera", "Walter", "Yara", "Zeno",
)  # fmt: skip


def draw_people(rng: Random, fewest: int, most: int, names: Sequence[str] = NAMES) -> list[str]:
    """Between `fewest` and `most` people, both included."""
    return rng.sample(names, rng.randint(fewest, most))
