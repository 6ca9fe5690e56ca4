"""Events of a conversation as JSON for the page. Long values are cut, and the cut is told."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from holdtrue.guard.store.event import StoredEvent

_LONGEST = 20_000
_LONGEST_VALUE = 4_000
_PASSED = ("at", "turn", "unheard", "cut", "yes", "by", "role", "reason", "tool", "outcome", "call", "id", "events")
"""Fields of events that the page gets as they are."""


def event_view(event: StoredEvent) -> dict[str, Any]:
    """Return an event with the parts that the page shows."""
    body = event.content
    found: dict[str, Any] = {name: body[name] for name in _PASSED if body.get(name) is not None}
    found |= {"seq": event.seq, "kind": event.kind, "at": event.at}
    found |= {who: cut(body[who], _LONGEST) for who in ("user", "assistant") if body.get(who) is not None}
    if event.kind in ("heard", "reheard"):
        found["read"] = [_reading(own) for own in (*body.get("taken", ()), *body.get("promises", ()))]
        found["answered"] = list(body.get("answered", ()))
    if "result" in body:
        found |= {"arguments": arguments_view(body["arguments"]), "result": value_text(body["result"])}
    if event.kind == "decided":
        found |= _decision(body)
    elif event.kind == "overridden":
        found["decision"] = body["decision"]
    elif event.kind == "committed":
        own = body.get("commitment") or body["entry"]
        found["read"] = [_reading({"do": "commit", **own})] if "entry" in body else []
        found["say"] = own.get("say", "")
    return found


def cut(text: str, most: int) -> str:
    """Return a text with at most `most` characters, which tells how many are left out."""
    return text if len(text) <= most else f"{text[:most]}... ({len(text) - most:,} more characters)"


def value_text(value: Any) -> str:
    """Return a JSON value as text. A text stays as it is."""
    text = value if isinstance(value, str) else json.dumps(value, ensure_ascii=False, indent=1)
    return cut(text, _LONGEST_VALUE)


def arguments_view(arguments: Any) -> list[tuple[str, str]]:
    """Return the names and values of arguments. Arguments that are no object have one value without a name."""
    if not isinstance(arguments, Mapping):
        return [("", value_text(arguments))]
    return [(name, cut(json.dumps(own, ensure_ascii=False), _LONGEST_VALUE)) for name, own in arguments.items()]


def _reading(own: Mapping[str, Any]) -> dict[str, Any]:
    """Return an operation of a reader, or a promise, with its words and its confidence."""
    if "sentence" in own:
        return {"do": "promise", "what": own["tool"], "say": "", "quote": own["sentence"], "sure": None}
    about = ".".join(filter(None, (own.get("act"), own.get("argument"))))
    relation = str(own.get("relation") or "is").replace("_", " ")
    say = "" if own.get("value") is None else f"{relation} {json.dumps(own['value'], ensure_ascii=False)}"
    return {"do": own["do"], "what": about, "say": say, "quote": own.get("quote", ""), "sure": own.get("confidence")}


def _decision(body: Mapping[str, Any]) -> dict[str, Any]:
    """Return a decision with the findings that it rests on, apart from the others, and the differing arguments."""
    record = json.loads(body["record"])
    stopping = set(record["rules"])
    open_ones = [own for own in record["findings"] if own["status"] in ("broken", "undecided")]
    resting = [own for own in open_ones if own["rule"] in stopping]
    differs: dict[str, list[dict[str, Any]]] = {}
    for own in resting:
        if own.get("origin") and own["origin"]["argument"]:
            differs.setdefault(own["origin"]["argument"], []).append(own["origin"])
    return {
        "decision": body["decision"],
        "verdict": record["kind"],
        "tool": record["tool"],
        "arguments": arguments_view(record["arguments"]),
        "stops": body.get("stops"),
        "mode": record["mode"],
        "resting": resting,
        "doubts": [own for own in open_ones if own not in resting],
        "kept": sum(own["status"] == "holds" for own in record["findings"]),
        "differs": differs,
        "fetch": [{"tool": own["tool"], "arguments": arguments_view(own["arguments"])} for own in record["fetch"]],
        "facts": [_fact(own) for own in record["given"].get("facts", ())],
        "policy": record["given"].get("policy", ""),
        "listing": body.get("listing", ""),
        **{name: record.get(name, ()) for name in ("coverage", "questions", "waits", "assumptions")},
        "fetched": [f"{own['tool']} {own['error']}".rstrip() for own in record.get("fetched", ())],
    }


def _fact(own: Mapping[str, Any]) -> dict[str, Any]:
    """Return a fact with its record, or with the reason why its record is not known."""
    unseen = own.get("unread") or ("there is none" if "absent" in own else "it was not seen")
    said = arguments_view(own["record"]) if "record" in own else []
    return {"name": own["kind"], "keys": value_text(own["keys"]), "record": said, "unseen": "" if said else unseen}
