"""The command `holdtrue policy draft`: begin a policy from its prose, or go on with it."""

from __future__ import annotations

import sys
from contextlib import aclosing, closing
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.logged_input import print_any_text
from holdtrue.cli.model_options import BaseUrl, reading_model

if TYPE_CHECKING:
    from holdtrue.guard.drafting.policy_drafting import PolicyDrafting


def draft_policy(
    prose: Annotated[Path, typer.Argument(metavar="PROSE", help="The rules in prose, as Markdown or plain text.")],
    out: Annotated[Path, typer.Option("--out", metavar="DIR", help="The folder of the draft; it may exist.")],
    tools: Annotated[Path | None, typer.Option("--tools", metavar="FILE", help="The tools, as JSON or YAML.")] = None,
    reads: Annotated[str, typer.Option(metavar="NAMES", help="The tools that only read, with commas.")] = "",
    model: Annotated[str | None, typer.Option(help="The model that drafts, such as openai/NAME.")] = None,
    base_url: BaseUrl = None,
    seed: Annotated[int, typer.Option(help="The first draft is asked for with this seed.")] = 42,
    attempts: Annotated[int, typer.Option(min=1, help="Replies for one sentence, until its parts load.")] = 3,
    timeout_s: Annotated[float | None, typer.Option("--timeout-s", min=0.001, help="Seconds for all of it.")] = None,
) -> None:
    """Draft a policy from its prose, sentence by sentence, or go on with a draft.

    A model writes two drafts. Parts on which both agree go to DIR/policy.yaml. Differences go to DIR/questions.yaml,
    each with its call, and their sentences stay open. Answers and wrong marks in DIR/marks.yaml are taken up. No call
    to the model is paid for twice. Without a model all sentences stay open, to be filled by hand.

    Exit code: 2 for an unusable file, 4 if the model failed, 3 if a model left sentences open, and 0 otherwise.
    """
    import asyncio

    from holdtrue.guard.drafting.draft_folder import open_folder
    from holdtrue.guard.drafting.policy_drafting import PolicyDrafting

    print_any_text()
    name = None if model is None else reading_model(model)
    open_folder(out, prose, tools, [own.strip() for own in reads.split(",") if own.strip()])
    drafting = PolicyDrafting(out, lambda line: print(line, file=sys.stderr))
    late = False if name is None else asyncio.run(_draft(drafting, out, name, base_url, seed, attempts, timeout_s))
    kept_old, (sentences, left) = drafting.save(), drafting.coverage()
    print(f"{out}: {sentences - left} of {sentences} sentences are settled; open questions: {len(drafting.questions)}")
    if late:
        print("The time ran out before all sentences were drafted; the same command goes on.")
    if kept_old:
        print("Your edited policy.yaml is kept as policy.before.yaml, since its comments were not taken over.")
    raise typer.Exit(ExitCode.UNDECIDED if name is not None and left else ExitCode.OK)


async def _draft(
    drafting: PolicyDrafting,
    out: Path,
    name: str,
    base_url: str | None,
    seed: int,
    attempts: int,
    timeout_s: float | None,
) -> bool:
    from holdtrue.budget import Budget
    from holdtrue.guard.drafting.draft_folder import CALLS
    from holdtrue.guard.drafting.sentence_drafting import Drafter
    from holdtrue.models.cache import CallLog, LoggedModel
    from holdtrue.models.model_registry import open_model
    from holdtrue.record import CallRecord, Usage

    calls: list[CallRecord] = []
    with closing(CallLog(out / CALLS)) as log:
        before = log.usage
        async with aclosing(LoggedModel(open_model(name, base_url=base_url), log)) as asked:
            first, second = (Drafter(asked, style, seed + style, attempts, out, calls) for style in (0, 1))
            try:
                return await drafting.draft((first, second), Budget(timeout_s).start())
            finally:
                used = sum((own.usage for own in calls), Usage())
                paid, tokens = log.usage.calls - before.calls, log.usage.tokens - before.tokens
                print(
                    f"{used.calls} calls and {used.tokens:,} tokens; now paid for: {paid} calls and {tokens:,} tokens"
                )
