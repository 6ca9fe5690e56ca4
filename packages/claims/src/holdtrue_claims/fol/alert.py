"""Alerts: the faults of a formalization, which are reported instead of raised, so that none is read silently."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AlertKind = Literal[
    "unparsed",  # no sentence could be read
    "brackets_repaired",  # a parenthesis was added or left out
    "free_variable",  # a variable that no quantifier binds
    "arity_clash",  # a name with different numbers of arguments
    "sort_clash",  # a thing of one sort where another is needed, or a sort that may be one of things or of values
    "undeclared",  # a name that is not in the vocabulary
    "name_clash",  # a name that is two things, or two names that look like one
    "function",  # a function of things where only names can stand
    "extra_formula",  # a formula beside those of the sentences
    "unsupported",  # it can be read, and not be given a meaning here
    "dropped",  # a name that was proposed and is left out; `text` has the sentences that it costs
    "refused",  # a formula that does not say what its sentence says, as far as a model can tell
    "doubtful",  # what a text states in part only, or in a way that can be read twice
]


@dataclass(frozen=True, slots=True)
class Alert:
    """One fault. `text` is what was read, `position` the offset in it, from 0; None where it is about many texts."""

    kind: AlertKind
    message: str
    text: str = ""
    position: int | None = None
