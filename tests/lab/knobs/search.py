"""What shows that each setting of a run of searches moves a figure."""

from __future__ import annotations

from functools import partial

from tests.lab.knobs.knob import LESS, MORE, Entry, Knob, Still, by, mends

VERIFIED = "verified/value"
P, EFFECTS = 0.3, {"generic": 0.2, "core": 0.3, "ranked": 0.5, "conflict": 0.6}
BLIND = f"sim/search:p={P},greedy=1@1"
TOLD = f"sim/search:p={P},{','.join(f'{name}={effect}' for name, effect in EFFECTS.items())}@1"
ONCE, TWICE, FOUR = {"k": 1, "rounds": 1}, {"k": 1, "rounds": 2}, {"k": 4, "rounds": 1}
WARM = {"temperature": 0.7}
MORE_TRIES = (1 - P) - (1 - P) ** 4
"""What four independent calls verify more than one does."""
search_knob = partial(Knob, suite="cegvr", problems=30, method={"single": False})

METHOD: tuple[Entry, ...] = (
    Still("SearchMethod.name", "a name of one's own"),
    Still("SearchMethod.frame", "there is one frame"),
    *(
        search_knob(
            *("SearchMethod.feedback", "none", feedback),
            *(TOLD, VERIFIED, by((1 - P) * effect)),
            settings={**TWICE, "seeds": 4},
            slow=True,
        )
        for feedback, effect in EFFECTS.items()
    ),
    search_knob(
        *("SearchMethod.partial", False, True),
        *("sim/search:p=0@1", "partial/value", MORE),
        method={"single": False, "feedback": "conflict"},
        settings={**TWICE, "seeds": 1},
    ),
    search_knob("SearchMethod.single", True, False, BLIND, VERIFIED, by(MORE_TRIES), settings=FOUR, sampling=WARM),
    Still("SearchMethod.reveal_witness", "the run's setting of that name turns it on"),
    search_knob("SearchMethod.temperature", 0.0, 0.7, BLIND, VERIFIED, by(MORE_TRIES), settings=FOUR),
    Still("SearchMethod.retry_difference", "every call of a search is a draw of its own, so none repeats a request"),
    search_knob("SearchMethod.answerer", "model", "solver_only", BLIND, VERIFIED, mends(1.0), settings=ONCE),
)
RUN: tuple[Entry, ...] = (
    search_knob("SearchSettings.k", 1, 4, BLIND, VERIFIED, by(MORE_TRIES), settings={"rounds": 1}, sampling=WARM),
    search_knob("SearchSettings.rounds", 1, 4, BLIND, VERIFIED, by(MORE_TRIES), settings={"k": 1}, sampling=WARM),
    search_knob("SearchSettings.seeds", 1, 3, BLIND, "trials", by(2.0), settings=ONCE),
    search_knob("SearchSettings.tokens", None, 1, BLIND, VERIFIED, LESS, settings=FOUR, sampling=WARM),
    search_knob(
        *("SearchSettings.seconds", None, 0.001),
        *(f"sim/search:p={P},pace=0.01@1", VERIFIED, by(-MORE_TRIES)),
        settings=FOUR,
        slow=True,
    ),
    search_knob("SearchSettings.timeout_s", 1.5, 1e-9, "sim/search", VERIFIED, LESS, settings={**ONCE, "seeds": 1}),
    search_knob(
        *("SearchSettings.reveal_witness", False, True),
        *("sim/search:p=0.2,claim=1,witness=0.7@1", "sat_certified/value", by(0.8 * 0.7)),
        method={"single": False, "feedback": "core"},
        settings=TWICE,
        slow=True,
    ),
    Still("Source.problems", "says which problems are played"),
    Still("Source.variants", "adds rewritten problems, which rows leave out"),
    search_knob("Sampling.temperature", 0.0, 0.7, BLIND, VERIFIED, by(MORE_TRIES), settings=FOUR, slow=True),
    Still("Sampling.seed", "chooses among draws that are alike on average"),
    search_knob("Sampling.max_tokens", 256, 1, "sim/search", VERIFIED, by(-1.0), settings={**ONCE, "seeds": 1}),
    search_knob(
        *("Sampling.structured", False, True),
        *("sim/search:p=0,malformed=0.8,bound=0.75@1", "candidates/failed_schema", LESS),
        settings=ONCE,
    ),
)
ENTRIES = {"cegvr": (*METHOD, *RUN)}
