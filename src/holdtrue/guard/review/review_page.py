"""Write a review as one HTML page without external parts, and as lines for a terminal."""

from __future__ import annotations

import base64
import hashlib
from collections.abc import Iterator, Mapping, Sequence
from importlib.resources import files

from holdtrue.guard.analysis.report_lines import as_json
from holdtrue.guard.drafting.draft_folder import Mark
from holdtrue.guard.review.mark_intake import Intake, Standing
from holdtrue.guard.review.policy_review import QUESTION, Item, Passage

_WORDS: Mapping[Standing, str] = {"right": "settled", "wrong": "wrong", "open": "open"}


def review_page(name: str, passages: Sequence[Passage], intake: Intake) -> str:
    """Return the page of a policy of this name, with the marks so far."""
    assets = files("holdtrue.guard.review").joinpath("assets")
    page, style, script = (
        assets.joinpath(f"review.{own}").read_text(encoding="utf-8") for own in ("html", "css", "js")
    )
    marks = [own.model_dump(exclude={"case"}) for own in intake.marks]
    data = {"policy": name, "passages": [own.to_json() for own in passages], "marks": marks}
    parts = {
        "style-hash": _hash(style),
        "script-hash": _hash(script),
        "style": style,
        "script": script,
        "data": as_json(data).replace("<", "\\u003c"),
    }
    before, *rest = page.split("{{")
    cut = (own.partition("}}") for own in rest)
    return before + "".join(parts[key] + after for key, _, after in cut)


def _hash(text: str) -> str:
    """Return the hash by which the page's policy of content allows a style or script."""
    return f"'sha256-{base64.b64encode(hashlib.sha256(text.encode()).digest()).decode()}'"


def passage_standing(passage: Passage, intake: Intake) -> Standing:
    """Return whether a sentence is right (settled), wrong or open. A wrong mark counts even if its edge is gone."""
    wrong = {number for own in _wrong(intake) for number in own.sentences}
    found = {intake.standings.get(own.id, "open") for own in passage.items}
    if passage.number in wrong or "wrong" in found:
        return "wrong"
    return "open" if passage.open or "open" in found else "right"


def _wrong(intake: Intake) -> Iterator[Mark]:
    return (own for own in intake.marks if intake.standings[own.edge] == "wrong")


def passage_lines(passage: Passage, intake: Intake) -> Iterator[str]:
    """Yield a sentence with its headings and parts, without its items."""
    number = f"{passage.number}. " if passage.number else ""
    path = f"{' > '.join(passage.path)}: " if passage.path else ""
    yield f"{number}{path}{passage.text} ({_WORDS[passage_standing(passage, intake)]})"
    for part in passage.parts:
        yield f"  {part.section} {part.name}: {part.say}"
        yield from (f"    {line}" for line in part.written.splitlines())
        yield from (f"    not found: {gap}" for gap in part.gaps)


def item_lines(item: Item, intake: Intake) -> Iterator[str]:
    """Yield an item with its differing values, and with the mark if there is one."""
    yield f"  [{item.id}] {item.kind}: {item.text}"
    for path, value, other in item.values:
        rest = "" if other is None else f"   <- differs: {other}"
        yield from (f"      {line}" for line in f"{path}: {value}{rest}".splitlines())
    yield from (f"    marked {_told(own)}" for own in intake.marks if own.edge == item.id)


def summary_lines(passages: Sequence[Passage], intake: Intake) -> Iterator[str]:
    """Yield how many sentences are settled, open and wrong, and each wrong mark with its case."""
    found = [passage_standing(own, intake) for own in passages]
    counts = ", ".join(f"{found.count(own)} {word}" for own, word in _WORDS.items())
    things = "sentences" if any(own.number for own in passages) else "rules"
    asked = sum(1 for own in {each.id: each for on in passages for each in on.items}.values() if own.kind == QUESTION)
    yield f"{len(found)} {things}: {counts}; open questions of two drafts: {asked}; new cases: {intake.added}"
    for own in _wrong(intake):
        yield f"  wrong: {own.edge}, {_told(own)}"
        yield f"    {as_json(own.case)}"
    yield from (f"  {text}" for text in intake.told)


def _told(own: Mark) -> str:
    expect = f", it should be {own.expect}" if own.expect else ""
    return f"{own.mark}{expect}{f' ({own.note})' if own.note else ''}"
