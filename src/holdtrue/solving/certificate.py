"""Write refutations with their proofs, and witnesses with the formulas they satisfy, for other programs to check."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.budget import Budget
from holdtrue.errors import FormulaError, InfrastructureError
from holdtrue.files import write_whole
from holdtrue.logic.evaluate import evaluate
from holdtrue.logic.formula import Compare, Constant, Formula, Variable
from holdtrue.solving.cnf import Cnf, Kind, Statement, encode
from holdtrue.solving.encoding import NotEncodable
from holdtrue.solving.engine import EngineFault, Soft
from holdtrue.solving.result import Id, Unknown, Witness

CHUNK = 2_000
"""The most conflicts between two looks at the clock, some tens of milliseconds."""


@dataclass(frozen=True, slots=True)
class Certificate:
    """A proof that the formulas with these `ids` exclude each other. `proof` is DRAT text that refutes `cnf`."""

    ids: tuple[Id, ...]
    cnf: Cnf
    proof: str


@dataclass(frozen=True, slots=True)
class NoCertificate:
    """There is no proof, for this `reason`. The result may still be true."""

    reason: str


@dataclass(frozen=True, slots=True)
class Holds:
    """A statement that holds under a witness. `values` are those of the variables in its formula, as text."""

    kind: Kind
    id: Id
    words: str
    formula: str
    values: Mapping[str, str]


@dataclass(frozen=True, slots=True)
class WitnessCertificate:
    """A `witness`, and all statements that it satisfies, each with the values that its evaluation used."""

    witness: Witness
    holds: tuple[Holds, ...]

    def to_json(self) -> dict[str, Any]:
        return {
            "witness": dict(self.witness),
            "holds": [
                {"kind": own.kind, "id": own.id, "says": own.words, "formula": own.formula, "where": dict(own.values)}
                for own in self.holds
            ],
        }


def certificate(
    variables: Sequence[Variable],
    background: Sequence[Formula],
    soft: Soft,
    ids: Sequence[Id],
    sentences: Mapping[Id, str],
    budget: Budget,
    *,
    laws: Sequence[str] = (),
    fixed: Mapping[str, int] | None = None,
) -> Certificate | NoCertificate:
    """Prove once more that the `ids` of `soft` exclude each other, from asserted clauses.

    `sentences` gives words for ids, and `laws` one sentence for each formula of `background`. A formula without a
    sentence is printed instead. `fixed` values count as background, as in `mus`. Raises `EngineFault` if the statements
    can hold together, because then `ids` was no core.
    """
    statements = list(_statements(variables, background, soft, ids, sentences, laws, fixed or {}))
    try:
        cnf = encode(variables, statements)
    except NotEncodable as error:
        return NoCertificate(f"a proof is made of clauses, and {error}")
    lemmas = refute(cnf.clauses, budget)
    if lemmas is None:
        raise EngineFault(f"these were said to exclude each other, and do not: {', '.join(ids) or 'the background'}")
    if isinstance(lemmas, Unknown):
        return NoCertificate(lemmas.reason)
    return Certificate(tuple(ids), cnf, "\n".join(lemmas) + "\n")


def witness_certificate(
    variables: Sequence[Variable],
    background: Sequence[Formula],
    soft: Soft,
    witness: Witness,
    sentences: Mapping[Id, str],
    *,
    laws: Sequence[str] = (),
) -> WitnessCertificate:
    """Evaluate every statement under the witness. Raises `EngineFault` if one does not hold."""
    sorts = {variable.name: variable.sort for variable in variables}
    for name, sort in sorts.items():
        if witness[name] not in sort:
            raise EngineFault(f"a witness gives {name} the value {witness[name]}, outside {sort}")
    holds = []
    for statement in _statements(variables, background, soft, tuple(soft), sentences, laws, {}):
        formula = statement.formula
        values = {v.name: v.sort.show(witness[v.name]) for v in variables if v in formula.variables}
        if not evaluate(formula, witness):
            raise EngineFault(f"a witness breaks {statement.kind} {statement.id}: {formula} under {values}")
        holds.append(Holds(statement.kind, statement.id, statement.words, str(formula), values))
    return WitnessCertificate(witness, tuple(holds))


def _statements(
    variables: Sequence[Variable],
    background: Sequence[Formula],
    soft: Soft,
    ids: Iterable[Id],
    sentences: Mapping[Id, str],
    laws: Sequence[str],
    fixed: Mapping[str, int],
) -> Iterator[Statement]:
    for number, formula in enumerate(background, 1):
        yield Statement("law", str(number), laws[number - 1] if laws else str(formula), formula)
    by_name = {variable.name: variable for variable in variables}
    for name, value in fixed.items():
        if name not in by_name:
            raise FormulaError(f"there is no variable {name!r}")
        words = f"{name} is {by_name[name].sort.show(value)}"
        yield Statement("given", name, words, Compare("==", by_name[name], Constant(value)))
    for id in ids:
        yield Statement("commitment", id, sentences.get(id, str(soft[id])), soft[id])


def write_certificate(certificate: Certificate | WitnessCertificate, folder: str | Path) -> tuple[Path, ...]:
    """Write a refutation as `formula.cnf`, `proof.drat` and `map.json`, or a witness as `witness.json`.

    The folder is created if it is missing. Any DRAT checker can read the proof: `drat-trim formula.cnf proof.drat`.
    Raises `InfrastructureError` if a file cannot be written.
    """
    folder, texts = Path(folder), _texts(certificate)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        for name, text in texts.items():
            write_whole(folder / name, text)
    except OSError as error:
        raise InfrastructureError(f"{folder} cannot be written: {error.strerror or error}") from error
    return tuple(folder / name for name in texts)


def _texts(certificate: Certificate | WitnessCertificate) -> dict[str, str]:
    if isinstance(certificate, WitnessCertificate):
        return {"witness.json": _json(certificate.to_json())}
    return {
        # A user's words may hold lone surrogates, which UTF-8 cannot encode. They are written as escapes.
        "formula.cnf": certificate.cnf.dimacs().encode("utf-8", "backslashreplace").decode("utf-8"),
        "proof.drat": certificate.proof,
        "map.json": _json(certificate.cnf.to_json()),
    }


def _json(value: object) -> str:
    return json.dumps(value, indent=2) + "\n"


def refute(clauses: Iterable[Sequence[int]], budget: Budget) -> list[str] | Unknown | None:
    """Return the lines of a proof that the clauses, all asserted, cannot hold together, or None if they can."""
    from pysat.solvers import Glucose4

    from holdtrue.solving.incremental_solver import solve_in_chunks

    with Glucose4(bootstrap_with=clauses, with_proof=True) as solver:
        found = solve_in_chunks(solver, [], budget, largest=CHUNK)
        if isinstance(found, Unknown):
            return found
        return None if found else _lemmas(solver.get_proof())


def _lemmas(lines: Iterable[str]) -> list[str]:
    """Return the learned clauses without the deletions.

    All lemmas of Glucose follow by unit propagation, also from a larger set of clauses. Checkers disagree about the
    deletion of a clause that is the reason for a literal, so no deletion is written. If propagation alone refutes,
    Glucose writes nothing at all.
    """
    learned = [line for line in lines if not line.startswith("d") and line != "0"]
    return [*learned, "0"]
