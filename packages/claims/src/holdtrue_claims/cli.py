"""Commands for claims: `holdtrue verify` tests an answer claim by claim, and `holdtrue formalize` shows a text as
logic.
"""

from __future__ import annotations

import json
import re
import sys
from collections import Counter
from contextlib import aclosing
from dataclasses import asdict
from typing import TYPE_CHECKING, Annotated, Any

import typer

from holdtrue.cli.check import READER
from holdtrue.cli.declared_options import spread
from holdtrue.cli.exits import ExitCode
from holdtrue.cli.logged_input import input_name, open_input, print_any_text
from holdtrue.cli.model_options import reading_model
from holdtrue.errors import RecordError, SettingsError
from holdtrue.models.chat import ModelAround
from holdtrue_claims.kind.check_options import CheckOptions, ReadingOptions

if TYPE_CHECKING:
    from holdtrue.models.chat import ChatModel, Reply, Request
    from holdtrue_claims.claim_record import ContextRecord
    from holdtrue_claims.kind.method import ClaimMethod
    from holdtrue_claims.kind.record import ClaimsRecord


_WIDTH = 60


class WatchedModel(ModelAround):
    """A `WatchedModel` shows on one line of the terminal how many calls its model got, and the purpose of the latest.

    Nothing is written if standard error is no terminal.
    """

    def __init__(self, model: ChatModel) -> None:
        super().__init__(model)
        self._calls = 0
        self._shown = sys.stderr.isatty()

    async def complete(self, request: Request) -> Reply:
        """Return the reply of the watched model."""
        self._calls += 1
        self._write(f"call {self._calls}: {request.purpose}")
        return await self._model.complete(request)

    async def aclose(self) -> None:
        """Clear the line and release the model."""
        self._write("")
        await super().aclose()

    def _write(self, line: str) -> None:
        if self._shown:
            end = "" if line else "\r"
            print(f"\r{line:<{_WIDTH}}", end=end, file=sys.stderr, flush=True)


_Model = Annotated[str, typer.Option(help="The model that reads, such as openai/NAME.", callback=reading_model)]
_BROKEN = re.compile("[\udc80-\udcff]")  # surrogates stand for bytes that are not UTF-8
_LONGEST = 200_000  # characters of a file; longer texts are refused


@spread
def verify(
    context: Annotated[str, typer.Option(metavar="FILE", help="What was told, as plain text; - is standard input.")],
    answer: Annotated[str, typer.Option(metavar="FILE", help="The answer, as plain text; - is standard input.")],
    question: Annotated[str, typer.Option(help="What was asked.")] = "",
    model: _Model = READER,
    *,
    settings: CheckOptions,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of sentences.")] = False,
) -> None:
    """Verify an answer against a context: what holds, what contradicts it, and what would have to change?

    An answer is accepted if each of its claims is proved. With --accept judged, models judge the claims that no solver
    decides, and a score decides about the answer. Judges count only if their share of right verdicts was measured
    (--calibration).

    Exit code, the first that applies: 4 for infrastructure, 2 for usage, 1 for contradictory or clashing claims. Then 3
    if the answer is not accepted: a claim is unproved or undecided, or the context is contradictory. An accepted
    answer gives 0.
    """
    import asyncio

    from holdtrue_claims.kind.method import ClaimMethod
    from holdtrue_claims.kind.settings import CheckSettings

    print_any_text()
    for name in (*settings.formalizers, *filter(None, [settings.judge])):
        reading_model(name)
    method = settings.over(ClaimMethod("given", answerer="given"), CheckSettings())
    if context == answer == "-":
        raise SettingsError("standard input can be the context or the answer, not both")
    context_text, answer_text = read_text(context), read_text(answer)
    record = asyncio.run(_verify(context_text, answer_text, question, model, method, settings))
    check, premises = record.final.check, record.detail.context
    if check is None or premises is None:
        raise SettingsError("nothing was verified")
    if as_json:
        print(json.dumps(verified_json(record)))
    else:
        from holdtrue_claims.kind.verdict_words import Sayings, count_read, describe_context, list_claims

        sayings = Sayings(premises, check)
        lines = [*count_read(premises, check).describe(), *describe_context(premises, sayings)]
        print("\n".join([*lines, *list_claims(check, sayings, method.check.least_score)]))
    raise typer.Exit(exit_of(record))


def read_text(file: str) -> str:
    """Return the text of a file or of standard input. Bytes that are not UTF-8 are replaced, with a note on standard
    error.

    Raises `RecordError` for a text without a sentence, a text that is too long, and binary data.
    """
    from holdtrue.language.sentences import split_sentences

    name = input_name(file)
    with open_input(file) as stream:
        text = stream.read(_LONGEST + 1)
    if len(text) > _LONGEST:
        raise RecordError(f"{name}: longer than {_LONGEST:,} characters")
    if "\0" in text:
        raise RecordError(f"{name}: no plain text, there are null bytes in it; is it UTF-16? UTF-8 is read")
    if not split_sentences(text):
        raise RecordError(f"{name}: there is no sentence in it")
    whole, broken = _BROKEN.subn("\ufffd", text)
    if broken:
        typer.echo(f"holdtrue: {name}: bytes that are no UTF-8, read as \ufffd: {broken}", err=True)
    return whole


def exit_of(record: ClaimsRecord) -> ExitCode:
    """Return the exit code for the result of a check."""
    from holdtrue.record import AnswerStatus, Satisfiability
    from holdtrue_claims.claim_record import ClaimVerdict, SoftVerdict

    verdict, check = record.final.verdict, record.final.check
    if verdict.basis is not Satisfiability.SAT or check is None:
        return ExitCode.UNDECIDED
    if verdict.answer is AnswerStatus.VIOLATING:
        return ExitCode.WRONG
    sure = (ClaimVerdict.ENTAILED, ClaimVerdict.POSSIBLE, SoftVerdict.SUPPORTED, SoftVerdict.PLAUSIBLE)
    is_sure = all(claim.verdict in sure for claim in check.claims)
    well = check.accepted and verdict.answer is AnswerStatus.RESPECTING and is_sure
    return ExitCode.OK if well else ExitCode.UNDECIDED


def verified_json(record: ClaimsRecord) -> dict[str, Any]:
    """Return the whole record as plain JSON values. An answer that was not checked has no score."""
    from holdtrue_claims.kind.acceptance import is_checked
    from holdtrue_claims.kind.verdict_words import count_read

    check, premises = record.final.check, record.detail.context
    calls = (*record.extraction, *record.measuring, *(call for attempt in record.attempts for call in attempt.calls))
    return {
        "outcome": record.outcome.value,
        "read": None if premises is None or check is None else asdict(count_read(premises, check)),
        "context": None if premises is None else asdict(premises),
        **({} if check is None else asdict(check)),
        **({} if check is None or is_checked(check) else {"score": None, "mean": None, "deviation": None}),
        "calls": len(calls),
        "calls_by_model": Counter(call.model for call in calls),
        "tokens": sum(call.usage.tokens for call in calls),
    }


async def _verify(
    context: str, answer: str, question: str, model: str, method: ClaimMethod, settings: CheckOptions
) -> ClaimsRecord:
    from holdtrue.models.model_registry import open_model
    from holdtrue_claims.conversation.claim_session import ClaimSession

    others = settings.formalizers
    async with aclosing(WatchedModel(open_model(model))) as asked:
        session = ClaimSession(
            context,
            model=asked,
            method=method,
            budget=settings.budget,
            formalizers=others,
            calibrations=settings.calibrations,
        )
        async with aclosing(session):
            # A question states nothing: all statements are in the context.
            return await session.acheck(answer, question, stated=())


@spread
def formalize(
    file: Annotated[str, typer.Argument(help="A text, sentence by sentence; - reads standard input.")],
    question: Annotated[str, typer.Option(help="What is asked: its words are in the vocabulary, too.")] = "",
    model: _Model = READER,
    *,
    settings: ReadingOptions,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object instead of sentences.")] = False,
) -> None:
    """Show a text as logic: its vocabulary, each sentence with its formula, alerts, and whether all of it can hold.

    Exit code, the first that applies: 4 for infrastructure, 2 for usage, 1 if the sentences cannot all hold. Then 3 if
    a sentence has no formula or something is undecided, and 0 otherwise.
    """
    import asyncio

    from holdtrue.language.sentences import split_sentences

    print_any_text()
    record = asyncio.run(_formalize(split_sentences(read_text(file)), question, model, settings))
    if as_json:
        print(json.dumps(asdict(record)))
    else:
        from holdtrue_claims.kind.verdict_words import list_context

        for line in list_context(record):
            print(line)
    raise typer.Exit(_exit_of(record))


def _exit_of(record: ContextRecord) -> ExitCode:
    if record.status == "inconsistent":
        return ExitCode.WRONG
    unread = any(premise.formula is None for premise in record.premises)
    return ExitCode.UNDECIDED if unread or record.status != "consistent" else ExitCode.OK


async def _formalize(sentences: list[str], question: str, model: str, settings: ReadingOptions) -> ContextRecord:
    from holdtrue.language.asking import Asking
    from holdtrue.models.model_registry import open_model
    from holdtrue_claims.kind.premise_preparation import prepare
    from holdtrue_claims.kind.settings import FormalSettings

    async with aclosing(WatchedModel(open_model(model))) as asked:
        formal = settings.formal_settings(FormalSettings())
        premises = await prepare(Asking(asked), formal, sentences, budget=settings.budget, question=question)
        return premises.record
