"""This module writes vocabularies and formulas for prompts: in words and plain signs, or as SMT-LIB text."""

from __future__ import annotations

import json
from collections import defaultdict
from typing import Any

from holdtrue.errors import FormulaError
from holdtrue.logic.fol.naming import name_text
from holdtrue.logic.fol.notation import write_fol
from holdtrue.logic.fol.syntax import (
    And,
    Apply,
    Bound,
    Compare,
    Constant,
    Holds,
    Iff,
    Implies,
    Not,
    Number,
    Or,
    Plus,
    Quantified,
    Sentence,
    Term,
    Xor,
    check_depth,
)
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.smtlib.symbols import quoted, symbol_of
from holdtrue.logic.value_sorts import Value


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


def formula_text(sentence: Sentence) -> str:
    """The formula in words and plain signs: `forall x (Baker(x) -> not Late(x))`."""
    return write_fol(sentence).translate(_SIGNS)


def vocabulary_text(vocabulary: Vocabulary) -> str:
    """A line of things for each sort, then each predicate and function with what it means."""
    sorts: dict[str, list[str]] = defaultdict(list)
    for entity in vocabulary.entities:
        sorts[entity.sort].append(name_text(entity.name))
    lines = [f"{sort}: {', '.join(names)}" for sort, names in sorts.items()]
    lines += [f"{applied(predicate.name, predicate.sorts)}: {predicate.meaning}" for predicate in vocabulary.predicates]
    for function in vocabulary.functions:
        values = f"a number from {function.low} to {function.high}"
        lines.append(f"{applied(function.name, function.sorts)}: {function.meaning}, {values}")
    return "\n".join(lines)


def applied(name: str, sorts: tuple[str, ...]) -> str:
    """The name with variables for its arguments, such as `Teaches(x, y)`."""
    variables = [*"xyzuvw"[: len(sorts)], *(f"x{place}" for place in range(7, len(sorts) + 1))]
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
        comment = f"{function.meaning}, from {function.low} to {function.high}"
        lines.append(f"(declare-fun {_symbol(function.name)} ({sorts}) Int) ; {comment}")
    return "\n".join(lines)


def write_smtlib(sentence: Sentence) -> str:
    """The sentence as an assertion that `read_smtlib` reads as one that says the same.

    Sorts of quantifiers are left out: there is one sort of things. Raises `FormulaError` for what is nested too deep.
    """
    check_depth(sentence)
    return f"(assert {_written(sentence)})"


def _written(node: Sentence | Term) -> str:
    match node:
        case Constant(name) | Bound(name):
            return _symbol(name)
        case Number(value):
            return str(value) if value >= 0 else f"(- {-value})"
        case Holds(name, args) | Apply(name, args):
            return _listed(_symbol(name), *args) if args else _symbol(name)
        case Plus(parts):
            summed = [_written(term) if factor == 1 else _product(factor, term) for factor, term in parts]
            return f"(+ {' '.join(summed)})" if len(summed) > 1 else "".join(summed) or "0"
        case Compare("!=", left, right):
            return _listed("distinct", left, right)
        case Compare(op, left, right):
            return _listed(op, left, right)
        case Not(operand):
            return _listed("not", operand)
        case And(operands):
            return _listed("and", *operands) if operands else "true"
        case Or(operands):
            return _listed("or", *operands) if operands else "false"
        case Xor(left, right):
            return _listed("xor", left, right)
        case Implies(left, right):
            return _listed("=>", left, right)
        case Iff(left, right):
            return _listed("=", left, right)
        case Quantified(quantifier, variable, body):
            return f"({quantifier} (({_symbol(variable)} Thing)) {_written(body)})"
    raise FormulaError(f"this has no text in SMT-LIB here: {node!r:.60}")


def _product(factor: Value, term: Term) -> str:
    return f"(* {_written(Number(factor))} {_written(term)})"


def _listed(head: str, *parts: Sentence | Term) -> str:
    return f"({' '.join([head, *map(_written, parts)])})"


def _symbol(name: str) -> str:
    return quoted(symbol_of(name))
