"""The same seed makes the same problems, byte for byte, in every suite that generates some.

A change of a digest changes the problems of everybody who cites a seed, and needs a reason that is worth telling them.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Callable, Iterable
from typing import Any

import pytest

from holdtrue_lab.suites.belief.files import dialogues_text
from holdtrue_lab.suites.belief.generate import generate_dialogues
from holdtrue_lab.suites.cegvr.files import problem_to_json
from holdtrue_lab.suites.cegvr.generate import generate_linear, generate_upstream
from holdtrue_lab.suites.cegvr.rewrite import FAMILIES, rewrite
from holdtrue_lab.suites.cegvr.transfer import make_transfer
from holdtrue_lab.suites.cross_query.families import SUBDOMAINS
from holdtrue_lab.suites.cross_query.files import case_to_json
from holdtrue_lab.suites.cross_query.generate import generate as generate_cases
from holdtrue_lab.suites.drift.files import problem_text
from holdtrue_lab.suites.drift.generate import generate as generate_problems
from holdtrue_lab.suites.verge.files import item_json
from holdtrue_lab.suites.verge.perturb.generate import generate_pairs


def cases(name: str) -> Iterable[Any]:
    made = generate_cases(7, {SUBDOMAINS[name].domain: 3}, subdomains={name: SUBDOMAINS[name]})
    return map(case_to_json, made)


def transfer(kind: str) -> Iterable[Any]:
    made = make_transfer(kind, 7, 4)
    rewritten = [rewrite(problem, family, 7) for problem in made[::3] for family in FAMILIES]
    return map(problem_to_json, [*made, *rewritten])


def linear() -> Iterable[Any]:
    made = generate_linear(7, 8)
    return map(problem_to_json, [*made, *(rewrite(problem, family, 7) for problem in made[:3] for family in FAMILIES)])


MADE: dict[str, Callable[[], Iterable[Any]]] = {
    "drift": lambda: map(problem_text, generate_problems(7, 6)),
    "drift_varied": lambda: map(problem_text, generate_problems(7, 12, turns=5, phrasing="varied")),
    "belief_stress": lambda: [dialogues_text("stress", generate_dialogues(7, 12))],
    "belief_random": lambda: [dialogues_text("random", generate_dialogues(7, 12, schedule="random"))],
    **{name: lambda name=name: cases(name) for name in SUBDOMAINS},  # type: ignore[misc]
    "cegvr_linear": linear,
    "cegvr_upstream": lambda: map(problem_to_json, generate_upstream(7, 6)),
    **{kind: lambda kind=kind: transfer(kind) for kind in ("sudoku4", "latin5", "schedule")},  # type: ignore[misc]
    "verge": lambda: map(item_json, generate_pairs(7, 12)),
}
DIGESTS = {
    "drift": "0a7518ec268063ae",
    "drift_varied": "0965eb003539222d",
    "belief_stress": "b76a317a8f8fa7ad",
    "belief_random": "ab071d312a6c179c",
    "seating_circular": "9238873c3a63bddf",
    "seating_linear": "28892cb0adec479b",
    "office_assignment": "bd6dd9d7fc19220c",
    "team_assignment": "b2982f9839abb4f5",
    "colour_assignment": "60dbc29bfe1b5b8f",
    "shift_assignment": "a9b64011ae67b14d",
    "event_scheduling": "0ef02e58236504cf",
    "ordering": "bcc7f30b3596a303",
    "access_control": "11649da6ed71e0f7",
    "eligibility": "f1a000109f87244b",
    "diagnosis": "959d103f63374c6e",
    "investigation": "b77856f3f7cad626",
    "fault": "39b08b4a8ac88c33",
    "cegvr_linear": "7f150874b95f5a1d",
    "cegvr_upstream": "ebbfecae81dda165",
    "sudoku4": "5bc4e8866e3fc0d3",
    "latin5": "1557bd0aae5d16c7",
    "schedule": "4e08d563f2070f8b",
    "verge": "a09c825f6d888fd2",
}


@pytest.mark.parametrize("name", MADE)
def test_the_same_seed_makes_the_same_bytes(name: str) -> None:
    text = "\n".join(made if isinstance(made, str) else json.dumps(made) for made in MADE[name]())
    assert hashlib.sha256(text.encode()).hexdigest()[:16] == DIGESTS[name]
