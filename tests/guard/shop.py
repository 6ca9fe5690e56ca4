"""The policy of a small shop, in which every part of a policy file is used, and facts that go with it."""

from __future__ import annotations

import json
from functools import cache
from typing import Any

from holdtrue.budget import Budget
from holdtrue.guard.decision import Decision, Finding
from holdtrue.guard.facts import Facts
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import read_policy

AMPLE = Budget(timeout_s=60)
"""A time limit that is ample on any machine."""

TEXT = """\
policy: shop
about: What the assistant of a small shop may do.
now: "2026-03-02T12:00:00Z"
zone: Z
types:
  Plan: [free, pro, team]
  Line: {sku: id of product, price: "USD(2) 0..", count: "whole 1..9"}
tools:
  definitions:
    - {name: get_account, parameters: {type: object, properties: {user: {type: string}}, required: [user]}}
    - {name: peek_account, parameters: {type: object, properties: {user: {type: string}}, required: [user]}}
    - name: list_orders
      parameters: {type: object, properties: {user: {type: string}}, required: [user]}
    - name: get_price
      parameters: {type: object, properties: {sku: {type: string}, day: {type: string}}, required: [sku, day]}
    - name: refund
      parameters:
        type: object
        properties:
          user: {type: string}
          order: {type: string}
          amount: {type: number, minimum: 0}
          note: {type: string}
        required: [user, order, amount]
    - name: set_plan
      parameters:
        type: object
        properties:
          user: {type: string}
          plan: {type: string, enum: [free, pro, team]}
          seats: {type: integer, minimum: 1, maximum: 20}
          start: {type: string}
          rush: {type: boolean}
        required: [user, plan, seats, start]
        additionalProperties: false
    - {name: close_account, parameters: {type: object, properties: {user: {type: string}}, required: [user]}}
  writes: [refund, set_plan, close_account]
  reads: [get_account, peek_account, list_orders, get_price]
  consent: [close_account]
  errors: [Error]
  types:
    "*": {user: id of user, order: id of order, sku: id of product, day: date}
    refund: {amount: USD(2)}
    set_plan: {start: date}
facts:
  account:
    key: {user: id of user}
    record:
      plan: Plan
      balance: USD(2)
      seats: whole 0..
      "card?": {number: text, pin: text}
      tags: list of text
    from:
      - {tool: get_account, key: {user: call.user}}
      - {tool: peek_account, key: {user: call.user}, partial: true}
      - {tool: close_account, key: {user: call.user}}
  order:
    key: {order: id of order}
    record: {user: id of user, total: USD(2), lines: list of Line up to 5, placed: moment Z}
    from:
      - tool: list_orders
        result:
          list of: {id: id of order, user: id of user, sum: USD(2), lines: list of Line, placed: moment Z}
        each: result
        key: {order: item.id}
        fields: {total: item.sum}
  price:
    key: {sku: id of product, day: date}
    record: {price: USD(2)}
    fresh: 1h
    from:
      - {tool: get_price, key: {sku: call.sku, day: call.day}}
  rank:
    key: {user: id of user}
    record: {stars: whole 0..5}
said:
  reason: {type: [broken, late, other], ask: "Why is the money wanted back?"}
  agreed: {type: bool}
  ill: {type: bool, claim: true, ask: "Was the customer ill?"}
  picked: {type: list of id of order}
tables:
  most_seats: {free: 1, pro: 5, team: 20}
let:
  account: facts.account(call.user)
  order: facts.order(call.order)
effects:
  - {on: set_plan, fact: account, key: {user: call.user}, set: {plan: call.plan, seats: call.seats}}
  - {on: refund, fact: account, key: {user: call.user}, forget: [balance]}
rules:
  - {id: OWN, on: refund, hold: order.user == call.user, say: An order is refunded to whoever placed it.}
  - {id: SUM, on: refund, hold: call.amount <= order.total, say: No more is refunded than was paid.}
  - id: LATE
    on: refund
    hold: now - order.placed <= duration('720h')
    say: Money is returned within thirty days.
  - {id: WHY, on: refund, needs: words, hold: said.reason != null, say: The reason has to be asked for.}
  - id: BIG
    on: refund
    when: call.amount > 100.0
    hold: account.plan == 'team'
    severity: ask
    say: Large refunds are for teams.
  - {id: SEATS, on: set_plan, hold: "call.seats <= tables.most_seats[call.plan]", say: A plan has its seats.}
  - {id: START, on: set_plan, hold: call.start >= now.date(), say: A plan starts today or later.}
  - id: RUSH
    on: set_plan
    hold: "!has(call.rush) || !call.rush"
    severity: warn
    say: Nobody should be rushed.
  - id: ILL
    on: close_account
    hold: said.ill || account.balance == 0.0
    say: An account is closed when it is empty, or for illness.
limits:
  - {id: ONCE, on: refund, most: 1, per: call.order}
obligations:
  - id: TOLD
    when: size(done.refund) > 0
    hold: said.agreed
    say: Whoever gets a refund has to agree to it.
not_checked:
  - {id: KIND, say: Be kind., reason: It is about texts.}
"""


@cache
def shop() -> Policy:
    """Return the policy."""
    return read_policy(TEXT)


ACCOUNT = {"plan": "pro", "balance": 20.5, "seats": 3, "card": {"number": "4111", "pin": "0000"}, "tags": ["vip"]}
LINE = {"sku": "p1", "price": 12.5, "count": 2}
ORDER = {"id": "o1", "user": "ann", "sum": 25.0, "lines": [LINE], "placed": "2026-02-20T10:00:00Z"}
REFUND = {"user": "ann", "order": "o1", "amount": 10.0}
PLAN = {"user": "ann", "plan": "pro", "seats": 3, "start": "2026-03-02"}


def known(*, account: Any = None, order: Any = None, at: str | None = None) -> Facts:
    """Return facts in which an account and an order were seen."""
    own = shop()
    facts = own.saw(Facts.none(), "get_account", {"user": "ann"}, json.dumps({**ACCOUNT, **(account or {})}), at=at)
    facts = own.saw(facts, "list_orders", {"user": "ann"}, json.dumps([{**ORDER, **(order or {})}]), at=at)
    assert not facts.notes, facts.notes
    return facts


def check(tool: str, arguments: Any, facts: Facts | None = None, **settings: Any) -> Decision:
    """Return the decision on a call, for which there is ample time."""
    return shop().check(tool, arguments, Facts.none() if facts is None else facts, budget=AMPLE, **settings)


def finding(decision: Decision, rule: str) -> Finding:
    """Return the finding on a rule."""
    return next(own for own in decision.findings if own.rule == rule)
