"""A vocabulary as a prompt shows it."""

from __future__ import annotations

from collections import defaultdict

from holdtrue.logic.fol.names import name_text
from holdtrue.logic.fol.vocabulary import Vocabulary


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
