"""Ask a model to write a sentence as one formula in a pinned vocabulary, and read its reply."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.kinds.claims.prompts.formula_pattern import offer_pattern
from holdtrue.kinds.claims.prompts.formula_prompt import Refused, formula_messages
from holdtrue.kinds.claims.prompts.offered import Offer, offer, value_doubts
from holdtrue.kinds.claims.settings import Notation
from holdtrue.language.asking import Asking
from holdtrue.language.replies import reply_object
from holdtrue.logic.fol.alert import Alert, AlertKind
from holdtrue.logic.fol.meaning import settled
from holdtrue.logic.fol.notation import read_fol
from holdtrue.logic.fol.syntax import Sentence
from holdtrue.logic.fol.vocabulary import Vocabulary
from holdtrue.logic.fol.vocabulary_check import check
from holdtrue.logic.smtlib.assertion_text import read_smtlib
from holdtrue.world.jsonscan import strip_thinking
from holdtrue.world.schema import object_schema

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
