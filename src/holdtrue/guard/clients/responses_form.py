"""Responses, as clients of OpenAI's newer protocol have them.

Among their items whatever an app may have to do is a call, but for what is known to be none.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdtrue.guard.clients.forms import (
    OpenCalls,
    Shown,
    as_given,
    as_text,
    given_call,
    listed,
    shape_name,
    told_ids,
    words_in,
)
from holdtrue.guard.contents import plain, text_of
from holdtrue.guard.conversation.calls import GivenCall

CALL = "function_call"
_CUSTOM, _APPROVAL = "custom_tool_call", "mcp_approval_request"
_ARGUMENTS = {CALL: "arguments", _CUSTOM: "input", _APPROVAL: "arguments"}
NO_CALLS = frozenset(
    "reasoning compaction additional_tools mcp_approval_response program program_output tool_search_output "
    "web_search_call file_search_call code_interpreter_call image_generation_call mcp_call mcp_list_tools "
    "function_call_output custom_tool_call_output computer_call_output local_shell_call_output shell_call_output "
    "apply_patch_call_output item_reference".split()
)
"""What says something, or was done by the provider already."""
_FRAME = ("type", "id", "call_id", "status")


def is_call(item: Mapping[str, Any]) -> bool:
    """Return whether an app may act on an item of an output, or nobody knows what it holds."""
    kind = item.get("type")
    if kind == "message":
        return bool(words_in(item.get("content"))[1])
    is_done = kind == "tool_search_call" and item.get("execution") == "server"
    return not is_done and not (isinstance(kind, str) and kind in NO_CALLS)


def read_item(item: Mapping[str, Any]) -> GivenCall:
    """Return the call of an item; what names no tool is a call of a tool with the name of its kind: `computer_call`."""
    kind = str(item.get("type") or "unknown")
    id = item.get("call_id") or item.get("id")
    if kind in _ARGUMENTS and isinstance(item.get("name"), str):
        return given_call(item["name"], item.get(_ARGUMENTS[kind]), id)
    own = {name: value for name, value in item.items() if name not in _FRAME and value is not None}
    return given_call(kind, as_text(own), id)


def write_arguments(item: dict[str, Any], arguments: Any) -> bool:
    """Put other arguments into an item, and return whether that can be done."""
    if item.get("type") not in (CALL, _CUSTOM):
        return False  # To approve a call of a server is to approve it as it is.
    item[_ARGUMENTS[item["type"]]] = as_text(arguments)
    return True


def told_of_items(items: Sequence[Mapping[str, Any]], results: Sequence[str], *, is_kept: bool) -> list[dict[str, Any]]:
    """Return what to add to an input after an output: its items, and a result for each of its calls.

    Where the provider keeps the conversation it has the items already.
    """
    calls = [own for own in items if is_call(own)]
    ids = iter(told_ids([own.get("call_id") for own in calls]))
    ending = iter(results)
    found: list[dict[str, Any]] = []
    outcomes: list[dict[str, Any]] = []
    for item in items:
        own = {name: value for name, value in item.items() if value is not None}
        if is_call(item):
            id, result, kind = next(ids), next(ending), item.get("type")
            if kind in (CALL, _CUSTOM):
                own["call_id"] = id
                outcomes.append({"type": f"{kind}_output", "call_id": id, "output": result})
            elif kind == _APPROVAL:
                answer = {"approval_request_id": item.get("id"), "approve": False, "reason": result}
                outcomes.append({"type": "mcp_approval_response", **answer})
            else:
                outcomes.append({"role": "developer", "content": result})
                continue  # Its result has a form of its own, and without one it may not stand in an input.
        found.append(own)
    return [*([] if is_kept else found), *outcomes]


class ResponsesForm:
    """The form of `responses.create`."""

    def settled(self, request: Mapping[str, Any]) -> dict[str, Any]:
        """Return a request whose input is a text or a list, and whose tools are a list."""
        return listed(request, "input", "tools")

    def history(self, request: Mapping[str, Any]) -> list[Shown]:
        """Return what the input of a request shows; what `previous_response_id` stands for was seen before."""
        given = request.get("input")
        if isinstance(given, str):
            return [Shown("user", given)]
        open_calls, found, together = OpenCalls(), list[Shown](), list[GivenCall]()
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
                found.append(Shown("result", text, open_calls.take(id) or GivenCall("", None, id)))
            elif kind == "message" and role in ("user", "assistant"):
                found.append(Shown(role, text_of(item.get("content"))))
        return found + open_calls.add(together)

    def calls(self, answer: Any) -> list[GivenCall]:
        """Return the calls in the output."""
        return [read_item(own) for own in _output(answer) if is_call(own)]

    def text(self, answer: Any) -> str:
        """Return the texts of the output."""
        messages = (own for own in _output(answer) if own.get("type") == "message")
        return "\n".join(filter(None, (text_of(own.get("content")) for own in messages)))

    def structured(self, answer: Any) -> dict[int, str]:
        """Return the texts of the messages; beside others a text counts only if it may be taken for an answer."""
        output = _output(answer)
        is_single = not any(map(is_call, output)) and sum(own.get("type") == "message" for own in output) == 1
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
        """Return the request with the output and a result for each call."""
        given = request.get("input")
        items = [{"role": "user", "content": given}] if isinstance(given, str) else list(given or ())
        is_kept = bool(request.get("conversation"))
        more = told_of_items(_output(answer), results, is_kept=is_kept)
        more += [{"role": "developer", "content": why} for why in whys.values()]
        return {**request, "input": more if is_kept else [*items, *more]}

    def changed(self, answer: Any, arguments: Mapping[int, Any], texts: Mapping[int, Any]) -> Any | None:
        """Return an answer whose calls have other arguments, and whose messages say other texts."""
        made = plain(answer)
        calls = [own for own in made["output"] if is_call(own)]
        if not all(write_arguments(calls[place], own) for place, own in arguments.items()):
            return None
        for place, text in texts.items():
            made["output"][place]["content"] = [{"type": "output_text", "text": as_text(text), "annotations": []}]
        return type(answer).model_construct(**made)

    def refused(self, answer: Any, text: str) -> Any:
        """Return an answer whose only output is a message that says a text."""
        made = plain(answer)
        content = [{"type": "output_text", "text": text, "annotations": []}]
        message = {"type": "message", "id": f"msg_{made['id']}", "role": "assistant", "status": "completed"}
        made["output"] = [{**message, "content": content}]
        return type(answer).model_construct(**made)

    def events(self, answer: Any, request: Mapping[str, Any]) -> Iterator[Any]:
        """Yield an answer as the events of a stream: begun, each item of the output whole, and completed."""
        number = iter(range(1_000_000))

        def event(of: str, kind: str, **fields: Any) -> Any:
            return _of_type(of, {**fields, "type": f"response.{kind}", "sequence_number": next(number)})

        begun = answer.model_copy(update={"output": [], "status": "in_progress", "usage": None})
        yield event("ResponseCreatedEvent", "created", response=begun)
        for place, item in enumerate(as_given(answer).get("output") or []):
            at = {"output_index": place, "item_id": item.get("id") or ""}
            parts = _parts(item) if item.get("type") == "message" else []
            # What the events of its parts tell is not in the item when it begins.
            begin = {**item, "content": [], "status": "in_progress"} if parts else item
            yield event("ResponseOutputItemAddedEvent", "output_item.added", item=begin, output_index=place)
            if item.get("type") == CALL:
                kind = "function_call_arguments.done"
                call = {name: item.get(name) for name in ("arguments", "name")}
                yield event("ResponseFunctionCallArgumentsDoneEvent", kind, **call, **at)
            for index, part in enumerate(parts):
                for of, own, fields in _told_part(part):
                    yield event(of, own, content_index=index, **fields, **at)
            yield event("ResponseOutputItemDoneEvent", "output_item.done", item=item, output_index=place)
        status = answer.status if answer.status in ("incomplete", "failed") else "completed"
        yield event(f"Response{status.capitalize()}Event", status, response=answer)

    def shape(self, request: Mapping[str, Any]) -> str | None:
        """Return the name of the schema that the answer has to have, if it has one."""
        given = plain(plain(request.get("text") or {}).get("format") or {})
        return shape_name(given, given.get("name"))


def _output(answer: Any) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = plain(answer).get("output") or []
    return found


def _parts(item: Mapping[str, Any]) -> list[dict[str, Any]]:
    parts = item.get("content")
    if isinstance(parts, str):
        return [{"type": "output_text", "text": parts}]
    return [plain(own) for own in (parts if isinstance(parts, list | tuple) else ())]


def _told_part(part: dict[str, Any]) -> Iterator[tuple[str, str, dict[str, Any]]]:
    """Yield the events that tell a part of a message: their types, kinds and fields."""
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
