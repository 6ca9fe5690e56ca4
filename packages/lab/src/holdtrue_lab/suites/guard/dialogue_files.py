"""This module reads recorded dialogues with tool calls. It also reads the values that each message settles.

A dialogue has *broken forms* of its calls. A broken form is a call with changed arguments, which contradict the user's
messages.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from datetime import date
from pathlib import Path
from typing import Any, Literal

from holdtrue.errors import InputError, RecordError
from holdtrue.fields import by_id, expect, field, field_or, naming
from holdtrue_lab.kinds.decisions.dialogue import DialogueCall, DialogueMessage, GuardedDialogue, Settled
from holdtrue_lab.kit.json_file import read_objects

Mutants = dict[tuple[str, str], list[tuple[str, Mapping[str, Any]]]]
"""The broken forms of each call in order, with their places in the file. Keys are a call's dialogue and id."""
Source = tuple[str, str]


def has_dialogues(source: Path) -> bool:
    """Return whether a file or folder has dialogues: lines with `turns`."""
    return any("turns" in record for _, record in read_objects(source))


def load_dialogues(source: Path, unfounded: Literal["tell", "unasked", "ask"]) -> list[GuardedDialogue]:
    """Return the dialogues of a file, or of all files of a folder, with the broken forms of their calls.

    The policy of each dialogue only declares the tools; `unfounded` is its rule for arguments that nobody agreed to.
    Raises `RecordError` for malformed data, with file, line and field, and for broken forms of an unknown call.
    """
    lines, mutants = [], Mutants()
    for where, record in read_objects(source):
        if "turns" in record:
            lines.append((where, record))
        elif "dialogue" in record and "set" in record:
            key = (field(record, "dialogue", str, where), field(record, "call", str, where))
            mutants.setdefault(key, []).append((where, record))
    found = ((where, _dialogue(record, where, mutants, unfounded)) for where, record in lines)
    dialogues = list(by_id(found, f"{source}: there are no dialogues").values())
    for [(where, _), *_] in mutants.values():
        raise RecordError(f"{where}: there is no such call in the dialogues")
    return dialogues


def _dialogue(
    record: Mapping[str, Any], where: str, mutants: Mutants, unfounded: Literal["tell", "unasked", "ask"]
) -> GuardedDialogue:
    from holdtrue.guard.policy_file import make_policy

    id, today = field(record, "id", str, where), field(record, "today", str, where)
    try:
        day = date.fromisoformat(today)
    except ValueError:
        raise RecordError(f"{where}.today: a day such as 2019-03-01 is needed, got {today!r:.60}") from None
    tools = [expect(own, dict, f"{where}.tools") for own in field(record, "tools", list, where)]
    with naming(f"{where}.tools", InputError):
        policy = make_policy(
            "dialogue",
            now=f"{today}T09:00:00",
            unfounded=unfounded,
            tools={
                "definitions": [{name: own for name, own in tool.items() if name != "writes"} for tool in tools],
                "writes": [str(tool.get("name")) for tool in tools if tool.get("writes")],
                "reads": [str(tool.get("name")) for tool in tools if not tool.get("writes")],
            },
        )
    turns = [expect(own, dict, f"{where}.turns") for own in field(record, "turns", list, where)]
    sources: dict[str, Source] = {}
    calls: list[DialogueCall] = []
    messages = []
    for place, turn in enumerate(turns):
        here = f"{where}.turns[{place}]"
        messages.append(_message(turn, here, sources))
        for own in field_or(turn, "calls", list, here, []):
            calls += _calls(id, place, expect(own, dict, here), here, sources, mutants)
    domain = "+".join(str(own) for own in field_or(record, "services", list, where, [])) or "dialogue"
    return GuardedDialogue(id, domain, day, policy, tuple(messages), tuple(calls))


def _message(turn: Mapping[str, Any], where: str, sources: dict[str, Source]) -> DialogueMessage:
    gold = []
    for own in field_or(turn, "events", list, where, []):
        event = expect(own, dict, f"{where}.events")
        slot = field(event, "slot", str, f"{where}.events")
        value = event.get("value")
        waives = event.get("kind") == "waive"
        act: Literal["states", "frees", "withdraws"] = (
            "states" if value is not None else "frees" if waives else "withdraws"
        )
        gold.append(Settled(f"{field(event, 'service', str, f'{where}.events')}.{slot}", act, value))
        sources[str(event.get("id"))] = slot, str(event.get("source", "stated"))
    system = turn.get("system")
    last = {own.slot: own for own in gold}
    return DialogueMessage(
        system if isinstance(system, str) else None, field(turn, "user", str, where), tuple(last.values())
    )


def _calls(
    dialogue: str, place: int, call: Mapping[str, Any], where: str, sources: Mapping[str, Source], mutants: Mutants
) -> Iterator[DialogueCall]:
    """Yield a call in its right form, and then in every broken form."""
    id, tool = field(call, "id", str, f"{where}.calls"), field(call, "name", str, f"{where}.calls")
    arguments = field(call, "arguments", dict, f"{where}.calls")
    yield DialogueCall(place, id, None, "", tool, arguments, ())
    for form, (at, mutant) in enumerate(mutants.pop((dialogue, id), [])):
        changed = {**arguments, **field(mutant, "set", dict, at)}
        kept = {name: value for name, value in changed.items() if value is not None}
        broken = [expect(own, dict, f"{at}.broken") for own in field(mutant, "broken", list, at)]
        told = tuple(
            (field(own, "slot", str, f"{at}.broken"), sources.get(str(own.get("event")), ("", "stated"))[1])
            for own in broken
        )
        yield DialogueCall(place, id, form, field(mutant, "kind", str, at), tool, kept, told)
