"""Count the calls that a policy would have stopped, by rule, with examples: a report before it is enforced."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from typing import Any

import pyarrow.parquet as pq

from holdtrue.audit.overview import parts_of

_MOST_EXAMPLES = 3
_MOST_RULES = 20
_COLUMNS = "source row conversation message tool arguments said decision rules why".split()


def stopped_by_rule(out: str) -> dict[str, dict[str, Any]]:
    """Return for each rule how many calls of an audit rest on it, in how many conversations, and the first of them.

    The most frequent rule comes first. A call that rests on several rules counts for each.
    """
    found: dict[str, dict[str, Any]] = {}
    last: dict[str, tuple[str, int]] = {}
    for part in parts_of(out, "decisions"):
        for call in pq.read_table(part, columns=_COLUMNS, filters=[("decision", "!=", "allow")]).to_pylist():
            place = call["source"], call["row"]
            for rule in call["rules"]:
                own = found.setdefault(rule, {"calls": 0, "conversations": 0, "examples": []})
                own["calls"] += 1
                own["conversations"] += last.get(rule) != place
                own["examples"] += [call][: _MOST_EXAMPLES - len(own["examples"])]
                last[rule] = place
    return dict(sorted(found.items(), key=lambda own: -own[1]["calls"]))


def stopped_lines(found: Mapping[str, Mapping[str, Any]], seen: Mapping[str, int]) -> Iterator[str]:
    """Yield the report as lines, with the first call of each rule: its place, its values and the user's message.

    `seen` counts the calls and conversations of the log.
    """
    if found:
        among = f"{seen['calls']:,} calls in {seen['conversations']:,} conversations"
        yield f"by rule, with the first of the stopped calls (of {among}; nobody listened to users' words):"
    for rule, own in [*found.items()][:_MOST_RULES]:
        call = own["examples"][0]
        made = f"{call['tool']}({call['arguments']:.200})" if call["tool"] else "the end"
        where = " ".join((f"{call['source']}:{call['row']}", *([call["conversation"]] if call["conversation"] else ())))
        yield f"  {rule:<14} {own['calls']:>12,}  in {own['conversations']:,} conversations"
        yield f"    {where}, message {call['message']}: {made}"
        yield f"    {call['why']:.400}"
        if call["said"]:
            yield f"    the user's last message: {call['said']:.200}"
