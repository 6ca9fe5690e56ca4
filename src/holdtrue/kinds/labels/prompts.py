"""The fixed frames of prompts that ask whether premises entail or contradict statements.

A prompt holds the frame, the premises, the statements, the model's earlier answers, and verdicts about these. A verdict
names the answers that clash, and may quote a conflict in sentences. A prompt can hold nothing else, because these are
the only parameters here.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Literal

from holdtrue.language.asking import FORMAT_SYSTEM, one_line
from holdtrue.language.prompts import reading_template
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.record import Label
from holdtrue.world.answer_shape import object_schema

Words = Literal["labels", "yes_no"]
"""The names of the three labels: ENTAILED, CONTRADICTED, UNKNOWN, or YES, NO, UNKNOWN."""

_TASK = (
    "You judge statements by what the given premises say, and by nothing else. "
    "Your answers have to be possible together."
)
LABEL_SYSTEM: dict[str, str] = {
    "direct": f"{_TASK} Return only JSON.",
    "few_shot": f"{_TASK} First comes an example with its answer. Return only JSON.",
    "cot": f"{_TASK} Reason briefly before you answer: at most 3 short bullets, then the final JSON.",
}
DEFINITIONS: dict[Words, str] = {
    "labels": (
        "For each statement, give a label:\n"
        "ENTAILED: the statement must be true: it is true in every situation that the premises allow.\n"
        "CONTRADICTED: it must be false: it is true in no situation that the premises allow.\n"
        "UNKNOWN: it can be true and can be false: true in some situations that the premises allow, false in others."
    ),
    "yes_no": (
        "For each question, give a label:\n"
        "YES: the answer must be yes: it is yes in every situation that the premises allow.\n"
        "NO: the answer must be no: it is no in every situation that the premises allow.\n"
        "UNKNOWN: it can be yes and can be no: yes in some situations that the premises allow, no in others."
    ),
}
_CONFIDENCE = "With every label you give a confidence from 0 to 1: how likely it is that the label is right."
WORDING: dict[Words, dict[Label, str]] = {
    "labels": {label: label.value for label in Label},
    "yes_no": {Label.ENTAILED: "YES", Label.CONTRADICTED: "NO", Label.UNKNOWN: "UNKNOWN"},
}

EXAMPLE_PREMISES = (
    "The red box is heavier than the blue box.",
    "The blue box is heavier than the green box.",
    "Every box is made of wood or of iron.",
)
EXAMPLE_QUERIES: tuple[tuple[str, str, Label, float], ...] = (
    ("The blue box is made of iron.", "Is the blue box made of iron?", Label.UNKNOWN, 0.9),
    (
        "The red box is heavier than the green box.",
        "Is the red box heavier than the green box?",
        Label.ENTAILED,
        0.95,
    ),
    ("The green box is the heaviest one.", "Is the green box the heaviest one?", Label.CONTRADICTED, 0.95),
    ("The red box is made of wood.", "Is the red box made of wood?", Label.UNKNOWN, 0.9),
    (
        "The green box is not heavier than the blue box.",
        "Is the blue box heavier than the green box?",
        Label.ENTAILED,
        0.9,
    ),
    ("The blue box is heavier than the red box.", "Is the blue box heavier than the red box?", Label.CONTRADICTED, 0.9),
)
"""The example that a frame may show: each statement, the same as a question, its label, and a confidence."""

# The lines that introduce the parts of a prompt. Simulated models read them too.
PREMISES = "Premises:"
BELIEFS = "What you have said so far:"
QUERIES: dict[Words, str] = {"labels": "Statements:", "yes_no": "Questions:"}
REPAIR = "REPAIR REQUIRED"
GIVEN = "Your answers were: "
CONFLICT = "These cannot all be true together:"
AGAIN = "Answer again, and think about which of them is wrong: "
SHAPE = "Answer with JSON of this shape: "
# A schema allows confidences in steps only, since small models would write endless digits of a number.
_STEPS = 20
FORMAT_REQUEST = "Reformat the response as JSON only; keep its answers as they are and add none."


@dataclass(frozen=True, slots=True)
class LabelRepair:
    """A `LabelRepair` is all that a prompt may say about labels that clash.

    `given` are all of the model's labels of this turn. `named` are the queries whose labels clash with each other or
    with the premises. `conflict` has the sentences of one minimal conflict, or is empty if only the names are shown.
    """

    given: Mapping[str, Label]
    named: tuple[str, ...]
    conflict: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class LabelPrompt:
    """All that a prompt for labels may depend on.

    `queries` are (id, statement), or (id, question) if `words` is yes_no. `beliefs` are the model's earlier statements.
    They are None if the prompt does not show them, and empty if there are none yet.
    """

    frame: str
    premises: tuple[str, ...]
    queries: tuple[tuple[str, str], ...]
    beliefs: tuple[str, ...] | None = None
    words: Words = "labels"
    repair: LabelRepair | None = None

    @property
    def ids(self) -> tuple[str, ...]:
        return tuple(id for id, _ in self.queries)

    def messages(self) -> tuple[Message, ...]:
        """Return the chat messages: the system prompt, and one message that begins the same for all queries."""
        frame = system(f"{LABEL_SYSTEM[self.frame]}\n{DEFINITIONS[self.words]}\n{_CONFIDENCE}")
        example = _example(self.words) if self.frame == "few_shot" else ()
        return (frame, *example, user(self._turn()))

    def schema(self) -> dict[str, Any] | None:
        """Return the JSON schema of a reply, or None if the model is to reason in prose first."""
        return None if self.frame == "cot" else label_schema(self.ids, self.words)

    def _turn(self) -> str:
        premises = [f"P{place}: {one_line(text)}" for place, text in enumerate(self.premises, start=1)]
        blocks = [_block(PREMISES, premises)]
        if self.beliefs is not None:
            blocks.append(_block(BELIEFS, [f"- {one_line(text)}" for text in self.beliefs or ("nothing yet",)]))
        blocks.append(_block(QUERIES[self.words], [f"{id}: {one_line(text)}" for id, text in self.queries]))
        if self.repair is not None:
            blocks.append(_repair(self, self.repair))
        blocks.append(f"{SHAPE}{label_hint(self.ids, self.words)}")
        return "\n\n".join(blocks)


def _example(words: Words) -> tuple[Message, ...]:
    """Return a prompt about another world, and its answer."""
    asked = tuple(
        (f"q{place}", statement if words == "labels" else question)
        for place, (statement, question, _, _) in enumerate(EXAMPLE_QUERIES)
    )
    answers = {
        f"q{place}": {"label": WORDING[words][label], "confidence": confidence}
        for place, (_, _, label, confidence) in enumerate(EXAMPLE_QUERIES)
    }
    prompt = LabelPrompt("direct", EXAMPLE_PREMISES, asked, words=words)
    return (*prompt.messages()[1:], assistant(json.dumps({"answers": answers})))


def label_schema(ids: Sequence[str], words: Words) -> dict[str, Any]:
    """Return the JSON schema of `{"answers": {id: {"label": ..., "confidence": 0..1}}}` with an answer to every id."""
    answer = object_schema(
        {
            "label": {"type": "string", "enum": list(WORDING[words].values())},
            "confidence": {"type": "number", "enum": [step / _STEPS for step in range(_STEPS + 1)]},
        }
    )
    return object_schema({"answers": object_schema(dict.fromkeys(ids, answer))})


def label_hint(ids: Sequence[str], words: Words) -> str:
    """Return one line in the shape of a reply, with placeholders. It shows the first id and then lists all of them."""
    slot = f'{{"label": "<{" | ".join(WORDING[words].values())}>", "confidence": <0 to 1>}}'
    shown = f'{{"answers": {{"{ids[0]}": {slot}{", ..." if len(ids) > 1 else ""}}}}}' if ids else '{"answers": {}}'
    return f"{shown} with an answer to each of {', '.join(ids)}" if len(ids) > 1 else shown


def label_format_retry(
    answer: str, ids: Sequence[str], words: Words = "labels", again: str = ""
) -> tuple[Message, ...]:
    """Return the prompt that asks for the same answers as clean JSON.

    `again` is a sentence about earlier attempts, which makes the prompt differ from theirs.
    """
    asked = "\n".join(filter(None, (FORMAT_REQUEST, again, f"{SHAPE}{label_hint(ids, words)}")))
    return (system(FORMAT_SYSTEM), user(f"{asked}\n\nResponse:\n{answer}"))


def prompt_templates() -> dict[str, str]:
    """Return the prompts of three tasks with placeholders in braces: classify queries, read commitments, repair."""
    premises = ("{premise 1}", "{premise 2}")
    queries = (("q0", "{statement 0}"), ("q1", "{statement 1}"))
    given = {"q0": Label.ENTAILED, "q1": Label.CONTRADICTED}
    conflict = ("{premise 2}", "{statement 0}", "Not the case: {statement 1}")
    asked = LabelPrompt("direct", premises, queries)
    return {
        "multi_query_reasoning": _as_text(asked.messages()),
        "commitment_extraction": _as_text(reading_template()),
        "repair": _as_text(replace(asked, repair=LabelRepair(given, ("q0", "q1"), conflict)).messages()),
    }


def _repair(prompt: LabelPrompt, repair: LabelRepair) -> str:
    wording, texts = WORDING[prompt.words], dict(prompt.queries)
    given = ", ".join(f"{id} {wording[label]}" for id, label in repair.given.items())
    # A conflict with earlier answers may name queries that are not part of this turn.
    again = [id for id in prompt.ids if id in repair.named] or list(prompt.ids)
    named = [f"- {id} ({wording[repair.given[id]]}): {one_line(texts[id])}" for id in again if id in repair.given]
    held = "the premises" if prompt.beliefs is None else "the premises and what you have said so far"
    parts = [REPAIR, f"{GIVEN}{given}.", _block(f"Of your answers, these cannot all hold together with {held}:", named)]
    if repair.conflict:
        parts.append(_block(CONFLICT, [f"- {one_line(text)}" for text in repair.conflict]))
    parts.append(f"{AGAIN}{', '.join(again)}.")
    if len(again) < len(prompt.ids):
        parts.append("Repeat the other answers as they are.")
    return "\n".join(parts)


def _block(title: str, lines: Sequence[str]) -> str:
    return "\n".join([title, *lines])


def _as_text(messages: Sequence[Message]) -> str:
    return "\n\n".join(f"[{message.role}]\n{message.content}" for message in messages)
