"""Constraint types and axioms of a domain that is declared in JSON.

A constraint type has `name`, `args`, `sentence` and `formula`, and may have `symmetric`, `definition` and
`examples` (`[{"sentence": ..., "args": [...]}]`). Arguments are `"entity"`, `"attribute"`,
`{"integer": [low, high]}`, `{"value_of": "day"}`, a value of the attribute `day`, and `{"value_of": n}`, a value of the
attribute that argument `n` names. Its sentence names arguments as `{0}`.

An axiom has `for`, `sentence` and `formula`; it is stated for each `"entity"`, called `e`, for each unordered
`"pair"` of entities, called `e` and `f`: `$e.day` in its formula, `{e}` in its sentence, next to settings; or once,
for `"all"` of them, where its formula quantifies (`holdtrue.logic.codec`).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import combinations

from holdtrue.errors import FormulaError
from holdtrue.logic.codec import formula_from_json
from holdtrue.logic.formula import Formula
from holdtrue.logic.sorts import Sort, first_values
from holdtrue.world import domain
from holdtrue.world.instance import EntityTerms, Instance
from holdtrue.world.place import Place
from holdtrue.world.reference import Binding, References, sample_entity

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
