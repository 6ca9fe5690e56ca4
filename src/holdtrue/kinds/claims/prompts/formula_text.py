"""A sentence as prompts write formulas: in the signs that they explain."""

from __future__ import annotations

from holdtrue.logic.fol.notation import write_fol
from holdtrue.logic.fol.sentence import Sentence

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
