"""Split a sentence into the things that it states, each in words that stand alone.

'Neither Ann nor Bob may sit next to Cy, and she has seat 2' states three things. A reader that takes one thing at a
time reads each of them as well as if the user had said it by itself. A sentence is cut at its commas and its 'and's, in
the way that leaves the most parts which each say one thing with all that they name. What a part leaves out is taken
from the parts before it. A sentence that cannot be cut so is left whole.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import zip_longest

from holdtrue.errors import ConstraintError
from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.coordination import NAME, denies, names_in
from holdtrue.language.grounding import CARDINALS, COUNTING_WORDS, mentions
from holdtrue.language.instance_cache import cached_per_instance
from holdtrue.language.list_topics import speaks_of_some, topic_of, without_asides
from holdtrue.language.matching import match_sentence, match_wording
from holdtrue.language.names import Hidden, names_of
from holdtrue.language.part_search import Part, PartSearch
from holdtrue.language.reason_clauses import is_plain_reason
from holdtrue.language.references import Context
from holdtrue.language.relating_words import tells_something
from holdtrue.language.text_edits import with_edits
from holdtrue.world.instance import Constraint, Instance

_MOST_PIECES = 10
_LONGEST = 400
_CUT = re.compile(
    r"\s*[,;:]\s+(?:(?:and|but|while|whereas|plus|then|with|yet)\b\s*(?:also\b\s*)?)?"
    r"|\s+[\u2013\u2014-]\s+|(?<=\w)[\u2013\u2014](?=\w{4})|,?\s+(?=nor\b)"
    r"|(?<!\bone)\s+(?:and|but|while|whereas|plus|with|though|yet)\s+"
    r"(?!(?:him|her(?! (?:\w+ ){1,2}(?:is|must|should|shall|will|has|isn't|cannot|can't)\b)|them|me|us|so on"
    r"|it(?=\W*$))\b)"
    r"(?:also\s+|then\s+)?"
    r"|(?:(?<=[,;])|(?<!just)(?<!long)(?<!soon)(?<!far)(?<!well)(?<!much))\s+"
    r"(?=(?:so|because|since|(?<=[,;] )as) "
    r"(?:i|we|he|she|it|they|the|there|my|our|please|do|don't|put"
    rf"|make|keep|let|{NAME})\b)|\s+(?=because\b)",
    re.IGNORECASE,
)
# What leaves open whether the rest holds is never cut off from it.
_OPEN = re.compile(
    r"^\W*(?:or|otherwise|unless|if|when"
    r"|should(?= (?:it|he|she|they|we|you|there|the|any\w*|some\w*)\b)|except|only|provided|assuming|suppose"
    r"|supposing|maybe|perhaps|either"
    r"|possibly|ideally|hopefully|depending|whether|in (?:the event|case)|on condition|(?:as|so) long as|given that"
    r"|granted|were|had)\b",
    re.IGNORECASE,
)
_ENDS_IN_NUMBER = re.compile(rf"\b(?:\d{{1,9}}|{'|'.join(CARDINALS)})\s*$", re.IGNORECASE)
_NUMBER_WORD = "|".join((*COUNTING_WORDS, "last"))
_NUMBER_ALONE = re.compile(
    rf"^\W*(?:(?:the|slots?|seats?|day|number|(?:no|not) (?:later|earlier|sooner) than|before|after|by|until)\s+)*"
    rf"(?:\d{{1,9}}(?:st|nd|rd|th)?|{_NUMBER_WORD})\b(?!\s+(?:time\s+)?slots?\s+long\b)",
    re.IGNORECASE,
)
_DENIED_FIRST = re.compile(r"^\W*(?:please |kindly )?(?:do not|don't|don\u2019t|never|no)\b", re.IGNORECASE)
_HEADING = re.compile(r"^[^:\ua000\ua001\d]{3,60}:\s+")
_BARE = re.compile(rf"(?:{NAME}|\d|\W|and|at|in|is|the)+", re.IGNORECASE)
_ASKS = re.compile(
    r"^\W*(?:(?:and|but|so|ok|okay|also|hey|hi|well|please)\W+)*(?:is|are|was|were|do|does|did|has|have|had|can"
    r"|could|will"
    r"|would|should|shall|may|might|must|what|who|whom|whose|which|where|when|why|how|any|if|maybe|perhaps|or)\b",
    re.IGNORECASE,
)
# 'Ann in seat 2? No way.' answers, and 'Ann in seat 2? Hm.' does not.
_ANSWERS = re.compile(
    r"^\W*(?:yes|yeah|yep|sure|of course|absolutely|definitely|certainly|please|no|nope|never|not|don't|do not|forget"
    r"|out of|gone|must|has to|have to|that's a (?:must|no|yes)|agreed|settled|decided|it is|correct|exactly)\b",
    re.IGNORECASE,
)
_REASONED = re.compile(r"^\W*(?:and )?(?:so|hence|therefore|thus|consequently)\b", re.IGNORECASE)
_BECAUSE = re.compile(r"^\W*(?:because|since|'?cause|cos)\b", re.IGNORECASE)
_ONLY_TOPIC = re.compile(
    r"\b(?:(?:have|'ve|\u2019ve)(?: got)?|consider\w*|(?:talk|talked|speak|spoke) (?:to|with|about)|there(?:'s| is"
    r"| are)|regarding|concerning|regards?|as for|speaking of)\b"
    r"|\bto (?:fit|place|plan|seat|schedule|sort)\b",
    re.IGNORECASE,
)
_BETWEEN_ONE = re.compile(r"\bbetween (?:the |our |my )?(?:\S+ )?\S+$", re.IGNORECASE)
_JOINER = re.compile(r"^\W*(?:so|and|but|then|because|since|as|while|whereas)\b[\s,]*", re.IGNORECASE)
_LETTERS = "\ua000\ua001"


@dataclass(frozen=True, slots=True)
class Statement:
    """One thing that a sentence states, in `text` of its own; `guessed` are names that its words may not mean."""

    text: str
    guessed: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class Split:
    """A `Split` is a sentence in statements.

    `dropped` are the parts that state nothing, but for the `reasons` of what is stated, and `context` is what may be
    referred to in the sentence after it.
    """

    statements: tuple[Statement, ...]
    dropped: tuple[str, ...]
    context: Context
    reasons: tuple[str, ...] = ()


def _without_remarks(instance: Instance, hidden: Hidden, parts: Sequence[Part]) -> list[Part]:
    """Return the parts without those that only remark on names of which the part beside them states something."""
    kept: list[Part] = []
    telling: list[bool] = []
    for part in parts:
        if not part.said:
            continue
        if _REASONED.match(part.text):
            # 'The two hammer the server, so stagger them': what comes before is the reason.
            while kept and kept[-1].about <= part.about and not _gives_a_value(instance, hidden, kept[-1]):
                kept.pop()
                telling.pop()
        tells = tells_something(instance, hidden.restore(" ".join(part.said)))
        if kept and part.about == kept[-1].about and tells != telling[-1]:
            kept[-1], telling[-1] = (part if tells else kept[-1]), True
        else:
            kept.append(part)
            telling.append(tells)
    # 'I have a Demo and a Review to fit in: the former takes two slots': who is named first is only the topic.
    told_of = [part.about for part, tells in zip(kept, telling, strict=True) if tells]
    return [
        part
        for part, tells in zip(kept, telling, strict=True)
        if tells or not _ONLY_TOPIC.search(part.text) or not any(about < part.about for about in told_of)
    ]


def _gives_a_value(instance: Instance, hidden: Hidden, part: Part) -> bool:
    found = mentions(instance, hidden.restore(" ".join(part.said)))
    return bool(found.values or found.numbers)


def split_statements(instance: Instance, sentence: str, context: Context) -> Split:
    """Return what a sentence states, as statements in words of their own.

    A sentence that states one thing in words that stand alone, and one that cannot be taken apart, comes back as it is.
    """
    if len(sentence) > _LONGEST or any(letter in sentence for letter in _LETTERS):
        return Split((Statement(sentence),), (), context)
    hidden = hide(instance, sentence)
    if _is_own_wording(instance, sentence):
        return Split((Statement(sentence),), (), context.heard(hidden.text, (hidden.text,)))
    said_first = hidden.text
    hidden = Hidden(without_asides(hidden.text), hidden.names)
    if (topic := topic_of(hidden.text)) is not None:
        who, rest = topic
        behind = split_statements(instance, hidden.restore(rest), context.heard(who, ()))
        return replace(behind, dropped=(hidden.restore(who), *behind.dropped))
    if speaks_of_some(hidden.text):
        return Split((Statement(sentence),), (), context.heard(hidden.text, ()))
    pieces = _pieces(hidden.text)
    search = PartSearch(instance, hidden, pieces)
    found = None
    if len(pieces) <= _MOST_PIECES and not any(_OPEN.match(hidden.text[start:end]) for start, end in pieces):
        found = search.best(0, context)
    parts = _without_remarks(instance, hidden, found[1]) if found else []
    said = [(_JOINER.sub("", text), part.guessed) for part in parts for text in part.said]
    heading = _attribute_heading(instance, hidden, pieces)
    said = [
        (_with_attribute(instance, hidden, heading, _with_heading(hidden.text, text)), guessed)
        for text, guessed in said
    ]
    if found is None or not said or [text for text, _ in said] == [hidden.text] or _denied_together(hidden.text, said):
        last = (hidden.text,) if search.complete(hidden.text) else ()
        whole = sentence if hidden.text == said_first else hidden.restore(hidden.text)
        return Split((Statement(whole),), (), context.heard(hidden.text, last))
    statements = tuple(Statement(hidden.restore(text), tuple(map(hidden.restore, names))) for text, names in said)
    dropped, reasons = _left_over(hidden, found[1], parts)
    return Split(statements, dropped, found[2], reasons)


def _left_over(hidden: Hidden, parts: Sequence[Part], kept: Sequence[Part]) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """Return the parts of a sentence that are not kept, and apart from them those that give a plain reason."""
    dropped: list[str] = []
    reasons: list[str] = []
    for part, behind in zip_longest(parts, parts[1:]):
        if part not in kept:
            said_why = _BECAUSE.match(part.text) or (behind is not None and _REASONED.match(behind.text))
            plain = said_why and is_plain_reason(hidden.restore(part.text).casefold())
            (reasons if plain else dropped).append(hidden.restore(part.text))
    return tuple(dropped), tuple(reasons)


def _attribute_heading(instance: Instance, hidden: Hidden, pieces: Sequence[tuple[int, int]]) -> str:
    """Return the first piece of a sentence if it only names an attribute: 'As to pets' and 'In the order of colors'."""
    first = hidden.text[slice(*pieces[0])] if len(pieces) > 1 else ""
    found = mentions(instance, hidden.restore(first))
    return first if found.attributes and not (found.entities or found.values or found.numbers) else ""


def _with_attribute(instance: Instance, hidden: Hidden, heading: str, text: str) -> str:
    """Return a statement behind the heading of its sentence, where it names no attribute and no value itself."""
    if not heading:
        return text
    found = mentions(instance, hidden.restore(text))
    return text if found.attributes or found.values else f"{heading}: {text}"


def _with_heading(sentence: str, text: str) -> str:
    """Return a part that is only names and numbers with the heading of its sentence: 'Starts: Demo 2, Review 5'."""
    heading = _HEADING.match(sentence)
    return f"{heading.group()}{text}" if heading and _BARE.fullmatch(text) else text


def join_topics(instance: Instance, sentences: Sequence[str]) -> list[str]:
    """Return the sentences, with a topic put as a question joined to its answer: 'Ann in seat 2? No way.'"""
    joined: list[str] = []
    for sentence in sentences:
        before = joined[-1] if joined else ""
        both = f"{before.rstrip('? ')}: {sentence}"
        if (
            before.endswith("?")
            and not sentence.endswith("?")
            and not _ASKS.match(before)
            and (_ANSWERS.match(sentence) or not candidates(instance, before.rstrip("? ")).whole)
            and bool(mentions(instance, before).entities) != bool(mentions(instance, sentence).entities)
            and candidates(instance, both).whole
        ):
            joined[-1] = both
        else:
            joined.append(sentence)
    return joined


def _is_own_wording(instance: Instance, sentence: str) -> bool:
    """Return whether the sentence is in the domain's own wording, with arguments that it has or has not."""
    try:
        return (match_sentence(instance, sentence) or match_wording(instance, sentence)) is not None
    except ConstraintError:
        return True


def context_of(instance: Instance, constraints: Sequence[Constraint]) -> Context:
    """Return the context in which a message begins, by what was agreed last before it."""
    if not constraints:
        return Context()
    said = tuple(hide(instance, instance.sentence(one)).text for one in constraints)
    names = tuple(dict.fromkeys(name for text in said for name in names_in(text)))
    return Context((names,), said if len(said) == 1 else ())


def hide(instance: Instance, sentence: str) -> Hidden:
    """Return the sentence with placeholders for entities and values that are the same in every sentence."""
    known = _placeholders(instance)
    found = [one for one in names_of(instance).find(sentence, words_too=False) if one.name in known]
    text = with_edits(sentence, ((one.start, one.end, known[one.name]) for one in found))
    return Hidden(text, {word: name for name, word in known.items()})


@cached_per_instance
def _placeholders(instance: Instance) -> Mapping[str, str]:
    """The placeholder of each entity and value; a name that is both is hidden as an entity."""
    names = names_of(instance)
    known = {name: f"{_LETTERS[0]}{place}{_LETTERS[0]}" for place, name in enumerate(names.entities)}
    for place, name in enumerate(names.values):
        known.setdefault(name, f"{_LETTERS[1]}{place}{_LETTERS[1]}")
    return known


def _pieces(text: str) -> list[tuple[int, int]]:
    """Return where each piece of a sentence starts and ends; no cut is made between two numbers, as in '2 and 3'."""
    pieces: list[tuple[int, int]] = []
    start = 0
    for cut in _CUT.finditer(text):
        between_numbers = _ENDS_IN_NUMBER.search(text[start : cut.start()]) and _NUMBER_ALONE.match(text[cut.end() :])
        between_two = _BETWEEN_ONE.search(text[start : cut.start()]) and cut.group().strip() == "and"
        if cut.start() > start and not between_numbers and not between_two and not _OPEN.match(text[cut.end() :]):
            pieces.append((start, cut.start()))
            start = cut.end()
    return [*pieces, (start, len(text))]


def _denied_together(text: str, said: Sequence[tuple[str, tuple[str, ...]]]) -> bool:
    """Return whether a denial at the beginning may deny all that is joined: 'Do not put Ann in 1 and Bob in 2'."""
    return len(said) > 1 and _DENIED_FIRST.match(text) is not None and not all(denies(one) for one, _ in said)
