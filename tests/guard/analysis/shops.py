"""Policies of a small shop, to which tests add the rules that they are about."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy

REFUND = {
    "name": "refund",
    "parameters": {
        "type": "object",
        "required": ["order", "amount", "method"],
        "properties": {
            "order": {"type": "string"},
            "amount": {"type": "integer", "minimum": 0, "maximum": 500},
            "method": {"type": "string", "enum": ["card", "gift"]},
            "note": {"type": "string"},
            "lines": {"type": "array", "items": {"type": "integer"}},
            "tags": {"type": "array", "items": {"type": "string"}, "minItems": 1, "maxItems": 2},
        },
    },
}
CREDIT = {
    "name": "credit",
    "parameters": {
        "type": "object",
        "required": ["order", "amount"],
        "properties": {"order": {"type": "string"}, "amount": {"type": "integer", "minimum": 0, "maximum": 50}},
    },
}
GET_ORDER = {
    "name": "get_order",
    "parameters": {"type": "object", "required": ["order"], "properties": {"order": {"type": "string"}}},
}
RATE = {
    "name": "rate",
    "parameters": {"type": "object", "required": ["order"], "properties": {"order": {"type": "string"}}},
}
FACTS = {
    "order": {
        "key": {"order": "id of order"},
        "record": {
            "total": "whole 0..",
            "status": ["open", "paid", "shipped"],
            "next": "id of order",
            "ranks": "list of whole",
        },
        "from": [{"tool": "get_order", "key": {"order": "call.order"}}],
    },
    "rating": {
        "key": {"order": "id of order"},
        "record": {"stars": "whole 1..5"},
        "from": [{"tool": "rate", "key": {"order": "call.order"}}],
    },
    "customer": {
        "key": {"order": "id of order"},
        "record": {"tier": ["basic", "prime"], "email?": "text"},
        "from": [
            {
                "tool": "get_order",
                "key": {"order": "call.order"},
                "result": {"tier": ["basic", "prime"]},
                "partial": True,
            }
        ],
    },
}
SAID = {
    "agreed": {"type": "bool"},
    "other_order": {"type": "id of order", "claim": True},
    "broken_item": {"type": "bool", "claim": True},
}


def shop(*rules: Mapping[str, Any], **parts: Any) -> Policy:
    """Return a policy with these rules, which are on `refund` and called a, b and so on unless they say otherwise."""
    listed = [
        {"id": "abcdefgh"[place], "on": "refund", "say": "It has to be so.", **rule} for place, rule in enumerate(rules)
    ]
    return make_policy(
        "shop",
        **{
            "tools": {
                "definitions": [REFUND, CREDIT, GET_ORDER, RATE],
                "reads": ["get_order"],
                "types": {"*": {"order": "id of order"}},
            },
            "facts": FACTS,
            "said": SAID,
            "rules": listed,
            **parts,
        },
    )
