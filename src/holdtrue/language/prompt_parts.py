"""What prompts of all kinds share: the words of a retry, and how a text is shown.

The retries are those published with DRIFT-Bench (paper, appendix A.6).
"""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.models.chat import Message, user

FORMAT_SYSTEM = "You are a strict JSON formatter. Output one valid JSON object only. No markdown or prose."
TRUNCATION = (
    "Previous answer was clipped by token limit. Retry with one compact JSON object only: "
    "no bullets, no prose, no analysis."
)


def truncation_retry(prompt: Sequence[Message]) -> tuple[Message, ...]:
    """The published prompt after a clipped answer: the same question, and the plea to be brief (A.6)."""
    return (*prompt[:-1], user(f"{prompt[-1].content}\n\n{TRUNCATION}"))


def one_line(text: str) -> str:
    """A text as prompts show it, on one line: a line break in it could begin another part of the prompt."""
    return " ".join(text.split())
