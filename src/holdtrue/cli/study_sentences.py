"""The part of `holdtrue study reading` that fits, on single messages, how a constraint is chosen for a sentence."""

from __future__ import annotations

import asyncio
import json
from collections.abc import Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING

import typer

from holdtrue.errors import SettingsError

if TYPE_CHECKING:
    from holdtrue.lab.kinds.readings.message_item import MessageItem
    from holdtrue.lab.kinds.readings.sentence_fitting import ChoiceFigures, ChoiceFit
    from holdtrue.lab.kinds.readings.sentence_scores import Scored, SentenceChoice

SCORES = "scores.jsonl"


def fit_sentences(items: Sequence[MessageItem], source: str, name: str | None, out: Path, weights: str) -> list[str]:
    """Fit the weights of sentences for a model, write them to the file `weights` in `out`, and return what to tell.

    Raises `SettingsError` without a model, and where messages leave nothing to choose.
    """
    from holdtrue.lab.kinds.readings.sentence_fitting import RIDGE, choice_examples, fit_choices
    from holdtrue.lab.kinds.readings.sentence_scores import choices_in

    if name is None:
        raise SettingsError("the weights of sentences weigh what a model finds likely: name one with --model")
    choices = asyncio.run(choices_in(items))
    if len({own.family for own in choices}) < 2:
        raise SettingsError(f"{source}: no two families of messages have a sentence with constraints to choose from")
    scored = asyncio.run(_scores(name, choices, out / SCORES))
    found = fit_choices(choice_examples(choices, scored))
    families = len({own.family for own in choices})
    provenance = (
        f"conditional logits (L2 {RIDGE}) on {len(choices)} sentences in {families} families of {source} with two "
        f"constraints or more to choose from, scored by {name}"
    )
    (out / weights).write_text(json.dumps(found.to_json(provenance), indent=1) + "\n", encoding="utf-8")
    return _lines(found, f"{len(choices)} sentences of {len(items)} messages leave a choice, in {families} families")


async def _scores(name: str, choices: Sequence[SentenceChoice], path: Path) -> list[Scored]:
    from holdtrue.lab.kinds.readings.sentence_scores import ask_scores
    from holdtrue.models.model_registry import open_model

    def told(number: int, of: int) -> None:
        if number % 25 == 0 or number == of:
            typer.echo(f"{number} of {of} sentences", err=True)

    async with aclosing(open_model(name)) as model:
        return await ask_scores(model, choices, path, told)


def _lines(found: ChoiceFit, of: str) -> list[str]:
    """Return the figures as lines: each family was left out once, and its sentences read by what was left."""
    return [
        f"leave one family out: {of}",
        _line("likelihood alone", found.figures_alone),
        _line("with a view", found.figures_with_view),
        _line("as a reader uses the two", found.figures_as_read),
        _line("the package's weights, used alike", found.shipped),
    ]


def _line(name: str, figures: ChoiceFigures) -> str:
    from holdtrue.figures.cells import percent, rate_in_interval

    return f"{name}: right {rate_in_interval(figures.right)} %, calibration error {percent(figures.error)} points"
