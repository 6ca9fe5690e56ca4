"""Chat completions, as clients of OpenAI's protocol have them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from holdtrue.guard.clients.forms import Shown, as_text, plain, summed, text_of
from holdtrue.guard.conversation.calls import GivenCall, read_given_call


class ChatForm:
    """The form of `chat.completions.create`."""

    def history(self, request: Mapping[str, Any]) -> list[Shown]:
        """Return what the messages of a request show."""
        calls: dict[str, GivenCall] = {}
        found = []
        for message in map(plain, request.get("messages") or ()):
            text, role = text_of(message.get("content")), message.get("role")
            if role == "assistant":
                for own in message.get("tool_calls") or ():
                    call = read_given_call(plain(own))
                    if call.id is not None:
                        calls[call.id] = call
            if role in ("tool", "function"):
                found.append(Shown("result", text, calls.get(str(message.get("tool_call_id")))))
            elif role in ("user", "assistant"):
                found.append(Shown(role, text))
            else:
                found.append(Shown("other", text))
        return found

    def begins_after(self, request: Mapping[str, Any]) -> str:
        """Return "": the messages are all there is."""
        return ""

    def calls(self, answer: Any) -> list[GivenCall]:
        """Return the calls of all choices."""
        return [read_given_call(plain(own)) for choice in answer.choices for own in (choice.message.tool_calls or ())]

    def text(self, answer: Any) -> str:
        """Return the text of the first choice."""
        return text_of(answer.choices[0].message.content) if answer.choices else ""

    def told(self, answer: Any, results: Mapping[str, str]) -> list[Any]:
        """Return the assistant's message with its calls, and a result for each."""
        message = answer.choices[0].message
        calls = [plain(own) for own in message.tool_calls or ()]
        said = {"role": "assistant", "content": message.content, "tool_calls": calls}
        return [
            said,
            *({"role": "tool", "tool_call_id": own["id"], "content": results[own["id"]]} for own in calls),
        ]

    def with_more(self, request: Mapping[str, Any], more: Sequence[Any]) -> dict[str, Any]:
        """Return a request with more messages."""
        return {**request, "messages": [*(request.get("messages") or ()), *more]}

    def with_arguments(self, answer: Any, arguments: Mapping[str, Any]) -> Any:
        """Return an answer whose calls have other arguments."""
        made = answer.model_dump()
        for choice in made["choices"]:
            for own in choice["message"].get("tool_calls") or ():
                if own["id"] in arguments:
                    own["function"]["arguments"] = as_text(arguments[own["id"]])
        return type(answer).model_validate(made)

    def refused(self, answer: Any, text: str) -> Any:
        """Return an answer whose only choice says a text and calls nothing."""
        made = answer.model_dump()
        first = made["choices"][0]
        message = {**first["message"], "content": text, "tool_calls": None, "function_call": None}
        made["choices"] = [{**first, "message": message, "finish_reason": "stop", "logprobs": None}]
        return type(answer).model_validate(made)

    def with_usage(self, answer: Any, usages: Sequence[Any]) -> Any:
        """Return an answer that cost all of that."""
        return answer.model_copy(update={"usage": summed(usages)})

    def shape(self, request: Mapping[str, Any]) -> str | None:
        """Return the name of the schema that the answer has to have, if it has one."""
        return plain(plain(request.get("response_format") or {}).get("json_schema") or {}).get("name")

    def with_text(self, answer: Any, text: str) -> Any:
        """Return an answer whose first choice says another text."""
        return self.refused(answer, text)

    def told_of_text(self, answer: Any, why: str) -> list[Any]:
        """Return the assistant's message, and why it will not do."""
        return [{"role": "assistant", "content": self.text(answer)}, {"role": "system", "content": why}]

    def events(self, answer: Any, request: Mapping[str, Any]) -> Iterator[Any]:
        """Yield an answer as chunks: for each choice its content, then the reason why it ended, then the usage."""
        from openai.types.chat import ChatCompletionChunk

        frame = {
            "id": answer.id,
            "created": answer.created,
            "model": answer.model,
            "object": "chat.completion.chunk",
            "system_fingerprint": answer.system_fingerprint,
        }
        for choice in answer.choices:
            message = choice.message
            calls = [{"index": place, **plain(own)} for place, own in enumerate(message.tool_calls or ())]
            delta = {"role": "assistant", "content": message.content, "refusal": message.refusal}
            if calls:
                delta["tool_calls"] = calls
            own = {"index": choice.index, "delta": delta, "finish_reason": None}
            yield ChatCompletionChunk.model_validate({**frame, "choices": [own]})
            own = {"index": choice.index, "delta": {}, "finish_reason": choice.finish_reason}
            yield ChatCompletionChunk.model_validate({**frame, "choices": [own]})
        if plain(request.get("stream_options") or {}).get("include_usage"):
            usage = None if answer.usage is None else plain(answer.usage)
            yield ChatCompletionChunk.model_validate({**frame, "choices": [], "usage": usage})
