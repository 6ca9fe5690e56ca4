"""Single expressions that show what a language does with a value, a slip, or a fact that is not there."""

from __future__ import annotations

from collections.abc import Iterator

from bench.policies import airline_cedar
from bench.policies.airline_calls import BOOK, CASES, GIVE, Case
from bench.policies.airline_rules import airline, make_airline, with_rule_alone
from bench.policies.deciders import REQUEST, Verdict, by_cedar, by_cel, by_holdtrue
from holdtrue.guard import PolicyError

SCHEMA = """
entity User; entity Tool;
entity Fact tags { cabin: String };
action "a" appliesTo { principal: User, resource: Tool, context: { call: { cabin: String, reservation_id: String } } };
"""
WITH_SCHEMA, AS_PERMIT = "Cedar, with a schema", "Cedar, as a permit"
_TAG = 'Fact::"reservation".getTag(context.call.reservation_id).cabin == "business"'
_GUARDED = f'Fact::"reservation".hasTag(context.call.reservation_id) && {_TAG}'
PROBES: tuple[tuple[str, str, str], ...] = (
    ("Cedar", "decimals are added", 'decimal("19.99") + decimal("0.01") == decimal("20.00")'),
    ("Cedar", "whole cents are added", "1999 + 1 == 2000"),
    ("Cedar", "a field by a computed name", "context.call[context.call.cabin] == 1"),
    ("Cedar", "the month of a date", "context.now.getMonth() == 6"),
    ("Cedar", "texts are joined", '"QW" + "12" == "QW12"'),
    ("Cedar", "a misspelt field", 'context.call.cabinn == "business"'),
    (AS_PERMIT, "a misspelt field", 'context.call.cabinn == "business"'),
    (WITH_SCHEMA, "a misspelt field", 'context.call.cabinn == "business"'),
    (WITH_SCHEMA, "a fact that may be missing", _TAG),
    (WITH_SCHEMA, "the same, asked for first, and it is missing", _GUARDED),
    ("CEL", "decimals are multiplied", "3.0 * 1.10 == 3.30"),
    ("CEL", "a whole number times a decimal", "3 * 1.10 < 4.0"),
    ("CEL", "a list is added up", "call.payment_methods.map(p, p.amount).sum() == 57000"),
    ("CEL", "a misspelt field", "call.cabinn == 'business'"),
    ("holdtrue", "decimals are multiplied", "3 * amount(1.10, 'USD') == amount(3.30, 'USD')"),
    ("holdtrue", "a list is added up", "call.payment_methods.map(p, p.amount).sum() == 570"),
    ("holdtrue", "a misspelt field", "call.cabinn == 'business'"),
)
"""A language, what is tried, and the condition that a booking has to keep."""


def outcome(language: str, text: str) -> Verdict:
    """Return what becomes of a booking where the condition is all that it has to keep."""
    case = Case(BOOK)
    if language == "Cedar":
        return by_cedar(text, case)
    if language == AS_PERMIT:
        return by_cedar(text, case, permit=True)
    if language == WITH_SCHEMA:
        return with_schema(text)
    if language == "CEL":
        return by_cel(text, case)
    rule = {"id": "probe", "on": BOOK, "hold": text, "say": "It is so."}
    try:
        policy = with_rule_alone(make_airline([rule]), "probe")
    except PolicyError as error:
        return Verdict("error", f"when it is loaded: {error.faults[0][1].partition(': ')[2]}")
    return Verdict(by_holdtrue(policy, case).kind)


def with_schema(text: str) -> Verdict:
    """Return what Cedar's validator finds in a condition, or else what is decided where no fact was handed in."""
    import cedarpy

    policies = airline_cedar.policy(text)
    if errors := cedarpy.validate_policies(policies, SCHEMA).errors:
        return Verdict("error", f"by the validator: {errors[0].error.rpartition('`, ')[2] or errors[0].error}")
    call = {"cabin": "economy", "reservation_id": "QW12ZX"}
    found = cedarpy.is_authorized({**REQUEST, "context": {"call": call}}, policies, [], SCHEMA)
    return Verdict(found.decision.name.lower())


def half_fetched(cel: str) -> dict[str, str]:
    """Return what becomes of a certificate of 130 dollars where the profile was fetched, and no reservation yet.

    No number of passengers makes 100 or 50 dollars each into 130. `cel` is the rule R2 in CEL.
    """
    case, fetched = Case(GIVE, {"amount": 130}, CASES["R2"][0].said), ["get_user_details"]
    policy, text = with_rule_alone(airline(), "R2"), airline_cedar.WRITTEN_OUT["R2"]
    return {
        "Cedar": by_cedar(text, case, fetched).kind,
        "Cedar, partial evaluation": by_cedar(text, case, fetched, partial=True).kind,
        "CEL": by_cel(cel, case, fetched).kind,
        "holdtrue": by_holdtrue(policy, case, fetched).kind,
    }


def probe_table() -> Iterator[str]:
    """Return the lines of a table of all probes."""
    yield "| language | tried | condition | outcome |"
    yield "|---|---|---|---|"
    for language, what, text in PROBES:
        found = outcome(language, text)
        error = found.error if len(found.error) < 70 else f"{found.error[:67]}..."
        yield f"| {language} | {what} | `{text}` | {found.kind}{': ' if error else ''}{error} |".replace("||", "\\|\\|")
