"""The refund desk: one conversation of five turns with ten calls, five of which a guard has to stop.

Every door plays the same conversation with a scripted model, and its tools note the calls that reached them.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from holdtrue.guard import Guard, Operation, RequestReading, load_policy
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.guard.policy import Policy
from holdtrue.language.requests.operation import Act, RequestContext

FOLDER = Path(__file__).parent / "refunds"
ROWS: list[dict[str, Any]] = [json.loads(line) for line in (FOLDER / "conversation.jsonl").read_text().splitlines()]
CALLS = [own for own in ROWS if own["role"] == "call"]
ALLOWED = [(own["tool"], own["arguments"]) for own in CALLS if own["expected"] == "allow"]
STOPPED = [(own["tool"], own["arguments"]) for own in CALLS if own["expected"] == "stop"]
DONE = sorted(ALLOWED, key=lambda own: own[0])
DEFINITIONS: list[dict[str, Any]] = json.loads((FOLDER / "tools.json").read_text())
RESULTS = {json.dumps([own["tool"], own["arguments"]]): own["result"] for own in CALLS}


@dataclass(frozen=True)
class Turn:
    """One message of the user, and the steps of the assistant: calls, and at the end a text."""

    user: str
    steps: list[dict[str, Any]] = field(default_factory=list)


def turns() -> list[Turn]:
    """Return the turns. A turn without a closing text ends with a neutral one, as a model's turn does."""
    found: list[Turn] = []
    for row in ROWS:
        if row["role"] == "user":
            found.append(Turn(row["text"]))
        else:
            found[-1].steps.append(row)
    for own in found:
        if not own.steps or own.steps[-1]["role"] != "assistant":
            own.steps.append({"role": "assistant", "text": "Is there anything else?"})
    return found


def _wants(act: str, request: str, quote: str, **values: Any) -> list[Operation]:
    return [Operation("set", act, request, name, value=value, quote=quote) for name, value in values.items()]


_READINGS: dict[str, list[Operation]] = {
    "Hello, booking": _wants("refund", "new 1", "HN4T8R", booking="HN4T8R")
    + _wants("refund", "new 1", "please send the money back to my card", method="card"),
    "Good. There is": _wants("refund", "new 1", "PX6W1K", booking="PX6W1K"),
    "Then a voucher": _wants("refund", "", "PX6W1K", booking="PX6W1K")
    + _wants("refund", "", "a voucher", method="voucher"),
    "Please mail the": _wants("send_receipt", "new 1", "HN4T8R", booking="HN4T8R")
    + _wants("send_receipt", "new 1", "t.moss@example.org", email="t.moss@example.org"),
    "No, sorry, take": _wants("send_receipt", "", "office@moss.example", email="office@moss.example"),
}


class IdealReader:
    """A reader that reads each message of the desk as a careful person does."""

    name = "scripted"

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        found = next((own for begin, own in _READINGS.items() if message.startswith(begin)), [])
        open_ones = {own.act: own.id for own in context.requests}
        named = (own if own.request else _on(own, open_ones) for own in found)
        return RequestReading(tuple(named))


def _on(own: Operation, open_ones: Mapping[str, str]) -> Operation:
    from dataclasses import replace

    return replace(own, request=open_ones.get(own.act, "new 1"))


def policy() -> Policy:
    return load_policy(FOLDER / "policy.yaml")


def desk(**settings: Any) -> Guard:
    """Return the guard of the desk with the ideal reader."""
    return Guard(policy(), reader=IdealReader(), **settings)


@dataclass
class Tools:
    """The tools of the desk. They note each call that reached them."""

    made: list[tuple[str, dict[str, Any]]] = field(default_factory=list)

    def run(self, tool: str, arguments: Mapping[str, Any]) -> Any:
        self.made.append((tool, dict(arguments)))
        return RESULTS[json.dumps([tool, dict(arguments)])]

    def get_booking(self, booking: str) -> dict[str, Any]:
        """Look up a booking"""
        return self.run("get_booking", {"booking": booking})  # type: ignore[no-any-return]

    def refund(self, booking: str, amount: float, method: str) -> dict[str, Any]:
        """Refund a booking"""
        return self.run("refund", {"booking": booking, "amount": amount, "method": method})  # type: ignore[no-any-return]

    def send_receipt(self, booking: str, email: str) -> dict[str, Any]:
        """Send a receipt by email"""
        return self.run("send_receipt", {"booking": booking, "email": email})  # type: ignore[no-any-return]


async def done(talk: GuardedConversation) -> list[tuple[str, dict[str, Any]]]:
    """Return the calls that took effect, as rules see them; compare them with `DONE`."""
    async with talk._known() as state:
        found = state.facts.done
    return [(tool, {name: own for name, own in call.items() if name != "at"}) for tool in found for call in found[tool]]
