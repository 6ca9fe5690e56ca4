"""Two calls for each rule of the airline that a call can break: one that keeps it and one that breaks it.

Ids, names, flights and prices are made up. `RESULTS` is what tools showed before. A case changes a complete call of its
tool, or what the conversation says: what people said (`said`), their words that may be ids (`written`), the arguments
that the user agreed to (`agreed`), the whole message (`message`).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

Json = Any
NOW = "2026-06-01T12:00:00"
ANA, BEN, CLEO = "ana_ruiz_7741", "ben_holt_3052", "cleo_mark_6619"
FAMILY = [
    {"first_name": "Ana", "last_name": "Ruiz", "dob": "1988-04-12"},
    {"first_name": "Tom", "last_name": "Ruiz", "dob": "2016-09-30"},
]
FRIEND = {"first_name": "Mara", "last_name": "Lind", "dob": "1990-01-05"}


def _flight(number: str, way: str, time: str, status: str, economy: int) -> Json:
    seats = {"basic_economy": 4, "economy": 9, "business": 2}
    prices = {"basic_economy": economy - 40, "economy": economy, "business": 3 * economy}
    own = {"flight_number": number, "origin": way[:3], "destination": way[4:], "status": status}
    return {**own, "scheduled_departure_time_est": time, "available_seats": seats, "prices": prices}


def _leg(number: str, date: str, way: str, price: int) -> Json:
    return {"flight_number": number, "date": date, "origin": way[:3], "destination": way[4:], "price": price}


def _booked(id: str, user: str, cabin: str, legs: list[Json], created_at: str, paid: str, **more: Json) -> Json:
    back = len(legs) > 1
    own = {"reservation_id": id, "user_id": user, "cabin": cabin, "flights": legs, "created_at": created_at}
    way = {"origin": legs[0]["origin"], "destination": legs[0]["destination"]}
    usual = {"passengers": FAMILY, "total_baggages": 3, "nonfree_baggages": 0, "insurance": "no"}
    paid_by = {
        "flight_type": "round_trip" if back else "one_way",
        "payment_history": [{"payment_id": paid, "amount": 460}],
    }
    return {**own, **way, **usual, **paid_by, **more}


RESERVATIONS = [
    _booked(
        *("QW12ZX", ANA, "economy"),
        [_leg("ZX101", "2026-06-20", "NTH-STH", 120), _leg("ZX202", "2026-06-27", "STH-NTH", 110)],
        *("2026-05-31T20:00:00", "credit_card_5520193"),
    ),
    _booked(
        "QW34ZX", ANA, "basic_economy", [_leg("ZX101", "2026-06-20", "NTH-STH", 80)], "2026-05-01T09:00:00", "old_card"
    ),
    _booked(
        "QW56ZX", ANA, "business", [_leg("ZX303", "2026-05-20", "NTH-STH", 360)], "2026-05-02T09:00:00", "old_card"
    ),
    _booked(
        *("RT78UV", BEN, "economy", [_leg("ZX101", "2026-06-20", "NTH-STH", 120)]),
        *("2026-05-01T09:00:00", "credit_card_7751100"),
        passengers=[FRIEND],
    ),
    _booked(
        *("LM90PQ", CLEO, "economy", [_leg("ZX101", "2026-06-20", "NTH-STH", 120)]),
        *("2026-06-01T09:00:00", "credit_card_6619004"),
    ),
]
RESULTS: list[tuple[str, Json, Json]] = [
    (
        "get_user_details",
        {"user_id": ANA},
        {
            "membership": "silver",
            "payment_methods": {
                "certificate_8830017": {"source": "certificate", "amount": 150},
                "certificate_8830018": {"source": "certificate", "amount": 20},
                "gift_card_4410022": {"source": "gift_card", "amount": 300},
                "gift_card_4410023": {"source": "gift_card", "amount": 30},
                "gift_card_4410024": {"source": "gift_card", "amount": 30},
                "gift_card_4410025": {"source": "gift_card", "amount": 30},
                "credit_card_5520193": {"source": "credit_card"},
                "credit_card_5520194": {"source": "credit_card"},
            },
            "reservations": ["QW12ZX", "QW34ZX", "QW56ZX"],
            "saved_passengers": [FAMILY[1]],
        },
    ),
    (
        "get_user_details",
        {"user_id": BEN},
        {
            "membership": "regular",
            "payment_methods": {"credit_card_7751100": {"source": "credit_card"}},
            "reservations": ["RT78UV"],
            "saved_passengers": [],
        },
    ),
    (
        "search_direct_flight",
        {"origin": "NTH", "destination": "STH", "date": "2026-06-20"},
        [
            _flight("ZX101", "NTH-STH", "07:10:00", "available", 120),
            _flight("ZX105", "NTH-STH", "17:40:00", "delayed", 90),
        ],
    ),
    (
        "search_direct_flight",
        {"origin": "STH", "destination": "NTH", "date": "2026-06-27"},
        [_flight("ZX202", "STH-NTH", "08:25:00", "available", 110)],
    ),
    (
        "search_direct_flight",
        {"origin": "STH", "destination": "MID", "date": "2026-06-27"},
        [_flight("ZX404", "STH-MID", "10:00:00", "available", 70)],
    ),
    *(("get_reservation_details", {"reservation_id": own["reservation_id"]}, own) for own in RESERVATIONS),
]

OUT, BACK = {"flight_number": "ZX101", "date": "2026-06-20"}, {"flight_number": "ZX202", "date": "2026-06-27"}
ELSEWHERE, DELAYED = {"flight_number": "ZX404", "date": "2026-06-27"}, {"flight_number": "ZX105", "date": "2026-06-20"}
CALLS: dict[str, Json] = {
    "book_reservation": {
        "user_id": ANA,
        "origin": "NTH",
        "destination": "STH",
        "flight_type": "round_trip",
        "cabin": "economy",
        "flights": [OUT, BACK],
        "passengers": FAMILY,
        "payment_methods": [
            {"payment_id": "certificate_8830017", "amount": 150},
            {"payment_id": "gift_card_4410022", "amount": 200},
            {"payment_id": "credit_card_5520193", "amount": 220},
        ],
        "total_baggages": 5,
        "nonfree_baggages": 1,
        "insurance": "yes",
    },
    "update_reservation_flights": {
        "reservation_id": "QW12ZX",
        "cabin": "business",
        "flights": [OUT, BACK],
        "payment_id": "gift_card_4410022",
    },
    "update_reservation_baggages": {
        "reservation_id": "QW12ZX",
        "total_baggages": 5,
        "nonfree_baggages": 1,
        "payment_id": "gift_card_4410022",
    },
    "update_reservation_passengers": {"reservation_id": "QW12ZX", "passengers": [FAMILY[0], FRIEND]},
    "cancel_reservation": {"reservation_id": "QW12ZX"},
    "send_certificate": {"user_id": ANA, "amount": 200},
}
"""A complete call of each tool, which keeps every rule."""

SAID: Json = {
    "cancel_reason": {"QW12ZX": "change_of_plan", "QW34ZX": "health"},
    "airline_cancelled": [],
    "payment_chosen": ["gift_card_4410022"],
    "compensation_asked": True,
    "facts_confirmed": True,
    "insurance_answered": True,
    "trip": {"origin": "NTH", "destination": "STH", "flight_type": "round_trip"},
    "passengers_named": [FAMILY[0], FRIEND],
}
WRITTEN = f"I am {ANA}"


@dataclass(frozen=True)
class Case:
    """A call of a tool, by what is changed of the complete one, and of what the conversation says."""

    tool: str
    call: Json = field(default_factory=dict)
    said: Json = field(default_factory=dict)
    written: str = WRITTEN
    agreed: Json = None
    """What is changed of the arguments that the user agreed to; None where nobody was asked."""
    message: Json = None

    @property
    def arguments(self) -> Json:
        """Return the arguments of the call, or the message where the rule is about a whole message."""
        return self.message if self.message is not None else {**CALLS[self.tool], **self.call}


BOOK, FLIGHTS, BAGS = "book_reservation", "update_reservation_flights", "update_reservation_baggages"
PEOPLE, CANCEL, GIVE, MESSAGE = "update_reservation_passengers", "cancel_reservation", "send_certificate", "message"
_CALL = {"tool": CANCEL}


def _paid(*ids: str) -> Json:
    return {"payment_methods": [{"payment_id": id, "amount": 10} for id in ids]}


CASES: dict[str, tuple[Case, Case]] = {
    "G1": (Case(CANCEL, agreed={}), Case(CANCEL, agreed={"reservation_id": "QW34ZX"})),
    "G3": (
        Case(MESSAGE, message={"calls": [_CALL], "text": ""}),
        Case(MESSAGE, message={"calls": [_CALL, {"tool": GIVE}], "text": ""}),
    ),
    "D1": (Case(BOOK), Case(BOOK, {"flights": [DELAYED, BACK]})),
    "B1": (Case(BOOK), Case(BOOK, {"flight_type": "one_way"})),
    "B3": (Case(BOOK), Case(BOOK, {"passengers": [*FAMILY, *[FRIEND] * 4]})),
    "B4": (Case(BOOK), Case(BOOK, said={"passengers_named": [FRIEND]})),
    "B6": (Case(BOOK), Case(BOOK, _paid("certificate_8830017", "gift_card_4410022", "certificate_8830018"))),
    "B7": (Case(BOOK), Case(BOOK, _paid("credit_card_5520193", "credit_card_5520194"))),
    "B8": (Case(BOOK), Case(BOOK, _paid(*(f"gift_card_441002{own}" for own in range(2, 6))))),
    "B10": (Case(BOOK), Case(BOOK, _paid("gift_card_4410022", "credit_card_7751100"))),
    "B12": (Case(BOOK), Case(BOOK, {"nonfree_baggages": 0})),
    "B13": (Case(BOOK), Case(BOOK, {"insurance": "no"})),
    "B14": (Case(BOOK), Case(BOOK, said={"insurance_answered": False})),
    "M1": (Case(CANCEL), Case(CANCEL, {"reservation_id": "LM90PQ"})),
    "M2": (
        Case(FLIGHTS, {"reservation_id": "QW34ZX", "flights": [OUT]}),
        Case(FLIGHTS, {"reservation_id": "QW34ZX", "flights": [DELAYED]}),
    ),
    "M3": (Case(FLIGHTS), Case(FLIGHTS, {"flights": [OUT, ELSEWHERE]})),
    "M7": (Case(BAGS), Case(BAGS, {"total_baggages": 2, "nonfree_baggages": 0})),
    "M7b": (Case(BAGS), Case(BAGS, {"nonfree_baggages": 0})),
    "M9": (Case(PEOPLE), Case(PEOPLE, {"passengers": [*FAMILY, FRIEND]})),
    "M10": (Case(BAGS), Case(BAGS, {"payment_id": "certificate_8830017"})),
    "M11": (Case(BAGS), Case(BAGS, {"payment_id": "gift_card_4410023"})),
    "C1": (Case(CANCEL), Case(CANCEL, {"reservation_id": "QW56ZX"})),
    "C2": (Case(CANCEL), Case(CANCEL, {"reservation_id": "RT78UV"}, {"cancel_reason": {"RT78UV": "health"}})),
    "C3": (Case(CANCEL), Case(CANCEL, {"reservation_id": "QW56ZX"})),
    "R1": (Case(GIVE), Case(GIVE, {"user_id": BEN, "amount": 100})),
    "R2": (Case(GIVE), Case(GIVE, {"amount": 100})),
    "R3": (Case(GIVE), Case(GIVE, said={"compensation_asked": False})),
    "R4": (Case(GIVE), Case(GIVE, said={"facts_confirmed": False})),
}
"""A call that keeps the rule, and one that breaks it."""
