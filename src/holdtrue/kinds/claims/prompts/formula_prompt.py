"""The prompt that asks a model to write a sentence as a formula.

The frame and its examples come first, then the vocabulary, and the sentence last: all requests about one context have
the same prefix up to the sentence, so that a backend's prefix cache can be used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from holdtrue.kinds.claims.prompts.choice import BEFORE
from holdtrue.kinds.claims.prompts.formula_examples import examples_for
from holdtrue.kinds.claims.prompts.logic_text import declarations, example_json, vocabulary_text
from holdtrue.kinds.claims.prompts.offered import stated_values, values_line
from holdtrue.kinds.claims.settings import Notation
from holdtrue.language.asking import one_line
from holdtrue.logic.fol.notation import read_fol
from holdtrue.logic.fol.syntax import Number
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.smtlib.assertion_text import write_smtlib
from holdtrue.logic.value_sorts import Instant
from holdtrue.models.chat import Message, assistant, system, user

_TASK = (
    "with the names of the given vocabulary and with no other ones. Say what the sentence says, and nothing else. "
    "A named thing stands for itself. Return only JSON.\n"
)
SYSTEM: Mapping[Notation, str] = {
    "fol": (
        f"You write a sentence as one formula of first-order logic, {_TASK}"
        "Signs: forall x (...), exists x (...), not, and, or, xor (either ... or ..., but not both), -> (if ... then), "
        "<-> (if and only if), = , != , < , <= , > , >= , + , - , * , count x in SORT (...), sum x in SORT (...). "
        "A variable is x, y or z; forall x in SORT (...) is about one sort only, of things or of date, time, whole. "
        "Use the numbers under Values.\n"
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


@dataclass(frozen=True, slots=True)
class Refused:
    """A formula that was not accepted, and in words what is wrong with it."""

    formula: str
    why: str


def formula_messages(
    vocabulary: Vocabulary,
    sentence: str,
    notation: Notation = "fol",
    refused: Refused | None = None,
    values: Sequence[Number | Instant] = (),
    before: str = "",
) -> list[Message]:
    """Return the messages that ask for the formula of one sentence, in the names of this vocabulary.

    `values` are those that code found in the sentence, which the formula is written with.
    `refused` is an earlier formula, and what is wrong with it; the model is asked for a better one. `before` is what
    was said before the sentence, where it is not understood alone.
    """
    messages = [system(SYSTEM[notation])]
    for own, pairs in examples_for(vocabulary, notation):
        heading = f"Vocabulary:\n{_words(own, notation)}\n\n"
        for text, formula in pairs:
            messages += [
                user(f"{heading}{_stated(stated_values(own, text))}Sentence: {text}"),
                assistant(example_json({"formula": _in(notation, formula)})),
            ]
            heading = ""
    told = f"{BEFORE}{one_line(before)}\n" if before else ""
    stated = f"{_stated(values)}{told}Sentence: {one_line(sentence)}"
    asked = f"A new vocabulary:\n{_words(vocabulary, notation)}\n\n{stated}"
    if refused is not None:
        asked += f"\nAn earlier formula: {refused.formula}\nWhat is wrong with it: {refused.why}\nWrite a better one."
    return [*messages, user(asked)]


def _stated(values: Sequence[Number | Instant]) -> str:
    line = values_line(values)
    return f"{line}\n" if line else ""


def _words(vocabulary: Vocabulary, notation: Notation) -> str:
    return vocabulary_text(vocabulary) if notation == "fol" else declarations(vocabulary)


@cache  # every request shows all examples
def _in(notation: Notation, formula: str) -> str:
    """An example's formula in that notation."""
    found = read_fol(formula).sentence
    return formula if notation == "fol" or found is None else write_smtlib(found)
