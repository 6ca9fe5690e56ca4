"""Describe the verdict on a candidate in sentences that a person can act on.

A verdict names constraints by ids. The lines that describe the problem to the model begin with these ids.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping

from holdtrue.kinds.search.record import CandidateOutcome, SearchAttempt, SearchRecord, candidate_outcome
from holdtrue.record import AnswerStatus

_MOST = 12  # the most values in a line of plain text


class Lines:
    """The constraints of a problem by id, as the model read them."""

    def __init__(self, lines: Iterable[str]) -> None:
        self._by_id: dict[str, str] = {}
        for line in lines:
            id, colon, _ = line.partition(":")
            if colon:
                self._by_id[id.strip()] = line.strip()  # constraints come last, so they win if names clash

    def quote(self, id: str) -> str:
        """Return the constraint's line, such as `c2: 3*x1 + x2 = 43`, or the id if there is none."""
        return self._by_id.get(id, id)

    def quote_all(self, ids: Iterable[str]) -> str:
        return "; ".join(map(self.quote, ids))


def describe_candidate(attempt: SearchAttempt, problem: Lines) -> list[str]:
    """Return the verdict on a candidate in sentences, the most important first."""
    verdict, outcome = attempt.verdict, candidate_outcome(attempt)
    lines: list[str] = []
    if attempt.step is not None and attempt.step.repeated:
        lines.append("The same candidate had failed before, and was not checked again.")
    match outcome:
        case CandidateOutcome.CERTIFIED_SAT:
            lines.append("Every constraint holds.")
        case CandidateOutcome.CERTIFIED_UNSAT:
            doubt = "" if verdict.mus_minimal else " They may not all be needed for that."
            within = f", within {', '.join(verdict.background)}" if verdict.background else ""
            conflict = problem.quote_all(verdict.mus or ()) or "proved"
            lines.append(f"Rightly said to have no solution: {conflict}{within}.{doubt}")
        case CandidateOutcome.FALSE_UNSAT_CLAIM:
            lines.append("Said to have no solution, and there is one.")
        case CandidateOutcome.VERIFIER_UNKNOWN:
            lines.append(f"Not decided: {verdict.reason or 'no reason is told'}.")
        case CandidateOutcome.REFUSED:
            lines.append(f"There is no candidate: {verdict.reason or 'the model refused'}.")
        case CandidateOutcome.FAILED_SCHEMA if verdict.answer is AnswerStatus.INCOMPLETE:
            lines.append(f"No value for {', '.join(verdict.missing)}.")
        case CandidateOutcome.FAILED_SCHEMA:
            lines.append(f"No candidate could be read: {verdict.reason or 'nothing in the text fits'}.")
        case _:
            lines += [f"{bound}." for bound in verdict.background]
            lines += [f"Broken: {problem.quote(id)}." for id in verdict.violated]
    return lines


def describe_failed(record: SearchRecord, problem: Lines) -> list[str]:
    """Return a sentence about the candidates that failed before the delivered one, or nothing."""
    *before, _ = record.attempts
    if record.delivered is None or not before:
        return []
    first = before[0]
    broken = problem.quote_all(first.verdict.violated)
    how = f"broke {broken}" if broken else f"failed: {in_words(candidate_outcome(first))}"
    count = "One candidate" if len(before) == 1 else f"{len(before)} candidates"
    return [f"{count} failed before this one; {'it' if len(before) == 1 else 'the first'} {how}."]


def describe_prompt(attempt: SearchAttempt, source: SearchAttempt | None, problem: Lines) -> list[str]:
    """Describe the candidate's prompt in sentences: the reported failure of `source`, and the requested values.

    This covers only the recorded facts. The wording of the prompt follows from the method.
    """
    if source is None:
        return []
    lines = [f"Told of candidate {source.attempt}: {in_words(candidate_outcome(source))}."]
    if source.step is not None and source.step.conflict:
        revise = source.step.revise
        lines.append(f"In conflict there: {problem.quote_all(source.step.conflict)}.")
        lines.append(f"To revise {', '.join(revise)}; to keep {', '.join(kept(source.answer, revise)) or 'none'}.")
    asked = () if attempt.step is None else attempt.step.asked
    if asked:
        stayed = [f"{name} = {(source.answer or {})[name]}" for name in kept(source.answer, asked)]
        lines.append(f"Asked for {', '.join(asked)} alone, beside {', '.join(stayed) or 'nothing'}.")
    return lines


def kept(answer: Mapping[str, str | int] | None, revise: Collection[str]) -> tuple[str, ...]:
    """Return the variables of a candidate that are not to be revised, or () if `revise` is empty."""
    return tuple(name for name in answer or {} if name not in revise) if revise else ()


def in_words(outcome: CandidateOutcome) -> str:
    """Return the outcome's code with spaces between its words."""
    return outcome.value.replace("_", " ")


def list_values(attempt: SearchAttempt) -> str:
    """Return the first values (`x1 = 4, x2 = 2`), `no solution` for a claim, or `unread`, `refused` or `no values`."""
    answer = attempt.answer
    if answer is None:
        return "refused" if attempt.verdict.answer is AnswerStatus.REFUSED else "unread"
    if not answer:
        return "no values" if attempt.verdict.answer is AnswerStatus.INCOMPLETE else "no solution"
    shown = [f"{name} = {value}" for name, value in list(answer.items())[:_MOST]]
    more = len(answer) - len(shown)
    return ", ".join(shown) + (f", and {more} more" if more else "")
