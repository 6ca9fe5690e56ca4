"""The rules of rental.yaml as plain Python over JSON: what one writes without a guard, a function for each rule."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from typing import Any

Call = Mapping[str, Any]
Shown = Mapping[str, Any]
"""What tools showed, as JSON, by kind and key."""

MOST_DAYS = {"basic": 14, "plus": 28, "prime": 60}
MOST_OPEN = {"basic": 1, "plus": 2, "prime": 5}
PERCENT = {"basic": 0, "plus": 5, "prime": 10}
DEPOSIT = {"small": 200, "middle": 300, "large": 500, "van": 600, "luxury": 2000}
INSURANCE: Mapping[str, Mapping[str, float]] = {
    "none": {"small": 0, "middle": 0, "large": 0, "van": 0, "luxury": 0},
    "partial": {"small": 6, "middle": 7.5, "large": 9, "van": 11, "luxury": 30},
    "full": {"small": 11, "middle": 13.5, "large": 17, "van": 21.5, "luxury": 55},
}
LEAST_YEARS = {"small": 18, "middle": 21, "large": 23, "van": 23, "luxury": 30}


def _money(value: float) -> Decimal:
    return Decimal(str(value))


def _car(call: Call, shown: Shown) -> Any:
    return shown["car"][call["car"]]


def _customer(call: Call, shown: Shown) -> Any:
    return shown["customer"][call["customer"]]


def _out(call: Call, shown: Shown) -> Any:
    return shown["branch"][call["pick_up"]]


def _home(call: Call, shown: Shown) -> Any:
    return shown["branch"][call["drop_off"]]


def _years(call: Call, driver: Any) -> int:
    return date.fromisoformat(call["start"]).year - date.fromisoformat(driver["born"]).year


def _price(call: Call, shown: Shown) -> Decimal:
    daily = _money(call["rate"]) + _money(INSURANCE[call["insurance"]][_car(call, shown)["class"]])
    extras = (_money(own["price"]) * int(own["count"]) for own in call["extras"])
    return sum(extras, daily * int(call["days"]))


def _open(branch: Any, day: str, clock: str) -> bool:
    opens, closes = time.fromisoformat(branch["opens"]), time.fromisoformat(branch["closes"])
    return opens <= time.fromisoformat(clock) <= closes and day not in branch["closed"]


def _notice(call: Call, now: datetime) -> bool:
    if date.fromisoformat(call["start"]) != now.date():
        return True
    return datetime.combine(now.date(), time.fromisoformat(call["start_time"])) - now >= timedelta(hours=2)


def _method(call: Call, shown: Shown) -> Any:
    return _customer(call, shown)["methods"][call["method"]]


RULES: Mapping[str, Callable[[Call, Shown, datetime], bool]] = {
    "free": lambda call, shown, now: _car(call, shown)["status"] == "free",
    "here": lambda call, shown, now: _car(call, shown)["branch"] == call["pick_up"],
    "not-blocked": lambda call, shown, now: not _customer(call, shown)["blocked"],
    "verified": lambda call, shown, now: bool(_customer(call, shown)["verified"]),
    "first-driver": lambda call, shown, now: call["drivers"][0]["name"] == _customer(call, shown)["name"],
    "known-licence": lambda call, shown, now: call["drivers"][0]["licence"] in _customer(call, shown)["licences"],
    "drivers": lambda call, shown, now: 1 <= len(call["drivers"]) <= 4,
    "seats": lambda call, shown, now: len(call["drivers"]) + call["passengers"] <= _car(call, shown)["seats"],
    "age": lambda call, shown, now: all(
        _years(call, own) >= LEAST_YEARS[_car(call, shown)["class"]] for own in call["drivers"]
    ),
    "experience": lambda call, shown, now: all(
        date.fromisoformat(call["start"]) - date.fromisoformat(own["licensed"]) >= timedelta(days=365)
        for own in call["drivers"]
    ),
    "different-licences": lambda call, shown, now: (
        len({own["licence"] for own in call["drivers"]}) == len(call["drivers"])
    ),
    "not-past": lambda call, shown, now: date.fromisoformat(call["start"]) >= now.date(),
    "not-far": lambda call, shown, now: date.fromisoformat(call["start"]) - now.date() <= timedelta(days=330),
    "dates": lambda call, shown, now: (
        (date.fromisoformat(call["back"]) - date.fromisoformat(call["start"])).days == call["days"]
    ),
    "length": lambda call, shown, now: 1 <= call["days"] <= MOST_DAYS[_customer(call, shown)["tier"]],
    "open-out": lambda call, shown, now: _open(_out(call, shown), call["start"], call["start_time"]),
    "open-home": lambda call, shown, now: _open(_home(call, shown), call["back"], call["back_time"]),
    "notice": lambda call, shown, now: _notice(call, now),
    "one-way": lambda call, shown, now: (
        call["pick_up"] == call["drop_off"] or call["drop_off"] in _out(call, shown)["one_way"]
    ),
    "abroad": lambda call, shown, now: set(call["abroad"]) <= set(_out(call, shown)["abroad"]),
    "luxury-abroad": lambda call, shown, now: _car(call, shown)["class"] != "luxury" or not call["abroad"],
    "insured-abroad": lambda call, shown, now: not call["abroad"] or call["insurance"] == "full",
    "insured-young": lambda call, shown, now: (
        call["insurance"] != "none" or all(_years(call, own) >= 25 for own in call["drivers"])
    ),
    "rate": lambda call, shown, now: _money(call["rate"]) == _money(_car(call, shown)["rate"]),
    "price": lambda call, shown, now: _money(call["price"]) == _price(call, shown),
    "discount": lambda call, shown, now: (
        100 * _money(call["discount"]) <= PERCENT[_customer(call, shown)["tier"]] * _money(call["price"])
    ),
    "amount": lambda call, shown, now: _money(call["amount"]) == _money(call["price"]) - _money(call["discount"]),
    "deposit": lambda call, shown, now: call["deposit"] >= DEPOSIT[_car(call, shown)["class"]],
    "deposit-most": lambda call, shown, now: call["deposit"] <= 2 * DEPOSIT[_car(call, shown)["class"]],
    "method": lambda call, shown, now: call["method"] in _customer(call, shown)["methods"],
    "method-active": lambda call, shown, now: (
        call["method"] not in _customer(call, shown)["methods"] or bool(_method(call, shown)["active"])
    ),
    "credit": lambda call, shown, now: (
        _car(call, shown)["class"] not in ("van", "luxury") or _method(call, shown)["kind"] == "credit"
    ),
    "open-rentals": lambda call, shown, now: (
        len(_customer(call, shown)["open_rentals"]) < MOST_OPEN[_customer(call, shown)["tier"]]
    ),
    "extras-there": lambda call, shown, now: all(own["kind"] in _out(call, shown)["extras"] for own in call["extras"]),
    "extras-once": lambda call, shown, now: len({own["kind"] for own in call["extras"]}) == len(call["extras"]),
    "child-seats": lambda call, shown, now: (
        sum(own["count"] for own in call["extras"] if own["kind"] == "child_seat") <= 3
    ),
    "winter": lambda call, shown, now: (
        date.fromisoformat(call["start"]).month in range(3, 11)
        or _car(call, shown)["winter"]
        or any(own["kind"] == "winter_tyres" for own in call["extras"])
    ),
    "serviced": lambda call, shown, now: (
        date.fromisoformat(call["back"]) - date.fromisoformat(_car(call, shown)["serviced"]) <= timedelta(days=365)
        and call["kilometres"] <= 400 * call["days"]
    ),
}


def broken(call: Call, shown: Shown, now: str) -> list[str]:
    """Return the ids of the rules that a call breaks."""
    moment = datetime.fromisoformat(now)
    return [id for id, rule in RULES.items() if not rule(call, shown, moment)]
