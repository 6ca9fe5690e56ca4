"""Play what has its own form: single messages with calls, replies that claim work, and recorded agents."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from bench.words.told_reader import ToldReader
from holdtrue.guard.conversation.guarded_conversation import Ending
from holdtrue.guard.guard import Guard
from holdtrue.language.requests.operation import Claim

Row = dict[str, Any]


async def play_message(guard: Guard, own: Mapping[str, Any], told: ToldReader | None) -> list[Row]:
    """Return a row for each call after a single message, each judged by itself."""
    rows = []
    for place, call in enumerate(own["calls"]):
        talk = guard.conversation(f"{own['id']}-{place}")
        if told is not None:
            told.tell(own["user"], own["notes"], ())
        heard = await talk.heard(user=own["user"])
        decision = await talk.check(call["tool"], call["arguments"], mend=False)
        rows.append(_row(own["id"], place, call, decision, len(heard.calls)))
    return rows


def _row(talk: str, step: int, call: Mapping[str, Any], decision: Any, cost: int, **more: Any) -> Row:
    return {
        "talk": talk,
        "step": step,
        "tool": call["tool"],
        "arguments": dict(call["arguments"]),
        "expected": call["expected"],
        "decided": decision.kind,
        "needs_consent": False,
        "after_yes": False,
        "why": call.get("why", ""),
        "findings": [f"{each.rule}: {each.say}" for each in decision.findings],
        "calls": cost,
        **more,
    }


async def play_claims(guard: Guard, own: Mapping[str, Any], told: ToldReader | None) -> Row:
    """Return which claims of a reply are false, and which were found."""
    talk = guard.conversation(own["id"])
    before: str | None = None
    guard_claims, guard.claim_reader = guard.claim_reader, None  # Only the last reply is asked about.
    for place, step in enumerate(own["steps"]):
        if "assistant" in step:
            before = step["assistant"]
        elif "user" in step:
            if told is not None:
                told.tell(step["user"], (), ())
            await talk.heard(assistant=before, user=step["user"])
            before = None
        else:
            call, id = step["call"], f"c{place}"
            decision = await talk.check(call["tool"], call["arguments"], call=id, mend=False)
            if decision.stops:
                await talk.override(decision, by="the record", reason="it was made then")
                await talk.check(call["tool"], call["arguments"], call=id, mend=False)
            ended: Ending = "succeeded" if step.get("ok", True) else "failed"
            await talk.saw(call["tool"], call["arguments"], step["result"], call=id, outcome=ended)
    guard.claim_reader = guard_claims
    if told is not None:
        told.claims = [Claim(each["tool"], each["arguments"], each["quote"]) for each in own["claims"]]
    found = await talk.check_reply(own["reply"])
    false = [each["quote"] for each in own["claims"] if not each["true"]]
    quotes = [each.quote for each in found]
    right = [each for each in false if any(_meet(each, quote) for quote in quotes)]
    wrong = [quote for quote in quotes if not any(_meet(each, quote) for each in false)]
    return {"talk": own["id"], "false": false, "found": right, "wrongly": wrong}


def _meet(one: str, other: str) -> bool:
    return one in other or other in one


async def play_recorded(
    guard: Guard, own: Mapping[str, Any], messages: list[dict[str, Any]], told: ToldReader | None
) -> list[Row]:
    """Return a row for each noted call of a recorded agent; what it called then is taken to have been made."""
    talk = guard.conversation(f"{own['task']}-{own['trial']}")
    asked = {call["message"]: call for call in own["calls"]}
    yes_to = {at: [_calls(messages[each]) for each in those] for at, those in own.get("yes_to", {}).items()}
    rows, before, cost = list[Row](), None, 0
    results = {each["tool_call_id"]: each for each in messages if each["role"] == "tool"}
    for at, message in enumerate(messages):
        if message["role"] == "user":
            agreed = [call for each in yes_to.get(str(at), ()) for call in each]
            if told is not None:
                told.tell(message["content"], own["notes"].get(str(at), ()), agreed)
            heard = await talk.heard(assistant=before, user=message["content"])
            if told is not None:
                told.learn(await talk.requests())
            cost, before = cost + len(heard.calls), None
        if message["role"] != "assistant":
            continue
        before = message.get("content") or before
        for call, id in zip(_calls(message), [each["id"] for each in message.get("tool_calls") or ()], strict=True):
            if not guard.policy.writes(call["tool"]):
                await talk.saw(call["tool"], call["arguments"], results[id].get("content", ""))
                continue
            if before is not None:
                await talk.heard(assistant=before)
                before = None
            if at in asked:
                noted = asked[at]
                decision = await talk.check(noted["tool"], noted["arguments"], mend=False, call=f"asked-{id}")
                is_yes = any(call in every for each in yes_to.values() for every in each)
                rows.append(_row(talk.id, at, noted, decision, cost, after_yes=is_yes))
                if not decision.stops:
                    await talk.saw(noted["tool"], noted["arguments"], {}, call=f"asked-{id}", outcome="failed")
            decision = await talk.check(call["tool"], call["arguments"], mend=False, call=id)
            if decision.stops:
                await talk.override(decision, by="the record", reason="it was made then")
                await talk.check(call["tool"], call["arguments"], mend=False, call=id)
            failed = str(results[id].get("content", "")).startswith("Error")
            ended: Ending = "failed" if failed else "succeeded"
            await talk.saw(call["tool"], call["arguments"], results[id].get("content", ""), call=id, outcome=ended)
    return rows


def _calls(message: Mapping[str, Any]) -> list[dict[str, Any]]:
    found = [each["function"] for each in message.get("tool_calls") or ()]
    return [{"tool": each["name"], "arguments": json.loads(each["arguments"])} for each in found]
