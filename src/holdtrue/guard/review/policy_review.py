"""Gather for each sentence of the prose the parts that stand for it, and the calls that a person has to judge."""

from __future__ import annotations

import hashlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.guard.analysis.analysis_results import Result
from holdtrue.guard.analysis.case_file import SituationWire
from holdtrue.guard.analysis.edge_results import Edge, RuleEdges
from holdtrue.guard.analysis.prose_coverage import DECIDING, prose_coverage
from holdtrue.guard.analysis.report_lines import as_json
from holdtrue.guard.analysis.situation import Situation
from holdtrue.guard.analysis.situation_parts import MISSING, Change, differences
from holdtrue.guard.decision import CONSENT
from holdtrue.guard.drafting.draft_folder import QUESTIONS, read_data, read_list
from holdtrue.guard.drafting.policy_data import DECLARED, NAMED, Data
from holdtrue.guard.json_values import json_text
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import CALL
from holdtrue.guard.wording import LONGEST
from holdtrue.guard.yaml_text import write_yaml
from holdtrue.rules.values import field_path

QUESTION, SENTENCE = "question", "sentence"
"""The kinds of items that are no edges."""

Value = tuple[str, str, str | None]
"""The path of a value, the value, and the one that the other call has there, or None if both are equal."""


@dataclass(frozen=True)
class Item(Result):
    """An `Item` is marked by a person. It is an edge, a question of two drafts, or a sentence without calls.

    Attributes:
        id: The id of the edge or question. The id of a sentence changes with its parts.
        kind: The kind of the edge, or `question` or `sentence`.
        values: The values of the call, those that differ from the other call first.
        case: The call in the form of a case, as JSON text, or "" for a sentence.
        expect: The decision that a right mark stands for, if there is one. In a question the first draft decides so.
        other: The decision of the second draft in a question.
    """

    id: str
    kind: str
    rule: str
    tool: str
    sentences: tuple[int, ...]
    text: str
    values: tuple[Value, ...] = ()
    case: str = ""
    expect: str | None = None
    other: str | None = None


@dataclass(frozen=True)
class ShownPart(Result):
    """A `ShownPart` is a part of the policy in words and as written. `gaps` say which edges were not found."""

    section: str
    name: str
    say: str
    written: str
    gaps: tuple[str, ...] = ()


@dataclass(frozen=True)
class Passage(Result):
    """A `Passage` is a sentence with its parts and items, or a part that stands for no sentence, with number 0.

    It is `open` if no part settles it.
    """

    number: int
    path: tuple[str, ...]
    text: str
    parts: tuple[ShownPart, ...]
    items: tuple[Item, ...]
    open: bool = False


def passages_of(folder: Path, policy: Policy, edges: Sequence[RuleEdges]) -> tuple[Passage, ...]:
    """Return the passages of a policy in the order of its prose, and then the parts that stand for no sentence.

    Args:
        folder: The folder with the policy, and with the questions of two drafts if there are any.
        policy: The policy, as loaded from the folder.
        edges: The edges of its rules.
    """
    data, places, own = read_data(folder), Counter[str](), list[tuple[tuple[int, ...], ShownPart]]()
    for each in policy.citing:
        within = data["tools"]["consent"] if each.section == "tools.consent" else data[each.section]
        part = within[each.name if each.section in DECLARED else places[each.section]]
        places[each.section] += 1
        found = [on for on in edges if on.rule == each.name] if each.section in NAMED else []
        gaps = tuple(f"{on.tool}: {text}" if on.tool else text for on in found for text in on.undecided)
        own.append((each.sentences, ShownPart(each.section, each.name, _said(part), _written(part), gaps)))
    cited = {part.name: numbers for numbers, part in own if part.section in NAMED}
    items = [_edge_item(policy, edge, cited[on.rule]) for on in edges for edge in on.edges]
    items += [_question_item(policy, each) for each in read_list(folder / QUESTIONS)]
    coverage = prose_coverage(policy)
    left = {each.number for each in coverage.open} if coverage else set()
    passages = []
    for sentence in policy.prose.sentences if policy.prose else ():
        number = sentence.number
        parts = tuple(part for numbers, part in own if number in numbers)
        judged = [each for each in items if number in each.sentences]
        if not judged and number not in left and not sentence.heading:
            judged = [_sentence_item((number,), parts)]
        passages.append(Passage(number, sentence.path, sentence.text, parts, tuple(judged), number in left))
    for part in (part for numbers, part in own if not numbers and part.section in DECIDING):
        judged = [each for each in items if part.section in NAMED and each.rule == part.name]
        text = part.say or f"{part.section} {part.name}"
        passages.append(Passage(0, (), text, (part,), tuple(judged or [_sentence_item((), (part,))])))
    return tuple(passages)


def _said(part: Any) -> str:
    """Return the words of a part, with the reason where it is not checked."""
    own = part if isinstance(part, Mapping) else {}
    return " ".join(str(own[name]) for name in ("say", "reason") if own.get(name))


def _written(part: Any) -> str:
    if not isinstance(part, Mapping):
        return write_yaml(part)
    left = {name: own for name, own in part.items() if name not in ("id", "say", "reason", "sentences")}
    return "\n".join(f"{name}: {own if isinstance(own, str) else as_json(own)}" for name, own in left.items())


def _edge_item(policy: Policy, edge: Edge, sentences: tuple[int, ...]) -> Item:
    values = tuple(_values(policy, edge.situation, edge.changes))
    case = as_json(edge.situation.to_json())
    return Item(edge.id, edge.kind, edge.rule, edge.tool, sentences, edge.text, values, case, edge.expect)


def _question_item(policy: Policy, own: Data) -> Item:
    numbers, case = tuple(own["sentences"]), own.get("case")
    values: list[Value] = [
        (f"the {side} draft", write_yaml(own[side]["parts"]).strip(), None) for side in ("first", "second")
    ]
    if case is None:
        text = f"Two drafts differ: {'; '.join(own['why'])}. No call shows that. Write the part in policy.yaml."
        return Item(own["id"], QUESTION, "", "", numbers, text, tuple(values))
    values += _values(policy, SituationWire.model_validate(case).situation(), ())
    one, other = (own[side]["decision"] for side in ("first", "second"))
    text = f"Two drafts decide differently on this call: the first {one}, the second {other}."
    return Item(own["id"], QUESTION, "", own["tool"], numbers, text, tuple(values), as_json(case), one, other)


def _sentence_item(sentences: tuple[int, ...], parts: tuple[ShownPart, ...]) -> Item:
    digest = hashlib.sha256(as_json([own.to_json() for own in parts]).encode()).hexdigest()[:8]
    names = ", ".join(own.name for own in parts)
    text = "No call shows this. Do the parts above say all that it says?"
    return Item(f"{SENTENCE}-{'-'.join(map(str, (*sentences, digest)))}", SENTENCE, names, "", sentences, text)


def _values(policy: Policy, situation: Situation, changes: Sequence[Change]) -> Iterator[Value]:
    """Yield the differences of a call from another one, and then its other values."""
    tool = policy.tools.get(situation.tool)
    every = differences(situation, Situation(), policy.facts, tool.root if tool else CALL)
    nodes = {path: own for whole, value, _ in every for path, own in _inner(whole, value)}
    nodes |= {CONSENT: True} if situation.consent else {}
    for path, kept, broken in changes:
        value = nodes.get(path, MISSING)
        yield path, _shown(value), _shown(broken if value == kept else kept)
    shown = tuple(path for path, *_ in changes)
    for path, value in nodes.items():
        is_inside = any(path == own or path.startswith((f"{own}.", f"{own}[")) for own in shown)
        if not is_inside and not (isinstance(value, Mapping | list | tuple) and value):
            yield path, _shown(value), None


def _inner(path: str, value: Any) -> Iterator[tuple[str, Any]]:
    """Yield a value and all values inside of it, each with its path. Empty values have no place of their own."""
    if isinstance(value, Mapping):
        for name, own in value.items():
            yield from _inner(field_path(path, name), own)
    elif isinstance(value, list | tuple):
        for place, own in enumerate(value):
            yield from _inner(f"{path}[{place}]", own)
    if value != {}:
        yield path, value


def _shown(value: Any) -> str:
    return MISSING if value == MISSING else json_text(value, LONGEST)
