"""Examples that show a model how sentences become formulas, over small vocabularies of their own."""

from __future__ import annotations

from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary

_OPERA = Vocabulary(
    (Entity("Mia", "person"), Entity("Tom", "person"), Entity("Carmen", "work")),
    (
        Predicate("Musician", (ANY,), "x is a musician"),
        Predicate("Dancer", (ANY,), "x is a dancer"),
        Predicate("PractisesDaily", (ANY,), "x practises daily"),
        Predicate("WorksAtOpera", (ANY,), "x works at the opera"),
        Predicate("Opera", (ANY,), "x is an opera"),
        Predicate("Sings", (ANY, ANY), "x sings y"),
        Predicate("Teaches", (ANY, ANY), "x teaches y"),
    ),
)
_LAMPS = Vocabulary(
    tuple(Entity(name, "lamp") for name in ("RedLamp", "OldLamp", "DeskLamp", "Torch")),
    (),
    (
        Function(
            "place", ("lamp",), 1, 4, distinct=True, meaning="place of x in the row, 1 is the leftmost, 4 the rightmost"
        ),
    ),
)
EXAMPLES: tuple[tuple[Vocabulary, tuple[tuple[str, str], ...]], ...] = (
    (
        _OPERA,
        (
            ("If someone is a musician, then they practise daily.", "forall x (Musician(x) -> PractisesDaily(x))"),
            (
                "Everyone who works at the opera is a musician or a dancer.",
                "forall x (WorksAtOpera(x) -> Musician(x) or Dancer(x))",
            ),
            (
                "All dancers at the opera practise daily.",
                "forall x (Dancer(x) and WorksAtOpera(x) -> PractisesDaily(x))",
            ),
            ("No dancer practises daily.", "forall x (Dancer(x) -> not PractisesDaily(x))"),
            ("People either dance or work at the opera.", "forall x (Dancer(x) xor WorksAtOpera(x))"),
            ("Some musicians do not dance.", "exists x (Musician(x) and not Dancer(x))"),
            ("If an opera is sung by Mia, Tom sings it too.", "forall x (Opera(x) and Sings(Mia, x) -> Sings(Tom, x))"),
            (
                "Everyone who teaches someone practises daily.",
                "forall x (exists y (Teaches(x, y)) -> PractisesDaily(x))",
            ),
            ("Carmen is an opera.", "Opera(Carmen)"),
            ("Mia is either a musician or a dancer.", "Musician(Mia) xor Dancer(Mia)"),
            (
                "Mia teaches Tom, and if Tom is a dancer, he does not practise daily.",
                "Teaches(Mia, Tom) and (Dancer(Tom) -> not PractisesDaily(Tom))",
            ),
        ),
    ),
    (
        _LAMPS,
        (
            ("The red lamp stands to the left of the desk lamp.", "place(RedLamp) < place(DeskLamp)"),
            ("The old lamp is to the right of the torch.", "place(OldLamp) > place(Torch)"),
            ("The torch is the second from the left.", "place(Torch) = 2"),
            ("The torch is the second from the right.", "place(Torch) = 3"),
            ("The desk lamp is the rightmost.", "place(DeskLamp) = 4"),
            ("The torch stands directly to the right of the red lamp.", "place(Torch) = place(RedLamp) + 1"),
            ("The old lamp is not the first.", "place(OldLamp) != 1"),
        ),
    ),
)
