"""What the entries of a run of queries come to, for each method and domain. Needs no model and no solver.

Consistency means nothing on its own: who always answers UNKNOWN is always consistent. So every row holds its accuracy,
and a report has the controls' rows beside the others.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.lab.kinds.labels.entry import LabelEntry
from holdtrue.lab.kinds.labels.facts import Bundle
from holdtrue.lab.kinds.labels.figures import Played, row_of
from holdtrue.lab.kinds.labels.plays import plays_of, simplest
from holdtrue.lab.kinds.labels.row import LabelRow
from holdtrue.lab.kit.arm import Arm
from holdtrue.lab.kit.entry import Entry, FailureEntry
from holdtrue.lab.kit.plays import ArmPlays


@dataclass(frozen=True, slots=True)
class LabelMeasure:
    """`rows` are each method (in order of first appearance) over all domains, then by domain (in order of case ids).

    `plays` is what `compare_labels` takes, one run or several at once.
    """

    rows: tuple[LabelRow, ...]
    plays: Mapping[str, tuple[ArmPlays, ...]]


def measure_labels(entries: Iterable[Entry]) -> LabelMeasure:
    """Measure a run; the entries pass by once, in any order, and their texts are not kept."""
    rows = LabelRows()
    for entry in entries:
        rows.add(entry)
    return rows.finish()


class LabelRows:
    """The rows to be, while entries pass by; what is not about queries is passed over."""

    def __init__(self) -> None:
        self._arms: dict[Arm, dict[str, Bundle]] = {}
        self._named: dict[tuple[str, str], Arm] = {}
        self._failures: list[FailureEntry] = []

    def add(self, entry: Entry) -> None:
        """Count one entry."""
        if isinstance(entry, FailureEntry):
            self._failures.append(entry)
        elif isinstance(entry, LabelEntry):
            record = entry.record
            arm = Arm(entry.suite, record.model, record.variant, record.reader, entry.method)
            self._named[entry.suite, entry.method] = arm
            bundles = self._arms.setdefault(arm, {})
            if entry.problem not in bundles:
                bundles[entry.problem] = Bundle(entry)
            bundles[entry.problem].add(entry)

    def finish(self) -> LabelMeasure:
        """All rows. A failure counts only where its turn was never played: a case may have been tried again."""
        failed: dict[Arm, dict[str, str]] = {}
        for each in self._failures:
            # A method that failed before its first turn has left no record that says what it ran with.
            arm = self._named.get((each.suite, each.method), Arm(each.suite, "", "", "", each.method))
            bundle = self._arms.setdefault(arm, {}).get(each.problem)
            if bundle is None or max(bundle.played) < each.turn:
                failed.setdefault(arm, {})[each.problem] = each.domain
        arms = [
            # Intervals are drawn from cases by their places, which must not depend on the order of entries.
            _Arm(arm, [bundle for _, bundle in sorted(bundles.items())], failed.get(arm, {}))
            for arm, bundles in self._arms.items()
        ]
        rows = [arm.row(domain, _direct(arm, arms)) for arm in arms for domain in (None, *arm.domains)]
        return LabelMeasure(tuple(rows), plays_of({arm.arm: arm.finished(None) for arm in arms}))


def _direct(arm: _Arm, arms: Iterable[_Arm]) -> Sequence[Bundle]:
    """What the suite's simplest method has finished with the same settings."""
    base = replace(arm.arm, method=simplest(arm.arm.suite))
    return next((other.finished(None) for other in arms if other.arm == base), ())


class _Arm:
    """An arm with all that was played under it; `failed` are domains by problem."""

    def __init__(self, arm: Arm, bundles: Sequence[Bundle], failed: Mapping[str, str]) -> None:
        self.arm = arm
        self._bundles = bundles
        self._failed = failed
        self._oracle = arm.oracle and any(bundle.spent()["solver_calls"] for bundle in bundles)

    @property
    def domains(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys((*(bundle.domain for bundle in self._bundles), *self._failed.values())))

    def finished(self, domain: str | None) -> list[Bundle]:
        """Those of one domain, or of all."""
        return [b for b in self._bundles if b.finished and domain in (None, b.domain)]

    def row(self, domain: str | None, direct: Sequence[Bundle]) -> LabelRow:
        bundles = self.finished(domain)
        failed = {problem for problem, its in self._failed.items() if domain in (None, its)}
        begun = failed.union(b.problem for b in self._bundles if domain in (None, b.domain))
        return row_of(self.arm, self._oracle, domain, Played(bundles, len(begun), len(failed)), direct)
