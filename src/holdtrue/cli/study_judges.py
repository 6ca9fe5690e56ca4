"""`holdtrue study judges`: how often is a model right that judges claims? The file that it writes lets judges count."""

from __future__ import annotations

import datetime
import json
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.claim_record import SoftVerdict
from holdtrue.cli.exits import ExitCode
from holdtrue.cli.model_names import known_model
from holdtrue.cli.study_dialogues import study_app as study_app
from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.kinds.claims.calibration import Calibration
    from holdtrue.lab.kinds.claims.item import Item
    from holdtrue.lab.suites.verge.judges_study import KnownClaim


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

    from holdtrue.kinds.claims.calibration import calibrations_json, write_calibrations
    from holdtrue.lab.suites.verge.files import load_verge
    from holdtrue.lab.suites.verge.perturb.generate import generate_pairs

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
    from holdtrue.kinds.claims.calibration import wilson_low

    said = f"{row.type.value}: of {row.claims} claims {row.supported} supported"
    if not row.supported:
        return f"{said}."
    low = wilson_low(row.right, row.supported)
    return f"{said}, and {row.right} of these follow ({row.right / row.supported:.0%}, at least {low:.0%})."


async def _measure(items: list[Item], name: str, judges: int, source: str) -> list[Calibration]:
    from holdtrue.lab.kinds.claims.simulation.model import SimulatedReasoner
    from holdtrue.lab.suites.verge.judges_study import known_claims, measure_judges
    from holdtrue.models.model_registry import open_model

    claims = list(known_claims(items))
    today = datetime.datetime.now(tz=datetime.UTC).date().isoformat()
    # A simulated model has to know the items; all others are opened by their names.
    opened = SimulatedReasoner(name, items) if name.startswith("sim/") else open_model(name)
    async with aclosing(opened) as model:
        return await measure_judges(claims, model, judges=judges, source=source, date=today, watch=_tell)


def _tell(claim: KnownClaim, verdict: SoftVerdict) -> None:
    known = "it follows" if claim.follows else "it does not follow"
    typer.echo(f"{claim.item}: {verdict.value} ({known}): {claim.text}", err=True)
