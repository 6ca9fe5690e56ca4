"""This module has the prompts for drafting a policy from prose, one sentence at a time, and the schema of the replies.

The requests of two drafts have two *styles*: other words, and another order of the lessons. So a misreading of one
draft is less likely to be in the other.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.language.asking import one_line, taught_request
from holdtrue.models.chat import Request, assistant, user
from holdtrue.rules.types import ListOf, MapOf, Name, Nullable, Record, Type
from holdtrue.world.answer_shape import object_schema

_LONGEST_REPLY = 900
_LONGEST_ABOUT = 200
_MOST_PARTS, _MOST_PAIRS = 6, 40
_TASK = (
    "You write an operator's policy for the tool calls of an assistant as rules that a program can check. Write the "
    "parts that one sentence states, and nothing that it does not state.",
    "An assistant may call tools, and its operator wrote down in prose which calls are right. Turn a single sentence "
    "of that prose into the parts that a checker needs. Add nothing of your own.",
)
_KINDS = """Reply with JSON: {"parts": [...]}. The kinds of parts:
rule: if `when` ("" is always) is true of a call of the tools `on`, `hold` has to be true. Conditions in one sentence \
that are independent are rules of their own. severity "ask" lets a person decide, "warn" only tells.
limit: the tools `on` are called at most `most` times in a conversation, for each value of the argument `per` ("" is \
for all together).
obligation: what has to be true at the end of the conversation; it has no call.
consent: the user has to say yes to a call of the tools `on` first.
fact: a kind of records that a reading tool shows, if rules need it and it is not declared yet. `key` names what a \
record is found by, `record` its fields with their types (none: those of the tool's result), `from` the tool. `each` \
is the list in the result whose entries are records, or "" if the result is the record. Its `key` gives each key by \
call, result and item.
effect: a call of the tools `on` sets fields of a record. said: words of the user that rules need and no argument has.
table: values by a key. not_checked: a rule that none of these can say, with the reason. no_rule: the sentence is a \
heading, a greeting or a description, and forbids and demands nothing.
Expressions are CEL over call.ARGUMENT, facts.KIND(KEY).FIELD, done.TOOL (earlier calls, a list), said.NAME, \
tables.NAME[KEY], and now. They have && || ! == < <= in, c ? a : b, has(call.x), size(x), x.sum(), x.all(i, i.y > 0), \
x.exists(i, ...), x.filter(i, ...), x.map(i, ...), x[0], date('2026-03-01'), time('16:00'), days(3), hours(2), \
minutes(30), now.date(), now.time(), x.getDayOfWeek() (Sunday is 0), math.abs(x), math.round(x), math.greatest(x, y), \
math.least(x, y), amount(5, 'USD').
Types are text, [one, two], bool, whole, whole 1..5, number, date, time, moment, duration, list of TYPE, TYPE or \
null, {list of: {name: text, price: number}} and {or null: {name: text}}; the type of a table is that of the whole, \
such as map of number. Units such as USD(2) and ids such as id of order only where the arguments have them."""
_TOOLS = "The tools and their arguments:"
_LESSONS = (
    ("Section: Refunds\nSentence: Refunds", '[{"kind":"no_rule"}]'),
    (
        "Declared: nothing yet\nSection: Refunds\nSentence: No more than the price of the order is refunded.",
        '[{"kind":"fact","name":"order","key":[{"name":"order","value":"text"}],"record":[{"name":"price","value":'
        '"number 0.."},{"name":"delivered","value":"date"},{"name":"status","value":"text"}],"from":[{"tool":'
        '"get_order","each":"","key":[{"name":"order","value":"call.order"}]}]},{"kind":"rule","id":"price","on":'
        '["refund"],"when":"","hold":"call.amount <= facts.order(call.order).price","severity":"block"}]',
    ),
    (
        "Section: Refunds > Vouchers\nSentence: Vouchers above 50 dollars are given within 30 days of delivery.",
        '[{"kind":"rule","id":"voucher-days","on":["refund"],"when":"call.method == \'voucher\' && call.amount > 50",'
        '"hold":"now.date() - facts.order(call.order).delivered <= days(30)","severity":"block"}]',
    ),
    (
        "Section: Refunds\nSentence: Ask before any refund, and give one refund for each order.",
        '[{"kind":"consent","on":["refund"],"when":""},{"kind":"limit","id":"once","on":["refund"],"most":1,'
        '"per":"order"}]',
    ),
    (
        "Section: Refunds\nSentence: Only customers who say that the parcel is broken get money back.",
        '[{"kind":"said","name":"broken","type":"bool","ask":"Is the parcel broken?"},{"kind":"rule","id":"broken",'
        '"on":["refund"],"when":"call.method == \'money\'","hold":"said.broken","severity":"block"}]',
    ),
    (
        "Section: Refunds\nSentence: A refund changes the status of the order to returned.",
        '[{"kind":"effect","on":["refund"],"fact":"order","key":[{"name":"order","value":"call.order"}],"set":'
        '[{"name":"status","value":"\'returned\'"}],"when":""}]',
    ),
    (
        "Section: Refunds\nSentence: Who got money back gets a receipt.",
        '[{"kind":"obligation","id":"receipt","when":"size(done.refund) > 0","hold":"size(done.send_receipt) > 0"}]',
    ),
    (
        "Section: Manners\nSentence: Be kind to customers.",
        '[{"kind":"not_checked","reason":"No argument of a call and no record shows it."}]',
    ),
)
"""Sentences of a desk for refunds, each with its parts."""


@dataclass(frozen=True, slots=True)
class AskedSentence:
    """An `AskedSentence` is a sentence with its surroundings.

    Attributes:
        tools: A line about each tool (`told_tool`), by its name.
        path: The headings and introductions above it.
        before, after: The sentences around it.
        declared: The facts, statements and tables that rules may use.
        evidence: A person's judgements of earlier drafts of it, each as JSON with the case and the right decision.
    """

    text: str
    tools: Mapping[str, str]
    path: tuple[str, ...] = ()
    before: str = ""
    after: str = ""
    declared: tuple[str, ...] = ()
    evidence: tuple[str, ...] = ()


def sentence_request(style: int, asked: AskedSentence, seed: int) -> Request:
    """Return the request for the parts that a sentence states. `style` is 0 or 1."""
    frame = "\n".join((_TASK[style], _KINDS, _TOOLS, *asked.tools.values()))
    lessons = [(said, f'{{"parts":{parts}}}') for said, parts in _LESSONS[:: -1 if style else 1]]
    lines = ["Declared: nothing yet"] if not asked.declared else ["Declared:", *asked.declared]
    lines += [f"Section: {' > '.join(asked.path)}"] if asked.path else []
    lines += [f"Before: {one_line(asked.before)}"] if asked.before else []
    lines += [f"After: {one_line(asked.after)}"] if asked.after else []
    lines += [f"Sentence: {one_line(asked.text)}"]
    if asked.evidence:
        lines += ["A person found an earlier draft of this sentence wrong:", *asked.evidence]
    text, schema = "\n".join(lines), _parts_schema([*asked.tools])
    found = taught_request("draft_policy", frame, lessons, text, schema, _LONGEST_REPLY)
    return replace(found, seed=seed)


def again_request(request: Request, reply: str, faults: Sequence[str]) -> Request:
    """Return the request for another reply, with the faults that the last one has."""
    told = "\n".join(f"- {one_line(fault)}" for fault in faults)
    asked = user(f"These parts cannot be used:\n{told}\nReply with all parts of the same sentence once more.")
    return replace(request, messages=(*request.messages, assistant(reply), asked))


_TEXT = {"type": "string"}
_PAIRS = {"type": "array", "maxItems": _MOST_PAIRS, "items": object_schema({"name": _TEXT, "value": _TEXT})}


def _parts_schema(tools: Sequence[str]) -> dict[str, Any]:
    tool, number = {"enum": list(tools)}, {"type": "integer"}
    on = {"type": "array", "minItems": 1, "maxItems": len(tools), "items": tool}
    shown = {"type": "array", "maxItems": 3, "items": object_schema({"tool": tool, "each": _TEXT, "key": _PAIRS})}
    condition = {"when": _TEXT, "hold": _TEXT}
    kinds: dict[str, dict[str, Any]] = {
        "rule": {"id": _TEXT, "on": on, **condition, "severity": {"enum": ["block", "ask", "warn"]}},
        "limit": {"id": _TEXT, "on": on, "most": number, "per": _TEXT},
        "obligation": {"id": _TEXT, **condition},
        "consent": {"on": on, "when": _TEXT},
        "fact": {"name": _TEXT, "key": _PAIRS, "record": _PAIRS, "from": shown},
        "effect": {"on": on, "fact": _TEXT, "key": _PAIRS, "set": _PAIRS, "when": _TEXT},
        "said": {"name": _TEXT, "type": _TEXT, "ask": _TEXT},
        "table": {"name": _TEXT, "type": _TEXT, "entries": _PAIRS},
        "not_checked": {"reason": _TEXT},
        "no_rule": {},
    }
    items = [object_schema({"kind": {"enum": [kind]}, **fields}) for kind, fields in kinds.items()]
    return object_schema({"parts": {"type": "array", "maxItems": _MOST_PARTS, "items": {"anyOf": items}}})


def told_tool(name: str, about: str, writes: bool, arguments: Type, result: Type | None) -> str:
    """Return a line about a tool for the prompts: its arguments and result with their types."""
    shown = "" if result is None else f"; its result: {_told(result)}"
    head = f"- {name} ({'writes' if writes else 'only reads'}) {_told(arguments)}{shown}"
    return f"{head}. {one_line(about)[:_LONGEST_ABOUT]}"


def _told(type: Type) -> str:
    match type:
        case Record():
            fields = (f"{name}{'' if own.required else '?'}: {_told(own.type)}" for name, own in type.fields.items())
            return f"{{{', '.join(fields)}}}"
        case ListOf():
            return _with_form("list of", _told(type.item))
        case MapOf():
            return _with_form("map of", _told(type.value))
        case Nullable():
            return _with_form("or null", _told(type.value))
        case Name(_, tuple(values)):
            return f"[{', '.join(values)}]"
    return str(type)


def _with_form(form: str, inner: str) -> str:
    """Return a type as a reply has to write it."""
    if inner[:1] in ("{", "["):
        return f"{{{form}: {inner}}}"
    return f"{inner} {form}" if form == "or null" else f"{form} {inner}"
