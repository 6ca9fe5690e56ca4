"""An answer that claims work which no call shows is held back, and told to the model, where the app wants it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import pytest
from openai import OpenAI

from holdtrue.guard.guard import Guard
from holdtrue.language.requests.operation import Act, Claim, RequestContext
from holdtrue.record import CallRecord
from tests.guard.clients.served import Say, serving
from tests.guard.conversation.shop import ScriptedReader, policy

USER = {"role": "user", "content": "Is it done?"}
DONE, HONEST = "Your table for 5 is booked.", "No, your table is not booked yet."


class ClaimReader(ScriptedReader):
    """A reader that takes one sentence for a claim of work."""

    async def read_claims(
        self, acts: Mapping[str, Act], message: str, context: RequestContext, calls: list[CallRecord]
    ) -> tuple[Claim, ...]:
        return (Claim("Table.Reserve", {"guests": 5}, message),) if message == DONE else ()


@pytest.mark.parametrize("is_response", [False, True])
@pytest.mark.parametrize(
    ("answers", "said", "asked"),
    [([DONE, HONEST], HONEST, 2), ([HONEST], HONEST, 1), ([DONE, DONE], "no call that took effect shows it", 2)],
)
def test_a_false_claim_does_not_come_out(answers: list[Say], said: str, asked: int, is_response: bool) -> None:
    own = Guard(policy(), reader=ClaimReader({}))
    with serving(answers) as served:
        plain: Any = OpenAI(api_key="none", base_url=served.url, max_retries=0)
        client = own.wrap(plain, conversation="c", attempts=2, hold_claims=True)
        if is_response:
            text = client.responses.create(model="scripted", input=[USER]).output_text
        else:
            text = client.chat.completions.create(model="scripted", messages=[USER]).choices[0].message.content
    assert said in text and len(served.bodies) == asked
    if asked == 2:
        assert "no call that took effect shows it" in str(served.bodies[1])
    own.close()
