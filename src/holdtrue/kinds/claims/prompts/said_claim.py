"""Ask whether an answer states a claim, where its words alone do not show it: it may be left to be understood."""

from __future__ import annotations

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import Message, assistant, system, user
from holdtrue.world.schema import object_schema

QUESTION, ANSWER, STATEMENT = "Somebody asks: ", "The answer is:", "Is this said: "
YES, NO = "said", "not said"

_SYSTEM = (
    "You see a question, the answer to it, and a statement. Say 'said' if the answer says just that, in whatever "
    "words, be it with words of the question that it leaves out. Say 'not said' if the answer does not say it, leaves "
    "it open, or says something else. It does not matter whether it is true. Return only JSON."
)
_TRIALS = (
    ("Who swims, Ida or Ben?", "\n- Ida does.\n- Ben likes the sea.", "Ida swims.", YES),
    ("Who swims, Ida or Ben?", "\n- Ida does.\n- Ben likes the sea.", "Ben does not swim.", NO),
    ("What is a cup of tea?", "\n- 2 EUR, and with milk 2.50 EUR.", "A cup of tea with milk costs 2.50 EUR.", YES),
    ("What is a cup of tea?", "\n- 2 EUR, and with milk 2.50 EUR.", "A cup of tea costs 2.50 EUR.", NO),
)
_SCHEMA = object_schema({"it": {"type": "string", "enum": [YES, NO]}})


async def says(asking: Asking, claim: str, answer: str, question: str) -> bool:
    """Return whether a model finds a claim in an answer, which is given in lines; False unless it says so.

    Raises `ModelError`.
    """
    messages: list[Message] = [system(_SYSTEM)]
    for asked, said, shown, it in _TRIALS:
        messages += [user(_asked(shown, said, asked)), assistant(f'{{"it": "{it}"}}')]
    frame = len(messages)
    messages.append(user(_asked(claim, answer, question)))
    reply = await asking.ask("said", messages, _SCHEMA, max_tokens=24, frame=frame)
    return str(reply_object(reply, "it").get("it", "")).strip().lower() == YES


def _asked(claim: str, answer: str, question: str) -> str:
    return f"{QUESTION}{one_line(question)}\n{ANSWER}{answer}\n{STATEMENT}{one_line(claim)}"
