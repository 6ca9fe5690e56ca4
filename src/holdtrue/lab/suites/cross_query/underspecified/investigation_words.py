"""The English of cases about investigations: sentences for the setting, and phrasings of each constraint type."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType

from holdtrue.lab.kit.words import listed
from holdtrue.world.instance import Instance

TRAITS = (
    "a motive", "a key to the safe", "a red car", "a limp", "a motorboat", "a tattoo", "a beard", "an umbrella",
    "a flashlight", "a ladder", "a police record", "a debt", "a camera", "a grey coat", "a large dog",
    "a pair of gloves", "a map of the house", "a twin", "a false passport", "a second phone",
)  # fmt: skip
PHRASINGS: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "culprit_has": (
            "the guilty one has {0}",
            "whoever is guilty has {0}",
            "the culprit has {0}",
            "anybody without {0} is innocent",
            "a suspect is guilty only if that suspect has {0}",
        ),
        "culprit_lacks": (
            "the guilty one does not have {0}",
            "whoever is guilty lacks {0}",
            "the culprit does not have {0}",
            "anybody with {0} is innocent",
            "a suspect is guilty only if that suspect does not have {0}",
        ),
        "only_culprit_has": (
            "to have {0} is to be guilty",
            "whoever has {0} is guilty",
            "anybody with {0} is the culprit",
            "no innocent suspect has {0}",
            "a suspect has {0} only if that suspect is guilty",
        ),
        "is_guilty": (
            "{0} is guilty",
            "{0} is the culprit",
            "the culprit is {0}",
            "the guilty one is {0}",
            "it is {0} who is guilty",
            "the one who did it is {0}",
            "{0} is the one who did it",
        ),
        "is_innocent": (
            "{0} is not guilty",
            "{0} is innocent",
            "{0} is not the culprit",
            "the culprit is not {0}",
            "the guilty one is not {0}",
            "it is not {0} who is guilty",
            "the one who did it is not {0}",
        ),
        "one_of": (
            "{0} or {1} is guilty",
            "either {0} or {1} is the culprit",
            "the culprit is {0} or {1}",
            "one of {0} and {1} is guilty",
            "the guilty one is either {0} or {1}",
        ),
        "neither_of": (
            "neither {0} nor {1} is guilty",
            "{0} and {1} are both innocent",
            "the culprit is neither {0} nor {1}",
            "{0} is innocent and so is {1}",
        ),
        "has_trait": (
            "{0} has {1}",
            "{0} is a suspect with {1}",
            "one of the suspects with {1} is {0}",
            "it is true of {0} to have {1}",
            "{0} is among those who have {1}",
        ),
        "lacks_trait": (
            "{0} does not have {1}",
            "{0} lacks {1}",
            "{0} is a suspect without {1}",
            "none of the suspects with {1} is {0}",
            "{0} is not among those who have {1}",
        ),
        "same_trait": (
            "either both {0} and {1} have {2}, or neither of them does",
            "{0} has {2} if and only if {1} does",
            "{0} has {2} exactly if {1} has",
            "if one of {0} and {1} has {2}, then so does the other",
        ),
    }
)
_SUSPECTS = (
    "The suspects are {suspects}.",
    "The police question {suspects}.",
    "There are {count} suspects in the case: {suspects}.",
    "Somebody broke in, and the suspects are {suspects}.",
)
_ONE_GUILTY = (
    "Exactly one of them is guilty, and all others are innocent.",
    "Exactly one of these suspects did it: the culprit, who is guilty; the rest are innocent.",
    "One of them, and only one, is guilty; the other suspects are innocent.",
)
_TRAITS = (
    "It matters who of them has {traits}; any number of them may.",
    "Each of them may or may not have {traits}.",
    "Any of the suspects may have {traits}, several of these things, or none.",
)


def tell_setting(rng: Random, instance: Instance) -> tuple[str, ...]:
    words = {
        "suspects": listed(instance.entities),
        "count": len(instance.entities),
        "traits": listed(instance.context["traits"], "or"),
    }
    return tuple(rng.choice(lines).format(**words) for lines in (_SUSPECTS, _ONE_GUILTY, _TRAITS))
