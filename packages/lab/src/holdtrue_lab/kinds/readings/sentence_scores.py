"""Ask a model for the likelihood of sentences given each constraint, and keep the answers in a file.

The questions are those of the reader of sentences: the same sentence, with corrected names, and the same options.
Sentences for which the reader would not ask such a question are left out.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from holdtrue.errors import RecordError, SettingsError
from holdtrue.language.candidate_constraints import candidates
from holdtrue.language.channel_reading import LONGEST_SCORED, MOST_SCORED, score_sentence
from holdtrue.language.extract import LlmExtractor, ReadingSettings
from holdtrue.language.matching import read_own_wording
from holdtrue.language.message_reader import SentenceReader
from holdtrue.language.reading import ActiveCommitment, MessageContext, Reading
from holdtrue.language.sentences import is_question
from holdtrue.models.chat import ChatModel
from holdtrue.record import CallRecord
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kinds.readings.problem import MessageItem
from holdtrue_lab.kit.json_file import read_lines

_ONE_VIEW = ReadingSettings(views=("plain",), tie_break=None, likelihood=False)


@dataclass(frozen=True, slots=True)
class SentenceChoice:
    """A sentence of a message that states something, the constraints that it may state, and the index of the right one.

    `right` is -1 if the sentence commits to nothing. `family` is the family of the message; whole families are left out
    of a fit.
    """

    message: str
    family: str
    instance: Instance
    sentence: str
    among: tuple[Constraint, ...]
    right: int


@dataclass(frozen=True, slots=True)
class Scored:
    """For each constraint, the natural logarithm of P(sentence | constraint), and whether the model's view names the
    constraint.
    """

    scores: tuple[float, ...]
    viewed: tuple[bool, ...]


_NOTHING, _SEVERAL = -1, -2
"""Values of `SentenceChoice.right` if the sentence can state no gold constraint, or several."""


class _Listener(SentenceReader):
    """A reader that reads nothing, and keeps the sentences that it is asked to read."""

    name = "listener"

    def __init__(self) -> None:
        self.heard: list[str] = []

    async def read_sentence(
        self, instance: Instance, sentence: str, calls: list[CallRecord], among: Sequence[Constraint] = ()
    ) -> list[Reading]:
        """Keep the sentence, and reject it."""
        self.heard.append(sentence)
        return [Reading(sentence, "rejected", confidence=0.0, reason="nothing is read here")]


def choices_of(commitments: Sequence[SentenceChoice]) -> list[SentenceChoice]:
    """Return the sentences that commit to one constraint and leave a choice among several."""
    return [own for own in commitments if own.right >= 0 and len(own.among) > 1]


async def commitments_in(items: Sequence[MessageItem]) -> list[SentenceChoice]:
    """Return the sentences that need a model and whose commitment is known.

    A message with one sentence commits by that sentence. In a message with several, a sentence's commitment is the gold
    constraint that only this sentence can state. `right` is -1 if a sentence can state nothing in gold. Then the
    sentence commits to nothing, was split wrongly, or does not have its constraint among its options.
    """
    found = []
    for item in items:
        listener = _Listener()
        active = [ActiveCommitment(f"c{number}", made, 1) for number, made in enumerate(item.before, 1)]
        await listener.read(item.instance, item.message, MessageContext(2, active))
        named = [own for sentence in listener.heard if (own := _choice_of(item, sentence)) is not None]
        if len(listener.heard) == 1 and len(item.gold) <= 1:
            found += named
        else:
            found += [own for own in named if own.right == _NOTHING or (own.right >= 0 and _is_alone(item, own, named))]
    return found


def _choice_of(item: MessageItem, sentence: str) -> SentenceChoice | None:
    """Return the choice between constraints that a sentence of a message leaves, or None if it leaves none."""
    if not _needs_a_model(item.instance, sentence):
        return None
    listed = candidates(item.instance, sentence)
    among = tuple(Constraint(name, args) for name, lists in listed.single.items() for args in lists)
    if listed.several or not 1 <= len(among) <= MOST_SCORED:
        return None
    canonical = [item.instance.canonical(made) for made in among]
    stated = [made for made in item.gold if made in canonical]
    right = canonical.index(stated[0]) if len(stated) == 1 else _NOTHING if not stated else _SEVERAL
    return SentenceChoice(item.id, item.family or item.id, item.instance, sentence, among, right)


def _is_alone(item: MessageItem, choice: SentenceChoice, others: Sequence[SentenceChoice]) -> bool:
    """Return whether no other sentence of the message can state the same constraint."""
    made = item.instance.canonical(choice.among[choice.right])
    can = [own for own in others if made in map(item.instance.canonical, own.among)]
    return len(can) == 1


def _needs_a_model(instance: Instance, sentence: str) -> bool:
    own = read_own_wording(instance, sentence)
    return (
        len(sentence) <= LONGEST_SCORED and not is_question(sentence) and any(one.status != "accepted" for one in own)
    )


def read_scores(path: Path) -> dict[tuple[str, str], tuple[list[Any], Scored]]:
    """Return the scores in a file, by message and sentence, each with its constraints in JSON.

    The result is empty if there is no file. A last line that a kill cut off is removed from the file. Raises
    `RecordError` for any other invalid line.
    """
    if not path.exists():
        return {}
    _drop_cut_line(path)
    found: dict[tuple[str, str], tuple[list[Any], Scored]] = {}
    for where, line in read_lines(path):
        record: Any = line
        try:
            scored = Scored(tuple(map(float, record["scores"])), tuple(map(bool, record["viewed"])))
            found[record["message"], record["sentence"]] = (record["among"], scored)
        except (KeyError, TypeError, ValueError) as error:
            raise RecordError(f"{where}: these are no scores of a sentence: {error!r:.100}") from error
    return found


def _drop_cut_line(path: Path) -> None:
    whole = path.read_bytes()
    if not whole.endswith(b"\n"):
        path.write_bytes(whole[: whole.rfind(b"\n") + 1])


async def ask_scores(
    model: ChatModel, choices: Sequence[SentenceChoice], path: Path, told: Callable[[int, int], None]
) -> list[Scored]:
    """Return the scores of all choices. Scores that the file lacks are requested, and each is appended as soon as it
    comes.

    `told` gets the number of scores so far and in all. Raises `ModelError`, and `SettingsError` for a model that gives
    no probabilities.
    """
    known, found = read_scores(path), []
    with path.open("a", encoding="utf-8") as file:
        for number, choice in enumerate(choices, 1):
            among = [made.to_json() for made in choice.among]
            before, scored = known.get((choice.message, choice.sentence), (None, None))
            if scored is None or before != among:
                scored = await _ask(model, choice)
                record: Mapping[str, object] = {"message": choice.message, "sentence": choice.sentence, "among": among}
                file.write(json.dumps({**record, "scores": scored.scores, "viewed": scored.viewed}) + "\n")
                file.flush()
            found.append(scored)
            told(number, len(choices))
    return found


async def _ask(model: ChatModel, choice: SentenceChoice) -> Scored:
    calls: list[CallRecord] = []
    instance = choice.instance
    scores = await score_sentence(model, instance, choice.sentence, choice.among, calls)
    if scores is None:
        raise SettingsError(f"model {model.name} gives no probabilities of a sentence, and needs no weights of them")
    readings = await LlmExtractor(model, _ONE_VIEW).read_sentence(instance, choice.sentence, calls)
    stated = [instance.canonical(own.constraint) for own in readings if own.constraint is not None]
    return Scored(tuple(scores), tuple(instance.canonical(made) in stated for made in choice.among))
