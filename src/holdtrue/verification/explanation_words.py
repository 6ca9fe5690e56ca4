"""Describe an explained ledger in sentences."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Sequence
from itertools import groupby

from holdtrue.logic.formula import Variable
from holdtrue.logic.intervals import Range
from holdtrue.logic.sorts import EnumSort
from holdtrue.record import Satisfiability
from holdtrue.solving.explain.possible_values import runs
from holdtrue.solving.result import PossibleValues, WitnessCount
from holdtrue.verification.explanation_results import Change, Correction, Explained, Remaining, Suggestion
from holdtrue.verification.words import describe_answer, describe_conflict, quote


def tell(explained: Explained) -> Iterator[str]:
    """Yield all results in sentences, the most important first."""
    commitments, names = explained.commitments, explained.names
    match explained.ledger:
        case Satisfiability.UNSAT:
            yield from _clash(explained)
        case Satisfiability.UNKNOWN:
            yield f"It is not known whether the commitments can all be kept: {explained.reason}."
        case Satisfiability.SAT:
            yield _kept(len(commitments))
    if explained.verdict is not None:
        yield from describe_answer(explained.verdict, commitments, names)
    if explained.suggestion is not None:
        yield _suggested(explained.suggestion, corrected=explained.correction is not None)
    if explained.answers is not None:
        yield _counted(explained.answers)
    for entity, remaining in groupby(explained.remaining, lambda own: own.entity):
        yield f"{entity}: {'; '.join(map(_left, remaining))}"
    if explained.ledger is Satisfiability.SAT and explained.reason is not None:
        yield f"What is left is not known: {explained.reason}."
    # There may be many other conflicts, so they come last.
    yield from _others(explained)


def _kept(count: int) -> str:
    match count:
        case 0:
            return "Nothing was agreed that would have to be kept."
        case 1:
            return "The one commitment can be kept."
    return f"All {count:,} commitments can be kept together."


def _clash(explained: Explained) -> Iterator[str]:
    commitments, names = explained.commitments, explained.names
    if explained.setting_impossible:
        yield describe_conflict((), commitments, names, minimal=True)
        yield from _by_counting(explained.counted)
    for conflict in explained.conflicts[:1]:
        yield describe_conflict(conflict.ids, commitments, names, minimal=conflict.proved != "core")
        yield from _by_counting(conflict.counted)
        if explained.every_conflict is None and conflict.proved == "smallest" and len(conflict.ids) > 1:
            yield "No conflict has fewer commitments."
    if explained.correction is not None:
        yield _corrected(explained.correction, explained)
    elif explained.reason is not None:
        yield f"What to take back is not known: {explained.reason}."


def _by_counting(counted: Sequence[str]) -> Iterator[str]:
    if counted:
        yield f"Counting shows it: {'; '.join(counted)}."


def _others(explained: Explained) -> Iterator[str]:
    """Describe the conflicts after the first, and say whether there may be more."""
    conflicts, reason = explained.conflicts, explained.conflicts_reason
    for conflict in conflicts[1:]:
        text = "; ".join(quote(explained.commitments, conflict.ids, explained.names))
        yield f"Nor can {'these be kept together' if len(conflict.ids) > 1 else 'this be kept'}: {text}."
        yield from _by_counting(conflict.counted)
    if explained.every_conflict:
        yield "There is no other conflict." if len(conflicts) == 1 else f"These {len(conflicts):,} conflicts are all."
    elif explained.every_conflict is not None:
        yield f"There may be other conflicts{f': {reason}' if reason else ''}."


def _corrected(correction: Correction, explained: Explained) -> str:
    text = "; ".join(quote(explained.commitments, correction.take_back, explained.names))
    if correction.minimum:
        return f"The least to take back: {text}."
    return f"It is enough to take back: {text}. Whether fewer would do is not known."


def _suggested(suggestion: Suggestion, *, corrected: bool) -> str:
    given = "with that taken back, " if corrected else ""
    answer = json.dumps(suggestion.answer, ensure_ascii=False)
    if not suggestion.nearest:
        text = f"{given}the first answer that keeps everything: {answer}"
    elif suggestion.changes:
        doubt = "" if suggestion.fewest else " (whether fewer changes would do is not known)"
        text = f"{given}the nearest answer that keeps everything {_changed(suggestion.changes)}{doubt}: {answer}"
    else:
        text = f"{given}the answer keeps everything as it is."
    return text[0].upper() + text[1:]


def _changed(changes: Iterable[Change]) -> str:
    changed, added = [], []
    for own in changes:
        what = f"{own.entity}'s {own.label}"
        if own.before is None:
            added.append(f"{what} to {own.after}")
        else:
            changed.append(f"{what} from {own.before} to {own.after}")
    clauses = [f"{verb} {_joined(parts, 'and')}" for verb, parts in (("changes", changed), ("sets", added)) if parts]
    return ", and ".join(clauses)


def _counted(answers: WitnessCount) -> str:
    if not answers.exact:
        subject = "answer is" if answers.count == 1 else "answers are"
        return f"At least {answers.count:,} {subject} left; the count ended there: {answers.reason}."
    return "Only one answer is left." if answers.count == 1 else f"{answers.count:,} answers are left."


def _left(own: Remaining) -> str:
    """Return the remaining values of an entity's attribute in words."""
    possible, variable = own.possible, own.variable
    if possible.settled:
        return f"{own.label} {variable.sort.show(possible.values[0])} (settled)"
    if possible.open and possible.reason is None:
        return _range(own.label, variable, possible)
    if len(possible.values) == variable.sort.size:
        return f"any {own.label}"
    values = f"{own.label} {_joined(_parts(variable, runs(possible.values)), 'or')}"
    return f"{values} (not decided: {', '.join(_parts(variable, possible.open))})" if possible.open else values


def _range(label: str, variable: Variable, possible: PossibleValues) -> str:
    """Describe a range by its ends, one or both of which may be missing."""
    low, high = map(variable.sort.show, (possible.values[0], possible.values[-1]))
    endless_below, endless_above = possible.open[0][0] is None, possible.open[-1][1] is None
    if endless_below and endless_above:
        return f"{label} without a least or a greatest value"
    if endless_below or endless_above:
        return f"{label} up to {high}" if endless_below else f"{label} from {low} on"
    return f"{label} between {low} and {high}"


def _parts(variable: Variable, ranges: Iterable[Range]) -> Iterator[str]:
    """Yield ranges of values in words. Names, and ranges of two numbers, are listed one by one."""
    show = variable.sort.show
    for low, high in ranges:
        if low is None or high is None:
            ends = ("" if low is None else f"from {show(low)}", "" if high is None else f"up to {show(high)}")
            yield " ".join(end for end in ends if end) or "any integer"
        elif isinstance(variable.sort, EnumSort) or high - low < 2:
            yield from map(show, range(low, high + 1))
        else:
            yield f"{show(low)} to {show(high)}"


def _joined(parts: Iterable[str], word: str) -> str:
    *others, last = parts
    return f"{', '.join(others)} {word} {last}" if others else last
