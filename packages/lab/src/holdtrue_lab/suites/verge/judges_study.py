"""This module measures how often judges are right: how many of the claims that they support really follow."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace

from holdtrue.language.asking import Asking
from holdtrue.models.chat import ChatModel
from holdtrue.models.sampling import Sampling
from holdtrue.record import Label
from holdtrue_claims.claim_record import ClaimType, SoftVerdict
from holdtrue_claims.kind.calibration import Calibration, Calibrations
from holdtrue_claims.kind.gold_logic import truth_letters
from holdtrue_claims.kind.judging import Judges
from holdtrue_claims.kind.settings import PUBLISHED
from holdtrue_lab.kinds.claims.item import Item

TYPES: Mapping[str, ClaimType] = {
    "numeric_threshold": ClaimType.MATHEMATICAL,
    "sequence_swap": ClaimType.TEMPORAL,
}
"""The type of claims in generated items, by the kind of pair; claims of other kinds of pairs are logical."""


@dataclass(frozen=True, slots=True)
class KnownClaim:
    """A claim about a context; `follows` says whether the claim follows from the context."""

    item: str
    context: str
    text: str
    type: ClaimType
    follows: bool


Watch = Callable[[KnownClaim, SoftVerdict], None]


def known_claims(items: Iterable[Item]) -> Iterator[KnownClaim]:
    """Yield claims of items, with the knowledge whether they follow.

    If the options are true, false and unknown, the claim is the item's statement. Otherwise two claims are the right
    option and one wrong option, so that about half of all claims follow.
    """
    for item in items:
        context = " ".join(item.sentences) or item.context
        type = next((type for kind, type in TYPES.items() if item.id.startswith(kind)), ClaimType.LOGICAL)
        if item.statement is not None:
            follows = item.answer == truth_letters(item.options).get(Label.ENTAILED)
            yield KnownClaim(item.id, context, item.statement, type, follows)
            continue
        if truth_letters(item.options):
            continue  # the item has no statement to judge
        wrong = [letter for letter in item.options if letter != item.answer]
        for letter in (item.answer, *wrong[:1]):
            yield KnownClaim(item.id, context, item.options[letter], type, letter == item.answer)


async def measure_judges(
    claims: Sequence[KnownClaim],
    model: ChatModel,
    *,
    judges: int,
    source: str,
    date: str,
    watch: Watch | None = None,
) -> list[Calibration]:
    """Let so many judges vote on each claim, as in a check of claims, and return a calibration for each type.

    `source` describes the origin of the claims, and `date` is the current day. `watch` is called with each claim and
    its verdict.
    Raises `ModelError`.
    """
    settings, asking = replace(PUBLISHED, judges=judges), Asking(model, Sampling())
    found: list[tuple[KnownClaim, bool]] = []
    for claim in claims:
        verdict = (await Judges(asking, claim.context, settings, Calibrations()).vote(claim.text)).verdict
        found.append((claim, verdict is SoftVerdict.SUPPORTED))
        if watch is not None:
            watch(claim, verdict)
    rows = []
    for type in ClaimType:
        own = [(claim, supported) for claim, supported in found if claim.type is type]
        if own:
            supported = [claim for claim, says in own if says]
            right = sum(claim.follows for claim in supported)
            rows.append(Calibration(model.name, type, len(own), len(supported), right, judges, source, date))
    return rows
