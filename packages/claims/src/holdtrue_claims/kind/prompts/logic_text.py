"""Write vocabularies and formulas for prompts, in words and plain signs."""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, TypeVar

from holdtrue.errors import FormulaError
from holdtrue.logic.value_sorts import Amount, read_sort
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue_claims.fol import syntax as fol
from holdtrue_claims.fol.naming import name_text
from holdtrue_claims.fol.notation import write_fol
from holdtrue_claims.fol.vocabulary import ANY, Function, Vocabulary

_Pair = TypeVar("_Pair")


def example_json(value: Any) -> str:
    """Return JSON without spaces. After examples with spaces, models bound to a schema give empty lists."""
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))


def taught(task: str, trials: Iterable[tuple[str, str]]) -> list[Message]:
    """Return the beginning of a prompt: the task, and pairs of request and correct reply as examples."""
    told = ((user(asked), assistant(reply)) for asked, reply in trials)
    return [system(task), *(message for pair in told for message in pair)]


def headed(words: str, pairs: Iterable[_Pair]) -> Iterator[tuple[str, _Pair]]:
    """Yield each pair with its heading: the vocabulary in `words` for the first one, and "" for the others."""
    for number, pair in enumerate(pairs):
        yield "" if number else f"Vocabulary:\n{words}\n\n", pair


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
    """Return the formula in words and plain signs: `forall x (Baker(x) -> not Late(x))`."""
    return write_fol(sentence).translate(_SIGNS)


def vocabulary_text(vocabulary: Vocabulary) -> str:
    """Return a line of things for each sort, then each predicate and function with its meaning, sorts and values."""
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
    """Return the values of a function in words: `in kg`, `a date`, `a whole number from 1 to 5`."""
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
    """Return the sorts of the variables, if any variable has one."""
    named = [f"{variable}: {sort}" for variable, sort in zip(VARIABLES, sorts, strict=False) if sort != ANY]
    return f" ({', '.join(named)})" if named else ""


VARIABLES = "xyzwuv"


def applied(name: str, sorts: tuple[str, ...]) -> str:
    """Return the name with variables for its arguments, such as `Teaches(x, y)`."""
    variables = [*VARIABLES[: len(sorts)], *(f"x{place}" for place in range(7, len(sorts) + 1))]
    return f"{name_text(name)}({', '.join(variables)})" if sorts else name_text(name)
