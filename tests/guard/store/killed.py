"""Play a conversation in a process that is to be killed, and print each acknowledged event at once.

python -m tests.guard.store.killed FILE DURABILITY ROUNDS CONVERSATIONS
"""

from __future__ import annotations

import asyncio
import os
import sys

from holdtrue.guard.store.sqlite import SqliteStore
from tests.guard.conversation.shop import guard

FRIDAY = "2026-03-06"


def acknowledge(text: str) -> None:
    """Write one line at once, with a single system call."""
    os.write(1, f"{text}\n".encode())


async def play(path: str, durability: str, rounds: int, talks: int) -> None:
    store = SqliteStore(path, durability=durability)  # type: ignore[arg-type]
    own = guard({"for 4 on friday": {"day": FRIDAY, "guests": 4}}, store=store)
    acknowledge("ready")

    async def one(name: str) -> None:
        talk = own.conversation(name, "acme")
        for number in range(rounds):
            await talk.heard(user="for 4 on friday")
            acknowledge(f"{name} heard {number}")
            arguments = {"day": FRIDAY, "guests": 4}
            decision = await talk.check("Table.Reserve", arguments, call=f"c{number}")
            acknowledge(f"{name} {decision.kind} {number}")
            await talk.saw("Table.Reserve", arguments, {"booking": number}, call=f"c{number}")
            acknowledge(f"{name} saw {number}")

    await asyncio.gather(*(one(f"talk-{place}") for place in range(talks)))
    await store.aclose()


if __name__ == "__main__":
    asyncio.run(play(sys.argv[1], sys.argv[2], int(sys.argv[3]), int(sys.argv[4])))
