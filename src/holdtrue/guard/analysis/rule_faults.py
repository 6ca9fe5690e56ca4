"""Find the faults of a rule, alone or together with others.

Alone, a rule may never apply, never be broken or never be kept. Together with others, it may follow from them or
contradict them.
"""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.guard.analysis.analysis_results import FaultKind
from holdtrue.guard.analysis.inquiry import LATE, LISTS, Impossible, NotDecided
from holdtrue.guard.analysis.rule_formulas import Demand, Shown, What, each
from holdtrue.guard.analysis.tool_rules import Finding, ToolRules, listed, since
from holdtrue.rules.typed_expressions import Fact, walk
from holdtrue.rules.types import Record
from holdtrue.solving.explain.mus import all_mus
from holdtrue.solving.result import AllMuses, Unknown


def faults_alone(on: ToolRules, id: str) -> Iterator[Finding]:
    """Yield the faults of a rule alone."""
    if not on.always_applies(id):
        found = on.inquiry.ask(Demand("applies", (id,)))
        if isinstance(found, NotDecided):
            yield on.open("never applies", id, found)
        if isinstance(found, Impossible):
            bounds = on.bounds(found)
            text = f"It never applies {on.where}: its condition is true of no call{since(bounds)}."
            yield on.told("never applies", id, found, text, each("kept", (id,)), bounds=bounds)
            return
    yield from _never_broken(on, id)
    yield from _never_kept(on, id)


def _never_broken(on: ToolRules, id: str) -> Iterator[Finding]:
    found = on.inquiry.ask(Demand("broken", (id,)))
    if isinstance(found, NotDecided):
        yield on.open("always holds", id, found)
    if not isinstance(found, Impossible):
        return
    kept = on.inquiry.ask(Demand("kept where it applies", (id,)))
    if isinstance(kept, Impossible) and kept.bounded is None:
        return  # The rule is never kept either, and `_never_kept` reports that.
    bounds = on.bounds(found)
    text = f"Nothing can break it {on.where}{since(bounds)}."
    if isinstance(on.inquiry.ask(Demand("not kept", (id,))), Shown):
        asked = [own.type for own in walk(on.rules[id].tools[on.tool].whole) if isinstance(own, Fact)]
        if any(isinstance(own, Record) and own.may_be_absent for own in asked):
            return  # A missing record breaks the rule.
        text += " Where it does not hold it cannot be worked out, and a person is asked."
    yield on.told("always holds", id, found, text, each("kept where it applies", (id,)), bounds=bounds)


def _never_kept(on: ToolRules, id: str) -> Iterator[Finding]:
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
    what: What = "applies" if isinstance(broken, Impossible) else "broken"
    kind: FaultKind = "clashes with the schema" if bounds else "never holds"
    yield on.told(kind, id, found, text, each(what, (id,)), bounds=bounds)


MOST_SETS = 40
"""At most this many sets of contradicting rules are examined for one tool."""


def implied(on: ToolRules, id: str) -> Iterator[Finding]:
    """Yield a finding if a rule follows from others, so that it could be left out."""
    rule = on.rules[id]
    if rule.severity == "warn":
        return
    # Only rules that are as strict, and checked whenever this one is, stop the same calls in the same way.
    others = [own for own in on.demanding if own != id]
    others = [own for own in others if rule.severity == "ask" or on.rules[own].severity == "block"]
    others = [own for own in others if rule.needs == "words" or on.rules[own].needs != "words"]
    if not others:
        return
    kept = each("kept", others)
    if on.inquiry.glimpse(Demand("broken", (id,)), *kept) is not None:
        return
    alone = on.inquiry.ask(Demand("broken", (id,)))
    if not isinstance(alone, Shown):
        return  # Nothing breaks the rule, or that is undecided. `faults_alone` reports both.
    found = on.inquiry.ask(Demand("not kept", (id,)), *kept)
    if isinstance(found, NotDecided):
        yield on.open("implied", id, found)
    if not isinstance(found, Impossible):
        return
    if found.bounded is not None and alone.items is None:
        reason = (
            f"only lists of over {found.bounded} items break it, and no formula says all of the others of such lists"
        )
        yield on.open("implied", id, NotDecided("lists", reason, found.lists))
        return
    needed, minimal = on.inquiry.minimal(found)
    if Demand("not kept", (id,)) not in needed:
        return  # The others contradict each other, so they imply anything.
    from_these = tuple(own for demand in needed for own in demand.rules if own != id)
    who = f"Whoever keeps {listed(from_these)} keeps it, too, {on.where}"
    text = f"{who}, so that it could be left out."
    broken = Demand("broken", (id,))
    both = [[broken, Demand("broken", from_these)]] if len(from_these) == 1 else []
    yield on.told("implied", id, found, text, *both, [broken], others=from_these, minimal=minimal)


def contradictions(on: ToolRules) -> Iterator[Finding]:
    """Yield sets of rules that no call keeps if all of them apply, and sets that no call keeps at all."""
    ids = tuple(id for id in on.demanding if not on.forbids(id))
    told: set[frozenset[str]] = set()
    if on.inquiry.late and on.demanding:
        yield on.open("contradictory", on.demanding[0], LATE, on.demanding[1:])
        return
    if len(ids) > 1 and not isinstance(on.inquiry.ask(*each("kept where it applies", ids)), Shown):
        for own in _where_all_apply(on, ids):
            told.add(frozenset((own.rule, *own.others)))
            yield own
    if any(on.forbids(id) and on.always_applies(id) for id in on.demanding):
        return
    yield from _in_every_call(on, told)


def _where_all_apply(on: ToolRules, ids: tuple[str, ...]) -> Iterator[Finding]:
    formulas = on.inquiry.formulas(LISTS[on.start()])
    if isinstance(formulas, NotDecided):
        yield on.open("contradictory", ids[0], formulas, ids[1:])
        return
    soft = {id: formulas.formula(Demand("kept where it applies", (id,))) for id in ids}
    found = all_mus(formulas.engine, soft, on.inquiry.limit, most=MOST_SETS)
    if isinstance(found, Unknown):
        yield on.open(
            "contradictory", ids[0], NotDecided("time" if on.inquiry.late else "solver", found.reason), ids[1:]
        )
    if not isinstance(found, AllMuses):
        yield from _not_shown(on, ids)
        return
    for own in found.muses:
        if len(own) > 1:
            yield from _contradictory(on, own)
    for left in found.mcses:
        yield from _not_shown(on, tuple(id for id in ids if id not in left))
    if not found.complete:
        reason = NotDecided("many sets", f"not all sets of rules were looked at: {found.reason}")
        yield on.open("contradictory", ids[0], reason, ids[1:])


def _not_shown(on: ToolRules, ids: tuple[str, ...]) -> Iterator[Finding]:
    """Yield an open question if no call shows that the rules can be kept together, although the formulas allow it."""
    found = on.inquiry.ask(*each("kept where it applies", ids))
    if isinstance(found, NotDecided) and len(ids) > 1:
        yield on.open("contradictory", ids[0], found, ids[1:])


def _contradictory(on: ToolRules, ids: tuple[str, ...]) -> Iterator[Finding]:
    applies = on.inquiry.ask(*each("applies", ids))
    if isinstance(applies, Impossible):
        return  # No call makes all of them apply.
    kept = on.inquiry.ask(*each("kept where it applies", ids))
    open_one = next((own for own in (applies, kept) if isinstance(own, NotDecided)), None)
    if open_one is not None:
        yield on.open("contradictory", ids[0], open_one, ids[1:])
    elif isinstance(kept, Impossible):
        call = "call" if on.tool else "conversation"
        always = all(map(on.always_applies, ids))
        where = on.where if always else f"{on.where} to which all of them apply"
        text = f"No {call} {where} keeps {listed(ids)} together."
        yield on.told("contradictory", ids[0], kept, text, [Demand("applies", ids)], others=ids[1:])


def _in_every_call(on: ToolRules, told: set[frozenset[str]]) -> Iterator[Finding]:
    """Yield a set of rules such that every call breaks one of them."""
    if not on.demanding:
        return
    found = on.inquiry.ask(*each("kept", on.demanding))
    if isinstance(found, NotDecided):
        yield on.open("contradictory", on.demanding[0], found, on.demanding[1:])
    if not isinstance(found, Impossible):
        return
    needed, minimal = on.inquiry.minimal(found)
    ids = tuple(id for own in needed for id in own.rules)
    if len(ids) == 1 and on.forbids(ids[0]):
        text = f"It forbids every call {on.where}, since its condition is true of all of them."
        yield on.told("never holds", ids[0], found, text, [Demand("broken", ids)])
    if len(ids) == 1 or any(own <= set(ids) for own in told):
        return
    text = f"No call {on.where} keeps all of {listed(ids)}, whichever of them apply."
    yield on.told("contradictory", ids[0], found, text, [Demand("not kept", ids)], others=ids[1:], minimal=minimal)
