"""A prompt with the relevant part of the ledger shows what is tied to the entities in the message, and nothing else."""

from __future__ import annotations

from hypothesis import given
from hypothesis import strategies as st

from holdtrue.conversation import Session
from holdtrue.kinds.assignment.turn import relevant
from holdtrue.language.readers import TemplateExtractor
from holdtrue.ledger.ledger import Commitment, Ledger, Proposal
from holdtrue.world.instance import Constraint
from holdtrue.world.registry import find_domain
from tests.recorder import Recorder

NAMES = ["Ann", "Bob", "Cem", "Dora", "Eve", "Finn"]
WORLD = find_domain("seating").instance(NAMES)
TIES = st.lists(st.permutations(NAMES).map(lambda own: (own[0], own[1])), max_size=8)


def ledger_of(ties: list[tuple[str, str]]) -> dict[str, Commitment]:
    ledger = Ledger(WORLD)
    for one, other in ties:
        ledger.enter(ledger.draft(Proposal(Constraint("not_adjacent", (one, other))), 1), 1)
    return dict(ledger.active)


@given(TIES, st.sets(st.sampled_from(NAMES), min_size=1, max_size=2))
def test_all_that_a_chain_of_commitments_ties_to_the_message_is_relevant(
    ties: list[tuple[str, str]], named: set[str]
) -> None:
    active = ledger_of(ties)
    shown = relevant(WORLD, active, f"{' and '.join(sorted(named))} want to sit well.")
    reached = set(named)
    for _ in NAMES:  # a chain has at most as many links as there are names
        reached |= {name for tie in ties if set(tie) & reached for name in tie}
    assert set(shown) == {id for id, own in active.items() if set(own.constraint.args) & reached}


def test_a_message_that_names_nobody_shows_all() -> None:
    active = ledger_of([("Ann", "Bob")])
    assert relevant(WORLD, active, "Please go on.") == active


async def test_the_prompt_shows_the_relevant_lines_only() -> None:
    model = Recorder(lambda request: '{"solution": {}}')
    method = "ledger_relevant"
    session = Session(WORLD, model=model, method=method, extractor=TemplateExtractor())
    for message in ("Ann must sit next to Bob", "Cem must sit next to Dora", "Dora must sit at position 3"):
        await session.turn(message)
    shown = next(own for own in reversed(model.prompts) if "Current ledger" in own).rpartition("Current ledger:")[2]
    assert "Cem must sit next to Dora" in shown and "Ann must sit next to Bob" not in shown
