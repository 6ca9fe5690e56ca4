"""One run of searches, read and measured."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError
from holdtrue.kinds.search.method import SEARCH_PRESETS
from holdtrue.lab.kinds.search.measure import measure_search
from holdtrue.lab.kinds.search.plays import SearchPlays
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.folder import Run, named, open_folder, planned, plays_asked_so
from holdtrue.lab.kit.journal import read_entries
from holdtrue.lab.kit.plays import ArmPlays, Play
from holdtrue.lab.kit.standing import Standing


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchRun(Run[SearchRow]):
    """What one run came to. `rows` are over all difficulties, `bins` over one each; both are about originals alone.

    So are `plays`, which methods are told apart and problems chosen by. `searches`, which methods are compared by, have
    rewritten problems too, as do `planned`, `finished` and `failed`.
    """

    bins: tuple[SearchRow, ...]
    searches: tuple[SearchPlays, ...]

    def compared(self) -> tuple[SearchPlays, ...]:
        """`searches`, with how the model was asked in the model's name."""
        return plays_asked_so(self.searches, self.how)

    def binned(self) -> tuple[SearchRow, ...]:
        """`bins`, named alike."""
        return plays_asked_so(self.bins, self.how)

    def to_json(self) -> dict[str, Any]:
        """The run for programs: rates with counts and intervals, shares in 0..1."""
        return {**self.standing(), "rows": [row.to_json() for row in (*self.rows, *self.bins)]}


def read_search_run(folder: Path) -> SearchRun:
    """Read and measure a run's folder, also of a run that is still going on; raises what `read_run` raises."""
    settings, standing = open_folder(folder), Standing()
    measured = measure_search(standing.watch(read_entries(folder)))
    if not measured.rows:
        rewritten = "only rewritten problems were played yet"
        raise RecordError(f"{folder}: {rewritten if standing.begun else 'the run has not finished a single turn yet'}")
    rows = [named(row, settings) for row in measured.rows]
    return SearchRun(
        folder=folder,
        settings=settings,
        planned=_planned(settings, measured.plays),
        finished=standing.finished(settings.get("methods", ())),
        failed=len(standing.failed),
        rows=tuple(row for row in rows if row.difficulty is None),
        bins=tuple(row for row in rows if row.difficulty is not None),
        plays=tuple(_as_turns(arm, settings) for arm in measured.plays),
        searches=measured.plays,
    )


def _planned(settings: Mapping[str, Any], searches: Iterable[SearchPlays]) -> int | None:
    """As for any run; but a limit counts originals, each of which brings its variants.

    How many, the journal tells: as many as there are ways of rewriting in it, where every original has them all. None
    where that does not go with the number of problems.
    """
    ways = 1 + len({play.variant for arm in searches for play in arm.plays.values() if play.variant})
    problems, limit = settings.get("problems"), settings.get("limit")
    if limit is None or ways == 1:
        return planned(settings)
    if not isinstance(problems, int) or problems % ways:
        return None
    return planned({**settings, "limit": limit * ways})


def _as_turns(arm: SearchPlays, settings: Mapping[str, Any]) -> ArmPlays:
    """Trials as what would be the turns of a problem."""
    plays = {
        asked: Play(play.domain, max(play.trials), {n: trial.verified for n, trial in play.trials.items()})
        for asked, play in arm.plays.items()
        if play.trials and not play.variant
    }
    return ArmPlays(arm.arm, arm.asks_model and _tells_nothing(arm.arm.method, settings), plays)


def _tells_nothing(method: str, settings: Mapping[str, Any]) -> bool:
    """Whether the method asks again without a word about what failed."""
    own = settings.get("own_methods", {}).get(method)
    if own is not None:
        return bool(own.get("feedback") == "none")
    preset = SEARCH_PRESETS.get(method)
    return preset is not None and preset.feedback == "none"
