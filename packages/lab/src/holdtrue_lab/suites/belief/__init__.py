"""Suite `belief` asks questions about a small world one after the other, to test how beliefs are revised."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from holdtrue.errors import SettingsError
from holdtrue.options import Option, one_of
from holdtrue_lab.kinds.labels import KIND
from holdtrue_lab.kinds.labels.setup import LabelSetup
from holdtrue_lab.kit.suite import Loaded, Suite, Validated

NAME = "belief"


@dataclass(frozen=True, slots=True)
class Source:
    dialogues: Annotated[Path, Option("A folder of dialogues (see: generate belief), or one file of them.")]
    schedule: Annotated[str | None, Option("Of a folder with several schedules: random, stress, or all.")] = None


@dataclass(frozen=True, slots=True)
class Recipe:
    seed: Annotated[int, Option("The same seed makes the same dialogues, byte for byte.")] = 42
    count: Annotated[int, Option("The number of dialogues.", least=1)] = 120
    turns: Annotated[int, Option("The number of questions in every dialogue.", least=1)] = 10
    schedule: Annotated[str, Option("random, or stress (in an order that invites contradictions).")] = "stress"


def _load(source: Source, *, seed: int, model: str) -> Loaded:
    from holdtrue_lab.suites.belief.files import load_dialogues

    loaded = load_dialogues(source.dialogues)
    there = dict.fromkeys(case.domain for case in loaded)
    if source.schedule not in (None, "all"):
        own = one_of("schedule", source.schedule, (*there, "all"))
        return Loaded(f"{source.dialogues}, schedule {own}", [case for case in loaded if case.domain == own])
    mixed = f"Dialogues of {' and '.join(there)} are played together, and figures are about all; --schedule takes one."
    return Loaded(str(source.dialogues), loaded, notes=(mixed,) if len(there) > 1 and source.schedule is None else ())


def _make(recipe: Recipe, out: Path) -> Iterator[str]:
    """Make dialogues about Horn worlds for belief revision, in one JSON file with all labels."""
    from holdtrue_lab.kinds.labels.setup import label_shares
    from holdtrue_lab.suites.belief.files import dialogues_file, write_dialogues
    from holdtrue_lab.suites.belief.generate import generate_dialogues

    schedule, count = recipe.schedule, recipe.count
    if (out / dialogues_file(schedule)).exists():
        raise SettingsError(f"{out} already holds {schedule} dialogues; give another --out, so that none are lost")
    dialogues = generate_dialogues(recipe.seed, count, turns=recipe.turns, schedule=schedule)
    (path,) = write_dialogues(dialogues, out)
    shares = ", ".join(f"{share:.0%} {label}" for label, share in label_shares(dialogues).items())
    yield f"{count} dialogue{'' if count == 1 else 's'} in {path}: {shares}"


def _validate(folder: Path, timeout_s: float) -> Validated | None:
    """Prove the label of each question again, from the premises of its world."""
    from holdtrue.budget import Budget
    from holdtrue.solving.explain.classification import label_of
    from holdtrue.solving.route import make_engine
    from holdtrue_lab.suites.belief.files import dialogues_file, load_dialogues

    if not any(folder.glob(dialogues_file("*"))):
        return None
    faults, count = list[str](), 0
    for case in load_dialogues(folder):
        engine = make_engine(
            case.variables, (*case.laws, *(own.formula for own in case.premises if own.formula is not None))
        )
        for query in case.queries:
            count += 1
            assert query.formula is not None, "each question of a world has one"
            proved = label_of(engine, {}, query.formula, Budget(timeout_s=timeout_s))
            if proved != query.label:
                faults.append(f"{case.id}, {query.id}: the label is {query.label}, and {proved} is proved")
    return Validated(f"{count} labels of dialogues", faults)


_CITES = """\
@misc{greedysat,
  title = {Conversation as Belief Revision: {GreedySAT} Revision for Global Logical Consistency
    in Multi-Turn {LLM} Dialogues},
  author = {Baitalik, Sanjan and Datta, Rajashik and Das, Amit Kumar and Das Choudhury, Sruti}
}"""

SUITE = Suite(
    NAME,
    KIND,
    "Ask questions about small worlds, and revise what is believed by one or more policies.",
    methods="none,greedy,min_change",
    model="Such as openai/NAME, local/NAME, sim/labels:wrong=0.2, script/FILE.",
    load=_load,
    make=_make,
    validate=_validate,
    setup=LabelSetup(dialogue=True),
    cites=_CITES,
)
