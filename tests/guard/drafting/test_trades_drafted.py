"""Policies of trades in prose, drafted by models that know the rules that a checker can hold.

Two are those of tau2. The prose of `trades` was written by people who had not seen holdtrue, and its parts are the
replies of a language model to the prompts, with the declarations of its facts joined.
"""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from holdtrue.budget import Budget
from holdtrue.guard import load_policy
from holdtrue.guard.analysis.edge_results import Edge
from holdtrue.guard.analysis.edges import find_edges
from holdtrue.guard.analysis.policy_comparison import compare_policies
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.drafting.draft_folder import read_data
from holdtrue.guard.drafting.policy_data import Data
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import PolicyError, make_policy
from tests.data import DATA
from tests.guard.drafting.desks import FAULTS, Answers, Parts, fact, pairs, rule, scripted
from tests.guard.drafting.test_policy_drafting import Desk, begun, drafted, open_sentences, with_faults

TAU2, TRADES = DATA / "tau2", Path(__file__).parent / "trades"
pytestmark = pytest.mark.slow
needs_tau2 = pytest.mark.skipif(not TAU2.is_dir(), reason="the policies of tau2 are not beside the repository")
NAMES = ["clinic", "warehouse", *(pytest.param(own, marks=needs_tau2) for own in ("telecom", "airline"))]
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
    "customer.on_hold": "ship_to.residential",
    "ship_to.residential": "customer.on_hold",
    "qty_ordered -": "qty_picked -",
    "on_hand -": "reserved -",
    "received_on -": "delivered_on -",
    "counted_quantity -": "book_quantity -",
    ".date_of_birth": ".plan.valid_until",
    "open_appointments": "late_fees_waived_this_year",
    "balance_due": "open_appointments",
    "late_fees_waived_this_year": "open_appointments",
    "slot_id).fee": "slot_id).minutes",
    "guardian.name": "guardian.relation",
    "repeats_left": "supply_days",
    "review_due_on": "last_issued_on",
    "last_issued_on +": "review_due_on +",
}


def trade(name: str) -> Desk:
    if name in ("clinic", "warehouse"):
        prose, tools, parts = ((TRADES / name / own).read_text() for own in ("policy.md", "tools.json", "parts.json"))
        named = [own.get("function", own)["name"] for own in json.loads(tools)]
        reads = tuple(own for own in named if own.startswith("get_"))
        return Desk(prose, json.loads(tools), reads, json.loads(parts), FIELDS)
    if name == "telecom":
        prose = (TAU2 / name / "main_policy.md").read_text(encoding="utf-8")
        tools = json.loads((TAU2 / name / "tools.json").read_text(encoding="utf-8"))
        names = tuple(own["function"]["name"] for own in tools)
        return Desk(prose, tools, tuple(own for own in names if own.startswith("get_")), TELECOM, FIELDS)
    prose = (TAU2 / name / "policy.md").read_text(encoding="utf-8")
    tools = json.loads(AIRLINE_TOOLS.read_text(encoding="utf-8"))
    return Desk(prose, tools, ("get_user_details", "get_reservation_details"), AIRLINE, FIELDS)


@pytest.mark.parametrize("name", NAMES)
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
        shown = {own["sentences"][0] for own in drafting.questions if "case" in own}
        print(name, fault, len(planted), len(open_sentences(folder)), len(shown))
        settled = {own for own in planted if not any(text.startswith(own) for text in open_sentences(folder))}
        assert all(same_meaning(folder, planted[own], desk.able[own]) for own in settled), (fault, settled)


def same_meaning(folder: Path, one: Parts, other: Parts) -> bool:
    """Whether policies with the two last parts in place of each other are proved to decide alike."""
    data = read_data(folder)
    first, second = (make_policy(folder=folder, **with_part(data, own[-1])) for own in (one, other))
    return compare_policies(first, second, Budget(60)).same is True


def with_part(data: Data, part: dict[str, Any]) -> Data:
    """The policy with a rule or limit changed as in a part of a reply."""
    changed = {key: own for key, own in part.items() if key in ("when", "hold", "most") and own != ""}
    section = "limits" if part["kind"] == "limit" else "rules"
    rules = [
        {**{key: each for key, each in own.items() if key not in ("when", "hold")}, **changed}
        if own["id"] == part["id"]
        else own
        for own in data[section]
    ]
    return {**data, section: rules}


@pytest.mark.parametrize("name", NAMES)
def test_the_same_fault_of_both_drafts_is_seen_at_an_edge(tmp_path: Path, name: str) -> None:
    """An honest reviewer marks an edge wrong if the right policy decides otherwise, or the right rule is (not) kept."""
    desk, counts, missed = trade(name), Counter[str](), list[str]()
    folder = begun(tmp_path, desk)
    drafted(folder, scripted(desk.able))
    right, data = load_policy(folder / "policy.yaml"), read_data(folder)
    for fault in FAULTS:
        for words, parts in with_faults(desk, fault).items():
            try:
                wrong = make_policy(folder=folder, **with_part(data, parts[-1]))
            except PolicyError:
                counts[f"{fault}: refused when loaded"] += 1
                continue
            edges = [own for found in find_edges(wrong, [parts[-1]["id"]], Budget(60)) for own in found.edges]
            if any(is_marked_wrong(right, own) for own in edges):
                counts[f"{fault}: seen at an edge"] += 1
                continue
            same = compare_policies(right, wrong, Budget(60)).same
            counts[f"{fault}: {'proved equal' if same else 'not seen'}"] += 1
            missed += [] if same else [f"{fault}: {words}"]
    print("", name, *(f"{count:>4} {key}" for key, count in sorted(counts.items())), *missed, sep="\n")
    assert sum(count for key, count in counts.items() if "seen at" in key) > 8 * len(missed)


def is_marked_wrong(right: Policy, own: Edge) -> bool:
    if own.situation.tool and own.kind in ("kept", "broken"):
        findings = own.situation.decide(right, mend=False).findings
        status = next(each.status for each in findings if each.rule == own.rule)
        if (status == "broken") is (own.kind == "kept"):
            return True
    return decided(right, own.situation) != own.expect


def decided(policy: Policy, situation: Situation) -> str:
    if situation.tool:
        return situation.decide(policy, mend=False).kind
    met = all(own.status not in ("broken", "undecided") for own in situation.at_the_end(policy))
    return "met" if met else "unmet"
