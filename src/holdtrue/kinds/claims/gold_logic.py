"""What people wrote in logic for a context and its options."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.record import Label

STATEMENT = "statement"
"""The name of the statement in gold logic, where the options are truth values."""
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
    """What people wrote for an item: the names, each premise (P1 is `Item.sentences[0]`), and what statements say.

    `statements` are by the letters of options that say something, or by `STATEMENT` where the options are truth values.
    A premise or a statement that is not there has no sentence that could be read.
    """

    vocabulary: Vocabulary
    premises: Mapping[str, Sentence]
    statements: Mapping[str, Sentence]


def truth_letters(options: Mapping[str, str]) -> Mapping[Label, str]:
    """The letters of options that say true, false or unknown; empty where one says something else."""
    found = {_TRUTHS.get(text.strip(" .").casefold()): letter for letter, text in options.items()}
    return {label: letter for label, letter in found.items() if label is not None} if None not in found else {}
