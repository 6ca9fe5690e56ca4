"""Read what a family of cases says, from its file in `words/`: its kinds of statements, its setting, and its names.

A file is TOML. All of its tables but `kinds` may be left out:

- `names`: lists of names, from which entities and the setting are drawn.
- `lines`: the sentences of the setting in order, each as a list of wordings; `{...}` stands for what an instance has.
- `cues`: lists of `Cue`s, which kinds name.
- `kinds`: by name the fields of a `Kind`. An argument is `entity`, `attribute`, `attribute of KEY` (one of those that
  the context names under this key), `value of N` (of the attribute that argument N names) or a range such as
  `1..count - 1`, where `count` is the number of entities, and any other word a number of the context. `any_order_from`
  is the first of the arguments whose order means nothing; `negates` names the kind whose opposite this one is; an
  example is a sentence, and the arguments of what it says.
"""

from __future__ import annotations

import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

from holdtrue.logic.formula import Formula
from holdtrue.world.domain import Argument, AttributeName, Bound, ConstraintType, Cue, Entity, Example, Integer, ValueOf
from holdtrue.world.instance import Instance
from holdtrue_lab.kit.constraints import any_order

_FOLDER = Path(__file__).parent / "words"
Meaning = Callable[..., Formula]


@dataclass(frozen=True, slots=True)
class Kind(ConstraintType):
    """One kind of statement: a constraint type with what cases need of it.

    Attributes:
        sentence: As in `ConstraintType`, by default the first phrasing.
        phrasings: At least four ways to state it, in premises and in queries. Each is a format string over the
            arguments, a clause without capital and full stop, and says exactly what the formula says to somebody who
            knows only the setting.
        query: The type of its queries in reports, by default its own name.
        told: How often it is drawn as a premise, relative to the other kinds.
        asked: How often it is drawn as a statement, relative to the other kinds; 0: it is never asked about.
    """

    sentence: str = field(default="", kw_only=True)
    phrasings: tuple[str, ...] = ()
    query: str = ""
    told: int = 1
    asked: int = 1

    def __post_init__(self) -> None:
        object.__setattr__(self, "sentence", self.sentence or self.phrasings[0])
        object.__setattr__(self, "query", self.query or self.name)


class Words:
    """The `Words` of a family are read from its file.

    Attributes:
        names: Its lists of names.
        lines: The wordings of each sentence of its setting.
    """

    def __init__(self, family: str) -> None:
        said = tomllib.loads((_FOLDER / f"{family}.toml").read_text(encoding="utf-8"))
        self.names: Mapping[str, list[Any]] = said.get("names", {})
        self.lines: Mapping[str, list[str]] = said.get("lines", {})
        self._cues = {name: [Cue(**cue) for cue in cues] for name, cues in said.get("cues", {}).items()}
        self._kinds: Mapping[str, Mapping[str, Any]] = said["kinds"]

    def kinds(
        self, meanings: Mapping[str, Meaning], applies: Mapping[str, Callable[[Instance], bool]] | None = None
    ) -> tuple[Kind, ...]:
        """Return the kinds with their formulas.

        `meanings` has a formula for each kind that does not negate another. `applies` says of some kinds in which
        instances they exist.
        """
        exists = applies or {}
        return tuple(self._kind(name, dict(said), meanings, exists.get(name)) for name, said in self._kinds.items())

    def _kind(
        self,
        name: str,
        said: dict[str, Any],
        meanings: Mapping[str, Meaning],
        applies: Callable[[Instance], bool] | None,
    ) -> Kind:
        negated, start = said.pop("negates", None), said.pop("any_order_from", None)
        return Kind(
            name,
            tuple(map(_argument, said.pop("arguments"))),
            formula=meanings[name] if negated is None else _negation(meanings[negated]),
            canonical=None if start is None else any_order(start),
            applies=applies,
            examples=tuple(Example(sentence, tuple(args)) for sentence, *args in said.pop("examples")),
            wordings=tuple(said.pop("wordings", ())),
            cues=tuple(cue for group in said.pop("cues", ()) for cue in self._cues[group]),
            phrasings=tuple(said.pop("phrasings")),
            **said,
        )

    def tell(self, rng: Random, *lines: str, **values: object) -> list[str]:
        """Return these of the lines, or all, each in one of its wordings and with the values in it."""
        return [rng.choice(self.lines[line]).format(**values) for line in lines or self.lines]


def _negation(meaning: Meaning) -> Meaning:
    return lambda *args: ~meaning(*args)


def _argument(text: str) -> Argument:
    match text.split(" of "):
        case ["entity"]:
            return Entity()
        case ["attribute"]:
            return AttributeName()
        case ["attribute", key]:
            return AttributeName(lambda instance: tuple(instance.context[key]))
        case ["value", place]:
            return ValueOf(int(place))
    low, high = text.split("..")
    return Integer(_bound(low), _bound(high))


def _bound(text: str) -> Bound:
    if text.isdigit():
        return int(text)
    name, _, less = text.partition(" - ")
    return lambda instance: _number(instance, name) - int(less or 0)


def _number(instance: Instance, name: str) -> int:
    return len(instance.entities) if name == "count" else int(instance.context[name])
