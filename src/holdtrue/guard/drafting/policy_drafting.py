"""Draft a policy from its prose, one sentence after another, twice. Parts on which both drafts agree are taken.

A sentence on which they differ stays open, with a question for each call that they decide differently. An answered
question settles it, and a rule that a person marked wrong is drafted again with the case as evidence.
"""

from __future__ import annotations

import asyncio
import json
from collections.abc import Callable, Iterator
from pathlib import Path

from pydantic import ValidationError

from holdtrue.budget import NEVER, Deadline
from holdtrue.errors import InputError
from holdtrue.files import write_whole
from holdtrue.guard.analysis.case_file import Case, SituationWire
from holdtrue.guard.analysis.case_running import run_cases
from holdtrue.guard.analysis.prose_coverage import DECIDING, prose_coverage
from holdtrue.guard.analysis.report_lines import as_json
from holdtrue.guard.analysis.two_decisions import seen_by
from holdtrue.guard.drafting.draft_comparison import draft_questions
from holdtrue.guard.drafting.draft_folder import QUESTIONS, Mark, read_data, read_list, read_marks, write_policy
from holdtrue.guard.drafting.policy_data import (
    DECLARED,
    Data,
    first_of,
    ids,
    merged,
    with_ids,
    without,
    without_sentences,
    words_before,
)
from holdtrue.guard.drafting.sentence_drafting import Drafter
from holdtrue.guard.json_values import json_text
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_file import make_policy
from holdtrue.guard.prose import Sentence
from holdtrue.guard.wording import LONGEST
from holdtrue.guard.yaml_text import write_yaml
from holdtrue.language.policy_prompts import AskedSentence, told_tool

_SHOWN = {"rule", "case", "expect", "note"}
"""The fields of a mark that a model sees."""


class PolicyDrafting:
    """A `PolicyDrafting` goes on with the draft in a folder. Answered questions are taken at once.

    Raises `InputError` for a folder that cannot be used.
    """

    def __init__(self, folder: Path, tell: Callable[[str], None] = lambda _: None) -> None:
        self._folder, self._tell = folder, tell
        self._before = self._data = read_data(folder)
        policy = self._loaded(self._data)
        prose = policy.prose
        if prose is None or prose.edited:
            raise InputError(f"{folder}: the prose was edited after its sentences were numbered; see `policy check`")
        self._prose = prose
        self._tools = {
            own.name: told_tool(own.name, own.schema.description, own.writes, own.arguments, own.schema.result)
            for own in policy.tools.values()
        }
        self._marks, self.questions = read_marks(folder), read_list(folder / QUESTIONS)
        for number in {number for own in self.questions for number in own["sentences"]}:
            self._settle(number)

    def _loaded(self, data: Data) -> Policy:
        return make_policy(folder=self._folder, **data)

    # A person's marks

    def _settle(self, number: int) -> None:
        """Take the draft that decides all answered questions of a sentence as the person does."""
        asked = [own for own in self.questions if number in own["sentences"]]
        answers = [(own, mark) for own in asked for mark in self._marks if mark.edge == own["id"] and mark.expect]
        sides = [
            side
            for side in ("first", "second")
            if answers and all(own[side].get("decision") == mark.expect and own[side]["parts"] for own, mark in answers)
        ]
        if len(sides) == 1:
            data = self._joined(number, asked[0][sides[0]]["parts"])
            self._loaded(data)
            self._data = data
            self._ask(number, [])

    def _judgements(self, number: int) -> list[Mark]:
        """Return the marks that find drafts of a sentence wrong, with their cases, and the answers to its questions."""
        cases = {own["id"]: own.get("case") for own in self.questions if number in own["sentences"]}
        marks = (own for own in self._marks if own.edge in cases or (own.mark == "wrong" and number in own.sentences))
        return [own.model_copy(update={"case": own.case or cases.get(own.edge)}) for own in marks]

    def _marked_again(self) -> Iterator[int]:
        """Yield the sentences of rules that a person marked wrong, and that still decide so."""
        policy, known = self._loaded(self._data), {*ids(self._data)}
        for mark in self._marks:
            checked = mark.case is not None and mark.expect is not None
            if mark.mark == "wrong" and (_problems(policy, mark) if checked else mark.rule in known):
                yield from mark.sentences

    # Drafting

    async def draft(self, drafters: tuple[Drafter, Drafter], deadline: Deadline = NEVER) -> bool:
        """Draft each open sentence. Return whether the time ran out before. Raises `ModelError`."""
        again, undrafted = {*self._marked_again()}, self._undrafted()
        left = [own for own in self._prose.sentences if own.number in again | undrafted]
        try:
            async with asyncio.timeout(deadline.remaining_s):
                for own in left:
                    await self._draft_sentence(own, drafters, again=own.number in again)
        except TimeoutError:
            return True
        return False

    def _undrafted(self) -> set[int]:
        """Return the open sentences that no part decides for."""
        policy = self._loaded(self._data)
        coverage, kept = prose_coverage(policy), [own for own in policy.citing if own.section in DECIDING]
        decided = {number for own in kept for number in own.sentences}
        return {own.number for own in coverage.open if own.number not in decided} if coverage else set()

    async def _draft_sentence(self, own: Sentence, drafters: tuple[Drafter, Drafter], *, again: bool) -> None:
        base = words_before(self._data, own.number + again)
        judged = self._judgements(own.number)
        around = ["", *(each.text for each in self._prose.sentences), ""]
        evidence = tuple(as_json(each.model_dump(include=_SHOWN, exclude_none=True)) for each in judged)
        before, after = around[own.number - 1], around[own.number + 1]
        asked = AskedSentence(own.text, self._tools, own.path, before, after, tuple(_told_words(base)), evidence)

        def faults(parts: Data) -> list[str]:
            data = self._joined(own.number, parts)
            policy = self._loaded(data) if judged or {*DECLARED} & {*parts} else None
            return [text for mark in judged if policy for text in _problems(policy, mark)]

        drafts = await asyncio.gather(*(each.draft(own, asked, base, faults) for each in drafters))
        (one, why), (other, also) = drafts
        questions = draft_questions(self._folder, base, own.number, (one, other))
        if one and other and not questions:
            self._data = self._joined(own.number, one)
            told = ", ".join(one)
        else:
            told = f"not drafted: {why or also}" if why or also else "two drafts of it differ: see questions.yaml"
            self._data = self._joined(own.number, _left_open(own, told, one, other))
        self._ask(own.number, questions)
        self._tell(f"{own.number}. {own.text}: {told}")

    def _joined(self, number: int, parts: Data) -> Data:
        """Return the policy with these parts of a sentence in place of those before.

        Raises `InputError` if other sentences declare the same names otherwise.
        """
        data = without(self._data, number)
        for key in DECLARED:  # words that this sentence alone declared give way to their newer form
            new = parts.get(key, {})
            known = data.get(key, {}).items()
            kept = {name: own for name, own in known if name not in new or own.get("sentences") != [number]}
            data = {**data, key: kept} if kept else {name: own for name, own in data.items() if name != key}
        taken = {*ids(data), *(own.rule for own in self._marks)}
        return merged(data, with_ids(parts, taken, number))

    def _ask(self, number: int, questions: list[Data]) -> None:
        self.questions = [own for own in self.questions if own["sentences"] != [number]] + questions

    def coverage(self) -> tuple[int, int]:
        """Return the number of sentences, and of those that are open."""
        found = prose_coverage(self._loaded(self._data))
        return (found.sentences, len(found.open)) if found else (0, 0)

    def save(self) -> bool:
        """Write the policy and the questions. Return whether an edited policy was kept as `policy.before.yaml`."""
        if self.questions or (self._folder / QUESTIONS).exists():
            write_whole(self._folder / QUESTIONS, write_yaml(self.questions))
        return write_policy(self._folder, self._before, self._data)


def _problems(policy: Policy, mark: Mark) -> list[str]:
    """Return the difference between a policy's decision on the case of a mark and the right one, or nothing."""
    if mark.case is None or mark.expect is None:
        return []
    given = {name: own for name, own in mark.case.items() if name in SituationWire.model_fields}
    try:
        situation = seen_by(SituationWire.model_validate(given).situation(), policy)
        (result,) = run_cases(policy, (Case(mark.edge, situation, mark.expect),)).results
    except (InputError, ValidationError):
        return []  # A case of other words than the policy's says nothing about it.
    return [f"on the call {json_text(mark.case, LONGEST)} {text}" for text in result.problems]


def _left_open(own: Sentence, reason: str, one: Data, other: Data) -> Data:
    """Return the entry of an open sentence, and the words that its drafts declare, which later ones may use."""
    entry = {"id": f"open-{own.number}", "say": own.text, "reason": reason, "sentences": [own.number], "open": True}
    words = {key: {**other.get(key, {}), **one.get(key, {})} for key in DECLARED if {key} & {*one, *other}}
    return {**words, "not_checked": [entry]}


def _told_words(data: Data) -> Iterator[str]:
    """Yield the declared facts, statements and tables in the order of their sentences, as JSON."""
    words = [(first_of(own), key, name, own) for key in DECLARED for name, own in data[key].items()]
    for _, key, name, own in sorted(words, key=lambda each: each[:3]):
        yield f"{key}.{name}: {json.dumps(without_sentences(own), ensure_ascii=False, sort_keys=True, default=str)}"
