"""Alerts describe faults of a formalization. They are returned instead of raised, so that every fault is reported."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

AlertKind = Literal[
    "unparsed",  # No sentence could be read.
    "brackets_repaired",  # A parenthesis was added or removed.
    "free_variable",  # A variable that no quantifier binds.
    "arity_clash",  # A name with different numbers of arguments.
    "sort_clash",  # A thing of the wrong sort, or a sort that may mean things or values.
    "undeclared",  # A name that is not in the vocabulary.
    "name_clash",  # A name with two uses, or two similar names.
    "function",  # A function's value or a sum in a place that only a name can have.
    "extra_formula",  # A formula in addition to those of the sentences.
    "unsupported",  # A readable formula without a meaning here.
    "dropped",  # A proposed name that is dropped; `text` has the sentences that mention it.
    "refused",  # A formula that does not mean its sentence, in the judgement of a model.
    "doubtful",  # An incomplete or ambiguous statement of a text.
]


@dataclass(frozen=True, slots=True)
class Alert:
    """An `Alert` is one fault. `position` is its offset in `text`, from 0; None for a fault of several texts."""

    kind: AlertKind
    message: str
    text: str = ""
    position: int | None = None
