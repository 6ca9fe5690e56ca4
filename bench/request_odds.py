"""Measure on dialogues with gold how probable readings of requests are, by their kinds.

    python -m bench.request_odds --data FOLDER --model local/NAME

FOLDER has dialogues with gold, as `holdtrue run guard --data` takes them. What is printed is what
`request_odds.json` has, with the counts behind it.
"""

from __future__ import annotations

import argparse
import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime, time
from pathlib import Path
from typing import Any

from holdtrue.guard.conversation.message_reading import guard_acts
from holdtrue.language.asking import ask_once
from holdtrue.language.requests.operation import OpenRequest, Operation, RequestContext
from holdtrue.language.requests.request_prompts import reading_request
from holdtrue.language.requests.request_reader import read_reply
from holdtrue.ledger.requests import RequestWord
from holdtrue.models.chat import ChatModel
from holdtrue.models.model_registry import open_model
from holdtrue.record import CallRecord
from holdtrue_lab.kinds.decisions.dialogue import GuardedDialogue
from holdtrue_lab.suites.guard.dialogue_files import load_dialogues

_PRIOR = 2.0
"""So many readings of the overall share of right ones are added to those of each kind."""


@dataclass(frozen=True, slots=True)
class ReadOperation:
    """A `ReadOperation` is one that a model read in a message, its kind, and whether gold has it."""

    dialogue: str
    message: int
    kind: str
    operation: Operation
    is_right: bool


async def read_operations(dialogue: GuardedDialogue, model: ChatModel) -> AsyncIterator[ReadOperation]:
    """Yield what a model reads in each message of a dialogue, as if all before it had been read rightly."""
    acts = guard_acts(dialogue.policy)
    held = dict[str, Any]()
    now = datetime.combine(dialogue.today, time(9))
    for place, message in enumerate(dialogue.messages):
        said = dict[str, dict[str, str]]()
        for slot, value in held.items():
            act, _, argument = slot.rpartition(".")
            said.setdefault(act, {})[argument] = f"{argument} is {value}"
        requests = tuple(OpenRequest(f"Q{number}", act, own) for number, (act, own) in enumerate(said.items(), 1))
        context = RequestContext(place + 1, now, requests=requests, assistant=message.system or "")
        text = await ask_once(model, reading_request(acts, message.user, context), list[CallRecord]())
        for settled in message.gold:
            if settled.value is None:
                held.pop(settled.slot, None)
            else:
                held[settled.slot] = settled.value
        freed = {own.slot for own in message.gold if own.value is None}
        for read in read_reply(text, acts, message.user, context):
            # That a request was opened says nothing of its values, which gold has.
            if not isinstance(read, str) and read[0].do != "open":
                operation, kind = read
                yield ReadOperation(dialogue.id, place, kind, operation, _is_right(operation, held, freed))


def _is_right(own: Operation, held: Mapping[str, Any], freed: set[str]) -> bool:
    """Return whether an operation leaves an argument as gold has it after the message."""
    slot = f"{own.act}.{own.argument}"
    if own.do == "free":
        return slot in freed
    if own.do != "set" or own.value is None:
        return False
    word = RequestWord("", "", own.act, own.argument, own.value, "", 0, relation=own.relation, others=own.others)
    return slot in held and word.allows(held[slot])


def odds_of(read: Iterable[ReadOperation]) -> dict[str, dict[str, float | int]]:
    """Return the share of right readings of each kind, drawn a little to that of all, with the counts behind it."""
    found = list(read)
    overall = sum(own.is_right for own in found) / max(1, len(found))
    kinds: dict[str, list[bool]] = {}
    for own in found:
        kinds.setdefault(own.kind, []).append(own.is_right)
    return {
        kind: {
            "probability": round((sum(right) + _PRIOR * overall) / (len(right) + _PRIOR), 4),
            "right": sum(right),
            "of": len(right),
        }
        for kind, right in sorted(kinds.items())
    }


async def measured(dialogues: Iterable[GuardedDialogue], model: ChatModel) -> dict[str, dict[str, float | int]]:
    """Return the odds of readings of all messages of dialogues."""
    return odds_of([own for dialogue in dialogues async for own in read_operations(dialogue, model)])


async def _main(data: Path, name: str) -> None:
    model = open_model(name)
    try:
        print(json.dumps({name: await measured(load_dialogues(data, "ask"), model)}, indent=2))
    finally:
        await model.aclose()


def main(given: Sequence[str] | None = None) -> None:
    """Read the arguments of the command, measure and print."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--data", type=Path, required=True, help="the folder of dialogues with gold")
    parser.add_argument("--model", required=True, help="the model that reads")
    words = parser.parse_args(given)
    asyncio.run(_main(words.data, words.model))


if __name__ == "__main__":
    main()
