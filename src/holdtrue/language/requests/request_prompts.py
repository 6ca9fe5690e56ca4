"""This module has the prompts about effects on requests, and the grammar of the reply."""

from __future__ import annotations

import re
from collections.abc import Collection, Mapping
from typing import Any, get_args

from holdtrue.language.asking import one_line, taught_request
from holdtrue.language.requests.operation import Act, Argument, RequestContext
from holdtrue.language.requests.spans import spans_of
from holdtrue.language.requests.word_values import word_tokens
from holdtrue.logic.value_sorts import Calendar
from holdtrue.models.chat import Request
from holdtrue.record import SlotRelation
from holdtrue.rules.types import Flag, Name, Number, without_null
from holdtrue.world.answer_shape import object_schema

_MOST_CLAIMS, _MOST_VALUES = 4, 6
_READ_CLAIMS = """You read what an assistant that has tools tells a user. Note each claim that the assistant itself \
has now done a piece of work that one of these tools does. Reply with JSON: \
{"claims":[{"quote":...,"tool":...,"values":[...]}]}. quote is the words of the claim. values are what the claim says \
of the tool's arguments: [argument, words], nothing but the value, or [argument, words, choice] for one with choices.
Promises, offers, plans, questions, conditions, refusals, what is not done yet, what others did, what was found or \
looked up, and what is only quoted are no claims: {"claims":[]}."""
_CLAIM_LESSONS = (
    (
        "Good news: bill B-17 is paid now, 40 euros from your card. Shall I pay B-20 as well?",
        '{"claims":[{"quote":"bill B-17 is paid now, 40 euros from your card","tool":"pay_bill",'
        '"values":[["bill","B-17"],["amount","40 euros"],["method","card","card"]]}]}',
    ),
    ("I will pay bill B-17 tomorrow if you agree. I have not sent anything yet.", '{"claims":[]}'),
    ("Your bank has returned the money for bill B-9 last week.", '{"claims":[]}'),
    (
        "I've sent 25 euros to Ann, and the appointment with Dr. Falk has been cancelled.",
        '{"claims":[{"quote":"I\'ve sent 25 euros to Ann","tool":"send_money","values":[["amount","25 euros"],'
        '["to","Ann"]]},{"quote":"the appointment with Dr. Falk has been cancelled","tool":"cancel_visit",'
        '"values":[["dentist","Dr. Falk"]]}]}',
    ),
)


def claims_request(acts: Mapping[str, Act], message: str) -> Request:
    """Return the request for the claims of finished work in a message of the assistant."""
    frame = f"{_READ_CLAIMS}\nTools and their arguments:\n{told_acts(acts)}"
    lessons = ((f"Assistant: {said}", answer) for said, answer in _CLAIM_LESSONS)
    return taught_request(
        "read_claims", frame, lessons, f"Assistant: {one_line(message)}", _claims_schema(acts), _LONGEST_REPLY
    )


def _claims_schema(acts: Mapping[str, Act]) -> dict[str, Any]:
    items = []
    for act in acts.values():
        names = {"enum": list(act.arguments)}
        choices = sorted({value for own in act.arguments.values() for value in own.choices or ()})
        shapes = [_item(names, _WORDS), *([_item(names, _WORDS, {"enum": choices})] if choices else [])]
        values = {"type": "array", "maxItems": _MOST_VALUES, "items": {"anyOf": shapes}}
        items.append(object_schema({"quote": _WORDS, "tool": {"enum": list(act.tools)}, "values": values}))
    return object_schema({"claims": {"type": "array", "maxItems": _MOST_CLAIMS, "items": {"anyOf": items}}})


NEW = ("new", "new2", "new3", "new4")
"""The labels of new requests of one message."""
MOST_OPERATIONS, MOST_REQUESTS = 8, 8
"""The largest number of operations that are read in a message, and of open requests (the latest) in a prompt."""
_LONGEST_REPLY = 400
_MOST_WORDS = 40
_WORDS = {"type": "string"}
_ID = re.compile(r"(?=\S*\d)(?:(?=\S*[^\W\d_])|(?=\S*\d{4})|(?=\S*[#/])).+")
"""A word with a digit and a letter, with four digits, or with a sign that numbers do not have."""

_READ = """You read chats between a user and an assistant that has tools. A request is one thing that the user wants \
done: one act on one object. Note what the user's last message does to requests.
Reply with JSON: {"operations":[...]}, in the order of the message; each ends with R, the request that it is on: the \
number of an open request, "new" for one that the message asks for (another object or another act is a new one; a \
second new one is "new2"), or "all" for all of them and for what is about the user.
[A,"is",Q,R] the words Q of the message give argument A its value, or the user says yes to Q, which the assistant \
offered; Q is nothing but the value
[A,"is",Q,V,R] for an argument with choices, where V is the one that Q means
[A,"not",Q,R] the user does not want this value; also "at_least", "at_most", "more_than", "less_than" for limits
["any",Q,A,R] with the words Q the user says that any value of A will do
["open",ACT,R] the user asks for a new request and names no value
["stop",Q,R] with the words Q the user takes request R back, or says that it must not be done
Questions, thanks, words of others, and what holds already or was not said give {"operations":[]}."""


def reading_request(
    acts: Mapping[str, Act], message: str, context: RequestContext, unread: Collection[str] = ()
) -> Request:
    """Return the request for the operations of a user's message.

    Freed arguments (`any`) and withdrawals (`stop`) are left out if they are among the `unread` kinds.
    """
    # If the acts stood behind the lessons, these would be computed once for all policies. But then a small model
    # accepts offers that the user did not accept.
    frame = f"{_READ}\nActs and their arguments:\n{told_acts(acts)}"
    lessons = ((f"{before}\nUser: {said}", f'{{"operations":{answer}}}') for before, said, answer in _LESSONS)
    before = [f"Assistant: {one_line(context.assistant)}"] if context.assistant else []
    asked = "\n".join([*_requests(context), *before, f"User: {one_line(message)}"])
    schema = _schema(acts, message, context, unread)
    return taught_request("read_requests", frame, lessons, asked, schema, _LONGEST_REPLY)


def told_acts(acts: Mapping[str, Act]) -> str:
    """Return the acts with their arguments, one a line, for a prompt."""
    lines = []
    for act in acts.values():
        lines.append(f"{act.name}: {one_line(act.about)}")
        lines += (f"- {own.id}: {_kind(own)}. {one_line(own.about)}" for own in act.arguments.values() if own.is_read)
    return "\n".join(lines)


def _requests(context: RequestContext) -> list[str]:
    return [
        f"Request {number}: {own.act}" + "".join(f"; {one_line(said)}" for said in own.said.values())
        for number, own in enumerate(context.requests[-MOST_REQUESTS:], 1)
    ]


def _kind(argument: Argument) -> str:
    own = without_null(argument.type)
    match own:
        case Flag():
            return "true or false"
        case Name(_, values) if values is not None:
            return " | ".join(values)
        case Name(kind, _):
            return f"id of {kind}" if kind else "text"
        case Calendar(kind):
            return kind
        case Number():
            return str(own)
    return "text"


_LESSONS = (
    (
        "Assistant: Hello! What can I do for you?",
        "somewhere in Aldermoor please, and he should be good with kids, an orthodontist, not before ten",
        '[["dentists.town","is","Aldermoor","new"],["dentists.treats_children","is","good with kids",true,"new"],'
        '["dentists.speciality","is","orthodontist","Orthodontist","new"],["dentists.hour","at_least","ten","new"]]',
    ),
    (
        "Request 1: dentists; town is Aldermoor\nAssistant: Dr. Ines Falk has time on Monday at 10:15. Shall I book?",
        "Sounds good. What is her phone number?",
        '[["dentists.dentist_name","is","Dr. Ines Falk","1"],["dentists.day","is","Monday","1"],'
        '["dentists.hour","is","10:15","1"]]',
    ),
    (
        "Request 1: dentists; hour is 10:15\nAssistant: Dr. Ines Falk, Monday at 10:15, for one person.",
        "Is there parking?",
        "[]",
    ),
    (
        "Request 1: dentists; hour is 10:15\nAssistant: Please confirm: Dr. Ines Falk, Monday at 10:15.",
        "Oh, make it half past 10. I don't mind which room.",
        '[["dentists.hour","is","half past 10","1"],["any","don\'t mind which room","dentists.room","1"]]',
    ),
    (
        "Request 1: dentists; hour is 10:30\nAssistant: Please confirm: Dr. Ines Falk, Monday at half past 10.",
        "Yes, that is right, thanks!",
        "[]",
    ),
    (
        "Assistant: What is it about?",
        "Please pay bill B-17 with my card, and bill B-20 too, but not that one by card. My mail is jo@hill.example.",
        '[["pay_bill.bill","is","B-17","new"],["pay_bill.method","is","my card","card","new"],'
        '["pay_bill.bill","is","B-20","new2"],["pay_bill.method","not","by card","card","new2"],'
        '["pay_bill.email","is","jo@hill.example","all"]]',
    ),
    (
        "Request 1: pay_bill; bill is B-17\nRequest 2: pay_bill; bill is B-20\nAssistant: Both are due on Friday.",
        "Forget about B-17. And send 40 euros to Bob and 25 to Ann",
        '[["stop","Forget about B-17","1"],["send_money.amount","is","40 euros","new"],'
        '["send_money.to","is","Bob","new"],["send_money.amount","is","25","new2"],["send_money.to","is","Ann","new2"]]',
    ),
    (
        "Request 1: pay_bill; bill is B-20\nAssistant: By card or by giro?",
        "Is giro free? My wife says: take the card.",
        "[]",
    ),
)


def _schema(acts: Mapping[str, Act], message: str, context: RequestContext, unread: Collection[str]) -> dict[str, Any]:
    known = [str(number) for number, _ in enumerate(context.requests[-MOST_REQUESTS:], 1)]
    one, any_of = {"enum": [*known, *NEW]}, {"enum": [*known, *NEW, "all"]}
    arguments = [own for act in acts.values() for own in act.arguments.values() if own.is_read]
    items = []
    for own in arguments:
        quotes = quotes_of(own, message, context)
        is_ordered = isinstance(without_null(own.type), Number | Calendar)
        relations = list(get_args(SlotRelation)) if is_ordered else ["is", "not"]
        chosen = [] if (values := _values(own)) is None else [{"enum": values}]
        # A name or an address may belong to the user; other values may belong to all of several requests.
        request = any_of if own.is_text or len(known) > 1 else one
        # The argument comes first, so that it fixes the rest of the item in a grammar.
        items += [_item({"enum": [own.id]}, {"enum": relations}, quotes, *chosen, request)] if quotes else []
    if arguments and "any" not in unread:
        items.append(_item({"enum": ["any"]}, _WORDS, {"enum": [own.id for own in arguments]}, one))
    items.append(_item({"enum": ["open"]}, {"enum": list(acts)}, {"enum": list(NEW)}))
    items += [_item({"enum": ["stop"]}, _WORDS, {"enum": [*known, "all"]})] if known and "stop" not in unread else []
    return object_schema({"operations": {"type": "array", "maxItems": MOST_OPERATIONS, "items": {"anyOf": items}}})


def quotes_of(argument: Argument, message: str, context: RequestContext) -> dict[str, Any] | None:
    """Return the schema of the words that can be a value of an argument, or None without any.

    The words come from the message or from the assistant's offer before it. Ids are words with a digit, or words that a
    tool showed. Dates, times and numbers must be readable by code. Any other words are unrestricted, because a grammar
    of a whole message would be slower than the model.
    """
    type, texts = without_null(argument.type), (message, context.assistant)
    if argument.is_id:
        words = (own for text in texts for own in word_tokens(text))
        found = [own for own in words if own in context.shown or _ID.fullmatch(own)]
    elif isinstance(type, Number | Calendar):
        found = [own.text for text in texts for own in spans_of(text, type, context.now, context.locale)]
    else:
        return _WORDS
    return {"enum": list(dict.fromkeys(found))[:_MOST_WORDS]} if found else None


def _values(argument: Argument) -> list[Any] | None:
    is_flag = isinstance(without_null(argument.type), Flag)
    return [True, False] if is_flag else None if argument.choices is None else list(argument.choices)


def _item(*parts: dict[str, Any]) -> dict[str, Any]:
    return {"type": "array", "prefixItems": list(parts), "items": False, "minItems": len(parts), "maxItems": len(parts)}
