"""'At most so many changes' as literals to assume, without growing from question to question."""

from __future__ import annotations

from pysat.card import ITotalizer

from holdtrue.solving.encoder import Encoder
from holdtrue.solving.engine import Near
from holdtrue.solving.literals import FALSE, TRUE


class Proximity:
    """One totalizer over all variables of an engine, whatever the target.

    A variable has one literal that says 'changed'; for every target value that is ever asked about, a literal
    to assume says 'changed, unless it has this value'. The totalizer (Bailleux and Boufkhad, CP 2003;
    iterative: Martins et al., CP 2014) counts the changed ones, and is extended only as far as bounds are
    asked for.
    """

    def __init__(self, encoder: Encoder) -> None:
        self._encoder = encoder
        self._changed = {name: encoder.pool.new() for name in encoder.literals}
        self._aims: dict[tuple[str, int], int] = {}
        self._totalizer: ITotalizer | None = None

    def assumptions(self, near: Near) -> list[int] | None:
        """Literals to assume; None where more targets lie outside their sorts than changes are allowed."""
        allowed = near.changes
        aims = []
        for pair in near.target.items():
            aim = self._aims.get(pair) or self._make_aim(pair)
            if aim == FALSE:
                allowed -= 1
            else:
                aims.append(aim)
        if allowed < 0:
            return None
        return aims if allowed >= len(aims) else [*aims, -self._more_than(allowed)]

    def _make_aim(self, pair: tuple[str, int]) -> int:
        """The literal that says 'changed, unless it has this value'; FALSE where it cannot have it."""
        name, value = pair
        own, pool = self._encoder.literals[name], self._encoder.pool
        if not own.low <= value <= own.high:
            return FALSE
        aim = pool.new()
        pool.clauses += [
            [-aim, self._changed[name], bound] for bound in (own.at_least(value), own.at_most(value)) if bound != TRUE
        ]
        self._aims[pair] = aim
        return aim

    def _more_than(self, count: int) -> int:
        """The literal that is true when more than `count` variables have changed."""
        pool = self._encoder.pool
        if self._totalizer is None:
            self._totalizer = ITotalizer(lits=list(self._changed.values()), ubound=max(count, 3), top_id=pool.top)
            self._take_new_clauses(self._totalizer)
        elif count > self._totalizer.ubound:
            self._totalizer.increase(ubound=2 * count, top_id=pool.top)
            self._take_new_clauses(self._totalizer)
        literal: int = self._totalizer.rhs[count]
        return literal

    def _take_new_clauses(self, totalizer: ITotalizer) -> None:
        pool = self._encoder.pool
        pool.top = max(pool.top, totalizer.top_id)
        if totalizer.nof_new:
            pool.clauses += totalizer.cnf.clauses[-totalizer.nof_new :]
