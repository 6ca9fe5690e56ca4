"""The oracle reader: hands out what a suite's author wrote down, instead of reading."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from holdtrue.language.reading import Extraction, Held, Reading
from holdtrue.world.world import Constraint, World


class GoldExtractor:
    """The gold constraints of each turn (counted from 1), whatever the message says. Makes no calls.

    Rows made with it are oracle rows: no deployed system has this reader.
    """

    name = "gold"

    def __init__(self, gold: Mapping[int, Sequence[Constraint]]) -> None:
        self._gold = {turn: tuple(constraints) for turn, constraints in gold.items()}

    async def read(
        self,
        instance: World,
        message: str,
        *,
        turn: int,
        answer: str | None = None,
        active: Sequence[Held] | None = None,
    ) -> Extraction:
        """The gold constraints of the turn; none where the turn has none."""
        stated = self._gold.get(turn, ())
        return Extraction(tuple(Reading(instance.sentence(made), "accepted", made) for made in stated))
