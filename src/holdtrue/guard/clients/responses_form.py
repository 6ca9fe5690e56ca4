"""Responses, as clients of OpenAI's newer protocol have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdtrue.guard.clients.chat_calls import OpenCalls
from holdtrue.guard.clients.forms import Shown, as_given, as_text, listed, shape_name, summed
from holdtrue.guard.clients.responses_calls import (
    CALL,
    RESULTS,
    is_call,
    read_item,
    told_of_items,
    write_arguments,
)
from holdtrue.guard.contents import plain, text_of
from holdtrue.guard.conversation.calls import GivenCall


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
        open_calls = OpenCalls()
        together: list[GivenCall] = []
        found = []
        for item in map(plain, given or ()):
            kind, role = item.get("type") or "message", item.get("role")
            if kind != "message" and is_call(item):
                together.append(read_item(item))
                continue
            open_calls.add(together)
            together = []
            if kind in RESULTS:
                id, result = item.get("call_id"), item.get("output")
                text = result if isinstance(result, str) else text_of(result)
                found.append(Shown("result", text, open_calls.take(id) or GivenCall("", None, id)))
            elif kind == "message" and role in ("user", "assistant"):
                found.append(Shown(role, text_of(item.get("content"))))
        return found

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

    def with_usage(self, answer: Any, usages: Sequence[Any]) -> Any:
        """Return an answer that cost all of that."""
        return answer if len(usages) < 2 else answer.model_copy(update={"usage": summed(usages)})

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
