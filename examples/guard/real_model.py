"""A real model calls a tool at the end of a conversation, and the guard holds its call to what was said.

    python examples/guard/real_model.py local/qwen2.5-coder-1.5b

The user changes their mind on the way, as people do. The model sees the whole conversation and says its call as JSON. A
call that is stopped is told to the model, with the words that it breaks, and it calls again, three times at most.
"""

from __future__ import annotations

import asyncio
import json
import sys
from typing import Any

from holdtrue import open_model
from holdtrue.guard import Decision, Guard, read_policy
from holdtrue.models.chat import ChatModel, Message, Request

POLICY = read_policy("""
policy: restaurant
now: 2026-03-02T09:00:00
tools:
  definitions:
    - name: Table.Reserve
      description: Reserve a table
      parameters:
        type: object
        properties:
          day: {type: string, format: date, description: Day of the reservation}
          time: {type: string, format: time, description: Time of the reservation}
          guests: {type: integer, description: Number of guests}
          area: {type: string, enum: [inside, terrace], description: Where to sit}
        required: [day, time, guests, area]
  writes: [Table.Reserve]
rules:
  - {id: terrace-closes, on: Table.Reserve, when: call.area == 'terrace', hold: "call.time <= time('20:00')",
     say: "The terrace closes at nine, so tables there are for 20:00 at the latest."}
""")
SCHEMA = {
    "type": "object",
    "properties": {
        "day": {"type": "string", "pattern": "^2026-[0-9]{2}-[0-9]{2}$"},
        "time": {"type": "string", "pattern": "^[0-9]{2}:[0-9]{2}$"},
        "guests": {"type": "integer"},
        "area": {"type": "string", "enum": ["inside", "terrace"]},
    },
    "required": ["day", "time", "guests", "area"],
    "additionalProperties": False,
}
FRAME = (
    "You are the assistant of a restaurant. Today is Monday, 2026-03-02. At the end of a conversation you call "
    "Table.Reserve. Reply with its arguments as JSON: "
    '{"day": "2026-03-02", "time": "18:30", "guests": 2, "area": "inside"}.'
)
TALKS: dict[str, list[tuple[str | None, str]]] = {
    "a change of mind": [
        (None, "Hi, a table for 4 guests on Friday, 6 March, at 19:00, inside please."),
        ("Friday at 19:00 for 4, inside. Anything else?", "Do you also have one on the terrace?"),
        ("We do, the terrace is heated.", "Good to know. My sister is coming too, so 5 guests."),
        ("5 guests then. Shall I reserve it?", "Oh, and make it 19:30 please. Then book it."),
    ],
    "a rule of the house": [
        (None, "I need a table for 2 guests on Saturday, 7 March, on the terrace."),
        ("At what time?", "At 20:30."),
        ("Shall I reserve it?", "Yes please, go ahead."),
    ],
}


def told(decision: Decision) -> str:
    return f"{decision.kind}: " + "; ".join(f"{own.say} ({own.why})" for own in decision.resting_on)


async def play(title: str, model: ChatModel) -> None:
    print(f"\n{title}")
    talk = Guard(POLICY).conversation(title)
    messages = [Message("system", FRAME)]
    for assistant, user in TALKS[title]:
        await talk.heard(assistant=assistant, user=user)
        if assistant is not None:
            messages.append(Message("assistant", assistant))
        messages.append(Message("user", user))
        print(f"  user: {user}")
    messages.append(Message("user", "Now call Table.Reserve with what was agreed last."))
    for attempt in range(1, 4):
        reply = await model.complete(Request(tuple(messages), "call", SCHEMA, max_tokens=80))
        arguments: Any = json.loads(reply.text)
        decision = await talk.check("Table.Reserve", arguments)
        print(f"  the model calls: {json.dumps(arguments)}")
        if not decision.stops:
            print("  the guard: allow" + (", for it changed its mind once it was told why" if attempt > 1 else ""))
            return
        print(f"  the guard: {told(decision)}")
        messages += [Message("assistant", reply.text), Message("user", decision.for_model)]
    print("  the guard: not called; the user is told: " + decision.for_user)


async def main(name: str) -> None:
    model = open_model(name)
    try:
        for title in TALKS:
            await play(title, model)
    finally:
        await model.aclose()


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1] if len(sys.argv) > 1 else "local/qwen2.5-coder-1.5b"))
