"""Tell sentences that relate two entities, in words the domain has, from remarks on them."""

from __future__ import annotations

import re

from holdtrue.language.grounding import NUMBER_WORDS, mentions, stem
from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.world.domain import Entity
from holdtrue.world.instance import Instance

_WORD = re.compile(r"[a-z]+")
_EVERYDAY = frozenset(
    (
        "the is are be been an of to and or must has have in on at with for as it that this they them he she "
        "him his her their by not no do does will shall should can cannot may who which need want come put "
        "keep make get let start please value one two three so if but now very there what each than from up "
        "fine only when then don other another over like way re ll ve s t d "
    ).split()
) | frozenset(NUMBER_WORDS)


_RELATING = (
    "side apart together elbow shoulder neighbour neighbor overlap coincide clash collide differ different match share "
    "split separate opposite across between beside adjacent adjoining alongside sequence order simultaneously "
    "concurrently stagger precede follow distinct identical apiece pair gap distance face"
).split()
"""Words by which people relate two things in any domain."""


def tells_something(instance: Instance, text: str) -> bool:
    """Return whether a text has a value, a number, or one of the words by which the domain relates two entities."""
    found = mentions(instance, text)
    return bool(found.values or found.numbers) or bool(
        _relating(instance) & {stem(word.removesuffix("ly")) for word in _WORD.findall(text.casefold())}
    )


@cached_per_instance
def _relating(instance: Instance) -> frozenset[str]:
    """The stems of the words with which the domain says something of two entities, without everyday words."""
    said = [attribute.label for attribute in instance.attributes.values()]
    for kind in instance.types.values():
        if sum(isinstance(argument, Entity) for argument in kind.arguments) > 1:
            said += [kind.sentence, *kind.wordings, *(example.sentence for example in kind.examples)]
            said += [cue.pattern for cue in kind.cues]
    named = {str(arg).casefold() for kind in instance.types.values() for one in kind.examples for arg in one.args}
    words = {word for word in _WORD.findall(" ".join(said).casefold()) if len(word) > 1}
    return frozenset(stem(word.removesuffix("ly")) for word in (words - named - _EVERYDAY).union(_RELATING))
