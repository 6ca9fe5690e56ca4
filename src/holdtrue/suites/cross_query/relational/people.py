"""Who the cases are about, and how several of them are listed in a sentence."""

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


def draw_people(rng: Random, fewest: int, most: int) -> list[str]:
    """Between `fewest` and `most` people, both included."""
    return rng.sample(NAMES, rng.randint(fewest, most))


def listed(names: Sequence[str]) -> str:
    """'Alice, Bob and Eve'; two names or more."""
    return f"{', '.join(names[:-1])} and {names[-1]}"
