"""Compare denials in a sentence and in the constraint read from it: a reader that loses a 'not' reads the opposite."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence

from holdtrue.language.direction import has_direction
from holdtrue.language.masked_text import count_entities
from holdtrue.language.number_limits import is_bounded
from holdtrue.world.domain import ConstraintType
from holdtrue.world.instance import Constraint, Instance

_STRICT = r"\b(?:not|never|cannot|no|nobody|no one|no-one|none|nothing|neither|nor|without|nowhere)\b|\b\w+n't\b"
_STRONG = (
    r"\bavoid\w*|\brefus\w+|\brul(?:e|ed|es|ing)\b.{0,40}\bout\b|\bout of the question\b|\boff[- ](?:limits"
    r"|the table)\b"
    r"|\bforb(?:id|ids|idden|ade|bidding)\b|\bbann?(?:ed|s|ing)?\b|\bbarr(?:ed|ing)\b|\bprohibit\w*|\bexclud\w+"
    r"|\b(?:any|every)\w* (?:but|except|other than|save)\b|\b(?:stay|stays|keep|keeps|kept|staying"
    r"|keeping)\b[^,]{0,60}"
    r"\b(?:away|out|off|clear|from)\b|\bsteer\w* clear\b|\bfar (?:away )?from\b|\bhates?\b|\bloathes?\b|\bdetests?\b"
    r"|\ballergic\b|\bimpossible\b|\bprevent\w*|\brefrain\w*|\bshuns?\b|\bskip(?:s|ped)?\b|\belsewhere\b"
    r"|\bdislikes?\b"
    r"|\b(?:false|untrue|incorrect|mistaken)\b|\bveto\w*|\bunable\b|\bdeclin\w+|\brejects?\b|\bbanish\w*"
    r"|\bmiss(?:es)?\b|\bfree (?:of|from)\b"
)
_SOFT = r"\bdiffer\w*|\bseparat\w+|\bsplit\w*|\bapart\b|\bdistinct\w*|\bunlike\b|\bdivid\w+|\boppos\w+|\bunequal\b"
_LIKE = (
    rf"{_STRICT}|{_STRONG}|{_SOFT}|\bacross\b|\bother\b|\banother\b|\belse\b|\bbut\b|\bexcept\b|\bfar\b|\baway\b"
    rf"|\bout\b|\boff\b"
    r"|\binstead\b|\bfac(?:e|es|ing)\b|\bbetween\b|\bown\b|\bclash\w*|\bconflict\w*"
    r"|\bstagger\w*|\bcollid\w+"
    r"|\bspace[sd]?\b|\bpart(?:ed|ing)?\b|\bdistance\b|\bover the\b|\bcan't stand\b|\bun\w+"
    r"|\bnon-?(?:adjacent|adjoining|neighbou?ring|consecutive|overlapping|simultaneous|concurrent)\b"
)
_AROUND = (
    r"\bother\b|\banother\b|\belse\b|\bbetween\b|\bgaps?\b|\bacross\b|\bbut\b|\bunless\b|\bwithout\b|\bfail\w*"
    r"|\baway\b|\bmiss\w*|\bmiddle\b|\binterven\w*"
)
_LIMITS = (
    r"\boverlap\w*|\btouch\w*|\bclash\w*|\bfewer\b|\bless\b|\bcloser\b|\bnearer\b|\bunder\b|\bbelow\b|\bdrop\b"
    r"|\blater\b|\bearlier\b"
    r"|\bsooner\b|\bbefore\b|\bafter\b|\boutside\b|\bexceed\w*|\blonger\b|\bpast\b|\bbeyond\b|\bshorter\b"
    r"|\bback.to.back\b|\bintersect\w*"
    r"|\bcoincid\w*|\btogether\b|\badjacent\b|\buntil\b|\bother\b|\bmatter\b"
)
_LIFTED = re.compile(
    r"(?:n't|\bnot|\bnever|\bno) (?:\w+ )?(?:have|need|needs|required|obliged|compelled|forced|bound) to\b"
    r"|(?:n't|\bnot|\bnever) (?:\w+ )?(?:important|essential|crucial|vital|critical|matter|object|care|mind|opposed"
    r"|against)\b"
    r"|\bneed(?:s)?(?:n't| not)\b|\bno need\b|\bnot? (?:a )?(?:necessar\w+|required|needed|mandatory|compulsory"
    r"|must\b)"
    r"|n't (?:necessar\w+|required|needed|mandatory|compulsory)|(?:\bnot|n't) (?:always|every)\b|\bunnecessary\b"
    r"|\bfree to\b|\bnot insist\b|n't insist\b|(?:\bnot|n't) (?:only|just|merely)\b"
)
_NOT_BOTH = re.compile(
    r"(?:\bnot\b|\bcannot\b|\bnever\b|n't\b)[^,;:]{0,60}?\b(?:both|all)\b|\b(?:both|all)\b[^,]{0,60}?(?:\bnot\b"
    r"|\bcannot\b|n't\b)"
)
_NOT_SO = re.compile(
    r"\b(?:not|n't) (?:like|as if|the case|true|so|correct|right)\b|\b(?:false|untrue"
    r"|incorrect) that\b"
)
_WAITS = re.compile(r"\b(?:until|till|unless|before|earlier|sooner|without|prior)\b")
_DENIED_DIFFERENCE = re.compile(rf"(?:\bnot|\bnever|n't|\bno) (?:\w+ ){{0,3}}?(?:{_SOFT})")
_NEITHER = re.compile(r"\bneither E (?:nor|or) E\b")
_IS_OVER = re.compile(
    r"\b(?:over|done|ends?|ended|finish\w*|complet\w+|wrapped|behind|passed|has|have|gone|out of the way|concluded)\b"
)


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
