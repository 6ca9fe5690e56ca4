"""Read results in the forms in which tools, protocols and logs give them: one meaning, in whatever it is wrapped.

These are JSON, its text (also encoded twice, or in a fenced block), Python's `repr` of it, content parts, and the
envelopes of MCP, of tool messages and of tool results. Nothing is guessed: other texts stay texts.
The words that a model is given in place of the result of a stopped call are marked: apps hand them back as if the tool
had given them, and frameworks wrap, quote, escape or cut them.
"""

from __future__ import annotations

import ast
import warnings
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from holdtrue.errors import InputError
from holdtrue.guard.json_values import UNREADABLE, merged, parsed
from holdtrue.rules.paths import shortened

_MARK = "[holdtrue: stopped "
_MOST_PARTS = 10_000
"""So many parts of a result are looked through."""


def stop_mark(kind: str) -> str:
    """Return the mark of a decision that stops a call; `kind` is the decision's. It has no sign that JSON escapes."""
    return f"{_MARK}{kind}]"


def stopped_note(tool: str) -> str:
    """Return the note on what came back for a stopped call of a tool."""
    return f"{tool}: the call was stopped, so what came back for it is no result"


def was_taken_back(body: Mapping[str, Any]) -> bool:
    """Return whether an event says that a call which was let through was not made after all."""
    return body.get("outcome") == "failed" and str(body["result"]).startswith(_MARK)


def is_stop(result: Any, arguments: Any = None) -> bool:
    """Return whether a result carries the mark of a stopped call, at any depth and with any text around it.

    A mark that stands in the `arguments` of the call, too, may be an echo of them, and proves nothing.
    """
    return _has_mark(result) and not _has_mark(arguments)


def _has_mark(value: Any) -> bool:
    left = [value]
    for _ in range(_MOST_PARTS):
        if not left:
            return False
        own = left.pop()
        match own:
            case str() | bytes():
                text = own if isinstance(own, str) else own.decode(errors="replace")
                if _MARK in text:
                    return True
            case Mapping():
                left += own.values()
            case list() | tuple():
                left += own
            case BaseException():
                left += own.args
            case _ if hasattr(own, "model_dump"):
                left.append(getattr(own, "content", None))
    return False


_DEEPEST = 8
"""So many forms may be wrapped in one another."""
_LONGEST_REPR = 100_000
"""A text of Python may have so many characters."""
_TEXTS = ("text", "output_text", "input_text")
_OTHER_PARTS = ("image", "audio", "video", "file", "resource", "resource_link", "image_url", "input_image")
_ERROR_KEYS = ("error", "message", "detail")
"""Under these an object may say, in words, that there is no such record."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A result as values.

    Attributes:
        value: The values; a text where it is nothing else.
        text: The text that the values were read from, for a result that is declared as a text.
        failed: Whether it says that the call failed.
        said: The texts in which it may say that there is no such record.
    """

    value: Any
    text: str | None
    failed: bool
    said: tuple[str, ...]


def dumped(result: Any) -> Any:
    """Return a result, as JSON values where it is an object of a client's library."""
    if not hasattr(result, "model_dump"):
        return result
    return result.model_dump(mode="json", by_alias=True, warnings=False)


def read_result(errors: Collection[str], result: Any, declared: Collection[str] = ()) -> ReadResult:
    """Return what a result says.

    `errors` are the beginnings of texts, and the keys of objects, that say that a call failed. `declared` are the names
    of fields that the tool's own results have, so that none is taken for a part of an envelope.
    """
    value, text, said, failed = result, None, list[str](), False
    for _ in range(_DEEPEST):
        value = dumped(value)
        failed = failed or isinstance(value, BaseException)
        if isinstance(value, bytes):
            value = value.decode(errors="replace")
        if isinstance(value, str):
            text = value = value.removeprefix("\ufeff")
            said.append(value.strip())
            failed = failed or any(said[-1].startswith(own) for own in errors)
            inner = _of_text(value)
        else:
            if isinstance(value, Mapping):
                # An object is an error if it has something under a key that errors are called by.
                failed = failed or any(value.get(own) for own in errors) or is_failed(value, declared)
                names = (own for own in (*errors, *_ERROR_KEYS) if own not in declared)
                said += (value[own].strip() for own in names if isinstance(value.get(own), str))
            inner = _inside(value, declared)
        if inner is value:
            break
        value = inner
    return ReadResult(value, text, failed, tuple(said))


def is_failed(value: Mapping[str, Any], declared: Collection[str] = ()) -> bool:
    """Return whether a message or a result of MCP is flagged as that of a call that failed."""
    flagged = any(value.get(own) is True for own in ("isError", "is_error") if own not in declared)
    return flagged or (_is_message(value) and value.get("status") == "error")


def _is_message(value: Mapping[str, Any]) -> bool:
    return value.get("role") == "tool" or value.get("type") in ("tool", "tool_result", "function_call_output")


def _inside(value: Any, declared: Collection[str]) -> Any:
    """Return what is wrapped in an envelope or in content parts; the value itself where nothing is."""
    if isinstance(value, list | tuple):
        return _joined(value, declared)
    if not isinstance(value, Mapping):
        return value
    if value.get("structuredContent") is not None and "structuredContent" not in declared:
        inner = value["structuredContent"]
        # Servers put results that are no objects under this name.
        alone = isinstance(inner, Mapping) and inner.keys() == {"result"} and "result" not in declared
        return inner["result"] if alone else inner
    if _is_message(value):
        return value.get("output" if value.get("type") == "function_call_output" else "content")
    content = value.get("content")
    if "content" in declared or not isinstance(content, list | tuple):
        return _joined([value], declared) if _is_text(value) else value
    if not content and "isError" in value:
        return ""
    return content if content and all(map(_is_part, content)) else value


def _is_part(value: Any) -> bool:
    return _is_text(value) or (isinstance(value, Mapping) and value.get("type") in _OTHER_PARTS)


def _is_text(value: Any) -> bool:
    return isinstance(value, Mapping) and value.get("type") in _TEXTS and isinstance(value.get("text"), str)


def _joined(value: Sequence[Any], declared: Collection[str]) -> Any:
    """Return the text of content parts, or the values that they are one by one; where it may be both, the text."""
    parts = [dumped(own) for own in value]
    if not parts or not all(map(_is_part, parts)) or {"type", "text"} <= {*declared}:
        return value
    texts = [own["text"] for own in parts if _is_text(own)]
    if not texts:
        return value
    whole = next((own for own in ("".join(texts), "\n".join(texts)) if _of_text(own) is not own), None)
    one_by_one = [_of_text(own) for own in texts]
    each = all(own is not text for own, text in zip(one_by_one, texts, strict=True))
    if each and whole is None:
        return one_by_one
    return whole if whole is not None and (not each or len(texts) == 1) else "\n".join(texts)


def _of_text(text: str) -> Any:
    """Return the values that a text says, or just the text where it says none."""
    try:
        return parsed(text, strict=False)
    except InputError:
        own = text[: _LONGEST_REPR + 1].strip()
    if own.startswith("```") and text.rstrip().endswith("```"):
        inner = text.strip()[3:-3].partition("\n")[2]
        found = _of_text(inner)
        return text if found is inner else found
    if own in ("True", "False", "None") or (own.startswith(tuple("{[('\"")) and len(text) <= _LONGEST_REPR):
        return _of_python(own, text)
    return text


def _of_python(own: str, text: str) -> Any:
    """Return the values that a literal of Python says, or the text where it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _literal(ast.parse(own, mode="eval").body)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return text
    return text if isinstance(found, str) and repr(found) != own else found


def _literal(node: Any) -> Any:
    """Return the values of a literal; in place of what was written as no literal stands why it cannot be read."""
    match node:
        case ast.Dict(keys, values):
            return merged((_literal(key), _literal(value)) for key, value in zip(keys, values, strict=True))
        case ast.List(items) | ast.Tuple(items):
            return [_literal(own) for own in items]
        case ast.Call() | ast.Name("nan" | "inf") | ast.UnaryOp(ast.USub(), ast.Name("inf")):
            return {UNREADABLE: f"no literal: {shortened(ast.unparse(node))}"}
    return ast.literal_eval(node)
