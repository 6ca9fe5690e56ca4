"""Constraint types and axioms of a domain that is declared in JSON.

A constraint type has `name`, `args`, `sentence` and `formula`, and may have `symmetric`, `definition` and
`examples` (`[{"sentence": ..., "args": [...]}]`). Arguments are `"entity"`, `"attribute"`,
`{"integer": [low, high]}`, `{"value_of": "day"}`, a value of the attribute `day`, and `{"value_of": n}`, a value of the
attribute that argument `n` names. Its sentence names arguments as `{0}`.

An axiom has `for`, `sentence` and `formula`; it is stated for each `"entity"`, called `e`, for each unordered
`"pair"` of entities, called `e` and `f`: `$e.day` in its formula, `{e}` in its sentence, next to settings; or once,
for `"all"` of them, where its formula quantifies (`holdtrue.logic.codec`).

A string in a declared formula is a reference:

`$0.day`     attribute `day` of the entity that is argument 0; in axioms `$e.day` and `$f.day`
`$0.$1`      the attribute that argument 1 names, of the entity that is argument 0
`$1`         argument 1 itself: an integer, or the place of a value in its attribute's list (from 0)
`#days`      the setting `days`; `#entities` is the number of entities
`shift:Late` the place of the value `Late` in the list of attribute `shift`
`$x.day`     inside `["for-all", "x", ...]` and its like: attribute `day` of each entity in turn
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import combinations, permutations, product
from typing import Any

from holdtrue.errors import FormulaError, NoSuchAttribute
from holdtrue.logic.codec import formula_from_json
from holdtrue.logic.formula import Formula, Term, Variable
from holdtrue.logic.sorts import EnumSort, Sort, first_values
from holdtrue.world import domain
from holdtrue.world.instance import EntityTerms, Instance
from holdtrue.world.place import Place

# What a `$name` may be bound to: an entity, an integer, or the name of an attribute.
Binding = Mapping[str, EntityTerms | int | str]


@dataclass(frozen=True, slots=True)
class References:
    """The scope of a declared formula, for `formula_from_json`.

    `binding` says what each `$name` is (without the `$`), `sorts` the sort of each attribute, `entities` what
    quantifiers range over. With None for them, each variable stands once for an entity of its own: a sample that
    shows what is wrong with a formula before there is a problem. Raises `FormulaError` for what it does not know.
    """

    binding: Binding
    settings: Mapping[str, Any]
    sorts: Mapping[str, Sort]
    entities: Callable[[], Sequence[EntityTerms]] | None

    def __call__(self, reference: str) -> Term | int:
        if reference.startswith("#"):
            return _setting(reference, self.settings)
        if reference.startswith("$"):
            return _number(reference, self.binding)
        attribute, colon, label = reference.partition(":")
        sort = self.sorts.get(attribute)
        if not colon or not isinstance(sort, EnumSort):
            raise FormulaError(f'{reference!r} is no reference such as "$0.day", "$1", "#days" or "shift:Late"')
        index = sort.index(label)
        if index is None:
            raise FormulaError(f"{reference!r}: {attribute} has no value {label!r}, only {', '.join(sort.labels)}")
        return index

    def choices(self, variables: Sequence[str], *, distinct: bool) -> Iterator[References]:
        """See `logic.scope`."""
        taken = [name for name in variables if name in self.binding]
        if taken:
            raise FormulaError(f"there is a ${taken[0]} already; a variable needs a name of its own")
        for chosen in self._tuples(len(variables), distinct):
            yield replace(self, binding={**self.binding, **dict(zip(variables, chosen, strict=True))})

    def _tuples(self, count: int, distinct: bool) -> Iterator[tuple[EntityTerms, ...]]:
        if self.entities is None:
            yield tuple(sample_entity(self.sorts) for _ in range(count))
        elif distinct:
            named = [bound for bound in self.binding.values() if isinstance(bound, EntityTerms)]
            yield from permutations([entity for entity in self.entities() if entity not in named], count)
        else:
            yield from product(self.entities(), repeat=count)


def sample_entity(sorts: Mapping[str, Sort]) -> EntityTerms:
    """An entity of no problem, with these attributes."""
    return EntityTerms({name: Variable(f"sample.{name}", sort) for name, sort in sorts.items()})


def _setting(reference: str, settings: Mapping[str, Any]) -> int:
    value = settings.get(reference[1:])
    if not isinstance(value, int):
        raise FormulaError(f"{reference!r} is no setting with an integer value")
    return value


def _number(reference: str, binding: Binding) -> Term | int:
    name, dot, attribute = reference[1:].partition(".")
    bound = _lookup(reference, name, binding)
    if not dot:
        if isinstance(bound, int):
            return bound
        what = "an entity" if isinstance(bound, EntityTerms) else "the name of an attribute"
        raise FormulaError(f"{reference!r} is {what}, not a number")
    if not isinstance(bound, EntityTerms):
        raise FormulaError(f"{reference!r}: ${name} is no entity")
    if attribute.startswith("$"):
        named = _lookup(reference, attribute[1:], binding)
        if not isinstance(named, str):
            raise FormulaError(f"{reference!r}: {attribute} does not name an attribute")
        attribute = named
    try:
        return bound[attribute]
    except NoSuchAttribute as error:
        raise FormulaError(f"{reference!r}: {error}") from None


def _lookup(reference: str, name: str, binding: Binding) -> EntityTerms | int | str:
    if name not in binding:
        known = ", only " + ", ".join(f"${known}" for known in binding) if binding else ""
        raise FormulaError(f"{reference!r}: there is no ${name}{known}")
    return binding[name]


# The setting that every domain has: the number of entities.
COUNT = "entities"
_ENTITIES_OF: dict[str, tuple[str, ...]] = {"entity": ("e",), "pair": ("e", "f"), "all": ()}


@dataclass(frozen=True, slots=True)
class Vocabulary:
    """A `Vocabulary` is what a declaration's laws may speak of: settings with their defaults, attributes and sorts."""

    settings: Mapping[str, int | str]
    sorts: Mapping[str, Sort]

    @property
    def usable_names(self) -> tuple[str, ...]:
        """The names that a line of text may use."""
        return (*self.settings, COUNT)

    def bound(self, place: Place, value: object) -> int | str:
        """A bound as declared: an integer, or the name of the setting that was written as `"#name"`."""
        if isinstance(value, str) and value.startswith("#"):
            name = value[1:]
            if name != COUNT and not isinstance(self.settings.get(name), int):
                raise place.error(f"{value!r} is no setting with an integer default")
            return name
        if isinstance(value, bool) or not isinstance(value, int):
            raise place.error(f'a bound must be an integer or a setting such as "#days", not {value!r:.60}')
        return value

    def sample_entity(self) -> EntityTerms:
        return sample_entity(self.sorts)

    @property
    def sample_settings(self) -> Mapping[str, int | str]:
        """The default setting, of a problem with one entity."""
        return {**self.settings, COUNT: 1}

    def try_formula(self, place: Place, formula: object, binding: Binding) -> None:
        """Read the formula once for a sample, so that its mistakes show when the declaration is read."""
        _read(place, formula, References(binding, self.sample_settings, self.sorts, None))


@dataclass(frozen=True, slots=True)
class SettingBound:
    """The bound of an argument that is a setting."""

    name: str

    def __call__(self, instance: Instance) -> int:
        return int(instance.context[self.name])


def _scope(instance: Instance, binding: Binding) -> References:
    sorts = {name: attribute.sort for name, attribute in instance.attributes.items()}
    return References(binding, instance.context, sorts, lambda: [instance[entity] for entity in instance.entities])


def _read(place: Place, formula: object, scope: References) -> Formula:
    try:
        return formula_from_json(formula, scope)
    except FormulaError as error:
        raise place.at("formula").error(str(error)) from error


def read_constraint_type(place: Place, position: int, data: object, vocabulary: Vocabulary) -> domain.ConstraintType:
    """The constraint type that `data`, at this position (from 1) of `constraint_types`, declares."""
    here = place.at(f"constraint type {position}")
    known = ("name", "args", "sentence", "formula", "symmetric", "definition", "examples")
    members = here.members(data, known, required=known[:4])
    name = here.text(members, "name")
    here = place.at(f"constraint type {name!r}")
    arguments = _arguments(here, here.items(members, "args"), vocabulary)
    symmetric = here.flag(members, "symmetric")
    if symmetric and arguments[:2] != (domain.Entity(), domain.Entity()):
        raise here.error("a symmetric type begins with two entities")
    sentence = _sentence(here, here.text(members, "sentence"), len(arguments))
    body = members["formula"]
    vocabulary.try_formula(here, body, _sample_binding(arguments, vocabulary))

    def formula(instance: Instance, *args: EntityTerms | int | str) -> Formula:
        binding = {str(number): arg for number, arg in enumerate(args)}
        return _read(here, body, _scope(instance, binding))

    return domain.ConstraintType(
        name,
        arguments,
        sentence,
        formula,
        symmetric=symmetric,
        definition=here.text(members, "definition", ""),
        examples=tuple(
            _example(here.at(f"example {number}"), item, len(arguments))
            for number, item in enumerate(here.items(members, "examples"), start=1)
        ),
    )


def _sentence(place: Place, text: str, count: int) -> str:
    place.template(text, [str(number) for number in range(count)])
    for number in range(count):
        if f"{{{number}}}" not in text:
            raise place.error(f"the sentence {text!r:.60} does not say argument {{{number}}}")
    return text


def _sample_binding(arguments: Sequence[domain.Argument], vocabulary: Vocabulary) -> Binding:
    binding: dict[str, EntityTerms | int | str] = {}
    for number, argument in enumerate(arguments):
        match argument:
            case domain.Entity():
                binding[str(number)] = vocabulary.sample_entity()
            case domain.AttributeName():
                binding[str(number)] = next(iter(vocabulary.sorts))
            case domain.Integer(low=SettingBound(name=name)):
                binding[str(number)] = vocabulary.sample_settings[name]
            case domain.Integer(low=int(low)):
                binding[str(number)] = low
            case domain.ValueOf(argument=str(attribute)):
                binding[str(number)] = first_values(vocabulary.sorts[attribute], 1)[0]
            case domain.ValueOf():
                binding[str(number)] = first_values(next(iter(vocabulary.sorts.values())), 1)[0]
    return binding


def _arguments(place: Place, items: Sequence[object], vocabulary: Vocabulary) -> tuple[domain.Argument, ...]:
    made: list[domain.Argument] = []
    for number, item in enumerate(items):
        here = place.at_argument(number)
        match item:
            case "entity":
                made.append(domain.Entity())
            case "attribute":
                made.append(domain.AttributeName())
            case {"integer": [low, high], **others} if not others:
                made.append(domain.Integer(_bound(here, low, vocabulary), _bound(here, high, vocabulary)))
            case {"value_of": str(named), **others} if not others:
                if named not in vocabulary.sorts:
                    known = ", ".join(vocabulary.sorts)
                    raise here.error(f'"value_of" must give the name of an attribute: {known}; not {named!r:.60}')
                made.append(domain.ValueOf(named))
            case {"value_of": int(named), **others} if not others and not isinstance(named, bool):
                if named not in range(number) or not isinstance(made[named], domain.AttributeName):
                    raise here.error(
                        '"value_of" must give the name of an attribute, or the number of an earlier "attribute", '
                        f"not {named}"
                    )
                made.append(domain.ValueOf(named))
            case _:
                forms = '"entity", "attribute", {"integer": [low, high]} or {"value_of": "day"}'
                raise here.error(f"must be {forms}, not {item!r:.60}")
    return tuple(made)


def _bound(place: Place, value: object, vocabulary: Vocabulary) -> domain.Bound:
    bound = vocabulary.bound(place, value)
    return SettingBound(bound) if isinstance(bound, str) else bound


def _example(place: Place, data: object, count: int) -> domain.Example:
    members = place.members(data, ("sentence", "args"), required=("sentence", "args"))
    args = place.items(members, "args")
    if len(args) != count or any(isinstance(arg, bool) or not isinstance(arg, str | int) for arg in args):
        raise place.error(f"'args' must hold {count} names or integers, not {args!r:.60}")
    return domain.Example(place.text(members, "sentence"), tuple(args))


def read_axiom(
    place: Place, position: int, data: object, vocabulary: Vocabulary
) -> Callable[[Instance], Sequence[domain.Axiom]]:
    """Return the function that states, in an instance, the axiom that `data` declares at this position (from 1)."""
    here = place.at(f"axiom {position}")
    members = here.members(data, ("for", "sentence", "formula"), required=("for", "sentence", "formula"))
    names = _ENTITIES_OF.get(here.text(members, "for"))
    if names is None:
        raise here.error(f'\'for\' must be "entity", "pair" or "all", not {members["for"]!r:.60}')
    sentence = here.template(here.text(members, "sentence"), (*names, *vocabulary.usable_names))
    body = members["formula"]
    vocabulary.try_formula(here, body, {name: vocabulary.sample_entity() for name in names})

    def state(instance: Instance, entities: Sequence[str]) -> domain.Axiom:
        named = dict(zip(names, entities, strict=True))
        scope = _scope(instance, {name: instance[entity] for name, entity in named.items()})
        # A name that has a joint in itself is quoted: of `A_B` and `C` the id must not be that of `A` and `B_C`.
        id = "_".join(("axiom", str(position), *(f"{one!r}" if "_" in one else one for one in entities)))
        return domain.Axiom(id, sentence.format(**named, **instance.context), _read(here, body, scope))

    return lambda instance: [state(instance, chosen) for chosen in combinations(instance.entities, len(names))]
