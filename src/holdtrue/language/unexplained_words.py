"""Find unexplained words in a statement: no grammar, no everyday words for arranging things, and none of the domain's.

The classes of `qualifying_words` find what is known to change a statement, and there is always one more way to say that
somebody else wants it or that it may not come to pass. A statement that the domain can say is made of the domain's
words, of those by which people arrange things, and of grammar. So where several words of the clause that holds the
names are none of these, it may say more, and is asked about. As everywhere here, texts are masked.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from holdtrue.language.grounding import stem
from holdtrue.language.masked_text import mask
from holdtrue.language.reason_clauses import clauses
from holdtrue.world.instance import Constraint, Instance

MOST_UNEXPLAINED = 1
"""One such word is most often a harmless noun or adverb; two and more are rare in plain statements."""

_GRAMMAR = (
    "a about absolutely across additionally after afternoon again ahead all along alright also always am among an and "
    "another any anything anyway anywhere are aren't around as at back be because been before behind being between "
    "both btw but by came can can't cannot certainly clearly could couldn't d dear definitely did different directly "
    "do does doesn't doing don don't done during each earlier earliest early either enough even evening every "
    "everybody everyone everywhere exact exactly except few finally fine firmly first folks for from further "
    "furthermore good got guys had has hasn't have haven't having he he'll he's hello her here hers hey hi him his hm "
    "how however i i'd i'll i'm i've id if ill im in instead into is isn't it it'll it's its itself ive just kindly "
    "last lastly later latest least less let let's lets like ll lol m madam made many may me might mine more moreover "
    "morning most much must mustn't my needn't neither never next no nobody none nor not nothing now nowhere of off "
    "oh ok okay on once one only onto or other others our ours out over own per please pls plus plz precisely quite "
    "rather re really right s same second several shall she she'll she's should shouldn't simply since sir so some "
    "somewhere soon sooner still straight such sure surely t team than thank thanks that that's the their theirs them "
    "themself themselves then there there's theres these they they'll they're third this those though through thx "
    "till to today too twice ty under until up upon us ve versus very via was we we'd we'll we're we've well what "
    "whatever when where wherever which whichever while who whole whom whose will with within without won't would "
    "yeah yes yet you you'd you'll you're your yours "
)
_ARRANGING = (
    "monday tuesday wednesday thursday friday saturday sunday monday's tuesday's saturday's sunday's drop below "
    "above exceed beneath decrease increase elapse elsewhere anybody anyone somebody someone nobody's clockwise "
    "unless unlike if except allergic hate loathe detest veto dislike argue quarrel fight line job top bottom middle "
    "compare elbow shoulder person people guest anyway entire whenever nearest opposite "
    "accommodate activity adjacent adjoining agreed allow alongside apart arrive ask assign avoid away ban bar begin "
    "belong beside block book born bring buffer bunk care careful case category certain chair choice choose chosen "
    "clash clear close coincide collide color colour combine come concurrent condition confirmed constraint cook "
    "couple cross crucial date day decide definite demand differ direct distance distinct divide drink drive duration "
    "eat eight eighth eleven end ensure equal essential event exclude face fact fall falls far fifth figure final "
    "finish firm five fixed follow forbid forbidden four fourth gap get give given go goes going group half hand "
    "happen hear held help hold hour house identical immediate immediately important insist join joint jointly keep "
    "kept kick kind know land lasts leave left length likes limit list live lock lodge long make mandatory match mate "
    "maximum meeting mention mind minimum minute mix moment move nail near necessary need neighbor neighbour nine "
    "ninth note number numbered occupied occupy occur open oppose opposite order ordered overlap owns pair part "
    "permit pick pin place plan play point position precede prior prohibited put question rank read reason receive "
    "refuse remain remember request require requirement reserve room roommate row rule run sat say schedule seat see "
    "separate separately session set settled seven seventh share side simultaneous simultaneously single sit six "
    "sixth sleep slot sometime sort space speak split spot start stay steer stick strict strictly studies study swap "
    "table take taken task telling teach teamed tell ten tenth thing three time timeslot together twelve two type use "
    "value vital want way wear week win window wish won work "
)
_WORD = re.compile(r"[a-z][a-z']*")
_VERB_OF_A_VALUE = re.compile(r" (?:the |an? |his |her |their )?[VW]\b")
_NAMED = re.compile("[EV]")
_WHOLE = frozenset((_GRAMMAR + _ARRANGING).split())
_FAMILIAR = frozenset(_GRAMMAR.split()) | frozenset(stem(word) for word in (_GRAMMAR + _ARRANGING).split())


def is_familiar(word: str) -> bool:
    """Return whether a word in small letters is grammar, or one by which people arrange things in any domain."""
    return word in _FAMILIAR or stem(word) in _FAMILIAR


def is_written_like_a_familiar_word(word: str) -> bool:
    """Return whether a word in small letters is such a word in full: 'times' is, and 'tim', what is left of it, not."""
    return word in _WHOLE or (word != stem(word) and stem(word) in _FAMILIAR)


def find_unexplained(instance: Instance, text: str) -> Iterator[tuple[int, int]]:
    """Find where in masked text unexplained words stand, in the clauses that name what was read."""
    own = _own_stems(instance)
    for start, end in clauses(text):
        if not _NAMED.search(text, start, end):
            continue
        for found in _WORD.finditer(text, start, end):
            word = found.group()
            if _VERB_OF_A_VALUE.match(text, found.end()) and text[: found.start()].endswith("E "):
                continue  # 'Ann grows tulips' says which flower is hers
            if not is_familiar(word) and stem(word) not in own and not word.endswith("n't"):
                yield found.span()


def count_strange(instance: Instance, sentence: str, made: Constraint) -> int:
    """Return how many words of a sentence are neither grammar nor words of its domain, in clauses that name something.

    'Ann owes me 2 pounds' has two, and no seat.
    """
    text = mask(instance, sentence, [made]).text
    return len({stem(text[start:end]) for start, end in find_unexplained(instance, text)})


def _own_stems(instance: Instance) -> frozenset[str]:
    """The words by which the domain says things, without their endings."""
    said = [attribute.label for attribute in instance.attributes.values()]
    for kind in instance.types.values():
        said += [kind.sentence, kind.definition, *kind.wordings, *(example.sentence for example in kind.examples)]
        said += [cue.pattern for cue in kind.cues]
    return frozenset(stem(word) for word in _WORD.findall(" ".join(said).casefold()))
