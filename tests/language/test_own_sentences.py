"""Test sentences of a domain that are worded like a change, and comparisons, which are no changes."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdtrue.errors import DomainError
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.inferred_changes import infer_change
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import ActiveCommitment, MessageContext, Reading
from holdtrue.logic.formula import at_most
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Integer
from holdtrue.world.instance import Constraint, Instance
from tests.language.rota import ACTIVE, WEEK

# Words for changes and for limits of a number, which may also occur in the sentences of a domain.
CUES = (
    "cancel drop skip forget scrap withdraw remove move change replace lift clear undo ignore never mind no more than "
    "no longer instead of rather than not actually now any more after all off again must no later than only so but"
).split()
LIMITS = [
    f"{no} {more} than"
    for no in ("no", "not", "never", "not any")
    for more in ("more", "less", "fewer", "later", "earlier", "longer", "sooner", "higher", "closer")
]


def declare(sentence: str, *wordings: str) -> Domain:
    return Domain(
        "rota",
        attributes=[Attribute("day", low=1, high=5)],
        constraint_types=[
            ConstraintType("on_day", (Entity(), Integer(1, 5)), "{0} works on day {1}", lambda w, a, k: a.day.eq(k)),
            ConstraintType("own", (Entity(), Integer(1, 5)), sentence, lambda w, a, k: a.day.ne(k), wordings=wordings),
        ],
    )


def hold(instance: Instance, *args: tuple[str, str, int]) -> tuple[ActiveCommitment, ...]:
    made = (instance.canonical(instance.constraint(type, rest)) for type, *rest in args)
    return tuple(ActiveCommitment(f"C{number:03d}", one, number) for number, one in enumerate(made, 1))


async def read_by_templates(instance: Instance, said: str, active: Sequence[ActiveCommitment]) -> list[Reading]:
    return list((await TemplateExtractor().read(instance, said, MessageContext(3, active))).readings)


async def read_by_model(
    instance: Instance, said: str, active: Sequence[ActiveCommitment], made: Constraint
) -> list[Reading]:
    """Return the readings with a model that reads the constraint in every request."""
    stated = json.dumps({"meaning": "", "constraints": [{"type": made.type, "args": list(made.args)}]})
    reader = LlmExtractor(ScriptModel(lambda request: stated))
    return list((await reader.read(instance, said, MessageContext(3, active))).readings)


@given(limit=st.sampled_from(LIMITS), number=st.integers(1, 4), active=st.booleans())
@settings(max_examples=60, deadline=None)
async def test_a_comparison_changes_nothing_that_was_agreed(limit: str, number: int, active: bool) -> None:
    for said in (
        f"{limit.capitalize()} {number} days between Ann and Cy.",
        f"Ann and Cy work {limit} {number} days apart.",
        f"{limit.capitalize()} {number} of them work on day 2.",
    ):
        readings = await read_by_templates(WEEK, said, ACTIVE if active else ())
        readings += await read_by_model(WEEK, said, ACTIVE if active else (), ACTIVE[2].constraint)
        assert all(one.act == "states" for one in readings), said
        assert infer_change(WEEK, said, ACTIVE) is None


@given(
    words=st.lists(st.sampled_from(CUES), min_size=1, max_size=4).map(" ".join),
    order=st.sampled_from(["{words} {{0}} on day {{1}}", "{{0}} {words} day {{1}}", "{{0}} on day {{1}} {words}"]),
    lead=st.sampled_from(["", "Please ", "Also, ", "Ok, so ", "Sorry, but ", "Just "]),
)
@example(words="no must", order="{words} {{0}} on day {{1}}", lead="Please ")
@example(words="not actually", order="{words} {{0}} on day {{1}}", lead="Also, ")
@example(words="actually", order="{words} {{0}} on day {{1}}", lead="")
@example(words="actually not", order="{words} {{0}} on day {{1}}", lead="Please ")
@settings(max_examples=150, deadline=None)
async def test_a_sentence_of_the_domain_is_stated_whatever_its_words(words: str, order: str, lead: str) -> None:
    try:
        instance = declare(order.format(words=words)).instance(["Ann", "Bob"])
    except DomainError:
        return  # two types that are worded alike
    active = hold(instance, ("on_day", "Ann", 2), ("on_day", "Bob", 3), ("own", "Bob", 3))
    made = instance.constraint("own", ["Ann", 2])
    said = f"{lead}{instance.sentence(made)}."
    for readings in (
        await read_by_templates(instance, said, active),
        await read_by_model(instance, said, active, made),
    ):
        assert [one.act for one in readings] == ["states"], said
    assert (await read_by_templates(instance, said, active))[0].constraint == made, said


async def test_a_type_may_say_what_is_done_instead_of_what() -> None:
    swap = ConstraintType(
        "swap",
        (Entity(), Integer(1, 5), Entity()),
        "{0} works on day {1} instead of {2}",
        lambda w, a, day, b: a.day.eq(day) & b.day.ne(day),
    )
    domain = declare("{0} is off on day {1}")
    instance = replace(domain, constraint_types=[*domain.constraint_types, swap]).instance(["Ann", "Bob"])
    active = hold(instance, ("on_day", "Ann", 2), ("on_day", "Bob", 3))
    made, said = instance.constraint("swap", ["Ann", 3, "Bob"]), "Ann works on day 3 instead of Bob."
    for readings in (
        await read_by_templates(instance, said, active),
        await read_by_model(instance, said, active, made),
    ):
        assert [(one.act, one.status, one.constraint) for one in readings] == [("states", "accepted", made)]


def limit(sentence: str) -> Instance:
    """Meetings with a limit on early ones: the commitment names no entity."""
    early = ConstraintType(
        "early", (Integer(0, 4),), sentence, lambda w, n: at_most(n, [w[each].hour < 12 for each in w.entities])
    )
    return Domain("limits", attributes=[Attribute("hour", low=9, high=16)], constraint_types=[early]).instance(
        ["Retro", "Demo"]
    )
