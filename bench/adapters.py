"""Measure how much CPU time an adapter and the guard add to a tool call, beside the same agent without them.

    python -m bench.adapters

The agent is one of LangChain with a scripted model and one tool. The policy has 38 rules, and no model reads.
"""

from __future__ import annotations

import statistics
import time
from typing import Any

from langchain.agents import create_agent
from langchain_core.language_models.fake_chat_models import GenericFakeChatModel
from langchain_core.messages import AIMessage

from holdtrue.adapters.langchain import GuardMiddleware
from holdtrue.guard import Guard, make_policy

CALLS, RUNS, LIMIT_MS = 20, 7, 5.0


def pay(to: str, amount: float) -> str:
    """Pay somebody"""
    return f"{amount} paid to {to}"


RULES = [
    {"id": f"R{number}", "on": "pay", "hold": f"call.amount <= {1000 + number}", "say": f"At most {1000 + number}."}
    for number in range(38)
]
POLICY = make_policy("bank", tools={"definitions": [pay], "writes": ["pay"]}, rules=RULES)


class Scripted(GenericFakeChatModel):
    """A model that makes its calls one after the other."""

    def bind_tools(self, tools: Any, **more: Any) -> Any:
        return self


def cpu_ms(guarded: bool) -> float:
    """Return the CPU time of a run in ms for each of its calls."""
    steps = [
        AIMessage("", tool_calls=[{"id": f"c{n}", "name": "pay", "args": {"to": f"P{n}", "amount": float(n)}}])
        for n in range(CALLS)
    ]
    middleware = [GuardMiddleware(Guard(POLICY), conversation="bench")] if guarded else []
    agent = create_agent(Scripted(messages=iter([*steps, AIMessage("Done.")])), [pay], middleware=middleware)
    begin = time.process_time()
    state = agent.invoke({"messages": "Pay them all"}, {"recursion_limit": 4 * CALLS})
    spent = time.process_time() - begin
    assert str(state["messages"][-2].content).endswith(f"P{CALLS - 1}"), state["messages"][-2]
    return 1000 * spent / CALLS


def main() -> None:
    cpu_ms(True), cpu_ms(False)  # imports and caches
    bare, held = ([cpu_ms(guarded) for _ in range(RUNS)] for guarded in (False, True))
    one, other = statistics.median(bare), statistics.median(held)
    added = f"the guard adds {other - one:.2f} ms (at most {LIMIT_MS} wanted)"
    print(f"bare {one:.2f} ms a call, guarded {other:.2f} ms: {added}")


if __name__ == "__main__":
    main()
