"""Let two policies decide on one call, each with the facts, words and earlier calls that it declares."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from dataclasses import replace
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import InputError
from holdtrue.guard.analysis.analysis_results import Difference, Side
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.decision import Decision
from holdtrue.guard.policy import Policy

_REFUSED = ("block", "ask", "confirm")


def decisions(example: Situation, policies: Iterable[Policy], budget: Budget) -> list[Decision]:
    """Return the decision of each policy. Raises `InputError` if one of them cannot read the call's facts."""
    return [seen_by(example, own).decide(own, budget=budget, mend=False) for own in policies]


def told_apart(examples: Iterable[Situation], policies: Iterable[Policy], budget: Budget) -> Iterator[Difference]:
    """Yield a call that only the first policy allows, and one that only the second allows, if `examples` has them."""
    both, deadline, wanted = tuple(policies), budget.start(), list[Side](("first", "second"))
    for example in examples:
        if not wanted or deadline.passed:
            return
        try:
            first, second = decisions(example, both, budget.until(deadline))
        except InputError:
            continue  # A value that fits only one of the policies shows nothing.
        for side in tuple(wanted):
            allowed, refused = (first, second) if side == "first" else (second, first)
            if allowed.kind == "allow" and refused.kind in _REFUSED:
                wanted.remove(side)
                yield Difference(example.tool, side, example, first, second)


def seen_by(example: Situation, policy: Policy) -> Situation:
    """Return a situation without the facts, statements and earlier calls that a policy does not declare."""
    facts: dict[str, list[Any]] = {}
    for name, entries in example.facts.items():
        kind = policy.facts.get(name)
        if kind is not None:
            facts[name] = [_known(own, {*kind.keys, *kind.record.fields}) for own in entries]
    return replace(
        example,
        facts=facts,
        done={name: calls for name, calls in example.done.items() if name in policy.tools},
        said=None if example.said is None else {name: own for name, own in example.said.items() if name in policy.said},
    )


def _known(entry: Mapping[str, Any], names: set[str]) -> dict[str, Any]:
    if entry.keys() == {"key", "record"}:
        record = entry["record"]  # None means that it does not exist.
        return {**entry, "record": record and {name: own for name, own in record.items() if name in names}}
    return {name: own for name, own in entry.items() if name in names}
