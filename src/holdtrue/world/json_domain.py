"""A domain declared in a JSON file, without any Python.

    {"name": "shifts",
     "context": {"days": 5},
     "attributes": [{"name": "day", "low": 1, "high": "#days"}, {"name": "shift", "values": ["Early", "Late"]}],
     "constraint_types": [
       {"name": "on", "args": ["entity", {"integer": [1, "#days"]}],
        "sentence": "{0} works on day {1}", "formula": ["==", "$0.day", "$1"]},
       {"name": "before", "args": ["entity", "entity"],
        "sentence": "{0} works before {1}", "formula": ["<", "$0.day", "$1.day"]}],
     "axioms": [{"for": "entity", "sentence": "{e} works late on day 1 only",
                 "formula": ["implies", ["==", "$e.shift", "shift:Late"], ["==", "$e.day", 1]]}],
     "setup": ["Days: 1 to {days}"]}

`context` holds settings and their defaults, which a problem may override. Bounds are integers or settings such
as `"#days"`; `"#entities"` is the number of entities. Attributes take what `Attribute` takes. Constraint types and
axioms are described in `holdtrue.world.declared_laws`, formulas in `holdtrue.logic.codec`, their references in
`holdtrue.world.declared_laws`. Lines of `setup` and `conventions` may name settings as `{days}`. `entities` may list
those of problems that name none, and `"joining": false` lets nobody join a problem that was begun. Unknown keys are
errors, and every `DomainError` names its place.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from holdtrue.errors import DomainError
from holdtrue.logic.sorts import IntSort, Sort
from holdtrue.world.declared_laws import COUNT, Vocabulary, read_axiom, read_constraint_type
from holdtrue.world.domain import Attribute, Axiom, Context, Domain
from holdtrue.world.instance import Instance
from holdtrue.world.place import Place, unique_members

MakeAttribute = Callable[[Context], Attribute]


def read_domain(path: str | Path) -> Domain:
    """The domain that a JSON file declares."""
    where = Path(path)
    try:
        text = where.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as error:
        raise DomainError(f"{where}: cannot be read: {error}") from error
    try:
        data = json.loads(text, object_pairs_hook=unique_members)
    except (ValueError, RecursionError) as error:
        raise DomainError(f"{where}: is not JSON: {error}") from error
    return declare(data, str(where))


def declare(data: object, where: str = "domain") -> Domain:
    """The domain that `data`, the content of such a file, declares; `where` begins the message of every error."""
    place = Place(where)
    known = (
        "name",
        "attributes",
        "context",
        "constraint_types",
        "axioms",
        "conventions",
        "setup",
        "entities",
        "joining",
    )
    members = place.members(data, known, required=("name", "attributes", "constraint_types"))
    name = place.text(members, "name")
    settings = _settings(place.at("context"), members.get("context", {}))
    attributes, sorts = _attributes(place, place.items(members, "attributes"), settings)
    vocabulary = Vocabulary(settings, sorts)
    kinds = [
        read_constraint_type(place, position, item, vocabulary)
        for position, item in enumerate(place.items(members, "constraint_types"), start=1)
    ]
    names = [kind.name for kind in kinds]
    for repeated in (kind for kind in names if names.count(kind) > 1):
        raise place.error(f"constraint type {repeated!r} is declared twice")
    laws = [
        read_axiom(place, position, item, vocabulary)
        for position, item in enumerate(place.items(members, "axioms"), start=1)
    ]

    def axioms(instance: Instance) -> Sequence[Axiom]:
        return [axiom for law in laws for axiom in law(instance)]

    setup = _lines(place, members, "setup", vocabulary) if "setup" in members else None
    conventions = _lines(place, members, "conventions", vocabulary)
    entities = place.texts(members, "entities")
    joining = place.flag({"joining": True, **members}, "joining")
    try:
        return Domain(
            name=name,
            attributes=lambda context: [make(context) for make in attributes],
            constraint_types=kinds,
            context=_completion(name, settings),
            axioms=axioms,
            setup=setup,
            conventions=conventions,
            entities=entities,
            joining=joining,
        )
    except DomainError as error:
        raise place.error(str(error)) from error


def _settings(place: Place, data: object) -> Mapping[str, int | str]:
    if not isinstance(data, dict):
        raise place.error(f"must be an object of settings and their defaults, not {data!r:.60}")
    for name, value in data.items():
        # "e" and "f" are the entities in the sentence of an axiom.
        if name in (COUNT, "e", "f") or not name.isidentifier():
            raise place.error(f"{name!r} cannot be the name of a setting")
        if isinstance(value, bool) or not isinstance(value, int | str):
            raise place.error(f"the default of {name!r} must be an integer or a text, not {value!r:.60}")
    return data


def _completion(domain: str, defaults: Mapping[str, int | str]) -> Callable[[Sequence[str], Context], Context]:
    def complete(entities: Sequence[str], context: Context) -> Context:
        for name, value in context.items():
            if name not in defaults:
                known = ", ".join(defaults) or "none"
                raise DomainError(f"{domain}: unknown setting {name!r}; known settings: {known}")
            if type(value) is not type(defaults[name]):
                kind = "an integer" if isinstance(defaults[name], int) else "a text"
                raise DomainError(f"{domain}: the setting {name!r} must be {kind}, not {value!r:.60}")
        return {**defaults, **context, COUNT: len(entities)}

    return complete


def _attributes(
    place: Place, items: Sequence[object], settings: Mapping[str, int | str]
) -> tuple[Sequence[MakeAttribute], Mapping[str, Sort]]:
    """Return what makes each attribute in a setting, and the attributes' sorts in the default setting."""
    makers: list[MakeAttribute] = []
    sorts: dict[str, Sort] = {}
    for position, item in enumerate(items, start=1):
        here = place.at(f"attribute {position}")
        known = ("name", "low", "high", "values", "distinct", "optional", "label")
        members = here.members(item, known, required=("name",))
        name = here.text(members, "name")
        here = place.at(f"attribute {name!r}")
        if name in sorts:
            raise here.error("is declared twice")
        if any(mark in name for mark in ".:$#"):
            raise here.error("a name may not contain any of '.:$#', which mean something in formulas")
        make, sort = _attribute(here, name, members, Vocabulary(settings, sorts))
        makers.append(make)
        sorts[name] = sort
    if not makers:
        raise place.error("a domain needs at least one attribute")
    return makers, sorts


def _attribute(
    place: Place, name: str, members: Mapping[str, Any], vocabulary: Vocabulary
) -> tuple[MakeAttribute, Sort]:
    values = place.texts(members, "values") if "values" in members else None
    bounds = {key: vocabulary.bound(place, members[key]) for key in ("low", "high") if key in members}
    distinct, optional = place.flag(members, "distinct"), place.flag(members, "optional")
    label = place.text(members, "label", name)

    def make(context: Context) -> Attribute:
        low, high = (
            context[bound] if isinstance(bound, str) else bound for bound in (bounds.get("low"), bounds.get("high"))
        )
        try:
            return Attribute(name, low, high, values=values, distinct=distinct, optional=optional, label=label)
        except DomainError as error:
            raise place.error(str(error).removeprefix(f"attribute {name!r}: ")) from error

    if COUNT in bounds.values():
        # The bounds depend on the problem; one value is all that laws need to be tried with.
        fixed = next((bound for bound in bounds.values() if bound != COUNT), 1)
        value = int(vocabulary.settings[fixed]) if isinstance(fixed, str) else fixed
        return make, IntSort(value, value)
    return make, make(vocabulary.settings).sort


def _lines(
    place: Place, members: Mapping[str, Any], key: str, vocabulary: Vocabulary
) -> Callable[[Instance], Sequence[str]]:
    here = place.at(key)
    lines = [here.template(line, vocabulary.usable_names) for line in place.texts(members, key)]
    return lambda instance: [line.format(**instance.context) for line in lines]
