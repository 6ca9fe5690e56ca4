"""A yes in words allows only the listed call: random calls and wordings, with readers that err at random."""

from __future__ import annotations

from random import Random
from typing import Any

import pytest

from holdtrue.guard import Guard, make_policy
from holdtrue.language.judgements import ConsentQuestion
from holdtrue.language.requests.operation import RequestReading

TEXT = {"type": "string"}


def _tool(name: str, **properties: Any) -> dict[str, Any]:
    return {
        "name": name,
        "parameters": {"type": "object", "properties": properties, "required": [*properties]},
    }


TOOLS = [
    _tool("cancel_order", order=TEXT, reason={**TEXT, "enum": ["no longer needed", "ordered by mistake"]}),
    _tool("refund_order", order=TEXT, amount={"type": "integer"}, method={**TEXT, "enum": ["card", "voucher"]}),
    _tool("move_order", order=TEXT, day={**TEXT, "format": "date"}, to=TEXT),
]
NAMES = [own["name"] for own in TOOLS]
POLICY = make_policy(
    "acts",
    now="2026-03-02T09:00:00",
    tools={
        "definitions": TOOLS,
        "writes": NAMES,
        "consent": [{"on": NAMES, "how": "words"}],
        "types": {"*": {"order": "id of order"}},
    },
    rules=[],
)
TOLD = ("I will {}. Do you confirm?", "Then I {} for you now, ok?", "To sum up:\n- {}\nIs that right?", "Shall I {}?")
UNTOLD = (
    "I cannot {}. Shall I connect you with a colleague?",
    "Did you ask me to {}?",
    "I keep it, and will not {}. Ok?",
    "Another shop may {}. Is there anything else?",
    "To {} you would have to call us. Is that all?",
)


def drawn(draw: Random) -> tuple[str, dict[str, Any]]:
    tool = draw.choice(NAMES)
    own: dict[str, dict[str, Any]] = {
        "cancel_order": {"reason": draw.choice(["no longer needed", "ordered by mistake"])},
        "refund_order": {"amount": draw.randint(2, 900), "method": draw.choice(["card", "voucher"])},
        "move_order": {"day": f"2026-03-{draw.randint(10, 28)}", "to": draw.choice(["Leeds", "Bergen", "Oslo"])},
    }
    return tool, {"order": f"A-{draw.randint(100, 999)}", **own[tool]}


def in_words(tool: str, call: dict[str, Any]) -> str:
    act = tool.replace("_", " ")
    return f"{act} {call['order']} ({', '.join(str(own) for name, own in call.items() if name != 'order')})"


class ErringReader:
    """A reader that knows whether the call was listed, and errs in one of its views if `errs` is true."""

    name = "erring"

    def __init__(self, listed: bool, errs: bool) -> None:
        self.listed, self.errs = listed, errs

    async def read_requests(self, *_: Any) -> RequestReading:
        return RequestReading()

    async def consents(self, question: ConsentQuestion, flipped: bool, calls: list[Any]) -> bool:
        return self.listed is not (self.errs and flipped)


async def decided(draw: Random, *, errs: bool) -> tuple[bool, bool]:
    """Return whether a call that follows a yes was listed just so, and whether it was let through."""
    told, given = drawn(draw), drawn(draw)
    kept = draw.random() < 0.5
    tool, call = told if kept else draw.choice([given, (told[0], {**told[1], "order": "A-77"}), (given[0], told[1])])
    frame = draw.choice(TOLD if draw.random() < 0.7 else UNTOLD)
    is_listed = frame in TOLD and (tool, call) == told
    guard = Guard(POLICY, reader=ErringReader(is_listed, errs))
    talk = guard.conversation("c")
    await talk.heard(assistant=frame.format(in_words(*told)), user=draw.choice(["Yes", "Yes, please do that one."]))
    return is_listed, (await talk.check(tool, call)).kind == "allow"


@pytest.mark.parametrize("cases", [200, pytest.param(20_000, marks=pytest.mark.slow)])
async def test_a_call_is_let_through_if_just_it_was_listed(cases: int) -> None:
    draw, surely = Random(cases), list[bool]()
    for _ in range(cases):
        errs = draw.random() < 0.3
        is_listed, is_allowed = await decided(draw, errs=errs)
        assert is_listed or not is_allowed
        surely += [is_allowed] if is_listed and not errs else []
    assert len(surely) > cases / 5 and sum(surely) >= 0.97 * len(surely), f"{sum(surely)} of {len(surely)}"
