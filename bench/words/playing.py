"""Play a conversation step by step behind a guard, and note what is decided on each of its calls."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict, dataclass
from typing import Any

from bench.words.cases import Talk
from bench.words.told_reader import ToldReader
from holdtrue.guard.decision import Decision
from holdtrue.guard.guard import Guard


@dataclass(frozen=True, slots=True)
class CallRow:
    """A `CallRow` is what was decided on a call, what was right, and whether it came after a listing and a yes."""

    talk: str
    step: int
    tool: str
    arguments: Mapping[str, Any]
    expected: str
    decided: str
    needs_consent: bool
    after_yes: bool
    why: str
    findings: tuple[str, ...]
    calls: int


async def play(guard: Guard, talk: Talk, told: ToldReader | None, consents: frozenset[str]) -> list[CallRow]:
    """Return a row for each call of a conversation. A right call is made whatever is decided, as it was then."""
    own = guard.conversation(talk["id"])
    rows, before, cost = list[CallRow](), None, 0
    yes: list[Mapping[str, Any]] = []
    for place, step in enumerate(talk["steps"]):
        if "assistant" in step:
            before = step["assistant"] if before is None else f"{before}\n{step['assistant']}"
            continue
        if "user" in step:
            yes = step.get("yes_to", [])
            if told is not None:
                told.tell(step["user"], step.get("notes", ()), yes)
            heard = await own.heard(assistant=before, user=step["user"])
            if told is not None:
                told.learn(await own.requests())
            cost, before = cost + len(heard.calls), None
            continue
        if before is not None:
            await own.heard(assistant=before)
            before = None
        if "result" in step:
            result = step["result"]
            await own.saw(result["tool"], result["arguments"], result["value"])
            continue
        call = step["call"]
        decision = await own.check(call["tool"], call["arguments"], call=f"s{place}", mend=False)
        rows.append(_row(talk, place, step, decision, consents, yes, cost))
        await _end(own, step, decision, f"s{place}")
    return rows


def _row(
    talk: Talk,
    place: int,
    step: Mapping[str, Any],
    decision: Decision,
    consents: frozenset[str],
    yes: list[Mapping[str, Any]],
    cost: int,
) -> CallRow:
    call = step["call"]
    is_yes = any(own["tool"] == call["tool"] and own["arguments"] == call["arguments"] for own in yes)
    findings = tuple(f"{own.rule}: {own.say}" for own in decision.findings)
    return CallRow(
        talk["id"],
        place,
        call["tool"],
        call["arguments"],
        step["expected"],
        decision.kind,
        call["tool"] in consents,
        is_yes,
        step.get("why", ""),
        findings,
        cost,
    )


async def _end(own: Any, step: Mapping[str, Any], decision: Decision, id: str) -> None:
    """Let a call that is really made then succeed, whatever was decided now, and any other one fail."""
    call, is_made = step["call"], step["expected"] == "allow" and step.get("done", True)
    if decision.stops and is_made:
        await own.override(decision, by="the record", reason="it was made then")
        decision = await own.check(call["tool"], call["arguments"], call=id, mend=False)
    if not decision.stops:
        outcome = "succeeded" if is_made else "failed"
        await own.saw(call["tool"], call["arguments"], {"ok": is_made}, call=id, outcome=outcome)


def to_json(row: CallRow) -> dict[str, Any]:
    """Return a row as JSON has it."""
    return asdict(row)
