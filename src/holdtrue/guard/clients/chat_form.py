"""Read and write the requests and answers of chat completions in OpenAI's protocol.

A message may call functions and custom tools, or one function in the older `function_call` form.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from typing import Any, ClassVar

from holdtrue.errors import InputError
from holdtrue.guard.clients import forms
from holdtrue.guard.clients.forms import plain, text_of
from holdtrue.guard.conversation.calls import GivenCall
from holdtrue.guard.result_forms import is_failed


class ChatForm:
    """The form of `chat.completions.create`."""

    read: ClassVar[forms.ReadParts] = forms.ReadParts(
        "messages", frozenset(), ("system", "developer", "user", "assistant", "tool", "function")
    )

    def history(self, request: Mapping[str, Any]) -> list[forms.Shown]:
        """Return the messages, calls and results in a request."""
        open_calls, found = forms.OpenCalls(), list[forms.Shown]()
        for message in map(plain, request.get("messages") or ()):
            role = message.get("role")
            text = text_of(message.get("content"), role=role) or str(message.get("refusal") or "")
            if role == "assistant":
                found += open_calls.add([read_part(own) for own in call_parts(message)])
            if role == "tool":
                id, said = message.get("tool_call_id"), forms.as_text(message) if is_failed(message) else text
                found += open_calls.take(id, said)
            elif role == "function":
                found += open_calls.take(None, text, message.get("name"))
            elif role in ("user", "assistant"):
                found.append(forms.Shown(role, text))
        return found

    def calls(self, answer: Any) -> list[GivenCall]:
        """Return the calls of all choices."""
        return [read_part(own) for message in _messages(plain(answer)) for own in call_parts(message)]

    def text(self, answer: Any) -> str:
        """Return the text or the refusal of the first choice."""
        first = next(_messages(plain(answer)), {})
        return text_of(first.get("content")) or str(first.get("refusal") or "")

    def structured(self, answer: Any) -> dict[int, str]:
        """Return the texts of the choices by place.

        If a choice has calls, its text counts only as a possible structured answer.
        """
        found = {}
        for place, message in enumerate(_messages(plain(answer))):
            text = text_of(message.get("content"))
            if not (any(call_parts(message)) or message.get("refusal")) or "{" in text:
                found[place] = text
        return found

    def told(
        self, request: Mapping[str, Any], answer: Any, results: Sequence[str], whys: Mapping[int, str]
    ) -> dict[str, Any]:
        """Return the request with the rejected choices, a result for each of their calls, and the reasons in `whys`."""
        more: list[dict[str, Any]] = []
        begin = 0
        for place, message in enumerate(_messages(plain(answer))):
            end = begin + sum(1 for _ in call_parts(message))
            if end > begin or place in whys:
                more += told_of_calls(message, results[begin:end])
            if place in whys:
                more.append({"role": "system", "content": whys[place]})
            begin = end
        more += [{"role": "system", "content": own} for own in results[begin:]]
        return {**request, "messages": [*(request.get("messages") or ()), *more]}

    def changed(self, answer: Any, arguments: Mapping[int, Any], texts: Mapping[int, Any]) -> Any | None:
        """Return the answer with other arguments of its calls and other texts of its choices."""
        made = plain(answer)
        for place, part in enumerate(own for message in _messages(made) for own in call_parts(message)):
            if place in arguments:
                inner, name = _inner(part)
                inner[name] = forms.as_text(arguments[place])
        for place, choice in enumerate(made["choices"]):
            if place in texts:
                choice["message"]["content"] = forms.as_text(texts[place])
                choice["logprobs"] = None
        return type(answer).model_construct(**made)

    def refused(self, answer: Any, text: str, *, as_refusal: bool = False) -> Any:
        """Return the answer with one choice that has only a text, or a refusal with the text."""
        made = forms.declared(answer)
        # The other parts of the answer were rejected, too.
        said = {"content": None, "refusal": text} if as_refusal else {"content": text}
        index = next((own.get("index") for own in made.get("choices") or ()), 0)
        reason = "content_filter" if as_refusal else "stop"
        made["choices"] = [{"index": index, "message": {"role": "assistant", **said}, "finish_reason": reason}]
        return type(answer).model_construct(**made)

    def shape(self, request: Mapping[str, Any]) -> str | None:
        """Return the name of the schema that the request asks for, "" for one without a name, or None."""
        given = plain(request.get("response_format") or {})
        return forms.shape_name(given, plain(given.get("json_schema") or {}).get("name"))

    def whole(self, body: Mapping[str, Any]) -> Any:
        """Return the answer with this JSON body."""
        from openai.types.chat import ChatCompletion

        return ChatCompletion.model_construct(**body)

    def untyped(self, body: Mapping[str, Any]) -> Any:
        """Return the answer with this JSON body, whose parts stay JSON."""
        from openai.types.chat import ChatCompletion

        return forms.untyped(ChatCompletion, body)

    def body_of(self, events: Sequence[Any]) -> dict[str, Any]:
        """Return the JSON body of the answer in the chunks of a stream. Raises `InputError` if a choice has no end."""
        body: dict[str, Any] = {}
        choices: dict[Any, Any] = {}
        for chunk in map(forms.as_given, events):
            for own in chunk.pop("choices", None) or ():
                for piece in ({"message": own.pop("delta", None) or {}}, own):
                    choices[own.get("index")] = forms.joined(choices.get(own.get("index")), piece)
            body |= {name: own for name, own in chunk.items() if own or name not in body}
        if not choices or not all(own.get("finish_reason") for own in choices.values()):
            raise InputError("the stream ended before its answer did, so it is refused on a guarded client")
        return body | {"object": "chat.completion", "choices": [*choices.values()]}

    def events(self, answer: Any, request: Mapping[str, Any]) -> Iterator[Any]:
        """Yield the chunks of an answer: for each choice its content and its finish reason, and at last the usage."""
        from openai.types.chat import ChatCompletionChunk

        body = forms.as_given(answer)
        frame = {name: own for name, own in body.items() if name not in ("choices", "usage")}
        frame["object"] = "chat.completion.chunk"
        choices = body.get("choices") or []
        for place, choice in enumerate(choices):
            message = plain(choice.get("message"))
            # Apps join calls with equal indices, so each call gets its own index.
            calls = [{**plain(own), "index": at} for at, own in enumerate(message.get("tool_calls") or ())]
            delta = {"role": "assistant", **{name: own for name, own in message.items() if own is not None}}
            own = {**choice, "index": place}
            reason = own.pop("finish_reason", None)
            own["delta"] = {**delta, "tool_calls": calls} if calls else delta
            own.pop("message", None)
            yield ChatCompletionChunk.model_construct(**frame, choices=[{**own, "finish_reason": None}])
            end = {"index": own["index"], "delta": {}, "finish_reason": reason}
            yield ChatCompletionChunk.model_construct(**frame, choices=[end])
        if not choices:
            yield ChatCompletionChunk.model_construct(**frame, choices=[])
        if plain(request.get("stream_options") or {}).get("include_usage"):
            yield ChatCompletionChunk.model_construct(**frame, choices=[], usage=body.get("usage"))


def _messages(answer: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    for choice in answer.get("choices") or ():
        message = choice.get("message")
        yield message if isinstance(message, dict) else plain(message)


LEGACY = "function_call"


def call_parts(message: Mapping[str, Any]) -> Iterator[dict[str, Any]]:
    """Yield the parts of a message that may be calls: tool calls, unknown content, and an old `function_call`."""
    calls = message.get("tool_calls") or ()
    for own in calls if isinstance(calls, list | tuple) else (calls,):
        yield own if isinstance(own, dict) else plain(own)
    for own in forms.words_in(message.get("content"))[1]:
        yield {"type": plain(own).get("type"), "part": plain(own)}
    if message.get(LEGACY):
        legacy = message[LEGACY]
        yield legacy if isinstance(legacy, dict) else plain(legacy)


def read_part(part: dict[str, Any]) -> GivenCall:
    """Return the call in a part. A part of an unknown kind is a call of a tool with the name of that kind."""
    inner, name = _inner(part)
    if not isinstance(inner.get("name"), str):
        return forms.given_call(str(part.get("type") or "unknown"), forms.as_text(part), part.get("id"))
    space = part.get("namespace") or inner.get("namespace")
    return forms.given_call(inner["name"], inner.get(name), part.get("id"), space)


def told_of_calls(message: Mapping[str, Any], results: Sequence[str]) -> list[dict[str, Any]]:
    """Return an assistant's message with its calls, followed by a result for each call."""
    text, strange = forms.words_in(message.get("content"))
    said: dict[str, Any] = {"role": "assistant", "content": text if strange else message.get("content")}
    legacy = plain(message.get(LEGACY) or {})
    calls = [*call_parts({**message, "content": None, LEGACY: None})]
    ids = forms.told_ids([own.get("id") for own in calls])
    found = [said]
    if calls:
        said["tool_calls"] = [{**own, "id": id} for own, id in zip(calls, ids, strict=True)]
        pairs = zip(ids, results, strict=False)
        found += [{"role": "tool", "tool_call_id": id, "content": result} for id, result in pairs]
    found += [{"role": "system", "content": own} for own in results[len(calls) : len(calls) + len(strange)]]
    if message.get(LEGACY):
        said[LEGACY] = legacy
        found.append({"role": "function", "name": legacy.get("name"), "content": results[-1]})
    return found


def _inner(part: dict[str, Any]) -> tuple[dict[str, Any], str]:
    """Return the mapping with the tool's name in a part, and the key of the arguments in it.

    A part that fits two kinds is read as neither, because apps could call either.
    """
    names = (("function", "arguments"), ("custom", "input"))
    kinds = [(part[own], inner) for own, inner in names if isinstance(part.get(own), dict)]
    if isinstance(part.get("name"), str):
        kinds.append((part, "arguments"))
    return kinds[0] if len(kinds) == 1 else ({}, "")
