"""Tell why a server ended a reply, in the words of many servers.

The protocol knows `stop`, `length`, `content_filter`, `tool_calls` and `function_call`. Servers that only resemble
OpenAI's pass on the words of what runs behind them (Anthropic, Gemini, Cohere, Bedrock, DeepSeek, vLLM, SGLang), and
new ones come. So a reason is known by its words, and one of unknown words is told and not guessed at.
"""

from __future__ import annotations

import re
from enum import Enum
from typing import Any


class End(Enum):
    """An `End` is the reason why a reply ended."""

    DONE = "done"
    CUT = "cut"
    FILTERED = "filtered"
    REFUSED = "refused"
    TOOL_CALL = "tool_call"
    FAULT = "fault"
    UNSAID = "unsaid"
    UNKNOWN = "unknown"


# Whole reasons, in lower case and with `_` between words.
_DONE = frozenset(
    {"stop", "stopped", "stop_sequence", "stop_token", "stop_word", "eos", "eos_token", "eot", "eom"}
    | {"end", "end_turn", "end_of_turn", "end_of_text", "endoftext"}
    | {"complete", "completed", "finish", "finished", "done", "normal", "success"}
)
_UNSAID = frozenset(("", "null", "none", "unspecified", "finish_reason_unspecified"))
# The first that is found in a reason decides. A filter comes before a fault ("error_toxic"), a fault before a limit
# ("rate_limit", "time_limit").
_BY_WORD = (
    (
        End.FILTERED,
        r"filter|safety|recitation|blocklist|block|prohibited|spii|moderat|guardrail|sensitive|toxic|policy|flagged|"
        r"copyright|censor",
    ),
    (End.REFUSED, r"refus|declin"),
    (
        End.FAULT,
        r"malformed|abort|cancel|insufficient|network|fail|time_?out|time_limit|rate_limit|unavailable|overload|"
        r"interrupt|disconnect|preempt|shutdown|exception|internal|error(?!_limit)",
    ),
    (End.CUT, r"length|max|limit|context|window|truncat|incomplete|budget"),
    (End.TOOL_CALL, r"tool|function"),
)
_WORDS = tuple((end, re.compile(words)) for end, words in _BY_WORD)
_LONGEST = 200


def end_of(reason: Any) -> End:
    """Return what a finish reason of any type means; an object is known by its member `type`, as some servers send."""
    if isinstance(reason, dict):
        reason = reason.get("type", reason.get("reason"))
    if reason is None:
        return End.UNSAID
    if not isinstance(reason, str):
        return End.UNKNOWN
    # "MAX_TOKENS", "maxTokens", "content_filter: SAFETY", "FinishReason.STOP"
    snake = re.sub(r"(?<=[a-z])(?=[A-Z])", "_", reason[:_LONGEST]).strip().lower().removeprefix("finish_reason.")
    plain = re.sub(r"[^a-z]+", "_", snake).strip("_")
    if plain in _UNSAID:
        return End.UNSAID
    if plain in _DONE:
        return End.DONE
    return next((end for end, words in _WORDS if words.search(plain)), End.UNKNOWN)
