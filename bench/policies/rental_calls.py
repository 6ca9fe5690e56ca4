"""Calls of the tool of rental.yaml, and what tools showed before them. All names are made up."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

NOW = "2026-05-04T10:30:00"
TOOL = "book_rental"
KEPT: dict[str, Any] = {
    "customer": "K-204",
    "car": "B-77",
    "pick_up": "north",
    "drop_off": "harbour",
    "start": "2026-05-11",
    "start_time": "09:30",
    "back": "2026-05-18",
    "back_time": "16:00",
    "days": 7,
    "passengers": 2,
    "kilometres": 1500,
    "drivers": [
        {"name": "Ines Falk", "born": "1986-02-11", "licence": "L-9031", "licensed": "2006-07-01"},
        {"name": "Omar Falk", "born": "1984-09-30", "licence": "L-4417", "licensed": "2004-01-15"},
    ],
    "extras": [
        {"kind": "child_seat", "count": 2, "price": 12.5},
        {"kind": "navigation", "count": 1, "price": 20},
    ],
    "abroad": ["AT", "CH"],
    "insurance": "full",
    "rate": 49.9,
    "price": 488.8,
    "discount": 24.4,
    "deposit": 300,
    "method": "visa-1",
    "amount": 464.4,
}
"""A call that keeps all rules."""
RESULTS: list[tuple[str, dict[str, Any], dict[str, Any]]] = [
    (
        "get_customer",
        {"customer": "K-204"},
        {
            "name": "Ines Falk",
            "tier": "plus",
            "blocked": False,
            "verified": True,
            "licences": ["L-9031"],
            "methods": {"visa-1": {"kind": "credit", "active": True}, "giro-2": {"kind": "debit", "active": False}},
            "open_rentals": ["R-1"],
            "since": "2019-03-02",
        },
    ),
    (
        "get_car",
        {"car": "B-77"},
        {
            "class": "middle",
            "status": "free",
            "branch": "north",
            "seats": 5,
            "rate": 49.9,
            "serviced": "2026-01-20",
            "winter": False,
            "kilometres": 23110,
        },
    ),
    (
        "get_branch",
        {"branch": "north"},
        {
            "opens": "07:00",
            "closes": "20:00",
            "closed": ["2026-05-14"],
            "one_way": ["harbour", "airport"],
            "abroad": ["AT", "CH", "FR"],
            "extras": ["child_seat", "navigation", "wifi"],
        },
    ),
    (
        "get_branch",
        {"branch": "harbour"},
        {
            "opens": "08:00",
            "closes": "18:00",
            "closed": [],
            "one_way": [],
            "abroad": ["AT"],
            "extras": ["child_seat"],
        },
    ),
]

_YOUNG = {"name": "Ada Falk", "born": "2006-03-02", "licence": "L-9031", "licensed": "2026-01-09"}
_SEATS = {"kind": "child_seat", "count": 2, "price": 12.5}
Changes = Mapping[str, Mapping[str, Any]]
CASES: dict[str, Changes] = {
    "a booking as it should be": {},
    "too cheap, and paid by a method that is not active": {
        "call": {"price": 400, "amount": 375.6, "method": "giro-2"},
    },
    "too late, too far, and to a branch that takes no cars of this one": {
        "call": {"back_time": "19:30", "drop_off": "north", "pick_up": "harbour", "kilometres": 5000},
    },
    "today, abroad, and with too little insurance": {
        "call": {"start": "2026-05-04", "start_time": "11:00", "abroad": ["AT", "IT"], "insurance": "partial"},
    },
    "for longer than the tier allows, a third driver without practice, and four child seats": {
        "call": {
            "back": "2026-06-18",
            "days": 38,
            "drivers": [*KEPT["drivers"], _YOUNG],
            "extras": [_SEATS, _SEATS, {"kind": "roof_box", "count": 1, "price": 30}],
        },
    },
    "in winter, and for a deposit that is too high": {
        "call": {"start": "2026-12-11", "back": "2026-12-18", "deposit": 700, "discount": 50},
    },
    "a luxury car that is rented, abroad, without insurance, by somebody else who is blocked": {
        "call": {"insurance": "none", "drivers": [_YOUNG], "passengers": 5, "rate": 45},
        "car": {"class": "luxury", "status": "rented", "serviced": "2024-11-30"},
        "customer": {
            "blocked": True,
            "verified": False,
            "licences": ["L-1"],
            "methods": {"visa-1": {"kind": "debit", "active": True}},
            "open_rentals": ["R-1", "R-2"],
        },
    },
    "last week and next year, while a branch is closed, by a method of somebody else": {
        "call": {"start": "2026-04-27", "back": "2027-05-20", "start_time": "06:10", "method": "visa-9", "deposit": 10},
        "branch": {"closed": ["2027-05-20", "2026-04-27"]},
    },
    "in a year, by five people": {
        "call": {
            "start": "2027-05-11",
            "back": "2027-05-18",
            "back_time": "18:30",
            "drivers": [*KEPT["drivers"] * 2, _YOUNG],
        },
    },
}
"""Calls by what they are: what is changed of the one that keeps all rules, and of what tools showed of each kind."""


def arguments(changes: Changes) -> dict[str, Any]:
    """Return the arguments of a changed call."""
    return {**KEPT, **changes.get("call", {})}


def results(changes: Changes) -> list[tuple[str, dict[str, Any], dict[str, Any]]]:
    """Return what tools showed before it: the tool, its arguments, and its result."""
    return [(tool, asked, {**own, **changes.get(tool.removeprefix("get_"), {})}) for tool, asked, own in RESULTS]


def shown(changes: Changes) -> dict[str, dict[str, Any]]:
    """Return the results by kind and key, as plain Python keeps them."""
    found: dict[str, dict[str, Any]] = {}
    for tool, asked, result in results(changes):
        found.setdefault(tool.removeprefix("get_"), {})[next(iter(asked.values()))] = result
    return found
