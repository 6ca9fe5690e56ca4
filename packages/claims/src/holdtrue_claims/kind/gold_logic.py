"""Gold logic: the formulas that people wrote for a context and its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.record import Label
from holdtrue_claims.fol.syntax import Sentence
from holdtrue_claims.fol.vocabulary import Vocabulary

STATEMENT = "statement"
"""The name of the statement in gold logic if the options are truth values."""
_TRUTHS: Mapping[str, Label] = {
    "true": Label.ENTAILED,
    "yes": Label.ENTAILED,
    "false": Label.CONTRADICTED,
    "no": Label.CONTRADICTED,
    "uncertain": Label.UNKNOWN,
    "unknown": Label.UNKNOWN,
}


@dataclass(frozen=True, slots=True)
class GoldLogic:
    """`GoldLogic` holds the gold formulas of an item with their vocabulary.

    `premises` maps ids to formulas; P1 is the first sentence. `statements` maps letters of options to formulas, or
    `STATEMENT` to one if the options are truth values. A missing sentence has no readable gold formula.
    """

    vocabulary: Vocabulary
    premises: Mapping[str, Sentence]
    statements: Mapping[str, Sentence]


def truth_letters(options: Mapping[str, str]) -> Mapping[Label, str]:
    """Return the letters of the options that say true, false and unknown; empty if an option says something else."""
    found = {_TRUTHS.get(text.strip(" .").casefold()): letter for letter, text in options.items()}
    return {label: letter for label, letter in found.items() if label is not None} if None not in found else {}
