"""Ask a model to write a sentence as one formula in a fixed vocabulary, and read its reply.

The prompt has fixed instructions with examples, then the vocabulary, and last the sentence. All requests about one
context therefore share a long prefix, which a backend can cache.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from holdtrue.language.asking import Asking, one_line
from holdtrue.language.replies import reply_object
from holdtrue.logic.value_sorts import Instant
from holdtrue.models.chat import Message, user
from holdtrue.world.answer_shape import object_schema
from holdtrue.world.lenient_json import strip_thinking
from holdtrue_claims.fol.alert import Alert, AlertKind
from holdtrue_claims.fol.meaning import settled
from holdtrue_claims.fol.notation import read_fol
from holdtrue_claims.fol.syntax import Number, Sentence
from holdtrue_claims.fol.vocabulary import ANY, Entity, Function, Predicate, Vocabulary
from holdtrue_claims.fol.vocabulary_check import check
from holdtrue_claims.kind.prompts.choice import BEFORE
from holdtrue_claims.kind.prompts.formula_pattern import offer_pattern
from holdtrue_claims.kind.prompts.logic_text import example_json, headed, taught, vocabulary_text
from holdtrue_claims.kind.prompts.offered import Offer, offer, stated_values, value_doubts, values_line

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
"""The number of examples of qualities if examples of other groups follow; the first ones cover every form of sentence.
"""


def examples_for(vocabulary: Vocabulary) -> tuple[Examples, ...]:
    """Return the examples that fit this vocabulary. Qualities are always shown; places, amounts and periods only if the
    vocabulary has them.

    Other examples would cost tokens without helping.
    """
    results = {own.result for own in vocabulary.functions}
    through = any(vocabulary.value_sort(sort) is not None for own in vocabulary.applied for sort in own.sorts)
    if not results and not through:
        return (_QUALITIES,)
    shown = [(_QUALITIES[0], _QUALITIES[1][:_FEW])]
    if results & _PLACES:
        shown.append(_ORDER)
    if results - _PLACES:
        shown.append(_AMOUNTS)
    if through:
        shown.append(_PERIODS)
    return tuple(shown)


MEANINGLESS: frozenset[AlertKind] = frozenset(
    {"undeclared", "arity_clash", "sort_clash", "free_variable", "function", "unsupported", "unparsed"}
)
"""Kinds of alerts that make a formula meaningless; a repaired bracket is only reported."""
_TOKENS = 200


@dataclass(frozen=True, slots=True)
class Formalization:
    """A `Formalization` is the text of a model, its first-order sentence (None if it is unreadable), and its faults."""

    text: str
    sentence: Sentence | None
    alerts: tuple[Alert, ...] = ()

    @property
    def sound(self) -> bool:
        """Return whether there is a sentence with a meaning in the vocabulary, right or wrong."""
        return self.sentence is not None and not any(alert.kind in MEANINGLESS for alert in self.alerts)


async def formalize(
    asking: Asking,
    vocabulary: Vocabulary,
    sentence: str,
    *,
    temperature: float = 0.0,
    sample: int = 0,
    purpose: str = "formalize",
    refused: Refused | None = None,
    before: str = "",
) -> Formalization:
    """Ask a model for the formula of a sentence; a faulty one is returned with alerts.

    The prompt shows the text `before` the sentence, and an earlier `refused` formula with the reason. Raises
    `ModelError`.
    """
    offered = offer(vocabulary, f"{before} {sentence}" if before else sentence)
    messages = formula_messages(vocabulary, sentence, refused, offered.values, before)
    reply = await asking.ask(
        purpose,
        messages,
        formula_schema(offered),
        temperature=temperature,
        sample=sample,
        max_tokens=_TOKENS,
        frame=len(messages) - 1,
    )
    found = read_formalization(reply_formula(reply), vocabulary)
    return replace(found, alerts=(*found.alerts, *value_doubts(sentence)))


def formula_schema(offered: Offer) -> Mapping[str, Any]:
    """Return the schema of a reply: an object whose `formula` matches the pattern made from `offered`."""
    return object_schema({"formula": {"type": "string", "pattern": offer_pattern(offered)}})


def reply_formula(reply: str) -> str:
    """Return the formula in a reply, or the whole reply if it has none, so that an alert can quote it."""
    formula = reply_object(reply, "formula").get("formula")
    return formula.strip() if isinstance(formula, str) else strip_thinking(reply).strip()


def read_formalization(text: str, vocabulary: Vocabulary) -> Formalization:
    """Read a formula and check it against the vocabulary. Never raises."""
    read = read_fol(text)
    if read.sentence is None:
        return Formalization(text, None, read.alerts)
    sentence = settled(read.sentence, vocabulary)
    # Reading reports free variables and functions already.
    known_kinds = {alert.kind for alert in read.alerts}
    faults = check(vocabulary, sentence, text)
    return Formalization(text, sentence, (*read.alerts, *(alert for alert in faults if alert.kind not in known_kinds)))


SYSTEM = (
    "You write a sentence as one formula of first-order logic, with the names of the given vocabulary and with no "
    "other ones. Say what the sentence says, and nothing else. A named thing stands for itself. Return only JSON.\n"
    "Signs: forall x (...), exists x (...), not, and, or, xor (either ... or ..., but not both), -> (if ... then), "
    "<-> (if and only if), = , != , < , <= , > , >= , + , - , * , count x in SORT (...), sum x in SORT (...). "
    "A variable is x, y or z; forall x in SORT (...) is about one sort only, of things or of date, time, whole. "
    "Use the numbers under Values.\n"
    "All, every, each, any, no, or a kind of thing without a name: forall x (... -> ...). "
    "Some, there is: exists x (... and ...)."
)


@dataclass(frozen=True, slots=True)
class Refused:
    """A `Refused` is a formula that was not accepted, with the reason in words."""

    formula: str
    why: str


def formula_messages(
    vocabulary: Vocabulary,
    sentence: str,
    refused: Refused | None = None,
    values: Sequence[Number | Instant] = (),
    before: str = "",
) -> list[Message]:
    """Return the messages that ask for the formula of one sentence, in the names of this vocabulary.

    `values` are those that code found in the sentence. `refused` is an earlier formula with its fault; the model is
    asked for a better one. `before` is the text before the sentence, if it is not understood alone.
    """
    trials = (
        (f"{heading}{values_line(stated_values(own, text))}Sentence: {text}", example_json({"formula": formula}))
        for own, pairs in examples_for(vocabulary)
        for heading, (text, formula) in headed(vocabulary_text(own), pairs)
    )
    told = f"{BEFORE}{one_line(before)}\n" if before else ""
    stated = f"{values_line(values)}{told}Sentence: {one_line(sentence)}"
    asked = f"A new vocabulary:\n{vocabulary_text(vocabulary)}\n\n{stated}"
    if refused is not None:
        asked += f"\nAn earlier formula: {refused.formula}\nWhat is wrong with it: {refused.why}\nWrite a better one."
    return [*taught(SYSTEM, trials), user(asked)]
