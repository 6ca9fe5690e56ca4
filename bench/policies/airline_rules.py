"""The 38 rules of the airline in a few words of our own, and the policy of the example with those it leaves out."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import Any

from holdtrue.guard import make_policy
from holdtrue.guard.policy import Policy
from holdtrue.guard.yaml_text import read_yaml

HERE = Path(__file__).parent
EXAMPLE = HERE.parents[1] / "examples" / "airline"

KINDS = {
    "decidable from call + facts seen": "call",
    "needs facts not yet fetched (else decidable)": "facts",
    "needs conversation reading": "words",
    "not checkable": "none",
}
"""What `kind` of the project's list of rules is called in tables here."""

RULES: dict[str, tuple[str, str]] = {
    "G1": ("words", "a yes to just these arguments"),
    "G2": ("words", "no information of one's own"),
    "G3": ("call", "one call at a time, no text beside it"),
    "G4": ("none", "deny what is against the policy"),
    "G5": ("words", "hand over what is out of scope"),
    "D1": ("facts", "flights are available"),
    "B1": ("words", "trip as the user said"),
    "B3": ("call", "five passengers at most"),
    "B4": ("words", "passengers named, or in the profile"),
    "B5": ("call", "same flights and cabin for all"),
    "B6": ("call", "one certificate at most"),
    "B7": ("call", "one credit card at most"),
    "B8": ("call", "three gift cards at most"),
    "B9": ("words", "no refund of a certificate's rest"),
    "B10": ("facts", "payment methods are the user's"),
    "B12": ("facts", "free bags by tier and cabin"),
    "B13": ("facts", "paid sum is the price"),
    "B14": ("words", "asked about insurance"),
    "M1": ("facts", "the user's own reservation"),
    "M2": ("facts", "basic economy keeps its flights"),
    "M3": ("facts", "same origin, destination, trip type"),
    "M4": ("none", "kept flights keep their price"),
    "M5": ("none", "any cabin can be changed"),
    "M6": ("facts", "one cabin for all flights"),
    "M7": ("facts", "bags are added, not removed"),
    "M7b": ("facts", "free bags when bags are added"),
    "M8": ("call", "no insurance after booking"),
    "M9": ("facts", "as many passengers as before"),
    "M10": ("facts", "paid by gift card or credit card"),
    "M11": ("words", "the user chose the payment"),
    "C1": ("words", "a reason to cancel"),
    "C2": ("words", "24 hours, airline, business, insured"),
    "C3": ("facts", "nothing was flown yet"),
    "C4": ("none", "refund to the original methods"),
    "R1": ("facts", "who gets compensation"),
    "R2": ("facts", "100 or 50 dollars a passenger"),
    "R3": ("words", "only who asks gets it"),
    "R4": ("words", "the facts were confirmed"),
}
"""Each rule: its kind, and what it is about."""

NO_CALL: dict[str, str] = {
    "G2": "it is about a text",
    "G4": "it follows from all others",
    "G5": "what is in scope is a matter of judgement",
    "B5": "the tool takes one cabin and one list of flights",
    "B9": "it is about a text",
    "M4": "the tool does it",
    "M5": "it permits, and forbids nothing",
    "M6": "the tool takes one cabin for all flights",
    "M8": "no tool can add insurance",
    "C4": "the tool does it",
}
"""The rules that no call can break, each with the reason."""

IN_EXAMPLE: dict[str, str] = {"M1": "F3"}
"""What rules are called in the example, where it has another id."""


@cache
def _yaml(path: Path) -> dict[str, Any]:
    found = read_yaml(path.read_text(encoding="utf-8")).value
    if not isinstance(found, dict):
        raise TypeError(f"{path} is no mapping")
    return found


@cache
def left_out() -> list[str]:
    """Return the ids of rules that the example leaves out and that can be said."""
    return [rule["id"] for rule in _yaml(HERE / "airline_left_out.yaml")["rules"]]


def make_airline(more: Sequence[Any] = ()) -> Policy:
    """Return the policy of the example with the rules that it leaves out, and more rules, as they stand in a file.

    Raises `PolicyError` where a rule in `more` cannot be used.
    """
    parts, added = _yaml(EXAMPLE / "policy.yaml"), _yaml(HERE / "airline_left_out.yaml")
    tools = {name: own for name, own in parts["tools"].items() if name != "file"}
    tools["definitions"] = json.loads((EXAMPLE / "tools.json").read_text(encoding="utf-8"))
    user = {**parts["facts"]["user"], "record": {**parts["facts"]["user"]["record"], **added["user"]}}
    made = {
        **parts,
        "tools": tools,
        "types": {**parts["types"], **added["types"]},
        "facts": {**parts["facts"], "user": user},
        "said": {**parts["said"], **added["said"]},
        "answers": added["answers"],
        "rules": [*parts["rules"], *added["rules"], *more],
    }
    return make_policy(made.pop("policy"), **made)


@cache
def airline() -> Policy:
    """Return the policy of the example with the rules that it leaves out."""
    return make_airline()


def with_rule_alone(policy: Policy, id: str, *, consent: bool = False) -> Policy:
    """Return a policy with just one of its rules, and unless `consent` no tool that needs a yes."""
    rules = tuple(rule for rule in policy.rules if rule.id == id)
    return replace(policy, rules=rules, consents=policy.consents if consent else ())
