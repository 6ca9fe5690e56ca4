"""References: what a string in a declared formula stands for.

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
from itertools import permutations, product
from typing import Any

from holdtrue.errors import FormulaError, NoSuchAttribute
from holdtrue.logic.formula import Term, Variable
from holdtrue.logic.sorts import EnumSort, Sort
from holdtrue.world.instance import EntityTerms

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
            return _bound(reference, self.binding)
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
    except NoSuchAttribute as error:
        raise FormulaError(f"{reference!r}: {error}") from None


def _lookup(reference: str, name: str, binding: Binding) -> EntityTerms | int | str:
    if name not in binding:
        known = ", only " + ", ".join(f"${known}" for known in binding) if binding else ""
        raise FormulaError(f"{reference!r}: there is no ${name}{known}")
    return binding[name]
