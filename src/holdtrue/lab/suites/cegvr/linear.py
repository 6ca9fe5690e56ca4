"""Linear constraints, in the one form in which this suite writes them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from types import MappingProxyType
from typing import Literal, get_args

from holdtrue.logic.formula import Compare, Comparison, Constant, Sum, Term, Variable

Relation = Literal["<=", ">=", "="]
RELATIONS: tuple[Relation, ...] = get_args(Relation)
OPERATORS: Mapping[Relation, Comparison] = MappingProxyType({"<=": "<=", ">=": ">=", "=": "=="})


def linear_formula(terms: Iterable[tuple[int, Variable]], relation: Relation, rhs: int) -> Compare:
    """`coefficient * variable` summed over the terms, compared with a number; a bare variable stays one."""
    parts: tuple[tuple[int, Term], ...] = tuple(terms)
    left = parts[0][1] if len(parts) == 1 and parts[0][0] == 1 else Sum(parts)
    return Compare(OPERATORS[relation], left, Constant(rhs))
