"""What shows that each setting of a run of decisions moves a figure."""

from __future__ import annotations

from functools import partial

from holdtrue_lab.kit.no_model import NO_MODEL
from tests.lab.knobs.knob import Entry, Knob, Still, by

THROUGH, NEEDLESS = "harm/let_through/value", "harm/needless/value"
NOBODY = "no model is asked"
guard_knob = partial(Knob, suite="guard", model=NO_MODEL)

METHOD: tuple[Entry, ...] = (
    Still("DecisionMethod.name", "a name of one's own"),
    guard_knob("DecisionMethod.decider", "allow", "block", figure=THROUGH, planted=by(-1.0)),
    Still("DecisionMethod.reader", "hears the words of dialogues, which are problems of another sort; see their tests"),
    guard_knob("DecisionMethod.unsaid", "false", "unknown", figure=NEEDLESS, planted=by(1.0), source={"days": 30}),
)
RUN: tuple[Entry, ...] = (
    Still("DecisionSettings.mode", "the recorded agent cannot react: what is stopped changes nothing that is scored"),
    guard_knob(
        *("DecisionSettings.now", "2024-05-15T12:00:00", "2024-05-15T22:00:00"), figure=THROUGH, planted=by(-1.0)
    ),
    Still("DecisionSettings.timeout_s", "bounds the time of a solver, which the rules of these problems never ask"),
    Still("Source.data", "says which conversations are played"),
    Still("Source.policy", "says by which policy they are decided on"),
    Still("Source.unfounded", "is about arguments that nobody spoke of in dialogues; see their tests"),
    *(Still(f"Sampling.{name}", NOBODY) for name in ("temperature", "seed", "max_tokens", "structured")),
)
ENTRIES = {"guard": (*METHOD, *RUN)}
