"""Ask a model to write a sentence as one formula in a pinned vocabulary, and read its reply.

The frame and its examples come first, then the vocabulary, and the sentence last: all requests about one context have
the same prefix up to the sentence, so that a backend's prefix cache can be used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Any

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.logic.value_sorts import Instant
from holdtrue.models.chat import Message, user
from holdtrue.world.jsonscan import strip_thinking
from holdtrue.world.schema import object_schema
from holdtrue_claims.fol.alert import Alert, AlertKind
from holdtrue_claims.fol.meaning import settled
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Number, Sentence
from holdtrue_claims.fol.vocabulary import Vocabulary
from holdtrue_claims.fol.vocabulary_check import check
from holdtrue_claims.kind.prompts.choice import BEFORE
from holdtrue_claims.kind.prompts.formula_examples import examples_for
from holdtrue_claims.kind.prompts.formula_pattern import offer_pattern
from holdtrue_claims.kind.prompts.logic_text import declarations, example_json, headed, taught, vocabulary_text
from holdtrue_claims.kind.prompts.offered import Offer, offer, stated_values, value_doubts, values_line
from holdtrue_claims.kind.settings import Notation
from holdtrue_claims.smtlib.assertion_text import read_smtlib, write_smtlib

MEANINGLESS: frozenset[AlertKind] = frozenset(
    {"undeclared", "arity_clash", "sort_clash", "free_variable", "function", "unsupported", "unparsed"}
)
"""What a formula may not have; a repaired bracket is only told."""
_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Formalization:
    """The text that a model wrote, the first-order sentence in it (None if it cannot be read), and its faults."""

    text: str
    sentence: Sentence | None
    alerts: tuple[Alert, ...] = ()

    @property
    def sound(self) -> bool:
        """Return whether there is a sentence with a meaning in the vocabulary; it need not be the right one."""
        return self.sentence is not None and not any(alert.kind in MEANINGLESS for alert in self.alerts)


async def formalize(
    asking: Asking,
    vocabulary: Vocabulary,
    sentence: str,
    *,
    notation: Notation = "fol",
    temperature: float = 0.0,
    sample: int = 0,
    purpose: str = "formalize",
    refused: Refused | None = None,
    before: str = "",
) -> Formalization:
    """Ask a model for the formula of a sentence; a faulty one is returned with alerts.

    The prompt shows what was said `before`, and an earlier formula that was `refused` with the reason. Raises
    `ModelError`.
    """
    offered = offer(vocabulary, f"{before} {sentence}" if before else sentence)
    messages = formula_messages(vocabulary, sentence, notation, refused, offered.values, before)
    reply = await asking.ask(
        purpose,
        messages,
        formula_schema(offered, notation),
        temperature=temperature,
        sample=sample,
        max_tokens=_TOKENS,
        frame=len(messages) - 1,
    )
    found = read_formalization(reply_formula(reply), vocabulary, notation)
    return replace(found, alerts=(*found.alerts, *value_doubts(sentence)))


def formula_schema(offered: Offer, notation: Notation = "fol") -> Mapping[str, Any]:
    """The schema of a reply: an object whose `formula` is one that is offered, or begins and ends as an assertion."""
    pattern = offer_pattern(offered) if notation == "fol" else r"^\(assert .*\)$"
    return object_schema({"formula": {"type": "string", "pattern": pattern}})


def reply_formula(reply: str) -> str:
    """Return the formula in a reply, or the whole reply if it has none, so that an alert can quote it."""
    formula = reply_object(reply, "formula").get("formula")
    return formula.strip() if isinstance(formula, str) else strip_thinking(reply).strip()


def read_formalization(text: str, vocabulary: Vocabulary, notation: Notation = "fol") -> Formalization:
    """Read a formula and check it against the vocabulary. Never raises."""
    read = read_fol(text) if notation == "fol" else read_smtlib(text, vocabulary)
    if read.sentence is None:
        return Formalization(text, None, read.alerts)
    sentence = settled(read.sentence, vocabulary)
    # Reading tells of free variables and functions already.
    known_kinds = {alert.kind for alert in read.alerts}
    faults = check(vocabulary, sentence, text if notation == "fol" else "")
    return Formalization(text, sentence, (*read.alerts, *(alert for alert in faults if alert.kind not in known_kinds)))


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
    trials = (
        (
            f"{heading}{values_line(stated_values(own, text))}Sentence: {text}",
            example_json({"formula": _in(notation, formula)}),
        )
        for own, pairs in examples_for(vocabulary, notation)
        for heading, (text, formula) in headed(_words(own, notation), pairs)
    )
    told = f"{BEFORE}{one_line(before)}\n" if before else ""
    stated = f"{values_line(values)}{told}Sentence: {one_line(sentence)}"
    asked = f"A new vocabulary:\n{_words(vocabulary, notation)}\n\n{stated}"
    if refused is not None:
        asked += f"\nAn earlier formula: {refused.formula}\nWhat is wrong with it: {refused.why}\nWrite a better one."
    return [*taught(SYSTEM[notation], trials), user(asked)]


def _words(vocabulary: Vocabulary, notation: Notation) -> str:
    return vocabulary_text(vocabulary) if notation == "fol" else declarations(vocabulary)


@cache  # every request shows all examples
def _in(notation: Notation, formula: str) -> str:
    """An example's formula in that notation."""
    found = read_fol(formula).sentence
    return formula if notation == "fol" or found is None else write_smtlib(found)
