"""A simulated model answers a turn from what it remembers, with the faults that strike."""

from __future__ import annotations

import json
from collections.abc import Sequence, Set
from dataclasses import dataclass, replace

from holdtrue.logic.evaluate import Values
from holdtrue.record import ReplyKind
from holdtrue.world.answer import Assignment
from holdtrue.world.instance import Constraint
from holdtrue_lab.kinds.assignment.simulation.misreading import Reader, Understood
from holdtrue_lab.kinds.assignment.simulation.names import ANSWER_FAULTS, REPLY_FAULTS, Fault
from holdtrue_lab.kinds.assignment.simulation.view import TAKEN_BACK, AnswerTask, CritiqueTask
from holdtrue_lab.kinds.assignment.simulation.world import World
from holdtrue_lab.kit.simulation.chance import draw, shuffled
from holdtrue_lab.kit.simulation.model import REFUSAL, left_open

_SECOND_THOUGHT = "But wait, that"  # what was written before it is a draft
HELPLESS = "I cannot find an arrangement that fits."
_FORGETTING = frozenset({"forget", "skill"})


@dataclass(frozen=True, slots=True)
class Answered:
    """The text of a simulated answer, the faults that changed it (`injected`), and the kind of the reply."""

    text: str
    injected: tuple[str, ...] = ()
    kind: ReplyKind = ReplyKind.ANSWER


def answer(reader: Reader, task: AnswerTask, sample: int, *, bound: bool = False) -> Answered:
    """Return the answer to a turn; `sample` numbers repeated draws of a prompt, which may be `bound` to a schema."""
    return _Answering(reader, task, sample, bound=bound).answer()


def criticise(reader: Reader, task: CritiqueTask, sample: int) -> tuple[str, ...]:
    """Return what the model finds wrong with its own answer: it overlooks whatever it has forgotten."""
    return _Answering(reader, task.about, sample, "critique").criticise(task.response)


class _Answering:
    """One answer in the making: what was understood, what of it is kept, and what is broken on purpose."""

    def __init__(
        self, reader: Reader, task: AnswerTask, sample: int, purpose: str = "", *, bound: bool = False
    ) -> None:
        self.world = reader.world
        self.bound = bound
        self.faults = [fault for fault in reader.character.faults if fault.kind in (*ANSWER_FAULTS, *REPLY_FAULTS)]
        instance = self.world.instance
        # Another frame, a repair prompt, or another sample is another throw of the dice.
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
        """Return, in sentences, what the model takes back of the latest message once a conflict quotes it.

        It reads the whole message again, so that all that was misread in it goes at once.
        """
        if not reader.character.effect("recover") or not (told := reader.named(task.conflict)):
            return []
        misread = frozenset[Constraint]().union(*map(reader.wrong, reader.read(task.said[-1])))
        if misread.isdisjoint(told) or draw(*self.key, "recover") >= reader.character.effect("recover"):
            return []
        return sorted(map(self.world.instance.sentence, misread))

    def answer(self) -> Answered:
        """Return the answer, with a line for everything that it takes back."""
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
        """Return in words the constraints and laws that an answer breaks; forgotten constraints are left out."""
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
        """Return the constraints that a fault of memory makes this model overlook in its own answer."""
        if fault.kind == "skill":
            return self._unremembered(fault)
        return self._at_risk()[:1] if self._strikes(fault) else []

    def _misreadings(self, violated: Set[Constraint]) -> list[str]:
        """The faults of reading that show in an answer which breaks `violated`."""
        # A sentence read the wrong way round may also push another one aside, which is then broken in its place.
        pushed = not self.aside.isdisjoint(violated)
        return [
            each.fault
            for each in self.understood
            if each.fault in ("drop", "flip") and (each.true in violated or (pushed and each.fault == "flip"))
        ]

    def _moved(self, effect: str) -> bool:
        """Return whether an effect takes place; that of thinking does only where the prompt asks for reasons."""
        if effect == "think" and not self.task.reasons:
            return False
        return draw(*self.key, effect) < self.character.effect(effect)

    def _reminded(self, made: Constraint) -> bool:
        """Return whether the ledger in the prompt keeps a constraint from being forgotten."""
        if self.world.instance.canonical(made) not in self.shown:
            return False
        return draw(*self.key, "remind", made.type, made.args) < self.character.effect("remind")

    def _strikes(self, fault: Fault) -> bool:
        # `skill` rolls for each constraint instead.
        return fault.kind == "skill" or draw(*self.key, fault.kind) < fault.rate

    def _forget(self, fault: Fault) -> Constraint | None:
        """Forget a constraint and break it; return this constraint.

        None is returned if none can be broken, or the ledger reminds of the one that would be.
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
        """Return whether the rest of what is kept allows a constraint to be broken."""
        rest = [made for made in self.kept if made != target]
        return self.world.possible(rest, [*self.broken, target])

    def _break(self, target: Constraint) -> None:
        """Give up a constraint and promise to break it, if the rest allows."""
        if self._breakable(target):
            self.kept, self.broken = [made for made in self.kept if made != target], [*self.broken, target]

    def _slip(self, values: Values) -> Values | None:
        """The values with one changed, so that something breaks that held before; None where nothing can."""
        before = self.world.violated(self.said, values)
        for name in shuffled(values, *self.key, "slip"):
            sort = self.world.instance.variables[name].sort
            for value in shuffled(sort.values, *self.key, "slip", name):
                changed = {**values, name: value}
                if self.world.violated(self.said, changed) - before or self.world.breaks_law(changed):
                    return changed
        return None


def _believed(understood: Sequence[Understood]) -> list[Constraint]:
    """Return the constraints that the model believes, the surest first.

    These are what sentences state, the latest first, and then what the model read into them. A reading that clashes
    with its own sentence is only reported, and not believed.
    """
    stated = [made for each in reversed(understood) for made in each.reported[:1]]
    added = [made for each in reversed(understood) if each.fault == "add" for made in each.reported[1:]]
    return list(dict.fromkeys([*stated, *added]))


def _consistent(world: World, believed: Sequence[Constraint]) -> list[Constraint]:
    """All that is believed if it is possible, else what can be kept of it, the surest first."""
    if world.possible(believed):
        return list(believed)
    kept: list[Constraint] = []
    for constraint in believed:
        if world.possible([*kept, constraint]):
            kept.append(constraint)
    return kept


def _cut(text: str) -> str:
    """The text up to the first entity: JSON that nobody can read an answer from."""
    return text[: text.index("{", 1) + 1]
