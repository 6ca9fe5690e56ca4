"""Tell a trial in plain text, for `report --turns`: what its prompts said, and why candidates failed."""

from __future__ import annotations

from holdtrue.kinds.search.record import candidate_outcome, search_outcome
from holdtrue.kinds.search.verdict_words import Lines, describe_candidate, describe_prompt, in_words, list_values
from holdtrue_lab.kinds.search.entry import SearchEntry
from holdtrue_lab.kit.transcript import title_of


class SearchTeller:
    """Tells trials one by one."""

    def tell(self, entry: SearchEntry) -> list[str]:
        """Return the lines about one trial; the first trial of a problem also tells the problem."""
        record, problem = entry.record, Lines(entry.record.user_message.splitlines())
        by_number = {attempt.attempt: attempt for attempt in record.attempts}
        lines = [title_of(entry, "trial"), *(f"  {line}" for line in entry.problem_lines)]
        for attempt in record.attempts:
            step = attempt.step
            source = by_number.get(step.mends) if step is not None and step.mends is not None else None
            lines += [f"  {line}" for line in describe_prompt(attempt, source, problem)]
            round = f" (round {step.round})" if step is not None else ""
            lines.append(f"  candidate {attempt.attempt}{round}: {list_values(attempt)}")
            lines.append(f"    {in_words(candidate_outcome(attempt))}")
            lines += [f"    {line}" for line in describe_candidate(attempt, problem)]
        gold = (
            "" if entry.score is None else ("; right" if entry.score.correct else f"; wrong, it is {entry.score.gold}")
        )
        limit = f", no {record.detail.exhausted} left" if record.detail.exhausted is not None else ""
        lines.append(f"  {in_words(search_outcome(record))}{limit}{gold}")
        return lines
