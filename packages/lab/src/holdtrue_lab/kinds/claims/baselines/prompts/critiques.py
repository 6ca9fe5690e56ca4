"""Prompts in which a model criticises its own answer, or continues and rates its own thoughts.

They belong to the baselines Self-Refine (Madaan et al. 2023) and Tree of Thoughts (Yao et al. 2023, breadth first).
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Any

from holdtrue.language.asking import one_line
from holdtrue.language.judgements import FOUND
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.world.answer_shape import object_schema
from holdtrue.world.lenient_json import strip_thinking
from holdtrue_claims.kind.prompts.questions import SHAPE, QuestionPrompt, answer_hint

CRITIQUE = (
    "Check your answer against the context, one step at a time: does every step follow, and does the answer? "
    'Reply with JSON only: {"ok": true, "problems": []} if all of it does, otherwise '
    '{"ok": false, "problems": ["...", "..."]}, naming what is wrong.'
)
_REVISE = "Answer again without these mistakes."
THOUGHT_SYSTEM = (
    "You think about a question step by step, by what the context says and what follows from it. "
    "Give only the next step, in one or two full sentences, and no answer yet. Return only JSON."
)
RATE_SYSTEM = (
    "You rate reasoning about a question: does every step follow from the context, and does it lead to the right "
    "answer? Return only JSON."
)
THOUGHTS = "Reasoning so far:"
GO_ON = "Go on from there to the answer."
_LONGEST_THOUGHT = 400  # characters
LOWEST, HIGHEST = 1, 10
_NUMBER = re.compile(r"(?<![.\d])(10|[1-9])\b(?!\.\d)")

THOUGHT_SCHEMA: Mapping[str, Any] = object_schema({"thought": {"type": "string", "maxLength": _LONGEST_THOUGHT}})
RATE_SCHEMA: Mapping[str, Any] = object_schema(
    {"rating": {"type": "integer", "enum": list(range(LOWEST, HIGHEST + 1))}}
)


def critique_question(prompt: QuestionPrompt, answer: str) -> tuple[Message, ...]:
    """Return the prompt that asks the model for mistakes in its answer. `language.judgements` reads the reply."""
    return (*prompt.messages(), assistant(answer), user(CRITIQUE))


def refine_answer(prompt: QuestionPrompt, answer: str, found: Sequence[str]) -> tuple[Message, ...]:
    """Return the prompt that asks for an answer without the problems that the model itself found."""
    listed = [f"- {one_line(problem)}" for problem in found]
    return (*prompt.messages(), assistant(answer), user("\n".join([FOUND, *listed, _REVISE, *_shape(prompt)])))


def think_on(prompt: QuestionPrompt, thoughts: Sequence[str]) -> tuple[Message, ...]:
    """Return the prompt that asks for the next thought after these."""
    asked = "\n\n".join([prompt.opening(), *_so_far(thoughts), f'{SHAPE}{{"thought": "<the next step>"}}'])
    return (system(THOUGHT_SYSTEM), user(asked))


def conclude(prompt: QuestionPrompt, thoughts: Sequence[str]) -> tuple[Message, ...]:
    """Return the prompt that asks for the answer after these thoughts."""
    if not thoughts:
        return prompt.messages()
    asked = "\n".join([GO_ON, *_shape(prompt)])
    return (*prompt.messages(), assistant(" ".join(thoughts)), user(asked))


def rate(prompt: QuestionPrompt, thoughts: Sequence[str]) -> tuple[Message, ...]:
    """Return the prompt that asks for a rating of these thoughts, from `LOWEST` to `HIGHEST`."""
    shape = f'{SHAPE}{{"rating": <{LOWEST} (useless) to {HIGHEST} (surely right)>}}'
    return (system(RATE_SYSTEM), user("\n\n".join([prompt.opening(), *_so_far(thoughts), shape])))


def read_thought(text: str) -> str:
    """Return the thought in a reply. A reply without JSON is the thought itself."""
    found = reply_object(text, "thought").get("thought")
    thought = found if isinstance(found, str) else strip_thinking(text)
    return one_line(thought)[:_LONGEST_THOUGHT]


def read_rating(text: str) -> int:
    """Return the rating in a reply, or `LOWEST` if there is none."""
    found = reply_object(text, "rating").get("rating")
    if isinstance(found, int) and not isinstance(found, bool) and LOWEST <= found <= HIGHEST:
        return found
    number = _NUMBER.search(strip_thinking(text))
    return int(number[1]) if number else LOWEST


def _so_far(thoughts: Sequence[str]) -> list[str]:
    return ["\n".join([THOUGHTS, *(f"- {one_line(thought)}" for thought in thoughts)])] if thoughts else []


def _shape(prompt: QuestionPrompt) -> list[str]:
    """Return the line that shows the shape of an answer. It is empty if the question has no options."""
    return [f"{SHAPE}{answer_hint(prompt.options, prompt.frame == 'cot')}"] if prompt.options else []
