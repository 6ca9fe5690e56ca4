"""The six types of claims (VERGE, table 6), and asking which one a statement is."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.claim_record import ClaimType
from holdtrue.language.asking import Asking
from holdtrue.language.prompt_parts import one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import assistant, system, user
from holdtrue.world.schema import object_schema

MEANINGS: Mapping[ClaimType, str] = {
    ClaimType.LOGICAL: "a plain fact, or a rule with all, no, some, if, and, or, not: "
    '"No member of the choir plays chess."',
    ClaimType.MATHEMATICAL: 'numbers, counts, sums, comparisons: "Nine of the twelve chairs are taken."',
    ClaimType.TEMPORAL: "order, dates, durations, what is before, after or next to what: "
    '"The tram leaves two hours after the ferry."',
    ClaimType.COMMONSENSE: "what everybody knows of the world, causes, how things behave: "
    '"Wet shoes dry near a stove."',
    ClaimType.VAGUE: "opinions, qualities without a measure, many, few, figures of speech: "
    '"Lena gave a lovely speech."',
    ClaimType.PROBABILISTIC: "only with words such as probably, likely, perhaps, chance: "
    '"The bridge will probably stay closed."',
}
"""What each type is, with an example, as prompts say it."""

TYPE_LIST = "\n".join(f"{type.value}: {meaning}" for type, meaning in MEANINGS.items())
TYPE_SCHEMA = {"type": "string", "enum": [type.value for type in ClaimType]}

_CLASSIFY = f"You say which type a statement has.\n{TYPE_LIST}\nReturn only JSON."
_TRIALS = (
    ("Every violin in the shop is older than Rosa.", ClaimType.LOGICAL),
    ("The soup tastes wonderful.", ClaimType.VAGUE),
    ("At most 4 of the lamps are broken.", ClaimType.MATHEMATICAL),
    ("Ice melts in a warm hand.", ClaimType.COMMONSENSE),
)


def read_type(value: object) -> ClaimType | None:
    """The type that a model named, whatever else it wrote around it; None where it is none."""
    word = str(value).strip().lower()
    return next((type for type in ClaimType if word.startswith(type.value)), None)


async def classify(asking: Asking, claim: str) -> ClaimType:
    """The type of one statement; logical where the reply names none, since a solver refuses what it cannot say."""
    messages = [system(_CLASSIFY)]
    for text, type in _TRIALS:
        messages += [user(text), assistant(f'{{"type": "{type.value}"}}')]
    messages.append(user(one_line(claim)))
    reply = await asking.ask("decompose", messages, object_schema({"type": TYPE_SCHEMA}), max_tokens=24)
    return read_type(reply_object(reply, "type").get("type")) or ClaimType.LOGICAL
