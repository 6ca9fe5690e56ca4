"""Examples that show a model how words are chosen for a text."""

from __future__ import annotations

from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary

EXAMPLES: tuple[tuple[str, Vocabulary], ...] = (
    (
        "On a bench, there are three sitters: an old man, a young girl and a nurse. The nurse sits to the right of the "
        "old man. The young girl is tired.",
        Vocabulary(
            (Entity("OldMan", "sitter"), Entity("YoungGirl", "sitter"), Entity("Nurse", "sitter")),
            (Predicate("Tired", (ANY,), "x is tired"),),
            (
                Function(
                    "place",
                    ("sitter",),
                    meaning="place of x from the left, 1 is the leftmost and 3 the rightmost",
                    result="whole",
                ),
            ),
        ),
    ),
    (
        "A parcel up to 5 kg costs €6.90. Fragile parcels must be picked up by a courier. Parcel A was sent on 3 May "
        "2025 and weighs 800 g. It rained.",
        Vocabulary(
            (Entity("ParcelA", "parcel"),),
            (
                Predicate("Fragile", ("parcel",), "x is fragile"),
                Predicate("PicksUp", ("courier", "parcel"), "x picks up y"),
                Predicate("Rained", (), "it rained"),
            ),
            (
                Function("weight", ("parcel",), meaning="weight of x", result="kg"),
                Function("price", ("parcel",), meaning="price of x", result="EUR"),
                Function("sent", ("parcel",), meaning="the date on which x was sent", result="date"),
            ),
        ),
    ),
    (
        "If someone is a musician or dances, then they practise daily. Everyone who works at the opera is a "
        "musician or sings well and reads music. Mia works at the opera. Mia does not teach Tom. If a French opera is "
        "long, Mia sings it to Tom. Carmen is a French opera.",
        Vocabulary(
            (Entity("Mia", "person"), Entity("Tom", "person"), Entity("Carmen", "work")),
            (
                Predicate("Musician", (ANY,), "x is a musician"),
                Predicate("Dances", (ANY,), "x dances"),
                Predicate("PractisesDaily", (ANY,), "x practises daily"),
                Predicate("WorksAtOpera", (ANY,), "x works at the opera"),
                Predicate("SingsWell", (ANY,), "x sings well"),
                Predicate("ReadsMusic", (ANY,), "x reads music"),
                Predicate("Teaches", (ANY, ANY), "x teaches y"),
                Predicate("FrenchOpera", (ANY,), "x is a French opera"),
                Predicate("Long", (ANY,), "x is long"),
                Predicate("SingsTo", (ANY, ANY, ANY), "x sings y to z"),
            ),
        ),
    ),
)
