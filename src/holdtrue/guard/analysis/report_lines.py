"""Write the results of analysing policies as lines for a terminal."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import asdict
from decimal import Decimal
from typing import Any

from holdtrue.guard.analysis.analysis_results import (
    Analysis,
    Compared,
    Comparison,
    Difference,
    Fault,
    FaultKind,
    OpenCode,
    Undecided,
)
from holdtrue.guard.analysis.case_mutation import MutationRun
from holdtrue.guard.analysis.case_running import CasesRun
from holdtrue.guard.analysis.edge_results import RuleEdges
from holdtrue.guard.analysis.edges import MOST_TEXTS
from holdtrue.guard.analysis.missing_fields import Counterexample
from holdtrue.guard.analysis.prose_coverage import coverage_lines
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.decision import Decision, Finding
from holdtrue.rules.paths import some_of
from holdtrue.rules.syntax import Place

_SHOWN: Mapping[FaultKind, str] = {
    "never applies": "It does not apply to",
    "always holds": "It is kept by",
    "never holds": "It is not kept by",
    "implied": "It is broken, with what it follows from, by",
    "contradictory": "Some of them are not kept by",
    "clashes with the schema": "It is not kept by",
    "missing fact": "It applies to",
}
"""The words that introduce the example of a fault."""
MOST_NAMED = 5
"""At most this many lists or rules are named for a group of open questions."""


def as_json(value: Any, *, indent: int | None = None) -> str:
    """Return JSON values as text. A decimal becomes the nearest float."""
    return json.dumps(value, ensure_ascii=False, indent=indent, default=_plain)


def _plain(value: Any) -> Any:
    if isinstance(value, Decimal):
        return float(value)
    return dict(value) if isinstance(value, Mapping) else list(value)


_DECIDES: Mapping[OpenCode, str] = {
    "time": "More time",
    "lists": "A bound on {by}",
    "formula": "Another way to write {by}",
    "no call": "An enumeration for texts that {by} reads",
    "solver": "A simpler condition of {by}",
    "many sets": "Fewer clashes",
}
"""The thing that would decide open questions, with the lists or rules that leave them open."""


def analysis_lines(analysis: Analysis, file: str, *, all_open: bool = False) -> Iterator[str]:
    """Yield the result of analysing a policy: faults, possibly intended ones, open questions and assumptions.

    Open questions are grouped by what would decide them, unless `all_open` asks for each of them.
    """
    count = len(analysis.faults)
    found = f"{count} fault{'' if count == 1 else 's'}" if count else "no fault was found"
    rules, tools = _number(analysis.rules, "rule"), _number(analysis.tools, "tool")
    yield f"{analysis.policy}: {found} in {rules} on {tools} ({analysis.seconds:.1f} s)"
    for fault in analysis.faults:
        yield from _fault_lines(fault, file)
    if analysis.asides:
        yield "On some of their tools only, which may be meant:"
        for fault in analysis.asides:
            yield f"  {_place(file, fault.place)}{fault.rule} ({fault.kind}): {fault.text}"
    if analysis.undecided:
        yield "Not decided:"
        lines = (
            [_open_line(own, file) for own in analysis.undecided] if all_open else [*_grouped(analysis.undecided, file)]
        )
        yield from (f"  {own}" for own in lines)
        if len(lines) < len(analysis.undecided):
            yield "  Each of these questions is told with -v or --json."
    for assumed in analysis.assumptions:
        yield f"Assumed: {assumed}"
    yield from (f"Note: {note}" for note in analysis.notes)
    if analysis.prose is not None:
        yield from coverage_lines(analysis.prose)


def _fault_lines(fault: Fault, file: str) -> Iterator[str]:
    yield f"{_place(file, fault.place)}{fault.rule} ({fault.kind}): {fault.text}"
    if not fault.minimal:
        yield "  Not all of these may be needed for that."
    for assumed in fault.assumptions:
        yield f"  Assumed: {assumed}."
    if fault.example is not None:
        yield f"  {_SHOWN[fault.kind]}: {_example(fault.example)}"


def _grouped(questions: Sequence[Undecided], file: str) -> Iterator[str]:
    """Yield a line for all questions that the same change could decide. Changes that are part of another join it."""
    groups: dict[tuple[OpenCode, tuple[str, ...]], list[Undecided]] = {}
    for own in sorted(questions, key=lambda own: -len(own.by)):
        within = (key for key in groups if key[0] == own.code and {*own.by} <= {*key[1]})
        groups.setdefault(next(within, (own.code, own.by)), []).append(own)
    for (code, by), group in groups.items():
        if len(group) == 1:
            yield _open_line(group[0], file)
            continue
        decides = _DECIDES[code].format(by=some_of(by, MOST_NAMED) or "its rules")
        rules = some_of([*dict.fromkeys(own.rule for own in group)], MOST_NAMED)
        yield f"{decides} could decide {len(group)} questions about {rules}: {group[0].reason}"


def _open_line(own: Undecided, file: str) -> str:
    if own.kind == "out of time":
        return own.reason
    return f"{_place(file, own.place)}whether {_question(own)}: {own.reason}"


def _question(own: Undecided) -> str:
    where = f"on {own.tool}" if own.tool else "at the end of a conversation"
    match own.kind:
        case "implied":
            return f"{own.rule} follows from others {where}"
        case "contradictory":
            return f"{some_of((own.rule, *own.others), MOST_NAMED)} can be kept together {where}"
    return f"{own.rule} {own.kind} {where}"


def _example(situation: Situation) -> str:
    return as_json(situation.to_json())


def _place(file: str, place: Place) -> str:
    return f"{file}:{place.line}: " if place.line else ""


def _number(count: int, name: str) -> str:
    return f"{count} {name}{'' if count == 1 else 's'}"


def comparison_lines(comparison: Comparison, files: tuple[str, str]) -> Iterator[str]:
    """Yield the differences of two policies in these files."""
    verdict = {True: "they decide alike on every call", False: "they differ", None: "not all of it was decided"}
    yield f"{' and '.join(files)}: {verdict[comparison.same]}"
    for side, tools in (("first", comparison.only_first), ("second", comparison.only_second)):
        if tools:
            yield f"Only the {side} policy has {', '.join(tools)}."
    yield from (f"{told[:1].upper()}{told[1:]}." for told in comparison.told)
    for own in comparison.tools:
        yield from _compared_lines(own)


def _compared_lines(own: Compared) -> Iterator[str]:
    if own.same and not own.assumptions:
        return
    where = own.tool or "at the end of a conversation"
    if own.same:
        yield f"{where}: the same calls are allowed and blocked" if own.tool else f"{where}: the same has to hold"
    for difference in own.differences:
        yield from _difference_lines(difference)
    yield from (f"{where}: {told}" for told in own.told)
    yield from (f"{where}: not decided: {reason}" for reason in own.undecided)
    yield from (f"  Assumed: {assumed}." for assumed in own.assumptions)


def _difference_lines(own: Difference) -> Iterator[str]:
    turned = own.allowed_by == "second" or own.first.kind == "block"
    mild, strict, refused = ("second", "first", own.first) if turned else ("first", "second", own.second)
    if own.allowed_by is None:
        yield f"{own.tool}: the {mild} policy asks about this call, and the {strict} blocks it"
    else:
        yield f"{own.tool}: the {mild} policy allows this call, and the {strict} does not ({refused.kind})"
    yield f"  {_example(own.example)}"
    yield from (f"  {line}" for line in refused.for_log.splitlines()[1:])


def run_lines(run: CasesRun, file: str) -> Iterator[str]:
    """Yield the failed cases, and the rules that no case breaks or keeps."""
    for own in run.failed:
        yield f"{_place(file, own.case.place)}{own.case.name}: {'; '.join(own.problems)}"
        yield from (f"  {line}" for line in own.log.splitlines())
    cases = _number(len(run.results), "case")
    yield f"{cases}, {len(run.failed)} failed" if run.failed else f"{cases}, all as expected"
    if not run.uncovered:
        yield f"All of {_number(len(run.coverage), 'rule')} are broken by a case and kept by another."
        return
    covered = len(run.coverage) - len(run.uncovered)
    yield f"{covered} of {_number(len(run.coverage), 'rule')} are broken by a case and kept by another; by no case:"
    for coverage in run.uncovered:
        yield f"  {coverage.rule} is {' or '.join(coverage.missing)}"


def edges_lines(found: Iterable[RuleEdges]) -> Iterator[str]:
    """Yield the edges of rules, each with its kind, and the reasons for those that were not found."""
    for own in found:
        yield f"{own.rule} {f'on {own.tool}' if own.tool else 'at the end of a conversation'}:"
        yield from (f"  {edge.kind}: {edge.text}" for edge in own.edges)
        yield from (f"  not found: {reason}" for reason in own.undecided)


def mutation_lines(run: MutationRun) -> Iterator[str]:
    """Yield the share of mutants that cases notice, and each unnoticed mutant with the case that is missing."""
    count = run.noticed + len(run.unnoticed)
    equal = f"; {run.equal} more decide alike and do not count" if run.equal else ""
    yield f"{run.noticed} of {_number(count, 'mutant')} noticed ({run.share:.0%}){equal}"
    unknown: dict[str, list[str]] = {}
    for own in run.unnoticed:
        if own.case is None:
            unknown.setdefault(own.reason, []).append(own.text)
            continue
        yield f"  {own.text}"
        yield f"    missing, {own.case.expect}: {_example(own.case.situation)}"
    for reason, texts in unknown.items():
        yield f"  unknown whether a case notices {some_of(texts, MOST_TEXTS)}: {reason}"


def decision_lines(decision: Decision) -> Iterator[str]:
    """Yield a decision with all its reasons."""
    yield decision.for_log.splitlines()[0]
    yield from _finding_lines(decision.findings)
    for fetch in decision.fetch:
        known = [f"{name}={as_json(value)}" for name, value in fetch.arguments.items()]
        yield f"To be called first: {fetch.tool}({', '.join(known)})"
    yield from (f"To be asked: {question}" for question in decision.questions)
    if decision.listing:
        yield f"The user has to agree to: {'; '.join(decision.listing)}"
    if decision.mend is not None:
        nearest = "nearest" if decision.mend.optimal else "near"
        yield f"The {nearest} call that keeps every rule:"
        yield from (
            f"  {own.path}: {as_json(own.after)} instead of {as_json(own.before)}" for own in decision.mend.changes
        )
    elif decision.no_mend:
        yield f"No other call is proposed: {decision.no_mend}"
    yield from (f"Assumed: {assumed}" for assumed in decision.assumptions)
    yield from (f"Not read: {unread}" for unread in decision.coverage.unread)


def counterexample_lines(found: Sequence[Counterexample], undecided: Sequence[str]) -> Iterator[str]:
    """Yield the calls that a rule does not break or keep as expected."""
    for own in found:
        if own.example is None:
            yield f"{own.rule} on {own.tool}: no call breaks it"
            continue
        status = own.status if own.status in ("holds", "does not apply") else f"is {own.status}"
        expected = "be broken" if own.expected == "broken" else "hold"
        without = f"without {own.missing} " if own.missing else ""
        yield f"{own.rule} on {own.tool}: {without}it {status}, where it should {expected}"
        yield f"  {_example(own.example)}"
    yield from (f"Not decided on {own}" for own in undecided)
    if not found and not undecided:
        yield "No missing field changes what the rule decides."


def end_lines(findings: tuple[Finding, ...]) -> Iterator[str]:
    unmet = any(own.status in ("broken", "undecided") for own in findings)
    yield f"{'unmet' if unmet else 'met'}: the end of the conversation"
    yield from _finding_lines(findings)


def findings_json(findings: tuple[Finding, ...]) -> dict[str, Any]:
    return {"findings": [asdict(own) for own in findings]}


def _finding_lines(findings: tuple[Finding, ...]) -> Iterator[str]:
    for own in findings:
        status = own.status if own.status in ("holds", "does not apply") else f"is {own.status}"
        warns = "" if own.severity == "block" else f", {own.severity}s only"
        yield f"  {own.rule} {status}{warns if own.status == 'broken' else ''}: {own.say}"
        if own.why:
            yield f"    {own.why}{', by the solver' if own.by == 'solver' else ''}"
        if own.missing:
            yield f"    not seen: {', '.join(own.missing)}"
        yield from (f"    assumed: {assumed}" for assumed in own.assumptions)
