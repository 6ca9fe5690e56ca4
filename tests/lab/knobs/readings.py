"""What shows that each setting of a run of readings moves a figure."""

from __future__ import annotations

from functools import partial

from holdtrue_lab.kit.no_model import NO_MODEL
from tests.lab.knobs.knob import LESS, Entry, Knob, Still, by

EXACT = "figures/exact/value"
NOBODY = "no simulated model reads messages"
RULES = {"reader": "rules"}
reading_knob = partial(Knob, suite="reading", model=NO_MODEL, figure=EXACT)

METHOD: tuple[Entry, ...] = (
    Still("ReadingMethod.name", "a name of one's own"),
    reading_knob("ReadingMethod.reader", "nothing", "gold", planted=by(1.0)),
    reading_knob("ReadingMethod.accepted", None, 1.1, planted=LESS, method=RULES),
)
RUN: tuple[Entry, ...] = (
    Still("ReadingSettings.weights", f"are those of method llm, and {NOBODY}"),
    Still("Source.data", "says which messages are read"),
    *(Still(f"Sampling.{name}", NOBODY) for name in ("temperature", "seed", "max_tokens", "structured")),
)
ENTRIES = {"reading": (*METHOD, *RUN)}
