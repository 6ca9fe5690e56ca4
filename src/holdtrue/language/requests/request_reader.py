"""Read the effects of a message on requests with one model call; code computes the values.

Every value must be supported by words of the message or of the assistant's offer.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from functools import cache
from importlib.resources import files
from typing import Any, cast, get_args

from holdtrue.language.asking import ask_once
from holdtrue.language.requests.operation import Act, Argument, Claim, Operation, RequestContext, RequestReading
from holdtrue.language.requests.request_prompts import MOST_REQUESTS, claims_request, reading_request
from holdtrue.language.requests.word_values import How, stands_in, value_in
from holdtrue.language.yes_words import agrees
from holdtrue.models.chat import ChatModel
from holdtrue.record import ALL_REQUESTS, CallRecord, SlotRelation
from holdtrue.rules.types import Flag, without_null

_UNKNOWN = 0.85
"""The probability of a reading whose kind (`kind_of`) was never measured."""
_MOSTLY = 0.5
"""A kind with a smaller probability was mostly read wrongly."""


@dataclass(frozen=True, slots=True)
class ModelRequestReader:
    """A chat model that reads the effects of messages on requests, and the claims of an assistant about finished work.

    `odds` are measured probabilities of a reading by its kind (`kind_of`); by default, they are those measured with
    this model. The model is not asked for freed arguments or withdrawals if it mostly read these wrongly.
    """

    model: ChatModel
    odds: Mapping[str, float] | None = None

    @property
    def name(self) -> str:
        return "model"

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        """Return the operations of a message, each with its probability. Raises `ModelError`."""
        calls: list[CallRecord] = []
        odds = shipped_odds(self.model.name) if self.odds is None else self.odds
        unreadable = [kind for kind, probability in odds.items() if probability < _MOSTLY]
        text = await ask_once(self.model, reading_request(acts, message, context, unreadable), calls)
        operations, unread = dict[Operation, None](), list[str]()
        for read in read_reply(text, acts, message, context):
            if isinstance(read, str):
                unread.append(read)
            else:
                operation, kind = read
                operations[replace(operation, confidence=odds.get(kind, _UNKNOWN))] = None
        return RequestReading(tuple(operations), tuple(unread), tuple(calls))

    async def read_claims(
        self, acts: Mapping[str, Act], message: str, context: RequestContext, calls: list[CallRecord]
    ) -> tuple[Claim, ...]:
        """Return the claims of work in a message of the assistant, and add calls to `calls`. Raises `ModelError`."""
        text = await ask_once(self.model, claims_request(acts, message), calls)
        found = (_claim(own, acts, message, context) for own in _listed(text, "claims") or ())
        return tuple(own for own in found if own is not None)


@cache
def shipped_odds(model: str) -> Mapping[str, float]:
    """Return the measured share of right readings of a model by kind; empty for a model that was not measured."""
    text = files("holdtrue.language.requests").joinpath("request_odds.json").read_text(encoding="utf-8")
    return {kind: own["probability"] for kind, own in json.loads(text).get(model, {}).items()}


def read_reply(
    text: str, acts: Mapping[str, Act], message: str, context: RequestContext
) -> list[tuple[Operation, str] | str]:
    """Return the operations in a model's reply with their kinds, and the reason for each item that gives none."""
    found = _listed(text, "operations")
    if found is None:
        return [f"{message[:200]!r}: the model's reply is no list of operations"]
    items: list[Any] = []
    for own in found:
        match own:
            case ["stop", quote, "all"]:
                numbers = range(1, len(context.requests[-MOST_REQUESTS:]) + 1)
                items += (["stop", quote, str(number)] for number in numbers)
            case _:
                items.append(own)
    return [_operation(own, acts, message, context) for own in items]


def _listed(text: str, name: str) -> list[Any] | None:
    try:
        found = json.loads(text or "null")
    except (ValueError, RecursionError):
        return None
    listed = found.get(name) if isinstance(found, dict) else None
    return listed if isinstance(listed, list) else None


def _operation(own: Any, acts: Mapping[str, Act], message: str, context: RequestContext) -> tuple[Operation, str] | str:
    told = f"{str(own)[:200]}: it is no operation"
    if not isinstance(own, list) or len(own) < 2 or not isinstance(own[0], str) or not isinstance(own[-1], str):
        return told
    request, act = _request(own[-1], context)
    match own[0], own[1:-1]:
        case "stop" | "any", [str(quote), *_] if not stands_in(quote, message):
            return f"{quote!r} for {own[0]}: the message does not say this"
        case "stop", [str(quote)]:
            return (Operation("withdraw", act, request, quote=quote), "stop") if act else f"{told} of an open request"
        case "open", [str(name)]:
            return (Operation("open", name, request), "open") if name in acts else f"{name!r}: there is no such act"
        case "any", [str(quote), str(name)] if (argument := _argument(name, acts)) is not None:
            return Operation("free", argument.act, request, argument.name, quote=quote), "any"
        case name, [str(relation), quote, *chosen] if (argument := _argument(name, acts)) is not None:
            if relation in get_args(SlotRelation):
                one = chosen[0] if chosen else None
                return _settled(argument, request, cast("SlotRelation", relation), str(quote), one, message, context)
    return told


def _settled(
    argument: Argument,
    request: str,
    relation: SlotRelation,
    quote: str,
    chosen: object,
    message: str,
    context: RequestContext,
) -> tuple[Operation, str] | str:
    """Return the operation that sets an argument, with its kind, or the reason why there is none.

    Words that only the assistant said are an offer that the user accepts.
    """
    text = message if stands_in(quote, message) else context.assistant
    where = re.search(r"\s+".join(map(re.escape, quote.split())), text) if quote.strip() else None
    if where is None:
        return f"{quote!r} for {argument.id}: the message does not say this"
    read = value_in(where[0], argument, text, context, chosen, relation)
    if read.value is None:
        return f"{quote!r} for {argument.id}: {read.why}"
    operation = Operation("set", argument.act, request, argument.name, relation, read.value, read.others, where[0])
    if text is not message:
        operation = replace(operation, source="assistant")
    return operation, kind_of(argument, operation, read.how, message)


def kind_of(argument: Argument, own: Operation, how: How, message: str) -> str:
    """Return the kind of a reading, by which its probability is measured.

    The kind names the type of the argument, the relation, and the support of the value (`how`). For an offer it says
    instead whether the user has a word for yes.
    """
    type = without_null(argument.type)
    sort = (
        "flag" if isinstance(type, Flag)
        else "choice" if argument.choices is not None
        else "id" if argument.is_id
        else "text" if argument.is_text
        else getattr(type, "kind", "number")
    )  # fmt: skip
    if own.source == "assistant":
        return f"{sort} offered, {'yes' if agrees(message) else 'no yes'}"
    relation = "is" if own.relation == "is" else "not" if own.relation == "not" else "limit"
    return f"{sort} {relation}, {how}"


def _request(name: str, context: RequestContext) -> tuple[str, str]:
    """Return the id and act of the request that a reply names, which may be open or new."""
    told = context.requests[-MOST_REQUESTS:]
    if name == "all":
        return ALL_REQUESTS, ""
    known = told[int(name) - 1 : int(name)] if name.isascii() and name.isdigit() and name != "0" else ()
    return (known[0].id, known[0].act) if known else (name, "")


def _argument(name: str, acts: Mapping[str, Act]) -> Argument | None:
    act, _, argument = name.rpartition(".")
    return acts[act].arguments.get(argument) if act in acts else None


def _claim(own: Any, acts: Mapping[str, Act], message: str, context: RequestContext) -> Claim | None:
    if not isinstance(own, dict) or not stands_in(str(own.get("quote", "")), message):
        return None
    tool = str(own.get("tool"))
    act = next((each for each in acts.values() if tool in each.tools), None)
    if act is None:
        return None
    found = {}
    for each in own.get("values") or ():
        is_said = isinstance(each, list) and len(each) >= 2 and stands_in(str(each[1]), message)
        if is_said and (argument := act.arguments.get(str(each[0]))) is not None:
            read = value_in(str(each[1]), argument, message, context, each[2] if len(each) > 2 else None)
            if read.value is not None and not read.others and tool in argument.tools:
                found[argument.name] = read.value
    return Claim(tool, found, str(own["quote"]))
