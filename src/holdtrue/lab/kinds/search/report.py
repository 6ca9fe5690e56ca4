"""Several runs of searches, held against each other."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any

from holdtrue.lab.kinds.search.beside import beside_verified
from holdtrue.lab.kinds.search.comparison import SearchComparison, compare_searches
from holdtrue.lab.kinds.search.frontier import FrontierPoint, frontier
from holdtrue.lab.kinds.search.robustness import Robustness, robustness
from holdtrue.lab.kinds.search.row import SearchRow
from holdtrue.lab.kinds.search.run import SearchRun, read_search_run
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.groups import Group, Names, group
from holdtrue.lab.kit.runs import Runs
from holdtrue.lab.kit.variants import tell_apart


@dataclass(frozen=True, slots=True, kw_only=True)
class SearchReport(Runs[SearchRow]):
    """Several runs side by side, and what comes of holding them against each other.

    `groups` are over all difficulties, `bins` over one each. `frontier` is by the model's
    name. `singles` make one call, whatever the budget. `caution` is what a verified rate is worth, and how controls
    score.
    """

    runs: tuple[SearchRun, ...]
    bins: tuple[Group[SearchRow], ...]
    comparisons: tuple[SearchComparison, ...]
    robustness: tuple[Robustness, ...]
    frontier: Mapping[str, tuple[FrontierPoint, ...]]
    singles: frozenset[Arm]
    caution: str

    @property
    def remarks(self) -> tuple[str, ...]:
        return (self.caution,)

    def to_json(self) -> dict[str, Any]:
        """Everything, for programs."""
        return {
            "schema": 1,
            "suite": self.suite,
            "remarks": list(self.remarks),
            "runs": [run.to_json() for run in self.runs],
            "comparisons": [asdict(each) for each in self.comparisons],
            "robustness": [asdict(each) for each in self.robustness],
            "frontier": {label: [asdict(each) for each in points] for label, points in self.frontier.items()},
        }


def read_search_report(suite: str, folders: Sequence[Path]) -> SearchReport:
    """Read, measure and compare the runs of this suite in these folders; a folder that is named twice is read once.

    Raises what `read_search_run` and `tell_apart` raise.
    """
    runs = tell_apart([read_search_run(folder) for folder in dict.fromkeys(folders)], across_methods=True)
    rows = [row for run in runs for row in run.rows]
    names = Names(
        ((run.folder, [row.arm for row in run.rows]) for run in runs),
        titles={row.arm: row.title for row in rows if row.domain is None},
    )
    groups = group([(run.folder, run.rows) for run in runs], names)
    searches = [run.compared() for run in runs]
    return SearchReport(
        suite=suite,
        runs=runs,
        names=names,
        groups=groups,
        bins=group([(run.folder, run.binned()) for run in runs], names),
        comparisons=compare_searches(searches),
        robustness=robustness(searches),
        frontier={each.label: frontier(each.whole) for each in groups},
        singles=frozenset(arm.arm for arms in searches for arm in arms if arm.single),
        caution=beside_verified(groups),
        controls=frozenset(row.arm.method for row in rows if row.finished and not row.asks_model),
    )
