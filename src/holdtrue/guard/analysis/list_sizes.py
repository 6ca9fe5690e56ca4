"""Decide whether short lists are enough for a proof, so that longer lists can show nothing more.

Take a condition on all or some items of a list. It stays true or false on a part of the list that has one decisive item
for each quantifier. To count items up to a number, one item more than that number is enough. So a list needs no more
items than all conditions on it need together. This argument fails if a condition reads the list by index, or again for
each item of another list. If sums over one list are only compared with each other, a list of one item can show each
outcome. This needs a list that may be empty, and no other condition on it.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping

from holdtrue.rules import comparison, lists, numbers
from holdtrue.rules import typed_expressions as t
from holdtrue.rules.types import ListOf, Type, types_within, without_null
from holdtrue.rules.unknowns import is_long


def short_lists_suffice(nodes: Iterable[t.Node], items: int) -> bool:
    """Return whether checking all these conditions on lists of up to `items` items settles them for any length."""
    counting = _Counting()
    try:
        for node in nodes:
            counting.visit(node, {}, ())
    except _OtherUse:
        return False
    summed = counting.summed
    if any(count > 1 or counting.asked[name] for name, count in summed.items()):
        return False
    return all(count <= items for count in counting.asked.values()) and (items >= 1 or not summed)


class _OtherUse(Exception):
    """A condition uses an unbounded list in a way that this analysis does not cover."""


Variables = Mapping[str, str]
"""For each variable of a macro, the name of the list whose items it stands for."""


class _Counting:
    def __init__(self) -> None:
        self.asked: Counter[str] = Counter()
        """The number of items that the conditions need of each list."""
        self.summed: Counter[str] = Counter()
        """The number of comparisons of sums over each list."""

    def visit(self, node: t.Node, variables: Variables, within: tuple[str, ...]) -> None:
        """Count the items that a condition needs of each list. `within` are the lists of the enclosing macros."""
        match node:
            case t.Over(macro, of, variable, body, _, None) if macro in _ASKED_FOR and _without_bound(of.type):
                name = self._part(of, variables, within, _ASKED_FOR[macro])
                self.visit(body, {**variables, variable: f"{name}[]"}, (*within, name))
                return
            case t.Apply(operation, (left, right)) if operation in _COMPARING:
                if self._counted(left, right, variables, within) or self._sums(left, right, variables, within):
                    return
            case t.Over(_, of, variable, _, _, index) if not _without_bound(of.type):
                self.visit(of, variables, within)
                bound = {**variables, variable: f"#{variable}", **({} if index is None else {index: f"#{index}"})}
                for part in t.parts(node)[1:]:
                    # For a short list, the items needed inside are counted for each of its items.
                    self.visit(part, bound, (*within, f"#{variable}"))
                return
            case t.Apply(comparison.IN_LIST, (item, of)) if _without_bound(of.type):
                if _has_open_lists(item.type):
                    raise _OtherUse
                self._ask(of, variables, within)
                self.visit(item, variables, within)
                self._visit_path(of, variables, within)
                return
            case t.Apply(comparison.EQUAL, args) if any(_has_open_lists(own.type) for own in args):
                raise _OtherUse
        if not isinstance(node, t.Given) and _without_bound(node.type):
            raise _OtherUse
        for part in t.parts(node):
            self.visit(part, variables, within)

    def _ask(self, of: t.Node, variables: Variables, within: tuple[str, ...], count: int = 1) -> str:
        name = _name(of, variables)
        if not all(name.startswith(f"{own}[]") for own in within):
            raise _OtherUse
        self.asked[name] += count
        return name

    def _part(self, of: t.Node, variables: Variables, within: tuple[str, ...], count: int) -> str:
        """Add `count` to the items needed of a list, which may be filtered, and return the list's name."""
        if isinstance(of, t.Over) and of.macro == "filter" and of.index is None:
            name = self._part(of.of, variables, within, count)
            self.visit(of.body, {**variables, of.variable: f"{name}[]"}, (*within, name))
            return name
        name = self._ask(of, variables, within, count)
        self._visit_path(of, variables, within)
        return name

    def _counted(self, left: t.Node, right: t.Node, variables: Variables, within: tuple[str, ...]) -> bool:
        """Count the items that a comparison of list sizes with a number needs.

        Return whether the terms are such a comparison.
        """
        for sizes, number in ((left, right), (right, left)):
            counted = list(_sizes(sizes))
            if isinstance(number, t.Given) and isinstance(number.value, int) and counted and None not in counted:
                if all(own is not None and not _without_bound(own.type) for own in counted):
                    return False
                for own in counted:
                    if own is not None and _without_bound(own.type):
                        self._part(own, variables, within, max(0, number.value) + 1)
                    elif own is not None:
                        self.visit(own, variables, within)
                return True
        return False

    def _sums(self, left: t.Node, right: t.Node, variables: Variables, within: tuple[str, ...]) -> bool:
        """Count a comparison of sums over one list. Return whether the terms are such a comparison."""
        sums = [_summed(own) for own in (left, right)]
        found = [own for own in sums if own is not None]
        zero = [isinstance(own, t.Given) and own.value == 0 for own in (left, right)]
        if within or not found or not all(own is not None or is_zero for own, is_zero in zip(sums, zero, strict=True)):
            return False
        names = {_name(own, variables) for own in found}
        type = without_null(found[0].type)
        if len(names) != 1 or not _without_bound(type) or (isinstance(type, ListOf) and type.least):
            return False
        name = names.pop()
        self.summed[name] += 1
        for side in (left, right):
            self._visit_summed(side, variables, name)
        return True

    def _visit_summed(self, node: t.Node, variables: Variables, name: str) -> None:
        """Visit a summed expression, which may only read the item and values that are no lists."""
        if isinstance(node, t.Over):
            bound = {**variables, node.variable: f"{name}[]"}
            for part in (node.body, node.condition):
                if part is not None:
                    self.visit(part, bound, (name,))
            self._visit_summed(node.of, variables, name)
        elif isinstance(node, t.Apply):
            for own in node.args:
                self._visit_summed(own, variables, name)
        else:
            self._visit_path(node, variables, ())

    def _visit_path(self, of: t.Node, variables: Variables, within: tuple[str, ...]) -> None:
        for part in t.parts(of):
            self.visit(part, variables, within)


_COMPARING = (comparison.LESS, comparison.AT_MOST, comparison.EQUAL)
_ASKED_FOR = {"all": 1, "exists": 1, "exists_one": 2}
"""The number of items that decide whether a macro holds on a list."""


def _sizes(node: t.Node) -> Iterator[t.Node | None]:
    """Yield the lists whose sizes are added, nothing for a number from 0 on, and None for every other term."""
    match node:
        case t.Apply(lists.SIZE, (of,)):
            yield of
        case t.Apply(numbers.ADD, args):
            for own in args:
                yield from _sizes(own)
        case t.Given(int(value)) if value >= 0:
            return
        case _:
            yield None


def _summed(node: t.Node) -> t.Node | None:
    """Return the list that an expression sums over item by item, or None."""
    match node:
        case t.Apply(lists.SUM, (of,)):
            while isinstance(of, t.Over) and of.macro in ("map", "filter") and of.index is None:
                of = of.of
            return of
        case t.Apply(lists.SIZE, (t.Over("filter", of, _, _, _, None),)):
            return of
    return None


def _name(node: t.Node, variables: Variables) -> str:
    """Return the name of a list. Two expressions for the same list have the same name."""
    match node:
        case t.Root(name):
            return variables.get(name, name)
        case t.Get(of, name):
            return f"{_name(of, variables)}.{name}"
        case t.Fact(kind):
            return f"facts.{kind}"
    raise _OtherUse


def _without_bound(type: Type) -> bool:
    own = without_null(type)
    return isinstance(own, ListOf) and is_long(own)


def _has_open_lists(type: Type) -> bool:
    return any(map(_without_bound, types_within(type)))
