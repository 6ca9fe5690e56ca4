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
    from holdtrue.lab.kinds.readings.commitment_fitting import CommitmentFit
    from holdtrue.lab.kinds.readings.message_item import MessageItem
    from holdtrue.lab.kinds.readings.sentence_fitting import ChoiceFigures, ChoiceFit
    from holdtrue.lab.kinds.readings.sentence_scores import Scored, SentenceChoice
    from holdtrue.world.instance import Constraint

SCORES, ODDS = "scores.jsonl", "odds.jsonl"


def fit_sentences(items: Sequence[MessageItem], source: str, name: str | None, out: Path, weights: str) -> list[str]:
    """Fit the weights of sentences for a model, write them to the file `weights` in `out`, and return what to tell.

    Raises `SettingsError` without a model, and where messages leave nothing to choose.
    """
    from holdtrue.lab.kinds.readings.sentence_fitting import RIDGE
    from holdtrue.lab.kinds.readings.sentence_scores import choices_of, commitments_in

    if name is None:
        raise SettingsError("the weights of sentences weigh what a model finds likely: name one with --model")
    commitments = asyncio.run(commitments_in(items))
    choices = choices_of(commitments)
    if len({own.family for own in choices}) < 2:
        raise SettingsError(f"{source}: no two families of messages have a sentence with constraints to choose from")
    found, committed = asyncio.run(_fit(name, commitments, out))
    families = len({own.family for own in choices})
    provenance = (
        f"choice: conditional logits (L2 {RIDGE}) on {len(choices)} sentences in {families} families of {source} with "
        f"two constraints or more to choose from; {_of_commitments(committed)}; scored by {name}"
    )
    fitted = found.weights(provenance, committed).to_json()
    (out / weights).write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    told = _lines(found, f"{len(choices)} sentences of {len(items)} messages leave a choice, in {families} families")
    return [*told, _of_commitments(committed)]


def _asked_about(choice: SentenceChoice, scored: Scored | None, found: ChoiceFit) -> Constraint:
    """Return what a sentence states, or what it would be taken for where it states nothing."""
    from holdtrue.lab.kinds.readings.sentence_fitting import likeliest

    if choice.right >= 0 or scored is None:
        return choice.among[max(0, choice.right)]
    return likeliest(choice, scored, found.alone)


def _of_commitments(found: CommitmentFit | None) -> str:
    from holdtrue.figures.cells import percent

    if found is None:
        return "commitment: as in the package, for want of sentences that commit and of others"
    return (
        f"commitment: logistic regression on {found.asked} sentences with words that may leave them open "
        f"(calibration error {percent(found.error)} points, each family left out once), "
        f"and the share of {found.plain} others"
    )


async def _fit(name: str, commitments: Sequence[SentenceChoice], out: Path) -> tuple[ChoiceFit, CommitmentFit | None]:
    """Ask the model, which is opened once, for all that the files have not, and fit the choice and the commitment."""
    from holdtrue.lab.kinds.readings.commitment_fitting import ask_commitments, fit_commitments
    from holdtrue.lab.kinds.readings.sentence_fitting import choice_examples, fit_choices
    from holdtrue.lab.kinds.readings.sentence_scores import ask_scores, choices_of
    from holdtrue.models.model_registry import open_model

    several = [own for own in commitments if len(own.among) > 1]
    choices = choices_of(commitments)
    async with aclosing(open_model(name)) as model:
        scored = dict(zip(several, await ask_scores(model, several, out / SCORES, _tell), strict=True))
        found = fit_choices(choice_examples(choices, [scored[own] for own in choices]))
        made = [(own, _asked_about(own, scored.get(own), found)) for own in commitments]
        return found, fit_commitments(await ask_commitments(model, made, out / ODDS, _tell))


def _tell(number: int, of: int) -> None:
    if number % 25 == 0 or number == of:
        typer.echo(f"{number} of {of} sentences", err=True)


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
