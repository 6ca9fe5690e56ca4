"""Read and write the requests and answers of the Responses protocol of OpenAI.

An output item counts as a call unless its kind is known to be no call.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, ClassVar

from holdtrue.errors import InputError
from holdtrue.guard.clients import forms
from holdtrue.guard.clients.forms import plain, text_of
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.result_forms import is_failed

CALL = "function_call"
_CUSTOM = "custom_tool_call"
_ARGUMENTS = {CALL: "arguments", _CUSTOM: "input"}
_NO_CALLS = frozenset(
    "reasoning compaction additional_tools program_output tool_search_output mcp_list_tools "
    "function_call_output custom_tool_call_output computer_call_output local_shell_call_output shell_call_output "
    "apply_patch_call_output item_reference".split()
)
"""The kinds of items that contain text or the result of a call."""
HOSTED = "web_search file_search code_interpreter image_generation tool_search".split()
"""The tools that the provider runs itself."""
NO_CALLS = _NO_CALLS | {"program", *(f"{own}_call" for own in (*HOSTED, "mcp"))}
"""The kinds of items in a history that are neither messages nor calls to decide on. Calls that the provider has made
itself are among them.
"""
_FRAME = ("type", "id", "call_id", "status")


def is_call(item: Mapping[str, Any], let_run: frozenset[str] = frozenset()) -> bool:
    """Return whether an output item may be a call. The kinds in `let_run` are not."""
    kind = item.get("type")
    if kind == "message":
        return bool(forms.words_in(item.get("content"))[1])
    known = _NO_CALLS if item.get("execution") == "client" else _NO_CALLS | let_run
    return not (isinstance(kind, str) and kind in known)


def read_item(item: Mapping[str, Any]) -> GivenCall:
    """Return the call in an item. If it names no tool, the item's kind is the tool, such as `computer_call`."""
    kind = str(item.get("type") or "unknown")
    id = item.get("call_id") or item.get("id")
    if kind in _ARGUMENTS and isinstance(item.get("name"), str):
        return forms.given_call(item["name"], item.get(_ARGUMENTS[kind]), id, item.get("namespace"))
    own = {name: value for name, value in item.items() if name not in _FRAME and value is not None}
    return forms.given_call(kind, forms.as_text(own), id)


@dataclass(frozen=True, slots=True)
class ResponsesForm:
    """The form of `responses.create`. Nobody decides on items of the kinds in `let_run`."""

    let_run: frozenset[str] = frozenset()
    read: ClassVar[forms.ReadParts] = forms.ReadParts("input", NO_CALLS, ("system", "developer", "user", "assistant"))

    def history(self, request: Mapping[str, Any]) -> list[forms.Shown]:
        """Return the messages, calls and results in a request, without those behind `previous_response_id`."""
        given = request.get("input")
        if isinstance(given, str):
            return [forms.Shown("user", given)]
        open_calls, found, together = forms.OpenCalls(), list[forms.Shown](), list[GivenCall]()
        for item in map(plain, given or ()):
            kind, role = item.get("type") or "message", item.get("role")
            if kind != "message" and is_call(item):
                together.append(read_item(item))
                continue
            found += open_calls.add(together)
            together = []
            if kind.endswith("call_output"):
                id, result = item.get("call_id"), item.get("output")
                text = result if isinstance(result, str) else text_of(result)
                said = forms.as_text(item) if is_failed(item) else text
                found += open_calls.take(id, said)
            elif kind == "message" and role in ("user", "assistant"):
                found.append(forms.Shown(role, text_of(item.get("content"), role=role)))
        return found + open_calls.add(together)

    def calls(self, answer: Any) -> list[GivenCall]:
        """Return the calls in the output."""
        return [read_item(own) for own in _output(answer) if is_call(own, self.let_run)]

    def text(self, answer: Any) -> str:
        """Return the texts of the output's messages."""
        messages = (own for own in _output(answer) if own.get("type") == "message")
        return "\n".join(filter(None, (text_of(own.get("content")) for own in messages)))

    def structured(self, answer: Any) -> dict[int, str]:
        """Return the texts of the messages by place.

        Next to other items, a text counts only as a possible structured answer.
        """
        output = _output(answer)
        is_single = (
            not any(is_call(own, self.let_run) for own in output)
            and sum(own.get("type") == "message" for own in output) == 1
        )
        found = {}
        for place, item in enumerate(output):
            parts = _parts(item) if item.get("type") == "message" else []
            said = [own for own in parts if own.get("type") != "refusal"]
            if (is_single and said and len(said) == len(parts)) or "{" in text_of(said):
                found[place] = text_of(said)
        return found

    def told(
        self, request: Mapping[str, Any], answer: Any, results: Sequence[str], whys: Mapping[int, str]
    ) -> dict[str, Any]:
        """Return the request with the rejected output, a result for each of its calls, and the reasons in `whys`.

        If the provider keeps the conversation, it already has the output.
        """
        items = _output(answer)
        ids = iter(forms.told_ids([own.get("call_id") for own in items if is_call(own, self.let_run)]))
        ending = iter(results)
        more: list[dict[str, Any]] = []
        outcomes: list[dict[str, Any]] = []
        for item in items:
            own = {name: value for name, value in item.items() if value is not None}
            if is_call(item, self.let_run):
                id, result, kind = next(ids), next(ending), item.get("type")
                if kind in (CALL, _CUSTOM):
                    own["call_id"] = id
                    outcomes.append({"type": f"{kind}_output", "call_id": id, "output": result})
                else:
                    outcomes.append({"role": "developer", "content": result})
                    continue  # An input needs a result for such an item, in a special form.
            more.append(own)
        outcomes += [{"role": "developer", "content": own} for own in (*ending, *whys.values())]
        if request.get("conversation"):
            return {**request, "input": outcomes}
        given = request.get("input")
        before = [{"role": "user", "content": given}] if isinstance(given, str) else list(given or ())
        return {**request, "input": [*before, *more, *outcomes]}

    def changed(self, answer: Any, arguments: Mapping[int, Any], texts: Mapping[int, Any]) -> Any | None:
        """Return the answer with other arguments and texts, or None if the form of a call is unknown."""
        made = plain(answer)
        calls = [own for own in made["output"] if is_call(own, self.let_run)]
        for place, own in arguments.items():
            if calls[place].get("type") not in (CALL, _CUSTOM):
                return None  # The place of its arguments is unknown.
            calls[place][_ARGUMENTS[calls[place]["type"]]] = forms.as_text(own)
        for place, text in texts.items():
            made["output"][place]["content"] = [{"type": "output_text", "text": forms.as_text(text), "annotations": []}]
        return type(answer).model_construct(**made)

    def refused(self, answer: Any, text: str, *, as_refusal: bool = False) -> Any:
        """Return the answer with one message as its output, which has only a text or a refusal with the text."""
        made = forms.declared(answer)
        said = {"type": "output_text", "text": text, "annotations": []}
        content = [{"type": "refusal", "refusal": text} if as_refusal else said]
        message = {"type": "message", "id": f"msg_{made.get('id')}", "role": "assistant", "status": "completed"}
        made["output"] = [{**message, "content": content}]
        return type(answer).model_construct(**made)

    def whole(self, body: Mapping[str, Any]) -> Any:
        """Return the answer with this JSON body."""
        return _of_type("Response", body)

    def untyped(self, body: Mapping[str, Any]) -> Any:
        """Return the answer with this JSON body, whose parts stay JSON."""
        from openai.types.responses import Response

        return forms.untyped(Response, body)

    def body_of(self, events: Sequence[Any]) -> dict[str, Any]:
        """Return the JSON body of the answer at the end of a stream. Raises `InputError` if the stream ends earlier."""
        given = [*map(forms.as_given, events)]
        held = [own["response"] for own in given if own.get("response") is not None]
        if not all(isinstance(own, dict) for own in held):
            raise InputError("an event of the stream has an answer that is no object, so it is refused")
        if not held or not any(own.get("type") in _ENDS for own in given):
            raise InputError("the stream ended before its answer did, so it is refused on a guarded client")
        items = [own.get("item") for own in given if own.get("type") == "response.output_item.done"]
        body: dict[str, Any] = held[-1] | ({"output": items} if items and not held[-1].get("output") else {})
        return body

    def events(self, answer: Any, request: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the events of an answer: its beginning, each output item, and its end."""
        number = iter(range(1_000_000))

        def event(of: str, kind: str, **fields: Any) -> Any:
            return _of_type(of, {**fields, "type": f"response.{kind}", "sequence_number": next(number)})

        begun = answer.model_copy(update={"output": [], "status": "in_progress", "usage": None})
        yield event("ResponseCreatedEvent", "created", response=begun)
        for place, item in enumerate(forms.as_given(answer).get("output") or []):
            at = {"output_index": place, "item_id": item.get("id") or ""}
            parts = _parts(item) if item.get("type") == "message" else []
            # The first event of an item has no content; later events have it.
            begin = {**item, "content": [], "status": "in_progress"} if parts else item
            of, kind, field = _TOLD_CALLS.get(str(item.get("type")), ("", "", "type"))
            begin = {**begin, field: ""} if of else begin
            yield event("ResponseOutputItemAddedEvent", "output_item.added", item=begin, output_index=place)
            if of:
                call = {name: item.get(name) or "" for name in (field, "name")}
                yield event(f"Response{of}DeltaEvent", f"{kind}.delta", delta=call[field], **at)
                yield event(f"Response{of}DoneEvent", f"{kind}.done", **call, **at)
            for index, part in enumerate(parts):
                for of, own, fields in _told_part(part):
                    yield event(of, own, content_index=index, **fields, **at)
            yield event("ResponseOutputItemDoneEvent", "output_item.done", item=item, output_index=place)
        status = answer.status if answer.status in ("incomplete", "failed") else "completed"
        yield event(f"Response{status.capitalize()}Event", status, response=answer)

    def shape(self, request: Mapping[str, Any]) -> str | None:
        """Return the name of the schema that the request asks for, "" for one without a name, or None."""
        given = plain(plain(request.get("text") or {}).get("format") or {})
        return forms.shape_name(given, given.get("name"))


def _output(answer: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = plain(answer).get("output") or []
    return found


_TOLD_CALLS = {
    CALL: ("FunctionCallArguments", "function_call_arguments", "arguments"),
    _CUSTOM: ("CustomToolCallInput", "custom_tool_call_input", "input"),
}
_ENDS = ("response.completed", "response.incomplete", "response.failed")


def _parts(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    parts = item.get("content")
    if isinstance(parts, str):
        return [{"type": "output_text", "text": parts}]
    return [plain(own) for own in (parts if isinstance(parts, list | tuple) else ())]


def _told_part(part: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the types, kinds and fields of the events for a part of a message."""
    kind = {"output_text": "text", "refusal": "refusal"}.get(str(part.get("type")), "")
    field, name = kind, "output_text" if kind == "text" else "refusal"
    begin = {**part, field: ""} if kind else part
    yield "ResponseContentPartAddedEvent", "content_part.added", {"part": begin}
    if kind:
        more = {"logprobs": part.get("logprobs") or []} if kind == "text" else {}
        yield f"Response{kind.capitalize()}DeltaEvent", f"{name}.delta", {"delta": part.get(field) or "", **more}
        yield f"Response{kind.capitalize()}DoneEvent", f"{name}.done", {field: part.get(field) or "", **more}
    yield "ResponseContentPartDoneEvent", "content_part.done", {"part": part}


def _of_type(name: str, fields: Mapping[str, Any]) -> Any:
    from openai.types import responses as types

    return getattr(types, name).model_construct(**fields)
