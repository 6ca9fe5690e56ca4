"""The words with which a model is asked what an assistant claims to have done, and the grammar of its reply."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.language.asking import one_line
from holdtrue.language.requests.acts import Act
from holdtrue.language.requests.request_prompts import told_acts
from holdtrue.models.chat import Request, assistant, system, user

_MOST_CLAIMS, _MOST_VALUES = 4, 6
_READ = """You read what an assistant that has tools tells a user. Note each claim that the assistant itself has now \
done a piece of work that one of these tools does. Reply with JSON: \
{"claims":[{"quote":...,"tool":...,"values":[...]}]}. quote is the words of the claim. values are what the claim says \
of the tool's arguments: [argument, words], nothing but the value, or [argument, words, choice] for one with choices.
Promises, offers, plans, questions, conditions, refusals, what is not done yet, what others did, what was found or \
looked up, and what is only quoted are no claims: {"claims":[]}."""
_LESSONS = (
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
    """Return the request that asks what a message of the assistant claims to have done."""
    taught = [system(f"{_READ}\nTools and their arguments:\n{told_acts(acts)}")]
    for said, answer in _LESSONS:
        taught += [user(f"Assistant: {said}"), assistant(answer)]
    prompt = (*taught, user(f"Assistant: {one_line(message)}"))
    return Request(prompt, "read_claims", schema=_schema(acts), max_tokens=400, frame=len(taught))


def _schema(acts: Mapping[str, Act]) -> dict[str, Any]:
    quote = {"type": "string"}
    items = []
    for act in acts.values():
        names = {"enum": list(act.arguments)}
        choices = sorted({value for own in act.arguments.values() for value in own.choices or ()})
        value = {"type": "array", "prefixItems": [names, quote], "items": False, "minItems": 2, "maxItems": 2}
        shapes = [value]
        if choices:
            parts = [names, quote, {"enum": choices}]
            shapes.append({"type": "array", "prefixItems": parts, "items": False, "minItems": 3, "maxItems": 3})
        values = {"type": "array", "maxItems": _MOST_VALUES, "items": {"anyOf": shapes}}
        properties = {"quote": quote, "tool": {"enum": list(act.tools)}, "values": values}
        items.append(
            {
                "type": "object",
                "properties": properties,
                "required": list(properties),
                "additionalProperties": False,
            }
        )
    claims = {"type": "array", "maxItems": _MOST_CLAIMS, "items": {"anyOf": items}}
    return {"type": "object", "properties": {"claims": claims}, "required": ["claims"], "additionalProperties": False}
