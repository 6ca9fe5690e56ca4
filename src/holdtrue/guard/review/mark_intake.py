"""Take a person's marks in: right ones become cases, and wrong ones go back to the draft with their case."""

from __future__ import annotations

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path
from typing import Any, Literal

from holdtrue.files import write_whole
from holdtrue.guard.analysis.case_file import Case, CasesError, read_cases, write_cases
from holdtrue.guard.analysis.case_running import run_case
from holdtrue.guard.analysis.report_lines import as_json
from holdtrue.guard.drafting.draft_folder import MARKS, Mark, read_marks
from holdtrue.guard.policy import Policy
from holdtrue.guard.review.policy_review import QUESTION, Item, Passage

CASES = "cases.yaml"
Standing = Literal["right", "wrong", "open"]


@dataclass(frozen=True)
class Intake:
    """An `Intake` is the result of taking marks in.

    Attributes:
        marks: All marks, with the cases of their edges.
        standings: By the ids of marks, whether the policy as it is now is right or wrong there, or open.
        added: The number of new cases.
        told: Sentences on marks that contradict a case or no longer fit the policy.
    """

    marks: tuple[Mark, ...]
    standings: Mapping[str, Standing]
    added: int
    told: tuple[str, ...]


def take_marks(folder: Path, policy: Policy, passages: Sequence[Passage], more: Iterable[Mark]) -> Intake:
    """Add marks to those of the folder, and write them down together with the cases that are right.

    A newer mark of the same edge replaces the older one. All cases that exist are kept.
    Raises `InputError` for an unreadable file of marks or cases.
    """
    items = {own.id: own for each in passages for own in each.items}
    before = read_marks(folder)
    newest = {own.edge: own for own in (*before, *more)}
    marks = tuple(_completed(own, items.get(own.edge)) for own in newest.values())
    path = folder / CASES
    text = path.read_text(encoding="utf-8-sig") if path.exists() else ""
    known = [*read_cases(text, policy, where=str(path))] if text.strip() else []
    new, told, standings = list[Case](), list[str](), dict[str, Standing]()
    for mark in marks:
        item = items.get(mark.edge)
        try:
            case = _case(mark, policy)
        except CasesError as error:
            told.append(f"{mark.edge} does not fit the policy any more: {error}")
            standings[mark.edge] = "open"
            continue
        standing = standings[mark.edge] = _standing(
            mark, case, policy, is_question=bool(item and item.kind == QUESTION)
        )
        if case is None and item is None:
            standings[mark.edge] = "open"
            told += [f"{mark.edge} was marked wrong, and is no longer shown"] if mark.mark == "wrong" else []
        if case is None or mark.mark == "unsure":
            continue
        same = next((own for own in (*known, *new) if own.situation == case.situation), None)
        if same is not None and _contradicts(mark, same):
            told.append(f"{CASES} expects {same.expect} in {same.name!r}, against the mark of {mark.edge}: change one")
        elif same is None and mark.expect and "right" in (mark.mark, standing):
            new.append(case)
    if new:
        write_whole(path, _joined(text, known, new, policy))
    if marks != before:
        write_whole(folder / MARKS, _marks_text(marks))
    return Intake(marks, standings, len(new), tuple(told))


def mark_of(item: Item, letter: str, note: str = "", expect: str | None = None) -> Mark:
    """Return the mark of an item by a letter: r, w or u. In a question r is the first draft, and w the second."""
    decision = {"r": item.expect, "w": item.other or expect}.get(letter)
    word = {"r": "right", "w": "right" if item.other else "wrong"}.get(letter, "unsure")
    given = {"edge": item.id, "mark": word, "note": note or None, "expect": decision}
    return _completed(Mark.model_validate(given), item)


def _completed(mark: Mark, item: Item | None) -> Mark:
    """Return a mark with all that its item knows and the mark does not say."""
    if item is None:
        return mark
    asks = item.kind == QUESTION
    found: dict[str, Any] = {"rule": mark.rule or item.rule, "sentences": mark.sentences or [*item.sentences]}
    found["case"] = mark.case or (json.loads(item.case) if item.case else None)
    found["decided"] = mark.decided or (None if asks else item.expect)
    found["expect"] = mark.expect or (item.expect if mark.mark == "right" and not asks else None)
    return mark.model_copy(update=found)


def _case(mark: Mark, policy: Policy) -> Case | None:
    """Return the case of a mark with the right decision or, if that is unknown, the one that was judged."""
    expect = mark.expect or mark.decided
    if mark.case is None or expect is None:
        return None
    (case,) = read_cases(as_json([{**mark.case, "name": mark.edge, "expect": expect}]), policy)
    return case


def _standing(mark: Mark, case: Case | None, policy: Policy, *, is_question: bool) -> Standing:
    if mark.mark == "unsure" or is_question:
        return "open"
    if case is None:
        return mark.mark
    as_said = not run_case(policy, case).problems
    if mark.expect is not None:
        return "right" if as_said else "wrong"
    return mark.mark if as_said else "open"


def _contradicts(mark: Mark, case: Case) -> bool:
    if mark.expect is not None:
        return case.expect != mark.expect
    return mark.mark == "wrong" and case.expect == mark.decided


def _joined(text: str, known: Sequence[Case], new: Sequence[Case], policy: Policy) -> str:
    """Return the text of a file of cases with new ones behind it. Comments stay if the file is a plain list."""
    names, named = {own.name for own in known}, list[Case]()
    for own in new:
        tries = (f"{own.name} ({number})" if number > 1 else own.name for number in count(1))
        name = next(each for each in tries if each not in names)
        names.add(name)
        named.append(replace(own, name=name))
    found = f"{text.rstrip()}\n{write_cases(named)}".lstrip()
    try:
        whole = read_cases(found, policy) == (*known, *named)
    except CasesError:
        whole = False
    return found if whole else write_cases([*known, *named])


def _marks_text(marks: Sequence[Mark]) -> str:
    """Return marks as YAML, one a line, as the page writes them."""
    return "".join(f"- {as_json(own.model_dump(exclude_defaults=True))}\n" for own in marks)
