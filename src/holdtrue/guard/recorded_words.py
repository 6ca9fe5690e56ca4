"""This module lists the words that recorders of conversations use for roles, parts, calls and results.

It also has functions that look for such words in keys and texts.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

from holdtrue.errors import RecordError


def _by_word(groups: Mapping[str, str]) -> dict[str, str]:
    return {word: name for name, words in groups.items() for word in words.split()}


ROLES = _by_word(
    {
        "user": "user human humanmessage",
        "assistant": "assistant ai model gpt chatbot bot aimessage aimessagechunk toolcall functioncall tooluse",
        "tool": "tool function observation ipython toolresponse toolresult functionresponse toolmessage",
        "system": "system developer systemmessage",
    }
)
KINDS = _by_word(
    {
        "text": "text inputtext outputtext refusal",
        "call": "toolcall tooluse functioncall servertooluse mcptooluse customtoolcall toolinvocation mcpcall "
        "dynamictool toolscall",
        "result": "toolresult mcptoolresult toolcallresponse toolcallresult toolcalloutput toolresponse "
        "functioncalloutput functionresponse customtoolcalloutput websearchtoolresult",
        "silent": "think thinking redactedthinking reasoning reasoningtext reasoningcontent thought thoughtsignature "
        "summarytext source sourceurl sourcedocument stepstart cachepoint guardcontent citationscontent",
        "media": "image imageurl inputimage imagefile inlinedata filedata videometadata audio inputaudio outputaudio "
        "video videourl media file inputfile blob uri",
        "paper": "document resource resourcelink searchresult",
    }
)
"""The kinds of content parts, by the `type` of a part, or by its only key if it has no type."""
CALLS = {"toolcall", "toolcalls", "functioncall", "functioncalls", "tooluse", "tooluses", "toolinvocation", "args"}
CALLS |= {"toolinvocations", "invalidtoolcalls", "arguments"}
"""Keys that hold calls, in the form of `plain_name`."""
NAMES, ARGUMENTS = ("name", "toolName", "tool_name", "function", "tool"), ("arguments", "args", "input", "parameters")
_IDS = ("toolcallid", "tooluseid", "callid", "toolcallids")
TEXTS, SAID = ("text", "content", "value", "refusal"), ("content", "output", "result", "response", "value", "text")
STOPPED = (
    "error fail unsuccess reject cancel denied refus abort timeout timedout block skip interrupt declin forbid expir "
    "revert revok"
).split()
MADE = frozenset(
    "success successful succeeded ok complete completed done finished result outputavailable true 200".split()
)
"""Words by which recorders say that a call failed (`STOPPED`) or was made (`MADE`), in the form of `plain_name`."""
ERRORS = ("error", "fail", "exception")
"""Parts of the names of keys that hold an error."""
SUCCEEDS = ("success", "succeed", "approv", "execut", "accept", "complet", "valid")
"""Parts of the names of flags that say whether a call was made."""
LISTS = ("messages", "conversations", "contents", "traj", "history", "conversation", "trajectory", "input")
"""Keys that hold the messages of a conversation."""
OTHER_SPANS, FAILED_CALLS = "other_spans", "failed_calls"
"""Keys that readers of traces put beside the messages. The first has spans of functions, and the second ids of calls.

A tool of the policy among these functions would be a hidden call.
"""
FAILED = ("is_error", "isError", "error", "errorText")
SPEAKING = ("role", "from", "type", "name", "id", "index")
MARKS = re.compile(
    r"<\W{0,2}(?:\w{1,40}:)?(?:tool|function)(?:[\s_▁-]?(?:calls?|use)\b|=)|<(?:\w{1,40}:)?invoke\b|\[TOOL_CALLS\]"
    r"|<\|python_tag\|>|\A\s{0,9}\[[\w.]{1,80}\(|```tool_code"
    r"|^[^\w\n]{0,20}Action[^\w\n]{0,20}:.{0,400}\n\W{0,20}Action[ _]?Input\W{0,20}:",
    re.IGNORECASE | re.MULTILINE,
)
"""A pattern of the marks by which models write calls into texts. Its repeats are bounded, so that no text takes long.
"""

_LONGEST_KEPT = 64
"""Longer keys are not cached, because a log must not be able to fill the memory."""


def mark_in(text: str) -> re.Match[str] | None:
    """Return the first mark of a call in a text, or None."""
    return MARKS.search(text) if any(own in text for own in ("<", "[", "`", "ction", "CTION")) else None


def between(text: str, tag: str) -> tuple[list[str], str]:
    """Return the texts between tags of a name, and the text without them. An unclosed tag stays in the text."""
    first, *pieces = text.split(f"<{tag}>")
    parts = [own.partition(f"</{tag}>") for own in pieces]
    left = (after if closed else f"<{tag}>{inner}" for inner, closed, after in parts)
    return [inner.strip() for inner, closed, _ in parts if closed], "".join((first, *left))


def load_once(text: str | bytes, where: str) -> Any:
    """Return the values of a JSON text. Raises `RecordError` for a key with two values, `ValueError` for no JSON."""

    def once(pairs: list[tuple[str, Any]]) -> dict[str, Any]:
        found = dict(pairs)
        if len(found) < len(pairs) and (twice := [name for name, own in pairs if own != found[name]]):
            raise RecordError(f"{where}: the key {twice[0]!r:.40} stands twice")
        return found

    return json.loads(text, object_pairs_hook=once)


def json_in(value: Any, where: str) -> Any:
    """Return the object or list in a JSON text, None for any other text, and any other value unchanged."""
    bare = value.strip("` \n").removeprefix("json").lstrip() if isinstance(value, str) else ""
    try:
        return load_once(bare, where) if bare[:1] in ("{", "[") else None if isinstance(value, str) else value
    except (ValueError, RecursionError):
        return None


def plain_name(key: str) -> str:
    """Return a key in lower case without signs, so that `toolCalls`, `tool_calls` and `tool-calls` are equal."""
    return _plain_name(key) if len(key) <= _LONGEST_KEPT else _plain_name.__wrapped__(key)


@lru_cache(4096)
def _plain_name(key: str) -> str:
    return "".join(filter(str.isalnum, key)).lower()


def is_id(key: str) -> bool:
    """Return whether a key names the id of a call."""
    return plain_name(key) in _IDS


def listed(value: object) -> Sequence[Any]:
    """Return the items of a list, nothing for None, and any other value as a list of one."""
    return value if isinstance(value, list) else () if value is None else (value,)
