"""The command `holdtrue explain`: can a ledger be kept, why not, what would mend it, and what does it imply?"""

from __future__ import annotations

import json
from collections.abc import Mapping
from itertools import chain, islice
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.exits import ExitCode, exit_for, first_of
from holdtrue.cli.logged_input import logged_turns, print_any_text, read_turn, say_error
from holdtrue.errors import InfrastructureError, InputError, SettingsError

if TYPE_CHECKING:
    from holdtrue.budget import Budget
    from holdtrue.ledger.ledger import Ledger
    from holdtrue.verification.explanation_results import Explained
    from holdtrue.verification.logged_turn import LoggedTurn
    from holdtrue.verification.verifier import Verifier


def explain(
    file: Annotated[str, typer.Argument(help="Logged turns: JSON, or one object a line; - reads standard input.")],
    every: Annotated[bool, typer.Option("--all", help="All conflicts instead of the smallest one.")] = False,
    jsonl: Annotated[bool, typer.Option("--jsonl", help="One object a line, whatever the file's name.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object a line instead of sentences.")] = False,
    domain: Annotated[str | None, typer.Option(help="module:Name or file.py:Name.")] = None,
    certificate: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Write a proof of the conflict, or a witness.")
    ] = None,
    smtlib: Annotated[Path | None, typer.Option(metavar="FILE", help="Write the ledger as SMT-LIB.")] = None,
    recheck: Annotated[bool, typer.Option("--recheck", help="Ask another solver the same.")] = False,
    timeout_s: Annotated[float, typer.Option(help="Seconds of solver time for all about one ledger.")] = 5.0,
    verbose: Annotated[bool, typer.Option("--verbose", help="Tell which solver, and why, on standard error.")] = False,
) -> None:
    """Explain a ledger: can all of it be kept, which commitments clash, what would mend it, and what is left?

    The input is that of check; an answer need not be in it. --certificate and --smtlib take one ledger.

    Exit code, the first that applies: 4 for infrastructure, 2 for an unreadable line. Then 1 for a contradiction or an
    answer that breaks a commitment, 3 for something undecided, and 0 otherwise.
    """
    from holdtrue.budget import Budget
    from holdtrue.world.registry import find_domain

    own, budget = find_domain(domain) if domain else None, Budget(timeout_s=timeout_s)
    print_any_text()
    turns = logged_turns(file, lines=jsonl)
    begun = list(islice(turns, 2))
    if len(begun) > 1 and (certificate or smtlib):
        raise SettingsError("--certificate and --smtlib are for one ledger, and there are several")
    exits = {ExitCode.OK}
    for line, text in chain(begun, turns):
        try:
            turn = read_turn(text, own)
            explained, written = _explain(turn, budget, every, certificate, smtlib, recheck)
        except InputError as error:
            exits.add(ExitCode.USAGE)
            say_error(line, error, as_json)
            continue
        exits.add(exit_for(explained.outcome))
        _say(turn.id, explained, written, as_json=as_json, verbose=verbose)
    raise typer.Exit(first_of(exits))


def _explain(
    turn: LoggedTurn, budget: Budget, every: bool, certificate: Path | None, smtlib: Path | None, recheck: bool
) -> tuple[Explained, dict[str, Any]]:
    """Return the explanation of a turn's ledger, and the extra results by their keys in JSON."""
    from holdtrue.solving.route import make_engine
    from holdtrue.verification.explanation import explain_ledger
    from holdtrue.verification.verifier import Verifier

    instance, (ledger, ids) = turn.instance, turn.enter()
    verifier = Verifier(instance, make_engine(list(instance.variables.values()), instance.background), budget)
    explained = explain_ledger(verifier, ledger, turn.read_answer(), every_conflict=every, ids=ids)
    files, reason = _certify(ledger, ids.full_names, verifier, certificate) if certificate else ((), None)
    if smtlib:
        _write_smtlib(ledger, ids.full_names, smtlib)
    return explained, {
        "certificate": [str(file) for file in files],
        "certificate_reason": reason,
        "smtlib": smtlib and str(smtlib),
        "recheck": _recheck(ledger, verifier) if recheck else None,
    }


def _certify(
    ledger: Ledger, names: Mapping[str, str], verifier: Verifier, folder: Path
) -> tuple[tuple[Path, ...], str | None]:
    """Return the files of a certificate, and None or the reason why there are none."""
    from holdtrue.solving.certificate import NoCertificate, write_certificate
    from holdtrue.verification.ledger_theory import Theory, certify

    found = certify(Theory.of(ledger), verifier.engine, verifier.budget, names)
    return ((), found.reason) if isinstance(found, NoCertificate) else (write_certificate(found, folder), None)


def _recheck(ledger: Ledger, verifier: Verifier) -> str:
    """Return the result of another solver as a sentence."""
    from holdtrue.solving.recheck import Confirmed
    from holdtrue.verification.ledger_theory import Theory, recheck_theory

    found = recheck_theory(Theory.of(ledger), verifier.engine, verifier.budget)
    return f"{found.by} says the same" if isinstance(found, Confirmed) else f"it could not be checked: {found.reason}"


def _write_smtlib(ledger: Ledger, names: Mapping[str, str], file: Path) -> None:
    from holdtrue.files import write_whole
    from holdtrue.verification.ledger_theory import ledger_text

    try:
        write_whole(file, ledger_text(ledger, names))
    except OSError as error:
        raise InfrastructureError(f"{file} cannot be written: {error.strerror or error}") from error


def _say(id: str, explained: Explained, written: Mapping[str, Any], *, as_json: bool, verbose: bool) -> None:
    if verbose:
        typer.echo(f"{id or 'ledger'}: {explained.engine}", err=True)
    if as_json:
        print(json.dumps({"id": id, **explained.to_json(), **written}))
        return
    print(f"{id or 'ledger'}: {explained.outcome.value}")
    for sentence in explained.sentences:
        print(f"  {sentence}")
    if files := written["certificate"]:
        print(f"  The certificate: {', '.join(files)}")
    if reason := written["certificate_reason"]:
        print(f"  There is no certificate: {reason}.")
    if recheck := written["recheck"]:
        print(f"  Asked of another solver: {recheck}.")
    if smtlib := written["smtlib"]:
        print(f"  As SMT-LIB: {smtlib}")
