"""The words that ask for a formula: the frame and its examples first, then the vocabulary, the sentence last.

All requests about one context begin alike, up to the sentence: backends keep what they have read.
"""

from __future__ import annotations

from collections.abc import Mapping
from functools import cache
from typing import Literal

from holdtrue.kinds.claims.prompts.example_json import example_json
from holdtrue.kinds.claims.prompts.formula_examples import EXAMPLES
from holdtrue.kinds.claims.prompts.smtlib_text import declarations, write_smtlib
from holdtrue.kinds.claims.prompts.vocabulary_text import vocabulary_text
from holdtrue.logic.fol.notation import read_fol
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.models.chat import Message, assistant, system, user

Notation = Literal["fol", "smtlib"]

_TASK = (
    "with the names of the given vocabulary and with no other ones. Say what the sentence says, and nothing else. "
    "A named thing stands for itself. Return only JSON.\n"
)
SYSTEM: Mapping[Notation, str] = {
    "fol": (
        f"You write a sentence as one formula of first-order logic, {_TASK}"
        "Signs: forall x (...), exists x (...), not, and, or, xor (either ... or ..., but not both), -> (if ... then), "
        "<-> (if and only if), = , != . A variable is x, y or z.\n"
        "All, every, each, any, no, or a kind of thing without a name: forall x (... -> ...). "
        "Some, there is: exists x (... and ...)."
    ),
    "smtlib": (
        f"You write a sentence as one assertion in SMT-LIB, {_TASK}"
        "Operators: not, and, or, xor (either ... or ..., but not both), => (if ... then), = (if and only if; equal), "
        "distinct, <, <=, >, >=, +, -. Quantified are things: (forall ((x Thing)) ...), (exists ((x Thing)) ...).\n"
        "All, every, each, any, no, or a kind of thing without a name: (forall ((x Thing)) (=> ...)). "
        "Some, there is: (exists ((x Thing)) (and ...))."
    ),
}


def formula_messages(
    vocabulary: Vocabulary, sentence: str, notation: Notation = "fol", refused: tuple[str, str] | None = None
) -> list[Message]:
    """The chat that asks for the formula of one sentence; `refused` is an earlier one and what is wrong with it."""
    messages = [system(SYSTEM[notation])]
    for own, pairs in EXAMPLES:
        told = f"Vocabulary:\n{_words(own, notation)}\n\n"
        for text, formula in pairs:
            messages += [user(f"{told}Sentence: {text}"), assistant(example_json({"formula": _in(notation, formula)}))]
            told = ""
    asked = f"A new vocabulary:\n{_words(vocabulary, notation)}\n\nSentence: {' '.join(sentence.split())}"
    if refused is not None:
        formula, why = refused
        asked += f"\nAn earlier formula: {formula}\nWhat is wrong with it: {why}\nWrite a better one."
    return [*messages, user(asked)]


def _words(vocabulary: Vocabulary, notation: Notation) -> str:
    return vocabulary_text(vocabulary) if notation == "fol" else declarations(vocabulary)


@cache  # every request shows all examples
def _in(notation: Notation, formula: str) -> str:
    """An example's formula in that notation."""
    found = read_fol(formula).sentence
    return formula if notation == "fol" or found is None else write_smtlib(found)
