"""References: what a string in a declared formula stands for.

`$0.day`     attribute `day` of the entity that is argument 0; in axioms `$e.day` and `$f.day`
`$0.$1`      the attribute that argument 1 names, of the entity that is argument 0
`$1`         argument 1 itself: an integer, or the place of a value in its attribute's list (from 0)
`#days`      the setting `days`; `#entities` is the number of entities
`shift:Late` the place of the value `Late` in the list of attribute `shift`
"""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.domains.instance import EntityTerms
from holdtrue.errors import FormulaError
from holdtrue.logic.codec import Resolve
from holdtrue.logic.formula import Term
from holdtrue.logic.sorts import EnumSort, Sort

# What a `$name` may be bound to: an entity, an integer, or the name of an attribute.
Binding = Mapping[str, EntityTerms | int | str]


def resolver(binding: Binding, settings: Mapping[str, Any], sorts: Mapping[str, Sort]) -> Resolve:
    """What resolves references, for `formula_from_json`; it raises `FormulaError` for those it does not know.

    `binding` says what each `$name` is (without the `$`), `sorts` the sort of each attribute.
    """

    def resolve(reference: str) -> Term | int:
        if reference.startswith("#"):
            return _setting(reference, settings)
        if reference.startswith("$"):
            return _bound(reference, binding)
        attribute, colon, label = reference.partition(":")
        sort = sorts.get(attribute)
        if not colon or not isinstance(sort, EnumSort):
            raise FormulaError(f'{reference!r} is no reference such as "$0.day", "$1", "#days" or "shift:Late"')
        index = sort.index(label)
        if index is None:
            raise FormulaError(f"{reference!r}: {attribute} has no value {label!r}, only {', '.join(sort.labels)}")
        return index

    return resolve


def _setting(reference: str, settings: Mapping[str, Any]) -> int:
    value = settings.get(reference[1:])
    if not isinstance(value, int):
        raise FormulaError(f"{reference!r} is no setting with an integer value")
    return value


def _bound(reference: str, binding: Binding) -> Term | int:
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
    except KeyError:
        raise FormulaError(f"{reference!r}: there is no attribute {attribute!r}") from None


def _lookup(reference: str, name: str, binding: Binding) -> EntityTerms | int | str:
    if name not in binding:
        known = ", ".join(f"${known}" for known in binding)
        raise FormulaError(f"{reference!r}: there is no ${name}, only {known}")
    return binding[name]
