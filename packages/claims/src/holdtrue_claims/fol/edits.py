"""Change a sentence at one place: every sentence that a rule makes of one node in it."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import replace
from itertools import count
from typing import Any

from holdtrue_claims.fol import syntax as fol

Bindings = Mapping[str, str | None]
"""The sort of each variable that is bound around a node, None for one of any sort."""
Rule = Callable[[Any, Bindings], Iterable[Any]]
"""Makes other nodes of a node; nothing where it does not apply."""


def edited(node: Any, rule: Rule, bound: Bindings | None = None) -> Iterator[Any]:
    """Yield the sentence with one node changed by the rule, for every node and every change, outermost first."""
    bound = bound or {}
    yield from rule(node, bound)
    if isinstance(node, fol.Binder):
        bound = {**bound, node.variable: node.sort}
    for place, part in enumerate(fol.parts(node)):
        for new in edited(part, rule, bound):
            yield _with_part(node, place, new)


def _with_part(node: Any, place: int, new: Any) -> Any:
    places = count()
    return fol.rebuilt(node, lambda own: new if next(places) == place else own)


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
