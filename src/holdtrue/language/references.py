"""Resolve 'she', 'the latter' or 'the same goes for Bob' to names and statements from earlier in the message.

Texts have placeholders for names (`coordination`). If a word can mean several names, the choice is reported as a guess.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from holdtrue.language.coordination import denies, names_in
from holdtrue.language.denials_and_limits import affirmed, denied, denies_its_verb
from holdtrue.language.english_patterns import ENTITY, english

_POSSESSIVE = (
    r"(?:his|her|its|their)(?= (?:(?:own|immediate|direct) )?(?:left|right|side|neighbou?rs?)\b"
    r"| (?:own )?(?:start|end|seat|slot|place|position)\b(?![^,;.]*\b(?:his|her|its|their) )"
    r")"
)
_DUMMY = r"(?! (?:is|was|would be|'s|has been) (?:\w+ )?\w+ (?:that|to)\b)(?! that\b)"  # 'it is best that ...'
_SUBJECT = rf"(?:he|she|(?<!to )(?<!is )it{_DUMMY})(?='s|'ll|'d|\u2019s|\u2019ll|\b)"
_NO_OWNER = (
    r"(?! (?:own|immediate|direct|left|right|side|start|end|seat|chair|slot|spot|place|position|neighbou?r)\b)"
    r"(?! (?:\w+ ){1,3}(?:is|was|has|have|must|should|shall|will|isn't|cannot|can't|wants?|needs?|gets?|takes?)\b)"
)
_OBJECT = (
    rf"(?:(?:him|her{_NO_OWNER}|(?<!to )it{_DUMMY}|that one|this one|(?<=after )that|(?<=before )that)\b"
    r"|(?:(?<=than )|(?<=before )|(?<=after )|(?<=from )|(?<=as )|(?<=opposite ))(?:his|hers|theirs)\b)"
)
_SINGLE = re.compile(rf"\b(?:(?P<subject>{_SUBJECT})|(?P<owner>{_POSSESSIVE})|(?P<object>{_OBJECT}))", re.IGNORECASE)
_PLURAL = english("references.plural")
_ORDERED = english("references.ordered")
_PLACES = {"former": 0, "first": 0, "latter": 1, "second": 1, "third": 2, "last": -1}
_REST = english("references.rest")
_OTHERS = {"two": 2, "three": 3}
_ALIKE = english("references.alike")
_LEAVES_OUT = english("references.leaves_out")
_PAIR = 2
_EACH = re.compile(r"\b(?:both|each|all)\b", re.IGNORECASE)
_WHO = re.compile(rf"({ENTITY})\s*,\s*(?:who|which)(?: in turn)?\b", re.IGNORECASE)
_WHICH = english("references.which")
_SUBJECT_FIRST = english("references.subject_first")
_BREAK = re.compile(r"[,;:]|\b(?:so|because|since|and)\b", re.IGNORECASE)


@dataclass(frozen=True)
class Context:
    """A `Context` summarizes the earlier parts of a message.

    `units` has the names of each part, the newest last. `last` are the statements of the last part. `subject_first`
    says whether that part begins with its subject.
    """

    units: tuple[tuple[str, ...], ...] = ()
    last: tuple[str, ...] = ()
    subject_first: bool = False

    def heard(self, text: str, last: Sequence[str]) -> Context:
        """Return the context after another part of the message, with the statements `last`."""
        names = tuple(names_in(" ".join(last) or text))
        if not names:
            return self
        return Context((*self.units, names)[-4:], tuple(last) or self.last, bool(_SUBJECT_FIRST.match(text)))

    @property
    def pair(self) -> tuple[str, ...]:
        """Return the names of the newest part that has several, or the two newest names if no part has."""
        for unit in reversed(self.units):
            if len(unit) > 1:
                return unit
        return tuple(dict.fromkeys(name for unit in self.units for name in unit))[-2:]


@dataclass(frozen=True, slots=True)
class Statement:
    """A text that can be read alone, with names for its references. The `guessed` names are not certain."""

    text: str
    guessed: tuple[str, ...] = ()


def relative_clauses(text: str) -> str:
    """Return a text with 'Ann, who ...' shortened to 'Ann ...'."""
    return _WHO.sub(r"\1", text)


def follow_relative(text: str, said: str) -> str | None:
    """Return 'which comes before Cy' with the last name of the earlier statement as subject; None for other texts."""
    found, names = _WHICH.match(text), names_in(said)
    return f"{found['whom'] or ''}{names[-1]} {text[found.end() :].lstrip()}" if found and names else None


def same_again(text: str, context: Context) -> tuple[list[str], tuple[str, ...]] | None:
    """Return the statements that 'and so does Bob' makes, which repeat the last one for Bob, and the guessed names."""
    found = _ALIKE.match(text)
    if found is None or not context.last:
        return None
    who = names_in(found["who"] or found["too"])
    said = context.last[0]
    before = names_in(said)
    if len(who) == 2 and len(before) == 2 and len(context.last) == 1:
        return [said.replace(before[0], "\ue000").replace(before[1], who[1]).replace("\ue000", who[0])], ()
    if not before:
        return None
    # 'Keep Ann away from Bob, same for Cy' does not say whether Cy keeps away from Ann or from Bob.
    sure = len(before) == 1 or (context.subject_first and not _BREAK.search(said))
    guessed = () if sure else tuple(who)
    return [said.replace(before[0], name) for name in who if name not in before], guessed


def left_out(text: str, context: Context) -> tuple[list[str], tuple[str, ...]] | None:
    """Return the statement that 'but Bob does' or 'while Bob does not' makes: the last one, with Bob as its subject.

    The result is None if the last statement has another denial than that of its verb ('never', 'no later than'). It is
    also None if that statement has two names and neither is its subject.
    """
    found = _LEAVES_OUT.match(text)
    if found is None or len(context.last) != 1 or not (names := names_in(context.last[0])):
        return None
    if found["who"] in names or (len(names) > 1 and not (context.subject_first and len(names) == _PAIR)):
        return None
    before, _, behind = context.last[0].partition(names[0])
    was_denied = denies_its_verb(behind)
    if was_denied is None or denies(before):
        return None
    said: str | None = behind
    if bool(found["denies"]) != was_denied:
        said = denied(behind) if found["denies"] else affirmed(behind)
    return None if said is None else ([f"{before}{found['who']}{said}"], ())


def resolve(
    text: str, context: Context, owned: re.Pattern[str] | None = None, everybody: Sequence[str] = ()
) -> Iterator[Statement]:
    """Yield the text with its references replaced by names, the likeliest way first.

    `owned` matches 'her' and 'its' before the label of an attribute, as in 'her pet'. `everybody` are all names of the
    instance; 'the other two' can mean the names that were not mentioned.
    """
    own = names_in(text)
    if owned is not None and context.units and owned.search(text) and not own:
        newest = context.units[-1]
        guessed = () if len(newest) == 1 or context.subject_first else newest[:1]
        yield Statement(owned.sub(f"{newest[0]}'s", text, count=1), guessed)
    if (fixed := _fixed(text, own, context, everybody)) is not None:
        yield fixed
        text, own = fixed.text, names_in(fixed.text)
    if _PLURAL.search(text) and (pair := context.pair) and not set(pair) & set(own):
        yield Statement(_PLURAL.sub(lambda found: _together(found, pair, own), text, count=1))
    yield from _singles(text, own, context)


def _fixed(text: str, own: Sequence[str], context: Context, everybody: Sequence[str]) -> Statement | None:
    """Return the text with 'the former', 'the other two' and the like replaced; None if there are none."""
    pair = context.pair

    def ordered(found: re.Match[str]) -> str:
        place = _PLACES[found["place"].casefold()]
        return pair[place] if len(pair) > place else found.group()

    changed = _ORDERED.sub(ordered, text) if len(pair) > 1 else text
    left = _others(own, context)
    if set(left) <= set(names_in(" ".join(context.last))):  # the last statement is about these already
        left = _unspoken(text, own, context, everybody) or left
    if left:
        changed = _REST.sub(" and ".join(left), changed)
    return Statement(changed) if changed != text else None


def _others(own: Sequence[str], context: Context) -> list[str]:
    """Return the names of the newest list of names that were not mentioned since."""
    since = set(own)
    for unit in reversed(context.units):
        if len(unit) > 1 and (left := [name for name in unit if name not in since]):
            return left
        since.update(unit)
    return []


def _unspoken(text: str, own: Sequence[str], context: Context, everybody: Sequence[str]) -> list[str]:
    """Return all names that were not mentioned, if 'the other two' gives exactly their number."""
    found = _REST.search(text)
    named = {*own, *(name for unit in context.units for name in unit)}
    left = [name for name in everybody if name not in named]
    return left if found and named and len(left) == _OTHERS.get(found.group().split()[-1].casefold()) else []


def _together(found: re.Match[str], pair: Sequence[str], own: Sequence[str]) -> str:
    if found["neither"]:
        return "neither " + " nor ".join(pair)
    if found["either"]:
        return " or ".join(pair)
    each = found["both"] is not None and _EACH.search(found["both"]) and not own
    return " and ".join(pair) + (" both" if each else "")


def _singles(text: str, own: Sequence[str], context: Context) -> Iterator[Statement]:
    pool = [name for unit in reversed(context.units[-2:]) for name in unit if name not in own]
    newest = [name for name in context.units[-1] if name not in own] if context.units else []
    for order in (("subject",), ("object",), ("owner",), ("object", "subject"), ("owner", "subject", "object")):
        # 'Ann sits by Bob, and Cy next to him': an object here was an object before, if there is a subject.
        alike = order == ("object",) and context.subject_first and _has_subject(text)
        said = newest[::-1] if alike else newest
        for name in dict.fromkeys((*said, *pool)):
            changed, kinds = _put(text, name, order)
            if changed == text:
                continue
            # 'Ann meets Bob. She ...': a subject here is the subject of the sentence before.
            parallel = "subject" in kinds and context.subject_first
            sure = said[:1] == [name] and (len(newest) == 1 or parallel)
            yield Statement(changed, () if sure else (name,))


def _has_subject(text: str) -> bool:
    name, pronoun = re.search(ENTITY, text), _SINGLE.search(text)
    return name is not None and pronoun is not None and name.start() < pronoun.start()


def _put(text: str, name: str, kinds: Sequence[str]) -> tuple[str, set[str]]:
    """Return the text with the name in the place of the first pronoun of each of these kinds."""
    done: set[str] = set()

    def put(found: re.Match[str]) -> str:
        kind = found.lastgroup or ""
        if kind not in kinds or kind in done:
            return found.group()
        done.add(kind)
        return f"{name}'s" if kind == "owner" else name

    return _SINGLE.sub(put, text), done
