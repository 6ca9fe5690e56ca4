"""Ask a model whether a sentence commits its user to a constraint, or leaves it open: an entailment of two labels.

Lists of words ('or', 'if', 'Bob thinks') find what may hold a statement back, and cannot tell 'nine candidates' from
two that one may choose between. A model cannot be trusted alone either, so its probability is one feature of two.
"""

from __future__ import annotations

import json
import math

from holdtrue.models.chat import ChatModel, Message, Request, assistant, call, system, user
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint, Instance

_ASK = (
    "A user plans something with an assistant. A rule and a sentence of the user are given. Is the rule now agreed? "
    'Answer "firm" if the user demands it or states it as a fact. Answer "open" if it is only one of several '
    "possibilities, holds only under a condition, is a wish, a guess, a question, what somebody else says or wants, "
    "what was once so, what is only imagined, or if the sentence is about something else."
)
# Pairs of a rule and a sentence, of a household that is no domain here: first one that is firm, then one that is open.
_EXAMPLES = (
    ("Mia cooks on day 2", "Mia has to do the cooking on the second day"),
    ("Mia cooks on day 2", "Mia could cook on day 2, or maybe on day 3"),
    ("Jon does not cook", "Jon doesn't do any cooking"),
    ("Jon shops before Ada cleans", "if it rains, Jon shops before Ada cleans"),
    ("Mia cooks on day 2", "if you'd be so kind, day 2 is Mia's"),
    ("Jon and Ada work on different days", "Ben thinks Jon and Ada should work on different days"),
    ("Jon shops before Ada cleans", "I don't care how, but the shopping (Jon) comes before Ada's cleaning"),
    ("Ada gets the red room", "it would be nice for Ada to have the red room"),
    ("Jon and Ada work on different days", "we've had fights, so never let Jon and Ada work on the same day"),
    ("Leo rests for at least 2 days", "last year Leo had at least 2 days of rest"),
    ("Ada gets the red room", "the red room was promised to Ada and she shall have it"),
    ("Ada does not drive", "is Ada not driving?"),
    ("Leo rests for at least 2 days", "Leo needs two days off or more, no ifs or buts"),
    ("Ada gets the red room", "either Ada or Jon gets the red room"),
    ("Ada does not drive", "don't even think of letting Ada drive"),
    ("Mia cooks on day 2", "nobody said that Mia has to cook on day 2"),
    ("Jon shops before Ada cleans", "Ada only got to clean once Jon was back from the shops"),
    ("Jon works right after Ada", "Jon and Ada are cousins"),
    ("Mia has a different room than Leo", "Mia's room isn't Leo's"),
    ("Leo cooks on day 3", "let's say Leo cooked on day 3, just to see"),
    ("Leo cooks on day 3", "Leo loves his oven, day 3 it is for him, before anyone else grabs it"),
    ("Mia has a different room than Leo", "I'm not sure yet whether Mia gets another room than Leo"),
    ("Ada drives on day 1", "as nine guests are coming Ada drives on day 1"),
    ("Ada drives on day 1", "unless Jon is back, Ada drives on day 1"),
)
_LABELS = ("firm", "open")
_LONGEST_LABEL = 8
_FURTHEST = 12.0  # log-odds beyond this tell nothing more


def _asked(rule: str, sentence: str) -> Message:
    return user(f"Sentence: {sentence}\nRule: {rule}")


_FRAME: tuple[Message, ...] = (
    system(_ASK),
    *(
        message
        for place, (rule, sentence) in enumerate(_EXAMPLES)
        for message in (_asked(rule, sentence), assistant(json.dumps(_LABELS[place % 2])))
    ),
)


def agreement_request(instance: Instance, sentence: str, constraint: Constraint) -> Request:
    """Return the request for the probability that the answer is 'firm'."""
    return Request(
        (*_FRAME, _asked(instance.sentence(constraint), sentence)),
        "extract",
        schema={"const": _LABELS[0]},
        max_tokens=_LONGEST_LABEL,
        frame=len(_FRAME),
        likelihood=True,
    )


async def score_agreement(
    model: ChatModel, instance: Instance, sentence: str, constraint: Constraint, calls: list[CallRecord]
) -> float | None:
    """Return the log-odds that the sentence commits to the constraint, by the model alone; None if it gives none.

    Two tokens are written, and as good as always one of the two labels, so one call gives the odds of both.
    """
    reply, record = await call(model, agreement_request(instance, sentence, constraint))
    calls.append(record)
    if reply.logprob is None:
        return None
    firm = min(reply.logprob, -1e-9)
    return max(-_FURTHEST, min(_FURTHEST, firm - math.log(-math.expm1(firm))))
