"""Sentences of a domain that are worded like a change, and comparisons, which are none."""

from __future__ import annotations

import json
from collections.abc import Sequence
from dataclasses import replace

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from holdtrue.errors import DomainError
from holdtrue.language.amendments import Amendment
from holdtrue.language.change_detection import detect_change
from holdtrue.language.extract import LlmExtractor
from holdtrue.language.inferred_changes import infer_change
from holdtrue.language.readers import TemplateExtractor
from holdtrue.language.reading import ActiveCommitment, MessageContext, Reading
from holdtrue.language.withdrawals import Withdrawal
from holdtrue.logic.formula import at_most
from holdtrue.models.scripted import ScriptModel
from holdtrue.world.domain import Attribute, ConstraintType, Domain, Entity, Integer
from holdtrue.world.instance import Constraint, Instance
from holdtrue.world.registry import BUILTIN
from tests.language.rota import ACTIVE, WEEK

# The words of changes, and what limits a number, of which the sentences of a domain may be made.
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
    """What is read with a model that reads the constraint in whatever it is asked."""
    stated = json.dumps({"meaning": "", "constraints": [{"type": made.type, "args": list(made.args)}]})
    reader = LlmExtractor(ScriptModel(lambda request: stated))
    return list((await reader.read(instance, said, MessageContext(3, active))).readings)


@pytest.mark.parametrize(
    "said",
    [
        "No more than 2 of them are late",
        "No more and no less than 2 of them are late",
        "No more meetings than 2 before noon, please",
        "It is not any later than day 3",
        "The talk is no longer than 2 hours",
        "The talk isn't any longer than 2 hours",
        "Ann is first, but not more than 2 days before Bob",
        "Ann is first, not later than day 2",
        "There should be no fewer than 3, but no more than 4",
        "We don't need more than 2 of them",
    ],
)
def test_a_comparison_is_no_cue_of_a_change(said: str) -> None:
    assert detect_change(said) is None


@pytest.mark.parametrize(
    "said",
    [
        "Ann no longer works later than Bob",
        "No more demos, please",
        "Ann on day 2, not on day 3",
        "Forget that it is no later than day 3",
        "Actually, no more than 2 of them are late",
        "Ann works on day 3 rather than on day 2",
    ],
)
def test_a_cue_beside_a_comparison_still_counts(said: str) -> None:
    assert detect_change(said) is not None


def test_what_is_compared_comes_out_in_its_own_words() -> None:
    assert detect_change("Forget: not less than 2 days") == Withdrawal("not less than 2 days")
    assert detect_change("Actually, no later than day 3") == Amendment("no later than day 3", kind="correction")
    assert detect_change("Day 2 instead of no more than 3") == Amendment("Day 2", "no more than 3")


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


@pytest.mark.parametrize("said", ["Cancel Ann on day 2.", "Please cancel Ann on day 2", "cancel Ann on day 2!"])
async def test_another_wording_of_the_domain_takes_nothing_back_either(said: str) -> None:
    instance = declare("{0} does not work on day {1}", "cancel {0} on day {1}").instance(["Ann", "Bob"])
    active = hold(instance, ("on_day", "Ann", 2))
    made = instance.constraint("own", ["Ann", 2])
    (read,) = await read_by_templates(instance, said, active)
    assert read.act == "states" and read.reason is not None
    assert read.reason == "no known wording fits this sentence; 'templates' would read: 'Ann does not work on day 2'"
    (read,) = await read_by_model(instance, said, active, made)
    assert (read.act, read.constraint) == ("states", made)


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


async def test_two_sentences_of_the_domain_in_one_are_both_stated() -> None:
    instance = declare("skip {0} on day {1}").instance(["Ann", "Bob"])
    readings = await read_by_templates(instance, "Skip Ann on day 3 and skip Bob on day 4.", ())
    assert [(one.act, one.status) for one in readings] == [("states", "accepted")] * 2


def limit(sentence: str) -> Instance:
    """Meetings of which so many are early: what is agreed names nobody."""
    early = ConstraintType(
        "early", (Integer(0, 4),), sentence, lambda w, n: at_most(n, [w[each].hour < 12 for each in w.entities])
    )
    return Domain("limits", attributes=[Attribute("hour", low=9, high=16)], constraint_types=[early]).instance(
        ["Retro", "Demo"]
    )


@pytest.mark.parametrize(
    "said",
    [
        "Actually, at most 3 meetings are early.",
        "At most 3 meetings are early instead.",
        "Sorry, no wait, at most 3 meetings are early.",
    ],
)
async def test_what_names_nobody_is_corrected_like_what_names_somebody(said: str) -> None:
    instance = limit("at most {0} meetings are early")
    active = (ActiveCommitment("C001", instance.constraint("early", [2]), 1),)
    (read,) = await read_by_templates(instance, said, active)
    assert (read.act, read.replaces) == ("amends", active[0].constraint)
    assert read.constraint == instance.constraint("early", [3])


async def test_without_actually_a_second_limit_is_added_and_of_two_none_is_replaced() -> None:
    instance = limit("at most {0} meetings are early")
    active = tuple(ActiveCommitment(f"C00{n}", instance.constraint("early", [n]), n) for n in (1, 2))
    (read,) = await read_by_templates(instance, "At most 3 meetings are early.", active[:1])
    assert (read.act, read.replaces) == ("states", None)
    (read,) = await read_by_templates(instance, "Actually, at most 3 meetings are early.", active)
    assert read.replaces is None


async def test_what_is_no_limit_is_not_replaced() -> None:
    instance = limit("the office is closed on day {0}")  # on another one as well, perhaps
    active = (ActiveCommitment("C001", instance.constraint("early", [2]), 1),)
    (read,) = await read_by_templates(instance, "Actually, the office is closed on day 3.", active)
    assert read.replaces is None


async def test_actually_before_a_sentence_of_the_domain_corrects() -> None:
    instance = limit("cancel all but at most {0} meetings before noon")
    active = (ActiveCommitment("C001", instance.constraint("early", [2]), 1),)
    (read,) = await read_by_templates(instance, "Actually, cancel all but at most 1 meetings before noon.", active)
    assert (read.act, read.replaces) == ("amends", active[0].constraint)


def test_no_sentence_of_a_built_in_domain_looks_like_a_change() -> None:
    # So what is built in is read as ever, and no prompt of it changes.
    for domain in BUILTIN.values():
        for kind in domain.constraint_types:
            for wording in (kind.sentence, *kind.wordings):
                assert detect_change(wording.format(*"XYZUV"[: len(kind.arguments)])) is None, wording
