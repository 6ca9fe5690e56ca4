"""What the entries of a run of searches come to, for each method. Needs no model and no solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.kinds.search.method import REVEALED, SEARCH_PRESETS
from holdtrue.lab.kinds.search.entry import SearchEntry, SearchScore
from holdtrue.lab.kinds.search.facts import Search
from holdtrue.lab.kinds.search.figures import Searched, row_of
from holdtrue.lab.kinds.search.plays import SearchPlays
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.entry import Entry, FailureEntry

DIFFICULTIES = ("easy", "medium", "hard")


@dataclass(frozen=True, slots=True)
class SearchMeasure:
    """`rows` are each method (in order of first appearance) over everything, then by domain, then by difficulty.

    `plays` is what `compare_searches` and `robustness` take, one run or several at once.
    """

    rows: tuple[SearchRow, ...]
    plays: tuple[SearchPlays, ...]


def measure_search(entries: Iterable[Entry]) -> SearchMeasure:
    """Measure a run; the entries pass by once, in any order, and their texts are not kept."""
    rows = SearchRows()
    for entry in entries:
        rows.add(entry)
    return rows.finish()


class SearchRows:
    """The rows to be, while entries pass by; what is no search is passed over."""

    def __init__(self) -> None:
        self._arms: dict[Arm, dict[str, Search]] = {}
        self._named: dict[tuple[str, str], Arm] = {}
        self._failures: list[FailureEntry] = []

    def add(self, entry: Entry) -> None:
        """Count one entry."""
        if isinstance(entry, FailureEntry):
            self._failures.append(entry)
        elif isinstance(entry, SearchEntry):
            record = entry.record
            arm = Arm(entry.suite, record.model, record.variant, record.reader, entry.method)
            self._named[entry.suite, entry.method] = arm
            searches = self._arms.setdefault(arm, {})
            if entry.problem not in searches:
                searches[entry.problem] = Search(entry)
            searches[entry.problem].add(entry)

    def finish(self) -> SearchMeasure:
        """All rows. A failure counts only where its trial was never played: a problem may have been tried again."""
        failed: dict[Arm, dict[str, str]] = {}
        for each in self._failures:
            # A method that failed before its first trial has left no record that says what it ran with.
            arm = self._named.get((each.suite, each.method), Arm(each.suite, "", "", "", each.method))
            search = self._arms.setdefault(arm, {}).get(each.problem)
            if search is None or search.latest < each.turn:
                failed.setdefault(arm, {})[each.problem] = each.domain
        # A problem that failed before it was scored is known by what others made of it.
        searches = [search for each in self._arms.values() for search in each.values()]
        known = {search.problem: search.score for search in searches if search.score is not None}
        arms = [
            # Intervals are drawn from problems by their places, which must not depend on the order of entries.
            _Arm(arm, [search for _, search in sorted(searches.items())], failed.get(arm, {}), known)
            for arm, searches in self._arms.items()
        ]
        return SearchMeasure(tuple(row for arm in arms for row in arm.rows()), tuple(arm.plays() for arm in arms))


class _Arm:
    """An arm with all that was played under it; `failed` are domains by problem, `known` scores of any arm."""

    def __init__(
        self, arm: Arm, searches: Sequence[Search], failed: Mapping[str, str], known: Mapping[str, SearchScore]
    ) -> None:
        self._arm = arm
        self._searches = searches
        self._asks_model = any(search.calls for search in searches)
        originals = {problem for problem, score in known.items() if not score.variant}
        begun = {**{search.problem: search.domain for search in searches}, **failed}
        self._domains = {p: domain for p, domain in begun.items() if p in originals or p not in known}
        self._difficulties = {p: known[p].difficulty for p in self._domains if p in known}
        self._failed = failed

    def rows(self) -> Iterator[SearchRow]:
        """Over everything, by domain, by difficulty; none where only rewritten problems were begun."""
        if self._domains:
            yield self._row(None, None)
        for domain in sorted(set(self._domains.values())):
            yield self._row(domain, None)
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
        searched = Searched(finished, len(begun), len(begun & self._failed.keys()))
        return row_of(self._arm, self._asks_model, domain, difficulty, searched)

    def plays(self) -> SearchPlays:
        """What was finished, with rewritten problems."""
        preset = SEARCH_PRESETS.get(self._arm.method.removesuffix(REVEALED))
        most = max((search.calls for search in self._searches), default=0)
        plays = {search.asked: play for search in self._searches if search.finished and (play := search.play())}
        return SearchPlays(self._arm, self._asks_model, preset.single if preset else most <= 1, plays)
