"""Policies in prose with the parts that an able model drafts from each sentence, and faults that a poor one makes."""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Mapping, Sequence
from pathlib import Path
from typing import Any

from holdtrue.language.policy_prompts import _TASK
from holdtrue.models.chat import Request
from holdtrue.models.scripted import ScriptModel

Parts = list[dict[str, Any]]
Answers = Mapping[str, Parts]

LIBRARY = """\
# Library desk

You lend books to members.

## Loans

Members may have at most 5 books at a time. Students may borrow a book for 14 days, and all others for 28 days.
Books that are reserved are not lent, unless the member is staff.
Nobody borrows who owes more than 20 dollars.

| Shelf | Days |
|-------|------|
| short | 7    |
| long  | 21   |

## Renewals

Read the details back and get a yes before you renew. A loan is renewed once. Overdue books are not renewed.
A renewal moves the due date to the new one.

## Fees

- A fee is only waived if the member asks for it.
- Fees above 50 dollars are never waived.
- Whoever had a fee waived gets a letter.
- Be friendly about it.
"""
NAMES = ("member", "book", "days", "amount", "loan", "due")


def tool(name: str, **arguments: str) -> dict[str, Any]:
    shapes = {
        "text": {"type": "string"},
        "whole": {"type": "integer", "minimum": 1, "maximum": 400},
        "number": {"type": "number", "minimum": 0, "multipleOf": 0.01},
        "date": {"type": "string", "format": "date"},
    }
    properties = {argument: shapes[kind] for argument, kind in arguments.items()}
    parameters = {
        "type": "object",
        "properties": properties,
        "required": list(arguments),
        "additionalProperties": False,
    }
    return {"name": name, "description": f"To {name.replace('_', ' ')}.", "parameters": parameters}


TOOLS = [
    tool("get_member", member="text"),
    tool("get_book", book="text"),
    tool("get_loan", loan="text"),
    tool("lend", member="text", book="text", days="whole"),
    tool("renew", loan="text", due="date"),
    tool("waive_fee", member="text", amount="number"),
    tool("send_letter", member="text"),
]
READS = ("get_member", "get_book", "get_loan")


def pairs(**own: str) -> list[dict[str, str]]:
    return [{"name": name, "value": value} for name, value in own.items()]


def rule(id: str, on: str, hold: str, when: str = "", severity: str = "block") -> dict[str, Any]:
    return {"kind": "rule", "id": id, "on": [on], "when": when, "hold": hold, "severity": severity}


def fact(name: str, key: str, source: str, **record: str) -> dict[str, Any]:
    shown = {"tool": source, "each": "", "key": pairs(**{key: f"call.{key}"})}
    return {"kind": "fact", "name": name, "key": pairs(**{key: "text"}), "record": pairs(**record), "from": [shown]}


NO_RULE: Parts = [{"kind": "no_rule"}]
MEMBER = fact("member", "member", "get_member", books="whole 0..", owes="number 0..", group="[student, staff, guest]")
BOOK = fact("book", "book", "get_book", shelf="[short, long]", reserved="bool")
LOAN = fact("loan", "loan", "get_loan", overdue="bool", due="date")
SHELVES = {"kind": "table", "name": "shelf_days", "type": "map of whole", "entries": pairs(short="7", long="21")}
ABLE: Answers = {
    "Members may have at most 5 books": [MEMBER, rule("books", "lend", "facts.member(call.member).books < 5")],
    "Students may borrow a book for 14 days": [
        rule("days", "lend", "call.days <= (facts.member(call.member).group == 'student' ? 14 : 28)")
    ],
    "Books that are reserved are not lent": [
        BOOK,
        rule("reserved", "lend", "facts.member(call.member).group == 'staff'", "facts.book(call.book).reserved"),
    ],
    "Nobody borrows who owes": [rule("owes", "lend", "facts.member(call.member).owes <= 20")],
    "Shelf: short": [SHELVES, rule("shelf", "lend", "call.days <= tables.shelf_days[facts.book(call.book).shelf]")],
    "Shelf: long": [SHELVES],
    "Read the details back": [{"kind": "consent", "on": ["renew"], "when": ""}],
    "A loan is renewed once": [{"kind": "limit", "id": "once", "on": ["renew"], "most": 1, "per": "loan"}],
    "Overdue books are not renewed": [LOAN, rule("overdue", "renew", "!facts.loan(call.loan).overdue")],
    "A renewal moves the due date": [
        {
            "kind": "effect",
            "on": ["renew"],
            "fact": "loan",
            "key": pairs(loan="call.loan"),
            "set": pairs(due="call.due"),
            "when": "",
        }
    ],
    "A fee is only waived": [
        {"kind": "said", "name": "asked", "type": "bool", "ask": "Do you ask for a waiver?"},
        rule("asked", "waive_fee", "said.asked"),
    ],
    "Fees above 50 dollars": [rule("waiver", "waive_fee", "call.amount <= 50")],
    "Whoever had a fee waived": [
        {"kind": "obligation", "id": "letter", "when": "size(done.waive_fee) > 0", "hold": "size(done.send_letter) > 0"}
    ],
    "Be friendly": [{"kind": "not_checked", "reason": "No call shows how friendly one is."}],
}


def scripted(*drafts: Answers, again: Callable[[Request], Parts | None] = lambda _: None) -> ScriptModel:
    """A model that answers a sentence by the first words of it. `drafts` are the answers in the two styles."""

    def reply(request: Request) -> str:
        style = next(place for place, own in enumerate(_TASK) if request.messages[0].content.startswith(own))
        asked = request.messages[request.frame].content
        text = next(line for line in asked.splitlines() if line.startswith("Sentence: ")).removeprefix("Sentence: ")
        answers = drafts[style % len(drafts)]
        parts = again(request) or next((own for words, own in answers.items() if text.startswith(words)), NO_RULE)
        return json.dumps({"parts": parts})

    return ScriptModel(reply)


def written(folder: Path, prose: str = LIBRARY, tools: Sequence[Any] = TOOLS) -> tuple[Path, Path]:
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "rules.md").write_text(prose, encoding="utf-8")
    (folder / "tools.json").write_text(json.dumps(tools), encoding="utf-8")
    return folder / "rules.md", folder / "tools.json"


RENTAL = """\
TOOL RENTAL
===========

1 Who may rent

1.1 Renters are at least 18 years old. Only renters with a licence rent chainsaws.

2 Prices

2.1 The deposit is at least 40 EUR, or 10 EUR for members.
2.2 A rental of more than 7 days has a discount of at most 15 percent, all others of none.

3 Returns

3.1 Damaged tools are reported before the deposit is paid back, except for hammers.
3.2 Nobody is paid back more than the deposit. We say thank you.
"""
RENTAL_TOOLS = [
    tool("get_renter", renter="text"),
    tool("get_rental", rental="text"),
    tool("rent", renter="text", item="text", days="whole", deposit="number", discount="number"),
    tool("report", rental="text"),
    tool("pay_back", rental="text", amount="number"),
]
RENTER = fact("renter", "renter", "get_renter", age="whole 0..", licence="bool", member="bool")
RENTED = fact("rental", "rental", "get_rental", item="text", damaged="bool", deposit="number 0..", price="number 0..")
ABLE_RENTAL: Answers = {
    "1.1 Renters": [RENTER, rule("age", "rent", "facts.renter(call.renter).age >= 18")],
    "Only renters with": [rule("saw", "rent", "facts.renter(call.renter).licence", "call.item == 'chainsaw'")],
    "2.1 The deposit": [
        rule("deposit", "rent", "call.deposit >= 40 || (facts.renter(call.renter).member && call.deposit >= 10)")
    ],
    "2.2 A rental": [rule("discount", "rent", "call.discount == 0 || (call.days > 7 && call.discount <= 15)")],
    "3.1 Damaged": [
        RENTED,
        rule(
            "report",
            "pay_back",
            "facts.rental(call.rental).item == 'hammer' || done.report.exists(r, r.rental == call.rental)",
            "facts.rental(call.rental).damaged",
        ),
    ],
    "3.2 Nobody": [rule("back", "pay_back", "call.amount <= facts.rental(call.rental).deposit")],
}

Fault = str
FAULTS: tuple[Fault, ...] = ("wrong bound", "converse", "wrong field", "forgotten exception")
FIELDS = {
    ".books <": ".owes <",
    ".owes <=": ".books <=",
    "call.days <= (": "facts.member(call.member).books <= (",
    "call.days <= tables": "facts.member(call.member).books <= tables",
    ".overdue": ".due > call.due",
    ".licence": ".member",
    "call.deposit": "call.discount",
    "call.discount": "call.deposit",
    ".damaged": ".item == 'hammer'",
    "rental).deposit": "rental).price",
}
"""Expressions of fields, each with another field that a poor model takes for it."""


def faulty(parts: Parts, fault: Fault, fields: Mapping[str, str]) -> Parts | None:
    """The parts with one fault of a kind in their last rule or limit, or None if the kind does not fit."""
    *others, own = parts
    if own["kind"] == "limit":
        return [*others, {**own, "most": own["most"] + 1}] if fault == "wrong bound" else None
    if own["kind"] != "rule":
        return None
    when, hold = own["when"], own["hold"]
    match fault:
        case "wrong bound":
            hold = re.sub(r"\b\d+\b", lambda found: str(int(found[0]) + 1), hold, count=1)
        case "converse":
            when, hold = (hold, when) if when else ("", f"!({hold})")
        case "wrong field":
            named = next((name for name in fields if name in hold), None)
            hold = hold if named is None else hold.replace(named, fields[named], 1)
        case "forgotten exception":
            when, hold = ("", hold) if when else ("", hold.split(" || ")[0])
    return None if (when, hold) == (own["when"], own["hold"]) else [*others, {**own, "when": when, "hold": hold}]
