"""Read rows that have the messages of a conversation, in a form of any provider, as lines or within a document."""

from __future__ import annotations

from holdtrue.errors import RecordError
from holdtrue.guard.log_formats.log_format import Conversations, LogFormat, Values, keys_of
from holdtrue.guard.recorded_words import LISTS

_WITHIN = ("samples", "conversations", "rows", "data")
"""The keys of a document that may have its rows."""


def _read(values: Values) -> Conversations:
    for where, value in values:
        rows, beside, own = [value], list[str](), ""
        if isinstance(value, dict) and not isinstance(value.get("messages"), list):
            lists = {key: found for key, found in value.items() if _are_rows(found)}
            keys = sorted((key for key in _WITHIN if key in lists), key=lambda key: not lists[key])
            if keys:
                own, rows = keys[0], lists[keys[0]]
                beside = [key for key, found in lists.items() if key != own and found]
        yield from (own if isinstance(own, dict) else RecordError(f"{where}: {keys_of(own)}") for own in rows)
        for key in beside:
            if key in _WITHIN or any(isinstance(row.get(name), list) for row in lists[key] for name in LISTS):
                yield RecordError(f"{key}: its rows stand beside those of {own}, and are not read")


def is_message(value: object) -> bool:
    """Return whether a value is a message, and no row."""
    return isinstance(value, dict) and bool(value.keys() & {"role", "from"})


def _are_rows(value: object) -> bool:
    return isinstance(value, list) and all(isinstance(own, dict) and not is_message(own) for own in value)


MESSAGES = LogFormat(
    "messages",
    "rows with messages, or a request and its response, of OpenAI, Anthropic, Gemini, LangChain, ShareGPT and others",
    lambda value: isinstance(value, dict) and any(isinstance(value.get(own), list) for own in LISTS),
    _read,
)
