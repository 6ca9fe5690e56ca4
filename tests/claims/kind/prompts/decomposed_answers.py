"""Answers in many forms, with the claims they make, and others that a model may invent for them."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field


@dataclass(frozen=True, slots=True)
class DecomposedAnswer:
    """A `DecomposedAnswer` is an answer and its claims. `wordy` holds the same claims as a small model may write them,
    some of them twice. `invented` holds claims that the answer does not make.
    """

    answer: str
    claims: tuple[str, ...]
    wordy: tuple[str, ...]
    invented: tuple[str, ...]
    question: str = ""
    context: str = ""
    options: Mapping[str, str] = field(default_factory=dict)


ANSWERS = {
    "argument": DecomposedAnswer(
        "The harp is older than the flute. Since the drum is older than the harp, the flute is the newest. "
        "Therefore, the drum is the oldest.",
        (
            "The harp is older than the flute.",
            "The drum is older than the harp.",
            "The flute is the newest.",
            "The drum is the oldest.",
        ),
        (
            "We know that the harp is older than the flute.",
            "The drum is older than the harp.",
            "The flute is the newest.",
            "The flute must therefore be the newest.",
            "Therefore, the drum is the oldest.",
        ),
        ("The viola is the oldest.", "The harp is not older than the flute.", "The drum and the viola are new."),
    ),
    "conclusion first": DecomposedAnswer(
        "Ines gets the key. The rule says that whoever closes the shop gets the key, and Ines closes the shop.",
        ("Ines gets the key.", "Whoever closes the shop gets the key.", "Ines closes the shop."),
        (
            "Ines gets the key.",
            "The rule states that whoever closes the shop gets the key.",
            "Ines closes the shop.",
            "So Ines gets the key.",
        ),
        ("Paul gets the key.", "Ines does not close the shop."),
    ),
    "bullets": DecomposedAnswer(
        "**Costs**\n- The room costs 90 euros\n- The meal costs 25 euros\n- The taxi costs 30 euros\n\n"
        "I hope this helps!",
        ("The room costs 90 euros.", "The meal costs 25 euros.", "The taxi costs 30 euros."),
        (
            "Costs",
            "The room costs 90 euros.",
            "The meal costs 25 euros.",
            "The taxi costs 30 euros.",
            "I hope this helps.",
        ),
        ("The meal costs 35 euros.", "The museum costs 12 euros."),
    ),
    "numbered": DecomposedAnswer(
        "1. All singers in the choir read music.\n2. Olga is a singer in the choir.\n3. Thus Olga reads music.\n"
        "Let me know if you need more.",
        ("All singers in the choir read music.", "Olga is a singer in the choir.", "Olga reads music."),
        (
            "According to premise 1, all singers in the choir read music.",
            "Olga is a singer in the choir.",
            "Olga reads music.",
            "Olga thus reads music.",
        ),
        ("Olga does not read music.", "Olga is a dancer in the theatre."),
    ),
    "neither": DecomposedAnswer(
        "The red van is heavier than the bus. This means that neither the red van nor the tram can be the lightest. "
        "So the bus is the lightest.",
        (
            "The red van is heavier than the bus.",
            "The red van cannot be the lightest.",
            "The tram cannot be the lightest.",
            "The bus is the lightest.",
        ),
        (
            "The red van is heavier than the bus.",
            "Neither the red van nor the tram can be the lightest.",
            "The red van cannot be the lightest.",
            "The tram is not the lightest.",
            "The bus must be the lightest.",
        ),
        ("The lorry is not the lightest.", "The bus is not the lightest."),
    ),
    "hedges": DecomposedAnswer(
        "I think the ferry will probably be late. It is clear that the wind is strong, so the harbour may close. "
        "Sorry for that!",
        ("The ferry will probably be late.", "The wind is strong.", "The harbour may close."),
        ("I think the ferry will probably be late.", "Clearly, the wind is strong.", "The harbour may close."),
        ("The train will probably be late.", "The ferry is small and the airport is closed."),
    ),
    "pronoun": DecomposedAnswer(
        "She is suspended until Monday. Her badge does not open the lab.",
        ("Petra is suspended until Monday.", "Petra's badge does not open the lab."),
        ("Petra is suspended until Monday.", "The badge of Petra does not open the lab."),
        ("Petra answers no calls.", "Ralf is suspended since Friday.", "Petra was in the office."),
        question="Why does Petra answer no calls, although Ralf was in the office?",
    ),
    "it": DecomposedAnswer(
        "It closes at six. It never opens on Mondays.",
        ("The toy museum closes at six.", "The toy museum never opens on Mondays."),
        ("The toy museum closes at six.", "The toy museum never opens on Mondays."),
        ("The toy museum opens at six.", "The toy museum closes at nine.", "The toy museum is in the old mill."),
        question="When does the toy museum open?",
        context="The toy museum is in the old mill.",
    ),
    "they": DecomposedAnswer(
        "They share a desk near the door. There is a lamp on the desk.",
        ("Mila and Jon share a desk near the door.", "There is a lamp on the desk."),
        ("Mila and Jon share a desk near the door.", "There is a lamp on the desk."),
        ("Mila and Jon have a rest on Friday.", "Mila is a colleague of Jon."),
        question="Where do they sit?",
        context="Mila and Jon are new colleagues. Each colleague has a rest on Friday.",
    ),
    "options": DecomposedAnswer(
        "The owl sits left of the wren, so option A is incorrect. The crow sits left of the owl. The answer is B.",
        (
            "The owl sits left of the wren.",
            "The wren is not the leftmost.",
            "The crow sits left of the owl.",
            "The crow is the leftmost.",
        ),
        (
            "The owl sits left of the wren.",
            "The wren cannot be the leftmost.",
            "The crow sits left of the owl.",
            "The crow is the leftmost.",
            "The crow must be the leftmost.",
        ),
        ("The owl is the leftmost.", "The finch sits left of the crow.", "The wren is the leftmost."),
        options={"A": "The wren is the leftmost.", "B": "The crow is the leftmost."},
    ),
    "chat": DecomposedAnswer(
        "Great idea. You take the night train, and it arrives at 8 in the morning. A bed costs 60 euros. "
        "Shall I book one?",
        ("You take the night train.", "The night train arrives at 8 in the morning.", "A bed costs 60 euros."),
        (
            "Great idea.",
            "You take the night train.",
            "The night train arrives at 8 in the morning.",
            "A bed costs 60 euros.",
        ),
        ("A bed costs 80 euros.", "You take the bus to the airport."),
    ),
    "requested": DecomposedAnswer(
        "As requested, the table is on the terrace. The passage does not say who pays. If you want to change it, just "
        "let me know.",
        ("The table is on the terrace.",),
        ("The table is on the terrace.", "The passage does not say who pays.", "Let me know."),
        ("The table is in the garden.", "Everybody pays for the table."),
    ),
    "both": DecomposedAnswer(
        "The context clearly states that both Vera and Nils play chess. Nobody who plays chess plays golf. Hence "
        "neither of them plays golf.",
        (
            "Vera plays chess.",
            "Nils plays chess.",
            "Nobody who plays chess plays golf.",
            "Vera does not play golf.",
            "Nils does not play golf.",
        ),
        (
            "The context clearly states that both Vera and Nils play chess.",
            "Vera plays chess.",
            "Nils plays chess.",
            "Nobody who plays chess plays golf.",
            "Vera does not play golf.",
            "Nils does not play golf.",
        ),
        ("Vera plays golf with Otto.", "Otto plays chess."),
    ),
    "conditions": DecomposedAnswer(
        "If it rains, the market moves indoors. It rains on Sunday according to the forecast. Consequently, the market "
        "moves indoors on Sunday. Thank you for asking.",
        (
            "If it rains, the market moves indoors.",
            "It rains on Sunday according to the forecast.",
            "The market moves indoors on Sunday.",
        ),
        (
            "If it rains, the market moves indoors.",
            "It rains on Sunday according to the forecast.",
            "The market moves indoors on Sunday.",
            "The market therefore moves indoors on Sunday.",
        ),
        ("The market closes at noon.", "The market moves to the station."),
    ),
}
