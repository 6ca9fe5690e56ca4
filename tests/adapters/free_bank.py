"""The bank where no payment needs a yes, and tools that it does not know may be called."""

from __future__ import annotations

from holdtrue.guard import Guard, read_policy
from tests.adapters.bank import POLICY

BOB, MUCH = {"to": "Bob", "amount": 7}, {"to": "Bob", "amount": 70}


def free_bank() -> Guard:
    return Guard(read_policy(POLICY.replace("  consent: [pay]\n", "") + "unknown_tools: allow\n"))
