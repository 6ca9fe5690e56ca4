"""Change a sentence at one place: every sentence that a rule makes of one node in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import fields, replace
from itertools import count
from typing import Any

from holdtrue.logic.fol import syntax as fol

Node = fol.Sentence | fol.Term
Bindings = Mapping[str, str | None]
"""The sort of each variable that is bound around a node, None for one of any sort."""
Rule = Callable[[Any, Bindings], Iterable[Any]]
"""Makes other nodes of a node; nothing where it does not apply."""


def edited(sentence: fol.Sentence, rule: Rule) -> Iterator[fol.Sentence]:
    """Yield the sentence with one node changed by the rule, for every node and every change, outermost first."""
    yield from _edited(sentence, rule, {})


def replaced(sentence: Any, old: Mapping[Any, Any]) -> Any:
    """Return the sentence with these nodes in place of others, wherever they stand; new ones are not looked into."""
    if isinstance(sentence, fol.NODES) and sentence in old:
        return old[sentence]
    return fol.rebuilt(sentence, lambda part: replaced(part, old))


def substituted(node: Any, terms: Mapping[str, fol.Term]) -> Any:
    """Return a sentence or a term with these terms in place of free variables; a variable that clashes is renamed."""
    if isinstance(node, fol.Bound):
        return terms.get(node.name, node)
    if isinstance(node, fol.Binder):
        terms = {name: term for name, term in terms.items() if name != node.variable}
        taken = {name for term in terms.values() for name in fol.free_in(term)}
        if node.variable in taken:
            names = (f"{node.variable}{place}" for place in count(2))
            new = next(name for name in names if name not in {*taken, *fol.free_in(node.body)})
            terms[node.variable] = fol.Bound(new)
            node = replace(node, variable=new)
    return fol.rebuilt(node, lambda part: substituted(part, terms))


def _edited(value: Any, rule: Rule, bound: Bindings) -> Iterator[Any]:
    if isinstance(value, tuple):
        for place, item in enumerate(value):
            for new in _edited(item, rule, bound):
                yield (*value[:place], new, *value[place + 1 :])
        return
    if not isinstance(value, fol.NODES):
        return
    yield from rule(value, bound)
    if not fol.parts(value):
        return
    if isinstance(value, fol.Binder):
        bound = {**bound, value.variable: value.sort}
    own = [getattr(value, each.name) for each in fields(value)]
    for place, item in enumerate(own):
        for new in _edited(item, rule, bound):
            yield type(value)(*own[:place], new, *own[place + 1 :])
