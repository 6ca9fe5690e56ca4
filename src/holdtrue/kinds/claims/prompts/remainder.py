"""Ask whether a part of an answer states anything beyond its claims. Courtesy and connecting words do not."""

from __future__ import annotations

from collections.abc import Sequence

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.world.schema import object_schema

QUESTION, CLAIMS, PART = "The question: ", "Claims of the answer:", "A part of the answer: "
MORE, NOTHING = "more", "nothing"

_SYSTEM = (
    "An answer was taken apart into claims. You see one part of it. Say 'nothing' if that part states nothing beyond "
    "the claims: a greeting, thanks, a wish, a word on the answer itself, or words that only connect. Say 'more' if it "
    "states anything, or answers yes or no to anything, that no claim states. Return only JSON."
)
_TRIALS = (
    ("When does the pool open?", ("The pool opens at 9.",), "Have a splendid swim", NOTHING),
    ("When does the pool open?", ("The pool opens at 9.",), "The water is freezing", MORE),
    ("Is Ida a nurse?", ("Ida is not a nurse.",), "No", NOTHING),
    ("Is Ida a nurse?", ("Ida works in Ward 3.",), "Yes", MORE),
)
_SCHEMA = object_schema({"states": {"type": "string", "enum": [MORE, NOTHING]}})


async def states_more(asking: Asking, part: str, claims: Sequence[str], question: str) -> bool:
    """Return whether a part of an answer states more than its claims; True unless the model says that it does not.

    Raises `ModelError`.
    """
    messages: list[Message] = [system(_SYSTEM)]
    for asked, said, shown, states in _TRIALS:
        messages += [user(_asked(shown, said, asked)), assistant(f'{{"states": "{states}"}}')]
    frame = len(messages)
    messages.append(user(_asked(part, claims, question)))
    reply = await asking.ask("remainder", messages, _SCHEMA, max_tokens=24, frame=frame)
    return str(reply_object(reply, "states").get("states", "")).strip().lower() != NOTHING


def _asked(part: str, claims: Sequence[str], question: str) -> str:
    listed = "".join(f"\n- {one_line(claim)}" for claim in claims)
    return f"{QUESTION}{one_line(question)}\n{CLAIMS}{listed}\n{PART}{one_line(part)}"
