"""Compare denials in a sentence and in the constraint read from it: a reader that loses a 'not' reads the opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdtrue.language.direction import has_direction
from holdtrue.language.english import english, fragment, masked
from holdtrue.language.masked_text import count_entities
from holdtrue.language.number_limits import is_bounded
from holdtrue.world.domain import ConstraintType
from holdtrue.world.instance import Constraint, Instance

_SHORT = (
    (re.compile(r"\bcan(?:not|'t)\b", re.IGNORECASE), "can not"),
    (re.compile(r"\bwon't\b", re.IGNORECASE), "will not"),
    (re.compile(r"\bshan't\b", re.IGNORECASE), "shall not"),
    (re.compile(r"(?<=\w)n't\b", re.IGNORECASE), " not"),
)
_AUXILIARY = fragment("denial.auxiliary")
_DENIED = english("denial.denied")
_FIRST = re.compile(rf"\b{_AUXILIARY}\b", re.IGNORECASE)
_OTHER = english("denial.other")
_MAIN = re.compile(r"^\s*([a-z]+)s\b")
_BASES = {"ha": "have", "doe": "do", "goe": "go"}


def denied(behind: str) -> str | None:
    """Return what stands behind the subject of a statement, with its verb denied; None where that is not plain."""
    text = _in_full(behind)
    if _OTHER.search(text):
        return None
    if verb := _FIRST.search(text):
        return f"{text[: verb.end()]} not{text[verb.end() :]}"
    if main := _MAIN.match(text):
        base = _BASES.get(main[1], main[1])
        return f" does not {base}{text[main.end() :]}"
    return None


def affirmed(behind: str) -> str | None:
    """Return what stands behind the subject of a denied statement without its denial; None where that is not plain."""
    text = _in_full(behind)
    if len(_OTHER.findall(text)) != 1 or not (found := _DENIED.search(text)):
        return None
    return f"{text[: found.end(1)]}{text[found.end() :]}"


def denies_its_verb(behind: str) -> bool | None:
    """Return whether the verb is denied; None where something else in the statement is denied or limited."""
    text = _in_full(behind)
    if not _OTHER.search(text):
        return False
    return True if len(_OTHER.findall(text)) == 1 and _DENIED.search(text) else None


def _in_full(text: str) -> str:
    text = text.replace("\u2019", "'")
    for short, full in _SHORT:
        text = short.sub(full, text)
    return text


_STRICT = fragment("denial.strict")
_STRONG = fragment("denial.strong")
_SOFT = fragment("denial.soft")
_LIKE = fragment("denial.like")
_AROUND = fragment("denial.around")
_LIMITS = fragment("denial.limits")
_LIFTED = masked("denial.lifted")
_NOT_BOTH = masked("denial.not_both")
_NOT_SO = masked("denial.not_so")
_WAITS = re.compile(r"\b(?:until|till|unless|before|earlier|sooner|without|prior)\b")
_DENIED_DIFFERENCE = re.compile(rf"(?:\bnot|\bnever|n't|\bno) (?:\w+ ){{0,3}}?(?:{_SOFT})")
_NEITHER = re.compile(r"\bneither E (?:nor|or) E\b")
_IS_OVER = masked("denial.is_over")


def find_lost_denials(
    instance: Instance, text: str, main: str, stated: Sequence[Constraint]
) -> Iterator[tuple[tuple[int, int] | None, bool]]:
    """Yield the places where masked text denies something and the constraints do not, or None for the opposite case.

    Each comes with a flag: whether the sentence certainly means something else then. `main` is the text with remarks
    blanked (`without_remarks`), because what a remark denies is something else.
    """
    kinds = [instance.types[made.type] for made in stated]
    if found := _LIFTED.search(text):
        yield found.span(), True
    if (found := _NOT_BOTH.search(text)) and not _splits(instance, stated):
        yield found.span(), True
    if (found := _NEITHER.search(text)) and any(count_entities(instance, made) > 1 for made in stated):
        yield found.span(), True
    denying = [kind for kind in kinds if denies(kind)]
    strict = list(re.finditer(_STRICT, main))
    if len(denying) == len(kinds):
        if not re.search(_LIKE, text) and not any(_own_words(kind, text) for kind in kinds):
            yield None, False
        if found := _DENIED_DIFFERENCE.search(text):
            yield found.span(), True
        if (found := _NOT_SO.search(text)) and re.search(_LIKE, text[found.end() :]):
            yield found.span(), True
        return
    if denying:
        return  # one denies and another does not: which word belongs to which is for the reader to say
    bounded = all(is_bounded(kind) for kind in kinds)
    cancelled = _LIMITS if bounded else f"{_STRONG}|{_SOFT}|{_AROUND}"
    # What stands before the first name may well be about what follows it ('nobody may come between E and E').
    for match in strict:
        if re.search(cancelled, re.split("[;:.!?]", main[match.end() :], maxsplit=1)[0]):
            continue
        if any(_waits_rightly(kind, main[match.end() :]) for kind in kinds):
            continue
        yield match.span(), True
        return
    found = None if strict or bounded else re.search(f"{_STRONG}|{_SOFT}", main)
    if found and not any(found.group() in kind.sentence.casefold() for kind in kinds):
        yield found.span(), False


def lifts(words: str) -> bool:
    """Return whether words only say that something is not demanded: 'need not', 'no need', 'does not have to'."""
    return _LIFTED.fullmatch(words) is not None


def denies(kind: ConstraintType) -> bool:
    """Return whether constraints of this type say in their own words that something is not so."""
    said = kind.sentence.casefold()
    return not is_bounded(kind) and bool(re.search(f"{_STRICT}|{_STRONG}|{_SOFT}", said))


def _waits_rightly(kind: ConstraintType, text: str) -> bool:
    """Return whether 'not ... until' says the type's order, as 'not before' does where something is over by then."""
    if not has_direction(kind) or not (found := _WAITS.search(text)):
        return False
    return found.group() in ("until", "till", "unless", "without") or bool(_IS_OVER.search(text))


def _splits(instance: Instance, stated: Sequence[Constraint]) -> bool:
    """Return whether the one constraint that was read keeps two things apart, which is what 'not both' then means."""
    return len(stated) == 1 and denies(instance.types[stated[0].type]) and count_entities(instance, stated[0]) == 2


def _own_words(kind: ConstraintType, text: str) -> bool:
    """Return whether the text has the words by which the type denies."""
    said = " ".join((kind.sentence, *kind.wordings)).casefold()
    return any(match.group() in text for match in re.finditer(f"{_STRONG}|{_SOFT}", said))
