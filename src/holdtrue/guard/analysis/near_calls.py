"""Find pairs of adjacent calls: a rule is kept by one and broken by the other, and no call lies between them.

A call is varied one value at a time, and the rules are evaluated on each variant. On a number the search doubles its
steps until the verdict turns, and then bisects. Sometimes no single value turns the verdict. The solver then finds the
nearest call with the other verdict, and calls between the two bring them closer.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations
from typing import Literal

from holdtrue.budget import Budget
from holdtrue.guard.analysis.call_shapes import steps_of
from holdtrue.guard.analysis.rule_formulas import Demand, Shown, does
from holdtrue.guard.policy_parts import ANSWER, CALL, DONE, SAID, RuleOnTool
from holdtrue.logic.formula import Variable
from holdtrue.rules.completion import TextTest, text_tests
from holdtrue.rules.unknowns import EXISTS
from holdtrue.solving.explain.nearest_answer import nearest
from holdtrue.solving.result import Nearest

Verdict = Literal["kept", "broken"]
FARTHEST = 2**40
"""A number is varied by at most so many steps."""
MOST_TOGETHER = 5
"""A pair differs in at most so many values."""
_SWITCHES = ("there", "null", EXISTS)
"""The parts of a value that say whether it exists, and whether it is null."""
_NUMBER, _FLAG, _TEST, _NAME, _SIZE, _SWITCH, _STATE = range(7)
"""The kinds of variables, the plainest first. A state stands for a condition that no formula expresses."""
_ROOTS = (CALL, ANSWER, "facts", DONE, SAID)


@dataclass(frozen=True)
class NearPair:
    """A `NearPair` is a kept and a broken call that differ in the values of the variables `names`."""

    kept: Shown
    broken: Shown
    names: tuple[str, ...]

    @property
    def number(self) -> str:
        """Return the variable in which the calls differ if it is a number, date or length, and else ""."""
        return self.names[0] if len(self.names) == 1 and is_number(self.kept, self.names[0]) else ""


class NearCalls:
    """`NearCalls` varies calls around one rule. A variant counts if it `fits`, which `late` ends."""

    def __init__(
        self,
        id: str,
        rule: RuleOnTool,
        fits: Callable[[Shown], bool] = lambda _: True,
        late: Callable[[], bool] = lambda: False,
    ) -> None:
        self._id, self._rules, self.fits, self._late = id, {id: rule}, fits, late

    def verdict(self, shown: Shown) -> Verdict | None:
        """Return whether a call keeps the rule or breaks it, or None if the rule's value is an error."""
        if does(Demand("kept", (self._id,)), self._rules, shown.env):
            return "kept"
        return "broken" if does(Demand("broken", (self._id,)), self._rules, shown.env) else None

    def pairs(self, start: Shown) -> Iterator[NearPair]:
        """Yield pairs of adjacent calls that differ from `start` in one value, the plainest value first."""
        was = self.verdict(start)
        if was is None:
            return
        read = start.formulas.read_by(self._id)
        for variable in sorted(read, key=lambda own: (*plainness(start, own.name), own.name)):
            if self._late():
                return
            if is_number(start, variable.name):
                found = [self._on_line(start, was, variable, sign) for sign in (1, -1)]
                yield from (own for own in found if own is not None)
                continue
            for change in _others(start, variable):
                other = start.changed(change)
                if self._turned(was, other):
                    yield _pair(was, start, other, (variable.name,))
                    break

    def _turned(self, was: Verdict, other: Shown) -> bool:
        return self.verdict(other) not in (was, None) and self.fits(other)

    def _on_line(self, start: Shown, was: Verdict, variable: Variable, sign: int) -> NearPair | None:
        """Return the first pair on the line of a number, upwards for a `sign` of 1, or None."""
        name, end = variable.name, getattr(variable.sort, "high" if sign > 0 else "low")
        inside = here = start.witness[name]
        step = 1
        while True:
            place = here + sign * step
            if end is not None and sign * (place - end) > 0:
                place = end
            if place == inside or self._late():
                return None
            now = self.verdict(start.changed({name: place}))
            if now not in (was, None):
                break
            inside = inside if now is None else place
            step *= 2
            if place == end or step > FARTHEST:
                return None
        while abs(place - inside) > 1:
            middle = (place + inside) // 2
            now = self.verdict(start.changed({name: middle}))
            if now is None:
                return None
            inside, place = (middle, place) if now == was else (inside, middle)
        calls = start.changed({name: inside}), start.changed({name: place})
        return _pair(was, *calls, (name,)) if all(map(self.fits, calls)) else None

    def nearest_pair(self, start: Shown, demands: Sequence[Demand], budget: Budget) -> NearPair | None:
        """Return a pair of `start`, or a call near it, and a call with the other verdict, which the demands ask for."""
        was, formulas = self.verdict(start), start.formulas
        target = {own.name: start.witness[own.name] for own in formulas.variables if not own.name.startswith("#")}
        found = nearest(formulas.engine, formulas.soft(demands), target, budget)
        if was is None or not isinstance(found, Nearest) or len(found.changed) > MOST_TOGETHER:
            return None
        other, names = start.changed(found.witness), tuple(found.changed)
        if not self._turned(was, other):
            return None
        while (closer := self._between(was, start, other, names)) is not None:
            start, other, names = closer
        return _pair(was, start, other, names)

    def _between(
        self, was: Verdict, start: Shown, other: Shown, names: tuple[str, ...]
    ) -> tuple[Shown, Shown, tuple[str, ...]] | None:
        """Return a closer pair that has a call between the two, or None."""
        for size in range(1, len(names) + 1):
            for some in combinations(names, size):
                middle = _middle(start, other, some)
                if middle in (start.witness, other.witness) or self._late():
                    continue
                shown = start.changed(middle)
                now = self.verdict(shown)
                if now is not None and self.fits(shown):
                    ends = (shown, other) if now == was else (start, shown)
                    left = (own for own in names if ends[0].witness[own] != ends[1].witness[own])
                    return *ends, tuple(left)
        return None


def _pair(was: Verdict, start: Shown, other: Shown, names: tuple[str, ...]) -> NearPair:
    return NearPair(start, other, names) if was == "kept" else NearPair(other, start, names)


def _middle(start: Shown, other: Shown, names: Sequence[str]) -> Mapping[str, int]:
    """Return values between two calls: those of `start`, but for `names`, of which numbers go half the way."""
    found = dict(start.witness)
    for name in names:
        here, there = start.witness[name], other.witness[name]
        half = is_number(start, name) and abs(there - here) > 1
        found[name] = (here + there) // 2 if half else there
    return found


def is_number(shown: Shown, name: str) -> bool:
    """Return whether a variable is a number, date, flag or length of a list, which has steps."""
    return _kind_of(shown, name) in (_NUMBER, _FLAG, _SIZE)


def plainness(shown: Shown, name: str) -> tuple[int, int]:
    """Return a sort key: first values of the call, and first numbers."""
    test = _test(name)
    root = steps_of(name if test is None else test.subject)[0]
    return _ROOTS.index(root) if root in _ROOTS else len(_ROOTS), _kind_of(shown, name)


def _kind_of(shown: Shown, name: str) -> int:
    part = name.rpartition("#")[2] if "#" in name else ""
    if name.startswith("#") or _test(name) is not None:
        return _STATE if name.startswith("#") else _TEST
    if name in shown.formulas.unknowns.kinds:
        return _NAME
    if part == "size" or part in _SWITCHES:
        return _SIZE if part == "size" else _SWITCH
    return _FLAG if shown.formulas.unknowns.variables[name].sort.size == 2 else _NUMBER


def _test(name: str) -> TextTest | None:
    return next(text_tests([name]), None)


def _others(start: Shown, variable: Variable) -> Iterator[Mapping[str, int]]:
    """Yield other values of a name, a switch, or of a text that a rule tests."""
    unknowns, name, witness = start.formulas.unknowns, variable.name, start.witness
    fresh = len(unknowns.codes)
    while fresh in witness.values():
        fresh += 1
    kind, test = _kind_of(start, name), _test(name)
    if test is not None:
        yield {test.subject: fresh, name: 1 - witness[name]}
    elif kind == _NAME:
        values = getattr(start.formulas.type_of(name), "values", None)
        alike = (witness[own] for own, id in unknowns.kinds.items() if id == unknowns.kinds[name])
        known = (fresh, *alike, *unknowns.codes.values()) if values is None else map(unknowns.code, values)
        yield from ({name: code} for code in dict.fromkeys(known) if code != witness[name])
    elif kind == _SWITCH:
        yield {name: 1 - witness[name]}
