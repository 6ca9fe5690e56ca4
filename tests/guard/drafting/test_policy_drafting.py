"""Policies drafted from prose by scripted models, able ones and poor ones."""

from __future__ import annotations

import asyncio
import random
from collections.abc import Sequence
from pathlib import Path
from typing import Any, NamedTuple

import pytest

from holdtrue.guard import load_policy
from holdtrue.guard.analysis.prose_coverage import prose_coverage
from holdtrue.guard.drafting.draft_folder import open_folder
from holdtrue.guard.drafting.policy_drafting import PolicyDrafting
from holdtrue.guard.drafting.sentence_drafting import Drafter
from holdtrue.guard.policy_file import PolicyError, make_policy
from holdtrue.models.chat import ChatModel
from holdtrue.record import CallRecord
from tests.guard.drafting.desks import (
    ABLE,
    ABLE_RENTAL,
    FAULTS,
    FIELDS,
    LIBRARY,
    READS,
    RENTAL,
    RENTAL_TOOLS,
    TOOLS,
    Answers,
    faulty,
    rule,
    scripted,
    written,
)


class Desk(NamedTuple):
    prose: str
    tools: Sequence[Any]
    reads: tuple[str, ...]
    able: Answers
    fields: dict[str, str]


DESKS = {
    "library": Desk(LIBRARY, TOOLS, READS, ABLE, FIELDS),
    "rental": Desk(RENTAL, RENTAL_TOOLS, ("get_renter", "get_rental"), ABLE_RENTAL, FIELDS),
}


def begun(folder: Path, desk: Desk) -> Path:
    prose, tools = written(folder / "in", desk.prose, desk.tools)
    open_folder(folder / "out", prose, tools, desk.reads)
    return folder / "out"


def drafted(folder: Path, model: ChatModel, attempts: int = 2) -> tuple[PolicyDrafting, list[CallRecord]]:
    calls: list[CallRecord] = []
    drafting = PolicyDrafting(folder)
    first, second = (Drafter(model, style, 42 + style, attempts, folder, calls) for style in (0, 1))
    assert asyncio.run(drafting.draft((first, second))) is False
    drafting.save()
    return drafting, calls


def open_sentences(folder: Path) -> set[str]:
    coverage = prose_coverage(load_policy(folder / "policy.yaml"))
    assert coverage is not None
    return {own.text for own in coverage.open}


def with_faults(desk: Desk, fault: str) -> Answers:
    """The faulty answers of a kind, by the sentences that they can be made of."""
    found = {words: faulty(parts, fault, desk.fields) for words, parts in desk.able.items()}
    return {words: parts for words, parts in found.items() if parts is not None}


def begins(texts: set[str], words: set[str]) -> bool:
    return len(texts) == len(words) and all(any(text.startswith(own) for text in texts) for own in words)


@pytest.mark.parametrize("desk", DESKS.values(), ids=DESKS)
def test_an_able_model_settles_every_sentence(tmp_path: Path, desk: Desk) -> None:
    folder = begun(tmp_path, desk)
    drafting, calls = drafted(folder, scripted(desk.able))
    policy = load_policy(folder / "policy.yaml")
    assert policy.prose is not None and len(calls) == 2 * len(policy.prose.sentences)
    assert drafting.questions == [] and open_sentences(folder) == set()
    assert all(own.sentences for own in policy.citing)


@pytest.mark.parametrize("fault", FAULTS)
@pytest.mark.parametrize("desk", DESKS.values(), ids=DESKS)
def test_every_fault_of_one_draft_is_a_question_with_its_call(tmp_path: Path, desk: Desk, fault: str) -> None:
    planted = with_faults(desk, fault)
    assert planted, "the kind of fault is tried"
    for place, drafts in enumerate(((desk.able, {**desk.able, **planted}), ({**desk.able, **planted}, desk.able))):
        folder = begun(tmp_path / str(place), desk)
        drafting, _ = drafted(folder, scripted(*drafts))
        assert begins(open_sentences(folder), {*planted})
        shown = {own["sentences"][0] for own in drafting.questions if "case" in own}
        assert len(shown) == len(planted), "each has a call"
        for own in drafting.questions:
            assert own["first"]["decision"] != own["second"]["decision"]


NAMES = ("get_member", "find_member", "getLoan", "lookUpBook", "shop.get-shelf", "status")
KINDS = ("member", "find_member", "loan", "upBook", "shop_get_shelf", "status")


def test_reading_tools_with_a_result_schema_declare_their_facts(tmp_path: Path) -> None:
    shown = {"type": "object", "properties": {"owes": {"type": "number"}, "seen": {"type": "string", "format": "date"}}}
    tools = [{**own, "outputSchema": shown} if own["name"] == "get_member" else own for own in TOOLS]
    own = rule("owes", "lend", "facts.member(call.member).owes <= 20")
    folder = begun(tmp_path, Desk("Nobody borrows who owes more than 20 dollars.", tools, READS, {"Nobody": [own]}, {}))
    drafting, _ = drafted(folder, scripted({"Nobody": [own]}))
    policy = load_policy(folder / "policy.yaml")
    assert drafting.questions == [] and [each.id for each in policy.rules] == ["owes"]
    assert [*policy.facts] == ["member"] and [*policy.facts["member"].record.fields] == ["owes", "seen"]
    more = [{"name": name, "inputSchema": TOOLS[0]["parameters"], "outputSchema": shown} for name in NAMES]
    other = begun(tmp_path / "names", Desk("Nobody.", [*more, *TOOLS[3:]], NAMES, {}, {}))
    kinds = load_policy(other / "policy.yaml").facts
    assert {name: own.sources[0].tool for name, own in kinds.items()} == dict(zip(KINDS, NAMES, strict=True))
    with pytest.raises(PolicyError, match="write the fields of its `record`"):
        make_policy("p", tools={"definitions": TOOLS}, facts={"book": {"key": {"book": "text"}}})


@pytest.mark.parametrize("seed", range(6))
def test_a_model_that_is_wrong_in_a_fifth_of_its_rules(tmp_path: Path, seed: int) -> None:
    """Different faults, in one draft or in both, are questions. The same fault in both is not: edges show it."""
    draw, desk = random.Random(seed), DESKS["library" if seed % 2 else "rental"]
    able = {words: own for words, own in desk.able.items() if any(faulty(own, fault, desk.fields) for fault in FAULTS)}
    drafts, same, unlike = (dict(desk.able), dict(desk.able)), set[str](), set[str]()
    for words in draw.sample(sorted(able), max(2, len(able) // 5)):
        kinds = [own for fault in FAULTS if (own := faulty(able[words], fault, desk.fields)) is not None]
        wrong = draw.choice(kinds)
        first, second = draw.choice([(wrong, able[words]), (able[words], wrong), (wrong, draw.choice(kinds))])
        drafts[0][words], drafts[1][words] = first, second
        (same if first == second else unlike).add(words)
    folder = begun(tmp_path, desk)
    drafted(folder, scripted(*drafts))
    assert begins(open_sentences(folder), unlike)
    assert load_policy(folder / "policy.yaml").rules or not same
