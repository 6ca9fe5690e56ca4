"""This module defines `holdtrue study reading`, which fits weights for a reader that turns sentences into constraints.

A conditional logit chooses a constraint for a sentence. A logistic regression decides whether the sentence commits the
user to that constraint.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
from collections.abc import Mapping, Sequence
from contextlib import aclosing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.model_options import known_model
from holdtrue.errors import SettingsError
from holdtrue_lab.cli.study_claims import study_app as study_app

if TYPE_CHECKING:
    from holdtrue.world.instance import Constraint
    from holdtrue_lab.kinds.readings.commitment_fitting import CommitmentFit
    from holdtrue_lab.kinds.readings.problem import MessageItem
    from holdtrue_lab.kinds.readings.sentence_fitting import ChoiceFigures, ChoiceFit
    from holdtrue_lab.kinds.readings.sentence_scores import Scored, SentenceChoice


SCORES, WEIGHTS = "scores.jsonl", "weights.json"


@study_app.command(name="reading")
def study_reading(
    data: Annotated[Path, typer.Option(help="A folder or file with messages and gold.")],
    out: Annotated[Path, typer.Option(help=f"The study's folder: {SCORES} and {WEIGHTS}.")],
    model: Annotated[
        str,
        typer.Option(
            help="The model to fit for, such as local/NAME; it has to give probabilities.", callback=known_model
        ),
    ],
    most_asked: Annotated[
        int | None,
        typer.Option(min=1, help="The most sentences for the model to score; words are learned from all."),
    ] = None,
) -> None:
    """Fit the weights of a reader on messages with gold, and measure the reader on families that it has not seen.

    The file has the form of the package's reading_weights.json. It weighs the words of a sentence, and the model's
    probability of the sentence under each constraint. It also weighs signs that the sentence is open. The same command
    resumes a study that ended early. `holdtrue run reading --weights OUT/weights.json` plays the result.

    Exit code: 0 done, 2 usage, 4 infrastructure.
    """
    from holdtrue_lab.suites.reading.files import load_items

    items = load_items(data)
    out.mkdir(parents=True, exist_ok=True)
    typer.echo("\n".join(_fit(items, data.name, model, out, most_asked)))
    typer.echo(f"written: {out / WEIGHTS}", err=True)
    raise typer.Exit(ExitCode.OK)


def _fit(items: Sequence[MessageItem], source: str, name: str, out: Path, most: int | None) -> list[str]:
    """Fit the weights for a model, write them, and return the lines to print.

    The model scores at most `most` sentences, first those that the study's file has already. The weights of words are
    learned from all sentences. Raises `SettingsError` if no sentence of the messages has a constraint to choose.
    """
    from holdtrue_lab.kinds.readings.commitment_fitting import commitment_of, fit_commitments
    from holdtrue_lab.kinds.readings.sentence_fitting import RIDGE, choice_example, fit_choices
    from holdtrue_lab.kinds.readings.sentence_scores import choices_of, commitments_in

    commitments = asyncio.run(commitments_in(items))
    choices = choices_of(commitments)
    if len({own.family for own in choices}) < 2:
        raise SettingsError(f"{source}: no two families of messages have a sentence with constraints to choose from")
    phrased, phrasings = _learn_phrasings(choices)
    scored = asyncio.run(_score(name, choices, out, most))
    found = fit_choices(
        [choice_example(own, phrased[own], scored.get(own)) for own in choices],
        shipped=[choice_example(own, _shipped_scores(own), scored.get(own)) for own in choices],
    )
    committed = fit_commitments([commitment_of(own, _meant(own, phrasings, found)) for own in commitments])
    families = len({own.family for own in choices})
    provenance = (
        f"choice: conditional logits (L2 {RIDGE}) on {len(choices)} sentences in {families} families of {source} with "
        f"two constraints or more to choose from, {len(scored)} of them scored by {name}; {_of_commitments(committed)}"
    )
    fitted = found.weights(provenance, phrasings, committed).to_json()
    (out / WEIGHTS).write_text(json.dumps(fitted, indent=1) + "\n", encoding="utf-8")
    leave = f"{len(choices)} sentences of {len(items)} messages leave a choice, in {families} families"
    return [*_sentence_lines(found, f"{leave}; {len(scored)} scored"), _of_commitments(committed)]


def _learn_phrasings(
    choices: Sequence[SentenceChoice],
) -> tuple[dict[SentenceChoice, tuple[float, ...]], dict[str, dict[str, float]]]:
    """Return the word scores of each sentence's constraints, and the tables of word weights by domain.

    The scores of a sentence are learned from all other families, and the tables from all families.
    """
    from holdtrue_lab.kinds.readings.commitment_fitting import Phrased, crossed_scores, fit_table

    scores: dict[SentenceChoice, tuple[float, ...]] = {}
    tables: dict[str, dict[str, float]] = {}
    for domain in sorted({own.instance.domain.fingerprint for own in choices}):
        own_choices = [own for own in choices if own.instance.domain.fingerprint == domain]
        examples = [Phrased(own.family, _phrasings_of(own), own.right) for own in own_choices]
        scores |= zip(own_choices, crossed_scores(examples), strict=True)
        tables[domain] = fit_table(examples)
    return scores, tables


def _phrasings_of(choice: SentenceChoice) -> list[frozenset[str]]:
    from holdtrue.language.reading_weights import phrasing_features

    return [phrasing_features(choice.instance, choice.sentence, made) for made in choice.among]


def _scores_by(table: Mapping[str, float], choice: SentenceChoice) -> list[float]:
    from holdtrue.language.reading_weights import phrasing_score

    return [phrasing_score(table, row) for row in _phrasings_of(choice)]


def _shipped_scores(choice: SentenceChoice) -> list[float] | None:
    """Return the score of each constraint by the package's word weights; None if it has none for the domain."""
    from holdtrue.language.reading_weights import shipped_reading_weights

    _, table = shipped_reading_weights().choice_in(choice.instance.domain)
    return _scores_by(table, choice) if table else None


def _meant(choice: SentenceChoice, phrasings: Mapping[str, Mapping[str, float]], found: ChoiceFit) -> Constraint:
    """Return the constraint that a sentence states, or the likeliest constraint if it states none."""
    from holdtrue_lab.kinds.readings.sentence_fitting import likeliest

    if choice.right >= 0:
        return choice.among[choice.right]
    return likeliest(choice, _scores_by(phrasings.get(choice.instance.domain.fingerprint, {}), choice), found.phrased)


def _of_commitments(found: CommitmentFit | None) -> str:
    from holdtrue_lab.figures.cells import percent

    if found is None:
        return "commitment: as in the package, for want of sentences that commit and of others"
    return (
        f"commitment: logistic regression on {found.sentences} sentences "
        f"(calibration error {percent(found.error)} points of families left out)"
    )


async def _score(
    name: str, choices: Sequence[SentenceChoice], out: Path, most: int | None
) -> dict[SentenceChoice, Scored]:
    """Return the model's scores of at most `most` sentences; the model is called if the study's file lacks a score."""
    from holdtrue_lab.cli.server_options import STUDY, open_for
    from holdtrue_lab.kinds.readings.sentence_scores import ask_scores, read_scores

    known = read_scores(out / SCORES)
    asked = sorted(choices, key=lambda own: ((own.message, own.sentence) not in known, _drawn(own)))[:most]
    async with aclosing(open_for(name, STUDY.get())) as model:
        return dict(zip(asked, await ask_scores(model, asked, out / SCORES, _tell), strict=True))


def _drawn(choice: SentenceChoice) -> str:
    """Return a hash by which sentences are sorted for scoring, so that the order of the data does not matter."""
    return hashlib.sha256(choice.message.encode()).hexdigest()


def _tell(number: int, of: int) -> None:
    if number % 25 == 0 or number == of:
        typer.echo(f"{number} of {of} sentences", err=True)


def _sentence_lines(found: ChoiceFit, of: str) -> list[str]:
    """Return the figures as lines; each family was read with weights from all other families."""
    return [
        f"leave one family out: {of}",
        *(_line(name, figures) for name, figures in found.figures.items()),
        _line("the package's weights, as a reader uses them", found.shipped),
    ]


def _line(name: str, figures: ChoiceFigures) -> str:
    from holdtrue_lab.figures.cells import percent, rate_in_interval

    return f"{name}: right {rate_in_interval(figures.right)} %, calibration error {percent(figures.error)} points"
