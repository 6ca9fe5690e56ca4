"""A world and the questions about it in varied natural words, of themes of clauses that say nothing about each other.

Each phrasing is a format string over clauses and says just what its formula says: `{a}`, `{b}`, `{c}` are the atoms
of a constraint, `{not_a}` and so on their denials; of a rule, `{body}` joins its conditions by "and", and `{head}` is
what follows.

A world takes all its atoms from one theme. A clause has a subject of its own, then "is" or "has", so that it can be
denied and asked about; nobody who knows the words alone could tell one of a theme from others.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from random import Random
from types import MappingProxyType
from typing import NamedTuple

from holdtrue.lab.kit.words import capitalized
from holdtrue.lab.suites.belief.horn_world import is_rule
from holdtrue.world.instance import Constraint

THEMES: Mapping[str, tuple[str, ...]] = MappingProxyType(
    {
        "castle": (
            "the gate is locked",
            "the drawbridge is raised",
            "the guard is awake",
            "the lantern is lit",
            "the moat has dried up",
            "the prisoner has escaped",
            "the king is away",
            "the cook is angry",
            "the cellar is flooded",
            "the banner is torn",
            "the well is covered",
            "the messenger has arrived",
        ),
        "laboratory": (
            "the centrifuge is running",
            "the sample is contaminated",
            "the freezer is full",
            "the fume hood is open",
            "the printer has jammed",
            "the assistant is on holiday",
            "the microscope is calibrated",
            "the notebook has vanished",
            "the fire door is blocked",
            "the acid is diluted",
            "the cage is empty",
            "the grant has expired",
        ),
        "harbour": (
            "the ferry is delayed",
            "the crane is broken",
            "the lighthouse is dark",
            "the captain is asleep",
            "the cargo is insured",
            "the anchor has rusted",
            "the tide is low",
            "the net is mended",
            "the inspector has left",
            "the buoy is adrift",
            "the warehouse is sealed",
            "the radio is silent",
        ),
        "theatre": (
            "the curtain is down",
            "the lead actor is ill",
            "the orchestra is tuned",
            "the balcony is sold out",
            "the director has resigned",
            "the critic is impressed",
            "the trapdoor is stuck",
            "the script is finished",
            "the dress rehearsal is cancelled",
            "the prompter is hoarse",
            "the cloakroom is crowded",
            "the poster is misprinted",
        ),
        "farm": (
            "the tractor is out of fuel",
            "the barn is swept",
            "the cow is pregnant",
            "the orchard has bloomed",
            "the rooster is missing",
            "the fence is damaged",
            "the hay is dry",
            "the shepherd is ill",
            "the pond is frozen",
            "the harvest is late",
            "the dog is barking",
            "the mill is for sale",
        ),
        "office": (
            "the budget is approved",
            "the server is offline",
            "the contract is signed",
            "the elevator is under repair",
            "the intern is promoted",
            "the audit is over",
            "the coffee machine is leaking",
            "the client is satisfied",
            "the deadline is postponed",
            "the meeting room is taken",
            "the newsletter has gone out",
            "the union is on strike",
        ),
        "school": (
            "the bell is broken",
            "the exam is difficult",
            "the library is closed",
            "the teacher is strict",
            "the bus has departed",
            "the gym is painted",
            "the choir is famous",
            "the headmaster has retired",
            "the lunch is vegetarian",
            "the playground is muddy",
            "the timetable is revised",
            "the telescope is new",
        ),
        "space station": (
            "the airlock is jammed",
            "the solar panel is aligned",
            "the robot arm is frozen",
            "the commander is outside",
            "the oxygen tank is replaced",
            "the shuttle has docked",
            "the greenhouse is thriving",
            "the antenna is bent",
            "the experiment has failed",
            "the sleeping bag is lost",
            "the water filter is clogged",
            "the window is scratched",
        ),
    }
)


class Clause(NamedTuple):
    """An atom taken apart: "the gate", "is", "locked"."""

    subject: str
    verb: str
    rest: str


def take_apart(atom: str) -> Clause:
    """The parts of a clause of a theme."""
    words = atom.split()
    place = next(place for place, word in enumerate(words) if word in ("is", "has"))
    return Clause(" ".join(words[:place]), words[place], " ".join(words[place + 1 :]))


def deny(atom: str) -> str:
    """The clause that says the opposite: "the gate is not locked"."""
    subject, verb, rest = take_apart(atom)
    return f"{subject} {verb} not {rest}"


RULE = (
    "if {body}, then {head}",
    "whenever {body}, {head}",
    "{head} if {body}",
    "{head} whenever {body}",
    "in every case in which {body}, {head}",
    "it cannot be that {body} unless {head}",
    "if it is true that {body}, then it is also true that {head}",
    "should it be so that {body}, then {head}",
)
# With one condition a rule can also be told from its end.
SHORT_RULE = (
    *RULE,
    "{body} only if {head}",
    "if {not_head}, then {not_body}",
    "{not_body} unless {head}",
)
PREMISES: Mapping[str, Sequence[str]] = MappingProxyType(
    {
        "if1": SHORT_RULE,
        "if2": RULE,
        "if3": RULE,
        "if4": RULE,
        "not_both": (
            "it is never the case that {a} and {b}",
            "it cannot be that both {a} and {b}",
            "if {a}, then {not_b}",
            "at most one of these two is true: {a}, {b}",
            "{not_a} or {not_b}, or both",
        ),
        "never_all3": (
            "it is never the case that {a} and {b} and {c}",
            "at least one of these three is false: {a}, {b}, {c}",
            "if {a} and {b}, then {not_c}",
            "at most two of these three are true: {a}, {b}, {c}",
        ),
        "equivalent": (
            "{a} if and only if {b}",
            "{a} exactly when {b}",
            "either {a} and {b}, or {not_a} and {not_b}",
            "if {a}, then {b}, and if {b}, then {a}",
            "{not_a} exactly when {not_b}",
        ),
        "holds": (
            "{a}",
            "it is certain that {a}",
            "it is a fact that {a}",
            "it is known that {a}",
        ),
        "holds_not": (
            "{not_a}",
            "it is certain that {not_a}",
            "it is not true that {a}",
            "it is not the case that {a}",
        ),
    }
)
# `{clause}` asserts or denies. None asks whether somebody knows it, or whether it is certain: where nothing tells, an
# honest "no" would answer that, and the label is UNKNOWN.
PLAIN_QUESTIONS = (
    "is it true that {clause}?",
    "is it the case that {clause}?",
    "would you say that {clause}?",
    "is it right that {clause}?",
    "is this statement true: {clause}?",
)
DOUBTING_QUESTIONS = (
    "is it really true that {clause}?",
    "is it really the case that {clause}?",
    "once more: is it true that {clause}?",
    "now think again: is it true that {clause}?",
)
# The verb in front, for assertions only: to "Is the gate not locked?" yes and no can both mean either.
INVERTED_QUESTION = "{inverted}?"
DOUBTING_SHARE = 0.3


def tell(rng: Random, premise: Constraint) -> str:
    """A premise as a sentence."""
    return f"{capitalized(fill(rng.choice(PREMISES[premise.type]), premise))}."


def fill(phrasing: str, premise: Constraint) -> str:
    """The phrasing with the premise's clauses in place."""
    atoms = [str(atom) for atom in premise.args]
    words = dict(zip("abc", atoms, strict=False)) | {
        f"not_{letter}": deny(atom) for letter, atom in zip("abc", atoms, strict=False)
    }
    if is_rule(premise.type):
        *body, head = atoms
        words |= {"body": " and ".join(body), "head": head, "not_body": deny(body[0]), "not_head": deny(head)}
    return phrasing.format(**words)


def ask(rng: Random, literal: Constraint, asked: Sequence[str] = ()) -> str:
    """A literal as a yes/no question, in words that are not among the questions `asked`, as long as there are any."""
    doubting = rng.random() < DOUBTING_SHARE
    frames = list(DOUBTING_QUESTIONS if doubting else PLAIN_QUESTIONS)
    if not doubting and literal.type == "holds":
        frames.append(INVERTED_QUESTION)
    texts = [question(frame, literal) for frame in frames]
    fresh = [text for text in texts if text not in asked]
    return rng.choice(fresh or texts)


def question(frame: str, literal: Constraint) -> str:
    """The question in one of its frames."""
    atom = str(literal.args[0])
    subject, verb, rest = take_apart(atom)
    clause = atom if literal.type == "holds" else deny(atom)
    return capitalized(frame.format(clause=clause, inverted=f"{verb} {subject} {rest}"))
