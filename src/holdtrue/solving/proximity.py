"""'At most so many changes' as literals to assume, without growing from question to question."""

from __future__ import annotations

from collections.abc import Callable, Iterable

from pysat.card import ITotalizer

from holdtrue.solving.encoding import Encoder
from holdtrue.solving.engine import Near
from holdtrue.solving.literals import Clause


class Proximity:
    """One totalizer over all variables of an engine, whatever the target.

    A variable has one literal that says 'changed'; for every target value that is ever asked about, a literal
    to assume says 'changed, unless it has this value'. The totalizer (Bailleux and Boufkhad, CP 2003;
    iterative: Martins et al., CP 2014) counts the changed ones, and is extended only as far as bounds are
    asked for.
    """

    def __init__(self, encoder: Encoder, add: Callable[[Iterable[Clause]], None]) -> None:
        self._encoder = encoder
        self._add = add
        self._changed = {name: encoder.new_literal() for name in encoder.literals}
        self._aims: dict[tuple[str, int], int] = {}
        self._totalizer: ITotalizer | None = None

    def assumptions(self, near: Near) -> list[int] | None:
        """Literals to assume; None where more targets lie outside their sorts than changes are allowed."""
        literals = self._encoder.literals
        allowed = near.changes
        aims = []
        for name, value in near.target.items():
            if literals[name].low <= value <= literals[name].high:
                aims.append(self._aim(name, value))
            else:
                allowed -= 1
        if allowed < 0:
            return None
        return aims if allowed >= len(aims) else [*aims, -self._more_than(allowed)]

    def _aim(self, name: str, value: int) -> int:
        aim = self._aims.get((name, value))
        if aim is None:
            aim = self._aims[name, value] = self._encoder.new_literal()
            self._add([[-aim, self._encoder.literals[name].equal(value), self._changed[name]]])
        return aim

    def _more_than(self, count: int) -> int:
        """The literal that is true when more than `count` variables have changed."""
        if self._totalizer is None:
            self._totalizer = ITotalizer(
                lits=list(self._changed.values()), ubound=max(count, 3), top_id=self._encoder.top
            )
            self._take_new_clauses(self._totalizer)
        elif count > self._totalizer.ubound:
            self._totalizer.increase(ubound=2 * count, top_id=self._encoder.top)
            self._take_new_clauses(self._totalizer)
        literal: int = self._totalizer.rhs[count]
        return literal

    def _take_new_clauses(self, totalizer: ITotalizer) -> None:
        self._encoder.top = max(self._encoder.top, totalizer.top_id)
        if totalizer.nof_new:
            self._add(totalizer.cnf.clauses[-totalizer.nof_new :])
