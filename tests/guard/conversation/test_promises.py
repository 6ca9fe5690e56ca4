"""A promise is what an assistant says it will do by itself, and the tool is the one that does it."""

from __future__ import annotations

import pytest

from holdtrue.guard import make_policy
from holdtrue.guard.conversation.plain_words import promises_in
from holdtrue.guard.policy import Policy
from tests.guard.conversation.shop import guard
from tests.patience import count_calls


def policy_of(writes: str, reads: str) -> Policy:
    """Return a policy with tools of these names."""
    nothing = {"type": "object", "properties": {}}
    made = [{"name": own, "description": own, "parameters": nothing} for own in f"{writes} {reads}".split()]
    return make_policy("p", tools={"definitions": made, "writes": writes.split(), "reads": reads.split()})


TABLE = policy_of("Table.Reserve Table.SendConfirmation Table.CancelReservation", "Table.Find")
SHOP = policy_of(
    "Shop.PlaceOrder Shop.SendInvoice Shop.IssueRefund Shop.UpdateAddress Shop.CancelOrder",
    "Shop.GetOrder Shop.ListOrders Shop.CheckStock",
)
HOTEL = policy_of("create_booking send_email make_payment", "get_booking search_hotels")
PROMISED = [
    (
        SHOP,
        "I'll place the order for Tuesday 21 April, and I'll send you the invoice by email.",
        "Shop.PlaceOrder Shop.SendInvoice",
    ),
    (TABLE, "I'll reserve a table inside.", "Table.Reserve"),
    (TABLE, "I'll go ahead and reserve the table now.", "Table.Reserve"),
    (TABLE, "I will now reserve the terrace for you.", "Table.Reserve"),
    (TABLE, "We'll gladly reserve it.", "Table.Reserve"),
    (TABLE, "I\u2019ll send the confirmation to your address.", "Table.SendConfirmation"),
    (TABLE, "I'll cancel your reservation.", "Table.CancelReservation"),
    (SHOP, "I'll refund you the amount.", "Shop.IssueRefund"),
    (SHOP, "I'll issue the refund today.", "Shop.IssueRefund"),
    (SHOP, "I'll update your address.", "Shop.UpdateAddress"),
    (HOTEL, "I'll book the hotel for you.", "create_booking"),
    (HOTEL, "I'll create the booking.", "create_booking"),
    (HOTEL, "I'll be booking it tonight.", "create_booking"),
    (HOTEL, "I promise to book it.", "create_booking"),
    (HOTEL, "I'm going to book it now.", "create_booking"),
    (HOTEL, "I'll send the email and make the payment.", "send_email"),
]
NOT_PROMISED = [
    (TABLE, "I will not reserve a table on the terrace."),
    (TABLE, "I won't reserve a table on the terrace."),
    (TABLE, "I'll never reserve a table on the terrace."),
    (TABLE, "I will reserve it only if you agree."),
    (TABLE, "I'll leave it to you to reserve the table."),
    (TABLE, "I'll ask my colleague to reserve the table."),
    (TABLE, "I will not be reserving anything today."),
    (TABLE, "I'll under no circumstances reserve it."),
    (TABLE, "I will make no reservation for you."),
    (TABLE, "I'll reserve nothing without your word."),
    (TABLE, "I'll let you reserve it yourself."),
    (TABLE, "I'll wait for you to reserve it."),
    (TABLE, "I'll show you how to reserve a table."),
    (TABLE, "I'll help you reserve a table."),
    (TABLE, "I'll explain how we reserve tables."),
    (TABLE, "I'll need to reserve it later."),
    (TABLE, "I'll reserve it once you agree."),
    (TABLE, "I'll reserve it provided that you agree."),
    (TABLE, "Tell me your name and I'll reserve the table."),
    (TABLE, "Let me know the time and I will reserve it."),
    (TABLE, "I'm not sure I'll reserve it today."),
    (TABLE, "I don't think I will reserve it."),
    (TABLE, "You said I will reserve it."),
    (TABLE, "I'm not going to reserve it."),
    (TABLE, "Shall I say that I'll reserve it?"),
    (SHOP, "I will not cancel the order."),
    (SHOP, "I'll have my manager refund you."),
    (SHOP, "I'll never send you an invoice."),
    (SHOP, "I'll send no invoice."),
    (SHOP, "I'll ask the shop to send the invoice."),
    (SHOP, "I'll buy them for you tomorrow and order more."),
    (HOTEL, "I won't book it before Friday."),
    (HOTEL, "I will never pay for it."),
    (HOTEL, "I'll consider booking it."),
    (HOTEL, "I'll avoid booking anything."),
    (HOTEL, "I'll refrain from making payments."),
    (HOTEL, "I'll stop sending emails."),
    (HOTEL, "Pick one and I'll book it."),
    (HOTEL, "I'll see if I can book it."),
    (HOTEL, "I'll book it as soon as you say so."),
    (HOTEL, "Nor will I book it; I'll not book it."),
    (HOTEL, "I can't promise I'll book it."),
    (HOTEL, "We will most certainly not book it."),
    (HOTEL, "I'll forget about booking it."),
    (HOTEL, "I'll advise you against booking."),
    (HOTEL, "I'll remind you to book."),
    (HOTEL, "I'll tell Anna to send the email."),
    (HOTEL, "I'll have a colleague book it for you."),
    (HOTEL, "I will leave the booking to you."),
    (HOTEL, "I'll book it unless you object."),
    (HOTEL, "We'll never charge or make a payment without asking."),
    (HOTEL, "I'll suggest booking it."),
    (SHOP, "I'll order nothing today."),
    (SHOP, "I'll look into refunding you."),
    (SHOP, "I'll let the shop refund you."),
    (SHOP, "I'll look up your order."),
    (SHOP, "I hope I'll be able to refund you."),
    (SHOP, "I will not, and shall not, refund you."),
    (SHOP, "I will no longer send invoices."),
    (SHOP, "Once you confirm, I'll place the order."),
    (TABLE, "I'll certainly not reserve it."),
    (TABLE, "I'll ensure it's reserved."),
]


@pytest.mark.parametrize(("policy", "sentence", "tools"), PROMISED)
def test_a_promise_names_the_tool_that_does_it(policy: Policy, sentence: str, tools: str) -> None:
    assert " ".join(own.tool for own in promises_in(sentence, policy.tools.values())) == tools


@pytest.mark.parametrize(("policy", "sentence"), NOT_PROMISED)
def test_what_is_denied_or_depends_or_somebody_else_does_is_no_promise(policy: Policy, sentence: str) -> None:
    assert promises_in(sentence, policy.tools.values()) == []


async def test_what_the_assistant_says_it_will_not_do_holds_no_call() -> None:
    talk = guard().conversation("c")
    await talk.heard(assistant="I will not reserve a table on the terrace.")
    assert not await talk.unmet()
    assert (await talk.check("Table.Reserve", {"day": "2026-03-06", "guests": 4, "area": "inside"})).kind == "allow"


@pytest.mark.parametrize("words", ["choose ", "I'll book it ", "I'll not ", "I'll quickly ", "wish I'll ", "be "])
def test_long_messages_take_little_work(words: str) -> None:
    assert count_calls(lambda: promises_in((words * 20_000)[:50_000], HOTEL.tools.values())) < 500_000
