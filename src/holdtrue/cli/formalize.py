"""`holdtrue formalize`: show a text as logic, with its faults."""

from __future__ import annotations

import json
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.check import READER
from holdtrue.cli.claim_options import Notation
from holdtrue.cli.exits import ExitCode
from holdtrue.cli.logged_input import print_any_text
from holdtrue.cli.model_names import known_model
from holdtrue.cli.verify import read_text

if TYPE_CHECKING:
    from holdtrue.claim_record import ContextRecord
    from holdtrue.lab.kinds.claims.settings import ClaimSettings


def formalize(
    file: Annotated[str, typer.Argument(help="A text, sentence by sentence; - reads standard input.")],
    question: Annotated[str, typer.Option(help="What is asked: its words are in the vocabulary, too.")] = "",
    model: Annotated[
        str, typer.Option(help="The model that reads, such as openai/NAME.", callback=known_model)
    ] = READER,
    notation: Notation = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of sentences.")] = False,
    timeout_s: Annotated[float, typer.Option(help="Seconds of solver time per question.")] = 5.0,
) -> None:
    """Show a text as logic: its vocabulary, each sentence with its formula, alerts, and whether all of it can hold.

    Exit code: 4 infrastructure, 2 usage, 1 the sentences cannot all hold, 3 a sentence has no formula or something is
    undecided, 0 all is well; of several the first in this order.
    """
    import asyncio

    from holdtrue.lab.kinds.claims.settings import read_claims
    from holdtrue.language.sentences import split_sentences

    print_any_text()
    claims = read_claims({"notation": notation, "timeout_s": timeout_s})
    record = asyncio.run(_formalize(split_sentences(read_text(file)), question, model, claims))
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


async def _formalize(sentences: list[str], question: str, model: str, claims: ClaimSettings) -> ContextRecord:
    from holdtrue.cli.watched_model import WatchedModel
    from holdtrue.kinds.claims.method import find_claim_method
    from holdtrue.kinds.claims.premise_preparation import prepare
    from holdtrue.language.asking import Asking
    from holdtrue.models.model_registry import open_model

    formal = claims.over(find_claim_method("given")).check.formal
    asked = WatchedModel(open_model(model))
    try:
        premises = await prepare(Asking(asked), formal, sentences, budget=claims.budget, question=question)
        return premises.record
    finally:
        await asked.aclose()
