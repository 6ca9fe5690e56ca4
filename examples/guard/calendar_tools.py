"""A calendar: a model calls tools, and the guard holds its calls to the policy and to what the user said.

    python examples/guard/calendar_tools.py                                    # a scripted model, sim/calendar
    python examples/guard/calendar_tools.py --url http://... --model NAME      # your own, by OpenAI's protocol

The user wants the call on Friday at 10. The scripted model calls for 11 first. No model reads the user's words here, so
that the guard asks; the model is told by whose words, and calls again. Meetings are not to begin before 8, and no day
has more than two of them.
"""

from __future__ import annotations

import argparse
import json
from typing import Any

from scripted_client import ScriptedClient

from holdtrue.guard import Guard, read_policy

POLICY = read_policy("""
policy: calendar
now: 2026-03-02T09:00:00
tools:
  definitions:
    - name: Calendar.AddEvent
      description: Add a meeting to the calendar
      parameters:
        type: object
        properties:
          title: {type: string, description: Title of the meeting}
          day: {type: string, format: date, description: Day of the meeting}
          start: {type: string, format: time, description: Time at which it begins}
          minutes: {type: integer, description: Length of the meeting in minutes}
        required: [title, day, start]
  writes: [Calendar.AddEvent]
rules:
  - {id: not-early, on: Calendar.AddEvent, hold: "call.start >= time('08:00')", say: No meeting begins before 8.}
limits:
  - {id: two-a-day, on: Calendar.AddEvent, most: 2, per: day}
""")

WANTED = "Put a 30 minute call with Dana into my calendar, on Friday at 10 am."
EVENT = {"title": "Call with Dana", "day": "2026-03-06", "start": "11:00", "minutes": 30}
SCRIPT = [
    [("Calendar.AddEvent", EVENT)],
    [("Calendar.AddEvent", {**EVENT, "start": "10:00"})],
    "It is in your calendar: Friday, 6 March, at 10 am.",
]


def main(client: Any = None, model: str = "sim/calendar") -> None:
    guard = Guard(POLICY)
    client = guard.wrap(client or ScriptedClient(SCRIPT), conversation="dana-1")
    tools = [{"type": "function", "function": _definition()}]
    messages: list[Any] = [{"role": "user", "content": WANTED}]
    for _ in range(4):
        answer = client.chat.completions.create(model=model, messages=messages, tools=tools)
        message = answer.choices[0].message
        messages.append(message)
        for call in message.tool_calls or ():
            print("called:", call.function.name, call.function.arguments)
            messages.append({"role": "tool", "tool_call_id": call.id, "content": '{"added": true}'})
        if not message.tool_calls:
            print("said:", message.content)
            break
    print("decisions:")
    for event in guard.run(guard.store.read("", "dana-1")):
        if event.kind == "decided":
            print(" ", json.loads(event.content["record"])["for_log"].splitlines()[0])
    guard.close()


def _definition() -> dict[str, Any]:
    tool = POLICY.tools["Calendar.AddEvent"].schema
    properties = {name: {"type": "string"} for name in tool.arguments.fields}
    properties["minutes"] = {"type": "integer"}
    parameters = {"type": "object", "properties": properties, "required": ["title", "day", "start"]}
    return {"name": tool.name, "description": tool.description, "parameters": parameters}


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--url")
    parser.add_argument("--model", default="sim/calendar")
    given = parser.parse_args()
    if given.url:
        from openai import OpenAI

        main(OpenAI(base_url=given.url, api_key="none"), given.model)
    else:
        main()
