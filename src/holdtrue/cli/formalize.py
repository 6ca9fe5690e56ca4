"""`holdtrue formalize`: show a text as logic, with its faults."""

from __future__ import annotations

import json
from contextlib import aclosing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.check import READER
from holdtrue.cli.exits import ExitCode
from holdtrue.cli.logged_input import print_any_text
from holdtrue.cli.model_names import reading_model
from holdtrue.cli.suite_options import spread
from holdtrue.cli.verify import read_text
from holdtrue.kinds.claims.check_options import ReadingOptions

if TYPE_CHECKING:
    from holdtrue.claim_record import ContextRecord


@spread
def formalize(
    file: Annotated[str, typer.Argument(help="A text, sentence by sentence; - reads standard input.")],
    question: Annotated[str, typer.Option(help="What is asked: its words are in the vocabulary, too.")] = "",
    model: Annotated[
        str, typer.Option(help="The model that reads, such as openai/NAME.", callback=reading_model)
    ] = READER,
    *,
    settings: ReadingOptions,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of sentences.")] = False,
) -> None:
    """Show a text as logic: its vocabulary, each sentence with its formula, alerts, and whether all of it can hold.

    Exit code: 4 infrastructure, 2 usage, 1 the sentences cannot all hold, 3 a sentence has no formula or something is
    undecided, 0 all is well; of several the first in this order.
    """
    import asyncio

    from holdtrue.language.sentences import split_sentences

    print_any_text()
    record = asyncio.run(_formalize(split_sentences(read_text(file)), question, model, settings))
    if as_json:
        print(json.dumps(asdict(record)))
    else:
        from holdtrue.kinds.claims.verdict_words import list_context

        for line in list_context(record):
            print(line)
    raise typer.Exit(_exit_of(record))


def _exit_of(record: ContextRecord) -> ExitCode:
    if record.status == "inconsistent":
        return ExitCode.WRONG
    unread = any(premise.formula is None for premise in record.premises)
    return ExitCode.UNDECIDED if unread or record.status != "consistent" else ExitCode.OK


async def _formalize(sentences: list[str], question: str, model: str, settings: ReadingOptions) -> ContextRecord:
    from holdtrue.cli.watched_model import WatchedModel
    from holdtrue.kinds.claims.premise_preparation import prepare
    from holdtrue.kinds.claims.settings import FormalSettings
    from holdtrue.language.asking import Asking
    from holdtrue.models.model_registry import open_model

    async with aclosing(WatchedModel(open_model(model))) as asked:
        formal = settings.formal_settings(FormalSettings())
        premises = await prepare(Asking(asked), formal, sentences, budget=settings.budget, question=question)
        return premises.record
