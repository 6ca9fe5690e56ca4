"""An `Instance` is a domain bound to one problem: its entities, its setting, its variables and its laws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.domains.domain import (
    Attribute,
    AttributeName,
    Axiom,
    Bound,
    ConstraintType,
    Context,
    Domain,
    Entity,
    Integer,
    ValueOf,
)
from holdtrue.errors import ConstraintError, DomainError
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.sorts import EnumSort, IntSort

Arg = str | int

MOST_KEPT = 500
"""So many formulas are kept; a long series of different questions leaves no more than that behind."""


@dataclass(frozen=True, slots=True)
class Constraint:
    """A constraint of an instance: type and arguments, spelled as the instance spells them.

    Made by `Instance.constraint`, which checks it; equal values are the same constraint.
    """

    type: str
    args: tuple[Arg, ...]

    def to_json(self) -> dict[str, Any]:
        return {"type": self.type, "args": list(self.args)}


class EntityTerms:
    """An entity inside a formula: `entity.start` or `entity["start"]` is its variable."""

    __slots__ = ("_variables",)

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        self._variables = variables

    def __getitem__(self, attribute: str) -> Variable:
        return self._variables[attribute]

    def __getattr__(self, attribute: str) -> Variable:
        try:
            return self._variables[attribute]
        except KeyError:
            raise AttributeError(f"entities have {', '.join(self._variables)}; not {attribute!r}") from None


class Instance:
    """One problem's universe.

    `given` is the setting as it was given, `context` the completed one. `variables` maps `"entity.attribute"` to
    its variable, in entity order then attribute order; `required` names those that a complete answer gives. `axioms`
    are the laws beyond the variables' ranges. Formulas are made once and kept.
    """

    def __init__(self, domain: Domain, entities: Sequence[str], context: Context) -> None:
        self.domain = domain
        self.entities = tuple(entities)
        self._check_entities()
        self.given: Context = dict(context)
        self.context: Context = domain.context(self.entities, context) if domain.context else dict(context)
        declared = domain.attributes(self.context) if callable(domain.attributes) else domain.attributes
        self.attributes: Mapping[str, Attribute] = {attribute.name: attribute for attribute in declared}
        if not declared or len({attribute.name.strip().casefold() for attribute in declared}) != len(declared):
            raise DomainError(f"{domain.name}: a domain needs attributes, each with a name of its own")
        self.variables: dict[str, Variable] = {}
        self.required: list[str] = []
        self._owners: dict[str, str] = {}
        self._terms: dict[str, EntityTerms] = {}
        for entity in self.entities:
            own = {name: Variable(f"{entity}.{name}", a.sort) for name, a in self.attributes.items()}
            self._terms[entity] = EntityTerms(own)
            for variable in own.values():
                if variable.name in self.variables:
                    raise DomainError(f"{domain.name}: {variable.name!r} could be two things; rename one of them")
            self.variables.update((variable.name, variable) for variable in own.values())
            self._owners.update((variable.name, entity) for variable in own.values())
            self.required += [own[name].name for name, a in self.attributes.items() if not a.optional]
        self.types: Mapping[str, ConstraintType] = {
            kind.name: kind for kind in domain.constraint_types if kind.applies is None or kind.applies(self)
        }
        self.axioms: tuple[Axiom, ...] = (
            *self._distinctness(),
            *(domain.axioms(self) if domain.axioms else ()),
        )
        self._by_fold = {entity.strip().casefold(): entity for entity in self.entities}
        self._formulas: dict[Constraint, Formula] = {}

    def _check_entities(self) -> None:
        if not self.entities:
            raise DomainError(f"{self.domain.name}: a problem needs at least one entity")
        folded = [entity.strip().casefold() for entity in self.entities]
        for entity, fold in zip(self.entities, folded, strict=True):
            if not fold:
                raise DomainError(f"{self.domain.name}: an entity's name is empty")
            if folded.count(fold) > 1:
                raise DomainError(f"{self.domain.name}: the entity {entity!r} is named twice")

    def _distinctness(self) -> Iterable[Axiom]:
        for name, attribute in self.attributes.items():
            if attribute.distinct and len(self.entities) > 1:
                terms = tuple(self[entity][name] for entity in self.entities)
                yield Axiom(f"distinct_{name}", f"no two share the same {attribute.label}", AllDifferent(terms))

    def __getitem__(self, entity: str) -> EntityTerms:
        """The entity's variables, for writing formulas."""
        return self._terms[entity]

    def entity_of(self, variable: str) -> str:
        """The entity that a variable belongs to."""
        return self._owners[variable]

    def entities_in(self, constraint: Constraint) -> tuple[str, ...]:
        """The entities that a constraint is about, in the order of its arguments."""
        kinds = self.types[constraint.type].arguments
        return tuple(str(arg) for kind, arg in zip(kinds, constraint.args, strict=True) if isinstance(kind, Entity))

    @property
    def background(self) -> tuple[Formula, ...]:
        """The formulas of all axioms; ranges are in the variables' sorts."""
        return tuple(axiom.formula for axiom in self.axioms)

    def find_entity(self, text: str) -> str | None:
        """The entity written as `text`, whatever its case and surrounding space; None where there is none."""
        return self._by_fold.get(text.strip().casefold())

    def bound(self, bound: Bound) -> int:
        """An argument's bound in this instance."""
        return bound(self) if callable(bound) else bound

    def attribute_names(self, argument: AttributeName) -> Sequence[str]:
        """The attributes that may be named by this argument."""
        return tuple(argument.among(self) if argument.among else self.attributes)

    def constraint(self, type: object, args: object) -> Constraint:
        """The constraint of that type and arguments, in the instance's own spelling.

        Raises `ConstraintError` with a code, naming what does not fit.
        """
        kind = self.types.get(type) if isinstance(type, str) else None
        if kind is None:
            known = any(kind.name == type for kind in self.domain.constraint_types)
            raise ConstraintError(
                "not_applicable" if known else "unknown_type",
                f"{type!r} does not apply here; known types: {', '.join(self.types)}"
                if known
                else f"unknown constraint type {type!r}; known types: {', '.join(self.types)}",
            )
        if not isinstance(args, list | tuple) or len(args) != len(kind.arguments):
            raise ConstraintError("wrong_arity", f"{type} takes {len(kind.arguments)} arguments, got {args!r:.80}")
        read: list[Arg] = []
        for position, argument in enumerate(kind.arguments):
            read.append(self._read_argument(kind, position, argument, args[position], read))
        named = [value for value, argument in zip(read, kind.arguments, strict=True) if isinstance(argument, Entity)]
        if kind.distinct_entities and len(set(named)) != len(named):
            raise ConstraintError("same_entity", f"{type} needs different entities, got {named[0]!r} twice")
        return Constraint(kind.name, tuple(read))

    def _read_argument(
        self, kind: ConstraintType, position: int, argument: object, given: object, before: list[Arg]
    ) -> Arg:
        where = f"argument {position + 1} of {kind.name}"
        match argument:
            case Entity():
                found = self.find_entity(given) if isinstance(given, str) else None
                if found is None:
                    raise ConstraintError(
                        "unknown_entity", f"{where}: {given!r:.60} is none of {', '.join(self.entities)}"
                    )
                return found
            case Integer():
                low, high = self.bound(argument.low), self.bound(argument.high)
                if isinstance(given, bool) or not isinstance(given, int) or not low <= given <= high:
                    raise ConstraintError("out_of_range", f"{where}: {given!r:.60} is not in {low}..{high}")
                return given
            case AttributeName():
                name = self._find_attribute(given)
                among = self.attribute_names(argument)
                if name is None or name not in among:
                    raise ConstraintError("unknown_attribute", f"{where}: {given!r:.60} is none of {', '.join(among)}")
                return name
            case ValueOf():
                return self._read_value(where, str(before[argument.argument]), given)
        raise DomainError(f"{where}: unknown kind of argument {argument!r}")

    def _find_attribute(self, given: object) -> str | None:
        wanted = given.strip().casefold() if isinstance(given, str) else None
        return next((name for name in self.attributes if name.casefold() == wanted), None)

    def _read_value(self, where: str, attribute: str, given: object) -> Arg:
        sort = self.attributes[attribute].sort
        match sort:
            case EnumSort():
                index = sort.index(given) if isinstance(given, str) else None
                if index is not None:
                    return sort.labels[index]
            case IntSort():
                if isinstance(given, int) and not isinstance(given, bool) and sort.low <= given <= sort.high:
                    return given
        raise ConstraintError("unknown_value", f"{where}: {given!r:.60} is no {attribute}: {sort}")

    def formula(self, constraint: Constraint) -> Formula:
        """What the constraint says, as a formula; as a rule the same object every time."""
        known = self._formulas.get(constraint)
        if known is None:
            if len(self._formulas) >= MOST_KEPT:
                self._formulas.clear()
            kind = self.types[constraint.type]
            known = self._formulas[constraint] = kind.formula(self, *self._formula_args(kind, constraint))
        return known

    def _formula_args(self, kind: ConstraintType, constraint: Constraint) -> Iterable[object]:
        for argument, value in zip(kind.arguments, constraint.args, strict=True):
            match argument:
                case Entity():
                    yield self[str(value)]
                case ValueOf():
                    sort = self.attributes[str(constraint.args[argument.argument])].sort
                    yield sort.index(str(value)) if isinstance(sort, EnumSort) else value
                case _:
                    yield value

    def sentence(self, constraint: Constraint) -> str:
        """What the constraint says, in words."""
        return self.types[constraint.type].sentence.format(*constraint.args)

    def canonical(self, constraint: Constraint) -> Constraint:
        """The one constraint that stands for all spellings of the same: symmetric arguments are sorted."""
        kind = self.types[constraint.type]
        args = constraint.args
        if kind.canonical is not None:
            args = kind.canonical(args)
        if kind.symmetric and str(args[0]) > str(args[1]):
            args = (args[1], args[0], *args[2:])
        return constraint if args == constraint.args else Constraint(constraint.type, args)

    def setup_lines(self) -> tuple[str, ...]:
        """The setting in words, a line each: what a conversation about this instance is told first."""
        own = self.domain.setup(self) if self.domain.setup else self._default_setup()
        return (f"Domain: {self.domain.name}", f"Entities: {', '.join(self.entities)}", *own)

    def _default_setup(self) -> Iterable[str]:
        for attribute in self.attributes.values():
            choice = (
                f"from {attribute.sort.low} to {attribute.sort.high}"
                if isinstance(attribute.sort, IntSort)
                else f"one of {', '.join(attribute.sort.labels)}"
            )
            distinct = ", no two the same" if attribute.distinct else ""
            yield f"Every entity has a {attribute.label}: {choice}{distinct}"

    def convention_lines(self) -> tuple[str, ...]:
        """What the words of this domain mean, a line each."""
        own = self.domain.conventions
        return tuple(own(self) if callable(own) else own)
