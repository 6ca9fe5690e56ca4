"""Measure a run of searches: turn the entries of its journal into rows. No model or solver is asked."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from typing import Any
from zlib import crc32

from holdtrue.kinds.search.method import REVEALED, SEARCH_PRESETS
from holdtrue_lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue_lab.kinds.search.metrics import CONVERGED, PARTIAL, PER_TRIAL, TRIALS, VERIFIED, converged
from holdtrue_lab.kinds.search.row import SearchRow, title_of
from holdtrue_lab.kit.entry import Entry
from holdtrue_lab.kit.folder import Measured
from holdtrue_lab.kit.metrics import Added
from holdtrue_lab.kit.played import PlayedArm, by_arm
from holdtrue_lab.kit.plays import ArmPlays, Play, ProblemKey

DIFFICULTIES = ("easy", "medium", "hard")


class Search:
    """One problem under one arm, as far as its trials have been read, in any order; their texts are not kept."""

    def __init__(self, first: SearchEntry) -> None:
        self.problem, self.domain, self._turns = first.problem, first.domain, first.turns
        self._said = crc32(first.record.user_message.encode("utf-8", "surrogatepass"))
        self._played: set[int] = set()
        self._scored: dict[int, Added] = {}
        self.score: SearchScore | None = None
        self.calls = 0  # the most in any trial

    def add(self, entry: SearchEntry) -> Search:
        """Add one trial, and return the search itself."""
        self._played.add(entry.turn)
        self.calls = max(self.calls, entry.record.usage.calls)
        if entry.score is not None:
            self.score = entry.score
            self._scored[entry.turn] = TRIALS.added(entry)
        return self

    @property
    def finished(self) -> bool:
        return len(self._played) == self._turns

    @property
    def trials(self) -> list[Added]:
        """Return the trials with a score in their order, so that sums are always rounded alike."""
        return [trial for _, trial in sorted(self._scored.items())]

    @property
    def key(self) -> ProblemKey:
        return self.problem, self._said

    def play(self) -> Play | None:
        """Return the problem as paired tests take it, with trials as turns; None where gold is not known."""
        if self.score is None:
            return None
        trials = sorted(self._scored.items())
        return Play(
            domain=self.domain,
            turns=max(self._scored),
            right={turn: trial[VERIFIED.name] for turn, trial in trials},
            figures={
                name: {turn: trial[PER_TRIAL[name].name] for turn, trial in trials} for name in ("calls", "generated")
            },
            variant=self.score.variant,
            base=self.score.base,
        )


def measure_search(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[SearchRow]:
    """Measure a run with these settings; the entries are read once, in any order, and their texts are not kept.

    The result's `rows` are one for each method, in order of first appearance, over all domains and then for each; its
    `bins` are one for each difficulty.
    """
    played = by_arm(entries, SearchEntry, lambda search, entry: (search or Search(entry)).add(entry))
    # A problem that failed before it was scored is known by what others made of it.
    searches = [search for each in played for search in each.facts]
    known = {search.problem: search.score for search in searches if search.score is not None}
    arms = [_Arm(each, known) for each in played]
    rows = tuple(row for arm in arms for row in arm.rows())
    plays = tuple(arm.plays(settings or {}) for arm in arms)
    return Measured(
        rows=rows,
        bins=tuple(row for arm in arms for row in arm.bins()),
        plays=plays,
        controls=frozenset(row.arm.method for row in rows if row.finished and not row.asks_model),
        # Every original is rewritten in all ways, and the journal tells how many there are.
        forms=1 + len({play.variant for arm in plays for play in arm.plays.values() if play.variant}),
    )


class _Arm:
    """An arm with all that was played under it; `known` are the scores that any arm got, by problem."""

    def __init__(self, played: PlayedArm[Search], known: Mapping[str, SearchScore]) -> None:
        self._arm, self._searches, self._failed = played.arm, played.facts, played.failed
        self._asks_model = any(search.calls for search in self._searches)
        originals = {problem for problem, score in known.items() if not score.variant}
        begun = {**{search.problem: search.domain for search in self._searches}, **self._failed}
        self._domains = {p: domain for p, domain in begun.items() if p in originals or p not in known}
        self._difficulties = {p: known[p].difficulty for p in self._domains if p in known}

    def rows(self) -> Iterator[SearchRow]:
        """Yield the rows over all domains and then for each; none if only rewritten problems were begun."""
        if self._domains:
            yield self._row(None, None)
        for domain in sorted(set(self._domains.values())):
            yield self._row(domain, None)

    def bins(self) -> Iterator[SearchRow]:
        """Yield the rows for each difficulty."""
        there = set(self._difficulties.values())
        for difficulty in (*(d for d in DIFFICULTIES if d in there), *sorted(there.difference(DIFFICULTIES))):
            yield self._row(None, difficulty)

    def _row(self, domain: str | None, difficulty: str | None) -> SearchRow:
        begun = {
            problem
            for problem, its in self._domains.items()
            if domain in (None, its) and difficulty in (None, self._difficulties.get(problem))
        }
        finished = [search for search in self._searches if search.finished and search.problem in begun]
        figures = TRIALS.combine([search.trials for search in finished])
        figures[CONVERGED.name] = converged(figures[CONVERGED.name], self._arm.protocol)
        return SearchRow(
            arm=self._arm,
            domain=domain,
            problems=len(begun),
            finished=len(finished),
            failed=len(begun & self._failed.keys()),
            title=title_of(self._arm, partial=figures[PARTIAL.name].hits > 0),
            accuracy=figures[VERIFIED.name],
            figures=figures,
            asks_model=self._asks_model,
            difficulty=difficulty,
        )

    def plays(self, settings: Mapping[str, Any]) -> ArmPlays[Play]:
        """Return the finished problems, rewritten ones too. The arm is a baseline if no prompt reports a failure."""
        preset = SEARCH_PRESETS.get(self._arm.method.removesuffix(REVEALED))
        most = max((search.calls for search in self._searches), default=0)
        return ArmPlays(
            self._arm,
            baseline=self._asks_model and _tells_nothing(self._arm.method, settings),
            plays={search.key: play for search in self._searches if search.finished and (play := search.play())},
            asks_model=self._asks_model,
            single=preset.single if preset else most <= 1,
        )


def _tells_nothing(method: str, settings: Mapping[str, Any]) -> bool:
    own = settings.get("own_methods", {}).get(method)
    if own is not None:
        return bool(own.get("feedback") == "none")
    preset = SEARCH_PRESETS.get(method)
    return preset is not None and preset.feedback == "none"
