"""First-order sentences as immutable values: predicates and functions, quantifiers, counts, sums, and arithmetic.

Terms stand for things, for exact numbers with their units, or for dates, times and moments; which of these a function
gives is said by a vocabulary (`term_sorts`). Nothing here has a meaning yet: a `structure` gives a sentence one, and so
does `ground` over finitely many things. Names are compared exactly.
"""

from __future__ import annotations

import operator
import re
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, replace
from itertools import count
from typing import Any, Literal, get_args

from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import Instant, Value
from holdtrue.logic.value_sorts import Number as Number

Comparison = Literal["=", "!=", "<", "<=", ">", ">="]
Quantifier = Literal["forall", "exists"]


@dataclass(frozen=True, slots=True)
class Constant:
    """A named thing, such as `Alan`."""

    name: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A variable of the innermost quantifier around it that has this name; free where there is none."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """The value of a function: a number, such as `pos(Blue)`, a date, or a thing, such as `manager(Ann)`."""

    function: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Plus:
    """`coefficient * term` summed over the parts."""

    parts: tuple[tuple[Value, Term], ...]


@dataclass(frozen=True, slots=True)
class Times:
    """The product of two terms, of which none need be a written number."""

    left: Term
    right: Term


Operator = Literal[
    "div", "mod", "min", "max", "abs", "floor", "ceil",
    "year_of", "month_of", "day_of", "weekday_of", "date_of", "time_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Operation:
    """`div` and `mod` of two whole numbers (the remainder is never negative), `min` and `max` of some, and one of one.

    `floor` and `ceil` make a plain number whole. `year_of`, `month_of`, `day_of` and `weekday_of` (Monday is 1) are
    parts of a date, `date_of` and `time_of` those of a moment.
    """

    op: Operator
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """`then` where the condition holds, `otherwise` where it does not."""

    condition: Sentence
    then: Term
    otherwise: Term


@dataclass(frozen=True, slots=True)
class Count:
    """The number of things of which the body holds in place of the variable; only things of the `sort`, if any."""

    variable: str
    body: Sentence
    sort: str | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of `term` over all things of which the body holds in place of the variable; 0 where there are none."""

    variable: str
    term: Term
    body: Sentence
    sort: str | None = None


Term = Constant | Bound | Number | Instant | Apply | Plus | Times | Operation | Choice | Count | Total


@dataclass(frozen=True, slots=True)
class Holds:
    """A predicate holds of these things; one without arguments is a proposition."""

    predicate: str
    args: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Compare:
    """Two things are the same or not, or two numbers compare."""

    op: Comparison
    left: Term
    right: Term


@dataclass(frozen=True, slots=True)
class Not:
    operand: Sentence


@dataclass(frozen=True, slots=True)
class And:
    operands: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Or:
    operands: tuple[Sentence, ...]


@dataclass(frozen=True, slots=True)
class Xor:
    left: Sentence
    right: Sentence


@dataclass(frozen=True, slots=True)
class Implies:
    left: Sentence
    right: Sentence


@dataclass(frozen=True, slots=True)
class Iff:
    left: Sentence
    right: Sentence


@dataclass(frozen=True, slots=True)
class Quantified:
    """`body` for all things, or for some, in place of the variable; only things of the `sort`, where there is one."""

    quantifier: Quantifier
    variable: str
    body: Sentence
    sort: str | None = None


Sentence = Holds | Compare | Not | And | Or | Xor | Implies | Iff | Quantified
NODES = (*get_args(Term), *get_args(Sentence))
"""The types of all sentences and terms."""
Binder = Quantified | Count | Total
"""What binds a variable in all that it is made of."""
_HELD = {
    node: tuple(own.name for own in fields(node) if re.search(r"\b(?:Term|Sentence)\b", str(own.type)))
    for node in NODES
}
"""The fields of each type that hold sentences and terms."""
_FIELDS = {node: tuple(own.name for own in fields(node)) for node in NODES}
TURNED: Mapping[Comparison, Comparison] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""What a comparison is called with its sides exchanged."""
DENIED: Mapping[Comparison, Comparison] = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""What a comparison of numbers is called where it does not hold."""
COMPARED: Mapping[Comparison, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""What compares two numbers, or two expressions of a solver, in this way."""


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
    held = tuple(getattr(node, name) for name in _HELD.get(type(node), ()))
    if isinstance(node, Plus):
        return tuple(term for _, term in node.parts)
    return held[0] if held and isinstance(held[0], tuple) else held


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a node, or a tuple of nodes, with `change` applied to each sentence and term that it is made of."""
    if isinstance(node, tuple):
        changed = tuple(change(own) if isinstance(own, NODES) else rebuilt(own, change) for own in node)
        return node if all(map(operator.is_, changed, node)) else changed
    if type(node) not in _FIELDS or not parts(node):
        return node
    values = [getattr(node, name) for name in _FIELDS[type(node)]]
    made = [change(own) if isinstance(own, NODES) else rebuilt(own, change) for own in values]
    return node if all(map(operator.is_, made, values)) else type(node)(*made)


def walk(sentence: Sentence | Term) -> Iterator[Sentence | Term]:
    """The sentence or term and all sentences and terms in it, each before its own, in order."""
    stack: list[Sentence | Term] = [sentence]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(parts(node))


def free_variables(sentence: Sentence) -> tuple[str, ...]:
    """The names of the variables that no quantifier binds, each once, in order. Raises like `check_depth`."""
    check_depth(sentence)
    return free_in(sentence)


def closed(sentence: Sentence) -> Sentence:
    """Return the sentence for all things in the place of its free variables."""
    for name in free_variables(sentence):
        sentence = Quantified("forall", name, sentence)
    return sentence


def free_in(node: Sentence | Term) -> tuple[str, ...]:
    """The names of the variables that nothing binds in a sentence or term, each once, in order."""
    return tuple(dict.fromkeys(_free(node, frozenset())))


def _free(node: Sentence | Term, bound: frozenset[str]) -> Iterator[str]:
    match node:
        case Bound(name):
            if name not in bound:
                yield name
        case _:
            inner = bound | {node.variable} if isinstance(node, Binder) else bound
            for part in parts(node):
                yield from _free(part, inner)


# --- changes ----------------------------------------------------------------------------------------------------------

Bindings = Mapping[str, str | None]
"""The sort of each variable that is bound around a node, None for one of any sort."""
Rule = Callable[[Any, Bindings], Iterable[Any]]
"""Makes other nodes of a node; nothing where it does not apply."""


def edited(node: Any, rule: Rule, bound: Bindings | None = None) -> Iterator[Any]:
    """Yield the sentence with one node changed by the rule, for every node and every change, outermost first."""
    bound = bound or {}
    yield from rule(node, bound)
    if isinstance(node, Binder):
        bound = {**bound, node.variable: node.sort}
    for place, part in enumerate(parts(node)):
        for new in edited(part, rule, bound):
            yield _with_part(node, place, new)


def _with_part(node: Any, place: int, new: Any) -> Any:
    places = count()
    return rebuilt(node, lambda own: new if next(places) == place else own)


def replaced(sentence: Any, old: Mapping[Any, Any]) -> Any:
    """Return the sentence with these nodes in place of others, wherever they stand; new ones are not looked into."""
    if isinstance(sentence, NODES) and sentence in old:
        return old[sentence]
    return rebuilt(sentence, lambda part: replaced(part, old))


def substituted(node: Any, terms: Mapping[str, Term]) -> Any:
    """Return a sentence or a term with these terms in place of free variables; a variable that clashes is renamed."""
    if isinstance(node, Bound):
        return terms.get(node.name, node)
    if isinstance(node, Binder):
        terms = {name: term for name, term in terms.items() if name != node.variable}
        taken = {name for term in terms.values() for name in free_in(term)}
        if node.variable in taken:
            names = (f"{node.variable}{place}" for place in count(2))
            new = next(name for name in names if name not in {*taken, *free_in(node.body)})
            terms[node.variable] = Bound(new)
            node = replace(node, variable=new)
    return rebuilt(node, lambda part: substituted(part, terms))
