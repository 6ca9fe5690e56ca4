"""The prompt that asks a model to write a sentence as a formula.

The frame and its examples come first, then the vocabulary, and the sentence last: all requests about one context have
the same prefix up to the sentence, so that a backend's prefix cache can be used.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from holdtrue.kinds.claims.prompts.logic_text import declarations, example_json, vocabulary_text, write_smtlib
from holdtrue.kinds.claims.prompts.offered import stated_values, values_line
from holdtrue.kinds.claims.settings import Notation
from holdtrue.logic.fol.notation import read_fol
from holdtrue.logic.fol.syntax import Number
from holdtrue.logic.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue.logic.value_sorts import Instant
from holdtrue.models.chat import Message, assistant, system, user

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
    (
        _PARCELS,
        (
            (
                "A parcel above 5 kg costs at least €6.90.",
                "forall x in parcel (weight(x) > 5 kg -> price(x) >= 6.9 EUR)",
            ),
            (
                "Parcel A was delivered within two weeks.",
                "delivered(ParcelA) <= sent(ParcelA) + 2 week",
            ),
            (
                "A courier picks up at most three fragile parcels.",
                "forall x in courier (count y in parcel (Fragile(y) and PicksUp(x, y)) <= 3)",
            ),
            (
                "All insured parcels together weigh 40 kg.",
                "sum x in parcel (weight(x) where Insured(x)) = 40 kg",
            ),
        ),
    ),
)


_TASK = (
    "with the names of the given vocabulary and with no other ones. Say what the sentence says, and nothing else. "
    "A named thing stands for itself. Return only JSON.\n"
)
SYSTEM: Mapping[Notation, str] = {
    "fol": (
        f"You write a sentence as one formula of first-order logic, {_TASK}"
        "Signs: forall x (...), exists x (...), not, and, or, xor (either ... or ..., but not both), -> (if ... then), "
        "<-> (if and only if), = , != , < , <= , > , >= , + , - , * , count x in SORT (...), sum x in SORT (...). "
        "A variable is x, y or z; forall x in SORT (...) is about one sort only. Use the numbers under Values.\n"
        "All, every, each, any, no, or a kind of thing without a name: forall x (... -> ...). "
        "Some, there is: exists x (... and ...)."
    ),
    "smtlib": (
        f"You write a sentence as one assertion in SMT-LIB, {_TASK}"
        "Operators: not, and, or, xor (either ... or ..., but not both), => (if ... then), = (if and only if; equal), "
        "distinct, <, <=, >, >=, +, -. Quantified are things: (forall ((x Thing)) ...), (exists ((x Thing)) ...).\n"
        "All, every, each, any, no, or a kind of thing without a name: (forall ((x Thing)) (=> ...)). "
        "Some, there is: (exists ((x Thing)) (and ...))."
    ),
}


@dataclass(frozen=True, slots=True)
class Refused:
    """A formula that was not accepted, and in words what is wrong with it."""

    formula: str
    why: str


def formula_messages(
    vocabulary: Vocabulary,
    sentence: str,
    notation: Notation = "fol",
    refused: Refused | None = None,
    values: Sequence[Number | Instant] = (),
) -> list[Message]:
    """Return the messages that ask for the formula of one sentence, in the names of this vocabulary.

    `values` are those that code found in the sentence, which the formula is written with.
    `refused` is an earlier formula, and what is wrong with it; the model is asked for a better one.
    """
    messages = [system(SYSTEM[notation])]
    # Units, counts and sums have no text in SMT-LIB here.
    for own, pairs in EXAMPLES if notation == "fol" else EXAMPLES[:-1]:
        heading = f"Vocabulary:\n{_words(own, notation)}\n\n"
        for text, formula in pairs:
            messages += [
                user(f"{heading}{_stated(stated_values(own, text))}Sentence: {text}"),
                assistant(example_json({"formula": _in(notation, formula)})),
            ]
            heading = ""
    asked = (
        f"A new vocabulary:\n{_words(vocabulary, notation)}\n\n{_stated(values)}Sentence: {' '.join(sentence.split())}"
    )
    if refused is not None:
        asked += f"\nAn earlier formula: {refused.formula}\nWhat is wrong with it: {refused.why}\nWrite a better one."
    return [*messages, user(asked)]


def _stated(values: Sequence[Number | Instant]) -> str:
    line = values_line(values)
    return f"{line}\n" if line else ""


def _words(vocabulary: Vocabulary, notation: Notation) -> str:
    return vocabulary_text(vocabulary) if notation == "fol" else declarations(vocabulary)


@cache  # every request shows all examples
def _in(notation: Notation, formula: str) -> str:
    """An example's formula in that notation."""
    found = read_fol(formula).sentence
    return formula if notation == "fol" or found is None else write_smtlib(found)
