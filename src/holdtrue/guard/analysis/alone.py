"""Find what is wrong with a rule by itself: it never applies, nothing breaks it, or nothing keeps it."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.guard.analysis.fault import FaultKind
from holdtrue.guard.analysis.inquiry import Impossible, NotDecided
from holdtrue.guard.analysis.level import Demand, Shown
from holdtrue.guard.analysis.on_tool import Finding, OnTool, since


def faults_alone(on: OnTool, id: str) -> Iterator[Finding]:
    """Return what is wrong with a rule by itself."""
    if not on.always_applies(id):
        found = on.inquiry.ask(Demand("applies", (id,)))
        if isinstance(found, NotDecided):
            yield on.open("never applies", id, found)
        if isinstance(found, Impossible):
            bounds = on.bounds(found)
            text = f"It never applies {on.where}: its condition is true of no call{since(bounds)}."
            yield on.told("never applies", id, found, text, bounds=bounds, example=on.example(Demand("kept", (id,))))
            return
    yield from _never_broken(on, id)
    yield from _never_kept(on, id)


def _never_broken(on: OnTool, id: str) -> Iterator[Finding]:
    found = on.inquiry.ask(Demand("broken", (id,)))
    if isinstance(found, NotDecided):
        yield on.open("always holds", id, found)
    if not isinstance(found, Impossible):
        return
    kept = on.inquiry.ask(Demand("kept where it applies", (id,)))
    if isinstance(kept, Impossible) and kept.bounded is None:
        return  # It is never kept either, which is told.
    bounds = on.bounds(found)
    text = f"Nothing can break it {on.where}{since(bounds)}."
    if isinstance(on.inquiry.ask(Demand("not kept", (id,))), Shown):
        text += " Where it does not hold it cannot be worked out, and a person is asked."
    example = on.example(Demand("kept where it applies", (id,)))
    yield on.told("always holds", id, found, text, bounds=bounds, example=example)


def _never_kept(on: OnTool, id: str) -> Iterator[Finding]:
    if on.forbids(id):
        return
    found = on.inquiry.ask(Demand("kept where it applies", (id,)))
    if isinstance(found, NotDecided):
        yield on.open("never holds", id, found)
    if not isinstance(found, Impossible):
        return
    bounds = on.bounds(found)
    broken = on.inquiry.ask(Demand("broken", (id,)))
    every = "Every call" if on.tool else "Every conversation"
    which = every if on.always_applies(id) else f"{every} to which it applies"
    text = f"{which} breaks it{since(bounds)}."
    if isinstance(broken, Impossible):
        text = f"{which} leaves it undecided: it can be worked out of none{since(bounds)}."
    demand = Demand("applies", (id,)) if isinstance(broken, Impossible) else Demand("broken", (id,))
    kind: FaultKind = "clashes with the schema" if bounds else "never holds"
    yield on.told(kind, id, found, text, bounds=bounds, example=on.example(demand))
