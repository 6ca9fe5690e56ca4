"""`holdtrue study reading`: fit how much each sign says for a value, or for a constraint of a single message."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.model_names import known_model
from holdtrue.cli.study_gate import study_app as study_app

if TYPE_CHECKING:
    from holdtrue.lab.kinds.readings.fitting import Fit, Views
    from holdtrue.lab.kinds.readings.problem import Dialogue

VIEWS, WEIGHTS = "views.jsonl", "weights.json"


def _known_if_any(name: str | None) -> str | None:
    return None if name is None else known_model(name)


@study_app.command(name="reading")
def study_reading(
    data: Annotated[Path, typer.Option(help="A folder or file with dialogues, or messages, and gold.")],
    out: Annotated[Path, typer.Option(help="The study's folder: views.jsonl or scores.jsonl, and weights.json.")],
    model: Annotated[
        str | None,
        typer.Option(
            help="Whose view of each message counts; without one code reads dialogues alone.", callback=_known_if_any
        ),
    ] = None,
    most_asked: Annotated[
        int | None,
        typer.Option(min=1, help="Of single messages, ask the model about at most so many, and learn words of all."),
    ] = None,
    locale: Annotated[str, typer.Option(help="The locale of dates, times and numbers.")] = "en-US",
) -> None:
    """Fit the weights of a reader on dialogues with gold, and tell what it finds on services that it has not seen.

    The model is asked once a message; the same command goes on with a study that ended early. What is written can be
    played: `holdtrue run reading --weights OUT/weights.json`.

    On single messages with gold, fit instead the weights of sentences, as the package's reading_weights.json has them:
    by which words a domain's constraints are said, how likely the model finds a sentence by each, and what leaves a
    sentence open.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    from holdtrue.cli.study_sentences import fit_sentences
    from holdtrue.extras import need
    from holdtrue.lab.kinds.readings.problem import Dialogue, MessageItem
    from holdtrue.lab.suites.reading.files import load_items

    need("this study", "numpy")
    items = load_items(data)
    out.mkdir(parents=True, exist_ok=True)
    if messages := [own for own in items if isinstance(own, MessageItem)]:
        lines = fit_sentences(messages, data.name, model, out, WEIGHTS, most_asked)
    else:
        lines = _fit_slots([own for own in items if isinstance(own, Dialogue)], data.name, model, out, locale)
    typer.echo("\n".join(lines))
    typer.echo(f"written: {out / WEIGHTS}", err=True)
    raise typer.Exit(ExitCode.OK)


def _fit_slots(dialogues: list[Dialogue], source: str, model: str | None, out: Path, locale: str) -> list[str]:
    """Fit the weights of slots, write them, and return what to tell."""
    from holdtrue.lab.kinds.readings.fitting import RIDGE, examples_of, fit

    views = None if model is None else _views(model, dialogues, out / VIEWS, locale)
    examples = examples_of(dialogues, views, locale)
    whose = "code alone" if model is None else f"the view of {model}"
    provenance = (
        f"logistic regression, ridge {RIDGE}, on {len(examples)} messages of {len(dialogues)} dialogues of "
        f"{source}, with {whose}"
    )
    found = fit(examples, provenance, lambda text: typer.echo(text, err=True))
    (out / WEIGHTS).write_text(json.dumps(found.weights.to_json(), indent=1) + "\n", encoding="utf-8")
    return _lines(found)


def _views(name: str, dialogues: list[Dialogue], path: Path, locale: str) -> Views:
    import asyncio
    from contextlib import aclosing

    from holdtrue.lab.kinds.readings.views import ask_views
    from holdtrue.models.model_registry import open_model

    def told(number: int, of: int) -> None:
        if number % 25 == 0 or number == of:
            typer.echo(f"{number} of {of} messages", err=True)

    async def ask() -> Views:
        async with aclosing(open_model(name)) as model:
            return await ask_views(model, dialogues, path, locale, told)

    return asyncio.run(ask())


def _lines(found: Fit) -> list[str]:
    """Return the figures as lines: each service was left out once, and its dialogues read by what was left."""
    return [
        "leave one service out, all messages before read rightly",
        f"precision {_percent(found.precision)}, recall {_percent(found.recall)}, F1 {_percent(found.f1)} "
        f"({found.events} events read, {found.gold} in gold)",
        f"calibration error {_percent(found.error)} points, over ten bins",
        f"{len(found.weights.weights)} weights; an event is read from a probability of {found.weights.accepted}",
    ]


def _percent(value: float | None) -> str:
    return "-" if value is None else f"{100 * value:.1f}"
