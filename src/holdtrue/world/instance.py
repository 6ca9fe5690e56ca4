"""An `Instance` is a domain bound to one problem: its entities, its setting, its variables and its laws."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, Any

from holdtrue.errors import ConstraintError, DomainError, FormulaMistake, InputError, NoSuchAttribute
from holdtrue.logic.formula import AllDifferent, Formula, Variable
from holdtrue.logic.formula_mistakes import being_written
from holdtrue.logic.sorts import EnumSort, IntSort
from holdtrue.world.answer import Answer
from holdtrue.world.answer_shape import answer_hint, answer_schema, render_answer
from holdtrue.world.declaration import (
    Attribute,
    AttributeName,
    Bound,
    ConstraintType,
    Context,
    Entity,
    Integer,
    ValueOf,
)
from holdtrue.world.declaration_check import check_attributes, check_texts
from holdtrue.world.declaration_errors import MISTAKES, Place, in_words, own_code
from holdtrue.world.instance_check import check_axioms, check_formula, check_instance, listed
from holdtrue.world.reader import read_answer
from holdtrue.world.world import Arg as Arg
from holdtrue.world.world import Axiom, Slot
from holdtrue.world.world import Constraint as Constraint

if TYPE_CHECKING:
    from holdtrue.world.domain import Domain


MOST_KEPT = 500
"""The greatest number of formulas in the cache of an instance."""


class EntityTerms:
    """An `EntityTerms` is an entity in the code of a formula: `entity.start` or `entity["start"]` is its variable."""

    __slots__ = ("_variables",)

    def __init__(self, variables: Mapping[str, Variable]) -> None:
        self._variables = variables

    def __getitem__(self, attribute: str) -> Variable:
        try:
            return self._variables[attribute]
        except KeyError:
            known = ", ".join(self._variables)
            raise NoSuchAttribute(f"there is no attribute {attribute!r}; entities have {known}") from None

    def __getattr__(self, attribute: str) -> Variable:
        if attribute.startswith("__"):  # Python looks these up to copy or to show an object.
            raise AttributeError(attribute)
        return self[attribute]


class Instance:
    """An `Instance` is a world: a domain with the entities and the setting of one problem.

    Attributes:
        given_context: The setting as the problem gave it.
        context: The completed setting.
        variables: The variables by name (`"entity.attribute"`), in the order of entities and then of attributes.
        required: The names of the variables that a complete answer gives.
        axioms: The laws beyond the variables' ranges.
    """

    def __init__(self, domain: Domain, entities: Sequence[str], context: Context) -> None:
        place = Place(f"domain {domain.name!r}")
        self.domain = domain
        self.entities = tuple(check_texts(place.at("entities"), entities))
        self._check_entities()
        if not isinstance(context, Mapping):
            raise place.error(f"the setting must be a mapping of names to values, not {context!r:.60}")
        self.given_context: Context = dict(context)
        self.context: Context = dict(context)
        if domain.context:
            with own_code(place.at("context")):
                self.context = domain.context(self.entities, context)
            if not isinstance(self.context, Mapping):
                raise place.error(f"context must give a mapping, the completed setting, not {self.context!r:.60}")
        declared = domain.attributes
        if callable(declared):
            with own_code(place.at("attributes")):
                declared = declared(self.context)
        self.attributes: Mapping[str, Attribute] = {
            attribute.name: attribute for attribute in check_attributes(place, declared)
        }
        self.variables: dict[str, Variable] = {}
        self.required: list[str] = []
        self._slots: dict[str, Slot] = {}
        self._terms: dict[str, EntityTerms] = {}
        for entity in self.entities:
            own = {name: Variable(f"{entity}.{name}", a.sort) for name, a in self.attributes.items()}
            self._terms[entity] = EntityTerms(own)
            for variable in own.values():
                if variable.name in self.variables:
                    raise DomainError(f"{domain.name}: {variable.name!r} could be two things; rename one of them")
            self.variables.update((variable.name, variable) for variable in own.values())
            self._slots.update((own[name].name, Slot(entity, name, a.label)) for name, a in self.attributes.items())
            self.required += [own[name].name for name, a in self.attributes.items() if not a.optional]
        self.types: Mapping[str, ConstraintType] = {
            kind.name: kind for kind in domain.constraint_types if self._applies(place, kind)
        }
        self._by_fold = {entity.strip().casefold(): entity for entity in self.entities}
        self._formulas: dict[Constraint, Formula] = {}
        self.axioms: tuple[Axiom, ...] = tuple(self._distinctness())
        self.axioms = (*self.axioms, *self._laws(place))
        check_instance(self)

    def _applies(self, place: Place, kind: ConstraintType) -> bool:
        if kind.applies is None:
            return True
        with own_code(place.at(f"constraint type {kind.name!r}: applies")):
            return bool(kind.applies(self))

    def _laws(self, place: Place) -> Sequence[Axiom]:
        """Return the laws that the domain's function `axioms` gives."""
        if self.domain.axioms is None:
            return ()
        with own_code(place.at("axioms")), being_written():
            axioms = check_axioms(place, listed(self.domain.axioms(self)), self.axioms)
        for axiom in axioms:
            with own_code(place.at(f"axiom {axiom.id!r}")):
                check_formula(axiom.formula, self.variables)
        return axioms

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
        """Return the entity's variables, for formulas. Raises `FormulaMistake` for an unknown entity."""
        try:
            return self._terms[entity]
        except KeyError:
            known = ", ".join(self.entities)
            raise FormulaMistake(f"there is no entity {entity!r:.60}; there are {known:.300}") from None

    def slot(self, variable: str) -> Slot:
        """Return the entity and the attribute of a variable."""
        return self._slots[variable]

    def entities_in(self, constraint: Constraint) -> tuple[str, ...]:
        """Return the entities of a constraint, in the order of its arguments."""
        kinds = self.types[constraint.type].arguments
        return tuple(str(arg) for kind, arg in zip(kinds, constraint.args, strict=True) if isinstance(kind, Entity))

    @property
    def background(self) -> tuple[Formula, ...]:
        """Return the formulas of all axioms; the ranges are in the variables' sorts."""
        return tuple(axiom.formula for axiom in self.axioms)

    def find_entity(self, text: str) -> str | None:
        """Return the entity of this name, ignoring case and surrounding spaces, or None."""
        return self._by_fold.get(text.strip().casefold())

    def bound(self, bound: Bound) -> int:
        """Return an argument's bound in this instance."""
        return bound(self) if callable(bound) else bound

    def attribute_names(self, argument: AttributeName) -> Sequence[str]:
        """Return the attributes that an argument may name."""
        return tuple(argument.among(self) if argument.among else self.attributes)

    def constraint(self, type: object, args: object) -> Constraint:
        """Return the constraint of this type with these arguments, in the spelling of the declaration.

        Raises `ConstraintError`, with a code, for wrong arguments and for a constraint without a formula.
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
        made = Constraint(kind.name, tuple(read))
        self._check_defined(made)
        return made

    def _check_defined(self, constraint: Constraint) -> None:
        """Raise `ConstraintError` if the formula or canonical form fails, since this would later end a turn."""
        try:
            self.formula(constraint)
            self.canonical(constraint)
        except ConstraintError:
            raise
        except (InputError, *MISTAKES) as error:
            args = ", ".join(map(str, constraint.args))
            raise ConstraintError(
                "undefined", f"{constraint.type} means nothing for ({args}): {in_words(error)}"
            ) from error

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
                return self._read_value(where, argument.attribute_in(before), given)
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
                if isinstance(given, int) and not isinstance(given, bool) and given in sort:
                    return given
        raise ConstraintError("unknown_value", f"{where}: {given!r:.60} is no {attribute}: {sort}")

    def formula(self, constraint: Constraint) -> Formula:
        """Return the constraint as a formula, from a cache.

        Raises the errors of the declared function, and `FormulaError` if it returns no formula.
        """
        known = self._formulas.get(constraint)
        if known is None:
            if len(self._formulas) >= MOST_KEPT:
                self._formulas.clear()
            kind = self.types[constraint.type]
            with being_written():
                own = kind.formula(self, *self._formula_args(kind, constraint))
            known = self._formulas[constraint] = check_formula(own, self.variables)
        return known

    def _formula_args(self, kind: ConstraintType, constraint: Constraint) -> Iterable[object]:
        for argument, value in zip(kind.arguments, constraint.args, strict=True):
            match argument:
                case Entity():
                    yield self[str(value)]
                case ValueOf():
                    sort = self.attributes[argument.attribute_in(constraint.args)].sort
                    yield sort.index(str(value)) if isinstance(sort, EnumSort) else value
                case _:
                    yield value

    def sentence(self, constraint: Constraint) -> str:
        """Return the constraint in words."""
        return self.types[constraint.type].sentence.format(*constraint.args)

    def canonical(self, constraint: Constraint) -> Constraint:
        """Return the normal form of a constraint, in which symmetric arguments are sorted."""
        kind = self.types[constraint.type]
        args = constraint.args
        if kind.canonical is not None:
            args = kind.canonical(args)
        if kind.symmetric and str(args[0]) > str(args[1]):
            args = (args[1], args[0], *args[2:])
        return constraint if args == constraint.args else Constraint(constraint.type, args)

    def setup_lines(self) -> tuple[str, ...]:
        """Return lines that describe the setting, for the beginning of a conversation."""
        own = self.domain.setup(self) if self.domain.setup else self._default_setup()
        return (*self.name_lines(), *own)

    def name_lines(self) -> tuple[str, str]:
        """Return a line with the name of the domain, and one with the names of the entities."""
        return f"Domain: {self.domain.name}", f"Entities: {', '.join(self.entities)}"

    def published_setup_lines(self) -> tuple[str, ...]:
        """Return lines that describe the setting as the code of DRIFT-Bench writes them (`src/prompts.py`)."""
        domain, entities = self.name_lines()
        own = self.domain.published_setup(self) if self.domain.published_setup else self.setup_lines()[2:]
        return (domain, f"Entity count: {len(self.entities)}", entities, *own)

    def _default_setup(self) -> Iterable[str]:
        for attribute in self.attributes.values():
            choice = (
                _from_to(attribute.sort)
                if isinstance(attribute.sort, IntSort)
                else f"one of {', '.join(attribute.sort.labels)}"
            )
            distinct = ", no two the same" if attribute.distinct else ""
            yield f"Every entity has a {attribute.label}: {choice}{distinct}"

    def convention_lines(self) -> tuple[str, ...]:
        """Return lines that explain the words of this domain."""
        own = self.domain.conventions
        return tuple(own(self) if callable(own) else own)

    def answer_schema(self) -> dict[str, Any]:
        return answer_schema(self)

    def answer_hint(self) -> str:
        return answer_hint(self)

    def read_answer(self, text: str) -> Answer:
        return read_answer(self, text)

    def render_answer(self, values: Mapping[str, int]) -> dict[str, Any]:
        return render_answer(self, values)


def with_entity(instance: Instance, name: str) -> Instance:
    """Return a new instance with one more entity, which comes last, and the setting by `Domain.joining`.

    Raises `DomainError` if the domain forbids it, or does not allow a problem with this entity.
    """
    domain, context, place = instance.domain, instance.given_context, Place(f"domain {instance.domain.name!r}")
    if domain.joining is False:
        raise place.error("nobody can join a problem that was begun")
    if callable(domain.joining):
        with own_code(place.at("joining")):
            context = domain.joining(instance, name)
    return domain.instance((*instance.entities, name), context)


def _from_to(sort: IntSort) -> str:
    """Return the values of an integer sort in words."""
    if sort.size is not None:
        return f"from {sort.low} to {sort.high}"
    if sort.low is None:
        return "any integer" if sort.high is None else f"any integer up to {sort.high}"
    return f"any integer from {sort.low} on"
