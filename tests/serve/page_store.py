"""A store with conversations of the refund desk for the page: `python -m tests.serve.page_store FOLDER` writes one."""

from __future__ import annotations

import sys
from collections.abc import Mapping
from pathlib import Path
from shutil import copy
from typing import Any

from holdtrue.guard import Guard, Operation, RequestReading, SqliteStore, load_policy
from holdtrue.guard.conversation.guarded_conversation import GuardedConversation
from holdtrue.language.requests.operation import Act, RequestContext
from tests.adapters.desk import FOLDER, RESULTS, ROWS, IdealReader

HOSTILE = "<script>alert(1)</script><img src=x onerror=alert(1)> javascript:alert(1) \u202eevil\x00 \u202atail"
VOUCHER = {"customer": "C-31", "value": 150.0}
BROKEN = {"booking": "HN4T8R", "amount": 300.0, "method": "card"}
MILES = {"customer": "C-44", "miles": 500}
CUSTOMER = "I waited four hours for my suitcase, that cannot be. My customer number is C-31."
_ADDED = {
    "tools:\n": "  consent: [send_receipt]\n",
    "said:\n": "  reason: {type: [delay, baggage, other], ask: 'Why is a voucher given?'}\n",
    "rules:\n": "  - {id: R7, on: goodwill_voucher, hold: said.reason != 'other', say: A voucher has a reason.}\n",
    "limits:\n": "  - {id: L1, on: send_receipt, most: 3, say: Three receipts at most.}\n",
}
"""The text that is added behind each line of the desk's policy: a consent, a question, and rules."""
OBLIGATION = "obligations:\n  - {id: O1, hold: 'done.send_receipt.size() > 0', say: A receipt is sent.}\n"


class Reader(IdealReader):
    """The reader of the desk, which doubts one more reading."""

    async def read_requests(self, acts: Mapping[str, Act], message: str, context: RequestContext) -> RequestReading:
        if "four hours" in message:
            wish = Operation("set", "goodwill_voucher", "new 1", "customer", value="C-31", quote="C-31")
            return RequestReading((wish, _doubtful()))
        return await super().read_requests(acts, message, context)


def _doubtful() -> Operation:
    return Operation("set", "goodwill_voucher", "new 1", "value", value=100.0, quote="about a hundred", confidence=0.85)


def write_policy(folder: Path) -> Path:
    """Write the policy of the desk with a consent and a question, and return its path."""
    text = (FOLDER / "policy.yaml").read_text(encoding="utf-8")
    for place, more in _ADDED.items():
        assert place in text
        text = text.replace(place, f"{place}{more}", 1)
    copy(FOLDER / "tools.json", folder / "tools.json")
    path = folder / "policy.yaml"
    path.write_text(text.rstrip() + "\n" + OBLIGATION, encoding="utf-8")
    return path


def open_desk(folder: Path, policy: Path | None = None) -> Guard:
    """Return the guard of the desk over the store in a folder."""
    return Guard(load_policy(policy or write_policy(folder)), reader=Reader(), store=SqliteStore(folder / "talks.db"))


async def play(talk: GuardedConversation) -> None:
    """Play the conversation of the refund desk. An allowed call is made, and a stopped one is not."""
    for row in ROWS:
        if row["role"] == "user":
            await talk.heard(user=row["text"])
        elif row["role"] == "assistant":
            await talk.heard(assistant=row["text"])
        else:
            decision = await talk.check(row["tool"], row["arguments"])
            if not decision.stops:
                await talk.saw(row["tool"], row["arguments"], row["result"], call=decision.id)


async def play_voucher(talk: GuardedConversation) -> None:
    """Play a conversation that ends with a question to the user."""
    await talk.heard(user=f"{CUSTOMER} Give me about a hundred euros, please.")
    await talk.check("get_customer", {"customer": "C-31"})
    await talk.saw("get_customer", {"customer": "C-31"}, {"customer": "C-31", "tier": "regular"})
    await talk.check("goodwill_voucher", VOUCHER)


async def play_break(talk: GuardedConversation) -> None:
    """Play the begin of the refund desk's conversation, up to the call that breaks a rule."""
    looked_up = {"booking": "HN4T8R"}
    await talk.heard(user=ROWS[0]["text"])
    await talk.check("get_booking", looked_up)
    await talk.saw("get_booking", looked_up, RESULTS['["get_booking", {"booking": "HN4T8R"}]'])
    await talk.check("refund", BROKEN)


async def play_hostile(talk: GuardedConversation) -> None:
    """Play a conversation in which every text tries to become an element."""
    bad: dict[str, Any] = {HOSTILE: HOSTILE, "list": [HOSTILE]}
    await talk.heard(assistant=f"I will mail {HOSTILE}", user=f"{HOSTILE} \u05e9\u05dc\u05d5\u05dd")
    await talk.check(HOSTILE, bad)
    await talk.saw(HOSTILE, bad, {HOSTILE: HOSTILE})
    await talk.saw("get_booking", {"booking": "HN4T8R"}, HOSTILE)
    decision = await talk.check("refund", {**BROKEN, "booking": HOSTILE})
    await talk.override(decision, by=HOSTILE, role=HOSTILE, reason=HOSTILE)


async def fill(guard: Guard) -> None:
    """Play all conversations of the example."""
    await play(guard.conversation("desk-1001", "acme"))
    await play_voucher(guard.conversation("desk-1003", "acme"))
    await play_break(guard.conversation("desk-1002", "acme"))
    await play_break(guard.conversation("walk-in"))
    await play_hostile(guard.conversation(HOSTILE, "other"))


def main(folder: Path) -> None:
    folder.mkdir(parents=True, exist_ok=True)
    guard = open_desk(folder)
    guard.run(fill(guard))
    guard.close()
    print(f"holdtrue page {folder / 'talks.db'} --policy {folder / 'policy.yaml'} --name 'Rosa Lindt'")


if __name__ == "__main__":
    main(Path(sys.argv[1]))
