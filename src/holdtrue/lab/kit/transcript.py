"""Turns as a person would follow them: what was said, what was answered, and exactly what was broken."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.lab.kinds.assignment.conversation import has_known_ledger, note
from holdtrue.lab.kinds.claims.words import Sayings, describe_context, describe_no_answer, describe_premise, list_claims
from holdtrue.lab.kinds.labels.words import Told, describe_event, describe_labels, list_labels
from holdtrue.lab.kinds.search.words import Lines, describe_candidate, describe_prompt, in_words, list_values
from holdtrue.lab.kit.entry import ClaimEntry, LabelEntry, PlayedEntry, SearchEntry, TurnEntry
from holdtrue.record import AttemptRecord, EventRecord, TurnOutcome, candidate_outcome, search_outcome
from holdtrue.verification.coverage import Coverage, coverage_of
from holdtrue.verification.words import describe, quote

SHOWN = 300  # characters of an answer


class Transcript:
    """Tells turns one by one, in whichever order conversations take turns; each conversation's own in order."""

    def __init__(self) -> None:
        self._agreed: dict[tuple[str, str], dict[str, EventRecord]] = {}
        self._told: dict[tuple[str, str], Told] = {}

    def tell(self, entry: PlayedEntry) -> list[str]:
        """The turn in lines of plain text."""
        match entry:
            case ClaimEntry():
                return _tell_claims(entry)
            case SearchEntry():
                return _tell_search(entry)
            case LabelEntry():
                return self._tell_labels(entry)
            case TurnEntry():
                return self._tell_answer(entry)

    def _tell_answer(self, entry: TurnEntry) -> list[str]:
        record = entry.record
        agreed = self._agreed.setdefault((entry.problem, entry.method), {})
        note(agreed, record)
        lines = [_title(entry), f"  user: {record.user_message}"]
        first, final = record.attempts[0], record.final
        told, coverage = has_known_ledger(record, first), coverage_of(record)
        lines += _attempt("answer", first, agreed, coverage) if told else [f"  answer: {_short(first.text)}"]
        if final is not first:
            kinds = ", ".join(attempt.kind for attempt in record.attempts[1:])
            lines += _attempt(f"then {kinds}", final, agreed, coverage)
        gold = "" if entry.score is None else ("; right" if entry.score.correct else "; wrong")
        lines.append(f"  {_came_to(record.outcome, coverage)} ({record.outcome}{gold})")
        if record.withheld is not None:
            lines.append(f"    Nothing is delivered: {record.withheld}.")
        if record.nearest is False:
            lines.append("    The mended answer is valid, and not proved the nearest.")
        if record.set_aside:
            lines.append(f"    Set aside: {'; '.join(quote(agreed, record.set_aside))}.")
        return lines

    def _tell_labels(self, entry: LabelEntry) -> list[str]:
        record, ids = entry.record, list(entry.record.asked)
        told = self._told.setdefault((entry.problem, entry.method), Told())
        told.note(record)
        gold = entry.score.gold if entry.score is not None else {}
        lines = [_title(entry)]
        lines += [f"  P{place}: {text}" for place, text in enumerate(entry.premises, start=1)]
        lines += [f"  {id}: {text}" for id, text in record.asked.items()]
        for attempt in record.attempts:
            lines.append(f"  {attempt.kind}: {list_labels(attempt.answer, ids)}")
            lines += [f"    {line}" for line in describe_labels(attempt, told)]
        lines += [f"  {describe_event(event)}" for event in record.events if event.kind != "added"]
        wrong = [f"{id} is {gold[id]}" for id in ids if id in gold and record.labels.get(id) != gold[id]]
        right = f" ({len(gold) - len(wrong)} of {len(gold)} right)" if gold else ""
        lines.append(f"  now: {list_labels(record.labels, ids)}{right}")
        if wrong:
            lines.append(f"    In truth {', '.join(wrong)}.")
        return lines


def _tell_search(entry: SearchEntry) -> list[str]:
    """A trial knows nothing of the others, and so is told by itself; the problem stands at the first."""
    record, told = entry.record, Lines(entry.record.user_message.splitlines())
    by_number = {attempt.attempt: attempt for attempt in record.attempts}
    lines = [_title(entry, "trial"), *(f"  {line}" for line in entry.told)]
    for attempt in record.attempts:
        step = attempt.step
        source = by_number.get(step.mends) if step is not None and step.mends is not None else None
        lines += [f"  {line}" for line in describe_prompt(attempt, source, told)]
        round = f" (round {step.round})" if step is not None else ""
        lines.append(f"  candidate {attempt.attempt}{round}: {list_values(attempt)}")
        lines.append(f"    {in_words(candidate_outcome(attempt))}")
        lines += [f"    {line}" for line in describe_candidate(attempt, told)]
    gold = "" if entry.score is None else ("; right" if entry.score.correct else f"; wrong, it is {entry.score.gold}")
    limit = f", no {record.exhausted} left" if record.exhausted is not None else ""
    lines.append(f"  {in_words(search_outcome(record))}{limit}{gold}")
    return lines


def _tell_claims(entry: ClaimEntry) -> list[str]:
    """A question is the only turn of its conversation; what was told of it stands first, with its formulas."""
    record, context = entry.record, entry.record.context
    lines = [_title(entry), *(f"  {line}" for line in entry.told)]
    if context is not None:
        for premise in context.premises:
            read, *more = describe_premise(premise)
            lines.append(f"  {premise.id} as {read}" if premise.formula is not None else f"  {premise.id}: {read}")
            lines += [f"    {line}" for line in more]
        lines += [f"  {line}" for line in describe_context(context, Sayings(context))]
    for attempt in record.attempts:
        option = (attempt.answer or {}).get("option", "no option")
        lines.append(f"  {attempt.kind}: {option}, {_short(attempt.text)}")
        if attempt.check is not None:
            lines += [f"    {line}" for line in list_claims(attempt.check, Sayings(context, attempt.check))]
        lines += [f"    {line}" for line in describe_no_answer(attempt)]
    given = (record.final.answer or {}).get("option", "no option") if record.delivered is not None else "no answer"
    gold = "" if entry.score is None else ("; right" if entry.score.correct else f"; wrong, it is {entry.score.gold}")
    lines.append(f"  {given}, {record.outcome}{gold}")
    return lines


def _title(entry: PlayedEntry, what: str = "turn") -> str:
    return f"{entry.problem}, {what} {entry.turn} of {entry.turns}, {entry.method}"


def _attempt(title: str, attempt: AttemptRecord, agreed: Mapping[str, EventRecord], coverage: Coverage) -> list[str]:
    told = describe(attempt.verdict, agreed, coverage=coverage)
    return [f"  {title}: {_short(attempt.text)}", *(f"    {line}" for line in told)]


def _came_to(outcome: TurnOutcome, coverage: Coverage) -> str:
    """What a turn came to in capitals; nothing is called kept that nobody read."""
    match outcome:
        case TurnOutcome.CONSISTENT if coverage.nothing_read:
            return "NOTHING READ"
        case TurnOutcome.CONSISTENT if not coverage.agreed:
            return "NOTHING AGREED"
        case TurnOutcome.CONSISTENT:
            return "KEPT" if coverage.complete else "KEPT AS FAR AS READ"
        case TurnOutcome.UNPARSED | TurnOutcome.REFUSED:
            return "NO ANSWER"
        case TurnOutcome.INCOMPLETE | TurnOutcome.UNDECIDED:
            return outcome.upper()
    return "BROKEN"


def _short(text: str) -> str:
    line = " ".join(text.split())
    return line if len(line) <= SHOWN else f"{line[: SHOWN - 3]}..."
