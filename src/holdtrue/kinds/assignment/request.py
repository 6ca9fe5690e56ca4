"""What a method sends to the model."""

from __future__ import annotations

from holdtrue.kinds.assignment.method import Method
from holdtrue.kinds.assignment.prompts import AnswerPrompt, RepairSignal
from holdtrue.kinds.assignment.turn import Turn
from holdtrue.language.critique import CRITIQUE_SCHEMA
from holdtrue.models.chat import Message, Request
from holdtrue.models.sampling import sampled
from holdtrue.verification.words import quote

CHARS_PER_TOKEN = 4  # a rough measure, good enough to bound a prompt


def answer_prompt(method: Method, turn: Turn, signal: RepairSignal | None = None) -> tuple[Message, ...]:
    """The chat that asks for this turn's answer, after a failed check with its repair signal."""
    shown = _shown_ledger(method, turn) if method.ledger else None
    frame, history = method.frame, turn.history
    return AnswerPrompt(turn.instance, frame, turn.protocol, history, turn.message, shown, signal).messages()


def make_request(method: Method, turn: Turn, purpose: str, messages: tuple[Message, ...], sample: int = 0) -> Request:
    """One call, sampled as the run and the method say; a frame that reasons in prose is bound to no schema."""
    sampling = turn.sampling
    schema = CRITIQUE_SCHEMA if purpose == "critique" else turn.instance.answer_schema()
    bound = sampling.structured and (purpose == "critique" or method.frame != "cot")
    return sampled(sampling, method.temperature, purpose, messages, schema if bound else None, sample)


def _shown_ledger(method: Method, turn: Turn) -> tuple[str, ...]:
    """The ledger before this turn as quoted lines; beyond the token budget the oldest are dropped."""
    lines = quote(turn.before.active, turn.before.active)
    room = method.ledger_tokens * CHARS_PER_TOKEN
    kept: list[str] = []
    for line in reversed(lines):
        room -= len(line) + 1
        if room < 0:
            break
        kept.append(line)
    return tuple(reversed(kept))
