"""Decide whether the answer of a chat server is a reply, and of which kind, or a fault.

All fields of the protocol are considered in this order. The first rule that applies decides.

1. A **fault**, raised as `Fault`. The answer is no object, or has an `error` of any shape. It has no choice or no
   message, or its content is neither text nor parts. Or the choice has an `error` or ended by one (`finish_reason`
   error, abort, cancelled, network_error, insufficient_system_resource, ...).
2. **refused**: `message.refusal` has words, or the content has a part of type `refusal`, or the reply ended by a
   refusal. The text is that of the refusal. Other content is no answer.
3. **filtered**: the reply ended by a filter, or Azure's filter results say so. They are in the choice, in the message
   or, if there is no choice, in the prompt. The text is the rest that the filter left. Azure and OpenRouter report a
   filtered prompt as an error. It is `filtered` too, since it is a decision about the conversation and no fault.
4. **tool_call**: the message calls a tool or a function, or the reply ended by one. No tool was offered, so the text is
   no answer. The note names the tool.
5. **cut**: the reply ended by a limit of tokens or of context, even if it has only thinking.
6. A fault again: there is no text, and no reason for that. The call is tried again. The same holds if a model thought
   (`reasoning_content` and the like) and wrote nothing, since thoughts are no answer.
7. **answer**: text that ended normally, or for no reason or an unknown one, which the note then names.

OpenRouter adds `native_finish_reason`. It counts if the plain reason only says that the reply is done.

The protocol has the reasons `stop`, `length`, `content_filter`, `tool_calls` and `function_call`. Servers that resemble
OpenAI's pass on the words of their backends (Anthropic, Gemini, Cohere, Bedrock, DeepSeek, vLLM, SGLang). So a reason
is recognised by its words, and an unknown one is reported instead of guessed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from enum import Enum
from typing import Any

from holdtrue.models.chat import well_formed
from holdtrue.models.retry_policy import Fault, FaultKind, fault_in, filtered_prompt, in_words
from holdtrue.record import ReplyKind

# A larger number is not a token count of one call.
_MOST_TOKENS = 10**9
_DEEPEST = 6
# The fields for results of filters, and for a model's thoughts.
_FILTER_RESULTS = ("content_filter_results", "content_filter_result")
_THOUGHTS = ("reasoning_content", "reasoning", "reasoning_details", "thinking")
_THINKING_PARTS = ("thinking", "reasoning", "redacted_thinking")


@dataclass(frozen=True, slots=True)
class ServerReply:
    """The reply in an answer. Its `note` is not redacted yet. `tokens` are those of prompt and reply (0 if unknown).

    `thinking` are the tokens of the reply that are thoughts, and `thoughts` is their text.
    """

    text: str
    kind: ReplyKind
    note: str | None = None
    tokens: tuple[int, int] = (0, 0)
    thinking: int = 0
    thoughts: str = ""


def classify_body(body: object) -> ServerReply:
    """Return the reply in the decoded `body` of a successful answer. Raises `Fault` if there is none."""
    if not isinstance(body, dict):
        raise Fault(FaultKind.GARBLED, f"the answer is no chat completion: {in_words(body)}")
    usage = body.get("usage")
    counts = usage if isinstance(usage, dict) else {}
    tokens = _count(counts.get("prompt_tokens")), _count(counts.get("completion_tokens"))
    details = counts.get("completion_tokens_details") or counts.get("output_tokens_details")
    thinking = _count(details.get("reasoning_tokens")) if isinstance(details, dict) else 0
    try:
        return replace(_read_reply(body, tokens), thinking=thinking or _count(counts.get("reasoning_tokens")))
    except Fault as fault:
        fault.spent = tokens
        raise


def _read_reply(body: Mapping[str, Any], tokens: tuple[int, int]) -> ServerReply:
    filtered = filtered_prompt(body)
    if filtered is not None:
        return ServerReply("", ReplyKind.FILTERED, filtered, tokens)
    fault = fault_in(body)
    if fault is not None:
        raise fault
    choices = body.get("choices")
    if not isinstance(choices, list) or not choices:
        if _says_filtered(body.get("prompt_filter_results") or body.get("prompt_annotations")):
            return ServerReply("", ReplyKind.FILTERED, "the prompt was filtered", tokens)
        raise Fault(FaultKind.CALL, f"the answer has no choices: {in_words(body)}")
    choice = choices[0]
    message = choice.get("message") if isinstance(choice, dict) else None
    if not isinstance(choice, dict):
        raise Fault(FaultKind.CALL, f"the answer has no message: {in_words(choice)}")
    if choice.get("error"):
        raise fault_in(choice) or Fault(FaultKind.CALL, in_words(choice))
    end, reason = _end(choice)
    if end is End.FAULT:
        raise Fault(FaultKind.CALL, f"the server ended the reply by {in_words(reason)}")
    if not isinstance(message, dict):
        if end is not End.FILTERED:
            raise Fault(FaultKind.CALL, f"the answer has no message: {in_words(choice)}")
        message = {}
    return replace(_reply(choice, message, end, reason, tokens), thoughts=_thoughts(message))


def _thoughts(message: Mapping[str, Any]) -> str:
    """Return the thoughts that a message shows beside its content or among its parts."""
    content = message.get("content")
    parts = [own for own in content if isinstance(own, dict)] if isinstance(content, list) else []
    thought = [own for own in parts if own.get("type") in _THINKING_PARTS]
    found = next((message[name] for name in _THOUGHTS if message.get(name)), thought)
    given = found if isinstance(found, list) else [found]
    texts = [own if isinstance(own, str) else _first_text(own) for own in given]
    return well_formed("\n".join(own for own in texts if own))


def _first_text(part: object) -> str:
    names = ("thinking", "text", "reasoning", "summary", "content")
    return next((_text_of(part, name) for name in names if _text_of(part, name)), "") if isinstance(part, dict) else ""


def _reply(
    choice: Mapping[str, Any], message: Mapping[str, Any], end: End, reason: object, tokens: tuple[int, int]
) -> ServerReply:
    said = _read_content(message.get("content"))
    refusal = message.get("refusal")
    refused = refusal if isinstance(refusal, str) else ""
    refused = well_formed(refused if refused.strip() else said.refusal)
    if refused.strip() or (refusal and not isinstance(refusal, str)) or end is End.REFUSED:
        note = "the message held content beside the refusal" if refused.strip() and said.text.strip() else None
        return ServerReply(refused if refused.strip() else said.text, ReplyKind.REFUSED, note, tokens)
    results = [part.get(name) for part in (choice, message) for name in _FILTER_RESULTS]
    if end is End.FILTERED or _says_filtered(results):
        return ServerReply(said.text, ReplyKind.FILTERED, f"the reply was filtered ({in_words(reason)})", tokens)
    tool = _tool(message, said)
    if tool is not None or end is End.TOOL_CALL:
        note = f"the model calls {tool or 'a tool that is not named'} in place of answering"
        return ServerReply(said.text, ReplyKind.TOOL_CALL, note, tokens)
    thought = said.thought or any(message.get(name) for name in _THOUGHTS)
    if end is End.CUT:
        thinking = " while the model was thinking" if thought and not said.text.strip() else ""
        return ServerReply(said.text, ReplyKind.CUT, f"cut ({in_words(reason)}){thinking}", tokens)
    if not said.text.strip():
        nothing = "the model thought and wrote no answer" if thought else "the reply is empty"
        raise Fault(FaultKind.CALL, f"{nothing} (finish_reason {in_words(reason)})")
    return ServerReply(said.text, ReplyKind.ANSWER, _ended_oddly(end, reason), tokens)


def _end(choice: Mapping[str, Any]) -> tuple[End, object]:
    """Return why the choice ended, and the word that decided it."""
    reason = choice.get("finish_reason")
    end = end_of(reason)
    if end is End.UNSAID:
        reason = choice.get("finish_details", reason)
        end = end_of(reason)
    if end in (End.DONE, End.UNSAID, End.UNKNOWN):
        native = choice.get("native_finish_reason")
        meant = end_of(native)
        if meant in (End.CUT, End.FILTERED, End.REFUSED, End.FAULT) or (meant is End.DONE and end is not End.DONE):
            return meant, native
    return end, reason


def _ended_oddly(end: End, reason: object) -> str | None:
    if end is End.UNSAID:
        return "the server does not say why the reply ended"
    return f"the reply ended for an unknown reason, {in_words(reason)}" if end is End.UNKNOWN else None


@dataclass(slots=True)
class _Content:
    """The parts of a message's content."""

    text: str = ""
    refusal: str = ""
    thought: bool = False
    tool: str | None = None


def _read_content(content: object) -> _Content:
    """Read content of any shape that servers send: none, a text, one part or several."""
    found = _Content()
    if content is None or isinstance(content, str):
        found.text = well_formed(content or "")
        return found
    if not isinstance(content, dict | list):
        raise Fault(FaultKind.CALL, f"content is neither text nor parts: {in_words(content)}")
    texts: list[str] = []
    refusals: list[str] = []
    for part in content if isinstance(content, list) else [content]:
        if isinstance(part, str):
            texts.append(part)
        elif isinstance(part, dict):
            kind = part.get("type", "text")
            if kind in ("text", "output_text"):
                texts.append(_text_of(part))
            elif kind == "refusal":
                refusals.append(_text_of(part, "refusal") or _text_of(part))
            elif kind in ("tool_use", "tool_call", "function_call"):
                found.tool = _named(part)
            elif kind in _THINKING_PARTS:
                found.thought = True
    found.text, found.refusal = well_formed("".join(texts)), "".join(refusals)
    return found


def _text_of(part: Mapping[str, Any], name: str = "text") -> str:
    value = part.get(name)
    if isinstance(value, dict):
        value = value.get("value")
    return value if isinstance(value, str) else ""


def _tool(message: Mapping[str, Any], content: _Content) -> str | None:
    """Return the tools that the message calls, in words, or None if it calls none."""
    calls, function = message.get("tool_calls"), message.get("function_call")
    if isinstance(calls, list) and calls:
        return ", ".join(_named(call) for call in calls[:3]) + (", ..." if len(calls) > 3 else "")
    if calls and not isinstance(calls, list):
        return _named(calls)
    if isinstance(function, dict) and (function.get("name") or function.get("arguments")):
        return _named(function)
    return content.tool


def _named(call: object) -> str:
    fields = call if isinstance(call, dict) else {}
    inner = fields.get("function")
    name = inner.get("name") if isinstance(inner, dict) else fields.get("name")
    return f"the tool {name[:80]!r}" if isinstance(name, str) and name else "a tool that is not named"


def _says_filtered(results: object, depth: int = 0) -> bool:
    """Return whether nested results of filters have `filtered: true` anywhere."""
    if depth == _DEEPEST:
        return False
    if isinstance(results, dict):
        return results.get("filtered") is True or any(_says_filtered(value, depth + 1) for value in results.values())
    return isinstance(results, list) and any(_says_filtered(value, depth + 1) for value in results)


def _count(tokens: object) -> int:
    """Return a token count, or 0 if the value is not a number in the range of one call."""
    if isinstance(tokens, bool) or not isinstance(tokens, int | float):
        return 0
    return int(tokens) if 0 <= tokens <= _MOST_TOKENS else 0  # NaN fails the comparison


class End(Enum):
    """The reason why a reply ended."""

    DONE = "done"
    CUT = "cut"
    FILTERED = "filtered"
    REFUSED = "refused"
    TOOL_CALL = "tool_call"
    FAULT = "fault"
    UNSAID = "unsaid"
    UNKNOWN = "unknown"


# Complete reasons in lower case, with `_` between words.
_DONE = frozenset(
    {"stop", "stopped", "stop_sequence", "stop_token", "stop_word", "eos", "eos_token", "eot", "eom"}
    | {"end", "end_turn", "end_of_turn", "end_of_text", "endoftext"}
    | {"complete", "completed", "finish", "finished", "done", "normal", "success"}
)
_UNSAID = frozenset(("", "null", "none", "unspecified", "finish_reason_unspecified"))
# The first pattern that is found in a reason decides. Filters precede faults ("error_toxic"), and faults precede
# limits ("rate_limit", "time_limit").
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
    """Return the meaning of a finish reason of any type. An object is read by its member `type`."""
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
