"""Travel booking: a plan is filled in step by step, and checked at each, against a budget and days that the user gave.

    python examples/guard/travel_answers.py

A plan is a structured answer and no call of a tool. Half filled in, it is stopped as soon as no way to fill in the rest
can keep everything: here two prices are over the budget before anybody has written a total.
"""

from __future__ import annotations

import asyncio
from typing import Any

from holdtrue.guard import Decision, Guard, read_policy

POLICY = read_policy("""
policy: travel
now: 2026-03-02T09:00:00
answers:
  plan:
    schema:
      type: object
      properties:
        city: {type: string, description: City to travel to}
        arrive: {type: string, format: date, description: Day of arrival}
        leave: {type: string, format: date, description: Day of departure}
        flight_price: {type: integer, minimum: 0}
        hotel_price: {type: integer, minimum: 0}
        total: {type: integer, minimum: 0}
      required: [city, arrive, leave, flight_price, hotel_price, total]
rules:
  - {id: sum, on: plan, hold: answer.total == answer.flight_price + answer.hotel_price, say: The total is the sum.}
  - {id: days, on: plan, hold: answer.arrive < answer.leave, say: One arrives before one leaves.}
""")

FLIGHT: dict[str, Any] = {"city": "Lisbon", "arrive": "2026-05-04", "leave": "2026-05-09"}
STEPS: list[dict[str, Any]] = [
    {"city": "Lisbon", "arrive": "2026-05-04"},
    {**FLIGHT, "flight_price": 540, "hotel_price": 410},
    {**FLIGHT, "flight_price": 380, "hotel_price": 410},
    {**FLIGHT, "flight_price": 380, "hotel_price": 410, "total": 790, "leave": "2026-05-12"},
    {**FLIGHT, "flight_price": 380, "hotel_price": 410, "total": 790},
]


def told(decision: Decision) -> str:
    """Return in one line what became of a step: half filled in, a plan that nothing is wrong with yet is 'open'."""
    if decision.kind == "block":
        return f"block: {' '.join(finding.say for finding in decision.resting_on)}"
    return "open" if decision.kind == "ask" else decision.kind


async def main() -> None:
    guard = Guard(POLICY, reads=False)
    talk = guard.conversation("lisbon-1")
    # An app that has a form, or a reader of its own, says what was agreed; `heard` reads it from words.
    await talk.commit("plan.arrive", "2026-05-04", quote="we fly on 4 May")
    await talk.commit("plan.leave", "2026-05-10", relation="at_most", quote="back by the 10th")
    await talk.commit(
        rule="answer.flight_price + answer.hotel_price <= 900", on=["plan"],
        say="The user has 900 for flight and hotel.", quote="900 for everything",
    )  # fmt: skip
    for step in STEPS:
        decision = await talk.check("plan", step, partial="total" not in step)
        print(f"{len(step)} fields: {told(decision)}")
    await guard.aclose()


if __name__ == "__main__":
    asyncio.run(main())
