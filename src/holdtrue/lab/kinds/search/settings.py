"""What a run of searches can set of its own: what each may spend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Annotated

from holdtrue.budget import Budget, SearchBudget
from holdtrue.conversation.search_session import SEED_STRIDE
from holdtrue.errors import SettingsError
from holdtrue.lab.kit.options import Option


@dataclass(frozen=True, slots=True)
class SearchSettings:
    """The limits of every trial, how many trials there are, and of each question to the solver.

    Raises `SettingsError` for what no search can keep.
    """

    k: Annotated[int, Option("Candidates in a round.", least=1)] = 4
    rounds: Annotated[int, Option("Rounds of a trial.", least=1)] = 4
    seeds: Annotated[int, Option("Trials of each problem, each with a seed of its own.", least=1)] = 3
    tokens: Annotated[int | None, Option("Begin no call of a trial beyond so many generated tokens.", least=1)] = None
    seconds: Annotated[float | None, Option("Begin no call of a trial beyond so many seconds.")] = None
    timeout_s: Annotated[float, Option("Seconds of each question to the solver.")] = 1.5
    reveal_witness: Annotated[
        bool, Option("Also play what can show a solution with it, as METHOD+witness.", flag="--reveal-witness")
    ] = False

    def __post_init__(self) -> None:
        counts = {"k": self.k, "rounds": self.rounds, "seeds": self.seeds, "tokens": self.tokens}
        for name, count in counts.items():
            if count is not None and count < 1:
                raise SettingsError(f"{name} must be at least 1, got {count}")
        if self.k * self.rounds > SEED_STRIDE:  # so that no two trials share a draw
            raise SettingsError(f"k times rounds may be {SEED_STRIDE} at most, got {self.k * self.rounds}")
        for name, limit in {"seconds": self.seconds, "timeout_s": self.timeout_s}.items():
            if limit is not None and not limit > 0:  # written so that nan is refused too
                raise SettingsError(f"{name} must be more than 0, got {limit}")

    @property
    def limits(self) -> SearchBudget:
        """What one search may spend."""
        return SearchBudget(self.k, self.rounds, self.tokens, self.seconds)

    @property
    def budget(self) -> Budget:
        """What one question to the solver may take."""
        return Budget(timeout_s=self.timeout_s)
