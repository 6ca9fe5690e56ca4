"""Give a sentence its meaning in a vocabulary, or say in words why it has none."""

from __future__ import annotations

from holdtrue.errors import FormulaError
from holdtrue.logic.fol.settling import settled
from holdtrue.logic.fol.stated import Stated
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.fol.vocabulary_check import check


def state(sentence: Sentence | None, vocabulary: Vocabulary) -> Stated:
    """Return the sentence as a formula.

    Raises `FormulaError` for names that the vocabulary does not have, for arguments, units or dates that do not fit,
    for free variables, and for None, which is what a text that cannot be read gives.
    """
    if sentence is None:
        raise FormulaError("there is no sentence: its text could not be read, and the alerts of reading it say why")
    meant = settled(sentence, vocabulary)
    alerts = check(vocabulary, meant)
    if alerts:
        raise FormulaError("; ".join(alert.message for alert in alerts))
    return Stated(meant)
