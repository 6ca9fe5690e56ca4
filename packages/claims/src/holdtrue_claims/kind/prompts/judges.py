"""Judges of claims that are not for a solver: a model is asked several times, and confidences are added by verdict.

Source: VERGE, section 3.4.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from math import fsum, isfinite

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.models.chat import Message, user
from holdtrue.world.answer_shape import object_schema
from holdtrue_claims.claim_record import SoftVerdict
from holdtrue_claims.kind.prompts.logic_text import taught

# These lines separate the parts of the prompt; simulated models read them too.
CONTEXT = "Context: "
CLAIM = "Claim: "

JUDGE_SYSTEM = (
    "You judge one claim by a context. What the context says counts, even where the world is different; what it leaves "
    "open, common knowledge may decide.\n"
    "supported: the context says so, or it follows, or everybody knows it and the context says nothing else.\n"
    "plausible: it fits the context and is likely, but does not follow.\n"
    "unsupported: the context says the opposite, or gives no reason to believe it.\n"
    "uncertain: it cannot be judged.\n"
    "confidence: from 0 to 100, how sure you are. Return only JSON."
)
_EXAMPLE = f"{CONTEXT}Mia baked the bread this morning. Nobody has eaten of it. The kitchen is locked.\n"
_TRIALS = (
    (f"{_EXAMPLE}{CLAIM}The bread is fresh.", '{"verdict": "supported", "confidence": 90}'),
    (f"{CLAIM}Mia enjoys baking.", '{"verdict": "plausible", "confidence": 70}'),
    (f"{CLAIM}Half of the bread has been eaten.", '{"verdict": "unsupported", "confidence": 95}'),
    (f"{CLAIM}The bread is dark.", '{"verdict": "uncertain", "confidence": 60}'),
)
_SCHEMA = object_schema(
    {
        "verdict": {"type": "string", "enum": [verdict.value for verdict in SoftVerdict]},
        "confidence": {"type": "integer", "minimum": 0, "maximum": 100},
    }
)
_UNSAID = 0.5
"""The confidence of a judge whose reply has a verdict and no readable confidence."""


@dataclass(frozen=True, slots=True)
class Judgement:
    """A `Judgement` is the verdict of one judge, with the confidence that it states (0..1)."""

    verdict: SoftVerdict
    confidence: float


UNREADABLE = Judgement(SoftVerdict.UNCERTAIN, 0.0)


async def judge(asking: Asking, context: str, claim: str, *, temperature: float = 0.0, sample: int = 0) -> Judgement:
    """Ask one judge about a claim. `sample` is the number of the judge."""
    messages, frame = judge_messages(context, claim), 1 + 2 * len(_TRIALS)
    reply = await asking.ask(
        "judge", messages, _SCHEMA, temperature=temperature, sample=sample, max_tokens=48, frame=frame
    )
    return read_judgement(reply)


def judge_messages(context: str, claim: str) -> tuple[Message, ...]:
    """Return the prompt: examples about one context, then the claim with its context."""
    return (*taught(JUDGE_SYSTEM, _TRIALS), user(f"{CONTEXT}{one_line(context)}\n{CLAIM}{one_line(claim)}"))


def read_judgement(reply: str) -> Judgement:
    """Return the judgement in a reply; without one it is uncertain, with confidence 0."""
    found = reply_object(reply, "verdict")
    word = str(found.get("verdict", "")).strip().lower()
    verdict = next((verdict for verdict in SoftVerdict if word == verdict.value), None)
    return UNREADABLE if verdict is None else Judgement(verdict, _share(found.get("confidence")))


def _share(value: object) -> float:
    """Return a confidence as a share. Numbers above 1 are percentages, as the prompt demands."""
    try:
        number = float(str(value).strip().removesuffix("%"))
    except ValueError:
        return _UNSAID
    if not isfinite(number) or not 0 <= number <= 100:
        return _UNSAID
    return number / 100 if number > 1 or str(value).strip().endswith("%") else number


# Sums that differ by less are equal, because the order of float additions must not decide.
_DIGITS = 9


@dataclass(frozen=True, slots=True)
class Vote:
    """A `Vote` is the joint verdict of the judges. `confidence` (0..1) is the confidence behind it, over all judges.

    `counts` has the number of judges for each given verdict, in the order of `SoftVerdict`.
    """

    verdict: SoftVerdict
    confidence: float
    counts: Mapping[SoftVerdict, int]


def vote(judgements: Iterable[Judgement]) -> Vote:
    """Return the verdict with the largest sum of confidences; on a tie or without judges it is uncertain, with
    confidence 0.
    """
    judgements = tuple(judgements)
    given = Counter(judgement.verdict for judgement in judgements)
    counts = {verdict: given[verdict] for verdict in SoftVerdict if given[verdict]}
    weights = _weights(judgements)
    heaviest = max(weights.values(), default=0.0)
    leading = [verdict for verdict, weight in weights.items() if weight == heaviest]
    if heaviest <= 0 or len(leading) > 1:
        return Vote(SoftVerdict.UNCERTAIN, 0.0, counts)
    return Vote(leading[0], heaviest / len(judgements), counts)


def is_settled(judgements: Sequence[Judgement], left: int) -> bool:
    """Return whether `left` more judges cannot change the verdict, whatever their confidence."""
    weights = sorted(_weights(judgements).values(), reverse=True)
    if not weights:
        return left == 0
    return weights[0] > (weights[1] if len(weights) > 1 else 0.0) + left


def _weights(judgements: Sequence[Judgement]) -> dict[SoftVerdict, float]:
    """Return the sum of confidences of each given verdict."""
    return {
        verdict: round(fsum(item.confidence for item in judgements if item.verdict is verdict), _DIGITS)
        for verdict in dict.fromkeys(item.verdict for item in judgements)
    }
