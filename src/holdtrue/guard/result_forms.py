"""Read tool results in every form that tools, protocols and logs use.

The forms are JSON, JSON as text (also encoded twice, or in a fenced block), Python's `repr` and content parts.
Envelopes of MCP and of tool messages are opened, too. Nothing is guessed: any other text stays a text. A message about
a stopped call carries a mark, because apps return it like a result. Frameworks wrap, quote, escape or cut it on the
way.
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
"""At most this many parts of a result are searched."""


def stop_mark(kind: str) -> str:
    """Return the mark of a decision of this `kind` that stops a call. JSON escapes none of its characters."""
    return f"{_MARK}{kind}]"


def stopped_note(tool: str) -> str:
    """Return the note on a text that came back for a stopped call."""
    return f"{tool}: the call was stopped, so what came back for it is no result"


def was_taken_back(body: Mapping[str, Any]) -> bool:
    """Return whether an event says that an allowed call was not made after all."""
    return body.get("outcome") == "failed" and str(body["result"]).startswith(_MARK)


def is_stop(result: Any, arguments: Any = None) -> bool:
    """Return whether a result contains the mark of a stopped call, at any depth and with any text around it.

    If the `arguments` contain the mark, too, the result may only repeat them, so it proves nothing.
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
"""At most this many forms may be nested."""
_LONGEST_REPR = 100_000
"""A Python `repr` may have at most this many characters."""
_TEXTS = ("text", "output_text", "input_text")
_OTHER_PARTS = ("image", "audio", "video", "file", "resource", "resource_link", "image_url", "input_image")
_ERROR_KEYS = ("error", "message", "detail")
"""Keys under which an object may report a missing record in words."""


@dataclass(frozen=True, slots=True)
class ReadResult:
    """A `ReadResult` is a result as values.

    Attributes:
        value: The values, or a text if it has no other form.
        text: The text that the values were read from, for a result that is declared as a text.
        failed: Whether the result reports a failed call.
        said: The texts in which it may report a missing record.
    """

    value: Any
    text: str | None
    failed: bool
    said: tuple[str, ...]


def dumped(result: Any) -> Any:
    """Return an object of a client library as JSON values, and any other result unchanged."""
    if not hasattr(result, "model_dump"):
        return result
    return result.model_dump(mode="json", by_alias=True, warnings=False)


def read_result(errors: Collection[str], result: Any, declared: Collection[str] = ()) -> ReadResult:
    """Return the values of a result, and whether it reports a failure.

    `errors` are beginnings of texts and keys of objects that report a failed call. `declared` are the field names of
    the tool's results, which are never read as parts of an envelope.
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
                # An object is an error if one of the error keys has a value.
                failed = failed or any(value.get(own) for own in errors) or is_failed(value, declared)
                names = (own for own in (*errors, *_ERROR_KEYS) if own not in declared)
                said += (value[own].strip() for own in names if isinstance(value.get(own), str))
            inner = _inside(value, declared)
        if inner is value:
            break
        value = inner
    return ReadResult(value, text, failed, tuple(said))


def is_failed(value: Mapping[str, Any], declared: Collection[str] = ()) -> bool:
    """Return whether a tool message or an MCP result is flagged as failed."""
    flagged = any(value.get(own) is True for own in ("isError", "is_error") if own not in declared)
    return flagged or (_is_message(value) and value.get("status") == "error")


def _is_message(value: Mapping[str, Any]) -> bool:
    return value.get("role") == "tool" or value.get("type") in ("tool", "tool_result", "function_call_output")


def _inside(value: Any, declared: Collection[str]) -> Any:
    """Return the content of an envelope or of content parts, or the value itself if it is neither."""
    if isinstance(value, list | tuple):
        return _joined(value, declared)
    if not isinstance(value, Mapping):
        return value
    if value.get("structuredContent") is not None and "structuredContent" not in declared:
        inner = value["structuredContent"]
        # Servers wrap results that are no objects under this name.
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
    """Return the text of content parts, or the values that they hold one by one.

    If both are possible, the text is returned.
    """
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
    """Return the values that a text holds, or the same text if it holds none."""
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
    """Return the values of a Python literal, or the text if it is none."""
    try:
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")
            found = _literal(ast.parse(own, mode="eval").body)
    except (ValueError, SyntaxError, TypeError, RecursionError, MemoryError):
        return text
    return text if isinstance(found, str) and repr(found) != own else found


def _literal(node: Any) -> Any:
    """Return the values of a literal. A part that is no literal becomes the reason why it cannot be read."""
    match node:
        case ast.Dict(keys, values):
            return merged((_literal(key), _literal(value)) for key, value in zip(keys, values, strict=True))
        case ast.List(items) | ast.Tuple(items):
            return [_literal(own) for own in items]
        case ast.Call() | ast.Name("nan" | "inf") | ast.UnaryOp(ast.USub(), ast.Name("inf")):
            return {UNREADABLE: f"no literal: {shortened(ast.unparse(node))}"}
    return ast.literal_eval(node)
