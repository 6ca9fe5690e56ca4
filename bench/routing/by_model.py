"""Asks a model which type one statement is, which tells its route."""

from __future__ import annotations

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import assistant, system, user
from holdtrue.world.answer_shape import object_schema
from holdtrue_claims.claim_record import ClaimType
from holdtrue_claims.kind.prompts.decomposition import TYPE_LIST, TYPE_SCHEMA, read_type

_CLASSIFY = f"You say which type a statement has.\n{TYPE_LIST}\nReturn only JSON."
_TRIALS = (
    ("Every violin in the shop is older than Rosa.", ClaimType.LOGICAL),
    ("The soup tastes wonderful.", ClaimType.VAGUE),
    ("At most 4 of the lamps are broken.", ClaimType.MATHEMATICAL),
    ("Ice melts in a warm hand.", ClaimType.COMMONSENSE),
)


async def classify(asking: Asking, claim: str) -> ClaimType:
    """The type of one statement; logical where the reply names none, since a solver refuses what it cannot say."""
    messages = [system(_CLASSIFY)]
    for text, type in _TRIALS:
        messages += [user(text), assistant(f'{{"type": "{type.value}"}}')]
    messages.append(user(one_line(claim)))
    reply = await asking.ask("decompose", messages, object_schema({"type": TYPE_SCHEMA}), max_tokens=24)
    return read_type(reply_object(reply, "type").get("type")) or ClaimType.LOGICAL
