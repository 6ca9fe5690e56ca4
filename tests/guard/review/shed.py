"""A small policy with prose, whose rules, tables and sentences without calls are reviewed."""

from __future__ import annotations

from pathlib import Path

from holdtrue.budget import Budget
from holdtrue.guard import Policy, load_policy
from holdtrue.guard.analysis.edges import find_edges
from holdtrue.guard.review.policy_review import Item, Passage, passages_of

PROSE = """\
# Shed

Tools are rented for 7 days at most. Chainsaws need a <b>licence</b>.
Members and guests rent alike, and we smile. Fees may apply.
"""
POLICY = """\
policy: shed
prose: rules.md
tools:
  definitions:
    - name: rent
      parameters:
        type: object
        required: [renter, item, days]
        properties:
          renter: {type: string}
          item: {enum: [hammer, chainsaw]}
          days: {type: integer, minimum: 1, maximum: 60}
    - {name: get_renter, parameters: {type: object, required: [renter], properties: {renter: {type: string}}}}
  reads: [get_renter]
facts:
  renter:
    key: {renter: text}
    record: {licence: bool, price: number 0..}
    from: [{tool: get_renter, key: {renter: call.renter}}]
    sentences: 3
rules:
  - {id: week, on: rent, hold: call.days <= 7, say: Seven days., sentences: [2, 4]}
  - id: saw
    on: rent
    when: call.item == 'chainsaw'
    hold: facts.renter(call.renter).licence
    say: A licence.
    sentences: 3
  - {id: hammer, on: rent, hold: call.item != 'hammer' || call.days > 1, say: No hammer for a day.}
not_checked:
  - {id: heads, say: A heading., reason: It states no rule., sentences: 1}
  - {id: fees, say: Fees., reason: Unclear., sentences: 5, open: true}
"""


def written(folder: Path, policy: str = POLICY) -> Path:
    (folder / "rules.md").write_text(PROSE, encoding="utf-8")
    (folder / "policy.yaml").write_text(policy, encoding="utf-8")
    return folder


def reviewed(folder: Path) -> tuple[Policy, tuple[Passage, ...]]:
    policy = load_policy(folder / "policy.yaml")
    return policy, passages_of(folder, policy, find_edges(policy, None, Budget(timeout_s=60)))


def items_of(passages: tuple[Passage, ...]) -> dict[str, Item]:
    return {own.id: own for each in passages for own in each.items}
