"""First-order sentences as immutable values: predicates and functions, quantifiers, counts, sums, and arithmetic.

Terms denote things, exact numbers with their units, or dates, times and moments. A vocabulary gives the sort of each
function's values (`term_sorts`), and a `structure` gives a sentence its truth. Names are compared exactly.
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
    """A variable. The innermost quantifier with this name binds it; without one it is free."""

    name: str


@dataclass(frozen=True, slots=True)
class Apply:
    """The value of a function: a number, such as `pos(Blue)`, a date, or a thing, such as `manager(Ann)`."""

    function: str
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Plus:
    """The sum of `coefficient * term` over the parts."""

    parts: tuple[tuple[Value, Term], ...]


@dataclass(frozen=True, slots=True)
class Times:
    """The product of two terms, neither of which needs to be a written number."""

    left: Term
    right: Term


Operator = Literal[
    "div", "mod", "min", "max", "abs", "floor", "ceil",
    "year_of", "month_of", "day_of", "weekday_of", "date_of", "time_of",
]  # fmt: skip


@dataclass(frozen=True, slots=True)
class Operation:
    """An operation: `div` and `mod` of two whole numbers (the remainder is never negative), `min`, `max` or `abs`.

    `floor` and `ceil` round a plain number. `year_of`, `month_of`, `day_of` and `weekday_of` (Monday is 1) are parts of
    a date, `date_of` and `time_of` parts of a moment.
    """

    op: Operator
    args: tuple[Term, ...]


@dataclass(frozen=True, slots=True)
class Choice:
    """`then` if the condition holds, and `otherwise` if not."""

    condition: Sentence
    then: Term
    otherwise: Term


@dataclass(frozen=True, slots=True)
class Count:
    """The number of things for which the body holds; only things of the `sort`, if there is one."""

    variable: str
    body: Sentence
    sort: str | None = None


@dataclass(frozen=True, slots=True)
class Total:
    """The sum of `term` over all things for which the body holds; 0 if there are none."""

    variable: str
    term: Term
    body: Sentence
    sort: str | None = None


Term = Constant | Bound | Number | Instant | Apply | Plus | Times | Operation | Choice | Count | Total


@dataclass(frozen=True, slots=True)
class Holds:
    """A predicate holds of these things; a predicate without arguments is a proposition."""

    predicate: str
    args: tuple[Term, ...] = ()


@dataclass(frozen=True, slots=True)
class Compare:
    """Two things are the same or not, or two numbers compare in the given way."""

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
    """The `body` holds for all things, or for some; only for things of the `sort`, if there is one."""

    quantifier: Quantifier
    variable: str
    body: Sentence
    sort: str | None = None


Sentence = Holds | Compare | Not | And | Or | Xor | Implies | Iff | Quantified
NODES = (*get_args(Term), *get_args(Sentence))
"""The types of all sentences and terms."""
Binder = Quantified | Count | Total
"""The nodes that bind a variable in all their parts."""
_HELD = {
    node: tuple(own.name for own in fields(node) if re.search(r"\b(?:Term|Sentence)\b", str(own.type)))
    for node in NODES
}
"""The fields of each type that hold sentences and terms."""
_FIELDS = {node: tuple(own.name for own in fields(node)) for node in NODES}
TURNED: Mapping[Comparison, Comparison] = {"=": "=", "!=": "!=", "<": ">", "<=": ">=", ">": "<", ">=": "<="}
"""Each comparison with its sides exchanged."""
DENIED: Mapping[Comparison, Comparison] = {"=": "!=", "!=": "=", "<": ">=", "<=": ">", ">": "<=", ">=": "<"}
"""The negation of each comparison of numbers."""
COMPARED: Mapping[Comparison, Callable[[Any, Any], Any]] = {
    "=": operator.eq,
    "!=": operator.ne,
    "<": operator.lt,
    "<=": operator.le,
    ">": operator.gt,
    ">=": operator.ge,
}
"""The function that compares two numbers, or two expressions of a solver."""


DEEPEST = 60
"""The greatest depth. Sentences are walked by recursion, and a level can become two levels of a formula."""


def check_depth(sentence: Sentence) -> None:
    """Raise `FormulaError` if sentences or terms in it are nested deeper than `DEEPEST`."""
    level: list[Sentence | Term] = [sentence]
    depth = 0
    while level:
        depth += 1
        if depth > DEEPEST:
            raise FormulaError(f"a sentence may be nested {DEEPEST} deep at most")
        level = [part for above in level for part in parts(above)]


def parts(node: Sentence | Term) -> tuple[Sentence | Term, ...]:
    """Return the direct parts of a node, sentences and terms, in order."""
    held = tuple(getattr(node, name) for name in _HELD.get(type(node), ()))
    if isinstance(node, Plus):
        return tuple(term for _, term in node.parts)
    return held[0] if held and isinstance(held[0], tuple) else held


def rebuilt(node: Any, change: Callable[[Any], Any]) -> Any:
    """Return a node, or a tuple of nodes, with `change` applied to each direct part."""
    if isinstance(node, tuple):
        changed = tuple(change(own) if isinstance(own, NODES) else rebuilt(own, change) for own in node)
        return node if all(map(operator.is_, changed, node)) else changed
    if type(node) not in _FIELDS or not parts(node):
        return node
    values = [getattr(node, name) for name in _FIELDS[type(node)]]
    made = [change(own) if isinstance(own, NODES) else rebuilt(own, change) for own in values]
    return node if all(map(operator.is_, made, values)) else type(node)(*made)


def walk(sentence: Sentence | Term) -> Iterator[Sentence | Term]:
    """Yield the sentence or term and all sentences and terms in it, each before its parts, in order."""
    stack: list[Sentence | Term] = [sentence]
    while stack:
        node = stack.pop()
        yield node
        stack += reversed(parts(node))


def free_variables(sentence: Sentence) -> tuple[str, ...]:
    """Return the names of the variables that no quantifier binds, each once, in order. Raises like `check_depth`."""
    check_depth(sentence)
    return free_in(sentence)


def closed(sentence: Sentence) -> Sentence:
    """Return the sentence with "for all" in front for each free variable."""
    for name in free_variables(sentence):
        sentence = Quantified("forall", name, sentence)
    return sentence


def free_in(node: Sentence | Term) -> tuple[str, ...]:
    """Return the names of the free variables of a sentence or term, each once, in order."""
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
"""The sort of each variable that is bound around a node, or None for any sort."""
Rule = Callable[[Any, Bindings], Iterable[Any]]
"""Makes changed nodes of a node; none if the rule does not apply."""


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
    """Return the sentence with nodes replaced by others everywhere; the new nodes are not searched."""
    if isinstance(sentence, NODES) and sentence in old:
        return old[sentence]
    return rebuilt(sentence, lambda part: replaced(part, old))


def substituted(node: Any, terms: Mapping[str, Term]) -> Any:
    """Return a sentence or a term with terms in place of free variables. Clashing bound variables are renamed."""
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
