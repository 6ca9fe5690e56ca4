"""Responses, as clients of OpenAI's newer protocol have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdtrue.guard.clients.forms import Shown, as_text, plain, summed, text_of
from holdtrue.guard.conversation.calls import GivenCall, read_given_call

_CALL, _RESULT = "function_call", "function_call_output"


class ResponsesForm:
    """The form of `responses.create`."""

    def history(self, request: Mapping[str, Any]) -> list[Shown]:
        """Return what the input of a request shows; what `previous_response_id` stands for was seen before."""
        given = request.get("input")
        if isinstance(given, str):
            return [Shown("user", given)]
        calls: dict[str, GivenCall] = {}
        found = []
        for item in map(plain, given or ()):
            kind, role = item.get("type", "message"), item.get("role")
            if kind == _CALL:
                call = read_given_call(item)
                calls[str(call.id)] = call
                found.append(Shown("other", as_text(call.arguments)))
            elif kind == _RESULT:
                id = str(item.get("call_id"))
                result = item.get("output")
                text = result if isinstance(result, str) else text_of(result)
                found.append(Shown("result", text, calls.get(id) or GivenCall("", None, id)))
            elif kind == "message" and role in ("user", "assistant"):
                found.append(Shown(role, text_of(item.get("content"))))
            else:
                found.append(Shown("other", text_of(item.get("content"))))
        return found

    def begins_after(self, request: Mapping[str, Any]) -> str:
        """Return the id of the response, or of the stored conversation, that the request continues."""
        return str(request.get("previous_response_id") or request.get("conversation") or "")

    def calls(self, answer: Any) -> list[GivenCall]:
        """Return the calls in the output."""
        return [read_given_call(own) for own in map(plain, answer.output) if own.get("type") == _CALL]

    def text(self, answer: Any) -> str:
        """Return the texts of the output."""
        messages = (own for own in map(plain, answer.output) if own.get("type") == "message")
        return "\n".join(filter(None, (text_of(own.get("content")) for own in messages)))

    def told(self, answer: Any, results: Mapping[str, str]) -> list[Any]:
        """Return the output with its calls, and a result for each call."""
        output = [_as_input(plain(own)) for own in answer.output]
        ids = [own["call_id"] for own in output if own.get("type") == _CALL]
        return [*output, *({"type": _RESULT, "call_id": id, "output": results[id]} for id in ids)]

    def with_more(self, request: Mapping[str, Any], more: Sequence[Any]) -> dict[str, Any]:
        """Return a request with more input."""
        given = request.get("input")
        items = [{"role": "user", "content": given}] if isinstance(given, str) else list(given or ())
        return {**request, "input": [*items, *more]}

    def with_arguments(self, answer: Any, arguments: Mapping[str, Any]) -> Any:
        """Return an answer whose calls have other arguments."""
        made = answer.model_dump()
        for own in made["output"]:
            if own.get("type") == _CALL and own["call_id"] in arguments:
                own["arguments"] = as_text(arguments[own["call_id"]])
        return type(answer).model_validate(made)

    def refused(self, answer: Any, text: str) -> Any:
        """Return an answer whose only output is a message that says a text."""
        made = answer.model_dump()
        content = [{"type": "output_text", "text": text, "annotations": []}]
        message = {"type": "message", "id": f"msg_{made['id']}", "role": "assistant", "status": "completed"}
        made["output"] = [{**message, "content": content}]
        return type(answer).model_validate(made)

    def with_usage(self, answer: Any, usages: Sequence[Any]) -> Any:
        """Return an answer that cost all of that."""
        return answer.model_copy(update={"usage": summed(usages)})

    def events(self, answer: Any, request: Mapping[str, Any]) -> Iterator[Any]:
        """Yield an answer as the events of a stream: begun, each item of the output whole, and completed."""
        number = iter(range(1_000_000))

        def event(of: str, kind: str, **fields: Any) -> Any:
            return _of_type(of, {**fields, "type": f"response.{kind}", "sequence_number": next(number)})

        begun = answer.model_copy(update={"output": [], "status": "in_progress", "usage": None})
        yield event("ResponseCreatedEvent", "created", response=begun)
        for place, own in enumerate(answer.output):
            item = plain(own)
            at = {"output_index": place, "item_id": item.get("id") or ""}
            yield event("ResponseOutputItemAddedEvent", "output_item.added", item=item, output_index=place)
            if item.get("type") == _CALL:
                kind = "function_call_arguments.done"
                call = {"arguments": item["arguments"], "name": item["name"]}
                yield event("ResponseFunctionCallArgumentsDoneEvent", kind, **call, **at)
            elif item.get("type") == "message":
                for index, part in enumerate(item["content"]):
                    said = {"delta": text_of([part]), "content_index": index, "logprobs": []}
                    yield event("ResponseTextDeltaEvent", "output_text.delta", **said, **at)
            yield event("ResponseOutputItemDoneEvent", "output_item.done", item=item, output_index=place)
        yield event("ResponseCompletedEvent", "completed", response=answer)

    def shape(self, request: Mapping[str, Any]) -> str | None:
        """Return the name of the schema that the answer has to have, if it has one."""
        return plain(plain(request.get("text") or {}).get("format") or {}).get("name")

    def with_text(self, answer: Any, text: str) -> Any:
        """Return an answer that says another text."""
        return self.refused(answer, text)

    def told_of_text(self, answer: Any, why: str) -> list[Any]:
        """Return the output, and why it will not do."""
        return [*(_as_input(plain(own)) for own in answer.output), {"role": "developer", "content": why}]


def _of_type(name: str, fields: Mapping[str, Any]) -> Any:
    from openai.types import responses as types

    return getattr(types, name).model_validate(fields)


def _as_input(item: Mapping[str, Any]) -> dict[str, Any]:
    """Return an item of an output as an input takes it: without what is None."""
    return {name: own for name, own in item.items() if own is not None}
