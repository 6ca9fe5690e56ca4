"""The atoms of worlds, in words: themes of clauses that say nothing about each other.

A world takes all its atoms from one theme. A clause has a subject of its own, then "is" or "has", so that it can be
denied and asked about; nobody who knows the words alone could tell one of a theme from others.
"""

from __future__ import annotations

from collections.abc import Mapping
from types import MappingProxyType
from typing import NamedTuple

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
