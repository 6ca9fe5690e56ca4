"""Going through a sentence without recursion, whatever it is nested in."""

from __future__ import annotations

from collections.abc import Iterator

from holdtrue.errors import FormulaError
from holdtrue.logic.fol.sentence import Apply, Bound, Compare, Holds, Plus, Quantified, Sentence, Term, children

DEEPEST = 60
"""Sentences nested deeper are refused: they are walked by recursion, and a level can become two of a formula."""


def check_depth(sentence: Sentence) -> None:
    """Raise `FormulaError` where sentences or terms are nested deeper than `DEEPEST` in it."""
    level: list[Sentence | Term] = [sentence]
    depth = 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise FormulaError(f"a sentence may be nested {DEEPEST} deep at most")
        level = [part for above in level for part in parts(above)]


def parts(node: Sentence | Term) -> tuple[Sentence | Term, ...]:
    """The sentences and terms that it is made of directly, in order."""
    match node:
        case Holds(args=args) | Apply(args=args):
            return args
        case Compare(left=left, right=right):
            return (left, right)
        case Plus(parts=summed):
            return tuple(term for _, term in summed)
    return children(node) if isinstance(node, Sentence) else ()


def walk(sentence: Sentence) -> Iterator[Sentence | Term]:
    """The sentence and all sentences and terms in it, each before its own, in order."""
    stack: list[Sentence | Term] = [sentence]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(parts(node))


def free_variables(sentence: Sentence) -> tuple[str, ...]:
    """The names of the variables that no quantifier binds, each once, in order. Raises like `check_depth`."""
    check_depth(sentence)
    return tuple(dict.fromkeys(_free(sentence, frozenset())))


def _free(node: Sentence | Term, bound: frozenset[str]) -> Iterator[str]:
    match node:
        case Bound(name):
            if name not in bound:
                yield name
        case Quantified(variable=variable, body=body):
            yield from _free(body, bound | {variable})
        case _:
            for part in parts(node):
                yield from _free(part, bound)
