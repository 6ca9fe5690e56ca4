"""What shows that each setting of a run about labels moves a figure."""

from __future__ import annotations

from functools import partial

from tests.lab.knobs.knob import LESS, MORE, Entry, Knob, Still, by, mends

RIGHT, CONSISTENT = "accuracy/value", "sets/consistent/value"
WRONG, GREEDY = "sim/labels:wrong=0.4@1", "sim/labels:wrong=0.4,greedy=1@1"
label_knob = partial(Knob, suite="cross_query", problems=20)

METHOD: tuple[Entry, ...] = (
    Still("LabelMethod.name", "a name of one's own"),
    label_knob("LabelMethod.frame", "direct", "cot", "sim/labels:wrong=0.8,think=0.75@1", RIGHT, mends(0.75)),
    label_knob("LabelMethod.frame", "direct", "few_shot", "sim/labels:wrong=0.8,shots=0.5@1", RIGHT, mends(0.5)),
    label_knob(
        "LabelMethod.samples", 1, 5, "sim/labels:wrong=0.4,greedy=1@1", RIGHT, MORE, method={"temperature": 0.7}
    ),
    label_knob(
        "LabelMethod.temperature", 0.0, 0.7, "sim/labels:wrong=0.4,greedy=1@1", RIGHT, MORE, method={"samples": 5}
    ),
    label_knob("LabelMethod.repairs", 0, 2, WRONG, CONSISTENT, MORE, slow=True),
    label_knob(
        *("LabelMethod.feedback", "names", "conflict"),
        *("sim/labels:wrong=0.6,quoted=0.9@1", RIGHT, MORE),
        method={"repairs": 2},
    ),
    label_knob("LabelMethod.policy", "none", "min_change", WRONG, CONSISTENT, mends(1.0)),
    label_knob("LabelMethod.answerer", "model", "solver_only", WRONG, RIGHT, mends(1.0)),
    label_knob("LabelMethod.format_retries", 0, 1, "sim/labels:unclosed=0.8,tidy=0.75@1", RIGHT, mends(0.75)),
    label_knob("LabelMethod.truncation_retries", 0, 1, "sim/labels:cut=0.6@1", RIGHT, mends(0.4)),
    label_knob(
        *("LabelMethod.retry_difference", "none", "number"),
        *("sim/labels:wrong=0.7@1", CONSISTENT, MORE),
        method={"repairs": 4},
        problems=60,
        slow=True,
    ),
)
RUN: tuple[Entry, ...] = (
    label_knob("LabelSettings.ask", "bundle", "one", WRONG, "overhead/calls/per_case/value", MORE, problems=8),
    label_knob(
        *("LabelSettings.formal", "gold", "llm"),
        *("sim/labels:wrong=0.8@1", CONSISTENT, LESS),
        method={"policy": "min_change"},
        slow=True,
    ),
    label_knob(
        "LabelSettings.frame", "direct", "cot", "sim/labels:wrong=0.8,think=0.75@1", RIGHT, mends(0.75), slow=True
    ),
    label_knob("Sampling.temperature", 0.0, 0.7, GREEDY, RIGHT, MORE, method={"samples": 5}, slow=True),
    Still("Sampling.seed", "chooses among draws that are alike on average"),
    label_knob("Sampling.max_tokens", 2048, 8, "sim/labels", RIGHT, by(-1.0)),
    label_knob(
        *("Sampling.structured", False, True),
        *("sim/labels:unclosed=0.8,bound=0.75@1", RIGHT, mends(0.75)),
        method={"format_retries": 0},
        slow=True,
    ),
)
WHERE = "says which problems are played"
ENTRIES = {
    "cross_query": (*METHOD, *RUN, Still("Source.cases", WHERE), Still("Source.split", WHERE)),
    "belief": (*METHOD, *RUN, Still("Source.dialogues", WHERE), Still("Source.schedule", WHERE)),
}
