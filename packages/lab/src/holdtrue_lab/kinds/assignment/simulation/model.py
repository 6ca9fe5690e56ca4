"""Simulated models for the drift suite, which understand the domains' own wording and fail at given rates.

Their faults are known, so a test can tell whether a method or a measurement finds them. Under published
protocols, prompts omit the setting from the second turn on. So these models must guess it, as any model must.
"""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.errors import SettingsError
from holdtrue.logic.evaluate import Values
from holdtrue.models.chat import Reply, Request
from holdtrue.record import ReplyKind
from holdtrue.world.answer import Assignment
from holdtrue.world.instance import Constraint, Instance
from holdtrue_lab.kinds.assignment.simulation.names import ANSWER_FAULTS, REPLY_FAULTS, Character, Fault, read_name
from holdtrue_lab.kinds.assignment.simulation.view import (
    TAKEN_BACK,
    AnswerTask,
    ChooseTask,
    CritiqueTask,
    ReadTask,
    view,
)
from holdtrue_lab.kinds.assignment.simulation.world import Reader, Understood, World
from holdtrue_lab.kit.simulation.chance import draw, shuffled
from holdtrue_lab.kit.simulation.model import (
    LOST,
    REFUSAL,
    FormatTask,
    Latest,
    Simulated,
    drawn_anew,
    left_open,
    make_reply,
    tidied,
)

_SECOND_THOUGHT = "But wait, that"  # after these words, the answer before them counts as a draft
HELPLESS = "I cannot find an arrangement that fits."
_FORGETTING = frozenset({"forget", "skill"})


@dataclass(frozen=True, slots=True)
class Answered:
    """The text of a simulated answer, the faults that changed it (`injected`), and the kind of the reply."""

    text: str
    injected: tuple[str, ...] = ()
    kind: ReplyKind = ReplyKind.ANSWER


def answer(reader: Reader, task: AnswerTask, sample: int, *, bound: bool = False) -> Answered:
    """Return the answer to a turn. `sample` numbers repeated draws for a prompt.

    `bound` means that a schema is enforced.
    """
    return _Answering(reader, task, sample, bound=bound).answer()


def criticise(reader: Reader, task: CritiqueTask, sample: int) -> tuple[str, ...]:
    """Return the faults that the model finds in its own answer. It overlooks constraints that it has forgotten."""
    return _Answering(reader, task.about, sample, "critique").criticise(task.response)


class _Answering:
    """The state of one simulated answer while it is made.

    Attributes:
        key: The parts that seed every random draw.
        said: The constraints that the user stated, in order; `earlier` has those from before the last message.
        understood: The model's readings of the user's sentences.
        kept: The constraints that the answer satisfies.
        aside: The constraints that the model believes and cannot keep together with `kept`.
        broken: The constraints that the answer breaks on purpose.
        shown: The constraints in the ledger that the prompt shows.
    """

    def __init__(
        self, reader: Reader, task: AnswerTask, sample: int, purpose: str = "", *, bound: bool = False
    ) -> None:
        self.world = reader.world
        self.bound = bound
        self.faults = [fault for fault in reader.character.faults if fault.kind in (*ANSWER_FAULTS, *REPLY_FAULTS)]
        instance = self.world.instance
        # If the frame, the feedback or the sample changes, all random draws change.
        asked = (task.said, task.feedback, task.frame, sample, purpose)
        self.key = (reader.character.seed, instance.domain.name, instance.entities, *asked)
        self.takes_back = self._recover(reader, task)
        taken_back = task.taken_back.union(self.takes_back)
        heard = [reader.read(message, taken_back) for message in task.said]
        self.earlier = [each.true for message in heard[:-1] for each in message]
        self.understood = [each for message in heard for each in message]
        self.said = [each.true for each in self.understood]
        believed = _believed(self.understood)
        self.kept = _consistent(self.world, believed)
        self.aside = set(believed).difference(self.kept)
        self.broken: list[Constraint] = []
        self.character = reader.character
        self.task = task
        shown = map(self.world.read_sentence, task.ledger) if self.character.effect("remind") else ()
        self.shown = {self.world.instance.canonical(made) for made in shown if made is not None}

    def _recover(self, reader: Reader, task: AnswerTask) -> list[str]:
        """Return the sentences that the model takes back if a conflict quotes its misreading of the latest message.

        The model then reads the whole message again, so it takes back all misreadings of that message together.
        """
        if not reader.character.effect("recover") or not (told := reader.named(task.conflict)):
            return []
        misread = frozenset[Constraint]().union(*map(reader.wrong, reader.read(task.said[-1])))
        if misread.isdisjoint(told) or draw(*self.key, "recover") >= reader.character.effect("recover"):
            return []
        return sorted(map(self.world.instance.sentence, misread))

    def answer(self) -> Answered:
        """Return the answer, followed by a line for each sentence that the model takes back."""
        made = self._answer()
        return replace(made, text="\n".join([made.text, *(f"{TAKEN_BACK}{sentence}" for sentence in self.takes_back)]))

    def _answer(self) -> Answered:
        for each in reversed(self.understood):
            if each.fault == "drop":
                self._break(each.true)
        struck = {fault.kind for fault in self.faults if self._strikes(fault)}
        if self._moved("think") or any(self._moved(part) for part in self.task.told):
            struck -= ANSWER_FAULTS.keys()
        if self.bound and self._moved("bound"):
            struck -= {"malform", "unclosed"}
        if "refuse" in struck:
            return Answered(REFUSAL, ("refuse",), ReplyKind.REFUSED)
        forgotten = {fault.kind: self._forget(fault) for fault in self.faults if fault.kind in struck & _FORGETTING}
        values = self.world.witness(self.kept, self.broken)
        if values is None:
            return Answered(HELPLESS)
        slipped = self._slip(values) if "slip" in struck else None
        values = slipped or values
        violated = self.world.violated(self.said, values)
        injected = [*self._misreadings(violated), *(kind for kind, target in forgotten.items() if target in violated)]
        injected += ["slip"] if slipped else []
        shown = self.world.instance.render_answer(values)
        if "omit" in struck:
            del shown[shuffled(shown, *self.key, "omit")[0]]
            injected.append("omit")
        text = json.dumps({"solution": shown}, ensure_ascii=False)
        if "malform" in struck:
            text = _cut(text)
            injected.append("malform")
        elif "unclosed" in struck:
            text = left_open(text)
            injected.append("unclosed")
        if "cut" in struck:
            return Answered(f"{text}\n{_SECOND_THOUGHT}", (*dict.fromkeys(injected), "cut"), ReplyKind.CUT)
        return Answered(text, tuple(dict.fromkeys(injected)))

    def criticise(self, response: str) -> tuple[str, ...]:
        """Return, in words, the constraints and laws that an answer breaks, without those that the model overlooks."""
        found = self.world.instance.read_answer(response)
        if not isinstance(found, Assignment) or len(found.values) < len(self.world.instance.variables):
            return ("the answer is not complete",)
        overlooked = {
            target for fault in self.faults if fault.kind in _FORGETTING for target in self._overlooked(fault)
        }
        kept = [made for made in self.kept if made not in overlooked]
        broken = self.world.violated(kept, found.values)
        problems = [self.world.instance.sentence(made) for made in kept if made in broken]
        return (*problems, *(["a rule is broken"] if self.world.breaks_law(found.values) else []))

    def _overlooked(self, fault: Fault) -> list[Constraint]:
        """Return the constraints that a fault of memory makes the model overlook in its own answer."""
        if fault.kind == "skill":
            return self._unremembered(fault)
        return self._at_risk()[:1] if self._strikes(fault) else []

    def _misreadings(self, violated: Set[Constraint]) -> list[str]:
        """Return the reading faults that explain why an answer breaks the constraints in `violated`."""
        # A flipped sentence may clash with another sentence. The other one is then set aside and broken instead.
        pushed = not self.aside.isdisjoint(violated)
        return [
            each.fault
            for each in self.understood
            if each.fault in ("drop", "flip") and (each.true in violated or (pushed and each.fault == "flip"))
        ]

    def _moved(self, effect: str) -> bool:
        """Return whether an effect takes place. The effect of thinking needs a prompt that asks for reasons."""
        if effect == "think" and not self.task.reasons:
            return False
        return draw(*self.key, effect) < self.character.effect(effect)

    def _reminded(self, made: Constraint) -> bool:
        """Return whether the ledger in the prompt reminds the model of a constraint, so that it does not forget it."""
        if self.world.instance.canonical(made) not in self.shown:
            return False
        return draw(*self.key, "remind", made.type, made.args) < self.character.effect("remind")

    def _strikes(self, fault: Fault) -> bool:
        # `skill` is drawn separately for each constraint (see `_unremembered`).
        return fault.kind == "skill" or draw(*self.key, fault.kind) < fault.rate

    def _forget(self, fault: Fault) -> Constraint | None:
        """Choose a constraint, make the answer break it, and return it.

        Return None if no constraint can be broken, or if the prompt's ledger reminds the model of the chosen one.
        """
        if fault.kind == "skill":
            targets = self._unremembered(fault)
        else:
            targets = [*self._at_risk(), *shuffled(dict.fromkeys(self.said), *self.key, "forget")]
        target = next((target for target in targets if self._breakable(target)), None)
        if target is None or (fault.kind == "forget" and self._reminded(target)):
            return None
        self._break(target)
        return target

    def _at_risk(self) -> list[Constraint]:
        """Return the constraints of earlier turns, in the order in which they would be forgotten."""
        return shuffled(dict.fromkeys(self.earlier), *self.key, "forget")

    def _unremembered(self, fault: Fault) -> list[Constraint]:
        forgotten = [made for made in self.earlier if draw(*self.key, made.type, made.args) >= fault.rate]
        return [made for made in forgotten if not self._reminded(made)]

    def _breakable(self, target: Constraint) -> bool:
        """Return whether the other kept constraints allow `target` to be broken."""
        rest = [made for made in self.kept if made != target]
        return self.world.possible(rest, [*self.broken, target])

    def _break(self, target: Constraint) -> None:
        """Drop a constraint from the kept constraints and break it, if the others allow that."""
        if self._breakable(target):
            self.kept, self.broken = [made for made in self.kept if made != target], [*self.broken, target]

    def _slip(self, values: Values) -> Values | None:
        """Return the values with one change that newly breaks a constraint or law; None if no change does."""
        before = self.world.violated(self.said, values)
        for name in shuffled(values, *self.key, "slip"):
            sort = self.world.instance.variables[name].sort
            for value in shuffled(sort.values, *self.key, "slip", name):
                changed = {**values, name: value}
                if self.world.violated(self.said, changed) - before or self.world.breaks_law(changed):
                    return changed
        return None


def _believed(understood: Sequence[Understood]) -> list[Constraint]:
    """Return the constraints that the model believes, in decreasing certainty.

    Stated constraints come first, beginning with the latest sentence. Constraints that the model wrongly added come
    last. A reading that contradicts its sentence is reported, but not believed.
    """
    stated = [made for each in reversed(understood) for made in each.reported[:1]]
    added = [made for each in reversed(understood) if each.fault == "add" for made in each.reported[1:]]
    return list(dict.fromkeys([*stated, *added]))


def _consistent(world: World, believed: Sequence[Constraint]) -> list[Constraint]:
    """Return the believed constraints, without each that cannot hold together with those kept before it."""
    if world.possible(believed):
        return list(believed)
    kept: list[Constraint] = []
    for constraint in believed:
        if world.possible([*kept, constraint]):
            kept.append(constraint)
    return kept


def _cut(text: str) -> str:
    """Return the text up to its first entity. Nobody can read an answer from it."""
    return text[: text.index("{", 1) + 1]


class SimulatedModel(Simulated[Character]):
    """A simulated model. The annotations of a reply name the faults that changed it."""

    def __init__(self, character: Character) -> None:
        super().__init__(character)
        self._readers: Latest[Reader] = Latest()

    def reply(self, request: Request) -> Reply:
        task, character = view(request.messages), self.character
        match task:
            case AnswerTask():
                sample = drawn_anew(request, character.effect("greedy"), character.seed)
                bound = request.schema is not None
                made = answer(self._reader(task.instance), task, sample, bound=bound)
                return make_reply(request, made.text, made.injected, made.kind)
            case CritiqueTask():
                found = criticise(self._reader(task.about.instance), task, request.sample)
                return make_reply(request, _json({"ok": not found, "problems": found}))
            case ReadTask():
                return make_reply(request, *_report(self._reader(task.instance), task, request.schema))
            case ChooseTask():
                return make_reply(request, *_choose(self._reader(task.instance), task))
            case FormatTask():
                return make_reply(request, tidied(task.response, character.effect("tidy"), character.seed))
        return make_reply(request, LOST)

    def _reader(self, instance: Instance) -> Reader:
        return self._readers.get(instance.setup_lines(), lambda: Reader(World(instance), self.character))


def open_simulated(name: str, base_url: str | None = None) -> SimulatedModel:
    """Return the simulated model of that name (see `names`). An unknown name or a base URL raises `SettingsError`."""
    if base_url is not None:
        raise SettingsError(f"{name}: a simulated model runs without a server, so it takes no base URL")
    return SimulatedModel(read_name(name))


def _report(reader: Reader, task: ReadTask, schema: Mapping[str, Any] | None) -> tuple[str, tuple[str, ...]]:
    """Return a reply with the constraints in a text, after the plain words that the schema asks for."""
    understood = reader.read(task.text, task.taken_back)
    stated = [made.to_json() for each in understood for made in each.reported]
    reply: dict[str, Any] = {name: task.text for name in _words_asked(schema)}
    injected = dict.fromkeys(each.fault for each in understood if each.fault)
    return _json({**reply, "constraints": stated}), tuple(injected)


def _words_asked(schema: Mapping[str, Any] | None) -> list[str]:
    """Return the names of the reply's text properties, such as a restatement of the sentence."""
    properties = schema.get("properties") if schema else None
    kinds = properties.items() if isinstance(properties, Mapping) else ()
    return [name for name, kind in kinds if isinstance(kind, Mapping) and kind.get("type") == "string"]


def _choose(reader: Reader, task: ChooseTask) -> tuple[str, tuple[str, ...]]:
    """Return the choice that has the meaning which the model understood, or the first choice if neither has it."""
    options = [_same(reader, reader.world.read_sentence(choice)) for choice in task.choices]
    for each in reader.read(task.sentence):
        held = _same(reader, each.reported[0] if each.reported else each.true)
        if held in options:
            injected = (each.fault,) if each.fault and held != _same(reader, each.true) else ()
            return _json({"choice": options.index(held) + 1}), injected
    return _json({"choice": 1}), ()


def _same(reader: Reader, constraint: Constraint | None) -> Constraint | None:
    return None if constraint is None else reader.world.instance.canonical(constraint)


def _json(value: Mapping[str, Any]) -> str:
    return json.dumps(value, ensure_ascii=False, separators=(",", ":"))
