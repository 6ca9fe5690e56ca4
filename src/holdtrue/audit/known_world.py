"""Keep what turns about the same kind of world share: the instance, its closures, its engine and what is satisfiable.

Most logs are about few kinds of worlds under many names. Where a domain says that its entities can be renamed, one
world of numbered entities stands for all of them.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from holdtrue.budget import Budget
from holdtrue.logic.evaluate import Check, Values
from holdtrue.logic.formula import Formula
from holdtrue.logic.sorts import EnumSort, within
from holdtrue.solving.engine import Engine
from holdtrue.solving.result import Satisfiable, Unknown
from holdtrue.solving.route import make_engine
from holdtrue.world.declaration import Entity
from holdtrue.world.domain import Domain
from holdtrue.world.instance import Constraint, Instance

_MARK, _END = "\ue000", "\ue001"
"""Characters that no name has: they stand around the number of an entity."""
_NUMBERED = re.compile(f"{_MARK}(\\d+){_END}")
_MOST_MEMOS, _MOST_HELD = 20_000, 20_000
Arguments = tuple[tuple[type, object], ...]


@dataclass(frozen=True, slots=True, eq=False)
class Held:
    """A `Held` is a constraint of a world in its canonical form, with its formula and the closure that evaluates it."""

    number: int
    constraint: Constraint
    formula: Formula
    holds: Check


class KnownWorld:
    """A `KnownWorld` is an instance with all that was found out about it."""

    def __init__(self, instance: Instance) -> None:
        self.instance = instance
        self.names = tuple(instance.variables)
        self.required = frozenset(instance.required)
        self.ranges = [(name, within(variable.sort)) for name, variable in instance.variables.items()]
        self.laws: list[tuple[Callable[[Values], bool], str]] = [
            (axiom.formula.holds, axiom.sentence) for axiom in instance.axioms
        ]
        self.entity_places = {
            name: tuple(isinstance(argument, Entity) for argument in kind.arguments)
            for name, kind in instance.types.items()
        }
        self.labels: list[Mapping[str, int] | None] = [
            _plain_labels(attribute.sort) if isinstance(attribute.sort, EnumSort) else None
            for attribute in instance.attributes.values()
        ]
        self.attributes = {name: at for at, name in enumerate(instance.attributes)}
        self._held: dict[tuple[str, Arguments], Held] = {}
        self._by_constraint: dict[Constraint, Held] = {}
        self._engine: Engine | None = None
        self._satisfiable: dict[frozenset[int], bool] = {}
        self._numbers = 0

    @property
    def engine(self) -> Engine:
        """Return the engine of this world, which is made when it is asked for the first time."""
        if self._engine is None:
            self._engine = make_engine(list(self.instance.variables.values()), self.instance.background)
        return self._engine

    def hold(self, type: str, args: tuple[object, ...]) -> Held:
        """Return a constraint of this world. Raises `ConstraintError` for what is none."""
        key = (type, tuple((arg.__class__, arg) for arg in args))
        known = self._held.get(key)
        if known is None:
            constraint = self.instance.canonical(self.instance.constraint(type, args))
            known = self._by_constraint.get(constraint)
            if known is None:
                formula = self.instance.formula(constraint)
                known = Held(self._numbers, constraint, formula, formula.holds)
                self._numbers += 1
                self._by_constraint[constraint] = known
            self._held[key] = known
            if len(self._held) > _MOST_HELD:
                self._forget()
        return known

    def _forget(self) -> None:
        """Forget constraints, so that what a log says of one world does not fill the memory."""
        self._held.clear()
        self._by_constraint.clear()
        self._satisfiable.clear()
        self._engine = None

    def is_satisfiable(self, held: Sequence[Held], budget: Budget) -> tuple[bool | None, Values | None]:
        """Return whether constraints can all hold, with a witness where one was made; None where nobody knows."""
        key = frozenset(own.number for own in held)
        known = self._satisfiable.get(key)
        if known is not None:
            return known, None
        decided = self.engine.decide(soft_of(held), budget)
        if isinstance(decided, Unknown):
            return None, None
        found = isinstance(decided, Satisfiable)
        values = decided.witness if isinstance(decided, Satisfiable) else None
        if len(self._satisfiable) >= _MOST_MEMOS:
            self._satisfiable.clear()
        self._satisfiable[key] = found
        return found, values


def soft_of(held: Sequence[Held]) -> dict[str, Formula]:
    """Return the formulas of constraints, as an engine is asked about them."""
    return {str(own.number): own.formula for own in held}


def _plain_labels(sort: EnumSort) -> dict[str, int]:
    """Return the values of labels that an answer can only mean as they are written."""
    return {label: at for at, label in enumerate(sort.labels) if label == label.strip() and sort.index(label) == at}


def numbered(domain: Domain, names: int, context: Mapping[str, object]) -> KnownWorld:
    """Return a world of so many numbered entities. Raises `InputError` where the setting does not fit."""
    return KnownWorld(domain.instance([number(at) for at in range(names)], dict(context)))


def number(place: int) -> str:
    """Return the name of a numbered entity."""
    return f"{_MARK}{place}{_END}"


def renamed(text: str, names: tuple[str, ...]) -> str:
    """Return a text about numbered entities with their names."""
    return _NUMBERED.sub(lambda match: names[int(match[1])], text) if _MARK in text else text


def has_marks(names: list[str], context: bytes) -> bool:
    """Return whether names or a setting have characters that stand around numbers: no numbered world is for these."""
    written = context.lower()
    return any(_MARK in name or _END in name for name in names) or any(
        mark.encode() in written or repr(mark)[1:-1].encode() in written for mark in (_MARK, _END)
    )
