"""`holdtrue study dialogues`: how much of the drift in scripted dialogues does a model find with the solver's help?"""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.model_names import known_model
from holdtrue.cli.study import study_app as study_app
from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.budget import Budget
    from holdtrue.kinds.claims.record import ClaimsRecord
    from holdtrue.lab.kinds.claims.dialogue import Dialogue
    from holdtrue.lab.kinds.claims.settings import Formal
    from holdtrue.lab.suites.verge.dialogues.study import DriftScore


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

    from holdtrue.lab.kinds.claims.settings import read_claims
    from holdtrue.lab.suites.verge.dialogues.study import load_dialogues, measure_dialogues

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
    from holdtrue.lab.kinds.claims.simulation.model import SimulatedReasoner
    from holdtrue.lab.suites.verge.dialogues.study import play_dialogue
    from holdtrue.models.model_registry import open_model

    # A simulated model has to know the dialogues; all others are opened by their names.
    opened = SimulatedReasoner(name, dialogues=dialogues) if name.startswith("sim/") else open_model(name)
    async with aclosing(opened) as model:
        return {
            each.id: await play_dialogue(each, model, formal=formal, given=given, budget=budget, watch=_tell)
            for each in dialogues
        }


def _tell(dialogue: Dialogue, number: int, record: ClaimsRecord) -> None:
    planted = "drift was planted" if dialogue.turns[number - 1].drifts else "nothing was planted"
    typer.echo(f"{dialogue.id}, turn {number}: {record.outcome.value} ({planted})", err=True)
