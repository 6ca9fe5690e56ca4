"""Cache one result for each distinct formula, and compute the shape of a formula, which leaves out variable names."""

from __future__ import annotations

from collections.abc import Callable, Collection, Hashable, Iterable
from dataclasses import fields
from typing import Generic, TypeVar

from holdtrue.budget import Deadline
from holdtrue.logic.formula import Compare, Constant, Formula, Sum, Term, Variable

Shape = Hashable


def shape_of(formula: Formula) -> tuple[Shape, list[Variable]]:
    """Return a key for the formula's shape, and its variables in the order of their first occurrence.

    Two formulas with the same key differ only in their variables, and these have the same ranges.
    """
    variables: dict[Variable, int] = {}
    key = _walk(formula, variables)
    return (key, tuple((v.sort.low, v.sort.high) for v in variables)), list(variables)


def _walk(node: object, variables: dict[Variable, int]) -> Hashable:
    # These four types make up most formulas. Testing for them first is fast.
    kind = type(node)
    if kind is Variable:
        return variables.setdefault(node, len(variables))  # type: ignore[arg-type]
    if kind is Constant:
        return (node.value,)  # type: ignore[attr-defined]
    if kind is Sum:
        return (kind, *((factor, _walk(part, variables)) for factor, part in node.parts))  # type: ignore[attr-defined]
    if kind is Compare:
        return (kind, node.op, _walk(node.left, variables), _walk(node.right, variables))  # type: ignore[attr-defined]
    if isinstance(node, tuple):
        return tuple(_walk(part, variables) for part in node)
    if isinstance(node, Formula | Term):
        return (kind, *(_walk(getattr(node, field.name), variables) for field in fields(node)))  # type: ignore[arg-type]
    return ("=", node)  # a plain value, marked so that it cannot equal the number of a variable


Made = TypeVar("Made")
_NOTHING = object()
"""The default of one lookup. A separate membership test would hash the formula twice."""


class FormulaMemo(Generic[Made]):
    """A `FormulaMemo` caches the result of `make` for each distinct formula.

    Hashing a formula walks through all of it. So the memo first looks an object up by its id, and only then by value.
    It does not remember the ids of equal copies. New copies of a known formula therefore cost time, but no memory.
    """

    def __init__(self, make: Callable[[Formula], Made]) -> None:
        self._make = make
        self._by_value: dict[Formula, Made] = {}
        # Ids of the keys above. The keys stay alive, so no other object can get the same id.
        self._by_id: dict[int, Made] = {}

    def __getitem__(self, formula: Formula) -> Made:
        key = id(formula)
        if key in self._by_id:
            return self._by_id[key]
        formula.check_depth()  # before it is hashed
        made = self._by_value.get(formula, _NOTHING)
        if made is _NOTHING:
            made = self._by_value[formula] = self._by_id[key] = self._make(formula)
        return made  # type: ignore[return-value]

    def get(self, formula: Formula) -> Made | None:
        """Return the result for this very object, or None if the memo has not stored this object."""
        return self._by_id.get(id(formula))

    def each(self, formulas: Collection[Formula], deadline: Deadline) -> list[Made]:
        """Return the results for all formulas in their order. Raises `TimeoutError` if the deadline passes first."""
        known = self._by_id
        try:
            return [known[id(formula)] for formula in formulas]
        except KeyError:
            made = []
            for formula in formulas:
                if id(formula) in known:
                    made.append(known[id(formula)])
                    continue
                deadline.check()
                made.append(self[formula])
            return made

    def only(self, formulas: Collection[Formula]) -> FormulaMemo[Made]:
        """Return a memo with the results for these formulas only.

        Raises `FormulaError` for one that is nested too deep.
        """
        kept = FormulaMemo(self._make)
        kept._by_value, kept._by_id = dict(self._by_value), dict(self._by_id)
        ids = {id(formula) for formula in formulas}
        copies = set[Formula]()
        for formula in formulas:
            if id(formula) not in self._by_id:
                formula.check_depth()
                copies.add(formula)
        for key in self._by_value:
            if id(key) not in ids and key not in copies:
                del kept._by_value[key]
                kept._by_id.pop(id(key), None)  # missing where `__getitem__` was interrupted
        return kept

    def values(self) -> Iterable[Made]:
        """Return the results for all distinct formulas so far."""
        return self._by_value.values()

    def __len__(self) -> int:
        """Return the number of distinct formulas so far."""
        return len(self._by_value)
