"""The command `holdtrue policy review`: show a policy to a person sentence by sentence, and take in the marks."""

from __future__ import annotations

import sys
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, get_args

import typer

from holdtrue.cli.exits import ExitCode
from holdtrue.cli.logged_input import print_any_text

if TYPE_CHECKING:
    from holdtrue.guard.drafting.draft_folder import Mark
    from holdtrue.guard.review.mark_intake import Intake
    from holdtrue.guard.review.policy_review import Passage


def review_policy(
    folder: Annotated[Path, typer.Argument(metavar="DIR", help="A folder with a policy.yaml, drafted or written.")],
    marks: Annotated[
        Path | None, typer.Option(metavar="FILE", help="Marks to take in, as the page saves them.")
    ] = None,
    terminal: Annotated[bool, typer.Option("--terminal", help="Ask for marks here instead of on a page.")] = False,
    timeout_s: Annotated[float, typer.Option("--timeout-s", min=0.001, help="Seconds to find all edges.")] = 60.0,
) -> None:
    """Show each sentence of the prose with its rules and their edges, to be marked right, wrong or unsure.

    The page is DIR/review.html, and needs no network. Marks are kept in DIR/marks.yaml. Right ones become cases in
    DIR/cases.yaml, and wrong ones are listed for the next draft. In the terminal an answer is r, w or u, then perhaps
    the right decision and a note: `w block Fees count, too.`

    Exit code: 2 for an unusable file, 1 if a mark is wrong, 3 if a sentence is open, and 0 otherwise.
    """
    from holdtrue.budget import Budget
    from holdtrue.errors import InputError
    from holdtrue.files import write_whole
    from holdtrue.guard.analysis.edges import find_edges
    from holdtrue.guard.drafting.draft_folder import POLICY, read_marks
    from holdtrue.guard.policy_file import load_policy
    from holdtrue.guard.review.mark_intake import take_marks
    from holdtrue.guard.review.policy_review import passages_of
    from holdtrue.guard.review.review_page import passage_standing, review_page, summary_lines

    print_any_text()
    if marks is not None and not marks.exists():
        raise InputError(f"{marks} does not exist; save the marks on the page first")
    policy = load_policy(folder / POLICY)
    passages = passages_of(folder, policy, find_edges(policy, None, Budget(timeout_s=timeout_s)))
    intake = take_marks(folder, policy, passages, read_marks(marks.parent, marks.name) if marks else ())
    if terminal:
        intake = take_marks(folder, policy, passages, [*_asked(passages, intake)])
    else:
        write_whole(folder / "review.html", review_page(policy.name, passages, intake))
        print(f"{folder / 'review.html'}: open it in a browser, mark the calls, and save the marks as marks.yaml")
    for line in summary_lines(passages, intake):
        print(line)
    found = {passage_standing(own, intake) for own in passages}
    raise typer.Exit(ExitCode.WRONG if "wrong" in found else ExitCode.UNDECIDED if "open" in found else ExitCode.OK)


def _asked(passages: Sequence[Passage], intake: Intake) -> Iterator[Mark]:
    """Print all passages, and yield the marks that a person gives to open items until the input ends."""
    from holdtrue.guard.analysis.case_file import Expected
    from holdtrue.guard.review.mark_intake import mark_of
    from holdtrue.guard.review.review_page import item_lines, passage_lines

    shown, ended = set[str](), False
    for passage in passages:
        print(*passage_lines(passage, intake), sep="\n")
        for item in passage.items:
            if item.id in shown:
                print(f"  [{item.id}] is shown above")
                continue
            shown.add(item.id)
            print(*item_lines(item, intake), sep="\n")
            if ended or intake.standings.get(item.id, "open") != "open":
                continue
            print("    right, wrong or unsure (r, w, u; Enter for later)? ", end="", flush=True)
            line = sys.stdin.readline()
            ended = not line
            print()
            letter, _, rest = line.strip().partition(" ")
            if letter in ("r", "w", "u"):
                first, _, note = rest.partition(" ")
                is_decision = first in get_args(Expected)
                yield mark_of(item, letter, note if is_decision else rest, first if is_decision else None)
