"""The airline's rules in Cedar: as the values are, and written out for each place of a list where that takes no loop.

Cedar has no loop, no count and no sum over a set, so a rule over a list can only be said where the app hands the list
in as a record by place and the policy is written out for each place, up to a length that it fixes (`MOST`). What is
longer is forbidden.
"""

from __future__ import annotations

from collections.abc import Callable

MOST = 6
"""The number of places that policies are written out for."""
Body = Callable[[str], str]

RESERVATION = 'Fact::"reservation".getTag(context.call.reservation_id)'
USER = 'Fact::"user".getTag(context.call.user_id)'
OWNER = f'Fact::"user".getTag({RESERVATION}.user_id)'


def policy(condition: str) -> str:
    """Return the policies by which a call is allowed where a condition holds: a `forbid`, beside a `permit` of all."""
    return f"permit(principal, action, resource);\nforbid(principal, action, resource) unless {{ {condition} }};"


def every(items: str, body: Body) -> str:
    """Return the condition that all items of a list by place are so."""
    each = [f"(!({items} has _{place}) || ({body(f'{items}._{place}')}))" for place in range(MOST)]
    return f"({' && '.join(each)} && !({items} has _{MOST}))"


def some(items: str, body: Body) -> str:
    """Return the condition that one item of a list by place is so."""
    each = [f"(({items} has _{place}) && ({body(f'{items}._{place}')}))" for place in range(MOST)]
    return f"({' || '.join(each)})"


def total(items: str, body: Body) -> str:
    """Return the sum over a list by place."""
    each = [f"(if {items} has _{place} then {body(f'{items}._{place}')} else 0)" for place in range(MOST)]
    return f"({' + '.join(each)})"


def count(items: str, body: Body = lambda own: "true") -> str:
    """Return how many items of a list by place are so."""
    return total(items, lambda own: f"(if {body(own)} then 1 else 0)")


def at_most(limit: int, name: str) -> str:
    """Return the condition that so many payment methods at most are of a kind, which their ids begin with."""
    methods = "context.call.payment_methods_at"
    found = count(methods, lambda own: f'{own}.payment_id like "{name}*"')
    return f"{found} <= {limit} && !({methods} has _{MOST})"


def _flight(leg: str) -> str:
    return f'Fact::"flight".getTag({leg}.flight_number).getTag({leg}.date_text)'


def _route(leg: str) -> str:
    return f'Fact::"route".getTag({leg}.flight_number)'


def _same_leg(one: str, other: str) -> str:
    return f"{one}.flight_number == {other}.flight_number && {one}.date == {other}.date"


def _last(items: str, body: Body) -> str:
    """Return the condition that the last item of a list by place is so."""
    each = [
        f"(({items} has _{place}) && !({items} has _{place + 1}) && {body(f'{items}._{place}')})"
        for place in range(MOST)
    ]
    return f"({' || '.join(each)})"


def _nonfree(tier: str, cabin: str, people: str) -> str:
    beyond = f"context.call.total_baggages - context.tables.free_bags.getTag({tier}).getTag({cabin}) * {count(people)}"
    return f"context.call.nonfree_baggages == (if {beyond} > 0 then {beyond} else 0) && !({people} has _{MOST})"


def _fare(leg: str) -> str:
    """Return the price of a seat: a record has no field by a computed name, so each cabin is written out."""
    fares, cabin = f"{_flight(leg)}.prices", "context.call.cabin"
    dear = f'if {cabin} == "economy" then {fares}.economy else {fares}.business'
    return f'(if {cabin} == "basic_economy" then {fares}.basic_economy else {dear})'


def _price() -> str:
    call = "context.call"
    seat = total(f"{call}.flights_at", _fare)
    insured = f'(if {call}.insurance == "yes" then 3000 else 0)'
    return f"{count(f'{call}.passengers_at')} * ({seat} + {insured}) + 5000 * {call}.nonfree_baggages"


def _changed(reservation: str) -> str:
    tools = ("cancel_reservation", "update_reservation_flights")
    each = (some(f"context.done.{tool}_at", lambda own: f"{own}.reservation_id == {reservation}") for tool in tools)
    return " || ".join(each)


def _compensated(reservation: str) -> str:
    people = count(f'Fact::"reservation".getTag({reservation}).passengers_at')
    amount = "context.call.amount"
    return f"{amount} == 10000 * {people} || ({amount} == 5000 * {people} && ({_changed(reservation)}))"


def _better(reservation: str) -> str:
    own = f'Fact::"reservation".getTag({reservation})'
    return f'{own}.insurance == "yes" || {own}.cabin == "business"'


def _legs_of_both() -> str:
    own, call = f"{RESERVATION}.flights_at", "context.call.flights_at"
    there = every(call, lambda leg: some(own, lambda other: _same_leg(leg, other)))
    back = every(own, lambda leg: some(call, lambda other: _same_leg(leg, other)))
    return f'{RESERVATION}.cabin != "basic_economy" || ({there} && {back})'


def _chain() -> str:
    legs = "context.call.flights_at"
    there = some(legs, lambda leg: f"{_route(leg)}.destination == {RESERVATION}.destination")
    end = f'(if {RESERVATION}.flight_type == "one_way" then {RESERVATION}.destination else {RESERVATION}.origin)'
    last = _last(legs, lambda leg: f"{_route(leg)}.destination == {end}")
    return f"({legs} has _0) && {_route(f'{legs}._0')}.origin == {RESERVATION}.origin && {there} && {last}"


DIRECT: dict[str, str] = {
    "G1": "context has agreed && context.agreed == context.call",
    "B1": "context.written.contains(context.call.user_id) && context.said.trip.origin == context.call.origin"
    " && context.said.trip.destination == context.call.destination"
    " && context.said.trip.flight_type == context.call.flight_type",
    "B14": "context.said.insurance_answered",
    "M1": f"context.written.contains({RESERVATION}.user_id)"
    f' || context.done.get_user_details.contains({{"user_id": {RESERVATION}.user_id}})',
    "M7": f"context.call.total_baggages >= {RESERVATION}.total_baggages",
    "M10": 'context.call.payment_id like "gift_card*" || context.call.payment_id like "credit_card*"',
    "M11": "context.said.payment_chosen.contains(context.call.payment_id)",
    "C1": "context.said.cancel_reason.hasTag(context.call.reservation_id)",
    "C2": f'context.now.durationSince({RESERVATION}.created_at) <= duration("24h")'
    f' || {RESERVATION}.cabin == "business"'
    f' || ({RESERVATION}.insurance == "yes" && context.said.cancel_reason.hasTag(context.call.reservation_id)'
    ' && ["health", "weather"].contains(context.said.cancel_reason.getTag(context.call.reservation_id)))'
    " || context.said.airline_cancelled.contains(context.call.reservation_id)",
    "R3": "context.said.compensation_asked",
    "R4": "context.said.facts_confirmed",
}
"""What Cedar says as the values are."""

WRITTEN_OUT: dict[str, str] = {
    "G3": '!(context.call.calls_at has _1) && (!(context.call.calls_at has _0) || context.call.text == "")',
    "D1": every("context.call.flights_at", lambda leg: f'{_flight(leg)}.status == "available"'),
    "B3": "!(context.call.passengers_at has _5)",
    "B4": every(
        "context.call.passengers_at",
        lambda own: f"context.said.passengers_named.contains({own}) || {USER}.saved_passengers.contains({own})",
    ),
    "B6": at_most(1, "certificate"),
    "B7": at_most(1, "credit_card"),
    "B8": at_most(3, "gift_card"),
    "B10": every("context.call.payment_methods_at", lambda own: f"{USER}.payment_methods.hasTag({own}.payment_id)"),
    "B12": _nonfree(f"{USER}.membership", "context.call.cabin", "context.call.passengers_at"),
    "B13": f"{total('context.call.payment_methods_at', lambda own: f'{own}.amount')} == {_price()}",
    "M2": _legs_of_both(),
    "M3": _chain(),
    "M7b": _nonfree(f"{OWNER}.membership", f"{RESERVATION}.cabin", f"{RESERVATION}.passengers_at"),
    "M9": " && ".join(
        f"(context.call.passengers_at has _{place}) == ({RESERVATION}.passengers_at has _{place})"
        for place in range(MOST)
    ),
    "C3": every(
        f"{RESERVATION}.flights_at",
        lambda leg: (
            f"{leg}.date > context.now.toDate() || ({leg}.date == context.now.toDate()"
            f" && {_flight(leg)}.scheduled_departure_time_est > context.now.toTime())"
        ),
    ),
    "R1": f'["silver", "gold"].contains({USER}.membership) || {some(f"{USER}.reservations_at", _better)}',
    "R2": some(f"{USER}.reservations_at", _compensated),
}
"""What Cedar says of lists by place, of up to `MOST` items."""

_ITEMS = "context.call.payment_methods"
NEAREST: dict[str, str] = {
    "G3": 'context.call.calls.size() <= 1 && context.call.text == ""',
    "D1": 'context.call.flights.all(f, f.status == "available")',
    "B3": "context.call.passengers.size() <= 5",
    "B4": "context.said.passengers_named.containsAll(context.call.passengers)",
    "B6": f'{_ITEMS}.filter(p, p.payment_id like "certificate*").size() <= 1',
    "B7": f'{_ITEMS}.filter(p, p.payment_id like "credit_card*").size() <= 1',
    "B8": f'{_ITEMS}.filter(p, p.payment_id like "gift_card*").size() <= 3',
    "B10": f"{_ITEMS}.all(p, {USER}.payment_methods.hasTag(p.payment_id))",
    "B12": "context.call.nonfree_baggages == context.call.total_baggages - 2 * context.call.passengers.size()",
    "B13": f"{_ITEMS}.sum() == 57000",
    "M2": f'{RESERVATION}.cabin != "basic_economy" || {RESERVATION}.flights.containsAll(context.call.flights)',
    "M3": f"context.call.flights[0].flight_number == {RESERVATION}.flights[0].flight_number",
    "M7b": f"context.call.nonfree_baggages == context.call.total_baggages - 2 * {RESERVATION}.passengers.size()",
    "M9": f"context.call.passengers.size() == {RESERVATION}.passengers.size()",
    "C3": f"{RESERVATION}.flights.all(f, f.date > context.now)",
    "R1": f'{USER}.reservations.exists(r, Fact::"reservation".getTag(r).cabin == "business")',
    "R2": f'{USER}.reservations.exists(r, Fact::"reservation".getTag(r).passengers.size() == 2)',
}
"""What comes nearest to the rule, of what one would write over the lists as they are; none of these does it."""
