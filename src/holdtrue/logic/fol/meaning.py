"""Give a sentence its meaning in a vocabulary, or say in words why it has none."""

from __future__ import annotations

from holdtrue.errors import FormulaError
from holdtrue.logic.fol.settling import settled
from holdtrue.logic.fol.stated import Stated
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.fol.vocabulary_check import check


def state(sentence: Sentence, vocabulary: Vocabulary) -> Stated:
    """Return the sentence as a formula.

    Raises `FormulaError` for names that the vocabulary does not have, for arguments, units or dates that do not fit,
    and for free variables.
    """
    meant = settled(sentence, vocabulary)
    alerts = check(vocabulary, meant)
    if alerts:
        raise FormulaError("; ".join(alert.message for alert in alerts))
    return Stated(meant)
