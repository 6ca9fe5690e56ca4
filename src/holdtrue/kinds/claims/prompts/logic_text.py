"""This module writes vocabularies and formulas for prompts: in words and plain signs, or as SMT-LIB text."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Sequence
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue.logic.fol import syntax as fol
from holdtrue.logic.fol.naming import name_text
from holdtrue.logic.fol.notation import write_fol
from holdtrue.logic.fol.vocabulary import ANY, Function, Vocabulary
from holdtrue.logic.smtlib.symbols import quoted, symbol_of
from holdtrue.logic.value_sorts import Amount, Value, read_sort


def example_json(value: Any) -> str:
    """The value as JSON without spaces: after examples with spaces, a model bound to a schema gives empty lists."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def list_schema(items: Any, most: int, fewest: int | None = None) -> dict[str, Any]:
    """Return the JSON schema of a list of at most `most`, and at least `fewest`, of these items."""
    least = {} if fewest is None else {"minItems": fewest}
    return {"type": "array", "items": items, **least, "maxItems": most}


_SIGNS = str.maketrans(
    {
        "∀": "forall ",
        "∃": "exists ",
        "¬": "not ",
        "∧": "and",
        "∨": "or",
        "⊕": "xor",
        "→": "->",
        "↔": "<->",
        "≠": "!=",
        "≤": "<=",
        "≥": ">=",
    }
)


def formula_text(sentence: fol.Sentence) -> str:
    """The formula in words and plain signs: `forall x (Baker(x) -> not Late(x))`."""
    return write_fol(sentence).translate(_SIGNS)


def vocabulary_text(vocabulary: Vocabulary) -> str:
    """A line of things for each sort, then each predicate and function with what it means, its sorts and its values."""
    sorts: dict[str, list[str]] = defaultdict(list)
    for entity in vocabulary.entities:
        sorts[entity.sort].append(name_text(entity.name))
    lines = [
        f"{sort}{' (these are all)' if sort in vocabulary.closed else ''}: {', '.join(names)}"
        for sort, names in sorts.items()
    ]
    lines += [f"{applied(own.name, own.sorts)}: {own.meaning}{_takes(own.sorts)}" for own in vocabulary.predicates]
    for function in vocabulary.functions:
        values = values_text(function)
        lines.append(f"{applied(function.name, function.sorts)}: {function.meaning}, {values}{_takes(function.sorts)}")
    return "\n".join(lines)


def values_text(function: Function) -> str:
    """Return in words what values a function has: `in kg`, `a date`, `a whole number from 1 to 5`."""
    low, high = function.low, function.high
    known = {"number": "a number", "whole": "a whole number", "date": "a date", "time": "a time", "moment": "a moment"}
    try:
        values = read_sort(function.result)
    except FormulaError:
        values = None
    if function.result in known:
        said = known[function.result]
    elif isinstance(values, Amount):
        said = f"in {function.result}"
    else:
        said = f"a {function.result}"
    if low is not None and high is not None:
        return f"{said} from {low} to {high}"
    return said + (f", at least {low}" if low is not None else f", at most {high}" if high is not None else "")


def _takes(sorts: Sequence[str]) -> str:
    """Return which variables stand for which sorts, where any is not for all things."""
    named = [f"{variable}: {sort}" for variable, sort in zip(VARIABLES, sorts, strict=False) if sort != ANY]
    return f" ({', '.join(named)})" if named else ""


VARIABLES = "xyzwuv"


def applied(name: str, sorts: tuple[str, ...]) -> str:
    """The name with variables for its arguments, such as `Teaches(x, y)`."""
    variables = [*VARIABLES[: len(sorts)], *(f"x{place}" for place in range(7, len(sorts) + 1))]
    return f"{name_text(name)}({', '.join(variables)})" if sorts else name_text(name)


def declarations(vocabulary: Vocabulary) -> str:
    """The vocabulary as the declarations that a prompt shows, each with what it means."""
    lines = ["(declare-sort Thing 0)"]
    lines += [f"(declare-const {_symbol(entity.name)} Thing) ; a {entity.sort}" for entity in vocabulary.entities]
    for predicate in vocabulary.predicates:
        sorts = " ".join(["Thing"] * len(predicate.sorts))
        lines.append(f"(declare-fun {_symbol(predicate.name)} ({sorts}) Bool) ; {predicate.meaning}")
    for function in vocabulary.functions:
        sorts = " ".join(["Thing"] * len(function.sorts))
        comment = f"{function.meaning}, {values_text(function)}"
        lines.append(f"(declare-fun {_symbol(function.name)} ({sorts}) Int) ; {comment}")
    return "\n".join(lines)


def write_smtlib(sentence: fol.Sentence) -> str:
    """The sentence as an assertion that `read_smtlib` reads as one that says the same.

    Sorts of quantifiers are left out: there is one sort of things. Raises `FormulaError` for what is nested too deep.
    """
    fol.check_depth(sentence)
    return f"(assert {_written(sentence)})"


def _written(node: fol.Sentence | fol.Term) -> str:
    match node:
        case fol.Constant(name) | fol.Bound(name):
            return _symbol(name)
        case fol.Number(value):
            return str(value) if value >= 0 else f"(- {-value})"
        case fol.Holds(name, args) | fol.Apply(name, args):
            return _listed(_symbol(name), *args) if args else _symbol(name)
        case fol.Plus(parts):
            summed = [_written(term) if factor == 1 else _product(factor, term) for factor, term in parts]
            return f"(+ {' '.join(summed)})" if len(summed) > 1 else "".join(summed) or "0"
        case fol.Compare("!=", left, right):
            return _listed("distinct", left, right)
        case fol.Compare(op, left, right):
            return _listed(op, left, right)
        case fol.Not(operand):
            return _listed("not", operand)
        case fol.And(operands):
            return _listed("and", *operands) if operands else "true"
        case fol.Or(operands):
            return _listed("or", *operands) if operands else "false"
        case fol.Xor(left, right):
            return _listed("xor", left, right)
        case fol.Implies(left, right):
            return _listed("=>", left, right)
        case fol.Iff(left, right):
            return _listed("=", left, right)
        case fol.Quantified(quantifier, variable, body):
            return f"({quantifier} (({_symbol(variable)} Thing)) {_written(body)})"
    raise FormulaError(f"this has no text in SMT-LIB here: {node!r:.60}")


def _product(factor: Value, term: fol.Term) -> str:
    return f"(* {_written(fol.Number(factor))} {_written(term)})"


def _listed(head: str, *parts: fol.Sentence | fol.Term) -> str:
    return f"({' '.join([head, *map(_written, parts)])})"


def _symbol(name: str) -> str:
    return quoted(symbol_of(name))
