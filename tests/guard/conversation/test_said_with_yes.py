"""Tests that a yes to the listing of a call also says the values that it lists, and no other yes does."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from itertools import product
from typing import Any, Literal

import pytest

from holdtrue.guard import Facts, Guard, make_policy
from holdtrue.guard.deciding import check
from holdtrue.guard.listening import Listening
from holdtrue.guard.policy import Policy
from holdtrue.guard.policy_parts import Unsaid

Way = Literal["", "words", "listing", "answer"]
WAYS: tuple[Way, ...] = ("", "words", "listing", "answer")
REASONS = FITS, OTHER, LATE = ["no longer needed", "ordered by mistake", "too late"]
RULES: Mapping[str, Callable[[str | None, str], bool]] = {
    "said.reason in ['no longer needed', 'ordered by mistake'] && said.reason == call.reason": lambda said, called: (
        said in (FITS, OTHER) and said == called
    ),
    "said.reason != 'too late'": lambda said, called: said != LATE,
    "false": lambda said, called: False,
}
RULE = next(iter(RULES))


def policy(how: str | None = "listing", hold: str = RULE, *, claim: bool = False, argument: Any = None) -> Policy:
    own = {"order": {"type": "string"}, "reason": argument or {"enum": REASONS}}
    return make_policy(
        "shop",
        now="2026-03-02T09:00:00",
        tools={
            "definitions": [{"name": "cancel", "parameters": {"type": "object", "properties": own}}],
            "consent": [] if how is None else [{"on": "cancel", "how": how}],
        },
        said={"reason": {"type": REASONS, "ask": "Why do you cancel?", "claim": claim}},
        rules=[{"id": "why", "on": "cancel", "hold": hold, "say": "Only these reasons count."}],
    )


def call(reason: str = FITS, order: str = "A-1") -> dict[str, Any]:
    return {"order": order, "reason": reason}


@pytest.mark.parametrize("how", ["listing", "answer"])
async def test_a_yes_to_the_listing_says_the_reason_that_it_names_for_this_call_alone(how: str) -> None:
    own = policy(how)
    talk = Guard(own).conversation("c")
    for given in (call(), call(OTHER, "A-2")):
        decision = await talk.check("cancel", given)
        assert decision.kind == "confirm" and f"reason: '{given['reason']}'" in decision.for_user
        answers: dict[str, Any] = {"assistant": decision.for_user} if how == "listing" else {"answers": decision}
        await talk.heard(user="yes", **answers)
        allowed = await talk.check("cancel", given)
        assert allowed.kind == "allow" and "also says said.reason" in str(allowed.assumptions)
        assert own.replay(allowed.to_json()).to_json(mend=False) == allowed.to_json(mend=False)
        assert (await talk.check("cancel", given)).kind == "confirm"
    await talk.heard(user="It was ordered by mistake")
    assert [(await talk.check("cancel", call(own))).kind for own in REASONS] == ["block", "confirm", "block"]


def test_a_value_that_cannot_be_said_says_nothing() -> None:
    own = policy(argument={"type": "string"}, hold="said.reason == 'no longer needed'")
    kinds = [own.check("cancel", call(reason), Facts.none(), consent=True).kind for reason in (FITS, "because")]
    assert kinds == ["allow", "block"]


@pytest.mark.parametrize("hold", RULES)
def test_all_cases_are_decided_as_with_the_reason_said_where_a_listing_asks_for_it(hold: str) -> None:
    saids: tuple[Any, ...] = (None, {"reason": OTHER}, {"reason": None})
    unsaids: tuple[Unsaid, ...] = ("false", "unknown")
    for how, claim in product((None, *WAYS[1:]), (False, True)):
        own = policy(how, hold, claim=claim)
        for given, said, consent, unsaid in product(map(call, REASONS), saids, WAYS, unsaids):
            is_claimed = claim and said and said["reason"]  # What is claimed may be so.
            heard = None if is_claimed else said
            expected = _plainly(how or "", hold, given, heard, consent, "unknown" if is_claimed else unsaid)
            if expected in ("block", "ask") and said is None and not claim:
                agreed = _plainly(how or "", hold, given, {"reason": given["reason"]}, consent, unsaid)
                by_listing = how in ("listing", "answer") if agreed == "confirm" else consent in ("listing", "answer")
                expected = agreed if by_listing and agreed in ("allow", "confirm") else expected
            found = check(own, "cancel", given, Facts.none(), Listening(said, unsaid, consent))
            assert found.kind == expected, (how, claim, given, said, consent, unsaid)


def _plainly(how: str, hold: str, given: Any, said: Any, consent: Way, unsaid: str) -> str:
    """Return the decision by the words of the documents: the truth of the rule for what is said, then the consent."""
    value, is_known = (said or {}).get("reason"), said is not None or unsaid == "false"
    truths = {RULES[hold](each, given["reason"]) for each in ([value] if is_known else [None, *REASONS])}
    if False in truths:
        return "block" if truths == {False} else "ask"
    return "allow" if WAYS.index(consent) >= [*WAYS].index(how) else "confirm"  # type: ignore[arg-type]
