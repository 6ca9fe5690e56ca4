"""Read and write the requests and answers of Anthropic's Messages protocol, stable and beta.

A content block counts as a call unless its kind is known to be no call.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from holdtrue.guard.clients import forms
from holdtrue.guard.clients.forms import plain, text_of
from holdtrue.guard.clients.message_events import NO_CALLS, given_in, joined_message, message_events
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.result_forms import is_failed

_CALL, _RESULT = "tool_use", "tool_result"
_SERVED, _MCP = "server_tool_use", "mcp_tool_use"
_CALLS = (_CALL, _SERVED, _MCP)


def is_call(block: Mapping[str, Any], let_run: frozenset[str] = frozenset()) -> bool:
    """Return whether a block may be a call. The provider's own calls of the tools in `let_run` are not."""
    kind, name = block.get("type"), str(block.get("name"))
    if kind == _SERVED:
        return ("code_execution" if name.endswith("_code_execution") else name) not in let_run
    if kind == _MCP:
        return "mcp_toolset" not in let_run
    return not (isinstance(kind, str) and kind in NO_CALLS)


def read_block(block: Mapping[str, Any]) -> GivenCall:
    """Return the call in a block. If it names no tool, the block's kind is the tool."""
    kind, name, id = block.get("type"), block.get("name"), block.get("id")
    if kind in _CALLS and isinstance(name, str):
        space = block.get("server_name" if kind == _MCP else "toolset_name")
        return forms.given_call(name, block.get("input"), id, space)
    own = {key: value for key, value in block.items() if key not in ("type", "id") and value is not None}
    return forms.given_call(str(kind or "unknown"), forms.as_text(own), id)


@dataclass(frozen=True, slots=True)
class MessagesForm:
    """The form of `messages.create`, also of the beta.

    Attributes:
        let_run: The provider's own tools whose calls nobody decides on.
        answers: The structured answers of the policy. A requested schema is identified by its title.
        is_beta: Whether answers and events have the types of the beta.
    """

    let_run: frozenset[str] = frozenset()
    answers: frozenset[str] = frozenset()
    is_beta: bool = False
    read: ClassVar[forms.ReadParts] = forms.ReadParts(
        "messages", NO_CALLS | {*_CALLS, _RESULT, "document", "search_result"}, ("system", "user", "assistant")
    )

    def history(self, request: Mapping[str, Any]) -> list[forms.Shown]:
        """Return the messages, calls and results in a request, without those of a thread that the provider keeps."""
        open_calls, found = forms.OpenCalls(), list[forms.Shown]()
        for message in map(plain, request.get("messages") or ()):
            blocks, role = _blocks(message), message.get("role")
            text = text_of(message.get("content"), role=role)
            called = [read_block(own) for own in blocks if own.get("type") in _CALLS and is_call(own, self.let_run)]
            found += open_calls.add(called)
            ids = [own.id for own in called if own.id]
            # A provider's own call has its result in the same message.
            shown = [own for own in blocks if own.get("type") == _RESULT or own.get("tool_use_id") in ids]
            for own in shown:
                is_odd = is_failed(own) or own.get("type") != _RESULT
                said = forms.as_text(own) if is_odd else text_of(own.get("content"))
                found += open_calls.take(own.get("tool_use_id"), said)
            if role == "assistant" or (role == "user" and (text or not shown)):
                found.append(forms.Shown(role, text))
        return found

    def calls(self, answer: Any) -> list[GivenCall]:
        """Return the calls in the content."""
        return [read_block(own) for own in _blocks(answer) if is_call(own, self.let_run)]

    def text(self, answer: Any) -> str:
        """Return the text of the content."""
        return text_of(plain(answer).get("content"))

    def structured(self, answer: Any) -> dict[int, str]:
        """Return the texts of the content by place.

        Next to calls, other texts or a refusal, a text counts only as a possible structured answer. Without any such
        text, all texts together count, at the place of the first.
        """
        blocks = _blocks(answer)
        said = {place: text_of([own]) for place, own in enumerate(blocks) if own.get("type") == "text"}
        found = {place: text for place, text in said.items() if "{" in text}
        is_free = plain(answer).get("stop_reason") == "refusal" or any(is_call(own, self.let_run) for own in blocks)
        return found if found or is_free or not said else {next(iter(said)): self.text(answer)}

    def told(
        self, request: Mapping[str, Any], answer: Any, results: Sequence[str], whys: Mapping[int, str]
    ) -> dict[str, Any]:
        """Return the request with the rejected content, a result for each of its calls, and the reasons in `whys`."""
        blocks = _blocks(answer)
        ids = iter(forms.told_ids([own.get("id") for own in blocks if is_call(own, self.let_run)]))
        ending = iter(results)
        kept, shown, says, left_out = [], list[dict[str, Any]](), list[str](), list[Any]()
        for block in blocks:
            own = given_in(block)
            if is_call(block, self.let_run):
                id, result = next(ids), next(ending)
                if block.get("type") != _CALL or not isinstance(block.get("name"), str):
                    # A message needs a result for such a block, in a special form.
                    left_out += [block["id"]] if block.get("id") else []
                    says.append(result)
                    continue
                own |= {"id": id, "input": _as_object(block.get("input"))}
                space = {"toolset_name": own["toolset_name"]} if "toolset_name" in own else {}
                shown.append({"type": _RESULT, "tool_use_id": id, "content": result, "is_error": True, **space})
            elif block.get("tool_use_id") in left_out or (own.get("type") == "text" and not text_of([own]).strip()):
                continue
            kept.append(own)
        shown += [{"type": "text", "text": own} for own in (*says, *ending, *whys.values())]
        messages = _appended(request.get("messages") or (), "assistant", kept)
        return {**request, "messages": _appended(messages, "user", shown)}

    def changed(self, answer: Any, arguments: Mapping[int, Any], texts: Mapping[int, Any]) -> Any | None:
        """Return the answer with other arguments and texts, or None if the app does not make a call itself."""
        made = plain(answer)
        calls = [own for own in made["content"] if is_call(own, self.let_run)]
        for place, own in arguments.items():
            if calls[place].get("type") != _CALL:
                return None
            text = forms.as_text(own)
            calls[place]["input"] = text if isinstance(calls[place].get("input"), str) else json.loads(text)
        for place, text in texts.items():
            made["content"][place] = {"type": "text", "text": forms.as_text(text)}
        return type(answer).model_construct(**made)

    def refused(self, answer: Any, text: str, *, as_refusal: bool = False) -> Any:
        """Return the answer with one text as its content. It can be the text of a refusal."""
        made = forms.declared(answer) | {"content": [{"type": "text", "text": text}]}
        made["stop_reason"] = "refusal" if as_refusal else "end_turn"
        return type(answer).model_construct(**made | {"stop_sequence": None, "stop_details": None})

    def shape(self, request: Mapping[str, Any]) -> str | None:
        """Return the title of the schema that the request asks for, "" if no answer has this name, or None."""
        given = plain(plain(request.get("output_config") or {}).get("format") or request.get("output_format") or {})
        title = plain(given.get("schema")).get("title")
        return forms.shape_name(given, title if title in [*self.answers] else "")

    def whole(self, body: Mapping[str, Any]) -> Any:
        """Return the answer with this JSON body."""
        return self._made("Message", **body)

    def untyped(self, body: Mapping[str, Any]) -> Any:
        """Return the answer with this JSON body, whose parts stay JSON."""
        return forms.untyped(self._type("Message"), body)

    def body_of(self, events: Sequence[Any]) -> dict[str, Any]:
        """Return the JSON body of the answer in the events of a stream."""
        return joined_message(events)

    def events(self, answer: Any, request: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the events of an answer: its beginning, each content block, and its end."""
        known = self._type("MessageDeltaUsage").model_fields
        for name, fields in message_events(forms.as_given(answer), known):
            yield self._made(f"Raw{name}Event", **fields)

    def _made(self, name: str, **fields: Any) -> Any:
        return self._type(name).model_construct(**fields)

    def _type(self, name: str) -> Any:
        from anthropic import types

        return getattr(types.beta, f"Beta{name}") if self.is_beta else getattr(types, name)


def _blocks(message: Any) -> list[dict[str, Any]]:
    content = plain(message).get("content")
    return [plain(own) for own in content if not isinstance(own, str)] if isinstance(content, list | tuple) else []


def _as_object(arguments: Any) -> dict[str, Any]:
    """Return arguments in the form that a request needs, `{}` if they are no object."""
    try:
        return plain(json.loads(arguments) if isinstance(arguments, str) else arguments)
    except ValueError:
        return {}


def _appended(messages: Sequence[Any], role: str, blocks: Sequence[Any]) -> list[Any]:
    """Return messages with blocks of a role at the end, within the last message if its role is the same."""
    last = plain(messages[-1]) if messages else {}
    if not blocks or last.get("role") != role:
        return [*messages, *([{"role": role, "content": [*blocks]}] if blocks else [])]
    content = last.get("content") or []
    before = [{"type": "text", "text": content}] if isinstance(content, str) else content
    return [*messages[:-1], {**last, "content": [*before, *blocks]}]
