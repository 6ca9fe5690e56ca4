"""The studies of claims: drift that is found in dialogues, models that judge claims, and formulas that only nearly fit.

`holdtrue study dialogues` measures how much of the drift in scripted dialogues a model finds with the solver's help,
`holdtrue study judges` how often a model is right that judges claims: the file that it writes lets judges count.
`holdtrue study decomposition` compares the claims that a model finds in answers with gold claims.
`holdtrue study gate` asks whether a model sees that a formula says what its sentence says, or only nearly.
"""

from __future__ import annotations

import datetime
import json
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.model_options import known_model, reading_model
from holdtrue.errors import SettingsError
from holdtrue_claims.claim_record import SoftVerdict
from holdtrue_lab.cli.study import study_app as study_app

if TYPE_CHECKING:
    from holdtrue.budget import Budget
    from holdtrue_claims.kind.calibration import Calibration
    from holdtrue_claims.kind.record import ClaimsRecord
    from holdtrue_claims.kind.settings import FormalSettings
    from holdtrue_lab.figures.statistics import Rate
    from holdtrue_lab.kinds.claims.dialogue import Dialogue
    from holdtrue_lab.kinds.claims.gate.measure import Decision, GateRow
    from holdtrue_lab.kinds.claims.gate.pairs import MinimalPair
    from holdtrue_lab.kinds.claims.item import Item
    from holdtrue_lab.kinds.claims.settings import Formal
    from holdtrue_lab.suites.verge.decomposition_study import ComparedAnswer, DecompositionRow, GoldAnswer
    from holdtrue_lab.suites.verge.dialogues.study import DriftScore
    from holdtrue_lab.suites.verge.judges_study import KnownClaim


@study_app.command(name="dialogues")
def study_dialogues(
    model: Annotated[
        str, typer.Option(help="Such as openai/NAME, local/NAME, sim/claims:misread=0.1.", callback=known_model)
    ],
    formal: Annotated[
        str, typer.Option(help="What is known of the logic: llm (nothing), gold_entities, gold.")
    ] = "llm",
    own_reading: Annotated[
        bool, typer.Option("--own-reading", help="Read what the user states from the messages, too.")
    ] = False,
    only: Annotated[str, typer.Option(help="Only dialogues whose name has this in it.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="The counts as one JSON object.")] = False,
    timeout_s: Annotated[float, typer.Option(help="Seconds of solver time per question.")] = 5.0,
) -> None:
    """Scripted dialogues in which some answers drift from what was agreed: found, missed, and false alarms.

    Every answer's claims are tested against what the user said and against earlier accepted claims. Each turn is told
    on standard error.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    import asyncio

    from holdtrue_lab.kinds.claims.settings import read_claims
    from holdtrue_lab.suites.verge.dialogues.study import load_dialogues, measure_dialogues

    claims = read_claims({"formal": formal, "timeout_s": timeout_s})
    found = [each for each in load_dialogues() if only in each.id]
    if not found:
        raise SettingsError(f"no dialogue has {only!r} in its name")
    records = asyncio.run(_play(found, model, claims.formal, given=not own_reading, budget=claims.budget))
    score = measure_dialogues(found, records)
    print(json.dumps(asdict(score)) if as_json else "\n".join(score_lines(score)))
    raise typer.Exit(ExitCode.OK)


def score_lines(score: DriftScore) -> list[str]:
    """The counts in sentences."""
    return [
        f"{score.turns} turns, {score.planted} with drift, {score.near} others that look like it.",
        f"Found {score.found} of {score.planted}, missed {score.missed}, undecided {score.planted_open}.",
        f"False alarms {score.false_alarms} of {score.clean} ({score.near_alarms} of the {score.near}), undecided "
        f"{score.clean_open}.",
        f"Of {score.drifts} drifts {score.named} were explained by just the right statements, {score.located} by "
        "statements of the right turns.",
    ]


async def _play(
    dialogues: list[Dialogue], name: str, formal: Formal, *, given: bool, budget: Budget
) -> dict[str, tuple[ClaimsRecord, ...]]:
    from holdtrue.models.model_registry import open_model
    from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
    from holdtrue_lab.suites.verge.dialogues.study import play_dialogue

    # A simulated model has to know the dialogues; all others are opened by their names.
    opened = SimulatedReasoner(name, dialogues=dialogues) if name.startswith("sim/") else open_model(name)
    async with aclosing(opened) as model:
        return {
            each.id: await play_dialogue(each, model, formal=formal, given=given, budget=budget, watch=_tell_turn)
            for each in dialogues
        }


def _tell_turn(dialogue: Dialogue, number: int, record: ClaimsRecord) -> None:
    planted = "drift was planted" if dialogue.turns[number - 1].drifts else "nothing was planted"
    typer.echo(f"{dialogue.id}, turn {number}: {record.outcome.value} ({planted})", err=True)


@study_app.command(name="judges")
def study_judges(
    model: Annotated[
        str, typer.Option(help="Such as openai/NAME, local/NAME, sim/claims:confuse=0.1.", callback=known_model)
    ],
    out: Annotated[Path, typer.Option(help="The file to write, for --calibration.")],
    count: Annotated[int, typer.Option(min=0, help="How many generated pairs of questions.")] = 40,
    seed: Annotated[int, typer.Option(help="Of the pairs.")] = 7,
    items: Annotated[
        list[Path] | None, typer.Option(help="More questions with right answers, such as FOLIO's; repeatable.")
    ] = None,
    judges: Annotated[int, typer.Option(min=1, help="Judges of each claim.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="The counts as one JSON list.")] = False,
) -> None:
    """Measure how often a model is right that judges claims, on claims of which it is known whether they follow.

    Under `--accept judged` the support of a model's judges counts only where the share of it that is right was
    measured, by type of claim, and is high enough. Each claim is told on standard error.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    import asyncio

    from holdtrue_claims.kind.calibration import calibrations_json, write_calibrations
    from holdtrue_lab.suites.verge.files import load_verge
    from holdtrue_lab.suites.verge.perturb.generate import generate_pairs

    if out.exists():
        raise SettingsError(f"{out} is there already; give another --out, so that nothing is lost")
    found = generate_pairs(seed, count) if count else []
    sources = [f"{count} generated pairs, seed {seed}"] if count else []
    for file in items or ():
        found += load_verge(file)
        sources.append(file.name)
    if not found:
        raise SettingsError("there is nothing to judge: give --count or --items")
    rows = asyncio.run(_measure(found, model, judges, ", ".join(sources)))
    write_calibrations(out, rows)
    print(json.dumps(calibrations_json(rows)) if as_json else "\n".join(map(calibration_line, rows)))
    raise typer.Exit(ExitCode.OK)


def calibration_line(row: Calibration) -> str:
    """One measurement in a sentence."""
    from holdtrue_claims.kind.calibration import wilson_low

    said = f"{row.type.value}: of {row.claims} claims {row.supported} supported"
    if not row.supported:
        return f"{said}."
    low = wilson_low(row.right, row.supported)
    return f"{said}, and {row.right} of these follow ({row.right / row.supported:.0%}, at least {low:.0%})."


async def _measure(items: list[Item], name: str, judges: int, source: str) -> list[Calibration]:
    from holdtrue.models.model_registry import open_model
    from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
    from holdtrue_lab.suites.verge.judges_study import known_claims, measure_judges

    claims = list(known_claims(items))
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    # A simulated model has to know the items; all others are opened by their names.
    opened = SimulatedReasoner(name, items) if name.startswith("sim/") else open_model(name)
    async with aclosing(opened) as model:
        return await measure_judges(claims, model, judges=judges, source=source, date=today, watch=_tell_claim)


def _tell_claim(claim: KnownClaim, verdict: SoftVerdict) -> None:
    known = "it follows" if claim.follows else "it does not follow"
    typer.echo(f"{claim.item}: {verdict.value} ({known}): {claim.text}", err=True)


@study_app.command(name="decomposition")
def study_decomposition(
    model: Annotated[str, typer.Option(help="The model that splits, such as openai/NAME.", callback=reading_model)],
    gold: Annotated[Path, typer.Option(metavar="FILE", help="Answers with their gold claims, as JSON.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of sentences.")] = False,
) -> None:
    """Precision and recall of the claims that a model finds in answers, against gold claims (VERGE, table 10).

    A claim is a gold one in the same words, or if its formula is proved equivalent. All others are told on standard
    error, with the gold claims that were missed, so that people can judge them.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    import asyncio

    from holdtrue_lab.suites.verge.decomposition_study import decomposition_rows, read_gold_answers

    answers = read_gold_answers(gold)
    if not answers:
        raise SettingsError(f"{gold}: there is no answer in it")
    compared = asyncio.run(_compare(answers, model))
    rows = decomposition_rows(compared)
    if as_json:
        each = [{"id": c.answer.id, "found": list(map(asdict, c.found)), "missed": c.missed} for c in compared]
        print(json.dumps({"rows": list(map(asdict, rows)), "answers": each}, ensure_ascii=False))
    else:
        print("\n".join(map(decomposition_line, rows)))
    raise typer.Exit(ExitCode.OK)


def decomposition_line(row: DecompositionRow) -> str:
    """One row in sentences."""
    return (
        f"{row.dataset or 'all'}: {row.answers} answers, {row.claims / row.answers:.1f} claims each. "
        f"Precision {_shown(row.precision)}, recall {_shown(row.recall)}. By words {row.how['words']}, "
        f"by formulas {row.how['formula']}, no gold claim {row.how['other']}, undecided {row.how['undecided']}."
    )


async def _compare(answers: list[GoldAnswer], name: str) -> list[ComparedAnswer]:
    from holdtrue.language.asking import Asking
    from holdtrue.models.model_registry import open_model
    from holdtrue_lab.suites.verge.decomposition_study import compare_answer

    compared = []
    async with aclosing(open_model(name)) as model:
        for answer in answers:
            compared.append(await compare_answer(Asking(model), answer))
            for claim in compared[-1].found:
                if claim.matched is None:
                    typer.echo(f"{answer.id}: no gold claim ({claim.how}): {claim.text}", err=True)
            for id in compared[-1].missed:
                typer.echo(f"{answer.id}: missed {id}: {answer.claims[id][0]}", err=True)
    return compared


@study_app.command(name="gate")
def study_gate(
    pairs: Annotated[Path, typer.Option(metavar="FILE", help="Minimal pairs, a JSON list.")],
    model: Annotated[
        str,
        typer.Option(help="The judge: local/NAME, sim/claims (ideal), sim/claims:confuse=0.1.", callback=known_model),
    ] = "sim/claims",
    rounds: Annotated[int, typer.Option(min=1, help="How often each group of statements is shown at most.")] = 3,
    shown: Annotated[int, typer.Option(min=2, help="Statements shown at once, beside none of these.")] = 4,
    variants: Annotated[int, typer.Option(min=1, help="Near variants of a formula that are asked about.")] = 6,
    every: Annotated[int, typer.Option(min=1, help="Take only every so many pairs.")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Wrong formulas that pass and right ones that do not, by kind of difference; the round trip stands beside it.

    Each pair is four questions: its formula for its sentence and a paraphrase, which are right, and two that are wrong.
    Decisions that are wrong are told on standard error.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    import asyncio

    from holdtrue_claims.kind.settings import FormalSettings
    from holdtrue_lab.kinds.claims.gate.measure import gate_rows
    from holdtrue_lab.kinds.claims.gate.pairs import read_pairs

    settings = FormalSettings(choice_rounds=rounds, choice_shown=shown, choice_variants=variants)
    chosen = read_pairs(pairs)[::every]
    if not chosen:
        raise SettingsError(f"{pairs}: there is no pair in it")
    decisions = asyncio.run(_decide(model, chosen, settings))
    rows = gate_rows(decisions)
    if as_json:
        found = {"rows": [asdict(row) for row in rows], "decisions": [asdict(each) for each in decisions]}
        print(json.dumps(found, ensure_ascii=False))
    else:
        print("\n".join(row_lines(rows)))
    raise typer.Exit(ExitCode.OK)


def row_lines(rows: list[GateRow]) -> list[str]:
    """Return the figures as lines of a table."""
    lines = [f"{'gate':<12}{'kind':<16}{'accepted wrongly':<26}{'refused wrongly':<26}{'calls':>6}{'seconds':>9}"]
    for row in rows:
        errors = f"{_shown(row.accepted_wrongly):<26}{_shown(row.refused_wrongly):<26}"
        gate = row.gate.replace("_", " ")
        lines.append(f"{gate:<12}{row.kind.replace('_', ' '):<16}{errors}{row.calls:>6.1f}{row.seconds:>9.2f}")
    return lines


def _shown(rate: Rate) -> str:
    if rate.value is None or rate.low is None or rate.high is None:
        return "-"
    return f"{rate.hits} of {rate.of} ({rate.low:.1%} to {rate.high:.1%})"


async def _decide(name: str, pairs: tuple[MinimalPair, ...], settings: FormalSettings) -> list[Decision]:
    from holdtrue.models.model_registry import open_model
    from holdtrue_lab.kinds.claims.gate.judge import PairJudge
    from holdtrue_lab.kinds.claims.gate.measure import decide_pairs

    # A simulated judge has to know the pairs; all others are opened by their names.
    opened = PairJudge(name, pairs) if name.startswith("sim/") else open_model(name)
    async with aclosing(opened) as model:
        return await decide_pairs(model, pairs, settings, watch=_tell_decision)


def _tell_decision(decision: Decision) -> None:
    if decision.accepted != decision.right:
        what = "refused, though right" if decision.right else "accepted, though wrong"
        typer.echo(f"{decision.pair}, {decision.gate}: {what}: {decision.text} ({decision.reason})", err=True)
