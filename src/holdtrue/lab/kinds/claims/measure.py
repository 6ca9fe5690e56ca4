"""What the entries of a run about claims come to, for each method. Needs no model and no solver."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.kinds.claims.method import CLAIM_PRESETS, ClaimMethod
from holdtrue.lab.kinds.claims.entry import ClaimEntry
from holdtrue.lab.kinds.claims.facts import ItemFacts, facts_of
from holdtrue.lab.kinds.claims.figures import Played, row_of
from holdtrue.lab.kinds.claims.plays import ClaimPlay, ClaimPlays
from holdtrue.lab.kinds.claims.row import ClaimRow
from holdtrue.lab.kit.arm import Arm, arm_of
from holdtrue.lab.kit.entry import Entry, FailureEntry


@dataclass(frozen=True, slots=True)
class ClaimMeasure:
    """`rows` are each method (in order of first appearance) over everything, then by data set.

    `plays` is what `compare_claims` and `perturbed` take, one run or several at once.
    """

    rows: tuple[ClaimRow, ...]
    plays: tuple[ClaimPlays, ...]


def measure_claims(entries: Iterable[Entry], methods: Mapping[str, ClaimMethod] = CLAIM_PRESETS) -> ClaimMeasure:
    """Measure a run; the entries pass by once, in any order, and their texts are not kept.

    `methods` are the run's, by name, as they were played; one that is not there is taken for a single answer.
    """
    rows = ClaimRows(methods)
    for entry in entries:
        rows.add(entry)
    return rows.finish()


class ClaimRows:
    """The rows to be, while entries pass by; what is not about claims is passed over."""

    def __init__(self, methods: Mapping[str, ClaimMethod] = CLAIM_PRESETS) -> None:
        self._methods = methods
        self._arms: dict[Arm, dict[str, ItemFacts]] = {}
        self._named: dict[tuple[str, str], Arm] = {}
        self._failures: list[FailureEntry] = []

    def add(self, entry: Entry) -> None:
        """Count one entry."""
        if isinstance(entry, FailureEntry):
            self._failures.append(entry)
        elif isinstance(entry, ClaimEntry):
            arm = arm_of(entry)
            self._named[entry.suite, entry.method] = arm
            self._arms.setdefault(arm, {})[entry.problem] = facts_of(entry)

    def finish(self) -> ClaimMeasure:
        """All rows. A failure counts only where its item was never answered: it may have been tried again."""
        failed: dict[Arm, dict[str, str]] = {}
        for each in self._failures:
            # A method that failed at its first item has left no record that says what it ran with.
            arm = self._named.get((each.suite, each.method), Arm(each.suite, "", "", "", each.method))
            if each.problem not in self._arms.setdefault(arm, {}):
                failed.setdefault(arm, {})[each.problem] = each.domain
        # An item that failed is known by what other methods made of it.
        changed = {item.problem for items in self._arms.values() for item in items.values() if _is_changed(item)}
        arms = [
            # Intervals are drawn from items by their places, which must not depend on the order of entries.
            _Arm(arm, self._method(arm), [item for _, item in sorted(items.items())], failed.get(arm, {}), changed)
            for arm, items in self._arms.items()
        ]
        return ClaimMeasure(tuple(row for arm in arms for row in arm.rows()), tuple(arm.plays() for arm in arms))

    def _method(self, arm: Arm) -> ClaimMethod:
        return self._methods.get(arm.method) or ClaimMethod(arm.method)


class _Arm:
    """An arm with all that was answered under it; `failed` are data sets by item, `changed` items are no originals."""

    def __init__(
        self, arm: Arm, method: ClaimMethod, items: Sequence[ItemFacts], failed: Mapping[str, str], changed: set[str]
    ) -> None:
        self._arm, self._method, self._items = arm, method, items
        self._originals = [item for item in items if item.problem not in changed]
        self._failed = {problem: domain for problem, domain in failed.items() if problem not in changed}
        self._asks_model = any(item.asks_model for item in items)

    def rows(self) -> Iterator[ClaimRow]:
        """Over everything, by data set; none where only changed items were begun."""
        domains = {*(item.domain for item in self._originals), *self._failed.values()}
        if domains:
            yield self._row(None)
        for domain in sorted(domains):
            yield self._row(domain)

    def _row(self, domain: str | None) -> ClaimRow:
        finished = [item for item in self._originals if domain in (None, item.domain)]
        failed = sum(domain in (None, its) for its in self._failed.values())
        played = Played(finished, len(finished) + failed, failed, self._asks_model, self._method)
        return row_of(self._arm, domain, played)

    def plays(self) -> ClaimPlays:
        """What was answered and has a score, with changed items."""
        plays = {item.asked: play for item in self._items if (play := _play(item)) is not None}
        return ClaimPlays(self._arm, self._asks_model, plays)


def _is_changed(item: ItemFacts) -> bool:
    return item.score is not None and item.score.perturbs is not None


def _play(item: ItemFacts) -> ClaimPlay | None:
    score = item.score
    if score is None:
        return None
    return ClaimPlay(
        domain=item.domain,
        right=score.correct,
        given=score.given,
        verified=item.rates.get("verdicts", {}).get("verified", (0, 0)),
        score=None if item.checked is None else item.checked.score,
        perturbation=(score.perturbation or "changed") if score.perturbs is not None else "",
        perturbs=score.perturbs or "",
    )
