"""Examples that show a model how words are chosen for a text."""

from __future__ import annotations

from collections.abc import Mapping

from holdtrue.logic.fol.vocabulary import Entity, Function, Vocabulary

_OPERA = Vocabulary((Entity("Mia", "person"), Entity("Tom", "person"), Entity("Carmen", "work")))
_RACE = Vocabulary(
    (Entity("RedBoat", "boat"), Entity("OldBoat", "boat"), Entity("Swan", "boat"), Entity("Gull", "boat"))
)
_BENCH = Vocabulary((Entity("OldMan", "sitter"), Entity("YoungGirl", "sitter"), Entity("Nurse", "sitter")))
_PLACE = Function("place", ("sitter",), 1, 3, True, "place of x from the left, 1 is the leftmost and 3 the rightmost")
_RANK = Function("rank", ("boat",), 1, 4, True, "rank of x in the race, 1 is the first and 4 the last")
EXAMPLES: tuple[tuple[str, Vocabulary, tuple[Function, ...], Mapping[str, str]], ...] = (
    (
        "On a bench, there are three sitters: an old man, a young girl and a nurse. The nurse sits to the right of the "
        "old man. The young girl is tired.",
        _BENCH,
        (_PLACE,),
        {"Tired": "x is tired"},
    ),
    (
        "In a race there were four boats: a red boat, an old boat, the Swan and the Gull. The red boat came in before "
        "the Swan. The old boat won. The Gull is Dutch.",
        _RACE,
        (_RANK,),
        {"Dutch": "x is Dutch"},
    ),
    (
        "If someone is a musician or dances, then they practise daily. Everyone who works at the opera is a "
        "musician or sings well and reads music. Mia works at the opera. Mia does not teach Tom. If a French opera is "
        "long, Mia sings it to Tom. Carmen is a French opera.",
        _OPERA,
        (),
        {
            "Musician": "x is a musician",
            "Dances": "x dances",
            "PractisesDaily": "x practises daily",
            "WorksAtOpera": "x works at the opera",
            "SingsWell": "x sings well",
            "ReadsMusic": "x reads music",
            "Teaches": "x teaches y",
            "FrenchOpera": "x is a French opera",
            "Long": "x is long",
            "SingsTo": "x sings y to z",
        },
    ),
)
