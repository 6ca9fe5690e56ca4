"""What shows that each setting of a run about assignments moves a figure."""

from __future__ import annotations

from holdtrue.kinds.assignment.method import REPAIRABLE
from holdtrue.record import Trigger
from tests.lab.knobs.knob import LESS, MORE, Entry, Knob, Still, by, mends

RIGHT = "accuracy/value"
GOLD = {"extractor": "gold"}
# A slip breaks what held, and every check against gold commitments finds it.
SLIP = "sim/slip:0.4@1"
REPAIR = {"frame": "repair", "repairs": 1, "feedback": {"triggers": False}}
PARTLY = ("sim/forget:0.8+remind:0.75", RIGHT, MORE)
LEDGERED = ("sim/forget:0.8+remind:0.75@1", "depth/1/accuracy/value", mends(0.75))

METHOD: tuple[Entry, ...] = (
    Still("Method.name", "a name of one's own"),
    Knob("Method.frame", "direct", "cot", "sim/slip:0.8+think:0.75@1", RIGHT, mends(0.75), settings=GOLD),
    Knob("Method.ledger", False, True, *LEDGERED, settings=GOLD, slow=True),
    Knob("Method.ledger_tokens", 0, 3000, *LEDGERED, method={"ledger": True}, settings=GOLD),
    Knob("Method.ledger_part", "relevant", "all", *PARTLY, method={"ledger": True}, settings=GOLD),
    Knob("Method.samples", 1, 5, "sim/slip:0.3@1", RIGHT, MORE, settings=GOLD, slow=True),
    Knob("Method.temperature", 0.0, 0.7, "sim/slip:0.3+greedy:1@1", RIGHT, MORE, method={"samples": 5}, settings=GOLD),
    Knob("Method.refinements", 0, 1, SLIP, RIGHT, mends(0.6), settings=GOLD, slow=True),
    Knob("Method.repairs", 0, 1, SLIP, RIGHT, mends(0.6), settings=GOLD),
    Knob(
        "Method.triggers",
        REPAIRABLE - {Trigger.ANSWER_LEDGER_CONFLICT},
        REPAIRABLE,
        SLIP,
        RIGHT,
        mends(0.6),
        method=REPAIR,
        settings=GOLD,
    ),
    Knob("Method.fallback", "none", "project", SLIP, RIGHT, mends(1.0), settings=GOLD),
    Knob("Method.fallback", "none", "abstain", "sim/slip:0.8@1", "abstained/value", by(0.8), settings=GOLD),
    Knob(
        "Method.distance",
        "changes",
        "difference",
        "sim/malform:1@1",
        "ledger/churn/value",
        MORE,
        method={"fallback": "project"},
        settings=GOLD,
        source={"turns": 6},
        slow=True,
    ),
    Knob("Method.answerer", "model", "solver_only", SLIP, RIGHT, mends(1.0), settings=GOLD),
    Knob("Method.format_retries", 0, 1, "sim/unclosed:0.8+tidy:0.75@1", RIGHT, mends(0.75), settings=GOLD),
    Knob("Method.truncation_retries", 0, 1, "sim/cut:0.6@1", RIGHT, mends(0.4), settings=GOLD),
    Knob(
        *("Method.retry_difference", "none", "number"),
        *("sim/slip:0.6@1", RIGHT, MORE),
        method={"frame": "repair", "repairs": 4},
        settings=GOLD,
    ),
)
FEEDBACK: tuple[Entry, ...] = (
    Knob(
        "Feedback.triggers", False, True, "sim/slip:0.9+codes:0.75@1", RIGHT, mends(0.75), method=REPAIR, settings=GOLD
    ),
    Knob(
        "Feedback.violated", False, True, "sim/slip:0.9+broken:0.75@1", RIGHT, mends(0.75), method=REPAIR, settings=GOLD
    ),
    Knob("Feedback.hint", False, True, "sim/slip:0.9+hint:0.75@1", RIGHT, mends(0.75), method=REPAIR, settings=GOLD),
    Knob(
        "Feedback.mus",
        False,
        True,
        "sim/slip:0.9+contradict:0.5+core:0.75@1",
        RIGHT,
        MORE,
        method=REPAIR,
        settings={"extractor": "llm"},
        slow=True,
    ),
)
RUN: tuple[Entry, ...] = (
    Knob("AssignmentSettings.protocol", "stated", "upstream", "sim/perfect", "cost/prompt_tokens", LESS, settings=GOLD),
    Knob("AssignmentSettings.extractor", "gold", "llm", "sim/drop:0.4@1", "ledger/turns_with_gaps", MORE),
    Knob("AssignmentSettings.reader", None, "sim/drop:0.4@1", "sim/perfect", "ledger/turns_with_gaps", MORE),
    Still(
        "AssignmentSettings.ask_back",
        "a simulated reader is never in doubt about the domain's own words, so nothing is asked back",
    ),
    Still("Source.problems", "says which problems are played"),
    Still("Source.split", "says which of them are played"),
    Still("Source.generate", "says how many problems are played: intervals narrow, and no figure moves"),
    Knob("Source.turns", 2, 6, "sim/skill:0.8@1", RIGHT, LESS, settings=GOLD, slow=True),
    Knob(
        "Source.phrasing",
        "published",
        "varied",
        "sim/perfect",
        "unread/value",
        MORE,
        settings={"extractor": "templates"},
        slow=True,
    ),
    Knob(
        "Sampling.temperature",
        0.0,
        0.7,
        "sim/slip:0.3+greedy:1@1",
        RIGHT,
        MORE,
        method={"samples": 5},
        settings=GOLD,
        slow=True,
    ),
    Still("Sampling.seed", "chooses among draws that are alike on average"),
    Knob("Sampling.max_tokens", 2048, 8, "sim/perfect", "truncation/clipped/value", by(1.0), settings=GOLD),
    Knob("Sampling.structured", False, True, "sim/malform:0.8+bound:0.75@1", RIGHT, mends(0.75), settings=GOLD),
)
ENTRIES = {"drift": (*METHOD, *FEEDBACK, *RUN)}
