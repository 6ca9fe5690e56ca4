"""This module defines the studies of claims.

`holdtrue study dialogues` measures how many contradictions in scripted dialogues a model finds with the solver's help.
`holdtrue study judges` measures how often a model judges claims correctly, and writes a calibration file for judges.
`holdtrue study decomposition` compares the claims that a model finds in answers with gold claims. `holdtrue study gate`
measures whether a model notices that a formula does not quite fit its sentence.
"""

from __future__ import annotations

import datetime
import json
from collections.abc import Callable, Coroutine, Iterable
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar, get_args

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.model_options import known_model, reading_model
from holdtrue.errors import SettingsError
from holdtrue.options import one_of
from holdtrue_claims.claim_record import SoftVerdict
from holdtrue_lab.cli.study import study_app as study_app

if TYPE_CHECKING:
    from holdtrue.models.chat import ChatModel
    from holdtrue_claims.kind.calibration import Calibration
    from holdtrue_claims.kind.record import ClaimsRecord
    from holdtrue_lab.figures.statistics import Rate
    from holdtrue_lab.kinds.claims.dialogue import Dialogue
    from holdtrue_lab.kinds.claims.gate.pairs import Decision, GateRow
    from holdtrue_lab.suites.verge.decomposition_study import ComparedAnswer, DecompositionRow
    from holdtrue_lab.suites.verge.dialogues.study import DriftScore
    from holdtrue_lab.suites.verge.judges_study import KnownClaim

Found = TypeVar("Found")


@study_app.command(name="dialogues")
def study_dialogues(
    model: Annotated[
        str, typer.Option(help="Such as openai/NAME, local/NAME, sim/claims:misread=0.1.", callback=known_model)
    ],
    formal: Annotated[str, typer.Option(help="The known part of the logic: llm (none), gold_entities, gold.")] = "llm",
    own_reading: Annotated[
        bool, typer.Option("--own-reading", help="Let the model also read the user's statements from the messages.")
    ] = False,
    only: Annotated[str, typer.Option(help="Play only dialogues whose names contain this text.")] = "",
    as_json: Annotated[bool, typer.Option("--json", help="Print the counts as one JSON object.")] = False,
    timeout_s: Annotated[float, typer.Option(help="Seconds of solver time per question.")] = 5.0,
) -> None:
    """Play scripted dialogues with contradictions. Count found and missed contradictions, and false alarms.

    Some answers contradict earlier statements. Every answer's claims are tested against the user's statements and
    earlier accepted claims. Each turn is printed on standard error.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    from holdtrue_lab.kinds.claims.settings import ClaimSettings, Formal
    from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
    from holdtrue_lab.suites.verge.dialogues.study import load_dialogues, measure_dialogues, play_dialogue

    claims = ClaimSettings(formal=one_of("kind of formulas", formal, get_args(Formal)), timeout_s=timeout_s)
    found = [each for each in load_dialogues() if only in each.id]
    if not found:
        raise SettingsError(f"no dialogue has {only!r} in its name")

    async def play(asked: ChatModel) -> dict[str, tuple[ClaimsRecord, ...]]:
        given, budget = not own_reading, claims.budget
        return {
            each.id: await play_dialogue(
                each, asked, formal=claims.formal, given=given, budget=budget, watch=_tell_turn
            )
            for each in found
        }

    score = measure_dialogues(found, _ask(model, play, lambda: SimulatedReasoner(model, dialogues=found)))
    _give(asdict(score), score_lines(score), as_json=as_json)


def score_lines(score: DriftScore) -> list[str]:
    return [
        f"{score.turns} turns, {score.planted} with drift, {score.near} others that look like it.",
        f"Found {score.found} of {score.planted}, missed {score.missed}, undecided {score.planted_open}.",
        f"False alarms {score.false_alarms} of {score.clean} ({score.near_alarms} of the {score.near}), undecided "
        f"{score.clean_open}.",
        f"Of {score.drifts} drifts {score.named} were explained by just the right statements, {score.located} by "
        "statements of the right turns.",
    ]


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
    seed: Annotated[int, typer.Option(help="Seed of the pairs.")] = 7,
    items: Annotated[
        list[Path] | None, typer.Option(help="More questions with right answers, such as FOLIO's; repeatable.")
    ] = None,
    judges: Annotated[int, typer.Option(min=1, help="Judges of each claim.")] = 5,
    as_json: Annotated[bool, typer.Option("--json", help="The counts as one JSON list.")] = False,
) -> None:
    """Measure how often a model judges correctly whether claims follow; the right answers are known.

    Under `--accept judged`, a model's judges count for a type of claims only if they were reliable in this study. They
    are reliable if enough of their support was correct. Each claim is printed on standard error.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    from holdtrue_claims.kind.calibration import calibrations_json, write_calibrations
    from holdtrue_lab.kinds.claims.simulation.model import SimulatedReasoner
    from holdtrue_lab.suites.verge.files import load_verge
    from holdtrue_lab.suites.verge.judges_study import known_claims, measure_judges
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
    claims, today = list(known_claims(found)), datetime.datetime.now(tz=datetime.UTC).date().isoformat()

    async def measure(asked: ChatModel) -> list[Calibration]:
        source = ", ".join(sources)
        return await measure_judges(claims, asked, judges=judges, source=source, date=today, watch=_tell_claim)

    rows = _ask(model, measure, lambda: SimulatedReasoner(model, found))
    write_calibrations(out, rows)
    _give(calibrations_json(rows), map(calibration_line, rows), as_json=as_json)


def calibration_line(row: Calibration) -> str:
    from holdtrue_claims.kind.calibration import wilson_low

    said = f"{row.type.value}: of {row.claims} claims {row.supported} supported"
    if not row.supported:
        return f"{said}."
    low = wilson_low(row.right, row.supported)
    return f"{said}, and {row.right} of these follow ({row.right / row.supported:.0%}, at least {low:.0%})."


def _tell_claim(claim: KnownClaim, verdict: SoftVerdict) -> None:
    known = "it follows" if claim.follows else "it does not follow"
    typer.echo(f"{claim.item}: {verdict.value} ({known}): {claim.text}", err=True)


@study_app.command(name="decomposition")
def study_decomposition(
    model: Annotated[str, typer.Option(help="The model that splits, such as openai/NAME.", callback=reading_model)],
    gold: Annotated[Path, typer.Option(metavar="FILE", help="Answers with their gold claims, as JSON.")],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of sentences.")] = False,
) -> None:
    """Measure precision and recall of the claims that a model finds in answers, against gold claims (VERGE, table 10).

    A claim matches a gold claim if the words are the same, or the formulas are proved equivalent. All other claims are
    printed on standard error, together with the missed gold claims, so that people can judge them.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    from holdtrue.language.asking import Asking
    from holdtrue_lab.suites.verge.decomposition_study import compare_answer, decomposition_rows, read_gold_answers

    answers = read_gold_answers(gold)
    if not answers:
        raise SettingsError(f"{gold}: there is no answer in it")

    async def compare(asked: ChatModel) -> list[ComparedAnswer]:
        compared = []
        for answer in answers:
            compared.append(await compare_answer(Asking(asked), answer))
            _tell_compared(compared[-1])
        return compared

    compared = _ask(model, compare)
    rows = decomposition_rows(compared)
    each = [{"id": c.answer.id, "found": list(map(asdict, c.found)), "missed": c.missed} for c in compared]
    _give({"rows": list(map(asdict, rows)), "answers": each}, map(decomposition_line, rows), as_json=as_json)


def decomposition_line(row: DecompositionRow) -> str:
    return (
        f"{row.dataset or 'all'}: {row.answers} answers, {row.claims / row.answers:.1f} claims each. "
        f"Precision {_shown(row.precision)}, recall {_shown(row.recall)}. By words {row.how['words']}, "
        f"by formulas {row.how['formula']}, no gold claim {row.how['other']}, undecided {row.how['undecided']}."
    )


def _tell_compared(compared: ComparedAnswer) -> None:
    answer = compared.answer
    for claim in compared.found:
        if claim.matched is None:
            typer.echo(f"{answer.id}: no gold claim ({claim.how}): {claim.text}", err=True)
    for id in compared.missed:
        typer.echo(f"{answer.id}: missed {id}: {answer.claims[id][0]}", err=True)


@study_app.command(name="gate")
def study_gate(
    pairs: Annotated[Path, typer.Option(metavar="FILE", help="Minimal pairs, a JSON list.")],
    model: Annotated[
        str,
        typer.Option(help="The judge: local/NAME, sim/claims (ideal), sim/claims:confuse=0.1.", callback=known_model),
    ] = "sim/claims",
    rounds: Annotated[int, typer.Option(min=1, help="The most times that each group of statements is shown.")] = 3,
    shown: Annotated[int, typer.Option(min=2, help="Statements shown at once, besides 'none of these'.")] = 4,
    variants: Annotated[int, typer.Option(min=1, help="Near variants of a formula to ask about.")] = 6,
    every: Annotated[int, typer.Option(min=1, help="Use only each N-th pair.", metavar="N")] = 1,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of a table.")] = False,
) -> None:
    """Count wrong formulas that pass a test, and right ones that fail it, by kind of difference.

    The two tests are a choice among statements and a round trip. Each pair gives four questions: its formula with its
    sentence and with a paraphrase, which are right, and two wrong combinations. Wrong decisions are printed on standard
    error.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    from holdtrue_claims.kind.settings import FormalSettings
    from holdtrue_lab.kinds.claims.gate.judge import PairJudge
    from holdtrue_lab.kinds.claims.gate.pairs import decide_pairs, gate_rows, read_pairs

    settings = FormalSettings(choice_rounds=rounds, choice_shown=shown, choice_variants=variants)
    chosen = read_pairs(pairs)[::every]
    if not chosen:
        raise SettingsError(f"{pairs}: there is no pair in it")

    def decide(asked: ChatModel) -> Coroutine[Any, Any, list[Decision]]:
        return decide_pairs(asked, chosen, settings, watch=_tell_decision)

    decisions = _ask(model, decide, lambda: PairJudge(model, chosen))
    rows = gate_rows(decisions)
    found = {"rows": [asdict(row) for row in rows], "decisions": [asdict(each) for each in decisions]}
    _give(found, row_lines(rows), as_json=as_json)


def row_lines(rows: list[GateRow]) -> list[str]:
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


def _tell_decision(decision: Decision) -> None:
    if decision.accepted != decision.right:
        what = "refused, though right" if decision.right else "accepted, though wrong"
        typer.echo(f"{decision.pair}, {decision.gate}: {what}: {decision.text} ({decision.reason})", err=True)


def _ask(
    name: str,
    study: Callable[[ChatModel], Coroutine[Any, Any, Found]],
    simulated: Callable[[], ChatModel] | None = None,
) -> Found:
    """Return the result of a study with the named model; `simulated` makes a model that knows the study's items."""
    import asyncio

    from holdtrue_lab.cli.server_options import STUDY, open_for

    async def run() -> Found:
        knowing = simulated() if simulated is not None and name.startswith("sim/") else None
        async with aclosing(knowing or open_for(name, STUDY.get())) as model:
            return await study(model)

    return asyncio.run(run())


def _give(found: object, lines: Iterable[str], *, as_json: bool) -> None:
    print(json.dumps(found, ensure_ascii=False) if as_json else "\n".join(lines))
    raise typer.Exit(ExitCode.OK)
