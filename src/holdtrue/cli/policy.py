"""The command `holdtrue policy`: find faults in a policy, compare two, test one by cases, and explain a decision."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.draft_policy import draft_policy
from holdtrue.cli.exits import ExitCode
from holdtrue.cli.logged_input import input_name, open_input, print_any_text
from holdtrue.cli.policy_import import import_file
from holdtrue.cli.review_policy import review_policy
from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.guard.analysis.case_file import Case
    from holdtrue.guard.policy import Policy

policy_app = typer.Typer(help="Draft, analyse, compare, test and import policies of the guard.", no_args_is_help=True)
policy_app.command(name="draft")(draft_policy)
policy_app.command(name="review")(review_policy)
policy_app.command(name="import")(import_file)

PolicyFile = Annotated[Path, typer.Argument(metavar="FILE", help="A policy, as YAML.")]
AsJson = Annotated[bool, typer.Option("--json", help="One JSON object instead of sentences.")]
Seconds = Annotated[float, typer.Option("--timeout-s", min=0.001, help="Seconds of solver time for all of it.")]


@policy_app.command(name="check")
def check_file(
    file: PolicyFile,
    as_json: AsJson = False,
    strict: Annotated[bool, typer.Option("--strict", help="Fail where a sentence of the prose is open, too.")] = False,
    timeout_s: Seconds = 60.0,
    all_open: Annotated[bool, typer.Option("--verbose", "-v", help="Tell each open question.")] = False,
) -> None:
    """Find rules that never apply, that nothing breaks or keeps, that follow from others, or contradict each other.

    Each fault is proved for all calls, facts and moments, and shown by a call. The check also finds rules that clash
    with the schema of a tool, and rules that need facts that no tool shows. If the policy names its prose, the check
    tells which sentences no part stands for. Open questions are grouped by what could decide them.

    Exit code: 2 for an unusable policy (every fault has its line), 1 for a fault. Then 3 for something undecided, and 0
    otherwise. With --strict also 2 for a policy without prose, and 1 for an open sentence or an edited prose.
    """
    from holdtrue.budget import Budget
    from holdtrue.guard.analysis.policy_analysis import analyse_policy
    from holdtrue.guard.analysis.report_lines import analysis_lines

    print_any_text()
    policy = _policy(file)
    if strict and policy.prose is None:
        raise SettingsError(f"{file} names no prose, so --strict has nothing to hold it to; add `prose: FILE` to it")
    analysis = analyse_policy(policy, Budget(timeout_s=timeout_s))
    _say(analysis.to_json(), analysis_lines(analysis, str(file), all_open=all_open), as_json)
    own = analysis.prose
    is_open = strict and own is not None and bool(own.open or own.edited)
    _leave(wrong=bool(analysis.faults) or is_open, undecided=bool(analysis.undecided))


@policy_app.command(name="diff")
def diff_files(
    first: Annotated[Path, typer.Argument(metavar="A", help="A policy, as YAML.")],
    second: Annotated[Path, typer.Argument(metavar="B", help="Another policy.")],
    as_json: AsJson = False,
    timeout_s: Seconds = 60.0,
) -> None:
    """Find a call on which two policies decide differently, or prove that there is none.

    Both decide on the same facts, words and moment. A found call is shown with its facts and words, and with the
    stricter decision. All other parts that may decide are compared as written: schemas, consent, facts, effects and
    general settings.

    Exit code: 2 for an unusable policy, 1 if they differ, 3 if something was not decided, and 0 otherwise.
    """
    from holdtrue.budget import Budget
    from holdtrue.guard.analysis.policy_comparison import compare_policies
    from holdtrue.guard.analysis.report_lines import comparison_lines

    print_any_text()
    comparison = compare_policies(_policy(first), _policy(second), Budget(timeout_s=timeout_s))
    _say(comparison.to_json(), comparison_lines(comparison, (str(first), str(second))), as_json)
    _leave(wrong=comparison.same is False, undecided=comparison.same is None)


@policy_app.command(name="test")
def test_file(
    file: PolicyFile,
    cases: Annotated[str, typer.Argument(metavar="CASES", help="Cases, as a YAML list; - is standard input.")],
    as_json: AsJson = False,
    covered: Annotated[bool, typer.Option("--covered", help="Fail where no case breaks or keeps a rule, too.")] = False,
    timeout_s: Annotated[float, typer.Option("--timeout-s", min=0.001, help="Seconds for one case.")] = 2.0,
    by_mutants: Annotated[
        bool, typer.Option("--mutants", help="Also tell which changes of the rules no case notices.")
    ] = False,
    missing: Annotated[
        Path | None, typer.Option("--write-missing", metavar="OUT", help="Write the cases that notice them, as YAML.")
    ] = None,
) -> None:
    """Decide on cases, and tell which are not as expected, and which rules no case breaks or keeps.

    A case has a name, a tool, a call and the expected decision: allow, block, ask or confirm. It may also have facts,
    results, done, said, written, now, consent, listen and unsaid. Its `rules` are the rules of the decision, and its
    `mend` has the changes of the proposed call. A case with `end: true` is the end of a conversation (met or unmet).

    A mutant is a rule with one mistake. It may be looser, stricter, converse or dropped. It may lack a condition or an
    exception, or have a wrong field or constant. Mutants that are proved to decide alike do not count.

    Exit code: 2 for an unusable file, 1 for a failed case, and 0 otherwise.
    """
    from holdtrue.budget import Budget
    from holdtrue.guard.analysis.case_file import read_cases
    from holdtrue.guard.analysis.case_running import run_cases
    from holdtrue.guard.analysis.report_lines import mutation_lines, run_lines

    print_any_text()
    policy = _policy(file)
    name = input_name(cases)
    read = read_cases(_text(cases), policy, where=name)
    run = run_cases(policy, read, Budget(timeout_s=timeout_s))
    found, lines = run.to_json(), [*run_lines(run, name)]
    unnoticed = False
    if by_mutants or missing is not None:
        from holdtrue.guard.analysis.case_mutation import missing_cases, run_mutants

        mutation = run_mutants(policy, read)
        found, lines = {**found, "mutants": mutation.to_json()}, [*lines, *mutation_lines(mutation)]
        unnoticed = bool(mutation.unnoticed)
        if missing is not None:
            _write(missing, missing_cases(mutation))
    _say(found, lines, as_json)
    _leave(wrong=bool(run.failed) or (covered and (bool(run.uncovered) or unnoticed)))


@policy_app.command(name="edges")
def show_edges(
    file: PolicyFile,
    rules: Annotated[list[str] | None, typer.Option("--rule", metavar="ID", help="Only this rule; repeatable.")] = None,
    out: Annotated[Path | None, typer.Option("--out", metavar="CASES", help="Write them as cases, as YAML.")] = None,
    as_json: AsJson = False,
    timeout_s: Seconds = 60.0,
) -> None:
    """Show the edges of each rule: the nearest kept and broken calls, values at bounds, and calls without a fact.

    Every edge is a call with the decision that the policy makes on it now. If the decision is not what was meant, the
    rule is wrong. The two calls of a pair differ in one value wherever that is possible.

    Exit code: 2 for an unusable policy or an unknown rule, 3 if some edges were not found, and 0 otherwise.
    """
    from holdtrue.budget import Budget
    from holdtrue.guard.analysis.case_mutation import cases_of
    from holdtrue.guard.analysis.edges import find_edges
    from holdtrue.guard.analysis.report_lines import edges_lines

    print_any_text()
    found = find_edges(_policy(file), rules or None, Budget(timeout_s=timeout_s))
    if out is not None:
        _write(out, cases_of(found))
    _say([own.to_json() for own in found], edges_lines(found), as_json)
    _leave(wrong=False, undecided=any(own.undecided for own in found))


@policy_app.command(name="explain")
def explain_call(
    file: PolicyFile,
    call: Annotated[str, typer.Argument(metavar="CALL", help="A call, as JSON or YAML; - is standard input.")] = "",
    as_json: AsJson = False,
    timeout_s: Annotated[float, typer.Option("--timeout-s", min=0.001, help="Seconds of solver time.")] = 2.0,
    rule: Annotated[str, typer.Option("--counterexample", metavar="RULE", help="In place of a call: a rule.")] = "",
) -> None:
    """Decide on one call, and report each rule's outcome and reasons, missing facts, and a call that keeps every rule.

    The call is written like a case, without a name and an expected decision: tool, call, facts, said and so on.

    With --counterexample, find calls that a rule does not break or keep as expected, because a field is missing.

    Exit code: 2 for an unusable file. Otherwise the decision sets it: 1 for block, 3 for ask and confirm, 0 for allow.
    With --counterexample it is 1 for a found call, 3 if something was not decided, and 0 otherwise.
    """
    from holdtrue.budget import Budget
    from holdtrue.guard.analysis.case_file import read_situation
    from holdtrue.guard.analysis.report_lines import counterexample_lines, decision_lines, end_lines, findings_json

    print_any_text()
    policy, budget = _policy(file), Budget(timeout_s=timeout_s)
    if bool(rule) is bool(call):
        raise SettingsError("say a call to explain, or --counterexample with a rule")
    if rule:
        from holdtrue.guard.analysis.missing_fields import find_counterexamples

        found, undecided = find_counterexamples(policy, rule, budget)
        _say([own.to_json() for own in found], counterexample_lines(found, undecided), as_json)
        _leave(wrong=bool(found), undecided=bool(undecided))
    situation = read_situation(_text(call), policy, where=input_name(call))
    if not situation.tool:
        findings = situation.at_the_end(policy, budget=budget)
        _say(findings_json(findings), end_lines(findings), as_json)
        statuses = {own.status for own in findings}
        _leave(wrong="broken" in statuses, undecided="undecided" in statuses)
    decision = situation.decide(policy, budget=budget, explain=True)
    _say(decision.to_json(), decision_lines(decision), as_json)
    _leave(wrong=decision.kind == "block", undecided=decision.kind in ("ask", "confirm"))


def _policy(file: Path) -> Policy:
    from holdtrue.guard.policy_file import load_policy

    return load_policy(file)


def _text(file: str) -> str:
    with open_input(file) as stream:
        return stream.read()


def _write(file: Path, cases: Iterable[Case]) -> None:
    from holdtrue.files import write_whole
    from holdtrue.guard.analysis.case_file import write_cases

    write_whole(file, write_cases(cases))


def _say(found: Any, lines: Iterable[str], as_json: bool) -> None:
    if as_json:
        from holdtrue.guard.analysis import report_lines

        print(report_lines.as_json(found))
        return
    for line in lines:
        print(line)


def _leave(*, wrong: bool, undecided: bool = False) -> None:
    raise typer.Exit(ExitCode.WRONG if wrong else ExitCode.UNDECIDED if undecided else ExitCode.OK)
