"""`holdtrue study gate`: does a model see whether a formula says what its sentence says, or only nearly?"""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import asdict
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.model_names import known_model
from holdtrue.cli.study_judges import study_app as study_app
from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.figures.statistics import Rate
    from holdtrue.kinds.claims.settings import FormalSettings
    from holdtrue.lab.kinds.claims.gate.measure import Decision, GateRow
    from holdtrue.lab.kinds.claims.gate.pairs import MinimalPair


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

    from holdtrue.kinds.claims.settings import FormalSettings
    from holdtrue.lab.kinds.claims.gate.measure import gate_rows
    from holdtrue.lab.kinds.claims.gate.pairs import read_pairs

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
    from holdtrue.lab.kinds.claims.gate.judge import PairJudge
    from holdtrue.lab.kinds.claims.gate.measure import decide_pairs
    from holdtrue.models.model_registry import open_model

    # A simulated judge has to know the pairs; all others are opened by their names.
    opened = PairJudge(name, pairs) if name.startswith("sim/") else open_model(name)
    async with aclosing(opened) as model:
        return await decide_pairs(model, pairs, settings, watch=_tell)


def _tell(decision: Decision) -> None:
    if decision.accepted != decision.right:
        what = "refused, though right" if decision.right else "accepted, though wrong"
        typer.echo(f"{decision.pair}, {decision.gate}: {what}: {decision.text} ({decision.reason})", err=True)
