"""The policies of two trades of tau2 in prose, drafted by models that know the rules that a checker can hold."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from holdtrue.guard import load_policy
from tests.data import DATA
from tests.guard.drafting.desks import FAULTS, Answers, fact, pairs, rule, scripted
from tests.guard.drafting.test_policy_drafting import Desk, begins, begun, drafted, open_sentences, with_faults

TAU2 = DATA / "tau2"
pytestmark = [
    pytest.mark.skipif(not TAU2.is_dir(), reason="the policies of tau2 are not beside the repository"),
    pytest.mark.slow,
]
AIRLINE_TOOLS = Path(__file__).parents[3] / "examples" / "airline" / "tools.json"


def consent(*on: str) -> dict[str, Any]:
    return {"kind": "consent", "on": [*on], "when": ""}


BILL = fact("bill", "id", "get_details_by_id", status="text", customer_id="text", total_due="number")
LINE = fact("line", "id", "get_details_by_id", status="text", contract_end_date="date", roaming_enabled="bool")
CUSTOMER = fact("customer", "customer_id", "get_customer_by_id", bill_ids="list of text", line_ids="list of text")
TELECOM: Answers = {
    "Send the user a payment request": [
        BILL,
        rule("overdue", "send_payment_request", "facts.bill(call.bill_id).status == 'Overdue'"),
    ],
    "A user can only have one bill": [
        CUSTOMER,
        rule(
            "one-awaiting",
            "send_payment_request",
            "facts.customer(call.customer_id).bill_ids.all(b, facts.bill(b).status != 'Awaiting Payment')",
        ),
    ],
    "The user has an overdue bill.": [
        LINE,
        rule(
            "suspended-for",
            "suspend_line",
            "facts.line(call.line_id).contract_end_date < now.date() || "
            "facts.customer(call.customer_id).bill_ids.exists(b, facts.bill(b).status == 'Overdue')",
        ),
    ],
    "You are allowed to lift": [
        rule(
            "paid", "resume_line", "facts.customer(call.customer_id).bill_ids.all(b, facts.bill(b).status != 'Overdue')"
        )
    ],
    "You are not allowed to lift": [
        rule("contract", "resume_line", "facts.line(call.line_id).contract_end_date >= now.date()")
    ],
    "The maximum amount of data": [rule("most", "refuel_data", "call.gb_amount <= 2")],
    "Confirm the price": [consent("refuel_data")],
    "Apply the refueled data": [
        rule("own-line", "refuel_data", "call.line_id in facts.customer(call.customer_id).line_ids")
    ],
    "If it is not, you should enable": [
        rule("roaming", "enable_roaming", "!facts.line(call.line_id).roaming_enabled", "call.line_id != ''")
    ],
}
USER = fact(
    "user",
    "user_id",
    "get_user_details",
    membership="[regular, silver, gold]",
    payment_methods="{map of: {source: text}}",
)
RESERVATION = fact(
    "reservation",
    "reservation_id",
    "get_reservation_details",
    user_id="text",
    cabin="[basic_economy, economy, business]",
    passengers="{list of: {first_name: text, last_name: text}}",
    total_baggages="whole 0..",
    insurance="text",
    created_at="moment",
)
RESERVED = "facts.reservation(call.reservation_id)"
FREE = {
    "kind": "table",
    "name": "free_bags",
    "type": "map of map of whole",
    "entries": pairs(
        regular="{basic_economy: 0, economy: 1, business: 2}",
        silver="{basic_economy: 1, economy: 2, business: 3}",
        gold="{basic_economy: 2, economy: 3, business: 4}",
    ),
}
PAID = "size(call.payment_methods.filter(p, p.payment_id.startsWith('{}'))) <= {}"
WRITES = ("book_reservation", "cancel_reservation", "update_reservation_baggages", "update_reservation_flights")
AIRLINE: Answers = {
    "Before taking any actions": [consent(*WRITES, "update_reservation_passengers")],
    "Each reservation can have at most five": [rule("five", "book_reservation", "size(call.passengers) <= 5")],
    "Each reservation can use at most one travel": [
        rule("certificates", "book_reservation", PAID.format("certificate", 1)),
        rule("credit-cards", "book_reservation", PAID.format("credit_card", 1)),
        rule("gift-cards", "book_reservation", PAID.format("gift_card", 3)),
    ],
    "All payment methods must already": [
        USER,
        rule(
            "in-profile",
            "book_reservation",
            "call.payment_methods.all(p, p.payment_id in facts.user(call.user_id).payment_methods)",
        ),
    ],
    "4 free checked bags": [
        FREE,
        rule(
            "free-bags",
            "book_reservation",
            "call.nonfree_baggages == math.greatest(0, call.total_baggages - tables.free_bags"
            "[facts.user(call.user_id).membership][call.cabin] * size(call.passengers))",
        ),
    ],
    "Basic economy flights cannot": [
        RESERVATION,
        rule(
            "basic",
            "update_reservation_flights",
            f"{RESERVED}.cabin != 'basic_economy' || call.cabin != 'basic_economy'",
        ),
    ],
    "The user can add but not remove": [
        rule("bags", "update_reservation_baggages", f"call.total_baggages >= {RESERVED}.total_baggages")
    ],
    "The user can modify passengers": [
        rule("number", "update_reservation_passengers", f"size(call.passengers) == size({RESERVED}.passengers)")
    ],
    "Otherwise, flight can be cancelled": [
        {"kind": "said", "name": "reason", "type": "[change_of_plan, health, weather, other]", "ask": "Why?"},
        rule(
            "cancel",
            "cancel_reservation",
            f"now - {RESERVED}.created_at <= hours(24) || {RESERVED}.cabin == 'business' || "
            f"({RESERVED}.insurance == 'yes' && said.reason in ['health', 'weather'])",
        ),
    ],
    "Only compensate if": [
        rule(
            "silver", "send_certificate", "facts.user(call.user_id).membership in ['silver', 'gold']", "call.amount > 0"
        )
    ],
}
FIELDS = {
    "bill(call.bill_id).status": "bill(call.bill_id).customer_id",
    "bill(b).status": "bill(b).customer_id",
    "bill_ids.all": "line_ids.all",
    "line(call.line_id).contract_end_date >=": "line('L1').contract_end_date >=",
    ".line_ids": ".bill_ids",
    "call.line_id in": "call.customer_id in",
    "total_baggages >=": "nonfree_baggages >=",
    "size(call.passengers) <=": "size(call.flights) <=",
    "'gift_card'": "'certificate'",
    "call.nonfree_baggages": "call.total_baggages",
    "p.payment_id in": "call.user_id in",
}


def trade(name: str) -> Desk:
    if name == "telecom":
        prose = (TAU2 / name / "main_policy.md").read_text(encoding="utf-8")
        tools = json.loads((TAU2 / name / "tools.json").read_text(encoding="utf-8"))
        names = tuple(own["function"]["name"] for own in tools)
        return Desk(prose, tools, tuple(own for own in names if own.startswith("get_")), TELECOM, FIELDS)
    prose = (TAU2 / name / "policy.md").read_text(encoding="utf-8")
    tools = json.loads(AIRLINE_TOOLS.read_text(encoding="utf-8"))
    return Desk(prose, tools, ("get_user_details", "get_reservation_details"), AIRLINE, FIELDS)


@pytest.mark.parametrize("name", ["telecom", "airline"])
def test_able_drafts_agree_and_every_fault_of_one_is_a_question(tmp_path: Path, name: str) -> None:
    desk = trade(name)
    folder = begun(tmp_path / "able", desk)
    drafting, calls = drafted(folder, scripted(desk.able))
    policy = load_policy(folder / "policy.yaml")
    assert drafting.questions == [] and open_sentences(folder) == set()
    assert policy.prose is not None and len(calls) == 2 * len(policy.prose.sentences)
    for fault in FAULTS:
        planted = with_faults(desk, fault)
        assert planted
        folder = begun(tmp_path / fault, desk)
        drafting, _ = drafted(folder, scripted(desk.able, {**desk.able, **planted}))
        assert begins(open_sentences(folder), {*planted}), fault
        print(name, fault, len(planted), len({own["sentences"][0] for own in drafting.questions if "case" in own}))
