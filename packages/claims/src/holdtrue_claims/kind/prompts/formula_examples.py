"""Sentences with their formulas, as examples that show a model how a vocabulary is used."""

from __future__ import annotations

from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.kind.settings import Notation

Examples = tuple[Vocabulary, tuple[tuple[str, str], ...]]
"""A vocabulary, and sentences with their formulas in it."""

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
    (Function("place", ("lamp",), meaning="place of x in the row, 1 is the leftmost, 4 the rightmost"),),
)
_PARCELS = Vocabulary(
    (Entity("ParcelA", "parcel"), Entity("Leo", "courier")),
    (
        Predicate("Fragile", ("parcel",), "x is fragile"),
        Predicate("PicksUp", ("courier", "parcel"), "x picks up y"),
        Predicate("Insured", ("parcel",), "x is insured"),
    ),
    (
        Function("weight", ("parcel",), meaning="weight of x", result="kg"),
        Function("price", ("parcel",), meaning="price of x", result="EUR"),
        Function("sent", ("parcel",), meaning="the date on which x was sent", result="date"),
        Function("delivered", ("parcel",), meaning="the date on which x was delivered", result="date"),
    ),
)
_CANTEEN = Vocabulary(
    (),
    (Predicate("Starts", ("time",), "a tour starts at x"), Predicate("Holiday", ("date",), "x is a holiday")),
    (Function("opens", ("date",), meaning="the time at which the canteen opens on x", result="time"),),
)
_QUALITIES: Examples = (
    _OPERA,
    (
        ("If someone is a musician, then they practise daily.", "forall x (Musician(x) -> PractisesDaily(x))"),
        (
            "Everyone who works at the opera is a musician or a dancer.",
            "forall x (WorksAtOpera(x) -> Musician(x) or Dancer(x))",
        ),
        ("No dancer practises daily.", "forall x (Dancer(x) -> not PractisesDaily(x))"),
        ("Some musicians do not dance.", "exists x (Musician(x) and not Dancer(x))"),
        ("If an opera is sung by Mia, Tom sings it too.", "forall x (Opera(x) and Sings(Mia, x) -> Sings(Tom, x))"),
        ("Carmen is an opera.", "Opera(Carmen)"),
        ("All dancers at the opera practise daily.", "forall x (Dancer(x) and WorksAtOpera(x) -> PractisesDaily(x))"),
        ("People either dance or work at the opera.", "forall x (Dancer(x) xor WorksAtOpera(x))"),
        ("Everyone who teaches someone practises daily.", "forall x (exists y (Teaches(x, y)) -> PractisesDaily(x))"),
        ("Mia is either a musician or a dancer.", "Musician(Mia) xor Dancer(Mia)"),
        (
            "Mia teaches Tom, and if Tom is a dancer, he does not practise daily.",
            "Teaches(Mia, Tom) and (Dancer(Tom) -> not PractisesDaily(Tom))",
        ),
    ),
)
_ORDER: Examples = (
    _LAMPS,
    (
        (
            "There are four lamps in a row: the red lamp, the old lamp, the desk lamp and the torch.",
            "forall x in lamp (x = RedLamp or x = OldLamp or x = DeskLamp or x = Torch)",
        ),
        ("The red lamp stands to the left of the desk lamp.", "place(RedLamp) < place(DeskLamp)"),
        ("The old lamp is to the right of the torch.", "place(OldLamp) > place(Torch)"),
        ("The torch is the second from the left.", "place(Torch) = 2"),
        ("The torch is the second from the right.", "place(Torch) = 3"),
        ("The desk lamp is the rightmost.", "place(DeskLamp) = 4"),
        ("The torch stands directly to the right of the red lamp.", "place(Torch) = place(RedLamp) + 1"),
        ("The old lamp is not the first.", "place(OldLamp) != 1"),
    ),
)
_AMOUNTS: Examples = (
    _PARCELS,
    (
        ("A parcel above 5 kg costs at least €6.90.", "forall x in parcel (weight(x) > 5 kg -> price(x) >= 6.9 EUR)"),
        ("Parcel A was delivered within two weeks.", "delivered(ParcelA) <= sent(ParcelA) + 2 week"),
        (
            "A courier picks up at most three fragile parcels.",
            "forall x in courier (count y in parcel (Fragile(y) and PicksUp(x, y)) <= 3)",
        ),
        ("All insured parcels together weigh 40 kg.", "sum x in parcel (weight(x) where Insured(x)) = 40 kg"),
    ),
)
_PERIODS: Examples = (
    _CANTEEN,
    (
        (
            "On every working day the canteen opens at 11:30.",
            "forall x in date (weekday_of(x) <= 5 and not Holiday(x) -> opens(x) = 11:30)",
        ),
        (
            "Tours start every 45 minutes from 10:00 on.",
            "forall x in time (Starts(x) <-> x >= 10:00 and exists y in whole (x = 10:00 + y * 45 minute))",
        ),
    ),
)
EXAMPLES: tuple[Examples, ...] = (_QUALITIES, _ORDER, _AMOUNTS, _PERIODS)
_PLACES = {"whole", "number"}
_FEW = 6
"""Examples of qualities beside others; the first ones show one of each kind."""


def examples_for(vocabulary: Vocabulary, notation: Notation = "fol") -> tuple[Examples, ...]:
    """Return the examples that show what this vocabulary can say: of qualities, places, amounts, and all days or times.

    Every token of a prompt costs time, and examples of what cannot be said help nobody.
    """
    results = {own.result for own in vocabulary.functions}
    through = any(vocabulary.value_sort(sort) is not None for own in vocabulary.applied for sort in own.sorts)
    if not results and not through:
        return (_QUALITIES,)
    shown = [(_QUALITIES[0], _QUALITIES[1][:_FEW])]
    if results & _PLACES:
        shown.append(_ORDER)
    # Units, counts and sums have no text in SMT-LIB here.
    if results - _PLACES and notation == "fol":
        shown.append(_AMOUNTS)
    if through and notation == "fol":
        shown.append(_PERIODS)
    return tuple(shown)
