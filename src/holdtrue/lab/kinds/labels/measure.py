"""Measure a run of queries: turn the entries of its journal into a row for each method. No model or solver is asked.

Consistency says nothing by itself: a method that always answers UNKNOWN is always consistent. So every row has its
accuracy too, and a report shows the controls beside the other methods.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

from holdtrue.lab.kinds.labels.entry import LabelEntry
from holdtrue.lab.kinds.labels.facts import Bundle
from holdtrue.lab.kinds.labels.figures import row_of
from holdtrue.lab.kinds.labels.plays import plays_of, simplest
from holdtrue.lab.kinds.labels.row import LabelRow
from holdtrue.lab.kit.entry import Entry
from holdtrue.lab.kit.folder import Measured
from holdtrue.lab.kit.played import Part, PlayedArm, by_arm

ONE_AT_A_TIME = "one"
"""The protocol of runs that ask a single query behind a summary of beliefs."""


def measure_labels(entries: Iterable[Entry], settings: Mapping[str, Any] | None = None) -> Measured[LabelRow]:
    """Measure a run; the entries are read once, in any order, and their texts are not kept.

    The result's `rows` are one for each method, in order of first appearance, over all domains and then for each.
    """
    arms = by_arm(entries, LabelEntry, lambda bundle, entry: (bundle or Bundle(entry)).add(entry))
    direct = {each.arm: _finished(each, None) for each in arms}
    rows = tuple(
        _row(each, domain, direct.get(replace(each.arm, method=simplest(each.arm.suite)), []))
        for each in arms
        for domain in (None, *_domains(each))
    )
    return Measured(
        rows=rows,
        plays=tuple(plays_of(arm, bundles) for arm, bundles in direct.items()),
        # Those that never asked the model, whatever they are called.
        controls=frozenset(row.arm.method for row in rows if row.overhead.calls.per_case.value == 0),
    )


def _domains(played: PlayedArm[Bundle]) -> Iterable[str]:
    return dict.fromkeys((*(bundle.domain for bundle in played.facts), *played.failed.values()))


def _finished(played: PlayedArm[Bundle], domain: str | None) -> list[Bundle]:
    """Those of one domain, or of all."""
    return [bundle for bundle in played.facts if bundle.finished and domain in (None, bundle.domain)]


def _row(played: PlayedArm[Bundle], domain: str | None, direct: Sequence[Bundle]) -> LabelRow:
    """The row; `direct` is what the suite's simplest method has finished with the same settings."""
    failed = {problem for problem, its in played.failed.items() if domain in (None, its)}
    begun = failed.union(bundle.problem for bundle in played.facts if domain in (None, bundle.domain))
    oracle = played.arm.gold and _has_formulas(played) and _uses_formulas(played)
    about = Part(_finished(played, domain), len(begun), len(failed))
    return row_of(played.arm, oracle, domain, about, direct)


def _has_formulas(played: PlayedArm[Bundle]) -> bool:
    """Return whether there were formulas at all; without a score it is not known, and they may have been there."""
    sources = {source for bundle in played.facts for source in bundle.formulas}
    return sources != {"none"}


def _uses_formulas(played: PlayedArm[Bundle]) -> bool:
    """Return whether formulas had a part in what the method did: in a solver's answer, or in a prompt.

    Where queries are asked one at a time, every prompt tells what is believed so far, and beliefs are formulas.
    """
    told = played.arm.protocol == ONE_AT_A_TIME
    return any(bundle.spent()["solver_calls"] or (told and bundle.asked_model) for bundle in played.facts)
